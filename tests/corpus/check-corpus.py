#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-corpus.py PROFVIEW CORPUS [FORMAT...]: every file of the corpus through profview, headless.

perf.data/ files: samples per event as perf found them, or as counted in the file where perf itself fails; time lines that add up.
heaptrack/ files: what heaptrack_print says of them, within what it rounds, and a replay of the file exactly.
pprof/ files: sample types, totals, samples and the first rows as go tool pprof has them.
legacy-pprof/ and jemalloc/ files: sample types, totals and the first rows as go tool pprof and jeprof have them.
folded/ files: the total, and self and total of each function, as splitting the lines gives them.
bpftrace/ files: stacks and total as counted before, and self and total of each function, as splitting the blocks gives them;
histograms and other maps, as other regular expressions give them.
speedscope/ files: profiles and totals as counted before, and self and total of each function, as another reading gives them.
v8/ files: samples, times and the first functions as a reader that agrees with speedscope found them, and all functions.
perf-script/ files: samples of each event, and self and total of each function, as another reading of the text has them.
dhat/ files: self and total of each function by each measure, as a few lines of Python have them.
callgrind/ files: totals as counted before; self and total of each function, and what all calls from one function to another cost
and how many they are, by each event, as another reading of the lines has it, also where functions call each other in cycles.
massif/ files: the peak as ms_print has it, and in each snapshot with a tree self and total of each function, as another
reading of the tree has them.
gprof/ files: ticks, and time, calls and total of each function, as a reader that agrees with gprof has them.
firefox/ files: threads, samples and counters as counted in the JSON; self and total of each function, as walking its stacks gives them.
sysprof/ files: samples, allocations, threads, marks and counters as counted before; self and total of each function, as another walk over the
frames and the table of symbols gives them; the same through each packing.
elf/ files: bytes of sections and symbols as bloaty, size and nm have counted them.
bad/ files: an error or a partial result with a note, no crash, each within 2 s and 300 MB."""
import bz2
import collections
import functools
import gzip
import itertools
import json
import lzma
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse

import bpftrace_tables

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import heaptrack_reference  # noqa: E402
from profview_commands import Commands  # noqa: E402

BAD_SECONDS = 2.0
BAD_BYTES = 300 * 1024 * 1024
# A sanitizer's shadow memory and slowness are not profview's.
IS_SANITIZED = bool(os.environ.get("PV_SANITIZED"))


def run(profview, path, *options):
    start = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    process = subprocess.Popen(
        [profview, *options, path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=dict(os.environ, LC_ALL="C.UTF-8"))
    try:
        out, err = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return -99, "", "did not end within 120 s", 120, 0
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    seconds = time.monotonic() - start
    # ru_maxrss is the largest child so far: only a new maximum is this file's.
    return (process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), seconds,
            peak * 1024 if peak > before else 0)


@functools.cache
def commands_of(profview):
    return Commands(profview, dict(os.environ, LC_ALL="C.UTF-8"))


def ask(profview, path, *options):
    """As run (), but not measured."""
    status, out, err = commands_of(profview).ask(*options, path)
    return status, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def wanted_samples(reference):
    """(total, per event or None)"""
    walked = reference.get("record_walk", {}).get("SAMPLE")
    per_event = reference.get("samples_per_event") or None
    total = reference.get("samples_total", 0)
    if not total and walked:
        return walked, None
    return total, per_event


def check_perf_data(profview, path, reference):
    status, out, err = ask(profview, path, "--print=summary", "--format=json")
    total, per_event = wanted_samples(reference)
    if status != 0:
        # A file in which perf finds nothing may be refused with words.
        return None if total == 0 and status == 1 and err.strip() else "exit status %d: %s" % (status, err.strip())
    try:
        summary = json.loads(out)
    except ValueError as error:
        return "summary is not JSON: %s" % error
    if summary["samples"] != total:
        return "%d samples, not %d" % (summary["samples"], total)
    found = {measure["name"]: measure["samples"] for measure in summary["measures"]}
    for name, count in (per_event or {}).items():
        if found.get(name) != count:
            return "event %s: %s samples, not %d (has %s)" % (name, found.get(name), count, found)
    return check_time_lines(profview, path, summary)


def check_time_lines(profview, path, summary):
    """The bins of all threads add up to each measure's total, whatever their number."""
    for measure in summary["measures"]:
        for n_bins in (1, 37, 5000):
            status, out, err = ask(profview, path, "--print=timeline", "--format=json", "--bins=%d" % n_bins,
                                         "--measure=" + measure["name"])
            if status == 2 and (measure["samples"] == 0 or "does not say when" in err):
                continue
            if status != 0:
                return "time line of %s: exit status %d: %s" % (measure["name"], status, err.strip())
            line = json.loads(out)
            weights = sum(row["weight"] for row in line["timeline"])
            if weights != line["total"] or weights + line["without_time"] != measure["total"]:
                return "time line of %s: %d in %d bins and %d without time, of %d" % (
                    measure["name"], weights, n_bins, line["without_time"], measure["total"])
    return None


def is_rounded(text, value):
    """Whether heaptrack_print writes the value like that: two decimals of B, K, M or G."""
    unit = {"B": 1, "K": 1000, "M": 1000**2, "G": 1000**3}[text[-1]]
    return abs(value - float(text[:-1]) * unit) <= (0 if unit == 1 else 0.005001 * unit)


def check_heaptrack(profview, path, reference):
    status, out, err = ask(profview, path, "--print=summary", "--format=json")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    summary = json.loads(out)
    # heaptrack_print: "2896 (36200/s)"
    allocations, temporary = (int(reference[name].split()[0]) for name in ("calls_to_allocation", "temporary"))
    trace = heaptrack_reference.Trace(path)
    figures = trace.figures()
    wanted = {
        "allocations": allocations,
        # A free of the first kind of block after another free counts as temporary with it.
        "temporary": temporary - trace.count_false_temporary_of_print(),
        "peak_bytes": figures.peak, "peak_ns": figures.peak_ms * 10**6, "duration_ns": trace.last_ms * 10**6,
        "peak_rss_bytes": trace.peak_rss_pages * trace.page_bytes,
    }
    for name, value in wanted.items():
        if summary.get(name) != value:
            return "%s: %s, not %s" % (name, summary.get(name), value)
    if summary["leaked_bytes"] + summary["suppressed_bytes"] != figures.leaked:
        return "leaked: %d and %d, not %d" % (summary["leaked_bytes"], summary["suppressed_bytes"], figures.leaked)
    rounded = {"peak_bytes": "peak_heap", "peak_rss_bytes": "peak_rss", "leaked_bytes": "total_leaked",
               "suppressed_bytes": "suppressed"}
    for name, theirs in rounded.items():
        if not is_rounded(reference.get(theirs, "0B"), summary[name]):
            return "%s: %s, not %s" % (name, summary[name], reference.get(theirs, "0B"))
    return None


