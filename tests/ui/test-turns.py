#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two programs that are recorded in turn and compared: test-turns.py PROFVIEW SCENARIO, inside session.sh. perf is a stand-in
that replays a recording."""

import os
import time

import record_steps
from driver import SYMBOLS, main, recording, scenario, wait_for
from record_steps import can_record, in_dialog, open_dialog, press, press_record, recordings
from steps import check, find_dialog, focused, resize, show_page, title_of, wait_no_dialog

SCRIPT = """#!/bin/sh
echo "$(basename "$0") $*" >>'{log}'
{more}
"""


# Widgets -------------------------------------------------------------------------------------------------------------

def standin(**more):
    return record_steps.standin(PV_STANDIN_PERF_SECONDS="0.3", PV_STANDIN_PERF_DATA=recording("inlining-fp.data"), **more)


def write_program(scratch, name, more=""):
    """One that leaves a line about each of its runs."""
    path = os.path.join(scratch, name)
    with open(path, "w") as out:
        out.write(SCRIPT.format(log=os.path.join(scratch, "log"), more=more))
    os.chmod(path, 0o700)
    return path


def runs(scratch):
    path = os.path.join(scratch, "log")
    if not os.path.exists(path):
        return []
    with open(path) as lines:
        return lines.read().splitlines()


def tab_on(window, name):
    """By the keyboard, which scrolls: advice below may leave little room."""
    for _ in range(9):
        before = focused(window)
        window.key("Tab")
        wait_for("the focus to move", lambda: focused(window) not in (before, []))
        if any(node.is_focused for node in window.all(name="^" + name, sized=False)):
            return
    check(False, "no way to", name, "but to", focused(window))


def fill(window, frame, base, newer, arguments="", rounds=3):
    press(window, frame, "^Two Programs$")
    for row, text in (("Base Program$", base), ("New Program$", newer), ("Arguments for Both$", arguments),
                      ("Runs of each program", str(rounds))):
        tab_on(window, row)
        window.key("ctrl+a")
        window.type(text)
    for row, text in (("base_row", base), ("new_row", newer), ("arguments_row", arguments)):
        node = window.find(id="TurnsRows." + row, below=frame)
        check(lambda: node.get_text() == text, row, "is", node.get_text)


def record(window, *what, **more):
    open_dialog(window)
    with in_dialog(window) as frame:
        fill(window, frame, *what, **more)
        press_record(window, frame)


class Dialog:
    """Clicks go to the dialog of the runs."""

    def __init__(self, window):
        self.window, self.before = window, window.window_id

    def __enter__(self):
        wait_for("the dialog of the runs", lambda: self.frame() is not None)
        self.window.rest()  # the other dialog has gone
        self.window.window_id = wait_for("its window", lambda: find_dialog(self.window))
        return self

    def __exit__(self, *_):
        self.window.window_id = self.before

    def frame(self):
        return next((node for node in self.window.frames() if node.name == "Recording in Turn"), None)

    def button(self, name):
        return self.window.find("push button", "^" + name, below=self.frame())


def wait_compared(window, base, newer):
    wait_for(lambda: "the comparison, not " + title_of(window),
             lambda: title_of(window).startswith(base + " ") and " → " + newer + " " in title_of(window), 30)
    wait_no_dialog(window)


# Scenarios -----------------------------------------------------------------------------------------------------------

@scenario
def two_programs(open_window, scratch):
    """Three runs of each, and then their means; next time the dialog has them again."""
    base, newer = write_program(scratch, "old one"), write_program(scratch, "new")
    window = open_window(*SYMBOLS, environment=standin())
    window.wait_text("^Open a Profile$")
    record(window, "'%s'" % base, newer, "size=1 --size 'a b' '#c'")
    window.wait_text("^Run 2 of 3 of the Base$")
    wait_compared(window, "old one", "new")
    check(runs(scratch) == [name + " size=1 --size a b #c" for name in ("old one", "new", "new", "old one", "old one", "new")], runs(scratch))
    check(len(recordings()) == 6, recordings)
    show_page(window, "Summary")
    window.wait_text("Amounts are means, of 3 runs of the base and 3 of the new side")
    window.key("ctrl+w")
    window.wait_text("^3 runs of each|· 3 runs of each")
    open_dialog(window)
    with in_dialog(window) as frame:
        wait_for("the programs", lambda: window.find(id="TurnsRows.base_row", below=frame).get_text() == "'%s'" % base)
        check(window.find(id="TurnsRows.new_row", below=frame).get_text() == newer, "the new program")
        # The other way round, by the keyboard alone.
        window.key("shift+Tab")
        wait_for("the button", lambda: focused(window) == ["Swap the programs"])
        window.key("space")
        wait_for("the other base", lambda: window.find(id="TurnsRows.base_row", below=frame).get_text() == newer)
        wait_for("a record button", lambda: can_record(window))
        window.rest(0.3)
        tab_on(window, "Arguments for Both$")
        window.key("Return")
    wait_compared(window, "new", "old one")
    check([line.split(" size=")[0] for line in runs(scratch)[6:]] == ["new", "old one", "old one", "new", "new", "old one"], runs(scratch))


@scenario
def stopping(open_window, scratch):
    """Each of them once is enough for a comparison; the run that is dropped is no recording."""
    base, newer = write_program(scratch, "old", "sleep 1"), write_program(scratch, "new", "sleep 1")
    window = open_window(*SYMBOLS, environment=standin())
    window.wait_text("^Open a Profile$")
    record(window, base, newer, rounds=50)
    with Dialog(window) as dialog:
        check(not dialog.button("Stop").is_sensitive, "nothing to compare yet")
        wait_for("each of them once", lambda: dialog.button("Stop").is_sensitive)
        window.click(dialog.button("Stop"))
    wait_compared(window, "old", "new")
    n = len(recordings())
    check(2 <= n < 20, n, "recordings of", runs(scratch))
    check(n <= len(runs(scratch)) <= n + 1, runs(scratch))


@scenario
def cancelling(open_window, scratch):
    """Nothing is compared, and nothing goes on."""
    base, newer = write_program(scratch, "old"), write_program(scratch, "new", "sleep 60")
    window = open_window(*SYMBOLS, environment=standin())
    window.wait_text("^Open a Profile$")
    record(window, base, newer)
    with Dialog(window) as dialog:
        window.wait_text("^Run 1 of 3 of the New Program$")
        wait_for("the new program", lambda: len(runs(scratch)) == 2)
        window.click(dialog.button("Cancel"))
    wait_no_dialog(window)
    wait_for("what was recorded before", lambda: len(recordings()) == 1)
    time.sleep(0.5)
    check(len(runs(scratch)) == 2 and " → " not in title_of(window), runs(scratch))


@scenario
def terminated(open_window, scratch):
    """With the window, the run that is on goes too; what was recorded before stays."""
    base, newer = write_program(scratch, "old"), write_program(scratch, "new", "sleep 60")
    window = open_window(*SYMBOLS, environment=standin())
    window.wait_text("^Open a Profile$")
    record(window, base, newer)
    wait_for("the new program", lambda: len(runs(scratch)) == 2, 20)
    window.process.terminate()
    wait_for("profview to end", lambda: window.process.poll() is not None, 20)
    check(window.process.returncode == 0, "exit status", window.process.returncode)
    check(lambda: len(recordings()) == 1, recordings)


@scenario
def failing(open_window, scratch):
    """A program that fails ends it, and says why; what was recorded can be compared."""
    count = 'test "$(grep -c ^new \'%s\')" -lt 2 || { echo "no such size" >&2; exit 3; }' % os.path.join(scratch, "log")
    base, newer = write_program(scratch, "old"), write_program(scratch, "new", count)
    window = open_window(*SYMBOLS, environment=standin())
    window.wait_text("^Open a Profile$")
    record(window, base, newer)
    with Dialog(window) as dialog:
        window.wait_text("exit status 3")
        window.wait_text("^no such size")
        dialog.button("Close")
        window.click(dialog.button("Compare"))
    wait_compared(window, "old", "new")
    check(len(runs(scratch)) == 3, runs(scratch))


@scenario
def early(open_window, scratch):
    """As soon as the change is known well enough, there are no more runs. What the machine did is in the notes."""
    base, newer = write_program(scratch, "old"), write_program(scratch, "new")
    machine = os.path.join(scratch, "machine")
    for path, text in (("type", "Battery"), ("status", "Discharging")):
        os.makedirs(os.path.join(machine, "sys/class/power_supply/BAT0"), exist_ok=True)
        with open(os.path.join(machine, "sys/class/power_supply/BAT0", path), "w") as file:
            file.write(text)
    window = open_window(*SYMBOLS, environment=standin(PROFVIEW_MACHINE=machine))
    window.wait_text("^Open a Profile$")
    open_dialog(window)
    with in_dialog(window) as frame:
        fill(window, frame, base, newer, rounds=40)
        window.wait_text("^The computer runs on its battery$")
        tab_on(window, "Stop early$")
        window.key("space")
        press_record(window, frame)
    window.wait_text(r"^The total change is known to ±\d+\.\d %$")
    wait_compared(window, "old", "new")
    check(4 <= len(runs(scratch)) < 80, runs(scratch))
    show_page(window, "Summary")
    window.wait_text("^The computer ran on its battery")


@scenario
def faults(open_window, scratch):
    """Missing and odd programs are named."""
    base = write_program(scratch, "old")
    window = open_window(environment=standin())
    window.wait_text("^Open a Profile$")
    resize(window, 700, 500)
    open_dialog(window)
    with in_dialog(window) as frame:
        press(window, frame, "^Two Programs$")
        window.wait_text("^Enter the base program$")
        window.key("Tab", "Tab")  # by way of the button that exchanges them
        window.type(base)
        window.wait_text("^Enter the new program$")
        check(lambda: not can_record(window), "half of it")
        window.key("Tab", "Tab", "Tab")
        window.type("./nothing --fast")
        window.wait_text("is more than a program")
        window.key("ctrl+a")
        window.type("A=1 ./nothing")
        window.wait_text("“A=1 ./nothing” is more than a program")
        window.key("ctrl+a")
        window.type("'./nothing")
        window.wait_text("not closed")
        window.key("ctrl+a")
        window.type("./nothing")
        window.wait_text("^./nothing: The program was not found$")
        check(lambda: not can_record(window), "no such program")
        window.key("Escape")
    wait_no_dialog(window)


if __name__ == "__main__":
    main()
