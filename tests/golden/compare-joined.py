#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-joined.py PROFVIEW [OPTION...] -- FILE OTHER...: files that are shown together, against each of them alone.

Every function by every measure of every file: as the measure that is shown, and the files' own measures as columns beside
each other; a formula over both. Prints how many figures were compared; exits 1 if any differs."""
import functools
import itertools
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from profview_commands import Commands  # noqa: E402

# What starts a program or a thread is no part of stacks that are joined: its totals are not the same.
STARTS = {"_start", "__libc_start_main", "__libc_start_main_impl", "__libc_start_call_main", "__clone", "clone", "__clone3",
          "clone3", "start_thread"}
# Code without names has another number together: where one file has a library elsewhere, or knows only addresses.
NUMBER = re.compile(r"(\+| at )0x[0-9a-f]+$")
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8")


@functools.cache
def commands():
    return Commands(sys.argv[1], ENVIRONMENT)


def run(*arguments):
    status, out, errors = commands().ask(*arguments)
    if status != 0:
        sys.exit("%s: %s" % (" ".join(arguments), errors.decode("utf-8", "replace").strip()))
    return out.decode("utf-8", "replace")


def function_name(name):
    return "(without a name)" if NUMBER.search(name) else name


def module_name(name):
    """Modules are joined without their versions."""
    return re.sub(r"(\.so)\..*$", r"\1", name)


class Table:
    """Rows of --print=top: (function, module) -> column -> text; functions without figures are left out."""

    def __init__(self, *command):
        lines = [line.split("\t") for line in run(*command).split("\n") if line]
        self.columns = lines[0]
        self.rows = {}
        for cells in lines[1:]:
            row = dict(zip(self.columns, cells))
            # A function has a row for each build of its module, of which the joined one has one.
            self.rows.setdefault((function_name(row["function"]), module_name(row["module"])), []).append(row)

    def amounts(self, self_name, total_name):
        sums = {}
        for key, rows in self.rows.items():
            own = sum(int(row[self_name]) for row in rows)
            is_start = key[0].split("@")[0] in STARTS
            pair = (own, own if is_start else sum(int(row[total_name]) for row in rows))
            if pair != (0, 0):
                sums[key] = pair
        return sums


def find_code(key, keys):
    """Unnamed code of files that are placed by another one has the name that it has there: "libm.so.6 at 0x7f301e6a57b9"
    is a place in "libm.so.6+0xa5780", as the last three digits allow."""
    absolute = re.fullmatch(r"(.*) at 0x([0-9a-f]+)", key[0])
    if key in keys or absolute is None:
        return key
    found = [other for other in keys if other[1] == key[1] and other[0].startswith(absolute[1] + "+0x") and
             (int(absolute[2], 16) - int(other[0].rpartition("+")[2], 16)) % 4096 < 256]
    return found[0] if len(found) == 1 else key


def judge(what, wanted, found):
    n_differences = 0
    wanted = {find_code(key, found): pair for key, pair in wanted.items()}
    for key in sorted(set(wanted) | set(found)):
        if wanted.get(key) != found.get(key):
            n_differences += 1
            if n_differences <= 5:
                print("%s: %s: alone %s, together %s" % (what, key, wanted.get(key), found.get(key)))
    return n_differences


class Files:
    def __init__(self, options, files):
        self.top = ["--print=top", "--format=tsv", *options]
        self.files = files
        self.joined = [*("--with=" + other for other in files[1:]), files[0]]
        self.n_compared = self.n_differences = 0
        # The names of measures, as the files have them, and as they have them together.
        summary = ["--print=summary", "--format=json", *options]
        self.own = [[m["name"] for m in json.loads(run(*summary, file))["measures"]] for file in files]
        self.together = [m["name"] for m in json.loads(run(*summary, *self.joined))["measures"]]

    def judge(self, what, wanted, found):
        self.n_compared += 2 * len(wanted)
        self.n_differences += judge(what, wanted, found)

    def alone(self, file, measure):
        return Table(*self.top, "--measure=" + measure, file).amounts("self", "total")

    def name_together(self, place, measure):
        """A name that an earlier file has gets a number."""
        earlier = itertools.chain(*self.own[:place])
        return "%s-%d" % (measure, place + 1) if measure in earlier else measure

    def compare(self):
        firsts = []
        for place, (file, measures) in enumerate(zip(self.files, self.own)):
            shown = [m for m in measures if self.name_together(place, m) in self.together]
            firsts.append((file, shown[0], self.name_together(place, shown[0])))
            for measure in shown:
                name = self.name_together(place, measure)
                self.judge(name, self.alone(file, measure),
                           Table(*self.top, "--measure=" + name, *self.joined).amounts("self", "total"))
        # As columns: each file's own measure but the one that is shown.
        for shown in firsts:
            table = Table(*self.top, "--measure=" + shown[2], *self.joined)
            for file, measure, name in firsts:
                columns = ("self", "total") if name == shown[2] else (name + "_self", name + "_total")
                self.judge("%s beside %s" % (name, shown[2]), self.alone(file, measure), table.amounts(*columns))
        self.compare_ratio(firsts[0], firsts[1])

    def compare_ratio(self, first, second):
        """What is computed of both, for the functions of the first."""
        definition = '--measure=ratio="%s"*1000/"%s"' % (second[2], first[2])
        table = Table(*self.top, definition, *self.joined)
        own, other = self.alone(*first[:2]), self.alone(*second[:2])
        for key, (_, total) in own.items():
            if key[0].split("@")[0] in STARTS or len(table.rows[key]) > 1:
                continue
            row = table.rows[find_code(key, table.rows)][0]
            found = row["ratio_total"]
            others = [pair for name, pair in other.items() if find_code(name, table.rows) == find_code(key, table.rows)]
            wanted = sum(pair[1] for pair in others) * 1000 / total
            self.n_compared += 1
            # Bytes for time are per second.
            if not any(abs(float(found) - value) <= 1e-5 * abs(value) for value in (wanted, wanted * 1e9)):
                self.n_differences += 1
                print("ratio: %s: %s, not %g" % (key, found, wanted))


def main():
    if "--" not in sys.argv or len(sys.argv) < 5:
        sys.exit(__doc__)
    split = sys.argv.index("--")
    options, files = sys.argv[2:split], sys.argv[split + 1:]
    orders = [files, files[::-1]]
    n_differences = 0
    for order in orders:
        judged = Files(options, order)
        judged.compare()
        print("%s: %d figures compared, %d differ" % (" + ".join(os.path.basename(file) for file in order),
                                                      judged.n_compared, judged.n_differences))
        n_differences += judged.n_differences
        if judged.n_compared < 50:
            sys.exit("that is too little to be compared")
    sys.exit(1 if n_differences else 0)


main()
