# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives profview like a person: real pointer and key events, and what the window then shows. Runs inside session.sh."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

from hand import Hand
from widgets import Gone, Widgets

TIMEOUT = 60.0  # nothing is waited for that long, but on a machine that does much else
FRAME = 1 / 60
SECOND_CLICK = 3.0
QUIT = 10.0  # to end takes a moment, longer with sanitizers
DOUBLE_CLICK = 0.45  # seconds; GTK takes 0.4
# GTK 4.18 tells of its own accounting when what is pressed goes away, in many programs.
COMPLAINT = "WARNING(?!.*: Broken accounting of active state)|CRITICAL|ERROR|Sanitizer|runtime error:"
IN_VAIN = 75  # the exit status of a scenario that may be tried again
DATA = os.environ.get("PV_TEST_DATA", os.path.join(os.path.dirname(__file__), "..", "data"))


SCENARIOS = {}


def scenario(function):
    """A scenario of the file: it is called with a function that opens a window, and a folder of its own."""
    SCENARIOS[function.__name__.replace("_", "-")] = function
    return function


class Failure(AssertionError):
    pass


class InVain(Failure):
    """What was waited for did not come, which a busy machine may be the reason of."""


# The folder of widget-teller.
MODULES = {"GIO_EXTRA_MODULES": os.path.join(os.environ["PV_BUILD"], "tests", "ui")}
SYMBOLS = ["--sysroot=" + os.path.join(DATA, "sysroot"),
           "--symbol-path=" + os.path.join(DATA, "buildid-cache")]


def recording(name):
    return os.path.join(DATA, "recordings", name)


def wait_for(what, condition, timeout=TIMEOUT):
    """Polls until condition () is neither None nor false; returns that value. A function that tells of what is only asked
    in vain."""
    start = time.monotonic()
    while True:
        asked = time.monotonic()
        try:
            value = condition()
        except Gone:
            value = None  # it went away while it was looked at
        if value:
            return value
        now = time.monotonic()
        if now - start > timeout:
            raise InVain("waited in vain for " + (what() if callable(what) else what))
        # To look costs what is waited for the processor: less often, the longer it takes.
        time.sleep(min(max(FRAME, (now - start) / 8, now - asked), 0.3))


def has_size(node):
    """Nothing has that is not shown."""
    return node.box[2] > 0 and node.box[3] > 0


