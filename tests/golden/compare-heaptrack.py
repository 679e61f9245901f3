#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-heaptrack.py [--sysroot=DIR] [--top=50] [--no-peer] [--verbose] [PROFVIEW] FILE...: profview, heaptrack's own
tools and a replay in Python (heaptrack_reference.py) on the same heaptrack files.

Three things are held against one another, totals and sites (the innermost line below operator new):
  the peers with the replay      what heaptrack_print rounds, within its rounding; counts exactly
  profview with the replay       exactly: every figure of the summary, all sites of four measures, all stacks
  profview with the peers        follows
  ranges of time                 the totals of every measure, with the replay

The peers' words are NAME.peer.txt beside the file if there is one (see record-heap.sh); else heaptrack_print is run, on
a raw file NAME.raw.zst after NAME.zst, which is made in a temporary folder if it is not there. --no-peer: for a file that
heaptrack_interpret cannot read; sites are compared by their totals then, as there are no names. Without PROFVIEW, which is
known by not being a heaptrack file, only the peers are looked at.

Known differences, each checked:
  temporary  on interpreted files heaptrack_print counts a free of kind 0 that follows nothing as temporary
  names      on raw files profview finds names itself. Functions are compared without parameters, template arguments and
             clone suffixes, sources by file name; what has no name is one site per module. Whole stacks are compared
             without inlined functions; the names that C functions have at one address are one
  inlines    heaptrack_interpret 1.4 leaves out inlined functions here and there: where we differ addr2line decides
  modules    heaptrack_interpret looks every address up once; what a library allocates before dlopen returns stays without a
             module with it. Where that happened such modules are compared as a whole, by the lists as they were
"""
import argparse
import collections
import functools
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import heaptrack_reference as reference  # noqa: E402
from heaptrack_names import aliases_of, demangled, plain, without_return_type  # noqa: E402
from profview_commands import Commands  # noqa: E402

INTERPRET = "/usr/lib/heaptrack/libexec/heaptrack_interpret"
OPERATOR_NEW = r"^operator new(\[\])?\(unsigned (long|int)\)$"
MEASURES = ("allocations", "peak", "leaked", "temporary")
SECTIONS = {"MOST CALLS TO ALLOCATION FUNCTIONS": "allocations", "PEAK MEMORY CONSUMERS": "peak",
            "MEMORY LEAKS": "leaked", "MOST TEMPORARY ALLOCATIONS": "temporary"}
UNITS = {"B": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}

Peer = collections.namedtuple("Peer", "statistics totals sites")
Key = collections.namedtuple("Key", "module function file line")


class Rounded:
    """A figure that was printed with two decimals of a unit."""

    def __init__(self, text):
        match = re.fullmatch(r"(-?[\d.]+)([BKMGT])?", text)
        unit = UNITS[match.group(2) or "B"]
        self.text, self.value = text, float(match.group(1)) * unit
        self.slack = 0 if unit == 1 else 0.005001 * unit

    def is_of(self, value):
        return abs(value - self.value) <= self.slack


def parse_peer(text):
    """What record-heap.sh writes: heaptrack_interpret's statistics, then heaptrack_print's report."""
    statistics, totals, sites = {}, {}, {measure: [] for measure in MEASURES}
    for name, count in re.findall(r"^\t([a-z ]+):\s+(\d+)$", text, re.M):
        statistics[name] = int(count)
    for name, value in re.findall(r"^([a-z][A-Za-z ()]+): (-?[\d.]+[BKMGT]?)(?:s\.| \(|$)", text, re.M):
        totals[name] = value
    measure, lines = None, text.splitlines()
    for i, line in enumerate(lines):
        if line in SECTIONS:
            measure = SECTIONS[line]
        match = re.match(r"(\S+) (?:calls to|peak memory|leaked over|temporary alloc).* from$", line)
        if match and measure:
            sites[measure].append((site_at(lines, i + 1), Rounded(match.group(1))))
    return Peer(statistics, totals, sites)


def site_at(lines, i):
    function, file, line, module = lines[i], "", 0, ""
    if re.fullmatch("0x[0-9a-f]+", function):
        function = ""
    i += 1
    match = re.match(r"  at (.*):(\d+)$", lines[i])
    if match:
        file, line = match.group(1), int(match.group(2))
        i += 1
    match = re.match(r"  in (.*)$", lines[i])
    if match:
        module = "" if match.group(1) == "??" else match.group(1)
    return Key(module, function, file, line)


def run_text(command, **others):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True, text=True,
                          errors="surrogateescape", **others).stdout


def interpret(path, out):
    """heaptrack_interpret's output and its statistics; whole lines only, as half a line counts with it."""
    with open(out, "wb") as file:
        with subprocess.Popen(["sh", "-c", 'ulimit -v 8000000; exec "$0"', INTERPRET], stdin=subprocess.PIPE, stdout=file,
                              stderr=subprocess.PIPE) as process:
            for line in reference.lines_of(path):
                process.stdin.write(line + b"\n")
            process.stdin.close()
            errors = process.stderr.read().decode(errors="replace")
        if process.returncode != 0:
            sys.exit("heaptrack_interpret: status %d\n%s" % (process.returncode, errors))
    return errors


