#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What leads to a recording, and what is left of it: the dialog, the start page, the command line.
test-record-dialog.py PROFVIEW SCENARIO, inside session.sh. The recorders are stand-ins that replay recordings."""

import os
import re
import shutil
import subprocess
import time

from driver import DATA, SYMBOLS, main, recording, scenario, wait_for
from record_steps import (can_record, in_dialog, is_recording, open_dialog, recordings, save_to, scroll_down, sees_kernel, standin,
                          wait_dialog_gone)
from steps import check, choose_item, choose_path, open_menu, resize, show_page, title_of

SHOW_ARGUMENTS = """import os, sys, time
with open(sys.argv[1], "a") as out:
    print(repr((sys.argv[2:], os.environ.get("PV_COLOUR"), os.getcwd())), file=out)
time.sleep(2)
"""
TELL_SURROUNDINGS = """import os, resource, sys, time
with open(sys.argv[1], "a") as out:
    print(repr((os.environ.get("PV_COLOUR"), resource.getrlimit(resource.RLIMIT_AS)[0])), file=out)
time.sleep(2)
"""


# Widgets -------------------------------------------------------------------------------------------------------------

def write_program(scratch):
    """One that leaves a line about each of its runs."""
    program, log = os.path.join(scratch, "show arguments"), os.path.join(scratch, "log")
    with open(program, "w") as out:
        out.write("#!/usr/bin/python3\n" + SHOW_ARGUMENTS)
    os.chmod(program, 0o700)
    return program, log


def runs(log):
    if not os.path.exists(log):
        return []
    with open(log) as lines:
        return lines.read().splitlines()


def wait_over(window, n):
    """Until the last of n recordings has ended, whose tab may be about to come."""
    end = time.monotonic() + 4
    while not is_recording(window) and time.monotonic() < end:
        time.sleep(0.1)
    wait_for("the end", lambda: len(recordings()) == n and not is_recording(window))


def find_subtitle(window, frame, row):
    """What the label below a row's title says."""
    labels = [node.name for node in window.all("label", below=window.find("list item", row, below=frame))]
    return labels[-1] if labels else None


# Scenarios -----------------------------------------------------------------------------------------------------------

@scenario
def opening(open_window, scratch):
    """By button, by key and from the start page; closed by key."""
    window = open_window(environment=standin())
    window.wait_text("^Open a Profile$")
    for name in ("^Record$", "^Record…"):
        window.click(window.find("push button", name))
        with in_dialog(window) as frame:
            wait_for("the command", lambda: list(window.all("text", "^Command$", below=frame)))
            window.key("Escape")
        wait_dialog_gone(window)
    open_dialog(window)
    with in_dialog(window):
        window.wait_text("^Enter a command to launch$")
        check(lambda: not can_record(window), "there is nothing to record")
        # Return must not record either.
        window.key("Return")
        window.rest()
        window.type("sleep 'a b")
        window.wait_text("not closed")
        check(lambda: not can_record(window), "an open quote")
        window.key("Escape")
    wait_dialog_gone(window)
    check(lambda: not recordings(), recordings)


