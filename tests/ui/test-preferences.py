#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Preferences, as the user sets them and as they take effect."""
import os
import re

from driver import DATA, SYMBOLS, main, recording, scenario, wait_for
from steps import (check, chips, column_of, find_dialog, focused, open_sample, remove_chip, show_page, wait_chip, wait_no_dialog,
                   wait_page)


def keep(*lines):
    """Settings of an earlier run."""
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "glib-2.0", "settings")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "keyfile"), "w", encoding="utf-8") as file:
        file.write("[org/profview/Profview]\n" + "".join(line + "\n" for line in lines))


def tab_to(window, name):
    for _ in range(40):
        if name in focused(window):
            return
        window.key("Tab")
        window.rest()
    check(False, "the focus goes to " + name, focused(window))


def open_preferences(window, page):
    """Newer versions of libadwaita go from page to page by arrows only."""
    window.key("ctrl+comma")
    wait_for("the dialog", lambda: find_dialog(window))
    window.rest()
    for _ in range(40):
        names = focused(window)
        if page in names:
            break
        window.key("Right" if {"General", "Files"} & set(names) else "Tab")
        window.rest()
    check(page in focused(window), "the focus goes to " + page, focused(window))
    window.key("space")
    window.rest()


def close_preferences(window):
    window.key("Escape")
    wait_no_dialog(window)


@scenario
def own_code(open_window, scratch):
    """An expression takes the place of the rule, once it is one."""
    window = open_sample(open_window)
    open_preferences(window, "Analysis")
    tab_to(window, "Regular Expression")
    window.type("(")
    window.wait_text("^The regular expression .* is invalid")
    window.key("BackSpace")
    window.type("Vec::")
    window.wait_no_text("^The regular expression .* is invalid")
    close_preferences(window)
    window.key("ctrl+2", "m")
    wait_chip(window, "^My code: Vec::$")
    remove_chip(window, "My code: Vec::")
    wait_for("no chips", lambda: chips(window) == [])


@scenario
def kept(open_window, scratch):
    """Folders of symbols and the first page count for every profile."""
    keep("first-page='functions'", "symbol-paths=['%s']" % os.path.join(DATA, "sysroot", "opt", "samples", "bin"))
    window = open_window(recording("inlining-fp.data"))
    wait_page(window, "Functions")
    wait_for(lambda: "names, not %s" % column_of(window, "Function", "."),
             lambda: any("geometry" in name for name in column_of(window, "Function", ".")))
    wait_for("no chips", lambda: chips(window) == [])


@scenario
def automatic_page(open_window, scratch):
    """A heap says most in the summary, and so does a comparison."""
    keep()
    heap, pair = os.path.join(DATA, "heaptrack", "containers.raw.zst"), (recording("inlining-fp.data"), recording("inlining-fp-z.data"))
    for page, arguments in (("Summary", [heap]), ("Summary", ["--diff", *pair]), ("Graph", [pair[0]])):
        window = open_window(*SYMBOLS, *arguments)
        wait_page(window, page)
        window.quit()


@scenario
def suppressions(open_window, scratch):
    """A file of suppressions counts for every heap profile."""
    rules = os.path.join(scratch, "meant.supp")
    with open(rules, "w", encoding="utf-8") as file:
        file.write("leak:nothing\n")
    keep("suppressions-file='%s'" % rules)
    window = open_window(*SYMBOLS, os.path.join(DATA, "heaptrack", "containers.raw.zst"))
    wait_chip(window, r"^Suppressed by meant\.supp$")


@scenario
def figures(open_window, scratch):
    """Units of memory, and allocators of one's own, which are hidden like those known."""
    keep("byte-units='decimal'", "allocators='^hoard$'")
    window = open_window(*SYMBOLS, os.path.join(DATA, "heaptrack", "containers.raw.zst"))
    wait_chip(window, r"^Allocators hidden, and hoard$")
    show_page(window, "Functions")
    window.wait_text(r"\d kB  ")
    check(not any(re.search(r"\d KiB", name) for name in window.texts()), window.texts())
    open_preferences(window, "Analysis")
    tab_to(window, "More Allocators (Regular Expression)")
    window.type("(")
    window.wait_text("^The regular expression .* is invalid")
    close_preferences(window)


@scenario
def cache(open_window, scratch):
    """Profiles that were fetched are counted, and deleted but for those that are open."""
    folder = os.path.join(os.environ["XDG_CACHE_HOME"], "profview", "fetched")
    os.makedirs(folder)
    for name in "old.folded", "open.folded":
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("main;work 10\n")
        os.utime(path, (1000000000, 1000000000))
    window = open_window(os.path.join(folder, "open.folded"))
    show_page(window, "Functions")
    open_preferences(window, "Files")
    window.wait_text("^2 files, 26 B$")
    tab_to(window, "Clear")
    window.key("space")
    window.wait_text("^1 file, 13 B$")
    close_preferences(window)
    wait_for("one file", lambda: os.listdir(folder) == ["open.folded"])


if __name__ == "__main__":
    main()
