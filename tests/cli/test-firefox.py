#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What profview's commands make of profiles of samply: addresses are named, threads, categories, markers; and of Firefox: counters.

    test-firefox.py PROFVIEW TESTS_DATA
"""

import collections
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from program import good, rows, run

DATA = os.path.realpath(sys.argv[2])
# One that is loaded anywhere, one that is linked to a fixed address.
PROGRAMS = [os.path.join(DATA, "sysroot/opt/samples/bin/calls"), os.path.join(DATA, "dwarf/foreign")]


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()


def describe(program):
    """The build-id, where the first segment begins, and functions with their addresses."""
    notes = output("readelf", "-nlW", program)
    build_id = re.search(r"Build ID: (\w+)", notes)
    start = int(re.search(r"LOAD\s+\S+\s+(0x\w+)", notes)[1], 16)
    lines = [line.split() for line in output("nm", program).splitlines()]
    return build_id and build_id[1], start, {line[2]: int(line[0], 16) for line in lines if line[1:2] == ["T"] and len(line) == 3}


def profile(library, addresses, **thread):
    """One stack, outermost first, of a library's functions that have no names."""
    n = len(addresses)
    table = {
        "stackTable": {"frame": list(range(n)), "prefixOffset": [min(i, 1) for i in range(n)]},
        "frameTable": {"address": addresses, "inlineDepth": [0] * n, "func": list(range(n)), "category": [i % 2 for i in range(n)]},
        "funcTable": {"name": list(range(n)), "resource": [0] * n},
        "resourceTable": {"lib": [0], "name": [n], "type": [1]},
        "stringArray": ["0x%x" % address for address in addresses] + [library["name"], "Paint", "Load"]}
    return {
        "meta": {"preprocessedProfileVersion": 66, "interval": 1, "startTime": 0, "product": "shop", "symbolicated": False,
                 "categories": [{"name": "User"}, {"name": "Kernel"}], "sampleUnits": {"time": "ms", "threadCPUDelta": "µs"}},
        "libs": [library], "shared": table,
        "threads": [{"name": "worker %d" % i, "tid": str(10 + i), "pid": "7", "processName": "shop",
                     "samples": {"stack": [n - 1, 0, n - 1], "timeDeltas": [1, 1, 1], "weight": None,
                                 "threadCPUDelta": [0, 500, 250]}, **thread} for i in range(2)]}


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="pv-firefox.")
        self.addCleanup(self.folder.cleanup)

    def write(self, content, name="profile.json.gz"):
        path = os.path.join(self.folder.name, name)
        with (gzip.open if name.endswith(".gz") else open)(path, "wt", encoding="utf-8") as file:
            json.dump(content, file)
        return path


class Firefox(Folder):
    def test_names(self):
        for program in PROGRAMS:
            build_id, start, functions = describe(program)
            names = sorted(name for name in functions if name in ("main", "_start"))
            library = {"name": os.path.basename(program), "path": program, "codeId": build_id}
            path = self.write(profile(library, [functions[name] - start + 2 for name in names]))
            header, found = rows("--print=top", "--symbol-path=" + os.path.dirname(program), path)
            with self.subTest(program=program):
                self.assertEqual(sorted(row[header.index("function")] for row in found), names)

    def test_samples(self):
        path = self.write(profile({"name": "libx.so", "path": "/usr/lib/libx.so"}, [16, 32]))
        top = {row[2]: row[:2] for row in rows("--print=top", path)[1]}
        self.assertEqual(top, {"libx.so+0x10": ["2", "6"], "libx.so+0x20": ["4", "4"]})
        cpu = {row[2]: row[:2] for row in rows("--print=top", "--measure=cpu-time", path)[1]}
        self.assertEqual(cpu, {"libx.so+0x10": ["1000000", "1500000"], "libx.so+0x20": ["500000", "500000"]})
        one = {row[2]: row[:2] for row in rows("--print=top", "--thread=11", path)[1]}
        self.assertEqual(one["libx.so+0x20"], ["2", "2"])
        kernel = {row[2]: row[:2] for row in rows("--print=top", "--label=category=Kernel", path)[1]}
        self.assertEqual(kernel, {"libx.so+0x10": ["0", "4"], "libx.so+0x20": ["4", "4"]})
        summary = json.loads(good("--print=summary", "--format=json", path))
        self.assertEqual(summary["format"], "Firefox Profiler")
        self.assertEqual(summary["threads"], 2)
        self.assertEqual(summary["duration_ns"], 2000000)

    def test_marks(self):
        markers = {"name": [3, 4], "startTime": [1.5, 2], "endTime": [1.77, None], "phase": [1, 0], "category": [0, 1],
                   "data": [{"type": "x", "url": "https://example.org"}, None]}
        path = self.write(profile({"name": "libx.so", "path": "/x"}, [16, 32], markers=markers), "profile.json")
        marks = good("--print=marks", "--measure=markers", path)
        self.assertEqual(marks.count("Paint"), 2)
        self.assertEqual(marks.count("Load"), 2)
        self.assertEqual(marks.count("270000"), 2)
        self.assertEqual(marks.count("example.org") + marks.count("<URL>"), 2)


