#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The call graph of a file against that of go's pprof: the same functions with the same amounts, the same calls with theirs, and
the same of these residual, with pprof's limits, with fewer functions, and with all.

    compare-graph.py PROFVIEW FILE...

What has no name is one function for each module in pprof: files without any names are compared with merged modules, files with
some are left out. So are values below zero: pprof subtracts them, profview shows both sides."""
import os
import subprocess
import sys
import tempfile

import pprof_graph

LIMITS = ([], ["nodecount=20"], ["nodefraction=0.05", "edgefraction=0.02"], ["nodecount=0"],
          ["nodecount=0", "nodefraction=0", "edgefraction=0"])


def compare_graphs(profview, path, measure, limits, folder):
    """Lines of differences; None: nothing to compare."""
    pprof = pprof_graph.run_pprof(path, measure, *["-" + word for word in limits])
    options = ["--" + word for word in limits] + ["--sysroot=" + folder]
    unnamed = [name for name in pprof.nodes if pprof_graph.is_unnamed(name)]
    if not pprof.nodes or (unnamed and len(unnamed) < len(pprof.nodes)):
        return None
    if unnamed:
        options.append("--merge-module=.")
    own = pprof_graph.run_own(profview, path, measure, os.path.join(folder, "own.dot"), *options)
    if unnamed:
        own.rename(lambda name: "[" + name + "]")
    return pprof_graph.compare(own, pprof)


def compare_file(profview, path, folder):
    """(how many graphs were the same, lines of differences)."""
    n_equal, lines = 0, []
    if pprof_graph.has_negative(path):
        return 0, []
    for measure in pprof_graph.list_measures(path):
        for limits in LIMITS:
            different = compare_graphs(profview, path, measure, limits, folder)
            n_equal += different == []
            lines += ["%s, %s %s: %s" % (os.path.basename(path), measure[0], " ".join(limits), line)
                      for line in (different or [])[:5]]
    return n_equal, lines


def main():
    profview, paths = sys.argv[1], sys.argv[2:]
    os.environ["DEBUGINFOD_URLS"] = ""
    n_equal, n_files, lines = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            if not pprof_graph.can_read(path):
                print("go's pprof does not read", os.path.basename(path))
                continue
            n, different = compare_file(profview, path, folder)
            if n == 0 and not different:
                print("nothing to compare in", os.path.basename(path))
            n_equal += n
            n_files += n > 0
            lines += different
    for line in lines[:60]:
        print(line)
    print("%d graphs of %d files are the same" % (n_equal, n_files))
    return 1 if lines or n_equal == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
