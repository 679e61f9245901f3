#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be read: the contrast of texts, and what is cut where text is large or the window small.
test-legible.py PROFVIEW SCENARIO, inside session.sh."""

import re

from driver import SYMBOLS, main, recording, scenario
from hand import Hand
from steps import check, show_page

NAMES = ["Summary", "Flame Graph", "Flame Chart", "Treemap", "Sandwich", "Call Graph", "Functions", "Call Tree", "Bottom Up", "Threads",
         "Heat Map", "Source"]
FIGURE = r"^[−+]?\d[\d,.]*( (ns|µs|ms|s|B|KiB|MiB|GiB|%))?( +[\d.]+ %)?$"


def read_contrasts(window):
    """By text, of those of the window that are in view."""
    left, top, width, height = window.hand.geometry(window.window_id)
    contrasts = {}
    for node in list(window.all("label", ".")) + list(window.all("column header", ".")):
        x, y, w, h = node.box
        if node.is_shown and node.is_sensitive and x >= 0 and y >= 0 and x + w <= width and y + h <= height:
            contrasts[node.name] = window.hand.contrast(left + x, top + y, w, h)
    return contrasts


def check_contrasts(open_window, environment):
    window = open_window(*SYMBOLS, recording("mill-fp.data"), environment=environment)
    for page in NAMES:
        show_page(window, page)
        window.rest()
        contrasts = read_contrasts(window)
        check(len(contrasts) > 8, page, contrasts)
        faint = {name: contrast for name, contrast in contrasts.items() if contrast < 4.5}
        check(not faint, page, faint)


@scenario
def contrast_light(open_window, scratch):
    """Every text has 4.5:1, headings of columns and hints too."""
    check_contrasts(open_window, {})


@scenario
def contrast_dark(open_window, scratch):
    check_contrasts(open_window, {"ADW_DEBUG_COLOR_SCHEME": "prefer-dark"})


def check_figures(window):
    for page in NAMES:
        show_page(window, page)
        if page == "Functions":
            window.key("Down")
        window.rest()
        figures = [node for node in window.all("label", FIGURE) if node.is_shown]
        check(figures or page not in ("Summary", "Functions"), page)
        cut = [node.name for node in figures if node.is_cut]
        check(not cut, page, cut)


@scenario
def large_text(open_window, scratch):
    """Figures have room in text of one and a half times the usual size."""
    hand = Hand()
    hand.set_resources("Xft.dpi: 144")
    try:
        window = open_window(*SYMBOLS, recording("mill-fp.data"))
        check_figures(window)
    finally:
        hand.set_resources("Xft.dpi: 96")


@scenario
def small_window(open_window, scratch):
    """The same in a window of 700 by 500 pixels."""
    window = open_window(*SYMBOLS, recording("mill-fp.data"))
    window.hand.ask("size", window.window_id, 700, 500)
    window.rest()
    check_figures(window)


main()
