#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-functions.py OUT.pb.gz [FUNCTIONS]: writes a pprof file of a million functions, unless told otherwise, each the
leaf of one sample with two values; their callers are a thousand others. For tables: bench-holds OUT.pb.gz.

The same arguments give the same bytes."""
import gzip
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "ui"))
from pprof_maker import message, number, varint


def main():
    path, n = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    chance = random.Random(n)
    strings = ["", "cpu", "nanoseconds", "alloc_space", "bytes"]
    parts = [message(1, number(1, 1) + number(2, 2)), message(1, number(1, 3) + number(2, 4))]
    for i in range(1, n + 1):
        name = "space%d::Klass%d<std::less<int>>::run%d(int)" % (i % 97, chance.randrange(5000), i)
        strings += [name, "src/part%d/file%d.cc" % (i % 50, i % 20011)]
        function = number(1, i) + number(2, len(strings) - 2) + number(4, len(strings) - 1) + number(5, i % 3000)
        parts.append(message(5, function))
        parts.append(message(4, number(1, i) + message(4, number(1, i) + number(2, i % 3000 + 1))))
        stack = varint(i) + varint(1 + i % 1000) + varint(1)
        values = varint(chance.randrange(1, 1 << 24)) + varint(chance.randrange(0, 1 << 20) & -(i % 3 > 0))
        parts.append(message(2, message(1, stack) + message(2, values)))
    parts += [message(6, text.encode()) for text in strings]
    with open(path, "wb") as file:
        file.write(gzip.compress(b"".join(parts), 1, mtime=0))


main()
