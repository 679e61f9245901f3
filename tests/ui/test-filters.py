#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Search and filters. test-filters.py PROFVIEW SCENARIO, inside session.sh."""

import json
import os
import re
import subprocess

from driver import SYMBOLS, main, recording, scenario, wait_for
from flame_steps import ROW, click_row
from steps import (check, chips, column_of, crumbs, direction_of, find_cell, focused, open_menu, open_sample, remove_chip, resize,
                   search_expression, search_for, show_page, tab_to, title_of, wait_details, wait_focus, wait_measure,
                   wait_menu, wait_page, wait_pasted)


@scenario
def searching(open_window, scratch):
    window = open_sample(open_window)
    window.key("ctrl+f")
    window.find(id="SearchRow.entry")
    window.type("Vec::dot")
    window.wait_text(r"^1 function, \d+\.\d %$")
    window.key("Return")
    wait_details(window, r"^geometry::Vec::dot")
    window.key("ctrl+a")
    window.type("no such function")
    window.wait_text(r"^No matches$")
    window.key("ctrl+a")
    window.type("geometry")
    window.wait_text(r"^\d+ of \d+ functions, \d+\.\d %$")
    show_page(window, "Functions")
    wait_for("the filtered list", lambda: "malloc" not in window.texts()
             and "geometry::Vec::dot" in window.texts())
    # The place of the selected one, in the order of the table.
    place, _, n = window.wait_text(r"^\d+ of \d+ functions, ").split()[:3]
    window.key(*["shift+F3"] * int(place))
    window.wait_text(r"^%s of %s functions, " % (n, n))
    window.key("F3", "F3")
    window.wait_text(r"^2 of %s functions, " % n)
    window.key("ctrl+f", "Escape")
    wait_for("the whole list", lambda: "malloc" in window.texts())
    # Files and modules, where no function has such a name, or where a prefix asks for them.
    search_for(window, "inlining.cpp")
    window.wait_text(r"^\d+ of \d+ by file or module, \d+\.\d %$")
    window.key("ctrl+a")
    window.type("function:inlining.cpp")
    window.wait_text("^No matches$")
    window.key("ctrl+a")
    window.type("file:inlining.cpp")
    window.wait_text(r"^\d+ of \d+ functions, ")
    window.key("Escape")


@scenario
def search_options(open_window, scratch):
    """Expressions, full names, and the list of matches."""
    window = open_sample(open_window)
    window.key("slash")
    window.find(id="SearchRow.entry")
    # A slash is text there. Parameters are in full names only.
    window.type("Vec const&) const/")
    window.wait_text("^No matches$")
    window.key("BackSpace")
    window.rest()
    window.wait_text("^No matches$")
    window.click(window.find(id="SearchRow.full_button"))
    window.wait_text(r"^\d+ functions, ")
    window.click(window.find(id="SearchRow.full_button"))
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
    check(lambda: "No matches" not in window.texts())
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
    show_page(window, "Functions")
    window.click(window.find("push button", "^Matches: \\d+ of \\d+ functions, "))
    window.click(find_cell(window, "Matches", r"^geometry::Refine<3>::apply$"))
    window.find("label", "^Called by$")
    wait_for("its callers", lambda: column_of(window, "Called by", "Refine<4>", "Callers"))


@scenario
def filters_by_hand(open_window, scratch):
    window = open_sample(open_window)
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^geometry::Vec::dot$"))
    window.key("f")
    window.wait_text("^280 of 1,155 samples$")
    check(lambda: chips(window) == ["Focus: geometry::Vec::dot(geometry::Vec const&) const"], lambda: chips(window))
    check(lambda: "main" in column_of(window, "Function", "^main$", "Functions"))
    # The module of a row, by its menu.
    window.click(find_cell(window, "Functions", "^main$"), button=3)
    wait_menu(window, "^More Filters$")
    window.key("l")
    wait_menu(window, "^Hide This Module$")
    window.key("m")
    wait_for("the module", lambda: not column_of(window, "Function", "^main$", "Functions"))
    check(lambda: chips(window)[1:] == ["Merge module: inlining"], lambda: chips(window))
    # Undo and redo.
    window.key("z")
    wait_for("the program again", lambda: column_of(window, "Function", "^main$", "Functions"))
    window.key("z")
    window.wait_text("^1,155 samples$")
    window.key("shift+z")
    window.wait_text("^280 of 1,155 samples$")
    check(lambda: len(chips(window)) == 1, lambda: chips(window))
    # In the flame graph, and with the chip's own button.
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    window.key("Down", "Down", "i")
    wait_for("another chip", lambda: len(chips(window)) == 2)
    window.wait_text("^77 of 1,155 samples$")
    window.click(window.find("push button", "^Remove “Ignore: "))
    window.wait_text("^280 of 1,155 samples$")
    # What is shown, as a command.
    window.click(window.find(id="QueryBar.filters_button"))
    window.find("menu item", "^Copy as Command$")
    window.key("m")
    wait_pasted(window, r"^profview --print=tree '--focus=function:\^geometry.* '?--sysroot=.+ "
                        "'?--symbol-path=.+ '?/.+/inlining-fp.data'?$")
    window.click(window.find(id="QueryBar.filters_button"))
    window.find("menu item", "^Clear All Filters$")
    window.key("c")
    window.wait_text("^1,155 samples$")
    check(lambda: chips(window) == [])


