#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-reference.py PROFVIEW DATA RECORDING [--verbose]: compares the stacks profview finds with those `perf script`
found when the recording was made (DATA/recordings/NAME.ref.xz, see perf-reference.py).

Stacks are compared by the names of their functions, inlined ones left out, and counted by sample. A stack of ours agrees
with perf's if it is the same, or if perf's is the leaf side of it and ours goes on to the root. Names agree if they are
symbols of the same address in a file of the sysroot (exp, __GI___exp). What perf cannot name ("?") agrees with anything,
and so does the linkage table, which has no symbols: perf takes the symbol before it, whatever that is.
The share of samples that agree must reach 99.95 percent, less one sample."""
import collections
import lzma
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from names import undecorated  # noqa: E402
from symbol_lists import list_symbols  # noqa: E402

NEEDED = 0.9995
ANY = "*"


class Aliases:
    """Names of one address are one name."""

    def __init__(self, sysroot):
        self.parent = {}
        for folder, _, files in os.walk(sysroot):
            for file in files:
                self.read(os.path.join(folder, file))

    def read(self, path):
        first = {}
        for options in (["-C"], ["-C", "-D"]):
            for line in list_symbols(*options, path).splitlines():
                match = re.match(r"([0-9a-f]+) ([tTwWiI]) (.*)$", line)
                if match:
                    address, _, name = match.groups()
                    self.join(first.setdefault(address, plain(name)), plain(name))

    def find(self, name):
        while self.parent.get(name, name) != name:
            name = self.parent[name]
        return name

    def join(self, a, b):
        a, b = sorted((self.find(a), self.find(b)))
        self.parent[b] = a


def plain(name):
    """One spelling for both: no parameters, no template arguments, no clone suffix, no symbol version."""
    if name.endswith("@plt") or name in ("", "?", "??", "_init") or re.search(r"(\+| at )0x[0-9a-f]+$", name):
        return ANY
    name = name.split("@")[0]
    if name.startswith("_Z"):
        return name
    return undecorated(name)


def reference(path, aliases):
    stacks = collections.Counter()
    with lzma.open(path, "rt") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    event = collections.Counter(row[3] for row in rows).most_common(1)[0][0]
    for row in rows:
        if row[3] == event:
            stack = [aliases.find(plain(name)) for name in row[5].split(";;")]
            # Where the copy of the stack ends, perf adds a frame of whatever comes next.
            while len(stack) > 1 and stack[-1] == ANY:
                stack.pop()
            stacks[tuple(stack)] += 1
    return event, stacks


def ours(profview, data, recording, event, aliases):
    weights = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, "out.folded")
        subprocess.run(
            [profview, "--sysroot=" + os.path.join(data, "sysroot"),
             "--symbol-path=" + os.path.join(data, "buildid-cache"), "--measure=" + event, "--no-inline",
             "--export=" + out,
             os.path.join(data, "recordings", recording)],
            check=True, env=dict(os.environ, LC_ALL="C.UTF-8", HOME=scratch), stdin=subprocess.DEVNULL, timeout=60)
        with open(out, encoding="utf-8") as file:
            for line in file:
                names, weight = line.rstrip("\n").rsplit(" ", 1)
                names = names.replace("::", "\0").split(";")
                stack = tuple(aliases.find(plain(name.replace("\0", "::"))) for name in reversed(names))
                weights[stack] += int(weight)
    return weights


def in_samples(weights, n_samples):
    """Weights are in the measure's unit, and all samples of our recordings weigh the same."""
    total = sum(weights.values())
    return collections.Counter({stack: round(weight * n_samples / total) for stack, weight in weights.items()})


def agrees(own, other):
    return len(own) >= len(other) and all(a == b or ANY in (a, b) for a, b in zip(own, other))


def match(own, other):
    """Pairs off equal stacks first, then those that agree; returns what is left over of each."""
    left_own, left_other = collections.Counter(own), collections.Counter(other)

    def doubts(stack):
        return sum(name == ANY for name in stack), -len(stack)

    # What can be paired in one way only comes first.
    for rule in (lambda a, b: a == b, lambda a, b: len(a) == len(b) and agrees(a, b), agrees):
        for stack in sorted((s for s, n in left_other.items() if n > 0), key=doubts):
            for candidate in sorted((s for s, n in left_own.items() if n > 0), key=doubts):
                n = min(left_own[candidate], left_other[stack])
                if n > 0 and rule(candidate, stack):
                    left_own[candidate] -= n
                    left_other[stack] -= n
    return +left_own, +left_other


def main():
    profview, data, recording, *flags = sys.argv[1:]
    data = os.path.abspath(data)
    name = recording.removesuffix(".zst").removesuffix(".data")
    aliases = Aliases(os.path.join(data, "sysroot"))
    event, other = reference(os.path.join(data, "recordings", name + ".ref.xz"), aliases)
    n_samples = sum(other.values())
    own = in_samples(ours(profview, data, recording, event, aliases), n_samples)
    left_own, left_other = match(own, other)
    n_missing = sum(left_other.values())
    print("%s: %d samples, %d agree, %d do not" % (recording, n_samples, n_samples - n_missing, n_missing))
    is_good = n_missing <= max(1, n_samples * (1 - NEEDED))
    if not is_good or "--verbose" in flags:
        for title, stacks in (("only perf", left_other), ("only we", left_own)):
            for stack, count in stacks.most_common(12):
                print("  %s: %d x %s" % (title, count, " < ".join(stack)))
    return 0 if is_good else 1


sys.exit(main())
