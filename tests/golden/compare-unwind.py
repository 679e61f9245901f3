#!/usr/bin/python3
"""compare-unwind.py [--show=N] DUMP_STACKS PERF_DATA...

Compares the user stacks our unwinder finds with perf script's, sample by sample. DUMP_STACKS is
the test program tests/unwind/dump-stacks.c. A sample agrees if both stacks are the same, or if
perf's is the leaf side of ours and ours goes on to the root of the thread. Prints one line of
counts per file and the kinds of disagreement; fails if fewer than 99.95 % agree.

perf takes one off every address but the first, also off an interrupted one above a signal frame;
that is not counted as a difference.
"""

import collections
import subprocess
import sys

KERNEL = 1 << 63


def read_perf(path):
    """(tid, time in ns) -> list of stacks; a stack is a list of (address, name)."""
    command = ["perf", "script", "-i", path, "--ns", "--no-inline", "--max-stack", "1024",
               "-F", "tid,time,ip,sym,dso"]
    stacks = collections.defaultdict(list)
    stack = None
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            check=True).stdout
    for line in output.decode("utf-8", "replace").split("\n"):
        if not line.strip():
            stack = None
        elif stack is None:
            tid, time = line.split()[:2]
            seconds, nanoseconds = time.rstrip(":").split(".")
            stack = []
            stacks[int(tid), int(seconds) * 10**9 + int(nanoseconds)].append(stack)
        else:
            address, _, name = line.strip().partition(" ")
            address = int(address, 16)
            if address < KERNEL:
                stack.append((address, name))
    return stacks


def read_ours(program, path):
    lines = subprocess.run([program, path], stdout=subprocess.PIPE, check=True).stdout
    lines = lines.decode().split("\n")
    for head, frames in zip(lines[0::2], lines[1::2]):
        tid, time, end = head.split()
        yield int(tid), int(time), end, [int(frame, 16) for frame in frames.split()]


def count_common(ours, theirs):
    n = 0
    for our, their in zip(ours, theirs):
        if our != their[0] and (n == 0 or our != their[0] + 1):
            break
        n += 1
    return n


def describe(end, ours, theirs, n_common):
    """The kind of disagreement, with perf's names around the place."""
    def name(index):
        return theirs[index][1][:60] if 0 <= index < len(theirs) else "-"
    if n_common == len(theirs):
        kind = "ours goes on"
    elif n_common == len(ours):
        kind = "perf goes on"
    else:
        kind = "they differ"
    return f"{kind}, ours ends {end}; after {name(n_common - 1)} perf has {name(n_common)}"[:200]


def compare(program, path, n_shown):
    perf = read_perf(path)
    counts = collections.Counter()
    kinds = collections.defaultdict(list)
    for tid, time, end, ours in read_ours(program, path):
        candidates = perf.get((tid, time))
        if not candidates:
            counts["not in perf"] += 1
            continue
        theirs = candidates.pop(0)
        n_common = count_common(ours, theirs)
        counts["samples"] += 1
        if n_common == len(ours) == len(theirs):
            counts["same"] += 1
        elif n_common == len(theirs) and end == "root":
            counts["longer, to the root"] += 1
        else:
            kinds[describe(end, ours, theirs, n_common)].append((tid, time, ours, theirs))
    n_agreeing = counts["same"] + counts["longer, to the root"]
    share = n_agreeing / max(counts["samples"], 1)
    print(f"{path}: {100 * share:.3f} % agree;",
          ", ".join(f"{name} {count}" for name, count in counts.items()))
    for kind, found in sorted(kinds.items(), key=lambda item: -len(item[1]))[:20]:
        print(f"  {len(found)}x {kind}")
        for tid, time, ours, theirs in found[:n_shown]:
            print(f"    tid {tid} time {time}")
            for i in range(max(len(ours), len(theirs))):
                left = f"{ours[i]:x}" if i < len(ours) else ""
                right = f"{theirs[i][0]:x} {theirs[i][1]:.60}" if i < len(theirs) else ""
                print(f"      {left:>16} {right}")
    return counts["samples"] > 0 and share >= 0.9995


def main(arguments):
    n_shown = 0
    if arguments and arguments[0].startswith("--show="):
        n_shown = int(arguments.pop(0)[7:])
    if len(arguments) < 2:
        sys.exit(__doc__)
    results = [compare(arguments[0], path, n_shown) for path in arguments[1:]]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main(sys.argv[1:])
