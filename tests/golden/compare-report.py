#!/usr/bin/env python3
"""Compare profview's table of functions with perf report, function by function.

    compare-report.py PROFVIEW PERF_DATA [--tolerance=0.1] [--above=1.0] [--measure=NAME]

Runs `perf report --stdio --no-inline --children --no-demangle` and `profview --print=top --no-inline
--no-demangle --format=tsv` on the recording and lists every function whose self or children share is
above --above percent in either and differs by more than --tolerance points. Exit status 1 if there is
one. A function that the two call by different symbols of one address (free, cfree) is told by its
equal shares in the same module.
"""

import argparse
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
    elif re.match(re.escape(module) + r"\+0x[0-9a-f]+$", function):
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
    print(f"{os.path.basename(arguments.perf_data)} ({event}): {n_compared} functions above "
          f"{arguments.above} %, {n_aliases} under another symbol, {len(differences)} differ by more than "
          f"{arguments.tolerance} points")
    for (module, function), theirs, own in differences:
        print(f"  {function[:90]} ({module}): self perf {theirs[0]:.2f} ours {own[0]:.2f}, "
              f"children perf {theirs[1]:.2f} ours {own[1]:.2f}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
