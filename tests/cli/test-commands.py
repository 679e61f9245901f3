#!/usr/bin/env python3
"""Runs profview without a display and looks at what it prints, writes and returns.

    test-commands.py PROFVIEW TESTS_DATA
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

PROFVIEW, DATA = sys.argv[1:3]
FILE = os.path.join(DATA, "recordings", "calls-fp.data")
THREADS = os.path.join(DATA, "recordings", "threads-fp.data")
SYSROOT = "--sysroot=" + os.path.join(DATA, "sysroot")


def run(*arguments):
    environment = {key: value for key, value in os.environ.items()
                   if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    result = subprocess.run([PROFVIEW, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=environment, check=False, timeout=60)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def good(*arguments):
    status, out, errors = run(*arguments)
    assert status == 0, (arguments, status, errors)
    return out


def rows(*arguments):
    lines = good("--format=tsv", *arguments).splitlines()
    return lines[0].split("\t"), [line.split("\t") for line in lines[1:]]


class Commands(unittest.TestCase):
    def test_top(self):
        header, table = rows("--print=top", SYSROOT, FILE)
        self.assertEqual(header, ["self", "total", "function", "module", "file", "line"])
        self.assertTrue(table)
        own = [int(row[0]) for row in table]
        self.assertEqual(own, sorted(own, reverse=True))
        self.assertTrue(all(int(row[1]) >= int(row[0]) for row in table))
        summary = json.loads(good("--print=summary", "--format=json", SYSROOT, FILE))
        self.assertEqual(sum(own), summary["measures"][0]["total"])
        self.assertEqual(len({(row[2], row[3]) for row in table}), len(table))

    def test_formats_agree(self):
        _, table = rows("--print=top", SYSROOT, FILE)
        objects = json.loads(good("--print=top", "--format=json", SYSROOT, FILE))
        self.assertEqual([[str(o["self"]), str(o["total"]), o["function"], o["module"]]
                          for o in objects], [row[:4] for row in table])
        text = good("--print=top", "--limit=3", SYSROOT, FILE).splitlines()
        self.assertEqual(len(text), 4)

    def test_summary(self):
        summary = json.loads(good("--print=summary", "--format=json", SYSROOT, FILE))
        for key in ("format", "measures", "samples", "lost", "skipped_records", "processes",
                    "threads", "modules", "start_ns", "duration_ns", "stacks", "notes"):
            self.assertIn(key, summary)
        self.assertEqual(summary["format"], "perf.data")
        self.assertEqual(set(summary["modules"][0]), {"path", "build_id", "debug_info"})
        self.assertEqual(set(summary["measures"][0]), {"name", "unit", "samples", "total"})
        stacks = summary["stacks"]
        self.assertEqual(stacks["complete"] + stacks["truncated"] + stacks["unknown"],
                         summary["samples"])
        self.assertIn("perf.data", good("--print=summary", SYSROOT, FILE))

    def test_tree(self):
        header, table = rows("--print=tree", SYSROOT, FILE)
        self.assertEqual(header[:4], ["depth", "self", "total", "function"])
        self.assertEqual(table[0][0], "0")
        top, depth = int(table[0][2]), 0
        for row in table:
            self.assertLessEqual(int(row[0]), depth + 1)
            depth = int(row[0])
        self.assertEqual(sum(int(row[1]) for row in table), top)
        _, inverted = rows("--print=tree", "--invert", SYSROOT, FILE)
        self.assertEqual(int(inverted[0][2]), top)

    def test_neighbours(self):
        _, table = rows("--print=top", SYSROOT, FILE)
        main = next(row for row in table if row[2] == "main")
        header, callers = rows("--print=callers", "--function=^main$", SYSROOT, FILE)
        self.assertEqual(header, ["weight", "function", "module", "of_function", "of_module"])
        self.assertEqual(sum(int(row[0]) for row in callers), int(main[1]))
        _, callees = rows("--print=callees", "--function=^main$", SYSROOT, FILE)
        self.assertLessEqual(max(int(row[0]) for row in callees), int(main[1]))
        self.assertIn("Callers of main", good("--print=callers", "--function=^main$", SYSROOT, FILE))
        status, out, errors = run("--print=callers", "--function=^no_such$", SYSROOT, FILE)
        self.assertEqual((status, out), (1, ""))
        self.assertIn("no function matches", errors)

    def test_filters(self):
        def total(*options):
            return int(rows("--print=tree", *options, SYSROOT, THREADS)[1][0][2])
        everything = total()
        focus = total("--focus=^main$")
        self.assertEqual(everything, focus + total("--ignore=^main$"))
        halves = total("--time=..0.05") + total("--time=0.05..")
        self.assertEqual(halves, everything)
        _, groups = rows("--print=tree", "--group=thread", SYSROOT, THREADS)
        by_group = [row for row in groups if row[0] == "1"]
        self.assertEqual(sum(int(row[2]) for row in by_group), everything)
        one = by_group[0][3].rsplit("(", 1)[1].rstrip(")")
        self.assertEqual(total("--thread=" + one), int(by_group[0][2]))

    def test_folded(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.folded")
            good("--export=" + path, SYSROOT, FILE)
            with open(path, "rb") as file:
                lines = file.read().splitlines(keepends=True)
            self.assertEqual(lines, sorted(lines))
            self.assertEqual(os.listdir(folder), ["out.folded"])
            _, tree = rows("--print=tree", SYSROOT, FILE)
            self.assertEqual(sum(int(line.rsplit(b" ", 1)[1]) for line in lines), int(tree[0][2]))

    def test_pictures(self):
        with tempfile.TemporaryDirectory() as folder:
            for ending, start in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
                path = os.path.join(folder, "out" + ending)
                good("--export=" + path, "--width=800", SYSROOT, FILE)
                with open(path, "rb") as file:
                    self.assertEqual(file.read(len(start)), start)

    def test_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.tsv")
            good("--export=" + path, SYSROOT, FILE)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), good("--print=top", "--format=tsv", SYSROOT, FILE))
            path = os.path.join(folder, "tree.json")
            good("--export=" + path, "--print=tree", SYSROOT, FILE)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(json.load(file)[0]["depth"], 0)

    def test_several_files(self):
        text = good("--print=top", "--limit=1", SYSROOT, FILE, THREADS)
        self.assertIn(f"== {FILE} ==", text)
        self.assertIn(f"== {THREADS} ==", text)
        answers = json.loads(good("--print=summary", "--format=json", SYSROOT, FILE, THREADS))
        self.assertEqual([answer["file"] for answer in answers], [FILE, THREADS])
        status, out, errors = run("--print=top", SYSROOT, "/no/such.data", FILE)
        self.assertEqual(status, 1)
        self.assertIn("profview: /no/such.data: ", errors)
        self.assertIn(FILE, out)

    def test_usage(self):
        for arguments in (("--nonsense", FILE), ("--limit=3", FILE), ("--print=top",), ("--print=x", FILE),
                          ("--print=callers", FILE), ("--focus=(", "--print=top", FILE),
                          ("--export=out.xyz", FILE), ("--print=top", "--measure=flops", FILE),
                          ("--print=top", "--thread=nobody", FILE),
                          ("--export=out.svg", FILE, THREADS)):
            status, out, errors = run(*arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertTrue(errors.startswith("profview: "), errors)

    def test_errors(self):
        for path in ("/no/such/file", "/", "/dev/null", PROFVIEW):
            status, out, errors = run("--print=top", path)
            self.assertEqual((status, out), (1, ""), path)
            self.assertTrue(errors.startswith(f"profview: {path}: "), errors)
        status, _, errors = run("--export=/no/such/folder/x.folded", SYSROOT, FILE)
        self.assertEqual(status, 1)
        self.assertTrue(errors.startswith("profview: /no/such/folder/x.folded: "), errors)

    def test_help(self):
        text = good("--help")
        for option in ("--print", "--export", "--focus", "--sysroot", "--version"):
            self.assertIn(option, text)
        self.assertRegex(good("--version"), r"^profview \d+\.\d+\.\d+\n$")

    def test_jobs_do_not_matter(self):
        one = good("--print=tree", "--format=json", "--jobs=1", SYSROOT, FILE)
        self.assertEqual(one, good("--print=tree", "--format=json", "--jobs=7", SYSROOT, FILE))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
