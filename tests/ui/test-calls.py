#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages Call Tree and Call Graph. test-calls.py PROFVIEW SCENARIO, inside session.sh."""

import os
import re

from driver import DATA, main, scenario, wait_for
from flame_steps import click_row
from pprof_maker import LineProfile, Profile, message, packed
from steps import (check, column_of, find_cell, focused, open_menu, open_sample, search_expression, show_page,
                   wait_details, wait_focus, wait_page, wait_pasted)


@scenario
def sizes(open_window, scratch):
    """Where the bytes of a program are, which has neither threads nor calls."""
    window = open_window(os.path.join(DATA, "sysroot/opt/samples/bin/inlining"))
    window.wait_text("^file-size$")
    show_page(window, "Call Tree")
    window.wait_text("^From the sections of the file to the functions in them$")
    find_cell(window, "Call tree", r"^\.text$")
    window.click(window.find(name="^Bottom Up$"))
    window.wait_text("^Functions by size, and where each is$")
    find_cell(window, "Call tree", "^main$")


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
        wait_for(lambda: "rows %r, not %r" % (expected, " ".join(names())), lambda: " ".join(names()) == expected)

    def sort(title):
        window.click(find_cell(window, "Call tree", "^%s$" % title))

    def selected():
        return [row.name for row in window.all("table row") if row.is_selected]

    show_page(window, "Call Tree")
    wait_names("main run A b idle start")
    sort("Total")
    wait_names("start main idle run b A")
    sort("Function")
    wait_names("main idle run A b start")
    window.click(find_cell(window, "Call tree", "^run$"))
    with window.holding("ctrl"):
        window.click(find_cell(window, "Call tree", "^b$"))
    wait_for("two rows", lambda: selected() == ["run", "b"])
    sort("Function")
    wait_names("start main run b A idle")
    wait_for(lambda: "the same two rows, not %s" % selected(), lambda: selected() == ["run", "b"])
    sort("Self")
    wait_names("main run A b idle start")
    wait_for(lambda: "the same two rows, not %s" % selected(), lambda: selected() == ["run", "b"])
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
    wait_for("the end of the path", lambda: any(row.name == "A" and row.is_focused
                                                for row in window.all("table row")))
    window.key("ctrl+a", "ctrl+c")
    wait_pasted(window, r"^Function\tSelf.*\nstart\t.*\nmain\t.*\n  idle\t.*\n  run\t.*\n    b\t.*\n    A\t.*\n$")
    # Another tree has the same order.
    show_page(window, "Call Tree")
    window.click(find_cell(window, "Call tree", "^A$"))
    window.key("i")
    wait_names("start main idle run b")
    window.key("alt+Left")
    wait_names("start main idle run b A")
    # Bottom up there is no self cost beside that of the roots, whose column is sorted by in its place.
    sort("Self")
    wait_for("the most self cost first", lambda: names()[:2] == ["main", "run"])
    window.click(find_cell(window, "Call tree", "^start$"))
    show_page(window, "Bottom Up")
    wait_names("A b x z y run c")
    sort("Self")
    wait_names("c run y z x b A")
    window.click(find_cell(window, "Call tree", "^z$"))
    window.key("Right")
    wait_names("c run y z idle x b A")
    sort("Function")
    wait_names("A b c run x y z idle")


@scenario
def call_tree(open_window, scratch):
    window = open_sample(open_window)

    def names(pattern="."):
        return column_of(window, "Function", pattern, "Call tree")

    click_row(window, 3)
    wait_details(window, r"^geometry::centre")
    show_page(window, "Call Tree")
    window.click(find_cell(window, "Call tree", "^main$"))
    wait_for("an open row", lambda: len(names(r"^geometry::")) > 1)
    window.key("Left")
    wait_for("a closed row", lambda: not names(r"^geometry::"))
    window.key("Right")
    wait_for("an open row", lambda: len(names(r"^geometry::")) > 1)
    # The focus goes along with the selection: down is one below what Right went to.
    window.key("Right", "Down")
    show_page(window, "Functions")
    window.find("label", r"^geometry::Cloud::weigh\(")  # heads its callers and callees
    show_page(window, "Call Tree")
    show_page(window, "Bottom Up")
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

    show_page(window, "Call Tree")
    find_cell(window, "Call tree", "^hot$")
    # Level by level: each function is called by three or four others, all too small to be shown.
    name = names(r"^f\d+$")[0]
    window.click(find_cell(window, "Call tree", "^%s$" % name))
    window.key("Right")
    wait_for("the folded callees", lambda: names("small functions?$"))
    few = len(names(r"^f\d+$"))
    window.key("Down", "Right")
    wait_for("no folded callees", lambda: not names("^[34] small functions$"))
    check(lambda: names(r"^f\d+$").index(name) + 3 < len(names(r"^f\d+$")), names)
    check(few > 0)
    # A function that is too small everywhere is shown once it is selected.
    search_expression(window, "^leaf4711$")
    window.wait_text(r"^1 function, ")
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^leaf4711$"))
    window.find("label", "^Called by$")
    show_page(window, "Call Tree")
    find_cell(window, "Call tree", "^leaf4711$")
    # The same in the flame graph.
    show_page(window, "Flame Graph")
    wait_details(window, "^leaf4711, ")
    # And as the next match of a search.
    search_expression(window, "^leaf815$")
    window.wait_text(r"^1 function, ")
    window.key("Return")
    show_page(window, "Call Tree")
    find_cell(window, "Call tree", "^leaf815$")


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
    check(lambda: focused(window) == ["work, 90 (90.0 %)"], "the node has the focus", lambda: focused(window))
    window.key("ctrl+0", "plus", "minus")
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^rest$"))
    window.key("ctrl+k")
    window.wait_text(r"^rest: 10 \(10\.0 %\) of 40 \(40\.0 %\)$")
    window.key("Return")
    window.wait_text("^3 functions, 2 calls$")
    window.click(window.find(id="GraphPage.around_button"))
    window.wait_text("^3 functions, 3 calls$")
    # Filters are those of all pages.
    window.key("ctrl+3", "ctrl+k")
    window.key("f")
    window.wait_text("^3 functions, 2 calls$")
    window.key("z")
    window.wait_text("^3 functions, 3 calls$")
    # Limits are remembered, and are part of the command.
    window.click(window.find(id="GraphPage.limits_button"))
    wait_focus(window, "spin button")
    window.key("ctrl+a")
    window.type("2")
    window.key("Return", "Escape")
    window.wait_text("^2 of 3 functions, 1 call$")
    open_menu(window, window.find(id="QueryBar.filters_button"), "^Copy as Command$")
    window.key("m")
    wait_pasted(window, "^profview --export=graph.svg --view=graph --nodecount=2 /")
    window.quit()
    again = open_window(path)
    again.key("ctrl+k")
    again.wait_text("^2 of 3 functions, 1 call$")


if __name__ == "__main__":
    main()