@scenario
def launching(open_window, scratch):
    """A command with quotes, variables and a folder: the program gets what was typed. Then again by one click, by one
    key, and changed."""
    program, log = write_program(scratch)
    window = open_window(environment=standin())
    window.wait_text("^Open a Profile$")
    open_dialog(window)
    with in_dialog(window) as frame:
        window.click(window.find(id="RecordForm.heap_button", below=frame))
        window.click(window.find(id="LaunchRows.command_row", below=frame))
        window.type("PV_COLOUR='dark red' '%s' '%s' \"a  'b'\" '$(x)' c\\ d" % (program, log))
        window.key("Tab", "Tab", "Tab")
        window.type(scratch)
        wait_for("a record button", lambda: can_record(window))
        window.rest(0.3)
        window.key("Return")
    wait_dialog_gone(window)
    run = repr((["a  'b'", "$(x)", "c d"], "dark red", scratch))
    wait_for("the program", lambda: runs(log) == [run])
    window.wait_text(r"^Output of “show arguments”$")
    window.find(id="FlamePage.area")
    check(lambda: os.stat(recordings()[0]).st_mode & 0o777 == 0o600)
    # What is remembered may be secret.
    kept = subprocess.run(["grep", "-rl", "dark red", os.environ["HOME"]], capture_output=True, text=True).stdout
    for path in kept.splitlines():
        check(os.stat(path).st_mode & 0o077 == 0, path)
    wait_over(window, 1)
    window.key("ctrl+w")
    window.click(window.find("list item", "^'?.*show arguments"))
    wait_for("the program again", lambda: runs(log) == [run] * 2)
    wait_over(window, 2)
    window.key("ctrl+shift+n")
    wait_for("the program once more", lambda: runs(log) == [run] * 3)
    wait_over(window, 3)
    window.key("ctrl+w", "ctrl+w")
    # Changed before: the rest is as it was.
    window.click(window.find("push button", "^Edit “"))
    with in_dialog(window) as frame:
        window.find(id="LaunchRows.command_row")
        window.rest()
        window.key("End")
        window.type(" more")
        window.rest(0.3)
        window.click(window.find(id="RecordDialog.record_button", below=frame))
    wait_for("the program with more", lambda: len(runs(log)) == 4)
    check(lambda: runs(log)[3] == repr((["a  'b'", "$(x)", "c d", "more"], "dark red", scratch)), lambda: runs(log)[3])
    wait_over(window, 4)
    # The last command is proposed, and gone with the first letter that is typed.
    open_dialog(window)
    with in_dialog(window):
        wait_for("a record button", lambda: can_record(window))
        window.rest(0.3)
        window.type("echo hello")
        window.rest(0.3)
        window.key("Return")
    wait_dialog_gone(window)
    window.wait_text("^Output of “echo”$")
    wait_over(window, 5)
    window.rest()  # the output has ended too


@scenario
def surroundings(open_window, scratch):
    """Variables on lines of their own, and a limit of memory."""
    program, log = os.path.join(scratch, "tell"), os.path.join(scratch, "log")
    with open(program, "w") as out:
        out.write("#!/usr/bin/python3\n" + TELL_SURROUNDINGS)
    os.chmod(program, 0o700)
    window = open_window(environment=standin())
    window.wait_text("^Open a Profile$")
    open_dialog(window)
    with in_dialog(window) as frame:
        window.type("%s %s" % (program, log))
        window.click(window.find(id="RecordForm.heap_button", below=frame))
        scroll_down(window)
        # The last row first, as those above it grow.
        window.click(window.find("check box", "^Limit [Mm]emory", below=frame))
        wait_for("its size", lambda: list(window.all("spin button", "^Maximum", below=frame)))
        window.click(window.find(id="EnvironmentRow.action_row", below=frame))

        def variables():
            return list(window.all("push button", "^Remove this variable", below=frame))

        for n, text in enumerate(("PV_COLOUR=dark green = 1", "nothing"), 1):
            window.rest()
            window.click_until(window.find("list item", "^Add a Variable$"), lambda n=n: len(variables()) == n)
            window.rest()
            window.type(text)
        window.wait_text("^Write environment variables as NAME=VALUE$")
        check(lambda: not can_record(window), "a variable without a value")
        window.rest()
        window.click(variables()[-1])
        window.wait_no_text("^An environment variable is written")
        wait_for("a record button", lambda: can_record(window))
        window.key("alt+r")
    wait_dialog_gone(window)
    wait_for("the program", lambda: runs(log) == [repr(("dark green = 1", 4096 << 20))])
    wait_over(window, 1)


@scenario
def choosing(open_window, scratch):
    """A process by search; an event of those that perf lists, and one that it does not."""
    # An argument that no process of another test has, which may run at the same time.
    seconds = "7%d" % os.getpid()
    sleeper = subprocess.Popen(["sleep", seconds])
    window = open_window(environment=standin())
    try:
        window.wait_text("^Open a Profile$")
        open_dialog(window)
        with in_dialog(window) as frame:
            window.click(window.find(id="RecordForm.attach_button", below=frame))
            window.wait_text("^Choose a process$")
            window.click(window.find(id="RecordForm.process_row"))
            # Those that are busier are above it, and there may be more than have room.
            window.find("label", r"^\d+ · ")
            window.type(seconds + " sleep")
            window.find("label", r"^sleep %s$" % seconds)
            window.rest(0.3)
            # Two seconds later it is another list, in which the same is chosen.
            window.key("Down")
            time.sleep(3)  # the lists look the same
            window.key("Return")
            window.find("list item", r"^sleep \(%d\)$" % sleeper.pid)
            window.wait_no_text("^Choose a process$")
            scroll_down(window)
            window.click(window.find(id="RecorderRows.events_row"))
            window.find("label", "^page-faults$")
            window.type("faults software")
            window.rest(0.3)
            window.key("Return")
            window.key("ctrl+a")
            window.type("r01c2")
            window.wait_text("^No Such Event$")
            window.key("Return", "Escape")
            wait_for("both events", lambda: find_subtitle(window, frame, "^Events$") == "page-faults, r01c2")
            window.key("Escape")
        wait_dialog_gone(window)
    finally:
        sleeper.kill()
        sleeper.wait()


