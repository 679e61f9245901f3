#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-jeprof.py [--sysroot=DIR] [--verbose] PROFVIEW BINARY DUMP...: holds what profview says of heap and CPU profiles in the
formats of jemalloc and gperftools against jeprof, google-pprof and go tool pprof, whichever of them read the dump.

Each function's own and total amounts must be those of `profview --print=top` within what the tools cut off: they drop the
fraction of every stack, or of the sum. Functions go by their names without parameters and template arguments; those of one C
function's address are one. What differs must be of a kind that is known:

  allocators   The tools take other functions for parts of the allocator than profview does. With the tool's list applied to
               all of our frames (--show-allocators), the amounts agree.
  leaf         jeprof and google-pprof look the first address of a stack up as it is, though in heaps it is a return address
               like the others. With a dump in which those are one byte less, the amounts agree.
  no symbol    The tool names an address outside of every symbol after the one before it; profview has no name for it, and
               what it has without names in that module accounts for the difference.
  no names     go tool pprof has only "[module]" for what it found no name for; it is not more than what we have of it.
  not inlined  The tool knows nothing of inlined functions there; ours with --no-inline agree.
  other names  One address has several symbols, or a symbol and another name in the debug information; or the tool leaves
               namespaces out, as debug information does of inlined functions.
  outer name   The tool gives an inlined function the name of the symbol around it: in our stacks it is called from that.

