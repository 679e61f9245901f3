#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-diff.py PROFVIEW KIND BASE NEW: the change of every function by profview and by the tool that the files come from.

  pprof  go tool pprof -top -diff_base, for every sample type: flat and cum
  perf   perf report --no-children of both files: self samples of each function by name

Prints how many figures were compared; exits 1 if any differs."""
import collections
import json
import os
import re
import sys

from pprof_reference import Profile, read_top, unescape
from profview_commands import run_any

ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", PPROF_BINARY_PATH="/nonexistent", HOME="/nonexistent", GOFLAGS="")


def run(*command):
    status, out, errors = run_any(command, ENVIRONMENT)
    if status != 0:
        sys.exit("%s: %s" % (command[0], errors.decode("utf-8", "replace").strip()))
    return out.decode("utf-8", "replace")


def profview_changes(profview, base, new, *options):
    """Name -> list of (self, total), one for each module that has such a function and changed."""
    rows = collections.defaultdict(list)
    out = run(profview, "--diff", "--print=top", "--format=tsv", "--limit=0", *options, base, new)
    for line in out.splitlines()[1:]:
        cells = line.split("\t")
        if int(cells[2]) or int(cells[5]):
            rows[unescape(cells[6])].append((int(cells[2]), int(cells[5])))
    return {name: sorted(pairs) for name, pairs in rows.items()}


def judge(what, wanted, found):
    n_differences = 0
    for name in sorted(set(wanted) | set(found)):
        if wanted.get(name) != found.get(name):
            n_differences += 1
            if n_differences <= 10:
                print("%s: %s: %s, profview %s" % (what, name, wanted.get(name), found.get(name)))
    print("%s: %d functions changed, %d differ" % (what, len(wanted), n_differences))
    return n_differences


def pprof_changes(base, new, profile, column):
    unit = "nanoseconds" if profile.factor(column) != 1 else profile.types[column][1] or "count"
    out = run("go", "tool", "pprof", "-top", "-nodecount=0", "-nodefraction=0", "-edgefraction=0", "-symbolize=none",
              "-sample_index=%d" % column, "-unit=%s" % unit, "-diff_base=" + base, new)
    return read_top(out)


def compare_pprof(profview, base, new):
    profile = Profile(new)
    n_differences = 0
    for column, (name, _) in enumerate(profile.types):
        wanted = pprof_changes(base, new, profile, column)
        found = profview_changes(profview, base, new, "--show-dropped", "--show-allocators", "--measure=" + name)
        n_differences += judge(name, wanted, found)
    return n_differences


def perf_self(path):
    counts = collections.Counter()
    for line in run("perf", "report", "-i", path, "--no-children", "--no-inline", "-g", "none", "--stdio", "-F", "sample,sym",
                    "--sort", "sym", "-w", "0,0", "-t", "\t").splitlines():
        cells = line.split("\t")
        if line.startswith("#") or len(cells) < 2:
            continue
        counts[re.sub(r"^\[.\] ", "", cells[1].strip())] += int(cells[0])
    return counts


def compare_perf(profview, base, new):
    """Figures of samples: perf report's; profview's are by weight, which is the same for all samples of cpu-clock -F."""
    before, after = perf_self(base), perf_self(new)
    out = run(profview, "--diff", "--print=top", "--format=json", "--limit=0", "--no-inline", base, new)
    data = json.loads(out)
    weight = data["total_base"] / sum(before.values())
    wanted = {name: after[name] - before[name] for name in set(before) | set(after) if after[name] != before[name]}
    found = collections.Counter()
    for row in data["functions"]:
        found[row["function"]] += round(row["self_delta"] / weight)
    known = {name: n for name, n in found.items() if n != 0 and name in wanted}
    unnamed = sorted(n for name, n in found.items() if n != 0 and name not in wanted)
    n_differences = judge("perf", {name: n for name, n in wanted.items() if name in known}, known)
    print("perf: %d only in perf's list (sum %d), %d only in profview's (sum %d)" %
          (len(wanted) - len(known), sum(n for name, n in wanted.items() if name not in known), len(unnamed), sum(unnamed)))
    return n_differences


def main():
    if len(sys.argv) != 5 or sys.argv[2] not in ("pprof", "perf"):
        sys.exit(__doc__)
    _, profview, kind, base, new = sys.argv
    compare = {"pprof": compare_pprof, "perf": compare_perf}[kind]
    sys.exit(1 if compare(profview, base, new) else 0)


main()
