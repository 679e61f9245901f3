#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts can be read: their contrast, and that figures are whole where text is large or the window small.
test-legible.py PROFVIEW SCENARIO, inside session.sh."""

from driver import SYMBOLS, main, recording, scenario, wait_for
from hand import Hand
from steps import check, show_page

NAMES = ["Summary", "Flame Graph", "Flame Chart", "Treemap", "Sandwich", "Call Graph", "Functions", "Call Tree", "Bottom Up", "Threads",
         "Heat Map", "Source"]


def read_contrasts(window):
    """By text, of those of the window that are in view."""
    left, top, width, height = window.hand.geometry(window.window_id)
    contrasts = {}
    for node in list(window.all("label", ".")) + list(window.all("column header", ".")):
        x, y, w, h = node.box
        if node.is_shown and (node.is_sensitive or node.id == "DetailsLine.place_cell") and x >= 0 and y >= 0 and x + w <= width and y + h <= height:
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


@scenario
def contrast_high(open_window, scratch):
    check_contrasts(open_window, {"ADW_DEBUG_HIGH_CONTRAST": "1"})


def check_figures(window):
    figures = set()
    for page in NAMES:
        show_page(window, page)
        window.key("Down")
        window.rest()

        def find_cut():
            return [node.name for node in window.all("label", r"\d") if node.is_shown and node.is_cut]

        wait_for(lambda: "whole figures on %s, not %s" % (page, find_cut()), lambda: not find_cut())
        figures |= {node.name for node in window.all("label", r"\d") if node.is_shown}
    check(len(figures) > 50, figures)


@scenario
def large_text(open_window, scratch):
    """Text of one and a half times the usual size."""
    hand = Hand()
    hand.set_resources("Xft.dpi: 144")
    try:
        check_figures(open_window(*SYMBOLS, recording("mill-fp.data")))
    finally:
        hand.set_resources("Xft.dpi: 96")


@scenario
def small_window(open_window, scratch):
    window = open_window(*SYMBOLS, recording("mill-fp.data"))
    window.hand.ask("size", window.window_id, 700, 500)
    window.rest()
    check_figures(window)


main()
