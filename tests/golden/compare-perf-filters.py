#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-perf-filters.py PROFVIEW PERF-DATA...: the totals of every event under filters by thread, process, processor and time
equal those of `perf report` with the same filter, and the sums of all threads those of `perf report --sort=pid`, which has a row
for each thread.

perf knows a thread by its name at the moment of a sample, profview by its last one. So filters by name are compared for names of
threads that have only one, and of processes, which are called like their first thread, if that and all others have the same; the
rest is counted. perf's time ranges include their ends, profview's do not, so ranges begin and end between samples. Exits 1 if
anything differs."""
import collections
import json
import os
import re
import sys

import perf_report
from profview_commands import Commands


class Profview:
    def __init__(self, program, path):
        self.commands, self.path = Commands(program, perf_report.ENVIRONMENT), path
        summary = json.loads(self.run("--print=summary", "--format=json"))
        self.start_ns = summary["start_ns"]
        self.events = [row["name"] for row in summary["measures"]]

    def run(self, *options):
        return self.commands.run(*options, self.path)

    def total(self, event, *options):
        text = self.run("--print=top", "--format=tsv", "--header", "--limit=1", "--measure=" + event, *options)
        return int(re.search(r"\ttotal=(\d+)", text.splitlines()[0]).group(1))

    def threads(self, event):
        """{tid: total}"""
        text = self.run("--print=tree", "--format=tsv", "--min-percent=0", "--group=thread", "--measure=" + event)
        totals = collections.Counter()
        for line in text.splitlines()[1:]:
            depth, _, total, name = line.split("\t")[:4]
            if depth == "1":
                totals[int(re.search(r"(?:\(|^)(\d+)\)?$", name).group(1))] += int(total)
        return totals


class Comparison:
    def __init__(self, program):
        self.program, self.n_equal, self.n_different, self.n_names = program, 0, 0, 0

    def check(self, what, theirs, ours):
        if theirs == ours:
            self.n_equal += 1
            return
        self.n_different += 1
        print("%s: perf %s, profview %s" % (what, theirs, ours))

    def check_totals(self, name, profview, path, theirs_options, ours_options):
        totals = perf_report.totals(path, *theirs_options)
        for event in profview.events:
            if event in self.whole:
                self.check("%s: %s: %s" % (name, event, " ".join(ours_options)), totals.get(event, 0),
                           profview.total(event, *ours_options))

    def compare_threads(self, name, profview, path):
        theirs = perf_report.thread_totals(path)
        for event in profview.events:
            if event in self.whole:
                self.check("%s: %s: threads" % (name, event), +theirs.get(event, collections.Counter()), +profview.threads(event))

    def compare_names(self, name, profview, path, samples):
        comms_of_thread, comms_of_process = collections.defaultdict(set), collections.defaultdict(set)
        for pid, tid, comm, _, _ in samples:
            comms_of_thread[tid].add(comm)
            comms_of_process[pid].add(comm)
        for comm in sorted({comm for _, _, comm, _, _ in samples})[:4]:
            is_simple = all(comms == {comm} for comms in comms_of_thread.values() if comm in comms) and "," not in comm
            self.n_names += not is_simple
            if is_simple:
                self.check_totals(name, profview, path, ["--comm=" + comm], ["--thread=" + comm])
            processes = {pid for pid, comms in comms_of_process.items() if comm in comms}
            if is_simple and all(comms_of_process[pid] == {comm} and pid in comms_of_thread for pid in processes):
                self.check_totals(name, profview, path, ["--comm=" + comm], ["--process=" + comm])

    def compare_times(self, name, profview, path, samples):
        times = sorted({time for *_, time in samples if time > 0})
        if len(times) < 8:
            return
        cuts = [(times[i] + times[i - 1]) // 2 for i in (len(times) // 4, len(times) // 2, len(times) * 7 // 8)
                if times[i] - times[i - 1] > 2]
        for begin, end in zip(cuts, cuts[1:]):
            self.check_totals(name, profview, path, [perf_report.time_option(begin, end)],
                              ["--time=%dns..%dns" % (begin - profview.start_ns, end - profview.start_ns)])

    def compare(self, path):
        name, profview, samples = os.path.basename(path), Profview(self.program, path), perf_report.read_samples(path)
        self.whole = perf_report.totals(path)
        if not samples or not self.whole:
            sys.exit("%s: perf has no samples" % name)
        self.check_totals(name, profview, path, [], [])
        self.compare_threads(name, profview, path)
        for tid in sorted({tid for _, tid, _, _, _ in samples})[-3:]:
            self.check_totals(name, profview, path, ["--tid=%d" % tid], ["--thread=%d" % tid])
        for pid in sorted({pid for pid, _, _, _, _ in samples})[-3:]:
            self.check_totals(name, profview, path, ["--pid=%d" % pid], ["--process=%d" % pid])
        for cpu in sorted({cpu for _, _, _, cpu, _ in samples if cpu is not None})[:3]:
            self.check_totals(name, profview, path, ["--cpu=%d" % cpu], ["--cpu=%d" % cpu])
        self.compare_names(name, profview, path, samples)
        self.compare_times(name, profview, path, samples)
        profview.commands.close()


def main():
    comparison = Comparison(sys.argv[1])
    for path in sys.argv[2:]:
        comparison.compare(path)
    print("%d files: %d totals are equal, %d differ; names that threads had only for a while: %d" % (
        len(sys.argv) - 2, comparison.n_equal, comparison.n_different, comparison.n_names))
    return 1 if comparison.n_different or len(sys.argv) < 3 else 0


sys.exit(main())
