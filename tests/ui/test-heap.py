#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window on traces of heaps, used like a person would. test-heap.py PROFVIEW SCENARIO, inside session.sh."""

import os
import re
import subprocess

from driver import DATA, SYMBOLS, main, scenario, wait_for
from steps import (check, chips, choose_path, column_of, measure_of, open_menu, remove_chip, resize, show_page,
                   wait_chip, wait_details, wait_measure, wait_menu, wait_page)


# A made-up trace -------------------------------------------------------------------------------------------------

class Trace:
    """Writes what heaptrack_interpret would: main calls everything else."""

    def __init__(self):
        self.lines = ["v 10400 3", "X engine --fast", "I 1000 100000"]
        self.strings, self.n_strings = {}, 0
        self.n_traces = self.n_ips = self.n_infos = 0
        self.infos = {}
        self.main = self.trace("main", 0)

    def add(self, text, *values):
        self.lines.append(" ".join([text] + ["%x" % value for value in values]))

    def string(self, text):
        if text not in self.strings:
            self.lines.append("s %x %s" % (len(text), text))
            self.n_strings += 1
            self.strings[text] = self.n_strings
        return self.strings[text]

    def trace(self, function, parent):
        module, name, file = (self.string(text) for text in ("/opt/engine", function, "engine.c"))
        self.n_ips += 1
        self.add("i", 0x1000 + self.n_ips, module, name, file, 10 * self.n_ips)
        self.n_traces += 1
        self.add("t", self.n_ips, parent)
        return self.n_traces

    def info(self, size, trace):
        if (size, trace) not in self.infos:
            self.add("a", size, trace)
            self.infos[size, trace] = self.n_infos
            self.n_infos += 1
        return self.infos[size, trace]

    def time(self, ms, resident=0):
        self.add("c", ms)
        self.add("R", resident)

    def write(self, path):
        with open(path, "w") as file:
            file.write("\n".join(self.lines) + "\n")


