#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-includes.py SRC: the rules of the house, as src/README.md draws them.

Fails on an #include against the rooms, big and small (tables ROOMS and SUB_ROOMS), or of a library that is not for that
room (FOREIGN); on a circle of files; on files that call each other in a circle, but for CLASSES; and on a room of more
than MAX_LINES lines. --rooms SRC prints the rooms with their sizes, --self-test tries every rule."""
import os
import re
import sys
import tempfile

MAX_LINES = 7000  # all but one have about 6,000 at most, and so should core/read/perf

# A big room -> the big rooms that it may include.
CORE = {"core/base", "core/elf", "core/model", "core/read", "core/symbolize", "core/probe", "core/analyze", "core/write",
        "core/load"}
ROOMS = {
    "core/base": set(),
    "core/elf": {"core/base"},
    "core/model": {"core/base"},
    "core/read": {"core/base", "core/model", "core/elf"},
    "core/symbolize": {"core/base", "core/elf", "core/model"},
    "core/probe": {"core/base", "core/elf", "core/model", "core/symbolize"},
    "core/analyze": {"core/base", "core/model"},
    "core/write": {"core/base", "core/model"},
    "core/load": CORE,
    "render": {"core/base", "core/model", "core/analyze"},
    "record": {"core/base", "core/model"},
    "fetch": {"core/base"},
    "export": CORE | {"render"},
    "cli": CORE | {"render", "record", "fetch", "export"},
    "app": CORE | {"render", "record", "fetch", "export"},
    "": {"core/base", "cli", "app"},
}

# A big room -> its small ones, lowest first: each may include those before it. Files that lie in the big room itself
# come last.
SUB_ROOMS = {
    "core/model": ["heap", "fields", "distribution", "counters", "profile", "calls", "code", "build", "merge", "pack", "anonymous"],
    "core/read": ["unpack", "json", "text", "edges", "jit", "simpleperf", "events"],  # and a room for each format, see take_others ()
    "core/write": ["html", "pack"],
    "core/load": ["page", "code"],
    "core/symbolize": ["files", "cfi", "go", "dwarf", "names", "machine", "unwind"],
    "core/analyze": ["query", "tree", "tables", "series", "time", "join", "renames", "compare", "findings", "columns", "code", "graph"],
    "render": ["draw", "flame", "chart", "tracks", "treemap", "graph", "export"],
    "record": ["launcher", "process", "plan", "advice", "run"],  # and rooms of recorders
    "export": ["options", "report"],
    "cli": ["options", "loading", "bisect"],
    "app": ["work", "widgets", "source", "document", "view", "boxes", "pictures", "charts", "treemap", "tables", "tracks", "filters", "pages", "summary", "graph", "distribution", "machine", "code", "editor", "preferences", "recording", "comparing", "launch", "window", "desktop"],
}
# Files that call each other: each line is one class or one algorithm that is too long for a file.
CLASSES = [
    {"app/charts/chart-area", "app/charts/chart-input", "app/charts/chart-menu"},
    {"app/pictures/flame-area", "app/pictures/flame-half", "app/pictures/flame-input", "app/pictures/flame-time"},
    {"app/tables/row-table", "app/tables/row-table-columns"},
    {"app/tracks/tracks-area", "app/tracks/tracks-input", "app/tracks/tracks-ranges", "app/tracks/tracks-rows", "app/tracks/tracks-wakes"},
    {"app/window/window", "app/window/window-actions", "app/window/window-closing", "app/window/window-tabs"},
    {"core/elf/elf-image", "core/elf/elf-object", "core/elf/elf-sections"},
    {"core/model/build/builder", "core/model/build/builder-samples"},
    {"core/symbolize/go/go-pclntab", "core/symbolize/go/go-pclntab-find"},
    {"core/symbolize/names/elf-symbols", "core/symbolize/names/plt-symbols"},
    {"core/symbolize/unwind/unwind-rare", "core/symbolize/unwind/unwind-walk"},
    {"core/write/summary", "core/write/summary-json"},
    {"render/chart/chart", "render/chart/chart-arrange", "render/chart/chart-legend"},
    {"render/tracks/counter-rows", "render/tracks/tracks"},
]
# Big rooms -> how many of their small rooms are for all others, which are formats and recorders.
SHARED = {big: len(SUB_ROOMS[big]) for big in ("core/read", "record")}
# Small rooms side by side: they never include one another.
SIBLINGS = [{"app/widgets", "app/source"}, {"app/widgets", "app/document"}]

# Foreign headers: pattern -> rooms that may include them (a prefix names all rooms below it).
FOREIGN = [
    # Not for app/work, app/source and app/document, which are tested without a display.
    (r"(gtk/|gdk/|gsk/|adwaita|gtksourceview/|vte/)",
     ["app/" + room for room in SUB_ROOMS["app"] if room not in ("work", "source", "document")] + [""]),
    (r"(gio/|glib-object|gobject/)", ["app", "record", "fetch", "cli", ""]),
    (r"libsoup/", ["fetch"]),
    (r"(cairo|pango/)", ["app", "render", "export", "cli"]),
    (r"(dwarf\.h|gelf\.h|libelf\.h|elf\.h|elfutils/)",
     ["core/elf", "core/symbolize", "core/probe", "core/model", "core/read"]),
    (r"(elfutils/libdw|elfutils/libdwfl|dwarf\.h)", ["core/symbolize", "core/probe"]),
    (r"elfutils/debuginfod", ["core/symbolize/files"]),
    (r"(libiberty/|demangle\.h)", ["core/symbolize"]),
    (r"capstone/", ["core/symbolize/machine"]),
]

# Circles of files that stay: frozenset of units -> why.
CIRCLES = {}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
NO_CODE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\])*"', re.S)
DEFINITION = re.compile(r"^(.*)\n(pv_\w+) \(", re.M)
WORD = re.compile(r"\bpv_\w+\b")


def big_room_of(path):
    """The big room that holds a path relative to src/; None for a file of no room."""
    folder = os.path.dirname(path)
    if folder == "":
        return ""
    return next((room for room in sorted(ROOMS, key=len, reverse=True)
                 if room and (folder == room or folder.startswith(room + "/"))), None)


def room_of(path):
    """The room, big or small; None for a file of no room."""
    big, folder = big_room_of(path), os.path.dirname(path)
    if big is None or folder == big:
        return big
    return folder if folder[len(big) + 1:] in SUB_ROOMS.get(big, []) else None


def unit_of(path):
    """A .c and its own headers are one unit, a pair."""
    return re.sub(r"(-private|-internal)?\.[ch]$", "", path)


def take_others(src):
    """Every other folder of core/read is a format's, of record a recorder's: a room of its own, beside those of others."""
    for big, n_shared in SHARED.items():
        shared = SUB_ROOMS[big][:n_shared]
        folder = os.path.join(src, big)
        others = sorted(name for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name)) and name not in shared)
        SUB_ROOMS[big] = shared + others
        SIBLINGS.append({big + "/" + name for name in others})


def rank(room, big):
    names = SUB_ROOMS.get(big, [])
    return len(names) if room == big else names.index(room[len(big) + 1:])


def may_include(room, other):
    if room == other:
        return True
    big, other_big = big_room_of(room + "/x"), big_room_of(other + "/x")
    if room == "" or big != other_big:
        return other_big in ROOMS[big if room else ""]
    return rank(other, big) < rank(room, big) and not any({room, other} <= rooms for rooms in SIBLINGS)


def may_see(room, foreign_rooms):
    return any(room == allowed or (allowed and room.startswith(allowed + "/")) for allowed in foreign_rooms)


def judge(src, file, quote, target):
    """None, or what is wrong with this include."""
    room = room_of(file)
    if room is None:
        return "is in no room of the design"
    if quote == "<":
        for pattern, rooms in FOREIGN:
            if re.match(pattern, target) and not may_see(room, rooms):
                return "<%s> is not for %s" % (target, room or "main")
        return None
    if not os.path.exists(os.path.join(src, target)):
        if os.path.exists(os.path.join(src, os.path.dirname(file), target)):
            return '"%s" must be written from src/' % target
        # Generated headers and libraries' headers written with quotes.
        return None if "/" not in target else '"%s" does not exist below src/' % target
    other = room_of(target)
    if other is None:
        return "%s is in no room of the design" % target
    return None if may_include(room, other) else "%s must not include %s (%s)" % (room or "main", other, target)


def find_circles(arrows):
    """Strongly connected components of more than one unit (Tarjan's algorithm, without recursion)."""
    index, low, on_stack, stack, circles = {}, {}, set(), [], []
    for start in sorted(arrows):
        if start in index:
            continue
        work = [(start, iter(sorted(arrows[start])))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(arrows.get(other, ())))))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    circle = set()
                    while node not in circle:
                        other = stack.pop()
                        on_stack.discard(other)
                        circle.add(other)
                    if len(circle) > 1:
                        circles.append(frozenset(circle))
    return circles


