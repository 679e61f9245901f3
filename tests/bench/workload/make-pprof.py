#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-pprof.py OUT.pb.gz [SAMPLES [DEPTH [LOCATIONS]]]: writes a pprof file of 100,000 samples of 60 frames over
50,000 locations, unless told otherwise, without mappings. Stacks are walks through a call tree where each place has a few
children that are taken often and many that are hardly ever, so they share their beginnings and differ at their ends.

The same arguments give the same bytes."""
import gzip
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "ui"))
from pprof_maker import message, number, varint

WORDS = ("anchor barrel candle drawer engine feather garden hammer island jacket kettle ladder magnet needle orchard pencil "
         "quarry ribbon saddle thimble umbrella valley window yarn zipper").split()


def name_of(index):
    pick = random.Random(index)
    a, b, c = (pick.choice(WORDS) for _ in range(3))
    return ("%s::%s<%s, std::less<int>>::run%d(int)" % (a, b, c, index),
            "example.com/%s/%s.(*%s).run%d" % (a, b, c.title(), index),
            "%s_%s_%d" % (a, b, index))[index % 3]


class Strings:
    def __init__(self):
        self.ids = {"": 0}

    def add(self, text):
        return self.ids.setdefault(text, len(self.ids))


def child_of(parent, rank, n_locations):
    mixed = (parent * 0x9E3779B97F4A7C15 + rank * 0xC2B2AE3D27D4EB4F) & 0xFFFFFFFFFFFFFFFF
    mixed ^= mixed >> 29
    mixed = mixed * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    return (mixed >> 31) % n_locations + 1


def main():
    out = sys.argv[1]
    n_samples, depth, n_locations = ([int(word) for word in sys.argv[2:]] + [100000, 60, 50000][len(sys.argv) - 2:])[:3]
    strings, pick = Strings(), random.Random(7)
    ids = [varint(i) for i in range(n_locations + 1)]
    with open(out, "wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as file:
        for kind, unit in (("samples", "count"), ("cpu", "nanoseconds")):
            file.write(message(1, number(1, strings.add(kind)) + number(2, strings.add(unit))))
        for _ in range(n_samples):
            place, stack = 0, []
            for _ in range(depth):
                place = child_of(place, int(pick.paretovariate(1.3)) - 1, n_locations)
                stack.append(ids[place])
            count = int(pick.paretovariate(1.5))
            file.write(message(2, message(1, b"".join(reversed(stack))) +
                              message(2, varint(count) + varint(count * 10000000))))
        for i in range(1, n_locations + 1):
            # Every third place has a function inlined into its own.
            lines = [n_locations // 2 + i // 2, i // 2] if i % 3 == 0 else [i // 2]
            file.write(message(4, number(1, i) + number(3, 0x400000 + 16 * i) + b"".join(
                message(4, number(1, function + 1) + number(2, i % 500 + 1)) for function in lines)))
        for i in range(n_locations + 1):
            name = strings.add(name_of(i))
            file.write(message(5, number(1, i + 1) + number(2, name) + number(3, name) +
                              number(4, strings.add("src/%s/%s.cc" % (WORDS[i % 25], WORDS[i // 25 % 25])))))
        for text in strings.ids:
            file.write(message(6, text.encode()))
        file.write(number(10, 60 * 10**9))


main()
