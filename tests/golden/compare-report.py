#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare profview's table of functions with perf report, function by function.

    compare-report.py PROFVIEW PERF_DATA [--tolerance=0.1] [--above=1.0] [--measure=NAME]

Runs `perf report --stdio --no-inline --children --no-demangle` and `profview --print=top --no-inline
--no-demangle --format=tsv` on the recording and lists every function whose self or children share is
above --above percent in either and differs by more than --tolerance points. Exit status 1 if there is
one.

Two causes of differences are known; each is checked:
  another symbol  the two call a function by different symbols of one address (free, cfree): equal
                  shares in the same module
  call at the end a function ends with a call, so the return address is the first of what comes behind
                  it. perf, given frame pointers, attributes that address as it is (ld.so's _start to
                  _dl_start_user). What perf's function has more is what ours has more in the one before
                  it, perf has it as a caller at offset 0, the symbol before it is ours, and the
                  instruction before its address is a call
"""

import argparse
import json
import os
import re
import subprocess
import sys

SEPARATOR = "\x1f"


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode != 0:
        sys.exit(f"{command[0]}: status {result.returncode}\n{result.stderr.decode(errors='replace')}")
    return result.stdout.decode(errors="replace")


def perf_shares(path, measure):
    """{(module, function): (self %, children %)} of one event, and its name."""
    text = run(["perf", "report", "--stdio", "--no-inline", "--children", "--no-demangle", "-g", "none",
                "--percent-limit=0", "--sort=dso,sym", f"--field-separator={SEPARATOR}",
                "-i", path])
    sections, current = {}, None
    for line in text.splitlines():
        match = re.match(r"# Samples: .* of events? '([^']*)'", line)
        if match:
            current = match.group(1)
            sections[current] = {}
        elif current is not None and SEPARATOR in line and not line.startswith("#"):
            cells = [cell.strip() for cell in line.split(SEPARATOR)]
            if len(cells) < 4 or "%" in cells[2]:
                continue
            children, own = float(cells[0].rstrip("%")), float(cells[1].rstrip("%"))
            symbol = re.sub(r"^\[.\] ", "", cells[3])
            key = (os.path.basename(cells[2]), symbol)
            before = sections[current].get(key, (0.0, 0.0))
            sections[current][key] = (before[0] + own, before[1] + children)
    if not sections:
        sys.exit("perf report printed no table")
    name = measure if measure in sections else max(sections, key=lambda s: len(sections[s]))
    return sections[name], name


def unescape(cell):
    return re.sub(r"\\(.)", lambda m: {"t": "\t", "n": "\n", "r": "\r"}.get(m.group(1), m.group(1)),
                  cell)


def profview_shares(profview, path, measure):
    command = [profview, "--print=top", "--no-inline", "--no-demangle", "--format=tsv",
               path]
    if measure:
        command.insert(1, f"--measure={measure}")
    lines = run(command).splitlines()
    if not lines or lines[0] != "self\ttotal\tfunction\tmodule\tfile\tline":
        sys.exit("profview: unexpected header: " + (lines[0] if lines else "nothing"))
    rows = []
    for line in lines[1:]:
        cells = [unescape(cell) for cell in line.split("\t")]
        rows.append((int(cells[0]), int(cells[1]), cells[2], cells[3]))
    whole = sum(row[0] for row in rows)
    shares = {}
    for own, total, function, module in rows:
        before = shares.get((module, function), (0.0, 0.0))
        shares[(module, function)] = (before[0] + 100.0 * own / max(whole, 1),
                                      before[1] + 100.0 * total / max(whole, 1))
    return shares


def normalize(key):
    """Names as both tools would write them: no white space, no version, no kernel brackets."""
    module, function = key
    function = re.sub(r"\s+", "", function)
    function = re.sub(r"@@?[A-Z][\w.]*$", "", function)
    function = re.sub(r"\.(isra|part|constprop|cold|lto_priv)\b.*$", "", function)
    if re.fullmatch(r"(0x)?[0-9a-f]{8,}", function) or function.startswith("??"):
        function = "(unknown)"
    elif re.match(re.escape(module) + r"(\+|at)0x[0-9a-f]+$", function):
        function = "(unknown)"
    if module in ("[kernel.kallsyms]", "[unknown]", "", "[kernel]", "[guest.kernel.kallsyms]"):
        module = "[kernel]" if "kernel" in module else "[unknown]"
    return module, function


def merge(shares):
    merged = {}
    for key, (own, children) in shares.items():
        key = normalize(key)
        before = merged.get(key, (0.0, 0.0))
        merged[key] = (before[0] + own, before[1] + children)
    return merged


def is_close(theirs, own, tolerance):
    # perf rounds to two decimals.
    return all(abs(a - b) <= tolerance + 0.005 for a, b in zip(theirs, own))


def without_aliases(differences, perf, ours, tolerance):
    """The differences without pairs of a name that only perf has and one that only profview has."""
    only_perf = [d for d in differences if d[0] not in ours]
    only_ours = [d for d in differences if d[0] not in perf]
    paired = set()
    for key, theirs, _ in only_perf:
        for other, _, own in only_ours:
            if other[0] == key[0] and other not in paired and is_close(theirs, own, tolerance):
                paired.update((key, other))
                break
    return [d for d in differences if d[0] not in paired]


class Frames:
    """Where perf script's frames are: per (module, function) offsets of callers and of leaves."""

    def __init__(self, path):
        self.paths, self.callers, self.leaves, self.addresses = {}, {}, {}, {}
        is_leaf = True
        for line in run(["perf", "script", "-i", path, "--no-inline", "--no-demangle", "--max-stack", "1024",
                         "-F", "ip,sym,symoff,dso"]).splitlines():
            match = re.match(r"\s+([0-9a-f]+) (\S+)\+0x([0-9a-f]+) \((.*)\)$", line)
            if not line.strip():
                is_leaf = True
            elif match:
                key = normalize((os.path.basename(match.group(4)), match.group(2)))
                self.paths[key[0]] = match.group(4)
                offsets = self.leaves if is_leaf else self.callers
                offsets.setdefault(key, set()).add(int(match.group(3), 16))
                is_leaf = False
            else:
                is_leaf = False


