#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts can be read: their contrast on every page. test-legible.py PROFVIEW SCENARIO, inside session.sh."""

from driver import SYMBOLS, main, recording, scenario
from steps import check, show_page

NAMES = ["Summary", "Flame Graph", "Flame Chart", "Treemap", "Sandwich", "Call Graph", "Functions", "Call Tree", "Bottom Up", "Threads",
         "Heat Map", "Source"]


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


main()
