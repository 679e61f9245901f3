#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What --print=wakers prints: who woke the threads that waited, from where. The recordings are made up, so what happened is known.

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
    """As Profview names addresses of a program that is not there: callers by the last byte of the call. The idle task has none."""
    offsets = [ip - 0x400000 - (i > 0) for i, ip in enumerate(ips)]
    return " < ".join("program+0x%x" % offset for offset in offsets) if ips else "0x10"


class Made(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "perf.data")
        recording = sched_file.Recording(["sched_switch", "sched_waking", "sched_wakeup"])
        cls.machine = sched_file.Machine(recording, "wakers", n_cpus=2, n_threads=5)
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
