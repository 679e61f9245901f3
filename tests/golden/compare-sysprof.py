#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-sysprof.py PROFVIEW SYSPROF_DATA: a capture that Sysprof's own library wrote has the samples, allocations, counters and
marks that the library's own reader finds in it (shop.frames, made by tests/data/record-capture.sh)."""
import collections
import csv
import os
import sys
import tempfile

from profview_commands import run_any

SEVERITIES = {4: "error", 8: "critical", 16: "warning", 32: "message"}


def run(profview, *arguments):
    status, out, errors = run_any([profview, *arguments], dict(os.environ, LC_ALL="C.UTF-8", LANGUAGE=""))
    if status != 0:
        sys.exit("%s: exit status %d\n%s" % (" ".join(arguments), status, errors.decode("utf-8", "replace")))
    return out.decode()


def table(profview, *arguments):
    return list(csv.DictReader(run(profview, "--format=tsv", *arguments).splitlines(), delimiter="\t"))


class Frames:
    """What the library's reader says."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
        self.names = {row[1]: row[2] for row in rows if row[0] == "name"}
        self.processes = {row[1]: os.path.basename(row[2].split()[0]) for row in rows if row[0] == "process"}
        self.rows = collections.defaultdict(list)
        for row in rows:
            self.rows[row[0]].append(row[1:])
        self.samples = collections.Counter(self.stack(row[4:]) for row in self.rows["sample"])
        self.start = min(int(row[0]) for row in self.rows["sample"])
        self.measures = {what: collections.Counter() for what in ("allocated", "allocations", "live", "freed")}
        held = {}
        for _, address, size, *stack in self.rows["allocation"]:
            if int(size) > 0:
                held[address] = self.stack(stack), int(size)
                self.measures["allocated"][held[address][0]] += int(size)
                self.measures["allocations"][held[address][0]] += 1
            else:
                freed = held.pop(address)
                self.measures["freed"][freed[0]] += freed[1]
        for stack, size in held.values():
            self.measures["live"][stack] += size

    def stack(self, addresses):
        return ";".join(self.names[address] for address in reversed(addresses))

    def threads(self):
        return collections.Counter((self.processes[row[1]], row[2]) for row in self.rows["sample"])

    def marks(self):
        rows = [(int(row[0]) - self.start, row[3], int(row[1]), row[2], row[4]) for row in self.rows["mark"]]
        rows += [(int(row[0]) - self.start, SEVERITIES[int(row[1])], 0, row[2], row[3]) for row in self.rows["log"]]
        return sorted(rows)

    def counters(self):
        """By name: how many values, least, most and last. Type 1 is of doubles."""
        found = {}
        for ident, kind, _, name, _ in self.rows["counter"]:
            values = [float(row[3]) if kind == "1" else float(row[2]) for row in self.rows["value"] if row[1] == ident]
            found[name] = len(values), min(values), max(values), values[-1]
        return found


def main():
    profview, folder = sys.argv[1:]
    capture, frames = os.path.join(folder, "shop.syscap.xz"), Frames(os.path.join(folder, "shop.frames"))
    problems = []

    def check(what, wanted, found):
        if wanted != found:
            problems.append("%s: %s instead of %s" % (what, found, wanted))

    with tempfile.TemporaryDirectory() as out:
        for measure, wanted in [("samples", frames.samples), *frames.measures.items()]:
            path = os.path.join(out, "stacks.folded")
            run(profview, "--export=" + path, "--measure=" + measure, capture)
            with open(path, encoding="utf-8") as file:
                found = {stack: int(weight) for stack, weight in (line.rsplit(" ", 1) for line in file)}
            check(measure, dict(wanted), found)
    threads = collections.Counter()
    for row in table(profview, "--print=timeline", "--bins=7", capture):
        threads[row["process"], row["tid"]] += int(row["weight"])
    check("threads", frames.threads(), threads)
    check("marks", frames.marks(), sorted((int(row["time_ns"]), row["name"], int(row["duration_ns"]), row["category"], row["details"])
                                          for row in table(profview, "--print=marks", capture)))
    check("counters", frames.counters(), {row["name"]: (int(row["samples"]), *(float(row[key]) for key in ("min", "max", "last")))
                                          for row in table(profview, "--print=counters", capture)})
    for problem in problems:
        print(problem)
    print("%d samples, %d allocations, %d marks" % (sum(frames.samples.values()), len(frames.rows["allocation"]), len(frames.marks())))
    sys.exit(1 if problems else 0)


main()