class Window:
    hand = None  # all windows have the same

    def __init__(self, program, *arguments, environment=None, user=None):
        self.program, self.arguments = program, arguments
        self.log = tempfile.NamedTemporaryFile(prefix="profview-log-", delete=False)
        command = [program, *arguments]
        self.widgets = Widgets()
        self.process = subprocess.Popen(
            command, stdout=self.log, stderr=self.log, pass_fds=[self.widgets.socket.fileno()], user=user,
            env={**os.environ, **MODULES, **self.widgets.environment(), **(environment or {})})
        self.widgets.socket.close()
        self.dialog = None  # the one that clicks go to
        self._was_menu_open = False  # when a key was pressed, since the pointer was last moved
        self._clicked = None
        self._click_ended = 0.0
        Window.hand = Window.hand or Hand()

    def wait_open(self):
        self.window_id = wait_for("the window", self._find_window_id)
        wait_for("what is in it", lambda: next(self.all(), None))

    def _check_alive(self):
        if self.process.poll() is not None:
            raise Failure("profview ended at once")

    def _find_window_id(self):
        self._check_alive()
        found = self.hand.windows(self.process.pid)
        return found[-1] if found else None

    # What is there

    def all(self, role=None, name=None, sized=True, below=None, within=None, id=None):
        """Nodes that are shown, as they are now: of all, of those below a node, or of those within the first with such a
        role and name. With sized=False also those of other pages. An id is that of a template, "QueryBar.filters_button"."""
        nodes = below.get_below() if below else self.widgets.get_nodes()
        if within:
            around = next((node for node in nodes if node.role == within[0] and re.search(within[1], node.name) and
                           has_size(node)), None)
            nodes = around.below if around else []
        for node in nodes:
            if id is not None and node.id != id:
                continue
            if role is not None and node.role != role:
                continue
            if name is not None and not re.search(name, node.name):
                continue
            if sized and not has_size(node):
                continue
            yield node

    def frame(self):
        """The window itself; dialogs are others."""
        return self.frames()[0]

    def frames(self):
        """The window and its dialogs."""
        return [node for node in self.widgets.get_nodes() if node.depth == 1]

    def find(self, role=None, name=None, timeout=TIMEOUT, sized=True, below=None, id=None):
        return wait_for("%s %s%r" % (role or "anything", "#%s " % id if id else "", name),
                        lambda: next(self.all(role, name, sized, below, id=id), None), timeout)

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
        print("the pointer is at", self.hand.ask("pointer"), "and the focus in", self.hand.active(), file=sys.stderr)
        print("clicked last at", self._clicked, file=sys.stderr)
        try:
            for node in self.all():
                print("%-16s %r %s %s%s" % (node.role, node.name, node.box, node.id, ", focused" if node.is_focused else ""),
                      file=sys.stderr)
        except Gone as error:
            print(error, file=sys.stderr)
        if os.path.exists(self.log.name):
            with open(self.log.name) as log:
                sys.stderr.write(log.read())

    # What a person does

    def answer(self):
        """Waits for the window to have done what it was told before."""
        with contextlib.suppress(Gone):
            self.widgets.ask("box", 1)

    def settle(self, quiet=2 * FRAME, most=0.2):
        """Waits for the window to have done what it was told before, however long that takes, and then to have drawn
        nothing for a while; at most as long as is said: there are pictures that always move."""
        with contextlib.suppress(Gone):
            self.widgets.ask("rest")
        self.hand.rest(quiet, most)

    def rest(self, quiet=0.2):
        """Waits for all that follows what was done: lists that scroll, what is animated, what is looked for a moment
        later."""
        self.settle(quiet, quiet + 2)

    def key(self, *keys):
        """A page that is not there yet cannot be gone to: those keys wait for the pages."""
        for key in keys:
            if re.fullmatch(r"ctrl\+\d", key):
                wait_for("pages", lambda: next(self.all(id="DocumentView.loading_box"), None) is None)
            self._was_menu_open = self._was_menu_open or bool(self.hand.menus(self.window_id))
            self.hand.ask("key", key)
            self.settle()

    def type(self, text):
        self.hand.type(text)
        self.settle()

    @contextlib.contextmanager
    def holding(self, key):
        self.hand.ask("hold", key)
        try:
            yield
        finally:
            self.hand.ask("let", key)

    def move(self, x, y, is_held=False):
        """Like a hand, not in one leap: after a menu was closed by a key, GTK 4.8 on X11 takes the first motion for one
        within the menu, and a click that follows at once is lost. The steps are as far apart as frames are, because GTK
        makes one of several motions within a frame; a window that is busy has none, so it has to answer between them,
        unless it is held and cannot."""
        if self._was_menu_open and not self.hand.menus(self.window_id):
            # As long as the pointer rests where the menu was, GTK 4.8 may give the next click to the menu.
            self._was_menu_open = False
            self.move(900, 700, is_held)
        for step in (6, 3, 0):
            self.hand.ask("move", max(int(x) - step, 0), int(y), self.window_id)
            time.sleep(FRAME)
            if not is_held:
                self.answer()

    def center(self, node):
        x, y, width, height = node.get_box()
        return x + width // 2, y + height // 2

    def wait_still(self, node):
        """Waits for lists to have scrolled and panes to have found their place; returns the center."""
        def find_place():
            place = self.center(node)
            self.settle(FRAME)
            return place if self.center(node) == place else None

        return wait_for(lambda: "%r to stand still" % node.name, find_place)

    def click(self, node, button=1, repeat=1):
        place = None
        while self.wait_still(node) != place:  # it may still have been on its way
            place = self.center(node)
            self.move(*place)
        self._click(*place, button, repeat)

    def click_at(self, x, y, button=1, repeat=1, is_held=False):
        self.move(x, y, is_held)
        self._click(x, y, button, repeat, is_held)

    def click_until(self, node, condition, button=1):
        """A click that may be lost: where nothing came of it for a while, there is another one."""
        what = "what a click on %r does" % node.name
        self.click(node, button)
        try:
            return wait_for(what, condition, SECOND_CLICK)
        except InVain:
            self.click(node, button)
            return wait_for(what, condition)

    def _click(self, x, y, button, repeat, is_held=False):
        self._clicked = self.window_id, x, y
        if not is_held:
            self.settle()
        # What comes sooner may be taken for the second half of a double click.
        time.sleep(max(0.0, self._click_ended + DOUBLE_CLICK - time.monotonic()))
        self.hand.ask("click", button, repeat)
        self._click_ended = time.monotonic()
        if not is_held:
            self.settle()

    def drag(self, start, end, steps=10):
        """From one place to another, with the left button."""
        (x, y), (to_x, to_y) = start, end
        self.move(x, y)
        self.hand.ask("press", 1)
        for step in range(1, steps + 1):
            place = [int(a + (b - a) * step / steps) for a, b in ((x, to_x), (y, to_y))]
            self.hand.ask("move", *place, self.window_id)
            time.sleep(FRAME)
            self.answer()
        self.hand.ask("release", 1)
        self.settle()

    def scroll(self, steps, is_up=False):
        """Turns the wheel where the pointer is."""
        for _ in range(steps):
            self.hand.ask("click", 4 if is_up else 5, 1)
            self.answer()
        self.rest()

    # Its end

    def has_failed(self):
        """Ended with an error, or complains: that is never by chance."""
        if not os.path.exists(self.log.name):
            return False  # it was closed in order
        with open(self.log.name) as log:
            return self.process.poll() not in (None, 0) or re.search(COMPLAINT, log.read()) is not None

    def quit(self):
        """The key may be lost while what has the focus goes away; then there is another one."""
        for timeout in (QUIT, TIMEOUT):
            self.key("ctrl+q")
            try:
                self.process.wait(timeout)
                return
            except subprocess.TimeoutExpired:
                pass
        raise InVain("waited in vain for profview to quit")

    def close(self):
        """Ends the window; complaints of GTK or of ours in its log are failures."""
        if self.process.poll() is None:
            self.quit()
        with open(self.log.name) as log:
            text = log.read()
        os.unlink(self.log.name)
        if self.process.returncode != 0:
            raise Failure("exit status %d: %s" % (self.process.returncode, text))
        if re.search(COMPLAINT, text):
            raise Failure("complaints: " + text)


