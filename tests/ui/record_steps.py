# SPDX-License-Identifier: GPL-3.0-or-later
"""What scenarios of recording do and look at: the dialog, the bar, the folder of recordings."""

import contextlib
import glob
import os
import re
import subprocess
import sys
import time

from driver import wait_for
from steps import check, choose_item, find_dialog

NOT_RUN = 77
HERE = os.path.dirname(os.path.abspath(__file__))
STANDINS = os.path.abspath(os.path.join(HERE, "..", "record", "standin"))
BUILT = os.path.join(os.environ["PV_BUILD"], "tests", "record")
HEAPTRACK = os.path.join(BUILT, "standin", "heaptrack", "bin")
SAMPLE = os.path.join(BUILT, "sample")
SLOW = 4 if os.environ.get("PV_SANITIZED") else 1


# What there is -------------------------------------------------------------------------------------------------------

def standin(**more):
    """An environment in which all recorders are stand-ins, which are done within a second."""
    return {"PATH": ":".join([STANDINS, HEAPTRACK, os.environ["PATH"]]), "PV_STANDIN_SECONDS": "1",
            "PV_STANDIN_PERF_SECONDS": "1", **more}


def recordings():
    """Files and folders that were recorded."""
    return sorted(glob.glob(os.path.join(os.environ["XDG_DATA_HOME"], "profview", "recordings", "*")))


def own_recording():
    check(lambda: len(recordings()) == 1, recordings)
    return recordings()[0]


def probe(*command):
    """The test is not run where this does not end well."""
    try:
        if subprocess.run(command, capture_output=True, timeout=20).returncode == 0:
            return
    except (OSError, subprocess.TimeoutExpired):
        pass
    print("not run, as this does not work here:", *command)
    sys.exit(NOT_RUN)


def sees_kernel():
    """Users do not where the kernel says so."""
    with open("/proc/sys/kernel/perf_event_paranoid") as file:
        return os.geteuid() == 0 or int(file.read()) <= 1


def probe_perf():
    probe("perf", "record", "-q", "-o", "/dev/null", "-e", "cpu-clock:u", "--", "true")


# The dialog ----------------------------------------------------------------------------------------------------------

@contextlib.contextmanager
def in_dialog(window, title="Record"):
    """Clicks go to the dialog that has just been asked for."""
    before = window.window_id
    window.window_id = wait_for("the dialog", lambda: find_dialog(window))
    window.dialog = wait_for("what is in it", lambda: next(
        (node for node in window.frames() if node.name == title), None))
    try:
        yield window.dialog
    finally:
        window.window_id, window.dialog = before, None


def wait_dialog_gone(window):
    wait_for("the dialog to close", lambda: find_dialog(window) is None)


def open_dialog(window):
    window.key("ctrl+n")
    wait_for("the dialog", lambda: find_dialog(window))
    window.find("push button", "^Cancel")
    window.rest()


def press(window, frame, name):
    """A button of the dialog."""
    window.click(window.find("push button", name, below=frame))


def scroll_down(window, steps=30):
    """In the middle of the dialog, where no spin button is."""
    x, y, width, height = window.dialog.get_box()
    window.move(x + width // 4, y + height // 2)
    window.scroll(steps)


def can_record(window):
    button = next(window.all("push button", "Record$", below=window.dialog), None)
    return button is not None and button.is_sensitive


def press_record(window, frame):
    """A click is lost when the dialog finds out anew, just then, what can be recorded."""
    wait_for("a record button", lambda: can_record(window))
    window.click_until(window.find("push button", "Record$", below=frame),
                       lambda: all(node.number != frame.number for node in window.frames()))


def chosen(window, row):
    """What the rows of a list that opens say: all that could be chosen, once it was open."""
    return [node.name for node in window.all("label", below=row)]


def choose(window, row_name, choice, n):
    """In a row with a list that opens, by the keyboard: that list is a window of its own."""
    row = window.find("combo box", row_name)
    choose_item(window, row, n)
    wait_for(lambda: "%r, not %r" % (choice, chosen(window, row)), lambda: choice in chosen(window, row))


def choose_process(window, frame, words, title):
    """By search among those that run."""
    press(window, frame, "^Running Process$")
    window.click(window.find(id="RecordForm.process_row"))
    window.find("label", r"^\d+ · ")
    window.type(words)
    window.rest(0.3)  # the rows that do not match are gone
    window.key("Return")
    window.find("list item", title)


# Files ---------------------------------------------------------------------------------------------------------------

def save_to(window, path):
    """Answers a file dialog that has just been asked for, however slow it is."""
    wait_for("the dialog", lambda: find_dialog(window))

    def find_name():
        return next((node for node in window.all("text") if node.is_focused), None)

    def is_settled():
        # Its list of files takes the focus for a moment when it is there.
        before = find_name() and find_name().get_text()
        window.rest()
        return before and find_name() and find_name().get_text() == before

    def has_typed():
        # What is typed while the list takes the focus after all goes astray, as people see and mend.
        wait_for("its name", is_settled)
        window.key("ctrl+a")
        window.type(path)
        end = time.monotonic() + 5
        while time.monotonic() < end:
            if find_name() and find_name().get_text() == path:
                return True
            time.sleep(0.05)
        return False

    wait_for("the name", has_typed)
    window.key("Return")
    wait_for("the dialog to close", lambda: find_dialog(window) is None)


# The window ----------------------------------------------------------------------------------------------------------

def is_recording(window):
    return next(window.all("push button", "^Stop( Stop)?$"), None) is not None


def stop(window):
    window.click(window.find("push button", "^Stop( Stop)?$"))
    wait_for("the end", lambda: not is_recording(window))


def wait_picture(window, timeout=60):
    window.find(id="FlamePage.area", timeout=timeout)


def count_samples(window, what="samples?"):
    """As the bar tells while it records; 0: nothing could be read yet."""
    for node in window.all("label", r"[\d,]+ %s( ·|$)" % what):
        found = re.search(r"· ([\d,]+) %s" % what, node.name)
        if found:
            return int(found.group(1).replace(",", ""))
    return 0
