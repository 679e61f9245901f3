#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-unwind.py [--show=N] DUMP_STACKS PERF_DATA...

Compares the user stacks our unwinder finds with perf script's (perf 6.1, libunwind), sample by
sample. DUMP_STACKS is the test program tests/unwind/dump-stacks.c. Every difference is held against
a list of known causes, each checked on the very sample by means that are not ours: readelf's view
of the rules, the bytes of the code, perf's own list of mappings. Prints one line of counts per
file, the causes, and what is left unexplained; fails if fewer than 99.95 % of samples are the same,
explained, or have perf's stack as the leaf side of ours with ours going on to the root.

perf takes one off every address but the first, also off an interrupted one (above a signal frame,
or above what Go's runtime makes look like a call); that is not counted as a difference.

The causes. Where ours goes on, each further address must follow a call instruction in a file of the
process, but for what was interrupted and the nop at the bottom of a goroutine.
  last word       the return address is the last word of the stack's copy; perf reads one word less
  unmapped        perf's last address is in no mapping; we end the stack before it
  older load      the file was mapped before at a lower address, by the program before exec or by
                  a dlopen since closed; perf applies the file's rules relative to the lowest
  popped          the leaf is in an epilogue behind the pop of rbp, where the rule still names
                  the slot, now below the copy; perf loses rbp and stops at the first frame whose
                  CFA is counted from it
  no rules here   no rule covers the address or a callee's. We know .init, .fini and a program's first
                  instructions by their code, and Go by its table; of other code perf makes an address
                  that is in no file, and we end
  no rules        the file has no .eh_frame (Go, which has .debug_frame unless stripped, but perf
                  makes nothing of it): perf stops there. libdwfl, which does read .debug_frame,
                  gave our stacks but for what it takes from the wrong stack after a switch
"""

import bisect
import collections
import functools
import re
import subprocess
import sys

KERNEL = 1 << 63
MAPPING = re.compile(r"PERF_RECORD_MMAP2? (\d+)/\d+: \[(0x[0-9a-f]+)\((0x[0-9a-f]+)\) @ (\S+) .*?"
                     r": r-x\S (.*)")
FORK = re.compile(r"PERF_RECORD_FORK\((\d+):\d+\):\((\d+):\d+\)")
FDE = re.compile(r"FDE .*pc=([0-9a-f]+)\.\.([0-9a-f]+)")
SIGNED_OFFSET = re.compile(r"(\w+?)([+-]\d+)$")

SIGRETURN = bytes.fromhex("48c7c00f0000000f05")  # mov $15,%rax; syscall
PUSH_FLAGS = bytes.fromhex("554889e59c")  # push %rbp; mov %rsp,%rbp; pushf


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return result.stdout.decode("utf-8", "replace").split("\n")


class Stack:
    """perf's: frames are pairs (address, name); loads are a snapshot of the process's mappings."""
    def __init__(self, frames, loads):
        self.frames = frames
        self.loads = loads


class Perf:
    """What perf script says of a file: stacks by (tid, time in ns)."""
    def __init__(self, path):
        self.stacks = collections.defaultdict(list)
        self.loads = {}  # pid -> tuple of (path, base address), in order; replaced, never changed
        stack = None
        for line in run("perf", "script", "-i", path, "--ns", "--no-inline", "--max-stack", "1024",
                        "--show-mmap-events", "--show-task-events",
                        "-F", "pid,tid,time,ip,sym,dso"):
            if not line.strip():
                stack = None
            elif "PERF_RECORD_" in line:
                self.read_event(line)
            elif stack is None:
                ids, time = line.split()[:2]
                pid, tid = (int(number) for number in ids.split("/"))
                seconds, nanoseconds = time.rstrip(":").split(".")
                stack = []
                self.stacks[tid, int(seconds) * 10**9 + int(nanoseconds)].append(
                    Stack(stack, self.loads.get(pid, ())))
            else:
                address, _, name = line.strip().partition(" ")
                address = int(address, 16)
                if address < KERNEL:
                    stack.append((address, name))

    def read_event(self, line):
        match = MAPPING.search(line)
        if match and match[5].startswith("/"):
            load = match[5], int(match[2], 16) - int(match[4], 0)
            before = self.loads.get(int(match[1]), ())
            if load not in before[-1:]:
                self.loads[int(match[1])] = before + (load,)
        match = FORK.search(line)
        if match and match[1] != match[2]:
            self.loads[int(match[1])] = self.loads.get(int(match[2]), ())


def module_of(frame):
    """The path in "name (path)"."""
    return frame[1].rpartition("(")[2].rstrip(")")


class File:
    """An ELF file as readelf sees it, and its bytes."""
    def __init__(self, path):
        self.path = path
        self.rules = None
        self.panics = None
        try:
            with open(path, "rb") as file:
                self.bytes = file.read()
        except OSError:
            self.bytes = b""
        self.segments = []
        for line in run("readelf", "-lW", path):
            words = line.split()
            if words[:1] == ["LOAD"]:
                self.segments.append(tuple(int(word, 16) for word in (words[1], words[2], words[4])))
        self.has_eh_frame = any(" .eh_frame " in line for line in run("readelf", "-SW", path))

    def to_link(self, offset):
        for start, address, size in reversed(self.segments):
            if start <= offset < start + size:
                return address + offset - start
        return None

    def read_rules(self):
        """Sorted (start, end, rows) of .eh_frame; a row is (location, CFA, rule of rbp)."""
        self.rules = []
        rows, columns = [], []
        is_used = False
        for line in run("readelf", "--debug-dump=frames-interp", self.path):
            if line.startswith("Contents of"):
                is_used = ".eh_frame" in line
            match = FDE.search(line) if is_used else None
            words = re.sub(r"\(\w+\)", "", line).split()
            if match:
                rows, columns = [], []
                self.rules.append((int(match[1], 16), int(match[2], 16), rows))
            elif words[:2] == ["LOC", "CFA"]:
                columns = words
            elif columns and len(words) == len(columns):
                row = dict(zip(columns, words))
                rows.append((int(row["LOC"], 16), row["CFA"], row.get("rbp", "u")))
            else:
                rows, columns = [], []
        self.rules.sort(key=lambda rule: rule[:2])

    def find_row(self, offset):
        """(CFA, rule of rbp), or None if no rule covers the place."""
        if self.rules is None:
            self.read_rules()
        address = self.to_link(offset)
        index = bisect.bisect(self.rules, (address or 0, KERNEL)) - 1
        if address is None or index < 0 or address >= self.rules[index][1]:
            return None
        rows = [row for row in self.rules[index][2] if row[0] <= address]
        return rows[-1][1:] if rows else None

    def follows_call(self, offset):
        """A call instruction of x86_64 ends at offset + 1."""
        before = self.bytes[max(offset - 6, 0):offset + 1]
        if before[-5:-4] == b"\xe8":
            return True
        for size in range(2, 8):  # call *..., with no prefix or one
            code = before[-size:]
            if len(code) == size and code[0] == 0xff and code[1] & 0x38 == 0x10:
                return True
        return before[-2:] == b"\x0f\x05"  # a system call, in clone

    def is_sigreturn(self, offset):
        return self.bytes[offset:offset + len(SIGRETURN)] == SIGRETURN

    def read_panics(self):
        """The places of Go's sigpanic functions, which a signal handler makes look like called."""
        self.panics = []
        for line in run("readelf", "-sW", self.path):
            words = line.split()
            if len(words) == 8 and words[7].startswith("runtime.sigpanic"):
                start = int(words[1], 16)
                self.panics.append((start, start + int(words[2], 0)))

    def is_interruption(self, offset):
        """What runs here was entered without a call: the return from a signal handler, Go's
        asyncPreempt, the only function that begins by saving rbp and flags, or Go's sigpanic."""
        if self.panics is None:
            self.read_panics()
        address = self.to_link(offset)
        return (self.is_sigreturn(offset)
                or PUSH_FLAGS in self.bytes[max(offset - 400, 0):offset]
                or any(start <= (address or 0) < end for start, end in self.panics))

    def is_bottom(self, offset):
        """Where a goroutine's first function returns to: behind the nop that goexit begins with."""
        return self.bytes[offset:offset + 1] == b"\x90"


FILES = {}


def get_file(path):
    if path not in FILES:
        FILES[path] = File(path)
    return FILES[path]


def count_common(ours, theirs):
    n = 0
    for our, their in zip(ours, theirs):
        if our != their[0] and (n == 0 or our != their[0] + 1):
            break
        n += 1
    return n


def is_older_load(stack, path):
    bases = [base for name, base in stack.loads if name == path]
    return bool(bases) and min(bases) < bases[-1]


def is_uncovered(frames):
    """No rule covers one of the frames: from there on perf follows rbp, which may give the right caller
    with a wrong stack pointer."""
    return any(get_file(module_of(frame)).find_row(frame[0]) is None for frame in frames
               if module_of(frame).startswith("/"))


def is_popped(theirs, n_common):
    """perf stops at the last common frame for want of rbp, which the leaf has popped."""
    rows = [get_file(module_of(frame)).find_row(frame[0]) for frame in theirs[:n_common]]
    if n_common < 2 or any(row is None for row in rows):
        return False
    cfa, saved = SIGNED_OFFSET.match(rows[0][0]), SIGNED_OFFSET.match(rows[0][1])
    return (bool(cfa) and bool(saved) and cfa[1] == "rsp" and int(cfa[2]) + int(saved[2]) < 0
            and all(row[0].startswith("rsp") and row[1] == "u" for row in rows[1:-1])
            and rows[-1][0].startswith("rbp"))


@functools.lru_cache(maxsize=None)
def is_frame(address, callee, is_last, paths):
    """A call ends behind the address in one of the files the process has mapped, or its callee needs
    none."""
    files = [get_file(path) for path in paths]
    return (any(file.follows_call(address) or file.is_sigreturn(address) for file in files)
            or any(file.is_interruption(callee) for file in files)
            or (is_last and any(file.is_bottom(address) for file in files)))


def is_tail_of_calls(ours, n_common, paths):
    return all(is_frame(ours[i], ours[i - 1], i + 1 == len(ours), paths)
               for i in range(n_common, len(ours)))


def explain(end, last, ours, stack, n_common):
    """The name of the cause, or None."""
    theirs = stack.frames
    if n_common == 0:
        return None
    if n_common == len(ours) and len(theirs) == n_common + 1 and end == "bad-frame":
        return "unmapped" if module_of(theirs[n_common]) == "[unknown]" else None
    if n_common == len(theirs) and len(ours) == n_common + 1 and end == "dump":
        if ours[-1] == last:
            return "last word"
    path = module_of(theirs[n_common - 1])
    if not path.startswith("/"):
        return None
    if n_common == len(ours):
        is_data = module_of(theirs[n_common]).startswith(("//", "["))
        is_covered = get_file(path).find_row(theirs[n_common - 1][0]) is not None
        return "no rules here" if end == "no-rule" and is_data and not is_covered else None
    paths = tuple(sorted({path for path, _ in stack.loads if not path.startswith("//")}))
    if not is_tail_of_calls(ours, n_common, paths):
        return None
    if is_older_load(stack, path):
        return "older load"
    if n_common == len(theirs) and not get_file(path).has_eh_frame:
        return "no rules"
    if is_uncovered(theirs[:n_common]):
        return "no rules here"
    return "popped" if n_common == len(theirs) and is_popped(theirs, n_common) else None


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


def read_ours(program, path):
    lines = run(program, path)
    for head, frames in zip(lines[0::2], lines[1::2]):
        tid, time, end, last = head.split()
        yield int(tid), int(time), end, int(last, 16), [int(word, 16) for word in frames.split()]


def show(found, n_shown):
    for tid, time, ours, theirs in found[:n_shown]:
        print(f"    tid {tid} time {time}")
        for i in range(max(len(ours), len(theirs))):
            left = f"{ours[i]:x}" if i < len(ours) else ""
            right = f"{theirs[i][0]:x} {theirs[i][1]:.60}" if i < len(theirs) else ""
            print(f"      {left:>16} {right}")


def compare(program, path, n_shown):
    perf = Perf(path)
    n_samples = n_same = n_missing = n_to_root = 0
    causes = collections.Counter()
    kinds = collections.defaultdict(list)
    for tid, time, end, last, ours in read_ours(program, path):
        candidates = perf.stacks.get((tid, time))
        if not candidates:
            n_missing += 1
            continue
        stack = candidates.pop(0)
        theirs = stack.frames
        n_common = count_common(ours, theirs)
        n_samples += 1
        if n_common == len(ours) == len(theirs):
            n_same += 1
            continue
        cause = explain(end, last, ours, stack, n_common)
        if cause is not None:
            causes[cause] += 1
            continue
        n_to_root += n_common == len(theirs) and end == "root"
        kinds[describe(end, ours, theirs, n_common)].append((tid, time, ours, theirs))
    n_unexplained = sum(len(found) for found in kinds.values())
    share = (n_samples - n_unexplained + n_to_root) / max(n_samples, 1)
    print(f"{path}: {n_samples} samples: {n_same} same, {sum(causes.values())} explained,"
          f" {n_unexplained} unexplained"
          + (f" ({n_to_root} of them perf's and on to the root)" if n_to_root else "")
          + (f"; {n_missing} not in perf" if n_missing else ""))
    for cause, count in causes.most_common():
        print(f"  {count}x {cause}")
    for kind, found in sorted(kinds.items(), key=lambda item: -len(item[1]))[:20]:
        print(f"  {len(found)}x unexplained: {kind}")
        show(found, n_shown)
    return n_samples > 0 and share >= 0.9995


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
