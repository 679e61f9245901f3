#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recording the whole way, as a person does it: from an empty window by the dialog to the profile, and what becomes of
that. test-record-whole.py PROFVIEW SCENARIO, inside session.sh. Scenarios called live-... do it with the recorders of
this machine, and end with status 77 where there are none or it does not let them; the others have stand-ins."""

import contextlib
import ctypes.util
import glob
import gzip
import json
import math
import os
import platform
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

from driver import SYMBOLS, main, recording, scenario, wait_for
from record_steps import (NOT_RUN, SAMPLE, can_record, choose, choose_process, count_samples, in_dialog, open_dialog,
                          own_recording, press, press_record, probe, probe_perf, recordings, save_to, scroll_down,
                          sees_kernel, standin, stop, wait_dialog_gone, wait_picture)
from steps import (check, details, export_by_key, find_dialog, run_as_another_user, search_expression, show_page,
                   title_of, wait_details, wait_measure)


# Steps ---------------------------------------------------------------------------------------------------------------

def ask_on_start_page(window):
    window.click(window.find("push button", "^Record…"))


def ask_in_header_bar(window):
    window.click(window.find(id="Window.record_button"))


def ask_by_key(window):
    window.key("ctrl+n")


def choose_recorder(window, frame, recorder):
    """Nothing has to be chosen for copied stacks: they are the default."""
    if recorder == "heaptrack":
        press(window, frame, "^Heap$")
    elif recorder == "fp":
        scroll_down(window, 8)
        choose(window, "^Call Graph$", "Frame Pointers", 1)


def watch(window, what):
    """A picture soon, that grows."""
    asked = time.monotonic()
    wait_picture(window)
    print("first picture %.1f s after the dialog" % (time.monotonic() - asked))
    before = wait_for(what, lambda: count_samples(window, what))
    wait_for("more than %d %s" % (before, what), lambda: count_samples(window, what) > before)
    window.find("label", r"^0:(0[2-9]|[1-5]\d)$")


def select(window, name):
    """What the details line says of the box of a function."""
    window.key("F6")
    search_expression(window, "^%s$" % name)
    window.wait_text("^1 function, ")
    window.key("Return")
    wait_details(window, "^%s, " % name)
    (line,) = [text for text in details(window) if text.startswith(name + ", ")]
    window.key("Escape")
    window.wait_no_text("^1 function, ")
    return line


def percent(line, caption):
    return float(re.search(caption + r"\s([\d.]+) %", line).group(1))


def check_hot_functions(window, recorder, is_attached=False):
    """What sample.c says of itself. What hoard allocated at the beginning, only a launched program shows."""
    if recorder == "heaptrack":
        if not is_attached:
            check(re.search(r"Total\s[\d.]+ %\s9\.54 MiB", select(window, "hoard")), lambda: details(window))
        for name, share in (("store_flour", 75.0), ("store_pearls", 25.0)):
            line = select(window, name)
            check(percent(line, "Of caller") == share, line)
        return
    n = int(re.match("[\\d,]+", window.wait_text("^[\\d,]+ samples$")).group().replace(",", ""))
    for name, share in (("grind", 75), ("polish", 25)):
        line = select(window, name)
        # Four times the deviation that so many samples have. The kernel comes in between, more so where there is much
        # to do, but that is no caller's.
        tolerance = 3 + 4 * math.sqrt(share * (100 - share) / n)
        check(abs(percent(line, "Of caller") - share) < tolerance, line, n)
        check(percent(line, "Total") > 0.6 * share, line)
        # They call nothing. How much of their time the kernel takes for itself, the machine decides.
        above = run_headless(window, "--print=callees", "--function=^%s$" % name, "--format=tsv", own_recording())
        rows = [row.split("\t") for row in above.splitlines()[1:]]
        check(all(re.match(r"\[kernel|.*\.ko(\.\w+)?$", module) for _, _, module, *_ in rows), line, rows)


def summary_rows(window):
    """What the summary says; the whole of it, which comes row by row."""
    show_page(window, "Summary")
    seen = [None]

    def is_all_there():
        window.rest()
        before, rows = seen[0], []
        for node in window.find("scroll pane", "^Summary$").below:
            if node.role == "list item":
                rows.append([])
            elif node.role == "label" and rows:
                rows[-1].append(node.name)
        seen[0] = rows
        return rows and rows == before

    wait_for("all of the summary", is_all_there)
    return seen[0]


def run_headless(window, *arguments):
    command = [window.program, *window.arguments, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def check_same_as_opened(window, scratch):
    """What the window has is what any program would read of the file: every stack, amount and name of the profile, and
    what is said about it."""
    saved, fresh = os.path.join(scratch, "saved.pb.gz"), os.path.join(scratch, "fresh.pb.gz")
    export_by_key(window, "pprof", "r")
    save_to(window, saved)
    window.wait_text("^The profile was saved as “saved.pb.gz”$")
    run_headless(window, "--export=" + fresh, own_recording())
    with gzip.open(saved) as ours, gzip.open(fresh) as theirs:
        check(ours.read() == theirs.read(), "the profile in the window is another than that of the file")
    labels = [label for row in summary_rows(window) for label in row]
    notes = [line[2:] for line in run_headless(window, "--print=notes", own_recording()).splitlines()]
    # The window tells of several at once, and so it does where a file at a recorded path is another one.
    groups = {"%d files were not found": [note for note in notes if " was not found, so its functions have no names" in note],
              "%d files are not the ones that ran": [note for note in notes if " is not the file that ran" in note]}
    joined = {title % len(group): group for title, group in groups.items() if len(group) > 1}
    for title, group in joined.items():
        check(title in labels, "several notes without their title:", title, group, labels)
    for note in notes:
        check(note in labels or any(note in group for group in joined.values()), "a note that the window does not have:", note,
              labels)


def check_kept(window, command):
    """What is known of a recording is in its file: it is on the start page, and the same when it is opened."""
    # How long it took is also told by the page of what has just been recorded.
    rows = [row for row in summary_rows(window) if row[0] != "Recorded for"]
    title, name = title_of(window), os.path.basename(own_recording())
    window.key("ctrl+w")
    window.wait_no_text("^The profile was saved")  # lies over the list for some seconds
    window.click(window.find("list item", "^" + re.escape(name.split(".")[0])))
    wait_picture(window)
    wait_for("its name", lambda: title_of(window) == title)
    again = [row for row in summary_rows(window) if row[0] != "Recorded for"]
    check(any(re.search(command, label) for row in again for label in row), command, again)
    # Variables may be secret: they are not in the file.
    lines = [[re.sub("LD_PRELOAD=[^ ]* ", "", label) for label in row] for row in rows]
    check(again == lines, "it was", lines, "and is", again)


# The whole way -------------------------------------------------------------------------------------------------------

COMMANDS = {"fp": "^perf record --call-graph fp .*%s", "dwarf": "^perf record --call-graph dwarf,16384 .*%s",
            "heaptrack": "^heaptrack --raw .*%s"}


@contextlib.contextmanager
def running(*command):
    with subprocess.Popen(command) as child:
        try:
            yield child
        finally:
            child.kill()


def fill_attach(window, frame, child):
    name = os.path.basename(child.args[0])
    choose_process(window, frame, "%s %d" % (name[-6:], child.pid), r"^%s \(%d\)$" % (name, child.pid))


def fill_launch(window, frame, command):
    window.click(window.find(id="LaunchRows.command_row", below=frame))
    window.type(command)


def record_whole(window, ask, recorder, fill, target):
    """From the empty window until it has been stopped. The same profile is asked for whatever the target is."""
    window.wait_text("^Open a Profile$")
    ask(window)
    with in_dialog(window) as frame:
        fill(window, frame, target)
        choose_recorder(window, frame, recorder)
        press_record(window, frame)
    wait_dialog_gone(window)
    watch(window, "allocations?" if recorder == "heaptrack" else "samples?")
    stop(window)
    window.wait_text(r"^Recorded 0:\d\d, ")
    check(lambda: os.stat(own_recording()).st_mode & 0o777 == 0o600)


def launch_quickly(window, command, *options):
    """Mostly by the keyboard. Options are buttons of the dialog."""
    window.wait_text("^Open a Profile$")
    open_dialog(window)
    with in_dialog(window) as frame:
        for option in options:
            press(window, frame, option)
        if command is not None:
            fill_launch(window, frame, command)
        start_recording(window, frame)
    wait_dialog_gone(window)


def start_recording(window, frame):
    """The machine may not let its users do it without rights, which the dialog finds out meanwhile."""
    def needs_rights():
        return any(window.all("push button", "^Use Administrator Rights$"))

    def is_gone():
        return not any(window.all("push button", "Record$", below=frame))

    while True:
        wait_for("a record button", lambda: is_gone() or needs_rights() or can_record(window))
        if is_gone():
            return
        if needs_rights() and not can_record(window):
            press(window, frame, "^Use Administrator Rights$")
            wait_for("the rights", lambda: can_record(window) and not needs_rights())
        window.key("alt+r")
        window.rest()


def copy_sample(scratch):
    program = os.path.join(scratch, "hot sample")
    shutil.copy(SAMPLE, program)
    return program


def launch_whole(open_window, scratch, ask, recorder):
    program = copy_sample(scratch)
    window = open_window()
    record_whole(window, ask, recorder, fill_launch, "'%s' 170" % program)
    window.wait_text("Stopped with the recording$")
    check(lambda: find_processes(program) == [], "the program goes on")
    check_hot_functions(window, recorder)
    check_same_as_opened(window, scratch)
    check_kept(window, COMMANDS[recorder] % (re.escape(program) + ".* 170$"))


def attach_whole(open_window, scratch, ask, recorder):
    window = open_window()
    with running(copy_sample(scratch), "170") as child:
        record_whole(window, ask, recorder, fill_attach, child)
        check(child.poll() is None, "the process was ended")
    check_hot_functions(window, recorder, is_attached=True)
    check_same_as_opened(window, scratch)
    check_kept(window, COMMANDS[recorder] % ("-p %d" % child.pid))


def find_processes(program):
    found = []
    for link in glob.glob("/proc/[0-9]*/exe"):
        try:
            if os.readlink(link) == program:
                found.append(int(link.split("/")[2]))
        except OSError:
            continue
    return found


@scenario
def live_launch_fp(open_window, scratch):
    probe_perf()
    launch_whole(open_window, scratch, ask_on_start_page, "fp")


@scenario
def live_launch_dwarf(open_window, scratch):
    probe_perf()
    launch_whole(open_window, scratch, ask_in_header_bar, "dwarf")


@scenario
def live_launch_heaptrack(open_window, scratch):
    probe("heaptrack", "--version")
    launch_whole(open_window, scratch, ask_by_key, "heaptrack")


@scenario
def live_attach_fp(open_window, scratch):
    probe_perf()
    attach_whole(open_window, scratch, ask_in_header_bar, "fp")


@scenario
def live_attach_dwarf(open_window, scratch):
    probe_perf()
    attach_whole(open_window, scratch, ask_by_key, "dwarf")


@scenario
def live_attach_heaptrack(open_window, scratch):
    """Where a debugger can call a function in another process, which it cannot with some kernels and processors."""
    probe("heaptrack", "--version")
    with running(copy_sample(scratch), "60") as child:
        probe("sh", "-c", 'gdb --batch -n -p "$0" -ex "print 6 * (int) getpid()" | grep -x ".* = $((6 * $0))"',
              str(child.pid))
    attach_whole(open_window, scratch, ask_by_key, "heaptrack")


@scenario
def attach_heaptrack(open_window, scratch):
    """The same where there is no such debugger, with stand-ins: the trace is that of another program."""
    window = open_window(*SYMBOLS, environment=standin(PV_STANDIN_SECONDS="2"))
    with running("/bin/sleep", "170") as child:
        record_whole(window, ask_by_key, "heaptrack", fill_attach, child)
        check(child.poll() is None, "the process was ended")
    line = select(window, "run_steady")
    check(percent(line, "Total") > 90, line)
    check_same_as_opened(window, scratch)
    check_kept(window, COMMANDS["heaptrack"] % ("-p %d" % child.pid))


# Other recorders -----------------------------------------------------------------------------------------------------

def read_calls(log):
    with open(log) as lines:
        return [json.loads(line) for line in lines]


@scenario
def off_cpu(open_window, scratch):
    """perf is told to count switches, not cycles; where users do not see the kernel, samples of the clock say what ran."""
    log = os.path.join(scratch, "log")
    window = open_window(*SYMBOLS, environment=standin(
        PV_STANDIN_PERF_LOG=log, PV_STANDIN_PERF_DATA=recording("kernel-fp.data")))
    launch_quickly(window, "sleep 50", "^Off-CPU$")
    wait_for("all samples", lambda: count_samples(window) == 84)
    stop(window)
    (call,) = [call for call in read_calls(log) if "record" in call]
    check("--switch-events" in call and ("context-switches" in call) == sees_kernel() and ("-F" in call) != sees_kernel(),
          call)
    check_same_as_opened(window, scratch)


@scenario
def live_off_cpu(open_window, scratch):
    """Where a program waits, and for how long."""
    probe("perf", "record", "-q", "-o", "/dev/null", "-e", "context-switches", "-c", "1", "--switch-events", "--",
          "true")
    window = open_window()
    launch_quickly(window, "'%s' 50 rest" % copy_sample(scratch), "^Off-CPU$")
    watch(window, "samples?")
    stop(window)
    window.wait_text(r"^Recorded 0:\d\d, ")
    wait_measure(window, "Off-CPU time")
    check(percent(select(window, "rest"), "Total") > 80, lambda: details(window))
    check_same_as_opened(window, scratch)


@scenario
def whole_system(open_window, scratch):
    """There is nothing to be named, and no output to be seen."""
    log = os.path.join(scratch, "log")
    window = open_window(*SYMBOLS, environment=standin(
        PV_STANDIN_PERF_LOG=log, PV_STANDIN_PERF_DATA=recording("inlining-fp.data")))
    launch_quickly(window, None, "^Whole System$")
    wait_for("all samples", lambda: count_samples(window) == 1155)
    check(lambda: not list(window.all(name="^Terminal of the program$")), "a terminal")
    stop(window)
    (call,) = [call for call in read_calls(log) if "record" in call]
    check("-a" in call and "-p" not in call, call)
    check(percent(select(window, "main"), "Total") > 90, lambda: details(window))
    check_same_as_opened(window, scratch)


@scenario
def live_launch_jemalloc(open_window, scratch):
    """A variable before the command makes a program of the C library's one of jemalloc's."""
    library = ctypes.util.find_library("jemalloc")
    if library is None:
        print("not run: there is no jemalloc")
        sys.exit(NOT_RUN)
    program = copy_sample(scratch)
    window = open_window()
    window.wait_text("^Open a Profile$")
    ask_by_key(window)
    with in_dialog(window) as frame:
        press(window, frame, "^Heap$")
        choose(window, "^Recorder$", "jemalloc", 1)
        fill_launch(window, frame, "LD_PRELOAD=%s '%s' 50" % (library, program))
        scroll_down(window)
        window.click(window.find("spin button", "^MiB allocated|^Dump Every"))
        window.key("ctrl+a")
        window.type("1")
        press_record(window, frame)
    wait_dialog_gone(window)
    wait_picture(window)
    before = wait_for("dumps", lambda: count_samples(window, "dumps?"))
    wait_for("more dumps", lambda: count_samples(window, "dumps?") > before)
    stop(window)
    check(percent(select(window, "hoard"), "Total") > 60, lambda: details(window))
    check_kept(window, "^MALLOC_CONF=.*lg_prof_interval:20 .*hot sample. 50$")


# Rights --------------------------------------------------------------------------------------------------------------

def may_count(is_all):
    """Whether the kernel lets us count what our own process does, or all that the first processor does."""
    numbers = {"x86_64": 298, "aarch64": 241}
    exclude_kernel = 0 if is_all else 1 << 5
    attributes = struct.pack("=IIQQQQQ16x", 1, 64, 0, 1000000, 0, 0, exclude_kernel)
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.syscall(numbers[platform.machine()], attributes, *((-1, 0) if is_all else (0, -1)), -1, 0)
    if fd >= 0:
        os.close(fd)
    return fd >= 0


@scenario
def live_rights(open_window, scratch):
    """Who may not record the whole system is told so, shown the command that could, and needs no more than a click
    for it. The rights are the machine's; perf and pkexec are stand-ins."""
    if os.geteuid() == 0:
        run_as_another_user(scratch)
        return
    if may_count(is_all=True) or not may_count(is_all=False):
        print("not run: everybody may record everything here, or nothing")
        sys.exit(NOT_RUN)
    log = os.path.join(scratch, "log")
    window = open_window(environment=standin(PV_STANDIN_PERF_LOG=log))
    window.wait_text("^Open a Profile$")
    ask_on_start_page(window)
    with in_dialog(window) as frame:
        press(window, frame, "^Whole System$")
        window.wait_text("^You may not record the whole system$")
        check(lambda: not can_record(window), "it can be recorded without rights")
        shown = window.wait_text("/pkexec'? .*/perf'? record ").split()
        press(window, frame, "^Use Administrator Rights")
        window.wait_no_text("^The whole system is not yours")
        press_record(window, frame)
    wait_dialog_gone(window)
    wait_picture(window)
    stop(window)
    window.wait_text(r"^Recorded 0:\d\d, ")
    (call,) = [call for call in read_calls(log) if "record" in call]
    check("-a" in call and call[call.index("-o") + 1] == "-", call)
    check(call == shown[shown.index("record"):], call, shown)
    if "PV_STANDIN_PKEXEC_ROOT" in os.environ:
        check(os.stat(log).st_uid == 0, "perf was run by", os.stat(log).st_uid)
    status = os.stat(own_recording())
    check(status.st_uid == os.geteuid() and status.st_mode & 0o777 == 0o600, status)
    check_kept(window, "^pkexec perf record .*-a")