def peer_of(path, is_raw, folder, top):
    """(Peer, the interpreted file)"""
    base = re.sub(r"(\.raw)?\.(zst|gz)$", "", path)
    interpreted = path
    statistics = ""
    if is_raw:
        interpreted = next((base + ending for ending in (".zst", ".gz") if os.path.exists(base + ending)), None)
        if interpreted is None:
            interpreted = os.path.join(folder, "interpreted")
            statistics = interpret(path, interpreted)
    if os.path.exists(base + ".peer.txt"):
        with open(base + ".peer.txt", encoding="utf-8", errors="surrogateescape") as file:
            return parse_peer(file.read()), interpreted
    if not statistics and os.path.exists(base + ".interp.log"):
        with open(base + ".interp.log", encoding="utf-8") as file:
            statistics = file.read()
    if not statistics and is_raw:
        statistics = interpret(path, os.path.join(folder, "again"))
    report = run_text(["heaptrack_print", "-t", "0", "-n", str(top), "-s", "0", "-l", "1", "-f", interpreted])
    return parse_peer(statistics + report), interpreted


class Wanted:
    """What the replay says: totals as the summary names them, and weights of sites."""

    def __init__(self, trace, names):
        self.trace, self.names = trace, names
        figures = trace.figures()
        is_suppressed = [False] * len(trace.nodes)
        if names is not None:
            patterns = reference.BUILT_IN_SUPPRESSIONS + trace.suppressions
            is_suppressed = names.suppressed(patterns)
            self.peer_suppressed = names.suppressed(reference.BUILT_IN_SUPPRESSIONS + names.suppressions_of_peer)
        suppressed = sum(live for live, hidden in zip(figures.live, is_suppressed) if hidden)
        self.figures, self.is_suppressed = figures, is_suppressed
        self.weights = {
            "allocations": figures.allocations, "peak": figures.at_peak, "temporary": figures.temporary,
            "leaked": [0 if hidden else live for live, hidden in zip(figures.live, is_suppressed)],
        }
        self.summary = {
            "allocations": figures.n_allocations, "temporary": figures.n_temporary, "leaked_bytes": figures.leaked - suppressed,
            "suppressed_bytes": suppressed, "peak_bytes": figures.peak, "peak_ns": figures.peak_ms * 10**6,
            "peak_rss_bytes": trace.peak_rss_pages * trace.page_bytes, "duration_ns": trace.last_ms * 10**6,
        }

    def sites(self, weights, key):
        result = collections.Counter()
        cache = {}
        for trace, weight in enumerate(weights):
            if weight:
                if trace not in cache:
                    cache[trace] = key(self.names.site_of(trace))
                result[cache[trace]] += weight
        return result

    def modules(self, weights):
        """Raw: what each module weighs, by the lists of modules as they were."""
        result = collections.Counter()
        for trace, weight in enumerate(weights):
            if weight:
                result[os.path.basename(self.trace.module_of_node[self.names.leaf_of(trace)][0])] += weight
        return result

    def modules_of_stale_sites(self):
        """Raw: modules of addresses that heaptrack_interpret looked up once, before they were loaded."""
        stale = {""}
        for trace, n in enumerate(self.figures.allocations):
            if n:
                module = os.path.basename(self.trace.module_of_node[self.names.leaf_of(trace)][0])
                theirs = os.path.basename(self.names.site_of(trace).module)
                if module != theirs:
                    stale.update((module, theirs))
        return stale


class Report:
    def __init__(self, name):
        self.name, self.problems, self.checks = name, [], 0

    def check(self, what, got, wanted):
        self.checks += 1
        if got != wanted:
            self.problems.append("%s: %s, not %s" % (what, got, wanted))

    def check_rounded(self, what, got, wanted):
        self.checks += 1
        if not Rounded(got).is_of(wanted):
            self.problems.append("%s: %s, not %s" % (what, got, wanted))


