#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-again.py PROFVIEW FILE [OPTION...] [--times] [--annotate]: writes FILE for the Firefox Profiler and as a callgrind file, and
opens both again. What profview prints has to be the same as of FILE: of a file for the Firefox Profiler the tree and the functions by
each measure (and with --times, when each thread did how much); of callgrind's, which has no stacks, each function by each measure.
Functions that call themselves, directly or through others, only have the same self there.

The JSON is held against the description of version 61 of the format too: columns as long as their tables, indexes within them. With
--annotate callgrind_annotate has to print the same figures (exit status 77 if it is not installed)."""
import collections
import gzip
import json
import os
import re
import shutil
import sys
import tempfile

from profview_commands import run_any

SKIPPED = 77
TABLES = {
    "stackTable": ["frame", "prefix"],
    "frameTable": ["address", "inlineDepth", "category", "subcategory", "func", "nativeSymbol", "innerWindowID", "line", "column"],
    "funcTable": ["name", "isJS", "relevantForJS", "resource", "source", "lineNumber", "columnNumber"],
    "resourceTable": ["lib", "name", "host", "type"],
    "nativeSymbols": ["libIndex", "address", "name", "functionSize"],
    "sources": ["filename", "id", "startLine", "startColumn", "sourceMapURL"],
}


def run(*command, good=(0,)):
    status, out, errors = run_any(command, dict(os.environ, LC_ALL="C.UTF-8", LANGUAGE=""))
    if status not in good:
        sys.exit("%s: exit status %d\n%s" % (" ".join(command), status, errors.decode("utf-8", "replace")))
    return out.decode("utf-8", "replace")


class Failures:
    def __init__(self):
        self.n = 0

    def fail(self, text):
        self.n += 1
        if self.n <= 20:
            print(text)

    def check(self, is_true, text):
        if not is_true:
            self.fail(text)

    def compare(self, what, wanted, found):
        for key in sorted(set(wanted) | set(found), key=str):
            self.check(wanted.get(key) == found.get(key), "%s: %s: %s in the file, %s in what was written of it"
                       % (what, key, wanted.get(key), found.get(key)))


def rows(profview, what, measure, *arguments):
    text = run(profview, "--print=" + what, "--format=tsv", "--limit=0", "--min-percent=0", "--measure=" + measure, *arguments)
    return [line.split("\t") for line in text.splitlines()[1:]]


def functions(profview, measure, *arguments):
    """{(function, module): [self, total, file, line]}"""
    found = {}
    for own, total, function, module, file, line in rows(profview, "top", measure, *arguments):
        if int(total) > 0:
            assert (function, module) not in found
            found[function, module] = [int(own), int(total), file if line else "", line]
    return found


def tree(profview, measure, *arguments):
    """{path of functions and modules: [self, total]}"""
    found, path = {}, []
    for depth, own, total, function, module in (row[:5] for row in rows(profview, "tree", measure, *arguments)):
        path[int(depth):] = [(function, module)]
        assert tuple(path) not in found
        if int(total) > 0:
            found[tuple(path)] = [int(own), int(total)]
    return found


# --- the Firefox Profiler ---

def check_column(failures, where, column, n_rows, n_targets=None, may_lack=False):
    failures.check(len(column) == n_rows, "%s: %d of %d rows" % (where, len(column), n_rows))
    if n_targets is not None:
        wrong = [cell for cell in column if not (cell is None and may_lack or cell is not None and 0 <= cell < n_targets)]
        failures.check(not wrong, "%s: %s of %d" % (where, wrong[:5], n_targets))


def check_json(failures, content, wanted_total, is_time):
    shared, threads = content["shared"], content["threads"]
    failures.check(content["meta"]["preprocessedProfileVersion"] == 61, "not of version 61")
    for name, columns in TABLES.items():
        table = shared[name]
        failures.check(sorted(table) == sorted(columns + ["length"]), "%s has %s" % (name, sorted(table)))
        for column in columns:
            check_column(failures, "%s.%s" % (name, column), table[column], table["length"])
    def refers(table, column, target, may_lack=False):
        n = len(target) if isinstance(target, list) else target["length"]
        check_column(failures, "%s.%s" % (table, column), shared[table][column], shared[table]["length"], n, may_lack)
    refers("stackTable", "frame", shared["frameTable"])
    refers("stackTable", "prefix", shared["stackTable"], True)
    refers("frameTable", "func", shared["funcTable"])
    refers("frameTable", "category", content["meta"]["categories"])
    refers("funcTable", "name", shared["stringArray"])
    refers("funcTable", "resource", shared["resourceTable"])
    refers("funcTable", "source", shared["sources"], True)
    refers("resourceTable", "name", shared["stringArray"])
    refers("resourceTable", "lib", content["libs"], True)
    refers("sources", "filename", shared["stringArray"])
    failures.check(all(prefix is None or prefix < i for i, prefix in enumerate(shared["stackTable"]["prefix"])),
                   "a stack comes before the one it continues")
    for library in content["libs"]:
        code, debug = library["codeId"] or "", library["breakpadId"]
        first = bytes.fromhex(code)[:16].ljust(16, b"\0")
        guid = first[3::-1] + first[5:3:-1] + first[7:5:-1] + first[8:]
        failures.check(debug == guid.hex().upper() + "0", "%s: %s for %s" % (library["name"], debug, code))
    total = 0
    for thread in threads:
        samples = thread["samples"]
        for column in ("time", "weight"):
            check_column(failures, "%s.%s" % (thread["name"], column), samples[column], samples["length"])
        check_column(failures, "%s.stack" % thread["name"], samples["stack"], samples["length"], shared["stackTable"]["length"], True)
        failures.check(samples["time"] == sorted(samples["time"]), "%s: samples are not in order" % thread["name"])
        failures.check(samples["weightType"] == "tracing-ms" or not is_time, "weights are no times")
        total += sum(round(weight * 1e6) if is_time else weight for weight in samples["weight"])
    failures.check(total == wanted_total, "weights of %d, not %d" % (total, wanted_total))
    sums = [sum(abs(weight) for weight in thread["samples"]["weight"]) for thread in threads]
    failures.check(sums[content["meta"]["initialSelectedThreads"][0]] == max(sums), "another thread than the heaviest is selected")


def compare_firefox(failures, profview, arguments, folder, measure, has_times):
    packed, plain = os.path.join(folder, "out.profile.json.gz"), os.path.join(folder, "out.profile.json")
    run(profview, "--export=" + packed, "--measure=" + measure["name"], *arguments)
    run(profview, "--export=" + plain, "--measure=" + measure["name"], *arguments)
    with gzip.open(packed) as file, open(plain, "rb") as other:
        content = file.read()
        failures.check(content == other.read(), "packed and plain differ")
    wanted = tree(profview, measure["name"], *arguments)
    check_json(failures, json.loads(content), sum(total for path, (_, total) in wanted.items() if len(path) == 1), measure["unit"] == "ns")
    failures.compare("tree by " + measure["name"], wanted, tree(profview, measure["name"], packed))
    failures.compare("functions by " + measure["name"], functions(profview, measure["name"], *arguments),
                     functions(profview, measure["name"], packed))
    again = json.loads(run(profview, "--print=summary", "--format=json", packed))
    failures.check(len(again["measures"]) == 1, "%d measures" % len(again["measures"]))
    if has_times:
        lines = [collections.Counter(map(tuple, rows(profview, "timeline", measure["name"], "--bins=50", *paths)))
                 for paths in (arguments, [packed])]
        failures.compare("when " + measure["name"], *lines)
    return len(wanted)


# --- callgrind ---

def find_cycles(paths):
    """The functions that call themselves, directly or through others."""
    callees = collections.defaultdict(set)
    for path in paths:
        if len(path) > 1:
            callees[path[-2]].add(path[-1])
    found = set()
    for start in list(callees):
        reached, new = set(), set(callees[start])
        while new:
            reached |= new
            new = set().union(*(callees.get(one, set()) for one in new)) - reached
        if start in reached:
            found.add(start)
    return found


def annotated(path, event, is_inclusive):
    """{name: sum} as callgrind_annotate prints it; of functions of one name in several files a list."""
    text = run("callgrind_annotate", "--threshold=100", "--auto=no", "--inclusive=" + ("yes" if is_inclusive else "no"),
               "--show=" + event, "--sort=" + event, path)
    found = collections.defaultdict(list)
    lines = iter(text.splitlines())
    for line in lines:
        if line.endswith("file:function"):
            break
    for line in lines:
        match = re.match(r"\s*([\d,]+) \([ \d.]+%\)  (.*)$", line)
        if match:
            name = match[2].split(":", 1)[1].rsplit(" [", 1)[0]
            found[name].append(int(match[1].replace(",", "")))
    total = re.search(r"^\s*([\d,]+) .*PROGRAM TOTALS", text, re.M)
    return found, int(total[1].replace(",", "")) if total else 0


def compare_annotate(failures, path, event, wanted, cycles, paths):
    own, total = annotated(path, event, False)
    inclusive, _ = annotated(path, event, True)
    names = collections.Counter(function for function, _ in wanted)
    # callgrind_annotate takes what calls of a function cost for all of it, if there are any.
    called = {path[-1] for path in paths if len(path) > 1}
    roots = {path[0] for path in paths}
    n = 0
    failures.check(total == sum(row[0] for row in wanted.values()), "callgrind_annotate: %d of %s" % (total, event))
    for key, (self, whole, _, _) in wanted.items():
        if names[key[0]] > 1:
            continue
        failures.check(sum(own[key[0]]) == self, "callgrind_annotate: %s %s: %s, not %d" % (event, key, own[key[0]], self))
        if key in cycles or key in called & roots:
            continue
        n += 1
        failures.check(inclusive[key[0]] == [whole], "callgrind_annotate: %s %s: inclusive %s, not %d"
                       % (event, key, inclusive[key[0]], whole))
    return n


def compare_callgrind(failures, profview, arguments, folder, measures, with_annotate):
    path = os.path.join(folder, "callgrind.out.1")
    run(profview, "--export=" + path, "--measure=" + measures[0]["name"], *arguments)
    with open(path, encoding="utf-8") as file:
        events = next(line for line in file if line.startswith("events:")).split()[1:]
    failures.check(len(events) == len(measures), "%s for %d measures" % (events, len(measures)))
    again = json.loads(run(profview, "--print=summary", "--format=json", path))
    units = {"byte_ms": "count"}
    failures.check([(one["name"], one["unit"]) for one in again["measures"]]
                   == [(one["name"], units.get(one["unit"], one["unit"])) for one in measures],
                   "measures are %s" % again["measures"])
    for measure, event in zip(measures, events):
        paths = tree(profview, measure["name"], *arguments)
        cycles = find_cycles(paths)
        wanted = functions(profview, measure["name"], *arguments)
        found = functions(profview, measure["name"], path)
        failures.compare("callgrind by " + measure["name"], {key: row[:2] for key, row in wanted.items() if key not in cycles},
                         {key: row[:2] for key, row in found.items() if key not in cycles})
        failures.compare("callgrind, self by " + measure["name"], {key: row[0] for key, row in wanted.items()},
                         {key: row[0] for key, row in found.items()})
        n = compare_annotate(failures, path, event, wanted, cycles, paths) if with_annotate and wanted else 0
        print("%s: %d functions, %d in cycles, %d by callgrind_annotate" % (measure["name"], len(wanted), len(cycles), n))


def main():
    flags = [argument for argument in sys.argv[1:] if argument in ("--times", "--annotate")]
    profview, *arguments = [argument for argument in sys.argv[1:] if argument not in flags]
    if "--annotate" in flags and shutil.which("callgrind_annotate") is None:
        print("callgrind_annotate is not installed")
        return SKIPPED
    symbols = [argument for argument in arguments if re.match("--(sysroot|series|merge)|[^-]", argument)]
    summary = json.loads(run(profview, "--print=summary", "--format=json", *symbols))
    measures = [measure for measure in summary["measures"] if "base" not in measure]
    sides = {measure[side] for measure in summary["measures"] for side in ("base", "new") if "base" in measure}
    measures = [measure for measure in measures if measure["name"] not in sides]
    failures = Failures()
    with tempfile.TemporaryDirectory() as folder:
        if "--annotate" not in flags:
            for measure in measures:
                if functions(profview, measure["name"], *arguments):
                    n = compare_firefox(failures, profview, arguments, folder, measure, "--times" in flags)
                    print("%s: %d nodes" % (measure["name"], n))
        compare_callgrind(failures, profview, arguments, folder, measures, "--annotate" in flags)
    print("%d differ" % failures.n)
    return 1 if failures.n else 0


sys.exit(main())
