#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window itself: pages, tabs, keys, the menu, its size. test-window.py PROFVIEW SCENARIO, inside session.sh."""

import contextlib
import os
import re
import shutil
import subprocess

from accessible import TOLD, Reader
from driver import DATA, SYMBOLS, main, recording, scenario, wait_for
from flame_steps import ROW, click_row
from steps import (check, chips, choose_path, column_of, drag_files, find_cell, find_dialog, focused, open_menu,
                   open_sample, resize, show_page, title_of, wait_details, wait_focus, wait_menu, wait_no_dialog,
                   wait_page)


@scenario
def opening(open_window, scratch):
    window = open_sample(open_window)
    wait_details(window, r"^all, Self\s0\.0 %.*Total\s100\.0 %")
    wait_page(window, "Flame Graph")
    check(lambda: "1,155 samples" in window.texts(), "the number of samples", lambda: window.texts())


@scenario
def names(open_window, scratch):
    """All that is pressed or chosen is called by what it does, not by the text on it or by what is chosen, in each GTK."""
    window = open_window(*SYMBOLS, recording("inlining-fp.data"), environment=TOLD)
    window.wait_text(r"^[\d,]+ samples$")
    reader = Reader(window.process.pid)
    wait_for("the program on the bus of accessibility", reader.find_program)
    for key, page, wanted in (("ctrl+2", "Flame Graph", ("Colors", "Direction and boxes", "Filters", "Main menu")),
                              ("ctrl+f", "Flame Graph", ("Regular expression", "Full names", "Matches: ")),
                              ("ctrl+3", "Functions", ("Columns",))):
        window.key(key)
        wait_page(window, page)
        window.rest()
        told = reader.read()
        # GTK 4.10 and newer call them buttons.
        said = {name for role, name, _ in told if role in ("push button", "toggle button", "button", "combo box")}
        check(said >= set(wanted), set(wanted) - said, "not among", said)
        # Scenarios look for the same names, but are not told of what is hidden.
        ours = {node.name for role in ("push button", "combo box") for node in window.all(role)}
        check(ours <= said, ours - said)
        check(not [name for name in ours if re.search(r"^(Gtk|Adw|Pv)\w+$|^\.\*$|^f\(x\)$|^$", name)], "names", ours)
        if page == "Flame Graph":
            # Newer GTKs do not tell of pages that are hidden. GTK 4.18 tells the shown one once more for each hidden page
            # before it, since the hidden ones' siblings are taken for their children.
            described = [description for role, name, description in told if name == "Colors" and role == "combo box"]
            check(set(described) == {"Color by Package"}, described)


@scenario
def tab_key(open_window, scratch):
    """Tab leaves pictures and tables, and reaches the controls above them."""
    window = open_sample(open_window)

    def press(key, *names):
        for name in names:
            window.key(key)
            wait_for(lambda: "the focus on %s, not %s" % (name, focused(window)),
                     lambda: any(re.search(name, text) for text in focused(window)))

    shapes = ["^Flame$", "^Chart$", "^Treemap$", "^Sandwich$", "^Calls$"]
    press("shift+Tab", "^Direction and boxes", "^Colors", "^all$", *reversed(shapes), "^Tracks$", "^Hide the Timeline$",
          "^Filters$", "^Help on the measure$", "^Main menu$")
    press("Tab", "^Help on the measure$", "^Filters$", "^Hide the Timeline$", "^Tracks$", *shapes, "^all$", "^Colors",
          "^Direction and boxes", "^all, ", "Open")
    show_page(window, "Call Tree")
    window.key("Down", "Down")
    press("shift+Tab", "^Columns$", "^Bottom Up$", "^Top Down$", "^List$")
    show_page(window, "Functions")
    wait_focus(window, "table row")
    window.key("Home", "Down")
    window.find("label", r"^geometry::Vec::dot\(")  # heads its callers and callees
    press("Tab", "^geometry::")
    # To a row of the callers, then of the callees, and out.
    window.key("Tab", "Tab")
    wait_for(lambda: "the focus outside, not on %s" % focused(window), lambda: any("Open" in text for text in focused(window)))
    window.key(*["shift+Tab"] * 12)
    wait_for(lambda: "the focus above, not on %s" % focused(window), lambda: focused(window) == ["Main menu"])