def check_peer(report, peer, wanted, printed):
    """The replay of the file that heaptrack_print read (printed), and of the raw one behind it, against the peers."""
    figures = wanted.figures
    if wanted.trace.is_raw and peer.statistics:
        report.check("interpret: allocations", peer.statistics["allocations"], figures.n_allocations)
        report.check("interpret: temporary", peer.statistics["temporary allocations"], figures.n_temporary)
    hidden = sum(live for live, is_hidden in zip(figures.live, wanted.peer_suppressed) if is_hidden)
    totals = peer.totals
    report.check("print: allocations", int(totals["calls to allocation functions"]), figures.n_allocations)
    report.check("print: temporary", int(totals["temporary memory allocations"]), printed.count_temporary_of_print())
    report.check("print: temporary, but for frees of kind 0 after nothing", int(totals["temporary memory allocations"]),
                 sum(flag & 1 for flag in printed.temporary) + printed.count_false_temporary_of_print())
    report.check_rounded("print: peak", totals["peak heap memory consumption"], figures.peak)
    report.check_rounded("print: leaked", totals["total memory leaked"], figures.leaked - hidden)
    report.check_rounded("print: suppressed", totals.get("suppressed leaks", "0B"), hidden)
    report.check_rounded("print: RSS", totals["peak RSS (including heaptrack overhead)"],
                         wanted.summary["peak_rss_bytes"])
    runtime_s = totals["total runtime"]
    report.check("print: runtime", abs(float(runtime_s) - (wanted.trace.last_ms + 1) / 1000) < 0.005001, True)
    key = lambda site: Key(site.module, site.function, site.file, site.line)
    weights = dict(wanted.weights, temporary=printed.temporary_of_print(),
                   leaked=[0 if is_hidden else live for live, is_hidden in zip(figures.live, wanted.peer_suppressed)])
    for measure in MEASURES:
        sites = wanted.sites(weights[measure], key)
        for site, figure in peer.sites[measure]:
            report.checks += 1
            if not figure.is_of(sites.get(site, 0)):
                report.problems.append("print: %s of %s: %s, not %d" % (measure, tuple(site), figure.text, sites.get(site, 0)))


def key_of(is_raw, names, module, function, file, line):
    module = os.path.basename(module) if module != "[unknown]" else ""
    if re.fullmatch(r"(0x)?[0-9a-f]{6,}|\?\?|", function) or re.search(r"(\+| at )0x[0-9a-f]+$", function):
        return Key(module, "", "", 0)
    function = names.get(function, function)
    if is_raw:
        return Key(module, plain(function), os.path.basename(file), line)
    return Key(module, without_return_type(function).removeprefix("__GI_"), file, line)


def unescape(cell):
    return re.sub(r"\\(.)", lambda m: {"t": "\t", "n": "\n", "r": "\r"}.get(m.group(1), m.group(1)), cell)


@functools.cache
def commands_of(program):
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "DEBUGINFOD_URLS"):
        environment.pop(name, None)
    return Commands(program, environment)


def ask(options, *words):
    sysroot = ["--sysroot=" + options.sysroot] if options.sysroot else []
    status, out, errors = commands_of(options.profview).ask(*sysroot, *words)
    if status != 0:
        raise subprocess.CalledProcessError(status, words, out, errors)
    return out.decode("utf-8", "surrogateescape")


def own_sites(options, path, measure, key, *words):
    text = ask(options, "--print=top", "--format=tsv", "--by=line", "--measure=" + measure, "--show-allocators",
               "--hide=" + OPERATOR_NEW, *words, path)
    result = collections.Counter()
    for line in text.splitlines()[1:]:
        own, _, function, module, file, number = map(unescape, line.split("\t"))
        if int(own):
            result[key(module, function, "" if file == "??" else file, int(number or 0))] += int(own)
    return result


def ask_addr2line(options, traces, wanted, key):
    """{trace: the key of its site by addr2line}, for some traces of a raw file."""
    addresses = {}
    for trace in traces:
        module, bias = wanted.trace.module_of_node[wanted.names.leaf_of(trace)]
        addresses.setdefault(module, {})[trace] = wanted.names.site_of(trace).address - bias
    result = {}
    for module, of_trace in addresses.items():
        file = next((name for name in ((options.sysroot or "") + module, module) if os.path.exists(name)), None)
        if file is None:
            continue
        lines = run_text(["addr2line", "-f", "-C", "-e", file, *map(hex, of_trace.values())]).splitlines()
        for trace, function, place in zip(of_trace, lines[::2], lines[1::2]):
            source, _, line = place.partition(" (disc")[0].rpartition(":")
            # Without a line it is the symbol before, however far away.
            if line.isdigit():
                result[trace] = key(module, function, source, int(line))
    return result


