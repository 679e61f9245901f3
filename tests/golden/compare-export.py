#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-export.py PROFVIEW FILE [OPTION...] [--go] [--again] [--series FILE...]: writes FILE as a pprof file and holds it against what profview
itself prints: every function, self and total, by the measure asked for (--measure=...) or else by each of them.

The file is read by the words of profile.proto (pprof_file.py). With --go, `go tool pprof -top` has to print the same
(exit status 77 if there is no go). With --again profview reads the file again: its table of functions must be the same,
and what it writes of it byte for byte the same as at first. Other options go to profview: --sysroot=DIR, --focus=RE ...

Names that are not the same in both: pprof merges functions of one name in several modules, so they are added up; a
function without a name is [file] or <unknown> there, all of them one row, and a place here (file+0x1234, file at 0x1234, 0x1234, [unknown] or ??); kernel modules are [name] here
and [name.ko] there, and code made at run time is [JIT] here and [perf-PID.map] there."""
import collections
import filecmp
import json
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pprof_file  # noqa: E402
from profview_commands import run_any  # noqa: E402

SKIPPED = 77


def run(*command):
    status, out, errors = run_any(command, dict(os.environ, LC_ALL="C.UTF-8", LANGUAGE="", PPROF_TMPDIR=tempfile.gettempdir()))
    if status != 0:
        sys.exit("%s: exit status %d\n%s" % (" ".join(command), status, errors.decode("utf-8", "replace")))
    return out.decode("utf-8", "replace")


def unescaped(cell):
    return re.sub(r"\\(.)", lambda match: {"t": "\t", "n": "\n", "r": "\r"}.get(match[1], match[1]), cell)


def own_rows(profview, arguments, path):
    """[self, total, function, module, file, line] of each row of profview's table."""
    lines = run(profview, "--print=top", "--format=tsv", *arguments, path).splitlines()[1:]
    return [[unescaped(cell) for cell in line.split("\t")[:6]] for line in lines]


def named_as_pprof(rows, unnamed, files):
    """{name: [self, total]} of rows; unnamed are those that stand for functions without a name."""
    names = {re.sub(r"\.ko(\..*)?$", "", file).replace("-", "_"): file for file in files if ".ko" in file}
    names.update((file.rsplit("]", 1)[0].strip("["), file) for file in files if file.startswith("["))
    result = collections.defaultdict(lambda: [0, 0])
    for own, total, function, module, _, _ in rows:
        if (function, module) in unnamed:
            file = module if module in files else names.get(module.strip("[]").replace("-", "_"), module)
            function = "[%s]" % file if module not in ("", "[unknown]") else "<unknown>"
        row = result[function]
        row[0] += int(own)
        row[1] += int(total)
    return result


def is_unnamed(function):
    return function in ("??", "[unknown]") or re.fullmatch(r"(.*(\+| at ))?0x[0-9a-f]+", function) is not None


def join_jit(rows):
    """One row for all code that was made at run time and has no name."""
    result = collections.defaultdict(lambda: [0, 0])
    for name, (own, total) in rows.items():
        row = result["[[JIT]]" if re.fullmatch(r"\[(perf-\d+\.map|jit-\d+\.dump)\]", name) else name]
        row[0] += own
        row[1] += total
    return result


def go_top(path, name, unit):
    """{name: [flat, cum]} as `go tool pprof -top` prints it."""
    text = run("go", "tool", "pprof", "-symbolize=none", "-top", "-trim=false", "-nodecount=100000000",
               "-unit=" + unit, "-sample_index=" + name, path)
    result = {}
    lines = iter(text.splitlines())
    for line in lines:
        if line.split() == ["flat", "flat%", "sum%", "cum", "cum%"]:
            break
    for line in lines:
        flat, _, _, cum, _, function = line.split(None, 5)
        function = re.sub(r" \((partial-)?inline\)$", "", function)
        number = [int(float(re.match(r"-?[0-9.]+(e[+-]?\d+)?", cell)[0])) for cell in (flat, cum)]
        result[function] = number
    return result


def differences(what, expected, got):
    """Rows of nothing do not count: pprof leaves them out."""
    expected = {name: list(row) for name, row in expected.items() if any(row)}
    got = {name: list(row) for name, row in got.items() if any(row)}
    wrong = [(name, expected.get(name), got.get(name)) for name in sorted(set(expected) | set(got))
             if expected.get(name) != got.get(name)]
    for name, ours, theirs in wrong[:20]:
        print("%s: %s: profview %s, there %s" % (what, name, ours, theirs))
    return len(wrong)


