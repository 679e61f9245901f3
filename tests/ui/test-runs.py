#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in order in the window. test-runs.py PROFVIEW SCENARIO, inside session.sh."""

import os

from driver import main, scenario, wait_for
from pprof_maker import Profile
from steps import column_of, drag_files, find_cell, resize, show_page, title_of, wait_page

TITLE = "run-1 … run-10"
WAVE = [0, 9, -7, 4, -11, 6, 2, -5, 8, -3]


def write(path, stacks):
    profile = Profile(("samples", "count"))
    for stack, value in stacks.items():
        profile.sample(stack, value)
    with open(path, "wb") as file:
        file.write(profile.content())


def make_runs(scratch):
    """Ten runs: sorting takes longer from the 7th on, reading only in the 4th."""
    folder = os.path.join(scratch, "nightly")
    os.mkdir(folder)
    for number in range(1, 11):
        wave = WAVE[number - 1]
        write(os.path.join(folder, "run-%d" % number),
              {"main;run;parse": 4000 + 5 * wave, "main;run;sort": 3000 if number < 7 else 4200,
               "main;run;hash": 2500 - 3 * wave, "main;read": 2000 if number != 4 else 4600})
    return folder


def wait_title(window, title):
    wait_for(lambda: "the title %r, not %r" % (title, title_of(window)), lambda: title_of(window) == title)


def open_runs(open_window, scratch, *options):
    folder = make_runs(scratch)
    window = open_window("--runs", *options, folder)
    wait_title(window, TITLE)
    wait_page(window, "Runs")
    find_cell(window, "Runs", "^sort$")
    return window


def order_of(window):
    return column_of(window, "Function", "^(main|run|parse|sort|hash|read)$", "Runs")


def find_line(window, words):
    """The cell with the line is an image that says what it shows."""
    return window.find("image", words)


@scenario
def command_line(open_window, scratch):
    window = open_runs(open_window, scratch)
    wait_for(lambda: "the largest movers first, not %s" % order_of(window), lambda: order_of(window)[:2] == ["read", "sort"])
    find_line(window, "^from 3,000 to 4,200, largest step .1,200 at run 7, run-7$")
    find_line(window, "^from 2,000 to 2,000, largest step .2,600 at run [45], run-[45]$")
    find_cell(window, "Runs", r"^\+1,200 at run-7$")
    window.wait_text("^6 functions, 2 move beyond noise$")
    # What is compared beside them is the first with the last.
    window.wait_text("^run-1$")
    window.wait_text("^run-10$")
    resize(window, 700, 700)
    find_cell(window, "Runs", "^sort$")
    find_line(window, "^from 3,000 to 4,200")


@scenario
def pointing(open_window, scratch):
    """A click on a point compares that run with the one before it."""
    window = open_runs(open_window, scratch)
    x, y, width, height = find_line(window, "^from 3,000 to 4,200").get_box()
    window.click_at(x + 5 + (width - 10) * 6 / 9, y + height / 2)
    wait_title(window, "run-6 → run-7")
    window.wait_text(r"^\+1,1\d\d \(\+1\d %\)$")


@scenario
def keyboard(open_window, scratch):
    """Left and Right move along the points of a row, from its largest step."""
    window = open_runs(open_window, scratch)
    window.click(find_cell(window, "Runs", "^sort$"))
    window.wait_text(r"^run-7: 4,200, \+1,200 \(\+40 %\) from run-6$")
    window.key("Right", "Right")
    window.wait_text(r"^run-9: 4,200, 0 \(0\.0 %\) from run-8$")
    window.key(*["Left"] * 12)
    window.wait_text("^run-1: 3,000$")
    window.key("Right")
    window.key("Return")
    wait_title(window, "run-1 → run-2")


@scenario
def totals_and_search(open_window, scratch):
    window = open_runs(open_window, scratch)
    window.click(find_cell(window, "Runs", "^Change$"))
    wait_for("the largest change first", lambda: order_of(window)[0] == "sort")
    window.click(window.find("entry", "^Filter$"))
    window.type("a")
    wait_for("two functions", lambda: sorted(order_of(window)) == ["hash", "main", "parse", "read"])
    window.key("ctrl+a", "Delete")
    wait_for("all functions", lambda: len(order_of(window)) == 6)


@scenario
def other_query(open_window, scratch):
    """The runs say that they were read with another query, and are read again."""
    window = open_runs(open_window, scratch, "--focus=^run$")
    window.wait_text("^5 functions, 1 moves? beyond noise$")
    find_line(window, "^from 3,000 to 4,200")
    show_page(window, "Functions")
    show_page(window, "Runs")
    window.click(window.find("push button", "^Remove "))
    window.wait_text("^The filters have changed since the runs were read\\.$")
    window.click(window.find(id="RunsPage.read_button"))
    window.wait_text("^6 functions, 2 move beyond noise$")
    find_cell(window, "Runs", "^read$")


@scenario
def dropping(open_window, scratch):
    """A folder is asked about; what is no profile in it is told."""
    folder = make_runs(scratch)
    with open(os.path.join(folder, "run-5"), "wb") as file:
        file.write(b"\x0a\x04\x08\x01\x10\x02\x12")
    with open(os.path.join(folder, "notes.txt"), "w", encoding="utf-8") as file:
        file.write("nothing\n")
    window = open_window()
    window.wait_text("^Open a Profile$")
    drag_files(window, [folder], lambda: window.wait_text("^Open “nightly”\\?$"))
    window.rest()
    window.key("alt+r")
    wait_title(window, TITLE)
    find_cell(window, "Runs", "^sort$")
    window.wait_text("^(1 File Left Out|Other Files)$")


if __name__ == "__main__":
    main()