def symbols_of(profview, data, path):
    """[(address, name)] of a module's functions, from its own table or that of its debug file, sorted."""
    summary = json.loads(run([profview, "--print=summary", "--format=json", data]))
    build_id = next((m["build_id"] for m in summary["modules"] if m["path"] == path and m["build_id"]), None)
    files = [path]
    if build_id:
        files.append(f"/usr/lib/debug/.build-id/{build_id[:2]}/{build_id[2:]}.debug")
    symbols = set()
    for file in filter(os.path.exists, files):
        for line in run(["readelf", "-sW", file]).splitlines():
            cells = line.split()
            if len(cells) >= 8 and cells[3] in ("FUNC", "NOTYPE") and cells[6] not in ("UND", "ABS"):
                symbols.add((int(cells[1], 16), cells[7].split("@")[0]))
    return sorted(symbols)


def calls_at_end(path, address):
    """Whether the instruction that ends at the address is a call."""
    # Disassembled from some way off: x86 code falls into step within a few instructions.
    lines = run(["objdump", "-d", "--no-show-raw-insn", f"--start-address={address - 48:#x}",
                 f"--stop-address={address:#x}", path]).splitlines()
    return bool(lines) and re.search(r"\tcall", lines[-1]) is not None


def is_call_at_end(key, other, frames, profview, data):
    """Whether perf's key is what stands behind a call at the end of our other."""
    if frames.callers.get(key, set()) == set() or 0 not in frames.callers[key]:
        return False
    path = frames.paths[key[0]]
    if not os.path.exists(path):
        return False
    symbols = symbols_of(profview, data, path)
    for address in {value for value, name in symbols if normalize((key[0], name)) == key}:
        before = max((value for value, _ in symbols if value < address), default=None)
        names = {normalize((key[0], name)) for value, name in symbols if value == before}
        if other in names and calls_at_end(path, address):
            return True
    return False


def without_calls_at_end(differences, perf, ours, profview, data, tolerance):
    """The differences without pairs of neighbours between which perf's frames moved."""
    explained, frames = set(), None
    for key, theirs, own in differences:
        more = theirs[1] - own[1]
        if more <= 0 or abs(theirs[0] - own[0]) > tolerance:
            continue
        for other, their_other, own_other in differences:
            is_pair = other[0] == key[0] and other not in explained and \
                is_close((their_other[0], their_other[1] + more), own_other, tolerance)
            if not is_pair:
                continue
            frames = frames or Frames(data)
            if is_call_at_end(key, other, frames, profview, data):
                explained.update((key, other))
                break
    return [d for d in differences if d[0] not in explained]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("profview")
    parser.add_argument("perf_data")
    parser.add_argument("--tolerance", type=float, default=0.1)
    parser.add_argument("--above", type=float, default=1.0)
    parser.add_argument("--measure")
    arguments = parser.parse_args()
    perf, event = perf_shares(arguments.perf_data, arguments.measure)
    ours = profview_shares(arguments.profview, arguments.perf_data, arguments.measure)
    perf, ours = merge(perf), merge(ours)
    n_compared, differences = 0, []
    for key in sorted(set(perf) | set(ours)):
        theirs, own = perf.get(key, (0.0, 0.0)), ours.get(key, (0.0, 0.0))
        if max(theirs + own) < arguments.above or key[1] == "(unknown)":
            continue
        n_compared += 1
        if not is_close(theirs, own, arguments.tolerance):
            differences.append((key, theirs, own))
    n_aliases = len(differences)
    differences = without_aliases(differences, perf, ours, arguments.tolerance)
    n_aliases = (n_aliases - len(differences)) // 2
    n_compared -= n_aliases
    n_at_end = len(differences)
    differences = without_calls_at_end(differences, perf, ours, arguments.profview, arguments.perf_data,
                                       arguments.tolerance)
    n_at_end = (n_at_end - len(differences)) // 2
    print(f"{os.path.basename(arguments.perf_data)} ({event}): {n_compared} functions above "
          f"{arguments.above} %, {n_aliases} under another symbol, {n_at_end} behind a call at the end, "
          f"{len(differences)} differ by more than "
          f"{arguments.tolerance} points")
    for (module, function), theirs, own in differences:
        print(f"  {function[:90]} ({module}): self perf {theirs[0]:.2f} ours {own[0]:.2f}, "
              f"children perf {theirs[1]:.2f} ours {own[1]:.2f}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
