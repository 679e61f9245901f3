#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A window as small as the screen of a phone, and fingers. test-small.py PROFVIEW SCENARIO, inside session.sh."""

import os
import re

from driver import DATA, SYMBOLS, main, recording, scenario, wait_for
from hand import Hand
from steps import check, find_dialog, open_menu, open_sample, resize, show_page, wait_menu, wait_no_dialog

UPRIGHT, LYING = (360, 640), (640, 360)
NAMES = ["Summary", "Flame Graph", "Flame Chart", "Treemap", "Sandwich", "Call Graph", "Functions", "Call Tree", "Bottom Up", "Threads",
         "Heat Map", "Source"]
CONTROLS = ("push button", "page tab", "combo box", "entry", "check box", "menu item")


def find_outside(window, frame):
    """Controls that an edge of their window cuts; what scrolls has a place of its own."""
    left, top, width, height = frame.get_box()
    return [(node.role, node.name, node.box) for node in window.all(below=frame)
            if node.role in CONTROLS and node.is_shown and node.find_above("scroll pane") is None and
            (node.box[0] < left or node.box[1] < top or node.box[0] + node.box[2] > left + width or
             node.box[1] + node.box[3] > top + height)]


def find_cut(window):
    """Figures, not names with digits; machine code, and names on the buttons of lists, may be cut."""
    return [node.name for node in window.all("label", r"(^|\s)\W?\d")
            if node.is_shown and node.is_cut and node.find_above("combo box") is None and not re.search(r"[%$]\w|0x", node.name)]


def check_fits(window, page, width):
    """The size may follow what a page shows last."""
    def frame():
        return window.frame().get_box()

    check(lambda: frame()[2] == width, page, "is", lambda: frame()[2], "wide, and needs", lambda: window.frame().get_least_width())
    check(lambda: not find_outside(window, window.frame()), page, "cuts", lambda: find_outside(window, window.frame()))


def check_pages(window, size, names=NAMES):
    resize(window, *size)
    for page in names:
        show_page(window, page)
        window.key("Down")
        window.rest()
        check_fits(window, page, size[0])
        check(lambda: not find_cut(window), "whole figures on", page, "not", lambda: find_cut(window))


def has_switcher_below(window):
    x, y, width, height = window.frame().get_box()
    tab = next(window.all("page tab", "^Summary$"), None)
    return tab is not None and tab.get_box()[1] > y + height - 80


@scenario
def upright(open_window, scratch):
    window = open_window(*SYMBOLS, recording("mill-fp.data"))
    check_pages(window, UPRIGHT)
    check(lambda: has_switcher_below(window), "the switcher is at the bottom")


@scenario
def lying(open_window, scratch):
    check_pages(open_window(*SYMBOLS, recording("mill-fp.data")), LYING)


@scenario
def heap(open_window, scratch):
    window = open_window(*SYMBOLS, os.path.join(DATA, "heaptrack", "containers.raw.zst"))
    check_pages(window, UPRIGHT, ["Summary", "Flame Graph", "Functions", "Timeline", "Source"])


@scenario
def comparison(open_window, scratch):
    window = open_window(*SYMBOLS, "--diff", recording("inlining-fp.data"), recording("inlining-fp-z.data"))
    check_pages(window, UPRIGHT, ["Summary", "Flame Graph", "Functions", "Call Tree"])


@scenario
def large_text(open_window, scratch):
    """Text of one and a half times the usual size."""
    hand = Hand()
    hand.set_resources("Xft.dpi: 144")
    try:
        check_pages(open_window(*SYMBOLS, recording("mill-fp.data")), (480, 800))
    finally:
        hand.set_resources("Xft.dpi: 96")


@scenario
def start_and_search(open_window, scratch):
    window = open_window()
    window.wait_text("^Open a Profile$")
    for size in UPRIGHT, LYING:
        resize(window, *size)
        check_fits(window, "the start page", size[0])
    window.quit()
    window = open_window(*SYMBOLS, recording("mill-fp.data"), recording("inlining-fp.data"))  # with tabs
    resize(window, *UPRIGHT)
    window.key("ctrl+f")
    window.type("e")
    window.rest()
    check_fits(window, "the search", UPRIGHT[0])


@scenario
def dialogs(open_window, scratch):
    """None asks for more than the narrowest screen."""
    window = open_window(*SYMBOLS, recording("mill-fp.data"))
    for key in "ctrl+n", "ctrl+comma", "ctrl+u":  # that of keys is of GTK and wider
        window.key(key)
        wait_for("the dialog of " + key, lambda: find_dialog(window))
        window.rest()
        for frame in window.frames():
            if frame.name == "mill-fp.data":
                continue
            border = frame.box[0] * 2
            check(frame.get_least_width() - border <= 360, frame.name, "needs", frame.get_least_width())
        window.key("Escape")
        wait_no_dialog(window)


# Fingers -------------------------------------------------------------------------------------------------------------
# No X server makes events of touch from what a test asks for, and GTK has no way for programs to make them. So these
# tests give the widgets' gestures the signals that follow such events. How far two fingers move together is only known
# from real ones: that the picture follows them is not tested.

def rest_finger(window, node):
    """At the upper edge, in the middle."""
    before = set(window.hand.menus(window.window_id))
    node.press_long(node.box[2] // 2, min(node.box[3] // 2, 50))
    wait_for("a menu of " + (node.id or node.name), lambda: set(window.hand.menus(window.window_id)) - before)


@scenario
def long_press(open_window, scratch):
    """Opens the menu that a right click opens."""
    window = open_sample(open_window, "mill-fp.data")
    for page, id, item in (("Functions", "FunctionsPage.view", "^Copy Name$"), ("Call Tree", "TreePage.view", "^Copy Name$"),
                           ("Flame Graph", "FlamePage.area", None), ("Treemap", "FlamePage.treemap", "^Copy Name$"),
                           ("Call Graph", "GraphPage.area", "^Copy Name$"), ("Threads", "TracksPage.area", None)):
        show_page(window, page)
        window.rest()
        rest_finger(window, window.find(id=id))
        if item is not None:
            wait_menu(window, item)
        window.key("Escape")
        wait_for("no menu", lambda: not window.hand.menus(window.window_id))


@scenario
def pinch(open_window, scratch):
    """Zooms what the wheel with Ctrl zooms."""
    window = open_sample(open_window, "mill-fp.data")
    window.find(id="FlamePage.area").pinch(3)
    window.find(id="FlamePage.map")
    show_page(window, "Threads")
    window.rest()
    check(not list(window.all(id="TracksPage.reset_button")), "not zoomed")
    window.find(id="TracksPage.area").pinch(3)
    window.find(id="TracksPage.reset_button")


main()
