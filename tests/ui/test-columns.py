#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Columns of tables: their choice, other measures, formulas. test-columns.py PROFVIEW SCENARIO, inside session.sh."""

import os

from driver import DATA, main, scenario, wait_for
from pprof_maker import Profile
from steps import (check, choose_item, choose_path, column_of, find_cell, find_dialog, open_menu, show_page, wait_focus,
                   wait_menu, wait_no_dialog, wait_page, wait_pasted)


@scenario
def table_columns(open_window, scratch):
    """Columns of another measure, their choice and order, which are kept; several rows copied and saved; the hot path."""
    path = os.path.join(scratch, "two.pb.gz")
    profile = Profile(("alloc_space", "bytes"), ("inuse_space", "bytes"))
    for stack, allocated, used in (("main;run;hot;a", 300, 5), ("main;run;hot;b", 300, 0),
                                   ("main;run;hot;pack.c", 310, 0), ("main;idle", 100, 0), ("main;kept", 0, 7)):
        profile.sample(stack, allocated, used)
    profile.write(path)

    def names(table="Functions"):
        return column_of(window, "Function", r"^[\w.]+$", table)

    def choose(*keys):
        open_menu(window, window.find("push button", "^Columns$"), "Reset Columns")
        window.key(*keys)

    window = open_window(path)
    window.wait_text("^2 of 5 samples$")
    show_page(window, "Functions")
    wait_for("functions in use", lambda: names() == ["kept", "a", "main", "hot", "run"])
    # The last item but two opens a menu of measures, whose last one is the total of the other.
    choose("Up", "Up", "Up", "Return")
    window.rest()
    window.key("Up", "Return")
    wait_for("its column", lambda: column_of(window, "alloc_space", r"^30\d B|^310 B")[:1] == ["300 B  29.7 %"])
    wait_for("all of its functions", lambda: set(names()) == {"kept", "a", "main", "hot", "run", "b", "pack.c", "idle"})
    window.click(find_cell(window, "Functions", "^alloc_space$"))
    wait_for("most allocated first",
             lambda: names() == ["main", "hot", "run", "pack.c", "a", "b", "idle", "kept"])
    # Four rows, then without one of them.
    window.click(find_cell(window, "Functions", "^hot$"))
    window.key("shift+Down", "shift+Down", "shift+Down")
    with window.holding("ctrl"):
        window.click(find_cell(window, "Functions", "^pack.c$"))
    window.key("ctrl+c")
    wait_pasted(window, r"^Function\tSelf \(B\)\tSelf %\tTotal \(B\)\tTotal %\tModule\talloc_space \(B\)\talloc_space %\n"
                        r"hot\t0\t0\.00\t5\t41\.67\t[^\t]*\t910\t90\.10\nrun\t.*\na\t5\t41\.67\t.*\t29\.70\n$")
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^hot$"))
    window.key("Menu")
    wait_menu(window, "^Table$")
    window.key("b")
    wait_menu(window, "Save Table As")
    window.key("a")
    saved = os.path.join(scratch, "saved.csv")
    choose_path(window, saved, is_new=True)
    wait_for("the file", lambda: os.path.exists(saved))
    with open(saved) as file:
        lines = file.read().splitlines()
    check(len(lines) == 9 and lines[1].startswith("main,0,0.00,12,100.00,"), lines)
    wait_no_dialog(window)
    # The column of modules is dragged to the front.
    x, y, width, height = find_cell(window, "Functions", "^Module$").get_box()
    first = find_cell(window, "Functions", "^Self$").get_box()
    window.drag((x + 10, y + height // 2), (first[0] - 50, y + height // 2))
    wait_for("modules before amounts", lambda: find_cell(window, "Functions", "^Module$").get_box()[0] <
             find_cell(window, "Functions", "^Self$").get_box()[0])
    # The call tree has its own columns.
    show_page(window, "Call Tree")
    choose("Up", "Up", "Up", "Return")
    window.rest()
    window.key("Up", "Return")
    wait_for("totals of nodes", lambda: column_of(window, "alloc_space", "%$", "Call tree")[:1] == ["1,010 B  100.0 %"] or
             column_of(window, "alloc_space", "%$", "Call tree")[:1] == ["1010 B  100.0 %"])
    # What was hot of what is in use is not so of what was allocated.
    window.click(find_cell(window, "Call tree", "^main$"))
    window.key("Left", "shift+Right")
    wait_for("the hot path", lambda: names("Call tree") == ["main", "kept", "run"])
    wait_for("its last row", lambda: any(row.name == "kept" and row.is_focused
                                         for row in window.all("table row")))
    # By what was allocated, on every level, also of rows that are opened later.
    window.click(find_cell(window, "Call tree", "^alloc_space$"))
    wait_for("the most allocated first, not %s" % names("Call tree"),
             lambda: names("Call tree") == ["main", "run", "kept"])
    # Bottom up it is what the functions themselves have allocated.
    show_page(window, "Bottom Up")
    wait_for("a before kept", lambda: names("Call tree") == ["a", "kept"])
    wait_for("what functions allocate", lambda: column_of(window, "alloc_space", r"%$", "Call tree") ==
             ["300 B  29.7 %", "0 B  0.0 %"])
    window.click(find_cell(window, "Call tree", "^a$"))
    window.key("shift+Right")
    wait_for("callers", lambda: names("Call tree") == ["a", "hot", "run", "main", "kept"])
    wait_for("what they allocate", lambda: column_of(window, "alloc_space", r"%$", "Call tree") ==
             4 * ["300 B  29.7 %"] + ["0 B  0.0 %"])
    # A new window has the same columns.
    window.quit()
    window = open_window(path)
    window.wait_text("^2 of 5 samples$")
    show_page(window, "Functions")
    wait_for("the column of the other measure", lambda: column_of(window, "alloc_space", "%$"))
    check(lambda: find_cell(window, "Functions", "^Module$").get_box()[0] <
          find_cell(window, "Functions", "^Self$").get_box()[0], "order of columns")


@scenario
def derived_columns(open_window, scratch):
    """Columns of what is computed from several measures, in the list of functions and in the call tree."""
    path = os.path.join(scratch, "sizes.pb.gz")
    profile = Profile(("alloc_objects", "count"), ("alloc_space", "bytes"))
    for stack, objects, space in (("main;run;a", 10, 10240), ("main;run;b", 100, 200), ("main;idle", 1, 4096)):
        profile.sample(stack, objects, space)
    profile.write(path)
    title = "Bytes per allocation"

    def cells(table):
        return column_of(window, title, r"^([\d.]+ (B|KiB)|–)$", table)

    def choose():
        # The last item but one is the menu of derived measures, where the total is above the last entry.
        open_menu(window, window.find("push button", "^Columns$"), "Reset Columns")
        window.key("Up", "Up", "Return")
        window.rest()
        window.key("Up", "Up", "Return")

    window = open_window("--measure=alloc_objects", path)
    window.wait_text("^3 samples$")
    show_page(window, "Functions")
    wait_for("functions", lambda: column_of(window, "Function", r"^\w+$") == ["b", "a", "idle", "main", "run"])
    choose()
    wait_focus(window, "table row")  # keys go on from there
    # By hand: 200 / 100, 10240 / 10, 4096 / 1, 14536 / 111, 10440 / 110.
    wait_for("figures", lambda: cells("Functions") == ["2 B", "1.00 KiB", "4.00 KiB", "131 B", "94.9 B"] or
             cells("Functions") == ["2 B", "1.00 KiB", "4.00 KiB", "131 B", "95 B"])
    window.click(find_cell(window, "Functions", "^%s$" % title))
    wait_for("the largest first", lambda: column_of(window, "Function", r"^\w+$") == ["idle", "a", "main", "run", "b"])
    window.click(find_cell(window, "Functions", "^a$"))
    window.key("ctrl+c")
    wait_pasted(window, r"^Function\tSelf\tSelf %.*\tBytes per allocation \(B\)\na\t10\t9\.01\t.*\t1024\n$")
    show_page(window, "Call Tree")
    choose()
    wait_for("figures of nodes", lambda: cells("Call tree")[:1] == ["131 B"])
    window.click(find_cell(window, "Call tree", "^main$"))  # closes the menu
    # Bottom up: of the stacks that pass through a row.
    show_page(window, "Bottom Up")
    wait_for("figures of roots", lambda: cells("Call tree") == ["2 B", "1.00 KiB", "4.00 KiB"])
    window.click(find_cell(window, "Call tree", "^%s$" % title))
    wait_for("the largest first", lambda: cells("Call tree") == ["4.00 KiB", "1.00 KiB", "2 B"])
    window.click(find_cell(window, "Call tree", "^a$"))
    window.key("Right")
    wait_for("figures of a caller", lambda: cells("Call tree") == ["4.00 KiB", "1.00 KiB", "1.00 KiB", "2 B"])
    show_page(window, "Summary")
    window.find("label", "^131 B$")  # of everything


@scenario
def formulas(open_window, scratch):
    """Formulas of the user's own: asked for with the file, typed, edited and deleted, by the keyboard alone."""
    path, other = os.path.join(scratch, "sizes.pb.gz"), os.path.join(scratch, "cpu.pb.gz")
    profile = Profile(("alloc_objects", "count"), ("alloc_space", "bytes"))
    for stack, objects, space in (("main;run;a", 10, 10240), ("main;run;b", 100, 200), ("main;idle", 1, 4096)):
        profile.sample(stack, objects, space)
    profile.write(path)
    profile = Profile(("cpu", "nanoseconds"), ("waits", "count"))
    profile.sample("main;work", 5000, 1)
    profile.write(other)

    def cells(title, table="Functions"):
        return column_of(window, title, r"^([\d.,]+( (B|KiB|%))?|–)$", table)

    def titles():
        return [node.name for node in window.all("label", ".", within=("tree table", "^Functions$"))]

    def order():
        return column_of(window, "Function", r"^\w+$")

    def open_dialog():
        """From the list of functions; the entry is the last one of the menu of derived measures."""
        wait_focus(window, "table row")
        window.key("shift+Tab", "space")
        wait_menu(window, "Reset Columns")
        window.key("Up", "Up", "Return")
        window.rest()
        window.key("Up", "Return")
        dialog = wait_for("the dialog", lambda: find_dialog(window))
        window.rest()
        return dialog

    def answer(pattern):
        wait_for("the answer " + pattern, lambda: next(window.all("label", pattern), None))

    def can_add(name="Add"):
        button = window.find("push button", "^%s$" % name)
        return button.is_sensitive

    window = open_window("--measure=per=alloc_space/alloc_objects", path)
    window.wait_text("^3 samples$")
    show_page(window, "Functions")
    wait_for("functions", lambda: order() == ["b", "a", "idle", "main", "run"])
    # 200 / 100, 10240 / 10, 4096 / 1, 14536 / 111, 10440 / 110.
    wait_for("figures that were asked for",
             lambda: cells("per") in (["2 B", "1.00 KiB", "4.00 KiB", "131 B", x] for x in ("94.9 B", "95 B")))
    wait_for("own figures", lambda: cells("per, self") == ["2 B", "1.00 KiB", "4.00 KiB", "–", "–"])
    window.move(*window.center(find_cell(window, "Functions", "^per$")))
    window.wait_text("^per = alloc_space/alloc_objects$")

    # A formula is wrong in many ways before it is right.
    show_page(window, "Functions")
    open_dialog()
    check(lambda: not can_add(), "nothing to add")
    window.type("my half")
    window.key("Tab")
    window.type("alloc_space alloc")
    answer("^“alloc” is not expected$")
    window.key("ctrl+a")
    window.type("(alloc_space")
    answer("^A parenthesis is not closed$")
    check(lambda: not can_add(), "a formula with a fault")
    window.key("ctrl+a")
    window.type("alloc_space/")
    answer("^The formula ends too soon$")
    window.key("Tab", "space")
    window.rest()
    window.key("Down", "Return")  # the second of the measures
    answer("^“my half” cannot be the name of a formula: ")
    check(lambda: not can_add(), "a bad name")
    window.key("shift+Tab", "ctrl+a")
    window.type("half")
    answer("^For the whole profile: 131 B$")
    window.key("Tab", "End")
    window.type("/2")
    answer("^For the whole profile: 65 B$")
    check(can_add, "a good formula")
    window.key("Return")
    wait_no_dialog(window)
    wait_for("its figures", lambda: cells("half, self") == ["1 B", "512 B", "2.00 KiB", "–", "–"])
    check(lambda: cells("half")[:1] == ["1 B"], lambda: cells("half"))
    window.click(find_cell(window, "Functions", "^half$"))
    wait_for("the largest first", lambda: order() == ["idle", "a", "main", "run", "b"])
    # The page's command has both.
    show_page(window, "Functions")
    open_menu(window, window.find(id="QueryBar.filters_button"), "^Copy as Command$")
    window.key("m")
    wait_pasted(window, "^profview --print=top --measure=alloc_objects --measure=per=alloc_space/alloc_objects "
                        "--measure=half=alloc_space/alloc_objects/2 /")

    # The flame graph can be colored by them: after the four schemes and the usual formula.
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    choose_item(window, window.find(name="^Color by Module$"), 5)

    def caption():
        return [node.name for node in window.all("label", ".", within=("panel", "^Legend$"))][:1]

    wait_for("its colors", lambda: caption() == ["half, 65 B in all"])
    # Another formula of that name, in the place of it.
    show_page(window, "Functions")
    open_dialog()
    window.key("Tab", "Tab", "Tab", "Return")  # the row of the formula
    window.find(id="FormulaDialog.save_button")
    window.type("*1")
    answer("^For the whole profile: 65 B$")
    window.key("ctrl+a")
    window.type("1000*alloc_objects")
    answer("^For the whole profile: 111,000$")
    window.key("Return")
    wait_no_dialog(window)
    wait_for("other figures, in their order",
             lambda: cells("half") == ["111,000", "110,000", "100,000", "10,000", "1,000"])
    check(lambda: order() == ["main", "run", "b", "a", "idle"], order)
    window.key("ctrl+2")
    wait_for("other colors", lambda: caption() == ["half, 111,000 in all"])

    # It is there for other profiles, unless they lack its measures.
    window.quit()
    window = open_window(other)
    window.wait_text("^1 sample$")
    show_page(window, "Functions")
    wait_for("functions", lambda: order() == ["work", "main"])
    check(lambda: titles()[:4] == ["Function", "Self", "Total", "Module"] and
          not {"half", "per", "waits"} & set(titles()), lambda: titles())
    open_dialog()
    answer("not for this profile$")
    window.type("odd")
    window.key("Tab")
    window.type("cpu/bananas")
    answer("^This profile has no measure “bananas”: ")
    check(can_add, "a formula for other profiles")
    window.key("Escape")
    wait_no_dialog(window)
    window.quit()
    window = open_window(path)
    window.wait_text("^3 samples$")
    show_page(window, "Functions")
    wait_for("the saved formula", lambda: sorted(cells("half")) == ["1,000", "10,000", "100,000", "110,000", "111,000"])
    check(lambda: "per" not in titles(), titles)
    # Deleted, it takes its columns along.
    open_dialog()
    window.key("Tab", "Tab", "Tab", "Tab", "Tab", "space")
    wait_for("no formula", lambda: next(window.all("push button", "^Delete “half”$"), None) is None)
    window.key("Escape")
    wait_no_dialog(window)
    wait_for("no column", lambda: "half" not in titles())
    # Heaps have no samples, but formulas.
    window.quit()
    window = open_window("--measure=size=allocated/allocations", os.path.join(DATA, "heaptrack", "leak.raw.zst"))
    window.wait_text("^4 allocation sites$")
    show_page(window, "Functions")
    wait_for("sizes", lambda: cells("size, self")[:3] == ["195 B", "40 B", "71.0 KiB"])


if __name__ == "__main__":
    main()
