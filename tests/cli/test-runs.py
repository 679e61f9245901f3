#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""--runs as scripts use it: runs of a benchmark of which every figure is known.

    test-runs.py PROFVIEW TESTS_DATA
"""

import csv
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ui"))
from pprof_maker import Profile  # noqa: E402
from program import good, rows, run  # noqa: E402

DATA = sys.argv[2]
FIXED = "function module first last change step step_run noise".split()
N_RUNS = 12


def recording(name):
    return os.path.join(DATA, "recordings", name)


def samples_of(number):
    """Sorting takes longer from the 8th run on, reading only in the 5th; all others differ by chance."""
    wave = [0, 9, -7, 4, -11, 6, 2, -5, 8, -3, 10, -8]
    return {"main;run;parse": 4000 + 5 * wave[number - 1],
            "main;run;sort": (3000 if number < 8 else 4200) + 4 * wave[(number + 4) % 12],
            "main;run;hash": 2500 - 3 * wave[(number + 7) % 12],
            "main;read": 2000 if number != 5 else 3600,
            "main;run;added": 0 if number < 10 else 900}


class Runs(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = os.path.join(scratch.name, "nightly")
        os.mkdir(self.folder)
        self.paths = [self.write("run-%d" % number, samples_of(number)) for number in range(1, N_RUNS + 1)]

    def write(self, name, stacks, *kinds):
        """A CPU profile, of which each sample is 10 ms; or amounts of these kinds."""
        path = os.path.join(self.folder, name)
        profile = Profile(*(kinds or (("samples", "count"), ("cpu", "nanoseconds"))))
        for stack, values in stacks.items():
            if values:
                profile.sample(stack, *([values, values * 10000000] if not kinds else values))
        with open(path, "wb") as file:
            file.write(profile.content())
        return path

    def table(self, *arguments):
        header, found = rows("--runs", "--print=runs", *arguments)
        return header, found

    def test_folder(self):
        """Numbers in names count by value; the largest movers come first; what is by chance is said to be noise."""
        names = ["run-%d" % number for number in range(1, N_RUNS + 1)]
        header, found = self.table("--measure=samples", self.folder)
        self.assertEqual(header, FIXED + ["self:" + name for name in names] + ["total:" + name for name in names])
        self.assertEqual([row[0] for row in found][:3], ["read", "sort", "added"])
        self.assertEqual({row[0]: row[7] for row in found},
                         {"read": "0", "sort": "0", "added": "0", "parse": "1", "hash": "1", "run": "1", "main": "1"})
        of = {row[0]: row for row in found}
        self.assertEqual(of["sort"][8:8 + N_RUNS],
                         [str(samples_of(number)["main;run;sort"]) for number in range(1, N_RUNS + 1)])
        self.assertEqual(of["added"][2:7], ["0", "900", "900", "900", "run-10"])
        self.assertEqual(of["read"][2:7], ["2000", "2000", "0", "1600", "run-5"])
        self.assertEqual([int(cell) for cell in of["main"][8 + N_RUNS:]],
                         [sum(samples_of(number).values()) for number in range(1, N_RUNS + 1)])

    def compare_with_top(self, paths, *options):
        """Each run's columns are its own --print=top."""
        header, found = self.table(*options, *paths)
        n_rows = 0
        for index, path in enumerate(paths):
            _, top = rows("--print=top", *options, path)
            expected = {(row[2], row[3]): (row[0], row[1]) for row in top}
            ours = {(row[0], row[1]): (row[8 + index], row[8 + len(paths) + index]) for row in found}
            self.assertEqual({key: sums for key, sums in ours.items() if sums != ("0", "0")}, expected, path)
            n_rows += len(expected)
        self.assertGreater(n_rows, 5)

    def test_sums(self):
        self.compare_with_top(self.paths, "--measure=samples")
        self.compare_with_top(self.paths, "--measure=cpu", "--focus=^run$", "--hide=^sort$")
        self.compare_with_top([self.paths[3], self.paths[8], self.paths[1]], "--ignore=hash")

    def test_recordings(self):
        symbols = ["--sysroot=" + os.path.join(DATA, "sysroot")]
        paths = [recording(name) for name in ("inlining-fp.data", "inlining-fp-z.data", "recursion-fp.data",
                                              "inlining-fp.data", "inlining-fp-z.data")]
        self.compare_with_top(paths[:1] + paths[3:4], *symbols)
        header, found = self.table(*symbols, *paths)
        self.assertEqual(len(header), len(FIXED) + 10)
        self.assertTrue(all(row[8] == row[11] and row[9] == row[12] for row in found))

    def test_order(self):
        """As a shell lists files, numbers count by value; any other order is the user's."""
        header, _ = self.table(*sorted(self.paths))
        self.assertEqual(header[8:20], ["self:run-%d" % number for number in range(1, N_RUNS + 1)])
        header, _ = self.table(self.paths[4], self.paths[1], self.paths[8])
        self.assertEqual(header[8:11], ["self:run-5", "self:run-2", "self:run-9"])

    def test_left_out(self):
        """What is no profile is only told of in a folder; what cannot be read changes the status."""
        with open(os.path.join(self.folder, "notes.txt"), "w", encoding="utf-8") as file:
            file.write("nothing\n")
        status, out, errors = run("--runs", "--print=runs", "--format=tsv", self.folder)
        self.assertEqual(status, 0)
        self.assertIn("1 file in", errors)
        self.assertIn("notes.txt", errors)
        self.assertEqual(out.splitlines()[0].count("self:"), N_RUNS)
        with open(self.paths[2], "rb+") as file:
            file.truncate(60)
        status, out, errors = run("--runs", "--print=runs", "--format=tsv", *self.paths)
        self.assertEqual(status, 1)
        self.assertIn("run-3 was left out: ", errors)
        self.assertEqual(out.splitlines()[0].count("self:"), N_RUNS - 1)
        os.mkdir(os.path.join(self.folder, "empty"))
        self.assertEqual(run("--runs", "--print=runs", os.path.join(self.folder, "empty"))[0], 1)

    def test_other_measure(self):
        other = self.write("zz", {"main": [3]}, ("objects", "count"))
        status, out, errors = run("--runs", "--print=runs", "--format=tsv", *self.paths[:4], other)
        self.assertEqual(status, 1)
        self.assertIn("zz was left out: it has no measure", errors)
        self.assertEqual(out.splitlines()[0].count("self:"), 4)

    def test_text_and_json(self):
        text = good("--runs", "--print=runs", "--measure=samples", self.folder)
        self.assertEqual(text.splitlines()[0],
                         "12 runs, samples: 11,500 → 13,531, +2,031 (+18 %), as recorded")
        line = next(line for line in text.splitlines() if " sort" in line)
        self.assertIn("run-8", line)
        self.assertNotIn("noise", line)
        self.assertRegex(line, "^[▁▂▃▄▅▆▇█]{12} ")
        found = json.loads(good("--runs", "--print=runs", "--format=json", "--measure=samples", self.folder))
        self.assertEqual((found["measure"], found["unit"], len(found["runs"])), ("samples", "count", N_RUNS))
        self.assertEqual(found["runs"][4]["total"], sum(samples_of(5).values()))
        first = found["functions"][0]
        self.assertEqual((first["function"], first["step"], first["step_run"], first["is_noise"]),
                         ("read", 1600, "run-5", False))
        self.assertEqual(len(first["self"]), N_RUNS)
        few = good("--runs", "--print=runs", "--limit=2", "--hide-noise", "--format=tsv", self.folder)
        self.assertEqual(len(few.splitlines()), 3)

    def test_scale(self):
        found = json.loads(good("--runs", "--print=runs", "--format=json", "--measure=samples", "--scale=total",
                                *self.paths[:3]))
        self.assertEqual({each["total"] for each in found["runs"]}, {sum(samples_of(3).values())})
        found = json.loads(good("--runs", "--print=runs", "--format=json", "--measure=samples",
                                "--scale=function:^parse$", *self.paths[:3]))
        parse = next(each for each in found["functions"] if each["function"] == "parse")
        self.assertEqual(parse["self"], [samples_of(3)["main;run;parse"]] * 3)
        status, _, errors = run("--runs", "--print=runs", "--scale=time", *self.paths[:3])
        self.assertNotEqual(status, 0)
        self.assertIn("how long", errors)

    def test_export(self):
        out = os.path.join(self.folder, "out.tsv")
        good("--runs", "--export=" + out, *self.paths)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(file.read(), good("--runs", "--print=runs", "--format=tsv", *self.paths))
        out = os.path.join(self.folder, "out.csv")
        good("--runs", "--header", "--export=" + out, *self.paths)
        with open(out, encoding="utf-8", newline="") as file:
            self.assertEqual(list(csv.reader(file)), [line.split("\t") for line in good(
                "--runs", "--header", "--print=runs", "--format=tsv", *self.paths).splitlines()])

    def test_usage(self):
        for arguments in (["--print=runs"], ["--runs", "--print=top"], ["--runs", "--diff", "--print=runs"],
                          ["--runs", "--export=x.svg"], ["--runs", "--print=runs", "--check=total < 5 %"],
                          ["--runs", "--print=runs", "--rename=a=b"], ["--runs", "--print=runs", "http://localhost/x"]):
            self.assertEqual(run(*arguments, *self.paths[:2])[0], 2, arguments)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