def own_table(profview, path, arguments, measure, sides):
    """Rows of profview's table; those of both sides of what goes both ways."""
    if not sides:
        return own_rows(profview, [*arguments, "--measure=" + measure], path)
    base, new = sides
    rows = own_rows(profview, [*arguments, "--measure=" + new], path)
    for own, total, *rest in own_rows(profview, [*arguments, "--measure=" + base], path):
        rows.append(["-" + own, "-" + total, *rest])
    return rows


def compare_measure(profview, path, arguments, exported, export_path, measure, sides, with_go):
    rows = own_table(profview, path, arguments, measure, sides)
    column = [name for name, _ in exported.sample_types].index(measure)
    theirs = join_jit(exported.top(column))
    files = {os.path.basename(mapping["filename"]) for mapping in exported.mappings.values()}
    unnamed = {(function, module) for _, _, function, module, _, _ in rows
               if is_unnamed(function) and function not in theirs}
    ours = named_as_pprof(rows, unnamed, files)
    total = sum(values[column] for _, values, _ in exported.samples)
    # A function that is in two modules, one calling the other, is counted once by pprof and twice by the sum; so are two
    # functions without a name.
    modules = collections.Counter(function for function, _ in {(row[2], row[3]) for row in rows})
    for name, row in theirs.items():
        is_sum = modules[name] > 1 or (name.startswith(("[", "<unknown>")) and len(unnamed) > 1)
        if is_sum and row[1] < ours[name][1]:
            ours[name][1] = row[1]
    n_wrong = differences("%s %s" % (os.path.basename(path), measure), ours, theirs)
    if with_go:
        printed = join_jit(go_top(export_path, measure, exported.sample_types[column][1]))
        n_wrong += differences("go %s %s" % (os.path.basename(path), measure), ours, printed)
    print("%s %s: %d functions, total %d, %d differ" % (os.path.basename(path), measure, len(ours), total, n_wrong))
    return n_wrong


def compare_again(profview, path, arguments, export_path, folder, measures):
    """What profview says of its own file, and writes of it."""
    n_wrong = 0
    for measure in measures:
        # A function whose declaration is not known has the file of one of its lines, the one that was read first.
        def shown(rows):
            return sorted((int(own), int(total), function, module, file if line else "", line)
                          for own, total, function, module, file, line in rows if int(total) > 0)
        first = shown(own_rows(profview, [*arguments, "--measure=" + measure], path))
        again = shown(own_rows(profview, ["--measure=" + measure], export_path))
        for row in sorted(set(first) ^ set(again))[:20]:
            print("read again, %s: only in the %s: %s" % (measure, "file" if row in first else "export", row))
        n_wrong += first != again
    second, third = os.path.join(folder, "second.pb.gz"), os.path.join(folder, "third.pb.gz")
    run(profview, "--export=" + second, export_path)
    run(profview, "--export=" + third, second)
    if not filecmp.cmp(second, third, shallow=False):
        print("a file that was written twice is not the same")
        n_wrong += 1
    return n_wrong


def main():
    flags = [argument for argument in sys.argv[1:] if argument in ("--go", "--again")]
    profview, path, *arguments = [argument for argument in sys.argv[1:] if argument not in flags]
    asked = [argument[10:] for argument in arguments if argument.startswith("--measure=")]
    arguments = [argument for argument in arguments if not argument.startswith("--measure=")]
    if "--go" in flags and shutil.which("go") is None:
        print("go is not installed")
        return SKIPPED
    symbols = [argument for argument in arguments
               if re.match("--(sysroot|symbol-path|map-path|series|merge)|[^-]", argument)]
    summary = json.loads(run(profview, "--print=summary", "--format=json", *symbols, path))
    with tempfile.TemporaryDirectory() as folder:
        export_path = os.path.join(folder, "export.pb.gz")
        run(profview, "--export=" + export_path, *arguments, *("--measure=" + name for name in asked), path)
        exported = pprof_file.Profile(export_path)
        known = [name for name, _ in exported.sample_types]
        measures = asked or [measure["name"] for measure in summary["measures"] if measure["name"] in known]
        n_wrong = 0
        if exported.default not in measures:
            print("the default is %s" % exported.default)
            n_wrong += 1
        for measure in measures:
            sides = next((other["base"], other["new"]) if "base" in other else None
                         for other in summary["measures"] if other["name"] == measure)
            n_wrong += compare_measure(profview, path, arguments, exported, export_path, measure, sides, "--go" in flags)
        if "--again" in flags:
            n_wrong += compare_again(profview, path, arguments, export_path, folder, measures)
    return 1 if n_wrong else 0


sys.exit(main())
