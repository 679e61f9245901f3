#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window in each language: its texts are translated and have room, and what has a direction keeps it.
test-languages.py PROFVIEW SCENARIO, inside session.sh."""

import os

import steps
from driver import SYMBOLS, main, recording, scenario, wait_for
from steps import check, show_page, speak

NAMES = ["Summary", "Flame Graph", "Flame Chart", "Treemap", "Sandwich", "Call Graph", "Functions", "Call Tree", "Bottom Up", "Threads",
         "Heat Map", "Source"]
# Names in the recording that are words of the window too: functions, and the machine.
NAMES_OF_RECORDING = {"main", "all", "samples", "[unknown]"}
RIGHT_TO_LEFT = {"ar"}


def read_languages():
    with open(os.path.join(os.environ["PV_SOURCE"], "po", "LINGUAS"), encoding="utf-8") as file:
        return [word for line in file if not line.startswith("#") for word in line.split()]


def find_english():
    """Texts that the language says in another way."""
    found = {}
    for message, text in steps.LANGUAGE._catalog.items():
        english = (message[0] if isinstance(message, tuple) else message).split("\x04")[-1]
        if english and isinstance(text, str):
            found.setdefault(english, set()).add(text)
    return {english for english, texts in found.items() if english not in texts} - NAMES_OF_RECORDING


def check_language(open_window, language, size=None):
    environment = speak(language)
    english = find_english()
    check(len(english) > 2000, language, len(english))
    window = open_window(*SYMBOLS, recording("mill-fp.data"), environment=environment)
    if size is not None:
        window.hand.ask("size", window.window_id, *size)
        window.rest()
    seen = set()
    for page in NAMES:
        show_page(window, page)
        window.key("Down")
        window.rest()
        shown = [node for node in window.all(name=".") if node.is_shown]
        foreign = {node.name for node in shown} & english
        check(not foreign, page, "in", language, foreign)

        def find_cut():
            """Figures, not names with digits."""
            return [node.name for node in window.all("label", r"(^|\s)\W?\d") if node.is_shown and node.is_cut]

        wait_for(lambda: "whole figures on %s in %s, not %s" % (page, language, find_cut()), lambda: not find_cut())
        seen |= {node.name for node in shown}
    check(len(seen) > 100, seen)
    return window


def add(language):
    name = language.replace("_", "-").lower()

    def wide(open_window, scratch):
        window = check_language(open_window, language)
        show_page(window, "Functions")
        # The name of the function is where lines begin.
        names = {steps.LANGUAGE.pgettext("column", name): name for name in ("Function", "Self", "Total")}
        places = {names[node.name]: node.box[0] for node in window.all("label", ".") if node.name in names and node.find_above("column header")}
        check(len(places) == 3, places)
        check((places["Function"] > places["Self"]) == (language in RIGHT_TO_LEFT), places)

    def small(open_window, scratch):
        check_language(open_window, language, (700, 500))

    wide.__name__, small.__name__ = name, name + "_small"
    scenario(wide)
    scenario(small)


for each in read_languages():
    add(each)
main()