def read_house(src):
    """Of all sources below src: file -> list of (line number, quote, target), and file -> number of lines."""
    includes, lengths = {}, {}
    for folder, folders, names in os.walk(src):
        folders.sort()
        for name in sorted(names):
            if not name.endswith((".c", ".h")):
                continue
            file = os.path.relpath(os.path.join(folder, name), src)
            with open(os.path.join(folder, name), encoding="utf-8") as text:
                lines = text.readlines()
            matches = [(number, INCLUDE.match(line)) for number, line in enumerate(lines, 1)]
            includes[file] = [(number, *match.groups()) for number, match in matches if match]
            lengths[file] = len(lines)
    return includes, lengths


def read_calls(src, files):
    """Of the .c files: unit -> the units whose public functions it names."""
    texts, home = {}, {}
    for file in files:
        if not file.endswith(".c"):
            continue
        with open(os.path.join(src, file), encoding="utf-8") as text:
            code = NO_CODE.sub("", text.read())
        texts[unit_of(file)] = code
        for match in DEFINITION.finditer(code):
            if not match[1].startswith("static"):
                home[match[2]] = unit_of(file)
    return {unit: {home[name] for name in set(WORD.findall(code)) if home.get(name, unit) != unit}
            for unit, code in texts.items()}


def judge_calls(src, files):
    calls = read_calls(src, files)
    circles = find_circles(calls)
    classes = [frozenset(units) for units in CLASSES if all(unit in calls for unit in units)]
    return (["%s: calls in a circle: %s" % (min(circle), ", ".join(sorted(circle))) for circle in circles if circle not in classes] +
            ["%s: listed as a class over several files, but these call one another no more" % min(units)
             for units in classes if units not in circles])


