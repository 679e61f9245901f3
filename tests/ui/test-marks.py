#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Moments and spans of the time line: marks, phases, lost records, wake-ups, events. test-marks.py PROFVIEW SCENARIO, inside session.sh."""

import os
import re
import subprocess
import sys

for folder in ("cli", "golden"):
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, folder))
import sched_file
from crafted import perf_data, perf_sample
from driver import SYMBOLS, main, recording, scenario, wait_for
from steps import (check, column_of, find_cell, focused, show_page, wait_chip, wait_details, wait_measure, wait_menu,
                   wait_pasted)


@scenario
def marks(open_window, scratch):
    """Tracepoints with their fields: another event, a filter, the order, a sum, and rows copied."""
    path = os.path.join(scratch, "perf.data")
    made = sched_file.Recording(["sched_switch", "sys_enter", "sys_exit"])
    machine = sched_file.Machine(made, "marks", n_threads=4)
    machine.run(800)
    machine.stop()
    made.write(path)
    results = [call[4] for call in machine.calls]
    window = open_window(path)
    show_page(window, "Marks")
    window.wait_text(r"^[\d,]+ marks$")
    window.find("label", "^prev_comm$")
    window.click(window.find(id="MarksPage.event_choice"))
    window.key("Down", "Down", "Return")
    window.wait_text("^%d marks$" % len(results))
    wait_for("its fields", lambda: list(window.all("label", "^ret$")) and not list(window.all("label", "^prev_comm$")))
    # Its first number is the call; the second the result.
    window.click(window.find(id="MarksPage.sum_choice"))
    window.key("Down", "Return")

    def number(value):
        return ("−" if value < 0 else "") + "{:,}".format(abs(value))
    window.wait_text("^Sum %s, minimum %s, maximum %s$" % tuple(map(number, (sum(results), min(results), max(results)))))
    window.click(window.find("entry", "^Filter$"))
    window.type("RET=-11")
    failed = results.count(-11)
    window.wait_text("^%d of %d marks$" % (failed, len(results)))
    window.wait_text("^Sum %s, minimum −11, maximum −11$" % number(-11 * failed))
    window.key("ctrl+a", "Delete")
    window.wait_text("^%d marks$" % len(results))

    def shown():
        return [int(text) for text in column_of(window, "ret", r"^-?\d+$", "Marks")]
    window.click(find_cell(window, "Marks", "^ret$"))
    wait_for("the largest first", lambda: shown()[:3] == sorted(results, reverse=True)[:3])
    window.click(find_cell(window, "Marks", "^ret$"))
    wait_for("the smallest first", lambda: shown()[:3] == sorted(results)[:3])
    window.click(window.find(id="MarksPage.copy_button"))
    wait_pasted(window, r"^time_ns.thread.cpu.id.ret\s*\d+.worker-\d \(10\d\).\d.\d+.-11")
    window.click(window.find(id="QueryBar.filters_button"))
    window.find("menu item", "^Copy as Command$")
    window.key("m")
    wait_pasted(window, r"^profview --print=marks --measure=raw_syscalls:sys_exit /")


@scenario
def marks_histogram(open_window, scratch):
    """How long system calls took, as bars; one that is chosen filters the rows, by keys and by the pointer."""
    path = os.path.join(scratch, "perf.data")
    made = sched_file.Recording(["sched_switch", "sys_enter", "sys_exit"])
    machine = sched_file.Machine(made, "marks", n_threads=4)
    machine.run(800)
    machine.stop()
    made.write(path)
    durations = [call[3] for call in machine.calls]
    bars = {}  # by the logarithm, as the command line has them
    window = open_window(path)
    for line in subprocess.check_output([window.program, "--print=syscalls", "--histogram", "--format=tsv", path], text=True).splitlines()[1:]:
        _, start, _, count, *_ = line.split("\t")
        exponent = int(start).bit_length() - 1
        bars[exponent] = bars.get(exponent, 0) + int(count)
    show_page(window, "Marks")
    window.wait_text(r"^[\d,]+ marks$")
    window.click(window.find(id="MarksPage.event_choice"))
    window.key("Down", "Down", "Return")
    window.wait_text("^%d marks$" % len(durations))
    window.click(window.find(id="MarksPage.sum_choice"))
    window.key("Down", "Down", "Return")
    window.wait_text("^Sum .*s, minimum .*s, maximum .*s$")

    def read():
        """The number of marks of the bar that has the focus."""
        names = [re.search(r"^.*s to .*s, (\d+) marks?$", name) for name in focused(window)]
        return [int(name.group(1)) for name in names if name]
    area = window.find(id="MarksPage.histogram")
    left, top, width, _ = area.get_box()
    window.click_at(left + width - 3, top + 50)  # beside the bars
    window.key("Home")
    found = []
    for exponent in range(min(bars), max(bars) + 1):
        wait_for("bar %d" % exponent, lambda: read() == [bars.get(exponent, 0)])
        found.append(read()[0])
        window.key("Right")
    check(sum(found) == len(durations), found)
    window.key("Home", "Return")
    window.wait_text("^%d of %d marks$" % (found[0], len(durations)))
    window.key("Escape")
    window.wait_text("^%d marks$" % len(durations))
    window.click_at(left + 20, top + 95)
    window.wait_text("^%d of %d marks$" % (found[0], len(durations)))
    window.click(window.find(id="QueryBar.filters_button"))
    window.find("menu item", "^Copy as Command$")
    window.key("m")
    wait_pasted(window, r"^profview --print=syscalls --histogram .*/")


