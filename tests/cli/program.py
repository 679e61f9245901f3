# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the profview that the first argument names, without a display; for the tests beside it. Those that are about commands and
not about starting the program are told of PV_ANSWER_COMMANDS, see golden/profview_commands.py."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
from profview_commands import Commands  # noqa: E402

PROFVIEW = sys.argv[1]
ENVIRONMENT = {key: value for key, value in os.environ.items()
               if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
COMMANDS = Commands(PROFVIEW, ENVIRONMENT)


def run(*arguments, **others):
    if COMMANDS.answerer and not others:
        status, out, errors = COMMANDS.ask(*arguments)
        return status, out.decode(), errors.decode(errors="replace")
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
