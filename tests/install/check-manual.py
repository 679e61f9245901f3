#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-manual.py PROFVIEW SOURCE PAGE TABLE: the manual page lists the options of --help and no others, has all sections, the exit
statuses of --help and the environment variables that the source reads, and mandoc has nothing to complain about."""
import csv
import glob
import os
import re
import subprocess
import sys

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"]
# Variables that every program has, those of our own tests and sandboxes, and those for the recorded program.
COMMON = {"HOME", "PATH", "PWD", "SNAP", "PROFVIEW_LAUNCHER", "PROFVIEW_MACHINE", "LD_PRELOAD"}
VARIABLE = re.compile(r'(?:getenv|get_home) \((?:[\w>-]+, )?"?([A-Z_]+?)(?:_ENV_VAR)?"?[,)]')
# Values that are defaults, which nobody has to ask for.
UNNAMED = {("--group", "none")}
problems = []


def expect(is_good, text):
    if not is_good:
        problems.append(text)


def said(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout


def options_of(text, indent):
    """Option with its value -> what is said of it, of a text in which the options are indented so."""
    begin = re.compile(r" {%d}((?:-\w, )?--[a-z][\w-]*(?:=\S+)?)(?: +(\S.*))?$" % indent)
    options, name = {}, None
    for line in text.splitlines():
        match = begin.match(line)
        if match:
            name = match.group(1)
            expect(name not in options, name + " is listed twice")
            options[name] = match.group(2) or ""
        elif name and line.startswith(" " * (indent + 1)):
            options[name] = (options[name] + " " + line.strip()).strip()
        else:
            name = None
    return options


def check_options(told, listed):
    for name in told.keys() | listed.keys():
        expect(name in listed, name + " is not in the manual page")
        expect(name in told, name + " is in the manual page, but not in --help")
        if name in told and name in listed:
            expect(told[name] == listed[name],
                   "%s: the manual page says\n  %s\nand --help\n  %s" % (name, listed[name], told[name]))
    expect(list(told) == list(listed), "the options are in another order than those of --help")


def check_table(path, told, description):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    expect(len(rows) == len(told), "the table has %d options and --help %d" % (len(rows), len(told)))
    for row in rows:
        for word in row["words"].split():
            expect((row["option"], word) in UNNAMED or re.search(r"(?<!\w)" + re.escape(word), row["description"]),
                   "%s does not say that it takes “%s”" % (row["option"], word))
            expect(not word.startswith(".") or re.search(r"[ (]%s[ ,);]" % re.escape(word), description),
                   "DESCRIPTION does not say what %s is" % word)
        expect((row["repeatable"] != "") == ("(repeatable" in row["description"]),
               row["option"] + " may be repeated, and does not say so")


def main():
    profview, source, page, table = sys.argv[1:]
    lint = subprocess.run(["mandoc", "-T", "lint", page], stdout=subprocess.PIPE, check=False, encoding="utf-8").stdout
    expect(lint == "", "mandoc complains:\n" + lint)
    text = re.sub(".\b", "", said("mandoc", "-T", "utf8", "-O", "width=900", page))
    parts = re.split(r"^(\S.*)$", text, flags=re.M)[1:]
    sections = dict(zip(parts[::2], parts[1::2]))
    expect([name for name in sections if "(1)" not in name and name.isupper()] == SECTIONS, "the sections are %s" % list(sections))
    for name in SECTIONS:
        expect(sections.get(name, "").strip(), "the section %s is empty" % name)

    told_text = said(profview, "--help")
    told = options_of(told_text, 2)
    check_options(told, options_of(sections["OPTIONS"], 7))
    check_table(table, told, " ".join(sections["DESCRIPTION"].split()))

    statuses = re.findall(r"(?:^|,)\s*(\d) ", re.search(r"^Exit status:(.*)\Z", told_text, re.M | re.S).group(1))
    listed = re.findall(r"^ {7}(\d) ", sections["EXIT STATUS"], re.M)
    expect(statuses == listed and len(listed) > 3, "the exit statuses are %s, and %s in --help" % (listed, statuses))

    known = {re.search(r"--[\w-]+", name).group(0) for name in told}
    for line in text.splitlines():
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", line.split(" -- ")[0]):
            # Those of one side of a comparison are named once for all.
            expect(option in known or re.sub("^--(base|new)-", "--", option) in known, "there is no option %s: %s" % (option, line.strip()))

    wanted = set()
    for path in glob.glob(os.path.join(source, "src", "**", "*.c"), recursive=True):
        with open(path, encoding="utf-8") as file:
            wanted.update(VARIABLE.findall(file.read()))
    tags = re.findall(r"^ {7}(\S.*?)(?: {2}.*)?$", sections["ENVIRONMENT"], re.M)
    named = set(re.findall(r"\b[A-Z_]+\b", " ".join(tags)))
    expect(len(wanted) > 10, "the environment variables of the source were not found")
    for name in wanted - COMMON - named:
        problems.append("%s is read, and not in ENVIRONMENT" % name)
    print("\n".join(problems))
    return 1 if problems else 0


sys.exit(main())
