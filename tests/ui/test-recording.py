#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window while it records, and what becomes of that: test-recording.py PROFVIEW SCENARIO, inside session.sh. perf and
heaptrack are stand-ins that replay recordings; test-record-whole.py has the real ones."""

import glob
import json
import os
import re
import signal
import subprocess
import time

import record_steps
from driver import SYMBOLS, Failure, has_size, main, recording, scenario, wait_for
from record_steps import (SLOW, count_samples, in_dialog, is_recording, own_recording, press_record, recordings, save_to, stop,
                          wait_picture)
from steps import (check, crumbs, find_dialog, open_menu, resize, search_for, show_page, title_of, wait_details,
                   wait_no_dialog, wait_page)


# Recording -----------------------------------------------------------------------------------------------------------

def standin(faults="", seconds=3.0, data="inlining-fp.data", **more):
    return record_steps.standin(PV_STANDIN_PERF=faults, PV_STANDIN_PERF_SECONDS=str(seconds),
                                PV_STANDIN_SECONDS=str(seconds), PV_STANDIN_PERF_DATA=recording(data), **more)


def python(code, *arguments):
    return ["/usr/bin/python3", "-c", code, *[str(a) for a in arguments]]


SLEEP = "import sys, time\ntime.sleep(float(sys.argv[1]))\n"


def record(open_window, command, *options, kind="perf", environment=None):
    return open_window(*SYMBOLS, "--record=" + kind, *options, "--", *command, environment=environment or standin())


def record_long(open_window):
    """Comes little by little, so that there is time to look while it grows, and goes on until it is stopped."""
    return record(open_window, python(SLEEP, 600), environment=standin(seconds=10 * SLOW))


def button(window, name):
    return window.find("push button", name)


def count_recorders():
    """Stand-ins or real ones, of this session: others may be recording, too."""
    n = 0
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as words, open(os.path.dirname(path) + "/environ", "rb") as environment:
                is_ours = os.environ["XDG_DATA_HOME"].encode() in environment.read()
                n += is_ours and b"perf\0record\0" in words.read()
        except OSError:
            continue
    return n


def summarize(window, path):
    """What headless profview says of a file."""
    return subprocess.run([window.program, "--print=summary", "--format=json", *SYMBOLS, path], check=True,
                          capture_output=True, text=True).stdout


def wait_end(window, seconds=10):
    wait_for("profview to end", lambda: window.process.poll() is not None, seconds)
    check(window.process.returncode == 0, "exit status", window.process.returncode)


# How it goes ---------------------------------------------------------------------------------------------------------

@scenario
def first_picture(open_window, scratch):
    """A picture soon."""
    started = time.monotonic()
    window = record_long(open_window)
    wait_picture(window)
    check(time.monotonic() - started < 6 * SLOW, "first picture after", time.monotonic() - started)
    stop(window)


@scenario
def going_on(open_window, scratch):
    """A picture that grows; what the user looks at stays; the end is the same as opening the file."""
    window = record_long(open_window)
    wait_picture(window)
    window.find("label", r"^0:0\d$")
    window.key("F6")  # from the terminal to the picture
    search_for(window, "centre")
    window.wait_text(r"^1 function, ")
    window.key("Return")
    wait_details(window, "^geometry::centre")
    window.key("Escape")
    window.key("Return")
    wait_for("the zoom", lambda: "geometry::centre" in crumbs(window))
    before = wait_for("samples", lambda: count_samples(window))
    wait_for(lambda: "more samples than %d" % before, lambda: count_samples(window) > before)
    check(lambda: "geometry::centre" in crumbs(window), lambda: crumbs(window))
    wait_for("all samples", lambda: count_samples(window) > 1000)
    check(lambda: is_recording(window), "it still records")
    stop(window)
    window.wait_text("^1,155 samples$|of 1,155$")
    check(lambda: "geometry::centre" in crumbs(window), lambda: crumbs(window))
    window.key("Escape")
    wait_for("everything", lambda: crumbs(window) == ["all"])
    window.wait_text("^1,155 samples$")
    window.wait_text(r"^Recorded 0:\d\d, ")
    path = own_recording()
    check(os.stat(path).st_mode & 0o777 == 0o600, oct(os.stat(path).st_mode))
    check(lambda: json.loads(summarize(window, path))["samples"] == 1155, lambda: summarize(window, path))
    check(lambda: title_of(window) == os.path.basename(path), lambda: title_of(window))
    show_page(window, "Summary")
    window.wait_text("^Command$")


@scenario
def ended_by_itself(open_window, scratch):
    window = record(open_window, python("import sys, time\ntime.sleep(1)\nsys.exit(3)"), environment=standin(seconds=0.5))
    window.wait_text(r"^Recorded 0:0\d, .* exit status 3\.")
    window.wait_text("^Ended with exit status 3$")
    window.wait_text("^1,155 samples$")
    # It stays until it is closed.
    time.sleep(1)  # longer than what goes by itself
    window.click(button(window, "^Dismiss$"))
    window.wait_no_text("^Recorded 0:")
    window.wait_text("^Ended with exit status 3$")
    window.click(button(window, "^Close the output$"))
    window.wait_no_text("^Ended with exit status 3$")
    window.wait_text("^1,155 samples$")


@scenario
def crashed(open_window, scratch):
    window = record(open_window, python("import os, time\ntime.sleep(0.5)\nos.kill(os.getpid(), 11)"),
                    environment=standin(seconds=0.3))
    window.wait_text("^Recorded .*SIGSEGV")
    window.wait_text(r"^Killed by signal 11 \(Segmentation fault\)$")
    window.wait_text("^1,155 samples$")


@scenario
def heap(open_window, scratch):
    window = record(open_window, python(SLEEP, 30), kind="heaptrack", environment=standin(seconds=4))
    wait_picture(window)
    wait_for("allocations", lambda: next(window.all("label", r"· [\d,]+ allocations"), None))
    stop(window)
    window.wait_text(r"^Recorded 0:")
    check(lambda: own_recording().endswith(".zst"), recordings)
    wait_page(window, "Flame Graph")
    window.find("page tab", "^Timeline$")
    show_page(window, "Summary")
    window.wait_text("heaptrack --raw .*python3")
    window.wait_text("^Recorded for$")


DUMPS = """import os, re, sys, time
prefix = re.search("prof_prefix:([^,]+)", os.environ["MALLOC_CONF"]).group(1)
assert "prof:true" in os.environ["_RJEM_MALLOC_CONF"]
for n in range(int(sys.argv[1])):
    with open("%s.%d.%d.i%d.heap" % (prefix, os.getpid(), n, n), "w") as dump:
        dump.write("heap_v2/524288\\n  t*: %d: %d [0: 0]\\n" % (n + 1, 1000000 * (n + 1)))
        dump.write("@ 0x1000 0x2000\\n  t*: %d: %d [0: 0]\\n" % (n + 1, 1000000 * (n + 1)))
        dump.write("\\nMAPPED_LIBRARIES:\\n")
    time.sleep(0.4)