@scenario
def menu_by_mouse(open_window, scratch):
    """The keyboard goes on after an item of a submenu was clicked."""
    window = open_sample(open_window)
    button = window.find(id="Window.menu_button")
    x = window.center(button)[0]
    window.click(button)

    def press(pattern):
        wait_menu(window, pattern)
        # GTK 4.8 tells where items are as if the menu had no arrow; they are centered below the button.
        _, y, _, height = window.find("menu item", pattern).get_box()
        window.click_at(x, y + height * 0.75)
        window.rest()

    press("^Add Symbols$")
    press("^“perf archive” File…$")
    wait_for("the dialog", lambda: find_dialog(window))
    window.key("Escape")
    wait_no_dialog(window)
    wait_for("the focus in the window", lambda: focused(window))
    show_page(window, "Call Tree")


@scenario
def pages(open_window, scratch):
    window = open_sample(open_window)
    show_page(window, "Summary")
    window.wait_text("^Top Functions by Self$")
    window.wait_text("^Recording$")
    window.wait_text("^samples$")  # the host
    show_page(window, "Call Tree")
    window.wait_text("^From the start of each thread")
    show_page(window, "Summary")
    window.click(window.find("page tab", "^Functions$"))
    wait_page(window, "Call Tree")  # the shape of the page stays
    show_page(window, "Functions")
    window.find(id="FunctionsPage.view")
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    # The file's name and all pages have room in the header bar of a window of 1000 pixels.
    resize(window, 1000, 700)
    wait_for("the name", lambda: any(
        40 < label.get_box()[0] < 300 and label.get_box()[1] < 50 and label.get_box()[2] > 60
        for label in window.all("label", r"^inlining")))
    check(lambda: all(tab.get_box()[1] < 50 for tab in window.all("page tab")), "pages in the header bar")


@scenario
def shapes(open_window, scratch):
    """Five pages always, numbered as they are seen; what was selected, zoomed and filtered stays from shape to shape."""
    window = open_window(*SYMBOLS, recording("threads-fp.data"), os.path.join(DATA, "pprof", "go-cpu.pb.gz"))
    names = ["Summary", "Graph", "Functions", "Timeline", "Source"]
    for _ in range(2):
        window.wait_text(r"^[\d,]+ samples$")
        check(lambda: [tab.name for tab in window.all("page tab") if tab.name in names] == names, "five pages")
        window.key("ctrl+Page_Up")
    window.key("ctrl+Page_Up")
    window.wait_text("^585 samples$")
    for number, name in enumerate(names, 1):
        window.key("ctrl+%d" % number)
        wait_page(window, name)
    window.rest()
    show_page(window, "Flame Graph")
    click_row(window, 2)
    wait_details(window, "^crunch, ")
    window.key("f")
    wait_for("the focus", lambda: chips(window) == ["Focus: crunch"])
    for name in ("Treemap", "Call Graph", "Call Tree", "Functions", "Heat Map", "Threads", "Flame Graph"):
        show_page(window, name)
        check(lambda: chips(window) == ["Focus: crunch"], "the filter on", name)
    wait_details(window, "^crunch, ")
    # From a page without shapes too; T and Z are for all.
    show_page(window, "Summary")
    window.key("ctrl+z")
    wait_for("no focus", lambda: not chips(window))
    window.key("ctrl+shift+z")
    wait_for("the focus", lambda: chips(window) == ["Focus: crunch"])
    window.key("z")
    wait_for("no focus", lambda: not chips(window))
    window.key("t")
    window.type("100ms..200ms\n")
    wait_for("the range", lambda: chips(window) == ["100–200 ms"])


