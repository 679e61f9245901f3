#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparing two profiles in the window. test-compare.py PROFVIEW SCENARIO, inside session.sh."""

import functools
import http.server
import os
import re
import shutil
import subprocess
import sys
import threading
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cli"))
from driver import DATA, SYMBOLS, main, recording, scenario, wait_for
from objdump_code import Elf, Function, write_profile
from pprof_maker import Profile
from steps import (check, choose_item, choose_path, column_of, crumbs, drag_files, find_cell, find_enabled, open_menu,
                   resize, search_for, show_page, title_of, wait_details, wait_measure, wait_menu, wait_no_dialog,
                   wait_page, wait_pasted)

BASE, NEW = recording("inlining-fp.data"), recording("inlining-fp-z.data")
TITLE, SWAPPED = "inlining-fp.data → inlining-fp-z.data", "inlining-fp-z.data → inlining-fp.data"


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def wait_title(window, title):
    wait_for(lambda: "the title %r, not %r" % (title, title_of(window)), lambda: title_of(window) == title)


def wait_bar(window, base, new, change):
    """What the bar of a comparison says."""
    for text in (base, new, change):
        window.wait_text("^%s$" % re.escape(text))


def open_comparison(open_window, *options):
    window = open_window(*SYMBOLS, "--diff", *options, BASE, NEW)
    window.wait_text("^As Recorded$" if not options else "^(As Recorded|Equal .*)$")
    return window


def choose_in_compare(window, pattern, letter):
    """Chooses the item of the main menu's submenu Compare that has this letter."""
    open_menu(window, window.find(id="Window.menu_button"), "^Compare$")
    window.key("c")
    wait_menu(window, pattern)
    window.key(letter)


def choose(window, button, letter):
    """Opens a menu of the bar, and chooses the item with this letter."""
    open_menu(window, window.find("push button", button), ".")
    window.key(letter)


@scenario
def command_line(open_window, scratch):
    window = open_comparison(open_window)
    wait_title(window, TITLE)
    wait_bar(window, "771 ms", "286 ms", "−484 ms (−63 %)")
    # Nothing of it has times.
    show_page(window, "Timeline")
    window.wait_text("^No Timeline$")
    window.click(window.find("push button", "^Show Graph$"))
    wait_page(window, "Flame Graph")
    wait_details(window, r"Base\s771 ms\s+New\s286 ms")
    resize(window, 700, 700)
    wait_bar(window, "771 ms", "286 ms", "−484 ms (−63 %)")
    swap = window.find(id="CompareBar.swap_button")

    def end(node):
        return node.get_box()[0] + node.get_box()[2]

    check(lambda: end(swap) <= end(window.frame()) + 60, "the bar fits", lambda: (swap.get_box(), window.frame().get_box()))


@scenario
def options(open_window, scratch):
    """What the command line says is what the window shows first."""
    window = open_comparison(open_window, "--scale=total", "--width-by=new")
    window.wait_text(r"^base × 0\.3716, for equal totals$")
    window.wait_text("^Equal Totals$")
    window.wait_text("^Width: New$")
    wait_bar(window, "286 ms", "286 ms", "0 ns (0.0 %)")
    wait_details(window, "286 ms")


@scenario
def parts(open_window, scratch):
    """Two ranges of one file."""
    window = open_window(*SYMBOLS, "--diff", "--base-time=..0.2", "--time=0.2..", BASE)
    wait_title(window, "inlining-fp.data → inlining-fp.data")
    wait_bar(window, "81.4 ms", "689 ms", "+608 ms (+747 %)")


@scenario
def swapping(open_window, scratch):
    window = open_comparison(open_window)
    wait_bar(window, "771 ms", "286 ms", "−484 ms (−63 %)")
    window.click(window.find(id="CompareBar.swap_button"))
    wait_bar(window, "286 ms", "771 ms", "+484 ms (+169 %)")
    wait_title(window, SWAPPED)
    # And back by the keyboard: the button has kept the focus.
    window.key("space")
    wait_bar(window, "771 ms", "286 ms", "−484 ms (−63 %)")
    wait_title(window, TITLE)


