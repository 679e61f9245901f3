#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-perf-timeline.py [--ranges=N] PROFVIEW PERF-DATA...: the bins of `profview --print=timeline`, added up for each thread and
event, are what `perf report` has for that thread: of the whole recording, however many bins, and of N random ranges of time (0
unless told), a fifth of them unless PV_FULL is set.

perf's time ranges include their ends, profview's do not, so ranges begin and end between samples. The ranges are the same in
each run. Exits 1 if anything differs."""
import argparse
import collections
import json
import os
import random
import sys

import perf_report
from profview_commands import Commands

BINS = (1, 2, 97, 1920, 100000)
# The number of ranges is divided by this, unless PV_FULL is set.
SHORT = 5


class Profview:
    def __init__(self, program, path):
        self.commands, self.path = Commands(program, perf_report.ENVIRONMENT), path
        summary = json.loads(self.run("--print=summary", "--format=json"))
        self.start_ns, self.duration_ns = summary["start_ns"], summary["duration_ns"]
        self.events = [row["name"] for row in summary["measures"]]

    def run(self, *options):
        return self.commands.run(*options, self.path)

    def threads(self, event, n_bins, *options):
        """{tid: sum of its bins}"""
        sums = collections.Counter()
        text = self.run("--print=timeline", "--format=tsv", f"--bins={n_bins}", "--measure=" + event, *options)
        for line in text.splitlines()[1:]:
            _, _, tid, start, end, weight = line.split("\t")
            if int(start) >= int(end) or int(weight) <= 0:
                sys.exit(f"{self.path}: a row has no width or no weight: {line}")
            sums[int(tid)] += int(weight)
        return sums


class Comparison:
    def __init__(self):
        self.n_equal, self.n_different = 0, 0

    def check(self, what, theirs, ours):
        if +theirs == +ours:
            self.n_equal += 1
            return
        self.n_different += 1
        print(f"{what}: perf {dict(+theirs)}, profview {dict(+ours)}")

    def compare_whole(self, name, profview):
        whole = perf_report.thread_totals(profview.path)
        events = [event for event in profview.events if event in whole]
        if not events:
            sys.exit(f"{name}: perf has no samples")
        for event in events:
            for n_bins in BINS:
                self.check(f"{name}: {event}: {n_bins} bins", whole[event], profview.threads(event, n_bins))
        return events

    def compare_ranges(self, name, profview, events, n_ranges):
        times = sorted({time for *_, time in perf_report.read_samples(profview.path)})
        cuts = [(before + after) // 2 for before, after in zip(times, times[1:]) if after - before > 2]
        source = random.Random(len(times))
        for _ in range(n_ranges):
            begin, end = sorted(source.sample(cuts, 2))
            theirs = perf_report.thread_totals(profview.path, perf_report.time_option(begin, end))
            ours = f"--time={begin - profview.start_ns}ns..{end - profview.start_ns}ns"
            for event in events:
                self.check(f"{name}: {event}: {ours}", theirs.get(event, collections.Counter()),
                           profview.threads(event, source.choice(BINS), ours))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranges", type=int, default=0)
    parser.add_argument("profview")
    parser.add_argument("recordings", nargs="+")
    arguments = parser.parse_args()
    comparison = Comparison()
    n_ranges = arguments.ranges if os.environ.get("PV_FULL") else -(-arguments.ranges // SHORT)
    for path in arguments.recordings:
        name, profview = os.path.basename(path), Profview(arguments.profview, path)
        events = comparison.compare_whole(name, profview)
        comparison.compare_ranges(name, profview, events, n_ranges)
        profview.commands.close()
    print(f"{len(arguments.recordings)} files: {comparison.n_equal} sums by thread are equal, {comparison.n_different} differ")
    return 1 if comparison.n_different else 0


sys.exit(main())
