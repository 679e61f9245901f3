#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tab of a recording says and keeps: its mark, the terminal of programs that are silent, stopped or left running,
files that others move or delete, processes that are recorded again. test-recording-tab.py PROFVIEW SCENARIO, inside
session.sh. The recorders are stand-ins that replay recordings."""

import os
import shlex
import signal
import subprocess
import time

from driver import SYMBOLS, main, recording, scenario, wait_for
from record_steps import in_dialog, own_recording, recordings, standin, wait_picture
from steps import check, resize, show_page, title_of

SILENT = "import time\ntime.sleep(60)\n"
# Says something when it is told to by a file.
LATE = """import os, sys, time
while not os.path.exists(sys.argv[1]):
    time.sleep(0.05)
print("here I am", flush=True)
time.sleep(60)
"""
# Goes on until it is told to end, or for two minutes, and says more than a terminal holds.
TALKATIVE = """import os, sys, time
print("still here", flush=True)
end = time.monotonic() + 120
while time.monotonic() < end and not os.path.exists(sys.argv[1] + ".end"):
    print("x" * 1000, flush=True)
    time.sleep(0.01)
os.close(os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY))
"""

# The argument of processes that no other run of these scenarios has, which may be at work on the same machine.
SLEEP = str(1000000 + os.getpid())


def python(code, *arguments):
    return ["/usr/bin/python3", "-c", code, *[str(a) for a in arguments]]


def replaying(**more):
    return standin(PV_STANDIN_PERF_DATA=recording("inlining-fp.data"), **more)


def record(open_window, command, *options, kind="perf"):
    window = open_window(*SYMBOLS, "--record=" + kind, *options, "--", *command, environment=replaying())
    window.find(id="FlamePage.area")
    return window


def button(window, name):
    return window.find("push button", name)


def is_there(window, role, name):
    return next(window.all(role, name), None) is not None


def stop(window):
    window.click(button(window, "^Stop( Stop)?$"))
    window.wait_text("^Recorded 0:")


# The terminal ----------------------------------------------------------------------------------------------------------

@scenario
def silent(open_window, scratch):
    """No room is lost to what is not said; the first word opens the terminal, once."""
    mark = os.path.join(scratch, "mark")
    window = record(open_window, python(LATE, mark))
    window.wait_text("^None yet$")
    window.wait_no_text("^Waiting for the first samples…$")
    check(lambda: not is_there(window, None, "^Terminal of the program$"), "an empty terminal")
    open(mark, "w").close()
    window.find(name="^Terminal of the program$")
    window.wait_no_text("^None yet$")
    stop(window)


@scenario
def silent_to_the_end(open_window, scratch):
    window = record(open_window, python("import time\ntime.sleep(1)"))
    window.wait_text("^Recorded 0:")
    window.wait_text("^None$")
    window.wait_text("^Ended with exit status 0$")
    check(lambda: not is_there(window, None, "^Terminal of the program$"), "an empty terminal")


@scenario
def stopped(open_window, scratch):
    """By us, which is not said as if it were an accident."""
    window = record(open_window, python(SILENT))
    stop(window)
    window.wait_text("^Stopped with the recording$")
    check(lambda: not is_there(window, None, "^Killed by signal"), "an accident")


@scenario
def ended_by_others(open_window, scratch):
    window = record(open_window, python("import os, signal, time\ntime.sleep(1)\nos.kill(os.getpid(), signal.SIGTERM)"))
    window.wait_text("^Recorded 0:")
    window.wait_text(r"^Killed by signal 15 \(Terminated\)$")


@scenario
def low_window(open_window, scratch):
    """The output makes room for the pages, which all fit with tabs and the bar; the user may open it, and so does a higher window."""
    window = record(open_window, python(TALKATIVE, os.path.join(scratch, "done")))
    window.find(name="^Terminal of the program$")
    subprocess.run([window.program, *SYMBOLS, recording("mill-fp.data")], check=True, timeout=20)
    wait_for("the second tab", lambda: title_of(window) == "mill-fp.data")
    window.key("ctrl+Page_Up")
    window.find(name="^Terminal of the program$")
    resize(window, 700, 500)
    wait_for("no terminal", lambda: not is_there(window, None, "^Terminal of the program$"))
    for page in ("Summary", "Flame Graph", "Flame Chart", "Treemap", "Sandwich", "Functions", "Call Tree", "Bottom Up", "Threads", "Heat Map",
                 "Source"):
        show_page(window, page)
        window.rest()
        check(lambda: window.frame().get_box()[3] <= 504, page, window.frame().get_box())
    resize(window, 1200, 800)
    window.find(name="^Terminal of the program$")
    resize(window, 700, 500)
    wait_for("no terminal", lambda: not is_there(window, None, "^Terminal of the program$"))
    window.click(window.find(name="^Output of the program$"))
    window.find(name="^Terminal of the program$")
    stop(window)


def leave(open_window, code, *arguments):
    """It was so launched before."""
    folder = os.path.join(os.environ["HOME"], ".local", "state", "profview")
    os.makedirs(folder, exist_ok=True)
    words = shlex.join(python(code, *arguments))
    with open(os.path.join(folder, "launches.ini"), "w") as out:
        out.write("[1]\nkind=perf\ntarget=launch\nleaves-target=true\ncommand=%s\n" % words.replace("\\", "\\\\").replace("\n", "\\n"))
    window = open_window(*SYMBOLS, environment=replaying())
    window.wait_text("^Record Again$")
    window.click(window.find("label", "^/usr/bin/python3 -c "))
    window.find(id="FlamePage.area")
    return window


def tell_to_end(done):
    """The program, which has not ended before."""
    time.sleep(1)  # as long as it would take to end
    check(lambda: not os.path.exists(done), "it has ended already")
    with open(done + ".end", "w"):
        pass
    wait_for("the program", lambda: os.path.exists(done))


@scenario
def left_running(open_window, scratch):
    """It has a terminal, and keeps it, and goes on when there is no profview any more."""
    done = os.path.join(scratch, "done")
    window = leave(open_window, TALKATIVE, done)
    window.find(name="^Terminal of the program$")
    stop(window)
    window.wait_text("^Still running$")
    # Nor does it wait for a terminal that nobody looks at.
    window.click(button(window, "^Close the output$"))
    window.wait_no_text("^Still running$")
    window.key("ctrl+q")
    wait_for("profview to end", lambda: window.process.poll() is not None)
    tell_to_end(done)


@scenario
def left_by_a_crash(open_window, scratch):
    done = os.path.join(scratch, "done")
    window = leave(open_window, TALKATIVE, done)
    window.process.send_signal(signal.SIGKILL)
    window.process.wait()
    window.process.returncode = 0  # as it was to be
    tell_to_end(done)


# Tabs ------------------------------------------------------------------------------------------------------------------

@scenario
def marked(open_window, scratch):
    """Which of the tabs records is seen, and told to those who do not see."""
    window = open_window(*SYMBOLS, recording("inlining-fp.data"), environment=replaying())
    window.find(id="FlamePage.area")
    subprocess.Popen([window.program, "--record=perf", "--", *python(SILENT)], env={**os.environ, **replaying()}).wait()
    window.find("push button", "^Stop( Stop)?$")
    window.find(id="Window.indicator_btn")
    window.key("ctrl+Page_Up")
    wait_for("the other tab", lambda: title_of(window) == "inlining-fp.data")
    window.find(id="Window.indicator_btn")
    window.rest()  # GTK 4.8 forgets to tell readers of what is hidden and shown again in one moment
    window.key("ctrl+Page_Down")
    wait_for("the first tab", lambda: title_of(window) != "inlining-fp.data")
    stop(window)
    wait_for("no mark", lambda: not is_there(window, "push button", "^Recording$"))


# Files -----------------------------------------------------------------------------------------------------------------

@scenario
def moved(open_window, scratch):
    """While it is recorded: what is shown stays, and it is said what became of the file."""
    window = record(open_window, python(SILENT))
    os.rename(own_recording(), os.path.join(scratch, "mine.data"))
    stop(window)
    window.wait_text(r"^Recorded 0:\d\d\. .* was moved or deleted while it was being recorded\.")
    window.find(id="FlamePage.area")
    check(lambda: not is_there(window, "push button", "^Save As…"), "what is to be saved?")
    check(lambda: os.path.getsize(os.path.join(scratch, "mine.data")) > 0, "the user's file")


@scenario
def deleted(open_window, scratch):
    """While it is shown: then it is deleted, and the tab may go."""
    window = record(open_window, python(SILENT))
    stop(window)
    window.wait_text("^1,155 samples$")
    os.unlink(own_recording())
    window.find(id="FlamePage.area")
    window.click(button(window, "^Delete this recording$"))
    window.wait_text(r"^Delete This Recording\?$")
    window.rest()
    window.key("alt+d")
    window.wait_text("^Open a Profile$")


# The command -----------------------------------------------------------------------------------------------------------

@scenario
def command_kept(open_window, scratch):
    """In the file, for whoever opens it later."""
    window = open_window(*SYMBOLS, "--record=heaptrack", "--", *python("import time\ntime.sleep(1)", "a word"),
                         environment=replaying())
    window.wait_text("^Recorded 0:")
    path = own_recording()
    window.key("ctrl+w")
    window.wait_text("^Open a Profile$")
    subprocess.Popen([window.program, path]).wait()
    window.find("page tab", "^Summary$")
    show_page(window, "Summary")
    window.wait_text("^Recorded with$")
    window.wait_text(r"&& heaptrack --raw /usr/bin/python3 -c .* 'a word'$")


# Processes -------------------------------------------------------------------------------------------------------------

def start_sleeper(program):
    return subprocess.Popen([program, SLEEP])


def attach(window, sleeper):
    subprocess.Popen([window.program, "--record=perf", "--pid=%d" % sleeper.pid],
                     env={**os.environ, **replaying()}).wait()
    window.find("push button", "^Stop( Stop)?$")
    wait_picture(window)  # else there is nothing to stop
    stop(window)


@scenario
def attached_again(open_window, scratch):
    """To the process that runs the same program now; where there are several, the user is asked."""
    program = os.path.join(scratch, "sleeper")
    with open("/usr/bin/sleep", "rb") as code, open(program, "wb") as out:
        out.write(code.read())
    os.chmod(program, 0o700)
    sleepers = [start_sleeper(program)]
    try:
        window = open_window(environment=replaying())
        window.wait_text("^Open a Profile$")
        attach(window, sleepers[0])
        sleepers.pop().kill()
        sleepers.append(start_sleeper(program))
        window.key("ctrl+w")
        window.wait_text("^Open a Profile$")
        window.wait_text("^CPU · Running process$")
        window.click(window.find("label", "^sleeper$"))
        window.find("push button", "^Stop( Stop)?$")
        wait_picture(window)
        stop(window)
        check(lambda: len(recordings()) == 2, recordings)
        window.key("ctrl+w")
        sleepers.append(start_sleeper(program))
        window.wait_text("^Open a Profile$")
        window.click(window.find("label", "^sleeper$"))
        with in_dialog(window):
            window.wait_text("^Choose a Process$")
            wait_for("both", lambda: len(list(window.all("label", r"^\S*sleeper %s$" % SLEEP))) == 2)
            window.key("Escape", "Escape")
        check(lambda: len(recordings()) == 2, recordings)
    finally:
        for sleeper in sleepers:
            sleeper.kill()
            sleeper.wait()


if __name__ == "__main__":
    main()