@scenario
def phases(open_window, scratch):
    """Stretches of time with like stacks: listed by a button, chosen by keys or pointer, and listed all when one is chosen."""
    path = os.path.join(scratch, "perf.data")
    with open(path, "wb") as file:
        file.writelines(perf_data([perf_sample(0x402000 if i < 1000 else 0x403000, 7, i * 1000000 + 1)
                                   for i in range(3000) if not 1000 <= i < 2000]))
    window = open_window(path)
    window.wait_text("^2,000 samples$")
    show_page(window, "Timeline")

    def listed():
        return [node.name for node in window.all("list item", "^(0x40[23]000|Idle), ")]
    window.click(window.find(name="^Phases$"))
    wait_for("three phases", lambda: [name.split(",")[0] for name in listed()] == ["0x402000", "Idle", "0x403000"])
    check(lambda: re.fullmatch(r"0x402000, until 1\.00 s, 0x402000 100\.0 % of .*", listed()[0]), lambda: listed()[0])
    check(lambda: re.fullmatch(r"Idle, 1\.00–\S+ s, no samples", listed()[1]), lambda: listed()[1])
    window.key("Down", "Down", "Return")
    wait_chip(window, r"^\S+–3\.00 s$|^from \S+ s$")
    window.wait_text("^1,000 of 2,000 samples$")
    # All of them again, the chosen one has the focus.
    window.click(window.find(name="^Phases$"))
    wait_for("the chosen phase", lambda: any(name.startswith("0x403000, ") for name in focused(window)))
    check(lambda: len(listed()) == 3, listed)
    window.key("Up", "Return")
    window.wait_text("^0 of 2,000 samples$")
    window.key("alt+Left", "alt+Left")
    window.wait_text("^2,000 samples$")


