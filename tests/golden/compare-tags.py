#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-tags.py PROFVIEW TESTS_DATA: what is left of a profile under filters of labels, against -tagfocus and -tagignore of go's
pprof. Its sums stand here; where it is installed it is asked again."""
import os
import re
import shutil
import sys

from profview_commands import run_any

HEAP, CPU = "go-heap.pb.gz", "go-cpu.pb.gz"
# File, sample type, options of pprof, the same of profview, the sum that pprof tells.
CASES = [
    (HEAP, "alloc_space", [], [], 14479823),
    (HEAP, "alloc_space", ["-tagfocus=bytes=1kb:64kb"], ["--label=bytes=1k..64k"], 237338),
    (HEAP, "alloc_space", ["-tagignore=bytes=1kb:64kb"], ["--exclude-label=bytes=1k..64k"], 14242485),
    (HEAP, "alloc_space", ["-tagfocus=bytes=:512b"], ["--label=bytes=..512"], 11988893),
    (HEAP, "alloc_space", ["-tagfocus=bytes=513b:"], ["--label=bytes=513.."], 2490930),
    (HEAP, "alloc_space", ["-tagfocus=bytes=512b"], ["--label=bytes=512..512B"], 8008775),
    (HEAP, "alloc_space", ["-tagfocus=bytes=1kb:1mb", "-tagignore=bytes=8kb:"], ["--label=bytes=1KiB..1MiB", "--exclude-label=bytes=8k.."], 66689),
    (HEAP, "inuse_space", [], [], 299356),
    (HEAP, "inuse_space", ["-tagfocus=bytes=1kb:64kb"], ["--label=bytes=1k..64k"], 27990),
    (HEAP, "inuse_space", ["-tagignore=bytes=1kb:64kb"], ["--exclude-label=bytes=1k..64k"], 271366),
    (HEAP, "inuse_space", ["-tagfocus=bytes=:512b"], ["--label=bytes=..512"], 271366),
    (HEAP, "inuse_space", ["-tagfocus=bytes=513b:"], ["--label=bytes=513.."], 27990),
    (HEAP, "inuse_space", ["-tagfocus=bytes=512b"], ["--label=bytes=512..512B"], 209151),
    (HEAP, "inuse_space", ["-tagfocus=bytes=1kb:1mb", "-tagignore=bytes=8kb:"], ["--label=bytes=1KiB..1MiB", "--exclude-label=bytes=8k.."], 18516),
    (CPU, "cpu", [], [], 560000000),
    (CPU, "cpu", ["-tagfocus=route=orders"], ["--label=route=orders"], 400000000),
    (CPU, "cpu", ["-tagignore=route=orders"], ["--exclude-label=route=orders"], 160000000),
]


def run(*command):
    status, out, errors = run_any(command, dict(os.environ, LC_ALL="C.UTF-8", HOME="/nonexistent", GOFLAGS=""))
    if status != 0:
        sys.exit("%s: exit status %d\n%s" % (" ".join(command), status, errors.decode("utf-8", "replace")))
    return out.decode()


def ask_pprof(path, kind, options):
    """The sum of all rows of -top."""
    unit = {"alloc_space": "bytes", "inuse_space": "bytes", "cpu": "nanoseconds"}.get(kind, "count")
    out = run("go", "tool", "pprof", "-top", "-nodecount=0", "-nodefraction=0", "-edgefraction=0", "-symbolize=none",
              "-sample_index=" + kind, "-unit=" + unit, *options, path)
    rows = out[out.index("flat%"):].splitlines()[1:]
    return sum(int(re.match(r"-?\d+", row.split()[0]).group()) for row in rows if row.strip())


def ask_profview(profview, path, kind, options):
    rows = run(profview, "--print=tree", "--format=tsv", "--limit=0", "--show-allocators", "--show-dropped", "--measure=" + kind,
               *options, path).splitlines()[1:]
    return int(rows[0].split("\t")[2]) if rows else 0


def main():
    profview, data = sys.argv[1:]
    has_pprof = shutil.which("go") is not None
    n_wrong = 0
    for file, kind, theirs, ours, wanted in CASES:
        path = os.path.join(data, "pprof", file)
        found = {"profview": ask_profview(profview, path, kind, ours)}
        if has_pprof:
            found["pprof"] = ask_pprof(path, kind, theirs)
        for who, amount in found.items():
            if amount != wanted:
                n_wrong += 1
                print("%s: %s: %s says %d, not %d" % (file, kind, " ".join(theirs if who == "pprof" else ours), amount, wanted))
    print("%d cases, pprof %s" % (len(CASES), "asked" if has_pprof else "not installed"))
    return 1 if n_wrong else 0


sys.exit(main())