def check(src):
    take_others(src)
    includes, lengths = read_house(src)
    problems, arrows, n_lines = [], {}, {}
    for file, lines in includes.items():
        unit = unit_of(file)
        room = os.path.dirname(file)
        n_lines[room] = n_lines.get(room, 0) + lengths[file]
        others = arrows.setdefault(unit, set())
        if not lines and room_of(file) is None:
            problems.append("%s:1: is in no room of the design" % file)
        for number, quote, target in lines:
            problem = judge(src, file, quote, target)
            if problem:
                problems.append("%s:%d: %s" % (file, number, problem))
            if quote == '"' and target in includes and unit_of(target) != unit:
                others.add(unit_of(target))
    circles = find_circles(arrows)
    problems += ["%s: a circle of files: %s" % (min(circle), ", ".join(sorted(circle)))
                 for circle in circles if circle not in CIRCLES]
    problems += ["%s: listed as a circle that stays, but is none" % min(circle)
                 for circle in CIRCLES if circle not in circles and all(unit in arrows for unit in circle)]
    problems += judge_calls(src, includes)
    problems += ["%s: %d lines, at most %d make a room" % (room or "src", n, MAX_LINES)
                 for room, n in sorted(n_lines.items()) if n > MAX_LINES]
    return problems, len(includes)


def print_rooms(src):
    includes, lengths = read_house(src)
    rooms = {}
    for file in includes:
        units, n_lines = rooms.setdefault(os.path.dirname(file), (set(), [0]))
        units.add(unit_of(file))
        n_lines[0] += lengths[file]
    for room, (units, n_lines) in sorted(rooms.items()):
        print("%3d pairs %6d lines  %s" % (len(units), n_lines[0], room or "."))
    print("%3d pairs %6d lines" % (sum(len(units) for units, _ in rooms.values()), sum(lengths.values())))