@scenario
def scaling(open_window, scratch):
    window = open_comparison(open_window)
    wait_bar(window, "771 ms", "286 ms", "−484 ms (−63 %)")
    choose(window, "^As Recorded$", "t")
    window.wait_text(r"^base × 0\.3716, for equal totals$")
    wait_bar(window, "286 ms", "286 ms", "0 ns (0.0 %)")
    choose(window, "^Equal Totals$", "r")
    wait_bar(window, "771 ms", "286 ms", "−484 ms (−63 %)")
    window.wait_no_text("for equal totals$")
    # Of the function that is selected.
    show_page(window, "Summary")
    window.click(window.find(name=r"^geometry::Vec::operator\* −160 ms"))
    wait_page(window, "Functions")
    choose(window, "^As Recorded$", "e")
    window.wait_text(r"^base × 0\.\d+, for equal totals of geometry::Vec::operator\*$")


@scenario
def widths(open_window, scratch):
    window = open_comparison(open_window)
    wait_details(window, r"Base\s771 ms\s+New\s286 ms")
    choose(window, "^Width: Both$", "n")
    window.wait_text("^Width: New$")
    choose(window, "^Width: New$", "b")
    window.wait_text("^Width: Base$")
    # The amounts are those of both sides all the time.
    wait_details(window, r"Base\s771 ms\s+New\s286 ms")
    # It is a step like other changes of the query.
    window.click(window.find("push button", "^Back$"))
    window.wait_text("^Width: New$")


def sides_of(window):
    """The boxes of both flame graphs: x, y, width, height; the base first."""
    return [window.find("panel", "^Flame graph of the %s$" % side).get_box() for side in ("base", "new side")]


def wait_sides(window, function):
    """Both flame graphs have their cursor at a function, each with its own share."""
    for side in ("base", "new side"):
        window.find(name=r"^%s, [\d.]+ %% of the %s$" % (re.escape(function), side))


@scenario
def side_by_side(open_window, scratch):
    window = open_comparison(open_window)
    resize(window, 1300, 700)
    wait_for("a wide picture", lambda: window.find(id="FlamePage.area").get_box()[2] > 1250)
    wait_details(window, r"Base\s771 ms\s+New\s286 ms")
    window.click(window.find(id="CompareBar.sides_button"))
    window.wait_text("^Base: inlining-fp.data, 771 ms$")
    window.wait_text("^New: inlining-fp-z.data, 286 ms$")
    window.wait_text("^Width: Each Side$")
    base, new = sides_of(window)
    check(base[0] + base[2] <= new[0] and base[1] == new[1] and abs(base[2] - new[2]) <= 1, base, new)
    # What is hovered on one side is told of both.
    window.move(base[0] + int(base[2] * 0.8), base[1] + 65)
    wait_details(window, r"geometry::Cloud::weigh.*Base\s\d+ ms\s+New\s[\d.]+ ms")
    # A click zooms both, and one on the right takes over.
    window.click_at(base[0] + int(base[2] * 0.8), base[1] + 65)
    wait_for(lambda: "a zoom, not %s" % crumbs(window), lambda: crumbs(window)[-1] == "geometry::Cloud::weigh")
    wait_sides(window, "geometry::Cloud::weigh")
    window.click_at(new[0] + 50, new[1] + 45)
    wait_for(lambda: "a zoom, not %s" % crumbs(window), lambda: crumbs(window)[-1] == "main")
    wait_sides(window, "main")
    # Keys move the selection of both.
    window.key("Down")
    wait_sides(window, "geometry::centre")
    window.key("Escape")
    wait_for(lambda: "no zoom, not %s" % crumbs(window), lambda: crumbs(window) == ["all"])
    window.key("alt+Left")
    wait_for(lambda: "a zoom, not %s" % crumbs(window), lambda: crumbs(window)[-1] == "main")
    # Where there is too little room, they are one above the other.
    resize(window, 700, 700)
    wait_for("one above the other", lambda: sides_of(window)[0][0] == sides_of(window)[1][0])
    base, new = sides_of(window)
    check(base[1] + base[3] < new[1], base, new)
    path = os.path.join(scratch, "sides.svg")
    window.key("ctrl+e")
    choose_path(window, path, is_new=True)
    wait_for("the picture", lambda: os.path.exists(path))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name in ("all", "main"):
        check(text.count("<title>%s\n" % name) == 2, name, "is in both halves")
    x, y, _, _ = window.find("panel", "^Flame graph of the base$").get_box()
    window.click_at(x + 50, y + 50)  # main
    window.key("s")
    window.wait_text("^Width: Both$")
    # One graph again, which has the same zoom and the focus.
    window.find(name=r"^main, [\d.]+ % of all$")
    left, top, _, _ = window.find(id="FlamePage.area").get_box()
    window.click_at(left + 50, top + 25)
    wait_for(lambda: "a zoom, not %s" % crumbs(window), lambda: crumbs(window)[-1] == "__libc_start_call_main")


