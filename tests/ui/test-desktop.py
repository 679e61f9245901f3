#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window among others: what the desktop starts and asks it to do, the profiles of the last session, notifications, recent
files. test-desktop.py PROFVIEW SCENARIO, inside session.sh."""

import contextlib
import http.server
import json
import os
import re
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree

from driver import SYMBOLS, main, recording, scenario, wait_for
from hand import Hand
from pprof_maker import Profile
from record_steps import standin
from steps import (check, choose_path, export_by_key, find_dialog, focused, open_sample, title_of, wait_no_dialog)

HERE = os.path.dirname(os.path.abspath(__file__))
NAME, PATH = "org.profview.Profview", "/org/profview/Profview"
IDLE_SERVICE = 10  # seconds after which a service without windows ends, as GLib has it


def keep(*lines):
    """Settings of an earlier run."""
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "glib-2.0", "settings")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "keyfile"), "w", encoding="utf-8") as file:
        file.write("[org/profview/Profview]\n" + "".join(line + "\n" for line in lines))


def call(method, *arguments, name=NAME, path=PATH):
    return subprocess.run(["gdbus", "call", "--session", "--dest", name, "--object-path", path, "--method", method,
                           *arguments], capture_output=True, text=True, timeout=30)


def bus(method, *arguments):
    return call("org.freedesktop.DBus." + method, *arguments, name="org.freedesktop.DBus", path="/org/freedesktop/DBus")


def do_action(name):
    subprocess.run(["gapplication", "action", NAME, name], check=True, timeout=30)


def write_profile(path, functions=("work",)):
    profile = Profile(("samples", "count"))
    for function in functions:
        profile.sample("main;" + function, 3)
    profile.write(path)
    return path


# Starting --------------------------------------------------------------------------------------------------------------

@scenario
def actions_of_the_entry(open_window, scratch):
    """Each presents the window that is there with its dialog."""
    window = open_window()
    window.wait_text("^Open a Profile$")
    for action, text in (("record", "^Launch$"), ("fetch", "^Fetch From URL$")):
        do_action(action)
        wait_for("the dialog of " + action, lambda: find_dialog(window))
        window.wait_text(text)
        # Asked once more, the dialog is presented, no other one beside it.
        n_frames = len(window.frames())
        do_action(action)
        window.rest()
        check(lambda: len(window.frames()) == n_frames, window.frames)
        window.key("Escape")
        wait_no_dialog(window)
    do_action("compare")
    wait_for("the dialog", lambda: find_dialog(window))
    window.wait_text("^Choose Two Profiles to Compare$")
    window.key("Escape")
    wait_no_dialog(window)


@scenario
def started_by_the_bus(open_window, scratch):
    """As an entry with DBusActivatable does it; and what is asked for later reaches the same window."""
    program = os.path.abspath(sys.argv[1])
    # The bus of the session looks for services in the home that it was started with.
    folder = os.path.join(os.environ["PV_SESSION_DIR"], "home", ".local", "share", "dbus-1", "services")
    os.makedirs(folder, exist_ok=True)
    service = os.path.join(folder, NAME + ".service")
    with open(service, "w") as file:
        file.write("[D-BUS Service]\nName=%s\nExec=%s --gapplication-service\n" % (NAME, program))
    try:
        bus("ReloadConfig")
        path = write_profile(os.path.join(scratch, "asked for.pb"))
        answer = call("org.freedesktop.Application.Open", "['file://%s']" % path.replace(" ", "%20"), "{}")
        check(answer.returncode == 0, answer.stderr)
        pid = int(re.search(r"uint32 (\d+)", bus("GetConnectionUnixProcessID", NAME).stdout).group(1))
        hand = Hand()
        wait_for("the window", lambda: hand.windows(pid))
        check(len(hand.windows(pid)) == 1)
        answer = call("org.freedesktop.Application.ActivateAction", "record", "[]", "{}")
        check(answer.returncode == 0, answer.stderr)
        wait_for("the dialog", lambda: len(hand.windows(pid)) == 2)
        do_action("quit")
        wait_for("its end", lambda: not os.path.exists("/proc/%d" % pid) or not hand.windows(pid))
    finally:
        os.unlink(service)
        bus("ReloadConfig")


@scenario
def idle_service(open_window, scratch):
    """Without a window it ends by itself."""
    service = subprocess.Popen([sys.argv[1], "--gapplication-service"], stderr=subprocess.PIPE, text=True)
    wait_for("its name", lambda: "true" in bus("NameHasOwner", NAME).stdout)
    started = time.monotonic()
    _, said = service.communicate(timeout=10 * IDLE_SERVICE)
    check(service.returncode == 0 and said == "", service.returncode, said)
    check(time.monotonic() - started > IDLE_SERVICE / 2, "it ended at once")


@scenario
def second_open(open_window, scratch):
    """Reaches the first window, by any way, also while a dialog is open."""
    window = open_sample(open_window)
    first = window.window_id
    window.key("ctrl+comma")
    wait_for("the dialog", lambda: find_dialog(window))
    paths = [write_profile(os.path.join(scratch, name + ".pb")) for name in ("one", "two")]
    subprocess.run([os.path.abspath(window.program), os.path.basename(paths[0])], check=True, timeout=20, cwd=scratch)
    wait_for("its tab", lambda: {"one.pb", "inlining-fp.data"} <= set(window.texts()))
    answer = call("org.freedesktop.Application.Open", "['file://%s']" % paths[1], "{}")
    check(answer.returncode == 0, answer.stderr)
    wait_for("another tab", lambda: "two.pb" in window.texts())
    window.key("Escape")
    check(lambda: window.hand.windows(window.process.pid) == [first], lambda: window.hand.windows(window.process.pid))
    wait_for("the tab", lambda: title_of(window) == "two.pb")


# The last session ------------------------------------------------------------------------------------------------------

@scenario
def last_session(open_window, scratch):
    paths = [write_profile(os.path.join(scratch, name + ".pb"), (name,)) for name in ("one", "two", "three")]
    tabs = {"one.pb", "two.pb", "three.pb"}
    # Nothing is noted unless it is asked for.
    window = open_window(*paths)
    wait_for("tabs", lambda: tabs <= set(window.texts()))
    window.quit()
    window = open_window()
    window.wait_text("^Open a Profile$")
    window.quit()
    check(lambda: "session-files" not in settings(), settings)

    window = open_window(*paths)
    wait_for("tabs", lambda: tabs <= set(window.texts()))
    window.key("ctrl+comma")
    wait_for("the dialog", lambda: find_dialog(window))
    for _ in range(40):
        if "Open the Profiles of the Last Session" in focused(window):
            break
        window.key("Tab")
    window.key("Return")
    wait_for("a note", lambda: "three.pb" in settings())
    window.key("Escape")
    wait_no_dialog(window)
    window.quit()
    window = open_window()
    wait_for("tabs", lambda: tabs <= set(window.texts()))
    wait_for("the first tab", lambda: title_of(window) == "one.pb")
    # A closed tab does not come back; a file that is gone is left out.
    window.key("ctrl+w")
    wait_for("the next tab", lambda: title_of(window) == "two.pb")
    wait_for("a note", lambda: "one.pb" not in settings())
    window.quit()
    os.unlink(paths[2])
    window = open_window()
    window.wait_text("^“three.pb” of the last session is gone$")
    wait_for("the tab", lambda: title_of(window) == "two.pb")
    wait_for("a note", lambda: [os.path.basename(each) for each in noted("session-missing")] == ["three.pb"])
    window.quit()
    # That is said once; when it is there again, it comes back.
    window = open_window()
    wait_for("the tab", lambda: title_of(window) == "two.pb")
    window.rest()
    check(lambda: not any("is gone" in text for text in window.texts()), window.texts)
    window.quit()
    write_profile(paths[2], ("three",))
    window = open_window()
    wait_for("tabs", lambda: {"two.pb", "three.pb"} <= set(window.texts()))
    wait_for("a note", lambda: noted("session-missing") == [] and len(noted("session-files")) == 2)
    window.quit()
    # Who opens a file gets that alone.
    window = open_window(paths[0])
    wait_for("the tab", lambda: title_of(window) == "one.pb")
    window.rest()
    check(lambda: "two.pb" not in window.texts(), window.texts)
    window.quit()
    os.unlink(paths[0])
    window = open_window()
    window.wait_text("^“one.pb” of the last session is gone$")
    window.wait_text("^Open a Profile$")


@scenario
def session_of_dumps(open_window, scratch):
    """They come back as they were: as a series, each in a tab of its own, or with all that is in their folder."""
    keep("restore-session=true")
    folder = os.path.join(scratch, "some dumps")
    os.mkdir(folder)
    dumps = [os.path.join(folder, "heap-%d.pb" % i) for i in (1, 2, 3)]
    for i, path in enumerate(dumps):
        profile = Profile(("inuse_space", "bytes"), time_ns=10**18 + i)
        profile.sample("main;work", 3 + i)
        profile.write(path)
    titles = ["heap — 2 dumps", "heap-1.pb", "heap-2.pb", "heap — 3 dumps"]
    window = open_window("--series", *dumps[:2])
    wait_for("the series", lambda: title_of(window) == titles[0])
    for path, title in zip([*dumps[:2], folder], titles[1:]):
        subprocess.run([window.program, path], check=True, timeout=20)
        wait_for(title, lambda: title_of(window) == title)
    wait_for("notes", lambda: len(noted("session-files")) == 4)
    before = noted("session-files")
    check([entry.count(" ") for entry in before] == [1, 0, 0, 0] and before[3].endswith("/some%20dumps"), before)
    window.quit()
    window = open_window()
    wait_for("tabs", lambda: set(titles) <= set(window.texts()))
    window.rest()
    check(lambda: noted("session-files") == before, settings)
    window.quit()
    # A drive that is not there for once.
    os.rename(folder, folder + " away")
    window = open_window()
    window.wait_text("^5 files of the last session are gone$")
    window.wait_text("^Open a Profile$")
    wait_for("notes", lambda: noted("session-missing") == before and noted("session-files") == [])
    window.quit()
    os.rename(folder + " away", folder)
    window = open_window()
    wait_for("tabs", lambda: set(titles) <= set(window.texts()))
    wait_for("notes", lambda: noted("session-files") == before and noted("session-missing") == [])


def noted(key):
    """The texts of a setting that is a list of them."""
    line = re.search("^%s=(.*)$" % key, settings(), re.MULTILINE)
    return re.findall("'([^']*)'", line.group(1)) if line else []


def settings():
    path = os.path.join(os.environ["XDG_CONFIG_HOME"], "glib-2.0", "settings", "keyfile")
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


# Notifications ---------------------------------------------------------------------------------------------------------

class Notifications:
    """What was said so far."""

    def __init__(self):
        self.said = []
        self.process = subprocess.Popen([sys.executable, os.path.join(HERE, "notification-server.py")],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, daemon=True).start()
        wait_for("the server", lambda: ["ready"] in self.said)

    def read(self):
        for line in self.process.stdout:
            self.said.append(json.loads(line))

    def titles(self):
        return [words[2] for words in self.said if words[0] == "notify"]

    def click(self, number):
        self.process.stdin.write("%d\n" % number)
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


@contextlib.contextmanager
def another_window(window):
    """Which has the focus."""
    helper = os.path.join(os.environ["PV_BUILD"], "tests", "ui", "drag-source")
    other = subprocess.Popen([helper, "--copy", "nothing"])
    try:
        wait_for("the other window", lambda: window.hand.active() in window.hand.windows(other.pid))
        yield
    finally:
        other.terminate()
        other.wait()


def record(window, seconds):
    subprocess.run([window.program, "--record=perf", "--", "sleep", str(seconds)], check=True, timeout=20)
    window.find("push button", "^Stop( Stop)?$")


@scenario
def recording_has_ended(open_window, scratch):
    notifications = Notifications()
    window = open_window(*SYMBOLS, recording("mill-fp.data"), environment=standin(
        PV_STANDIN_PERF_DATA=recording("inlining-fp.data"), PV_STANDIN_PERF_SECONDS="60"))
    wait_for("the tab", lambda: title_of(window) == "mill-fp.data")
    # The user looks on.
    record(window, 11)
    window.wait_text("^Recorded 0:1")
    check(notifications.titles() == [], notifications.said)
    # Soon done, while the user is elsewhere.
    record(window, 2)
    with another_window(window):
        window.wait_text("^Recorded 0:0")
    check(notifications.titles() == [], notifications.said)
    # Not so soon.
    record(window, 11)
    title = title_of(window)
    window.key("ctrl+Page_Down")
    wait_for("another tab", lambda: title_of(window) != title)
    with another_window(window):
        wait_for("a notification", notifications.titles)
        check(re.fullmatch("Recording of “.*sleep.*” is done", notifications.titles()[0]), notifications.said)
        notifications.click(1)
        wait_for("the window", lambda: window.hand.active() == window.window_id)
        wait_for("the tab", lambda: title_of(window) == title)
    # Who comes back without a click does not need it any more.
    record(window, 11)
    with another_window(window):
        wait_for("another notification", lambda: len(notifications.titles()) == 2)
    window.hand.ask("activate", window.window_id)
    wait_for("the notification to go", lambda: ["close", 2] in notifications.said)
    notifications.end()


@scenario
def fetch_has_ended(open_window, scratch):
    """The first one of a document; who has something to look at does not wait for another one."""
    profile = write_profile(os.path.join(scratch, "heap"))
    is_there = True

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            time.sleep(11)
            with contextlib.suppress(OSError):
                self.send_response(200 if is_there else 503)
                self.send_header("Content-Type", "application/octet-stream")
                self.end_headers()
                with open(profile, "rb") as file:
                    self.wfile.write(file.read() if is_there else b"")

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    notifications = Notifications()
    window = open_sample(open_window)
    subprocess.run([window.program, "http://127.0.0.1:%d/heap" % server.server_port], check=True, timeout=20)
    wait_for("the tab", lambda: "127.0.0.1" in title_of(window))
    with another_window(window):
        wait_for("a notification", notifications.titles)
    check(re.fullmatch("Fetching “.*127.0.0.1.*” is done", notifications.titles()[0]), notifications.said)
    window.hand.ask("activate", window.window_id)
    wait_for("the notification to go", lambda: ["close", 1] in notifications.said)
    window.find(id="FlamePage.area")
    is_there = False
    window.key("F5")
    with another_window(window):
        window.wait_text("^Nothing more was fetched")
        window.rest()
    check(len(notifications.titles()) == 1, notifications.said)
    notifications.end()
    server.shutdown()


# Recent files ----------------------------------------------------------------------------------------------------------

BOOKMARK = "{http://www.freedesktop.org/standards/desktop-bookmarks}"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def recent():
    """Name of the file: media type, names of applications, whether it is private."""
    path = os.path.join(os.environ["XDG_DATA_HOME"], "recently-used.xbel")
    if not os.path.exists(path):
        return {}
    with contextlib.suppress(ElementTree.ParseError):
        return {os.path.basename(each.get("href")): (
            each.find(".//%smime-type" % MIME).get("type"),
            {application.get("name") for application in each.iter(BOOKMARK + "application")},
            each.find(".//%sprivate" % BOOKMARK) is not None) for each in ElementTree.parse(path).iter("bookmark")}
    return {}


def visits(name):
    """How often the file was added to the list."""
    path = os.path.join(os.environ["XDG_DATA_HOME"], "recently-used.xbel")
    with contextlib.suppress(ElementTree.ParseError):
        return sum(int(application.get("count")) for each in ElementTree.parse(path).iter("bookmark")
                   if os.path.basename(each.get("href")) == name for application in each.iter(BOOKMARK + "application"))
    return 0


@scenario
def recent_files(open_window, scratch):
    """With their types and our name; others do not show what was fetched, and from where."""
    keep("restore-session=true")
    folded = os.path.join(scratch, "stacks")
    with open(folded, "w") as file:
        file.write("main;work 3\nmain;rest 2\n")
    window = open_sample(open_window)
    subprocess.run([window.program, folded], check=True, timeout=20)
    wait_for("the tab", lambda: title_of(window) == "stacks")
    served = os.path.join(scratch, "served")
    os.mkdir(served)
    write_profile(os.path.join(served, "heap"))

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=served)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    subprocess.run([window.program, "http://127.0.0.1:%d/heap" % server.server_port], check=True, timeout=20)
    wait_for("the tab", lambda: title_of(window).startswith("http://127.0.0.1") or "Heap" in title_of(window))
    window.find(id="FlamePage.area")
    saved = os.path.join(scratch, "saved.profview")
    export_by_key(window, "^Pack to", "o")
    choose_path(window, saved, is_new=True)
    wait_for("the pack", lambda: os.path.exists(saved))
    # GTK lists what was chosen in its dialog, without knowing it, before it is written.
    types = {"inlining-fp.data": "application/x-perf-data", "stacks": "application/x-folded-stacks",
             "saved.profview": "application/x-profview-pack"}

    def is_as_wanted():
        known = recent()
        return all(known.get(name) == (kind, {"profview"}, False) for name, kind in types.items()) and \
            [is_private for name, (_, _, is_private) in known.items() if name not in types] == [True]

    wait_for(lambda: "files of their types among %s" % recent(), is_as_wanted)
    server.shutdown()
    # A fetched file that is opened by its path is still one.
    (fetched,) = set(recent()) - set(types)
    n_visits = visits(fetched)
    subprocess.run([window.program, os.path.join(os.environ["XDG_CACHE_HOME"], "profview", "fetched", fetched)],
                   check=True, timeout=20)
    wait_for("the tab", lambda: title_of(window) == fetched)
    wait_for("it to be listed again", lambda: visits(fetched) > n_visits)
    check(is_as_wanted, recent)
    # Nor does it come back with the session.
    wait_for("a note", lambda: any(each.endswith("/stacks") for each in noted("session-files")))
    window.rest()
    check(lambda: fetched not in settings(), settings)


if __name__ == "__main__":
    main()