# How programs end ----------------------------------------------------------------------------------------------------

@scenario
def leaving(open_window, scratch):
    """A program goes on when recording stops, if that was asked for."""
    program = copy_sample(scratch)
    window = open_window(environment=standin())
    window.wait_text("^Open a Profile$")
    open_dialog(window)
    try:
        with in_dialog(window) as frame:
            window.type("'%s' 100" % program)
            scroll_down(window, 6)
            window.click(window.find("check box", "^Keep [Rr]unning", below=frame))
            press_record(window, frame)
        wait_dialog_gone(window)
        wait_picture(window)
        stop(window)
        window.wait_text("Still running$")
        check(lambda: len(find_processes(program)) == 1, "the program was ended")
    finally:
        for pid in find_processes(program):
            os.kill(pid, signal.SIGKILL)


@scenario
def stubborn(open_window, scratch):
    """A program that does not want to end has to, and what was recorded of it is kept."""
    program = os.path.join(scratch, "stubborn")
    shutil.copy("/bin/sleep", program)
    window = open_window(environment=standin())
    # What is ignored stays so in what is executed.
    launch_quickly(window, "env --ignore-signal '%s' 100" % program)
    wait_for("the program", lambda: find_processes(program))
    wait_picture(window)
    stop(window)
    window.wait_text("Killed because it did not stop$")
    check(lambda: find_processes(program) == [], "it goes on")
    check(lambda: os.path.getsize(own_recording()) > 1000)
    check_same_as_opened(window, scratch)


