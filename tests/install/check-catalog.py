#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-catalog.py SOURCE XGETTEXT-ARGUMENT…: all texts can be translated, and all languages of po/LINGUAS have them all, as those
of data/help/LINGUAS have the help.

- a text of one word has a context: "Open" is a button, or a state
- no text begins or ends with white space, which translators lose
- no text is cut off by a macro that xgettext does not know, such as G_GUINT64_FORMAT
- xgettext has no complaint, such as of a text with and without plural
- each translation is complete, without fuzzy entries, and its placeholders fit
"""
import ast
import glob
import os
import re
import subprocess
import sys
import tempfile

# Their formats have no contexts.
WITHOUT_CONTEXT = ("data/",)
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
CUT = re.compile(r"\b(?:_|N_|C_|NC_|ngettext|g_dngettext|g_dpgettext2) \([^()\"]*"
                 r"(?:" + LITERAL + r"[\s,]*(?:PRI[diouxX]\d+\s*)?)*" + LITERAL + r"\s*(?!PRI[diouxX]\d+)([A-Za-z_]\w*)")


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8"}, **options)


def read_catalog(path):
    """Yields (context or None, text, places) of each message but the header."""
    with open(path, encoding="utf-8") as file:
        blocks = file.read().split("\n\n")
    for block in blocks[1:]:
        places, words, field = [], {}, None
        for line in block.splitlines():
            entry = re.match(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) )?(".*")$', line)
            if line.startswith("#: "):
                places += line[3:].split()
            elif entry:
                field = entry[1] or field
                words[field] = words.get(field, "") + ast.literal_eval(entry[2])
        if "msgid" in words:
            yield words.get("msgctxt"), words["msgid"], places
            if "msgid_plural" in words:
                yield words.get("msgctxt"), words["msgid_plural"], places


def find_faults(catalog):
    for context, text, places in catalog:
        place = places[0] if places else "?"
        if context is None and len(text.split()) < 2 and not all(p.startswith(WITHOUT_CONTEXT) for p in places):
            yield '%s: “%s” is one word and needs a context: C_ ("button", "Open"), context="button"' % (place, text)
        if text != text.strip() and context != "separator":
            yield "%s: white space at an end of “%s”" % (place, text)


def find_cut_texts(source, paths):
    for path in paths:
        if not path.endswith((".c", ".h")):
            continue
        with open(os.path.join(source, path), encoding="utf-8") as file:
            text = file.read()
        for match in CUT.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield "%s:%d: xgettext ends this text before %s" % (path, line, match[1])


def read_list(source, path):
    with open(os.path.join(source, path), encoding="utf-8") as file:
        return [line.strip() for line in file if line.strip() and not line.startswith("#")]


def read_languages(source, path):
    return " ".join(read_list(source, path)).split()


def check_language(source, path, catalog_path):
    if not os.path.exists(os.path.join(source, path)):
        yield path + " is missing"
        return
    for command in (["msgfmt", "--check", "-o", os.devnull, path], ["msgcmp", path, catalog_path]):
        done = run(*command, cwd=source)
        if done.returncode != 0 or "warning" in done.stderr:
            yield "%s: %s" % (" ".join(command[:2]), done.stderr.strip())


def main():
    source, arguments = sys.argv[1], sys.argv[2:]
    paths = read_list(source, "po/POTFILES")
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        catalog_path = os.path.join(folder, "catalog.pot")
        done = run("xgettext", *arguments, "-f", "po/POTFILES", "-o", catalog_path, cwd=source)
        if done.returncode != 0 or done.stderr:
            faults.append(done.stderr.strip())
        if os.path.exists(catalog_path):
            catalog = list(read_catalog(catalog_path))
            if len(catalog) < 1000:
                faults.append("the catalog has %d texts only" % len(catalog))
            faults += find_faults(catalog)
            faults += find_cut_texts(source, paths)
            for language in read_languages(source, "po/LINGUAS"):
                faults += check_language(source, "po/%s.po" % language, catalog_path)
        pages = sorted(glob.glob("data/help/C/*.page", root_dir=source))
        done = run("itstool", "-o", catalog_path, *pages, cwd=source)
        if done.returncode != 0:
            faults.append(done.stderr.strip())
        for language in read_languages(source, "data/help/LINGUAS"):
            faults += check_language(source, "data/help/%s/%s.po" % (language, language), catalog_path)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


sys.exit(main())
