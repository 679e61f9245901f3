#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page Functions: order, callers and callees, menus of rows. test-functions.py PROFVIEW SCENARIO, inside session.sh."""

import os
import re
import shutil
import subprocess

from driver import SYMBOLS, main, recording, scenario, wait_for
from pprof_maker import Profile
from steps import (check, column_of, find_cell, open_sample, remove_chip, resize, show_page, title_of,
                   wait_details, wait_focus, wait_menu, wait_page, wait_pasted)


@scenario
def functions(open_window, scratch):
    window = open_sample(open_window)
    show_page(window, "Functions")
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
    check(lambda: not list(window.all("label", "^Called by$")), "callers of no function")
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"))
    window.find("label", "^Called by$")
    wait_for("the callers", lambda: column_of(window, "Called by", "geometry::", "Callers"))
    # A double click on a function shows its source, as its path does.
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"), repeat=2)
    wait_page(window, "Source")
    show_page(window, "Functions")
    window.click(window.find(id="FunctionsPage.place_button"))
    wait_page(window, "Source")


@scenario
def counted_calls(open_window, scratch):
    """Callgrind counts calls: beside what they cost is their number, unless something is filtered, and costs are estimates."""
    path = os.path.join(scratch, "callgrind.out.7")
    with open(path, "w", encoding="utf-8") as file:
        file.write("# callgrind format\nevents: Ir\nfl=p.c\nfn=main\n1 10\ncfn=above\ncalls=1 2\n1 23\ncfn=idle\ncalls=4 6\n1 0\n"
                   "fn=above\n2 10\ncfn=below\ncalls=2000 3\n2 28\nfn=below\n3 6\ncfn=above\ncalls=1999 2\n3 15\ncfn=leaf\n"
                   "calls=1 4\n3 7\nfn=leaf\n4 7\nfn=idle\n6 0\n")
    window = open_window("--hide=^leaf$", path)
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^below$"))
    find_cell(window, "Callers", "^above$")
    check(lambda: not list(window.all("label", "^Count$")), "numbers of calls of what is filtered")
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
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^f199$"))
    window.find("label", "^Called by$")
    window.click(find_cell(window, "Functions", "^Function$"))
    wait_for("the first names", lambda: "f001" in column_of(window, "Function", "^f"))
    window.rest()
    check(lambda: "f198" not in column_of(window, "Function", "^f"), lambda: column_of(window, "Function", "^f"))


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
        wait_for(lambda: "%s %s, not %s" % (title, expected, names(title, table)),
                 lambda: names(title, table) == list(expected))

    show_page(window, "Functions")
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
def by_key(open_window, scratch):
    """Return shows the source of the row that has the focus, selected or not."""
    window = open_sample(open_window)
    window.key("ctrl+3")
    wait_page(window, "Functions")
    wait_focus(window, "table row")
    window.key("Return")
    wait_page(window, "Source")


@scenario
def row_menus(open_window, scratch):
    window = open_sample(open_window)
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"), button=3)
    window.key("c")
    wait_pasted(window, r"^geometry::Vec::dot\(.+\)")
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"), button=3)
    window.key("b")
    wait_menu(window, "^Copy Rows$")
    window.key("r")
    wait_pasted(window, r"^Function\tSelf \(ns\)\tSelf %\tTotal \(ns\)\tTotal %\tModule\n"
                        r"geometry::Vec::dot\t\d+\t\d+\.\d\d\t\d+\t\d+\.\d\d\tinlining\n$")
    # The keyboard's menu, for the row that is selected.
    window.click(find_cell(window, "Functions", r"^geometry::Vec::operator\+$"))
    window.find("label", r"^geometry::Vec::operator\+\(")
    window.key("Menu", "t")
    wait_page(window, "Call Tree")
    find_cell(window, "Call tree", r"^geometry::Vec::operator\+$")
    wait_focus(window, "table row")
    window.key("ctrl+shift+c")
    wait_pasted(window, r"^geometry::Vec::operator\+\(")
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
    check(lambda: title_of(window) == "perf.data", lambda: title_of(window))
    subprocess.run([window.program, os.path.join(scratch, "after", "perf.data")], check=True,
                   timeout=20)
    wait_for("the folder in the title",
             lambda: re.search(r"^perf\.data – .*/after$", title_of(window)))
    window.key("ctrl+w")
    wait_for("the short title", lambda: title_of(window) == "perf.data")


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
        show_page(window, "Functions")
        wait_for("the list to be as wide as the window", lambda: abs(
            window.find(id="FunctionsPage.view").get_box()[2] - window.frame().get_box()[2]) < 4)
        check_gap("Functions", size)
        show_page(window, "Call Tree")
        for button in ("Bottom Up", "Top Down"):
            window.click(window.find("push button", "^%s$" % button))
            check_gap("Call tree", (button, size))


if __name__ == "__main__":
    main()