def settle(options, own, sites, weights, wanted, key):
    """The sites of the replay, those that differ from our own named again by addr2line."""
    traces = {}
    for trace, weight in enumerate(weights):
        if weight:
            site = wanted.names.site_of(trace)
            site = key(site.module, site.function, site.file, site.line)
            if own[site] != sites[site]:
                traces[trace] = site
    settled = collections.Counter(sites)
    for trace, site in ask_addr2line(options, traces, wanted, key).items():
        settled[traces[trace]] -= weights[trace]
        settled[site] += weights[trace]
    return +settled


def check_own(options, report, path, wanted):
    summary = json.loads(ask(options, "--print=summary", "--format=json", path))
    for name, value in wanted.summary.items():
        if name in ("leaked_bytes", "suppressed_bytes") and wanted.names is None:
            continue
        report.check("summary: " + name, summary.get(name), value)
    names = demangled(wanted.names.strings if wanted.names else [])
    key = functools.partial(key_of, wanted.trace.is_raw, names)
    n_differences = 0
    stale = wanted.modules_of_stale_sites() if wanted.trace.is_raw and wanted.names else ()
    for measure in MEASURES:
        weights = wanted.weights[measure]
        own = own_sites(options, path, measure, key)
        if len(stale) > 1:
            modules = collections.Counter()
            for site, weight in own.items():
                modules[site.module] += weight
            report.check("modules by %s" % measure, modules, +wanted.modules(weights))
        if wanted.names is None:
            if measure != "leaked":
                report.check("sites of %s: sum" % measure, sum(own.values()), sum(weights))
            continue
        sites = wanted.sites(weights, lambda site: key(site.module, site.function, site.file, site.line))
        # Only damaged files have sites that weigh less than nothing, and they weigh nothing with us.
        sites = collections.Counter({site: weight for site, weight in sites.items() if weight > 0})
        report.check("sites of %s: sum" % measure, sum(own.values()), sum(sites.values()))
        own, sites = ({site: weight for site, weight in some.items() if site.module not in stale or len(stale) == 1}
                      for some in (own, sites))
        own, sites = collections.Counter(own), collections.Counter(sites)
        if wanted.trace.is_raw and own != sites:
            sites = settle(options, own, sites, weights, wanted, key)
        top = {site for site, _ in sites.most_common(options.top)} | {site for site, _ in own.most_common(options.top)}
        for site in sorted(set(own) | set(sites), key=lambda site: -max(own[site], sites[site])):
            report.checks += 1
            if own[site] != sites[site]:
                n_differences += 1
                if site in top or options.verbose:
                    report.problems.append("%s of %s: %d, not %d" % (measure, tuple(site), own[site], sites[site]))
    if n_differences:
        report.problems.append("%d sites differ" % n_differences)


def stack_name(is_raw, names, aliases, function):
    if re.fullmatch(r"0x[0-9a-f]+|\?\?|\[unknown\]|", function) or re.search(r"(\+| at )0x[0-9a-f]+$", function):
        return ""
    # In the folded form ; is the separator.
    function = names.get(function, function).replace(";", ":")
    if is_raw:
        return aliases.get(plain(function), plain(function))
    return without_return_type(function).removeprefix("__GI_")


def pair_unnamed(own, theirs):
    """Takes away pairs of stacks that differ in functions that only one of the two has a name for."""
    left = [stack for stack in theirs if theirs[stack] != own[stack]]
    for stack in [stack for stack in own if own[stack] != theirs[stack]]:
        for other in left:
            n = min(own[stack], theirs[other])
            if n > 0 and len(other) == len(stack) and all(a == b or "" in (a, b) for a, b in zip(stack, other)):
                own[stack] -= n
                theirs[other] -= n