def counter(name, category, counts, **others):
    return {"name": name, "category": category, "description": "", "pid": "7", "mainThreadIndex": 0,
            "samples": {"time": [i + 0.5 for i in range(len(counts))], "count": counts, "length": len(counts)}, **others}


class Counters(Folder):
    """What --print=counters prints of them, and what an export keeps."""
    HEADER = ["process", "pid", "category", "name", "unit", "kind", "samples", "min", "max", "last", "total"]
    ROWS = [["shop", "7", "Memory", "malloc", "bytes", "level", "4", "-50", "4096", "1000", ""],
            ["shop", "7", "Bandwidth", "sent", "bytes", "amount", "3", "0", "600", "", "1000"],
            ["", "", "power", "CPU", "", "amount", "2", "0.25", "1.5", "", "1.75"],
            ["shop", "7", "Memory", "unused", "bytes", "level", "0", "", "", "", ""]]

    def setUp(self):
        super().setUp()
        self.content = profile({"name": "libx.so", "path": "/x"}, [16, 32])
        self.content["counters"] = [counter("malloc", "Memory", [4096, -4146, 2050, -1000]),
                                    counter("sent", "Bandwidth", [600, 0, 400]),
                                    counter("CPU", "power", [0.25, 1.5], pid="8"), counter("unused", "Memory", [])]

    def test_rows(self):
        path = self.write(self.content)
        self.assertEqual(rows("--print=counters", path), (self.HEADER, self.ROWS))
        self.assertEqual(len(rows("--print=counters", "--limit=2", path)[1]), 2)

    def test_json(self):
        table = json.loads(good("--print=counters", "--format=json", self.write(self.content)))
        self.assertEqual(table[2], dict(zip(self.HEADER, [None, None, "power", "CPU", "", "amount", 2, 0.25, 1.5, None, 1.75])))

    def test_text(self):
        lines = [" ".join(line.split()) for line in good("--print=counters", self.write(self.content)).splitlines()]
        self.assertEqual(lines[0], "Samples Minimum Maximum Last Total Process Category Counter")
        self.assertEqual(lines[1], "4 −50 B +4.00 KiB +1000 B shop Memory malloc")
        self.assertEqual(lines[3], "2 0.25 1.5 1.75 power CPU")

    def test_none(self):
        del self.content["counters"]
        status, _, errors = run("--print=counters", self.write(self.content))
        self.assertNotEqual(status, 0)
        self.assertIn("the file has no counters", errors)

    def test_export(self):
        path, out = self.write(self.content), os.path.join(self.folder.name, "out.profile.json")
        good("--export=" + out, path)
        with open(out, encoding="utf-8") as file:
            written = json.load(file)["counters"]
        self.assertEqual([one["samples"]["count"] for one in written], [[4096, -4146, 2050, -1000], [600, 0, 400], [0.25, 1.5]])
        self.assertEqual(written[0]["samples"]["time"], [-0.5, 0.5, 1.5, 2.5])  # since the first sample
        self.assertEqual(rows("--print=counters", out)[1], self.ROWS[:3])

    def test_pack(self):
        path, out = self.write(self.content), os.path.join(self.folder.name, "out.profview")
        good("--export=" + out, path)
        self.assertEqual(rows("--print=counters", out)[1], self.ROWS)

    def test_pseudonyms(self):
        shown = rows("--print=counters", "--anonymize", self.write(self.content))[1]
        self.assertEqual([row[4:] for row in shown], [row[4:] for row in self.ROWS])
        for row in shown:
            self.assertNotIn(row[3], ("malloc", "sent", "CPU", "unused"))
            self.assertNotEqual(row[0], "shop")

    def test_picture(self):
        """Below the threads; those without samples have no row."""
        heights = []
        for counters in self.content["counters"], []:
            out = os.path.join(self.folder.name, "out.svg")
            good("--export=" + out, "--view=timeline", self.write({**self.content, "counters": counters}))
            with open(out, encoding="utf-8") as file:
                heights.append(int(re.search(r'height="(\d+)', file.read())[1]))
        self.assertEqual(heights[0] - heights[1], 20 + 3 * 42)

    def test_merged(self):
        """Each file's own counters, with the file's name after names that several have."""
        alone = {**self.content, "counters": [counter("only here", "Memory", [1, 2, -1])]}
        paths = [self.write(content, name + ".json") for name, content in (("a", self.content), ("b", self.content), ("c", alone))]
        numbers = collections.defaultdict(list)
        for row in rows("--print=counters", "--merge", *paths)[1]:
            numbers[row[3]].append(row[4:])
        wanted = {f"{row[3]} ({name}.json)": [row[4:]] for row in self.ROWS for name in "ab"}
        wanted["only here"] = [rows("--print=counters", paths[2])[1][0][4:]]
        self.assertEqual(numbers, wanted)
        self.assertNotIn("Counters such as memory", good("--print=notes", "--merge", *paths))

    def test_compared(self):
        paths = [self.write(self.content, name + ".json") for name in "ab"]
        self.assertEqual(good("--print=notes", "--diff", *paths).count("Counters such as memory"), 1)


if __name__ == "__main__":
    unittest.main(argv=["test-firefox.py"])
