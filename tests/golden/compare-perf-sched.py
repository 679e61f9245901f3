#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-perf-sched.py PROFVIEW: the waits of each thread are those of `perf sched timehist`, which prints whole microseconds.

The recordings are made up (sched_file.py), as few kernels that run tests give tracepoints. Differences that are meant: perf leaves
out waits that are not over at the end; and before version 6.11 it takes threads that are marked as preempted ("R+") for asleep."""
import collections
import os
import re
import subprocess
import sys
import tempfile

import perf_report
import sched_file

MEASURES = ("off-cpu", "blocked", "preempted", "run-queue-delay")


def ours(program, path, measure):
    """{tid: ns}"""
    text = subprocess.run([program, "--print=timeline", "--bins=1", "--format=tsv", "--measure=" + measure, path],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=perf_report.ENVIRONMENT, check=True).stdout.decode()
    sums = collections.Counter()
    for line in text.splitlines()[1:]:
        _, _, tid, _, _, weight = line.split("\t")
        sums[int(tid)] += int(weight)
    return sums


def theirs(path):
    """{tid: (sleep, iowait, preempt, delay) in us}"""
    rows = {}
    for line in perf_report.perf("sched", "timehist", "-s", "--state", "-i", path).splitlines():
        match = re.match(r"\s*\S+\[(\d+)(?:/\d+)?\]\s+-?\d+\s+\d+\s+[\d.]+\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s*$", line)
        if match:
            rows[int(match.group(1))] = tuple(round(float(cell) * 1000) for cell in match.groups()[1:])
    return rows


class Comparison:
    def __init__(self, program):
        self.program, self.n_equal, self.n_different = program, 0, 0

    def check(self, what, perf_us, ns, slack=0):
        if perf_us <= ns // 1000 <= perf_us + slack:
            self.n_equal += 1
        else:
            self.n_different += 1
            print(f"{what}: perf {perf_us} us, profview {ns} ns")

    def compare(self, path, name, events, order="<", has_plus=False, is_stopped=True):
        recording = sched_file.Recording(events, order)
        machine = sched_file.Machine(recording, name, n_cpus=3, n_threads=9, has_plus=has_plus)
        machine.run(4000)
        if is_stopped:
            machine.stop()
        recording.write(path)
        has_wakeups = any(event.startswith("sched_wak") for event in events)
        sums = {measure: ours(self.program, path, measure) for measure in MEASURES[:4 if has_wakeups else 3]}
        rows = theirs(path)
        if set(rows) != {thread.tid for thread in machine.threads}:
            sys.exit(f"{name}: perf has the threads {sorted(rows)}")
        for thread in machine.threads:
            sleep, iowait, preempt, delay = rows[thread.tid]
            # Sums of parts that were each cut to microseconds.
            off, blocked, preempted = (sums[measure][thread.tid] for measure in MEASURES[:3])
            what = f"{name}, {thread.tid}"
            if off != blocked + preempted:
                sys.exit(f"{what}: {off} ns are not {blocked} and {preempted} ns")
            if not is_stopped:
                open_ns = machine.time - thread.left if thread.left is not None else 0
                # What perf counts when the thread leaves again, it does not count of threads that still run.
                self.check(what + " with the end", sleep + iowait + preempt, off, 10**9)
                if thread.left is not None:
                    self.check(what + " without the end", sleep + iowait + preempt, off - open_ns, 2)
                continue
            self.check(what + " off-cpu", sleep + iowait + preempt, off, 2)
            if not has_plus:
                self.check(what + " blocked", sleep + iowait, blocked, 1)
                self.check(what + " preempted", preempt, preempted)
            elif preempt != preempted // 1000:
                self.check(what + " preempted before 6.11", preempt, preempted - thread.plus_ns)
            if has_wakeups:
                self.check(what + " delay", delay, sums["run-queue-delay"][thread.tid])


def main():
    comparison = Comparison(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "perf.data")
        switch, waking, wakeup = "sched_switch", "sched_waking", "sched_wakeup"
        comparison.compare(path, "both", [switch, waking, wakeup])
        comparison.compare(path, "wakeup", [wakeup, switch])
        comparison.compare(path, "switch", [switch])
        comparison.compare(path, "big-endian", [switch, waking], order=">")
        comparison.compare(path, "marked", [switch, wakeup], has_plus=True)
        comparison.compare(path, "cut", [switch, waking, wakeup], is_stopped=False)
    print(f"{comparison.n_equal} figures are equal, {comparison.n_different} differ")
    sys.exit(comparison.n_different > 0 or comparison.n_equal < 150)


main()
