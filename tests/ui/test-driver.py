#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios that are tried twice, how that is told, and samples of them. test-driver.py, inside session.sh."""

import os
import subprocess
import sys
import tempfile

SCENARIOS = """import os
from driver import Failure, main, scenario

FIRST = os.path.join(os.path.dirname(__file__), "first")

@scenario
def passing(open_window, scratch):
    pass

@scenario
def second_time(open_window, scratch):
    if not os.path.exists(FIRST):
        open(FIRST, "w").close()
        open_window().find(name="^never$", timeout=0.1)

@scenario
def never(open_window, scratch):
    open_window().find(name="^never$", timeout=0.1)

@scenario
def wrong(open_window, scratch):
    open_window()
    raise Failure("it is wrong")

@scenario
def complaining(open_window, scratch):
    open_window("made-up-WARNING").find(name="^never$", timeout=0.1)

@scenario
def crashing(open_window, scratch):
    window = open_window()
    window.process.kill()
    window.process.wait()
    window.find(name="^never$", timeout=0.1)

if __name__ == "__main__":
    main()
"""
# Any window does, of a program that says its first argument.
PROGRAM = """#!/bin/sh
echo "$1" >&2
exec "$PV_BUILD/tests/ui/drag-source" --copy text
"""


def run(folder, environment):
    return subprocess.run([sys.executable, os.path.join(folder, "test-made-up.py"), os.path.join(folder, "program")],
                          env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.abspath(__file__)), **environment},
                          capture_output=True, text=True)


def read_tap(output):
    """Names of what passed and what failed, and what was unstable."""
    lines = [line.split() for line in output.splitlines()]
    return ([line[3] for line in lines if line[0] == "ok"], [line[4] for line in lines if line[:2] == ["not", "ok"]],
            [line[2] for line in lines if line[:2] == ["#", "UNSTABLE"]])


def main():
    log = os.path.join(os.environ["PV_BUILD"], "meson-logs", "unstable", "made-up.second-time.log")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("test-made-up.py", SCENARIOS), ("program", PROGRAM)):
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
            os.chmod(file.name, 0o755)
        result = run(folder, {"PV_UI_SAMPLE": "1/1"})
        passed, failed, unstable = read_tap(result.stdout)
        assert result.returncode == 1, result
        assert passed == ["passing", "second-time"], result
        assert failed == ["never", "wrong", "complaining", "crashing"], result
        assert unstable == ["made-up.second-time"], result
        said = [result.stderr.count("\n" + text) for text in ("once more", "driver.Failure: it is wrong", "made-up-WARNING")]
        assert said == [1, 1, 1], (said, result.stderr)
        with open(log) as file:
            assert "waited in vain for anything '^never$'" in file.read()
        # What was unstable before is not now; and every third one.
        result = run(folder, {"PV_UI_SAMPLE": "2/3"})
        assert read_tap(result.stdout) == (["second-time"], ["complaining"], []), result
        assert not os.path.exists(log)
        # One at least, of fewer than there are parts.
        result = run(folder, {"PV_UI_SAMPLE": "7/9"})
        assert read_tap(result.stdout) == (["passing"], [], []), result


if __name__ == "__main__":
    main()
