#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-perf-sched.py PROFVIEW PERF-DATA...: the waits of each thread are those of `perf sched timehist`, its system calls those of `perf trace
-s`, which both print whole microseconds; the fields of each tracepoint are those that `perf script` prints.

Of the recordings that are named, the waits of each thread are those between the context switches that `perf script` prints. The
others are made up (sched_file.py), as few kernels that run tests give tracepoints. Differences that are meant: perf leaves
out waits that are not over at the end; and before version 6.11 it takes threads that are marked as preempted ("R+") for asleep."""
import collections
import os
import re
import sys
import tempfile

import perf_report
import sched_file

MEASURES = ("off-cpu", "blocked", "preempted", "run-queue-delay")


def ours(program, path, measure):
    """{tid: ns}"""
    text = perf_report.own(program, "--print=timeline", "--bins=1", "--format=tsv", "--measure=" + measure, path)
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


def theirs_of_calls(path):
    """{(tid, name): (calls, errors, total, min, avg, max)}, times in us"""
    rows, tid = {}, None
    for line in perf_report.perf_and_errors("trace", "-s", "-i", path).splitlines():
        head = re.match(r"\s*\S+ \((\d+)\), \d+ events", line)
        row = re.match(r"\s+(\w+)\s+(\d+)\s+(\d+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+[\d.]+%", line)
        if head:
            tid = int(head.group(1))
        elif row and tid is not None:
            name, calls, errors, *times = row.groups()
            rows[tid, name] = (int(calls), int(errors), *(round(float(time) * 1000) for time in times))
    return rows


def in_words_of_perf(event, fields):
    if event == "raw_syscalls:sys_enter":
        return "NR %s (%s)" % (fields["id"], ", ".join(number[2:] for number in fields["args"].split(",")))
    if event == "raw_syscalls:sys_exit":
        return "NR %s = %s" % (fields["id"], fields["ret"])
    if event == "sched:sched_wakeup":
        return "comm=%s pid=%s prio=%s target_cpu=%03d" % (fields["comm"], fields["pid"], fields["prio"], int(fields["target_cpu"]))
    letter = {0: "R", 1: "S", 2: "D", 16: "X"}[int(fields["prev_state"])]
    return ("prev_comm=%s prev_pid=%s prev_prio=%s prev_state=%s ==> next_comm=%s next_pid=%s next_prio=%s"
            % (fields["prev_comm"], fields["prev_pid"], fields["prev_prio"], letter, fields["next_comm"], fields["next_pid"],
               fields["next_prio"]))


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


    def compare_calls(self, path, events, order):
        """calls, errors, total, min, avg, max of each thread and call. What is not paired ("exit first") perf counts as 0 ms."""
        recording = sched_file.Recording(events, order)
        machine = sched_file.Machine(recording, "calls" + order, n_cpus=3, n_threads=9)
        machine.run(6000)
        machine.stop()
        recording.write(path)
        rows = theirs_of_calls(path)
        text = perf_report.own(self.program, "--print=syscalls", "--format=tsv", path)
        found = {}
        for line in text.splitlines()[1:]:
            _, _, tid, name, calls, errors, *times = line.split("\t")
            found[int(tid), name] = int(calls), int(errors), *map(int, times)
        if set(found) != set(rows) or len(rows) < 30:
            sys.exit(f"calls: perf has {len(rows)}, profview {len(found)}")
        for key, (calls, errors, *times_us) in rows.items():
            if (calls, errors) != found[key][:2]:
                sys.exit(f"calls of {key}: perf {calls}, {errors}, profview {found[key][:2]}")
            for what, us, ns in zip(("total", "min", "avg", "max"), times_us, found[key][2:]):
                # perf rounds, and its average is a running one.
                self.check(f"{key} {what}", us - 1, ns, 2)

    def compare_switches(self, path):
        """Blocked and preempted by the records of context switches; every wait must end."""
        since, blocked, preempted = {}, collections.Counter(), collections.Counter()
        for line in perf_report.perf("script", "--show-switch-events", "--ns", "-F", "comm,tid,time,event", "-i", path).splitlines():
            match = re.match(r"\s*.*?\s+(\d+)\s+(\d+)\.(\d{9}):\s+PERF_RECORD_SWITCH\S*\s+(OUT preempt|OUT|IN)", line)
            if not match:
                continue
            tid, ns, what = int(match.group(1)), int(match.group(2)) * 10**9 + int(match.group(3)), match.group(4)
            if what != "IN":
                since[tid] = what, ns
            elif tid in since:
                how, start = since.pop(tid)
                (blocked if how == "OUT" else preempted)[tid] += ns - start
        if not blocked or not preempted:
            sys.exit(f"{path}: perf has no waits of each kind")
        for measure, expected in (("blocked", blocked), ("preempted", preempted)):
            found = ours(self.program, path, measure)
            for tid in set(expected) | set(found):
                self.n_equal += expected[tid] == found[tid]
                self.n_different += expected[tid] != found[tid]
                if expected[tid] != found[tid]:
                    print(f"{path}, {tid}, {measure}: perf {expected[tid]}, profview {found[tid]}")

    def compare_fields(self, path, order):
        """Of what perf script prints, the numbers, in their order."""
        events = ["sched_switch", "sched_wakeup", "sys_enter", "sys_exit"]
        recording = sched_file.Recording(events, order)
        machine = sched_file.Machine(recording, "fields" + order, n_cpus=3, n_threads=9)
        machine.run(1500)
        recording.write(path)
        perf = collections.defaultdict(list)
        for line in perf_report.perf("script", "-F", "event,trace", "-G", "-i", path).splitlines():
            match = re.match(r"\s*(\w+:\w+): (.*)", line)
            if match:
                perf[match.group(1)].append(match.group(2).strip())
        for event, lines in perf.items():
            if len(lines) < 100:
                sys.exit(f"{event}: perf has {len(lines)}")
            text = perf_report.own(self.program, "--print=marks", "--format=tsv", "--measure=" + event, path).splitlines()
            names = text[0].split("\t")[6:]
            ours_ = [in_words_of_perf(event, dict(zip(names, line.split("\t")[6:]))) for line in text[1:]]
            self.n_equal += ours_ == lines
            self.n_different += ours_ != lines
            if ours_ != lines:
                print(f"{order} {event}: perf {lines[:3]}, profview {ours_[:3]}")


def main():
    comparison = Comparison(sys.argv[1])
    for recording in sys.argv[2:]:
        comparison.compare_switches(recording)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "perf.data")
        switch, waking, wakeup = "sched_switch", "sched_waking", "sched_wakeup"
        comparison.compare(path, "both", [switch, waking, wakeup])
        comparison.compare(path, "wakeup", [wakeup, switch])
        comparison.compare(path, "switch", [switch])
        comparison.compare(path, "big-endian", [switch, waking], order=">")
        comparison.compare(path, "marked", [switch, wakeup], has_plus=True)
        for order in "<>":
            comparison.compare_calls(path, [switch, waking, "sys_enter", "sys_exit"], order)
            comparison.compare_fields(path, order)
        comparison.compare(path, "cut", [switch, waking, wakeup], is_stopped=False)
    print(f"{comparison.n_equal} figures are equal, {comparison.n_different} differ")
    sys.exit(comparison.n_different > 0 or comparison.n_equal < 400)


main()
