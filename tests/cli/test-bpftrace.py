#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What --print=distributions prints: histograms and maps of numbers in the output of bpftrace, as text and as JSON, against another
reading of the same files.

    test-bpftrace.py PROFVIEW TESTS_DATA
"""

import json
import os
import sys
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