A difference of no known kind fails."""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from heaptrack_names import aliases_of  # noqa: E402
from names import undecorated  # noqa: E402

COLUMNS = ("inuse_space", "inuse_objects", "alloc_space", "alloc_objects")
# As jeprof has them; google-pprof lacks some, which no program here calls.
ALLOCATORS = re.compile(
    r"_?(calloc|cfree|malloc|newImpl|void\* newImpl|fallbackNewImpl|void\* fallbackNewImpl|free|memalign|posix_memalign|"
    r"aligned_alloc|pvalloc|valloc|realloc|mallocx|rallocx|do_rallocx|xallocx|dallocx|sdallocx|sdallocx_noflags|tc_\w+|"
    r"malloc_zone_\w+|operator new|operator new\[\]|operator delete|operator delete\[\]|DoSampledAllocation|"
    r"simple_alloc::allocate|__malloc_alloc_template::allocate|__builtin_(delete|new|vec_delete|vec_new))$|"
    r".*TCMalloc|tcmalloc::")
PROFILER = re.compile(r"(ProfileData::(Add|prof_handler)|CpuProfiler::prof_handler|__FRAME_END__|__pthread_sighandler|__restore)$")

Row = collections.namedtuple("Row", "flat total")


def run(command, **words):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          text=True, errors="replace", env=dict(os.environ, LC_ALL="C.UTF-8"), **words)
    return done.stdout if done.returncode == 0 else None


class Names:
    """One spelling for a function, whoever wrote it."""

    def __init__(self, sysroot, dump):
        with open(dump, "rb") as file:
            modules = set(re.findall(r"(?<= )/\S+", file.read().decode("utf-8", "replace")))
        self.aliases = aliases_of(sysroot, sorted(modules))

    def plain(self, name):
        name = name.removesuffix(" (inline)").split("@")[0].removeprefix("__GI_")
        if name.startswith("["):
            return name
        name = undecorated(name.replace("operator new[]", "operator new_array")).replace("operator new_array", "operator new[]")
        name = name.replace("{anonymous}::", "")
        short = name.lstrip("_")
        return self.aliases.get(short, short) if "::" not in name else name.removeprefix("::")


# --- the tools ------------------------------------------------------------------------------------


def with_earlier_leaves(dump, scratch):
    """A copy of a heap dump whose stacks begin one byte before."""
    path = os.path.join(scratch, "leaf-" + os.path.basename(dump))
    with open(dump, "rb") as file:
        text = re.sub(rb"(@ +0x)([0-9a-f]+)", lambda match: match[1] + b"%x" % (int(match[2], 16) - 1), file.read())
    with open(path, "wb") as file:
        file.write(text)
    return path


def pprof_text(tool, binary, dump, column, names):
    """{name: Row} of jeprof or google-pprof, or None if it cannot read the dump."""
    option = [] if column == "samples" else ["--" + column]
    text = run([tool, "--text", "--show_bytes", "--nodecount=1000000", "--nodefraction=0", "--edgefraction=0", *option, binary, dump])
    if text is None:
        return None
    rows = {}
    for line in text.splitlines():
        match = re.match(r" *(-?\d+) +[-\d.]+% +[-\d.]+% +(-?\d+) +[-\d.]+% (.*)", line)
        if match:
            add(rows, names.plain(match[3]), int(match[1]), int(match[2]))
    return rows


GO_UNITS = {"": 1, "B": 1, "ns": 1}


def go_text(binary, dump, column, names):
    unit = {"cpu": "ns"}.get(column, "B" if "space" in column else "")
    index = column
    text = None
    for index in (column, column.removeprefix("inuse_")):
        text = text or run(["go", "tool", "pprof", "-top", "-nodecount=1000000", "-nodefraction=0", "-edgefraction=0",
                            "-unit=" + (unit or "count"), "-sample_index=" + index, binary, dump])
    if text is None:
        return None
    rows = {}
    for line in text.splitlines():
        match = re.match(r" *(-?[\d.]+)([a-zA-Z]*) +[-\d.]+% +[-\d.]+% +(-?[\d.]+)([a-zA-Z]*) +[-\d.]+%  (.*)", line)
        if match:
            add(rows, names.plain(match[5]), int(float(match[1])) * GO_UNITS[match[2]], int(float(match[3])) * GO_UNITS[match[4]])
    return rows


def add(rows, name, flat, total):
    """Functions of one name: their totals cannot be added where one calls the other, so the larger is what is known."""
    known = rows.get(name, Row(0, 0))
    rows[name] = Row(known.flat + flat, max(known.total, total))


# --- profview -------------------------------------------------------------------------------------


class Ours:
    def __init__(self, options, dump, column, names):
        self.names = names
        self.command = [options.profview, "--sysroot=" + options.sysroot] if options.sysroot else [options.profview]
        self.command += ["--measure=" + column, dump]
        self.rows, self.totals, _ = self.read_top()
        # go tool pprof hides nothing that has no name.
        self.outer_rows, _, self.modules = self.read_top("--no-inline", "--show-allocators")
        self.stacks = self.read_stacks()

    def read_top(self, *options):
        """Rows by name, the sums of all totals of one name, which are more than its total, and own amounts by module."""
        rows, totals, modules = {}, collections.Counter(), collections.Counter()
        for line in run([*self.command, "--print=top", "--format=tsv", *options]).splitlines()[1:]:
            flat, total, function, module = line.split("\t")[:4]
            flat, total = int(flat), int(total)
            name = self.names.plain(function)
            modules[module] += flat
            if is_unnamed(function, module):
                name = "[%s]" % module
            add(rows, name, flat, total)
            totals[name] += total
        return rows, totals, modules

    def read_stacks(self):
        """Pairs of the names of a stack, leaf first, and its weight."""
        with tempfile.TemporaryDirectory() as scratch:
            out = os.path.join(scratch, "out.folded")
            run([*self.command, "--show-allocators", "--export=" + out])
            with open(out, encoding="utf-8") as file:
                lines = [line.rstrip("\n").rsplit(" ", 1) for line in file]
        result = []
        for stack, weight in lines:
            stack = stack.replace("::", "\0").split(";")
            result.append(([self.frame(name.replace("\0", "::")) for name in reversed(stack)], int(weight)))
        return result

    def frame(self, name):
        match = re.fullmatch(r"(.*)\+0x[0-9a-f]+", name)
        return "[%s]" % match[1] if match else self.names.plain(name)

    def modelled(self, unwanted, drops_all):
        """What the rows are when the tool's list of functions is taken out: with all that they called, or alone."""
        flats, totals = collections.Counter(), collections.Counter()
        for stack, weight in self.stacks:
            kept = []
            for name in stack:
                if unwanted.match(name):
                    kept = [] if drops_all else kept
                else:
                    kept.append(name)
            if kept:
                flats[kept[0]] += weight
            totals.update(dict.fromkeys(kept, weight))
        return {name: Row(flats[name], totals[name]) for name in totals}


