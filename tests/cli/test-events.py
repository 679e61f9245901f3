#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What --print=wakers, marks and syscalls print: who woke the threads that waited, from where; the arguments of tracepoints; the
time in system calls. The recordings are made up, so what happened is known.

    test-events.py PROFVIEW TESTS_DATA
"""

import collections
import json
import os
import sys
import tempfile
import unittest

from program import good, rows, run

DATA = sys.argv[2]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "golden"))
import sched_file  # noqa: E402  pylint: disable=wrong-import-position

CALLS = os.path.join(DATA, "recordings", "calls-fp.data")
WAITS = os.path.join(DATA, "recordings", "kernel-fp.data")
WAKER_HEADER = ["process", "thread", "tid", "state", "waker_process", "waker", "waker_tid", "functions", "waits", "weight"]


def names_of(ips):
    """As Profview names addresses of a program that is not there: callers by the last byte of the call. The idle task has one where
    nothing was mapped."""
    offsets = [ip - 0x400000 - (i > 0) for i, ip in enumerate(ips)]
    return " < ".join("program+0x%x" % offset for offset in offsets) if ips else "[unknown]"


class Made(unittest.TestCase):
    events, order = ["sched_switch", "sched_waking", "sched_wakeup"], "<"

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "perf.data")
        recording = sched_file.Recording(cls.events, cls.order)
        cls.machine = sched_file.Machine(recording, "events", n_cpus=2, n_threads=5)
        cls.machine.run(3000)
        cls.machine.stop()
        recording.write(cls.path)
        cls.expected = collections.Counter()
        cls.counts = collections.Counter()
        for tid, state, waker, ips, ns in cls.machine.waits:
            key = (str(tid), state, "" if waker is None else str(waker), "" if waker is None else names_of(ips))
            cls.expected[key] += ns
            cls.counts[key] += 1

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()


class Wakers(Made):
    def wakers(self, *options, path=None):
        header, table = rows("--print=wakers", *options, path or self.path)
        self.assertEqual(header, WAKER_HEADER)
        return table

    def test_sums(self):
        """Every wait is in the row of who ended it, and all of them add up to the time waited."""
        table = self.wakers()
        found = {(row[2], row[3], row[6], row[7]): int(row[9]) for row in table}
        self.assertEqual(found, dict(self.expected))
        self.assertGreater(len(found), 50)
        self.assertEqual({(row[2], row[3], row[6], row[7]): int(row[8]) for row in table}, dict(self.counts))
        weights = [int(row[9]) for row in table]
        self.assertEqual(weights, sorted(weights, reverse=True))
        self.assertEqual({row[5] for row in table if row[6] == "0"}, {"swapper"})
        self.assertTrue(all(row[1] == "worker-%d" % (int(row[2]) - 100) for row in table))

    def test_queries(self):
        """The filters of a query choose waits by the thread and the stack that waited."""
        only = self.wakers("--thread=102")
        self.assertEqual(sum(int(row[9]) for row in only), sum(ns for key, ns in self.expected.items() if key[0] == "102"))
        preempted = self.wakers("--measure=preempted")
        self.assertEqual({row[3] for row in preempted}, {"R"})
        self.assertEqual(sum(int(row[9]) for row in preempted), sum(ns for key, ns in self.expected.items() if key[1] == "R"))
        focused = self.wakers("--focus=program.0x100")
        self.assertLess(sum(int(row[9]) for row in focused), sum(self.expected.values()))
        halves = [sum(int(row[9]) for row in self.wakers(option)) for option in ("--time=..0.05", "--time=0.05..")]
        self.assertEqual(sum(halves), sum(self.expected.values()))
        self.assertEqual(self.wakers("--focus=^nothing$"), [])
        self.assertEqual(len(self.wakers("--limit=3")), 3)

    def test_formats(self):
        answer = json.loads(good("--print=wakers", "--format=json", self.path))
        self.assertEqual(list(answer), ["measure", "unit", "total", "wakers"])
        self.assertEqual((answer["measure"], answer["unit"], answer["total"]), ("off-cpu", "ns", sum(self.expected.values())))
        self.assertEqual(list(answer["wakers"][0]), WAKER_HEADER)
        self.assertEqual(len(answer["wakers"]), len(self.expected))
        header = good("--print=wakers", "--format=tsv", "--header", "--limit=1", self.path).splitlines()[0]
        self.assertEqual(header, "# measure=off-cpu\tunit=ns\ttotal=%d" % sum(self.expected.values()))
        text = good("--print=wakers", self.path).splitlines()
        self.assertEqual(text[0].split(), "Share Waited Waits Thread State Woken by In".split())
        self.assertIn("(preempted)", "\n".join(text))
        self.assertIn(" program+0x1", "\n".join(text))

    def test_other_recordings(self):
        """Context switches alone do not tell who woke a thread; without them there is nothing to say."""
        table = self.wakers(path=WAITS)
        self.assertEqual({row[5] for row in table}, {""})
        self.assertEqual({row[3] for row in table}, {"?", "R"})
        for options, reason in (([CALLS], "this profile has no waits"), (["--measure=cpu-clock", WAITS], "--measure=off-cpu")):
            status, out, errors = run("--print=wakers", *options)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(reason, errors)


SYSCALLS = {0: "read", 1: "write", 202: "futex", 257: "openat"}


class SystemCalls(Made):
    events = ["sched_switch", "sched_waking", "sys_enter", "sys_exit"]

    def test_table(self):
        """Of each thread and call: how many, how many failed, and the times."""
        header, table = rows("--print=syscalls", self.path)
        self.assertEqual(header, ["process", "thread", "tid", "syscall", "calls", "errors", "total_ns", "min_ns", "avg_ns", "max_ns"])
        expected = collections.defaultdict(list)
        for tid, number, _, ns, result, _ in self.machine.calls:
            expected[str(tid), SYSCALLS[number]].append((ns, result < 0))
        self.assertGreater(len(self.machine.calls), 300)
        found = {}
        for _, thread, tid, name, *figures in table:
            self.assertEqual(thread, "worker-%d" % (int(tid) - 100))
            found[tid, name] = tuple(map(int, figures))
        self.assertEqual(found, {key: (len(calls), sum(failed for _, failed in calls), sum(ns for ns, _ in calls),
                                       min(calls)[0], sum(ns for ns, _ in calls) // len(calls), max(calls)[0])
                                 for key, calls in expected.items()})
        self.check_histogram()
        # Threads with most time first, and calls with most time first.
        of_thread = collections.Counter()
        for (tid, _), figures in found.items():
            of_thread[tid] += figures[2]
        self.assertEqual(table, sorted(table, key=lambda row: (-of_thread[row[2]], row[2], -int(row[6]))))

    def check_histogram(self):
        """Each call is in the power of two that its time has."""
        header, table = rows("--print=syscalls", "--histogram", self.path)
        self.assertEqual(header, ["syscall", "from_ns", "to_ns", "calls", "weight"])
        counts, sums = collections.Counter(), collections.Counter()
        for _, number, _, ns, _, _ in self.machine.calls:
            key = SYSCALLS[number], 1 << (ns.bit_length() - 1)
            counts[key] += 1
            sums[key] += ns
        self.assertEqual({(row[0], int(row[1])): (int(row[3]), int(row[4])) for row in table},
                         {key: (counts[key], sums[key]) for key in counts})
        self.assertTrue(all(int(row[2]) == 2 * int(row[1]) for row in table))
        names = list(dict.fromkeys(row[0] for row in table))
        self.assertEqual(names, sorted(names, key=lambda name: -sum(ns for key, ns in sums.items() if key[0] == name)))
        self.assertEqual(table, sorted(table, key=lambda row: (names.index(row[0]), int(row[1]))))
        self.assertRegex(good("--print=syscalls", "--histogram", self.path), "█{40}\n")
        total = sum(int(row[4]) for row in table)
        for options, member in ((["--histogram"], "histogram"), ([], "calls")):
            found = json.loads(good("--print=syscalls", "--format=json", *options, self.path))
            self.assertEqual((found["measure"], found["unit"], found["total"]), ("system-calls", "ns", total))
            self.assertEqual([list(row) for row in found[member]],
                             [rows("--print=syscalls", *options, self.path)[0]] * len(found[member]))
            line = good("--print=syscalls", "--format=tsv", "--header", *options, self.path).splitlines()[0]
            self.assertEqual(line, "# measure=system-calls\tunit=ns\ttotal=%d" % total)
        self.assertEqual(run("--print=top", "--histogram", self.path)[0], 2)

    def test_measure(self):
        """The time is a measure of its own: by stack, and by the labels that calls have."""
        total = sum(call[3] for call in self.machine.calls)
        measures = {row["name"]: row for row in json.loads(good("--print=summary", "--format=json", self.path))["measures"]}
        self.assertEqual((measures["system-calls"]["total"], measures["system-calls"]["samples"]), (total, len(self.machine.calls)))
        for number, name in SYSCALLS.items():
            line = good("--print=top", "--format=tsv", "--header", "--measure=system-calls", "--label=syscall=" + name, self.path)
            self.assertIn("total=%d" % sum(call[3] for call in self.machine.calls if call[1] == number), line.splitlines()[0])
        line = good("--print=top", "--format=tsv", "--header", "--measure=system-calls", "--label=errno=2", self.path).splitlines()[0]
        self.assertIn("total=%d" % sum(call[3] for call in self.machine.calls if call[4] == -2), line)
        _, table = rows("--print=top", "--measure=system-calls", self.path)
        by_leaf = collections.Counter()
        for _, _, _, ns, _, ips in self.machine.calls:
            by_leaf["program+0x%x" % (ips[0] - 0x400000)] += ns
        self.assertEqual({row[2]: int(row[0]) for row in table if int(row[0]) > 0}, dict(by_leaf))

    def test_queries(self):
        _, table = rows("--print=syscalls", "--thread=101", "--label=syscall=futex", self.path)
        calls = [call for call in self.machine.calls if call[0] == 101 and call[1] == 202]
        self.assertEqual([(row[2], row[3], int(row[4])) for row in table], [("101", "futex", len(calls))])
        halves = [sum(int(row[6]) for row in rows("--print=syscalls", option, self.path)[1]) for option in ("--time=..0.02", "--time=0.02..")]
        self.assertEqual(sum(halves), sum(call[3] for call in self.machine.calls))
        self.assertGreater(min(halves), 0)
        status, out, errors = run("--print=syscalls", CALLS)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("raw_syscalls:sys_enter", errors)
        self.assertIn("System Call", good("--print=syscalls", self.path).splitlines()[0])


class BigEndianSystemCalls(SystemCalls):
    order = ">"


class SampledSwitches(unittest.TestCase):
    def notes(self, freq):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "perf.data")
            recording = sched_file.Recording(["sched_switch", "sched_waking"], freq=freq)
            sched_file.Machine(recording, "sampled", n_threads=4).run(300)
            recording.write(path)
            summary = json.loads(good("--print=summary", "--format=json", path))
        return [note for note in summary["notes"] if "context switches were recorded" in json.dumps(note)]

    def test_note(self):
        """Where not each switch is recorded, a note says that waits are not to be trusted."""
        self.assertEqual(len(self.notes(["sched_switch"])), 1)
        self.assertEqual(self.notes(["sched_waking"]), [])
        self.assertEqual(self.notes([]), [])


class Marks(Made):
    events = ["sched_waking", "sched_switch", "sys_enter", "sys_exit"]

    def test_fields(self):
        """Of one event each field is a column; numbers have their sign."""
        header, table = rows("--print=marks", "--measure=raw_syscalls:sys_exit", self.path)
        self.assertEqual(header, ["time_ns", "process", "thread", "tid", "cpu", "event", "id", "ret"])
        start = self.start()
        self.assertEqual([(int(row[0]), row[3], row[6], row[7]) for row in table],
                         sorted((begin + ns - start, str(tid), str(number), str(result))
                                for tid, number, begin, ns, result, _ in self.machine.calls))
        header, table = rows("--print=marks", "--measure=sched:sched_switch", self.path)
        self.assertEqual(header[6:], ["prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid", "next_prio"])
        self.assertTrue(all(row[3] == row[7] and row[2] == row[6] or row[7] == "0" for row in table))
        self.assertEqual({row[8] for row in table}, {"120"})
        # A field may be called as another column is.
        header, table = rows("--print=marks", "--measure=sched:sched_waking", "--limit=1", self.path)
        self.assertEqual(header[6:], ["comm", "pid", "prio", "target_cpu"])

    def start(self):
        return json.loads(good("--print=summary", "--format=json", self.path))["start_ns"]

    def test_events(self):
        """Several events are merged in the order of time."""
        header, table = rows("--print=marks", self.path)
        self.assertEqual(header, ["time_ns", "process", "thread", "tid", "cpu", "event", "fields"])
        self.assertEqual(len(table), self.machine.recording.n_samples)
        times = [int(row[0]) for row in table]
        self.assertEqual(times, sorted(times))
        self.assertEqual({row[5].split(":")[1] for row in table}, set(self.events))
        enter = next(row for row in table if row[5] == "raw_syscalls:sys_enter")
        self.assertRegex(enter[6], r"^id=\d+ args=0x[0-9a-f]+(,0x[0-9a-f]+){5}$")
        text = good("--print=marks", self.path).splitlines()
        self.assertEqual(len(text), 52)
        self.assertIn("prev_comm=", "\n".join(text))
        answer = json.loads(good("--print=marks", "--format=json", "--measure=raw_syscalls:sys_exit", "--limit=2", self.path))
        self.assertEqual(len(answer), 2)
        self.assertIsInstance(answer[0]["ret"], int)

    def test_filters(self):
        everything = rows("--print=marks", "--measure=sched:sched_switch", self.path)[1]
        mine = rows("--print=marks", "--measure=sched:sched_switch", "--thread=103", self.path)[1]
        self.assertEqual(mine, [row for row in everything if row[3] == "103"])
        early = rows("--print=marks", "--measure=sched:sched_switch", "--time=1ms..3ms", self.path)[1]
        self.assertEqual(early, [row for row in everything if 10**6 <= int(row[0]) < 3 * 10**6])
        focused = rows("--print=marks", "--measure=sched:sched_switch", "--focus=program.0x100", self.path)[1]
        self.assertTrue(0 < len(focused) < len(everything))

    def test_sums(self):
        _, table = rows("--print=marks", "--sum=ret", self.path)
        expected = collections.defaultdict(list)
        for tid, _, _, _, result, _ in self.machine.calls:
            expected[str(tid)].append(result)
        self.assertEqual({row[3]: tuple(map(int, row[4:])) for row in table},
                         {tid: (len(results), sum(results), min(results), max(results)) for tid, results in expected.items()})
        self.assertEqual({row[0] for row in table}, {"raw_syscalls:sys_exit"})
        sums = [int(row[5]) for row in table]
        self.assertEqual(sums, sorted(sums, reverse=True))
        for field in ("nothing", "comm", "args"):
            status, out, errors = run("--print=marks", "--sum=" + field, self.path)
            self.assertEqual((status, out), (1, ""))
            self.assertIn(field, errors)
        # The field is there, but nothing that the filters keep.
        self.assertEqual(rows("--print=marks", "--sum=ret", "--focus=^nothing$", self.path)[1], [])
        self.assertIn("No samples match", good("--print=marks", "--sum=ret", "--focus=^nothing$", self.path))
        self.assertEqual(run("--print=top", "--sum=ret", self.path)[0], 2)

    def test_other_recordings(self):
        for options, reason in (([WAITS], "no events with fields"), (["--measure=off-cpu", self.path], "must name an event")):
            status, out, errors = run("--print=marks", *options)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(reason, errors)


class BigEndianMarks(Marks):
    order = ">"


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