@scenario
def missing_side(open_window, scratch):
    """What one side has not."""
    window = open_window(*SYMBOLS, "--diff", "--width-by=side-by-side", BASE, recording("calls-fp.data"))
    window.wait_text("^Base: inlining-fp.data, 771 ms$")
    base, new = sides_of(window)
    window.click_at(base[0] + 20, base[1] + 65)
    wait_for(lambda: "a zoom, not %s" % crumbs(window), lambda: crumbs(window)[-1] == "geometry::centre")
    window.wait_text("^Not on this side$")
    window.find(name=r"^geometry::centre, [\d.]+ % of the base$")
    # The side that shows nothing leads out, too.
    window.click_at(new[0] + 20, new[1] + 45)
    window.key("Escape")
    wait_for(lambda: "no zoom, not %s" % crumbs(window), lambda: crumbs(window) == ["all"])
    window.wait_no_text("^Not on this side$")


@scenario
def summary(open_window, scratch):
    window = open_comparison(open_window)
    show_page(window, "Summary")
    window.wait_text("^Largest Changes$")
    row = window.find(name=r"^geometry::Vec::operator\* −160 ms \(−62 %\)")
    window.wait_text("^1,155 → 286$")
    window.wait_text("^between −[0-9]+ ms and −[0-9]+ ms$")
    check(lambda: [window.texts().count(text) for text in ("771 ms", "286 ms", "−484 ms (−63 %)")] == [1, 1, 1], "totals, once",
          window.texts)
    window.wait_text("inlining-fp-z.data$")
    check(lambda: not list(window.all(name="^comparison$")), "a format that no file has")
    window.click(row)
    wait_page(window, "Functions")


def copy_dated(scratch):
    """Copies of both; the base is older."""
    paths = [shutil.copy(path, scratch) for path in (BASE, NEW)]
    os.utime(paths[0], (1600000000, 1600000000))
    return paths


@scenario
def open_tabs(open_window, scratch):
    """A document with another one, from the menu."""
    window = open_window(*SYMBOLS, *copy_dated(scratch))
    wait_for("two tabs", lambda: {"inlining-fp.data", "inlining-fp-z.data"} <= set(window.texts()))
    wait_title(window, "inlining-fp-z.data")
    window.wait_text("samples$")
    choose_in_compare(window, "^With Another Profile…$", "p")
    window.wait_text("^Compare “inlining-fp-z.data” With$")
    window.rest()
    window.key("Return")  # the first row has the focus
    wait_title(window, TITLE)
    wait_bar(window, "771 ms", "286 ms", "−484 ms (−63 %)")


@scenario
def measure_of_tab(open_window, scratch):
    """The sides are compared by the measure that is shown, whatever the other tab shows."""
    paths = [os.path.join(scratch, name) for name in ("older.data", "newer.data")]
    for i, path in enumerate(paths):
        shutil.copyfile(recording("kernel-fp.data"), path)
        os.utime(path, (1e9 + 100 * i, 1e9 + 100 * i))
    window = open_window(*SYMBOLS, "--measure=blocked", *paths)
    wait_title(window, "newer.data")
    wait_measure(window, "Time blocked")
    window.click(window.find(id="QueryBar.measure_drop_down"))
    window.key("Home", "Return")
    wait_measure(window, "CPU time")
    choose_in_compare(window, "^With Another Profile…$", "p")
    window.rest()
    window.key("Return")
    wait_title(window, "older.data → newer.data")
    window.wait_text("^CPU time$")
    wait_bar(window, "93.5 ms", "93.5 ms", "0 ns (0.0 %)")


@scenario
def whole_recordings(open_window, scratch):
    """Times of one recording say nothing of another: a time range of a tab is left out. What else it keeps is told."""
    window = open_window(*SYMBOLS, "--time=..0.1", "--thread=inlining", *copy_dated(scratch))
    wait_for("two tabs", lambda: {"inlining-fp.data", "inlining-fp-z.data"} <= set(window.texts()))
    wait_title(window, "inlining-fp-z.data")
    window.wait_text("^[0-9]+ of [0-9,]+ samples$")
    choose_in_compare(window, "^With Another Profile…$", "p")
    window.rest()
    window.key("Return")
    wait_bar(window, "771 ms", "286 ms", "−484 ms (−63 %)")
    window.wait_text(r"^inlining-fp-z\.data · inlining \(\d+\)$")


