#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs profview without a display and looks at what it prints, writes and returns.

    test-commands.py PROFVIEW TESTS_DATA
"""

import csv
import fcntl
import html
import io
import json
import os
import pty
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

from program import ENVIRONMENT, PROFVIEW, good, rows, run

DATA = sys.argv[2]
FILE = os.path.join(DATA, "recordings", "calls-fp.data")
THREADS = os.path.join(DATA, "recordings", "threads-fp.data")
LOADER = os.path.join(DATA, "recordings", "loader-fp.data")
SYSROOT = "--sysroot=" + os.path.join(DATA, "sysroot")


def on_terminal(width, *arguments):
    """What is printed where standard output is a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    with subprocess.Popen([PROFVIEW, *arguments], stdout=theirs, env=ENVIRONMENT) as process:
        os.close(theirs)
        out = b""
        try:
            while data := os.read(ours, 65536):
                out += data
        except OSError:  # how Linux says that the other side was closed
            pass
    os.close(ours)
    assert process.returncode == 0
    return out.decode().replace("\r\n", "\n").splitlines()


def measure_name(*arguments):
    return json.loads(good("--print=summary", "--format=json", *arguments))["measures"][0]["name"]


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
        whole = json.loads(good("--print=top", "--format=json", SYSROOT, FILE))
        objects = whole.pop("functions")
        self.assertEqual(whole, {"measure": measure_name(SYSROOT, FILE), "unit": "ns",
                                 "total": sum(int(row[0]) for row in table)})
        self.assertEqual([[str(o["self"]), str(o["total"]), o["function"], o["module"]]
                          for o in objects], [row[:4] for row in table])
        text = good("--print=top", "--limit=3", SYSROOT, FILE).splitlines()
        self.assertEqual(len(text), 4)
        self.assertEqual(text[0].split()[:6], ["Self", "%", "Total", "%", "Self", "Total"])

    def test_full_names(self):
        """Names are whole in a pipe, and on a terminal if asked for."""
        inlining = os.path.join(DATA, "recordings", "inlining-fp.data")
        command = ("--print=top", "--limit=30", SYSROOT, inlining)
        names = [row[2] for row in rows("--print=top", SYSROOT, inlining)[1][:30]]
        self.assertGreater(max(map(len, names)), 200)
        piped = good(*command).splitlines()
        self.assertTrue(all(name in line for name, line in zip(names, piped[1:])))
        self.assertEqual(on_terminal(100, "--full-names", *command), piped)
        self.assertLessEqual(max(map(len, on_terminal(100, *command))), 100)
        status, out, errors = run("--full-names", "--export=out.svg", inlining)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("exports never shorten names", errors)

    def test_header(self):
        """TSV that says what its numbers are, for every table of numbers."""
        for what in ("top", "tree", "callers"):
            command = ("--print=" + what, "--function=main", "--format=tsv", SYSROOT, FILE)
            first, rest = good("--header", *command).split("\n", 1)
            self.assertEqual(rest, good(*command))
            total = rows("--print=tree", "--limit=1", SYSROOT, FILE)[1][0][2]
            self.assertEqual(first, f"# measure={measure_name(SYSROOT, FILE)}\tunit=ns\ttotal={total}")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.tsv")
            good("--export=" + path, "--header", SYSROOT, FILE)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), good("--print=top", "--format=tsv", "--header", SYSROOT, FILE))
            for arguments in (("--print=top",), ("--print=summary", "--format=tsv"), ("--print=top", "--format=json"),
                              ("--export=" + os.path.join(folder, "out.svg"),)):
                status, out, errors = run("--header", *arguments, FILE)
                self.assertEqual((status, out), (2, ""), arguments)
                self.assertIn("--header applies to tables in TSV or CSV", errors)

    def test_csv(self):
        """The cells of TSV, as spreadsheets read them."""
        for command in (("--print=top",), ("--print=tree", "--header"), ("--print=callees", "--function=main"),
                        ("--print=peek", "--function=main"), ("--print=timeline",), ("--print=summary",), ("--print=notes",), ("--print=top", FILE)):
            tsv = good(*command, "--format=tsv", SYSROOT, FILE)
            self.assertNotIn("\\", tsv, "no cell has anything escaped")
            cells = list(csv.reader(io.StringIO(good(*command, "--format=csv", SYSROOT, FILE), newline=""), strict=True))
            self.assertEqual(cells, [line.split("\t") for line in tsv.splitlines()])
            self.assertEqual(len(cells) > 1, True)
        inlining = os.path.join(DATA, "recordings", "inlining-fp.data")
        names = [row[2] for row in csv.reader(io.StringIO(good("--print=top", "--format=csv", SYSROOT, inlining)))]
        self.assertTrue(any("," in name for name in names), names)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.csv")
            for command in (("--print=tree",), ("--print=top", "--header"), ()):
                good("--export=" + path, *command, SYSROOT, FILE)
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(file.read(), good(*(command or ["--print=top"]), "--format=csv", SYSROOT, FILE))
            status, _, errors = run("--print=top", path)
            self.assertEqual(status, 1)
            self.assertRegex(errors, "^profview: .*: This is .*text")

    def test_members(self):
        """JSON says what its numbers are, for every table of numbers."""
        total = int(rows("--print=tree", "--limit=1", SYSROOT, FILE)[1][0][2])
        for what, member in (("top", "functions"), ("tree", "nodes"), ("callers", "callers"), ("callees", "callees"), ("peek", "peek"),
                             ("timeline", "timeline"), ("phases", "phases")):
            command = ("--print=" + what, "--function=main", SYSROOT, FILE)
            found = json.loads(good("--format=json", *command))
            self.assertEqual((found["measure"], found["unit"], found["total"]), (measure_name(SYSROOT, FILE), "ns", total))
            header, lines = rows(*command)
            self.assertEqual([list(row) for row in found[member]], [header] * len(lines))

    def test_findings(self):
        """Findings are said in all formats, and the options that come with it show it."""
        with tempfile.TemporaryDirectory() as folder:
            path, clean = os.path.join(folder, "planted.folded"), os.path.join(folder, "clean.folded")
            with open(path, "w", encoding="utf-8") as file:
                file.write("main;parse_row;malloc;_int_malloc 250\nmain;read_all;free 50\nmain;compute 700\n")
            with open(clean, "w", encoding="utf-8") as file:
                file.write("main;compute_a 198\nmain;compute_b 198\nmain;compute_c 198\nmain;compute_d 198\nmain;compute_e 198\n"
                           "main;parse_row;malloc 10\n")
            found = json.loads(good("--print=findings", "--format=json", path))["findings"]
            self.assertEqual([(row["rule"], row["function"], row["cost"], row["measure"], row["amount"], row["samples"]) for row in found],
                             [("hot-function", "compute", 0.7, "samples", 700, 700), ("allocator", "parse_row", 0.3, "samples", 300, 300)])
            self.assertEqual(found[0]["title"], "“compute” takes 70.0 % of samples by itself")
            self.assertIn("83.3 % of it in calls from “parse_row”", found[1]["title"])
            self.assertEqual([row["page"] for row in found], ["functions", "graph"])
            shown = json.loads(good("--print=top", "--format=json", *shlex.split(found[1]["options"]), path))
            self.assertEqual(shown["total"], 300)
            header, table = rows("--print=findings", path)
            self.assertEqual((header, len(table)), (list(found[0]), 2))
            text = good("--print=findings", path)
            self.assertIn("2. " + found[1]["title"] + ".\n   300 samples: between 27.2 and 32.8 %.\n", text)
            self.assertEqual(good("--print=findings", "--ignore=malloc", "--ignore=free", "--ignore=compute", path),
                             "Nothing stands out.\n")
            # Where the lists have other frames, their self is another one.
            self.assertNotIn("by itself", good("--print=findings", "--hide=read_all", path))
            self.assertEqual(good("--print=findings", clean), "Nothing stands out.\n")
            self.assertEqual(json.loads(good("--print=findings", "--format=json", clean)), {"findings": []})

    def test_summary(self):
        summary = json.loads(good("--print=summary", "--format=json", SYSROOT, FILE))
        for key in ("format", "measures", "samples", "lost", "skipped_records", "processes",
                    "threads", "modules", "start_ns", "duration_ns", "stacks", "notes"):
            self.assertIn(key, summary)
        self.assertEqual(summary["format"], "perf.data")
        self.assertEqual(set(summary["modules"][0]), {"path", "build_id", "debug_info"})
        self.assertEqual(set(summary["measures"][0]), {"name", "unit", "samples", "total"})
        stacks = summary["stacks"]
        self.assertEqual(stacks["complete"] + stacks["truncated"] + stacks["broken"] + stacks["unknown"],
                         summary["samples"])
        self.assertIn("perf.data", good("--print=summary", SYSROOT, FILE))

    def test_notes(self):
        """What is said of several files is said once in the summary, and of each in the notes."""
        with tempfile.TemporaryDirectory() as folder:
            where = "--sysroot=" + folder
            notes = [line for line in good("--print=notes", where, LOADER).splitlines() if "was not found, so" in line]
            self.assertGreater(len(notes), 1)
            summary = good("--print=summary", where, LOADER)
        self.assertNotIn("was not found, so", summary)
        self.assertRegex(summary, rf"(?m)^! {len(notes)} files were not found: loader, .*\. Their functions have no names\.")

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
        peek_header, peek = rows("--print=peek", "--function=^main$", SYSROOT, FILE)
        self.assertEqual(peek_header, ["relation", "weight", "self", "function", "module", "of_function", "of_module"])
        self.assertEqual([[row[1], *row[3:]] for row in peek if row[0] == "caller"], callers)
        self.assertEqual([[row[1], *row[3:]] for row in peek if row[0] == "callee"], callees)
        self.assertEqual([row[1:4] for row in peek if row[0] == "function"], [[main[1], main[0], "main"]])
        self.assertEqual([row[0] for row in peek], ["caller"] * len(callers) + ["function"] + ["callee"] * len(callees))
        shown = [line.split()[-2] for line in good("--print=peek", "--function=^main$", SYSROOT, FILE).splitlines()[1:]]
        self.assertEqual(shown, [row[3] for row in peek])
        self.assertEqual(len(rows("--print=peek", "--function=^main$", "--limit=1", SYSROOT, FILE)[1]), 3)
        for what in ("callers", "peek"):
            status, _, errors = run("--print=" + what, SYSROOT, FILE)
            self.assertEqual(status, 2)
            self.assertIn("need --function", errors)
        status, out, errors = run("--print=peek", "--function=^no_such$", SYSROOT, FILE)
        self.assertEqual((status, out), (1, ""))
        self.assertIn("no function matches", errors)
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
        self.assertEqual(total("--exclude-thread=" + one), everything - int(by_group[0][2]))
        # As groups are called, too; several at once; and what is excluded goes, even if it was chosen.
        self.assertEqual(total("--thread=" + by_group[0][3]), int(by_group[0][2]))
        two = ("--thread=" + one, "--thread=" + by_group[1][3])
        self.assertEqual(total(*two), int(by_group[0][2]) + int(by_group[1][2]))
        self.assertEqual(total(*two, "--exclude-thread=" + one), int(by_group[1][2]))
        status, _, errors = run("--print=top", "--exclude-thread=nobody", THREADS)
        self.assertEqual(status, 2)
        self.assertIn("no thread is called", errors)

    def test_my_code_by_an_expression(self):
        """A template of a library is not one's own for being used with what is."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "stacks")
            with open(path, "w", encoding="utf-8") as file:
                file.write("main;app::run;std::sort<int*, app::Order>(int*, int*) 30\nmain;app::run 20\nmain;other 7\n")
            _, table = rows("--print=top", "--my-code-is=^app::|Order", path)
            self.assertEqual([row[:3] for row in table], [["50", "50", "app::run"]])

    def test_program_beside_the_recording(self):
        """It is used only if it is the build that ran."""
        with tempfile.TemporaryDirectory() as folder:
            recording, program = os.path.join(folder, "a.data"), os.path.join(folder, "inlining")
            shutil.copy(os.path.join(DATA, "recordings", "inlining-fp.data"), recording)
            for name, is_used in (("calls", False), ("inlining", True)):
                shutil.copy(os.path.join(DATA, "sysroot", "opt", "samples", "bin", name), program)
                self.assertEqual("geometry::Vec::dot" in good("--print=top", recording), is_used, name)

    def test_groups(self):
        """Each group has the rows that its thread has alone."""
        for by in ("function", "line"):
            header, grouped = rows("--print=top", "--by=" + by, "--group=thread", SYSROOT, THREADS)
            self.assertEqual(header, ["self", "total", "function", "module", "file", "line", "group"])
            groups = {row[6] for row in grouped}
            self.assertGreater(len(groups), 2)
            for group in groups:
                number = group.rsplit("(", 1)[1].rstrip(")")
                _, alone = rows("--print=top", "--by=" + by, "--thread=" + number, SYSROOT, THREADS)
                self.assertEqual([row[:6] for row in grouped if row[6] == group], alone)
            own = [int(row[0]) for row in grouped]
            self.assertEqual(own, sorted(own, reverse=True))
        text = good("--print=top", "--group=thread", "--limit=1", SYSROOT, THREADS).splitlines()
        self.assertRegex(text[0], r"Thread +Function")
        self.assertIn(f" {grouped[0][6]} ", text[1])
        for what in ("summary", "notes", "callers"):
            status, out, errors = run("--print=" + what, "--function=main", "--group=thread", THREADS)
            self.assertEqual((status, out), (2, ""), what)
            self.assertIn("--group applies to --print=top and --print=tree only", errors)

    def test_threads_of_perf(self):
        """The sums of `perf report --sort pid`, which are those of threads."""
        _, tree = rows("--print=tree", "--group=thread", SYSROOT, THREADS)
        self.assertEqual({row[3]: int(row[2]) for row in tree if row[0] == "1"},
                         {"producer (4963)": 227227227, "compute (4965)": 220220220, "consumer (4964)": 138138138})

    def test_groups_of_leaves(self):
        """The group of a module has the self cost of its functions."""
        for what, column in (("module", 3), ("file", 4)):
            own = {}
            for row in rows("--print=top", SYSROOT, FILE)[1]:
                name = row[column] or f"(no {what})"
                own[name] = own.get(name, 0) + int(row[0])
            for direction in ((), ("--invert",)):
                _, tree = rows("--print=tree", "--group=" + what, *direction, SYSROOT, FILE)
                groups = {row[3]: int(row[2]) for row in tree if row[0] == "1"}
                self.assertEqual(groups, {name: cost for name, cost in own.items() if cost > 0})

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
            # It opens again, with the same tree: depth, self and total, name.
            _, again = rows("--print=tree", path)
            self.assertEqual(sorted(row[:4] for row in again), sorted(row[:4] for row in tree))

    def test_speedscope(self):
        """A profile for each thread, which opens again with the same functions."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.speedscope.json")
            for file in (FILE, THREADS):
                good("--export=" + path, SYSROOT, file)
                self.assertEqual(os.listdir(folder), ["out.speedscope.json"])
                with open(path, encoding="utf-8") as written:
                    content = json.load(written)
                _, tree = rows("--print=tree", SYSROOT, file)
                _, again = rows("--print=tree", path)
                self.assertEqual(sorted(row[:4] for row in again), sorted(row[:4] for row in tree))
                threads = content["profiles"]
                self.assertEqual(sum(sum(one["weights"]) for one in threads), int(tree[0][2]))
                self.assertEqual(len({one["name"] for one in threads}), len(threads))
                sums = [sum(one["weights"]) for one in threads]
                self.assertEqual([one["endValue"] for one in threads], sums)
                self.assertEqual(sums[content["activeProfileIndex"]], max(sums))
                for one in threads:
                    self.assertEqual(len(one["samples"]), len(one["weights"]))
            self.assertGreater(len(threads), 1)

    def test_pictures(self):
        with tempfile.TemporaryDirectory() as folder:
            for ending, start in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
                path = os.path.join(folder, "out" + ending)
                good("--export=" + path, "--width=800", SYSROOT, FILE)
                with open(path, "rb") as file:
                    self.assertEqual(file.read(len(start)), start)

    def test_picture_of_comparison(self):
        """Tool tips have what both sides have, whichever side boxes are as wide as."""
        folder_of = os.path.dirname(FILE)
        pair = [os.path.join(folder_of, name) for name in ("inlining-fp.data", "inlining-fp-z.data")]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.svg")
            found = {}
            for width in ("both", "new", "base"):
                good("--diff", "--export=" + path, "--width-by=" + width, SYSROOT, *pair)
                with open(path, encoding="utf-8") as file:
                    text = html.unescape(file.read())
                found[width] = dict(re.findall(r"<title>(.*)\n(.*) → .*", text))
                self.assertRegex(text, r"<title>__libc_start_call_main\n[\d.]+\sms → [\d.]+\sms, −[\d.]+\sms "
                                       r"\([−+][\d.]+ %\), [\d.]+ % of the change, between [−+][\d.]+\sms and "
                                       r"[−+][\d.]+\sms; [\d.]+ % of the width")
            self.assertEqual(found["new"]["all"], found["both"]["all"])
            self.assertEqual(found["base"]["all"], found["both"]["all"])

    def test_picture_side_by_side(self):
        """The boxes of each half add up to its width; both name their side and have the same nodes at the same height."""
        folder_of = os.path.dirname(FILE)
        pair = [os.path.join(folder_of, name) for name in ("inlining-fp.data", "inlining-fp-z.data")]
        box = re.compile(r'<rect x="(\d+)" y="(\d+)" width="(\d+)" height="\d+"><title>(.*)\n(.*)')
        with tempfile.TemporaryDirectory() as folder:
            for width in (1200, 700):
                path = os.path.join(folder, "out.svg")
                good("--diff", "--export=" + path, "--width-by=side-by-side", "--width=%d" % width, SYSROOT, *pair)
                with open(path, encoding="utf-8") as file:
                    text = html.unescape(file.read())
                boxes = [(*map(int, found[:3]), *found[3:]) for found in box.findall(text)]
                roots = [found for found in boxes if found[3] == "all"]
                self.assertEqual(len(roots), 2)
                self.assertEqual(roots[0][1] == roots[1][1], width == 1200)  # beside each other, or one above the other
                self.assertEqual(roots[0][2], roots[1][2])
                # Both say the same of a function, but for its share of the width.
                self.assertEqual(roots[0][4].split(" → ")[1:], roots[1][4].split(" → ")[1:])
                for left, top, wide, _, _ in roots:
                    half = [(x, w, name) for x, y, w, name, _ in boxes
                            if left <= x < left + wide and top < y < top + 60]
                    level = [(x, w) for x, w, name in half if name.startswith("__libc_start_call_main") or "small" in name]
                    self.assertTrue(level)
                    self.assertLessEqual(max(x + w for x, w in level), left + wide)
                rows = {side: {y - roots[side][1] for x, y, w, name, _ in boxes if name.startswith("geometry::Cloud::weigh")
                               and roots[side][0] <= x < roots[side][0] + roots[side][2] and y >= roots[side][1]}
                        for side in (0, 1)}
                self.assertEqual(min(rows[0]), min(rows[1]))
                good("--diff", "--export=" + os.path.join(folder, "out.pdf"), "--width-by=side-by-side", SYSROOT, *pair)

    def test_sandwich(self):
        """One function between those that the tables of its callers and callees have."""
        def tips(name):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "out.svg")
                good("--export=" + path, "--view=sandwich", "--function=" + name, SYSROOT, FILE)
                with open(path, encoding="utf-8") as file:
                    found = re.findall(r'y="(\d+)" .*<title>(.*)\n', file.read())
            return [(int(top), html.unescape(shown)) for top, shown in found]

        def names(what):
            return {row[1] for row in rows("--print=" + what, "--function=^main$", SYSROOT, FILE)[1]}

        found = tips("^main$")
        tops = [top for top, name in found if name == "main"]
        self.assertEqual(len(tops), 1)
        row = min(top - tops[0] for top, _ in found if top > tops[0])
        above = {name for top, name in found if 0 < tops[0] - top < 2 * row}
        below = {name for top, name in found if top == tops[0] + row}
        self.assertEqual(above, names("callers") - {"(no caller)"})
        self.assertTrue(below and below - names("callees") <= {name for name in below if "small functions" in name})

        for arguments, status, words in ((["--function=^no_such$"], 1, "no function matches “^no_such$”"),
                                         (["--function=."], 2, "several functions match “.”:\n  "),
                                         (["--function=main", "--chart=live"], 2, "cannot be used together"),
                                         ([], 2, "--view=sandwich needs --function")):
            with tempfile.TemporaryDirectory() as folder:
                found, out, errors = run("--export=" + os.path.join(folder, "out.svg"), "--view=sandwich", *arguments,
                                         SYSROOT, FILE)
                self.assertEqual((found, out, os.listdir(folder)), (status, "", []))
                self.assertIn(words, errors)

    def test_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.tsv")
            good("--export=" + path, SYSROOT, FILE)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), good("--print=top", "--format=tsv", SYSROOT, FILE))
            path = os.path.join(folder, "tree.json")
            good("--export=" + path, "--print=tree", SYSROOT, FILE)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(json.load(file)["nodes"][0]["depth"], 0)

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

    def read_figures(self, options, measure, more=()):
        """Rows of a table by what they are of: self, total and figures."""
        header, table = rows(*options, "--measure=" + measure, *more)
        path, found = [], {}
        figures = [i for i, name in enumerate(header) if name in ("self", "total") or "_" in name]
        for row in table:
            key = tuple(cell for i, cell in enumerate(row) if i not in figures)
            if header[0] == "depth":  # nodes of one path are told apart by their turn
                del path[int(row[0]):]
                path.append(key[1:])
                key = tuple(path)
            self.assertNotIn(key, found)
            found[key] = [row[i] for i in figures]
        return [header[i] for i in figures], found

    def test_formulas(self):
        """Figures are those of the measures alone, by row and by node; text has them in the unit."""
        trace = os.path.join(DATA, "heaptrack", "leak.raw.zst")
        for options in (("--print=top",), ("--print=top", "--by=line"), ("--print=top", "--by=address"),
                        ("--print=top", "--group=module"), ("--print=top", "--group=file", "--by=line"),
                        ("--print=top", "--invert", "--merge-module=libc"), ("--print=tree",),
                        ("--print=tree", "--group=module"), ("--print=tree", "--by=line"), ("--print=tree", "--invert"),
                        ("--print=tree", "--invert", "--group=package"), ("--print=tree", "--invert", "--by=address"),
                        ("--print=tree", "--invert", "--focus=heap", "--hide=start")):
            alone = {name: self.read_figures((*options, trace), name)[1]
                     for name in ("allocated", "allocations", "temporary")}
            names, found = self.read_figures((*options, trace), "size=allocated/allocations",
                                             ["--measure=short=temporary/allocations%"])
            self.assertEqual(names, ["self", "total", "size_self", "size_total", "short_self", "short_total"])
            n_checked = 0
            for key, row in found.items():
                for i in (0, 1):
                    size, n, n_short = (int(alone[name].get(key, ("0", "0"))[i])
                                        for name in ("allocated", "allocations", "temporary"))
                    self.assertEqual(int(row[i]), n)
                    self.assertEqual(row[2 + i], "%.6g" % (size / n) if n else "", (options, key))
                    self.assertEqual(row[4 + i], "%.6g" % (100 * n_short / n) if n else "", (options, key))
                    n_checked += n > 0
            self.assertGreater(n_checked, 10)
        first = good("--print=top", "--measure=bytes-per-allocation", trace).splitlines()
        self.assertRegex(first[0], "bytes-per-allocation, self +bytes-per-allocation, total +Function")
        self.assertRegex(first[1], r"%.* [\d.]+ (B|KiB|MiB) .*")
        table = json.loads(good("--print=top", "--format=json", "--measure=temporary-share", trace))
        self.assertEqual(table["measure"], "allocations")
        self.assertTrue(all(0 <= row["temporary-share_total"] <= 100 for row in table["functions"]))

    def test_pseudonyms_change_no_figure(self):
        """Filters look at the names, which are not shown."""
        heap, mill = os.path.join(DATA, "heaptrack", "containers.raw.zst"), os.path.join(DATA, "recordings", "mill-fp.data")

        def figures(*arguments):
            lines = [line.split("\t") for line in good("--format=tsv", "--limit=0", SYSROOT, *arguments).splitlines()]
            return sorted([cell for cell in line if re.fullmatch(r"-?[0-9.]+", cell)] for line in lines)

        for path in (FILE, THREADS, mill, heap):
            for query in ((), ("--my-code",), ("--focus=^main$",), ("--hide=module:libc", "--show-allocators"),
                          ("--merge-module=.", "--ignore=file:none"), ("--group=thread",), ("--no-suppressions",)):
                if path == heap and query == ("--group=thread",):
                    continue  # a heap trace has none
                for report in ("--print=top", "--print=tree"):
                    with self.subTest(path=path, query=query, report=report):
                        named = figures(report, *query, path)
                        self.assertEqual(figures(report, "--anonymize", *query, path), named)
        shown = good("--print=top", "--anonymize", "--merge-module=inlining", SYSROOT, os.path.join(DATA, "recordings", "inlining-fp.data"))
        self.assertNotIn("inlining", shown)
        self.assertRegex(shown, r"\bm_[0-9a-f]{8}\b")

    def test_derived(self):
        """The summary has what is usually computed from a profile's totals."""
        for path in (os.path.join(DATA, "heaptrack", "leak.raw.zst"), os.path.join(DATA, "pprof", "pantry-1.heap"), FILE):
            summary = json.loads(good("--print=summary", "--format=json", SYSROOT, path))
            totals = {measure["name"]: measure["total"] for measure in summary["measures"]}
            wanted = {}
            for name, a, b, factor in (("bytes-per-allocation", "allocated", "allocations", 1),
                                       ("mean-lifetime", "lifetime", "allocated", 1e6),  # from milliseconds
                                       ("bytes-per-object", "inuse_space", "inuse_objects", 1)):
                if totals.get(a, 0) and totals.get(b, 0):
                    wanted[name] = float("%.6g" % (totals[a] * factor / totals[b]))
            self.assertEqual(summary["derived"], wanted)
            self.assertEqual(bool(wanted), path != FILE)
            lines = dict(line.split("\t") for line in
                         good("--print=summary", "--format=tsv", SYSROOT, path).splitlines())
            self.assertEqual({key[8:]: float(value) for key, value in lines.items() if key.startswith("derived.")}, wanted)
        self.assertRegex(good("--print=summary", os.path.join(DATA, "pprof", "pantry-1.heap")),
                         r"\n\nDerived measure   Value\nBytes per object  80.0 KiB\n\n")

    def test_usage(self):
        for arguments in (("--nonsense", FILE), ("--limit=3", FILE), ("--print=top",), ("--print=x", FILE),
                          ("--print=callers", FILE), ("--focus=(", "--print=top", FILE),
                          ("--export=out.xyz", FILE), ("--print=top", "--measure=flops", FILE),
                          ("--print=top", "--measure=x=flops/mops", FILE), ("--print=top", "--measure=x=flops/", FILE),
                          ("--print=summary", "--measure=x=flops", FILE), ("--measure=x=flops/", FILE),
                          ("--print=top", "--by=line", "--measure=x=flops", FILE),
                          ("--print=callees", "--function=main", "--measure=x=flops", FILE),
                          ("--print=tree", "--invert", "--measure=x=flops", FILE),
                          ("--export=out.svg", "--measure=x=flops", FILE),
                          ("--print=top", "--thread=nobody", FILE), ("--export", FILE),
                          ("--export=.svg", FILE), ("--export=out.speedscope.json", "--group=thread", FILE),
                          ("--export=.pb.gz", FILE), ("--export=out.pb.gz", "--width=80", FILE),
                          ("--export=out.pb.gz", "--group=thread", FILE),
                          ("--export=.profile.json.gz", FILE), ("--export=out.profile.json", "--group=thread", FILE),
                          ("--export=out.callgrind", "--group=thread", FILE), ("--export=callgrind.out", FILE),
                          ("--export=out.callgrind", "--header", FILE), ("--export=out.json.gz", FILE),
                          ("--export=out.profview", "--group=thread", FILE), ("--export=.profview", FILE),
                          ("--export=out.profview", "--print=top", FILE), ("--export=out.svg", "--with-sources", FILE),
                          ("--export=out.profview", "--with-sources", "--anonymize", FILE), ("--print=top", "--with-sources", FILE),
                          ("--print=callers", "--anonymize", "--function=main", FILE), ("--anonymize", FILE),
                          ("--export=out.svg", "--print=top", FILE),
                          ("--export=out.folded", "--view=flame-graph", FILE), ("--view=flame-graph", FILE),
                          ("--export=out.svg", "--limit=3", FILE), ("--export=out.tsv", "--width=800", FILE),
                          ("--export=out.svg", FILE, THREADS)):
            status, out, errors = run(*arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertTrue(errors.startswith("profview: "), errors)

    def test_errors(self):
        for path in ("/no/such/file", "/", "/dev/null", __file__):
            status, out, errors = run("--print=top", path)
            self.assertEqual((status, out), (1, ""), path)
            self.assertTrue(errors.startswith(f"profview: {path}: "), errors)
        status, _, errors = run("--export=/no/such/folder/x.folded", SYSROOT, FILE)
        self.assertEqual(status, 1)
        self.assertTrue(errors.startswith("profview: /no/such/folder/x.folded: "), errors)

    def test_no_packs(self):
        """What a pack cannot hold is told, and no file is left."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.profview")
            for arguments, sentence in ((("--diff", FILE, THREADS), "not a comparison"),
                                        (("--with=" + THREADS, FILE), "shown together")):
                status, out, errors = run("--export=" + path, SYSROOT, *arguments)
                self.assertEqual((status, out), (1, ""), arguments)
                self.assertRegex(errors, "^profview: %s: a pack .*%s" % (re.escape(path), sentence))
                self.assertEqual(os.listdir(folder), [])

    def test_progress(self):
        """What takes a second says on a terminal what it is at, and leaves nothing there; elsewhere it says nothing."""
        with tempfile.TemporaryDirectory() as folder:
            path, out = os.path.join(folder, "many.folded"), os.path.join(folder, "out.profview")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines("main;f%d;g%d;h%d 1\n" % (i % 1000, i % 7777, i) for i in range(150000))
            master, slave = pty.openpty()
            process = subprocess.Popen([PROFVIEW, "--export=" + out, path], env=dict(ENVIRONMENT, LC_ALL="C.UTF-8", LANGUAGE=""),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave)
            os.close(slave)
            # So that it takes long on any machine, and one of the stops is while it works.
            for _ in range(4):
                time.sleep(0.05)
                process.send_signal(signal.SIGSTOP)
                time.sleep(1.2)
                process.send_signal(signal.SIGCONT)
            text = b""
            try:
                while part := os.read(master, 4096):
                    text += part
            except OSError:
                pass  # the other end is closed
            os.close(master)
            self.assertEqual(process.wait(), 0)
            self.assertRegex(text.decode(), "^(\r\033\\[K(Reading|Finding names|Adding up|Writing out.profview) …( [0-9]+ %)?)+\r\033\\[K")
            self.assertTrue(text.endswith(b"\r\033[K"), text)
            self.assertEqual(run("--export=" + out, path, stdin=subprocess.DEVNULL), (0, "", ""))

    def test_other_files(self):
        """What people open next is named, our own exports among it."""
        _, _, errors = run("--print=top", __file__)
        self.assertEqual(errors, f"profview: {__file__}: This is a script, not a profile\n")
        with tempfile.TemporaryDirectory() as folder:
            for ending, name in (("svg", "a picture"), ("png", "a picture"), ("pdf", "a PDF document"), ("json", "JSON"),
                                 ("tsv", "text")):
                path = os.path.join(folder, "out." + ending)
                good("--export=" + path, SYSROOT, FILE)
                status, out, errors = run("--print=top", path)
                self.assertEqual((status, out), (1, ""), path)
                self.assertRegex(errors, "^profview: .*: This is .*" + name)

    def test_nothing_found(self):
        self.assertEqual(good("--print=top", "--time=9..10", SYSROOT, FILE),
                         "No samples match the query.\n"
                         "No CPU time in 9.00–10.00 s. The recording ends after 316 ms. Leave out --time.\n")
        self.assertIn("\nNo CPU time with these filters. The filters leave out all of it: ",
                      good("--print=tree", "--focus=^nothing$", SYSROOT, FILE))
        self.assertEqual(json.loads(good("--print=top", "--format=json", "--time=9..10", SYSROOT, FILE)),
                         {"measure": measure_name(SYSROOT, FILE), "unit": "ns", "total": 0, "functions": []})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.svg")
            status, _, errors = run("--export=" + path, "--time=9..10", SYSROOT, FILE)
            self.assertEqual((status, os.listdir(folder)), (1, []))
            self.assertIn("no samples match", errors)
            self.assertIn("Leave out --time.", errors)
            path = os.path.join(folder, "out.tsv")
            status, _, errors = run("--export=" + path, "--time=9..10", SYSROOT, FILE)
            self.assertEqual(status, 0)
            self.assertIn(": No CPU time in 9.00–10.00 s. ", errors)

    def test_nothing_while_waiting(self):
        """What the threads did instead is said, and how to see it."""
        path = os.path.join(DATA, "recordings", "kernel-fp.data")
        for option in ("--print=top", "--print=timeline"):
            self.assertEqual(good(option, "--time=50ms..52ms", SYSROOT, path),
                             "No samples match the query.\nNo CPU time in 50–52 ms. 2 threads were waiting, for 4.00 ms in all. "
                             "Show that with --measure=blocked. Leave out --time.\n")
        # A thread that only waits is no question of time.
        self.assertIn("No CPU time with these filters. 1 thread was waiting, for ",
                      good("--print=top", "--thread=6740", SYSROOT, path))
        self.assertIn("2.00 ms", good("--print=top", "--thread=6740", "--measure=blocked", "--time=50ms..52ms", SYSROOT, path))

    def test_nothing_in_the_file(self):
        """Files that are read to nothing say so, each in its own words, in every format."""
        def node(i, name, *children):
            return {"id": i, "callFrame": {"functionName": name, "url": "", "lineNumber": -1}, "children": list(children)}
        nodes = [node(1, "(root)", 2, 3), node(2, "(idle)"), node(3, "(program)")]

        def profile(samples):
            return json.dumps({"nodes": nodes, "startTime": 0, "endTime": 1000 * len(samples), "samples": samples,
                               "timeDeltas": [1000] * len(samples)})
        scope = {"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "a"}]},
                 "profiles": [{"type": "sampled", "name": "p", "unit": "milliseconds", "startValue": 0, "endValue": 2,
                               "samples": [[], []], "weights": [1, 1]}]}
        # pprof: two types of samples, strings, and the duration, but no sample.
        pprof = (b"\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04" +
                 b"".join(b"\x32" + bytes([len(text)]) + text for text in (b"", b"samples", b"count", b"cpu", b"nanoseconds")) +
                 b"\x50\x80\xd8\x8e\xe1\x6f")
        cases = [("idle.cpuprofile", profile([2] * 400), "was idle all the time, 399 ms: "),
                 ("mostly.cpuprofile", profile([3] + [2] * 399), "was idle for 398 ms of 399 ms: "),
                 ("none.cpuprofile", profile([]), "The profile contains no samples. "),
                 ("zero.folded", "main;a 0\nmain;b 0\n", "The counts of all stacks in the file are 0. "),
                 ("empty.speedscope.json", json.dumps(scope), "all samples of the profile are without frames. "),
                 ("cpu.pb", pprof, "The program used no CPU time in the 30.0 s that were profiled. "),
                 ("swapper.txt", "swapper     0 [000]  1.000000:     250000 cpu-clock: \n\tffffffff81000010 default_idle "
                  "([kernel.kallsyms])\n\n", "The processors were idle: "),
                 ("none.heaptrack", "v 10400 3\nx 9 /bin/prog\nI 1000 100\nm 1 -\nc 10\n", "The recording contains no allocations. ")]
        with tempfile.TemporaryDirectory() as folder:
            for name, text, wanted in cases:
                path = os.path.join(folder, name)
                with open(path, "wb") as file:
                    file.write(text if isinstance(text, bytes) else text.encode())
                for options in (["--print=summary"], ["--print=notes"], ["--print=top"], ["--print=tree"],
                                ["--print=top", "--format=json"], ["--export=" + os.path.join(folder, "out.tsv")],
                                ["--export=" + os.path.join(folder, "out.profview")]):
                    status, out, errors = run(*options, path)
                    self.assertEqual(status, 0, (name, options, errors))
                    self.assertEqual((out + errors).count(wanted), 1, (name, options, out, errors))
                # What is packed still says so.
                self.assertIn(wanted, good("--print=notes", os.path.join(folder, "out.profview")))
            # Something is not nothing.
            path = os.path.join(folder, "busy.cpuprofile")
            with open(path, "w", encoding="utf-8") as file:
                file.write(profile([3] * 100 + [2] * 300))
            self.assertEqual(run("--print=notes", path), (0, "", ""))

    def test_streams(self):
        wanted = good("--print=top", SYSROOT, FILE)
        with open(FILE, "rb") as file:
            self.assertEqual(run("--print=top", SYSROOT, "-", stdin=file)[:2], (0, wanted))
            file.seek(0)
            content = file.read()
        self.assertEqual(run("--print=top", SYSROOT, "-", input=content)[:2], (0, wanted))
        self.assertEqual(run("--print=top", SYSROOT, "/dev/stdin", input=content)[:2], (0, wanted))
        self.assertEqual(good("--print=top", SYSROOT, "file://" + FILE), wanted)
        with tempfile.TemporaryDirectory() as folder:
            fifo = os.path.join(folder, "fifo")
            os.mkfifo(fifo)
            with subprocess.Popen([PROFVIEW, "--print=top", SYSROOT, fifo], stdout=subprocess.PIPE,
                                  env=ENVIRONMENT) as process:
                with open(fifo, "wb") as writer:
                    writer.write(content)
                self.assertEqual(process.communicate()[0].decode(), wanted)

    def test_closed_pipe(self):
        with subprocess.Popen([PROFVIEW, "--print=tree", "--format=tsv", SYSROOT, FILE],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT) as process:
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
        self.assertLess(process.returncode, 0)  # ended by the signal, as other tools are

    def test_full_disk(self):
        for arguments in (("--print=top", SYSROOT, FILE), ("--help",), ("--version",)):
            with open("/dev/full", "wb") as full:
                status, _, errors = run(*arguments, stdout=full)
            self.assertEqual(status, 1, arguments)
            self.assertIn("standard output: No space left", errors)
        with tempfile.TemporaryDirectory() as folder:
            for ending in ("svg", "png", "pdf", "folded", "tsv", "json"):
                path = os.path.join(folder, "out." + ending)
                os.symlink("/dev/full", path)
                self.assertEqual(run("--export=" + path, SYSROOT, FILE),
                                 (1, "", f"profview: {path}: No space left on device\n"))
                self.assertTrue(os.path.islink(path))

    def test_targets(self):
        for ending in ("svg", "png", "pdf", "folded", "tsv", "json"):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "link." + ending)
                target = os.path.join(folder, "target")
                with open(target, "w", encoding="utf-8") as file:
                    file.write("before")
                os.chmod(target, 0o600)
                os.symlink("target", path)
                good("--export=" + path, SYSROOT, FILE)
                self.assertEqual(sorted(os.listdir(folder)), sorted(["link." + ending, "target"]))
                self.assertTrue(os.path.islink(path))
                self.assertEqual(os.stat(target).st_mode & 0o777, 0o600)
                self.assertGreater(os.stat(target).st_size, 100)
                missing = os.path.join(folder, "no", "x." + ending)
                self.assertEqual(run("--export=" + missing, SYSROOT, FILE),
                                 (1, "", f"profview: {missing}: No such file or directory\n"))
                occupied = os.path.join(folder, "folder." + ending)
                os.mkdir(occupied)
                self.assertEqual(run("--export=" + occupied, SYSROOT, FILE),
                                 (1, "", f"profview: {occupied}: Is a directory\n"))

    def test_odd_names(self):
        with tempfile.TemporaryDirectory() as folder:
            odd = os.path.join(os.fsencode(folder), b"na\xefve.data")
            with open(FILE, "rb") as source, open(odd, "wb") as copy:
                copy.write(source.read())
            good("--print=top", SYSROOT, odd)
            answers = json.loads(good("--print=summary", "--format=json", SYSROOT, FILE, odd))
            self.assertEqual(len(answers), 2)
            out = os.path.join(os.fsencode(folder), b"\xfc.svg")
            good(b"--export=" + out, SYSROOT, odd)
            with open(out, encoding="utf-8") as file:
                self.assertTrue(file.read().startswith("<?xml"))
            self.assertEqual(run("--print=top", b"--focus=\xff", FILE)[0], 2)
            self.assertEqual(run("--print=top", os.path.join(os.fsencode(folder), b"\xff"))[0], 1)

    def test_locales(self):
        """Arguments are UTF-8 in each, whether it is installed or not. Numbers have the locale's own form: test-locales.py."""
        wanted = good("--print=top", "--focus=µ|main", SYSROOT, FILE)
        others = {key: value for key, value in ENVIRONMENT.items() if not key.startswith("LC_")}
        for name in ("C", "C.UTF-8", "de_DE.UTF-8"):
            environment = {**others, "LANG": name, "LC_NUMERIC": "C"}
            self.assertEqual(run("--print=top", "--focus=µ|main", "--min-percent=0.0", SYSROOT, FILE,
                                 env=environment)[:2], (0, wanted), name)

    def test_terminal(self):
        for recording in ("inlining-fp.data", "recursion-fp.data"):
            path = os.path.join(DATA, "recordings", recording)
            for options in (("--print=top",), ("--print=top", "--by=line"), ("--print=top", "--by=address"),
                            ("--print=tree", "--min-percent=0")):
                for width in (80, 100, 132):
                    lines = on_terminal(width, *options, SYSROOT, path)
                    self.assertGreater(len(lines), 5)
                    self.assertLessEqual(max(len(line) for line in lines), width, (options, recording))
        lines = on_terminal(80, "--print=top", SYSROOT, os.path.join(DATA, "recordings", "inlining-fp.data"))
        self.assertRegex(lines[-1], r"^… 50 of \d+ rows; --limit=0 prints all$")
        self.assertTrue(any("…" in line for line in lines[1:-1]))

    def test_no_display(self):
        status, out, errors = run(FILE)
        self.assertNotEqual(status, 0)
        self.assertEqual(out, "")
        self.assertIn("--print", errors)

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