time.sleep(float(sys.argv[2]))
"""


@scenario
def dumps(open_window, scratch):
    window = record(open_window, python(DUMPS, 6, 20), kind="jemalloc")
    wait_picture(window)
    wait_for("dumps", lambda: next(window.all("label", r"· [3-6] dumps"), None))
    stop(window)
    window.wait_text("^Recorded 0:")
    check(lambda: os.path.isdir(own_recording()), recordings)
    n_dumps = len(os.listdir(own_recording()))
    title = "%s — %d dumps" % (os.path.basename(own_recording()), n_dumps)
    wait_for("the title", lambda: title_of(window) == title)


# The terminal --------------------------------------------------------------------------------------------------------

@scenario
def typing(open_window, scratch):
    """What is typed goes to the program, and not to the window."""
    said = os.path.join(scratch, "said")
    code = ("import os, sys\n"
            "line = input()\n"
            "size = os.get_terminal_size()\n"
            "open(sys.argv[1], 'w').write('%s|%s|%d' % (line, os.isatty(0), size.columns))\n")
    window = record(open_window, python(code, said), environment=standin(seconds=1))
    wait_picture(window)
    window.rest()
    window.type("hello")
    window.key("ctrl+u")
    window.type("good-bye")
    window.key("Return")
    window.wait_text("^Ended with exit status 0$")
    with open(said) as file:
        line, is_terminal, columns = file.read().split("|")
    check(line == "good-bye", line)
    check(is_terminal == "True" and int(columns) > 100, is_terminal, columns)


@scenario
def folding(open_window, scratch):
    window = record(open_window, python("print('hello')\nimport time\ntime.sleep(60)"), environment=standin(seconds=1))
    wait_picture(window)
    toggle = window.find("push button", "^Output of the program$")
    window.find(name="^Terminal of the program$")
    picture = window.find(id="FlamePage.area").get_box()
    window.click(toggle)
    window.wait_no_text("^Terminal of the program$")
    wait_for("room", lambda: window.find(id="FlamePage.area").get_box()[3] > picture[3] + 50)
    window.click(window.find("push button", "^Output of the program$"))
    window.find(name="^Terminal of the program$")
    stop(window)


@scenario
def huge_output(open_window, scratch):
    """The window is about as quick as without it, and the program does not wait for what is shown."""
    counted, begun = os.path.join(scratch, "counted"), os.path.join(scratch, "begun")
    code = ("import os, sys, time\n"
            "while not os.path.exists(sys.argv[2]):\n"
            "    time.sleep(0.05)\n"
            "line, n, end = b'y\\n' * 2000, 0, time.monotonic() + 4\n"
            "while time.monotonic() < end:\n"
            "    n += os.write(1, line)\n"
            "open(sys.argv[1], 'w').write(str(n))\n")
    def wait():
        asked = time.monotonic()
        window.frame().get_box()
        time.sleep(0.02)
        return time.monotonic() - asked

    window = record(open_window, python(code, counted, begun), environment=standin(seconds=0.5))
    wait_for("samples", lambda: count_samples(window) == 1155)
    before = sorted(wait() for _ in range(40))
    with open(begun, "w"):
        pass
    waits = []
    while not os.path.exists(counted):
        waits.append(wait())
    window.wait_text("^Ended with exit status 0$")
    with open(counted) as file:
        n = int(file.read())
    # Ten times what can be shown.
    check(n > 3e6 / SLOW, n, "bytes written in 4 s")
    waits.sort()
    check(len(waits) > 10, waits)
    check(waits[len(waits) // 2] < 3 * before[len(before) // 2] + 0.05, "waits", waits, "before", before)


# Ending it -----------------------------------------------------------------------------------------------------------

@scenario
def discarding(open_window, scratch):
    window = record(open_window, python(SLEEP, 60))
    wait_picture(window)
    window.click(button(window, "^Discard( |$)"))
    window.find("push button", "^Open")  # the start page
    wait_for("nothing", lambda: not recordings())
    wait_for("no recorder", lambda: count_recorders() == 0)


@scenario
def discarding_late(open_window, scratch):
    """What took more than ten seconds is not lost by one click."""
    window = record(open_window, python(SLEEP, 60))
    wait_picture(window)
    window.find("label", r"^0:1[1-9]$")
    window.click(button(window, "^Discard( |$)"))
    wait_for("a question", lambda: find_dialog(window))
    window.wait_text(r"^Discard This Recording\?$")
    window.key("Escape")
    wait_no_dialog(window)
    check(lambda: is_recording(window) and recordings(), "it goes on")
    window.click(button(window, "^Discard( |$)"))
    wait_for("a question", lambda: find_dialog(window))
    window.key("alt+d")
    wait_for("nothing", lambda: not recordings())


@scenario
def discarding_ended(open_window, scratch):
    """What ended while the user was asked is discarded all the same."""
    end = os.path.join(scratch, "end")
    code = "import os, sys, time\nwhile not os.path.exists(sys.argv[1]):\n    time.sleep(0.05)\n"
    window = record(open_window, python(code, end), environment=standin(seconds=1))
    wait_picture(window)
    window.key("F6", "ctrl+w")
    window.wait_text(r"^Stop Recording\?$")
    with open(end, "w"):
        pass
    window.wait_text("^Recorded 0:")
    check(lambda: len(recordings()) == 1, recordings)
    window.key("alt+d")
    wait_for("nothing", lambda: not recordings())
    window.wait_text("^Open a Profile$")


@scenario
def hidden(open_window, scratch):
    """What nobody sees is not loaded; what is seen again is, at once."""
    window = record_long(open_window)
    wait_picture(window)
    before = wait_for("samples", lambda: count_samples(window))
    subprocess.run([window.program, recording("inlining-fp.data")], check=True)
    wait_for("the other tab", lambda: title_of(window) == "inlining-fp.data")
    time.sleep(5 * SLOW)  # samples are taken, and nothing shows them
    window.key("ctrl+Page_Up")
    wait_for(lambda: "more samples than %d" % before, lambda: count_samples(window) > before, 3 * SLOW)
    stop(window)
    window.wait_text("^1,155 samples$")


@scenario
def compared(open_window, scratch):
    """What is recorded again is compared with the last recording while it runs, and then as any other two files; but one that
    the user has ended tells nothing by how long it is, and stays scaled."""
    window = record_long(open_window)
    wait_picture(window)
    stop(window)
    window.wait_text("^1,155 samples$")
    open_menu(window, window.find(id="Window.menu_button"), "^Record Again and Compare$")
    window.key("i")
    wait_for(lambda: "a comparison, not %s" % title_of(window), lambda: " → " in title_of(window))
    wait_for("it can be stopped here", lambda: is_recording(window))
    window.wait_text("^Equal Totals$")

    def factor():
        return next((node.name for node in window.all("label", r"^base × 0\.\d+, for equal totals$")), None)

    before = wait_for("a part of it", factor)
    wait_for("more than %s" % before, lambda: factor() not in (before, None))
    check(lambda: is_recording(window), "it goes on")
    window.click(window.find(id="FlamePage.area"))
    window.key("s")
    window.wait_text("^Width: Each Side$")
    stop(window)
    wait_for("its end", lambda: not is_recording(window))
    window.wait_text("^Width: Each Side$")
    window.wait_text("^Equal Totals$")
    window.wait_text(r"^0 ns \(0\.0 %\)$")
    check(lambda: len(recordings()) == 2, recordings)
    check(lambda: len({node.name for node in window.all("label", r"^[\d.]+ ms$")}) >= 1, "amounts")


@scenario
def compared_alone(open_window, scratch):
    """Without the tab that records, what has been compared stays."""
    window = record_long(open_window)
    wait_picture(window)
    stop(window)
    window.wait_text("^1,155 samples$")
    open_menu(window, window.find(id="Window.menu_button"), "^Record Again and Compare$")
    window.key("i")
    wait_for(lambda: "a comparison, not %s" % title_of(window), lambda: " → " in title_of(window))
    window.wait_text("^Equal Totals$")
    title = title_of(window)
    window.key("ctrl+Page_Up", "ctrl+w")
    window.wait_text(r"^Stop Recording\?$")
    window.rest()
    window.key("Return")
    wait_for("no recorder", lambda: count_recorders() == 0)
    wait_for("the comparison", lambda: title_of(window) in (title, title.split(" → ")[0]))
    if title_of(window) != title:  # which of its neighbors is shown in place of a closed tab is libadwaita's choice
        window.key("ctrl+Page_Down")
    wait_for("the comparison", lambda: title_of(window) == title)
    window.wait_text("^As Recorded$")


@scenario
def closing(open_window, scratch):
    """A tab: the user is asked. What is kept is complete."""
    window = record(open_window, python(SLEEP, 60), environment=standin(seconds=1))
    wait_picture(window)
    window.key("F6", "ctrl+w")
    window.wait_text(r"^Stop Recording\?$")
    window.key("Escape")
    wait_no_dialog(window)
    check(lambda: is_recording(window), "it goes on")
    window.key("ctrl+w")
    window.wait_text(r"^Stop Recording\?$")
    window.rest()
    window.key("Return")
    wait_for("no recorder", lambda: count_recorders() == 0)
    wait_for("all of it", lambda: json.loads(summarize(window, own_recording()))["samples"] == 1155)
    wait_for("the start page", lambda: not is_recording(window))


@scenario
def quitting(open_window, scratch):
    """The recorder is slow: profview ends when it has."""
    window = record(open_window, python(SLEEP, 60), environment=standin(seconds=1))
    wait_picture(window)
    window.key("F6", "ctrl+q")
    window.wait_text(r"^Stop Recording\?$")
    window.rest()
    window.key("Return")
    wait_end(window)
    check(lambda: count_recorders() == 0, "a recorder is left")
    check(lambda: json.loads(summarize(window, own_recording()))["samples"] == 1155, "not all was kept")


@scenario
def quitting_discards(open_window, scratch):
    window = record(open_window, python(SLEEP, 60))
    wait_picture(window)
    window.key("F6", "ctrl+q")
    window.wait_text(r"^Stop Recording\?$")
    window.rest()
    window.key("alt+d")
    wait_end(window)
    check(lambda: not recordings() and count_recorders() == 0, recordings)


@scenario
def terminated(open_window, scratch):
    """The session ends: nobody can be asked."""
    window = record(open_window, python(SLEEP, 60), environment=standin(seconds=0.5))
    wait_picture(window)
    window.process.send_signal(signal.SIGTERM)
    wait_end(window)
    check(lambda: count_recorders() == 0, "a recorder is left")
    check(lambda: json.loads(summarize(window, own_recording()))["samples"] == 1155, "not all was kept")


@scenario
def slow_recorder(open_window, scratch):
    window = record(open_window, python(SLEEP, 60), environment=standin(
        "slow", seconds=1, PV_STANDIN_SLOW_SECONDS=str(7 * SLOW)))
    wait_picture(window)
    window.click(button(window, "^Stop( Stop)?$"))
    window.wait_text("^Writing…")
    window.wait_text("^Still writing…")
    window.click(button(window, "^Wait( |$)"))
    window.wait_no_text("^Wait( |$)")
    wait_for("the end", lambda: any(re.search("^Recorded 0:", text) for text in window.texts()), 60)
    window.wait_text("^1,155 samples$")


@scenario
def ending_the_recorder(open_window, scratch):
    window = record(open_window, python(SLEEP, 60), environment=standin("slow", seconds=1))
    wait_picture(window)
    window.click(button(window, "^Stop( Stop)?$"))
    window.click(button(window, "^End Recorder"))
    window.wait_text("^Recorded 0:")
    check(lambda: count_recorders() == 0, "a recorder is left")
    wait_picture(window)


# What goes wrong -------------------------------------------------------------------------------------------------------

@scenario
def troubles(open_window, scratch):
    program = os.path.join(scratch, "my program")
    window = record(open_window, [program], environment=standin(seconds=0.3))
    window.wait_text("^Recording Is Not Possible$")
    window.wait_text("my program")
    check(lambda: not recordings(), recordings)
    with open(program, "w") as file:
        file.write("#!/bin/sh\nexec sleep 1\n")
    os.chmod(program, 0o700)
    window.click(button(window, "^Try Again"))
    window.wait_text("^Recorded 0:")
    window.wait_text("^1,155 samples$")


@scenario
def changed(open_window, scratch):
    """The next recording takes the place of the tab where nothing could be recorded, which does not come back."""
    program = os.path.join(scratch, "my program")
    window = record(open_window, [program], environment=standin(seconds=0.3))
    window.wait_text("^Recording Is Not Possible$")
    with open(program, "w") as file:
        file.write("#!/bin/sh\nexec sleep 1\n")
    os.chmod(program, 0o700)
    window.click(button(window, "^Change…"))
    with in_dialog(window) as frame:
        press_record(window, frame)
    window.wait_text("^Recorded 0:")
    wait_picture(window)
    window.key("ctrl+shift+t")
    window.rest()
    check(lambda: len(list(window.all("page tab", "my program"))) < 2, "one tab")
    window.wait_text("^1,155 samples$")


@scenario
def not_permitted(open_window, scratch):
    window = record(open_window, python(SLEEP, 60), environment=standin("no-permission"))
    window.wait_text("^Recording Is Not Permitted$")
    button(window, "^Try Again")
    window.click(button(window, "^Change…"))
    wait_for("the dialog", lambda: find_dialog(window))
    window.key("Escape")
    wait_no_dialog(window)
    check(lambda: not recordings(), recordings)


@scenario
def killed_recorder(open_window, scratch):
    window = record(open_window, python(SLEEP, 4), environment=standin("killed", seconds=2))
    window.wait_text(r"^Recorded 0:.* perf was killed \(")
    wait_picture(window)
    wait_for("a part of it", lambda: 0 < json.loads(summarize(window, own_recording()))["samples"] < 1155)


@scenario
def full_disk(open_window, scratch):
    window = record(open_window, python(SLEEP, 4), environment=standin("full", seconds=2))
    window.wait_text("^Recorded 0:.* no room left ")
    wait_picture(window)


@scenario
def lost_samples(open_window, scratch):
    window = record(open_window, python(SLEEP, 2), environment=standin("lost", seconds=1))
    window.wait_text("^Recorded 0:.* lost 3,478 events ")
    window.click(button(window, "^Record Again…"))
    window.wait_text("^64 MiB$")
    window.key("Escape")
    window.wait_no_text("^64 MiB$")


# Afterwards ----------------------------------------------------------------------------------------------------------

@scenario
def saving(open_window, scratch):
    window = record(open_window, python(SLEEP, 0.5), environment=standin(seconds=0.3))
    window.wait_text("^Recorded 0:")
    path = os.path.join(scratch, "kept.data")
    window.click(button(window, "^Save As…"))
    save_to(window, path)
    window.wait_text("^The recording was saved as “kept.data”$")
    with open(path, "rb") as copy, open(own_recording(), "rb") as original:
        check(copy.read() == original.read(), "the copy is another")
    check(os.stat(path).st_mode & 0o777 == 0o600, oct(os.stat(path).st_mode))
    check(os.listdir(scratch) == ["kept.data"], os.listdir(scratch))
    window.click(button(window, "^Delete this recording$"))
    window.wait_text(r"^Delete This Recording\?$")
    window.rest()
    window.key("alt+d")
    wait_for("nothing", lambda: not recordings())
    window.wait_no_text("^Recorded 0:")


@scenario
def narrow(open_window, scratch):
    window = record(open_window, python(SLEEP, 60), environment=standin(seconds=1))
    wait_picture(window)
    resize(window, 480, 700)
    for name in ["^Stop( Stop)?$", "^Discard( |$)"]:
        x, y, width, height = button(window, name).get_box()
        left, top_edge, whole, _ = window.frame().get_box()
        check(x >= left and x + width <= left + whole and width > 30, name, x, width, whole)
    window.find("label", r"^0:\d\d$")
    stop(window)
    window.wait_text("^Recorded 0:")
    for name in ["^Save As…", "^Delete this recording$", "^Dismiss$"]:
        x, y, width, height = button(window, name).get_box()
        check(x + width <= left + whole, name, x, width)


def smallest_part(window, patterns):
    """What is in the smallest part of the window that has all of these names."""
    nodes = list(window.all(sized=False))
    for first in reversed(range(len(nodes))):
        end = next((i for i in range(first + 1, len(nodes)) if nodes[i].depth <= nodes[first].depth), len(nodes))
        if all(any(re.search(pattern, node.name) for node in nodes[first:end]) for pattern in patterns):
            return [node for node in nodes[first:end] if has_size(node)]
    raise Failure("no part has %s" % patterns)


def check_names(window):
    """Of what can be pressed or read in the bar and beside the terminal; in GTK 4.8 a widget without a name is called by
    its class."""
    for part in [["^Recording$|^Recorded ", "^Discard( |$)|^Dismiss$"], ["^Output of the program$", "^Terminal of"]]:
        for node in smallest_part(window, part):
            check(node.role not in ["push button", "label", "image"] or
                  node.name and not re.match("(Gtk|Vte|Pv)[A-Z]", node.name), node.role, node.name)


@scenario
def names_for_readers(open_window, scratch):
    window = record(open_window, python("print('hello', flush=True)\n" + SLEEP, 60), environment=standin(seconds=1))
    wait_picture(window)
    window.find(name="^Terminal of the program$")
    for role, name in [("push button", "^Stop( Stop)?$"), ("push button", "^Discard( |$)"),
                       ("push button", "^Output of the program$")]:
        window.find(role, name)
    check_names(window)
    stop(window)
    for name in ["^Save As…", "^Delete this recording$", "^Dismiss$", "^Close the output$"]:
        button(window, name)
    # The program ended as it should: its output is folded.
    window.wait_no_text("^Terminal of the program$")
    window.click(window.find("push button", "^Output of the program$"))
    window.find(name="^Terminal of the program$")
    check_names(window)


if __name__ == "__main__":
    main()