@scenario
def renamed(open_window, scratch):
    """A function with another name in the base is one box and one row, which tell the name; a search finds it by both."""
    paths = [os.path.join(scratch, name) for name in ("base.folded", "new.folded")]
    for path, space, steps in zip(paths, ("old", "now"), (4000, 4400)):
        with open(path, "w") as file:
            file.write("main;{0}::run;{0}::step {1}\nmain;{0}::run 1000\nmain;read 2500\n".format(space, steps))
    window = open_window("--diff", *paths)
    wait_title(window, "base.folded → new.folded")
    window.find(id="FlamePage.area")
    search_for(window, "old::step")
    window.wait_text("^1 function, ")
    window.key("Return")
    wait_details(window, r"now::step.*renamed from old::step\s+Base\s4,000")
    show_page(window, "Functions")
    window.wait_text(r"^renamed from old::step \(same end of the name, callers\)$")
    show_page(window, "Summary")
    window.find(name=r"^now::step \+400 \(\+10 %\), renamed from old::step$")


@scenario
def only_what_can_be_compared(open_window, scratch):
    """A heap is not offered for CPU time, which it has no measure in common with."""
    paths = [os.path.join(scratch, name) for name in ("heap.pb", "first.pb", "second.pb")]
    for path, kind in zip(paths, (("inuse_space", "bytes"), ("samples", "count"), ("samples", "count"))):
        profile = Profile(kind)
        profile.sample("main;run", 5)
        profile.write(path)
    window = open_window(*paths)
    wait_title(window, "second.pb")
    window.wait_text("samples$")
    for _ in range(2):  # all are loaded
        window.key("ctrl+Page_Up")
        window.rest()
    window.key("ctrl+Page_Up")
    wait_title(window, "second.pb")
    choose_in_compare(window, "^With Another Profile…$", "p")
    window.wait_text("^The one that was recorded first becomes the base$")
    dialog = window.frames()[-1]
    wait_for("the other one of CPU time", lambda: any(node.name == "first.pb" for node in dialog.get_below()))
    check(lambda: not any(node.name == "heap.pb" for node in dialog.get_below()), "no heap")
    window.key("Escape")
    wait_no_dialog(window)