def check_stacks(options, report, path, wanted, folder):
    """Whole stacks by the names of their functions, with inlined ones where the names are the file's."""
    trace, is_raw = wanted.names, wanted.trace.is_raw
    names = demangled(trace.strings)
    modules = {module for module, _ in wanted.trace.module_of_node if module}
    aliases = aliases_of(options.sysroot or "", modules) if is_raw else {}
    key = functools.partial(stack_name, is_raw, names, aliases)
    chains = [()]
    for ip in range(1, len(trace.ips)):
        frames = trace.frames_of_ip(ip)
        if frames[0].function in reference.OPERATOR_NEW:
            chains.append(())
        else:
            chains.append(tuple(key(frame.function) for frame in (frames[-1:] if is_raw else reversed(frames))))
    stacks = collections.Counter()
    for node, weight in enumerate(wanted.figures.allocations):
        if weight:
            parts = []
            while node:
                ip, node = trace.nodes[node]
                parts.append(chains[ip])
            stacks[tuple(name for part in reversed(parts) for name in part)] += weight
    out = os.path.join(folder, "out.folded")
    ask(options, "--export=" + out, "--measure=allocations", "--show-allocators", "--hide=" + OPERATOR_NEW,
        *(["--no-inline"] if is_raw else []), path)
    own = collections.Counter()
    with open(out, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            stack, weight = line.rstrip("\n").rsplit(" ", 1)
            own[tuple(key(name) for name in stack.split(";"))] += int(weight)
    report.checks += len(stacks)
    pair_unnamed(own, stacks)
    different = [stack for stack in set(own) | set(stacks) if own[stack] != stacks[stack]]
    if different:
        report.problems.append("%d of %d stacks differ" % (len(different), len(stacks)))
        for stack in sorted(different, key=lambda stack: (-max(own[stack], stacks[stack]), stack))[:8]:
            report.problems.append("stack %s: %d, not %d" % (";".join(stack), own[stack], stacks[stack]))


def check_ranges(options, report, path, wanted):
    """Ranges of time, whole bins of 10 ms: the totals of every measure, against the replay of that range."""
    last_ms = wanted.trace.last_ms // 10 * 10 + 10
    moments = sorted({last_ms * i // 4 // 10 * 10 for i in range(5)})
    is_suppressed = wanted.is_suppressed
    for start in range(len(moments) - 1):
        for end in {start + 1, (start + len(moments)) // 2, len(moments) - 1}:
            if end <= start:
                continue
            start_ms, end_ms = moments[start], moments[end]
            figures = wanted.trace.figures(start_ms, end_ms)
            weights = {
                "peak": figures.at_peak, "live": figures.live, "allocated": figures.allocated,
                "increase": figures.growth, "decrease": [-value for value in figures.growth],
                "allocations": figures.allocations, "temporary": figures.temporary, "lifetime": figures.lifetime,
                "leaked": [0 if hidden else live for live, hidden in zip(figures.live, is_suppressed)],
            }
            for measure, values in weights.items():
                own = own_sites(options, path, measure, lambda *site: site, "--time=%dms..%dms" % (start_ms, end_ms))
                report.check("%s within %d..%d ms" % (measure, start_ms, end_ms), sum(own.values()),
                             sum(value for value in values if value > 0))


def look_at(options, path):
    report = Report(path)
    trace = reference.Trace(path)
    with tempfile.TemporaryDirectory() as folder:
        names = trace
        if not options.no_peer:
            peer, interpreted = peer_of(path, trace.is_raw, folder, options.top)
            if trace.is_raw:
                names = reference.Trace(interpreted)
            wanted = Wanted(trace, names)
            check_peer(report, peer, wanted, names)
        else:
            wanted = Wanted(trace, None if trace.is_raw else trace)
        if options.profview:
            check_own(options, report, path, wanted)
            if wanted.names and not (trace.is_raw and len(wanted.modules_of_stale_sites()) > 1):
                check_stacks(options, report, path, wanted, folder)
            if options.ranges or len(trace.events) < 100000:
                check_ranges(options, report, path, wanted)
    print("%s: %s, %d compared, %d differ" % (os.path.basename(path), "raw" if trace.is_raw else "interpreted",
                                              report.checks, len(report.problems)))
    for problem in report.problems if options.verbose else (problem[:400] for problem in report.problems[:40]):
        print("  " + problem)
    sys.stdout.flush()
    return not report.problems


def is_heaptrack(path):
    line = next(iter(reference.lines_of(path)), b"")
    return re.match(rb"[vsXx] [0-9a-f]+", line) is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sysroot")
    parser.add_argument("--top", type=int, default=50)
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--ranges", action="store_true", help="ranges of time of large files, too")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    options.profview = options.files.pop(0) if not is_heaptrack(options.files[0]) else None
    results = [look_at(options, path) for path in options.files]
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
