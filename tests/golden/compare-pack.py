#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-pack.py PROFVIEW FILE [OPTION...]: packs FILE, moves the pack to a folder of its own and asks it, without the options: all
that profview prints of the pack has to be what it prints of FILE. Then the same with pseudonyms: the figures stay, and in
nothing that is printed or exported is any name of FILE."""
import gzip
import json
import os
import re
import sys
import tempfile

from profview_commands import run_any

PRINTS = [["summary", "--format=json"], ["top", "--limit=0"], ["top", "--by=line", "--limit=0"],
          ["top", "--by=address", "--limit=0"], ["top", "--no-inline", "--limit=0"], ["tree", "--limit=0"],
          ["tree", "--invert", "--limit=200"], ["tree", "--group=thread", "--limit=100"], ["tree", "--group=file", "--limit=100"],
          ["callers", "--function=.", "--limit=100"], ["callees", "--function=.", "--limit=100"], ["timeline"], ["phases"],
          ["wakers"], ["syscalls"], ["marks"], ["notes"], ["distributions"]]
HEAP_MEASURES = ["peak", "leaked", "live", "growth", "allocated", "allocations", "temporary", "lifetime", "increase", "decrease"]
CHARTS = ["live", "allocations", "temporary", "rss", "sizes"]
EXPORTS = ["folded", "pb.gz", "speedscope.json", "profile.json", "callgrind", "tsv", "json", "svg", "profview"]
# Words of names that formats of files and our own messages have too.
COMMON = {"file", "read", "time", "name", "data", "main", "record", "recording", "version", "symbol", "debug", "http", "pprof",
          "perf", "encoding", "samples", "calls", "threads", "unknown", "kernel", "root", "heap", "heaptrack", "native", "cpu", "thread", "stack", "fill", "grind", "clock"}


def run(*command, good=(0,)):
    status, out, errors = run_any(command, dict(os.environ, LC_ALL="C.UTF-8", LANGUAGE=""))
    if status not in good:
        sys.exit("%s: exit status %d\n%s" % (" ".join(command), status, errors.decode("utf-8", "replace")))
    return out.decode("utf-8", "replace") if status == 0 else "refused"


def ask(profview, words, *arguments):
    words = words if any(word.startswith("--format") for word in words) else words + ["--format=tsv"]
    # What a profile has nothing for is refused, by both.
    return run(profview, "--print=" + words[0], *words[1:], *arguments, good=(0, 1, 2))


def without_size(text):
    """The pack is not as large as the file."""
    return [line for line in text.splitlines() if "size" not in line]


def list_names(value, names):
    if isinstance(value, dict):
        for key, part in value.items():
            if key in ("name", "function", "full_name", "file", "module", "path", "command", "host", "recorded_with") and \
                    isinstance(part, str):
                names.add(part)
            list_names(part, names)
    elif isinstance(value, list):
        for part in value:
            list_names(part, names)


def find_names(profview, *arguments):
    names = set()
    for words in (["top", "--limit=0"], ["summary"], ["tree", "--group=thread", "--limit=50"], ["tree", "--group=module"],
                  ["tree", "--group=file"]):
        found = run(profview, "--print=" + words[0], *words[1:], "--format=json", *arguments, good=(0, 2))
        list_names(json.loads(found) if found != "refused" else None, names)
    # What is measured is no secret.
    measures = set()
    list_names(json.loads(run(profview, "--print=summary", "--format=json", *arguments)).get("measures"), measures)
    parts = set(names)
    for name in names:
        parts.update(re.split(r"[/\s()]+", name))
    parts = {part for part in parts if not any(part in measure for measure in measures) and not part.startswith("(")}
    return {part for part in parts if len(part) >= 4 and part not in COMMON and not re.fullmatch(r"[\W\d]+|0x[0-9a-f]+|\d[\d.]*", part)}


def figures(text):
    return sorted(tuple(cell for cell in line.split("\t") if re.fullmatch(r"[\d.]+", cell)) for line in text.splitlines())


def list_heap_questions(profview, *arguments):
    """What only heaps are asked: all measures, of the whole recording and of parts of it."""
    summary = json.loads(run(profview, "--print=summary", "--format=json", *arguments))
    if "peak_bytes" not in summary:
        return [], []
    end = summary["duration_ns"] // 1000
    times = [[], ["--time=%dus..%dus" % (end // 4, end // 2)], ["--time=%dus..%dus" % (end // 2, end)]]
    prints = [[what, "--limit=0", "--measure=" + measure, *time] for what in ("top", "tree") for measure in HEAP_MEASURES for time in times]
    prints += [["top", "--limit=0", "--no-suppressions", "--show-allocators", "--measure=leaked"], ["summary"]]
    return prints, [["--chart=" + chart, *time] for chart in CHARTS for time in times]


def draw(profview, folder, words, *arguments):
    out = os.path.join(folder, "picture.svg")
    if run(profview, "--export=" + out, *words, *arguments, good=(0, 1, 2)) == "refused":
        return "refused"
    with open(out, encoding="utf-8") as file:
        return file.read()


def main():
    profview, path, options = sys.argv[1], sys.argv[2], sys.argv[3:]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        run(profview, "--export=" + os.path.join(folder, "only.profview"), *options, path)
        # Pictures have the name of the file, too.
        os.mkdir(os.path.join(folder, "elsewhere"))
        pack = os.path.join(folder, "elsewhere", os.path.basename(path))
        os.rename(os.path.join(folder, "only.profview"), pack)
        prints, charts = list_heap_questions(profview, *options, path)
        for words in PRINTS + prints:
            wanted, found = ask(profview, words, *options, path), ask(profview, words, pack)
            if without_size(wanted) != without_size(found):
                different = [pair for pair in zip(wanted.splitlines(), found.splitlines()) if pair[0] != pair[1]]
                problems.append("--print=%s differs: %s" % (" ".join(words), different[:2]))
        for words in charts:
            if draw(profview, folder, words, *options, path) != draw(profview, folder, words, pack):
                problems.append("%s differs" % " ".join(words))
        names = find_names(profview, *options, path)
        names.add(os.path.basename(path))
        for ending in EXPORTS:
            out = os.path.join(folder, "hidden." + ending)
            run(profview, "--anonymize", "--export=" + out, *options, path)
            if ending == "profview":
                text = "".join(ask(profview, words, out) for words in PRINTS if words[0] not in ("callers", "callees"))
            else:
                with open(out, "rb") as file:
                    data = file.read()
                text = (gzip.decompress(data) if ending.endswith("gz") else data).decode("utf-8", "replace")
            leaks = sorted(name for name in names if name in text)
            if leaks:
                problems.append("--anonymize --export=.%s has %s" % (ending, leaks[:10]))
        text = "".join(run(profview, "--anonymize", "--print=" + what, *options, path, good=(0, 1, 2))
                       for what in ("summary", "top", "tree", "timeline", "marks", "notes", "wakers"))
        leaks = sorted(name for name in names if name in text)
        if leaks:
            problems.append("--anonymize --print has %s" % leaks[:10])
        # Allocators and suppressed leaks are known by their names.
        plain = ["--show-allocators", "--no-suppressions"] if charts else []
        wanted, found = (ask(profview, ["top", "--limit=0", *plain], *more, *options, path) for more in ([], ["--anonymize"]))
        if figures(wanted) != figures(found):
            problems.append("pseudonyms change figures")
    for problem in problems:
        print(problem)
    print("%d names" % len(names))
    sys.exit(1 if problems else 0)


main()
