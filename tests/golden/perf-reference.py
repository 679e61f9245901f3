#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""perf-reference.py CACHE RECORDING OUT.xz: what `perf script` says of a recording, one line per sample, so that tests
can compare with it where there is no perf. Columns, separated by tabs:

    time in ns, tid, command name, event, frames (leaf first, separated by spaces), names (same order, by ";;")

A frame is the offset in its file, in hex, as perf prints it (callers: return address - 1); recordings without call
graph have absolute addresses. "?" stands for a name perf does not know. Inlined functions are left out: perf has them from
addr2line, which shortens names; compare-inlines.py is for them. CACHE is the build-id cache to use."""
import lzma
import re
import subprocess
import sys

HEAD = re.compile(r"^\s*(\S.*?)\s+(\d+)\s+(\d+)\.(\d{9}):\s+(?:\d+\s+)?(\S+):(?:\s*$|\s+([0-9a-f]+ .*)$)")
FRAME = re.compile(r"^\s+([0-9a-f]+)\s+(.*)$")


def frame_of(address, rest):
    name = rest.strip()
    if " (" in name:
        name = name[: name.rindex(" (")].rstrip()
    return address, name if name not in ("", "[unknown]") else "?"


def samples(lines):
    head, raw = None, []
    for line in lines:
        match = HEAD.match(line)
        if match:
            if head is not None:
                yield head, raw
            comm, tid, seconds, ns, event, flat = match.groups()
            head, raw = (int(seconds) * 10**9 + int(ns), int(tid), comm.strip(), event), []
            if flat:
                raw.append(frame_of(*flat.split(" ", 1)))
            continue
        match = FRAME.match(line)
        if match and head is not None:
            raw.append(frame_of(*match.groups()))
    if head is not None:
        yield head, raw


def main():
    cache, recording, out = sys.argv[1:]
    perf = subprocess.run(
        ["perf", "--buildid-dir", cache, "script", "--no-inline", "--ns", "-F", "comm,tid,time,event,ip,sym,dso", "-i", recording],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace", check=True)
    text = []
    for (time, tid, comm, event), raw in samples(perf.stdout.splitlines()):
        text.append("%d\t%d\t%s\t%s\t%s\t%s\n" % (
            time, tid, comm, event, " ".join(address for address, _ in raw), ";;".join(name for _, name in raw)))
    with lzma.open(out, "wt", preset=9) as file:
        file.writelines(text)
    print("%s: %d samples" % (recording, len(text)))


main()
