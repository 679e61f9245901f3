# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the profview that the first argument names, without a display; for the tests beside it."""

import os
import subprocess
import sys

PROFVIEW = sys.argv[1]
ENVIRONMENT = {key: value for key, value in os.environ.items()
               if key not in ("DISPLAY", "WAYLAND_DISPLAY")}


def run(*arguments, **others):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": ENVIRONMENT, **others}
    result = subprocess.run([PROFVIEW, *arguments], check=False, timeout=60, **options)
    return result.returncode, (result.stdout or b"").decode(), result.stderr.decode(errors="replace")


def good(*arguments):
    status, out, errors = run(*arguments)
    assert status == 0, (arguments, status, errors)
    return out


def rows(*arguments):
    lines = good("--format=tsv", *arguments).splitlines()
    return lines[0].split("\t"), [line.split("\t") for line in lines[1:]]