def run_scenario(program, name):
    scratch = tempfile.mkdtemp(prefix="profview-ui-")
    windows = []

    def open_window(*arguments, **options):
        windows.append(Window(program, *arguments, **options))
        windows[-1].wait_open()
        return windows[-1]

    signal.signal(signal.SIGTERM, on_time_limit)
    set_animations(False)
    try:
        SCENARIOS[name](open_window, scratch)
        for window in windows:
            window.close()
    except Exception as error:
        may_try_again = isinstance(error, InVain) and not any(window.has_failed() for window in windows)
        for window in windows:
            window.dump()
            if window.process.poll() is None:
                window.process.kill()
        if may_try_again:
            traceback.print_exc()
            sys.exit(IN_VAIN)
        raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def on_time_limit(number, frame):
    raise InVain("took too long")


def set_animations(is_on):
    """For windows that open from now on; they are off unless a scenario is about them. Nothing blinks, of which something
    would be drawn all the time."""
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "gtk-4.0")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "settings.ini"), "w") as file:
        file.write("[Settings]\ngtk-cursor-blink=false\ngtk-enable-animations=%d\n" % is_on)


def make_home(folder):
    """A home folder for one scenario: nothing is left of the one before; settings are those that the session began with."""
    home = os.path.join(folder, "home")
    environment = {"HOME": home, "XDG_CONFIG_HOME": home + "/.config", "XDG_DATA_HOME": home + "/.local/share",
                   "XDG_CACHE_HOME": home + "/.cache"}
    for path in environment.values():
        os.makedirs(path, exist_ok=True)
    shutil.copytree(os.path.join(os.environ["XDG_CONFIG_HOME"], "glib-2.0"), os.path.join(home, ".config", "glib-2.0"))
    return {**os.environ, **environment}


