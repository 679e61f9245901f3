# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives profview like a person: real pointer and key events through xdotool, and what a screen reader
is told, through AT-SPI. Runs inside session.sh."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from accessible import Atspi, Bus, GLib

TIMEOUT = 60.0  # nothing is waited for that long, but on a machine that does much else
DATA = os.environ.get("PV_TEST_DATA", os.path.join(os.path.dirname(__file__), "..", "data"))


SCENARIOS = {}


def scenario(function):
    """A scenario of the file: it is called with a function that opens a window, and a folder of its own."""
    SCENARIOS[function.__name__.replace("_", "-")] = function
    return function


class Failure(AssertionError):
    pass


# Has what newer GTKs need for places to be told right; see widget-places.c.
PLACES = {"GIO_EXTRA_MODULES": os.path.join(os.environ["PV_BUILD"], "tests", "ui")}
SYMBOLS = ["--sysroot=" + os.path.join(DATA, "sysroot"),
           "--symbol-path=" + os.path.join(DATA, "buildid-cache")]


def recording(name):
    return os.path.join(DATA, "recordings", name)


def wait_for(what, condition, timeout=TIMEOUT):
    """Polls until condition () is neither None nor false; returns that value."""
    start = time.monotonic()
    while True:
        asked = time.monotonic()
        try:
            value = condition()
        except GLib.Error:
            value = None  # the object went away while it was looked at
        if value:
            return value
        now = time.monotonic()
        if now - start > timeout:
            raise Failure("waited in vain for " + what)
        # To look costs what is waited for the processor: less often, the longer it takes.
        time.sleep(min(max(0.05, (now - start) / 8, now - asked), 0.3))


def has_size(node):
    """GTK 4.8 calls only windows "showing"; what was never allocated has no size."""
    _, _, width, height = node.get_box()
    return width > 0 and height > 0


class Window:
    def __init__(self, program, *arguments, environment=None, user=None):
        self.program, self.arguments = program, arguments
        self.log = tempfile.NamedTemporaryFile(prefix="profview-log-", delete=False)
        command = [program, *arguments]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log,
                                        env={**os.environ, **PLACES, **(environment or {})}, user=user)
        self.bus = Bus()
        self.bus_name = None
        self._frame = None
        self._edges = {}  # of its widths, what was measured last and whether it was so twice
        self._clicked = None

    def wait_open(self):
        self.bus_name = wait_for("the application on the accessibility bus", self._find_application)
        self.window_id = wait_for("the window", self._find_window_id)

    def _check_alive(self):
        if self.process.poll() is not None:
            raise Failure("profview ended at once")

    def _find_application(self):
        self._check_alive()
        return self.bus.find_application(self.process.pid)

    def _find_window_id(self):
        self._check_alive()
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
                               capture_output=True, text=True).stdout.split()
        return found[-1] if found else None

    # What is there

    def all(self, role=None, name=None, sized=True, below=None):
        """Nodes that are visible, or were never looked at, as they are now."""
        for node in below.get_below() if below else self.bus.get_nodes(self.bus_name):
            if role is not None and node.role != role:
                continue
            if name is not None and not re.search(name, node.name):
                continue
            if sized and not has_size(node):
                continue
            yield node

    def frame(self):
        """The window itself; dialogs are others."""
        return next(node for node in self.bus.get_nodes(self.bus_name) if node.depth == 1)

    def find(self, role=None, name=None, timeout=TIMEOUT, sized=True):
        return wait_for("%s %r" % (role or "anything", name),
                        lambda: next(self.all(role, name, sized), None), timeout)

    def texts(self):
        return [node.name for node in self.all(name=".")]

    def wait_text(self, pattern, timeout=TIMEOUT):
        return self.find(name=pattern, timeout=timeout).name

    def wait_no_text(self, pattern, timeout=TIMEOUT):
        wait_for("%r to go away" % pattern, lambda: next(self.all(name=pattern), None) is None, timeout)

    def dump(self):
        """Everything that may tell why a scenario failed."""
        print("exit status:", self.process.poll(), file=sys.stderr)
        subprocess.run(["xwininfo", "-root", "-tree"], stdout=sys.stderr)
        subprocess.run(["xdotool", "getmouselocation", "getactivewindow"], stdout=sys.stderr)
        print("clicked last at", self._clicked, file=sys.stderr)
        try:
            for node in self.all():
                is_focused = node.has_state(Atspi.StateType.FOCUSED)
                print("%-16s %r %s%s" % (node.role, node.name, node.get_box(), ", focused" if is_focused else ""),
                      file=sys.stderr)
        except GLib.Error as error:
            print(error, file=sys.stderr)
        if os.path.exists(self.log.name):
            with open(self.log.name) as log:
                sys.stderr.write(log.read())

    # What a person does

    def xdotool(self, *arguments):
        subprocess.run(["xdotool", *[str(a) for a in arguments]], check=True,
                       stdout=subprocess.DEVNULL)

    def key(self, *keys):
        for key in keys:
            self.xdotool("key", "--clearmodifiers", key)
            time.sleep(0.1)

    def type(self, text):
        self.xdotool("type", "--delay", "20", text)

    def move(self, x, y, is_held=False):
        """Like a hand, not in one leap: after a menu was closed by a key, GTK 4.8 on X11 takes the first
        motion for one within the menu, and a click that follows at once is lost. The steps are as far
        apart as frames are, because GTK makes one of several motions within a frame; a window that is
        busy has none, so it has to answer between them, unless it is held and cannot."""
        for step in (6, 3, 0):
            self.xdotool("mousemove", "--window", self.window_id, max(int(x) - step, 0), int(y))
            time.sleep(0.03)
            if self._frame and not is_held:
                self._frame.get_box()

    def box(self, node):
        """Position and size in pixels of the X window, which has a frame around GTK's."""
        x, y, width, height = node.get_box()
        edge = self._get_edge()
        return x + edge, y + edge, width, height

    def _get_edge(self):
        self._frame = self._frame or self.frame()
        inner = self._frame.get_box()[2]
        edge, is_sure = self._edges.get(inner, (None, False))
        if is_sure:
            return edge
        geometry = subprocess.run(["xdotool", "getwindowgeometry", "--shell", self.window_id],
                                  capture_output=True, text=True, check=True).stdout
        measured = (int(re.search(r"WIDTH=(\d+)", geometry).group(1)) - inner) // 2
        self._edges[inner] = measured, measured == edge
        return measured

    def center(self, node):
        x, y, width, height = self.box(node)
        return x + width // 2, y + height // 2

    def wait_still(self, node):
        """Waits for lists to have scrolled and panes to have found their place; returns the center."""
        last = [None]

        def is_still():
            before, last[0] = last[0], self.center(node)
            time.sleep(0.05)
            return last[0] == before

        wait_for("%r to stand still" % node.name, is_still)
        return last[0]

    def click(self, node, button=1, repeat=1):
        place = None
        while self.wait_still(node) != place:  # it may still have been on its way
            place = self.center(node)
            self.move(*place)
            time.sleep(0.1)
        self.click_at(*place, button=button, repeat=repeat)

    def click_at(self, x, y, button=1, repeat=1, is_held=False):
        self._clicked = self.window_id, x, y
        self.move(x, y, is_held)
        time.sleep(0.1)
        self.xdotool("click", "--repeat", repeat, "--delay", "60", button)
        time.sleep(0.15)

    def close(self):
        """Ends the window; complaints of GTK or of ours in its log are failures."""
        if self.process.poll() is None:
            self.key("ctrl+q")
            try:
                self.process.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                raise Failure("profview does not quit")
        with open(self.log.name) as log:
            text = log.read()
        os.unlink(self.log.name)
        if self.process.returncode != 0:
            raise Failure("exit status %d: %s" % (self.process.returncode, text))
        if re.search("WARNING|CRITICAL|ERROR|Sanitizer", text):
            raise Failure("complaints: " + text)


