#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page Timeline, and the strip of time above other pages. test-timeline.py PROFVIEW SCENARIO, inside session.sh."""

import os
import re
import subprocess

from driver import SYMBOLS, main, recording, scenario, wait_for
from steps import (check, chips, choose_path, details, drag, find_cell, focused, search_for, show_page, wait_chip,
                   wait_details, wait_menu, wait_page, wait_pasted)


@scenario
def tracks(open_window, scratch):
    """Threads over time: a range by pointer and by keys, which all views follow; the stack at a moment; the zoom; and CPUs."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    show_page(window, "Timeline")

    def wait_read(pattern):
        """What a screen reader says."""
        wait_for(pattern, lambda: any(re.search(pattern, name) for name in focused(window)))

    whole = "^102 ms, 156 samples, 1.54 CPUs in use$"
    window.wait_text(whole)
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = area.get_box()
    drag(window, left + width * 0.5, left + width * 0.75, top + 60)
    wait_chip(window, r"^[\d.]+–[\d.]+ ms$")
    window.wait_text(r"^[\d.]+ ms, \d+ samples, [\d.]+ CPUs in use$")
    shown = window.wait_text(r"^\d+ of 156 samples$")
    window.click(window.find(id="QueryBar.filters_button"))
    window.find("menu item", "^Copy as Command$")
    window.key("m")
    wait_pasted(window, r"^profview --print=timeline --time=\S+ '?--sysroot=")
    # One end of it, to the right: more samples.
    drag(window, left + width * 0.75, left + width * 0.9, top + 60)
    wait_for("a longer range than " + shown, lambda: int(window.wait_text(r"^\d+ of 156 samples$").split()[0]) > int(shown.split()[0]))
    window.key("Escape")
    wait_for("no range", lambda: not chips(window))
    window.wait_text(whole)
    # All threads together, above them; a drag there is of a range too.
    window.move(left + width * 0.5, top + 40)
    wait_details(window, r"[\d.]+ ms · All threads · \d(\.\d+)? CPUs busy$")
    drag(window, left + width * 0.5, left + width * 0.75, top + 40)
    wait_chip(window, r"^[\d.]+–[\d.]+ ms$")
    window.key("Escape")
    wait_for("no range", lambda: not chips(window))
    # By keys: the first track and moment are read, and a range is marked from there on.
    window.key("Home")
    wait_read(r"^producer \(1837\), 0 ns, nearest sample at 2.00 ms, crunch$")
    wait_details(window, r"^crunch, .*← produce ← start_thread · producer \(1837\) · nearest sample at 2.00 ms$")
    window.key("Down")
    wait_read(r"^compute \(1839\), 0 ns, \S+$")
    wait_details(window, r"^crunch, .*← start_thread · compute \(1839\)$")
    # What the colors mean; Return on a moment lights its stack up.
    def legend():
        return [node.name for node in window.all("label", ".", below=list(window.all("panel", "^Legend$"))[-1])]

    wait_for("a legend", lambda: legend() == ["threads"])
    window.key("Return")
    wait_for("the function lit up", lambda: legend() == ["crunch (this call path)", "threads"])
    window.key("shift+Page_Down", "shift+Page_Down")
    wait_chip(window, r"^until 2\d(\.\d+)? ms$")
    window.key("Return")
    window.key("ctrl+Right")
    wait_chip(window, r"^1(\.\d+)?–2\d(\.\d+)? ms$")
    window.click(window.find(id="TracksPage.range_button"))
    window.find(id="TracksPage.reset_button")
    window.key("Escape")
    wait_for("no range", lambda: not chips(window))
    window.click(window.find(id="TracksPage.reset_button"))
    wait_for("everything", lambda: not [node for node in window.all("push button", "^Reset Zoom$") if node.is_showing])
    window.key("ctrl+2")
    wait_details(window, "^(?!all)")
    show_page(window, "CPUs")
    window.key("Home")
    wait_read(r"^CPU 0, 0 ns, \S+$")
    # A range that was cleared is over: the next one begins where the cursor is.
    window.key("shift+Page_Down")
    wait_chip(window, r"^until 1\d(\.\d+)? ms$")
    window.key("Escape")
    wait_for("no range", lambda: not chips(window))
    window.key("shift+Page_Down")
    wait_chip(window, r"^1\d(\.\d+)?–2\d(\.\d+)? ms$")


@scenario
def tracks_light(open_window, scratch):
    """What is lit over time: the place in the call tree that is selected, a function, and what a search finds."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    show_page(window, "Timeline")

    def wait_legend(*names):
        wait_for("a legend of %s" % (names,), lambda: [node.name for node in window.all("label", ".", below=list(window.all("panel", "^Legend$"))[-1])] == [*names, "threads"])

    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = area.get_box()
    window.click_at(left + width - 20, top + 300)
    window.key("Home", "Down", "Return")
    wait_legend("crunch (this call path)")
    search_for(window, "produce")
    wait_legend("crunch (this call path)", "produce")
    window.key("Escape")
    wait_legend("crunch (this call path)")
    # In the list it is the function, wherever it is called.
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^produce$"))
    show_page(window, "Timeline")
    wait_legend("produce")


