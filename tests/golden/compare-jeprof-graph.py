#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The call graph of heap dumps of jemalloc against that of jeprof: the same functions with the same amounts, the same calls with
theirs, without limits and with the same limits.

    compare-jeprof-graph.py PROFVIEW [BINARY DUMP]...

Always compared are dumps that are made here, with the names in them, so that both read the same ones. To a dump of a program the
names are put that jeprof finds in it.

The graphs differ by what each of them is meant to be, and that is modelled from the stacks, so that everything else is equal:

  allocators   jeprof takes out functions of a list of its own, and whatever they called. profview's list has more.
  rounding     jeprof adds fractions of bytes, and cuts the sum off. profview has whole bytes for each stack, whose fractions it
               carries to the next one. Each stack is less than a byte off, each way.
  recursion    jeprof adds a stack to a call as often as the call is in it, and draws calls of a function by itself. profview, as
               pprof, counts a stack once for each call.
  residual     Where a function is left out, profview has a dashed edge from its callers to its callees, as pprof. jeprof has none.
  choice       With --nodecount, jeprof keeps those with the highest totals. profview keeps, as pprof, those that say most.
               With --nodefraction, jeprof keeps what has more than the limit; pprof and profview what has as much too.
  sampled all  At a rate of one byte jemalloc samples all allocations. jeprof scales them nevertheless, by up to 1 in 3000 for 8
               bytes; such a dump cannot be compared by bytes.
