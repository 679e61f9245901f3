#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-potfiles.py SOURCE [--update]: po/POTFILES lists exactly the files with words to translate, .ui files first. --update
writes it."""
import os
import re
import sys

MARKED = {
    ".c": re.compile(r'\b(?:N?C?_|ngettext|g_dngettext|g_dpgettext2) \('),
    ".h": re.compile(r'\b(?:N?C?_|ngettext) \('),
    ".ui": re.compile(r'translatable="(?:yes|true)"'),
}


def main():
    source = sys.argv[1]
    wanted = ["data/org.profview.Profview.desktop.in.in", "data/org.profview.Profview.metainfo.xml.in"]
    for folder, _, names in os.walk(os.path.join(source, "src")):
        for name in names:
            pattern = MARKED.get(os.path.splitext(name)[1])
            path = os.path.join(folder, name)
            if pattern:
                with open(path, encoding="utf-8") as file:
                    if pattern.search(file.read()):
                        wanted.append(os.path.relpath(path, source))
    # Behind a file of C, xgettext takes “1 % of” in an .ui file for a placeholder of printf.
    wanted.sort(key=lambda path: (not path.endswith(".ui"), path))
    list_path = os.path.join(source, "po", "POTFILES")
    if "--update" in sys.argv:
        with open(list_path, "w", encoding="utf-8") as file:
            file.writelines(path + "\n" for path in wanted)
        return 0
    with open(list_path, encoding="utf-8") as file:
        listed = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    for path in sorted(set(wanted) - set(listed)):
        print("not in po/POTFILES: " + path)
    for path in sorted(set(listed) - set(wanted)):
        print("in po/POTFILES, but gone or without words: " + path)
    if set(listed) == set(wanted) and listed != wanted:
        print("po/POTFILES is not in order: check-potfiles.py SOURCE --update")
    return 0 if listed == wanted else 1


sys.exit(main())
