#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Charts of numbers and of time: flame chart, heat map, counters, distributions. test-charts.py PROFVIEW SCENARIO, inside session.sh."""

import json
import os
import re
import struct

from driver import DATA, SYMBOLS, main, recording, scenario, wait_for
from flame_steps import ROW
from steps import (check, chips, choose_item, choose_path, column_of, drag, find_cell, focused, search_for,
                   shape_buttons, show_page, wait_chip, wait_details, wait_page)


def write_counters(path, n_counters=2):
    """Two threads for a second, memory that goes up to 4 MiB and down again, and what was sent."""
    ms = [10 * i for i in range(101)]
    changes = [0] + [(1 << 20) // 12] * 50 + [-(1 << 20) // 20] * 50
    counters = [{"name": "malloc", "category": "Memory", "description": "", "pid": "7", "mainThreadIndex": 0,
                 "samples": {"time": ms, "count": changes, "length": 101}}]
    counters += [{"name": "sent %d" % i, "category": "Bandwidth", "description": "", "pid": "7", "mainThreadIndex": 0,
                  "samples": {"time": ms, "count": [0] + [2048 * (i % 3) for i in range(100)], "length": 101}} for i in range(1, n_counters)]
    threads = [{"name": name, "pid": "7", "tid": tid, "processName": "shop", "registerTime": 0, "samples": {
        "stack": [0] * 101, "time": ms, "weight": None, "length": 101}} for name, tid in (("GeckoMain", 7), ("worker", 8))]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"meta": {"preprocessedProfileVersion": 61, "interval": 10, "startTime": 0, "product": "Firefox", "categories": []},
                   "libs": [], "threads": threads, "counters": counters, "shared": {
                       "stackTable": {"frame": [0], "prefix": [None]}, "frameTable": {"func": [0], "address": [-1]},
                       "funcTable": {"name": [0], "resource": [-1]}, "resourceTable": {}, "stringArray": ["serve"]}}, file)