def is_unnamed(function, module):
    return function in ("??", module) or re.fullmatch(r".*(\+| at )0x[0-9a-f]+", function) is not None


# --- comparing ------------------------------------------------------------------------------------


class Comparison:
    def __init__(self, ours, theirs, earlier, slack, model):
        self.ours, self.theirs, self.slack, self.model = ours, theirs, slack, model
        self.earlier = earlier  # theirs of the dump with earlier leaves
        self.kinds = collections.defaultdict(list)
        self.n_equal = 0

    def is_near(self, row, other):
        return other is not None and abs(row.flat - other.flat) <= self.slack and abs(row.total - other.total) <= self.slack

    def is_equal(self, row, name):
        """Where several functions have one name, the total is between the largest and the sum of theirs."""
        ours = self.ours.rows.get(name, Row(0, 0))
        return (abs(ours.flat - row.flat) <= self.slack
                and ours.total - self.slack <= row.total <= max(ours.total, self.ours.totals[name]) + self.slack)

    def kind_of(self, row, name):
        if self.is_equal(row, name):
            return "equal"
        if self.is_near(row, self.model.get(name, Row(0, 0))):
            return "allocators"
        if name.startswith("[") and row.flat <= self.ours.modules[name.strip("[]")] + self.slack:
            return "no names"
        if self.is_near(row, self.ours.outer_rows.get(name)):
            return "not inlined"
        return None

    def compare(self):
        rest = {}
        for name, row in self.theirs.items():
            kind = self.kind_of(row, name)
            if kind == "equal":
                self.n_equal += 1
            elif kind is not None:
                self.kinds[kind].append((name, row))
            elif self.earlier is not None and (name not in self.earlier or self.kind_of(self.earlier[name], name) is not None):
                self.kinds["leaf"].append((name, row))
            else:
                rest[name] = self.earlier[name] if self.earlier is not None else row
        self.explain_names(rest)
        self.explain_symbols(rest)
        self.explain_outer(rest)
        self.kinds["unexplained"] += rest.items()
        if not rest:
            del self.kinds["unexplained"]

    def move(self, rest, kind, names):
        for name in names:
            self.kinds[kind].append((name, rest.pop(name)))

    def explain_symbols(self, rest):
        """What the tool has too much must be what we have without a name."""
        unnamed = [row for name, row in self.model.items() if name.startswith("[")]
        flat, total = sum(row.flat for row in unnamed), sum(row.total for row in unnamed)
        more = []
        for name, row in rest.items():
            known = self.model.get(name, Row(0, 0))
            if (row.flat >= known.flat - self.slack and known.total - self.slack <= row.total <= known.total + total + self.slack):
                more.append(name)
        surplus = sum(rest[name].flat - self.model.get(name, Row(0, 0)).flat for name in more)
        if unnamed and surplus <= flat + self.slack * len(more):
            self.move(rest, "no symbol", more)

    def explain_names(self, rest):
        missing = {name: row for name, row in self.model.items() if name not in self.theirs and not name.startswith("[")}
        found = []
        for name, row in rest.items():
            twins = [other for other, model in missing.items() if self.is_near(row, model)]
            twins.sort(key=lambda other: last_part(other) != last_part(name))
            if twins and name not in self.model:
                del missing[twins[0]]
                found.append(name)
        self.move(rest, "other names", found)

    def explain_outer(self, rest):
        """Own amounts that went from an inlined function to one that calls it. By the last part of names, as they are spelled in
        different ways; what has only that is equal in sum."""
        theirs, ours = by_last_part(self.theirs), by_last_part(self.model)
        given, taken = collections.Counter(), collections.Counter()
        for stack, weight in self.ours.stacks:
            leaf = last_part(stack[0])
            for name in {last_part(name) for name in stack[1:]} - {leaf}:
                if theirs[name].flat > ours[name].flat and theirs[leaf].flat < ours[leaf].flat:
                    given[leaf] += weight
                    taken[name] += weight
        found = []
        for name in rest:
            part = last_part(name)
            more, less = theirs[part].flat - ours[part].flat, ours[part].total - theirs[part].total
            if abs(less) <= self.slack and -self.slack <= more <= taken[part] + self.slack:
                found.append(name)
            elif more < -self.slack and -more <= given[part] + self.slack and -self.slack <= less <= given[part] + self.slack:
                found.append(name)
        self.move(rest, "outer name", found)