"""
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

import pprof_graph

ALL = ["nodecount=1000000", "nodefraction=0", "edgefraction=0"]
LIMITS = (ALL, ["nodecount=1000000", "nodefraction=0.05", "edgefraction=0.02"],
          ["nodecount=1000000", "nodefraction=0.15", "edgefraction=0"], ["nodecount=8", "nodefraction=0", "edgefraction=0"], [])
DEFAULTS = {"nodecount": 80, "nodefraction": 0.005, "edgefraction": 0.001}
MEASURES = ("inuse_space", "inuse_objects", "alloc_space", "alloc_objects")

# What jeprof takes out of heaps, of the names that are here.
SKIPPED = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign", "valloc", "pvalloc", "operator new",
           "operator new[]", "mallocx", "rallocx", "newImpl", "tc_malloc", "tc_new", "do_malloc"}
ALLOCATORS = ("malloc", "calloc", "realloc", "posix_memalign", "operator new(unsigned long)", "tc_new", "xmalloc", "g_malloc",
              "do_malloc")
FUNCTIONS = ("parse", "read_file", "Index::fill(int)", "Index::add(std::string const&, int)", "visit", "descend", "copy_text",
             "make_node", "load_cache", "run_worker", "emit", "sort_keys", "util::Buffer::grow(unsigned long)", "intern")


# --- dumps ----------------------------------------------------------------------------------------


def make_dump(seed, rate):
    """A dump with recursion, several threads and allocators that are known to both, to one, and to none."""
    dice = random.Random(seed)
    names = ("main", "start_thread") + FUNCTIONS + ALLOCATORS
    address = {name: 0x401000 + 0x100 * i for i, name in enumerate(names)}
    stacks = {}
    for _ in range(60):
        stack = [dice.choice(("main", "start_thread"))]
        for _ in range(dice.randint(1, 9)):
            # Some call themselves, directly and by others.
            stack.append(dice.choice(FUNCTIONS[:dice.choice((4, len(FUNCTIONS)))]))
        stack += dice.sample(ALLOCATORS, dice.randint(0, 2))
        stacks[tuple(stack)] = [(dice.randint(0, 40), dice.randint(8, 3 * rate)) for _ in range(dice.randint(1, 3))]
    lines = ["--- symbol", "binary=made"]
    lines += ["0x%016x %s" % (address[name], name) for name in names]
    lines += ["---", "--- heap", "heap_v2/%d" % rate, "  t*: 0: 0 [0: 0]"]
    for stack, shares in stacks.items():
        # Addresses are those after the calls, but for the first, which jeprof looks up as it is.
        words = [address[name] + (i > 0) for i, name in enumerate(reversed(stack))]
        rows = [(n, n * size, n + 3, (n + 3) * size) for n, size in shares]
        lines.append("@ " + " ".join("0x%x" % word for word in words))
        lines.append("  t*: %d: %d [%d: %d]" % tuple(sum(column) for column in zip(*rows)))
        lines += ["  t%d: %d: %d [%d: %d]" % (i, *row) for i, row in enumerate(rows)]
    lines += ["", "MAPPED_LIBRARIES:", "00400000-00500000 r-xp 00000000 00:00 0 /made", ""]
    return "\n".join(lines)


def add_names(binary, dump):
    """The dump with the names that jeprof finds. The first address of a stack is looked up as the others."""
    with open(dump, encoding="utf-8") as file:
        text = re.sub(r"(?<=@ 0x)[0-9a-f]+", lambda match: "%x" % (int(match[0], 16) - 1), file.read())
    with tempfile.NamedTemporaryFile("w", suffix=".heap") as scratch:
        scratch.write(text)
        scratch.flush()
        symbols = subprocess.run(["jeprof", "--raw", binary, scratch.name], capture_output=True, text=True, check=False).stdout
    symbols = symbols[:symbols.index("--- heap")]
    # One name for each address, as those of inlined functions are other ones in jeprof, and no marks of addresses.
    symbols = re.sub(r"(0x\w+) (.*--)?(.*)", lambda match: match[1] + " " + re.sub(r"<[0-9a-f]{16}>$", "", match[3]), symbols)
    return symbols + "--- heap\n" + text


# --- the graphs -----------------------------------------------------------------------------------


def spell(name):
    """As jeprof writes it into a label."""
    before = None
    while before != name:
        before, name = name, re.sub(r"\([^()]*\)(\s*const)?", "", name)
    before = None
    while before != name:
        before, name = name, re.sub(r"<[^<>]*>", "", name)
    return re.sub(r"\s+|::", r"\\n", re.sub(r"^.*\s+(\w+::)", r"\1", name))


def read_jeprof(text):
    graph = pprof_graph.Graph()
    for line in text.splitlines():
        edge = re.match(r"N(\d+) -> N(\d+) \[label=(-?\d+),", line)
        node = re.match(r'N(\d+) \[label="(.*?)\\n(-?\d+) \([^()]*\)(?:\\rof (-?\d+) \([^()]*\))?\\r"', line)
        if edge:
            graph.add_edge(edge[1], edge[2], int(edge[3]), False)
        elif node:
            graph.add_node(node[1], node[2], int(node[3]), int(node[4] or node[3]))
    return graph


def run_jeprof(dump, measure, limits):
    words = ["jeprof", "--dot", "--show_bytes", "--maxdegree=1000000", "--" + measure, *["--" + word for word in limits], dump]
    return read_jeprof(subprocess.run(words, capture_output=True, text=True, errors="replace", check=True).stdout)


def run_own(profview, dump, measure, out, *options):
    pprof_graph.write_own([profview, "--export=" + out, "--measure=" + measure, *options, dump])
    with open(out, encoding="utf-8") as file:
        return file.read()


def read_stacks(text):
    """Stacks from the root, with their weight."""
    lines = [line.rsplit(" ", 1) for line in text.splitlines()]
    return [(stack.split(";"), int(weight)) for stack, weight in lines]


def spell_all(stacks):
    return [([spell(name) for name in stack], weight) for stack, weight in stacks]


# --- the models -----------------------------------------------------------------------------------


class Model:
    """What a graph without limits is; the number of stacks in each, which is how far off it can be by rounding."""

    def __init__(self, stacks, counts_all):
        self.own, self.total, self.edges = collections.Counter(), collections.Counter(), collections.Counter()
        self.node_slack, self.edge_slack, self.times = collections.Counter(), collections.Counter(), collections.Counter()
        for stack, weight in stacks:
            calls = list(zip(stack, stack[1:]))
            self.own[stack[-1]] += weight
            for name in set(stack):
                self.total[name] += weight
                self.node_slack[name] += 1
            for call in calls if counts_all else {call for call in calls if call[0] != call[1]}:
                self.edges[call] += weight
                self.edge_slack[call] += 1
            for call, n in collections.Counter(calls).items():
                self.times[call] = max(self.times[call], n)
        self.shown = sum(self.own.values())

    def nodes(self):
        return {name: (self.own[name], total) for name, total in self.total.items() if total != 0}


def take_out(stacks):
    """As jeprof does: the outermost of its functions goes, with all below it."""
    skipped = {spell(name) for name in SKIPPED}
    for stack, weight in stacks:
        first = next((i for i, name in enumerate(stack) if name in skipped), len(stack))
        if first > 0:
            yield stack[:first], weight


def numbers_of(limits):
    return dict(DEFAULTS, **{name: float(value) for name, value in (word.split("=") for word in limits)})


def compare_jeprof(theirs, model, limits):
    """The graph of jeprof is what its rules make of our stacks."""
    numbers = numbers_of(limits)
    node_limit = int(numbers["nodefraction"] * model.shown)
    edge_limit = int(numbers["edgefraction"] * model.shown)
    ranked = sorted(model.nodes().items(), key=lambda item: -item[1][1])
    wanted = dict(ranked[:int(numbers["nodecount"])])
    least = min((amounts[1] for amounts in wanted.values()), default=0)
    slack = model.node_slack

    def is_close(name, limit):
        return abs(model.total[name] - limit) <= slack[name] + len(wanted)

    for name in sorted(theirs.nodes.keys() | model.nodes().keys()):
        found, expected = theirs.nodes.get(name), model.nodes().get(name)
        if found is None:
            is_left = name not in wanted or model.total[name] <= node_limit
            # Those that are near the limit may be on either side of it, by rounding; of equal ones any may be the last.
            if not is_left and not is_close(name, node_limit) and not (len(ranked) > len(wanted) and is_close(name, least)):
                yield "jeprof lacks %s: %s" % (name, expected)
        elif expected is None or any(abs(a - b) > slack[name] for a, b in zip(found, expected)):
            yield "jeprof has %s: %s, of our stacks: %s" % (name, found, expected)
        elif (name not in wanted and not is_close(name, least)) or (expected[1] <= node_limit and not is_close(name, node_limit)):
            yield "jeprof has %s, which is not one of the first" % name
    for call in sorted(theirs.edges.keys() | model.edges.keys()):
        found, expected = theirs.edges.get(call), model.edges.get(call, 0)
        if not (call[0] in theirs.nodes and call[1] in theirs.nodes) or expected == 0:
            continue
        if found is None and expected > edge_limit + model.edge_slack[call]:
            yield "jeprof lacks %s -> %s: %s" % (*call, expected)
        elif found is not None and abs(found[0] - expected) > model.edge_slack[call]:
            yield "jeprof has %s -> %s: %s, of our stacks: %s" % (*call, found[0], expected)


def compare_own(own, model):
    """Ours without limits is what our stacks say, to the byte."""
    edges = {call: amount for call, amount in model.edges.items() if amount != 0}
    for name in sorted(own.nodes.keys() | model.nodes().keys()):
        if own.nodes.get(name) != model.nodes().get(name):
            yield "%s: %s, of our stacks: %s" % (name, own.nodes.get(name), model.nodes().get(name))
    for call in sorted(own.edges.keys() | edges.keys()):
        if own.edges.get(call, (None,))[0] != edges.get(call):
            yield "%s -> %s: %s, of our stacks: %s" % (*call, own.edges.get(call), edges.get(call))


def compare_both(own, theirs, model, their_model, limits):
    """Ours against jeprof's where none of the rules differ. How many amounts were held against each other is the last of it."""
    shared = {name for name, n in collections.Counter(map(spell, own.nodes)).items() if n > 1}  # overloads, in ours
    own.rename(spell)
    numbers = numbers_of(limits)
    node_limit, n = int(numbers["nodefraction"] * model.shown), 0
    is_by_total = numbers["nodecount"] >= len(model.total)
    for name in sorted(own.nodes.keys() | theirs.nodes.keys()):
        a, b = own.nodes.get(name), theirs.nodes.get(name)
        same = model.nodes().get(name) == their_model.nodes().get(name) and name not in shared
        if a is not None and b is not None and same:
            n += 1
            if any(abs(x - y) > model.node_slack[name] for x, y in zip(a, b)):
                yield "%s: %s, jeprof: %s" % (name, a, b)
        elif same and is_by_total and abs(model.total[name] - node_limit) > model.node_slack[name] + 1:
            yield "%s: %s, jeprof: %s, at the same limit" % (name, a, b)
    for call in sorted(own.edges.keys() & theirs.edges.keys()):
        (a, is_residual), b = own.edges[call], theirs.edges[call][0]
        if is_residual or model.times[call] > 1 or model.edges[call] != their_model.edges[call] or shared & set(call):
            continue
        n += 1
        if abs(a - b) > model.edge_slack[call]:
            yield "%s -> %s: %s, jeprof: %s" % (*call, a, b)
    yield n


