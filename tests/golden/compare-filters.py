#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-filters.py [--recorded=FILE [--record]] PROFVIEW PPROF-FILE...: flat and cumulative amounts of every function under
--focus, --ignore, --hide, --show and --show-from with many expressions equal those of `go tool pprof -top` with the same options.
Where go is not installed, what it said before is read from --recorded, which --record writes.

Functions without a name are compared by the sum of their flat amounts: pprof has one for each file of a mapping, profview one for
each address. Where they differ for a reason that is known, the case is counted by it:

  show_from inlined   pprof cuts what is outside of the match off a location, also where the location comes again further in;
                      profview only cuts at the outermost match
  short name          profview's expressions also match the name as it is shown: HashMap.clear of java/util/HashMap.clear
  several files       functions of one name and module are one function for profview, which matches by each of their files

Two more are left out: "^$" matches in pprof what has no file, and "." in profview what it calls a function without a name
("program+0x1234"). Exits 1 if anything else differs."""
import argparse
import collections
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile

from pprof_reference import Profile, shown
from profview_commands import Commands

ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", PPROF_BINARY_PATH="/nonexistent", HOME="/nonexistent", GOFLAGS="")
KINDS = ("focus", "ignore", "hide", "show", "show_from")
# Of any profile; RE2 and PCRE2 read them the same way.
COMMON = ("e", "a", "^m", "(?i)MAIN", "runtime|main", "[A-Z]", r"\.go", r"\(", "t$", "[a-f]r", "no such thing")
NAMELESS = re.compile(r"\[.*\]|<unknown>|\?\?|(.*\+)?0x[0-9a-f]+")


def choose_expressions(profile):
    """Whole names, parts of them, files and mappings, from all over the profile."""
    names = sorted({name for name, _ in profile.functions.values() if name})
    picked = [names[i * len(names) // 6] for i in range(6)] if names else []
    words = sorted({word for name in names for word in re.findall(r"\w{4,}", name)})
    picked_words = [words[i * len(words) // 6] for i in range(6)] if words else []
    mappings = sorted({row[3] for row in profile.mappings.values() if row[3]})
    wanted = ["^%s$" % re.escape(name).replace(r"\ ", " ") for name in picked] + picked_words
    wanted += ["%s|%s" % (picked_words[0], picked_words[-1]), "^(%s)" % picked_words[1]] if len(picked_words) > 1 else []
    wanted += [re.escape(os.path.basename(path)) for path in mappings[:1]]
    return list(dict.fromkeys(wanted + list(COMMON)))


def add_row(rows, name, flat, cum):
    if flat or cum:
        rows[name].append((flat, cum))


def merge(rows):
    """Nameless ones are one row, without a cumulative amount."""
    merged = {name: sorted(pairs) for name, pairs in rows.items() if not NAMELESS.fullmatch(name)}
    flat = sum(flat for name, pairs in rows.items() if NAMELESS.fullmatch(name) for flat, _ in pairs)
    return dict(merged, **({"nameless": [(flat, None)]} if flat else {}))


def read_top(path):
    rows, is_table = collections.defaultdict(list), False
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if is_table:
                flat, _, _, cum, _, *name = line.rstrip("\n").split(None, 5)
                name = shown(re.sub(r" \((partial-)?inline\)$", "", name[0]).encode()) if name else "<unknown>"
                add_row(rows, name, *(int(re.match(r"-?\d+", text).group()) for text in (flat, cum)))
            is_table |= line.split()[:2] == ["flat", "flat%"]
    if not is_table:
        raise ValueError("pprof has no table")
    return merge(rows)


def ask_pprof(path, profile, column, cases):
    """One process answers all cases."""
    unit = "nanoseconds" if profile.factor(column) != 1 else profile.types[column][1] or "count"
    lines = ["sample_index=%d" % column, "unit=" + unit, "nodecount=0", "nodefraction=0", "edgefraction=0"]
    with tempfile.TemporaryDirectory() as folder:
        for i, (kind, expression) in enumerate(cases):
            lines += ["%s=%s" % (kind, expression), "top >%s/%d" % (folder, i), "%s=" % kind]
        subprocess.run(["go", "tool", "pprof", "-symbolize=none", path], input="\n".join(lines) + "\n", text=True, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        return [read_top(os.path.join(folder, str(i))) for i in range(len(cases))]


def unescape(text):
    return re.sub(r"\\(.)", lambda m: {"t": "\t", "n": "\n"}.get(m.group(1), m.group(1)), text)


def ask_profview(commands, path, measure, kind, expression):
    text = commands.run("--print=top", "--format=tsv", "--limit=0", "--show-dropped", "--show-allocators",
                        "--measure=" + measure, "--%s=%s" % (kind.replace("_", "-"), expression), path)
    rows = collections.defaultdict(list)
    for line in text.splitlines()[1:]:
        flat, cum, name = line.split("\t")[:3]
        add_row(rows, unescape(name), int(flat), int(cum))
    return merge(rows)


def is_same(theirs, ours):
    """pprof merges functions of one name in different files; then only what each has for itself adds up."""
    if theirs == ours or theirs is None or ours is None:
        return theirs == ours
    return len(theirs) != len(ours) and sum(p[0] for p in theirs) == sum(p[0] for p in ours)


def differences(theirs, ours):
    return ["%s: pprof %s, profview %s" % (name, theirs.get(name), ours.get(name)) for name in sorted(set(theirs) | set(ours))
            if not is_same(theirs.get(name), ours.get(name))]


def shown_from(profile, stack, expression, cuts_everywhere):
    """Names of the frames from the outermost match on, leaf first; None without a match."""
    frames, end = [], 0
    for location in stack:
        mapping, _, lines = profile.locations[location]
        names = [(profile.functions[line][0], profile.files[line]) for line in lines]
        is_mapping_match = bool(mapping in profile.mappings and expression.search(profile.mappings[mapping][3]))
        matches = [i for i, texts in enumerate(names) if is_mapping_match or any(map(expression.search, texts))]
        if matches and cuts_everywhere and not is_mapping_match:
            names = names[:matches[-1] + 1]
        end = len(frames) + matches[-1] + 1 if matches else end
        frames += [name for name, _ in names]
    return frames[:end] or None


def sum_up(profile, column, expression, cuts_everywhere):
    flat, cum = collections.Counter(), collections.Counter()
    for stack, amount in profile.amounts(column):
        frames = shown_from(profile, stack, re.compile(expression), cuts_everywhere)
        for name in set(frames or []):
            cum[name] += amount
        if frames:
            flat[frames[0]] += amount
    return merge({name or "<unknown>": [(flat[name], cum[name])] for name in cum if cum[name] or flat[name]})


def matches_short_name(profile, expression):
    for number, (name, _) in profile.functions.items():
        parts = [name[at.end():] for at in re.finditer(r"[/.]", name)]
        if not expression.search(name) and not expression.search(profile.files[number]) and any(map(expression.search, parts)):
            return True
    return False


def matches_some_files(profile, expression):
    files = collections.defaultdict(set)
    for number, (name, _) in profile.functions.items():
        files[name].add(profile.files[number])
    return any(not expression.search(name) and {bool(expression.search(file)) for file in files[name]} == {True, False}
               for name in files)


def explain(profile, column, kind, expression, theirs, ours):
    """Why they may differ; None: they may not."""
    if kind == "show_from" and not differences(theirs, sum_up(profile, column, expression, True)) and \
            not differences(sum_up(profile, column, expression, False), ours):
        return "show_from inlined"
    if matches_short_name(profile, re.compile(expression)):
        return "short name"
    return "several files" if matches_some_files(profile, re.compile(expression)) else None


def choose_cases(profile):
    return [(kind, expression) for expression in choose_expressions(profile) for kind in KINDS]


def to_json(answers):
    return [{name: pairs for name, pairs in answer.items()} for answer in answers]


def from_json(answers):
    return [{name: [tuple(pair) for pair in pairs] for name, pairs in answer.items()} for answer in answers]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--recorded")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("profview")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    commands = Commands(options.profview, ENVIRONMENT)
    recorded, n_cases, n_different, explained = {}, 0, 0, collections.Counter()
    has_go = shutil.which("go") is not None
    if options.recorded and not options.record:
        with lzma.open(options.recorded, "rt") as file:
            recorded = json.load(file)
    for path in options.files:
        profile, name = Profile(path), os.path.basename(path)
        column = len(profile.types) - 1
        cases = choose_cases(profile)
        if has_go:
            answers = ask_pprof(path, profile, column, cases)
        else:
            answers = from_json(recorded[name])
        if options.record:
            recorded[name] = to_json(answers)
        for (kind, expression), theirs in zip(cases, answers, strict=True):
            n_cases += 1
            ours = ask_profview(commands, path, profile.types[column][0], kind, expression)
            found = differences(theirs, ours)
            reason = explain(profile, column, kind, expression, theirs, ours) if found else None
            if reason:
                explained[reason] += 1
            elif found:
                n_different += 1
                print("%s: --%s=%s: %s" % (name, kind, expression, "; ".join(found[:3])))
    commands.close()
    if options.record:
        with lzma.open(options.recorded, "wt", preset=9) as file:
            json.dump(recorded, file, sort_keys=True)
    print("%d files, %d filters; explained: %s; differences: %d; compared with %s" % (
        len(options.files), n_cases, dict(explained), n_different, "go tool pprof" if has_go else "what it said before"))
    return 1 if n_different else 0


sys.exit(main())