@scenario
def asked_at_start(open_window, scratch):
    """The command line asks a query of the window: with the first trees, and of a tab that is open."""
    window = open_window(*SYMBOLS, "--focus=function:^geometry::Vec::dot", "--hide=module:^libc", "--invert",
                         recording("inlining-fp.data"))
    window.wait_text("^280 of 1,155 samples$")
    check(lambda: len(chips(window)) == 2 and chips(window)[0].startswith("Focus: function:^geometry::Vec::dot"), lambda: chips(window))
    wait_for("the direction", lambda: direction_of(window) == ["Bottom Up"])

    def ask(*options):
        subprocess.run([window.program, *SYMBOLS, *options, recording("inlining-fp.data")], check=True, timeout=20)

    ask("--ignore=^geometry::Vec::dot")
    window.wait_text("^875 of 1,155 samples$")
    window.find("label", "^Top Down$")
    check(lambda: len(chips(window)) == 1, lambda: chips(window))
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
    window.find(id="FilterEditor.entry")
    window.wait_text("^Matches [12] functions?$")
    window.key("ctrl+a")
    window.type("geometry::(")
    window.wait_text("is invalid at byte [0-9]+: missing closing parenthesis$")
    window.key("Return")
    window.key("BackSpace")
    window.wait_text(r"^Matches \d\d functions$")
    window.key("Return")
    window.wait_text(r"^1,122 of 1,155 samples$")
    check(lambda: chips(window) == ["Focus: geometry::", "Hide: module:^libc"], lambda: chips(window))
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
    open_menu(window, window.find(id="QueryBar.filters_button"), "Save Filters…")
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
    open_menu(window, window.find(id="QueryBar.filters_button"), "Saved Filters")
    window.key("f", "Down", "Return")
    wait_for("the saved filters",
             lambda: chips(window) == ["Focus: function:^geometry::Vec::dot", "Recursion collapsed"])
    window.wait_text(r"^0 of [\d,]+ samples$")
    window.key("alt+Left")
    wait_for("no filters", lambda: not chips(window))
    open_menu(window, window.find(id="QueryBar.filters_button"), "Delete Saved Filters")
    window.key("l", "Down", "Return")
    window.wait_no_text("^Delete Saved Filters$")
    open_menu(window, window.find(id="QueryBar.filters_button"), "Collapse Recursion")
    check(lambda: not list(window.all("menu item", "^Saved Filters$")), "it is deleted")
    window.key("Escape")


@scenario
def next_match(open_window, scratch):
    """The details line follows the keyboard although the pointer rests on another box."""
    window = open_sample(open_window)
    x, y, width, _ = window.find(id="FlamePage.area").get_box()
    window.move(x + width * 0.25, y + 2.5 * ROW)
    wait_details(window, "^main")
    window.key("ctrl+f")
    window.rest()
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
def next_match_in_tables(open_window, scratch):
    """Focus and selection stay on one row."""
    window = open_sample(open_window)

    def marked(view):
        rows = [(node.is_focused, node.is_selected, node.name) for node in window.all("table row", below=view)]
        return [row for row in rows if row[0] or row[1]]

    search_for(window, "geometry::")
    window.wait_text(r"^\d+ functions, ")
    for name, table in (("Call Tree", "Call tree"), ("Functions", "Functions")):
        show_page(window, name)
        view = window.find("tree table", "^%s$" % table)
        window.key("Down")
        wait_focus(window, "table row")
        for _ in range(3):
            window.key("ctrl+g")
            window.rest()
            check(lambda: [row[:2] for row in marked(view)] == [(True, True)], name, lambda: marked(view))
    # Source goes through them as the table numbers them.
    window.click(find_cell(window, "Functions", "^geometry::Vec::dot$"))
    place = int(window.wait_text(r"^\d+ of \d+ functions, ").split(" ", maxsplit=1)[0])
    show_page(window, "Source")
    for keys, step in (("ctrl+g", 1), ("ctrl+g", 2), ("ctrl+shift+g", 1)):
        window.key(keys)
        window.wait_text(r"^%d of \d+ functions, " % (place + step))