@scenario
def counters(open_window, scratch):
    """Counters of a Firefox profile are below the threads: the value at the pointer, which the cursor's description has too; a
    range by dragging on one; and the CPU view and the zoom, where they stay. Many of them scroll."""
    path = os.path.join(scratch, "counters.json")
    write_counters(path)
    window = open_window(path)
    window.wait_text("^202 samples$")
    show_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, height = area.get_box()

    def place(row):
        """The middle of a counter's row: two threads of the height that is left to them are above."""
        rows = top + 26 + 16 + 30  # the ruler, the quality, all threads
        tracks = min(112, (top + height - rows - 20 - 2 * 42) // 2)
        return rows + 2 * tracks + 20 + (row + 0.5) * 42

    def value(pattern, share, row):
        window.move(left + 170 + (width - 170) * share + 3, place(row))
        window.move(left + 170 + (width - 170) * share, place(row))
        window.rest()  # until then it may say what was under the pointer on its way
        return wait_for(pattern, lambda: [match for match in (re.match(pattern, node.name) for node in window.all("label")) if match])[0]

    memory = r"([\d.]+ m?s) · Memory · malloc: \+([\d.]+) MiB$"
    levels = [float(value(memory, share, 0)[2]) for share in (0.25, 0.5, 0.75)]
    check(levels[0] < levels[1] > levels[2] and 4 < levels[1] <= 4.17 and 2 < levels[0] < 2.2, levels)
    value(r"[\d.]+ m?s · Bandwidth · sent 1: ([24].00 KiB|0 B)$", 0.4, 1)
    # A drag on it is of a range.
    drag(window, left + 170 + (width - 170) * 0.25, left + 170 + (width - 170) * 0.5, place(0))
    wait_chip(window, r"^2\d\d–(49|50)\d ms$")
    window.wait_text(r"^5\d of 202 samples$")
    window.click(window.find(id="TracksPage.range_button"))
    window.find(id="TracksPage.reset_button")
    check(lambda: 2 < float(value(memory, 0.02, 0)[2]) < 2.3, "zoomed")
    check(lambda: 4 < float(value(memory, 0.98, 0)[2]) < 4.2, "zoomed")
    window.key("Escape", "Escape")
    wait_for("no range", lambda: not chips(window))
    # The cursor's description has all that are in view.
    window.click_at(left + 170 + (width - 170) * 0.5, top + 80)
    window.key("Home")

    def described():
        return [node.get_description() for node in window.all(sized=False) if node.is_focused]
    wait_for("counters", lambda: any(re.search(r"Memory · malloc: 0 B, Bandwidth · sent 1: 0 B$", text) for text in described()))


def write_capture(path, n_counters):
    """Sysprof: samples on two processors for a second, and how busy many were, one more than the other."""
    data = bytearray(bytes([0x5e, 0x97, 0xca, 0xfd, 1, 1, 0, 0]) + b"2026-11-22T09:20:58Z".ljust(64, b"\0") + struct.pack("<q", 1000)).ljust(256, b"\0")

    def add(kind, cpu, pid, time_ns, body):
        body += bytes(-len(body) % 8)
        data.extend(struct.pack("<HhiqB7x", 24 + len(body), cpu, pid, time_ns, kind) + body)

    for i in range(n_counters):
        add(8, -1, -1, 1000, struct.pack("<H6x32s32s52sIQ", 1, b"CPU Percent", b"Total CPU %d" % i, b"", (i + 1) | 1 << 24, 0))
    for ms in range(0, 1001, 10):
        add(2, ms // 10 % 2, 7, 1000000 + ms * 1000000, struct.pack("<HHiQ", 1, 0, 7, 0x401000))
        for i in range(n_counters):
            add(9, -1, -1, 1000000 + ms * 1000000, struct.pack("<H6x8Id7q", 1, i + 1, *[0] * 7, i + ms / 20, *[0] * 7))
    with open(path, "wb") as file:
        file.write(data)


@scenario
def counters_of_many_cpus(open_window, scratch):
    """More counters than there is room for, of a Sysprof capture: they scroll with the rows, of threads as of CPUs."""
    path = os.path.join(scratch, "cpus.syscap")
    write_capture(path, 40)
    window = open_window(path)
    window.wait_text("^101 samples$")
    show_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]

    def check_last():
        left, top, width, height = area.get_box()
        window.move(left + 40, top + height / 2)
        window.scroll(40)

        def is_last():
            for x in 3, 0:
                window.move(left + 170 + (width - 170) * 0.4 + x, top + height - 10)
            return list(window.all("label", r"^(39\d|40\d) ms · CPU Percent · Total CPU 39: (58|59|60)\.\d %$"))
        wait_for("the last counter", is_last)
    check_last()
    show_page(window, "CPUs")
    check_last()


def wait_chart(window, pattern):
    """The place of the flame chart whose bar says this: a duration and how many samples are in view."""
    window.wait_text(pattern)
    return wait_for("a flame chart", lambda: [node for node in window.all("panel", "^Flame chart$")
                                                         if node.get_box()[3] > 100])[-1].get_box()


@scenario
def flame_chart(open_window, scratch):
    """One thread over time: zoom, selection, search, keys and transforms as in the flame graph; other threads; its picture."""
    window = open_window(*SYMBOLS, recording("spawner-fp.data"))
    window.wait_text("^269 samples$")
    show_page(window, "Flame Chart")
    x, y, width, _ = wait_chart(window, r"^270 ms, 183 samples$")
    wait_details(window, r"^spawner \(6107\), Duration\s270 ms.*From\s0 ns.*183 samples")

    def at(share, level, act=window.move):
        act(x + width * share, y + (level + 0.5) * ROW)

    # The first 100 ms are one box.
    at(0.1, 2)
    wait_details(window, r"^toil, Duration\s100 ms.*From\s0 ns.*97 samples, spawner")
    at(0.1, 2, window.click_at)
    wait_chart(window, r"^100 ms, 97 samples$")
    window.key("Escape")
    wait_chart(window, r"^270 ms, 183 samples$")
    # Each is a step of the history.
    window.key("alt+Left")
    wait_chart(window, r"^100 ms, 97 samples$")
    window.key("alt+Left")
    wait_chart(window, r"^270 ms, 183 samples$")
    window.key("alt+Right")
    wait_chart(window, r"^100 ms, 97 samples$")
    window.key("Escape")
    wait_chart(window, r"^270 ms, 183 samples$")
    # What is selected is the same function elsewhere.
    show_page(window, "Functions")
    wait_for("the function", lambda: any(row.is_selected and row.name.startswith("toil")
                                         for row in window.all("table row")))
    window.key("ctrl+2")
    # The next box by a key, then in: a stretch between two pauses.
    window.key("Right")
    wait_details(window, r"^toil, Duration\s4\.\d+ ms.*From\s104 ms.*\d samples")
    window.key("Return")
    wait_chart(window, r"^4\.\d+ ms, \d samples$")
    window.key("shift+Right", "shift+Right", "shift+Right")
    window.wait_text(r"^4\.\d+ ms, [0-4] samples?$")
    window.key("Escape")
    wait_chart(window, r"^270 ms, 183 samples$")
    # By the wheel, down to single samples.
    at(0.1, 2)
    with window.holding("ctrl"):
        window.scroll(30, is_up=True)
    window.wait_text(r"^[\d.]+ (µs|ms), [01] samples?$")
    window.key("Escape")
    wait_chart(window, r"^270 ms, 183 samples$")
    # Search.
    search_for(window, "toil")
    window.wait_text(r"^1 function, [\d.]+ %$")
    window.key("Return")
    wait_details(window, r"^toil, Duration")
    window.key("ctrl+a", "BackSpace", "Escape")
    # A transform: nothing is left of this thread but another one.
    at(0.1, 2, window.click_at)
    wait_chart(window, r"^100 ms, 97 samples$")
    window.key("i")
    wait_chip(window, "toil")
    wait_details(window, r"^(?!toil)")
    window.key("alt+Left")
    wait_for("no chip", lambda: not chips(window))
    window.key("Escape")
    wait_chart(window, r"^270 ms, 183 samples$")
    # Another thread.
    window.click(window.find("push button", "^Thread$"))
    window.key("Down", "Return")
    window.wait_text(r"^[\d.]+ ms, (?!183)\d+ samples$")
    window.wait_text(r"^\w+( · \w+)? \((?!6107)\d+\)\s[\d.]+ %$")
    # The picture.
    path = os.path.join(scratch, "chart.svg")
    window.key("ctrl+e")
    choose_path(window, path, is_new=True)
    window.wait_text("^The picture was saved as “chart.svg”$")
    with open(path, encoding="utf-8") as file:
        check(re.search(r", from [\d.]+ \w+ on", file.read()), "a flame chart")
    # A sandwich leads out of it, and it leads out of a sandwich.
    show_page(window, "Sandwich")
    wait_details(window, r", Self\s")
    show_page(window, "Flame Chart")
    wait_details(window, r", Duration\s")


@scenario
def no_flame_chart(open_window, scratch):
    """Where samples have no times, the button says so."""
    window = open_window(os.path.join(DATA, "pprof", "go-cpu.pb.gz"))
    window.find(id="FlamePage.area")
    button = wait_for("its button", lambda: next((node for node in shape_buttons(window) if node.name == "Chart"), None))
    wait_for("insensitive", lambda: any(node.name == "Chart" and not node.is_sensitive for node in shape_buttons(window)))
    x, y, width, height = button.get_box()
    window.move(x + width / 2, y + height / 2)
    window.wait_text("^No flame chart: this profile does not say when its samples were taken$")


@scenario
def heat_map(open_window, scratch):
    """Each second a column: a cell, or several, are a range for all pages, by pointer and by keys."""
    window = open_window(*SYMBOLS, recording("threads-fp.data"))
    window.wait_text("^585 samples$")
    show_page(window, "Heat Map")
    window.key("shift+Tab")  # the cursor's cell is told while the picture has the focus
    window.wait_text("^A column is 100 ms, from the bottom up; ")
    wait_for("a legend", lambda: {"Nothing", "Up to 1.00 ms", "Up to 2.00 ms", "Up to 3.00 ms"} <= set(window.texts()))
    area = wait_for("a heat map", lambda: [node for node in window.all("panel", "^Heat map$") if node.get_box()[3] > 200])[0]
    x, y, width, height = area.get_box()
    # Columns are 48 wide, right of the axis and below the ruler.
    left, top, step = x + 64, y + 26, (height - 28) / 50

    def at(column, row):
        return left + (column + 0.5) * 48, top + (49.5 - row) * step

    window.move(*at(2, 10))
    wait_details(window, r"^0\.220–0\.222 s, ")
    window.click_at(*at(2, 10))
    wait_chip(window, r"^220–222 ms$")
    window.wait_text(r"^\d+ of 585 samples$")
    # A drag over a column and on: all between the two in time.
    window.drag(at(1, 0), at(3, 49))
    wait_chip(window, r"^100–400 ms$")
    shown = window.wait_text(r"^\d+ of 585 samples$")
    window.wait_text("^300 ms, %s samples$" % shown.split()[0])
    # Other pages have that range; back.
    show_page(window, "Functions")
    window.find(name="^%s$" % shown)
    show_page(window, "Timeline")
    window.click_at(*at(2, 10))
    wait_chip(window, r"^220–222 ms$")
    window.key("alt+Left")
    wait_chip(window, r"^100–400 ms$")
    # Keys: the cell with the cursor is read.
    window.key("Escape")
    wait_for("no range", lambda: not chips(window))
    window.key("Home", "Right", "Up")
    wait_for("what is read", lambda: any(re.search(r"^0\.102–0\.104 s, ", name) for name in focused(window)))
    window.key("Return")
    wait_chip(window, r"^102–104 ms$")
    window.key("shift+Right")
    wait_chip(window, r"^102–204 ms$")
    # Filters are in it: less is left.
    window.key("Escape")
    path = os.path.join(scratch, "heat.svg")
    window.key("ctrl+e")
    choose_path(window, path, is_new=True)
    window.wait_text("^The picture was saved as “heat.svg”$")
    with open(path, encoding="utf-8") as file:
        cells = re.findall(r"<title>[\d.]+–[\d.]+ s\n([\d.]+) ms</title>", file.read())
    check(abs(sum(map(float, cells)) - 586) < 3, "the sum of cells", sum(map(float, cells)))
    show_page(window, "Threads")
    wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])


