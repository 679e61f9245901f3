#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""older-heap.py VERSION RAW INTERPRETED: writes a heaptrack file as older versions did, on standard output.

0: interpreted, without a version line; allocations are told by size, trace and pointer, frees by pointer
1: interpreted, of program version 0x10200, which says no file version; no inlined functions
2: raw, strings without their lengths
VERSION is one of these; RAW and INTERPRETED are the two files of one recording of today."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import heaptrack_reference as reference  # noqa: E402


def interpreted(path, version):
    for line in reference.lines_of(path):
        mode = line[:1]
        if mode == b"v":
            if version == 1:
                yield b"v 10200"
        elif mode == b"s":
            yield b"s " + reference.sized(line[2:], 3)[0]
        elif mode == b"i":
            yield b" ".join(line.split()[:6])
        elif version == 1 or mode not in b"a+-cR":
            yield line


def version_0(raw, path):
    """The trace's tables first, then what happened: any order in which they come before their use is good."""
    yield from interpreted(path, 0)
    yield from (line for line in reference.lines_of(raw) if line[:1] in b"+-cR")


def version_2(raw):
    for line in reference.lines_of(raw):
        mode = line[:1]
        if mode == b"v":
            yield b"v 10300 2"
        elif mode in b"xm":
            name, rest = reference.sized(line[2:], 3)
            yield b" ".join(filter(None, (mode, name, rest)))
        elif mode == b"S":
            yield b"S " + reference.sized(line[2:], 3)[0]
        else:
            yield line


def main():
    version, raw, path = sys.argv[1:]
    lines = version_2(raw) if version == "2" else version_0(raw, path) if version == "0" else interpreted(path, 1)
    for line in lines:
        sys.stdout.buffer.write(line + b"\n")


main()