@scenario
def programs(open_window, scratch):
    """A desktop application, and a file with a difficult name."""
    folder = os.path.join(os.environ["XDG_DATA_HOME"], "applications")
    os.makedirs(folder)
    with open(os.path.join(folder, "org.example.Knitting.desktop"), "w") as out:
        out.write("[Desktop Entry]\nType=Application\nName=Knitting Patterns\nExec=sleep 0.3 %U\n")
    program = os.path.join(scratch, "it's here")
    shutil.copy("/bin/sleep", program)
    window = open_window(environment=standin())
    window.wait_text("^Open a Profile$")
    open_dialog(window)
    with in_dialog(window) as frame:
        command = window.find(id="LaunchRows.command_row", below=frame)
        window.click(window.find("push button", "^Choose an application$", below=frame))
        window.find("label", "^Knitting Patterns$")
        window.type("knit")
        window.rest(0.3)
        window.key("Return")
        wait_for(lambda: "the command, not %r" % command.get_text(), lambda: command.get_text() == "sleep 0.3")
        window.click(window.find("push button", "^Choose a program file$", below=frame))
        window.rest()
        choose_path(window, program)
        # A shell would make the same file of it.
        wait_for("the file", lambda: subprocess.run(["sh", "-c", "printf %s " + command.get_text()],
                                                    capture_output=True, text=True).stdout == program)
        window.key("Escape")
    wait_dialog_gone(window)


@scenario
def missing_recorder(open_window, scratch):
    """What stands in the way is said before, in words."""
    empty = os.path.join(scratch, "empty")
    os.mkdir(empty)
    window = open_window(environment={"PATH": empty})
    window.wait_text("^Open a Profile$")
    open_dialog(window)
    with in_dialog(window) as frame:
        window.wait_text("^perf is not installed$")
        window.type("/bin/sleep 1")
        window.rest(0.3)
        wait_for("no record button", lambda: not can_record(window))
        window.click(window.find(id="RecordForm.heap_button", below=frame))
        window.wait_text("^heaptrack is not installed$")
        wait_for("no perf", lambda: not list(window.all("label", "^perf is not", below=frame)))
        window.key("Escape")
    wait_dialog_gone(window)


@scenario
def advice(open_window, scratch):
    """The fix beside an advice works, and then it is gone."""
    program = os.path.join(scratch, "calls-nofp")
    shutil.copy(os.path.join(DATA, "sysroot", "opt", "samples", "bin", "calls-nofp"), program)
    os.chmod(program, 0o700)
    window = open_window(environment=standin())
    window.wait_text("^Open a Profile$")
    open_dialog(window)
    with in_dialog(window) as frame:
        window.type(program)
        graph = window.find(id="RecorderRows.call_graph_row")
        scroll_down(window, 6)
        choose_item(window, graph, 1)
        fix = window.find("push button", "^Use DWARF")
        check(lambda: "Frame Pointers" in [node.name for node in window.all("label", below=graph)])
        window.click(fix)
        wait_for("DWARF", lambda: "Copied Stacks (DWARF)" in [
            node.name for node in window.all("label", below=graph)])
        wait_for("no such advice", lambda: not list(window.all("push button", "^Use DWARF", below=frame)))
        window.key("Escape")
    wait_dialog_gone(window)


@scenario
def broken_stacks(open_window, scratch):
    """Broken stacks are a warning below every page, of which it hides nothing; the way out is beside it."""
    window = open_window(*SYMBOLS, recording("calls-nofp-fp.data"), environment=standin())
    window.wait_text("^114 of 114 stacks are broken\\. ")
    pages = window.find(id="DocumentView.pages")
    for page in ("Summary", "Call Tree", "Functions", "Timeline", "Flame Graph"):
        show_page(window, page)
        window.rest()
        notice, place = window.find(id="DocumentView.notice_label").get_box(), pages.get_box()
        check(lambda: notice[3] > 0 and notice[1] >= place[1] + place[3], page, notice, place)
    window.click(window.find("push button", "^Record Again With DWARF"))
    with in_dialog(window) as frame:
        scroll_down(window, 6)
        graph = window.find(id="RecorderRows.call_graph_row")
        check(lambda: "Copied Stacks (DWARF)" in [node.name for node in window.all("label", below=graph)], frame)
        window.key("Escape")
    wait_dialog_gone(window)


