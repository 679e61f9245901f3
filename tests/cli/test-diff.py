#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""--diff and --check as scripts use them: small profiles of which every figure is known.

    test-diff.py PROFVIEW TESTS_DATA
"""

import csv
import json
import lzma
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ui"))
from pprof_maker import Profile  # noqa: E402
from program import good, rows, run  # noqa: E402

DATA = sys.argv[2]
HEADER = "self_base self_new self_delta total_base total_new total_delta function module file line".split()


class Diff(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.base = self.write("base", {"main;run;sort": 4000, "main;run;sort;compare": 1000, "main;read": 2500,
                                        "main;gone(int)": 700})
        self.new = self.write("new", {"main;run;sort": 5200, "main;run;sort;compare": 1500, "main;read": 2500,
                                      "main;added": 300})

    def write_text(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def write(self, name, stacks, *kinds):
        """A CPU profile, of which each sample is 10 ms; or amounts of these kinds."""
        path = os.path.join(self.folder.name, name)
        profile = Profile(*(kinds or (("samples", "count"), ("cpu", "nanoseconds"))))
        for stack, values in stacks.items():
            profile.sample(stack, *([values, values * 10000000] if not kinds else values))
        with open(path, "wb") as file:
            file.write(profile.content())
        return path

    def top(self, *arguments):
        header, found = rows("--diff", "--print=top", *arguments)
        self.assertEqual(header, HEADER)
        return {row[6]: [int(cell) for cell in row[:6]] for row in found}

    def samples(self, *arguments):
        return self.top("--measure=samples", *arguments)

    def test_amounts(self):
        found = self.samples(self.base, self.new)
        self.assertEqual(found["sort"], [4000, 5200, 1200, 5000, 6700, 1700])
        self.assertEqual(found["main"], [0, 0, 0, 8200, 9500, 1300])
        self.assertEqual(found["gone(int)"], [700, 0, -700, 700, 0, -700])
        self.assertEqual(found["added"], [0, 300, 300, 0, 300, 300])
        self.assertEqual(list(found)[:4], ["sort", "gone(int)", "compare", "added"])
        header, _ = rows("--diff", "--print=tree", self.base, self.new)
        self.assertEqual(header, ["depth", *HEADER])

    def test_fractions(self):
        """Files count small fractions in units of their own: 1 → 0.75 is less."""
        tenths = self.write_text("tenths.folded", "main;a 0.5\nmain;b 0.5\n")
        hundredths = self.write_text("hundredths.folded", "main;a 0.25\nmain;b 0.5\n")
        whole = self.write_text("whole.folded", "main;a 500\nmain;b 7\n")
        self.assertEqual(self.top(tenths, hundredths),
                         {"a": [50, 25, -25, 50, 25, -25], "b": [50, 50, 0, 50, 50, 0], "main": [0, 0, 0, 100, 75, -25]})
        self.assertEqual(self.top(hundredths, whole)["b"], [50, 700, 650, 50, 700, 650])
        for how in ("--merge", "--series", "--diff"):
            self.assertIn("units of 0.01: 1 is shown as 100", good(how, "--print=notes", hundredths, tenths))
            self.assertNotIn("0.1:", good(how, "--print=notes", tenths, hundredths))
        for files in ((tenths, hundredths), (hundredths, tenths)):
            self.assertEqual({row[2]: row[0] for row in rows("--merge", "--print=top", *files)[1]},
                             {"a": "75", "b": "100", "main": "0"})
        runs = rows("--runs", "--print=runs", tenths, hundredths, tenths)[1]
        self.assertEqual({row[0]: row[8:11] for row in runs}["a"], ["50", "25", "50"])

    def test_summary_of_callers(self):
        """Its sentences and table are the same whichever way the tree is asked for."""
        counts = self.write_text("two.folded", "main;a 5 7\nmain;b 3 1\n")
        for files in (["--diff", self.base, self.new], [counts]):
            for form in ("text", "tsv", "json"):
                options = ["--print=summary", "--format=" + form, *files]
                self.assertEqual(good("--invert", *options), good(*options))

    def test_same_and_swapped(self):
        self.assertTrue(all(row[2] == row[5] == 0 for row in self.samples(self.base, self.base).values()))
        there, back = self.samples(self.base, self.new), self.samples(self.new, self.base)
        self.assertEqual({name: row[5] for name, row in there.items()}, {name: -row[5] for name, row in back.items()})

    def test_scale(self):
        text = json.loads(good("--diff", "--print=top", "--format=json", "--measure=samples", "--scale=total", self.base, self.new))
        for what, member in (("tree", "nodes"), ("callers", "callers"), ("callees", "callees"), ("peek", "peek")):
            found = json.loads(good("--diff", "--print=" + what, "--function=.", "--format=json", "--measure=samples",
                                    "--scale=total", self.base, self.new))
            self.assertIn("depth" if what == "tree" else "of_function", found.pop(member)[0])
            self.assertEqual(found, {key: value for key, value in text.items() if key != "functions"})
        header, table = (good("--diff", "--print=top", "--header", "--format=" + form, "--measure=samples", self.base,
                              self.new).splitlines()[:2] for form in ("tsv", "csv"))
        self.assertEqual([line.split("\t") for line in header], list(csv.reader(table)))
        self.assertRegex(header[0], "^# measure=samples\tunit=count\tbase=[0-9]+\tnew=[0-9]+\tdelta=-?[0-9]+\tscale=1$")
        self.assertEqual((text["total_base"], text["total_new"], text["total_delta"]), (9500, 9500, 0))
        self.assertEqual(text["scale"], "base × 1.159, for equal totals")
        self.assertEqual(self.samples("--scale=function:^read$", self.base, self.new), self.samples(self.base, self.new))
        status, _, errors = run("--diff", "--print=top", "--scale=time", self.base, self.new)
        self.assertNotEqual(status, 0)
        self.assertIn("how long", errors)

    def test_width(self):
        """Of pictures; tables have both sides."""
        self.assertEqual(self.samples("--width-by=new", self.base, self.new), self.samples(self.base, self.new))

    def test_rename(self):
        found = self.samples(r"--rename=^(gone\(int\)|added)$=moved", self.base, self.new)
        self.assertEqual(found["moved"], [700, 300, -400, 700, 300, -400])

    def test_callers(self):
        header, found = rows("--diff", "--print=callees", "--function=^main$", "--measure=samples", self.base, self.new)
        self.assertEqual(header, ["base", "new", "delta", "function", "module", "of_function", "of_module"])
        self.assertEqual([row[:4] for row in found], [["5000", "6700", "1700", "run"], ["700", "0", "-700", "gone(int)"],
                                                      ["0", "300", "300", "added"], ["2500", "2500", "0", "read"]])
        header, peek = rows("--diff", "--print=peek", "--function=^main$", "--measure=samples", self.base, self.new)
        self.assertEqual(header, ["relation", "base", "new", "delta", "self", "function", "module", "of_function", "of_module"])
        self.assertEqual([row[:6] for row in peek][:2], [["caller", "8200", "9500", "1300", "", ""], ["function", "8200", "9500", "1300", "0", "main"]])
        self.assertEqual([row[1:4] + row[5:] for row in peek[2:]], found)

    def test_intervals_of_calls(self):
        """A function's own are those of the table, also with a scale; those of its calls hold them."""
        for scale in [], ["--scale=total"]:
            words = ["--diff", "--format=json", "--measure=samples", *scale, self.base, self.new]
            limits = {row["function"]: (row["total_change_low"], row["total_change_high"])
                      for row in json.loads(good("--print=top", *words))["functions"]}
            calls = json.loads(good("--print=peek", "--function=.", *words))["peek"]
            own = {row["function"]: (row["change_low"], row["change_high"]) for row in calls if row["relation"] == "function"}
            self.assertEqual(own, limits)
            for row in calls:
                self.assertTrue(row["change_low"] < row["delta"] < row["change_high"], row)
            # main calls all of run, and nobody else does.
            self.assertEqual([(row["change_low"], row["change_high"]) for row in calls
                              if (row["relation"], row["of_function"], row["function"]) == ("callee", "main", "run")],
                             [limits["run"]])
        self.assertRegex(good("--print=callees", "--function=^main$", *words[:1], *words[2:]), r"(?m)^Change +% +Between +Base ")

    def test_runs(self):
        second = self.write("second", {"main;run;sort": 4400, "main;read": 2500})
        header, found = rows("--base=" + self.base, "--base=" + second, "--print=top", "--measure=samples", self.new)
        self.assertEqual(header, HEADER)
        self.assertEqual({row[6]: row[:2] for row in found}["sort"], ["4200", "5200"])

    def test_one_file(self):
        path = self.write("labels", {})
        profile = Profile(("samples", "count"))
        profile.sample("main;work", 5, tenant="red")
        profile.sample("main;work", 8, tenant="blue")
        with open(path, "wb") as file:
            file.write(profile.content())
        self.assertEqual(self.samples("--base-label=tenant=red", "--label=tenant=blue", path)["work"][:3], [5, 8, 3])

    def test_side_options(self):
        """What one side alone is asked is the same as if the other had been asked for everything."""
        paths = {}
        for name in ("base", "new"):
            paths[name] = self.write("labelled-" + name, {})
            profile = Profile(("samples", "count"))
            for tenant, value in (("red", 5), ("blue", 8), ("green", 16)):
                profile.sample("main;work", value + (name == "new"), tenant=tenant)
            with open(paths[name], "wb") as file:
                file.write(profile.content())

        def work(*words):
            return self.samples(*words, paths["base"], paths["new"])["work"][:2]

        self.assertEqual(work(), [29, 32])
        self.assertEqual(work("--new-label=tenant=red"), [29, 6])
        self.assertEqual(work("--base-label=tenant=red"), [5, 32])
        self.assertEqual(work("--label=tenant=blue", "--new-label=tenant=red"), [8, 6])
        self.assertEqual(work("--base-label=tenant=blue", "--new-label=tenant=red"), [8, 6])
        self.assertEqual(work("--label=tenant", "--new-exclude-label=tenant=red"), [29, 26])
        self.assertEqual(self.samples("--label=tenant=red", "--new-label=tenant=blue", paths["base"])["work"][:2], [5, 8])
        _, _, errors = run("--diff", "--print=top", "--new-label=", paths["base"], paths["new"])
        self.assertIn("--label: ", errors)

    def test_signed_exports(self):
        out = os.path.join(self.folder.name, "out.folded")
        good("--diff", "--measure=samples", "--export=" + out, self.base, self.new)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(sorted(file.read().splitlines()),
                             ["main;added 300", "main;gone(int) -700", "main;run;sort 1200", "main;run;sort;compare 500"])
        found = {row[2]: row[:2] for row in rows("--print=top", out)[1]}
        self.assertEqual(found["gone(int)"], ["-700", "-700"])
        self.assertEqual(found["main"], ["0", "1300"])
        out = os.path.join(self.folder.name, "out.pb.gz")
        good("--diff", "--measure=samples", "--export=" + out, self.base, self.new)
        _, found = rows("--print=top", "--measure=samples", out)
        self.assertEqual({row[2]: row[:2] for row in found}["gone(int)"], ["-700", "-700"])
        # A difference is not compared again, which is said.
        columns = self.write_text("columns.folded", "main;run 100 120\nmain;read 7 5\n")
        for pair, name in (((out, out), out), ((self.base, out), out), ((out, self.base), out), ((columns, columns), columns)):
            status, _, errors = run("--diff", "--print=top", *pair)
            self.assertEqual(status, 1)
            self.assertIn(os.path.basename(name) + " is itself the difference of two profiles", errors)

    def test_together(self):
        """--with subtracts nothing: what the other file has are columns, also of functions that only it has."""
        heap = self.write("heap", {"main;run;sort": [2, 64], "main;malloc": [3, 96], "main;only": [1, 32]},
                          ("alloc_objects", "count"), ("alloc_space", "bytes"))
        header, found = rows("--print=top", "--measure=cpu", "--with=" + heap, self.base)
        self.assertEqual(header, ["self", "total", "function", "module", "file", "line", "alloc_space_self", "alloc_space_total"])
        table = {row[2]: [int(cell) for cell in row[:2] + row[6:]] for row in found}
        second = 10000000
        self.assertEqual(table["sort"], [4000 * second, 5000 * second, 64, 64])
        self.assertEqual(table["main"], [0, 8200 * second, 0, 192])
        self.assertEqual(table["only"], [0, 0, 32, 32])
        self.assertEqual(table["compare"], [1000 * second, 1000 * second, 0, 0])
        header, found = rows("--print=top", "--measure=alloc_objects", "--with=" + heap, self.base)
        self.assertEqual({row[2]: row[:2] for row in found}["malloc"], ["3", "3"])
        self.assertEqual(header[6:], ["cpu_self", "cpu_total"])
        header, found = rows("--print=tree", "--measure=bytes-per-cpu-second", "--with=" + heap, self.base)
        self.assertEqual(header[-4:], ["alloc_space_self", "alloc_space_total", "bytes-per-cpu-second_self",
                                       "bytes-per-cpu-second_total"])
        self.assertEqual(float({row[3]: row for row in found}["sort"][-1]), 64 / 50)
        summary = json.loads(good("--print=summary", "--format=json", "--with=" + heap, self.base))
        self.assertEqual({m["name"]: m["file"].rsplit("/", 1)[-1] for m in summary["measures"]},
                         {"samples": "base", "cpu": "base", "alloc_objects": "heap", "alloc_space": "heap"})
        self.assertNotIn("samples", summary)
        self.assertIsNone(summary["stacks"])

    def test_together_callers(self):
        """Callers and callees have the same columns, also those that only the other file has."""
        heap = self.write("heap", {"main;run;sort": [2, 64], "main;read": [3, 96], "main;only;read": [1, 32]},
                          ("alloc_objects", "count"), ("alloc_space", "bytes"))
        words = ["--measure=samples", "--with=" + heap, self.base]
        header, found = rows("--print=callers", "--function=^(sort|read)$", *words)
        self.assertEqual(header, ["weight", "function", "module", "of_function", "of_module", "alloc_space_weight"])
        self.assertEqual([[row[3], row[1], row[0], row[5]] for row in found],
                         [["sort", "run", "5000", "64"], ["read", "main", "2500", "96"], ["read", "only", "0", "32"]])
        _, found = rows("--print=callees", "--function=^only$", *words)
        self.assertEqual([[row[1], row[0], row[5]] for row in found], [["read", "0", "32"]])
        text = good("--print=callees", "--function=^main$", *words)
        self.assertRegex(text, r"(?m)^ *Share +Weight +alloc_space +Function")
        self.assertRegex(text, r"(?m)^ *0\.0 % +0 +32 B +only")
        # Each file alone has the same.
        for measure, column, path in (("samples", 0, self.base), ("alloc_space", 5, heap)):
            _, together = rows("--print=callees", "--function=^main$", *words)
            _, alone = rows("--print=callees", "--function=^main$", "--measure=" + measure, path)
            self.assertEqual({row[1]: row[column] for row in together if row[column] != "0"},
                             {row[1]: row[0] for row in alone})

    def test_together_hides(self):
        """Functions that only allocate are hidden in the heap, as they are in it alone, not in the other file."""
        heap, cpu = (os.path.join(DATA, name) for name in ("heaptrack/mill.zst", "recordings/mill-fp.data"))
        for words, wanted in (([], False), (["--show-allocators"], True)):
            _, found = rows("--print=top", "--measure=allocated", "--with=" + heap, *words, cpu)
            self.assertEqual(any(row[2] == "xmalloc" and row[1] != "0" for row in found), wanted)
            _, found = rows("--print=top", "--sysroot=" + os.path.join(DATA, "sysroot"), "--with=" + heap, *words, cpu)
            self.assertTrue(any(row[2] == "_int_malloc" and row[0] != "0" for row in found))

    def test_together_twice(self):
        """The same names in both files."""
        header, found = rows("--print=top", "--measure=samples", "--with=" + self.new, self.base)
        self.assertEqual(header[-2:], ["cpu-2_self", "cpu-2_total"])
        found = {row[2]: row[:2] for row in rows("--print=top", "--measure=samples-2", "--with=" + self.new, self.base)[1]}
        self.assertEqual(found["sort"], ["5200", "6700"])
        out = os.path.join(self.folder.name, "out.pb.gz")
        good("--export=" + out, "--with=" + self.new, self.base)
        found = {row[2]: row[:2] for row in rows("--print=top", "--measure=samples-2", out)[1]}
        self.assertEqual(found["sort"], ["5200", "6700"])

    def test_together_refused(self):
        for words, message in ((["--with=" + self.new], "--with needs one other file"),
                               (["--with=" + self.new, self.base, self.base], "--with needs one other file"),
                               (["--merge", "--with=" + self.new, self.base], "--with cannot be used"),
                               (["--with=" + self.new, "--measure=none", self.base], "there is no measure")):
            status, _, errors = run("--print=top", *words)
            self.assertEqual(status, 2, words)
            self.assertIn(message, errors)
        status, _, errors = run("--print=top", "--with=" + self.new + "-missing", self.base)
        self.assertEqual(status, 1)
        self.assertIn("new-missing: ", errors)

    def test_nothing_in_common(self):
        heap = self.write("heap", {"main": [3]}, ("objects", "count"))
        status, _, errors = run("--diff", "--print=top", "--measure=cpu", "--base-measure=objects", heap, self.base)
        self.assertEqual(status, 1)
        self.assertIn("no measure in common", errors)

    def test_measure_of_the_base(self):
        """The base's own measure counts where it is named, even if it has the other side's as well."""
        kinds = (("hits", "count"), ("misses", "count"))
        base = self.write("b", {"main": [100, 7]}, *kinds)
        new = self.write("n", {"main": [250, 30]}, *kinds)

        def totals(*options):
            return [row["total_base"] for row in
                    json.loads(good("--diff", "--print=top", "--format=json", *options, base, new))["functions"]]

        self.assertEqual(totals("--measure=hits"), [100])
        self.assertEqual(totals("--measure=hits", "--base-measure=misses"), [7])
        self.assertEqual(totals("--measure=misses", "--base-measure=hits"), [100])

    def test_measures_that_differ(self):
        """What has the same unit may be something else, which is said: more softly where it was asked for."""
        base = self.write("b", {"main": [100]}, ("apples", "count"))
        new = self.write("n", {"main": [250]}, ("pears", "count"))

        def severities(*options):
            notes = json.loads(good("--diff", "--print=notes", "--format=json", *options))
            return [note["severity"] for note in notes if "apples" in note["text"] and "pears" in note["text"]]

        self.assertEqual(severities(base, new), ["warning"])
        self.assertEqual(severities("--base-measure=apples", base, new), ["info"])
        self.assertEqual(severities(base, base), [])

    def test_noise_of_allocations(self):
        """How certain bytes are is said by themselves: not by others, of which there may be none left."""
        kinds = (("inuse_space", "bytes"), ("alloc_space", "bytes"))
        base = self.write("h1", {"main;%s" % name: [0, size << 20] for name, size in (("a", 4000), ("b", 3000))}, *kinds)
        new = self.write("h2", {"main;%s" % name: [0, size << 20] for name, size in (("a", 6000), ("b", 3001))}, *kinds)
        text = json.loads(good("--diff", "--print=top", "--format=json", "--measure=alloc_space", base, new))
        self.assertEqual({row["function"]: row["noise"] for row in text["functions"] if row["function"] in "ab"},
                         {"a": False, "b": True})

    def dump(self, name, n_bytes, start, library):
        """A dump of jemalloc: so much from one place in a library without names."""
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("heap_v2/1\n  t*: 1: %d [0: 0]\n@ 0x%x\n  t*: 1: %d [0: 0]\n\nMAPPED_LIBRARIES:\n"
                       "%x-%x r-xp 00000000 08:01 7 %s\n" % (n_bytes, start + 0x1235, n_bytes, start, start + 0x9000, library))
        return path

    def test_addresses(self):
        base = self.dump("base.heap", 1000, 0x7f0000000000, "/no/such/libone.so")
        moved = self.dump("moved.heap", 1600, 0x7f5550000000, "/no/such/libone.so")
        other = self.dump("other.heap", 1600, 0x7f5550000000, "/no/other/libone.so")
        self.assertEqual(list(self.top(base, moved).values()), [[1000, 1600, 600] * 2])
        self.assertEqual(list(self.top(base, other).values()), [[0, 1600, 1600] * 2, [1000, 0, -1000] * 2])

    def heap_trace(self, name, start, places, also=()):
        """A trace of heaptrack, whose addresses are those of the run: bytes by place in a library that was loaded there."""
        lines = ["v 10400 3", "X prog", "s c /opt/libx.so", "s 9 /opt/prog", "s 4 main", "i 401234 2 3", "t 1 0"]
        for i, (place, n_bytes) in enumerate(places.items()):
            lines += ["i %x %d" % (start + place, 1), "t %x 1" % (i + 2), "a %x %x" % (n_bytes, i + 2), "+ %x" % i, *also]
        return self.write_text(name, "\n".join(lines + ["c 10", ""]))

    def test_addresses_of_runs(self):
        """Where a run has a library is no difference, and neither is it between runs of a side."""
        places = {0x1235: 1000, 0x2417: 300, 0x99a1: 50}
        runs = [self.heap_trace("run%d" % i, 0x7f0000000000 + i * 0x3f1000, places) for i in range(4)]
        less = self.heap_trace("less", 0x7fee00000000, {0x1235: 1500, 0x2417: 300, 0x5000: 7})
        other = self.heap_trace("other", 0x7fee00000000, {0x1335: 1000, 0x2419: 300, 0x99b7: 50})
        expected = [[n, n, 0] * 2 for n in places.values()]
        folded = [os.path.join(self.folder.name, "run%d.folded" % i) for i in range(2)]
        for run, text in zip(runs, folded):
            good("--export=" + text, run)
        for pair in (runs[:2], runs[1::-1], ["--base=" + runs[0], "--base=" + runs[1], *runs[2:]], folded, [runs[0], folded[1]],
                     [folded[0], runs[1]]):
            found = {name: row for name, row in self.top(*pair).items() if name.startswith("libx")}
            self.assertEqual(sorted(found.values(), reverse=True), expected, pair)
        found = {name: row[:2] for name, row in self.top(runs[0], less).items() if name.startswith("libx")}
        self.assertEqual(sorted(found.values()), [[0, 7], [50, 0], [300, 300], [1000, 1500]])
        self.assertEqual(len([row for row in self.top(runs[0], other).values() if row[2] != 0]), 6)
        found = json.loads(good("--runs", "--print=runs", "--format=json", *runs))["functions"]
        self.assertEqual(sum(row["function"].startswith("libx") for row in found), 3, found)

    def check_fails(self, condition, text, *arguments):
        status, out, errors = run("--measure=samples", "--check=" + condition, *arguments)
        self.assertEqual((status, out), (3, ""), errors)
        self.assertIn("check failed: %s (it is %s)" % (condition, text), errors)

    def test_checks(self):
        pair = ("--diff", self.base, self.new)
        self.check_fails("total(^sort$) < 5 %", "70.53 %", *pair)
        self.check_fails("self(sort|read) <= 7000", "7,700", *pair)
        # Intervals by the formulas of the score and of Zou and Donner, computed apart.
        self.check_fails("delta(total(^sort$)) < 10 %", "+34.00 %, between +29.18 % and +39.00 %", *pair)
        self.check_fails("delta(self(^added$)) < 3 %", "new, between +7664.75 % and ∞", *pair)
        self.check_fails("total > 9500", "9,500", *pair)
        good("--measure=samples", "--check=delta(total(^sort$)) < 40 %", "--check=total(read) >= 2500", *pair)
        self.check_fails("total < 9500", "9,500", *pair)
        good("--measure=samples", "--check=total <= 9500", "--check=total >= 9500", "--check=self(sort|read) <= 7700", *pair)
        self.check_fails("total(^sort$) < 60 %", "60.98 %", self.base)

    def check_unknown(self, condition, text, need, *arguments):
        status, out, errors = run("--measure=samples", "--check=" + condition, *arguments)
        self.assertEqual((status, out), (4, ""), errors)
        self.assertIn("check cannot be told: %s (it is %s; %s)" % (condition, text, need), errors)
        self.assertEqual(run("--measure=samples", "--strict", "--check=" + condition, *arguments)[0], 3)

    def test_checks_that_nobody_can_tell(self):
        """A limit within the interval: of what the condition names, alone or summed up."""
        pair = ("--diff", self.base, self.new)
        self.check_unknown("delta(total(^sort$)) < 35 %", "+34.00 %, between +29.18 % and +39.00 %",
                           "about 25 times as many samples, or runs of each side, would tell", *pair)
        self.check_unknown("delta(total(^sort$)) > 1600", "+1,700, between +1,488 and +1,912",
                           "about 5 times as many samples, or runs of each side, would tell", *pair)
        noisy = self.write("noisy", {"main;run;sort": 4080, "main;run;sort;compare": 1000, "main;read": 2500, "main;gone(int)": 700})
        self.check_unknown("delta(self(.)) < 0.1 %", "+0.98 %, between −2.06 % and +4.11 %",
                           "about 13 times as many samples, or runs of each side, would tell", "--diff", self.base, noisy)
        good("--measure=samples", "--check=delta(self(.)) < 10 %", "--diff", self.base, noisy)
        self.check_unknown("delta(total) < 0 %", "+0.98 %, between −2.06 % and +4.11 %",
                           "about 10 times as many samples, or runs of each side, would tell", "--diff", self.base, noisy)
        # What is on neither side did not change.
        good("--measure=samples", "--check=delta(total(^nothing$)) < 3 %", *pair)
        # What is broken counts for more than what cannot be told.
        self.assertEqual(run("--measure=samples", "--check=delta(total(^sort$)) < 35 %", "--check=total < 9500", *pair)[0], 3)

    def test_checks_of_what_one_side_lacks(self):
        """One sample more than none is no change, as in tables; stacks in nanoseconds are not so many samples."""
        one = self.write_text("one.folded", "main;a 37\nmain;b 1500\n")
        other = self.write_text("other.folded", "main;a 37\nmain;b 1500\nmain;c 1\n")
        for amount in ("total(^c$)", "self(^c$)"):
            self.check_unknown("delta(%s) <= 0" % amount, "+1, between −3 and +6",
                               "about 16 times as many samples, or runs of each side, would tell", "--diff", one, other)
        periods = [self.write_text(name, "main;a %d000000\nmain;b %d000000\n" % amounts)
                   for name, amounts in (("few.folded", (37, 1501)), ("more.folded", (41, 1502)))]
        self.assertEqual(run("--check=delta(total(^a$)) < 3 %", "--diff", *periods)[0], 4)

    def test_checks_as_json(self):
        status, out, _ = run("--measure=samples", "--json", "--check=delta(total(^sort$)) < 35 %", "--check=total <= 9500",
                             "--check=delta(self(^added$)) < 3 %", "--diff", self.base, self.new)
        checks = json.loads(out)["checks"]
        self.assertEqual(status, 3)
        self.assertEqual([(check["result"], check["unit"], check["value"], check["limit"]) for check in checks],
                         [("unknown", "%", 34, 35), ("holds", "count", 9500, 9500), ("broken", "%", None, 3)])
        self.assertAlmostEqual(checks[0]["low"], 29.180, 3)
        self.assertAlmostEqual(checks[0]["high"], 38.998, 3)

    def test_check_of_signed_values(self):
        """Net, as tables have it."""
        path = self.write("net", {"main;grown": [700], "main;shrunk": [-650]}, ("inuse_space", "bytes"))
        good("--check=total < 100 B", path)
        status, _, errors = run("--check=total(shrunk) > 0 B", path)
        self.assertEqual(status, 3)
        self.assertIn("it is −650 B", errors)

    def script(self, name, *stacks):
        """Text of perf script, with samples of these frames, leaf first, in the program or another module."""
        text = ""
        for time, stack in enumerate(stacks):
            frames = "".join("\t%16x %s (%s)\n" % (0x1000 + i, *((frame, "/opt/prog") if isinstance(frame, str) else frame))
                             for i, frame in enumerate(stack.split(";") if isinstance(stack, str) else stack))
            text += "prog 7 %d.000000:     100 cycles: \n%s\n" % (time, frames)
        return self.write_text(name, text)

    def test_names_without_parameters(self):
        """Some tools write C++ names without parameters, with return types, hashes and versions; overloads are one there."""
        cases = [("f(int)", "f"), ("ns::g(std::vector<int, std::allocator<int> >) const", "ns::g"),
                 ("t<int>(int)", "t<int>"), ("t<A<B<int> > >(int)", "t<A<B<int>>>"), ("A::operator()(int) const", "A::operator()"),
                 ("A::operator bool() const", "A::operator bool"), ("operator< <int>(A<int> const&)", "operator< <int>"),
                 ("(anonymous namespace)::h(int)", "(anonymous namespace)::h"), ("c_function", "c_function"),
                 ("main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"),
                 ("A::f(int)::B::g()", "A::f(int)::B::g"), ("non-virtual thunk to B::f(int)", "non-virtual thunk to B::f(int)"),
                 ("std::function<void (int)>::~function()", "std::function<void (int)>::~function"),
                 ("operator new(unsigned long)@plt", "operator new@plt"), ("free", "free@GLIBC_2.2.5"),
                 ("part(int) [clone .cold]", "part"), ("core::f", "core::f::h0123456789abcdef")]
        full = self.script("full", *(case[0] for case in cases))
        bare = self.script("bare", *(case[1] for case in cases))
        for found in (self.top(full, bare), self.top(bare, full)):
            self.assertEqual({name: row for name, row in found.items() if row[:2] != [100, 100]}, {})
        expected = {re.sub(r" \[clone .*", "", case[0]) for case in cases}
        self.assertEqual({re.sub(r" \[clone .*", "", name) for name in found}, expected)
        # Overloads: the sum, and a note; other functions keep their own.
        overloads = self.script("overloads", "f(int)", "f(double)", "g(int)", "k(int)", "k(long)")
        plain = self.script("plain", "f", "f", "g")
        self.assertEqual(self.top(overloads, plain), {"f": [200, 200, 0] * 2, "g(int)": [100, 100, 0] * 2,
                                                      "k(int)": [100, 0, -100] * 2, "k(long)": [100, 0, -100] * 2})
        self.assertIn("1 function is there the sum", good("--diff", "--print=notes", overloads, plain))
        # Both have parameters: overloads are what they are, with any return type.
        other = self.script("other", "f(int)", "void t<int>(int)", "f(int) [clone .llvm.123]")
        again = self.script("again", "f(double)", "t<int>(int)", "f(int) [clone .llvm.456]")
        self.assertEqual(self.top(other, again), {"f(int)": [200, 100, -100] * 2, "f(double)": [0, 100, 100] * 2,
                                                  "t<int>(int)": [100, 100, 0] * 2})
        self.assertNotIn("sum", good("--diff", "--print=notes", other, again))
        # A function in another module is another one.
        one = self.script("one", [("f(int)", "/opt/prog")], [("f(int)", "/opt/libx.so")])
        two = self.script("two", [("f", "/opt/libx.so")], [("f", "/opt/prog")])
        self.assertEqual([row[:2] for row in self.top(one, two).values()], [[100, 100]])
        self.assertEqual(len(rows("--diff", "--print=top", one, two)[1]), 2)

    def test_stacks_of_scripts(self):
        """FlameGraph's scripts begin stacks with the process, and have all unnamed code of a module as one function."""
        text = self.script("text", [("[unknown]", "/opt/libx.so"), ("main", "/opt/prog")], [("[unknown]", "/opt/liby.so"), ("main", "/opt/prog")],
                           [("w", "/opt/prog"), ("[unknown]", "/opt/libx.so"), ("[unknown]", "/opt/libx.so"), ("main", "/opt/prog")])
        for process in ("prog", "prog-7", "prog-7/7"):
            folded = self.write_text("scripts.folded", "".join(process + ";main;" + line + " 100\n" for line in
                                                               ("[libx.so]", "[liby.so]", "[libx.so];[libx.so];w")))
            for pair in ((text, folded), (folded, text)):
                found = self.top(*pair)
                self.assertEqual([row for row in found.values() if row[2] != 0 or row[5] != 0], [], found)
                self.assertEqual(set(found), {"main", "[libx.so]", "[liby.so]", "w"})
                self.assertIn("names of processes", good("--diff", "--print=notes", *pair))
        both = self.write_text("both.folded", "main;[libx.so] 100\nmain;[libx.so];0x7f0012345678 100\nmain;[liby.so] 7\n")
        with open(both, encoding="utf-8") as file:
            copy = self.write_text("copy.folded", file.read())
        self.assertEqual(set(self.top(both, copy)), {"main", "[libx.so]", "[liby.so]", "0x7f0012345678"})

    def test_inlined_functions_of_one_side(self):
        """Tools that do not tell inlined functions have none of their names."""
        files = "--sysroot=" + os.path.join(DATA, "sysroot"), os.path.join(DATA, "recordings", "inlining-fp.data")
        out = os.path.join(self.folder.name, "plain.folded")
        good("--no-inline", "--export=" + out, *files)
        found = self.top("--limit=0", *files, out)
        self.assertEqual([row for row in found.values() if row[2] != 0 or row[5] != 0], [], found)
        self.assertIn("does not tell inlined", good("--diff", "--print=notes", *files, out))
        # Names of another measure do not count.
        heap = os.path.join(DATA, "pprof", "go-heap.pb.gz")
        for measure in ("inuse_space", "alloc_objects"):
            good("--measure=" + measure, "--export=" + out, heap)
            found = self.top("--limit=0", "--base-measure=" + measure, heap, out)
            self.assertEqual([row for row in found.values() if row[2] != 0 or row[5] != 0], [], measure)

    def test_what_cannot_be_compared(self):
        """Numbers that may count anything, and samples that are in no function."""
        text = self.script("text", "f;main", "g;main", "f;main", "g;main")
        folded = self.write_text("counts.folded", "main;f 2\nmain;g 3\n")
        for pair, row in ((text, folded), [2, 3, 1]), ((folded, text), [3, 2, -1]):
            notes = good("--diff", "--print=notes", *pair)
            self.assertIn("numbers of samples", notes)
            self.assertEqual(self.top(*pair)["g"], row * 2)
            self.assertIn("samples", good("--diff", "--print=top", "--format=json", *pair).splitlines()[0])
        self.assertEqual(self.top("--measure=cycles", "--base-measure=cycles", text, text)["g"], [200, 200, 0] * 2)
        notes = good("--diff", "--print=notes", text, self.write_text("others.folded", "main;f 90\nmain;g 190\n"))
        self.assertIn("--scale=total", notes)
        self.assertNotIn("without any function", notes)
        with open(text, encoding="utf-8") as file:
            bare = self.write_text("bare", "prog 7 1.000000:     100 cycles: \n\n" + file.read())
        self.assertIn("0.0 % of the base and 20.0 % of the new", good("--diff", "--print=notes", text, bare))
        # The same numbers, of whatever they are.
        self.assertNotIn("--scale", good("--diff", "--print=notes", text, self.write_text("same.folded", "main;f 200\nmain;g 200\n")))

    def test_programs(self):
        """The program of each side is one, but not where a side has both: these are two."""
        one = self.script("one", [("main", "/opt/prog-old")], [("f", "/opt/prog-old")])
        other = self.script("other", [("main", "/opt/server")], [("f", "/opt/server")])
        both = self.script("both", [("main", "/opt/server")], [("f", "/opt/prog-old")], [("f", "/opt/server")])
        self.assertEqual(self.top(one, other), {"main": [100, 100, 0] * 2, "f": [100, 100, 0] * 2})
        found = sorted(row[:2] + row[6:8] for row in rows("--diff", "--print=top", one, both)[1])
        self.assertEqual(found, [["0", "100", "f", "server"], ["0", "100", "main", "server"], ["100", "0", "main", "prog-old"],
                                 ["100", "100", "f", "prog-old"]])

    def test_variants(self):
        """Symbols of variants and parts are functions that debug information has without these."""
        symbols = self.script("symbols", "f;main", "f.constprop.0;main", "f.cold;main", "g(int) [clone .isra.0];main", "h.part.3;main")
        named = self.script("named", "f;main", "f;main", "f;main", "g(int);main", "k;main")
        for pair, sign in (([symbols, named], 1), ([named, symbols], -1)):
            found = {name: row[:3] for name, row in self.top(*pair).items()}
            self.assertEqual(found, {"f": [300, 300, 0], "g(int)": [100, 100, 0], "main": [0, 0, 0],
                                     "h.part.3": [100, 0, -100] if sign > 0 else [0, 100, 100],
                                     "k": [0, 100, 100] if sign > 0 else [100, 0, -100]})
        # Where both have them, they are what they are.
        other = self.script("other", "f;main", "f.cold;main")
        self.assertEqual(self.top(symbols, other)["f.cold"][:2], [100, 100])

    def test_names_of_tools(self):
        """Offsets, symbols of Go, and its generic functions, which it writes without their types."""
        symbols = self.script("symbols", "gopkg.in/yaml%2ev3.(*T).Decode;main.main", "main.(*S[go.shape.int_0]).Pop;main.main",
                              "example.com/a/b.Sum[go.shape.int_0];main.main", "example.com/a/b.Sum[go.shape.string_0];main.main",
                              "example.com/c/b.Sum[go.shape.map[int]string_1];main.main")
        names = self.script("names", "gopkg.in/yaml.v3.(*T).Decode;main.main", "main.(*S[...]).Pop;main.main",
                            "example.com/a/b.Sum[...];main.main", "example.com/a/b.Sum[...];main.main", "example.com/c/b.Sum[...];main.main")
        offsets = self.write_text("offsets.folded", "main;f+0x1a 100\nmain+0x2f;f+0x3b 100\nmain+12;g+26 100\nmain+12;operator+ 100\n")
        plain = self.write_text("plain.folded", "main;f 200\nmain;g 100\nmain;operator+ 100\n")
        for pair in ((symbols, names), (names, symbols), (offsets, plain), (plain, offsets)):
            found = self.top(*pair)
            self.assertEqual([row for row in found.values() if row[2] != 0 or row[5] != 0], [], found)
            self.assertGreaterEqual(len(found), 4)
        self.assertIn("1 function is there the sum", good("--diff", "--print=notes", symbols, names))
        # FlameGraph's scripts cut names at the first bracket.
        whole = self.script("whole", "void sort<int*, bool (*)(int, int)>(int*, int*);main()", "map<char, X<bool (*)(char)> >::find(char);main()",
                            "(anonymous namespace)::f<void ()>(int);main()")
        cut = self.write_text("cut.folded", "main;sort<int*, bool  100\nmain;map<char, X<bool  100\nmain;(anonymous namespace)::f<void  100\n")
        for pair in ((whole, cut), (cut, whole)):
            found = self.top(*pair)
            self.assertEqual([row for row in found.values() if row[2] != 0 or row[5] != 0], [], found)
            self.assertEqual(len(found), 4)

    def assert_same_as_exports(self, *files, has_frames=True):
        for ending in ("folded", "pb.gz", "speedscope.json", "profile.json.gz", "callgrind", "profview"):
            out = os.path.join(self.folder.name, "out." + ending)
            good("--export=" + out, *files)
            for pair in ([*files, out], [*files[:-1], out, files[-1]]):
                found = json.loads(good("--diff", "--print=top", "--format=json", "--limit=0", *pair))
                self.assertEqual([row for row in found["functions"] if row["self_delta"] != 0 or row["total_delta"] != 0], [], pair)
                self.assertGreater(found["total_base"], 0, pair)
                self.assertEqual(found["total_base"], found["total_new"], pair)
                self.assertEqual(sum(row["self_base"] for row in found["functions"]) > 0, has_frames, pair)

    def test_own_exports(self):
        """A file against what was written of it: inlined and unnamed functions, heaps without their allocators, waits."""
        sysroot = "--sysroot=" + os.path.join(DATA, "sysroot")
        for name in ("recordings/inlining-fp.data", "recordings/calls-stripped-fp.data", "recordings/kernel-fp.data", "heaptrack/rust.zst",
                     "recordings/jit-flat.data", "heaptrack/mill.raw.zst", "pprof/go-cpu.pb.gz", "pprof/go-block.pb.gz", "pprof/pantry-2.heap"):
            self.assert_same_as_exports(sysroot, os.path.join(DATA, name))

    def test_own_exports_of_little(self):
        """One frame, or none, is text that could be anything but for its name."""
        self.assert_same_as_exports(self.script("lone", "main"))
        self.assert_same_as_exports(self.script("blanks", "operator new(unsigned long)", "f(int, int)"))
        stack = "  t*: 30: 79763360 [0: 0]\n"
        heap = "heap_v2/524288\n%s@%s\n%s\nMAPPED_LIBRARIES:\n8000-9000 r-xp 00000000 b3:02 17093 /opt/prog\n"
        self.assert_same_as_exports(self.write_text("none.heap", heap % (stack, "", stack)), has_frames=False)
        two = stack + "@ 0x8123\n" + stack
        self.assert_same_as_exports(self.write_text("some.heap", heap % (stack.replace("30: 79763360", "60: 159526720"), "", two)))

    def test_own_exports_without_names(self):
        """Addresses without names: of code made at run time, and of callgrind; functions of V8 without a file."""
        self.assert_same_as_exports(self.script("jit", [("[unknown]", "/tmp/perf-7.map"), ("main", "/opt/prog")],
                                                [("a", "/tmp/perf-7.map"), ("[unknown]", "/tmp/perf-7.map"), ("main", "/opt/prog")]))
        # Numbers of a broken stack are outside of everything, the kernel too.
        broken = self.write_text("broken", "prog 7 1.000000:     100 cycles: \n\t            1000 main (/opt/prog)\n"
                                           "\te808ec83485441e4 [unknown] ([unknown])\n\n")
        self.assert_same_as_exports(broken)
        self.assertEqual({row[3] for row in rows("--print=top", "--limit=0", broken)[1]}, {"prog", "[unknown]"})
        # The kernel, its modules, and its addresses of which nothing is known.
        kernel = ((0xffffffff88c01247, "[unknown]"), (0xffffffff81001234, "/usr/lib/debug/boot/vmlinux-6.1"), (0xffffffffc0a01234, "[nf_tables]"),
                  (0xffffffffc0b01234, "/lib/modules/6.1/nf_nat.ko"))
        self.assert_same_as_exports(self.write_text("kernel", "".join(
            "prog 7 1.000000:     100 cycles: \n\t%16x [unknown] (%s)\n\t%16x %s (%s)\n\t            1000 main (/opt/prog)\n\n" %
            (address, module, address + 0x300, "[unknown]" if module == "[unknown]" else "work", module) for address, module in kernel)))
        self.assert_same_as_exports(self.write_text("numbers.folded", "main;0x18d3df0f1 100\nmain;[unknown];f 200\n"))
        # Massif has the addresses that calls return to, others those of the calls.
        self.assert_same_as_exports(self.write_text("massif", "desc: (none)\ncmd: ./prog\ntime_unit: B\n" + "".join(
            "#-----------\nsnapshot=%d\n#-----------\ntime=%d\nmem_heap_B=%d\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=%s\n" %
            (i, i, i * 1000, tree) for i, tree in enumerate(("empty", "peak"))) +
            "n1: 1000 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n n1: 1000 0x401234: work (a.c:3)\n"
            "  n1: 1000 0x5001235: ??? (in /opt/libx.so)\n   n1: 1000 0x5001977: ??? (in /opt/libx.so)\n    n0: 1000 0x401300: main (a.c:9)\n"))
        # A vdso of which nothing says that it is that of the kernel that runs here.
        vdso = self.write_text("vdso", "".join("prog 7 1.000000:     100 cycles: \n\t%16x [unknown] ([vdso])\n\n" % address
                                               for address in range(0x500, 0x1000, 0x10)))
        self.assert_same_as_exports(vdso)
        self.assertEqual({row[2][:9] for row in rows("--print=top", "--limit=0", vdso)[1]}, {"[vdso]+0x"})
        head = "# callgrind format\ncmd: /opt/prog\nevents: Ir\n\n"
        self.assert_same_as_exports(self.write_text("unnamed", head + "ob=(1) /opt/prog\nfl=(1) a.c\nfn=(1) main\n3 100\ncob=(2) /opt/libx.so\n"
                                                    "cfi=(2) ???\ncfn=(2) 0x0000000000004010\ncalls=1 0\n4 50\ncob=(3) ???\ncfi=(2)\ncfn=(3) ???\n"
                                                    "calls=1 0\n5 30\n\nob=(2)\nfl=(2)\nfn=(2)\n0 50\n\nob=(3)\nfn=(3)\n0 30\n"))
        self.assert_same_as_exports(self.write_text("nowhere", head + "fl=(1) a.c\nfn=(1) main\n3 100\ncfi=(2) ???\ncfn=(2) 0x0000000000004010\n"
                                                    "calls=1 0\n4 50\ncfn=(3) ???\ncalls=1 0\n5 30\n\nfl=(2)\nfn=(2)\n0 50\n\nfn=(3)\n0 30\n"))
        def node(number, name, url, *children):
            return {"id": number, "callFrame": {"functionName": name, "scriptId": "1", "url": url, "lineNumber": 1, "columnNumber": 1},
                    "hitCount": 1, "children": list(children)}
        nodes = [node(1, "(root)", "", 2, 3), node(2, "work", "file:///srv/app.js", 4), node(3, "(garbage collector)", ""),
                 node(4, "stringify", "")]
        # Scripts of a browser are files in speedscope's format.
        names = ["(root)", "work", "stringify", "https://example.org", "JavaScript"]
        self.assert_same_as_exports(self.write_text("browser.json", json.dumps({
            "meta": {"preprocessedProfileVersion": 50, "interval": 1, "startTime": 0, "product": "Firefox", "categories": [{"name": "Other"}]},
            "libs": [], "threads": [{
                "name": "main", "tid": 1, "pid": 1, "processName": "web", "stringArray": names,
                "stackTable": {"length": 3, "frame": [0, 1, 2], "prefix": [None, 0, 1], "category": [0, 0, 0]},
                "frameTable": {"length": 3, "address": [-1] * 3, "func": [0, 1, 2], "category": [0] * 3, "line": [None] * 3},
                "funcTable": {"length": 3, "name": [0, 1, 2], "isJS": [False, True, True], "resource": [-1, 0, -1], "fileName": [None, 3, None],
                              "lineNumber": [None, 3, None]},
                "resourceTable": {"length": 1, "lib": [None], "name": [3], "host": [3], "type": [3]},
                "samples": {"length": 3, "stack": [2, 1, 2], "time": [1, 2, 3], "weight": None, "weightType": "samples"}}]})))
        self.assert_same_as_exports(self.write_text("a.cpuprofile", json.dumps(
            {"nodes": nodes, "startTime": 0, "endTime": 600, "samples": [2, 4, 3, 4, 2], "timeDeltas": [100] * 5})))

    def test_own_exports_of_names_in_several_modules(self):
        kernel = ("do_it", "[kernel.kallsyms]")
        several = self.script("several", [("f", "/opt/prog"), ("main", "/opt/prog")], [("f", "/opt/libx.so"), ("main", "/opt/prog")],
                              [("g;h(int)", "/opt/libx.so")], [kernel, ("main", "/opt/prog")], [("f(int)", "/opt/liby.so")])
        self.assert_same_as_exports(several)
        # Some code of no file, in a file that tells those of others; marks that another file does not have.
        mixed = self.script("mixed", [("f", "[unknown]"), ("main", "/opt/prog")], [("g", "/opt/libx.so"), ("f", "[unknown]"), ("main", "/opt/prog")],
                            [("g", "[unknown]"), ("main", "/opt/prog")])
        self.assert_same_as_exports(mixed)
        with open(mixed, encoding="utf-8") as file:
            copy = self.write_text("copy", file.read())
        self.assertEqual(len(rows("--diff", "--print=top", mixed, copy)[1]), len(rows("--print=top", mixed)[1]))
        self.assert_same_as_exports(self.write_text("threads.folded", "prog-7/8;main;f 200\nprog-7/9;main;g 100\n"))
        marks = self.write_text("marks.folded", "prog;main;read;vfs_read_[k] 300\nprog;main;Lx:.run_[j] 200\nprog;main;read;f 100\n")
        self.assert_same_as_exports(marks)
        # Files without modules: the sum of what has the name, and the module of what has it alone.
        folded = self.write_text("counts.folded", "main;f 200\nmain;do_it 100\ng:h(int) 100\nf(int) 100\n")
        found = {tuple(row[6:8]): row[:2] for row in rows("--diff", "--print=top", several, folded)[1]}
        self.assertEqual(found[("f", "[unknown]")], ["200", "200"])
        self.assertEqual(found[("do_it", "[kernel.kallsyms]")], ["100", "100"])

    def test_sizes_beside_a_run(self):
        """The bytes of each function of a program, beside what it costs: in tables, trees and formulas."""
        folder = os.path.join(DATA, "sysroot")
        program = os.path.join(folder, "opt", "samples", "bin", "calls")
        files = "--sysroot=" + folder, "--with=" + program, os.path.join(DATA, "recordings", "calls-fp.data")
        alone = rows("--print=top", "--limit=0", program)[1]
        sizes = {re.sub(r"\.constprop\.0$", "", row[2]): row[0] for row in alone if row[3] == "[code]"}
        header, found = rows("--print=top", "--limit=0", *files)
        self.assertEqual(header[-2:], ["file-size_self", "file-size_total"])
        found = {(row[2], row[3]): row for row in found if row[0] != "0"}
        for name in ("checksum", "integrate", "compare_values"):
            self.assertEqual(found[(name, "calls")][6], sizes[name])
        self.assertEqual({row[6] for key, row in found.items() if key[1] != "calls"}, {"0"})
        header, nodes = rows("--print=tree", *files)
        self.assertEqual({node[7] for node in nodes if node[3] == "integrate"}, {sizes["integrate"]})
        header, found = rows("--print=top", "--measure=bytes=file-size", *files)
        self.assertIn("bytes", " ".join(header))

    def test_inlined_functions_that_one_side_does_not_tell(self):
        files = "--sysroot=" + os.path.join(DATA, "sysroot"), os.path.join(DATA, "recordings", "inlining-fp.data")
        plain = rows("--no-inline", "--print=top", *files)[1]
        text = self.write_text("text", "".join("prog 7 1.000000:     100 cpu-clock: \n\t%16x %s (%s)\n\n" % (0x1000, row[2], row[3])
                                               for row in plain))
        found = self.top(*files, text)
        self.assertEqual({name: row[0] for name, row in found.items() if row[0]}, {row[2]: int(row[0]) for row in plain if row[0] != "0"})
        self.assertIn("does not tell inlined", good("--diff", "--print=notes", *files, text))

    def test_names_of_one_side(self):
        """What has no names on the other side is not new or gone, and only that is told."""
        data = os.path.join(os.environ["PV_TEST_DATA"], "recordings")
        programs = os.path.join(os.environ["PV_TEST_DATA"], "sysroot", "opt", "samples", "bin")
        named = os.path.join(self.folder.name, "named.profview")
        good("--export=" + named, "--symbol-path=" + programs, os.path.join(data, "inlining-fp.data"))
        nameless = os.path.join(data, "inlining-fp.data")
        for sides, sentence in (((named, nameless), "The new side has no names of functions in inlining, so they seem gone there"),
                                ((nameless, named), "The base has no names of functions in inlining, so they seem new on the other side")):
            (change,) = json.loads(good("--diff", "--print=summary", "--format=json", *sides))["changes"]
            self.assertTrue(change.startswith(sentence), change)
            for report in "top", "summary", "notes":
                text = good("--diff", "--print=" + report, *sides)
                self.assertIn(sentence, text, report)
        for sides in ((named, named), (nameless, nameless)):
            self.assertNotIn("has no names of functions", good("--diff", "--print=notes", *sides))

    def test_text_of_a_recording(self):
        """perf writes other symbols of an address, and inlined functions without a module: the addresses decide."""
        sysroot = "--sysroot=" + os.path.join(DATA, "sysroot")
        path = os.path.join(DATA, "recordings", "calls-fp.data")
        header, found = rows("--print=top", "--by=address", "--limit=0", "--no-inline", sysroot, path)
        module_of = {int(row[header.index("address")], 16): row[header.index("module")] for row in found}
        with lzma.open(path.replace(".data", ".ref.xz"), "rt", encoding="utf-8") as file:
            samples = [line.rstrip("\n").split("\t") for line in file]
        # perf writes callers that it found by unwinding one less, and addresses as they were at run time, if it cannot read the file.
        for distance, start in ((0, 0), (1, 0), (0, 0x7f1234000000), (1, 0x7f1234000000)):
            text = ""
            for time, tid, comm, event, addresses, _ in samples:
                text += "%s %s %s.%s:    1001001 %s: \n" % (comm, tid, time[:-9], time[-9:-3], event)
                for i, address in enumerate(int(word, 16) for word in addresses.split()):
                    module, shown = module_of[address], start + address - (distance if i > 0 else 0)
                    text += "\t%16x alias_%x %s\n" % (shown, address % 7, "(inlined)" if address % 5 == 0 else "(/opt/%s)" % module)
                text += "\n"
            script = self.write_text("text", text)
            for pair in ([path, script], [script, path]):
                found = self.top("--limit=0", "--no-inline", sysroot, *pair)
                self.assertEqual([name for name, row in found.items() if row[2] != 0 or row[5] != 0], [])
                self.assertGreater(len(found), 10)
                self.assertIn("addresses of the other", good("--diff", "--print=notes", sysroot, *pair))
        # Text of another program keeps its names.
        other = self.write_text("other", "calls 7 1.000000:    1001001 cpu-clock:u: \n\t            4ab0 alias_1 (/opt/calls)\n\n")
        self.assertIn("alias_1", self.top("--limit=0", sysroot, path, other))

    def test_text_of_another_recording(self):
        """Text with bare addresses of run time, of functions whose start the recording's program tells."""
        path = os.path.join(DATA, "recordings", "calls-stripped-fp.data")
        files = "--sysroot=" + os.path.join(DATA, "sysroot"), path
        header, found = rows("--print=top", "--by=address", "--limit=0", "--no-inline", *files)
        module_of = {int(row[header.index("address")], 16): row[header.index("module")] for row in found}
        whole = sum(int(row[0]) for row in rows("--print=top", "--limit=0", *files)[1])
        with lzma.open(path.replace(".data", ".ref.xz"), "rt", encoding="utf-8") as file:
            samples = [line.rstrip("\n").split("\t") for line in file]
        text = ""
        for i, (_, tid, comm, event, addresses, _) in enumerate(samples):
            text += "%s %s %d.000000: %d %s: \n" % (comm, tid, i, whole // len(samples), event)
            for address in (int(word, 16) for word in addresses.split()):
                name = "of_a_table" if module_of[address] == "calls-stripped" and address < 0x1100 else "[unknown]"
                text += "\t%16x %s (/opt/samples/bin/%s)\n" % (0x7f1234000000 + address, name, module_of[address])
            text += "\n"
        script = self.write_text("text", text)
        for pair in ([path, script], [script, path]):
            found = [row for row in rows("--diff", "--print=top", "--limit=0", "--no-inline", files[0], *pair)[1]
                     if row[6].startswith("calls-stripped")]
            self.assertEqual([row for row in found if row[2] != "0" or row[5] != "0"], [])
            self.assertGreater(len(found), 3)

    def test_sizes_beside_nothing(self):
        program = os.path.join(DATA, "sysroot", "opt", "samples", "bin", "calls")
        status, _, errors = run("--diff", "--print=top", os.path.join(DATA, "recordings", "calls-fp.data"), program)
        self.assertEqual(status, 1)
        self.assertIn("--with=PROGRAM", errors)

    def test_bad_checks(self):
        for condition in ("", "total", "total(", "total() < 5", "total < x", "total < 5 parsecs", "sum(a) < 5", "self < 5", "total(() < 5"):
            status, _, errors = run("--check=" + condition, self.base)
            self.assertEqual(status, 2, (condition, errors))
        for condition in ("total < 5 MiB", "delta(total) < 5"):
            self.assertEqual(run("--measure=cpu", "--check=" + condition, self.base)[0], 2)

    def test_renamed(self):
        """A function under another name is one row that says so, and both names find it."""
        base = self.write_text("b", "main;old::run;old::step 4000\nmain;old::run 1000\nmain;read 2500\n")
        new = self.write_text("n", "main;now::run;now::step 4400\nmain;now::run 1000\nmain;read 2500\n")
        found = {row["function"]: row for row in json.loads(good("--diff", "--print=top", "--format=json", base, new))["functions"]}
        self.assertEqual(sorted(found), ["main", "now::run", "now::step", "read"])
        self.assertEqual([found["now::step"][key] for key in ("self_base", "self_new", "renamed_from")], [4000, 4400, "old::step"])
        self.assertIsNone(found["main"]["renamed_from"])
        self.assertIn("now::step (renamed from old::step)", good("--diff", "--print=top", base, new))
        self.assertIn("now::step (renamed from old::step)", good("--diff", "--print=tree", base, new))
        self.assertIn("now::step +400 (+10 %), renamed from old::step", good("--diff", "--print=summary", base, new))
        self.assertNotIn("renamed_from", good("--diff", "--print=top", "--format=json", base, base))
        for name in ("old::step", "now::step"):
            _, found = rows("--diff", "--print=top", "--focus=function:^" + name, base, new)
            self.assertEqual([row[:3] for row in found if row[6] == "now::step"], [["4000", "4400", "400"]])
            self.assertEqual(run("--diff", "--check=delta(self(^%s$)) < 5 %%" % name, base, new)[0], 3)
        page = os.path.join(self.folder.name, "x.html")
        good("--diff", "--export=" + page, base, new)
        with open(page, encoding="utf-8") as file:
            self.assertIn("renamed from old::step (same end of the name, callers)", file.read())

    def test_replaced(self):
        """Functions that take the place of others are new, also if they cost as much."""
        base = self.write_text("b", "main;work;bubble_sort 4000\nmain;work 1000\nmain;read 2500\n")
        new = self.write_text("n", "main;work;insert_sort 4000\nmain;work 1000\nmain;read 2500\n")
        text = good("--diff", "--print=summary", base, new)
        self.assertRegex(text, r"(?s)  bubble_sort −4,000 \(gone\).*  insert_sort \+4,000 \(new\)")
        self.assertNotIn("renamed", text)

    def test_slow_rename(self):
        stacks = {"a" * 200 + "b%d" % i: 1 for i in range(500)}
        path = self.write("slow", stacks)
        status, _, errors = run("--diff", "--print=top", r"--rename=^(a+)+$=x", path, path)
        self.assertIn(status, (0, 1, 2))
        self.assertTrue(status == 0 or "(a+)+" in errors, errors)

    def test_recordings(self):
        """Totals are those of each recording alone."""
        pair = [os.path.join(DATA, "recordings", name) for name in ("inlining-fp.data", "inlining-fp-z.data")]
        alone = []
        for path in pair:
            _, found = rows("--print=top", "--sysroot=" + os.path.join(DATA, "sysroot"), path)
            alone.append({row[2]: (int(row[0]), int(row[1])) for row in found})
        found = self.top("--sysroot=" + os.path.join(DATA, "sysroot"), *pair)
        named = [name for name in found if "0x" not in name and not name.startswith("??")]
        self.assertGreater(len(named), 20)
        for name in named:
            base, new = (side.get(name, (0, 0)) for side in alone)
            self.assertEqual(found[name], [base[0], new[0], new[0] - base[0], base[1], new[1], new[1] - base[1]], name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
