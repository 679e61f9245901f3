#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""golden.py PROFVIEW DATA RECORDING [--update]: runs profview over a recording of tests/data (NAME of recordings/, or
heaptrack/NAME, pprof/NAME) and compares what it says with expected/NAME.txt beside this script. With --update it writes that file instead: look at the difference before
it goes into version control (update.sh does all of them).

The frozen sysroot stands in for the recording machine, so the result is the same everywhere."""
import difflib
import html
import os
import re
import sys
import tempfile

from profview_commands import run_any

HERE = os.path.dirname(os.path.abspath(__file__))

OLD = 1577836800  # the start of 2020

# What is asked of every recording, and of some.
ALWAYS = [
    ["--print=summary", "--format=json"],
    ["--print=top", "--format=tsv"],
    ["--export=OUT.folded"],
]
ALSO = {
    "calls-fp": [
        ["--print=top"],
        ["--print=tree", "--min-percent=1"],
        ["--print=tree", "--invert", "--min-percent=5"],
        ["--print=callers", "--function=^compare_values$", "--format=tsv"],
        ["--print=callees", "--function=^sort_values$", "--format=tsv"],
        ["--print=top", "--by=line", "--limit=12", "--format=tsv"],
        ["--export=OUT.folded", "--focus=checksum|bell"],
        ["--export=OUT.folded", "--hide=^msort", "--ignore=bell"],
        ["--export=OUT.folded", "--show-from=^sort_values$"],
        ["--export=OUT.folded", "--merge-module=libc"],
    ],
    "inlining-dwarf": [
        ["--print=summary"],
        ["--print=top", "--no-inline", "--format=tsv"],
        ["--print=top", "--by=line", "--limit=20", "--format=tsv"],
        ["--print=tree", "--format=json", "--min-percent=2"],
    ],
    # Names that are told apart by their arguments.
    "inlining-fp": [
        ["--print=top", "--limit=30"],
        ["--print=tree", "--min-percent=1"],
        ["--export=OUT.svg", "--view=treemap", "--width=700"],
    ],
    "recursion-fp": [["--export=OUT.folded", "--collapse-recursion"]],
    "threads-fp": [
        ["--export=OUT.folded", "--thread=producer"],
        ["--print=tree", "--group=thread", "--min-percent=1"],
        ["--export=OUT.svg", "--view=flamechart", "--width=700", "--thread=producer"],
    ],
    "cpus-fp": [
        ["--export=OUT.folded", "--cpu=1"],
        ["--print=tree", "--group=cpu", "--min-percent=1"],
    ],
    "spawner-fp": [
        ["--print=tree", "--group=process", "--min-percent=1"],
        ["--export=OUT.svg", "--view=flamechart", "--width=900", "--time=0.05..0.2"],
        ["--export=OUT.svg", "--view=heatmap", "--width=700", "--time=0.2..0.27"],
    ],
    "events-fp": [["--print=top", "--measure=page-faults", "--format=tsv"], ["--print=notes"]],
    "heap-containers-raw": [
        ["--print=top", "--format=tsv", "--show-allocators"],
        ["--print=top", "--format=tsv", "--measure=lifetime"],
        ["--print=tree", "--measure=allocations", "--min-percent=2"],
        ["--print=callers", "--function=Batch", "--format=tsv"],
    ],
    "heap-leak-raw": [
        ["--print=top", "--measure=leaked", "--format=tsv"],
        ["--print=top", "--measure=leaked", "--no-suppressions", "--format=tsv"],
        ["--print=top", "--measure=growth", "--time=10ms..30ms", "--by=line", "--format=tsv"],
    ],
    "heap-cut-raw": [["--print=notes"], ["--print=findings"]],
    "pprof-go-cpu": [
        ["--print=top", "--measure=samples", "--format=tsv"],
        ["--print=findings", "--format=tsv"],
        ["--print=top", "--label=route=gifts", "--format=tsv"],
        ["--print=tree", "--group=label:route", "--min-percent=5"],
    ],
    "pprof-go-heap": [["--print=top", "--measure=alloc_space", "--format=tsv"]],
    "pprof-go-mutex": [["--print=tree", "--measure=contentions"]],
    "pprof-depot-cpu": [["--print=notes"]],
    "pprof-pantry-2": [["--print=top", "--show-allocators", "--format=tsv"]],
    "heap-attach-raw": [["--print=notes"], ["--print=findings", "--format=json"]],
}


def name_of(recording):
    name = os.path.basename(recording)
    for ending in (".zst", ".gz", ".data", ".pb", ".prof", ".heap"):
        name = name.removesuffix(ending)
    if recording.startswith("pprof/"):
        return "pprof-" + name
    return "heap-" + name.replace(".", "-") if recording.startswith("heaptrack/") else name


def boxes_of(svg):
    """The boxes of a picture, one line each: row, left edge, width and tool tip. Heights and glyphs are the font's."""
    found = re.findall(r'<rect x="(\d+)" y="(\d+)" width="(\d+)" height="\d+"><title>([^<]*)</title>', svg)
    rows = sorted({int(y) for _, y, _, _ in found})
    return "".join("%d %s %s %s\n" % (rows.index(int(y)), x, width, html.unescape(tip).replace("\n", " | "))
                   for x, y, width, tip in found)