def check_crash(open_window, scratch, *options):
    window = open_window()
    launch_quickly(window, "'%s' 2 crash" % copy_sample(scratch), *options)
    window.wait_text("^Recorded 0:.*SIGSEGV")
    window.wait_text(r"Killed by signal 11 \(Segmentation fault\)")
    return window


@scenario
def live_crash(open_window, scratch):
    """What was recorded of a program that crashes is all there."""
    probe_perf()
    window = check_crash(open_window, scratch)
    check_hot_functions(window, "dwarf")
    check_same_as_opened(window, scratch)


@scenario
def live_crash_heap(open_window, scratch):
    probe("heaptrack", "--version")
    window = check_crash(open_window, scratch, "^Heap$")
    check_hot_functions(window, "heaptrack")
    check_same_as_opened(window, scratch)


# Where it is kept ----------------------------------------------------------------------------------------------------

def mount_small(folder, size):
    """A disk that is soon full, for us and what we start."""
    probe("unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt")
    if ctypes.CDLL(None, use_errno=True).unshare(0x00020000) != 0:  # CLONE_NEWNS
        sys.exit(NOT_RUN)
    os.makedirs(folder)
    probe("mount", "--make-rprivate", "/")
    probe("mount", "-t", "tmpfs", "-o", "mode=700,size=" + size, "none", folder)


