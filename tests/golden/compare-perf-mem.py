#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-perf-mem.py PROFVIEW: what memory accesses did and how long they took are what `perf script` prints, and waits for locks
are those of `perf lock contention`. The recordings are made up, in both byte orders, as few machines that run tests can record them.

Perf before version 6.12 names the level of memory twice where the processor tells it as a number as well ("L1 or L1 hit")."""
import collections
import os
import random
import re
import sys
import tempfile

import perf_report
import sched_file

IP, TID, TIME, ADDR, PERIOD, WEIGHT, DATA_SRC, IDENTIFIER, PHYS_ADDR, WEIGHT_STRUCT = (
    1 << bit for bit in (0, 1, 2, 3, 8, 14, 15, 16, 19, 24))
# Label: its word in what perf script prints, and values there that stand for "not told".
PARTS = {"access": ("OP", {"N/A"}), "memory": ("LVL", {"N/A"}), "snoop": ("SNP", {"N/A"}), "tlb": ("TLB", {"N/A"}),
         "locked": ("LCK", {"N/A", "No"}), "blocked": ("BLK", {"N/A"})}
ACCESSES = {"LOAD": "load", "STORE": "store", "PFETCH": "prefetch", "EXEC": "exec"}
LOCK_TYPES = {1: "spinlock", 2: "rwsem:R", 4: "rwsem:W", 32: "mutex", 33: "mutex", 10: "rwlock-rt:R", 18: "pcpu-sem:R"}


class Accesses(sched_file.Recording):
    """Samples of one event, each with a random data source."""

    def __init__(self, order, weight_bit):
        super().__init__(["accesses"], order)
        self.sample_type = IDENTIFIER | IP | TID | TIME | ADDR | PERIOD | weight_bit | DATA_SRC | PHYS_ADDR

    def features(self):
        features = super().features()
        del features[1]
        return features

    def tracing(self):
        return b""

    def attr(self, event):
        plain = super().attr(event)
        return self.pack("IIQQQ", 4, sched_file.ATTR_SIZE, 0x1cd, 1, self.sample_type) + plain[32:]

    def access(self, time, address, weight, source):
        self.n_samples += 1
        body = self.pack("QQIIQQQQQQ", 1, 0x401000, 7, 7, time, address, 1, weight, source, address)
        self.record(9, sched_file.USER, body)


sched_file.EVENTS["accesses"] = ("none", 0, b"")


def random_source(chance):
    """The levels are bits, so that perf of any version says the same, and have short names: it cuts off what is long."""
    operation, lock = chance.choice((1, 2, 4, 8, 16)), chance.choice((1, 2, 0))
    level = chance.choice((1, 2 | 8, 4 | 8, 2 | 0x10, 2 | 0x20, 2 | 0x40, 2 | 0x80, 4 | 0x40, 2 | 0x1000, 2 | 0x2000))
    snoop = chance.choice((1, 2, 4, 8, 0x10))
    more = chance.choice((0, 0, 0, 1, 2)) if snoop != 1 else 0
    tlb, blocked = chance.choice((1, 2 | 8, 2 | 8 | 0x10, 4 | 0x10, 2 | 0x20, 4 | 0x40)), chance.choice((1, 2, 4))
    return operation | level << 5 | snoop << 19 | lock << 24 | tlb << 26 | more << 38 | blocked << 40


def theirs_of_accesses(path):
    """{label: {value: weight}}, {address of a cache line: weight} and the sum of all weights, of perf script."""
    sums, lines, total = collections.defaultdict(collections.Counter), collections.Counter(), 0
    for line in perf_report.perf("script", "-F", "addr,weight,data_src,phys_addr", "-i", path).splitlines():
        match = re.match(r"\s*([0-9a-f]+)\s+[0-9a-f]+\s+(\|.*\S)\s+(\d+)\s+([0-9a-f]+)\s*$", line)
        if not match:
            continue
        weight = int(match.group(3))
        total += weight
        words = dict(part.split(" ", 1) for part in match.group(2).strip("|").split("|"))
        values = {key: words[word].strip() for key, (word, untold) in PARTS.items() if words[word].strip() not in untold}
        if "access" in values:
            values["access"] = ACCESSES[values["access"]]
        for key, value in values.items():
            sums[key][value] += weight
        if values:
            lines["0x%x" % (int(match.group(1), 16) & ~63)] += weight
    return sums, lines, total


class Comparison:
    def __init__(self, program):
        self.program, self.n_equal, self.n_different = program, 0, 0

    def check(self, what, perf, profview):
        self.n_equal += perf == profview
        self.n_different += perf != profview
        if perf != profview:
            print(f"{what}: perf {perf}, profview {profview}")

    def compare_accesses(self, path, order, weight_bit):
        chance = random.Random("accesses" + order + str(weight_bit))
        recording = Accesses(order, weight_bit)
        recording.comm(7, 7, "reader")
        recording.mmap(7, 0x400000, 0x10000, "/bin/reader")
        for i in range(3000):
            low = chance.randrange(1 << 12)
            weight = low if weight_bit == WEIGHT else low | chance.randrange(1 << 32) << 32
            recording.access(1000 + i, 0x7f0000000000 + chance.randrange(4000), weight, random_source(chance))
        recording.write(path)
        sums, lines, total = theirs_of_accesses(path)
        if len(sums) != len(PARTS) or total == 0:
            sys.exit(f"perf script has {len(sums)} parts of accesses")
        what = f"{'big' if order == '>' else 'little'}-endian"
        self.check(f"{what}, weight", total, self.total(path, "weight"))
        for key, values in sums.items():
            for value, weight in values.items():
                self.check(f"{what}, {key}={value}", weight, self.total(path, "weight", f"--label={key}=^{value}$"))
        for line, weight in lines.most_common(20):
            self.check(f"{what}, {line}", weight, self.total(path, "weight", f"--label=cache-line={line}"))

    def total(self, path, measure, *options):
        """The total of what is shown."""
        text = perf_report.own(self.program, "--print=top", "--format=tsv", "--header", "--measure=" + measure, *options, path)
        return int(re.search(r"total[ =:]+(\d+)", text.splitlines()[0]).group(1))

    def compare_locks(self, path, order):
        """By type of lock, which perf prints with two digits behind the point."""
        chance = random.Random("locks" + order)
        recording = sched_file.Recording(["contention_begin", "contention_end"], order)
        recording.comm(7, 7, "waiter")
        recording.mmap(7, 0x400000, 0x10000, "/bin/waiter")
        waiting, time, expected = {}, 1000000, collections.Counter()
        for _ in range(4000):
            time += chance.randrange(1, 5000)
            tid, lock = 7 + chance.randrange(6), 0xffff888000001000 + 64 * chance.randrange(3)
            flags = waiting.get((tid, lock))
            if flags is None:
                waiting[tid, lock] = flags = chance.choice(list(LOCK_TYPES)), time
                self.contend(recording, "contention_begin", tid, time, lock, flags[0])
            elif chance.randrange(4) == 0:  # again: the first counts
                self.contend(recording, "contention_begin", tid, time, lock, 32)
            else:
                self.contend(recording, "contention_end", tid, time, lock, 0)
                expected[LOCK_TYPES[flags[0]]] += time - flags[1]
                del waiting[tid, lock]
        recording.write(path)
        for kind, ns in expected.items():
            self.check(f"locks, {kind}", ns, self.total(path, "lock-wait", "--label=lock-type=" + kind))
        perf_ns = sum(float(match.group(1)) * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[match.group(2)]
                      for match in re.finditer(r"(?m)^\s*\d+\s+([\d.]+) (\w+)\s",
                                               perf_report.perf_and_errors("lock", "contention", "-t", "-i", path)))
        found = self.total(path, "lock-wait")
        self.check("locks, all", sum(expected.values()), found)
        # Six threads, each rounded.
        self.check("locks, within what perf rounds", True, abs(perf_ns - found) <= 6 * 5e3)

    def contend(self, recording, event, tid, time, lock, value):
        raw = recording.common(event, tid) + recording.pack("QII", lock, value, 0)
        recording.sample(event, 7, tid, time, 0, raw, [0x401000 + tid])


def main():
    comparison = Comparison(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "perf.data")
        for order in "<>":
            for weight_bit in (WEIGHT, WEIGHT_STRUCT):
                comparison.compare_accesses(path, order, weight_bit)
            comparison.compare_locks(path, order)
    print(f"{comparison.n_equal} equal, {comparison.n_different} different")
    sys.exit(comparison.n_different != 0)


if __name__ == "__main__":
    main()