@scenario
def findings(open_window, scratch):
    """Findings come first, each with a button that shows it."""
    path = os.path.join(scratch, "rows.folded")
    with open(path, "w", encoding="utf-8") as file:
        file.write("main;parse_row;malloc;_int_malloc 400\nmain;parse_row 300\nmain;draw 300\n")
    window = open_window(path)
    window.wait_text("^3 samples$")
    show_page(window, "Summary")
    window.wait_text("^What Stands Out$")
    window.wait_text(r"^Memory allocation .* 40\.0 % .*“parse_row”")
    window.click(window.find("push button", "^Show: Memory allocation"))
    wait_page(window, "Flame Graph")
    window.wait_text("^1 of 3 samples$")
    check(lambda: len(chips(window)) == 1 and "malloc" in chips(window)[0], chips)
    wait_details(window, "^parse_row, ")
    # Undone, everything is there again.
    show_page(window, "Summary")
    window.key("ctrl+z")
    window.wait_text("^3 samples$")
    window.wait_text(r"^Memory allocation .* 40\.0 % ")


def height_of_strip(window):
    return next((node.get_box()[3] for node in window.all("panel", "^Timeline$")), 0)


def kept_height():
    """Heights of the strip that the settings keep."""
    path = os.path.join(os.environ["XDG_CONFIG_HOME"], "glib-2.0", "settings", "keyfile")
    with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
        return re.findall(r"^strip-height=(\d+)$", file.read(), re.MULTILINE)
    return []


@scenario
def room(open_window, scratch):
    """Most of the window is for the picture, with tabs too; a low window has no strip, for as long as it is low."""
    window = open_window(*SYMBOLS, recording("threads-fp.data"), recording("spawner-fp.data"))
    window.wait_text("^269 samples$")

    def height():
        return window.find(id="FlamePage.area").get_box()[3]

    resize(window, 1200, 800)
    wait_for("the strip", lambda: height_of_strip(window) > 40)
    strip = height_of_strip(window)
    check(lambda: height() >= 0.62 * 800, "the height of the graph", height)
    check(lambda: height_of_strip(window) < 105, height_of_strip(window))
    resize(window, 700, 500)
    wait_for("no strip", lambda: height_of_strip(window) == 0)
    check(lambda: height() >= 10 * ROW, "ten rows", height)
    show_page(window, "Functions")
    show_page(window, "Graph")
    resize(window, 1200, 800)
    wait_for("the strip as it was", lambda: height_of_strip(window) == strip)
    check(not kept_height(), "nobody has dragged it")
    # The user may.
    x, y, width, _ = wait_for("the strip", lambda: next(iter(window.all("panel", "^Timeline$")), None)).get_box()
    window.drag((x + width / 2, y + strip - 3), (x + width / 2, y + strip + 57))
    wait_for("a higher strip", lambda: strip + 50 < height_of_strip(window) < strip + 70)
    wait_for("it is kept", kept_height)


def tab_on_to(window, name):
    for _ in range(12):
        if any(re.search(name, text) for text in focused(window)):
            return
        window.key("shift+Tab")
    check(False, "no way to", name, focused(window))