def write_engine(path):
    """Four seconds: load grows to 600,000 bytes in the first and keeps them; in the next there are 400,000 of
    cache, which allocates by way of g_malloc; scratch is temporary in the third, 10,000 times; nothing in the last."""
    trace = Trace()
    load = trace.info(6000, trace.trace("load", trace.main))
    cache = trace.info(400000, trace.trace("g_malloc", trace.trace("cache", trace.main)))
    scratch = trace.info(100, trace.trace("scratch", trace.main))
    for ms in range(0, 4001, 10):
        trace.time(ms, 500 + ms // 10)
        if ms == 1000:
            trace.add("+", cache)
        if 0 < ms <= 1000:
            trace.add("+", load)
        if ms == 2000:
            trace.add("-", cache)
        if 2000 < ms <= 3000:
            for _ in range(100):
                trace.add("+", scratch)
                trace.add("-", scratch)
    trace.write(path)


def open_engine(open_window, scratch, rules=None, **options):
    path = os.path.join(scratch, "heaptrack.engine.4711")
    write_engine(path)
    if rules:
        with open(path, "a") as file:
            file.write("S %s\n" % rules)
    window = open_window(path, **options)
    window.find(id="FlamePage.area")
    window.wait_text(r"^2 of 3 allocation sites$")
    wait_for("names", lambda: not list(window.all("progress bar", "Progress of names")))
    return window


def open_timeline(open_window, scratch, **options):
    window = open_engine(open_window, scratch, **options)
    show_page(window, "Timeline")
    window.move(200, 30)
    # With the first value the series is there.
    window.find("label", "^At the peak, 1.00 s$")
    return window


# The chart -------------------------------------------------------------------------------------------------------

LEFT, RIGHT, TOP, BOTTOM = 76, 10, 56, 28  # about what the axes and the title take


def chart(window):
    """Of several, the one of the timeline is the highest."""
    return wait_for("a chart", lambda: max(
        (node.get_box() for node in window.all("panel", "^Chart of ")), key=lambda box: box[3], default=None))


def at(window, seconds, share):
    """A place in the chart, of four seconds, and a share of its height from below."""
    x, y, width, height = chart(window)
    return (int(x + LEFT + (width - LEFT - RIGHT) * seconds / 4),
            int(y + TOP + (height - TOP - BOTTOM) * (1 - share)))


def live_at(window, seconds, share):
    """The same in the chart of live bytes, of their 1,000,000: 900 resident pages are too many for the same axis."""
    return at(window, seconds, share / 1.02)


def drag(window, start, end, share=0.5):
    x1, y = at(window, start, share)
    x2, _ = at(window, end, share)
    window.drag((x1, y), (x2, y))


def wait_no_range(window):
    wait_for(lambda: "no range among %r" % chips(window), lambda: chips(window) == ["Allocators hidden"])


def range_of(window):
    """From and to, in seconds, as the chip has it."""
    for chip in chips(window):
        found = re.match(r"^([\d.]+)–([\d.]+) (m?s)$", chip)
        if found:
            unit = 1 if found.group(3) == "s" else 0.001
            return float(found.group(1)) * unit, float(found.group(2)) * unit
    return None


def about(value, expected, tolerance=0.08):
    return abs(value - expected) <= tolerance


def legend_items(window):
    return list(window.all("list item", within=("list", "^Functions in the chart$")))


def legend(window):
    """Names from top to bottom, and which one is selected."""
    items = legend_items(window)
    names = [re.split(r"\s{2,}|\s(?=[\d.,]+\s)", node.name)[0] for node in items]
    selected = [name for name, node in zip(names, items)
                if node.is_selected]
    return names, selected


def focused(window):
    return [node.name for node in window.all("push button")
            if node.is_focused]


def wait_focused(window, pattern):
    wait_for(lambda: "the focus on %r, not %r" % (pattern, focused(window)),
             lambda: any(re.search(pattern, name) for name in focused(window)))


# Scenarios -------------------------------------------------------------------------------------------------------

@scenario
def opening(open_window, scratch):
    window = open_engine(open_window, scratch)
    check(lambda: chips(window) == ["Allocators hidden"], lambda: chips(window))
    check(lambda: measure_of(window) == "Peak", lambda: measure_of(window))
    wait_details(window, r"^all, .*Total\s100\.0 %\s+977 KiB")
    show_page(window, "Timeline")
    # Profiles without times say so on that page, and lead on.
    subprocess.run([window.program, os.path.join(DATA, "pprof", "go-cpu.pb.gz")], check=True, timeout=20)
    window.wait_text("^[\\d,]+ samples$")
    wait_page(window, "Flame Graph")
    show_page(window, "Timeline")
    window.wait_text("^No Timeline$")
    window.click(window.find("push button", "^Show Graph$"))
    wait_page(window, "Flame Graph")
    window.key("ctrl+Page_Up")
    window.find("page tab", "^Timeline$")


@scenario
def brushing(open_window, scratch):
    window = open_timeline(open_window, scratch)
    drag(window, 0.25, 0.75)
    wait_for(lambda: "the range %r" % (range_of(window),), lambda: range_of(window) and
             about(range_of(window)[0], 0.25) and about(range_of(window)[1], 0.75))
    window.wait_text("^1 of 3 allocation sites$")
    # All pages have it.
    show_page(window, "Functions")
    wait_for("the functions of the range", lambda: column_of(window, "Function", ".") == ["load", "main"])
    window.key("ctrl+2")
    wait_details(window, r"^all, .*Total\s100\.0 %\s+4\d\d KiB")
    remove_chip(window, r"\d+–\d+ ms")
    wait_no_range(window)
    window.wait_text("^2 of 3 allocation sites$")
    show_page(window, "Functions")
    wait_for("all functions", lambda: "cache" in column_of(window, "Function", "."))
    # To the left, and away by key.
    show_page(window, "Timeline")
    drag(window, 3.5, 2.1)
    wait_for("the other range", lambda: range_of(window) and about(range_of(window)[0], 2.1))
    window.key("Escape")
    wait_no_range(window)
    window.wait_text("^2 of 3 allocation sites$")
    # Back through all of it, one drag at a time.
    window.key("alt+Left")
    wait_for("the second range again", lambda: range_of(window) and about(range_of(window)[0], 2.1))
    window.key("alt+Left", "alt+Left")
    wait_for("the first range again", lambda: range_of(window) and about(range_of(window)[0], 0.25))
    window.wait_text("^1 of 3 allocation sites$")
    window.key("alt+Left")
    wait_no_range(window)
    window.key("alt+Right")
    wait_for("the first range again", lambda: range_of(window) and about(range_of(window)[0], 0.25))


@scenario
def strip(open_window, scratch):
    """The chart above the other pages: a range by the pointer and by keys, whose ends can be moved; a layer; folded away."""
    window = open_engine(open_window, scratch)

    def place():
        return wait_for("the chart", lambda: [node.get_box() for node in window.all("panel", "^Chart of live bytes$")
                                              if node.get_box()[3] > 0])[0]

    def there(seconds, share=0.1):
        x, y, width, height = place()
        return int(x + 170 + (width - 170) * seconds / 4), int(y + 29 + (height - 30) * (1 - share))

    def pull(start, end):
        (x1, y), (x2, _) = there(start), there(end)
        window.drag((x1, y), (x2, y))

    def wait_range(start, end):
        wait_for(lambda: "%s to %s, not %r" % (start, end, range_of(window)), lambda: range_of(window) and
                 about(range_of(window)[0], start, 0.03) and about(range_of(window)[1], end, 0.03))

    check(lambda: place()[3] < 200, "a low chart", place)
    # Its menu: of the layer that is there.
    window.click_at(*there(1.5, 0.15), button=3)
    wait_menu(window, "^Copy Name$")
    window.key("u")
    wait_page(window, "Functions")
    window.find("label", "^engine  ·  engine.c$")  # heads the callers and callees of the function
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    wait_details(window, "load")

    def points():
        # The page is shown before it has its place: what moves until then is seen by the one before. And GTK forgets to
        # tell readers of a label that is hidden and shown again in one moment: so the pointer leaves, and comes again.
        window.move(*there(2, -1))
        window.move(*there(2, 0.05))
        window.move(*there(1.5, 0.05))
        return list(window.all("label", r"^1\.[45]\d s · 97\d KiB · load 58\d KiB \(60\.0 %\) · 2\.5\d MiB resident$"))

    wait_for("what is under the pointer", points)
    pull(0.25, 0.75)
    wait_range(0.25, 0.75)
    window.wait_text("^1 of 3 allocation sites$")
    # Its ends, one past the other at last.
    pull(0.75, 1.5)
    wait_range(0.25, 1.5)
    window.wait_text("^2 of 3 allocation sites$")
    pull(0.25, 1.2)
    wait_range(1.2, 1.5)
    pull(1.2, 3.0)
    wait_range(1.5, 3.0)
    # The page that shows the same has none above it, and the same range.
    show_page(window, "Timeline")
    wait_for("one chart", lambda: len([node for node in window.all("panel", "^Timeline$")
                                       if node.get_box()[3] > 0]) == 0)
    wait_range(1.5, 3.0)
    window.key("ctrl+2")
    place()
    # A click selects a layer and changes nothing else; a second one fits the range, and then everything.
    window.click_at(*there(2.0, 0.05))
    wait_details(window, "^load, ")
    window.click_at(*there(2.0, 0.9), repeat=2)
    wait_range(1.5, 3.0)
    window.move(*there(0.1, 0.05))
    window.wait_text(r"^1\.5\d s · ")
    window.click_at(*there(2.0, 0.9), repeat=2)
    window.move(*there(0.1, 0.05))
    window.wait_text(r"^(0\.\d+ s|\d+ ms|0\.\d+ ms) · ")
    window.key("Escape")
    wait_no_range(window)
    # By keys.
    window.key("Home", "Page_Down")
    wait_focused(window, r"^(0\.4\d s|4\d\d ms), ")
    window.key("shift+Page_Down", "shift+Page_Down")
    wait_for("a range by keys", lambda: range_of(window) and
             about(range_of(window)[1] - range_of(window)[0], 0.81, 0.05))
    window.key("Escape")
    wait_no_range(window)
    show_page(window, "Functions")
    place()
    window.key("F9")
    wait_for("no chart", lambda: not [node for node in window.all("panel", "^Timeline$") if node.get_box()[3] > 0])
    window.key("F9")
    place()


@scenario
def layers(open_window, scratch):
    window = open_timeline(open_window, scratch)
    check(lambda: legend(window)[0][:2] == ["load", "cache"] and not legend(window)[1], lambda: legend(window))
    window.click_at(*live_at(window, 1.5, 0.8))
    wait_for("the layer in the list", lambda: legend(window)[1] == ["cache"])
    window.click_at(*live_at(window, 1.5, 0.2))
    wait_for("the other layer in the list", lambda: legend(window)[1] == ["load"])
    check(lambda: chips(window) == ["Allocators hidden"], "a click is no drag", lambda: chips(window))
    show_page(window, "Functions")
    window.find("label", r"^engine\s+·\s+engine\.c")
    show_page(window, "Timeline")
    window.click(wait_for("cache in the legend", lambda: next(
        window.all("list item", "^cache", within=("list", "^Functions in the chart$")), None)))
    window.key("ctrl+2")
    wait_details(window, "^cache, ")
    show_page(window, "Timeline")
    window.click_at(*live_at(window, 3.0, 0.2), repeat=2)
    wait_page(window, "Flame Graph")
    wait_details(window, "^load, ")


@scenario
def moments(open_window, scratch):
    window = open_timeline(open_window, scratch)
    window.click_at(*at(window, 3.0, 0.9))
    wait_chip(window, r"^until (2\.9\d|3\.0\d) s$")
    wait_measure(window, "Live at end")
    window.wait_text("^1 of 3 allocation sites$")
    # Later cache is gone; while it is there, it is among what is live.
    window.click_at(*at(window, 1.5, 0.2), button=3)
    window.rest()
    window.key("m")
    wait_chip(window, r"^until 1\.[45]\d s$")
    window.wait_text("^2 of 3 allocation sites$")
    window.click_at(*at(window, 1.5, 0.2), button=3)
    wait_menu(window, "^Clear Time Range$")
    window.key("l")
    wait_no_range(window)
    window.key("alt+Left", "alt+Left", "alt+Left")
    wait_no_range(window)
    wait_measure(window, "Peak")
    window.key("alt+Right")
    wait_measure(window, "Live at end")
    wait_chip(window, r"^until (2\.9\d|3\.0\d) s$")


@scenario
def charts(open_window, scratch):
    window = open_timeline(open_window, scratch)
    window.move(*live_at(window, 1.5, 0.8))
    wait_details(window, r"^cache, .*39\d.* KiB \(40\.0 %\).*Live\s97\d.*Resident\s2\.5\d MiB.*At\s1\.[45]\d s"
                 r".*engine\.c:\d+")
    window.find("label", r"^At 1\.[45]\d s$")
    window.wait_text(r"^2\.5\d MiB$")
    # Without the line of resident memory live bytes have the axis for themselves, and its box is of both charts.
    window.click(window.find(id="LayerList.resident_button"))
    window.move(*at(window, 1.5, 0.8))
    wait_details(window, r"^cache, .*Live\s97\d KiB\s+At\s1\.[45]\d s")
    window.click(window.find(id="LayerList.resident_button"))
    # A cursor at the last of hundreds of points is nowhere among the few sizes.
    window.click_at(*live_at(window, 1.5, 0.8))
    window.key("End")
    wait_details(window, r"At\s4\.00 s|At\s3\.9\d s")
    window.click(window.find(id="TimelinePage.sizes_button"))
    wait_for("functions of all sizes", lambda: sorted(legend(window)[0]) == ["cache", "load", "scratch"])
    window.click(window.find(id="TimelinePage.allocations_button"))
    window.find("panel", "^Chart of allocations$")
    wait_for("scratch first", lambda: legend(window)[0][:1] == ["scratch"])
    window.move(*at(window, 2.5, 0.4))
    wait_details(window, r"^scratch, .*Allocations\s10,000 per second")
    window.click(window.find(id="TimelinePage.temporary_button"))
    wait_for("only scratch", lambda: legend(window)[0] == ["scratch"])
    window.click(window.find(id="TimelinePage.rss_button"))
    window.find("panel", "^Chart of resident memory$")
    window.move(*at(window, 3.5, 0.3))
    wait_details(window, r"Resident\s3\.\d+ MiB.*At\s3\.[45]")
    wait_for("no list", lambda: not list(window.all("list", "^Functions in the chart$")))
    window.click(window.find(id="TimelinePage.sizes_button"))
    wait_for("functions of all sizes", lambda: sorted(legend(window)[0]) == ["cache", "load", "scratch"])
    # A drag over sizes is no range of time.
    drag(window, 1, 2)
    wait_no_range(window)
    # Lists are of the range, and so are sizes.
    window.click(window.find(id="TimelinePage.allocations_button"))
    window.find("label", "^Total$")
    drag(window, 2.2, 2.8)
    window.move(5, 5)
    window.find("label", "^In the range$")
    window.click(window.find(id="TimelinePage.live_button"))
    window.move(5, 5)
    window.find("label", r"^At the highest point of the range, 2\.[2-8]\d? s$")
    window.click_until(window.find(id="TimelinePage.sizes_button"),
                       lambda: any(window.all("label", "^In the range$")))
    wait_for("functions of the range", lambda: legend(window)[0] == ["scratch"])
    window.find("label", "^Number of allocations by size")


@scenario
def keyboard(open_window, scratch):
    window = open_timeline(open_window, scratch)
    wait_focused(window, "^Chart of live bytes$")
    window.key("Home")
    wait_focused(window, r"^0(\.\d+)? m?s, .* in total, 1\.95 MiB resident$")
    window.key("Page_Down")
    wait_focused(window, r"^(0\.4\d s|4\d\d ms), ")
    window.key("End", "Page_Up", "Page_Up", "Page_Up", "Page_Up", "Page_Up", "Page_Up")
    wait_focused(window, r"^1\.[56]\d s, ")
    window.key("Up")
    wait_focused(window, r"^1\.[56]\d s, load, 58\d.* KiB \(60\.0 %\), 97\d.* in total, 2\.5\d MiB resident$")
    window.key("Up")
    wait_focused(window, r"^1\.[56]\d s, cache, ")
    window.key("Return")
    wait_for("cache in the list", lambda: legend(window)[1] == ["cache"])
    window.key("shift+Left", "shift+Left", "shift+Left")
    wait_for("a range by keys", lambda: range_of(window) and
             about(range_of(window)[1] - range_of(window)[0], 0.12, 0.03))
    # Zoomed in the steps are smaller; then Escape clears the range, and after it the zoom.
    window.key("plus", "plus", "plus")
    window.find(id="TimelinePage.reset_button")
    window.key("Escape")
    wait_no_range(window)
    window.find(id="TimelinePage.reset_button")
    window.key("Escape")
    wait_for("no zoom", lambda: not list(window.all("push button", "^Reset zoom$")))
    window.key("Menu", "f")
    wait_page(window, "Flame Graph")
    wait_details(window, "^cache, ")


@scenario
def zooming(open_window, scratch):
    window = open_timeline(open_window, scratch)
    x, y = at(window, 1.5, 0.2)
    window.move(x, y)
    wait_details(window, r"At\s1\.[45]\d s")
    with window.holding("ctrl"):
        window.scroll(6, is_up=True)
    window.find(id="TimelinePage.reset_button")
    wait_details(window, r"At\s1\.[45]\d s")  # what the pointer is at stays there
    # The wheel alone goes on in time.
    window.scroll(3)
    window.move(x - 10, y)
    wait_details(window, r"At\s1\.[56789]\d s")
    window.click(window.find(id="TimelinePage.reset_button"))
    wait_for("no zoom", lambda: not list(window.all("push button", "^Reset zoom$")))
    drag(window, 1, 2)
    wait_for("a range", lambda: range_of(window))
    window.click_at(x, y, button=3)
    window.rest()
    window.key("z")
    window.find(id="TimelinePage.reset_button")
    # By keys it goes on past what is in view.
    window.key("Home", *["shift+Page_Down"] * 12)
    wait_for(lambda: "from 1 to 2.2 s, not %r" % (range_of(window),), lambda: range_of(window) and
             about(range_of(window)[0], 1) and about(range_of(window)[1], 2.2))


@scenario
def allocators(open_window, scratch):
    window = open_engine(open_window, scratch)
    show_page(window, "Functions")

    def names():
        return column_of(window, "Function", ".")

    wait_for("cache in the place of g_malloc", lambda: names() == ["load", "cache", "main"])
    remove_chip(window, "Allocators hidden")
    wait_for("g_malloc", lambda: names()[:2] == ["load", "g_malloc"])
    check(lambda: chips(window) == [], lambda: chips(window))
    open_menu(window, window.find(id="QueryBar.filters_button"))
    window.key("a")
    wait_chip(window, "^Allocators hidden$")
    wait_for("no g_malloc", lambda: names() == ["load", "cache", "main"])


@scenario
def suppressions(open_window, scratch):
    """Leaks that are meant, by a file."""
    def suppress(name, rules):
        path = os.path.join(scratch, name)
        with open(path, "w") as file:
            file.write(rules)
        choose_in_filters(window, "f")
        choose_path(window, path)

    window = open_engine(open_window, scratch)
    show_page(window, "Summary")
    window.wait_text("^586 KiB$")
    suppress("meant.supp", "# kept for good\nleak:lo*d\n")
    wait_chip(window, r"^Suppressed by meant\.supp$")
    window.wait_text("^0 B, and 586 KiB suppressed$")
    remove_chip(window, r"Suppressed by meant\.supp")
    window.wait_text("^586 KiB$")
    suppress("wrong.supp", "leak:load\nleek\n")
    window.wait_text(r"wrong\.supp.*2")
    check(lambda: chips(window) == ["Allocators hidden"], lambda: chips(window))


@scenario
def known_leaks(open_window, scratch):
    """Those that came with the trace, which may be counted after all."""
    window = open_engine(open_window, scratch, rules="leak:load")
    show_page(window, "Summary")
    window.wait_text("^0 B, and 586 KiB suppressed$")
    choose_in_filters(window, "s")
    window.wait_text("^586 KiB$")
    choose_in_filters(window, "s")
    window.wait_text("^0 B, and 586 KiB suppressed$")


def choose_in_filters(window, key):
    open_menu(window, window.find(id="QueryBar.filters_button"))
    window.key(key)
    window.rest()


@scenario
def exporting(open_window, scratch):
    window = open_timeline(open_window, scratch)
    svg = os.path.join(scratch, "live.svg")
    window.click_at(*at(window, 1.5, 0.2), button=3)
    window.rest()
    window.key("a")
    window_export(window, svg)
    with open(svg) as file:
        text = file.read()
    check(text.startswith("<?xml") and "</svg>" in text and len(text) > 3000, text[:200])
    # By the key of all pictures, and other kinds by their names.
    window.click(window.find(id="TimelinePage.sizes_button"))
    pdf = os.path.join(scratch, "sizes.pdf")
    window.key("ctrl+e")
    window_export(window, pdf)
    with open(pdf, "rb") as file:
        check(file.read(5) == b"%PDF-", "a PDF")


def window_export(window, path):
    choose_path(window, path, is_new=True)
    window.wait_text("^The picture was saved as “%s”$" % re.escape(os.path.basename(path)))
    wait_for("the picture", lambda: os.path.exists(path))


@scenario
def summary(open_window, scratch):
    window = open_engine(open_window, scratch)
    show_page(window, "Summary")
    for text in ("^977 KiB, at 1.00 s$", "^586 KiB$", "^10,101, 2,525 per second$", "^10,000, 99.0 % of all$",
                 "^Counted by size and call site, ", "^Whole recording$"):
        window.wait_text(text)
    check(lambda: not [text for text in window.texts() if text in ("Stacks", "Complete", "Unknown")], "no stacks")
    # A row says by which measure.
    resize(window, 1200, 1060)
    window.click(window.find("label", "^scratch$"))
    wait_page(window, "Functions")
    wait_for("the measure of the row", lambda: measure_of(window) in ("Allocations", "Temporary"))
    window.find("label", r"^engine\s+·\s+engine\.c")
    check(lambda: "Median lifetime" not in window.texts(), "lifetimes are not known of interpreted traces")


@scenario
def measures(open_window, scratch):
    window = open_engine(open_window, scratch)
    window.click(window.find(id="QueryBar.measure_drop_down"))
    window.wait_text("^Bytes never freed, without suppressed leaks$")
    window.wait_text("^As heaptrack defines it: ")
    window.key("Down", "Return")
    wait_measure(window, "Leaked")
    window.wait_text("^1 of 3 allocation sites$")
    show_page(window, "Timeline")
    # The list is of the peak, although leaks are of the end, when there is no cache.
    window.find("label", "^At the peak, 1.00 s$")
    wait_for(lambda: "cache in %s" % [node.name for node in legend_items(window)], lambda: any(
        re.search(r"^cache\s.*KiB", node.name) for node in legend_items(window)))
    window.move(200, 30)  # see there: a menu was just closed by a key
    drag(window, 0.5, 1.5)
    window.wait_text("^2 of 3 allocation sites$")
    window.click(window.find(id="QueryBar.measure_drop_down"))
    window.wait_text("^Bytes live at the end of the range, without suppressed leaks$")
    window.key("Escape")


@scenario
def exact(open_window, scratch):
    """A raw trace is symbolized by us, and tells lifetimes."""
    window = open_window(*SYMBOLS, os.path.join(DATA, "heaptrack", "leak.raw.zst"))
    window.wait_text(r"^\d+ (of \d+ )?allocation sites?$")
    wait_for("names", lambda: not list(window.all("progress bar", "Progress of names")))
    show_page(window, "Summary")
    window.wait_text("^Exact, from the addresses of blocks$")
    window.wait_text("^[0-9.]+ (B|KiB|MiB), and [0-9.]+ (B|KiB|MiB) suppressed$")
    show_page(window, "Functions")
    window.wait_text("^Median lifetime$")
    wait_for("names of functions", lambda: "leak_in_cache" in " ".join(window.texts())
             or "main" in column_of(window, "Function", "."))
    wait_for("lifetimes", lambda: column_of(window, "Median lifetime", r" m?s$"))


@scenario
def narrow(open_window, scratch):
    window = open_timeline(open_window, scratch)
    drag(window, 1.2, 1.8)
    resize(window, 480, 800)

    def box(role, name):
        return window.find(role, name).get_box()

    wait_for("the list below the chart", lambda: box("list", "^Functions in the chart$")[1] >
             chart(window)[1] + chart(window)[3])
    wait_for("chips below the measure", lambda: box("push button", "^Filters$")[1] >
             box("combo box", "^Measure$")[1] + 20)
    for page in "1234":
        window.key("ctrl+" + page)
        window.rest()
        width = window.frame().get_box()[2]
        check(width < 492, "page", page, "is", width, "wide")
    resize(window, 1200, 700)
    wait_for("the list beside the chart", lambda: box("list", "^Functions in the chart$")[0] > 600)
    wait_for("chips beside the measure", lambda: abs(box("push button", "^Filters$")[1] -
                                                     box("combo box", "^Measure$")[1]) < 20)


def brightness(window, x, y):
    """Of the screen at a place of the window, 0 to 1."""
    picture = os.path.join(os.environ["XDG_RUNTIME_DIR"], "place.txt")
    left, top, _, _ = window.hand.geometry(window.window_id)
    subprocess.run(["import", "-window", "root", "-crop", "1x1+%d+%d" % (left + x, top + y), "+repage",
                    "-colorspace", "Gray", "-depth", "8", "gray:" + picture], check=True)
    with open(picture, "rb") as file:
        return file.read(1)[0] / 255


@scenario
def appearance(open_window, scratch):
    window = open_timeline(open_window, scratch)
    x, y = at(window, 3.55, 0.88)
    window.move(x, y - 300)
    window.rest()
    light = brightness(window, x, y)
    subprocess.run(["gdbus", "call", "--session", "--dest", "org.profview.Profview", "--object-path",
                    "/org/profview/Profview", "--method", "org.gtk.Actions.SetState", "color-scheme",
                    "<'force-dark'>", "{}"], check=True, stdout=subprocess.DEVNULL)
    wait_for(lambda: "a dark chart, not %.2f" % brightness(window, x, y), lambda: brightness(window, x, y) < 0.3)
    check(light > 0.8, "the light chart is", light)


@scenario
def names_for_readers(open_window, scratch):
    """What the focus can be on has a name of its own, not that of its class."""
    window = open_engine(open_window, scratch)
    for page in ("1", "5"):
        window.key("ctrl+" + page)
        window.rest()
        for node in window.all():
            name = node.name
            if node.role in ("push button", "toggle button", "entry", "combo box", "page tab", "list",
                                        "list item") and \
                    node.is_focusable:
                check(name and not re.match("Gtk|Adw|Pv|_", name), node.role, repr(name), "at",
                      node.get_box())


if __name__ == "__main__":
    main()
