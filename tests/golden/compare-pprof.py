#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-pprof.py PROFVIEW FILE...: self and total of every function by every sample type, exactly, three ways: `go tool pprof
-top`, profview, and a plain reader of our own (pprof_reference.py) that groups functions either way, for pprof tells them apart by
name and profview by module and name. Every difference is listed; what is known to differ is told with its kind:

  refused      pprof does not open the file
  empty name   pprof prints the name of the file for a function without a name
  negative     sample types with amounts below zero: pprof nets them, profview shows two measures (both checked)

Exits 1 if anything else differs."""
import collections
import os
import sys

from pprof_reference import Profile, read_top, unescape
from profview_commands import run_any

ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", PPROF_BINARY_PATH="/nonexistent", HOME="/nonexistent", GOFLAGS="")


def run(*command):
    status, out, errors = run_any(command, ENVIRONMENT)
    return status, out.decode("utf-8", "replace"), errors.decode("utf-8", "replace")


def pprof_top(path, column, profile):
    """What is printed -> sorted pairs, or an error"""
    unit = "nanoseconds" if profile.factor(column) != 1 else profile.types[column][1] or "count"
    status, out, err = run("go", "tool", "pprof", "-top", "-nodecount=0", "-nodefraction=0", "-edgefraction=0", "-symbolize=none",
                           "-sample_index=%d" % column, "-unit=%s" % unit, path)
    if status != 0:
        return None, err.strip().splitlines()[0] if err.strip() else "exit status %d" % status
    return read_top(out), None


def profview_top(profview, path, measure):
    status, out, err = run(profview, "--print=top", "--format=tsv", "--limit=0", "--show-dropped", "--measure=" + measure, path)
    if status != 0:
        return None, err.strip()
    rows = collections.defaultdict(list)
    for line in out.splitlines()[1:]:
        self_, total, function, module = line.split("\t")[:4]
        if int(self_) or int(total):
            rows[(unescape(function), unescape(module))].append((int(self_), int(total)))
    return {name: sorted(pairs) for name, pairs in rows.items()}, None


def differences(wanted, found):
    for name in sorted(set(wanted) | set(found)):
        if wanted.get(name) != found.get(name):
            yield name, wanted.get(name), found.get(name)


class Comparison:
    def __init__(self, profview):
        self.profview = profview
        self.n_rows = self.n_types = self.n_differences = 0
        self.explained = collections.Counter()

    def differ(self, path, text):
        self.n_differences += 1
        print("%s: %s" % (path, text))

    def explain(self, path, kind, text):
        self.explained[kind] += 1
        print("%s: %s: %s" % (path, kind, text))

    def against_pprof(self, path, profile, column):
        theirs, error = pprof_top(path, column, profile)
        if theirs is None:
            self.explain(path, "refused", error)
            return
        if profile.drop_frames and any(name for name, _ in profile.functions.values()):
            self.explain(path, "drop_frames", "pprof leaves frames out, so its list is not compared")
            return
        for name, wanted, found in differences(profile.sums(column, profile.pprof_frames), theirs):
            self.differ(path, "%s: %s: pprof has %s, the reference %s" % (profile.types[column][0], name, found, wanted))

    def against_profview(self, path, profile, column, measure, sign):
        ours, error = profview_top(self.profview, path, measure)
        if ours is None:
            self.differ(path, "%s: profview: %s" % (measure, error))
            return
        wanted = profile.sums(column, profile.profview_frames, sign)
        self.n_rows += len(wanted)
        for name, pairs, found in differences(wanted, ours):
            self.differ(path, "%s: %s: profview has %s, the reference %s" % (measure, name, found, pairs))

    def compare(self, path):
        profile = Profile(path)
        for column, (name, _) in enumerate(profile.types):
            self.n_types += 1
            self.against_pprof(path, profile, column)
            if not any(amount < 0 for _, amount in profile.amounts(column)):
                self.against_profview(path, profile, column, name, 1)
                continue
            self.explain(path, "negative", "%s: both sides are compared" % name)
            self.against_profview(path, profile, column, name + "-positive", 1)
            self.against_profview(path, profile, column, name + "-negative", -1)


def main():
    profview, *paths = sys.argv[1:]
    comparison = Comparison(profview)
    for path in paths:
        comparison.compare(path)
    print("%d files, %d sample types, %d functions; explained: %s; differences: %d" % (
        len(paths), comparison.n_types, comparison.n_rows, dict(comparison.explained), comparison.n_differences))
    return 1 if comparison.n_differences or not paths else 0


sys.exit(main())
