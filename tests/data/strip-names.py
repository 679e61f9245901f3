#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""strip-names.py IN.pb.gz OUT.pb.gz: a pprof file without functions, as programs write it that leave symbols to their
readers: its locations have only addresses, and its mappings do not claim more."""
import gzip
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
from pprof_file import fields  # noqa: E402

MAPPING, LOCATION, FUNCTION, STRING = 3, 4, 5, 6
LOCATION_LINE = 4
MAPPING_HAS = (7, 8, 9, 10)


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value)


def without(message, numbers):
    return b"".join(field(number, value) for number, value in fields(message) if number not in numbers)


def used_strings(profile):
    """Numbers of strings that something other than functions needs; the others become empty."""
    used = {0}
    for number, value in profile:
        if number in (7, 8, 13, 14, 15) and isinstance(value, int):
            used.add(value)
        elif number in (1, 11):
            used.update(v for _, v in fields(value))
        elif number == 2:
            for inner, label in fields(value):
                if inner == 3:
                    used.update(v for n, v in fields(label) if n in (1, 2, 4))
        elif number == MAPPING:
            used.update(v for n, v in fields(value) if n in (5, 6))
    return used


def main():
    source, target = sys.argv[1:]
    with gzip.open(source) as file:
        profile = list(fields(file.read()))
    used, n_strings, out = used_strings(profile), 0, []
    for number, value in profile:
        if number == FUNCTION:
            continue
        if number == LOCATION:
            value = without(value, (LOCATION_LINE,))
        elif number == MAPPING:
            value = without(value, MAPPING_HAS)
        elif number == STRING:
            value = value if n_strings in used else b""
            n_strings += 1
        out.append(field(number, value))
    with open(target, "wb") as file:
        file.write(gzip.compress(b"".join(out), mtime=0))


main()