@scenario
def broken_stacks_dismissed(open_window, scratch):
    """Whoever does not want to see the warning is not warned again, on no page, nor when the file is read again."""
    window = open_window(*SYMBOLS, recording("calls-nofp-fp.data"), environment=standin())
    window.wait_text("^114 of 114 stacks are broken\\. ")
    window.click(window.find("push button", "^Dismiss$"))
    window.wait_no_text("^114 of 114 stacks are broken\\. ")
    window.key("F5")
    for page in ("Functions", "Call Tree", "Flame Graph"):
        show_page(window, page)
        window.rest()
        check(lambda: not list(window.all("push button", "^Record Again With DWARF")), page)


def make_recordings(n):
    folder = os.path.join(os.environ["XDG_DATA_HOME"], "profview", "recordings")
    os.makedirs(folder, 0o700)
    for i in range(n):
        path = os.path.join(folder, "engine 2026-01-0%d 10.00.00.data" % (i + 1))
        shutil.copy(os.path.join(DATA, "recordings", "inlining-fp.data"), path)
        os.chmod(path, 0o600)
        os.utime(path, (1767261600 + 86400 * i,) * 2)


def open_row_menu(window, pattern, *keys):
    # After a dialog GTK 4.8 on X11 does not see a click where the pointer was before.
    window.move(200, 30)
    open_menu(window, list(window.all("push button", "^Menu of “" + pattern))[-1])
    window.key(*keys)


@scenario
def recordings_list(open_window, scratch):
    """They are opened, saved, deleted, and deleted after all not."""
    make_recordings(6)
    before = recordings()
    window = open_window(environment=standin())
    window.find("list item", r"^engine 2026-01-06")
    check(lambda: not list(window.all("list item", "^engine 2026-01-01")), "too many rows")
    window.click(window.find("push button", "^Show All"))
    window.find("list item", "^engine 2026-01-01")
    open_row_menu(window, "engine 2026-01-06", "Down", "Return")
    undo = window.find("push button", "Undo")
    check(lambda: not list(window.all("list item", "^engine 2026-01-06")), "the row is still there")
    window.click(undo)
    window.find("list item", "^engine 2026-01-06")
    check(lambda: recordings() == before, recordings)
    # The time in which this can be undone passes while other things are done.
    open_row_menu(window, "engine 2026-01-05", "Down", "Return")
    wait_for("the row to go", lambda: not list(window.all("list item", "^engine 2026-01-05")))
    check(lambda: recordings() == before, recordings)
    # What others do there is seen.
    os.unlink(before[3])
    wait_for("the row to go", lambda: not list(window.all("list item", "^engine 2026-01-04")))
    window.click(window.find("list item", "^engine 2026-01-06"))
    window.find(id="FlamePage.area")
    wait_for("its name", lambda: title_of(window) == "engine 2026-01-06 10.00.00.data")
    window.key("ctrl+w")
    window.find("list item", "^engine 2026-01-06")
    # It is in one list only: not among the recent files, too.
    window.rest()
    check(lambda: len(list(window.all("list item", "^engine 2026-01-06"))) == 1)
    copy = os.path.join(scratch, "kept.data")
    open_row_menu(window, "engine 2026-01-06", "Return")
    save_to(window, copy)
    wait_for("the file to go", lambda: before[4] not in recordings())
    check(lambda: recordings() == before[:3] + before[5:], recordings)
    window.wait_text("^The recording was saved as “kept.data”$")
    check(lambda: os.path.getsize(copy) == os.path.getsize(before[5]))
    window.find("list item", "^kept.data")  # a recent file by now


