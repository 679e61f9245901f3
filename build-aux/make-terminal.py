#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-terminal.py man|bash|zsh|fish TEMPLATE TABLE METAINFO: the manual page, or the completion of a shell, from its template and
the table of command-line options that src/cli/options/list-options.c prints."""
import csv
import re
import sys

# Values that are files, by the name that --help has for them.
FILES = {"FILE": "files", "PATH": "files", "OUT": "files", "DIR": "folders"}
ROFF = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti", "“": r"\(lq", "”": r"\(rq",
        "’": r"\(cq", "…": "...", "±": r"\(+-", "×": r"\(mu"}


def roff(text):
    escaped = "".join(ROFF.get(char, char if ord(char) < 128 else r"\[u%04X]" % ord(char)) for char in text)
    return r"\&" + escaped if escaped.startswith(".") else escaped


def roff_lines(text):
    """Text in lines of 80 bytes, with the options that it names in bold."""
    lines = [""]
    for word in text.split():
        parts = re.split(r"(?<![\w-])(--[a-z][\w-]*(?:=[\w:-]+)?)", word)
        shown = "".join(r"\fB%s\fR" % roff(part) if i % 2 else roff(part) if i == 0 else roff(part).replace(r"\&.", ".")
                        for i, part in enumerate(parts))
        if lines[-1] and len(lines[-1]) + 1 + len(shown) > 78:
            lines.append("")
        lines[-1] += " " + shown if lines[-1] else shown
    return "\n".join(lines)


def make_man(table):
    lines, heading = [], None
    for row in table:
        if row["heading"] != heading:
            heading = row["heading"]
            lines.append(".SS %s" % roff(heading.rstrip(":") or "General"))
        names = ", ".join(r"\fB%s\fR" % roff(name) for name in (row["short"], row["option"]) if name)
        value = r"=\fI%s\fR" % roff(row["value"]) if row["value"] else ""
        lines += [".TP", names + value, roff_lines(row["description"])]
    return {"OPTIONS": "\n".join(lines)}


def quoted(text):
    return "'%s'" % text.replace("'", r"'\''")


def make_bash(table):
    values = []
    for row in table:
        kind = FILES.get(row["value"])
        settings = (["files=" + kind] if kind else []) + \
            (["%s=%s" % ("endings" if kind else "words", quoted(row["words"]))] if row["words"] else [])
        if settings:
            values.append("    %s) %s ;;" % (row["option"], " ".join(settings)))
    names = [name for row in table for name in (row["short"], row["option"] + ("=" if row["value"] else "")) if name]
    return {"VALUES": "\n".join(values), "OPTIONS": "\n".join("        " + name for name in names)}


def make_zsh(table):
    lines = []
    for row in table:
        names = [name for name in (row["short"], row["option"]) if name]
        begin = "*" if row["repeatable"] else "(%s)" % " ".join(names)
        about = "[%s]" % re.sub(r"([\\\[\]])", r"\\\1", row["description"])
        value, kind = row["value"], FILES.get(row["value"])
        if kind and row["words"]:
            action = "_profview_out " + row["words"]
        elif kind:
            action = "_path_files -/" if kind == "folders" else "_files"
        elif ":" in row["words"]:
            action = "_profview_words " + row["words"].replace(":", r"\:")
        else:
            action = "(%s)" % row["words"] if row["words"] else " "
        after = ":%s:%s" % (value.replace(":", r"\:"), action) if value else ""
        for name in names:
            lines.append("        %s \\" % quoted(begin + name + ("=" if value else "") + about + after))
    return {"OPTIONS": "\n".join(lines)}


def fish_quoted(text):
    return "'%s'" % text.replace("\\", "\\\\").replace("'", "\\'")


def make_fish(table):
    lines = []
    for row in table:
        kind = FILES.get(row["value"])
        if kind and row["words"]:
            value = " -x -k -a " + fish_quoted("(__profview_out %s)" % row["words"])
        elif kind:
            value = " -x -a '(__fish_complete_directories)'" if kind == "folders" else " -r -F"
        elif row["value"]:
            value = " -x" + (" -a " + fish_quoted(row["words"]) if row["words"] else "")
        else:
            value = ""
        short = " -s " + row["short"].lstrip("-") if row["short"] else ""
        lines.append("complete -c profview%s -l %s%s -d %s" %
                     (short, row["option"].lstrip("-"), value, fish_quoted(row["description"])))
    return {"OPTIONS": "\n".join(lines)}


def main():
    kind, template, table, metainfo = sys.argv[1:]
    with open(table, encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    made = {"man": make_man, "bash": make_bash, "zsh": make_zsh, "fish": make_fish}[kind](rows)
    with open(metainfo, encoding="utf-8") as file:
        made["VERSION"], made["DATE"] = re.search(r'<release version="([^"]+)" date="([^"]+)"', file.read()).groups()
    with open(template, encoding="utf-8") as file:
        text = re.sub(r"@([A-Z]+)@", lambda match: made[match.group(1)], file.read())
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(text)


main()