@scenario
def without_a_mouse(open_window, scratch):
    """Open, find the hottest function, focus on it, read its callers, choose one thread, undo, export."""
    window = open_window(*SYMBOLS)
    window.wait_text("^Open a Profile$")
    window.key("ctrl+o")
    choose_path(window, recording("threads-fp.data"))
    whole = window.wait_text(r"^[\d,]+ samples$")
    show_page(window, "Functions")
    hottest = wait_for("functions", lambda: column_of(window, "Function", "^[a-z_]+$"))[0]
    window.key("Down", "Home")
    wait_focus(window, "table row")
    wait_for("its callers", lambda: column_of(window, "Called by", ".", "Callers"))
    window.key("f")
    wait_for("the focus on " + hottest, lambda: chips(window) == ["Focus: " + hottest])
    window.wait_text(r"^[\d,]+ of %s$" % whole)
    wait_for("its callers", lambda: column_of(window, "Called by", ".", "Callers")[1:])  # without the title
    focused_text = window.wait_text(r"^[\d,]+ of %s$" % whole)
    tab_on_to(window, "^Threads")
    window.key("Return")
    window.find("list item", "%, shown$")
    window.key("Tab", "ctrl+Return")
    wait_for("one thread", lambda: len(chips(window)) == 2)
    window.key("Escape", "alt+Left")
    wait_for("all threads", lambda: chips(window) == ["Focus: " + hottest])
    window.wait_text("^%s$" % re.escape(focused_text))
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    path = os.path.join(scratch, "hottest.svg")
    window.key("ctrl+e")
    choose_path(window, path, is_new=True)
    window.wait_text("^The picture was saved as “hottest.svg”$")
    with open(path) as file:
        check(hottest in file.read(), "the picture has", hottest)


@scenario
def tabs(open_window, scratch):
    window = open_sample(open_window)
    check(lambda: title_of(window) == "inlining-fp.data", lambda: title_of(window))
    # A second start hands its file to the window that is there.
    subprocess.run([window.program, *SYMBOLS, recording("recursion-fp.data")], check=True, timeout=20)
    wait_for("the second tab", lambda: title_of(window) == "recursion-fp.data")
    window.key("ctrl+Page_Up")
    wait_for("the first tab", lambda: title_of(window) == "inlining-fp.data")
    # A file that is open already is not opened twice.
    subprocess.run([window.program, recording("recursion-fp.data")], check=True, timeout=20)
    wait_for("the second tab", lambda: title_of(window) == "recursion-fp.data")
    window.key("ctrl+w")
    wait_for("the first tab", lambda: title_of(window) == "inlining-fp.data")
    window.key("ctrl+w")
    window.wait_text("^Open a Profile$")
    # Both are in the list of recent files now.
    window.wait_text("^recursion-fp.data$")


@scenario
def measures(open_window, scratch):
    window = open_sample(open_window, "events-fp.data")
    before = window.wait_text(r"^[\d,]+ samples$")
    window.find("label", "^CPU time$")
    window.click(window.find(id="QueryBar.measure_drop_down"))
    window.find("label", r"^Accesses to pages that were not mapped \(page-faults:u\)$")
    window.find("label", "^758$")
    window.key("Down", "Return")
    wait_for("another measure", lambda: [t for t in window.texts()
                                         if re.search(r"^[\d,]+ samples?$", t) and t != before])


@scenario
def start_page(open_window, scratch):
    window = open_window()
    window.wait_text("^Open a Profile$")
    window.key("ctrl+question")
    window.wait_text("^Keyboard shortcuts$")
    window.key("Escape")
    window.rest()


@scenario
def dropping(open_window, scratch):
    """Two files dragged from another program's window: if they are not to be compared, each becomes a tab."""
    window = open_window()
    window.wait_text("^Open a Profile$")
    drag_files(window, [recording("inlining-fp.data"), recording("recursion-fp.data")],
               lambda: window.wait_text("^Compare These Two\\?$"))
    window.rest()
    window.key("alt+o")
    window.wait_text(r"^[\d,]+ samples$")
    wait_for("two tabs", lambda: {"inlining-fp.data", "recursion-fp.data"} <= set(window.texts()))