def kill_session(leader):
    """Whatever a scenario left running; a scenario is a session of its own."""
    for pid in [int(name) for name in os.listdir("/proc") if name.isdigit()]:
        try:
            if os.getsid(pid) == leader:
                os.kill(pid, signal.SIGKILL)
        except OSError:
            pass  # gone in the meantime


def run_as_child(name, environment, output):
    """Never returns; the process is the leader of a session."""
    status = 1
    try:
        os.setsid()
        for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), output.fileno(), output.fileno())):
            os.dup2(file, number)
        os.environ.update(environment)
        sys.argv[2:] = [name]
        run_scenario(sys.argv[1], name)
        status = 0
    except SystemExit as error:
        status = error.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def wait_child(pid, seconds):
    """Its exit status; None: it has not ended by then."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    return None


def run_once(name):
    """The scenario in a process, a home and a temporary folder of its own; its exit status, and what it says. The process
    is a copy of this one: to start Python takes as long as a short scenario."""
    seconds = 240 * (3 if os.environ.get("PV_SANITIZED") else 1.5)
    with tempfile.TemporaryDirectory(prefix="profview-scenario-", ignore_cleanup_errors=True) as folder, \
            tempfile.TemporaryFile() as output:
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            run_as_child(name, make_home(folder), output)
        status = wait_child(pid, seconds)
        if status is None:
            output.write(b"takes longer than %d s\n" % seconds)
            output.flush()
            os.kill(pid, signal.SIGTERM)  # it tells what there is
            status = wait_child(pid, 60)
        kill_session(pid)
        if status is None:
            status = wait_child(pid, 60)
        output.seek(0)
        return status, output.read().decode(errors="replace")


def unstable_log(name):
    """Where the output of a first try is kept; there is none of others."""
    file = os.path.basename(sys.argv[0]).removeprefix("test-").removesuffix(".py")
    return os.path.join(os.environ["PV_BUILD"], "meson-logs", "unstable", "%s.%s.log" % (file, name))


def run_reported(number, name):
    """A scenario, for TAP; once more if it has waited in vain. False if it failed."""
    started = time.monotonic()
    log = unstable_log(name)
    if os.path.exists(log):
        os.unlink(log)
    status, output = run_once(name)
    if status == IN_VAIN:
        first = output
        status, output = run_once(name)
        if status == 0:
            os.makedirs(os.path.dirname(log), exist_ok=True)
            with open(log, "w") as file:
                file.write(first)
            print("# UNSTABLE %s" % os.path.basename(log).removesuffix(".log"))
        else:
            output = first + "\nonce more:\n" + output
    is_left_out = status == 77
    if status not in (0, 77):
        print(output, file=sys.stderr)  # of TAP, meson shows only this
    print("%s %d - %s%s" % ("ok" if status == 0 or is_left_out else "not ok", number, name,
                            " # SKIP not possible on this machine" if is_left_out else ""))
    print("# %s: %.1f s" % (name, time.monotonic() - started), flush=True)
    return status == 0 or is_left_out


def main():
    """argv: program, then one scenario to run here; or several, or none for all of them, each in a process of its own,
    one after the other in this session, reported as TAP. --without=NAME,... leaves some out of all. PV_UI_SAMPLE=K/N
    runs every Nth of those that are left, beginning with the Kth, and one at least."""
    program, names = sys.argv[1], sys.argv[2:]
    if len(names) == 1 and not names[0].startswith("--"):
        run_scenario(program, names[0])
        return
    without = {name for argument in names if argument.startswith("--without=")
               for name in argument.split("=")[1].split(",")}
    assert without <= set(SCENARIOS), without - set(SCENARIOS)
    names = [name for name in names if not name.startswith("--")] or [name for name in SCENARIOS if name not in without]
    first, step = [int(number) for number in os.environ.get("PV_UI_SAMPLE", "1/1").split("/")]
    assert 1 <= first <= step
    names = names[(first - 1) % len(names)::step]
    print("1..%d" % len(names), flush=True)
    if not all([run_reported(number, name) for number, name in enumerate(names, 1)]):
        sys.exit(1)
