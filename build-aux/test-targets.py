#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-targets.py BUILD [--default] SUITE...: prints what the tests of these suites need, by the names that ninja has for it, and with
--default what is built by default. ninja's "all" is the latter with every test's program."""
import json
import os
import subprocess
import sys


def introspect(build, what):
    return json.loads(subprocess.run(["meson", "introspect", what, build], stdout=subprocess.PIPE, check=True).stdout)


def main():
    build, suites = sys.argv[1], set(sys.argv[2:])
    ids = {name for test in introspect(build, "--tests") if suites & {suite.split(":")[-1] for suite in test["suite"]}
           for name in test["depends"]}
    for target in introspect(build, "--targets"):
        if target["id"] in ids or (target["build_by_default"] and "--default" in suites):
            for name in target["filename"]:
                print(os.path.relpath(name, os.path.abspath(build)))


main()
