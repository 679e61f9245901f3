#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What --print=distributions prints: histograms and maps of numbers in the output of bpftrace, as text and as JSON, against another
reading of the same files.

    test-bpftrace.py PROFVIEW TESTS_DATA
"""

import json
import os
import shutil
import sys
import tempfile
import unittest

from program import good, rows, run

DATA = sys.argv[2]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "corpus"))
import bpftrace_tables  # noqa: E402  pylint: disable=wrong-import-position

TEXT = os.path.join(DATA, "bpftrace", "latencies.txt")
JSON = os.path.join(DATA, "bpftrace", "latencies.json")
HEADER = ["map", "kind", "key", "first", "last", "count", "value"]


def content(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Distributions(unittest.TestCase):
    def printed(self, path):
        header, table = rows("--print=distributions", path)
        self.assertEqual(header, HEADER)
        self.assertEqual(len(table), len({tuple(row) for row in table}))
        return {tuple(row) for row in table}

    def test_text(self):
        expected = bpftrace_tables.read_text(content(TEXT))
        self.assertEqual(len(expected), 2 + 1 + 2 + 2 + 5 + 7 + 2)
        self.assertEqual(self.printed(TEXT), expected)

    def test_json(self):
        expected = bpftrace_tables.read_json(content(JSON))
        self.assertEqual(len(expected), 2 + 1 + 2 + 2 + 5 + 7 + 2)
        self.assertEqual(self.printed(JSON), expected)

    def test_as_json(self):
        printed = json.loads(good("--print=distributions", "--format=json", TEXT))
        self.assertEqual({tuple("" if row[name] is None else str(row[name]) for name in HEADER) for row in printed},
                         bpftrace_tables.read_text(content(TEXT)))

    def test_for_people(self):
        lines = good("--print=distributions", TEXT).splitlines()
        self.assertIn("@usecs[shop server]", lines)
        text = [" ".join(line.split()) for line in lines]
        self.assertIn("4 to 7 52 62.7 % 71.1 %", text)
        self.assertIn("1,024 to 2,047 3 3.6 % 100.0 %", text)
        self.assertIn("below −10 2 7.1 % 7.1 %", text)
        self.assertIn("49,153 3 16,384 write, big", text)
        self.assertIn("−40 disk a", text)

    def test_limit(self):
        _, table = rows("--print=distributions", "--limit=1", TEXT)
        self.assertEqual([row[0] for row in table],
                         ["@average", "@bytes", "@least", "@sizes", "@temperature", "@usecs", "@usecs"])
        self.assertEqual(table[0][2], "sync, 812")

    def test_stacks_beside(self):
        summary = json.loads(good("--print=summary", "--format=json", JSON))
        self.assertEqual([(measure["name"], measure["total"]) for measure in summary["measures"]], [("count", 7)])

    def test_merged(self):
        """Several files as one, or as a series: what adds up is added up, the rest is told."""
        once = {row[:5]: row for row in self.printed(TEXT)}
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, "other.txt")
            shutil.copy(TEXT, other)
            for way in ("--merge", "--series"):
                table = rows("--print=distributions", way, TEXT, other)[1]
                notes = good("--print=notes", way, TEXT, other)
                seen = 0
                for row in table:
                    name = row[0].split(": ")[-1]
                    was = once[(name, *row[1:5])]
                    seen += 1
                    if row[1] == "numbers":
                        self.assertIn(row[0], ("latencies.txt: " + name, "other.txt: " + name))
                        self.assertEqual(row[5:], list(was[5:]))
                    else:
                        self.assertEqual(row[0], name)
                        self.assertEqual([text and int(text) for text in row[5:]],
                                         [text and 2 * int(text) for text in was[5:]])
                n_numbers = sum(row[1] == "numbers" for row in once.values())
                self.assertEqual(seen, len(once) + n_numbers)
                self.assertIn("Maps of numbers are shown for each file", notes)

    def test_none(self):
        status, _, errors = run("--print=distributions", os.path.join(DATA, "recordings", "calls-flat.data"))
        self.assertEqual(status, 2)
        self.assertIn("no histograms", errors)

    def test_other_prints(self):
        """Of a file without stacks."""
        for what in ("top", "tree", "summary", "notes"):
            for form in ("text", "tsv", "json"):
                good("--print=" + what, "--format=" + form, TEXT)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