# pprof calls what is in use of a heap "objects" and "space" where the file has nothing else; time is in ns here.
NAMES_OF_TYPES = {"objects": "inuse_objects", "space": "inuse_space"}
NS = {"nanoseconds": 1, "microseconds": 10**3, "milliseconds": 10**6}
SHOWN_UNITS = {"": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "B": 1, "kB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}


def count_stacks(path):
    with open(path, "rb") as file:
        return sum(b"@" in line for line in file)


def is_shown_as(text, value):
    """Whether go tool pprof shows the value like that: up to two decimals of some unit."""
    number, unit = re.fullmatch(r"([\d.]+)(\D*)", text).groups()
    step = 10.0 ** -len(number.partition(".")[2])
    return abs(value / SHOWN_UNITS[unit] - float(number)) <= step * 0.501


def check_first_rows(profview, path, rows):
    """Modules have no files here: those that pprof has as "[module]", and names that came with the profile."""
    status, out, err = ask(profview, path, "--print=top", "--format=tsv", "--show-allocators", "--merge-module=^[^[]")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    ours = {}
    for line in out.splitlines()[1:]:
        fields = line.split("\t")
        ours[fields[2]] = (int(fields[0]), int(fields[1]))
    for row in rows:
        flat, _, _, total, _, name = row.split()
        name = name.strip("[]")
        if name == "<unknown>":
            continue
        if name not in ours or not is_shown_as(flat, ours[name][0]) or not is_shown_as(total, ours[name][1]):
            return "%s: %s, not %s and %s" % (name, ours.get(name), flat, total)
    return None


def check_legacy_pprof(profview, path, reference):
    status, out, err = ask(profview, path, "--print=summary", "--format=json")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    summary = json.loads(out)
    ours = {measure["name"]: measure["total"] for measure in summary["measures"]}
    is_growth = path.endswith(".growth")
    for sample_type, total in zip(reference["sample_types"], reference["totals"]):
        name, unit = sample_type.split("/")
        name = name if is_growth else NAMES_OF_TYPES.get(name, name)
        # pprof cuts the fraction off each stack; we do not lose any.
        slack = count_stacks(path) if path.endswith((".heap", ".contention")) else 0
        total *= NS.get(unit, 1)
        if not 0 <= ours.get(name, -1) - total <= slack:
            return "%s: %s, not %d" % (name, ours.get(name), total)
        if sample_type == reference["default"] and summary["measures"][0]["name"] != name:
            return "%s comes first, not %s" % (summary["measures"][0]["name"], name)
    return check_first_rows(profview, path, reference["top10"])


def check_jemalloc(profview, path, reference):
    status, out, err = ask(profview, path, "--print=summary", "--format=json")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    ours = {measure["name"]: measure["total"] for measure in json.loads(out)["measures"]}
    wanted = {"inuse_objects": reference["adjusted_objects"], "inuse_space": reference["adjusted_bytes"]}
    for name, total in wanted.items():
        if abs(ours.get(name, -1) - total) > 1:
            return "%s: %s, not %d" % (name, ours.get(name), total)
    return None if set(ours) == set(wanted) else "measures: %s" % sorted(ours)


# pprof refuses these.
REFUSED = {"grafana-pyroscope__dotnet-pprof-3.pb.gz": {"samples": 17, "cpu": 5653000000}}


def top_by_name(profview, path, measure):
    """Name as pprof prints it -> (self, total, in how many modules)"""
    status, out, err = ask(profview, path, "--print=top", "--format=tsv", "--limit=0", "--show-dropped", "--measure=" + measure)
    ours = {}
    for line in out.splitlines()[1:] if status == 0 else ():
        fields = line.split("\t")
        name = re.sub(r"\\(.)", r"\1", fields[2])
        if name in ("??", "[unknown]") or re.fullmatch(r"(.*(\+| at ))?0x[0-9a-f]+", name):
            name = "<unknown>" if fields[3] == "[unknown]" else "[%s]" % fields[3]
        known = ours.get(name, (0, 0, 0))
        ours[name] = (known[0] + int(fields[0]), known[1] + int(fields[1]), known[2] + 1)
    return ours


def check_pprof_rows(profview, path, measure, has_negative, rows):
    above = top_by_name(profview, path, measure + "-positive" if has_negative else measure)
    below = top_by_name(profview, path, measure + "-negative") if has_negative else {}
    for row in rows:
        flat, _, _, total, _, name = row.split(None, 5)
        name = re.sub(r" \((partial-)?inline\)$", "", name)
        ours, less = above.get(name, (0, 0, 0)), below.get(name, (0, 0, 0))
        if not is_shown_as(flat, ours[0] - less[0]):
            return "%s: %d, not %s" % (name, ours[0] - less[0], flat)
        # What is in two modules is two functions, and no total of both.
        if ours[2] <= 1 and less[2] <= 1 and not is_shown_as(total, ours[1] - less[1]):
            return "%s: total %d, not %s" % (name, ours[1] - less[1], total)
    return None


def check_pprof(profview, path, reference):
    status, out, err = ask(profview, path, "--print=summary", "--format=json")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    summary = json.loads(out)
    ours = {measure["name"]: measure["total"] for measure in summary["measures"]}
    refused = REFUSED.get(os.path.basename(path))
    if refused:
        found = {"samples": summary["samples"], "cpu": ours.get("cpu")}
        return None if found == refused and summary["notes"] else "%s, not %s" % (found, refused)
    if summary["samples"] != reference["samples"]:
        return "%d samples, not %d" % (summary["samples"], reference["samples"])
    for sample_type, total in zip(reference["sample_types"], reference["totals"]):
        name, unit = sample_type.replace("[dflt]", "").split("/")
        found = ours.get(name, 0)
        if found != total * NS.get(unit, 1):
            return "%s: %d, not %d" % (name, found, total * NS.get(unit, 1))
    default = (reference["default"] or reference["sample_types"][-1]).replace("[dflt]", "").split("/")[0]
    if summary["measures"][0]["name"] != default:
        return "%s comes first, not %s" % (summary["measures"][0]["name"], default)
    return check_pprof_rows(profview, path, default, "base" in summary["measures"][0], reference["top10"])


def check_bad(profview, path):
    status, out, err, seconds, peak = run(profview, path, "--print=summary", "--format=json")
    if status not in (0, 1):
        return "exit status %d: %s" % (status, err.strip()[-500:])
    if status == 1 and not err.startswith("profview: "):
        return "fails without saying why: %r" % err
    if status == 0 and not json.loads(out)["notes"]:
        return "a partial result without a note"
    if not IS_SANITIZED and seconds > BAD_SECONDS:
        return "took %.1f s" % seconds
    if not IS_SANITIZED and peak > BAD_BYTES:
        return "took %d MB" % (peak // 1024 // 1024)
    for option in ("--print=top", "--print=tree"):
        status, _, err = ask(profview, path, option)
        if status not in (0, 1):
            return "%s: exit status %d: %s" % (option, status, err.strip()[-500:])
    return None


def without_mark(frame):
    return re.sub(r"_\[[kjiw]\]$", "", frame)


def split_folded(path):
    """Self and total of each name, from the last number of each line, and their sum."""
    sums, total = {}, 0.0
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [line.strip() for line in file]
    stacks = [match.groups() for match in (re.match(r"(.*\S)\s+(\d+(?:\.\d+)?)$", line) for line in lines
                                           if not line.startswith(("#", "//"))) if match]
    has_two = all(re.search(r"\s\d+(\.\d+)?$", stack) for stack, _ in stacks)
    for stack, count in stacks:
        stack = re.sub(r"\s+\S+$", "", stack) if has_two else stack
        names = [without_mark(name) for name in stack.split(";") if name]
        total += float(count)
        for name in set(names):
            sums.setdefault(name, [0, 0])[1] += float(count)
        sums[names[-1]][0] += float(count)
    return sums, total, has_two


def check_folded(profview, path, reference):
    status, out, err = ask(profview, path, "--print=top", "--format=tsv", "--limit=1000000")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    sums, total, has_two = split_folded(path)
    if abs(total - reference["total"]) > 1e-6:
        return "total %s, not %s" % (total, reference["total"])
    ours = {}
    for line in out.splitlines()[1:]:
        fields = line.split("\t")
        amounts, name = ((fields[1], fields[4]), fields[6]) if has_two else ((fields[0], fields[1]), fields[2])
        both = ours.setdefault(name, [0, 0])  # a name may be there with several marks
        both[0] += int(amounts[0])
        both[1] += int(amounts[1])
    # Fractions are rounded.
    slack = 0 if total == int(total) else len(sums)
    marked = {name for name in sums if sum(line.split("\t")[6 if has_two else 2] == name for line in out.splitlines()) > 1}
    for name, (own, whole) in sums.items():
        found = ours.pop(name, (0, 0))
        if abs(found[0] - own) > slack or (name not in marked and abs(found[1] - whole) > slack):
            return "%s: %s, not %s" % (name, found, (own, whole))
    return "more functions: %s" % ours if ours else None


def check_functions(profview, path, wanted, *options, has_modules=False):
    """Self and total of each function: {name: [self, total]}, with modules {(name, module): [self, total]}."""
    status, out, err = ask(profview, path, "--print=top", "--format=tsv", "--limit=0", "--show-dropped", *options)
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    ours = {}
    for line in out.splitlines()[1:]:
        fields = line.split("\t")
        both = ours.setdefault((fields[2], fields[3]) if has_modules else fields[2], [0, 0])
        both[0] += int(fields[0])
        both[1] += int(fields[1])
    for name, (own, whole) in wanted.items():
        found = ours.pop(name, (0, 0))
        if tuple(found) != (own, whole):
            return "%s: %s, not %s" % (name, found, (own, whole))
    return "more functions: %s" % ours if ours else None


def add_stack(sums, names, weight):
    """names: leaf first"""
    for name in set(names):
        sums.setdefault(name, [0, 0])[1] += weight
    if names:
        sums[names[0]][0] += weight


def check_distributions(profview, path, text):
    expected = bpftrace_tables.read_text(text)
    status, out, err = ask(profview, path, "--print=distributions", "--format=tsv")
    if not expected:
        return None if status == 2 else "exit status %d of distributions, not 2" % status
    found = {tuple(line.split("\t")) for line in out.splitlines()[1:]}
    return None if status == 0 and found == expected else "distributions %s: not %s %s" % (found, expected, err.strip())


def check_bpftrace(profview, path, reference):
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    sums, total, n_stacks = {}, 0, 0
    for stack, count in re.findall(r"^@\[\n(.*?)\n\]: (\d+)$", text, re.MULTILINE | re.DOTALL):
        names = [re.sub(r"\+\d+$", "", re.sub(r"^[0-9a-f]{16} ", "", line.strip())) for line in stack.split("\n") if line.strip()]
        add_stack(sums, names, int(count))
        total += int(count)
        n_stacks += 1
    if (n_stacks, total) != (reference["blocks"], reference["counts_sum"]):
        return "%d stacks, %d: not %s" % (n_stacks, total, reference)
    status, out, err = ask(profview, path, "--print=summary", "--format=json")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    summary = json.loads(out)
    if (summary["samples"], summary["measures"][0]["total"]) != (n_stacks, total):
        return "%d samples, %d, not %d and %d" % (summary["samples"], summary["measures"][0]["total"], n_stacks, total)
    return check_distributions(profview, path, text) or check_functions(profview, path, sums)


UNITS_OF_SPEEDSCOPE = {"nanoseconds": ("time", 1), "microseconds": ("time", 1000), "milliseconds": ("time", 10**6),
                       "seconds": ("time", 10**9), "bytes": ("bytes", 1)}


def replay_speedscope(profile, frames):
    """Yields (names leaf first, weight)."""
    if profile["type"] == "sampled":
        for stack, weight in zip(profile["samples"], profile["weights"]):
            yield [frames[frame] for frame in reversed(stack)], weight
        return
    stack, last = [], profile["startValue"]
    for event in profile["events"]:
        yield [frames[frame] for frame in reversed(stack)], event["at"] - last
        last = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        else:
            assert stack.pop() == event["frame"]


def check_speedscope(profview, path, reference):
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    frames = [frame["name"] for frame in content["shared"]["frames"]]
    sums, totals, n_samples = {}, {}, 0
    for profile, wanted in zip(content["profiles"], reference["profiles"]):
        measure, scale = UNITS_OF_SPEEDSCOPE.get(profile["unit"], ("weight", 1))
        n_of_profile = total = 0
        for names, weight in replay_speedscope(profile, frames):
            if names and weight:
                add_stack(sums.setdefault(measure, {}), names, weight * scale)
                n_of_profile += 1
                total += weight
        if profile["type"] == "sampled" and (n_of_profile, total) != (wanted["samples"], wanted["weight"]):
            return "%d samples, %d, not %s" % (n_of_profile, total, wanted)
        n_samples += n_of_profile
        totals[measure] = totals.get(measure, 0) + total * scale
    status, out, err = ask(profview, path, "--print=summary", "--format=json")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    summary = json.loads(out)
    ours = {measure["name"]: measure["total"] for measure in summary["measures"]}
    if (summary["samples"], ours) != (n_samples, totals):
        return "%d samples, %s, not %d and %s" % (summary["samples"], ours, n_samples, totals)
    if summary["threads"] != len(content["profiles"]):
        return "%d threads" % summary["threads"]
    for measure, wanted in sums.items():
        problem = check_functions(profview, path, wanted, "--measure=" + measure)
        if problem:
            return problem
    return check_time_lines(profview, path, summary)


def v8_profiles(content):
    """Complete flat profiles: of the file itself, or put together from the events of a trace."""
    events = content if isinstance(content, list) else content.get("traceEvents")
    if events is None:
        return [content]
    opened = {}
    for event in sorted(events, key=lambda event: event.get("ts", 0)):
        key, data = (event.get("pid"), event.get("id")), event.get("args", {}).get("data", {})
        if event["name"] == "Profile":
            opened[key] = {"nodes": [], "samples": [], "timeDeltas": [], "startTime": data["startTime"]}
        elif event["name"] == "ProfileChunk" and key in opened:
            opened[key]["nodes"] += data.get("cpuProfile", {}).get("nodes", [])
            opened[key]["samples"] += data.get("cpuProfile", {}).get("samples", [])
            opened[key]["timeDeltas"] += data.get("timeDeltas", [])
    return list(opened.values())


def v8_name(frame):
    """Name and module"""
    name, url = frame["functionName"], urllib.parse.unquote(re.sub("^file://", "", frame.get("url", "")))
    if not name:
        name = "(anonymous)"
        if url:
            name += " %s:%d:%d" % (url.split("/")[-1], frame["lineNumber"] + 1, frame["columnNumber"] + 1)
    return name, url if url.startswith("node:") else url.split("/")[-1] or "[V8]"


def v8_stacks(profile):
    """Stack of each node's id, names leaf first, without the root."""
    parents = {node["id"]: node["parent"] for node in profile["nodes"] if "parent" in node}
    for node in profile["nodes"]:
        parents.update((child, node["id"]) for child in node.get("children", []))
    names, stacks = {node["id"]: v8_name(node["callFrame"]) for node in profile["nodes"]}, {}
    for node in names:
        stacks[node] = []
        above = node
        while above in parents:
            stacks[node].append(names[above])
            above = parents[above]
    return stacks


def check_v8_heap(profview, path, content, wanted):
    sums, nodes = {}, [(content["head"], [])]
    while nodes:
        node, above = nodes.pop()
        stack = [v8_name(node["callFrame"])] + above if node is not content["head"] else []
        if node["selfSize"]:
            add_stack(sums, stack, node["selfSize"])
        nodes += [(child, stack) for child in node["children"]]
    if sum(own for own, _ in sums.values()) != wanted["total_self_bytes"]:
        return "total %d" % sum(own for own, _ in sums.values())
    return check_functions(profview, path, sums, has_modules=True)


def check_v8(profview, path, reference):
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    if "total_self_bytes" in reference["profiles"][0]:
        return check_v8_heap(profview, path, content, reference["profiles"][0])
    sums = {"time": {}, "idle": {}}
    own = collections.Counter()
    for profile in v8_profiles(content):
        at, moments, stacks = profile["startTime"], [], v8_stacks(profile)
        for sample, delta in zip(profile["samples"], profile["timeDeltas"]):
            at += delta
            moments.append((at, sample))
        moments.sort(key=lambda moment: moment[0])
        for (start, sample), (end, _) in zip(moments, moments[1:] + moments[-1:]):
            names = stacks[sample]
            add_stack(sums["idle" if names == [("(idle)", "[V8]")] else "time"], names, (end - start) * 1000)
            own[names[0] if names else "(root)"] += end - start
    for wanted in reference["profiles"] if len(reference["profiles"]) == 1 else []:
        if wanted["sampled_time_us"] != sum(own.values()):
            return "%d us, not %d" % (sum(own.values()), wanted["sampled_time_us"])
        for name, url, line, value in wanted["top5_self_time_us"]:
            frame = {"functionName": name, "url": url, "lineNumber": line - 1}
            if own[v8_name(frame)] != value:
                return "%s: %d, not %d" % (name, own[v8_name(frame)], value)
    status, out, err = ask(profview, path, "--print=summary", "--format=json")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    summary = json.loads(out)
    ours = sum(measure["total"] for measure in summary["measures"])
    if summary["samples"] != sum(wanted["samples"] for wanted in reference["profiles"]):
        return "%d samples" % summary["samples"]
    if ours != sum(wanted["sampled_time_us"] for wanted in reference["profiles"]) * 1000:
        return "%d ns in all" % ours
    for measure, wanted in sums.items():
        if any(whole for _, whole in wanted.values()):
            problem = check_functions(profview, path, wanted, "--measure=" + measure, has_modules=True)
            if problem:
                return "%s: %s" % (measure, problem)
    return check_time_lines(profview, path, summary)


SCRIPT_HEADER = re.compile(r"\s*(.*?)\s+(?:(-?\d+)/)?(-?\d+)\s+(?:\[(\d+)\]\s+)?(\d+\.\d+):\s+(?:(\d+)\s+)?(\S+):(?:\s|$)")
SCRIPT_FRAME = re.compile(r"\s+([0-9a-f]+)\s+(.*) \((.*?)\)?$")  # a line may be cut


def split_script(path):
    """Per event: number of samples, their sum, and self and total of each name; "" is what has none."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", errors="replace") as file:
        lines = [line.rstrip("\n") for line in file]
    events, frames = {}, None
    for line in [*lines, "end 1 1.0: end:"]:
        header = None if SCRIPT_FRAME.match(line) else SCRIPT_HEADER.match(line)
        frame = SCRIPT_FRAME.match(line)
        if frame and frames is not None:
            address, name, module = frame.groups()
            name = re.sub(r"\+0x[0-9a-f]+$", "", name)
            if name == "[unknown]":
                if int(address, 16) not in (0, 2**64 - 1):
                    frames.append("")
            elif re.search(r"/perf-\d+\.map$", module):
                frames.extend(reversed(name.split("->")))
            else:
                frames.append(name)
        elif header:
            if frames is not None:
                for name in set(frames):
                    sums.setdefault(name, [0, 0])[1] += weight
                if frames:
                    sums[frames[0]][0] += weight
            weight, frames = int(header.group(6) or 1), []
            event = events.setdefault(header.group(7), {"samples": 0, "total": 0, "sums": {}})
            event["samples"] += 1
            event["total"] += weight
            sums = event["sums"]
    del events["end"]
    return events


def check_perf_script(profview, path, reference):
    status, out, err = ask(profview, path, "--print=summary", "--format=json")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    summary = json.loads(out)
    ours = {re.sub(" samples$", "", measure["name"]): measure for measure in summary["measures"]}
    events = split_script(path)
    if {name: event["samples"] for name, event in events.items()} != reference["headers_per_event"]:
        return "the test reads %s, not %s" % (events, reference["headers_per_event"])
    if summary["samples"] != reference["headers"]:
        return "%d samples, not %d" % (summary["samples"], reference["headers"])
    for name, event in events.items():
        if (ours[name]["samples"], ours[name]["total"]) != (event["samples"], event["total"]):
            return "%s: %s, not %d and %d" % (name, ours[name], event["samples"], event["total"])
        found = {}
        status, out, err = ask(profview, path, "--print=top", "--format=tsv", "--limit=0", "--show-dropped", "--no-demangle",
                                     "--measure=" + ours[name]["name"])
        for line in out.splitlines()[1:]:
            fields = line.split("\t")
            key = re.sub(r"\\(.)", r"\1", fields[2])
            key = "" if key in ("??", "[unknown]") or re.fullmatch(r"(.*(\+| at ))?0x[0-9a-f]+", key) else key
            both = found.setdefault(key, [0, 0, 0])
            found[key] = [both[0] + int(fields[0]), both[1] + int(fields[1]), both[2] + 1]
        for function, (own, whole) in event["sums"].items():
            theirs = found.pop(function, [0, 0, 0])
            # What is in two modules is two functions, and no total of both.
            if theirs[0] != own or (theirs[2] == 1 and theirs[1] != whole):
                return "%s of %s: %s, not %s" % (function, name, theirs, (own, whole))
        if found:
            return "more functions of %s: %s" % (name, found)
    return check_time_lines(profview, path, summary)


def add_massif_node(lines, at, path, sums):
    """Adds the node of that line with all its children; returns the line after them, and the node's bytes."""
    n_children, size, text = re.match(r" *n(\d+): (\d+) (.*)", lines[at]).groups()
    frame = re.match(r"(0x[0-9A-F]+): (.*?)(?: \([^()]*(?:\([^()]*\))?[^()]*\))?$", text)
    if path is None:
        path = []
    elif not frame:
        path = [*path, "[below massif’s threshold]"]
    else:
        path = [*path, frame.group(1).lower() if frame.group(2) == "???" else frame.group(2)]
    at, own = at + 1, int(size)
    for _ in range(int(n_children)):
        at, child = add_massif_node(lines, at, path, sums)
        own -= child
    for name in set(path):
        sums.setdefault(name, [0, 0])[1] += own
    if path:
        sums[path[0]][0] += own
    return at, int(size)


def split_massif(path):
    """A dict for each snapshot: of its lines NAME=VALUE, and of its tree, as "sums"."""
    with (bz2.open if path.endswith(".bz2") else open)(path, "rt", encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    snapshots = []
    for at, line in enumerate(lines):
        name, is_pair, value = line.partition("=")
        if name == "snapshot":
            snapshots.append({})
        if is_pair and snapshots and not line.startswith((" ", "n")):
            snapshots[-1][name] = value
        if line in ("heap_tree=detailed", "heap_tree=peak"):
            snapshots[-1]["sums"] = {}
            add_massif_node(lines, at + 1, None, snapshots[-1]["sums"])
    return snapshots


def check_massif(profview, path, reference):
    status, out, err = ask(profview, path, "--print=summary", "--format=json")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    snapshots = split_massif(path)
    if (len(snapshots), sum("sums" in snapshot for snapshot in snapshots)) != (reference["snapshots"], reference["detailed"]):
        return "the test reads %d snapshots" % len(snapshots)
    shown = snapshots
    summary = json.loads(out)
    if len(summary["dumps"]) != len(shown):
        return "%d dumps, not %d" % (len(summary["dumps"]), len(shown))
    totals = {"heap": "mem_heap_B", "extra": "mem_heap_extra_B", "stacks": "mem_stacks_B"}
    with_trees = [snapshot for snapshot in shown if "sums" in snapshot] or shown
    peak = next((snapshot for snapshot in shown if snapshot["heap_tree"] == "peak"), with_trees[-1])
    for snapshot in shown:
        snapshot["all"] = sum(int(snapshot[key]) for key in totals.values())
    totals["total"] = "all"
    for measure in summary["measures"]:
        if measure["name"] in totals and measure["total"] != int(peak[totals[measure["name"]]]):
            return "%s at the peak: %d, not %s" % (measure["name"], measure["total"], peak[totals[measure["name"]]])
    for number, snapshot in enumerate(shown):
        if "sums" not in snapshot and number % 7 != 0 and not os.environ.get("PV_FULL"):
            continue  # it has totals only
        time = "--time=0..%d.5" % number
        for measure in summary["measures"]:
            if measure["name"] not in totals:
                continue
            status, out, err = ask(profview, path, "--print=top", "--format=tsv", "--limit=0", "--show-dropped", "--no-demangle",
                                         "--show-allocators", "--measure=" + measure["name"], time)
            if status != 0:
                return "%s: exit status %d: %s" % (measure["name"], status, err.strip())
            ours = {}
            for line in out.splitlines()[1:]:
                own, whole, name = line.split("\t")[:3]
                ours.setdefault(name, []).append((int(own), int(whole)))
            wanted = int(snapshot[totals[measure["name"]]])
            if measure["name"] != "heap" or "sums" not in snapshot:
                if sum(own for rows in ours.values() for own, _ in rows) != wanted:
                    return "%s of snapshot %s: %s, not %d" % (measure["name"], snapshot["snapshot"], ours, wanted)
                continue
            for name, (own, whole) in snapshot["sums"].items():
                rows = ours.pop(name, [(0, 0)])
                # What is in two modules is two functions, and no total of both.
                if sum(row[0] for row in rows) != own or (len(rows) == 1 and rows[0][1] != whole):
                    return "%s in snapshot %s: %s, not %s" % (name, snapshot["snapshot"], rows, (own, whole))
            if ours:
                return "more functions in snapshot %s: %s" % (snapshot["snapshot"], ours)
    return None


def dhat_name(frame):
    """Without the address and the place."""
    name = re.match(r"0x[0-9A-Fa-f]+: (.*?)(?: \([^()]*(?:\([^()]*\))?[^()]*\))?$", frame).group(1)
    return frame.split(":")[0].lower() if name == "???" else name


def check_dhat(profview, path, reference):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        content = json.load(file)
    names = [dhat_name(frame) if i > 0 else "" for i, frame in enumerate(content["ftbl"])]
    microseconds = 1000 if content["tu"] == "µs" else 1
    measures = {"allocated": ("tb", 1), "allocations": ("tbk", 1), "lifetime": ("tl", microseconds), "peak": ("gb", 1),
                "peak-blocks": ("gbk", 1), "leaked": ("eb", 1), "leaked-blocks": ("ebk", 1)}
    wanted_totals = {"allocated": "total_bytes", "allocations": "total_blocks", "peak": "at_gmax_bytes", "leaked": "at_end_bytes"}
    status, out, err = ask(profview, path, "--print=summary", "--format=json")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    totals = {measure["name"]: measure["total"] for measure in json.loads(out)["measures"]}
    for name, (key, factor) in measures.items():
        if name in wanted_totals and totals.get(name, 0) != reference[wanted_totals[name]]:
            return "%s: %s, not %s" % (name, totals.get(name, 0), reference[wanted_totals[name]])
        sums = {}
        for point in content["pps"]:
            add_stack(sums, [names[i] for i in point["fs"]], point[key] * factor)
        problem = check_functions(profview, path, sums, "--measure=" + name, "--no-demangle", "--show-allocators") if name in totals else None
        if problem:
            return "%s: %s" % (name, problem)
    return None


def check_gprof(profview, path, reference):
    """The reference has four digits of seconds; bins, which are of a fraction of a byte, are split a little differently."""
    if "reader_flat" not in reference:
        return None  # the program
    in_circles = {name for circle in reference["cycles"] for name in circle["members"]}
    for measure, key, unit in ("time", "self_s", 1e9), ("calls", "calls", 1):
        status, out, err = ask(profview, path, "--print=top", "--format=tsv", "--limit=0", "--measure=" + measure)
        if status != 0:
            return "exit status %d: %s" % (status, err.strip())
        ours = {fields[2]: (int(fields[0]), int(fields[1])) for fields in (line.split("\t") for line in out.splitlines()[1:])}
        whole = sum(own for own, _ in ours.values())
        if measure == "time" and whole != reference["ticks"] * 10**9 // reference["rate"]:
            return "all together %d" % whole
        for name, wanted in reference["reader_flat"].items():
            own, total = ours.get(name, (0, 0))
            if abs(own - wanted[key] * unit) > (0.002 * whole if measure == "time" else 0):
                return "%s of %s: %d, not %s" % (measure, name, own, wanted[key])
            if measure == "time" and name not in in_circles and abs(total - wanted["inclusive_s"] * unit) > 0.004 * whole:
                return "total of %s: %d, not %s" % (name, total, wanted["inclusive_s"])
    return None


class Callgrind:
    """A file of callgrind or cachegrind: {function: [cost of each event]}, {(caller, callee): the same}, {(caller, callee): number
    of calls}; a function is an object, a file and a name."""

    def __init__(self, path):
        self.events, self.own, self.calls, self.n_calls = [], {}, {}, collections.Counter()
        self.names, self.positions, self.place, self.last = {}, 1, [0, 0, 0], []
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in file]
        # Speedscope writes costs as callgrind writes positions.
        self.has_relative_costs = any(re.fullmatch(r"\* \*", line) for line in lines) and not any(
            line.startswith(("jump=", "jcnd=")) for line in lines)
        ob = fl = here = function = None
        call, is_call, is_jump, has_fl = {}, False, False, False
        for line in lines:
            key, _, value = line.partition("=")
            if re.match(r"[-+*0-9]", line):
                costs = self.read_costs(line)
                if is_call:
                    callee = (call.get("cob", ob), call.get("cfi", call.get("cfl", here)), call["cfn"])
                    self.add(self.calls, (function, callee), costs)
                    self.n_calls[function, callee] += n_calls
                    self.add(self.own, callee, [0])
                elif not is_jump:
                    self.add(self.own, function, costs)
                if is_call or not is_jump:
                    call = {}
                is_call = is_jump = False
            elif key in ("ob", "fl", "fi", "fe", "fn", "cob", "cfi", "cfl", "cfn"):
                name = self.read_name(key, value)
                if key == "ob":
                    ob = name
                elif key == "fl":
                    fl, here, has_fl = name, name, True
                elif key in ("fi", "fe"):
                    here = name
                elif key == "fn":
                    here = fl if has_fl else here
                    function, call = (ob, here, name), {}
                    self.add(self.own, function, [0])
                else:
                    call[key] = name
            elif key == "calls":
                is_call, n_calls = True, int(value.split()[0], 0)
            elif key in ("jump", "jcnd"):
                is_jump = True
            elif line.startswith("positions:"):
                self.positions = len(line.split()) - 1
            elif line.startswith("events:"):
                self.events = line.split()[1:]
                self.last = [0] * len(self.events)

    def read_name(self, key, value):
        kind = {"o": "object", "l": "file", "i": "file", "e": "file", "n": "function"}["o" if key.endswith("ob") else key[-1]]
        match = re.match(r"\((\d+)\) ?(.*)", value)
        if not match:
            return value
        if match.group(2):
            self.names[kind, match.group(1)] = match.group(2)
        return self.names.get((kind, match.group(1)), None if kind != "function" else value)

    def read_costs(self, line):
        words = line.split()[self.positions:]
        words += ["0"] * (len(self.events) - len(words))
        costs = [last if word == "*" else last + int(word) if self.has_relative_costs and word[0] in "+-" else int(word, 0)
                 for word, last in zip(words, self.last)]
        self.last = costs
        return costs

    def add(self, sums, key, costs):
        row = sums.setdefault(key, [0] * len(self.events))
        for i, cost in enumerate(costs):
            row[i] += cost

    def find_cycles(self):
        """{function: a function of its cycle}: of functions that call each other, with any cost, all have the same one."""
        callees, callers = collections.defaultdict(list), collections.defaultdict(list)
        for (caller, callee), costs in self.calls.items():
            if any(costs):
                callees[caller].append(callee)
                callers[callee].append(caller)
        order, seen = [], set()
        for start in self.own:
            work = [(start, False)]
            while work:
                function, is_done = work.pop()
                if is_done:
                    order.append(function)
                elif function not in seen:
                    seen.add(function)
                    work += [(function, True)] + [(callee, False) for callee in callees[function]]
        cycle_of = {}
        for first in reversed(order):
            work = [first]
            while work:
                function = work.pop()
                if function not in cycle_of:
                    cycle_of[function] = first
                    work += callers[function]
        return cycle_of

    def get_wholes(self):
        """What each function costs with its callees, of which it is none itself, and no more than its cycle."""
        cycle_of = self.find_cycles()
        wholes = {function: list(costs) for function, costs in self.own.items()}
        of_cycle = {}
        for function, costs in self.own.items():
            self.add(of_cycle, cycle_of[function], costs)
        for (caller, callee), costs in self.calls.items():
            if caller != callee:
                self.add(wholes, caller, costs)
            if cycle_of[caller] != cycle_of[callee]:
                self.add(of_cycle, cycle_of[caller], costs)
        return {function: [min(pair) for pair in zip(costs, of_cycle[cycle_of[function]])] for function, costs in wholes.items()}


def check_callgrind(profview, path, reference):
    file = Callgrind(path)
    wholes = file.get_wholes()
    status, out, err = ask(profview, path, "--print=summary", "--format=json")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    measures = json.loads(out)["measures"]
    factors = {"Time_(10ns)": 10, "cpu(ms)": 1000000}
    for i, event in enumerate(file.events):
        name, factor = re.sub(r"_?\((10ns|bytes|ms)\)$", "", event), factors.get(event, 1)
        total = sum(costs[i] for costs in file.own.values())
        # The same profile as in the other files of speedscope, whose costs were added up as if they were not relative.
        if total != (820 if reference["self_sum"] == [120] else reference["self_sum"][i]):
            return "the test reads %d of %s" % (total, event)
        if measures[i]["name"] != name or measures[i]["total"] != total * factor:
            return "%s, not %d of %s" % (measures[i], total * factor, name)
        status, out, err = ask(profview, path, "--print=top", "--format=tsv", "--limit=0", "--no-demangle", "--show-allocators",
                               "--measure=" + name)
        ours, n_rows = {}, collections.Counter()
        for line in out.splitlines()[1:]:
            own, whole, function = line.split("\t")[:3]
            n_rows[function] += 1
            ours.setdefault(function, [0, 0])
            ours[function][0] += int(own)
            ours[function][1] += int(whole)
        n_functions = collections.Counter(function[2] for function in file.own)
        for function in file.own:
            wanted = sum(costs[i] for other, costs in file.own.items() if other[2] == function[2]) * factor
            found = ours.get(function[2], [0, 0])
            if found[0] != wanted:
                return "%s of %s: self %d, not %d" % (event, function, found[0], wanted)
            if n_functions[function[2]] == 1 and found[1] != wholes[function][i] * factor:
                return "%s of %s: total %d, not %d" % (event, function, found[1], wholes[function][i] * factor)
        if set(ours) - set(n_functions):
            return "more functions: %s" % (set(ours) - set(n_functions))
        problem = check_calls(profview, path, file, wholes, i, name, factor)
        if problem:
            return "%s: %s" % (event, problem)
    return None


def check_calls(profview, path, file, wholes, i, measure, factor):
    """All calls, by their callers and by their callees, by one event. Functions that cost nothing are not listed, nor are their
    calls, which cost nothing either."""
    def spell(function):
        files = [name for name in function[:2] if name not in (None, "???")] + [""]
        return function[2], os.path.basename(files[0])

    wanted, costly = {}, {spell(function) for function, costs in wholes.items() if costs[i]}
    for (caller, callee), costs in file.calls.items():
        row = wanted.setdefault((spell(caller), spell(callee)), [0, 0])
        row[0] += costs[i] * factor
        row[1] += file.n_calls[caller, callee]
    for print_ in ("callees", "callers") if wanted else ():
        status, out, err = ask(profview, path, "--print=" + print_, "--function=.", "--format=tsv", "--no-demangle",
                               "--show-allocators", "--limit=0", "--measure=" + measure)
        if status != 0:
            return "%s: exit status %d: %s" % (print_, status, err.strip())
        found, listed = {}, set()
        for line in out.splitlines()[1:]:
            weight, name, module, of_name, of_module, n_calls = line.split("\t")
            other, own = (name, "" if module == "[unknown]" else module), (of_name, "" if of_module == "[unknown]" else of_module)
            listed.add(own)
            if name:
                row = found.setdefault((own, other) if print_ == "callees" else (other, own), [0, 0])
                row[0] += int(weight)
                row[1] += int(n_calls)
        for pair, row in wanted.items():
            own = pair[print_ == "callers"]
            if own in listed and pair not in found or own in costly and found.get(pair) != row:
                return "%s: %s: %s, not %s" % (print_, pair, found.get(pair), row)
        if set(found) - set(wanted):
            return "%s: more calls: %s" % (print_, set(found) - set(wanted))
    return None


def firefox_libraries(owner, profile):
    libs = owner.get("libs") or profile.get("libs") or []
    return json.loads(libs) if isinstance(libs, str) else libs


def firefox_rows(table, *columns):
    """The columns of a table of rows, of Gecko's format."""
    schema = table["schema"]
    for row in table["data"]:
        yield [row[schema[name]] if name in schema and schema[name] < len(row) else None for name in columns]


def firefox_place(lib, address):
    return "%s+0x%x" % (os.path.basename(lib.get("name") or lib["path"]), address) if lib else "0x%x" % address


def gecko_stacks(thread, profile):
    """The stack of names of each sample, innermost first."""
    libs, strings = firefox_libraries(thread, profile), thread["stringTable"]
    locations = [strings[location] for location, in firefox_rows(thread["frameTable"], "location")]
    stacks = list(firefox_rows(thread["stackTable"], "prefix", "frame"))
    for stack, in firefox_rows(thread["samples"], "stack"):
        names = []
        while stack is not None:
            stack, frame = stacks[stack]
            location = locations[frame]
            if re.fullmatch("0x[0-9a-f]+", location):
                address = int(location, 16)
                lib = next((lib for lib in libs if lib["start"] <= address < lib["end"]), None)
                names.append(firefox_place(lib, address - (lib["start"] - lib.get("offset", 0) if lib else 0) - bool(names)))
            else:
                names.append(re.sub(r" \(.*:\d+\)(\[\d+\])?$", "", location))
        yield 1, names


def processed_stacks(thread, profile):
    shared = profile.get("shared", {})
    strings = (thread if "stringArray" in thread else shared)["stringArray"]
    tables = thread if "stackTable" in thread else shared
    stacks, frames, funcs, resources = (tables[name] for name in ("stackTable", "frameTable", "funcTable", "resourceTable"))
    libs = firefox_libraries(thread, profile)
    samples = thread["samples"]
    for i, stack in enumerate(samples["stack"]):
        names = []
        while stack is not None:
            func = frames["func"][stacks["frame"][stack]]
            resource, address = funcs["resource"][func], frames["address"][stacks["frame"][stack]]
            lib = resources["lib"][resource] if resource is not None and 0 <= resource < len(resources["lib"]) else None
            name = strings[funcs["name"][func]]
            if lib is not None and lib >= 0 and re.fullmatch("0x[0-9a-f]+", name) and address >= 0:
                name = firefox_place(libs[lib], address)
            elif "fileName" not in funcs and "source" not in funcs:
                name = re.sub(r" \(.*:\d+\)$", "", name)
            names.append(name)
            stack = stacks["prefix"][stack]
        yield samples["weight"][i] if samples.get("weight") else 1, names


def firefox_threads(profile):
    """Of a profile and the profiles in it, with the profile that each is of."""
    profile = profile.get("profile", profile)
    for thread in profile["threads"]:
        if isinstance(thread, str):
            yield from firefox_threads(json.loads(thread))
        else:
            yield thread, profile
    for process in profile.get("processes", []):
        yield from firefox_threads(process)


def check_counters(profview, path, wanted):
    """wanted: (category, name, number of samples, smallest, largest, last or sum) of each counter"""
    status, out, err = ask(profview, path, "--print=counters", "--format=json")
    if not wanted:
        return None if status != 0 and "no counters" in err else "counters that are not in the file"
    if status != 0:
        return "counters: exit status %d: %s" % (status, err.strip())
    ours = [(row["category"], row["name"], row["samples"], row["min"], row["max"],
             row["last"] if row["kind"] == "level" else row["total"]) for row in json.loads(out)]
    return "counters: %s, not %s" % (ours, wanted) if ours != wanted else None


def firefox_counters(profile):
    """Of memory there are changes, which add up; of anything else amounts."""
    profile = profile.get("profile", profile)
    for counter in profile.get("counters") or []:
        groups = counter.get("sampleGroups", counter)
        samples = (groups[0] if isinstance(groups, list) else groups)["samples"]
        counts, is_memory = samples["count"], counter["category"] == "Memory"
        shown = list(itertools.accumulate(counts)) if is_memory else counts
        yield counter["category"], counter["name"], len(counts), min(shown), max(shown), sum(counts)


def check_firefox(profview, path, reference):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        problem = check_counters(profview, path, list(firefox_counters(json.load(file))))
    if problem:
        return problem
    status, out, err = ask(profview, path, "--print=top", "--format=tsv", "--limit=1000000", "--measure=samples")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        threads = list(firefox_threads(json.load(file)))
    sums, n_samples = {}, 0
    for thread, profile in threads:
        for weight, names in (gecko_stacks if "stringTable" in thread else processed_stacks)(thread, profile):
            n_samples += 1
            for name in set(names):
                sums.setdefault(name, [0, 0])[1] += weight
            if names:
                sums[names[0]][0] += weight
    # What was in strings in strings is not in the reference.
    if n_samples < reference["samples"] or len(threads) < reference["threads"]:
        return "%d samples in %d threads, not %d in %d" % (n_samples, len(threads), reference["samples"], reference["threads"])
    ours, parts = {}, {}
    for line in out.splitlines()[1:]:
        own, whole, name = line.split("\t")[:3]
        both = ours.setdefault(name, [0, 0])  # a name may be there in several modules
        parts[name] = parts.get(name, 0) + 1
        both[0] += int(own)
        both[1] += int(whole)
    for name, (own, whole) in sums.items():
        found = ours.pop(name, (0, 0))
        if found[0] != own or (found[1] != whole and (parts[name] == 1 or found[1] < whole)):
            return "%s: %s, not %s" % (name, found, (own, whole))
    return "more functions: %s" % ours if ours else None


SYSPROF_CONTEXTS = {-32: "kernel", -128: "kernel", -512: "user", -2048: "guest", -2176: "guest", -2560: "guest"}


def sysprof_frames(data):
    """(type, pid, time, bytes) of each frame of a little-endian capture"""
    at = 256
    while at + 24 <= len(data):
        size, _, pid, time_ns, kind = struct.unpack_from("<HhiqB", data, at)
        yield kind, pid, time_ns, data[at:at + size]
        at += size


def sysprof_name(pid, address, is_return, is_kernel, maps, jit, symbols):
    if address in jit:
        return jit[address]
    for begin, end, owner, name in symbols:
        if owner == pid and begin <= address <= end:
            return name
    address -= is_return
    for owner, start, end, offset, path in maps:
        if owner == pid and start <= address < end and not is_kernel:
            return "%s+0x%x" % (os.path.basename(path), address - start + offset)
    return "0x%x" % address


def sysprof_text(data, start):
    return data[start:data.index(b"\0", start)].decode()


def sysprof_tables(frames):
    """Mappings, names of compiled code, and the table of symbols."""
    maps, jit, bundle = [], {}, b""
    for kind, pid, _, frame in frames:
        if kind == 3:
            maps.append((pid, *struct.unpack_from("<QQQ", frame, 24), sysprof_text(frame, 56)))
        elif kind == 7:
            at = 28
            for _ in range(struct.unpack_from("<I", frame, 24)[0]):
                name = sysprof_text(frame, at + 8)
                jit[struct.unpack_from("<Q", frame, at)[0]] = name
                at += 9 + len(name.encode())
        elif kind == 13 and sysprof_text(frame, 28) == "__symbols__":
            bundle += frame[284:284 + struct.unpack_from("<H", frame, 26)[0]]
    symbols = []
    for at in range(0, len(bundle) - 32, 32):
        begin, end, pid, name, _, _ = struct.unpack_from("<QQIIII", bundle, at)
        if not (begin or end or pid or name):
            break
        symbols.append((begin, end, pid, sysprof_text(bundle, name)))
    return maps, jit, symbols


def sysprof_stack(pid, addresses, is_return, tables):
    """Names, leaf first, and whether the leaf is of the kernel."""
    context, names, is_kernel_leaf = "user", [], False
    for address in addresses:
        marker = address - (1 << 64)
        if marker in SYSPROF_CONTEXTS:
            context, is_return = SYSPROF_CONTEXTS[marker], False
            continue
        is_kernel_leaf |= context == "kernel" and not names
        names.append(sysprof_name(pid, address, is_return, context == "kernel", *tables))
        is_return = True
    return names, is_kernel_leaf


def check_sysprof_allocations(profview, path, frames, tables):
    """Each function by what it allocated, and by what is left of that."""
    sums, live, blocks = {}, {}, {}
    for kind, pid, _, frame in sorted(frames, key=lambda frame: frame[2]):
        if kind != 14:
            continue
        address, size, _, n = struct.unpack_from("<QqiH", frame, 24)
        blocks.pop((pid, address), None)
        if size > 0:
            names, _ = sysprof_stack(pid, struct.unpack_from("<%dQ" % n, frame, 48), True, tables)
            add_stack(sums, names, size)
            blocks[pid, address] = names, size
    for names, size in blocks.values():
        add_stack(live, names, size)
    for measure, wanted in ("allocated", sums), ("live", {name: live.get(name, [0, 0]) for name in sums}):
        problem = check_functions(profview, path, wanted, "--measure=" + measure, "--show-allocators") if wanted else None
        if problem:
            return "%s: %s" % (measure, problem)
    return None


def check_sysprof_names(profview, path, reference):
    """The program lies next to the capture under another name."""
    program = os.path.join(os.path.dirname(path), reference["symbols_from"])
    status, out, err = ask(profview, path, "--print=top", "--format=tsv", "--limit=0", "--measure=allocated", "--show-allocators",
                           "--map-path=/opt/samples/sysprof/alloc=" + program)
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    totals = {fields[2]: int(fields[1]) for fields in (line.split("\t") for line in out.splitlines()[1:])}
    for name, total in reference["inclusive_by_function"].items():
        if ".so" not in name and totals.get(name) != total:
            return "%s: %s, not %d" % (name, totals.get(name), total)
    return None


def sysprof_counters(frames):
    """Values, in the order of time, of counters that are defined then."""
    names, values = {}, {}
    for kind, _, _, frame in sorted(frames, key=lambda frame: frame[2]):
        if kind not in (8, 9):
            continue
        for i in range(struct.unpack_from("<H", frame, 24)[0]):
            if kind == 8:
                at = 32 + 128 * i
                word, = struct.unpack_from("<I", frame, at + 116)
                names[word & 0xffffff] = (sysprof_text(frame, at), sysprof_text(frame, at + 32), word >> 24)
                continue
            ids = struct.unpack_from("<8I", frame, 32 + 96 * i)
            for slot, one in enumerate(ids):
                if one in names:
                    category, name, is_double = names[one]
                    value, = struct.unpack_from("<d" if is_double else "<q", frame, 64 + 96 * i + 8 * slot)
                    values.setdefault((category, name), []).append(value)
    return values


def check_sysprof_counters(profview, path, reference, frames):
    values = sysprof_counters(frames)
    for name, its in reference.get("counters", {}).items():
        ours = values.get(tuple(name.split("/", 1)), [])
        if (len(ours), sum(ours)) != (its["values"], its["sum"]):
            return "counter %s: %d values, %s" % (name, len(ours), sum(ours))
    return check_counters(profview, path, [(*key, len(its), min(its), max(its), its[-1]) for key, its in values.items()])


def check_sysprof(profview, path, reference):
    if not path.endswith(".syscap"):
        return None  # the program of one of them
    with open(path, "rb") as file:
        data = file.read()
    frames = list(sysprof_frames(data))
    tables = sysprof_tables(frames)
    status, out, err = ask(profview, path, "--print=summary", "--format=json")
    if status != 0:
        return "exit status %d: %s" % (status, err.strip())
    totals = {measure["name"]: measure["total"] for measure in json.loads(out)["measures"]}
    n_logs = sum(frame[0] == 12 for frame in frames)
    wanted = {"samples": reference["samples"], "allocations": reference.get("allocations", 0),
              "allocated": reference.get("allocated_bytes", 0), "live": reference.get("live_bytes_at_end", 0),
              "freed": reference.get("allocated_bytes", 0) - reference.get("live_bytes_at_end", 0),
              "marks": reference.get("marks", 0) + n_logs}
    for name, total in wanted.items():
        if totals.get(name, 0) != total:
            return "%s: %s, not %d" % (name, totals.get(name), total)
    problem = check_packed(profview, path, data) or check_sysprof_counters(profview, path, reference, frames)
    if problem:
        return problem
    if "symbols_from" in reference:
        problem = check_sysprof_names(profview, path, reference)
    # The files of this machine may not be those of the recording: there is none with these names.
    with tempfile.NamedTemporaryFile(prefix="profview-corpus-", suffix=".syscap") as file:
        file.write(data.replace(b"/usr/lib/", b"/not/lib/").replace(b"/opt/samples/", b"/not/samples/"))
        file.flush()
        return (problem or check_sysprof_samples(profview, file.name, reference, frames, tables)
                or check_sysprof_allocations(profview, file.name, frames, tables))


def check_sysprof_samples(profview, path, reference, frames, tables):
    sums, n_kernel_leaves = {}, 0
    for kind, pid, _, frame in frames:
        if kind == 2:
            addresses = struct.unpack_from("<%dQ" % struct.unpack_from("<H", frame, 24), frame, 32)
            names, is_kernel_leaf = sysprof_stack(pid, addresses, False, tables)
            add_stack(sums, names, 1)
            n_kernel_leaves += is_kernel_leaf
    if n_kernel_leaves != reference["kernel_leaf_samples"]:
        return "%d samples in the kernel, not %d" % (n_kernel_leaves, reference["kernel_leaf_samples"])
    for name, own in reference.get("self_top", {}).items():
        if sums.get(name, (0, 0))[0] != own:
            return "%s: %s, not %d" % (name, sums.get(name), own)
    for name, whole in reference.get("inclusive_top", {}).items():
        # There, return addresses are those after the call.
        if not re.match(r"demo\+", name) and sums.get(name, (0, 0))[1] != whole:
            return "%s: %s, not %d" % (name, sums.get(name), whole)
    return check_functions(profview, path, sums, "--measure=samples") if sums else None


def check_packed(profview, path, data):
    with tempfile.TemporaryDirectory(prefix="profview-corpus-") as folder:
        plain = ask(profview, path, "--print=top", "--format=tsv")
        for pack in gzip.compress, bz2.compress, lzma.compress:
            packed = os.path.join(folder, "packed")
            with open(packed, "wb") as file:
                file.write(pack(data))
            if ask(profview, packed, "--print=top", "--format=tsv")[:2] != plain[:2]:
                return "packed by %s it is another" % pack.__module__
    return None


def check_elf(profview, path, reference):
    """Sizes are those of bloaty; sections, of size -A; names of symbols have as many bytes as nm says, at most, of which
    some are of inlined functions."""
    for measure, key in ("file-size", "total_file"), ("memory-size", "total_vm"):
        of_each = []
        for option in [], ["--no-inline"]:
            status, out, err = ask(profview, path, "--print=tree", "--format=tsv", "--limit=1000000", "--min-percent=0",
                                         "--no-demangle", "--measure=" + measure, *option)
            if status != 0:
                return "exit status %d: %s" % (status, err.strip())
            rows = [line.split("\t") for line in out.splitlines()[1:]]
            of_each.append(sum(int(row[1]) for row in rows))
        if of_each[0] != of_each[1]:
            return "%s: %d with inlined functions, not %d" % (measure, *of_each)
        if "bloaty_sections" in reference and int(rows[0][2]) != reference["bloaty_sections"][key]:
            return "%s %s, not %d" % (measure, rows[0][2], reference["bloaty_sections"][key])
        if int(rows[0][2]) != os.path.getsize(path) and measure == "file-size":
            return "%s bytes of %d" % (rows[0][2], os.path.getsize(path))
        sections = {}
        for row in rows:
            if row[3].startswith("."):
                sections[row[3]] = sections.get(row[3], 0) + int(row[2])
        for name, size, _address in reference["size_A"]:
            group = re.sub(r"^(\.text|\.rodata|\.data|\.bss|\.tdata|\.tbss)\..*", r"\1", name)
            if measure == "file-size" and "bss" not in name and sections.get(group, 0) < size:
                return "%s: %d, not %d" % (group, sections.get(group, 0), size)
        sums = {}
        for row in rows:
            sums[row[3]] = sums.get(row[3], 0) + int(row[1])
        for name, letter, size in reference["nm_S_size_sort"]["top20"]:
            if sums.get(name, 0) not in (0, size):
                return "%s: %d, not %d" % (name, sums[name], size)
            if letter in "TtRrDd" and sums.get(name, 0) == 0 and not any(
                    other[2] == size and sums.get(other[0]) == size for other in reference["nm_S_size_sort"]["top20"]):
                return "%s is missing" % name
    return None


def main():
    profview, corpus, *formats = sys.argv[1:]
    with open(os.path.join(corpus, "reference.json"), encoding="utf-8") as file:
        references = json.load(file)
    n_files = n_failed = 0
    checks = {"perf.data": check_perf_data, "heaptrack": check_heaptrack, "pprof": check_pprof, "legacy-pprof": check_legacy_pprof,
              "jemalloc": check_jemalloc, "folded": check_folded, "bpftrace": check_bpftrace,
              "speedscope": check_speedscope, "v8": check_v8, "perf-script": check_perf_script,
              "massif": check_massif, "dhat": check_dhat, "callgrind": check_callgrind, "gprof": check_gprof,
              "firefox": check_firefox, "sysprof": check_sysprof, "elf": check_elf}
    for folder in formats or [*checks, "bad"]:
        for name in sorted(os.listdir(os.path.join(corpus, folder))):
            path = os.path.join(corpus, folder, name)
            n_files += 1
            if folder == "bad":
                problem = check_bad(profview, path)
            else:
                problem = checks[folder](profview, path, references.get(folder + "/" + name, {}))
            if problem:
                n_failed += 1
                print("%s/%s: %s" % (folder, name, problem))
    print("%d files, %d failed" % (n_files, n_failed))
    return 1 if n_failed or n_files == 0 else 0


sys.exit(main())