@scenario
def command_line(open_window, scratch):
    """A plan that is given elsewhere is recorded in the window that is there, in the folder and with the variables of
    whoever gave it."""
    program, log = write_program(scratch)
    folder = os.path.join(scratch, "else where")
    os.mkdir(folder)
    window = open_window(environment=standin())
    window.wait_text("^Open a Profile$")
    command = [os.path.abspath(window.program), "--record=heaptrack", "--env=PV_WIDTH=3", "--", "../show arguments",
               log, "--sysroot=x", "a b", "*"]
    subprocess.run(command, check=True, timeout=20, cwd=folder,
                   env={**os.environ, **standin(), "PV_COLOUR": "blue"})
    wait_for("the program", lambda: runs(log) == [repr((["--sysroot=x", "a b", "*"], "blue", folder))])
    window.wait_text(r"^Output of “show arguments”$")
    wait_over(window, 1)
    wrong = subprocess.run([window.program, "--record=jemalloc", "--pid=1"], timeout=20, capture_output=True, text=True)
    check(wrong.returncode == 2 and wrong.stderr.startswith("profview: "), wrong)


@scenario
def service(open_window, scratch):
    """The way to what is fetched."""
    window = open_window(environment=standin())
    window.wait_text("^Open a Profile$")
    open_dialog(window)
    with in_dialog(window) as frame:
        window.click(window.find(id="RecordForm.service_button", below=frame))
        window.click(window.find(id="FetchForm.address_row"))
        window.type("127.0.0.1:9/debug/pprof/heap")
        window.wait_text("^This address already names a profile$")
        window.key("Return")
    wait_dialog_gone(window)
    window.wait_text("^The Server Cannot Be Reached$")
    # It is what was chosen the last time.
    window.key("ctrl+w")
    open_dialog(window)
    window.wait_text("^This address already names a profile$")
    window.key("Escape")
    wait_dialog_gone(window)


@scenario
def samply(open_window, scratch):
    """Another recorder of CPU time, which shows its profile when it has ended; it is what was chosen the next time."""
    log = os.path.join(scratch, "samply.log")
    window = open_window(environment=standin(PV_STANDIN_SAMPLY_LOG=log))
    window.wait_text("^Open a Profile$")
    open_dialog(window)
    with in_dialog(window) as frame:
        window.click(window.find(id="RecordForm.recorder_row", below=frame))
        window.key("Down", "Return")
        window.wait_text("samply samples its stacks")
        if not sees_kernel():  # it samples there, too
            window.wait_text("^samply needs more rights than you have$")
            check(lambda: not can_record(window), "it can be recorded")
            window.key("Escape")
            return
        window.click(window.find(id="LaunchRows.command_row"))
        window.key("ctrl+a")
        window.type("sleep 1")
        window.key("Return")
    wait_dialog_gone(window)
    window.wait_text("^3 samples$")
    check("--save-only" in open(log).read())
    open_dialog(window)
    window.wait_text("samply samples its stacks")
    window.key("Escape")
    wait_dialog_gone(window)


@scenario
def narrow(open_window, scratch):
    """Everything fits into 480 pixels, and the button of the header bar has its name."""
    make_recordings(2)
    window = open_window(environment=standin())
    resize(window, 480, 640)
    window.find(id="Window.record_button")
    check(lambda: not list(window.all("label", "^Record$")), "no room for text")
    for name in ("^Open…", "^Record…", "^Fetch From URL…"):
        x, _, width, _ = window.find("push button", name).get_box()
        check(x >= 0 and x + width <= 490, name, x, width)
    open_dialog(window)
    with in_dialog(window) as frame:
        window.hand.ask("size", window.window_id, 480, 640)
        window.rest()
        for kind in ("^CPU$", "^Off-CPU$", "^Heap$", "^Service$"):
            window.click(window.find("push button", kind, below=frame))
            window.rest()
            check(lambda: window.dialog.get_box()[2] <= 480, kind, lambda: window.dialog.get_box())
        window.key("Escape")
    wait_dialog_gone(window)


@scenario
def names_for_readers(open_window, scratch):
    """What the focus can be on has a name that is not GTK's."""
    make_recordings(1)
    window = open_window(environment=standin())
    window.find("list item", "^engine 2026-01-01")
    open_dialog(window)
    seen = []
    for _ in range(24):
        focused = [node for node in window.all() if node.is_focused and node.role != "none"]
        seen += [(node.role, node.name) for node in focused]
        window.key("Tab")
    window.key("Escape")
    check(len(set(seen)) > 12, seen)
    for role, name in seen:
        check(name and not re.match("Gtk|Adw|Pv", name), role, name)


main()