def last_part(name):
    return name.split("::")[-1].lstrip("_")


def by_last_part(rows):
    result = collections.defaultdict(lambda: Row(0, 0))
    for name, row in rows.items():
        add(result, last_part(name), row.flat, row.total)
    return result


def describe(dump):
    """(kind, columns)"""
    with open(dump, "rb") as file:
        head = file.read(4096)
    text = head.decode("latin-1").lstrip()
    if text.startswith("heap_v2/"):
        return "jemalloc", COLUMNS
    if text.startswith("heap profile:"):
        return "heap", COLUMNS
    return "cpu", ("samples", "cpu")


def compare_dump(options, dump):
    kind, columns = describe(dump)
    names = Names(options.sysroot or "", dump)
    summary = run([options.profview, "--print=summary", "--format=json", dump])
    with open(dump, "rb") as file:
        n_stacks = sum(b"@" in line for line in file) if kind != "cpu" else 0
    failed = False
    for column in columns:
        if '"%s"' % column not in summary:
            continue
        ours = Ours(options, dump, column, names)
        unwanted = ALLOCATORS if kind != "cpu" else PROFILER
        tools = {"jeprof": None if kind == "cpu" else pprof_text("jeprof", options.binary, dump, column, names)}
        if column != "cpu" and kind != "jemalloc":
            tools["google-pprof"] = pprof_text("google-pprof", options.binary, dump, column, names)
        if kind != "jemalloc":
            tools["go tool pprof"] = go_text(options.binary, dump, column, names)
        for tool, theirs in tools.items():
            if not theirs:
                continue
            earlier = None
            if kind != "cpu" and tool != "go tool pprof":
                with tempfile.TemporaryDirectory() as scratch:
                    earlier = pprof_text(tool, options.binary, with_earlier_leaves(dump, scratch), column, names)
            comparison = Comparison(ours, theirs, earlier, n_stacks, ours.modelled(unwanted, tool == "jeprof"))
            comparison.compare()
            kinds = ", ".join("%s %d" % (name, len(rows)) for name, rows in sorted(comparison.kinds.items()))
            print("%s %s, %s: %d rows equal%s" % (os.path.basename(dump), column, tool, comparison.n_equal, kinds and ", " + kinds))
            for name, rows in comparison.kinds.items():
                if options.verbose or name == "unexplained":
                    for function, row in rows:
                        print("    %s: %s: %s, ours %s, modelled %s" % (
                            name, function, tuple(row), tuple(ours.rows.get(function, ())),
                            tuple(comparison.model.get(function, ()))))
            failed |= "unexplained" in comparison.kinds
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sysroot")
    parser.add_argument("--verbose", action="store_true")
    for name in ("profview", "binary"):
        parser.add_argument(name)
    parser.add_argument("dumps", nargs="+")
    options = parser.parse_args()
    failed = [dump for dump in options.dumps if compare_dump(options, dump)]
    print("%d dumps, %d failed" % (len(options.dumps), len(failed)))
    return 1 if failed else 0


sys.exit(main())