@scenario
def tracks_lost(open_window, scratch):
    """Where events were lost, the row of quality says so, and how many; the cursor's description says it too."""
    path = os.path.join(scratch, "perf.data")
    made = sched_file.Recording(["sched_switch", "sched_waking"], freq=["sched_switch"])
    machine = sched_file.Machine(made, "lost", n_threads=4)
    machine.run(400)
    made.lost(1234, machine.time)  # in the middle
    machine.run(400)
    made.write(path)
    window = open_window(path)
    show_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = area.get_box()
    window.find("label", "^Lost events$")
    lost = []
    for i in range(40):
        x = left + 170 + (width - 170) * (0.45 + i * 0.0025)
        window.move(x, top + 26 + 8)
        if window.wait_text("^Stacks: ").endswith("; 1,234 events lost"):
            lost.append(x)
    check(0 < len(lost) < 20, lost)
    window.move(left + 170 + (width - 170) * 0.1, top + 26 + 8)
    window.wait_text("^Stacks: [^;]*$")

    # By keys the same is the description of where the cursor is, which appears at the pointer.
    def wait_described(pattern):
        wait_for(pattern, lambda: any(re.search(pattern, node.get_description()) for node in window.all(sized=False)
                                      if node.is_focused))
    window.click_at(left + 170 + (width - 170) * 0.1, top + 300)
    window.key("Right")
    wait_described("; Stacks: [^;]* unknown$")
    window.move(lost[len(lost) // 2], top + 300)
    window.key("Right")
    wait_described("; Stacks: .*; 1,234 events lost$")
    # The waits are not to be trusted either.
    show_page(window, "Summary")
    window.find("label", "^Only some context switches were recorded")


@scenario
def tracks_wakes(open_window, scratch):
    """Tracepoints are ticks that are named; a wait has an arrow from who ended it, whose stack a click, a key or the menu selects."""
    path = os.path.join(scratch, "perf.data")
    made = sched_file.Recording(["sched_switch", "sched_waking", "sys_enter", "sys_exit"])
    main, other = (sched_file.Thread(100, 100 + i, name) for i, name in enumerate(("waiter", "helper")))
    for thread in main, other:
        made.comm(thread.pid, thread.tid, thread.name)
    made.mmap(100, 0x400000, 0x100000, "/opt/samples/bin/program")
    ms = 1000000

    def sample(event, thread, at, fields, ips):
        made.sample(event, thread.pid, thread.tid, ms + at * ms, 0, made.common(event, thread.tid) + fields, ips)

    def switch(leaving, following, at, state, ips):
        sample("sched_switch", leaving, at, leaving.name.encode().ljust(16, b"\0") + made.pack("iiq", leaving.tid, 120, state)
               + following.name.encode().ljust(16, b"\0") + made.pack("ii", following.tid, 120), ips)
    for at in range(0, 10):
        sample("sys_enter", main, at, made.pack("q6Q", 39, *range(6)), [0x400100, 0x401000])
    switch(main, other, 20, 1, [0x400200, 0x401000])
    for at in range(21, 60):
        sample("sys_enter", other, at, made.pack("q6Q", 1, *range(6)), [0x400300, 0x401000])
    sample("sched_waking", other, 60, b"waiter".ljust(16, b"\0") + made.pack("iii", 100, 120, 0), [0x400400, 0x401000])
    switch(other, main, 80, 1, [0x400500, 0x401000])
    for at in range(81, 101):
        sample("sys_enter", main, at, made.pack("q6Q", 39, *range(6)), [0x400100, 0x401000])
    # The waker's function has a box in the measure that is shown, but with another caller: that is not its stack.
    sample("sys_enter", main, 100, made.pack("q6Q", 39, *range(6)), [0x400400, 0x400600, 0x401000])
    made.write(path)
    window = open_window("--measure=raw_syscalls:sys_enter", path)
    show_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = area.get_box()
    window.find("label", "^Tracepoints$")
    rows = top + 26 + 16 + 30  # the row of all is above them

    def x_of(ms):
        return left + 170 + (width - 170) * ms / 100
    # Below the row of quality: of the helper, who has most samples, and then of the waiter.
    window.move(x_of(60), rows + 3)
    wait_details(window, r"^sched:sched_waking at 60\.0 ms: .*comm=waiter, pid=100, prio=120, target_cpu=0")
    window.move(x_of(20), rows + 112 + 3)
    wait_details(window, r"^sched:sched_switch at 20\.0 ms: .*prev_comm=waiter, prev_pid=100, .*next_comm=helper")
    window.move(x_of(40), rows + 112 + 60)
    wait_details(window, r"^Blocked for 60\.0 ms, woken by helper \(101\), from program\+0x400, "
                 r"while in program\+0x200, then queued for 20\.0 ms")

    def wait_selected(name):
        """What is selected has a color of its own in the legend."""
        wait_for(name, lambda: list(window.all("label", "^%s$" % re.escape(name), sized=False)))

    def wait_waker():
        """No system call has its stack: it is shown by the measure that does."""
        wait_selected("program+0x400")
        wait_measure(window, "sched:sched_waking")
        window.key("alt+Left")
        wait_measure(window, "raw_syscalls:sys_enter")
    # A click on the wait keeps the arrow, and selects nothing that ran before; a click on the arrow takes the waker.
    def click_wait():
        window.click_at(x_of(21), rows + 112 + 60)
        wait_details(window, "^Blocked for 60")
        check(not list(window.all("label", r"^program\+0x100$", sized=False)), "nothing is selected")

    click_wait()
    window.click_at(x_of(60), rows + 112)
    wait_waker()
    click_wait()
    window.key("w")
    wait_waker()
    click_wait()
    window.key("Right", "Menu")
    wait_menu(window, "^Select the Waker’s Stack$")
    window.key("w")
    wait_waker()
    # A tick has a stack too.
    window.click_at(x_of(20), rows + 112 + 3)
    wait_selected("program+0x200")


@scenario
def tracks_events(open_window, scratch):
    """Other events have rows above the threads, which a click, a key or the menu folds; each says how many samples it has."""
    window = open_window(*SYMBOLS, recording("events-fp.data"))
    show_page(window, "Timeline")
    area = wait_for("tracks", lambda: [node for node in window.all("panel", "^Tracks$") if node.get_box()[3] > 200])[0]
    left, top, width, _ = area.get_box()
    events = top + 26  # all stacks are complete: there is no row of quality
    found = 0
    for i in range(50):
        window.move(left + 170 + (width - 170) * (i + 0.1) / 50, events + 20 + 11)
        match = re.match(r"page-faults:u: (\d+) samples?$", wait_for("a count", lambda: [
            node.name for node in window.all("label", "^page-faults:u: ")])[0])
        found += int(match.group(1)) > 0
    check(0 < found < 20, found)
    # The cursor's description has it too.
    window.click_at(left + 170 + (width - 170) * 0.5, top + 300)
    window.key("Home")

    def described():
        return [node.get_description() for node in window.all(sized=False) if node.is_focused]
    wait_for("events", lambda: any(re.search(r"page-faults:u: \d+ sample", text) for text in described()))

    def is_shown():
        window.move(left + 170 + (width - 170) * 0.3, events + 20 + 11)
        return bool(list(window.all("label", "^page-faults:u: ")))
    check(is_shown, "unfolded")
    window.click_at(left + 40, events + 10)
    wait_for("folded", lambda: not is_shown())
    window.key("e")
    wait_for("unfolded", is_shown)
    window.click_at(left + 170 + (width - 170) * 0.5, top + 300)
    window.key("Home", "Menu")
    wait_menu(window, "^Collapse Other Events$")
    window.key("v")
    wait_for("folded again", lambda: not is_shown())
    window.key("e")
    wait_for("unfolded again", is_shown)


if __name__ == "__main__":
    main()
