#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window, used like a person would. test-window.py PROFVIEW SCENARIO, inside session.sh."""

import http.server
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time

for folder in ("cli", "golden"):
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, folder))
import sched_file
from crafted import perf_data, perf_sample
from driver import DATA, SYMBOLS, Atspi, main, recording, wait_for
from pprof_maker import LineProfile, Profile, message, packed
from steps import (check, chips, choose_path, column_of, crumbs, details, drag_files, find_cell, find_dialog,
                   leave_menu, remove_chip, resize, run_as_another_user, search_expression, search_for, title_of,
                   wait_chip, wait_details, wait_focus, wait_menu, wait_no_dialog, wait_page, wait_pasted)

SCENARIOS = {}
ROW = 20.0  # about the height of a row of the flame graph


def scenario(function):
    SCENARIOS[function.__name__.replace("_", "-")] = function
    return function


def open_sample(open_window, name="inlining-fp.data"):
    window = open_window(*SYMBOLS, recording(name))
    window.find("panel", "^Flame graph$")
    window.wait_text(r"^[\d,]+ samples$")
    wait_for("names", lambda: not list(window.all("progress bar", "Progress of names")))
    return window


def row_height(window):
    """Of the flame graph: the focused box is a child of the picture, and at first the root."""
    return window.box(window.find("push button", r"^all, 100.0 % of all"))[3] + 0.5


def click_row(window, level, share=0.25, **options):
    def find_place():
        """The picture moves when the strip above it comes or goes."""
        before = window.box(window.find("panel", "^Flame graph$"))
        time.sleep(0.3)
        return before if window.box(window.find("panel", "^Flame graph$")) == before else None

    x, y, width, _ = wait_for("a picture at rest", find_place)
    window.click_at(x + width * share, y + (level + 0.5) * ROW, **options)


@scenario
def opening(open_window, scratch):
    window = open_sample(open_window)
    wait_details(window, r"^all, Self\s0\.0 %.*Total\s100\.0 %")
    wait_page(window, "Flame Graph")
    check("1,155 samples" in window.texts(), "the number of samples", window.texts())


@scenario
def zooming(open_window, scratch):
    window = open_sample(open_window)
    click_row(window, 3)
    wait_details(window, r"^geometry::centre")
    wait_for("the path", lambda: crumbs(window)[-1:] == ["geometry::centre"])
    check(crumbs(window)[0] == "all", crumbs(window))
    # Zoomed, the box is as wide as the picture.
    box = window.box(window.find("push button", r"^geometry::centre, "))
    check(box[2] > 1000, "the zoomed box is", box)
    window.key("alt+Left")
    wait_for("the way back", lambda: crumbs(window) == ["all"])
    window.key("alt+Right")
    wait_for("the way forward", lambda: len(crumbs(window)) > 1)
    window.key("Escape")
    wait_for("everything", lambda: crumbs(window) == ["all"])
    # The mouse's own buttons for it.
    click_row(window, 2, button=8)
    wait_for("the way back by mouse", lambda: len(crumbs(window)) > 1)
    click_row(window, 2, button=9)
    wait_for("the way forward by mouse", lambda: crumbs(window) == ["all"])
    # A drag selects what it began on, and zooms nowhere.
    x, y, width, _ = window.box(window.find("panel", "^Flame graph$"))
    window.move(x + width * 0.25, y + 3.5 * ROW)
    window.xdotool("mousedown", 1)
    window.move(x + width * 0.25 + 60, y + 3.5 * ROW)
    window.xdotool("mouseup", 1)
    wait_details(window, r"^geometry::centre")
    time.sleep(0.5)
    check(crumbs(window) == ["all"], "a drag zooms", crumbs(window))


@scenario
def narrow_boxes(open_window, scratch):
    """Hatched boxes, wheel and drag, the strip with the whole graph, and the sandwich."""
    profile = Profile(("cpu", "nanoseconds"))
    profile.sample("main;run;work", 60_000_000)
    profile.sample("main;other;work;deep", 30_000_000)
    for i in range(300):
        profile.sample("main;small%03d;leaf" % i, 10_000)
    path = os.path.join(scratch, "narrow.pb.gz")
    profile.write(path)
    window = open_window(path)
    wait_details(window, r"^all, ")
    x, y, width, _ = window.box(window.find("panel", "^Flame graph$"))
    map_name = "^Whole flame graph, "

    def map_shown():
        return next(window.all(name=map_name), None)

    # 300 functions of 0.01 % each are one box, and so is what they call.
    check(map_shown() is None, "a map of what is in view")
    window.move(x + width * 0.98, y + 2.5 * ROW)
    wait_details(window, r"^300 small functions, Total\s3\.2 %")
    window.move(x + width * 0.98, y + 3.5 * ROW)
    wait_details(window, r"^300 small functions, ")
    window.click_at(x + width * 0.98, y + 2.5 * ROW)
    wait_for("the map", map_shown)
    time.sleep(0.5)
    x, y, width, _ = window.box(window.find("panel", "^Flame graph$"))
    window.move(x + width * 0.5, y + 2.5 * ROW)
    wait_details(window, r"^small\d\d\d, ")
    check(crumbs(window)[-1] == "main", crumbs(window))
    window.key("alt+Left")
    wait_for("no map", lambda: map_shown() is None)
    window.key("alt+Right")
    wait_for("the map again", map_shown)
    window.key("Escape")
    wait_for("no map", lambda: map_shown() is None)
    # The wheel zooms at the pointer: what is there stays there. One movement is one step back.
    window.move(x + width * 0.8, y + 1.5 * ROW)
    window.xdotool("keydown", "ctrl", "click", "--repeat", 6, "--delay", 60, 4, "keyup", "ctrl")
    wait_for("a narrow view", lambda: next(window.all(name=r"^Whole flame graph, 2[5-7]\.\d % in view"), None))
    x, y, width, _ = window.box(window.find("panel", "^Flame graph$"))
    window.move(x + width * 0.8, y + 2.5 * ROW)
    wait_details(window, r"^other, ")
    # Dragging to the right, or the keys, lead to what is on the left.
    window.move(x + width * 0.2, y + 5.5 * ROW)
    window.xdotool("mousedown", 1)
    for step in range(1, 11):
        window.move(x + width * (0.2 + 0.07 * step), y + 5.5 * ROW)
    window.xdotool("mouseup", 1)
    window.move(x + width * 0.5, y + 2.5 * ROW)
    wait_details(window, r"^run, ")
    window.key("alt+Left", "alt+Left")
    wait_for("no map", lambda: map_shown() is None)
    window.key("plus", "plus", "shift+Right", "minus")
    wait_for("the map", map_shown)
    # A click into the map.
    box = window.box(window.find(name=map_name))
    window.click_at(box[0] + box[2] * 0.05, box[1] + box[3] / 2)
    x, y, width, _ = window.box(window.find("panel", "^Flame graph$"))
    window.move(x + width * 0.01, y + 2.5 * ROW)
    wait_details(window, r"^run, ")
    window.key("Escape")
    wait_for("no map", lambda: map_shown() is None)
    # Both places of a function, between what calls it and what it calls.
    click_row(window, 3)
    wait_details(window, r"^work, ")
    window.click(window.find("combo box", "^Direction of the stacks$"))
    window.key("Down", "Down", "Return")
    x, y, width, _ = window.box(window.find("panel", "^Function and callees$"))
    window.move(x + width * 0.9, y + 0.5 * ROW)
    wait_details(window, r"^work, .*Total\s96\.8 %")
    window.move(x + width * 0.1, y + 1.5 * ROW)
    wait_details(window, r"^deep, .*Of caller\s33\.3 %")
    x, y, width, height = window.box(window.find("panel", "^Callers$"))
    window.move(x + width * 0.9, y + height - 0.5 * ROW)
    wait_details(window, r"^other, .*Total\s32\.3 %")
    window.move(x + width * 0.1, y + height - 0.5 * ROW)
    wait_details(window, r"^run, .*Total\s64\.5 %.*Of callee\s66\.7 %")
    window.click_at(x + width * 0.1, y + height - 0.5 * ROW, repeat=2)
    x, y, width, _ = window.box(window.find("panel", "^Function and callees$"))
    window.move(x + width * 0.9, y + 0.5 * ROW)
    wait_details(window, r"^run, .*Total\s64\.5 %")
    window.click(window.find("combo box", "^Direction of the stacks$"))
    window.key("Up", "Up", "Return")
    wait_for("the path", lambda: crumbs(window)[:1] == ["all"])


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
    choose_direction(window, "Down", "Down")
    wait_direction(window, "Sandwich")
    hover_half(window, "Function and callees", 0.5, 0.5)
    wait_details(window, r"^work, .*Total\s90\.0 %(?!.*Of calle)")
    return window


def choose_direction(window, *keys):
    window.click(window.find("combo box", "^Direction of the stacks$"))
    window.key(*keys, "Return")


def wait_direction(window, name):
    def directions():
        below = window.find("combo box", "^Direction of the stacks$")
        return [node.name for node in below.get_below() if node.role == "label"]

    wait_for("the direction " + name, lambda: name in directions())


def place_in_half(window, half, share, row):
    """Rows count from the boundary of the halves."""
    x, y, width, height = window.box(window.find("panel", "^%s$" % half))
    return x + width * share, y + height - row * ROW if half == "Callers" else y + row * ROW


def hover_half(window, half, share, row):
    window.move(*place_in_half(window, half, share, row))


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
    wait_direction(window, "Sandwich")
    window.key("alt+Left")
    wait_direction(window, "Top Down")
    wait_for("the zoom from before", lambda: crumbs(window)[-1:] == ["work"])
    # The keyboard is in the flame graph again.
    window.key("Up")
    wait_details(window, "^run, ")
    window.key("alt+Right", "alt+Right")
    wait_direction(window, "Sandwich")
    wait_sandwich(window, "run", "60.0")
    window.key("z")
    wait_sandwich(window, "work", "90.0")
    window.key("shift+z")
    wait_sandwich(window, "run", "60.0")
    choose_direction(window, "Up")
    wait_direction(window, "Bottom Up")
    window.key("alt+Left")
    wait_direction(window, "Sandwich")
    wait_sandwich(window, "run", "60.0")
    # What other pages select is shown, and from where the sandwich was chosen.
    window.key("ctrl+4")
    wait_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^deep$"))
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    wait_sandwich(window, "deep", "30.0")
    window.key("alt+Left", "alt+Left")
    wait_direction(window, "Top Down")


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
    time.sleep(0.5)
    hover_half(window, "Callers", 0.1, 0.5)
    wait_details(window, "^other, ")
    hover_half(window, "Function and callees", 0.8, 0.5)
    wait_details(window, "^work, ")
    window.key("ctrl+0")
    time.sleep(0.5)
    hover_half(window, "Callers", 0.1, 0.5)
    wait_details(window, "^run, ")
    # The zoom of a half is a step of the history too.
    window.key("alt+Left")
    time.sleep(0.5)
    hover_half(window, "Callers", 0.2, 0.5)
    wait_details(window, "^other, ")
    window.key("alt+Left")
    time.sleep(0.5)
    hover_half(window, "Callers", 0.1, 0.5)
    wait_details(window, "^run, ")
    wait_direction(window, "Sandwich")
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
        leave_menu(window)

    window.click_at(*place_in_half(window, "Function and callees", 0.1, 1.5), button=3)
    wait_menu(window, "Functions")
    window.key("i")
    wait_for("a chip, not %s" % chips(window), lambda: chips(window) == ["Ignore: deep"])
    wait_sandwich(window, "work", "85.7")
    undo()
    window.click_at(*place_in_half(window, "Callers", 0.9, 0.5), button=3)
    wait_menu(window, "Functions")
    window.key("h")
    wait_for("a chip, not %s" % chips(window), lambda: chips(window) == ["Hide: other"])
    undo()
    # By keys, in the other half than the pointer.
    for key in "Menu", "shift+F10":
        window.click_at(*place_in_half(window, "Function and callees", 0.5, 0.5))
        window.key("Up")
        wait_details(window, "^run, ")
        window.key(key)
        wait_menu(window, "Functions")
        window.key("i")
        wait_for("a chip, not %s" % chips(window), lambda: chips(window) == ["Ignore: run"])
        undo()
    window.click_at(*place_in_half(window, "Function and callees", 0.5, 0.5))
    window.key("Up", "f")
    wait_for("a chip, not %s" % chips(window), lambda: chips(window) == ["Focus: run"])
    undo()
    window.key("Menu")
    wait_menu(window, "Functions")
    window.key("c")
    wait_pasted(window, "^run$")
    leave_menu(window)
    # Other pages show that function; the way back leads to the one before.
    window.click_at(*place_in_half(window, "Callers", 0.9, 0.5), button=3)
    wait_menu(window, "Functions")
    window.key("f")
    wait_page(window, "Functions")
    window.find("label", "^Called by$")
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
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


@scenario
def hovering(open_window, scratch):
    window = open_sample(open_window)
    x, y, width, _ = window.box(window.find("panel", "^Flame graph$"))
    window.move(x + width * 0.25, y + 2.5 * ROW)
    wait_details(window, r"^main, .*Of caller.* inlining")
    window.move(x + width * 0.25, y + 3.5 * ROW)
    wait_details(window, r"^geometry::centre.*inlining\.cpp:\d+")
    window.move(x + width * 0.25, y - 60)
    wait_details(window, r"^all, ")


@scenario
def keyboard(open_window, scratch):
    window = open_sample(open_window)
    window.key("Down")
    wait_details(window, r"^__libc_start_call_main")
    window.key("Down", "Down")
    wait_details(window, r"^geometry::centre")
    window.key("Right")
    wait_details(window, r"^geometry::Cloud::weigh")
    focused = wait_for("the focus", lambda: [
        n.name for n in window.all("push button", r"^geometry::Cloud::weigh, ")
        if n.has_state(Atspi.StateType.FOCUSED)])
    check(len(focused) == 1, focused)
    window.key("Return")
    wait_for("zoom by key", lambda: crumbs(window)[-1:] == ["geometry::Cloud::weigh"])
    window.key("Up")
    wait_details(window, r"^main")
    window.key("Escape")
    wait_for("everything", lambda: crumbs(window) == ["all"])


def focused(window):
    return [node.name for node in window.all(sized=False) if node.has_state(Atspi.StateType.FOCUSED)]


@scenario
def tab_key(open_window, scratch):
    """Tab leaves pictures and tables, and reaches the controls above them."""
    window = open_sample(open_window)

    def press(key, *names):
        for name in names:
            window.key(key)
            wait_for("the focus on %s, not %s" % (name, focused(window)),
                     lambda: any(re.search(name, text) for text in focused(window)))

    press("shift+Tab", "^Treemap: ", "^Flame: ", "^Icicle: ", "^Smallest boxes", "^Colors", "^Direction", "^Flame chart: ", "^all$", "^Tracks$", "^Hide the Time Line$", "^Filters$", "^Main menu$")
    press("Tab", "^Filters$", "^Hide the Time Line$", "^Tracks$", "^all$", "^Flame chart: ", "^Direction", "^Colors", "^Smallest boxes", "^Icicle: ", "^Flame: ", "^Treemap: ", "^all, ", "Open")
    window.key("ctrl+3", "Down", "Down")
    wait_page(window, "Call Tree")
    press("shift+Tab", "^Columns$", "^Bottom Up$", "^Top Down$")
    window.key("ctrl+4")
    wait_page(window, "Functions")
    wait_focus(window, "table row")
    window.key("Home", "Down")
    window.find("label", r"^geometry::Vec::dot\(")  # heads its callers and callees
    press("Tab", "^geometry::")
    # To a row of the callers, then of the callees, and out.
    window.key("Tab", "Tab")
    wait_for("the focus outside, not on %s" % focused(window), lambda: any("Open" in text for text in focused(window)))
    window.key(*["shift+Tab"] * 8)
    wait_for("the focus above, not on %s" % focused(window), lambda: focused(window) == ["Main menu"])


@scenario
def menu_by_mouse(open_window, scratch):
    """The keyboard goes on after an item of a submenu was clicked."""
    window = open_sample(open_window)
    button = window.find("push button", "^Main menu$")
    x = window.center(button)[0]
    window.click(button)

    def press(row):
        # GTK 4.8 tells where items are as if the menu had no arrow; they are centered below the button.
        item = window.find("menu item", "^Appearance$")
        time.sleep(0.5)
        _, y, _, height = window.box(item)
        window.click_at(x, y + height * (row + 0.75))
        time.sleep(0.5)

    press(0)
    press(3)
    wait_for("the menu to close", lambda: not list(window.all("menu item", "^Appearance$")))
    wait_for("the focus in the window", lambda: focused(window))
    window.key("ctrl+3")
    wait_page(window, "Call Tree")


@scenario
def searching(open_window, scratch):
    window = open_sample(open_window)
    window.key("ctrl+f")
    window.find("entry", "^Search for")
    window.type("Vec::dot")
    window.wait_text(r"^1 function, \d+\.\d %$")
    window.key("Return")
    wait_details(window, r"^geometry::Vec::dot")
    window.key("ctrl+a")
    window.type("no such function")
    window.wait_text(r"^No matches$")
    window.key("ctrl+a")
    window.type("geometry")
    window.wait_text(r"^\d+ functions, \d+\.\d %$")
    window.key("ctrl+4")
    wait_page(window, "Functions")
    wait_for("the filtered list", lambda: "malloc" not in window.texts()
             and "geometry::Vec::dot" in window.texts())
    window.key("ctrl+f", "Escape")
    wait_for("the whole list", lambda: "malloc" in window.texts())


@scenario
def search_options(open_window, scratch):
    """Expressions, full names, and the list of matches."""
    window = open_sample(open_window)
    window.key("slash")
    window.find("entry", "^Search for")
    # A slash is text there. Parameters are in full names only.
    window.type("Vec const&) const/")
    window.wait_text("^No matches$")
    window.key("BackSpace")
    time.sleep(0.5)
    window.wait_text("^No matches$")
    window.click(window.find("push button", "^Full names$"))
    window.wait_text(r"^\d+ functions, ")
    window.click(window.find("push button", "^Full names$"))
    window.wait_text("^No matches$")
    # Each stack counts once: Refine<5> runs only within Refine<6>.
    search_expression(window, "Refine<6")
    share = window.wait_text(r"^1 function, ").split(", ")[1]
    window.key("ctrl+a")
    window.type("Refine<[56]")
    window.wait_text("^2 functions, %s$" % re.escape(share))
    window.key("ctrl+a")
    window.type("Refine<[5")
    window.wait_text("^The regular expression “Refine<\\[5” is invalid")
    check("No matches" not in window.texts())
    window.key("ctrl+a")
    window.type("Refine<.*>::apply")
    window.wait_text(r"^\d+ functions, ")
    window.wait_no_text("^The regular expression")
    # By keyboard: past two options and two arrows; what is chosen is selected and can be seen.
    window.key("Tab", "Tab", "Tab", "Tab", "Tab", "space")
    find_cell(window, "Matches", r"^geometry::Refine<6>::apply$")
    wait_focus(window, "table row")
    window.key("Down", "Return")
    wait_details(window, "^geometry::Refine<5>::apply")
    wait_for("no list", lambda: not list(window.all("tree table", "^Matches$")))
    # By mouse, on another page, which shows it there.
    window.key("ctrl+4")
    wait_page(window, "Functions")
    window.click(window.find("push button", "^Matches: \\d+ functions, "))
    window.click(find_cell(window, "Matches", r"^geometry::Refine<3>::apply$"))
    window.find("label", "^Called by$")
    wait_for("its callers", lambda: column_of(window, "Called by", "Refine<4>", "Callers"))


@scenario
def sizes(open_window, scratch):
    """Where the bytes of a program are, which has neither threads nor calls."""
    window = open_window(os.path.join(DATA, "sysroot/opt/samples/bin/inlining"))
    window.wait_text("^file-size$")
    window.key("ctrl+3")
    wait_page(window, "Call Tree")
    window.wait_text("^From the sections of the file to the functions in them$")
    find_cell(window, "Call tree", r"^\.text$")
    window.click(window.find(name="^Bottom Up$"))
    window.wait_text("^Functions by size, each with the places it is in$")
    find_cell(window, "Call tree", "^main$")


