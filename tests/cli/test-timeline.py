#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What --print=timeline prints: the weight of each thread in equal parts of the time; and the picture of it.

    test-timeline.py PROFVIEW TESTS_DATA
"""

import collections
import fcntl
import html
import json
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

from crafted import perf_data, perf_sample
from program import ENVIRONMENT, PROFVIEW, good, rows, run

DATA = sys.argv[2]
SYSROOT = "--sysroot=" + os.path.join(DATA, "sysroot")
THREADS = os.path.join(DATA, "recordings", "threads-fp.data")
SPAWNER = os.path.join(DATA, "recordings", "spawner-fp.data")
ALTSTACK = os.path.join(DATA, "recordings", "signals-altstack-dwarf.data.zst")
CPUS = os.path.join(DATA, "recordings", "cpus-fp.data")
WAITS = os.path.join(DATA, "recordings", "kernel-fp.data")
BLOCKS = " ▁▂▃▄▅▆▇█"


def timeline(*arguments):
    header, table = rows("--print=timeline", SYSROOT, *arguments)
    assert header == ["process", "thread", "tid", "start_ns", "end_ns", "weight"], header
    return [(process, thread, int(tid), int(start), int(end), int(weight))
            for process, thread, tid, start, end, weight in table]


def total(*arguments):
    """What the query keeps, by another report."""
    line = good("--print=top", "--format=tsv", "--header", "--limit=1", SYSROOT, *arguments).splitlines()[0]
    return int(re.search(r"\ttotal=(\d+)", line).group(1))


def duration(path):
    return json.loads(good("--print=summary", "--format=json", path))["duration_ns"]


def bars(text):
    """[(share, thread, bar)] of a report for people, without its first and last line."""
    lines = text.splitlines()
    start = re.search(r"\S+ \S+ +\S+ \S+$", lines[0]).start()
    return [(float(line.split()[0]), line[:start].rstrip().rsplit("  ", 1)[1], line[start:].ljust(len(lines[0]) - start))
            for line in lines[1:-1]]


def on_terminal(width, *arguments):
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
    return out.decode().replace("\r\n", "\n")


class Timeline(unittest.TestCase):
    def test_sums(self):
        """However fine the bins, they add up to each thread's samples; they have equal widths and no gaps."""
        length = duration(THREADS) + 1
        for n_bins in (1, 2, 7, 100, 5000, 1000000):
            table = timeline(f"--bins={n_bins}", THREADS)
            sums = collections.Counter()
            for _, _, tid, start, end, weight in table:
                self.assertGreater(weight, 0)
                self.assertIn(end - start, (length // n_bins, length // n_bins + 1))
                place = (start * n_bins + length - 1) // length
                self.assertEqual((start, end), (length * place // n_bins, length * (place + 1) // n_bins))
                sums[tid] += weight
            self.assertEqual(sum(sums.values()), total(THREADS))
            self.assertEqual(sums, {tid: total(f"--thread={tid}", THREADS) for tid in sums})
            self.assertEqual(len(sums), 3)
            places = [(tid, start) for _, _, tid, start, _, _ in table]
            self.assertEqual(len(set(places)), len(places))
            # Threads heaviest first, each in the order of time.
            order = list(dict.fromkeys(tid for tid, _ in places))
            self.assertEqual(order, sorted(sums, key=lambda tid: -sums[tid]))
            self.assertEqual(places, sorted(places, key=lambda place: (order.index(place[0]), place[1])))
        self.assertEqual(len({start for _, _, _, start, _, _ in timeline("--bins=1", THREADS)}), 1)
        self.assertEqual(timeline(THREADS), timeline("--bins=100", THREADS))

    def test_bins_are_ranges(self):
        """A bin has what --time says of its time."""
        for path, measure in ((SPAWNER, "cpu-clock:u"), (WAITS, "off-cpu"), (WAITS, "context-switches")):
            for _, thread, tid, start, end, weight in timeline("--bins=9", "--measure=" + measure, path)[::3]:
                self.assertTrue(thread)
                alone = timeline("--bins=1", f"--time={start}ns..{end}ns", "--measure=" + measure, path)
                self.assertIn(weight, [row[5] for row in alone if row[2] == tid])
                self.assertEqual(sum(row[5] for row in alone),
                                 total(f"--time={start}ns..{end}ns", "--measure=" + measure, path))

    def test_waits_are_spread(self):
        """A wait is in all the bins that it reaches into, not only where it starts."""
        table = timeline("--bins=200", "--measure=off-cpu", WAITS)
        self.assertEqual(sum(row[5] for row in table), total("--measure=off-cpu", WAITS))
        width = max(end - start for *_, start, end, _ in table)
        self.assertTrue(all(weight <= width for *_, weight in table), "no thread waits more than all the time")
        self.assertGreater(sum(weight == end - start for *_, start, end, weight in table), 20)

    def test_filters(self):
        tid = str(timeline("--bins=1", THREADS)[1][2])
        for options in (("--focus=produce",), ("--ignore=produce",), ("--thread=" + tid,), ("--exclude-thread=" + tid,),
                        ("--time=0.1..0.35",), ("--time=..0.2", "--focus=^main$"), ("--hide=libc", "--my-code"),
                        ("--show-from=produce", "--cpu=0"), ("--process=threads", "--time=0.3..")):
            found = sum(row[5] for row in timeline("--bins=13", *options, THREADS))
            self.assertEqual(found, total(*options, THREADS), options)
        table = timeline("--bins=10", "--time=0.1..0.35", THREADS)
        self.assertEqual({(start - 100000000) % 25000000 for _, _, _, start, _, _ in table}, {0})
        self.assertEqual({end - start for _, _, _, start, end, _ in table}, {25000000})
        self.assertEqual(timeline("--time=9..10", THREADS), [])
        self.assertEqual(timeline("--time=0.5..0.5", THREADS), [])

    def test_processes(self):
        """Threads of a process stand together, and one that executes another program is a row of its own."""
        names = list(dict.fromkeys(row[:3] for row in timeline(SPAWNER)))
        tids = [tid for _, _, tid in names]
        self.assertGreater(len(tids), len(set(tids)))
        processes = [process for process, _, _ in names]
        self.assertEqual(list(dict.fromkeys(processes)), [process for i, process in enumerate(processes)
                                                          if i == 0 or processes[i - 1] != process])

    def test_formats(self):
        table = timeline("--bins=12", THREADS)
        answer = json.loads(good("--print=timeline", "--bins=12", "--format=json", SYSROOT, THREADS))
        self.assertEqual(list(answer), ["measure", "unit", "total", "start_ns", "end_ns", "bins", "without_time", "timeline"])
        self.assertEqual([tuple(row.values()) for row in answer["timeline"]], table)
        self.assertEqual(list(answer["timeline"][0]), ["process", "thread", "tid", "start_ns", "end_ns", "weight"])
        self.assertEqual((answer["measure"], answer["unit"], answer["total"], answer["bins"]),
                         ("cpu-clock:u", "ns", total(THREADS), 12))
        self.assertEqual((answer["start_ns"], answer["end_ns"]), (0, duration(THREADS) + 1))
        answer = json.loads(good("--print=timeline", "--format=json", "--time=9..10", THREADS))
        self.assertEqual((answer["total"], answer["timeline"]), (0, []))
        first = good("--print=timeline", "--format=tsv", "--header", THREADS).splitlines()[0]
        self.assertEqual(first, f"# measure=cpu-clock:u\tunit=ns\ttotal={total(THREADS)}")
        self.assertEqual(len(timeline("--limit=5", THREADS)), 5)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.tsv")
            good("--export=" + path, "--print=timeline", "--bins=12", SYSROOT, THREADS)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), good("--print=timeline", "--bins=12", "--format=tsv", SYSROOT, THREADS))

    def test_text(self):
        """A character for each bin, higher for more, blank for nothing; shares are of the printed time."""
        table = timeline("--bins=40", THREADS)
        highest = max(row[5] for row in table)
        length = duration(THREADS) + 1
        text = good("--print=timeline", "--bins=40", THREADS)
        self.assertRegex(text.splitlines()[0], r"^ *Share +Weight +Process +Thread +0 ns +813 ms$")
        self.assertRegex(text.splitlines()[-1], r"^Each column is 20\.3 ms; █ stands for [0-9.]+ ms of cpu-clock:u\.$")
        found = bars(text)
        self.assertEqual(len(found), 3)
        for share, thread, bar in found:
            name, tid = re.fullmatch(r"(.*) \((\d+)\)", thread).groups()
            weights = {start * 40 // length + (start * 40 % length > 0): weight
                       for _, other, other_tid, start, _, weight in table if (other, other_tid) == (name, int(tid))}
            self.assertAlmostEqual(share, 100 * sum(weights.values()) / total(THREADS), delta=0.051)
            self.assertEqual(len(bar), 40)
            for place, block in enumerate(bar):
                height = BLOCKS.index(block)
                weight = weights.get(place, 0)
                self.assertEqual(height > 0, weight > 0)
                self.assertLessEqual(abs(height - 8 * weight / highest), 1)
        self.assertEqual(len(bars(good("--print=timeline", "--min-percent=30", THREADS))), 2)
        self.assertEqual(len(bars(good("--print=timeline", "--limit=1", THREADS))), 1)
        self.assertIn("No samples match the query.\nNo CPU time in 9.00–10.00 s. ", good("--print=timeline", "--time=9..10", THREADS))

    def test_terminal(self):
        for width in (70, 80, 120, 150, 400):
            text = on_terminal(width, "--print=timeline", SPAWNER)
            self.assertTrue(all(len(line) <= width for line in text.splitlines()), text)
            self.assertEqual(len(bars(text)[0][2]), min(max(width - 50, 20), 100))
        # What is asked for is drawn, wider than the terminal if need be.
        self.assertEqual(len(bars(on_terminal(80, "--print=timeline", "--bins=90", SPAWNER))[0][2]), 90)

    def test_refusals(self):
        heap = os.path.join(DATA, "heaptrack", "leak.raw.zst")
        dumps = [os.path.join(DATA, "pprof", f"pantry-{i}.heap") for i in (1, 2, 3)]
        for reason, arguments in (("does not say when its samples were taken", [os.path.join(DATA, "pprof", "go-cpu.pb.gz")]),
                                  ("--chart", [heap]), ("--chart=dumps", ["--series", *dumps]),
                                  ("--bins applies to --print=timeline", ["--print=top", "--bins=5", THREADS]),
                                  ("--bins: must be between", ["--bins=-1", THREADS]),
                                  ("--bins: must be between", ["--bins=1000001", THREADS]),
                                  ("--group applies to", ["--group=thread", THREADS])):
            status, out, errors = run("--print=timeline", *arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertTrue(errors.startswith("profview: "), errors)
            self.assertIn(reason, errors)
        for option in ("--export=x.tsv", "--export=x.svg"):
            status, _, errors = run(option, "--bins=5", THREADS)
            self.assertEqual(status, 2)
            self.assertIn("--bins applies to --print=timeline", errors)

    def test_without_times(self):
        """Samples that have none are counted, but are in no bin; with a range they do not count at all."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "perf.data")
            for times in ((0, 0, 0, 5000, 6000, 7000, 8000), (0, 0)):
                with open(path, "wb") as file:
                    file.write(b"".join(perf_data([perf_sample(0x1010, 1, time) for time in times])))
                if times[-1] == 0:
                    status, out, errors = run("--print=timeline", path)
                    self.assertEqual((status, out), (2, ""))
                    self.assertIn("does not say when its samples were taken", errors)
                    continue
                answer = json.loads(good("--print=timeline", "--format=json", "--bins=3", path))
                self.assertEqual(answer["without_time"] * 4, answer["total"] * 3)
                self.assertEqual(answer["without_time"] + answer["total"], total(path))
                self.assertEqual([row["weight"] * 4 for row in answer["timeline"]], [answer["total"]] * 2 + [answer["total"] * 2])
                text = good("--print=timeline", path)
                self.assertEqual(text.splitlines()[-1], "42.9 % of all has no time and is not shown.")
                ranged = json.loads(good("--print=timeline", "--format=json", "--time=0..1", path))
                self.assertEqual((ranged["without_time"], ranged["total"]), (0, answer["total"]))
                self.assertNotIn("no time", good("--print=timeline", "--time=0..1", path))

    def test_help(self):
        text = good("--help")
        self.assertRegex(text, r"--view=WHAT.*timeline")
        self.assertIn("--bins=N", text)
        self.assertRegex(text, r"--print=WHAT.*timeline")


def picture(*arguments):
    """[(name, share, amount)] of the rows of --view=timeline."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.svg")
        good("--export=" + path, "--view=timeline", SYSROOT, *arguments)
        with open(path, encoding="utf-8") as file:
            text = file.read()
    assert "<image" not in text
    found = re.findall(r"<title>(.*)\n([\d.]+) % \((.*)\)</title>", text)
    return [(html.unescape(name), float(share), amount) for name, share, amount in found]


def check_kinds(test, view):
    """A picture of each kind that its name asks for, as large as it is to be."""
    with tempfile.TemporaryDirectory() as folder:
        for ending, start in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
            path = os.path.join(folder, "out" + ending)
            good("--export=" + path, "--view=" + view, "--width=800", "--height=300", SYSROOT, THREADS)
            with open(path, "rb") as file:
                data = file.read()
            test.assertTrue(data.startswith(start))
            if ending == ".png":
                test.assertEqual(struct.unpack(">II", data[16:24]), (800, 300))
            if ending == ".svg":
                test.assertIn(b'width="800px" height="300px"', data)


class Picture(unittest.TestCase):
    def test_kinds(self):
        check_kinds(self, "timeline")

    def test_rows(self):
        """The threads of the table, in its order and with their shares, whatever the query."""
        for options in ((THREADS,), (SPAWNER,), (WAITS, "--measure=off-cpu"), (THREADS, "--focus=^produce$"),
                        (THREADS, "--time=0.1..0.35"), (SPAWNER, "--process=calls", "--time=..0.24")):  # it begins at 0.216
            sums = collections.Counter()
            for _, thread, tid, _, _, weight in timeline("--bins=7", *options):
                sums[f"{thread} ({tid})"] += weight
            # Threads without weight in that time have rows too.
            found = picture(*options)
            drawn = [name.rsplit(" · ")[-1] for name, share, _ in found if share > 0]
            self.assertEqual(drawn, [name for name in sums if sums[name] * 2000 >= sum(sums.values())], options)
            for name, share, _ in found:
                self.assertAlmostEqual(share, 100 * sums[name.rsplit(" · ")[-1]] / sum(sums.values()), delta=0.051)
            self.assertEqual(picture("--group=thread", *options), found)

    def test_cpus(self):
        found = picture("--group=cpu", CPUS)
        self.assertEqual([name for name, _, _ in found], ["CPU 0", "CPU 1"])
        for cpu, (_, share, _) in enumerate(found):
            self.assertAlmostEqual(share, 100 * total(f"--cpu={cpu}", CPUS) / total(CPUS), delta=0.051)

    def test_height(self):
        """As many whole rows as fit."""
        self.assertEqual(len(picture("--height=220", SPAWNER)), 1)  # 30 more than a row: of all
        self.assertEqual(len(picture("--height=900", SPAWNER)), len(picture(SPAWNER)))

    def test_quality(self):
        """A row above says where stacks were truncated, where some were: as much of it as the summary says."""
        truncated = "rgb(78%,33%,0%)"
        self.assertIn("100.0 % complete", good("--print=summary", SYSROOT, THREADS))
        self.assertIn("31.5 % truncated", good("--print=summary", SYSROOT, ALTSTACK))
        with tempfile.TemporaryDirectory() as folder:
            for file, is_bad in ((THREADS, False), (ALTSTACK, True)):
                path = os.path.join(folder, "out.svg")
                good("--export=" + path, "--view=timeline", "--width=1000", SYSROOT, file)
                with open(path, encoding="utf-8") as svg:
                    text = svg.read().replace(", ", ",")
                self.assertEqual(truncated in text, is_bad, file)

    def test_refusals(self):
        heap = os.path.join(DATA, "heaptrack", "leak.raw.zst")
        dumps = [os.path.join(DATA, "pprof", f"pantry-{i}.heap") for i in (1, 2, 3)]
        for status, reason, arguments in (
                (2, "does not say when its samples were taken", [os.path.join(DATA, "pprof", "go-cpu.pb.gz")]),
                (2, "--view=timeline: a heap trace has charts over time instead: --chart", [heap]),
                (2, "--chart=dumps", ["--series", *dumps]),
                (2, "does not say on which CPUs", ["--group=cpu", THREADS]),
                (2, "--group=thread (default) or --group=cpu", ["--group=process", THREADS]),
                (2, "--invert does not apply", ["--invert", THREADS]),
                (2, "--view and --chart cannot be used together", ["--chart=live", heap]),
                (2, "tables (--print) can only be written", ["--print=timeline", THREADS]),
                (1, "no samples match the query", ["--time=9..10", THREADS]),
                (1, "no samples match the query", ["--time=0.5..0.5", THREADS])):
            with tempfile.TemporaryDirectory() as folder:
                found, out, errors = run("--export=" + os.path.join(folder, "out.svg"), "--view=timeline", *arguments)
                self.assertEqual((found, out, os.listdir(folder)), (status, "", []), arguments)
            self.assertTrue(errors.startswith("profview: "), errors)
            self.assertIn(reason, errors)
        status, _, errors = run("--export=x.folded", "--view=timeline", THREADS)
        self.assertEqual(status, 2)
        self.assertIn("--view is for pictures", errors)


def chart(*arguments, width=1000):
    """(thread, boxes) of --view=flamechart: boxes are (row, name, ms, from_ms)."""
    units = {"ns": 1e-6, "µs": 1e-3, "ms": 1, "s": 1e3}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.svg")
        good("--export=" + path, "--view=flamechart", "--width=%d" % width, SYSROOT, *arguments)
        with open(path, encoding="utf-8") as file:
            text = file.read()
    assert "<image" not in text
    found = re.findall(r'y="(\d+)" width="\d+" height="\d+"><title>([^\n]*)\n([\d.]+) (\w+), '
                       r"from ([\d.]+) (\w+) on", text)
    tops = sorted({int(y) for y, *_ in found})
    boxes = [(tops.index(int(y)), html.unescape(name), float(amount) * units[unit], float(start) * units[at])
             for y, name, amount, unit, start, at in found]
    return boxes[0][1], boxes


class FlameChart(unittest.TestCase):
    def test_kinds(self):
        check_kinds(self, "flamechart")

    def test_thread(self):
        """The busiest one, or what the filter leaves; in the title."""
        weights = collections.Counter()
        for _, thread, tid, _, _, weight in timeline(THREADS):
            weights[f"{thread} ({tid})"] += weight
        names = [name for name, _ in weights.most_common()]
        self.assertEqual("threads · " + names[0], chart(THREADS)[0])
        for name in names:
            tid = name.split("(")[1].strip(")")
            self.assertEqual(chart("--thread=" + tid, THREADS)[0].rsplit("· ")[-1], name)
        ranged = collections.Counter()
        for _, thread, tid, _, _, weight in timeline("--time=..0.05", THREADS):
            ranged[f"{thread} ({tid})"] += weight
        self.assertIn(ranged.most_common(1)[0][0], chart("--time=..0.05", THREADS)[0])

    def test_boxes(self):
        """As long as the samples of a recording at 1 kHz are: what there is of the range is what the samples stand for."""
        for arguments in ((SPAWNER,), (SPAWNER, "--time=0.05..0.2"), (THREADS, "--thread=producer", "--time=0.2..0.3")):
            _, boxes = chart(*arguments, width=8000)
            rows = max(row for row, *_ in boxes)
            sums = [sum(ms for row, _, ms, _ in boxes if row == wanted) for wanted in range(rows + 1)]
            self.assertEqual(len([box for box in boxes if box[0] == 0]), 1)
            for above, below in zip(sums, sums[1:]):
                self.assertLessEqual(below, above * 1.01)
            for row in range(rows + 1):
                starts = [start for at, _, _, start in boxes if at == row]
                self.assertEqual(starts, sorted(starts))

    def test_transforms(self):
        """What is ignored is a gap; what is hidden lets others join."""
        names = {name for _, name, *_ in chart(THREADS)[1]}
        self.assertIn("produce", names)
        self.assertNotIn("produce", {name for _, name, *_ in chart("--hide=^produce$", "--thread=producer", THREADS)[1]})
        whole = chart("--thread=producer", THREADS, width=8000)[1]
        part = chart("--thread=producer", "--ignore=pthread_mutex_lock", THREADS, width=8000)[1]
        self.assertIn("pthread_mutex_lock", {box[1] for box in whole})
        self.assertNotIn("pthread_mutex_lock", {box[1] for box in part})
        self.assertLess(sum(box[2] for box in part if box[0] == 1), sum(box[2] for box in whole if box[0] == 1))

    def test_refusals(self):
        heap = os.path.join(DATA, "heaptrack", "leak.raw.zst")
        for status, reason, arguments in (
                (2, "does not say when its samples were taken", [os.path.join(DATA, "pprof", "go-cpu.pb.gz")]),
                (2, "--view=flamechart: a heap trace has charts over time instead: --chart", [heap]),
                (2, "--group and --invert do not apply to --view=flamechart", ["--invert", THREADS]),
                (2, "--group and --invert do not apply to --view=flamechart", ["--group=thread", THREADS]),
                (1, "no samples match the query", ["--time=9..10", THREADS]),
                (2, "no thread is called", ["--thread=nobody", THREADS])):
            with tempfile.TemporaryDirectory() as folder:
                found, out, errors = run("--export=" + os.path.join(folder, "out.svg"), "--view=flamechart", *arguments)
                self.assertEqual((found, out, os.listdir(folder)), (status, "", []), (arguments, errors))
            self.assertIn(reason, errors)


class Phases(unittest.TestCase):
    HEADER = ["start_ns", "end_ns", "samples", "weight", "function", "self_share", "typical"]

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "perf.data")
        samples = []
        for i in range(3000):
            if not 1000 <= i < 2000:  # a second without samples
                samples.append(perf_sample(0x402000 if i < 1000 else 0x403000, 7, i * 1000000 + 1))
        with open(self.path, "wb") as file:
            file.writelines(perf_data(samples))

    def phases(self, *options):
        header, table = rows("--print=phases", *options, self.path)
        self.assertEqual(header, self.HEADER)
        return table

    def test_three(self):
        table = self.phases()
        self.assertEqual(len(table), 3)
        self.assertEqual([int(row[2]) for row in table], [1000, 0, 1000])
        self.assertEqual(table[1][3:], ["0", "", "", ""])
        first, last = table[0], table[2]
        self.assertEqual(["0x402000", "1.0000", "0x402000"], first[4:])
        self.assertEqual(["0x403000", "1.0000", "0x403000"], last[4:])
        self.assertEqual(sum(int(row[3]) for row in table), total(self.path))
        self.assertEqual([row[1] for row in table[:2]], [row[0] for row in table[1:]])

    def test_formats(self):
        table = self.phases()
        members = json.loads(good("--print=phases", "--format=json", self.path))
        self.assertEqual([row["start_ns"] for row in members["phases"]], [int(row[0]) for row in table])
        self.assertIsNone(members["phases"][1]["function"])
        text = good("--print=phases", self.path).splitlines()
        self.assertEqual(len(text), 4)
        self.assertRegex(text[2], r"1\.\d+ s|\(no samples\)")
        self.assertEqual(len(self.phases("--limit=2")), 2)
        header = good("--print=phases", "--format=tsv", "--header", self.path).splitlines()[0]
        self.assertIn("total=%d" % total(self.path), header)

    def test_query(self):
        self.assertEqual(len(self.phases("--time=..0.9")), 1)
        self.assertEqual(self.phases("--focus=^nothing$"), [])

    def test_refused(self):
        status, _, errors = run("--print=phases", os.path.join(DATA, "pprof", "go-cpu.pb.gz"))
        self.assertNotEqual(status, 0)
        self.assertIn("--print=phases: this profile does not say when its samples were taken", errors)


def heat(*arguments):
    """[(start in s, end in s, ms)] of the cells of --view=heatmap that have something."""
    units = {"ns": 1e-6, "µs": 1e-3, "ms": 1, "s": 1e3}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.svg")
        good("--export=" + path, "--view=heatmap", SYSROOT, *arguments)
        with open(path, encoding="utf-8") as file:
            text = file.read()
    found = re.findall(r"<title>([\d.]+)–([\d.]+) s\n([\d.]+) (\w+)</title>", text)
    return [(float(start), float(end), float(amount) * units[unit]) for start, end, amount, unit in found]


class HeatMap(unittest.TestCase):
    def test_kinds(self):
        check_kinds(self, "heatmap")

    def test_cells(self):
        """All cells have what the table says of the query, and each what the table says of its time."""
        for options in ((THREADS,), (SPAWNER, "--process=calls"), (THREADS, "--thread=producer", "--focus=^produce$"),
                        (THREADS, "--time=0.1..0.35"), (WAITS, "--measure=off-cpu")):
            cells = heat(*options)
            whole = total(*options)
            self.assertAlmostEqual(sum(amount for _, _, amount in cells) * 1e6, whole, delta=whole * 0.006)
            starts = [start for start, _, _ in cells]
            self.assertEqual(starts, sorted(starts))
        for start, end, amount in heat(THREADS)[::60]:
            self.assertAlmostEqual(amount * 1e6, total(f"--time={start}..{end}", THREADS), delta=amount * 6e3)

    def test_refusals(self):
        heap = os.path.join(DATA, "heaptrack", "leak.raw.zst")
        for status, reason, arguments in (
                (2, "does not say when its samples were taken", [os.path.join(DATA, "pprof", "go-cpu.pb.gz")]),
                (2, "--view=heatmap: a heap trace has charts over time instead: --chart", [heap]),
                (2, "--group and --invert do not apply to --view=heatmap", ["--invert", THREADS]),
                (2, "--group and --invert do not apply to --view=heatmap", ["--group=cpu", THREADS]),
                (1, "no samples match the query", ["--time=9..10", THREADS]),
                (1, "no samples match the query", ["--time=0.5..0.5", THREADS])):
            with tempfile.TemporaryDirectory() as folder:
                found, out, errors = run("--export=" + os.path.join(folder, "out.svg"), "--view=heatmap", *arguments)
                self.assertEqual((found, out, os.listdir(folder)), (status, "", []), (arguments, errors))
            self.assertIn(reason, errors)


if __name__ == "__main__":
    unittest.main(argv=["test-timeline.py"])