@scenario
def distributions(open_window, scratch):
    """Output of bpftrace without stacks: bars by keys, their rows, another map."""
    window = open_window(os.path.join(DATA, "bpftrace", "latencies.txt"))
    wait_page(window, "Distribution")
    wait_for("no pages of stacks", lambda: not list(window.all("page tab", "^(Graph|Functions|Timeline|Source)$")))
    window.find("page tab", "^Summary$")
    window.wait_text("^28 in total, median: 0 to 9$")  # the first histogram
    choice = window.find(id="DistributionPage.choice")
    choose_item(window, choice, 0)
    window.wait_text("^2 rows$")
    wait_for("rows of @average", lambda: column_of(window, "Value", r"^\d+$", "Distribution") == ["913", "118"])

    choose_item(window, choice, 5)
    window.wait_text("^83 in total, median: 4 to 7$")
    counts = [1, 0, 6, 52, 20, 1, 3]
    wait_for("buckets", lambda: [int(text.split()[0]) for text in column_of(window, "Count", r"^\d+\b", "Distribution")] == counts)
    area = window.find("panel", r"^@usecs\[shop server\]: 83 in total, median: 4 to 7$")
    left, top, width, _ = area.get_box()
    window.click_at(left + width - 3, top + 50)  # beside the bars
    window.key("Home")
    ranges = ["0", "1", "2 to 3", "4 to 7", "8 to 15", "512 to 1,023", "1,024 to 2,047"]
    for name, count in zip(ranges, counts):
        wait_for("bar " + name, lambda: focused(window) == ["%s: %d (%.1f %%)" % (name, count, 100 * count / 83)])
        window.key("Right")
    window.key("Home", "Right", "Right", "Return")
    wait_for("the row of the bar", lambda: [row.name for row in window.all("table row") if row.is_selected] ==
             ["2 to 3"])

    def shown():
        return [int(text.split()[0]) for text in column_of(window, "Count", r"^\d+\b", "Distribution")]

    # Sorted by their counts, the largest first, and back; the row of the bar stays.
    header = find_cell(window, "Distribution", "^Count$")
    for wanted in (sorted(counts, reverse=True), sorted(counts)):
        window.click(header)
        wait_for("rows by their counts", lambda: shown() == wanted)
        check(lambda: [row.name for row in window.all("table row") if row.is_selected] == ["2 to 3"])
    window.click(find_cell(window, "Distribution", "^Range$"))
    wait_for("rows by their ranges", lambda: shown() in (counts, counts[::-1]))
    # Filtered by what is typed; Escape ends that.
    window.key("ctrl+f")
    window.type("1,0")
    wait_for("two ranges", lambda: sorted(shown()) == [1, 3])
    window.key("Escape")
    wait_for("all ranges", lambda: len(shown()) == len(counts))
    # The search button leads there too, and does not stay pressed.
    button = window.find(id="Window.search_button")
    window.click(button)
    window.type("1,0")
    wait_for("two ranges", lambda: sorted(shown()) == [1, 3])
    check(lambda: not button.is_pressed, "the button stays pressed")
    choose_item(window, choice, 4)
    window.wait_text("^28 in total, median: 0 to 9$")
    window.wait_text("^below −10$")
    wait_for("in their order", lambda: shown() == [2, 5, 16, 1, 4])
    window.key("ctrl+f")
    check(lambda: not list(window.all("text", "^Search")), "nothing to search")
    show_page(window, "Summary")
    window.wait_text("^Distributions$")
    window.key("ctrl+f")
    wait_page(window, "Distribution")
    window.type("below")
    wait_for("one range", lambda: shown() == [2])
    show_page(window, "Summary")
    window.key("ctrl+2")  # the second of two pages
    wait_page(window, "Distribution")


@scenario
def distributions_beside_stacks(open_window, scratch):
    """A file with both, in JSON: it opens on the flame graph."""
    window = open_window(os.path.join(DATA, "bpftrace", "latencies.json"))
    wait_page(window, "Flame Graph")
    show_page(window, "Distribution")
    window.wait_text("^28 in total, median: 0 to 9$")


if __name__ == "__main__":
    main()