def ask(profview, data, recording, options, scratch):
    """The answer to one question as text, with its exit status."""
    out = next((os.path.join(scratch, "out" + option[option.rindex("."):]) for option in options if "OUT." in option), scratch)
    arguments = ["--export=" + out if "OUT." in option else option for option in options]
    environment = dict(os.environ, LC_ALL="C.UTF-8", LANGUAGE="", HOME=scratch, TZ="UTC")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_CACHE_HOME", "DEBUGINFOD_URLS"):
        environment.pop(name, None)
    status, printed, errors = run_any(
        [profview, "--sysroot=" + os.path.join(data, "sysroot"),
         "--symbol-path=" + os.path.join(data, "buildid-cache"), *arguments,
         os.path.join(data, "" if "/" in recording else "recordings", recording)], environment)
    text = printed.decode("utf-8", "replace")
    if os.path.isfile(out):
        with open(out, encoding="utf-8", errors="replace") as file:
            text += boxes_of(file.read()) if out.endswith(".svg") else file.read()
        os.unlink(out)
    text += "".join("stderr: %s\n" % line for line in errors.decode("utf-8", "replace").splitlines())
    if status != 0:
        text += "exit status %d\n" % status
    return text.replace(data, "DATA").replace(scratch, "SCRATCH")


def make_old(sysroot):
    """A fresh checkout makes files that are newer than the recordings, which is worth a note where there is no build-id."""
    for folder, _, names in os.walk(sysroot):
        for name in names:
            path = os.path.join(folder, name)
            if os.stat(path).st_mtime != OLD:
                os.utime(path, (OLD, OLD))


def without_pictures(text):
    return "".join(part for part in re.split(r"(?m)^(?=## )", text) if not part.startswith("## --export=OUT.svg "))


def main():
    profview, data, recording, *flags = sys.argv[1:]
    data = os.path.abspath(data)
    name = name_of(recording)
    parts = []
    make_old(os.path.join(data, "sysroot"))
    with tempfile.TemporaryDirectory() as scratch:
        for options in ALWAYS + ALSO.get(name, []):
            # Pango starts threads behind GLib's locks, of which ThreadSanitizer knows nothing.
            if "--no-pictures" in flags and options[0] == "--export=OUT.svg":
                continue
            parts.append("## %s\n" % " ".join(options))
            parts.append(ask(profview, data, recording, options, scratch))
            parts.append("\n")
    text = "".join(parts)
    path = os.path.join(HERE, "expected", name + ".txt")
    if "--update" in flags:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    if not os.path.exists(path):
        print("%s does not exist; tests/golden/update.sh makes it" % path)
        return 1
    with open(path, encoding="utf-8") as file:
        expected = without_pictures(file.read()) if "--no-pictures" in flags else file.read()
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), text.splitlines(True), "expected", "got", n=2))
    return 0 if text == expected else 1


sys.exit(main())
