#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""count-tests.py LOGS STATUS TIMES UNSTABLE: prints "PASSED FAILED" of a `meson test` run. A TAP program counts each of its
tests; one that dies on the way is a failure besides, and so is one that leaves itself out: what a machine lacks is not built, or
installed. Only tests named "live", of real recorders or other users, may find that the machine forbids what they do: they
are listed and count as nothing. A run that failed otherwise (STATUS, or no results) counts as one failure more.

Appends to TIMES the seconds and name of each test, of each scenario for tests of the window; and to UNSTABLE the scenarios
that passed when tried again, each with the file that has what the first try said, see tests/README.md."""
import glob
import json
import os
import re
import sys
import xml.etree.ElementTree as tree

GOOD = ("OK", "EXPECTEDFAIL")


def is_live(name):
    return re.search(r"\blive\b", name) is not None


def times_of(result):
    """Seconds and name of the test, or of its parts where it says how long they took."""
    name = result["name"]
    parts = re.findall(r"^# (\S+): ([\d.]+) s$", result.get("stdout") or "", re.M)
    if not parts:
        return [(result["duration"], name)]
    return [(float(seconds), "%s / %s" % (name, part)) for part, seconds in parts]


def main():
    logs, status = sys.argv[1], int(sys.argv[2])
    passed = failed = failed_programs = 0
    try:
        for case in tree.parse(os.path.join(logs, "testlog.junit.xml")).iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
            elif case.find("skipped") is not None and is_live(case.get("name")):
                sys.stderr.write("NOT RUN: %s\n" % case.get("name"))
            elif case.find("skipped") is not None:
                failed += 1
                sys.stderr.write("LEFT OUT: %s\n" % case.get("name"))
            else:
                passed += 1
        folder = os.path.basename(os.path.dirname(os.path.abspath(logs)))
        with open(os.path.join(logs, "testlog.json"), encoding="utf-8") as file, open(sys.argv[3], "a") as times:
            for result in map(json.loads, file):
                is_left_out = result["result"] == "SKIP" and is_live(result["name"])
                failed_programs += result["result"] not in GOOD and not is_left_out
                for seconds, name in times_of(result):
                    times.write("%.1f\t%s: %s\n" % (seconds, folder, name))
        with open(sys.argv[4], "a") as unstable:
            for path in sorted(glob.glob(os.path.join(logs, "unstable", "*.log"))):
                unstable.write("%s\t%s\n" % (os.path.splitext(os.path.basename(path))[0], path))
    except (OSError, tree.ParseError, ValueError) as error:
        sys.stderr.write("The results cannot be read: %s\n" % error)
        status = status or 1
    print(passed, max(failed, failed_programs, 1 if status else 0))


main()
