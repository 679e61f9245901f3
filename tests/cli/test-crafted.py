#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each crafted file through each command: it ends with a result or with words, within a budget.

    test-crafted.py PROFVIEW [--reading | --showing] [NAME…]

--reading only asks what reading a file costs, --showing only for the trees, tables and pictures of it, which take longer.

The budget is 10 s of processor time, and 800 MB or 4 times the unpacked bytes if that is more. A slow machine
has as much more processor time (processor.py).

The large files have a tenth of their entries, and a tenth of the budget, unless PV_FULL is set.
"""

import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import threading

import crafted
import processor

PROFVIEW = os.path.abspath(sys.argv[1])
CPU_SECONDS = 10.0
# What meson lets malloc () do, to fill all memory, is no time of profview's.
ENVIRONMENT = dict(os.environ, MALLOC_PERTURB_="0")
BYTES = 800 << 20
BYTES_PER_BYTE = 4
# Any file needs these, a small one too.
PROGRAM_BYTES = 60 << 20
PROGRAM_SECONDS = 1.5

TREE = ["--print=tree", "--min-percent=1"]
COMMANDS = {
    "top": ["--print=top"],
    "summary": ["--print=summary"],
    "tree": TREE,
    "inverted": [*TREE, "--invert"],
    "lines": [*TREE, "--by=line"],
    "callers": ["--print=callers", "--function=."],
    "svg": ["--export=out.svg"],
    "pprof": ["--export=out.pb.gz"],
    "folded": ["--export=out.folded"],
    "timeline": ["--print=timeline", "--format=tsv"],
    "phases": ["--print=phases", "--format=tsv"],
    "heat-map": ["--export=out.svg", "--view=heatmap"],
    "flame-chart": ["--export=out.svg", "--view=flamechart"],
    "tracks": ["--export=out.svg", "--view=timeline"],
}
READING = ["top", "summary", "pprof"]
# Reading these ends at a limit, which a tenth of them does not come to: with PV_FULL only.
WHOLE = ["perf-threads", "perf-addresses", "pprof-empty-mapping", "pprof-empty-location", "heaptrack-address"]
# What a file asks for is mostly asked for while it is read. These also make large trees or tables.
OF_NAME = {
    "pprof-comments": ["summary"],
    "pprof-measures": ["summary", "pprof"],
    "pprof-inlined-lines": ["svg", "inverted", "callers"],
    "pprof-inlined-functions": ["svg", "callers", "lines"],
    "pprof-deep-3000": ["tree", "inverted", "callers"],
    "pprof-deep-60000": ["tree", "inverted", "callers"],
    "pprof-long-name-often": ["summary", "pprof"],
    "pprof-labels": ["summary", "pprof"],
    "pprof-label-sets": ["pprof"],
    "pprof-label-keys": ["summary"],
    "heaptrack-inlined": ["svg", "inverted", "callers"],
    "heaptrack-deep": ["tree", "callers"],
    "perf-samples": ["flame-chart"],
    "perf-threads": ["timeline"],
    "perf-addresses": ["svg"],
    "perf-some-samples": ["timeline", "phases", "tracks", "flame-chart", "heat-map"],
    "perf-some-threads": ["summary", "timeline", "phases", "tracks", "flame-chart", "heat-map"],
    "perf-some-addresses": ["svg", "phases", "flame-chart"],
    "jemalloc-deep": ["tree", "inverted", "callers"],
    "jemalloc-threads": ["summary", "pprof"],
    "elf-symbols": ["svg"],
    "elf-dwarf-lines": ["lines"],
}


def run(path, options, folder):
    """Exit status, words, processor seconds and bytes."""
    with open(os.path.join(folder, "errors"), "w+b") as errors:
        process = subprocess.Popen([PROFVIEW, *options, path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=errors, cwd=folder, env=ENVIRONMENT)
        timer = threading.Timer(120, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        words = errors.read().decode("utf-8", "replace")
    return process.returncode, words, usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10


def find_fault(file, status, words, seconds, used_bytes):
    allowed = max(BYTES // file.part, BYTES_PER_BYTE * file.unpacked_bytes) + (PROGRAM_BYTES if file.part > 1 else 0)
    if status not in (0, 1):
        return "exit status %d: %s" % (status, words[-500:])
    if status == 1 and not words.startswith("profview: "):
        return "no words: " + words[-500:]
    if not processor.is_within(seconds, CPU_SECONDS / file.part + (PROGRAM_SECONDS if file.part > 1 else 0)):
        return "%.1f s" % seconds
    if used_bytes > allowed:
        return "%d MB of %d MB" % (used_bytes >> 20, allowed >> 20)
    return None


def make(name, folder, part):
    crafted.part = part
    return crafted.make(name, folder)


def main():
    if shutil.which("zstd") is None or shutil.which("xz") is None:
        print("1..0 # SKIP zstd or xz is missing")
        return
    is_full = "PV_FULL" in os.environ
    names = [name for name in sys.argv[2:] if not name.startswith("--")] or \
        [name for name in crafted.makers() if is_full or name not in WHOLE]
    is_asked = {command: "--reading" not in sys.argv and command not in READING or
                "--showing" not in sys.argv and command in READING for command in COMMANDS}
    n, n_failed = 0, 0
    # Files are made in another process: the most memory of one that is started begins with what its parent had.
    with tempfile.TemporaryDirectory(prefix="profview-crafted-") as folder, multiprocessing.Pool(1) as maker:
        for name in names:
            commands = [command for command in ["top", *OF_NAME.get(name, [])] if is_asked[command]]
            part = 1 if is_full or name in WHOLE else crafted.PART
            file = maker.apply(make, (name, folder, part)) if commands else None
            for command in commands:
                found = run(file.path, COMMANDS[command], folder)
                fault = find_fault(file, *found)
                n += 1
                n_failed += fault is not None
                print("%s %d - %s %s # %.1f s, %d MB%s" % ("ok" if fault is None else "not ok", n, name, command, found[2],
                                                           found[3] >> 20, "" if fault is None else ": " + fault), flush=True)
            for left in os.listdir(folder):
                os.unlink(os.path.join(folder, left))
    print("1..%d" % n)
    sys.exit(n_failed > 0)


main()