@scenario
def strange_names(open_window, scratch):
    """A name that is not UTF-8, looks like markup and has what menus take for mnemonics."""
    path = os.path.join(os.fsencode(scratch), b"<i>my_\xe9\xff & perf.data")
    shutil.copy(os.fsencode(recording("inlining-fp.data")), path)
    window = open_window(os.fsencode("--sysroot=" + os.path.join(DATA, "sysroot")), path)
    window.wait_text("^1,155 samples$")
    check(lambda: title_of(window).startswith("<i>my_"), lambda: title_of(window))
    window.key("ctrl+w")
    window.click(window.find("label", "^<i>my_"))
    window.wait_text("^1,155 samples$")
    window.key("ctrl+w")
    window.wait_text("^Open a Profile$")
    open_menu(window, window.find("push button", "^Recent files$"))
    window.key("Return")  # the first item has the focus
    window.wait_text("^1,155 samples$")


@scenario
def many_files(open_window, scratch):
    """More files than have room for tabs are asked about; a tab is loaded once it is shown."""
    paths = []
    for i in range(25):
        paths.append(os.path.join(scratch, "many-%02d.folded" % i))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write("main;work %d\n" % (i + 1))
    window = open_window(*paths)
    window.wait_text(r"^Open 25 Tabs\?$")
    window.rest()
    window.key("alt+t")
    window.wait_text("^1 sample$")
    check(lambda: title_of(window).startswith("many-00"), lambda: title_of(window))
    window.key("ctrl+Page_Down")
    wait_for("the second tab", lambda: title_of(window) == "many-01.folded")
    window.wait_text(r"Total\u2002100\.0 %\u20022$")
    subprocess.run([window.program, *paths], check=True, timeout=20)
    window.wait_text(r"^Open 25 Tabs\?$")
    window.rest()
    window.key("alt+m")
    window.wait_text("^25 samples$")


@scenario
def narrow(open_window, scratch):
    window = open_sample(open_window)
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"))
    side = window.find("label", "^Called by$")
    wait_for("callers beside the list", lambda: side.get_box()[0] > 600)
    resize(window, 600, 700)
    tab = wait_for("the switcher at the bottom", lambda: next(
        (t for t in window.all("page tab", "^Summary$") if t.get_box()[1] > 500), None))
    wait_for("callers below the list", lambda: side.get_box()[1] > 350)
    window.click(tab)
    wait_page(window, "Summary")
    # No page needs more room than that, whatever the details line has to say.
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    resize(window, 480, 700)
    click_row(window, 4, share=0.2)
    wait_details(window, r"^geometry::.*Of caller.*inlining\.cpp:\d+")
    window.rest()
    width = window.frame().get_box()[2]
    check(width < 492, "the window is", width, "wide")
    show_page(window, "Call Tree")

    def ends_within():
        x, _, header_width, _ = find_cell(window, "Call tree", "^Total$").get_box()
        return x + header_width < 492 + 30  # the frame's shadow

    wait_for("the totals in view", ends_within)
    resize(window, 1200, 700)
    show_page(window, "Functions")
    wait_for("callers beside the list", lambda: side.get_box()[0] > 700)


@scenario
def window_size(open_window, scratch):
    window = open_window()
    window.wait_text("^Open a Profile$")
    resize(window, 900, 650)
    window.key("ctrl+w")  # nothing is open, so it closes the window
    window.process.wait(10)
    window = open_window()
    window.wait_text("^Open a Profile$")
    width, height = window.frame().get_box()[2:]
    check(abs(width - 900) < 12 and abs(height - 650) < 12, width, height)


@scenario
def names_for_readers(open_window, scratch):
    """What the focus can be on has a name of its own, not that of its class."""
    window = open_sample(open_window, "events-fp.data")
    window.key("ctrl+f")
    for page in ("1", "3", "4", "2"):
        window.key("ctrl+" + page)
        window.rest()
        for node in window.all():
            name = node.name
            if node.role in ("push button", "entry", "combo box", "page tab", "table row") and \
                    node.is_focusable:
                check(name and not re.match("Gtk|Adw|Pv|_", name), node.role, repr(name),
                      "at", node.get_box())
                check(not re.match("(.+) \\1$", name), "said twice:", repr(name))


if __name__ == "__main__":
    main()
