#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The flame graph as a sandwich: callers above, callees below one function. test-sandwich.py PROFVIEW SCENARIO, inside session.sh."""

import os
import re

from driver import main, scenario, wait_for
from flame_steps import click_row, hover_half, place_in_half
from pprof_maker import Profile
from steps import (check, chips, choose_path, crumbs, find_cell, show_page, wait_details, wait_menu,
                   wait_page, wait_pasted)


def open_sandwich(open_window, scratch):
    """Of work, which run and other call, and which calls deep."""
    profile = Profile(("cpu", "nanoseconds"))
    profile.sample("main;run;work", 60_000_000)
    profile.sample("main;other;work;deep", 30_000_000)
    profile.sample("main;idle", 10_000_000)
    path = os.path.join(scratch, "both.pb.gz")
    profile.write(path)
    window = open_window(path)
    wait_details(window, r"^all, ")
    click_row(window, 3)
    wait_details(window, r"^work, ")
    show_page(window, "Sandwich")
    hover_half(window, "Function and callees", 0.5, 0.5)
    wait_details(window, r"^work, .*Total\s90\.0 %(?!.*Of calle)")
    return window


def wait_sandwich(window, name, total):
    """The function is there as a box; the pointer is elsewhere before."""
    hover_half(window, "Callers", 0.5, 0.5)
    hover_half(window, "Function and callees", 0.5, 0.5)
    wait_details(window, r"^%s, .*Total\s%s %%" % (name, re.escape(total)))


@scenario
def sandwich_history(open_window, scratch):
    """Choosing the sandwich, its functions, and leaving it, are steps back and forward."""
    window = open_sandwich(open_window, scratch)
    # A caller takes the place of the function.
    window.click_at(*place_in_half(window, "Callers", 0.1, 0.5), repeat=2)
    wait_sandwich(window, "run", "60.0")
    window.key("alt+Left")
    wait_sandwich(window, "work", "90.0")
    wait_page(window, "Sandwich")
    window.key("alt+Left")
    wait_page(window, "Flame Graph")
    wait_for("the zoom from before", lambda: crumbs(window)[-1:] == ["work"])
    # The keyboard is in the flame graph again.
    window.key("Up")
    wait_details(window, "^run, ")
    window.key("alt+Right", "alt+Right")
    wait_page(window, "Sandwich")
    wait_sandwich(window, "run", "60.0")
    window.key("z")
    wait_sandwich(window, "work", "90.0")
    window.key("shift+z")
    wait_sandwich(window, "run", "60.0")
    show_page(window, "Flame Graph")
    window.key("alt+Left")
    wait_page(window, "Sandwich")
    wait_sandwich(window, "run", "60.0")
    # What other pages select is shown, and from where the sandwich was chosen.
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^deep$"))
    window.key("ctrl+2")
    wait_page(window, "Sandwich")
    wait_sandwich(window, "deep", "30.0")
    window.key("alt+Left", "alt+Left")
    wait_page(window, "Flame Graph")


@scenario
def sandwich_keys(open_window, scratch):
    """The arrow keys lead from one half into the other; each zooms by itself."""
    window = open_sandwich(open_window, scratch)
    window.click_at(*place_in_half(window, "Function and callees", 0.5, 0.5))
    window.key("Up")
    wait_details(window, "^run, ")
    window.key("Up")
    wait_details(window, "^main, ")
    window.key("Down", "Right")
    wait_details(window, "^other, ")
    window.key("space")
    window.rest()
    hover_half(window, "Callers", 0.1, 0.5)
    wait_details(window, "^other, ")
    hover_half(window, "Function and callees", 0.8, 0.5)
    wait_details(window, "^work, ")
    window.key("ctrl+0")
    window.rest()
    hover_half(window, "Callers", 0.1, 0.5)
    wait_details(window, "^run, ")
    # The zoom of a half is a step of the history too.
    window.key("alt+Left")
    window.rest()
    hover_half(window, "Callers", 0.2, 0.5)
    wait_details(window, "^other, ")
    window.key("alt+Left")
    window.rest()
    hover_half(window, "Callers", 0.1, 0.5)
    wait_details(window, "^run, ")
    wait_page(window, "Sandwich")
    window.key("Down")
    wait_details(window, "^work, ")
    window.key("Down")
    wait_details(window, "^deep, ")
    window.key("Return")
    wait_sandwich(window, "deep", "30.0")
    window.key("Up")
    wait_details(window, "^work, .*Of callee")


@scenario
def sandwich_menu(open_window, scratch):
    """The menu is about the box it was opened on, by pointer and by keys."""
    window = open_sandwich(open_window, scratch)

    def undo():
        window.key("z")
        wait_for("no chips", lambda: chips(window) == [])

    window.click_at(*place_in_half(window, "Function and callees", 0.1, 1.5), button=3)
    wait_menu(window, "Functions")
    window.key("i")
    wait_for(lambda: "a chip, not %s" % chips(window), lambda: chips(window) == ["Ignore: deep"])
    wait_sandwich(window, "work", "85.7")
    undo()
    window.click_at(*place_in_half(window, "Callers", 0.9, 0.5), button=3)
    wait_menu(window, "Functions")
    window.key("h")
    wait_for(lambda: "a chip, not %s" % chips(window), lambda: chips(window) == ["Hide: other"])
    undo()
    # By keys, in the other half than the pointer.
    for key in "Menu", "shift+F10":
        window.click_at(*place_in_half(window, "Function and callees", 0.5, 0.5))
        window.key("Up")
        wait_details(window, "^run, ")
        window.key(key)
        wait_menu(window, "Functions")
        window.key("i")
        wait_for(lambda: "a chip, not %s" % chips(window), lambda: chips(window) == ["Ignore: run"])
        undo()
    window.click_at(*place_in_half(window, "Function and callees", 0.5, 0.5))
    window.key("Up", "f")
    wait_for(lambda: "a chip, not %s" % chips(window), lambda: chips(window) == ["Focus: run"])
    undo()
    window.key("Menu")
    wait_menu(window, "Functions")
    window.key("c")
    wait_pasted(window, "^run$")
    # Other pages show that function; the way back leads to the one before.
    window.click_at(*place_in_half(window, "Callers", 0.9, 0.5), button=3)
    wait_menu(window, "Functions")
    window.key("f")
    wait_page(window, "Functions")
    window.find("label", "^Called by$")
    window.key("ctrl+2")
    wait_page(window, "Sandwich")
    wait_sandwich(window, "other", "30.0")
    window.key("alt+Left")
    wait_sandwich(window, "work", "90.0")
    # The picture of it.
    window.key("ctrl+e")
    path = os.path.join(scratch, "out.svg")
    choose_path(window, path, is_new=True)
    window.wait_text("^The picture was saved as “out.svg”$")
    with open(path, encoding="utf-8") as file:
        names = re.findall("<title>(.*)", file.read())
    check(sorted(names) == ["deep", "main", "main", "other", "run", "work"], names)


if __name__ == "__main__":
    main()