@scenario
def waits(open_window, scratch):
    """Between its samples a thread waits: the line at the bottom, a screen reader and the strip say how."""
    window = open_window(*SYMBOLS, recording("kernel-fp.data"))
    window.wait_text("^56 samples$")
    show_page(window, "Timeline")
    # As --print=timeline has it for these threads, one of which only waits.
    window.wait_text(r"^120 ms, 56 samples, 0\.78 CPUs in use, 356 ms waited$")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, height = area.get_box()
    row, plot = 26 + 30 + min(112, max(26, (height - 26 - 30) // 4)) / 2, left + 170

    def at(milliseconds):
        return plot + (width - 170) * milliseconds / 120.2
    window.move(at(50), top + row)
    wait_details(window, r"^Blocked for [\d.]+ ms, .*while in \S+, At.* producer")
    window.move(at(38), top + row)
    wait_details(window, r"^Preempted for [\d.]+ ms.*, At.* producer")
    # At the edge of a wait, what ran there.
    near = r"^(Preempted|Blocked) for .*, near crunch ← .*start_thread · producer"

    def is_at_edge():
        for tenths in range(300, 480, 4):
            window.move(at(tenths / 10), top + row)
            if any(re.search(near, text) for text in details(window)):
                return True
        return False
    wait_for("what runs beside a wait", is_at_edge)
    window.move(at(1.2), top + row)
    wait_details(window, r"^(?!Blocked|Preempted).*, At.* producer")
    legend = list(window.all("panel", "^Legend$"))[-1]
    wait_for("the colors of waits", lambda: [node.name for node in window.all("label", ".", below=legend)][-3:] ==
             ["Blocked", "Preempted", "Context switches"])
    # The same by keys: the reader hears of a wait on the way.
    window.key("Home")
    heard = []

    def hears():
        window.key("Right")
        heard.extend(name for name in focused(window) if re.search(r", (Blocked|Preempted) for [\d.]+ ms", name))
        return heard
    wait_for("a wait that is read", hears)


@scenario
def tracks_rows(open_window, scratch):
    """Rows are moved, hidden, pinned and searched by keys, pointer and menu: they are only not shown, until one is made the filter."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    show_page(window, "Timeline")
    whole = window.wait_text("^102 ms, 156 samples, 1.54 CPUs in use$")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = area.get_box()
    drag(window, left + width * 0.5, left + width * 0.75, top + 60)
    window.key("Escape")

    def wait_read(pattern):
        wait_for(pattern, lambda: any(re.search(pattern, name) for name in focused(window)))

    def check_rows(*names):
        """From the top, as they are read."""
        window.key("Home", *["Up"] * 4)
        for i, name in enumerate(names):
            wait_read("^" + name)
            window.key("Down")
        wait_read("^" + names[-1])

    def hidden():
        """The buttons that say so, from the top."""
        return sorted(window.all("push button", "hidden$"), key=lambda node: node.get_box()[1])

    check_rows("producer", "compute", "consumer")
    # The cursor goes with its row.
    window.key("alt+Up")
    wait_read("^consumer")
    check_rows("producer", "consumer", "compute")
    window.key("Delete")
    window.find("push button", "^1 row hidden$")
    check(lambda: window.wait_text("^102 ms") == whole, "hidden rows do not count")
    check_rows("producer", "consumer")
    window.click(window.find("push button", "^1 row hidden$"))
    wait_for("no button", lambda: not hidden())
    check_rows("producer", "consumer", "compute")
    # Pinned by a key, from the last to the first row, and unpinned by the menu.
    window.key("p")
    wait_read("^compute .*, pinned")
    check_rows("compute", "producer", "consumer")
    window.key("Home", *["Up"] * 4)
    window.key("Menu")
    wait_menu(window, "^Unpin Row$")
    window.key("p")
    wait_read(r"^compute \(1839\), 0 ns, (?!pinned)")
    check_rows("producer", "consumer", "compute")
    # By the pointer: the first row below the last.
    head = 26 + 30  # the ruler, and the row of all
    window.drag((left + 40, top + head + 14), (left + 40, top + head + 112 * 2.6))
    check_rows("consumer", "compute", "producer")
    # Search: the number of a thread.
    window.key("ctrl+shift+f")
    window.type("1838")
    window.find("push button", "^2 rows hidden$")
    window.key("Return")
    check_rows("consumer")
    window.key("ctrl+shift+f", "Escape")
    wait_for("no button", lambda: not hidden())
    check_rows("consumer", "compute", "producer")
    # The only filter: the view above shows as much.
    window.key("Home", *["Up"] * 4)
    window.key("Menu")
    wait_menu(window, "^Show Only This Thread$")
    window.key("o")
    wait_chip(window, "^consumer")
    window.wait_text(r"^\d+ of 156 samples$")
    check(lambda: not hidden(), hidden)
    # The strip has the same rows.
    window.key("alt+Left")
    window.wait_text("^156 samples$")
    window.key("Delete")
    window.find("push button", "^1 row hidden$")
    show_page(window, "Call Tree")
    wait_for("the strip", lambda: strip_of(window))
    wait_for("the strip's button", lambda: hidden() and hidden()[0].get_box()[1] < strip_of(window)[0].get_box()[1] + 30)
    window.click(hidden()[0])
    wait_for("no button", lambda: not hidden())


@scenario
def decimal_comma(open_window, scratch):
    """Where numbers have a comma, it can be typed, and what is copied has it."""
    subprocess.run(["localedef", "--no-archive", "-i", "de_DE", "-f", "UTF-8", os.path.join(scratch, "de_DE.UTF-8")],
                   check=True)
    window = open_window(*SYMBOLS, recording("cpus-fp.data"),
                         environment={"LOCPATH": scratch, "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "C"})
    window.wait_text("^156 samples$")
    show_page(window, "Timeline")
    window.rest()
    window.key("t")
    window.find(id="RangePopover.entry")
    window.key("ctrl+a")
    window.type("10,5-25,25ms")
    window.wait_text(r"^14,8 ms, \d+ samples, ")
    window.key("ctrl+a")
    window.type("0,01..0,0x5s")
    window.wait_text("^“0,0x5s” is not a time such as 1.5s or 20ms$")
    window.key("ctrl+a")
    window.type("0,01..0,025s")
    window.key("Return")
    wait_chip(window, "^10–25 ms$")
    show_page(window, "Functions")
    window.key("ctrl+a", "ctrl+c")
    window.wait_text(r"^\d+ rows were copied$")
    wait_pasted(window, r"(?s)^Function\t.*\t\d+,\d+\t")


@scenario
def tracks_ranges(open_window, scratch):
    """Ranges of time are typed, and marked to come back to them by the ruler and by a list."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    show_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = area.get_box()
    window.click_at(left + width - 20, top + 300)

    def type_range(text):
        window.key("t")
        window.find(id="RangePopover.entry")
        window.key("ctrl+a")
        window.type(text)

    type_range("10-25ms")
    window.wait_text(r"^15\.0 ms, 27 samples, 1\.80 CPUs in use$")
    window.key("Return")
    wait_chip(window, "^10–25 ms$")
    window.wait_text("^27 of 156 samples$")
    # What is wrong is told, and selected by Return: what is typed then replaces it.
    type_range("40msec..80ms")
    window.wait_text("^“40msec” is not a time such as 1.5s or 20ms$")
    window.key("Return")
    window.type("40ms")
    window.wait_text(r"^40\.0 ms, 63 samples, 1\.58 CPUs in use$")
    window.key("Return")
    wait_chip(window, "^40–80 ms$")
    type_range("1s..")
    window.wait_text("^“1s..” is after the end of the recording$")
    window.key("Escape")
    wait_for("the popover to close", lambda: not list(window.all("text", "^Time range$")))
    # Two marks: this range, and the one before it.
    window.key("shift+m")
    window.key("alt+Left")
    wait_chip(window, "^10–25 ms$")
    window.key("shift+m")
    window.key("alt+Left")
    wait_for("no range", lambda: not chips(window))
    plot = left + 170, width - 170
    window.click_at(plot[0] + plot[1] * 60 / 102, top + 6)
    wait_chip(window, "^40–80 ms$")
    window.click_at(plot[0] + plot[1] * 15 / 102, top + 6)
    wait_chip(window, "^10–25 ms$")
    window.key("alt+Left")
    wait_chip(window, "^40–80 ms$")
    window.click(window.find("push button", "^Ranges…$"))
    window.find("push button", "^B: 10–25 ms, 15.0 ms, 27 samples, 1.80 CPUs in use$")
    for _ in range(4):  # the button Select, mark A, its removal, mark B
        window.key("Tab")
    wait_for("mark B", lambda: any(re.search("^B: ", name) for name in focused(window)))
    window.key("Return")
    wait_chip(window, "^10–25 ms$")
    window.key("t")
    window.find("push button", "^Remove Mark A$")
    window.key("Tab", "Tab", "Tab")
    wait_for("the button", lambda: "Remove Mark A" in focused(window))
    window.key("Return")
    wait_for("one mark", lambda: not list(window.all("push button", "^A: ")))
    window.find("push button", "^B: ")
    # It can be brought back, and be removed again.
    wait_for("the undo button", lambda: "Restore Mark A" in focused(window))
    window.key("Return")
    window.find("push button", "^Remove Mark A$")
    window.key("Tab", "Tab", "Tab")
    wait_for("the button", lambda: "Remove Mark A" in focused(window))
    window.key("Return")
    wait_for("the undo button", lambda: "Restore Mark A" in focused(window))
    window.key("Escape")
    wait_for("the popover to close", lambda: not list(window.all("text", "^Time range$")))
    # A click where no mark is any more.
    window.click_at(plot[0] + plot[1] * 60 / 102, top + 6)
    check(lambda: chips(window) == ["10–25 ms"], lambda: chips(window))
    # The strip has the same marks.
    show_page(window, "Call Tree")
    x, y, width, _ = wait_for("the strip", lambda: strip_of(window))[0].get_box()
    window.key("alt+Left")
    wait_chip(window, "^40–80 ms$")
    window.click_at(x + 170 + (width - 170) * 15 / 102, y + 6)
    wait_chip(window, "^10–25 ms$")


@scenario
def tracks_quality(open_window, scratch):
    """Where stacks are truncated, a row above the threads says so, and there how many; one that has only whole stacks has none."""
    window = open_window(*SYMBOLS, recording("signals-altstack-dwarf.data.zst"))
    window.wait_text("samples$")
    show_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = area.get_box()
    words = r"Stacks: ([\d,]+) complete, ([\d,]+) truncated, 0 broken, 0 unknown$"
    found = set()
    for part in (0.2, 0.4, 0.6, 0.8, 0.9):
        window.move(left + 170 + (width - 170) * part, top + 26 + 8)
        found.add(window.wait_text("^(Stacks: no samples here|%s)" % words))
    check(any(int(match.group(2)) > 0 for match in map(lambda text: re.search(words, text), found) if match), found)
    window.find("label", "^Truncated stacks$")
    check(lambda: not list(window.all("label", "^Possibly incomplete stacks$")), "a class that there is not")
    # The strip says it too.
    show_page(window, "Call Tree")
    x, y, width, _ = wait_for("the strip", lambda: strip_of(window))[0].get_box()
    window.move(x + 170 + (width - 170) * 0.5, y + 20 + 3)
    window.wait_text("^Stacks: ")


def rows_of(path):
    """Names of the rows of an exported time line, and the sum of their amounts in ms."""
    with open(path, encoding="utf-8") as file:
        found = re.findall(r"<title>(.*)\n[\d.]+ % \(([\d.]+) ms\)</title>", file.read())
    return [name for name, _ in found], sum(float(amount) for _, amount in found)


@scenario
def tracks_export(open_window, scratch):
    """The picture of the Timeline has what is shown: threads or CPUs, and the times zoomed to."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    show_page(window, "Timeline")
    window.wait_text("^102 ms, 156 samples, 1.54 CPUs in use$")

    def export(name):
        path = os.path.join(scratch, name)
        window.key("ctrl+e")
        choose_path(window, path, is_new=True)
        window.wait_text("^The picture was saved as “%s”$" % re.escape(name))
        return path

    names, amount = rows_of(export("threads.svg"))
    check(sorted(names) == ["compute (1839)", "consumer (1838)", "producer (1837)"], names)
    check(abs(amount - 156) < 0.5, amount)
    show_page(window, "CPUs")
    window.key("Home", "plus", "plus", "plus", "plus")
    window.find(id="TracksPage.reset_button")
    names, amount = rows_of(export("cpus.svg"))
    check(names == ["CPU 0", "CPU 1"] and 0 < amount < 100, names, amount)
    with open(export("cpus.png"), "rb") as file:
        check(file.read(4) == b"\x89PNG", "a PNG")
    # Other pages export what they show.
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    with open(export("flame.svg"), encoding="utf-8") as file:
        check("crunch\n" in file.read(), "a flame graph")


def strip_of(window):
    return [node for node in window.all("panel", "^Timeline$") if node.get_box()[3] > 0]


@scenario
def strip(open_window, scratch):
    """The time line above the pages: a range by the pointer, the function at a moment; folded away for all documents."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    (x, y, width, height) = wait_for("a time line", lambda: strip_of(window))[0].get_box()
    check(60 < height < 110, height)
    window.move(x + width * 0.4, y + 70)
    window.wait_text(r"^[\d.]+ ms · \w+ \(\d+\) · (nearest sample at [\d.]+ ms · )?\w+ ← (\w+ ← )*start_thread$")
    window.move(x + width * 0.4, y + 28)
    window.wait_text(r"^[\d.]+ ms · All threads · \d(\.\d+)? CPUs busy$")
    window.click_at(x + width * 0.4, y + 70)
    wait_details(window, "^(?!all)")
    drag(window, x + width * 0.5, x + width * 0.75, y + 70)
    wait_chip(window, r"^[\d.]+–[\d.]+ ms$")
    window.wait_text(r"^\d+ of 156 samples$")
    window.key("alt+Left")
    window.wait_text("^156 samples$")
    # The page that shows the same has none above it.
    show_page(window, "Timeline")
    wait_for("no strip", lambda: not strip_of(window))
    show_page(window, "Call Tree")
    wait_for("the strip", lambda: strip_of(window))
    window.key("F9")
    wait_for("no strip", lambda: not strip_of(window))
    window.key("ctrl+2", "F9")
    wait_for("the strip", lambda: strip_of(window))
    window.click(window.find("push button", "^Hide the Timeline$"))
    wait_for("no strip", lambda: not strip_of(window))
    subprocess.run([window.program, recording("inlining-fp.data")], check=True, timeout=20)
    window.wait_text("^1,155 samples$")
    check(lambda: not strip_of(window), "a strip")


@scenario
def more_threads(open_window, scratch):
    """Threads that have no row of their own in the strip have one together, which leads to the page with all of them."""
    path = os.path.join(scratch, "many.txt")
    with open(path, "w") as file:
        for i in range(600):
            file.write("worker-%d 7/%d [000] %.3f:  1000000 cpu-clock:\n\t401000 work (/bin/prog)\n\n" % (i % 20, 7 + i % 20, 5 + i / 1000))
    window = open_window(*SYMBOLS, path)
    window.wait_text("^600 samples$")
    (x, y, width, height) = wait_for("a time line", lambda: strip_of(window))[0].get_box()
    window.move(x + width * 0.5, y + height - 8)
    window.wait_text(r"^[\d.]+ ms · \d+ more threads · ")
    window.click_at(x + width * 0.5, y + height - 8)
    wait_page(window, "Threads")


if __name__ == "__main__":
    main()