@scenario
def live_full_disk(open_window, scratch):
    """What was recorded until the disk was full can be looked at."""
    probe_perf()
    mount_small(os.path.join(os.environ["XDG_DATA_HOME"], "profview", "recordings"), "12m")
    window = open_window()
    launch_quickly(window, "'%s' 50" % copy_sample(scratch))
    window.wait_text("^Recorded 0:.* no room left ")
    check_hot_functions(window, "dwarf")
    check_same_as_opened(window, scratch)


@scenario
def live_saving_on_full_disk(open_window, scratch):
    """A half of a recording is not left behind, and it can be saved elsewhere."""
    small = os.path.join(scratch, "small")
    mount_small(small, "64k")
    window = open_window(environment=standin(PV_STANDIN_PERF_DATA=recording("inlining-fp.data")))
    launch_quickly(window, "sleep 1")
    window.wait_text("^Recorded 0:")
    window.click(window.find(id="RecordingBar.save_button"))
    save_to(window, os.path.join(small, "kept.data"))
    window.wait_text("^The disk is full, so the recording was not saved$")
    check(os.listdir(small) == [], os.listdir(small))
    # In the dialog one may think better of it.
    window.click(window.find(id="RecordingBar.save_button"))
    wait_for("the dialog", lambda: find_dialog(window))
    window.rest()
    window.key("Escape")
    wait_for("the dialog to close", lambda: find_dialog(window) is None)
    check(lambda: len(recordings()) == 1 and os.listdir(scratch) == ["small"], recordings, os.listdir(scratch))
    window.move(200, 30)
    window.click(window.find(id="RecordingBar.save_button"))
    save_to(window, os.path.join(scratch, "kept.data"))
    window.wait_text("^The recording was saved as “kept.data”$")
    with open(os.path.join(scratch, "kept.data"), "rb") as copy, open(own_recording(), "rb") as original:
        check(copy.read() == original.read(), "the copy is another")


main()
