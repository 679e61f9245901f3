#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-script.py PROFVIEW SYSROOT PERF-DATA...: what `perf script` prints of a recording is the recording.

However it is printed, each event has as many samples, each thread as much of each event, and the first sample its time. Printed
without names, with ids of processes, all functions have the same names, sums and modules, as the addresses are kept. Exits 1 if
anything differs."""
import json
import os
import subprocess
import sys
import tempfile

import perf_report
from profview_commands import Commands

FIELDS = "comm,pid,tid,time,period,event,ip,sym,dso"
# Options of perf script, and whether it prints whole nanoseconds.
STYLES = [([], False), (["--ns", "--header"], True), (["--ns", "-F", FIELDS + ",symoff"], True), (["--ns", "-F", FIELDS + ",srcline"], True),
          (["--ns", "-F", FIELDS + ",cpu"], True), (["--no-inline"], False)]
UNNAMED = ["--buildid-dir", "/nowhere", "script", "--ns", "--symfs", "/nowhere", "-F", FIELDS]


def write_text(path, text, words):
    """False: perf cannot print this of this recording."""
    with open(text, "wb") as out:
        return subprocess.run(["perf", *words, "-i", path], stdout=out, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                              env=perf_report.ENVIRONMENT).returncode == 0


def figures(commands, path, has_ns):
    summary = json.loads(commands.run("--print=summary", "--format=json", path))
    threads = {}
    for measure in summary["measures"]:
        line = commands.run("--print=timeline", "--format=tsv", "--bins=1", "--measure=" + measure["name"], path)
        for row in line.splitlines()[1:]:
            fields = row.split("\t")
            key = measure["name"], fields[2]
            threads[key] = threads.get(key, 0) + int(fields[5])
    start = summary["start_ns"] if has_ns else summary["start_ns"] // 1000
    return {measure["name"]: (measure["samples"], measure["total"]) for measure in summary["measures"]}, start, threads


def main():
    profview, sysroot, *paths = sys.argv[1:]
    commands = Commands(profview, perf_report.ENVIRONMENT)
    n_compared = n_failed = 0
    with tempfile.TemporaryDirectory() as folder:
        text = os.path.join(folder, "text")
        for path in paths:
            for options, has_ns in STYLES:
                if not write_text(path, text, ["script", *options]):
                    continue
                theirs, ours = figures(commands, path, has_ns), figures(commands, text, has_ns)
                n_compared += 1
                if theirs != ours:
                    n_failed += 1
                    print(f"{path}, perf script {' '.join(options)}: {ours}, not {theirs}")
            tables = []
            if not write_text(path, text, UNNAMED):
                sys.exit(f"{path}: perf fails")
            with open(text, encoding="utf-8", errors="replace") as file:
                if not any(line.startswith("\t") for line in file):
                    continue  # without call stacks, perf prints where the code was in the process
            for file in (path, text):
                table = commands.run("--print=top", "--format=tsv", "--limit=0", "--sysroot=" + sysroot, file)
                tables.append(sorted(line.split("\t")[:4] for line in table.splitlines()))
            n_compared += 1
            if tables[0] != tables[1]:
                n_failed += 1
                print(f"{path}, without names: {[row for row in tables[1] if row not in tables[0]]}, "
                      f"not {[row for row in tables[0] if row not in tables[1]]}")
    print(f"{n_compared} compared, {n_failed} differ")
    return 1 if n_failed or n_compared < 3 * len(paths) else 0


sys.exit(main())