def write_dated(scratch):
    """Two profiles, of which the second was recorded first, as they say; their files say the reverse."""
    paths = []
    for name, seconds, changed in (("a.pb", 1700000000, 1500000000), ("b.pb", 1600000000, 1550000000)):
        profile = Profile(("samples", "count"), time_ns=seconds * 10**9)
        profile.sample("main;run", seconds // 100000000)
        paths.append(os.path.join(scratch, name))
        profile.write(paths[-1])
        os.utime(paths[-1], (changed, changed))
    return paths


@scenario
def older_first(open_window, scratch):
    """The profile that was recorded first is the base, whichever was chosen."""
    window = open_window(*write_dated(scratch))
    wait_for("two tabs", lambda: {"a.pb", "b.pb"} <= set(window.texts()))
    wait_title(window, "b.pb")
    window.wait_text("samples$")
    choose_in_compare(window, "^With Another Profile…$", "p")
    window.wait_text("^Compare “b.pb” With$")
    window.rest()
    window.key("Return")
    wait_title(window, "b.pb → a.pb")
    wait_bar(window, "16", "17", "+1 (+6.2 %)")
    # One click exchanges them, and they stay so.
    window.click(window.find(id="CompareBar.swap_button"))
    wait_title(window, "a.pb → b.pb")
    wait_bar(window, "17", "16", "−1 (−5.9 %)")
    window.key("F5")
    window.rest()
    wait_title(window, "a.pb → b.pb")


@scenario
def older_first_dropped(open_window, scratch):
    """So it is with files that nobody has read yet."""
    paths = write_dated(scratch)
    window = open_window()
    window.wait_text("^Open a Profile$")
    drag_files(window, paths, lambda: window.wait_text("^Compare These Two\\?$"))
    window.rest()
    window.key("Return")
    wait_title(window, "b.pb → a.pb")
    wait_bar(window, "16", "17", "+1 (+6.2 %)")


@scenario
def order_on_one_machine(open_window, scratch):
    """Where files that were copied together do not tell, the times of the samples do, of recordings of one machine."""
    paths = []
    for name, source in (("first.data", "calls-fp.data"), ("second.data", "threads-fp.data")):
        paths.append(shutil.copy(recording(source), os.path.join(scratch, name)))
        os.utime(paths[-1], (1500000000, 1500000000))
    window = open_window(*SYMBOLS, *paths)
    wait_title(window, "second.data")
    choose_in_compare(window, "^With Another Profile…$", "p")
    window.wait_text("^Compare “second.data” With$")
    window.rest()
    window.key("Return")
    wait_title(window, "first.data → second.data")


@scenario
def ranges(open_window, scratch):
    """Two marked ranges of the time line."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    show_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = area.get_box()
    window.click_at(left + width - 20, top + 300)
    for text in ("10-25ms", "40-80ms"):
        window.key("t")
        window.find(id="RangePopover.entry")
        window.key("ctrl+a")
        window.type(text)
        window.key("Return")
        window.wait_text("^%s ms$" % text[:-2].replace("-", "–"))
        window.key("shift+m")
    window.key("t")
    button = window.find(id="RangePopover.compare_button")
    for _ in range(8):  # behind the marks
        if button.is_focused:
            break
        window.key("Tab")
        window.rest()
        button = window.find(id="RangePopover.compare_button")
    window.key("Return")
    wait_title(window, "10–25 ms → 40–80 ms")
    window.wait_text(r"^\+\d")


@scenario
def again(open_window, scratch):
    """The same comparison has one tab, which then shows what the command line says."""
    window = open_comparison(open_window)
    wait_bar(window, "771 ms", "286 ms", "−484 ms (−63 %)")
    subprocess.run([window.program, *SYMBOLS, "--diff", "--scale=total", "--width-by=new", BASE, NEW], check=True, timeout=60)
    window.wait_text(r"^base × 0\.3716, for equal totals$")
    window.wait_text("^Width: New$")
    check(lambda: len(list(window.all("page tab", TITLE))) < 2, "one tab")


def write_long_trace(path):
    """A trace of so many sites that it takes seconds to read."""
    with open(path, "w") as file:
        file.write("v 10400 3\nX engine\nI 1000 100000\ns 4 main\ni 1000 1 1\nt 1 0\na 10 1\nc 0\n")
        for n in range(2, 800000):
            file.write("i %x 1 1\nt %x %x\na 10 %x\n+ %x\n" % (0x1000 + n, n, n // 2, n, n - 1))


@scenario
def reading(open_window, scratch):
    """While it is read: what there is of each side. It can be cancelled."""
    long = os.path.join(scratch, "long.txt")
    write_long_trace(long)
    window = open_window("--diff", os.path.join(DATA, "heaptrack", "containers.raw.zst"), long)
    window.wait_text(r"^containers\.raw\.zst · read\nlong\.txt · .*…( \d+ %)?$")
    window.key("alt+c")
    window.wait_text("^Loading Was Cancelled$")


@scenario
def noise_of_calls(open_window, scratch):
    """A call that changed as all did is dim beside the function, and can be hidden."""
    window = open_comparison(open_window, "--scale=total")
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^main$"))

    def call():
        table = window.find(id="FunctionsPage.callers_view")
        return next(window.all("label", "^__libc_start_call_main$", below=table), None)

    wait_for("a call that is noise", lambda: call() and call().get_description() == "within noise")
    window.click(call())
    window.key("ctrl+h")
    wait_for("no such call", lambda: not call())
    window.wait_text("^All differences are within noise, which is hidden")
    # The same key brings it back, although no row is left that could have the focus.
    window.key("ctrl+h")
    wait_for("the call", call)


@scenario
def calls_of_one_side(open_window, scratch):
    """Tables have both sides, also where boxes are as wide as one of them."""
    window = open_comparison(open_window, "--width-by=new")
    show_page(window, "Functions")
    find_cell(window, "Functions", r"^−160 ms$")
    window.click(find_cell(window, "Functions", "^main$"))
    table = window.find(id="FunctionsPage.callers_view")
    wait_for("the change of the call", lambda: next(window.all("label", "^−482 ms$", below=table), None))
    show_page(window, "Call Tree")
    window.wait_text("^−482 ms$")


@scenario
def sides_in_sandwich(open_window, scratch):
    """A sandwich always shows both sides together, and says so."""
    window = open_comparison(open_window, "--width-by=side-by-side")
    window.wait_text("^Width: Each Side$")
    show_page(window, "Sandwich")
    window.wait_text("^Width: Both$")
    window.key("s")
    window.wait_text("^A sandwich always shows both sides together$")
    window.key("alt+Left")
    window.wait_text("^Width: Each Side$")


@scenario
def call_graph(open_window, scratch):
    """What grew and what shrank, by function and call; the other way round with the sides swapped."""
    window = open_comparison(open_window)
    window.key("ctrl+k")
    wait_page(window, "Call Graph")
    window.wait_text(r"^\d+ of \d+ functions, \d+ calls$|^\d+ functions, \d+ calls$")
    window.key("Home")
    window.wait_text(r"^[^:]+.*: .*[+−]\d")
    window.find("label", r": (0 of )?[+−]\d")  # the amount of the function says which way it went
    # main has all of it, whichever way that went.
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^main$"))
    window.key("ctrl+k")
    window.wait_text(r"^main: −2.00 ms of −482 ms$")
    window.click(window.find(id="CompareBar.swap_button"))
    window.wait_text(r"^main: \+2.00 ms of \+482 ms$")
    window.click(window.find(id="GraphPage.around_button"))
    window.wait_text(r"^main: \+2.00 ms of \+482 ms$")
    picture = os.path.join(scratch, "graph.svg")
    window.key("ctrl+e")
    choose_path(window, picture, is_new=True)
    wait_for("a picture", lambda: os.path.exists(picture))


@scenario
def command(open_window, scratch):
    """What is compared, as a command."""
    window = open_window(*SYMBOLS, "--diff", "--base-time=..0.2", "--time=0.2..", "--scale=total", BASE)
    window.wait_text("^Equal Totals$")
    show_page(window, "Functions")
    open_menu(window, window.find(id="QueryBar.filters_button"), "^Copy as Command$")
    window.key("m")
    wait_pasted(window, "^profview --diff --scale=total --print=top .*--new-time=0.2.. --base-time=..0.2 '?/.*inlining-fp.data'?$")


@scenario
def dropping(open_window, scratch):
    """Of two files that are dropped together, the older one is the base."""
    base, new = (os.path.join(scratch, name) for name in ("inlining-fp.data", "inlining-fp-z.data"))
    shutil.copy(BASE, base)
    shutil.copy(NEW, new)
    os.utime(base, (1600000000, 1600000000))
    window = open_window()
    window.wait_text("^Open a Profile$")
    drag_files(window, [new, base], lambda: window.wait_text("^Compare These Two\\?$"))
    window.rest()
    window.key("Return")  # what is proposed
    wait_title(window, TITLE)
    window.wait_text("^771 ms$")


def serve(handler, folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, "http://127.0.0.1:%d/" % server.server_address[1]


@scenario
def url(open_window, scratch):
    """One side is fetched first, in a tab of its own."""
    folder = os.path.join(DATA, "pprof")
    server, address = serve(QuietHandler, folder)
    window = open_window("--diff", address + "pantry-1.heap", os.path.join(folder, "pantry-2.heap"))
    wait_for(lambda: "a comparison, not %s" % title_of(window), lambda: title_of(window).endswith(" → pantry-2.heap"))
    wait_bar(window, "80.0 KiB", "90.5 KiB", "+10.5 KiB (+13 %)")
    server.shutdown()


class CountingHandler(QuietHandler):
    """A heap that is another one when it is asked for again; and files as they are. It names no functions."""
    n_requests = 0

    def translate_path(self, path):
        CountingHandler.n_requests += "symbol" not in path
        return super().translate_path(path.replace("COUNT", str(CountingHandler.n_requests)))


@scenario
def same_url(open_window, scratch):
    """Both sides are fetched, each at its own time."""
    server, address = serve(CountingHandler, os.path.join(DATA, "pprof"))
    address += "pantry-COUNT.heap"
    window = open_window("--diff", address, address)
    wait_bar(window, "80.0 KiB", "90.5 KiB", "+10.5 KiB (+13 %)")
    check(CountingHandler.n_requests == 2, "requests", CountingHandler.n_requests)
    server.shutdown()


@scenario
def parts_of_url(open_window, scratch):
    """Two ranges of what is fetched once."""
    server, address = serve(CountingHandler, os.path.dirname(BASE))
    window = open_window(*SYMBOLS, "--diff", "--base-time=..0.2", "--time=0.2..", address + "inlining-fp.data")
    wait_bar(window, "81.4 ms", "689 ms", "+608 ms (+747 %)")
    check(CountingHandler.n_requests == 1, "requests", CountingHandler.n_requests)
    server.shutdown()


class SlowHandler(QuietHandler):
    """Answers once it is let go."""
    asked, go = threading.Event(), threading.Event()

    def do_GET(self):
        SlowHandler.asked.set()
        SlowHandler.go.wait(30)
        super().do_GET()


@scenario
def closed_while_fetching(open_window, scratch):
    """Without its tab, what is fetched is not compared."""
    folder = os.path.join(DATA, "pprof")
    server, address = serve(SlowHandler, folder)
    window = open_window("--diff", address + "pantry-1.heap", os.path.join(folder, "pantry-2.heap"))
    check(SlowHandler.asked.wait(30), "a request")
    window.key("ctrl+w")
    window.wait_text("^Open a Profile$")
    SlowHandler.go.set()
    time.sleep(1)  # nothing tells that an answer came too late
    check(lambda: " → " not in title_of(window), "a comparison", lambda: title_of(window))
    server.shutdown()


@scenario
def tab_menu(open_window, scratch):
    """The document of the tab whose menu it is."""
    window = open_window(*SYMBOLS, *reversed(copy_dated(scratch)))
    wait_for("two tabs", lambda: {"inlining-fp.data", "inlining-fp-z.data"} <= set(window.texts()))
    wait_title(window, "inlining-fp.data")
    window.wait_text("samples$")
    open_menu(window, window.find(name="^inlining-fp-z.data$"), "^Compare With…$", button=3)
    window.key("c")
    window.wait_text("^Compare “inlining-fp-z.data” With$")
    window.rest()
    window.key("Return")
    wait_title(window, TITLE)


CPU, HEAP = recording("mill-fp.data"), os.path.join(DATA, "heaptrack", "mill.zst")


@scenario
def together(open_window, scratch):
    """A program's time and its heap in one window: columns and colors."""
    window = open_window(*SYMBOLS, "--with=" + HEAP, CPU)
    wait_title(window, "mill-fp.data + mill.zst")
    for text in ("mill-fp.data", "CPU time", "mill.zst", "Peak"):
        window.wait_text("^%s$" % re.escape(text))
    check(lambda: not list(window.all("push button", "^(As Recorded|Swap Sides)$")), "nothing is scaled")
    wait_details(window, "407 ms")
    # Boxes as wide as the time, in the color of bytes.
    choose_item(window, window.find(name="^Color by Module$"), 4)
    window.wait_text("^Bytes per CPU second, 1.36 MiB/s in all$")
    wait_details(window, "Bytes per CPU second.1.36 MiB/s")
    # The other's measure is a column at once.
    show_page(window, "Functions")
    titles = lambda: [node.name for node in window.all("label", ".", within=("tree table", "^Functions$"))]
    wait_for("the columns of both", lambda: {"Self", "Total", "Peak", "Peak, self"} <= set(titles()))
    check(lambda: "Samples" not in titles(), "sums are no samples", titles)
    # What has no samples is there as well.
    window.wait_text("^hoard$")
    show_page(window, "Call Tree")
    window.wait_text("^Peak$")
    show_page(window, "Summary")
    window.wait_text("^Allocated, mill.zst$")
    window.wait_text("^CPU time, mill-fp.data$")
    window.wait_text("^Bytes per CPU second$")


@scenario
def joining(open_window, scratch):
    """From the menu: what is shown comes first."""
    window = open_window(*SYMBOLS, HEAP, CPU)
    wait_for("two tabs", lambda: {"mill.zst", "mill-fp.data"} <= set(window.texts()))
    wait_title(window, "mill-fp.data")
    window.wait_text("samples$")
    choose_in_compare(window, "^Combine With Another Profile…$", "o")
    window.wait_text("^Combine “mill-fp.data” With$")
    window.rest()
    window.key("Return")  # the first row has the focus
    wait_title(window, "mill-fp.data + mill.zst")
    window.wait_text("^Peak$")


@scenario
def sizes_of_a_program(open_window, scratch):
    """Of a run together with its program, the size of each function can be the color of its boxes, and a column."""
    program = os.path.join(DATA, "sysroot/opt/samples/bin/calls")
    window = open_window(*SYMBOLS, "--with=" + program, recording("calls-fp.data"))
    wait_title(window, "calls-fp.data + calls")
    choose_item(window, window.find(name="^Color by Module$"), 4)
    caption = "file-size, 67 B per function on average"

    def legend():
        return [node.name for node in window.all("label", ".", within=("panel", "^Legend$"))]

    wait_for(lambda: "sizes, not %r" % legend(), lambda: legend()[:1] == [caption])
    search_for(window, "checksum")
    window.wait_text("^1 function")
    window.key("Return")
    wait_details(window, "^checksum.*file-size.")
    window.key("Escape")
    show_page(window, "Functions")
    wait_for("a column of sizes", lambda: column_of(window, "file-size", r"^73 B\b", "Functions"))


@scenario
def missing(open_window, scratch):
    """Which of both files cannot be read is told."""
    window = open_window(*SYMBOLS, "--diff", BASE, os.path.join(scratch, "no-such.data"))
    window.wait_text("no-such.data: ")


@scenario
def machine_code(open_window, scratch):
    """Base, new and change of each instruction."""
    window = open_comparison(open_window)
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", r"^geometry::Refine<6>"))
    show_page(window, "Source")
    window.click(window.find(id="CodePage.machine_button"))
    window.wait_text("^" + re.escape(os.path.join(DATA, "sysroot/opt/samples/bin/inlining")) + "$")
    for title in ("Self Change", "Base", "New", "Change"):
        wait_for("amounts of " + title, lambda: column_of(window, title, r"\d (ns|µs|ms)$", "Machine Code") or
                 column_of(window, title, r"\d (ns|µs|ms)\b", "Machine Code"))
    check(lambda: all(text[0] in "+−" for text in column_of(window, "Change", r"\d [nµm]s", "Machine Code")), "changes have signs")
    window.wait_no_text("^The base has different code here")


@scenario
def machine_code_of_two_builds(open_window, scratch):
    """Where the code is another one, a sentence says so, and the new one is shown."""
    profiles = []
    for folder in ("old", "new"):
        os.mkdir(os.path.join(scratch, folder))
        binary = os.path.join(scratch, folder, "shapes")
        shutil.copy(os.path.join(DATA, "machine/shapes"), binary)
        functions = Elf(binary).functions()
        if folder == "new":
            with open(binary, "r+b") as file:
                file.seek(next(function for function in functions if function.name == "hash").offset)
                file.write(bytes.fromhex("1f2003d5"))  # nop
        profiles.append(os.path.join(scratch, folder + ".pb"))
        write_profile(profiles[-1], binary, functions)
    window = open_window("--diff", *profiles)
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^hash$"))
    show_page(window, "Source")
    if not list(window.all("tree table", "^Machine Code$")):
        window.click(window.find(id="CodePage.machine_button"))
    window.wait_text("^The base has different code here: its instructions cannot be matched to these")
    wait_for("the new code", lambda: any(text.strip() == "nop" for text in column_of(window, "Instruction", "nop", "Machine Code")))
    check(lambda: column_of(window, "Self Change", "1$", "Machine Code") == ["+1"], "what the new code costs more")
    check(lambda: column_of(window, "New", "1$", "Machine Code") == ["1"], "what the new code costs")
    # The base's own is below: the first hot instruction is the new one, the next the other.
    window.wait_text("The base’s own code is below")
    window.click(find_enabled(window, "push button", "^Next Hottest Instruction$"))
    window.wait_text("^Base: " + re.escape(os.path.join(scratch, "old/shapes")) + "$")
    window.rest()
    check(lambda: column_of(window, "Self Change", "1$", "Machine Code") == ["−1"], "what the base's code costs less")
    check(lambda: column_of(window, "Base", "1$", "Machine Code") == ["1"], "what the base cost")
    wait_for("the base's code", lambda: any("ldrb w1, [x0]" in text for text in column_of(window, "Instruction", "ldrb", "Machine Code")))


def write_sample(path, binary, address):
    """One sample there, in a copy of a program with inlined functions."""
    os.makedirs(os.path.dirname(binary), exist_ok=True)
    shutil.copy(os.path.join(DATA, "sysroot/opt/samples/bin/inlining"), binary)
    write_profile(path, binary, [Function("", address, address + 1, Elf(binary).offset_of(address))])


@scenario
def machine_code_of_one_side(open_window, scratch):
    """A function is inlined into two others; of one, the base alone has samples, and they are shown."""
    profiles = []
    for folder, address in (("old", 0x2900), ("new", 0x20ce)):
        profiles.append(os.path.join(scratch, folder + ".pb"))
        write_sample(profiles[-1], os.path.join(scratch, folder, "inlining"), address)
    window = open_window("--diff", *profiles)
    resize(window, 1200, 960)
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", r"^geometry::Vec::operator\*"))
    show_page(window, "Source")
    window.click(window.find(id="CodePage.machine_button"))
    window.wait_text("^The base’s own code is below")
    window.click(find_enabled(window, "push button", "^Next Hottest Instruction$"))
    wait_for("what the base cost", lambda: column_of(window, "Base", "1$", "Machine Code") == ["1"])
    check(lambda: "−1" in column_of(window, "Change", "1$", "Machine Code"), "how it changed")
    window.wait_text("^Base: " + re.escape(os.path.join(scratch, "old/inlining")) + "$")
    window.wait_text("^geometry::Cloud::weigh.*:$")
    window.wait_no_text("different code here")


if __name__ == "__main__":
    main()