@scenario
def pages(open_window, scratch):
    window = open_sample(open_window)
    window.key("ctrl+1")
    wait_page(window, "Summary")
    window.wait_text("^Top Functions by Self$")
    window.wait_text("^Recording$")
    window.wait_text("^samples$")  # the host
    window.key("ctrl+3")
    wait_page(window, "Call Tree")
    window.wait_text("^From the start of each thread")
    window.find("page tab", "^Source$")  # comes late, and moves the others
    window.click(next(window.all("page tab", "^Functions$")))
    wait_page(window, "Functions")
    window.find("tree table", "^Functions$")
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    # The file's name and all pages have room in the header bar of a window of 1000 pixels.
    resize(window, 1000, 700)
    wait_for("the name", lambda: any(
        40 < window.box(label)[0] < 300 and window.box(label)[1] < 50 and window.box(label)[2] > 60
        for label in window.all("label", r"^inlining")))
    check(all(window.box(tab)[1] < 50 for tab in window.all("page tab")), "pages in the header bar")


@scenario
def functions(open_window, scratch):
    window = open_sample(open_window)
    window.key("ctrl+4")
    wait_for("the list", lambda: len(column_of(window, "Self", r"\s\d+\.\d %$")) > 10)

    def is_descending(header):
        values = [float(v.split()[-2]) for v in column_of(window, header, r"\s\d+\.\d %$")]
        return len(values) > 10 and values == sorted(values, reverse=True)

    wait_for("highest self first", lambda: is_descending("Self"))
    window.click(find_cell(window, "Functions", "^Total$"))
    wait_for("highest total first", lambda: is_descending("Total"))
    window.click(find_cell(window, "Functions", "^Function$"))
    wait_for("order by name", lambda: not is_descending("Total"))
    window.click(find_cell(window, "Functions", "^Self$"))
    wait_for("highest self first", lambda: is_descending("Self"))
    check(not list(window.all("label", "^Called by$")), "callers of no function")
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"))
    window.find("label", "^Called by$")
    wait_for("the callers", lambda: column_of(window, "Called by", "geometry::", "Callers"))
    # A double click on a function shows it in the flame graph.
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"), repeat=2)
    wait_page(window, "Flame Graph")
    wait_for("the path to it", lambda: crumbs(window)[-1:] == ["geometry::Vec::dot"])


@scenario
def counted_calls(open_window, scratch):
    """Callgrind counts calls: beside what they cost is their number, unless something is filtered, and costs are estimates."""
    path = os.path.join(scratch, "callgrind.out.7")
    with open(path, "w", encoding="utf-8") as file:
        file.write("# callgrind format\nevents: Ir\nfl=p.c\nfn=main\n1 10\ncfn=above\ncalls=1 2\n1 23\ncfn=idle\ncalls=4 6\n1 0\n"
                   "fn=above\n2 10\ncfn=below\ncalls=2000 3\n2 28\nfn=below\n3 6\ncfn=above\ncalls=1999 2\n3 15\ncfn=leaf\n"
                   "calls=1 4\n3 7\nfn=leaf\n4 7\nfn=idle\n6 0\n")
    window = open_window("--hide=^leaf$", path)
    window.key("ctrl+4")
    wait_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^below$"))
    find_cell(window, "Callers", "^above$")
    check(not list(window.all("label", "^Count$")), "numbers of calls of what is filtered")
    remove_chip(window, "Hide")
    wait_for("callers", lambda: column_of(window, "Count", r"^[0-9,]+$", "Callers") == ["2,000"])
    wait_for("callees", lambda: column_of(window, "Count", r"^[0-9,]+$", "Callees") == ["1,999", "1"])
    window.click(find_cell(window, "Callees", "^Count$"))
    # A function that costs nothing has no stacks, but it was called.
    window.click(find_cell(window, "Functions", "^main$"))
    wait_for("callees", lambda: column_of(window, "Count", r"^[0-9,]+$", "Callees") == ["4", "1"])
    window.click(find_cell(window, "Callees", "^idle$"), repeat=2)
    wait_for("its caller", lambda: column_of(window, "Count", r"^[0-9,]+$", "Callers") == ["4"])


@scenario
def sorting(open_window, scratch):
    """A long table shows the first rows of a new order, wherever the selected one goes."""
    path = os.path.join(scratch, "many.pb.gz")
    profile = Profile(("cpu", "nanoseconds"))
    for i in range(200):
        profile.sample("main;f%03d" % i, 1000 + i)
    profile.write(path)
    window = open_window(path)
    window.wait_text("^200 samples$")
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^f199$"))
    window.find("label", "^Called by$")
    window.click(find_cell(window, "Functions", "^Function$"))
    wait_for("the first names", lambda: "f001" in column_of(window, "Function", "^f"))
    time.sleep(0.5)
    check("f198" not in column_of(window, "Function", "^f"), column_of(window, "Function", "^f"))


@scenario
def sorting_callers(open_window, scratch):
    """Callers and callees by each of their columns; a row leads to its function wherever it is."""
    path = os.path.join(scratch, "callers.pb.gz")
    profile = Profile(("cpu", "nanoseconds"))
    for caller, weight in ("bee", 3), ("Ant", 9), ("cat", 5):
        profile.sample("main;%s;hub;leaf" % caller, weight)
        profile.sample("main;%s;hub;%s_tail" % (caller, caller), 2 * weight)
    profile.sample("hub;last", 6)
    profile.write(path)
    window = open_window(path)
    window.wait_text("^7 samples$")

    def names(title, table):
        return column_of(window, title, ".", table)

    def wait_names(title, table, *expected):
        wait_for("%s %s, not %s" % (title, expected, names(title, table)),
                 lambda: names(title, table) == list(expected))

    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^hub$"))
    wait_names("Called by", "Callers", "Ant", "cat", "bee", "(start of the stack)")
    wait_names("Calls", "Callees", "Ant_tail", "leaf", "cat_tail", "bee_tail", "last")
    window.click(find_cell(window, "Callers", "^Called by$"))
    wait_names("Called by", "Callers", "Ant", "bee", "cat", "(start of the stack)")
    wait_names("Calls", "Callees", "Ant_tail", "leaf", "cat_tail", "bee_tail", "last")
    window.click(find_cell(window, "Callers", "^Called by$"))
    wait_names("Called by", "Callers", "(start of the stack)", "cat", "bee", "Ant")
    window.click(find_cell(window, "Callees", "^Share$"))  # the other way round
    wait_names("Calls", "Callees", "bee_tail", "last", "cat_tail", "leaf", "Ant_tail")
    # The first click on figures asks for the largest, also after another column.
    window.click(find_cell(window, "Callers", "^Share$"))
    wait_names("Called by", "Callers", "Ant", "cat", "bee", "(start of the stack)")
    window.click(find_cell(window, "Callers", "^Share$"))
    wait_names("Called by", "Callers", "(start of the stack)", "bee", "cat", "Ant")
    # The order stays for another function, and a row is what it says.
    window.click(find_cell(window, "Callers", "^bee$"), repeat=2)
    wait_names("Called by", "Callers", "main")
    window.key("alt+Left")
    window.click(find_cell(window, "Functions", "^hub$"))
    wait_names("Called by", "Callers", "(start of the stack)", "bee", "cat", "Ant")
    window.click(find_cell(window, "Callees", "^cat_tail$"))
    window.key("Return")
    wait_names("Called by", "Callers", "hub")


@scenario
def sorting_tree(open_window, scratch):
    """Siblings by each column on every level, top down and bottom up; what is selected, open and copied follows."""
    path = os.path.join(scratch, "tree.pb.gz")
    profile = Profile(("cpu", "nanoseconds"))
    for stack, weight in (("main;run;b", 30), ("main;run;A", 50), ("main;run", 4), ("main;idle;z", 9),
                          ("main;idle;y", 8), ("start;x", 12), ("start;c", 2)):
        profile.sample(stack, weight)
    profile.write(path)
    window = open_window(path)
    window.wait_text("^7 samples$")

    def names():
        return column_of(window, "Function", ".", "Call tree")

    def wait_names(expected):
        wait_for("rows %r, not %r" % (expected, " ".join(names())), lambda: " ".join(names()) == expected)

    def sort(title):
        window.click(find_cell(window, "Call tree", "^%s$" % title))

    def selected():
        return [row.name for row in window.all("table row") if row.has_state(Atspi.StateType.SELECTED)]

    window.key("ctrl+3")
    wait_page(window, "Call Tree")
    wait_names("main run A b idle start")
    sort("Total")
    wait_names("start main idle run b A")
    sort("Function")
    wait_names("main idle run A b start")
    window.click(find_cell(window, "Call tree", "^run$"))
    window.xdotool("keydown", "ctrl")
    window.click(find_cell(window, "Call tree", "^b$"))
    window.xdotool("keyup", "ctrl")
    wait_for("two rows", lambda: selected() == ["run", "b"])
    sort("Function")
    wait_names("start main run b A idle")
    wait_for("the same two rows, not %s" % selected(), lambda: selected() == ["run", "b"])
    sort("Self")
    wait_names("main run A b idle start")
    wait_for("the same two rows, not %s" % selected(), lambda: selected() == ["run", "b"])
    # The keyboard goes on from the selected row, and the hot path is the same in any order.
    sort("Total")
    sort("Total")
    wait_names("start main idle run b A")
    window.click(find_cell(window, "Call tree", "^idle$"))
    window.key("Right")
    wait_names("start main idle y z run b A")
    window.click(find_cell(window, "Call tree", "^main$"))
    window.key("Left")
    wait_names("start main")
    window.key("shift+Right")
    wait_names("start main idle run b A")
    wait_for("the end of the path", lambda: any(row.name == "A" and row.has_state(Atspi.StateType.FOCUSED)
                                                for row in window.all("table row")))
    window.key("ctrl+a", "ctrl+c")
    wait_pasted(window, r"^Function\tSelf.*\nstart\t.*\nmain\t.*\n  idle\t.*\n  run\t.*\n    b\t.*\n    A\t.*\n$")
    # Another tree has the same order.
    window.key("ctrl+3")
    window.click(find_cell(window, "Call tree", "^A$"))
    window.key("i")
    wait_names("start main idle run b")
    window.key("alt+Left")
    wait_names("start main idle run b A")
    # Bottom up there is no self cost beside that of the roots, whose column is sorted by in its place.
    sort("Self")
    wait_for("the most self cost first", lambda: names()[:2] == ["main", "run"])
    window.click(find_cell(window, "Call tree", "^start$"))
    window.click(window.find("push button", "^Bottom Up$"))
    wait_names("A b x z y run c")
    sort("Self")
    wait_names("c run y z x b A")
    window.click(find_cell(window, "Call tree", "^z$"))
    window.key("Right")
    wait_names("c run y z idle x b A")
    sort("Function")
    wait_names("A b c run x y z idle")


