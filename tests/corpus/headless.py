#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""headless.py [--all] [--no-pictures] PROFVIEW CORPUS DATA: every headless command over the corpus, bad/ and the recordings,
in four worker threads each.

For builds with a sanitizer, whose every report fails; in any build each command has to end with a result that reads as its
format, or with words. Each file gets a few of the commands, each command some of the files; --all: every pair. Under sanitizers each
file gets one of its commands, unless PV_FULL is set."""
import argparse
import concurrent.futures
import itertools
import json
import os
import re
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
from profview_commands import Commands  # noqa: E402

of_thread = threading.local()
REPORT_STATUS = 99
REPORTS = ("Sanitizer: ", "runtime error: ", "Sanitizer:DEADLYSIGNAL")
COMMANDS_PER_FILE = 3
IS_SHORT = bool(os.environ.get("PV_SANITIZED")) and not os.environ.get("PV_FULL")
STEP = 7  # no factor of 36, 44, 48 or 71, the numbers of commands
PRINTS = ("summary", "top", "tree", "callers", "callees", "timeline", "phases", "wakers", "marks", "syscalls",
          "notes")
VARIANTS = ((), ("--invert",), ("--no-inline", "--group=thread"), ("--collapse-recursion", "--ignore=^_start$"),
            ("--by=line", "--group=process"), ("--hide=^main$", "--merge-module=libc"))


# A heap has no threads and processes.
HEAP_VARIANTS = ((), ("--invert",), ("--no-inline", "--no-suppressions"), ("--collapse-recursion", "--ignore=^_start$"),
                 ("--by=line", "--show-allocators"), ("--hide=^main$", "--merge-module=libc"))
CHARTS = ("live", "allocations", "temporary", "rss", "sizes")
HEAP_MEASURES = ("peak", "leaked", "live", "growth", "allocated", "allocations", "temporary", "lifetime")


def heap_commands(with_pictures):
    """What only heaps answer."""
    for measure in HEAP_MEASURES:
        yield ("--print=top", "--format=tsv", "--measure=" + measure, "--time=0..20ms", "--show-allocators")
    for ending, chart in itertools.product(("svg", "png", "pdf") * with_pictures, CHARTS):
        yield ("--export=OUT." + ending, "--chart=" + chart)


def commands(with_pictures):
    """Every command; neighbours differ, so that a run of some of them is a mixture."""
    for kind, words in itertools.product(("text", "tsv", "csv", "json"), PRINTS):
        functions = ("--function=.",) if words in ("callers", "callees") else ()
        yield ("--print=" + words, "--format=" + kind, *functions)
    for ending in ("svg", "png", "pdf") * with_pictures + ("folded", "tsv", "csv", "json"):
        yield ("--export=OUT." + ending,)
    for ending in ("svg", "png", "pdf") * with_pictures:
        yield ("--export=OUT." + ending, "--view=timeline")
        yield ("--export=OUT." + ending, "--view=flamechart")
        yield ("--export=OUT." + ending, "--view=heatmap")


def files(corpus, data):
    folders = [os.path.join(corpus, format) for format in ("perf.data", "heaptrack", "pprof", "legacy-pprof", "jemalloc", "folded", "perf-script", "bpftrace", "speedscope", "v8", "massif", "dhat", "callgrind", "gprof", "firefox", "sysprof", "elf", "bad")]
    for folder in (*folders, os.path.join(data, "recordings"), os.path.join(data, "heaptrack")):
        for name in sorted(os.listdir(folder)):
            if ".ref." not in name and ".peer." not in name:
                yield os.path.join(folder, name)


def environment():
    result = dict(os.environ, LC_ALL="C.UTF-8")
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"):
        # By default a report would end like a file that cannot be read.
        result[name] = ":".join(filter(None, (result.get(name), "exitcode=%d" % REPORT_STATUS, "halt_on_error=1")))
    result.pop("DISPLAY", None)
    result.pop("WAYLAND_DISPLAY", None)
    return result


def problem_of_output(command, out):
    if "--format=json" in command or command[0].endswith(".json"):
        json.loads(out)
    elif ("--format=tsv" in command or "--format=csv" in command) and not out.strip() and "--print=notes" not in command:
        return "no header"
    elif command[0].startswith("--export") and not out and not command[0].endswith(".folded"):
        return "an empty file"
    return None


def commands_of_thread(profview):
    if not hasattr(of_thread, "commands"):
        of_thread.commands = Commands(profview, environment())
    return of_thread.commands


def run(profview, sysroot, path, command, variant):
    with tempfile.TemporaryDirectory(prefix="profview-headless-") as folder:
        options = [word.replace("OUT", os.path.join(folder, "out")) for word in command]
        # Only these have a place for groups; others refuse them. Pictures over time have no top and bottom.
        is_timeline = any("--view=" + view in command for view in ("timeline", "flamechart", "heatmap"))
        has_groups = command[0] in ("--print=top", "--print=tree") or (command[0].startswith("--export") and not is_timeline)
        options += [word for word in variant if (has_groups or not word.startswith("--group="))
                    and not (is_timeline and word == "--invert")]
        status, out, err = commands_of_thread(profview).ask("--jobs=4", sysroot, *options, path)
        written = os.listdir(folder)
        if written:
            with open(os.path.join(folder, written[0]), "rb") as file:
                out = file.read()
    err = err.decode("utf-8", "replace")
    is_refused = status == 2 and err.startswith("profview: ") and re.search(
        "--(print=(timeline|phases|wakers|marks|syscalls)|view=(timeline|flamechart|heatmap)): ", err)
    if is_refused and not any(word in err for word in REPORTS):
        return None  # no times, waits, ...
    if status not in (0, 1) or any(word in err for word in REPORTS):
        return "exit status %d: %s" % (status, err[-6000:])
    if status == 1:
        return None if err.startswith("profview: ") else "fails without saying why: %r" % err
    try:
        return problem_of_output(command, out)
    except ValueError as error:
        return "not JSON: %s" % error


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    # Pango starts threads behind GLib's locks, of which ThreadSanitizer knows nothing.
    parser.add_argument("--no-pictures", action="store_true")
    for name in ("profview", "corpus", "data"):
        parser.add_argument(name)
    options = parser.parse_args()
    sysroot = "--sysroot=" + os.path.join(options.data, "sysroot")
    every = list(commands(not options.no_pictures))
    of_heaps = every + list(heap_commands(not options.no_pictures))
    tasks = []
    for i, path in enumerate(files(options.corpus, options.data)):
        is_heap = os.path.basename(os.path.dirname(path)) == "heaptrack"
        table, variants = (of_heaps, HEAP_VARIANTS) if is_heap else (every, VARIANTS)
        few = range(COMMANDS_PER_FILE) if not IS_SHORT else [i % COMMANDS_PER_FILE]
        for k in range(len(table)) if options.all else few:
            # In steps, so that a file gets commands of different kinds.
            at = k if options.all else (i * COMMANDS_PER_FILE + k) * STEP % len(table)
            tasks.append((path, table[at], variants[(i + at) % len(variants)]))
    n_failed = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        problems = pool.map(lambda task: run(options.profview, sysroot, *task), tasks)
        for (path, command, variant), problem in zip(tasks, problems):
            if problem:
                n_failed += 1
                print("%s %s: %s" % (path, " ".join(command + variant), problem))
    print("%d runs, %d failed" % (len(tasks), n_failed))
    return 1 if n_failed or not tasks else 0


sys.exit(main())