@scenario
def nothing_shown(open_window, scratch):
    """Where a selection has nothing, every page says why, and leads to what there is."""
    window = open_window(*SYMBOLS, "--time=50ms..52ms", recording("kernel-fp.data"))
    title = "^No CPU time in 50–52 ms$"
    for page in ("Summary", "Flame Graph", "Call Tree", "Functions", "Call Graph"):
        window.wait_text("^0 of 56 samples$")
        show_page(window, page)
        window.wait_text(title)
        window.wait_text(r"^2 threads were waiting, for 4\.00 ms in all\.$")
        window.find("push button", "^Clear Range$")
    # The menu of measures has what there is in the range.
    open_menu(window, window.find("combo box", "^Measure$"))
    wait_for("totals of the range", lambda: [
        [node.name for node in row.below if node.role == "label"][::2] for row in window.all("list item")] == [
            ["CPU time", "0 ns"], ["Context switches", "0"], ["Off-CPU time", "6.88 ms"], ["Time blocked", "4.00 ms"],
            ["Time preempted", "2.88 ms"]])
    window.key("Escape")
    # The timeline shows what is around the range.
    show_page(window, "Timeline")
    window.wait_no_text(title)
    window.key("ctrl+2")
    window.click(window.find("push button", "^Show Time Blocked$"))
    wait_measure(window, "Time blocked")
    window.wait_text("^2 of 5 waits$")
    window.wait_no_text(title)
    window.key("alt+Left")
    window.wait_text(title)
    window.click(window.find("push button", "^Clear Range$"))
    window.wait_text("^56 samples$")
    window.wait_no_text(title)


@scenario
def nothing_shown_by_keys(open_window, scratch):
    """The keyboard gets to the ways on, and goes on in the page."""
    window = open_window(*SYMBOLS, "--time=50ms..52ms", recording("kernel-fp.data"))
    for page in ("Summary", "Flame Graph", "Call Tree", "Call Graph", "Source"):
        window.wait_text("^0 of 56 samples$")
        show_page(window, page)
        window.find("push button", "^Clear Range$")
        window.rest()
        tab_to(window, "^Clear Range$")
        window.key("Return")
        window.wait_text("^56 samples$")
        window.rest()
        check(lambda: "Clear Range" not in focused(window), page, lambda: focused(window))
        window.key("alt+Left")


@scenario
def nothing_left(open_window, scratch):
    """Filters of functions may leave out everything."""
    window = open_window(*SYMBOLS, "--focus=^nothing$", recording("kernel-fp.data"))
    window.wait_text("^No CPU time with these filters$")
    window.wait_text(r"^The filters leave out all of it: 93\.5 ms\.$")
    # A notice comes once all names are found: the page is less high then, and the button is elsewhere.
    wait_for("all names", lambda: next(window.all(id="QueryBar.work_box"), None) is None)
    window.rest()
    window.click(window.find("push button", "^Clear Filters$"))
    window.wait_text("^56 samples$")
    window.wait_no_text("^No CPU time with these filters$")


def read_page_by_page(window, pattern):
    for page in ("Call Tree", "Functions", "Flame Graph"):
        show_page(window, page)
        window.wait_text(pattern)


@scenario
def nothing_read(open_window, scratch):
    """A file without anything in it says so."""
    path = os.path.join(scratch, "zero.folded")
    with open(path, "w", encoding="utf-8") as file:
        file.write("main;a 0\nmain;b 0\n")
    read_page_by_page(open_window(path), r"^The counts of all stacks in the file are 0\. ")


@scenario
def idle(open_window, scratch):
    """A profile of a program that did nothing is not taken for one that did."""
    nodes = [{"id": i, "callFrame": {"functionName": name, "url": "", "lineNumber": -1}, "children": children}
             for i, name, children in ((1, "(root)", [2]), (2, "(idle)", []))]
    path = os.path.join(scratch, "idle.cpuprofile")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"nodes": nodes, "startTime": 0, "endTime": 400000, "samples": [2] * 400, "timeDeltas": [1000] * 400}, file)
    read_page_by_page(open_window(path), "^The program was idle all the time, 399 ms: ")


if __name__ == "__main__":
    main()