def self_test():
    """Every kind of wrong arrow is found, and right ones are not."""
    files = {
        "core/base/a.h": "",
        "core/elf/e.h": '#include "core/base/a.h"\n',
        "core/model/heap/h.h": '#include "core/base/a.h"\n',
        "core/model/profile/m.h": '#include "core/model/heap/h.h"\n',
        "core/read/unpack/u.h": "",
        "core/read/perf/r.h": '#include "core/model/profile/m.h"\n#include "core/read/unpack/u.h"\n#include <glib.h>\n',
        "core/read/perf/r.c": '#include "core/read/perf/r.h"\n',
        "core/read/perf/r-private.h": '#include "core/read/perf/r.h"\n',
        "core/read/all.c": '#include "core/read/perf/r.h"\n',
        "core/analyze/tree/n.h": "",
        "core/load/l.h": '#include "core/read/perf/r.h"\n#include "core/analyze/tree/n.h"\n',
        "app/pages/p.c": '#include <gtk/gtk.h>\n#include "core/load/l.h"\n#include "app/pages/p.h"\n',
        "app/pages/p.h": '#include "app/work/w.h"\n',
        "app/work/w.h": "",
        "app/widgets/w.h": "",
        "fetch/f.c": '#include <libsoup/soup.h>\n#include <gio/gio.h>\n#include "core/base/a.h"\n',
        "record/run/r.c": '#include <gio/gio.h>\n#include "core/model/profile/m.h"\n',
        "render/flame/g.c": '#include <cairo.h>\n#include "core/analyze/tree/n.h"\n',
        "main.c": '#include "app/pages/p.h"\n',
    }
    wrong = {
        "core/base/up.c": '#include "core/model/profile/m.h"\n',
        "core/elf/up.c": '#include "core/model/profile/m.h"\n',
        "core/model/heap/up.c": '#include "core/model/profile/m.h"\n',
        "core/model/profile/up.c": '#include "core/read/perf/r.h"\n',
        "core/read/perf/aside.c": '  #  include "core/analyze/tree/n.h"\n',
        "core/read/heaptrack/sibling.c": '#include "core/read/perf/r.h"\n',
        "core/read/unpack/up.c": '#include "core/read/perf/r.h"\n',
        "core/analyze/tree/aside.c": '#include "core/read/perf/r.h"\n',
        "core/write/above.c": '#include "core/load/l.h"\n',
        "core/read/perf/libdw.c": "#include <elfutils/libdw.h>\n",
        "core/model/profile/gtk.c": "#include <gtk/gtk.h>\n",
        "core/base/gio.c": "#include <gio/gio.h>\n",
        "core/symbolize/names/cairo.c": "#include <cairo.h>\n",
        "render/draw/gtk.c": "#include <gtk/gtk.h>\n",
        "app/document/gtk.c": "#include <gtk/gtk.h>\n",
        "app/document/widget.c": '#include "app/widgets/w.h"\n',
        "render/draw/app.c": '#include "app/pages/p.h"\n',
        "render/draw/read.c": '#include "core/read/perf/r.h"\n',
        "record/run/load.c": '#include "core/load/l.h"\n',
        "record/run/soup.c": "#include <libsoup/soup.h>\n",
        "fetch/model.c": '#include "core/model/profile/m.h"\n',
        "cli/soup.c": "#include <libsoup/soup.h>\n",
        "cli/app.c": '#include "app/pages/p.h"\n',
        "app/work/up.c": '#include "app/pages/p.h"\n',
        "app/pages/short.c": '#include "p.h"\n',
        "app/elsewhere/x.c": '#include <stdio.h>\n',
        "core/read/perf/gone.c": '#include "core/read/perf/gone.h"\n',
        "elsewhere/x.c": '#include <stdio.h>\n',
    }
    circle = {
        "core/base/ring-a.h": '#include "core/base/ring-b.h"\n',
        "core/base/ring-b.h": "",
        "core/base/ring-b.c": '#include "core/base/ring-c.h"\n',
        "core/base/ring-c.h": '#include "core/base/ring-a.h"\n',
    }
    crowd = {"fetch/crowd.c": "\n" * MAX_LINES}
    calls = {
        "core/base/call-a.c": "static void\npv_own (void)\n{\n}\n\nvoid\npv_a (void)\n{\n    pv_b ();\n}\n",
        "core/base/call-b.c": "void\npv_b (void)\n{\n    pv_c ();\n}\n",
        "core/base/call-c.c": "void\npv_c (void)\n{\n    pv_a ();\n}\n",
        "core/base/down-a.c": "void\npv_d (void)\n{\n    pv_e (); /* pv_f () */\n}\n",
        "core/base/down-b.c": "int\npv_e (void)\n{\n    return pv_own ();\n}\n\nstatic int\npv_own (void)\n{\n    return 1;\n}\n",
        "core/base/down-c.c": "void\npv_f (void)\n{\n    pv_d ();\n}\n",
    }
    with tempfile.TemporaryDirectory() as src:
        for name, text in {**files, **wrong, **circle, **crowd, **calls}.items():
            os.makedirs(os.path.dirname(os.path.join(src, name)), exist_ok=True)
            with open(os.path.join(src, name), "w", encoding="utf-8") as file:
                file.write(text)
        found = {problem.split(":")[0] for problem in check(src)[0]}
    # A circle is reported at its first unit, a crowd at its folder.
    expected = {*wrong, "core/base/ring-a", "core/base/call-a", "fetch"}
    for name in sorted(expected - found):
        print("self-test: what is wrong in %s was not found" % name)
    for name in sorted(found - expected):
        print("self-test: what is right in %s was refused" % name)
    return found == expected


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 0 if self_test() else 1
    if sys.argv[1] == "--rooms":
        print_rooms(sys.argv[2])
        return 0
    problems, n_files = check(sys.argv[1])
    for problem in problems:
        print("src/" + problem)
    print("%d files, %d problems" % (n_files, len(problems)))
    return 1 if problems or n_files == 0 else 0


sys.exit(main())