def run_scenario(program, name):
    scratch = tempfile.mkdtemp(prefix="profview-ui-")
    windows = []

    def open_window(*arguments, **options):
        windows.append(Window(program, *arguments, **options))
        windows[-1].wait_open()
        return windows[-1]

    try:
        SCENARIOS[name](open_window, scratch)
        for window in windows:
            window.close()
    except Exception:
        for window in windows:
            window.dump()
            if window.process.poll() is None:
                window.process.kill()
        raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def make_home(folder):
    """A home folder for one scenario: nothing is left of the one before."""
    home = os.path.join(folder, "home")
    environment = {"HOME": home, "XDG_CONFIG_HOME": home + "/.config", "XDG_DATA_HOME": home + "/.local/share",
                   "XDG_CACHE_HOME": home + "/.cache"}
    for path in environment.values():
        os.makedirs(path, exist_ok=True)
    return {**os.environ, **environment}


def kill_session(leader):
    """Whatever a scenario left running; a scenario is a session of its own."""
    for pid in [int(name) for name in os.listdir("/proc") if name.isdigit()]:
        try:
            if os.getsid(pid) == leader:
                os.kill(pid, signal.SIGKILL)
        except OSError:
            pass  # gone in the meantime


def run_alone(number, name):
    """The scenario in a process, a home and a temporary folder of its own. False if it failed."""
    seconds = 240 * (3 if os.environ.get("PV_SANITIZED") else 1.5)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="profview-scenario-", ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen([sys.executable, *sys.argv[:2], name], env=make_home(folder), start_new_session=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            output = process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            kill_session(process.pid)
            output = process.communicate()[0] + b"\ntook longer than %d s\n" % seconds
        kill_session(process.pid)
    status = process.returncode
    is_left_out = status == 77
    for line in output.decode(errors="replace").splitlines() if status else []:
        print(line, file=sys.stderr)  # of TAP, meson shows only this
    print("%s %d - %s%s" % ("ok" if status == 0 or is_left_out else "not ok", number, name,
                            " # SKIP not possible on this machine" if is_left_out else ""))
    print("# %s: %.1f s" % (name, time.monotonic() - started), flush=True)
    return status == 0 or is_left_out


def main():
    """argv: program, then one scenario to run here; or several, or none for all of them, each in a process of its own,
    one after the other in this session, reported as TAP. --without=NAME,... leaves some out of all."""
    program, names = sys.argv[1], sys.argv[2:]
    if len(names) == 1 and not names[0].startswith("--"):
        run_scenario(program, names[0])
        return
    without = {name for argument in names if argument.startswith("--without=")
               for name in argument.split("=")[1].split(",")}
    assert without <= set(SCENARIOS), without - set(SCENARIOS)
    names = [name for name in names if not name.startswith("--")] or [name for name in SCENARIOS if name not in without]
    print("1..%d" % len(names), flush=True)
    if not all([run_alone(number, name) for number, name in enumerate(names, 1)]):
        sys.exit(1)
