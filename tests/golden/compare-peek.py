#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-peek.py PROFVIEW FILE...: every function of every sample type between its callers and its callees, exactly, by
`go tool pprof -peek=.` and by profview. pprof tells functions apart by their names alone, and has no calls of a function by itself:
so calls between functions of one name do not count here. Every difference is listed; what is known to differ, with its kind:

  refused      pprof does not open the file
  drop_frames  pprof leaves frames out
  no names     a file without any
  no name      code without a name is its file to pprof, and each place of its own to profview: it is left out, on both sides
  one name     functions of several modules, which are one to pprof: a stack that has two of them counts once there
  negative     sample types with amounts below zero: pprof adds them up, profview shows both sides

Exits 1 if anything else differs, or nothing was compared."""
import collections
import json
import os
import re
import sys

from pprof_reference import Profile, shown
from profview_commands import run_any

ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", PPROF_BINARY_PATH="/nonexistent", HOME="/nonexistent", GOFLAGS="")
# Amounts are whole numbers, with a unit behind them or none. "0" stands for nothing.
AMOUNT = r"(-?\d+)(?:[a-zA-Z*/_]*)"
FUNCTION = re.compile(r"^\s*" + AMOUNT + r"\s+\S+%?\s+\S+%?\s+" + AMOUNT + r"\s+\S+%?\s+\| (?! )(.*)$")
CALL = re.compile(r"^\s*" + AMOUNT + r"\s+\S+%?\s+\|   (.*)$")
INLINED = re.compile(r" \((partial-)?inline\)$")


def run(*command):
    status, out, errors = run_any(command, ENVIRONMENT)
    return status, out.decode("utf-8", "replace"), errors.decode("utf-8", "replace")


def name_of(text):
    """Without what pprof adds, and as profview shows it."""
    return shown(INLINED.sub("", text).encode())


class Peek:
    """Of a function: self, total, callers and callees with their amounts."""

    def __init__(self):
        self.self = self.total = 0
        self.callers, self.callees = collections.Counter(), collections.Counter()

    def key(self, name, is_nameless):
        calls = [{of: n for of, n in side.items() if n and of != name and not is_nameless(of)} for side in (self.callers, self.callees)]
        return self.self, self.total, *calls

    def __str__(self):
        return "self %d, total %d, callers %s, callees %s" % (self.self, self.total, dict(self.callers), dict(self.callees))


def read_peek(text):
    found, peek, above = {}, None, collections.Counter()
    for line in text.splitlines():
        is_function, is_call = FUNCTION.match(line), CALL.match(line)
        if line.startswith("-----"):
            peek, above = None, collections.Counter()
        elif is_function:
            peek = found.setdefault(name_of(is_function[3]), Peek())
            peek.self, peek.total, peek.callers = int(is_function[1]), int(is_function[2]), above
        elif is_call:
            (above if peek is None else peek.callees)[name_of(is_call[2])] += int(is_call[1])
    return found


def pprof_peek(path, column, profile):
    unit = "nanoseconds" if profile.factor(column) != 1 else profile.types[column][1] or "count"
    status, out, err = run("go", "tool", "pprof", "-peek=.", "-nodecount=0", "-nodefraction=0", "-edgefraction=0", "-symbolize=none",
                           "-sample_index=%d" % column, "-unit=%s" % unit, path)
    if status != 0:
        return None, err.strip().splitlines()[0] if err.strip() else "exit status %d" % status
    return read_peek(out), None


def profview_peek(profview, path, measure):
    """Also the names that functions of several modules have."""
    status, out, err = run(profview, "--print=peek", "--function=.", "--format=json", "--show-dropped", "--show-allocators",
                           "--measure=" + measure, path)
    if status != 0:
        return None, None, err.strip()
    found, modules = {}, collections.defaultdict(set)
    for row in json.loads(out)["peek"]:
        peek = found.setdefault(row["of_function"], Peek())
        modules[row["of_function"]].add(row["of_module"])
        if row["relation"] == "function":
            peek.self += int(row["self"])
            peek.total += row["weight"]
        elif row["function"] is not None:
            (peek.callers if row["relation"] == "caller" else peek.callees)[row["function"]] += row["weight"]
    return found, {name for name, places in modules.items() if len(places) > 1}, None


def nameless(profile):
    """Whether a name is one that was made for code without any."""
    named = {name for name, _ in profile.functions.values()}
    pattern = re.compile(r"^(\[.*\]|<unknown>|\?\?|(.*\+)?0x[0-9a-f]+)$")
    return lambda name: name not in named and bool(pattern.match(name))


class Comparison:
    def __init__(self, profview):
        self.profview = profview
        self.n_functions = self.n_types = self.n_differences = 0
        self.explained = collections.Counter()

    def explain(self, path, kind, text):
        self.explained[kind] += 1
        print("%s: %s: %s" % (path, kind, text))

    def compare_type(self, path, profile, column):
        name = profile.types[column][0]
        if any(amount < 0 for _, amount in profile.amounts(column)):
            self.explain(path, "negative", name)
            return
        theirs, error = pprof_peek(path, column, profile)
        if theirs is None:
            self.explain(path, "refused", error)
            return
        ours, shared, error = profview_peek(self.profview, path, name)
        if ours is None:
            if theirs:
                self.n_differences += 1
                print("%s: %s: profview: %s" % (path, name, error))
            return
        ours = {name: peek for name, peek in ours.items() if peek.total}
        theirs = {name: peek for name, peek in theirs.items() if peek.total}
        self.n_types += 1
        is_nameless = nameless(profile)
        for function in sorted(set(ours) | set(theirs)):
            mine, other = ours.get(function, Peek()), theirs.get(function, Peek())
            if is_nameless(function):
                self.explained["no name"] += 1
                continue
            self.n_functions += 1
            if mine.key(function, is_nameless) == other.key(function, is_nameless):
                continue
            beside = {function, *mine.callers, *mine.callees, *other.callers, *other.callees}
            if beside & shared:
                self.explain(path, "one name", "%s: %s" % (name, function))
                continue
            self.n_differences += 1
            print("%s: %s: %s:\n  pprof:    %s\n  profview: %s" % (path, name, function, other, mine))

    def compare(self, path):
        profile = Profile(path)
        if profile.drop_frames:
            self.explain(path, "drop_frames", profile.drop_frames)
        elif not any(name for name, _ in profile.functions.values()):
            self.explain(path, "no names", "nothing to compare")
        else:
            for column in range(len(profile.types)):
                self.compare_type(path, profile, column)


def main():
    profview, *paths = sys.argv[1:]
    comparison = Comparison(profview)
    for path in paths:
        comparison.compare(path)
    print("%d files, %d sample types, %d functions; explained: %s; differences: %d" % (
        len(paths), comparison.n_types, comparison.n_functions, dict(comparison.explained), comparison.n_differences))
    return 1 if comparison.n_differences or comparison.n_functions == 0 else 0


sys.exit(main())