@scenario
def table_columns(open_window, scratch):
    """Columns of another measure, their choice and order, which are kept; several rows copied and saved; the hot path."""
    path = os.path.join(scratch, "two.pb.gz")
    profile = Profile(("alloc_space", "bytes"), ("inuse_space", "bytes"))
    for stack, allocated, used in (("main;run;hot;a", 300, 5), ("main;run;hot;b", 300, 0),
                                   ("main;run;hot;pack.c", 310, 0), ("main;idle", 100, 0), ("main;kept", 0, 7)):
        profile.sample(stack, allocated, used)
    profile.write(path)

    def names(table="Functions"):
        return column_of(window, "Function", r"^[\w.]+$", table)

    def choose(*keys):
        window.click(next(window.all("push button", "^Columns$")))
        wait_menu(window, "Reset Columns")
        time.sleep(0.5)  # other menus of titles have that item too
        window.key(*keys)
        leave_menu(window)

    window = open_window(path)
    window.wait_text("^2 of 5 samples$")
    window.key("ctrl+4")
    wait_for("functions in use", lambda: names() == ["kept", "a", "main", "hot", "run"])
    # The last item but two opens a menu of measures, whose last one is the total of the other.
    choose("Up", "Up", "Up", "Return")
    time.sleep(0.5)
    window.key("Up", "Return")
    wait_for("its column", lambda: column_of(window, "alloc_space", r"^30\d B|^310 B")[:1] == ["300 B  29.7 %"])
    check(set(names()) == {"kept", "a", "main", "hot", "run", "b", "pack.c", "idle"}, names())
    window.click(find_cell(window, "Functions", "^alloc_space$"))
    wait_for("most allocated first",
             lambda: names() == ["main", "hot", "run", "pack.c", "a", "b", "idle", "kept"])
    # Four rows, then without one of them.
    window.click(find_cell(window, "Functions", "^hot$"))
    window.key("shift+Down", "shift+Down", "shift+Down")
    window.xdotool("keydown", "ctrl")
    window.click(find_cell(window, "Functions", "^pack.c$"))
    window.xdotool("keyup", "ctrl")
    window.key("ctrl+c")
    wait_pasted(window, r"^Function\tSelf \(B\)\tSelf %\tTotal \(B\)\tTotal %\tModule\talloc_space \(B\)\talloc_space %\n"
                        r"hot\t0\t0\.00\t5\t41\.67\t[^\t]*\t910\t90\.10\nrun\t.*\na\t5\t41\.67\t.*\t29\.70\n$")
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^hot$"))
    window.key("Menu")
    wait_menu(window, "Save Table As")
    window.key("a")
    saved = os.path.join(scratch, "saved.csv")
    choose_path(window, saved, is_new=True)
    wait_for("the file", lambda: os.path.exists(saved))
    with open(saved) as file:
        lines = file.read().splitlines()
    check(len(lines) == 9 and lines[1].startswith("main,0,0.00,12,100.00,"), lines)
    wait_no_dialog(window)
    # The column of modules is dragged to the front.
    x, y, width, height = window.box(find_cell(window, "Functions", "^Module$"))
    first = window.box(find_cell(window, "Functions", "^Self$"))
    window.move(x + 10, y + height // 2)
    window.xdotool("mousedown", "1")
    for step in range(1, 9):
        window.move(x + 10 + (first[0] - 60 - x) * step // 8, y + height // 2)
        time.sleep(0.05)
    window.xdotool("mouseup", "1")
    wait_for("modules before amounts", lambda: window.box(find_cell(window, "Functions", "^Module$"))[0] <
             window.box(find_cell(window, "Functions", "^Self$"))[0])
    # The call tree has its own columns.
    window.key("ctrl+3")
    wait_page(window, "Call Tree")
    choose("Up", "Up", "Up", "Return")
    time.sleep(0.5)
    window.key("Up", "Return")
    wait_for("totals of nodes", lambda: column_of(window, "alloc_space", "%$", "Call tree")[:1] == ["1,010 B  100.0 %"] or
             column_of(window, "alloc_space", "%$", "Call tree")[:1] == ["1010 B  100.0 %"])
    # What was hot of what is in use is not so of what was allocated.
    window.click(find_cell(window, "Call tree", "^main$"))
    window.key("Left", "shift+Right")
    wait_for("the hot path", lambda: names("Call tree") == ["main", "kept", "run"])
    wait_for("its last row", lambda: any(row.name == "kept" and row.has_state(Atspi.StateType.FOCUSED)
                                         for row in window.all("table row")))
    # By what was allocated, on every level, also of rows that are opened later.
    window.click(find_cell(window, "Call tree", "^alloc_space$"))
    wait_for("the most allocated first, not %s" % names("Call tree"),
             lambda: names("Call tree") == ["main", "run", "kept"])
    # Bottom up it is what the functions themselves have allocated.
    window.click(window.find("push button", "^Bottom Up$"))
    wait_for("a before kept", lambda: names("Call tree") == ["a", "kept"])
    wait_for("what functions allocate", lambda: column_of(window, "alloc_space", r"%$", "Call tree") ==
             ["300 B  29.7 %", "0 B  0.0 %"])
    window.click(find_cell(window, "Call tree", "^a$"))
    window.key("shift+Right")
    wait_for("callers", lambda: names("Call tree") == ["a", "hot", "run", "kept"])  # main is too far to the right
    wait_for("what they allocate", lambda: column_of(window, "alloc_space", r"%$", "Call tree") ==
             4 * ["300 B  29.7 %"] + ["0 B  0.0 %"])
    # A new window has the same columns.
    window.key("ctrl+q")
    window.process.wait(10)
    window = open_window(path)
    window.wait_text("^2 of 5 samples$")
    window.key("ctrl+4")
    wait_for("the column of the other measure", lambda: column_of(window, "alloc_space", "%$"))
    check(window.box(find_cell(window, "Functions", "^Module$"))[0] <
          window.box(find_cell(window, "Functions", "^Self$"))[0], "order of columns")

@scenario
def derived_columns(open_window, scratch):
    """Columns of what is computed from several measures, in the list of functions and in the call tree."""
    path = os.path.join(scratch, "sizes.pb.gz")
    profile = Profile(("alloc_objects", "count"), ("alloc_space", "bytes"))
    for stack, objects, space in (("main;run;a", 10, 10240), ("main;run;b", 100, 200), ("main;idle", 1, 4096)):
        profile.sample(stack, objects, space)
    profile.write(path)
    title = "Bytes per allocation"

    def cells(table):
        return column_of(window, title, r"^([\d.]+ (B|KiB)|–)$", table)

    def choose():
        # The last item but one is the menu of derived measures, where the total is above the last entry.
        window.click(next(window.all("push button", "^Columns$")))
        wait_menu(window, "Reset Columns")
        time.sleep(0.5)  # other menus of titles have that item too
        window.key("Up", "Up", "Return")
        time.sleep(0.5)
        window.key("Up", "Up", "Return")
        leave_menu(window)

    window = open_window("--measure=alloc_objects", path)
    window.wait_text("^3 samples$")
    window.key("ctrl+4")
    wait_for("functions", lambda: column_of(window, "Function", r"^\w+$") == ["b", "a", "idle", "main", "run"])
    choose()
    wait_focus(window, "table row")  # keys go on from there
    # By hand: 200 / 100, 10240 / 10, 4096 / 1, 14536 / 111, 10440 / 110.
    wait_for("figures", lambda: cells("Functions") == ["2 B", "1.00 KiB", "4.00 KiB", "131 B", "94.9 B"] or
             cells("Functions") == ["2 B", "1.00 KiB", "4.00 KiB", "131 B", "95 B"])
    window.click(find_cell(window, "Functions", "^%s$" % title))
    wait_for("the largest first", lambda: column_of(window, "Function", r"^\w+$") == ["idle", "a", "main", "run", "b"])
    window.click(find_cell(window, "Functions", "^a$"))
    window.key("ctrl+c")
    wait_pasted(window, r"^Function\tSelf\tSelf %.*\tBytes per allocation \(B\)\na\t10\t9\.01\t.*\t1024\n$")
    window.key("ctrl+3")
    wait_page(window, "Call Tree")
    choose()
    wait_for("figures of nodes", lambda: cells("Call tree")[:1] == ["131 B"])
    window.click(find_cell(window, "Call tree", "^main$"))  # closes the menu
    # Bottom up: of the stacks that pass through a row.
    window.click(window.find("push button", "^Bottom Up$"))
    wait_for("figures of roots", lambda: cells("Call tree") == ["2 B", "1.00 KiB", "4.00 KiB"])
    window.click(find_cell(window, "Call tree", "^%s$" % title))
    wait_for("the largest first", lambda: cells("Call tree") == ["4.00 KiB", "1.00 KiB", "2 B"])
    window.click(find_cell(window, "Call tree", "^a$"))
    window.key("Right")
    wait_for("figures of a caller", lambda: cells("Call tree") == ["4.00 KiB", "1.00 KiB", "1.00 KiB", "2 B"])
    window.key("ctrl+1")
    wait_page(window, "Summary")
    window.find("label", "^131 B$")  # of everything

@scenario
def formulas(open_window, scratch):
    """Formulas of the user's own: asked for with the file, typed, edited and deleted, by the keyboard alone."""
    path, other = os.path.join(scratch, "sizes.pb.gz"), os.path.join(scratch, "cpu.pb.gz")
    profile = Profile(("alloc_objects", "count"), ("alloc_space", "bytes"))
    for stack, objects, space in (("main;run;a", 10, 10240), ("main;run;b", 100, 200), ("main;idle", 1, 4096)):
        profile.sample(stack, objects, space)
    profile.write(path)
    profile = Profile(("cpu", "nanoseconds"), ("waits", "count"))
    profile.sample("main;work", 5000, 1)
    profile.write(other)

    def cells(title, table="Functions"):
        return column_of(window, title, r"^([\d.,]+( (B|KiB|%))?|–)$", table)

    def titles():
        return [node.name for node in window.all("label", ".", below=window.find("tree table", "^Functions$"))]

    def order():
        return column_of(window, "Function", r"^\w+$")

    def open_dialog():
        """From the list of functions; the entry is the last one of the menu of derived measures."""
        wait_focus(window, "table row")
        window.key("shift+Tab", "space")
        wait_menu(window, "Reset Columns")
        time.sleep(0.5)  # other menus of titles have that item too
        window.key("Up", "Up", "Return")
        time.sleep(0.5)
        window.key("Up", "Return")
        dialog = wait_for("the dialog", lambda: find_dialog(window))
        time.sleep(0.3)
        return dialog

    def answer(pattern):
        wait_for("the answer " + pattern, lambda: next(window.all("label", pattern), None))

    def can_add(name="Add"):
        button = window.find("push button", "^%s$" % name)
        return button.has_state(Atspi.StateType.SENSITIVE)

    window = open_window("--measure=per=alloc_space/alloc_objects", path)
    window.wait_text("^3 samples$")
    window.key("ctrl+4")
    wait_for("functions", lambda: order() == ["b", "a", "idle", "main", "run"])
    # 200 / 100, 10240 / 10, 4096 / 1, 14536 / 111, 10440 / 110.
    wait_for("figures that were asked for",
             lambda: cells("per") in (["2 B", "1.00 KiB", "4.00 KiB", "131 B", x] for x in ("94.9 B", "95 B")))
    wait_for("own figures", lambda: cells("per, self") == ["2 B", "1.00 KiB", "4.00 KiB", "–", "–"])
    window.move(*window.center(find_cell(window, "Functions", "^per$")))
    window.wait_text("^per = alloc_space/alloc_objects$")

    # A formula is wrong in many ways before it is right.
    window.key("ctrl+4")
    open_dialog()
    check(not can_add(), "nothing to add")
    window.type("my half")
    window.key("Tab")
    window.type("alloc_space alloc")
    answer("^“alloc” is not expected$")
    window.key("ctrl+a")
    window.type("(alloc_space")
    answer("^A parenthesis is not closed$")
    check(not can_add(), "a formula with a fault")
    window.key("ctrl+a")
    window.type("alloc_space/")
    answer("^The formula ends too soon$")
    window.key("Tab", "space")
    time.sleep(0.5)
    window.key("Down", "Return")  # the second of the measures
    answer("^“my half” is no name for a formula: ")
    check(not can_add(), "a bad name")
    window.key("shift+Tab", "ctrl+a")
    window.type("half")
    answer("^For the whole profile: 131 B$")
    window.key("Tab", "End")
    window.type("/2")
    answer("^For the whole profile: 65 B$")
    check(can_add(), "a good formula")
    window.key("Return")
    wait_no_dialog(window)
    wait_for("its figures", lambda: cells("half, self") == ["1 B", "512 B", "2.00 KiB", "–", "–"])
    check(cells("half")[:1] == ["1 B"], cells("half"))
    window.click(find_cell(window, "Functions", "^half$"))
    wait_for("the largest first", lambda: order() == ["idle", "a", "main", "run", "b"])
    # The page's command has both.
    window.key("ctrl+4")
    window.click(window.find("push button", "^Filters$"))
    wait_menu(window, "^Copy as Command$")
    window.key("m")
    wait_pasted(window, "^profview --print=top --measure=alloc_objects --measure=per=alloc_space/alloc_objects "
                        "--measure=half=alloc_space/alloc_objects/2 /")

    # The flame graph can be colored by them: after the four schemes and the usual formula.
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    window.click(window.find(name="^Color by Module$"))
    time.sleep(0.5)
    window.key("Down", "Down", "Down", "Down", "Down", "Return")

    def caption():
        return [node.name for node in window.all("label", ".", below=window.find("panel", "^Legend$"))][:1]

    wait_for("its colors", lambda: caption() == ["half, 65 B in all"])
    # Another formula of that name, in the place of it.
    window.key("ctrl+4")
    open_dialog()
    window.key("Tab", "Tab", "Tab", "Return")  # the row of the formula
    window.find("push button", "^Save$")
    window.type("*1")
    answer("^For the whole profile: 65 B$")
    window.key("ctrl+a")
    window.type("1000*alloc_objects")
    answer("^For the whole profile: 111,000$")
    window.key("Return")
    wait_no_dialog(window)
    wait_for("other figures, in their order",
             lambda: cells("half") == ["111,000", "110,000", "100,000", "10,000", "1,000"])
    check(order() == ["main", "run", "b", "a", "idle"], order())
    window.key("ctrl+2")
    wait_for("other colors", lambda: caption() == ["half, 111,000 in all"])

    # It is there for other profiles, unless they lack its measures.
    window.key("ctrl+q")
    window.process.wait(10)
    window = open_window(other)
    window.wait_text("^1 sample$")
    window.key("ctrl+4")
    wait_for("functions", lambda: order() == ["work", "main"])
    check(titles()[:4] == ["Function", "Self", "Total", "Module"] and
          not {"half", "per", "waits"} & set(titles()), titles())
    open_dialog()
    answer("not for this profile$")
    window.type("odd")
    window.key("Tab")
    window.type("cpu/bananas")
    answer("^This profile has no measure “bananas”: ")
    check(can_add(), "a formula for other profiles")
    window.key("Escape")
    wait_no_dialog(window)
    window.key("ctrl+q")
    window.process.wait(10)
    window = open_window(path)
    window.wait_text("^3 samples$")
    window.key("ctrl+4")
    wait_for("the saved formula", lambda: sorted(cells("half")) == ["1,000", "10,000", "100,000", "110,000", "111,000"])
    check("per" not in titles(), titles())
    # Deleted, it takes its columns along.
    open_dialog()
    window.key("Tab", "Tab", "Tab", "Tab", "Tab", "space")
    wait_for("no formula", lambda: next(window.all("push button", "^Delete “half”$"), None) is None)
    window.key("Escape")
    wait_no_dialog(window)
    wait_for("no column", lambda: "half" not in titles())
    # Heaps have no samples, but formulas.
    window.key("ctrl+q")
    window.process.wait(10)
    window = open_window("--measure=size=allocated/allocations", os.path.join(DATA, "heaptrack", "leak.raw.zst"))
    window.wait_text("^4 sites$")
    window.key("ctrl+4")
    wait_for("sizes", lambda: cells("size, self")[:3] == ["195 B", "40 B", "71.0 KiB"])


@scenario
def package_colors(open_window, scratch):
    """Boxes in the color of their package, and the packages in the legend, by how much of the picture they fill."""
    path = os.path.join(scratch, "packages.pb.gz")
    profile = Profile(("cpu", "nanoseconds"))
    for stack, weight in (("main;tokio::run;tokio::park", 300), ("main;tokio::run;serde::write", 500), ("main;work", 50)):
        profile.sample(stack, weight)
    profile.write(path)
    window = open_window(path)
    window.wait_text("^3 samples$")
    window.click(window.find(name="Color by Module"))
    time.sleep(0.5)
    window.key("Down", "Down", "Down", "Return")

    def legend():
        return [node.name for node in window.all("label", ".", below=window.find("panel", "^Legend$"))]

    wait_for("packages", lambda: legend() == ["tokio", "Others", "serde"])

@scenario
def value_colors(open_window, scratch):
    """Boxes in the color of a formula's value, the legend and details that say it, and what stays when measure and direction
    change."""
    path = os.path.join(scratch, "values.pb.gz")
    profile = Profile(("alloc_objects", "count"), ("alloc_space", "bytes"))
    for stack, objects, space in (("main;small", 60, 480), ("main;large", 40, 320000), ("main;none", 0, 512)):
        profile.sample(stack, objects, space)
    profile.write(path)
    window = open_window(path)
    window.click(window.find(name="^Color by Module$"))
    time.sleep(0.5)
    window.key("Down", "Down", "Down", "Down", "Return")

    def legend():
        return [node.name for node in window.all("label", ".", below=window.find("panel", "^Legend$"))]

    caption = "Bytes per allocation, 3.13 KiB in all"
    wait_for("values", lambda: legend() == [caption, "≤ 802 B", "1.57 KiB", "3.13 KiB", "6.27 KiB", "≥ 12.5 KiB"])
    wait_details(window, "Bytes per allocation.3.13 KiB")
    search_for(window, "large")
    window.wait_text("^1 function")
    window.key("Return")
    wait_details(window, "^large.*Bytes per allocation.7.81 KiB")
    window.key("Escape")
    window.click(window.find(name="^Top Down$"))
    time.sleep(0.5)
    window.key("Down", "Return")
    wait_for("values bottom up", lambda: legend()[:1] == [caption])
    search_for(window, "small")
    window.wait_text("^1 function")
    window.key("Return")
    wait_details(window, "^small.*Bytes per allocation.8 B")
    window.key("Escape")
    window.click(window.find(name="^Bottom Up$"))
    time.sleep(0.5)
    window.key("Down", "Return")
    wait_details(window, "^small.*Bytes per allocation.8 B")
    wait_for("values of a sandwich", lambda: legend()[:1] == [caption])
    hover_half(window, "Callers", 0.5, 0.5)
    wait_details(window, "^main.*Bytes per allocation.8 B")
    window.click(window.find(name="^Color by Bytes per allocation$"))
    time.sleep(0.5)
    window.key("Home", "Return")
    wait_for("modules", lambda: legend() and caption not in legend())

def drag(window, x1, x2, y):
    """From one place of the window to another, with the left button."""
    window.move(x1, y)
    window.xdotool("mousedown", "1")
    window.move((x1 + x2) / 2, y)
    window.move(x2, y)
    window.xdotool("mouseup", "1")

@scenario
def tracks(open_window, scratch):
    """Threads over time: a range by pointer and by keys, which all views follow; the stack at a moment; the zoom; and CPUs."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    window.key("ctrl+5")
    wait_page(window, "Timeline")

    def wait_read(pattern):
        """What a screen reader says."""
        wait_for(pattern, lambda: any(re.search(pattern, name) for name in focused(window)))

    whole = "^102 ms, 156 samples, 1.54 CPUs in use$"
    window.wait_text(whole)
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = area.get_box()
    drag(window, left + width * 0.5, left + width * 0.75, top + 60)
    wait_chip(window, r"^[\d.]+–[\d.]+ ms$")
    window.wait_text(r"^[\d.]+ ms, \d+ samples, [\d.]+ CPUs in use$")
    shown = window.wait_text(r"^\d+ of 156 samples$")
    window.click(window.find("push button", "^Filters$"))
    window.find("menu item", "^Copy as Command$")
    window.key("m")
    wait_pasted(window, r"^profview --print=timeline --time=\S+ --sysroot=")
    # One end of it, to the right: more samples.
    drag(window, left + width * 0.75, left + width * 0.9, top + 60)
    wait_for("a longer range than " + shown, lambda: int(window.wait_text(r"^\d+ of 156 samples$").split()[0]) > int(shown.split()[0]))
    window.key("Escape")
    wait_for("no range", lambda: not chips(window))
    window.wait_text(whole)
    # All threads together, above them; a drag there is of a range too.
    window.move(left + width * 0.5, top + 40)
    wait_details(window, r"[\d.]+ ms · All threads · \d(\.\d+)? CPUs busy$")
    drag(window, left + width * 0.5, left + width * 0.75, top + 40)
    wait_chip(window, r"^[\d.]+–[\d.]+ ms$")
    window.key("Escape")
    wait_for("no range", lambda: not chips(window))
    # By keys: the first track and moment are read, and a range is marked from there on.
    window.key("Home")
    wait_read(r"^producer \(1837\), 0 ns, nearest sample at 2.00 ms, crunch$")
    wait_details(window, r"^crunch, .*← produce ← start_thread · producer \(1837\) · nearest sample at 2.00 ms$")
    window.key("Down")
    wait_read(r"^compute \(1839\), 0 ns, \S+$")
    wait_details(window, r"^crunch, .*← start_thread · compute \(1839\)$")
    # What the colors mean; Return on a moment lights its stack up.
    def legend():
        return [node.name for node in window.all("label", ".", below=list(window.all("panel", "^Legend$"))[-1])]

    wait_for("a legend", lambda: legend() == ["threads"])
    window.key("Return")
    wait_for("the function lit up", lambda: legend() == ["crunch (this call path)", "threads"])
    window.key("shift+Page_Down", "shift+Page_Down")
    wait_chip(window, r"^until 2\d(\.\d+)? ms$")
    window.key("Return")
    window.key("ctrl+Right")
    wait_chip(window, r"^1(\.\d+)?–2\d(\.\d+)? ms$")
    window.click(window.find("push button", "^Zoom to Range$"))
    window.find("push button", "^Reset Zoom$")
    window.key("Escape")
    wait_for("no range", lambda: not chips(window))
    window.click(window.find("push button", "^Reset Zoom$"))
    wait_for("everything", lambda: not [node for node in window.all("push button", "^Reset Zoom$") if node.has_state(Atspi.StateType.SHOWING)])
    window.key("ctrl+2")
    wait_details(window, "^(?!all)")
    window.key("ctrl+5")
    window.click(window.find("push button", "^CPUs$"))
    window.key("Tab", "Tab", "Tab", "Tab", "Home")  # past Heat Map, Phases and Ranges
    wait_read(r"^CPU 0, 0 ns, \S+$")

@scenario
def tracks_light(open_window, scratch):
    """What is lit over time: the place in the call tree that is selected, a function, and what a search finds."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    window.key("ctrl+5")
    wait_page(window, "Timeline")

    def wait_legend(*names):
        wait_for("a legend of %s" % (names,), lambda: [node.name for node in window.all("label", ".", below=list(window.all("panel", "^Legend$"))[-1])] == [*names, "threads"])

    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = window.box(area)
    window.click_at(left + width - 20, top + 300)
    window.key("Home", "Down", "Return")
    wait_legend("crunch (this call path)")
    search_for(window, "produce")
    wait_legend("crunch (this call path)", "produce")
    window.key("Escape")
    wait_legend("crunch (this call path)")
    # In the list it is the function, wherever it is called.
    window.key("ctrl+4")
    wait_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^produce$"))
    window.key("ctrl+5")
    wait_legend("produce")

@scenario
def waits(open_window, scratch):
    """Between its samples a thread waits: the line at the bottom, a screen reader and the strip say how."""
    window = open_window(*SYMBOLS, recording("kernel-fp.data"))
    window.wait_text("^56 samples$")
    window.key("ctrl+5")
    wait_page(window, "Timeline")
    # As --print=timeline has it for these threads.
    window.wait_text(r"^120 ms, 56 samples, 0\.78 CPUs in use, 236 ms waited$")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, height = area.get_box()
    row, plot = 26 + 30 + min(112, max(26, (height - 26 - 30) // 3)) / 2, left + 170

    def at(milliseconds):
        return plot + (width - 170) * milliseconds / 120.2
    window.move(at(50), top + row)
    wait_details(window, r"^Blocked for [\d.]+ ms in \S+, At.* producer")
    window.move(at(38), top + row)
    wait_details(window, r"^Preempted for [\d.]+ ms.*, At.* producer")
    # At the edge of a wait, what ran there.
    near = r"^(Preempted|Blocked) for .*, near crunch ← .*start_thread · producer"

    def is_at_edge():
        for tenths in range(300, 480, 4):
            window.move(at(tenths / 10), top + row)
            if any(re.search(near, text) for text in details(window)):
                return True
        return False
    wait_for("what runs beside a wait", is_at_edge)
    window.move(at(1.2), top + row)
    wait_details(window, r"^(?!Blocked|Preempted).*, At.* producer")
    legend = list(window.all("panel", "^Legend$"))[-1]
    wait_for("the colors of waits", lambda: [node.name for node in window.all("label", ".", below=legend)][-3:] ==
             ["Blocked", "Preempted", "Context switches"])
    # The same by keys: the reader hears of a wait on the way.
    window.key("Home")
    heard = []

    def hears():
        window.key("Right")
        heard.extend(name for name in focused(window) if re.search(r", (Blocked|Preempted) for [\d.]+ ms", name))
        return heard
    wait_for("a wait that is read", hears)

@scenario
def tracks_rows(open_window, scratch):
    """Rows are moved, hidden, pinned and searched by keys, pointer and menu: they are only not shown, until one is made the filter."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    window.key("ctrl+5")
    wait_page(window, "Timeline")
    whole = window.wait_text("^102 ms, 156 samples, 1.54 CPUs in use$")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = area.get_box()
    drag(window, left + width * 0.5, left + width * 0.75, top + 60)
    window.key("Escape")

    def wait_read(pattern):
        wait_for(pattern, lambda: any(re.search(pattern, name) for name in focused(window)))

    def check_rows(*names):
        """From the top, as they are read."""
        window.key("Home", *["Up"] * 4)
        for i, name in enumerate(names):
            wait_read("^" + name)
            window.key("Down")
        wait_read("^" + names[-1])

    def hidden():
        """The buttons that say so, from the top."""
        return sorted(window.all("push button", "hidden$"), key=lambda node: node.get_box()[1])

    check_rows("producer", "compute", "consumer")
    # The cursor goes with its row.
    window.key("alt+Up")
    wait_read("^consumer")
    check_rows("producer", "consumer", "compute")
    window.key("Delete")
    window.find("push button", "^1 row hidden$")
    check(window.wait_text("^102 ms") == whole, "hidden rows do not count")
    check_rows("producer", "consumer")
    window.click(window.find("push button", "^1 row hidden$"))
    wait_for("no button", lambda: not hidden())
    check_rows("producer", "consumer", "compute")
    # Pinned by a key, from the last to the first row, and unpinned by the menu.
    window.key("p")
    wait_read("^compute .*, pinned")
    check_rows("compute", "producer", "consumer")
    window.key("Home", *["Up"] * 4)
    window.key("Menu")
    wait_menu(window, "^Unpin Row$")
    window.key("p")
    wait_read(r"^compute \(1839\), 0 ns, (?!pinned)")
    check_rows("producer", "consumer", "compute")
    # By the pointer: the first row below the last.
    head = 26 + 30  # the ruler, and the row of all
    window.move(left + 40, top + head + 14)
    window.xdotool("mousedown", "1")
    window.move(left + 40, top + head + 112 * 1.5)
    window.move(left + 40, top + head + 112 * 2.6)
    window.xdotool("mouseup", "1")
    check_rows("consumer", "compute", "producer")
    # Search: the number of a thread.
    window.key("ctrl+shift+f")
    window.type("1838")
    window.find("push button", "^2 rows hidden$")
    window.key("Return")
    check_rows("consumer")
    window.key("ctrl+shift+f", "Escape")
    wait_for("no button", lambda: not hidden())
    check_rows("consumer", "compute", "producer")
    # The only filter: the view above shows as much.
    window.key("Home", *["Up"] * 4)
    window.key("Menu")
    wait_menu(window, "^Show Only This Thread$")
    window.key("o")
    wait_chip(window, "^consumer")
    window.wait_text(r"^\d+ of 156 samples$")
    check(not hidden(), hidden())
    # The strip has the same rows.
    window.key("alt+Left")
    window.wait_text("^156 samples$")
    window.key("Delete")
    window.find("push button", "^1 row hidden$")
    window.key("ctrl+3")
    wait_for("the strip", lambda: strip_of(window))
    wait_for("the strip's button", lambda: hidden() and hidden()[0].get_box()[1] < strip_of(window)[0].get_box()[1] + 30)
    window.click(hidden()[0])
    wait_for("no button", lambda: not hidden())

@scenario
def marks(open_window, scratch):
    """Tracepoints with their fields: another event, a filter, the order, a sum, and rows copied."""
    path = os.path.join(scratch, "perf.data")
    made = sched_file.Recording(["sched_switch", "sys_enter", "sys_exit"])
    machine = sched_file.Machine(made, "marks", n_threads=4)
    machine.run(800)
    machine.stop()
    made.write(path)
    results = [call[4] for call in machine.calls]
    window = open_window(path)
    window.key("ctrl+6")
    wait_page(window, "Marks")
    window.wait_text(r"^[\d,]+ marks$")
    window.find("label", "^prev_comm$")
    window.click(window.find("combo box", "^Event$"))
    window.key("Down", "Down", "Return")
    window.wait_text("^%d marks$" % len(results))
    wait_for("its fields", lambda: list(window.all("label", "^ret$")) and not list(window.all("label", "^prev_comm$")))
    # Its first number is the call; the second the result.
    window.click(window.find("combo box", "^Field to sum up$"))
    window.key("Down", "Return")

    def number(value):
        return ("−" if value < 0 else "") + "{:,}".format(abs(value))
    window.wait_text("^Sum %s, least %s, most %s$" % tuple(map(number, (sum(results), min(results), max(results)))))
    window.click(window.find("entry", "^Filter$"))
    window.type("RET=-11")
    failed = results.count(-11)
    window.wait_text("^%d of %d marks$" % (failed, len(results)))
    window.wait_text("^Sum %s, least −11, most −11$" % number(-11 * failed))
    window.key("ctrl+a", "Delete")
    window.wait_text("^%d marks$" % len(results))

    def shown():
        return [int(text) for text in column_of(window, "ret", r"^-?\d+$", "Marks")]
    window.click(find_cell(window, "Marks", "^ret$"))
    wait_for("the largest first", lambda: shown()[:3] == sorted(results, reverse=True)[:3])
    window.click(find_cell(window, "Marks", "^ret$"))
    wait_for("the smallest first", lambda: shown()[:3] == sorted(results)[:3])
    window.click(window.find("push button", "^Copy Rows$"))
    wait_pasted(window, r"^time_ns.thread.cpu.id.ret\s*\d+.worker-\d \(10\d\).\d.\d+.-11")
    window.click(window.find("push button", "^Filters$"))
    window.find("menu item", "^Copy as Command$")
    window.key("m")
    wait_pasted(window, r"^profview --print=marks --measure=raw_syscalls:sys_exit /")

@scenario
def marks_histogram(open_window, scratch):
    """How long system calls took, as bars; one that is chosen filters the rows, by keys and by the pointer."""
    path = os.path.join(scratch, "perf.data")
    made = sched_file.Recording(["sched_switch", "sys_enter", "sys_exit"])
    machine = sched_file.Machine(made, "marks", n_threads=4)
    machine.run(800)
    machine.stop()
    made.write(path)
    durations = [call[3] for call in machine.calls]
    bars = {}  # by the logarithm, as the command line has them
    window = open_window(path)
    for line in subprocess.check_output([window.program, "--print=syscalls", "--histogram", "--format=tsv", path], text=True).splitlines()[1:]:
        _, start, _, count, *_ = line.split("\t")
        exponent = int(start).bit_length() - 1
        bars[exponent] = bars.get(exponent, 0) + int(count)
    window.key("ctrl+6")
    wait_page(window, "Marks")
    window.wait_text(r"^[\d,]+ marks$")
    window.click(window.find("combo box", "^Event$"))
    window.key("Down", "Down", "Return")
    window.wait_text("^%d marks$" % len(durations))
    window.click(window.find("combo box", "^Field to sum up$"))
    window.key("Down", "Down", "Return")
    window.wait_text("^Sum .*s, least .*s, most .*s$")

    def read():
        """The number of marks of the bar that has the focus."""
        names = [re.search(r"^.*s to .*s, (\d+) marks?$", name) for name in focused(window)]
        return [int(name.group(1)) for name in names if name]
    area = window.find("panel", "^Histogram$")
    left, top, width, _ = window.box(area)
    window.click_at(left + width - 3, top + 50)  # beside the bars
    window.key("Home")
    found = []
    for exponent in range(min(bars), max(bars) + 1):
        wait_for("bar %d" % exponent, lambda: read() == [bars.get(exponent, 0)])
        found.append(read()[0])
        window.key("Right")
    check(sum(found) == len(durations), found)
    window.key("Home", "Return")
    window.wait_text("^%d of %d marks$" % (found[0], len(durations)))
    window.key("Escape")
    window.wait_text("^%d marks$" % len(durations))
    window.click_at(left + 20, top + 95)
    window.wait_text("^%d of %d marks$" % (found[0], len(durations)))
    window.click(window.find("push button", "^Filters$"))
    window.find("menu item", "^Copy as Command$")
    window.key("m")
    wait_pasted(window, r"^profview --print=syscalls --histogram .*/")

@scenario
def phases(open_window, scratch):
    """Stretches of time with like stacks: listed by a button, chosen by keys or pointer, and listed all when one is chosen."""
    path = os.path.join(scratch, "perf.data")
    with open(path, "wb") as file:
        file.writelines(perf_data([perf_sample(0x402000 if i < 1000 else 0x403000, 7, i * 1000000 + 1)
                                   for i in range(3000) if not 1000 <= i < 2000]))
    window = open_window(path)
    window.wait_text("^2,000 samples$")
    window.key("ctrl+5")
    wait_page(window, "Timeline")

    def listed():
        return [node.name for node in window.all("list item", "^(0x40[23]000|Idle), ")]
    window.click(window.find(name="^Phases$"))
    wait_for("three phases", lambda: [name.split(",")[0] for name in listed()] == ["0x402000", "Idle", "0x403000"])
    check(re.fullmatch(r"0x402000, until 1\.00 s, 0x402000 100\.0 % of .*", listed()[0]), listed()[0])
    check(re.fullmatch(r"Idle, 1\.00–\S+ s, no samples", listed()[1]), listed()[1])
    window.key("Down", "Down", "Return")
    wait_chip(window, r"^\S+–3\.00 s$|^from \S+ s$")
    window.wait_text("^1,000 of 2,000 samples$")
    # All of them again, the chosen one has the focus.
    window.click(window.find(name="^Phases$"))
    wait_for("the chosen phase", lambda: any(name.startswith("0x403000, ") for name in focused(window)))
    check(len(listed()) == 3, listed())
    window.key("Up", "Return")
    window.wait_text("^0 of 2,000 samples$")
    window.key("alt+Left", "alt+Left")
    window.wait_text("^2,000 samples$")

@scenario
def tracks_ranges(open_window, scratch):
    """Ranges of time are typed, and marked to come back to them by the ruler and by a list."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    window.key("ctrl+5")
    wait_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = window.box(area)
    window.click_at(left + width - 20, top + 300)

    def type_range(text):
        window.key("t")
        window.find("text", "^Time range$")
        window.key("ctrl+a")
        window.type(text)

    type_range("10-25ms")
    window.wait_text(r"^15\.0 ms, 27 samples, 1\.80 CPUs in use$")
    window.key("Return")
    wait_chip(window, "^10–25 ms$")
    window.wait_text("^27 of 156 samples$")
    # What is wrong is told, and selected by Return: what is typed then replaces it.
    type_range("40msec..80ms")
    window.wait_text("^“40msec”: not a time such as 1.5s or 20ms$")
    window.key("Return")
    window.type("40ms")
    window.wait_text(r"^40\.0 ms, 63 samples, 1\.58 CPUs in use$")
    window.key("Return")
    wait_chip(window, "^40–80 ms$")
    type_range("1s..")
    window.wait_text("^“1s..”: after the end of the recording$")
    window.key("Escape")
    wait_for("the popover to close", lambda: not list(window.all("text", "^Time range$")))
    # Two marks: this range, and the one before it.
    window.key("m")
    window.key("alt+Left")
    wait_chip(window, "^10–25 ms$")
    window.key("m")
    window.key("alt+Left")
    wait_for("no range", lambda: not chips(window))
    plot = left + 170, width - 170
    window.click_at(plot[0] + plot[1] * 60 / 102, top + 6)
    wait_chip(window, "^40–80 ms$")
    window.click_at(plot[0] + plot[1] * 15 / 102, top + 6)
    wait_chip(window, "^10–25 ms$")
    window.key("alt+Left")
    wait_chip(window, "^40–80 ms$")
    window.click(window.find("push button", "^Ranges…$"))
    window.find("push button", "^B: 10–25 ms, 15.0 ms, 27 samples, 1.80 CPUs in use$")
    for _ in range(4):  # the button Select, mark A, its removal, mark B
        window.key("Tab")
    wait_for("mark B", lambda: any(re.search("^B: ", name) for name in focused(window)))
    window.key("Return")
    wait_chip(window, "^10–25 ms$")
    window.key("t")
    window.find("push button", "^Remove Mark A$")
    window.key("Tab", "Tab", "Tab")
    wait_for("the button", lambda: "Remove Mark A" in focused(window))
    window.key("Return")
    wait_for("one mark", lambda: not list(window.all("push button", "^A: ")))
    window.find("push button", "^B: ")
    # It can be brought back, and be removed again.
    wait_for("the undo button", lambda: "Bring Back Mark A" in focused(window))
    window.key("Return")
    window.find("push button", "^Remove Mark A$")
    window.key("Tab", "Tab", "Tab")
    wait_for("the button", lambda: "Remove Mark A" in focused(window))
    window.key("Return")
    wait_for("the undo button", lambda: "Bring Back Mark A" in focused(window))
    window.key("Escape")
    wait_for("the popover to close", lambda: not list(window.all("text", "^Time range$")))
    # A click where no mark is any more.
    window.click_at(plot[0] + plot[1] * 60 / 102, top + 6)
    check(chips(window) == ["10–25 ms"], chips(window))
    # The strip has the same marks.
    window.key("ctrl+3")
    x, y, width, _ = window.box(wait_for("the strip", lambda: strip_of(window))[0])
    window.key("alt+Left")
    wait_chip(window, "^40–80 ms$")
    window.click_at(x + 170 + (width - 170) * 15 / 102, y + 6)
    wait_chip(window, "^10–25 ms$")

@scenario
def tracks_quality(open_window, scratch):
    """Where stacks are truncated, a row above the threads says so, and there how many; one that has only whole stacks has none."""
    window = open_window(*SYMBOLS, recording("signals-altstack-dwarf.data.zst"))
    window.wait_text("samples$")
    window.key("ctrl+5")
    wait_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = window.box(area)
    words = r"Stacks: ([\d,]+) complete, ([\d,]+) truncated, 0 unknown$"
    found = set()
    for part in (0.2, 0.4, 0.6, 0.8, 0.9):
        window.move(left + 170 + (width - 170) * part, top + 26 + 8)
        found.add(window.wait_text("^(Stacks: no samples here|%s)" % words))
    check(any(int(match.group(2)) > 0 for match in map(lambda text: re.search(words, text), found) if match), found)
    window.find("label", "^Truncated stacks$")
    check(not list(window.all("label", "^Stacks of unknown quality$")), "a class that there is not")
    # The strip says it too.
    window.key("ctrl+3")
    x, y, width, _ = window.box(wait_for("the strip", lambda: strip_of(window))[0])
    window.move(x + 170 + (width - 170) * 0.5, y + 26 + 8)
    window.wait_text("^Stacks: ")

@scenario
def tracks_lost(open_window, scratch):
    """Where events were lost, the row of quality says so, and how many; the cursor's description says it too."""
    path = os.path.join(scratch, "perf.data")
    made = sched_file.Recording(["sched_switch", "sched_waking"], freq=["sched_switch"])
    machine = sched_file.Machine(made, "lost", n_threads=4)
    machine.run(400)
    made.lost(1234, machine.time)  # in the middle
    machine.run(400)
    made.write(path)
    window = open_window(path)
    window.key("ctrl+5")
    wait_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = window.box(area)
    window.find("label", "^Lost events$")
    lost = []
    for i in range(40):
        x = left + 170 + (width - 170) * (0.45 + i * 0.0025)
        window.move(x, top + 26 + 8)
        if window.wait_text("^Stacks: ").endswith("; 1,234 events lost"):
            lost.append(x)
    check(0 < len(lost) < 20, lost)
    window.move(left + 170 + (width - 170) * 0.1, top + 26 + 8)
    window.wait_text("^Stacks: [^;]*$")

    # By keys the same is the description of where the cursor is, which appears at the pointer.
    def wait_described(pattern):
        wait_for(pattern, lambda: any(re.search(pattern, node.get_description()) for node in window.all(sized=False)
                                      if node.has_state(Atspi.StateType.FOCUSED)))
    window.click_at(left + 170 + (width - 170) * 0.1, top + 300)
    window.key("Right")
    wait_described("; Stacks: [^;]* unknown$")
    window.move(lost[len(lost) // 2], top + 300)
    window.key("Right")
    wait_described("; Stacks: .*; 1,234 events lost$")
    # The waits are not to be trusted either.
    window.key("ctrl+1")
    window.find("label", "^Only some context switches were recorded")

@scenario
def tracks_wakes(open_window, scratch):
    """Tracepoints are ticks that are named; a wait has an arrow from who ended it, whose stack a click, a key or the menu selects."""
    path = os.path.join(scratch, "perf.data")
    made = sched_file.Recording(["sched_switch", "sched_waking", "sys_enter", "sys_exit"])
    main, other = (sched_file.Thread(100, 100 + i, name) for i, name in enumerate(("waiter", "helper")))
    for thread in main, other:
        made.comm(thread.pid, thread.tid, thread.name)
    made.mmap(100, 0x400000, 0x100000, "/opt/samples/bin/program")
    ms = 1000000

    def sample(event, thread, at, fields, ips):
        made.sample(event, thread.pid, thread.tid, ms + at * ms, 0, made.common(event, thread.tid) + fields, ips)

    def switch(leaving, following, at, state, ips):
        sample("sched_switch", leaving, at, leaving.name.encode().ljust(16, b"\0") + made.pack("iiq", leaving.tid, 120, state)
               + following.name.encode().ljust(16, b"\0") + made.pack("ii", following.tid, 120), ips)
    for at in range(0, 10):
        sample("sys_enter", main, at, made.pack("q6Q", 39, *range(6)), [0x400100, 0x401000])
    switch(main, other, 20, 1, [0x400200, 0x401000])
    for at in range(21, 60):
        sample("sys_enter", other, at, made.pack("q6Q", 1, *range(6)), [0x400300, 0x401000])
    sample("sched_waking", other, 60, b"waiter".ljust(16, b"\0") + made.pack("iii", 100, 120, 0), [0x400400, 0x401000])
    switch(other, main, 80, 1, [0x400500, 0x401000])
    for at in range(81, 101):
        sample("sys_enter", main, at, made.pack("q6Q", 39, *range(6)), [0x400100, 0x401000])
    made.write(path)
    window = open_window("--measure=raw_syscalls:sys_enter", path)
    window.key("ctrl+5")
    wait_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = window.box(area)
    window.find("label", "^Tracepoints$")
    rows = top + 26 + 16 + 30  # the row of all is above them

    def x_of(ms):
        return left + 170 + (width - 170) * ms / 100
    # Below the row of quality: of the helper, who has most samples, and then of the waiter.
    window.move(x_of(60), rows + 3)
    wait_details(window, r"^sched:sched_waking at 60\.0 ms: .*comm=waiter, pid=100, prio=120, target_cpu=0")
    window.move(x_of(20), rows + 112 + 3)
    wait_details(window, r"^sched:sched_switch at 20\.0 ms: .*prev_comm=waiter, prev_pid=100, .*next_comm=helper")
    window.move(x_of(40), rows + 112 + 60)
    wait_details(window, r"^Blocked for 60\.0 ms \(S\) in program\+0x200, "
                 r"woken by helper \(101\) from program\+0x400, then queued for 20\.0 ms")

    def wait_selected(name):
        """What is selected has a color of its own in the legend."""
        wait_for(name, lambda: list(window.all("label", "^%s$" % re.escape(name))))
    # A click on the wait takes its nearest sample, and keeps the arrow; a click on that takes the waker.
    window.click_at(x_of(21), rows + 112 + 60)
    wait_selected("program+0x100")
    window.click_at(x_of(60), rows + 112)
    wait_selected("program+0x400")
    window.click_at(x_of(21), rows + 112 + 60)
    wait_selected("program+0x100")
    window.key("w")
    wait_selected("program+0x400")
    window.click_at(x_of(21), rows + 112 + 60)
    wait_selected("program+0x100")
    window.key("Right", "Menu")
    wait_menu(window, "^Select the Stack of the Waker$")
    window.key("w")
    wait_selected("program+0x400")
    leave_menu(window)
    # A tick has a stack too.
    window.click_at(x_of(20), rows + 112 + 3)
    wait_selected("program+0x200")

@scenario
def tracks_events(open_window, scratch):
    """Other events have rows above the threads, which a click, a key or the menu folds; each says how many samples it has."""
    window = open_window(*SYMBOLS, recording("events-fp.data"))
    window.key("ctrl+5")
    wait_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = window.box(area)
    events = top + 26  # all stacks are complete: there is no row of quality
    found = 0
    for i in range(50):
        window.move(left + 170 + (width - 170) * (i + 0.1) / 50, events + 20 + 11)
        match = re.match(r"page-faults:u: (\d+) samples?$", wait_for("a count", lambda: [
            node.name for node in window.all("label", "^page-faults:u: ")])[0])
        found += int(match.group(1)) > 0
    check(0 < found < 20, found)
    # The cursor's description has it too.
    window.click_at(left + 170 + (width - 170) * 0.5, top + 300)
    window.key("Home")

    def described():
        return [node.get_description() for node in window.all(sized=False) if node.has_state(Atspi.StateType.FOCUSED)]
    wait_for("events", lambda: any(re.search(r"page-faults:u: \d+ sample", text) for text in described()))

    def is_shown():
        window.move(left + 170 + (width - 170) * 0.3, events + 20 + 11)
        return bool(list(window.all("label", "^page-faults:u: ")))
    check(is_shown(), "unfolded")
    window.click_at(left + 40, events + 10)
    wait_for("folded", lambda: not is_shown())
    window.key("e")
    wait_for("unfolded", is_shown)
    window.click_at(left + 170 + (width - 170) * 0.5, top + 300)
    window.key("Home", "Menu")
    wait_menu(window, "^Fold Other Events$")
    window.key("v")
    wait_for("folded again", lambda: not is_shown())
    window.key("e")
    wait_for("unfolded again", is_shown)

def write_counters(path, n_counters=2):
    """Two threads for a second, memory that goes up to 4 MiB and down again, and what was sent."""
    ms = [10 * i for i in range(101)]
    changes = [0] + [(1 << 20) // 12] * 50 + [-(1 << 20) // 20] * 50
    counters = [{"name": "malloc", "category": "Memory", "description": "", "pid": "7", "mainThreadIndex": 0,
                 "samples": {"time": ms, "count": changes, "length": 101}}]
    counters += [{"name": "sent %d" % i, "category": "Bandwidth", "description": "", "pid": "7", "mainThreadIndex": 0,
                  "samples": {"time": ms, "count": [0] + [2048 * (i % 3) for i in range(100)], "length": 101}} for i in range(1, n_counters)]
    threads = [{"name": name, "pid": "7", "tid": tid, "processName": "shop", "registerTime": 0, "samples": {
        "stack": [0] * 101, "time": ms, "weight": None, "length": 101}} for name, tid in (("GeckoMain", 7), ("worker", 8))]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"meta": {"preprocessedProfileVersion": 61, "interval": 10, "startTime": 0, "product": "Firefox", "categories": []},
                   "libs": [], "threads": threads, "counters": counters, "shared": {
                       "stackTable": {"frame": [0], "prefix": [None]}, "frameTable": {"func": [0], "address": [-1]},
                       "funcTable": {"name": [0], "resource": [-1]}, "resourceTable": {}, "stringArray": ["serve"]}}, file)


@scenario
def counters(open_window, scratch):
    """Counters of a Firefox profile are below the threads: the value at the pointer, which the cursor's description has too; a
    range by dragging on one; and the CPU view and the zoom, where they stay. Many of them scroll."""
    path = os.path.join(scratch, "counters.json")
    write_counters(path)
    window = open_window(path)
    window.wait_text("^202 samples$")
    window.key("ctrl+5")
    wait_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, height = window.box(area)

    def place(row):
        """The middle of a counter's row: two threads of the height that is left to them are above."""
        rows = top + 26 + 16 + 30  # the ruler, the quality, all threads
        tracks = min(112, (top + height - rows - 20 - 2 * 42) // 2)
        return rows + 2 * tracks + 20 + (row + 0.5) * 42

    def value(pattern, share, row):
        window.move(left + 170 + (width - 170) * share + 3, place(row))
        window.move(left + 170 + (width - 170) * share, place(row))
        return wait_for(pattern, lambda: [match for match in (re.match(pattern, node.name) for node in window.all("label")) if match])[0]

    memory = r"([\d.]+ m?s) · Memory · malloc: \+([\d.]+) MiB$"
    levels = [float(value(memory, share, 0)[2]) for share in (0.25, 0.5, 0.75)]
    check(levels[0] < levels[1] > levels[2] and 4 < levels[1] <= 4.17 and 2 < levels[0] < 2.2, levels)
    value(r"[\d.]+ m?s · Bandwidth · sent 1: ([24].00 KiB|0 B)$", 0.4, 1)
    # A drag on it is of a range.
    drag(window, left + 170 + (width - 170) * 0.25, left + 170 + (width - 170) * 0.5, place(0))
    wait_chip(window, r"^2\d\d–(49|50)\d ms$")
    window.wait_text(r"^5\d of 202 samples$")
    window.click(window.find("push button", "^Zoom to Range$"))
    window.find("push button", "^Reset Zoom$")
    check(2 < float(value(memory, 0.02, 0)[2]) < 2.3, "zoomed")
    check(4 < float(value(memory, 0.98, 0)[2]) < 4.2, "zoomed")
    window.key("Escape", "Escape")
    wait_for("no range", lambda: not chips(window))
    # The cursor's description has all that are in view.
    window.click_at(left + 170 + (width - 170) * 0.5, top + 80)
    window.key("Home")

    def described():
        return [node.get_description() for node in window.all(sized=False) if node.has_state(Atspi.StateType.FOCUSED)]
    wait_for("counters", lambda: any(re.search(r"Memory · malloc: 0 B, Bandwidth · sent 1: 0 B$", text) for text in described()))

def write_capture(path, n_counters):
    """Sysprof: samples on two processors for a second, and how busy many were, one more than the other."""
    data = bytearray(bytes([0x5e, 0x97, 0xca, 0xfd, 1, 1, 0, 0]) + b"2026-11-22T09:20:58Z".ljust(64, b"\0") + struct.pack("<q", 1000)).ljust(256, b"\0")

    def add(kind, cpu, pid, time_ns, body):
        body += bytes(-len(body) % 8)
        data.extend(struct.pack("<HhiqB7x", 24 + len(body), cpu, pid, time_ns, kind) + body)

    for i in range(n_counters):
        add(8, -1, -1, 1000, struct.pack("<H6x32s32s52sIQ", 1, b"CPU Percent", b"Total CPU %d" % i, b"", (i + 1) | 1 << 24, 0))
    for ms in range(0, 1001, 10):
        add(2, ms // 10 % 2, 7, 1000000 + ms * 1000000, struct.pack("<HHiQ", 1, 0, 7, 0x401000))
        for i in range(n_counters):
            add(9, -1, -1, 1000000 + ms * 1000000, struct.pack("<H6x8Id7q", 1, i + 1, *[0] * 7, i + ms / 20, *[0] * 7))
    with open(path, "wb") as file:
        file.write(data)


@scenario
def counters_of_many_cpus(open_window, scratch):
    """More counters than there is room for, of a Sysprof capture: they scroll with the rows, of threads as of CPUs."""
    path = os.path.join(scratch, "cpus.syscap")
    write_capture(path, 40)
    window = open_window(path)
    window.wait_text("^101 samples$")
    window.key("ctrl+5")
    wait_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]

    def check_last():
        left, top, width, height = window.box(area)
        window.move(left + 40, top + height / 2)
        for _ in range(40):
            window.xdotool("click", "5")

        def is_last():
            for x in 3, 0:
                window.move(left + 170 + (width - 170) * 0.4 + x, top + height - 10)
            return list(window.all("label", r"^(39\d|40\d) ms · CPU Percent · Total CPU 39: (58|59|60)\.\d %$"))
        wait_for("the last counter", is_last)
    check_last()
    window.click(list(window.all("push button", "^CPUs$"))[-1])  # the first chooses samples
    check_last()


def rows_of(path):
    """Names of the rows of an exported time line, and the sum of their amounts in ms."""
    with open(path, encoding="utf-8") as file:
        found = re.findall(r"<title>(.*)\n[\d.]+ % \(([\d.]+) ms\)</title>", file.read())
    return [name for name, _ in found], sum(float(amount) for _, amount in found)

@scenario
def tracks_export(open_window, scratch):
    """The picture of the Timeline has what is shown: threads or CPUs, and the times zoomed to."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    window.key("ctrl+5")
    wait_page(window, "Timeline")
    window.wait_text("^102 ms, 156 samples, 1.54 CPUs in use$")

    def export(name):
        path = os.path.join(scratch, name)
        window.key("ctrl+e")
        choose_path(window, path, is_new=True)
        window.wait_text("^The picture was saved as “%s”$" % re.escape(name))
        return path

    names, amount = rows_of(export("threads.svg"))
    check(sorted(names) == ["compute (1839)", "consumer (1838)", "producer (1837)"], names)
    check(abs(amount - 156) < 0.5, amount)
    window.click(window.find("push button", "^CPUs$"))
    window.key("Tab", "Tab", "Tab", "Tab", "Home", "plus", "plus", "plus", "plus")  # past Heat Map, Phases and Ranges
    window.find("push button", "^Reset Zoom$")
    names, amount = rows_of(export("cpus.svg"))
    check(names == ["CPU 0", "CPU 1"] and 0 < amount < 100, names, amount)
    with open(export("cpus.png"), "rb") as file:
        check(file.read(4) == b"\x89PNG", "a PNG")
    # Other pages export what they show.
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    with open(export("flame.svg"), encoding="utf-8") as file:
        check("crunch\n" in file.read(), "a flame graph")

def wait_chart(window, pattern):
    """The place of the flame chart whose bar says this: a duration and how many samples are in view."""
    window.wait_text(pattern)
    return window.box(wait_for("a flame chart", lambda: [node for node in window.all("panel", "^Flame chart$")
                                                         if node.get_box()[3] > 100])[-1])


@scenario
def flame_chart(open_window, scratch):
    """One thread over time: zoom, selection, search, keys and transforms as in the flame graph; other threads; its picture."""
    window = open_window(*SYMBOLS, recording("spawner-fp.data"))
    window.wait_text("^269 samples$")
    window.click(window.find("push button", "^Flame chart"))
    x, y, width, _ = wait_chart(window, r"^270 ms, 183 samples$")
    wait_details(window, r"^spawner \(6107\), Duration\s270 ms.*From\s0 ns.*183 samples")

    def at(share, level, act=window.move):
        act(x + width * share, y + (level + 0.5) * ROW)

    # The first 100 ms are one box.
    at(0.1, 2)
    wait_details(window, r"^toil, Duration\s100 ms.*From\s0 ns.*97 samples, spawner")
    at(0.1, 2, window.click_at)
    wait_chart(window, r"^100 ms, 97 samples$")
    window.key("Escape")
    wait_chart(window, r"^270 ms, 183 samples$")
    # Each is a step of the history.
    window.key("alt+Left")
    wait_chart(window, r"^100 ms, 97 samples$")
    window.key("alt+Left")
    wait_chart(window, r"^270 ms, 183 samples$")
    window.key("alt+Right")
    wait_chart(window, r"^100 ms, 97 samples$")
    window.key("Escape")
    wait_chart(window, r"^270 ms, 183 samples$")
    # What is selected is the same function elsewhere.
    window.key("ctrl+4")
    wait_page(window, "Functions")
    wait_for("the function", lambda: any(row.has_state(Atspi.StateType.SELECTED) and row.name.startswith("toil")
                                         for row in window.all("table row")))
    window.key("ctrl+2")
    # The next box by a key, then in: a stretch between two pauses.
    window.key("Right")
    wait_details(window, r"^toil, Duration\s4\.\d+ ms.*From\s104 ms.*\d samples")
    window.key("Return")
    wait_chart(window, r"^4\.\d+ ms, \d samples$")
    window.key("shift+Right", "shift+Right", "shift+Right")
    window.wait_text(r"^4\.\d+ ms, [0-4] samples?$")
    window.key("Escape")
    wait_chart(window, r"^270 ms, 183 samples$")
    # By the wheel, down to single samples.
    at(0.1, 2)
    window.xdotool("keydown", "ctrl", "click", "--repeat", "30", "--delay", "30", "4", "keyup", "ctrl")
    window.wait_text(r"^[\d.]+ (µs|ms), [01] samples?$")
    window.key("Escape")
    wait_chart(window, r"^270 ms, 183 samples$")
    # Search.
    search_for(window, "toil")
    window.wait_text(r"^1 function, [\d.]+ %$")
    window.key("Return")
    wait_details(window, r"^toil, Duration")
    window.key("ctrl+a", "BackSpace", "Escape")
    # A transform: nothing is left of this thread but another one.
    at(0.1, 2, window.click_at)
    wait_chart(window, r"^100 ms, 97 samples$")
    window.key("i")
    wait_chip(window, "toil")
    wait_details(window, r"^(?!toil)")
    window.key("alt+Left")
    wait_for("no chip", lambda: not chips(window))
    window.key("Escape")
    wait_chart(window, r"^270 ms, 183 samples$")
    # Another thread.
    window.click(window.find("push button", "^Thread$"))
    window.key("Down", "Return")
    window.wait_text(r"^[\d.]+ ms, (?!183)\d+ samples$")
    window.wait_text(r"^\w+( · \w+)? \((?!6107)\d+\)\s[\d.]+ %$")
    # The picture.
    path = os.path.join(scratch, "chart.svg")
    window.key("ctrl+e")
    choose_path(window, path, is_new=True)
    window.wait_text("^The picture was saved as “chart.svg”$")
    with open(path, encoding="utf-8") as file:
        check(re.search(r", from [\d.]+ \w+ on", file.read()), "a flame chart")
    # A sandwich leads out of it, and it leads out of a sandwich.
    choose = window.find("push button", "^Flame chart")
    window.click(choose)
    wait_details(window, r", Self\s")
    window.click(choose)
    wait_details(window, r", Duration\s")


@scenario
def no_flame_chart(open_window, scratch):
    """Where samples have no times, the button says so."""
    window = open_window(os.path.join(DATA, "pprof", "go-cpu.pb.gz"))
    window.find("panel", "^Flame graph$")
    button = window.find("push button", "^Flame chart")
    wait_for("insensitive", lambda: not button.has_state(Atspi.StateType.SENSITIVE))
    x, y, width, height = button.get_box()
    window.move(x + width / 2, y + height / 2)
    window.wait_text("^No flame chart: this profile does not say when its samples were taken$")


@scenario
def heat_map(open_window, scratch):
    """Each second a column: a cell, or several, are a range for all pages, by pointer and by keys."""
    window = open_window(*SYMBOLS, recording("threads-fp.data"))
    window.wait_text("^585 samples$")
    window.key("ctrl+5")
    wait_page(window, "Timeline")
    window.click(window.find("push button", "^Heat Map$"))
    window.wait_text("^A column is 100 ms, from the bottom up; ")
    wait_for("a legend", lambda: {"Nothing", "Up to 1.00 ms", "Up to 2.00 ms", "Up to 3.00 ms"} <= set(window.texts()))
    area = wait_for("a heat map", lambda: [node for node in window.all("panel", "^Heat map$") if node.get_box()[3] > 200])[0]
    x, y, width, height = window.box(area)
    # Columns are 48 wide, right of the axis and below the ruler.
    left, top, step = x + 64, y + 26, (height - 28) / 50

    def at(column, row):
        return left + (column + 0.5) * 48, top + (49.5 - row) * step

    window.move(*at(2, 10))
    wait_details(window, r"^0\.220–0\.222 s, ")
    window.click_at(*at(2, 10))
    wait_chip(window, r"^220–222 ms$")
    window.wait_text(r"^\d+ of 585 samples$")
    # A drag over a column and on: all between the two in time.
    window.move(*at(1, 0))
    window.xdotool("mousedown", "1")
    window.move(*at(2, 20))
    window.move(*at(3, 49))
    window.xdotool("mouseup", "1")
    wait_chip(window, r"^100–400 ms$")
    shown = window.wait_text(r"^\d+ of 585 samples$")
    window.wait_text("^300 ms, %s samples$" % shown.split()[0])
    # Other pages have that range; back.
    window.key("ctrl+4")
    wait_page(window, "Functions")
    window.find(name="^%s$" % shown)
    window.key("ctrl+5")
    wait_page(window, "Timeline")
    window.click_at(*at(2, 10))
    wait_chip(window, r"^220–222 ms$")
    window.key("alt+Left")
    wait_chip(window, r"^100–400 ms$")
    # Keys: the cell with the cursor is read.
    window.key("Escape")
    wait_for("no range", lambda: not chips(window))
    window.key("Home", "Right", "Up")
    wait_for("what is read", lambda: any(re.search(r"^0\.102–0\.104 s, ", name) for name in focused(window)))
    window.key("Return")
    wait_chip(window, r"^102–104 ms$")
    window.key("shift+Right")
    wait_chip(window, r"^102–204 ms$")
    # Filters are in it: less is left.
    window.key("Escape")
    path = os.path.join(scratch, "heat.svg")
    window.key("ctrl+e")
    choose_path(window, path, is_new=True)
    window.wait_text("^The picture was saved as “heat.svg”$")
    with open(path, encoding="utf-8") as file:
        cells = re.findall(r"<title>[\d.]+–[\d.]+ s\n([\d.]+) ms</title>", file.read())
    check(abs(sum(map(float, cells)) - 586) < 3, "the sum of cells", sum(map(float, cells)))
    window.click(list(window.all("push button", "^Threads$"))[-1])  # the first one is of the filters
    wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])


def strip_of(window):
    return [node for node in window.all("panel", "^Time line$") if node.get_box()[3] > 0]

@scenario
def strip(open_window, scratch):
    """The time line above the pages: a range by the pointer, the function at a moment; folded away for all documents."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    (x, y, width, height) = wait_for("a time line", lambda: strip_of(window))[0].get_box()
    check(height > 60, height)
    window.move(x + width * 0.4, y + 70)
    window.wait_text(r"^[\d.]+ ms · \w+ \(\d+\) · (nearest sample at [\d.]+ ms · )?\w+ ← (\w+ ← )*start_thread$")
    window.move(x + width * 0.4, y + 40)
    window.wait_text(r"^[\d.]+ ms · All threads · \d(\.\d+)? CPUs busy$")
    window.move(x + width * 0.4, y + 70)
    window.xdotool("click", "1")
    wait_details(window, "^(?!all)")
    drag(window, x + width * 0.5, x + width * 0.75, y + 70)
    wait_chip(window, r"^[\d.]+–[\d.]+ ms$")
    window.wait_text(r"^\d+ of 156 samples$")
    window.key("alt+Left")
    window.wait_text("^156 samples$")
    # The page that shows the same has none above it.
    window.key("ctrl+5")
    wait_page(window, "Timeline")
    wait_for("no strip", lambda: not strip_of(window))
    window.key("ctrl+3")
    wait_for("the strip", lambda: strip_of(window))
    window.key("F9")
    wait_for("no strip", lambda: not strip_of(window))
    window.key("ctrl+2", "F9")
    wait_for("the strip", lambda: strip_of(window))
    window.click(window.find("push button", "^Hide the Time Line$"))
    wait_for("no strip", lambda: not strip_of(window))
    subprocess.run([window.program, recording("inlining-fp.data")], check=True, timeout=20)
    window.wait_text("^1,155 samples$")
    check(not strip_of(window), "a strip")

@scenario
def call_tree(open_window, scratch):
    window = open_sample(open_window)

    def names(pattern="."):
        return column_of(window, "Function", pattern, "Call tree")

    click_row(window, 3)
    wait_details(window, r"^geometry::centre")
    window.key("ctrl+3")
    wait_page(window, "Call Tree")
    window.click(find_cell(window, "Call tree", "^main$"))
    wait_for("an open row", lambda: len(names(r"^geometry::")) > 1)
    window.key("Left")
    wait_for("a closed row", lambda: not names(r"^geometry::"))
    window.key("Right")
    wait_for("an open row", lambda: len(names(r"^geometry::")) > 1)
    # The focus goes along with the selection: down is one below what Right went to.
    window.key("Right", "Down", "ctrl+4")
    window.find("label", r"^geometry::Cloud::weigh\(")  # heads its callers and callees
    window.key("ctrl+3")
    wait_page(window, "Call Tree")
    window.click(window.find("push button", "^Bottom Up$"))
    window.wait_text("^Functions by self cost")
    wait_for("the bottom-up roots", lambda: names()[:1] == ["geometry::Vec::operator*"])
    window.click(find_cell(window, "Call tree", r"^geometry::Vec::operator\*$"))
    window.key("Right")
    wait_for("callers", lambda: any(re.match("geometry::Refine.*::apply", n) for n in names()[1:3]))


def write_many_stacks(path):
    """So many distinct stacks that only what can be seen of the tree is built."""
    profile = Profile(("cpu", "nanoseconds"))
    samples = []
    for i in range(17_700):
        names = ["f%04d" % ((i * 7919 + depth * (i // 7 + 104_729)) % 4999) for depth in range(60)] + ["leaf%d" % i]
        samples.append(message(2, packed(1, [profile.function(n) for n in reversed(names)]) + packed(2, [100])))
    profile.body += b"".join(samples)
    profile.sample("main;work;hot", 3_000_000)
    profile.write(path)


@scenario
def many_stacks(open_window, scratch):
    path = os.path.join(scratch, "many.pb.gz")
    write_many_stacks(path)
    window = open_window(path)
    window.wait_text("^17,701 samples$")

    def names(pattern="."):
        return column_of(window, "Function", pattern, "Call tree")

    window.key("ctrl+3")
    wait_page(window, "Call Tree")
    find_cell(window, "Call tree", "^hot$")
    # Level by level: each function is called by three or four others, all too small to be shown.
    name = names(r"^f\d+$")[0]
    window.click(find_cell(window, "Call tree", "^%s$" % name))
    window.key("Right")
    wait_for("the folded callees", lambda: names("small functions?$"))
    few = len(names(r"^f\d+$"))
    window.key("Down", "Right")
    wait_for("no folded callees", lambda: not names("^[34] small functions$"))
    check(names(r"^f\d+$").index(name) + 3 < len(names(r"^f\d+$")), names())
    check(few > 0)
    # A function that is too small everywhere is shown once it is selected.
    search_expression(window, "^leaf4711$")
    window.wait_text(r"^1 function, ")
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^leaf4711$"))
    window.find("label", "^Called by$")
    window.key("ctrl+3")
    find_cell(window, "Call tree", "^leaf4711$")
    # The same in the flame graph: a double click zooms to it.
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^leaf4711$"), repeat=2)
    wait_page(window, "Flame Graph")
    wait_for("the path to it", lambda: crumbs(window)[-1:] == ["leaf4711"])
    # And as the next match of a search.
    search_expression(window, "^leaf815$")
    window.wait_text(r"^1 function, ")
    window.key("Return", "ctrl+3")
    find_cell(window, "Call tree", "^leaf815$")


@scenario
def filters_by_hand(open_window, scratch):
    window = open_sample(open_window)
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^geometry::Vec::dot$"))
    window.key("f")
    window.wait_text("^280 of 1,155 samples$")
    check(chips(window) == ["Focus: geometry::Vec::dot(geometry::Vec const&) const"], chips(window))
    check("main" in column_of(window, "Function", "^main$", "Functions"))
    # The module of a row, by its menu.
    window.click(find_cell(window, "Functions", "^main$"), button=3)
    window.find("menu item", "^Module “inlining”$")
    window.key("m")
    time.sleep(0.5)  # while the menu slides, both have the letter
    window.key("h")
    wait_for("only libraries", lambda: not column_of(window, "Function", "^main$", "Functions"))
    check(chips(window)[1:] == ["Hide: inlining"], chips(window))
    # Undo and redo.
    window.key("z")
    wait_for("the program again", lambda: column_of(window, "Function", "^main$", "Functions"))
    window.key("z")
    window.wait_text("^1,155 samples$")
    window.key("shift+z")
    window.wait_text("^280 of 1,155 samples$")
    check(len(chips(window)) == 1, chips(window))
    # In the flame graph, and with the chip's own button.
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    window.key("Down", "Down", "i")
    wait_for("another chip", lambda: len(chips(window)) == 2)
    window.wait_text("^77 of 1,155 samples$")
    window.click(window.find("push button", "^Remove “Ignore: "))
    window.wait_text("^280 of 1,155 samples$")
    # What is shown, as a command.
    window.click(window.find("push button", "^Filters$"))
    window.find("menu item", "^Copy as Command$")
    window.key("m")
    wait_pasted(window, r"^profview --print=tree '--focus=function:\^geometry.* --sysroot=\S+ --symbol-path=\S+ /\S+/inlining-fp.data$")
    leave_menu(window)
    window.click(window.find("push button", "^Filters$"))
    window.find("menu item", "^Clear All Filters$")
    window.key("c")
    window.wait_text("^1,155 samples$")
    check(chips(window) == [])


@scenario
def asked_at_start(open_window, scratch):
    """The command line asks a query of the window: with the first trees, and of a tab that is open."""
    window = open_window(*SYMBOLS, "--focus=function:^geometry::Vec::dot", "--hide=module:^libc", "--invert",
                         recording("inlining-fp.data"))
    window.wait_text("^280 of 1,155 samples$")
    check(len(chips(window)) == 2 and chips(window)[0].startswith("Focus: function:^geometry::Vec::dot"), chips(window))
    window.find("combo box", "^Direction of the stacks$")
    window.find("label", "^Bottom Up$")

    def ask(*options):
        subprocess.run([window.program, *SYMBOLS, *options, recording("inlining-fp.data")], check=True, timeout=20)

    ask("--ignore=^geometry::Vec::dot")
    window.wait_text("^875 of 1,155 samples$")
    window.find("label", "^Top Down$")
    check(len(chips(window)) == 1, chips(window))
    window.key("alt+Left")
    window.wait_text("^280 of 1,155 samples$")
    window.find("label", "^Bottom Up$")
    ask("--thread=nobody")
    window.wait_text("^Not filtered: no thread is called “nobody”$")
    window.wait_text("^280 of 1,155 samples$")


@scenario
def editing_filters(open_window, scratch):
    """A chip is edited, switched off, moved and removed; each of that is undone."""
    window = open_window(*SYMBOLS, "--focus=function:^geometry::Vec::dot", "--hide=module:^libc",
                         recording("inlining-fp.data"))
    window.wait_text("^280 of 1,155 samples$")
    window.click(window.find("push button", "^Focus: "))
    window.find("text", "^Regular expression$")
    window.wait_text("^Matches [12] functions?$")
    window.key("ctrl+a")
    window.type("geometry::(")
    window.wait_text("is invalid at byte [0-9]+: missing closing parenthesis$")
    window.key("Return")
    window.key("BackSpace")
    window.wait_text(r"^Matches \d\d functions$")
    window.key("Return")
    window.wait_text(r"^1,122 of 1,155 samples$")
    check(chips(window) == ["Focus: geometry::", "Hide: module:^libc"], chips(window))
    # Off and on.
    window.click(window.find("push button", "^Focus: "))
    wait_focus(window, "text")
    window.key("shift+Tab", "space")
    window.wait_text("^1,151 of 1,155 samples$")
    window.key("Escape")
    window.find("panel", "^Focus: geometry::, off$")
    # Moved and removed by keys.
    wait_for("the focus on the chip", lambda: focused(window) == ["Focus: geometry::"])
    window.key("ctrl+Right")
    wait_for("another order", lambda: chips(window) == ["Hide: module:^libc", "Focus: geometry::"])
    window.key("Delete")
    wait_for("one chip", lambda: chips(window) == ["Hide: module:^libc"])
    window.key("alt+Left", "alt+Left")
    wait_for("the first order", lambda: chips(window) == ["Focus: geometry::", "Hide: module:^libc"])
    window.key("alt+Left")
    window.wait_text(r"^1,122 of 1,155 samples$")
    window.key("alt+Left")
    window.wait_text("^280 of 1,155 samples$")
    # My code by the usual rule, then by one's own.
    remove_chip(window, "Hide")
    remove_chip(window, "Focus")
    click_row(window, 1)
    window.key("m")
    wait_for("my code", lambda: chips(window) == ["My code"])
    window.wait_text(r"^1,1\d\d of 1,155 samples$")
    window.click(window.find("push button", "^My code$"))
    window.wait_text(r"^Matches \d+ functions$")
    window.type("geometry::Vec")
    window.key("Return")
    wait_for("a rule of one's own", lambda: chips(window) == ["My code: geometry::Vec"])
    window.key("alt+Left", "alt+Left")
    window.wait_text("^1,155 samples$")


@scenario
def saving_filters(open_window, scratch):
    """Filters get a name, and are used in another profile."""
    window = open_window(*SYMBOLS, "--focus=function:^geometry::Vec::dot", "--collapse-recursion",
                         recording("inlining-fp.data"))
    window.wait_text("^280 of 1,155 samples$")
    window.click(window.find("push button", "^Filters$"))
    wait_menu(window, "Save Filters…")
    window.key("v")
    window.wait_text("^Save Filters$")
    window.type("vectors")
    window.key("Return")
    window.wait_no_text("^Save Filters$")
    subprocess.run([window.program, *SYMBOLS, recording("recursion-fp.data")], check=True, timeout=20)
    wait_for("the second tab", lambda: title_of(window) == "recursion-fp.data")
    window.wait_text(r"^[\d,]+ samples$")
    window.key("ctrl+Page_Up", "ctrl+w")
    wait_for("no chips", lambda: not chips(window))
    leave_menu(window)
    window.click(window.find("push button", "^Filters$"))
    wait_menu(window, "Saved Filters")
    window.key("f", "Down", "Return")
    wait_for("the saved filters",
             lambda: chips(window) == ["Focus: function:^geometry::Vec::dot", "Recursion collapsed"])
    window.wait_text(r"^0 of [\d,]+ samples$")
    window.key("alt+Left")
    wait_for("no filters", lambda: not chips(window))
    leave_menu(window)
    window.click(window.find("push button", "^Filters$"))
    wait_menu(window, "Delete Saved Filters")
    window.key("l", "Down", "Return")
    window.wait_no_text("^Delete Saved Filters$")
    leave_menu(window)
    window.click(window.find("push button", "^Filters$"))
    wait_menu(window, "Collapse Recursion")
    check(not list(window.all("menu item", "^Saved Filters$")), "it is deleted")
    window.key("Escape")


def tab_on_to(window, name):
    for _ in range(12):
        if any(re.search(name, text) for text in focused(window)):
            return
        window.key("shift+Tab")
        time.sleep(0.2)
    check(False, "no way to", name, focused(window))


@scenario
def without_a_mouse(open_window, scratch):
    """Open, find the hottest function, focus on it, read its callers, choose one thread, undo, export."""
    window = open_window(*SYMBOLS)
    window.wait_text("^Open a Profile$")
    window.key("ctrl+o")
    choose_path(window, recording("threads-fp.data"))
    whole = window.wait_text(r"^[\d,]+ samples$")
    window.key("ctrl+4")
    wait_page(window, "Functions")
    hottest = wait_for("functions", lambda: column_of(window, "Function", "^[a-z_]+$"))[0]
    window.key("Down", "Home")
    wait_focus(window, "table row")
    wait_for("its callers", lambda: column_of(window, "Called by", ".", "Callers"))
    window.key("f")
    wait_for("the focus on " + hottest, lambda: chips(window) == ["Focus: " + hottest])
    window.wait_text(r"^[\d,]+ of %s$" % whole)
    callers = wait_for("its callers", lambda: column_of(window, "Called by", ".", "Callers"))
    check(callers[1:], callers)  # the title and at least one
    focused_text = window.wait_text(r"^[\d,]+ of %s$" % whole)
    tab_on_to(window, "^Threads")
    window.key("Return")
    window.find("list item", "%, shown$")
    window.key("Tab", "ctrl+Return")
    wait_for("one thread", lambda: len(chips(window)) == 2)
    window.key("Escape", "alt+Left")
    wait_for("all threads", lambda: chips(window) == ["Focus: " + hottest])
    window.wait_text("^%s$" % re.escape(focused_text))
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    path = os.path.join(scratch, "hottest.svg")
    window.key("ctrl+e")
    choose_path(window, path, is_new=True)
    window.wait_text("^The picture was saved as “hottest.svg”$")
    with open(path) as file:
        check(hottest in file.read(), "the picture has", hottest)


@scenario
def tabs(open_window, scratch):
    window = open_sample(open_window)
    check(title_of(window) == "inlining-fp.data", title_of(window))
    # A second start hands its file to the window that is there.
    subprocess.run([window.program, *SYMBOLS, recording("recursion-fp.data")], check=True, timeout=20)
    wait_for("the second tab", lambda: title_of(window) == "recursion-fp.data")
    window.key("ctrl+Page_Up")
    wait_for("the first tab", lambda: title_of(window) == "inlining-fp.data")
    # A file that is open already is not opened twice.
    subprocess.run([window.program, recording("recursion-fp.data")], check=True, timeout=20)
    wait_for("the second tab", lambda: title_of(window) == "recursion-fp.data")
    window.key("ctrl+w")
    wait_for("the first tab", lambda: title_of(window) == "inlining-fp.data")
    window.key("ctrl+w")
    window.wait_text("^Open a Profile$")
    # Both are in the list of recent files now.
    window.wait_text("^recursion-fp.data$")


@scenario
def context_menu(open_window, scratch):
    window = open_sample(open_window)
    click_row(window, 3, button=3)
    wait_menu(window, "Functions")
    window.key("f")  # its mnemonic; a popover's position is not told
    wait_page(window, "Functions")
    window.find("label", "^Called by$")
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    check(crumbs(window) == ["all"], "a menu does not zoom", crumbs(window))


@scenario
def directions(open_window, scratch):
    window = open_sample(open_window)
    window.click(window.find("push button", "^Flame: root at the bottom$"))
    root = wait_for("the root at the bottom", lambda: [
        b for b in [window.box(window.find("push button", "^all, 100.0 % of all"))] if b[1] > 400])
    check(root, root)
    window.click(window.find("push button", "^Icicle: root at the top$"))
    window.click(window.find("combo box", "^Direction of the stacks$"))
    window.key("Down", "Return")
    click_row(window, 1, share=0.02)
    wait_details(window, r"^geometry::Vec::operator\*")
    check(not any("Of calle" in text for text in details(window)), details(window))
    click_row(window, 2, share=0.02)
    wait_details(window, r"Of callee\s")


def legend(window):
    below = window.find("panel", "^Legend$")
    return [node.name for node in window.all("label", below=below)]


@scenario
def colors_of_packages(open_window, scratch):
    """Where there are no modules."""
    path = os.path.join(scratch, "goroutines")
    with open(path, "w", encoding="utf-8") as file:
        file.write("goroutine profile: total 6\n" + "".join(
            "%d @ 0x%d\n#\t0x%d\t%s+0x1\t/src/a.go:1\n\n" % (n, n, n, name)
            for n, name in ((3, "main.work"), (2, "net/http.serve"), (1, "runtime.gopark"))))
    window = open_window(path)
    wait_for("the packages", lambda: legend(window) == ["main", "net", "runtime"])


@scenario
def colors(open_window, scratch):
    """Each way to color the boxes says what its colors mean."""
    window = open_sample(open_window)
    wait_for("the modules", lambda: {"inlining", "libc.so.6"} <= set(legend(window)))
    window.click(window.find("combo box", "^Colors$"))
    window.key("Down", "Return")
    wait_for("the kinds of code", lambda: legend(window) == ["Program", "Libraries", "Kernel",
                                                             "Inlined", "Unknown"])
    window.click(window.find("combo box", "^Colors$"))
    window.key("Down", "Return")
    wait_for("the names", lambda: legend(window) == ["Each function name has its own color"])


@scenario
def measures(open_window, scratch):
    window = open_sample(open_window, "events-fp.data")
    before = window.wait_text(r"^[\d,]+ samples$")
    window.find("label", "^CPU time$")
    window.click(window.find("combo box", "^Measure$"))
    window.find("label", r"^Accesses to pages that were not mapped \(page-faults:u\)$")
    window.find("label", "^758$")
    window.key("Down", "Return")
    wait_for("another measure", lambda: [t for t in window.texts()
                                         if re.search(r"^[\d,]+ samples?$", t) and t != before])


@scenario
def unknown_format(open_window, scratch):
    path = os.path.join(scratch, "letter.txt")
    with open(path, "w") as file:
        file.write("Dear reader,\n" * 100)
    window = open_window(path)
    window.wait_text("^This File Could Not Be Opened$")
    window.wait_text("letter.txt”: This is text, but not a profile in a known format\\.")


@scenario
def missing_file(open_window, scratch):
    window = open_window(os.path.join(scratch, "gone.data"))
    window.wait_text("^File Not Found$")


@scenario
def unreadable(open_window, scratch):
    path = os.path.join(scratch, "closed.data")
    with open(path, "wb") as file:
        file.write(b"PERFILE2")
    os.chmod(path, 0o600 if os.geteuid() == 0 else 0)
    if os.geteuid() == 0:  # who may read everything
        os.environ["PV_UNREADABLE"] = path
        run_as_another_user(scratch)
        return
    path = os.environ.get("PV_UNREADABLE", path)
    window = open_window(path)
    window.wait_text("^No Permission to Read This File$")
    command = window.wait_text("^sudo chown")
    check(path in command, command)
    window.find("push button", "Try Again")


@scenario
def copied_as_administrator(open_window, scratch):
    """With a stand-in for pkexec: what it may not do, here the user's own mode bits forbid."""
    if os.geteuid() == 0:
        run_as_another_user(scratch)
        return
    path = os.path.join(scratch, "it's <closed> & mine.data")
    shutil.copy(recording("inlining-fp.data"), path)
    os.chmod(path, 0)
    stand_in = os.path.join(scratch, "pkexec")
    answer = os.path.join(scratch, "answer")
    with open(stand_in, "w") as file:
        file.write('#!/bin/sh\nif [ -s "$PV_ANSWER" ]; then exit $(cat "$PV_ANSWER"); fi\n'
                   'chmod u+r "$PV_CLOSED"\nexec "$@"\n')
    os.chmod(stand_in, 0o755)
    window = open_window(*SYMBOLS, path, environment={
        "PATH": scratch + ":" + os.environ["PATH"], "PV_ANSWER": answer, "PV_CLOSED": path})
    with open(answer, "w") as file:
        file.write("127")
    window.click(window.find("push button", "Administrator"))
    window.wait_text("^Copying as administrator was not permitted$")
    os.unlink(answer)
    window.click(window.find("push button", "Administrator"))
    window.find("panel", "^Flame graph$")
    window.wait_text(r"^[\d,]+ samples$")
    window.wait_no_text("^No Permission")
    folder = os.path.join(os.environ["XDG_DATA_HOME"], "profview", "recordings")
    copies = os.listdir(folder)
    check(len(copies) == 1 and copies[0].endswith("it's <closed> & mine.data"), copies)
    mode = os.stat(os.path.join(folder, copies[0])).st_mode & 0o777
    check(mode == 0o600, "mode of the copy", oct(mode))


def write_long_recording(path, megabytes):
    """A recording repeated until it takes a while to read."""
    with open(recording("inlining-fp.data"), "rb") as file:
        content = bytearray(file.read())
    offset, size = struct.unpack_from("<QQ", content, 40)  # the data section of the file header
    repeats = megabytes * 1024 * 1024 // size
    # Behind the data are the feature sections, found by their place after it; leave them out.
    struct.pack_into("<Q", content, 48, size * repeats)
    struct.pack_into("<4Q", content, 72, 0, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(content[:offset])
        for _ in range(repeats):
            file.write(content[offset:offset + size])


def write_long_profile(path, megabytes):
    """A pprof file takes a while to read too, and has no first part to show."""
    profile = Profile(("cpu", "nanoseconds"))
    for i in range(1000):
        profile.sample(f"main;serve;handler{i % 7};work{i}", i + 1)
    profile.body *= megabytes * 1024 * 1024 // len(profile.body)
    with open(path, "wb") as file:
        file.write(profile.content())


def click_while_held(window, x, y):
    """Held while the pointer is on its way, so that loading is not done before the click; not for ever, as the X server
    serves nobody else while a program that holds it is stopped."""
    window.process.send_signal(signal.SIGSTOP)
    release = threading.Timer(5, lambda: window.process.send_signal(signal.SIGCONT))
    release.start()
    window.click_at(x, y, is_held=True)
    release.cancel()
    window.process.send_signal(signal.SIGCONT)


@scenario
def cancelling(open_window, scratch):
    path = os.path.join(scratch, "long.pb")
    write_long_profile(path, 400)
    window = open_window(path)
    click_while_held(window, *window.center(window.find("push button", "Cancel")))
    window.wait_text("^Loading Was Cancelled$")


@scenario
def stopping_after_the_first_part(open_window, scratch):
    """What has been read so far stays, and the bar says that it is not all."""
    path = os.path.join(scratch, "long.data")
    write_long_recording(path, 600)
    window = open_window(path)
    click_while_held(window, *window.center(window.find("push button", "^Stop reading$")))
    window.wait_text("^Only the first part of “long.data” has been read$")
    window.wait_text("^Only the first part$")


@scenario
def closing_while_loading(open_window, scratch):
    path = os.path.join(scratch, "long.data")
    write_long_recording(path, 600)
    window = open_window(path)
    window.find("push button", "^(Cancel|Stop reading)")  # the latter once a part of it is shown
    window.key("ctrl+w")
    window.wait_text("^Open a Profile$")
    time.sleep(1)


@scenario
def missing_files(open_window, scratch):
    """What is to be said of three files is said once, and not again in the list of files below."""
    window = open_window("--sysroot=" + scratch, recording("loader-fp.data"))
    window.wait_text("^248 samples$")
    window.key("ctrl+1")
    wait_page(window, "Summary")
    window.wait_text("^3 files were not found$")
    window.wait_text("^Their functions have no names\\. Add a folder that has them, a sysroot, or ")
    window.wait_text("^File modified$")
    texts = window.texts()
    check(not [text for text in texts if "libplugin.so was not found" in text or text in ("file not found", "Recorded")],
          texts)
    window.click(window.find("label", "^3 files were not found$"))
    window.wait_text("^/opt/samples/bin/libplugin.so was not found, so its functions have no names\\.")


@scenario
def no_call_graph(open_window, scratch):
    window = open_sample(open_window, "calls-flat.data")
    window.wait_text("call.?(graph|stack)")
    window.click(window.find("push button", "^Details$"))
    wait_page(window, "Summary")
    window.wait_text("^Worth Knowing$")


@scenario
def start_page(open_window, scratch):
    window = open_window()
    window.wait_text("^Open a Profile$")
    window.key("F1")
    window.wait_text("^Keyboard shortcuts$")
    window.key("Escape")
    time.sleep(0.5)


@scenario
def reloading(open_window, scratch):
    path = os.path.join(scratch, "perf.data")
    shutil.copy(recording("inlining-fp.data"), path)
    window = open_window(*SYMBOLS, path)
    window.wait_text("^1,155 samples$")
    window.key("ctrl+3")
    wait_page(window, "Call Tree")
    # "perf record" again: another file under the same name.
    shutil.copy(recording("recursion-fp.data"), path + ".new")
    os.replace(path + ".new", path)
    window.key("F5")
    window.wait_no_text("^1,155 samples$")
    window.wait_text(r"^[\d,]+ samples$")
    wait_page(window, "Call Tree")
    check(title_of(window) == "perf.data", title_of(window))
    # What is shown stays if there is nothing to replace it.
    os.unlink(path)
    window.key("F5")
    window.wait_text("^“perf.data” could not be read again: ")
    window.wait_text(r"^[\d,]+ samples$")
    wait_page(window, "Call Tree")
    shutil.copy(recording("inlining-fp.data"), path)
    window.key("F5")
    window.wait_text("^1,155 samples$")
    # Who waits for the page to come up does not type into the middle of that.
    wait_for("the focus", lambda: any(
        node.has_state(Atspi.StateType.FOCUSED) for node in window.all()))


@scenario
def adding_files(open_window, scratch):
    """Stacks end where a program is missing; once its folder is added they are whole, and the user still
    looks at the same function."""
    path = os.path.join(scratch, "perf.data")
    data = subprocess.run(["zstd", "-dcq", recording("calls-dwarf.data.zst")], check=True,
                          capture_output=True).stdout
    with open(path, "wb") as file:
        file.write(data.replace(b"/opt/samples/", b"/opt/absent_/"))
    libraries = os.path.join(scratch, "libraries")
    shutil.copytree(os.path.join(DATA, "sysroot", "usr"), os.path.join(libraries, "usr"))
    window = open_window("--sysroot=" + libraries, path)
    window.wait_text("^213 samples$")
    search_for(window, "__qsort_r")
    window.wait_text(r"^1 function, 32\.4 %$")
    window.key("Return")
    wait_details(window, r"^__qsort_r.*Total\s32\.4 %")
    click_row(window, 2, share=0.1)
    wait_for("the path", lambda: re.fullmatch(r"all calls-nofp\+0x[0-9a-f]+ __qsort_r", " ".join(crumbs(window))))
    path_before = crumbs(window)
    # A folder without anything of use.
    window.click(window.find("push button", "^Add Folder…"))
    choose_path(window, os.path.join(DATA, "recordings"))
    window.wait_text("^“recordings” has no file of the recording that was missing$")
    check(crumbs(window) == path_before, crumbs(window))
    # The notice came back, as it is still true.
    window.click(window.find("push button", "^Add Folder…"))
    choose_path(window, os.path.join(DATA, "sysroot", "opt", "samples", "bin"))
    window.wait_text("^Found 1 file of the recording in “bin”$")
    wait_for("the way to the same function", lambda: crumbs(window)[-2:] == ["main", "__qsort_r"])
    wait_details(window, r"^__qsort_r.*Total\s54\.5 %")
    window.wait_text(r"^1 function, 54\.5 %$")
    window.key("ctrl+4")
    wait_page(window, "Functions")
    window.wait_text(r"^msort_with_tmp")
    # Only profiles are among the recent files.
    window.key("ctrl+w")
    window.wait_text("^perf.data$")
    check(not {"bin", "recordings"} & set(window.texts()), window.texts())


class DebugInfoServer:
    """Has one file, such as debug information. Until it is hurried it sends a little at a time."""

    def __init__(self, path, ending="/debuginfo"):
        self.asked, self.is_quick = [], threading.Event()
        server = self
        with open(path, "rb") as file:
            content = file.read()

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def do_GET(self):
                server.asked.append(self.path)
                is_here = self.path.endswith(ending)
                self.send_response(200 if is_here else 404)
                self.send_header("Content-Length", str(len(content) if is_here else 0))
                self.end_headers()
                if not is_here:
                    return
                try:
                    for start in range(0, len(content), 1000):
                        self.wfile.write(content[start:start + 1000])
                        self.wfile.flush()
                        if not server.is_quick.is_set():
                            time.sleep(0.5)
                except OSError:
                    pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


def open_stripped(open_window, scratch):
    """The program is stripped, and a debuginfod server has its debug information. The first button is its."""
    original = os.path.join(DATA, "sysroot", "opt", "samples", "bin", "inlining")
    sysroot = os.path.join(scratch, "sysroot")
    os.makedirs(os.path.join(sysroot, "opt", "samples", "bin"))
    shutil.copytree(os.path.join(DATA, "sysroot", "usr"), os.path.join(sysroot, "usr"))
    subprocess.run(["strip", "-o", os.path.join(sysroot, "opt", "samples", "bin", "inlining"), original],
                   check=True)
    server = DebugInfoServer(original)
    window = open_window("--sysroot=" + sysroot, recording("inlining-fp.data"), environment={
        "DEBUGINFOD_URLS": "http://127.0.0.1:%d/" % server.http.server_port,
        "DEBUGINFOD_CACHE_PATH": os.path.join(scratch, "cache"), "no_proxy": "127.0.0.1"})
    window.wait_text("^1,155 samples$")
    window.key("ctrl+1")
    wait_page(window, "Summary")
    window.click(window.find(name=r"^\d files have no debug information"))
    return window, server, original


@scenario
def debug_info_from_elsewhere(open_window, scratch):
    """Another program has fetched it by now, or a fetch that was cancelled too late."""
    window, server, original = open_stripped(open_window, scratch)
    fetch = window.find("push button", "^Fetch Debug Information$")
    build_id = re.search(r"[0-9a-f]{40}", subprocess.run(["readelf", "-n", original], check=True, text=True,
                                                         capture_output=True).stdout).group(0)
    place = os.path.join(scratch, "cache", build_id)
    os.makedirs(place)
    shutil.copy(original, os.path.join(place, "debuginfo"))
    window.click(fetch)
    wait_for("names", lambda: not list(window.all(name="is stripped: only exported functions")))
    check(server.asked == [], server.asked)


@scenario
def fetching_debug_info(open_window, scratch):
    """It takes its time."""
    window, server, _ = open_stripped(open_window, scratch)
    fetch = window.find("push button", "^Fetch Debug Information$")
    check(server.asked == [], "nothing is asked before the click", server.asked)
    window.click(fetch)
    cancel = window.find("push button", "^Cancel Fetching$")
    window.wait_text(r"^[\d.]+.(K|M)?i?B of [\d.]+.(K|M)iB$")
    window.click(cancel)
    wait_for("no fetch", lambda: not list(window.all("push button", "^Cancel Fetching$")))
    check(len(server.asked) == 1, server.asked)
    server.is_quick.set()
    window.click(window.find("push button", "^Fetch Debug Information$"))
    wait_for("names", lambda: not list(window.all(name="is stripped: only exported functions")))
    window.key("ctrl+4")
    wait_page(window, "Functions")
    window.wait_text(r"^geometry::Vec::dot")
    check(set(path.split("/")[-1] for path in server.asked) == {"debuginfo"}, server.asked)


@scenario
def row_menus(open_window, scratch):
    window = open_sample(open_window)
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"), button=3)
    window.key("c")
    wait_pasted(window, r"^geometry::Vec::dot\(.+\)")
    leave_menu(window)
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"), button=3)
    window.key("r")
    wait_pasted(window, r"^Function\tSelf \(ns\)\tSelf %\tTotal \(ns\)\tTotal %\tModule\n"
                        r"geometry::Vec::dot\t\d+\t\d+\.\d\d\t\d+\t\d+\.\d\d\tinlining\n$")
    # The keyboard's menu, for the row that is selected.
    leave_menu(window)
    window.click(find_cell(window, "Functions", r"^geometry::Vec::operator\+$"))
    window.find("label", r"^geometry::Vec::operator\+\(")
    window.key("Menu", "t")
    wait_page(window, "Call Tree")
    find_cell(window, "Call tree", r"^geometry::Vec::operator\+$")
    wait_focus(window, "table row")
    window.key("ctrl+shift+c")
    wait_pasted(window, r"^geometry::Vec::operator\+\(")
    leave_menu(window)
    window.click(find_cell(window, "Call tree", "^main$"), button=3)
    window.key("g")
    wait_page(window, "Flame Graph")
    wait_details(window, "^main")
    wait_focus(window, "push button")
    window.key("ctrl+c")
    wait_pasted(window, "^main")


@scenario
def same_names(open_window, scratch):
    for folder in ("before", "after"):
        os.mkdir(os.path.join(scratch, folder))
        shutil.copy(recording("inlining-fp.data"), os.path.join(scratch, folder, "perf.data"))
    window = open_window(*SYMBOLS, os.path.join(scratch, "before", "perf.data"))
    window.wait_text("^1,155 samples$")
    check(title_of(window) == "perf.data", title_of(window))
    subprocess.run([window.program, os.path.join(scratch, "after", "perf.data")], check=True,
                   timeout=20)
    wait_for("the folder in the title",
             lambda: re.search(r"^perf\.data – .*/after$", title_of(window)))
    window.key("ctrl+w")
    wait_for("the short title", lambda: title_of(window) == "perf.data")


@scenario
def dropping(open_window, scratch):
    """Two files dragged from another program's window: if they are not to be compared, each becomes a tab."""
    window = open_window()
    window.wait_text("^Open a Profile$")
    drag_files(window, [recording("inlining-fp.data"), recording("recursion-fp.data")],
               lambda: window.wait_text("^Compare These Two\\?$"))
    time.sleep(0.5)
    window.key("alt+o")
    window.wait_text(r"^[\d,]+ samples$")
    wait_for("two tabs", lambda: {"inlining-fp.data", "recursion-fp.data"} <= set(window.texts()))


@scenario
def strange_names(open_window, scratch):
    """A name that is not UTF-8, looks like markup and has what menus take for mnemonics."""
    path = os.path.join(os.fsencode(scratch), b"<i>my_\xe9\xff & perf.data")
    shutil.copy(os.fsencode(recording("inlining-fp.data")), path)
    window = open_window(os.fsencode("--sysroot=" + os.path.join(DATA, "sysroot")), path)
    window.wait_text("^1,155 samples$")
    check(title_of(window).startswith("<i>my_"), title_of(window))
    window.key("ctrl+w")
    window.click(window.find("label", "^<i>my_"))
    window.wait_text("^1,155 samples$")
    window.key("ctrl+w")
    window.wait_text("^Open a Profile$")
    window.click(window.find("push button", "^Recent files$"))
    time.sleep(0.5)
    window.key("Return")  # the first item has the focus
    window.wait_text("^1,155 samples$")


@scenario
def narrow(open_window, scratch):
    window = open_sample(open_window)
    window.key("ctrl+4")
    wait_page(window, "Functions")
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"))
    side = window.find("label", "^Called by$")
    wait_for("callers beside the list", lambda: window.box(side)[0] > 600)
    resize(window, 600, 700)
    tab = wait_for("the switcher at the bottom", lambda: next(
        (t for t in window.all("page tab", "^Summary$") if window.box(t)[1] > 500), None))
    wait_for("callers below the list", lambda: window.box(side)[1] > 350)
    window.click(tab)
    wait_page(window, "Summary")
    # No page needs more room than that, whatever the details line has to say.
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    resize(window, 480, 700)
    click_row(window, 4, share=0.2)
    wait_details(window, r"^geometry::.*Of caller.*inlining\.cpp:\d+")
    time.sleep(0.3)
    width = window.frame().get_box()[2]
    check(width < 492, "the window is", width, "wide")
    window.key("ctrl+3")
    wait_page(window, "Call Tree")

    def ends_within():
        x, _, header_width, _ = window.box(find_cell(window, "Call tree", "^Total$"))
        return x + header_width < 492 + 30  # the frame's shadow

    wait_for("the totals in view", ends_within)
    resize(window, 1200, 700)
    window.key("ctrl+4")
    wait_for("callers beside the list", lambda: window.box(side)[0] > 700)


def gap_of(window, table):
    """Pixels between the last title of a table and its right edge, less the button that is there."""
    view = window.find("tree table", "^%s$" % table)
    x, _, width, _ = view.get_box()
    below = view.get_below()
    title = next(i for i, node in enumerate(below) if node.name == "Module")
    # A label is as wide as its text, the box around it as its column.
    box = next(node for node in reversed(below[:title]) if node.depth == below[title].depth - 1)
    last_x, _, last_width, _ = box.get_box()
    return x + width - last_x - last_width - 34


@scenario
def table_widths(open_window, scratch):
    """The columns of a table end where it does, columns that are hidden or not, and its names get the room of the side
    while nothing is selected."""
    window = open_sample(open_window)

    def check_gap(table, size):
        wait_for("the columns of %s to end where it does at %r, not %r before" % (table, size, gap_of(window, table)),
                 lambda: 0 <= gap_of(window, table) < 20)

    for size in ((1200, 760), (1580, 900)):
        resize(window, *size)
        window.key("ctrl+4")
        wait_page(window, "Functions")
        wait_for("the list to be as wide as the window", lambda: abs(
            window.find("tree table", "^Functions$").get_box()[2] - window.frame().get_box()[2]) < 4)
        check_gap("Functions", size)
        window.key("ctrl+3")
        wait_page(window, "Call Tree")
        for button in ("Bottom Up", "Top Down"):
            window.click(window.find("push button", "^%s$" % button))
            check_gap("Call tree", (button, size))


@scenario
def window_size(open_window, scratch):
    window = open_window()
    window.wait_text("^Open a Profile$")
    resize(window, 900, 650)
    window.key("ctrl+w")  # nothing is open, so it closes the window
    window.process.wait(10)
    window = open_window()
    window.wait_text("^Open a Profile$")
    width, height = window.frame().get_box()[2:]
    check(abs(width - 900) < 12 and abs(height - 650) < 12, width, height)


@scenario
def names_for_readers(open_window, scratch):
    """What the focus can be on has a name of its own, not that of its class."""
    window = open_sample(open_window, "events-fp.data")
    window.key("ctrl+f")
    for page in ("1", "3", "4", "2"):
        window.key("ctrl+" + page)
        time.sleep(0.5)
        for node in window.all():
            name = node.name
            if node.role in ("push button", "entry", "combo box", "page tab", "table row") and \
                    node.has_state(Atspi.StateType.FOCUSABLE):
                check(name and not re.match("Gtk|Adw|Pv|_", name), node.role, repr(name),
                      "at", window.box(node))
                check(not re.match("(.+) \\1$", name), "said twice:", repr(name))


@scenario
def next_match(open_window, scratch):
    """The details line follows the keyboard although the pointer rests on another box."""
    window = open_sample(open_window)
    x, y, width, _ = window.box(window.find("panel", "^Flame graph$"))
    window.move(x + width * 0.25, y + 2.5 * ROW)
    wait_details(window, "^main")
    window.key("ctrl+f")
    time.sleep(0.5)
    window.move(x + width * 0.25, y + 5 * ROW)
    window.type("Vec::dot")
    window.wait_text(r"^1 function, ")
    window.key("Return")
    wait_details(window, r"^geometry::Vec::dot")
    # One that is too narrow to be seen is zoomed to.
    resize(window, 480, 700)
    window.key("ctrl+a")
    window.type("Words::~Words")
    window.wait_text(r"^1 function, 0\.\d %")
    window.key("Return")
    wait_details(window, r"Words::~Words")
    wait_for("less than all", lambda: len(crumbs(window)) > 1)


@scenario
def source(open_window, scratch):
    """The lines of the selected function, the hottest first; a file that is elsewhere is found once, and remembered."""
    path, code = os.path.join(scratch, "p.pb"), os.path.join(scratch, "build", "src", "work.c")
    os.makedirs(os.path.dirname(code))
    with open(code, "w") as file:
        file.writelines("line %d\n" % i for i in range(1, 301))
    profile = LineProfile()
    for line, value in ((200, 60), (10, 25), (11, 15)):
        profile.sample([("main", "/none/main.c", 3, False), ("work", code, line, False)], value)
    profile.write(path)
    window = open_window(path)
    window.key("ctrl+9")
    wait_page(window, "Source")
    window.wait_text("^Select a Function$")
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^work$"))
    window.key("ctrl+9")
    window.wait_text(r"^Line 200: self 60 \(60\.0 %\), total 60 \(60\.0 %\)$")
    window.wait_text("^" + re.escape(code) + "$")
    window.click(window.find("push button", "^Next Hottest Line$"))
    window.wait_text(r"^Line 10: self 25 ")
    window.click(window.find("push button", "^Next Hottest Line$"))
    window.wait_text(r"^Line 11: self 15 ")
    check(not window.find("push button", "^Next Hottest Line$").has_state(Atspi.StateType.SENSITIVE), "there is no cooler line")
    window.click(window.find("push button", "^Hotter Line$"))
    window.wait_text(r"^Line 10: self 25 ")
    # The keyboard is in the text.
    window.key("ctrl+4", "ctrl+9", "Down")
    window.wait_text(r"^Line 11: self 15 ")
    window.key("Down")
    window.wait_text(r"^Line 12$")
    # Of a function whose file is not here, the lines with a cost.
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^main$"))
    window.key("ctrl+9")
    window.wait_text("^/none/main.c was not found$")
    window.wait_text(r"^Line 3: self 0 \(0\.0 %\), total 100 ")
    os.rename(os.path.join(scratch, "build"), os.path.join(scratch, "moved"))
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^work$"))
    window.key("ctrl+9")
    window.wait_text("^" + re.escape(code) + " was not found$")
    window.click(window.find("push button", "^Find This File…$"))
    moved = os.path.join(scratch, "moved", "src", "work.c")
    choose_path(window, moved)
    window.wait_text("^" + re.escape(moved) + "$")
    check(not list(window.all("push button", "^Find This File…$")), "there is nothing to find")
    # Another file from there is found by the same mapping.
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^main$"))
    window.key("ctrl+9")
    window.wait_text("^/none/main.c was not found$")
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^work$"))
    window.key("ctrl+9")
    window.wait_text("^" + re.escape(moved) + "$")


@scenario
def source_from_debuginfod(open_window, scratch):
    """The program is here, its source is not: a button asks the server, and only that. Then it is found in the cache."""
    served, asked = os.path.join(scratch, "served.cpp"), []
    with open(served, "w") as file:
        file.writelines("served line %d\n" % i for i in range(1, 201))

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            with open(served, "rb") as file:
                content = file.read()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    window = open_window(*SYMBOLS, recording("inlining-fp.data"), environment={
        "DEBUGINFOD_URLS": "http://127.0.0.1:%d/" % server.server_port,
        "DEBUGINFOD_CACHE_PATH": os.path.join(scratch, "cache"), "no_proxy": "127.0.0.1"})
    window.wait_text("^1,155 samples$")
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"))
    window.key("ctrl+9")
    window.wait_text("^/opt/samples/src/inlining.cpp was not found$")
    button = window.find("push button", "^Download from debuginfod$")
    check(asked == [], "nothing is asked before the click", asked)
    # The buttons leave room for what they are about.
    resize(window, 800, 600)
    path = window.find("label", "^/opt/samples/src/inlining.cpp was not found$")
    wait_for("the path", lambda: window.box(path)[2] > 150)
    window.click(button)
    window.wait_text("^/opt/samples/src/inlining.cpp, from a debuginfod server$")
    check(len(asked) == 1 and asked[0].endswith("/source/opt/samples/src/inlining.cpp"), asked)
    check(not list(window.all("push button", "^Download from debuginfod$")), "there is nothing to fetch")


@scenario
def source_download_cancelled(open_window, scratch):
    """In the middle: nothing of it is kept, and the next one gets all of the file."""
    served, cache = os.path.join(scratch, "served.cpp"), os.path.join(scratch, "cache")
    with open(served, "w") as file:
        file.writelines("served line %d\n" % i for i in range(1, 2001))
    server = DebugInfoServer(served, "/source/opt/samples/src/inlining.cpp")
    window = open_window(*SYMBOLS, recording("inlining-fp.data"), environment={
        "DEBUGINFOD_URLS": "http://127.0.0.1:%d/" % server.http.server_port,
        "DEBUGINFOD_CACHE_PATH": cache, "no_proxy": "127.0.0.1"})

    def list_cached():
        """Settings of the library are no files of others."""
        return sorted(name for _, _, names in os.walk(cache) for name in names if "source" in name)

    window.wait_text("^1,155 samples$")
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"))
    window.key("ctrl+9")
    window.wait_text("^/opt/samples/src/inlining.cpp was not found$")
    for n_asked in (1, 2):
        window.click(window.find("push button", "^Download from debuginfod$"))
        cancel = window.find("push button", "^Cancel Download$")
        window.wait_text(r"^[\d.]+.(K|M)?i?B of [\d.]+.KiB$")
        check(list_cached() != [], "it is on its way to the cache")
        window.click(cancel)
        window.find("push button", "^Download from debuginfod$")
        check(not list(window.all(name=r"B of [\d.]+.KiB$")), "nothing is on its way")
        check(not list(window.all(name="was not downloaded")), "the user knows that it was cancelled")
        window.find("label", "^/opt/samples/src/inlining.cpp was not found$")
        wait_for("an empty cache", lambda: list_cached() == [])
        check(len(server.asked) == n_asked, server.asked)
    server.is_quick.set()
    window.click(window.find("push button", "^Download from debuginfod$"))
    window.wait_text("^/opt/samples/src/inlining.cpp, from a debuginfod server$")
    check(len(server.asked) == 3 and len(list_cached()) == 1, server.asked, list_cached())
    kept = next(os.path.join(folder, name) for folder, _, names in os.walk(cache) for name in names if "source" in name)
    check(os.path.getsize(kept) == os.path.getsize(served), "all of it", os.path.getsize(kept))


@scenario
def source_picture(open_window, scratch):
    """Export on the page Source: a picture of what it shows, with the measures beside it, as text."""
    path, code = os.path.join(scratch, "p.pb"), os.path.join(scratch, "work.c")
    with open(code, "w") as file:
        file.writelines("line %d\n" % i for i in range(1, 301))
    profile = LineProfile()
    for line, value in ((200, 60), (10, 25), (11, 15)):
        profile.sample([("work", code, line, False)], value)
    profile.write(path)
    window = open_window(path)
    window.key("ctrl+9")
    wait_page(window, "Source")
    window.wait_text("^Select a Function$")
    window.key("ctrl+e")
    window.wait_text("^The picture was not saved: nothing is shown$")
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^work$"))
    window.key("ctrl+9")
    window.wait_text(r"^Line 200: self 60 ")

    def export(name):
        window.key("ctrl+e")
        choose_path(window, os.path.join(scratch, name), is_new=True)
        window.wait_text("^The picture was saved as “%s”$" % re.escape(name))
        with open(os.path.join(scratch, name), "rb") as file:
            return file.read()

    texts = re.findall("<text[^>]*>(.*)</text>", export("source.svg").decode().replace("\xa0", " "))
    for text in ("Self", "Total", "work: self 100.0 %, total 100.0 %", code, "60.0 %", "200", "line 200",
                 "… 182 lines without cost"):
        check(text in texts, text, texts)
    check(export("source.pdf").startswith(b"%PDF-"), "a PDF")
    check(export("source.png").startswith(b"\x89PNG"), "a PNG")


def write_calls(scratch):
    """The source of work (), which calls add (), inlined, and print (); in base.pb less often than in new.pb."""
    code = os.path.join(scratch, "work.c")
    with open(code, "w") as file:
        file.writelines("text of line %d\n" % i for i in range(1, 301))
    for name, factor in (("base.pb", 1), ("new.pb", 3)):
        profile = LineProfile()
        work = [("main", "/none/main.c", 3, False), ("work", code, 200, False)]
        profile.sample([*work, ("add", code, 20, True), ("carry", code, 25, True)], 60 * factor)
        profile.sample([*work, ("add", code, 21, True)], 10)
        profile.sample([*work, ("print", "/none/print.c", 5, False)], 30)
        profile.write(os.path.join(scratch, name))
    return [os.path.join(scratch, name) for name in ("base.pb", "new.pb")]


@scenario
def source_comparison(open_window, scratch):
    """What a line cost before and costs now."""
    window = open_window("--diff", *write_calls(scratch))
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^work$"))
    window.key("ctrl+9")
    window.wait_text(r"^Line 200: self 0, total \+120 \(from 100 to 220\)$")
    for title in ("Self Change", "Base", "New", "Change"):
        window.find("label", "^%s$" % title)


@scenario
def source_calls(open_window, scratch):
    """Below a line is what it calls, inlined bodies with their lines; finding text and lines."""
    window = open_window(write_calls(scratch)[0])
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^work$"))
    window.key("ctrl+9")
    window.wait_text(r"^Line 200: self 0 \(0\.0 %\), total 100 \(100\.0 %\)$")
    window.key("Return")
    window.find("push button", "^add$")
    window.find("push button", "^print$")
    check(len(list(window.all("label", "^inlined$"))) == 1, "one of two calls is inlined")
    # The line of the calls is one of the text.
    window.key("Down", "Down")
    window.wait_text("^Line 201$")
    window.click(window.find("push button", "^Inlined Code$"))
    window.wait_text(r"^work\.c:20$")
    window.wait_text("^text of line 21$")
    window.find("push button", "^carry$")
    window.key("ctrl+i")
    window.type("20")
    window.key("Return")
    window.wait_text("^Line 20$")
    window.key("ctrl+shift+f")
    window.type("line 25")
    window.wait_text(r"^1 of 11$")  # line 25, lines 250 to 259
    window.key("Return")
    window.wait_text(r"^2 of 11$")
    window.wait_text("^Line 250$")
    window.key("Escape", "ctrl+i")
    window.type("200")
    window.key("Return")
    window.wait_text("^Line 200: ")
    window.click(window.find("push button", "^print$"))
    window.wait_text("^/none/print.c was not found$")


@scenario
def open_in_editor(open_window, scratch):
    """Rows, boxes and lines open in an editor, here a program that writes down what it is asked; no shell is involved."""
    path, code = os.path.join(scratch, "p.pb"), os.path.join(scratch, "a b; $(x)", "-work.c")
    program, asked = os.path.join(scratch, "my editor"), os.path.join(scratch, "asked")
    os.makedirs(os.path.dirname(code))
    with open(code, "w") as file:
        file.writelines("line %d\n" % i for i in range(1, 301))
    with open(program, "w") as file:
        file.write("#!/bin/sh\nprintf '%%s\\n' \"$#\" \"$@\" > '%s.new' && mv '%s.new' '%s'\n" % (asked, asked, asked))
    os.chmod(program, 0o755)
    profile = LineProfile()
    for line, value in ((200, 60), (10, 25)):
        profile.sample([("main", "/none/main.c", 3, False), ("work", code, line, False)], value)
    profile.write(path)
    window = open_window(path)

    def wait_asked(*arguments):
        def read():
            if not os.path.exists(asked):
                return False
            with open(asked) as file:
                return file.read().split("\n")[:-1] == [str(len(arguments)), *arguments]
        wait_for("the editor was asked %r" % (arguments,), read)
        os.remove(asked)

    # The dialog says what is wrong with a command.
    window.key("F10")
    wait_menu(window, "^Editor…$")
    time.sleep(0.4)
    window.key("o")
    wait_for("the dialog", lambda: find_dialog(window))
    for _ in range(30):
        window.key("Tab")
        if any(node.has_state(Atspi.StateType.FOCUSED) for node in window.all("check box", "^Custom Command$")):
            break
    window.key("Tab")
    window.type("'%s' +%%l" % program)
    window.wait_text("^The command has no %f for the file$")
    window.type(" --at=%f:%l:%c")
    window.wait_no_text("^The command has no")
    window.key("Escape")
    wait_no_dialog(window)
    # A function leads to its declaration, or where that is not known, to the file.
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^work$"))
    window.key("o")
    wait_for("asked", lambda: os.path.exists(asked))
    with open(asked) as file:
        check(file.read().split("\n")[2].startswith("--at=%s:" % code), "the file of the function")
    os.remove(asked)
    # A line of the source, by key and by click.
    window.key("ctrl+9")
    window.wait_text(r"^Line 200: self 60 ")
    window.key("o")
    wait_asked("+200", "--at=%s:200:1" % code)
    window.key("Down", "o")
    wait_asked("+201", "--at=%s:201:1" % code)
    # A file that is not here is said to be missing.
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^main$"))
    window.key("o")
    window.wait_text("^/none/main.c was not found; the Source page can locate it$")
    check(not os.path.exists(asked), "nothing is opened")
    # Boxes, by Ctrl and a click, and by the menu; of all samples of work the line that most are at.
    window.key("ctrl+2")
    area = window.find("panel", "^Flame graph$")
    x, y, width, _ = window.box(area)
    window.xdotool("keydown", "ctrl")
    window.click_at(x + width * 0.3, y + 2.5 * ROW)
    window.xdotool("keyup", "ctrl")
    wait_for("asked", lambda: os.path.exists(asked))
    os.remove(asked)
    window.click_at(x + width * 0.3, y + 2.5 * ROW, button=3)
    wait_menu(window, "^Open in Editor$")
    window.key("n")
    wait_for("asked", lambda: os.path.exists(asked))
    os.remove(asked)
    # A program that is not there, and one that fails.
    os.remove(program)
    window.key("o")
    window.wait_text("could not be started: ")


@scenario
def treemap(open_window, scratch):
    """Areas inside of areas: a click selects on every page, a double click zooms; keys; an export of the same."""
    window = open_sample(open_window)
    window.click(window.find("push button", "^Treemap: nested areas$"))
    area = window.find("panel", "^Treemap$")
    left, top, width, height = window.box(area)
    wait_details(window, "^all,")
    window.move(left + width / 2, top + height / 2)
    wait_for("something is hovered", lambda: not details(window)[0].startswith("all,"))
    hovered = details(window)
    window.click_at(left + width / 2, top + height / 2)
    window.key("ctrl+4")
    wait_page(window, "Functions")
    rows = [node.name for node in window.all("table row") if node.has_state(Atspi.StateType.SELECTED)]
    check(len(rows) == 1, "one function is selected", rows, hovered)
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    check(len(crumbs(window)) == 1, "a click does not zoom")
    window.click_at(left + width / 2, top + height / 2, repeat=2)
    wait_for("zoomed", lambda: len(crumbs(window)) > 1)
    end = crumbs(window)[-1]
    window.key("BackSpace")
    wait_for("one level out", lambda: crumbs(window)[-1] != end)
    window.key("Escape")
    wait_for("all", lambda: len(crumbs(window)) == 1)
    # Page Up leads to what it is in, up to all of it; Page Down back in; Return zooms.
    for _ in range(40):
        if details(window)[0].startswith("all,"):
            break
        window.key("Prior")
    wait_details(window, "^all,")
    window.key("Next")
    wait_for("the largest in it", lambda: not details(window)[0].startswith("all,"))
    inside = details(window)
    window.key("Return")
    wait_for("zoomed by Return", lambda: len(crumbs(window)) > 1)
    check(details(window) == inside, "the same is selected", details(window), inside)
    window.key("Escape")
    # The menu is that of the flame graph.
    window.click_at(left + width / 2, top + height / 2, button=3)
    wait_menu(window, "^Focus on This Function$")
    window.key("Escape")
    # A search and the flame chart come and go.
    search_for(window, "geometry::")
    window.wait_text(r"^\d+ functions, ")
    svg = os.path.join(scratch, "picture.svg")
    window.key("ctrl+e")
    choose_path(window, svg, is_new=True)
    wait_for("a picture", lambda: os.path.exists(svg))
    with open(svg) as file:
        check("<title>" in file.read(), "tool tips")
    window.click(window.find("push button", "^Icicle: root at the top$"))
    window.find("panel", "^Flame graph$")


@scenario
def call_graph(open_window, scratch):
    """Functions and calls: by keys along the calls, around a function, filtered; what is selected there is selected elsewhere."""
    path = os.path.join(scratch, "p.pb")
    profile = LineProfile()
    for names, value in ((("main", "work"), 60), (("main", "rest", "work"), 30), (("main", "rest"), 10)):
        profile.sample([(name, "/none/main.c", 1, False) for name in names], value)
    profile.write(path)
    window = open_window(path)
    window.key("ctrl+k")
    wait_page(window, "Call Graph")
    window.wait_text("^3 functions, 3 calls$")
    # What says most comes first; the heaviest call leads up.
    window.key("Home")
    window.wait_text(r"^work: 90 \(90\.0 %\)$")
    window.key("Up")
    window.wait_text(r"^main: 0 of 100 \(100\.0 %\)$")
    window.key("Down")
    window.wait_text(r"^work: 90 \(90\.0 %\)$")
    check(focused(window) == ["work, 90 (90.0 %)"], "the node has the focus", focused(window))
    window.key("ctrl+0", "plus", "minus")
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", "^rest$"))
    window.key("ctrl+k")
    window.wait_text(r"^rest: 10 \(10\.0 %\) of 40 \(40\.0 %\)$")
    window.key("Return")
    window.wait_text("^3 functions, 2 calls$")
    window.click(window.find("push button", "^Neighbors$"))
    window.wait_text("^3 functions, 3 calls$")
    # Filters are those of all pages.
    window.key("ctrl+4", "ctrl+k")
    window.key("f")
    window.wait_text("^3 functions, 2 calls$")
    window.key("z")
    window.wait_text("^3 functions, 3 calls$")
    # Limits are remembered, and are part of the command.
    window.click(window.find("push button", "^Graph Limits$"))
    wait_focus(window, "spin button")
    window.key("ctrl+a")
    window.type("2")
    window.key("Return", "Escape")
    window.wait_text("^2 of 3 functions, 1 call$")
    window.click(window.find("push button", "^Filters$"))
    wait_menu(window, "^Copy as Command$")
    window.key("m")
    wait_pasted(window, "^profview --export=graph.svg --view=graph --nodecount=2 /")
    window.key("ctrl+q")
    window.process.wait(10)
    again = open_window(path)
    again.key("ctrl+k")
    again.wait_text("^2 of 3 functions, 1 call$")


@scenario
def machine_code(open_window, scratch):
    """Instructions beside the source: their lines, where calls lead, bytes, the hottest; and why there are none."""
    window = open_window("--sysroot=" + os.path.join(DATA, "sysroot"),
                         "--map-path=/opt/samples/src=" + os.path.join(DATA, "programs"),
                         os.path.join(DATA, "recordings", "inlining-fp.data"))

    def texts(title):
        return [text.strip() for text in column_of(window, title, r".", "Machine Code")]

    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", r"^geometry::Refine<6>"))
    window.key("ctrl+9")
    wait_page(window, "Source")
    window.click(window.find("push button", "^Machine Code$"))
    window.wait_text("^" + re.escape(os.path.join(DATA, "sysroot/opt/samples/bin/inlining")) + "$")
    window.wait_text("^Samples were taken when a timer fired")
    wait_for("instructions", lambda: any(text.startswith("divsd ") for text in texts("Instruction")))
    # Lines stand between them, with what is inlined.
    check(any(re.match(r"inlining\.cpp:\d+ .*inlined", text) for text in texts("Instruction")), texts("Instruction")[:8])
    check(all(re.match(r"0x[0-9a-f]+$", text) for text in texts("Address")), texts("Address")[:8])
    # Bytes on demand.
    window.click(window.find("push button", "^Bytes$"))
    wait_for("bytes", lambda: any(re.match(r"f2 0f 5e .* divsd ", text) for text in texts("Instruction")))
    # Of another function, the same view.
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", r"^main$"))
    window.key("ctrl+9")
    wait_for("calls of main", lambda: any("geometry::centre" in link.name for link in window.all("label", "centre")))


@scenario
def machine_code_alone(open_window, scratch):
    """A program without debug information: the page has its instructions, and says why there is no source."""
    sysroot = os.path.join(scratch, "sysroot")
    shutil.copytree(os.path.join(DATA, "sysroot"), sysroot)
    program = os.path.join(sysroot, "opt/samples/bin/inlining")
    with open(program, "rb") as file:
        content = file.read()
    with open(program, "wb") as file:
        file.write(content.replace(b".debug_", b".hidden"))
    window = open_window("--sysroot=" + sysroot, os.path.join(DATA, "recordings", "inlining-fp.data"))
    window.key("ctrl+4")
    window.click(find_cell(window, "Functions", r"^main$"))
    window.key("ctrl+9")
    wait_page(window, "Source")
    window.wait_text("^No line information in inlining: build it with -g, or install its debug symbols$")
    window.wait_text("^" + re.escape(program) + "$")
    wait_for("instructions", lambda: any(text.strip().startswith("movsd ") for text in
                                         column_of(window, "Instruction", r".", "Machine Code")))
    check(not list(window.all("push button", "^(Machine Code|Go to Line|Hotter Line|Find in Source)$")), "tools of the source")
    _, _, width, height = window.box(window.find("tree table", "^Machine Code$"))
    check(width > 900 and height > 250, "it has all the room", width, height)
    window.click(window.find("push button", "^Filters$"))
    window.find("menu item", "^Copy as Command$")
    window.key("m")
    wait_pasted(window, r"^profview --print=annotate --by=address '--function=\^main\$' ")


@scenario
def distributions(open_window, scratch):
    """Output of bpftrace without stacks: bars by keys, their rows, another map."""
    window = open_window(os.path.join(DATA, "bpftrace", "latencies.txt"))
    wait_page(window, "Distribution")
    wait_for("no pages of stacks", lambda: not list(window.all("page tab", "^(Flame Graph|Call Tree|Functions)$")))
    window.find("page tab", "^Summary$")
    window.wait_text("^28 in all, median: 0 to 9$")  # the first histogram
    choice = window.find("combo box", "^Map$")
    window.click(choice)
    window.key("Home", "Return")
    window.wait_text("^2 rows$")
    wait_for("rows of @average", lambda: column_of(window, "Value", r"^\d+$", "Distribution") == ["913", "118"])

    window.click(choice)
    window.key(*["Down"] * 5, "Return")
    window.wait_text("^83 in all, median: 4 to 7$")
    counts = [1, 0, 6, 52, 20, 1, 3]
    wait_for("buckets", lambda: [int(text.split()[0]) for text in column_of(window, "Count", r"^\d+\b", "Distribution")] == counts)
    area = window.find("panel", r"^@usecs\[shop server\]: 83 in all, median: 4 to 7$")
    left, top, width, _ = window.box(area)
    window.click_at(left + width - 3, top + 50)  # beside the bars
    window.key("Home")
    ranges = ["0", "1", "2 to 3", "4 to 7", "8 to 15", "512 to 1,023", "1,024 to 2,047"]
    for name, count in zip(ranges, counts):
        wait_for("bar " + name, lambda: focused(window) == ["%s: %d (%.1f %%)" % (name, count, 100 * count / 83)])
        window.key("Right")
    window.key("Home", "Right", "Right", "Return")
    wait_for("the row of the bar", lambda: [row.name for row in window.all("table row") if row.has_state(Atspi.StateType.SELECTED)] ==
             ["2 to 3"])

    def shown():
        return [int(text.split()[0]) for text in column_of(window, "Count", r"^\d+\b", "Distribution")]

    # Sorted by their counts, the largest first, and back; the row of the bar stays.
    header = find_cell(window, "Distribution", "^Count$")
    for wanted in (sorted(counts, reverse=True), sorted(counts)):
        window.click(header)
        wait_for("rows by their counts", lambda: shown() == wanted)
        check([row.name for row in window.all("table row") if row.has_state(Atspi.StateType.SELECTED)] == ["2 to 3"])
    window.click(find_cell(window, "Distribution", "^Range$"))
    wait_for("rows by their ranges", lambda: shown() in (counts, counts[::-1]))
    # Filtered by what is typed; Escape ends that.
    window.key("ctrl+f")
    window.type("1,0")
    wait_for("two ranges", lambda: sorted(shown()) == [1, 3])
    window.key("Escape")
    wait_for("all ranges", lambda: len(shown()) == len(counts))
    # The search button leads there too, and does not stay pressed.
    button = window.find("push button", "^Search$")
    window.click(button)
    window.type("1,0")
    wait_for("two ranges", lambda: sorted(shown()) == [1, 3])
    check(not button.has_state(Atspi.StateType.PRESSED), "the button stays pressed")
    window.click(choice)
    window.key("Up", "Return")
    window.wait_text("^28 in all, median: 0 to 9$")
    window.wait_text("^below −10$")
    wait_for("in their order", lambda: shown() == [2, 5, 16, 1, 4])
    window.key("ctrl+f")
    check(not list(window.all("text", "^Search")), "nothing to search")
    window.key("ctrl+1")
    wait_page(window, "Summary")
    window.wait_text("^Distributions$")
    window.key("ctrl+f")
    wait_page(window, "Distribution")
    window.type("below")
    wait_for("one range", lambda: shown() == [2])
    window.key("ctrl+1")
    wait_page(window, "Summary")
    window.key("ctrl+8")
    wait_page(window, "Distribution")


@scenario
def distributions_beside_stacks(open_window, scratch):
    """A file with both, in JSON: it opens on the flame graph."""
    window = open_window(os.path.join(DATA, "bpftrace", "latencies.json"))
    wait_page(window, "Flame Graph")
    window.key("ctrl+8")
    wait_page(window, "Distribution")
    window.wait_text("^28 in all, median: 0 to 9$")


@scenario
def next_match_in_tables(open_window, scratch):
    """Focus and selection stay on one row."""
    window = open_sample(open_window)
    search_for(window, "geometry::")
    window.wait_text(r"^\d+ functions, ")
    for page, name, table in (("3", "Call Tree", "Call tree"), ("4", "Functions", "Functions")):
        window.key("ctrl+" + page)
        wait_page(window, name)
        view = window.find("tree table", "^%s$" % table)
        window.key("Down")
        wait_focus(window, "table row")
        for _ in range(3):
            window.key("ctrl+g")
            time.sleep(0.7)
            rows = [(node.has_state(Atspi.StateType.FOCUSED), node.has_state(Atspi.StateType.SELECTED), node.name)
                    for node in window.all("table row", below=view)]
            rows = [row for row in rows if row[0] or row[1]]
            check(len(rows) == 1 and rows[0][0] and rows[0][1], name, rows)


if __name__ == "__main__":
    main(SCENARIOS)
