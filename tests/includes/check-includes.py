#!/usr/bin/env python3
"""check-includes.py SRC: fails on an #include that goes against the rooms of the design.

    base <- model <- {read, symbolize, analyze, write} <- load <- {cli, app}
    render sees base, model and analyze; record sees base; nothing includes cli or app
    core knows no GObject, GIO, GTK or cairo; render knows no GTK; libdw is known to symbolize alone

The rules are the two tables below."""
import os
import re
import sys
import tempfile

ROOMS = {
    "core/base": set(),
    "core/model": {"core/base"},
    "core/read": {"core/base", "core/model"},
    "core/symbolize": {"core/base", "core/model"},
    "core/analyze": {"core/base", "core/model"},
    "core/write": {"core/base", "core/model"},
    # load.c, the one core file that knows every stage
    "core": {"core/base", "core/model", "core/read", "core/symbolize", "core/analyze", "core/write"},
    "render": {"core/base", "core/model", "core/analyze"},
    "record": {"core/base"},
    "cli": {"core", "core/base", "core/model", "core/read", "core/symbolize", "core/analyze", "core/write", "render",
            "record"},
    "app": {"core", "core/base", "core/model", "core/read", "core/symbolize", "core/analyze", "core/write", "render",
            "record"},
    "": {"cli", "app"},
}

# Foreign headers: pattern -> rooms that may include them (a prefix names all rooms below it).
FOREIGN = [
    (r"(gtk/|gdk/|gsk/|adwaita|gtksourceview/|vte/)", ["app", ""]),
    (r"(gio/|glib-object|gobject/)", ["app", "record", "cli", ""]),
    (r"libsoup/", ["record"]),
    (r"(cairo|pango/)", ["app", "render", "cli"]),
    (r"(dwarf\.h|gelf\.h|libelf\.h|elf\.h|elfutils/)", ["core/symbolize", "core/model", "core/read"]),
    (r"(elfutils/libdw|elfutils/libdwfl|dwarf\.h)", ["core/symbolize"]),
    (r"libiberty/", ["core/symbolize"]),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    """The longest room that holds a path relative to src/; None for a file of no room."""
    folder = os.path.dirname(path)
    if folder in ROOMS:
        return folder
    while folder:
        folder = os.path.dirname(folder)
        if folder in ROOMS and folder not in ("", "core"):
            return folder
    return None


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
    if other != room and other not in ROOMS[room]:
        return "%s must not include %s (%s)" % (room or "main", other, target)
    return None


def check(src):
    problems, n_files = [], 0
    for folder, folders, names in os.walk(src):
        folders.sort()
        for name in sorted(names):
            if not name.endswith((".c", ".h")):
                continue
            n_files += 1
            file = os.path.relpath(os.path.join(folder, name), src)
            with open(os.path.join(folder, name), encoding="utf-8") as text:
                for number, line in enumerate(text, 1):
                    match = INCLUDE.match(line)
                    problem = match and judge(src, file, *match.groups())
                    if problem:
                        problems.append("%s:%d: %s" % (file, number, problem))
    return problems, n_files


def self_test():
    """Every kind of wrong arrow is found, and right ones are not."""
    files = {
        "core/base/a.h": "",
        "core/model/m.h": '#include "core/base/a.h"\n',
        "core/read/r.h": '#include "core/model/m.h"\n#include <glib.h>\n',
        "core/analyze/n.h": "",
        "core/load.h": '#include "core/read/r.h"\n#include "core/analyze/n.h"\n',
        "app/w.c": '#include <gtk/gtk.h>\n#include "core/load.h"\n#include "app/w.h"\n',
        "app/w.h": "",
        "record/f.c": '#include <libsoup/soup.h>\n#include <gio/gio.h>\n#include "core/base/a.h"\n',
        "render/g.c": '#include <cairo.h>\n#include "core/analyze/n.h"\n',
        "main.c": '#include "app/w.h"\n',
    }
    wrong = {
        "core/base/up.c": '#include "core/model/m.h"\n',
        "core/model/up.c": '#include "core/read/r.h"\n',
        "core/read/aside.c": '  #  include "core/analyze/n.h"\n',
        "core/analyze/aside.c": '#include "core/read/r.h"\n',
        "core/write/above.c": '#include "core/load.h"\n',
        "core/read/libdw.c": "#include <elfutils/libdw.h>\n",
        "core/model/gtk.c": "#include <gtk/gtk.h>\n",
        "core/base/gio.c": "#include <gio/gio.h>\n",
        "core/symbolize/cairo.c": "#include <cairo.h>\n",
        "render/gtk.c": "#include <gtk/gtk.h>\n",
        "render/app.c": '#include "app/w.h"\n',
        "render/read.c": '#include "core/read/r.h"\n',
        "record/model.c": '#include "core/model/m.h"\n',
        "record/load.c": '#include "core/load.h"\n',
        "cli/soup.c": "#include <libsoup/soup.h>\n",
        "cli/app.c": '#include "app/w.h"\n',
        "app/short.c": '#include "w.h"\n',
        "core/read/gone.c": '#include "core/read/gone.h"\n',
        "elsewhere/x.c": '#include <stdio.h>\n',
    }
    with tempfile.TemporaryDirectory() as src:
        for name, text in {**files, **wrong}.items():
            os.makedirs(os.path.dirname(os.path.join(src, name)), exist_ok=True)
            with open(os.path.join(src, name), "w", encoding="utf-8") as file:
                file.write(text)
        found = {problem.split(":")[0] for problem in check(src)[0]}
    for name in sorted(set(wrong) - found):
        print("self-test: the wrong include in %s was not found" % name)
    for name in sorted(found - set(wrong)):
        print("self-test: a right include in %s was refused" % name)
    return found == set(wrong)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 0 if self_test() else 1
    problems, n_files = check(sys.argv[1])
    for problem in problems:
        print("src/" + problem)
    print("%d files, %d wrong includes" % (n_files, len(problems)))
    return 1 if problems or n_files == 0 else 0


sys.exit(main())