def compare_dump(profview, title, text, folder):
    dump, out = os.path.join(folder, "it.heap"), os.path.join(folder, "it")
    with open(dump, "w", encoding="utf-8") as file:
        file.write(text)
    lines, n_amounts, n_graphs = [], 0, 0
    for measure in MEASURES:
        stacks = read_stacks(run_own(profview, dump, measure, out + ".folded"))
        if not stacks:
            continue
        exact, model = Model(stacks, False), Model(spell_all(stacks), False)
        shown = spell_all(read_stacks(run_own(profview, dump, measure, out + ".folded", "--show-allocators")))
        their_model = Model(list(take_out(shown)), True)
        once = Model(list(take_out(shown)), False)
        for limits in LIMITS:
            theirs = run_jeprof(dump, measure, limits)
            own = pprof_graph.read_own(run_own(profview, dump, measure, out + ".dot", *["--" + word for word in limits]))
            found = list(compare_jeprof(theirs, their_model, limits))
            if limits == ALL:
                found += compare_own(own, exact)
            *different, n = compare_both(own, theirs, model, once, limits)
            n_amounts += n
            n_graphs += 1
            lines += ["%s, %s %s: %s" % (title, measure, " ".join(limits), line) for line in (found + different)[:8]]
    return n_graphs, n_amounts, lines


def main():
    profview, pairs = sys.argv[1], sys.argv[2:]
    os.environ["DEBUGINFOD_URLS"] = ""
    dumps = [("made %d, one in %d" % (seed, rate), make_dump(seed, rate)) for seed, rate in ((1, 512), (2, 4096), (3, 524288))]
    dumps += [(os.path.basename(dump), add_names(binary, dump)) for binary, dump in zip(pairs[::2], pairs[1::2])]
    n_graphs, n_amounts, lines = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        for title, text in dumps:
            graphs, amounts, different = compare_dump(profview, title, text, folder)
            n_graphs, n_amounts, lines = n_graphs + graphs, n_amounts + amounts, lines + different
    for line in lines[:60]:
        print(line)
    print("%d graphs, %d amounts beside those of jeprof, %d differences" % (n_graphs, n_amounts, len(lines)))
    return 1 if lines or n_amounts < 100 * len(dumps) else 0


if __name__ == "__main__":
    sys.exit(main())
