#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-functions.py OUT.pb.gz [FUNCTIONS]: writes a pprof file of a million functions, unless told otherwise, each the
leaf of one sample with two values; their callers are a thousand others. For tables: bench-holds OUT.pb.gz.

The same arguments give the same bytes."""
import gzip
import random
import sys


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def nested(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def main():
    path, n = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    chance = random.Random(n)
    strings = ["", "cpu", "nanoseconds", "alloc_space", "bytes"]
    parts = [nested(1, number(1, 1) + number(2, 2)), nested(1, number(1, 3) + number(2, 4))]
    for i in range(1, n + 1):
        name = "space%d::Klass%d<std::less<int>>::run%d(int)" % (i % 97, chance.randrange(5000), i)
        strings += [name, "src/part%d/file%d.cc" % (i % 50, i % 20011)]
        function = number(1, i) + number(2, len(strings) - 2) + number(4, len(strings) - 1) + number(5, i % 3000)
        parts.append(nested(5, function))
        parts.append(nested(4, number(1, i) + nested(4, number(1, i) + number(2, i % 3000 + 1))))
        stack = varint(i) + varint(1 + i % 1000) + varint(1)
        values = varint(chance.randrange(1, 1 << 24)) + varint(chance.randrange(0, 1 << 20) & -(i % 3 > 0))
        parts.append(nested(2, nested(1, stack) + nested(2, values)))
    parts += [nested(6, text.encode()) for text in strings]
    with open(path, "wb") as file:
        file.write(gzip.compress(b"".join(parts), 1, mtime=0))


main()
