#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window on profiles of services: series of dumps, labels, URLs. test-services.py PROFVIEW SCENARIO, inside
session.sh."""

import http.server
import os
import re
import shutil
import subprocess
import threading
import time

from driver import DATA, SYMBOLS, main, recording, scenario, wait_for
from pprof_maker import LineProfile, Profile
from steps import (check, chips, choose_path, column_of, export_by_key, find_dialog, measure_of, open_menu, remove_chip,
                   resize, show_page, tab_to, title_of, wait_chip, wait_details, wait_measure, wait_menu, wait_page)

SECOND = 1000000000


# A service ---------------------------------------------------------------------------------------------------------

def heap_dump(number):
    """The number-th, of one each second: cache grows by 1,000,000 bytes each time, load stays, and scratch is gone
    after the second."""
    profile = Profile(("inuse_objects", "count"), ("inuse_space", "bytes"), time_ns=(1000 + number) * SECOND)
    profile.sample("main;load", 10, 2000000)
    profile.sample("main;serve;cache", 5 * number, 1000000 * number)
    if number < 2:
        profile.sample("main;serve;scratch", 7, 700000)
    return profile


def write_dumps(folder, n_dumps=5):
    os.mkdir(folder)
    paths = []
    for number in range(n_dumps):
        paths.append(os.path.join(folder, "engine.%d.pb.gz" % number))
        heap_dump(number).write(paths[-1])
    return paths


def write_labelled(path):
    """150 ms: 100 for ann, 30 for bob, 20 for nobody; ann's are from the shop (60) and the search (40)."""
    profile = Profile(("samples", "count"), ("cpu", "nanoseconds"))
    profile.sample("main;serve;parse", 6, 60000000, user="ann", page="shop")
    profile.sample("main;serve;find", 4, 40000000, user="ann", page="search")
    profile.sample("main;serve;find", 3, 30000000, user="bob", page="search")
    profile.sample("main;idle", 2, 20000000)
    profile.write(path)


class Server:
    """Answers as a service would, or as one that has trouble."""

    def __init__(self):
        self.n_answers = 0
        self.is_silent = False
        self.asked = []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def do_GET(self):
                server.asked.append(self.path)
                server.answer(self)

            def do_POST(self):
                asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
                server.asked.append(self.path + " " + asked)
                if server.is_silent:
                    time.sleep(20)
                server.send(self, 200, b"0x40100f\tSchiff\n")

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = "127.0.0.1:%d" % self.http.server_port
        self.thread = threading.Thread(target=self.http.serve_forever, daemon=True)
        self.thread.start()

    def answer(self, request):
        found = re.match(r"/debug/pprof/profile\?seconds=(\d+)$", request.path)
        if found:
            time.sleep(int(found.group(1)))
        if found or request.path == "/debug/pprof/heap":
            self.send(request, 200, heap_dump(self.n_answers).pack())
            self.n_answers += 1
        elif request.path == "/own?ticket=hush":
            self.send(request, 200, heap_dump(1).pack())
        elif request.path == "/debug/mem/pprof/profile":
            self.send(request, 200, heap_dump(1).pack())
        elif request.path == "/slow":
            self.dribble(request, heap_dump(1).pack())
        elif request.path == "/welcome":
            self.send(request, 200, b"<html><h1>Welcome</h1> to the engine of " + b"words " * 40 + b"</html>")
        elif request.path == "/debug/pprof/":
            self.send(request, 200, b"<html><a href='heap?debug=1'>heap</a> <a href='my.own'>mine</a></html>")
        elif request.path == "/pprof/heap":
            self.send(request, 200, b"heap profile: 2: 2000 [ 2: 2000] @ heapprofile\n2: 2000 [2: 2000] @ 0x401010\n\n"
                                    b"MAPPED_LIBRARIES:\n00400000-00500000 r-xp 00000000 08:01 1 /opt/not-here/server\n")
        elif request.path == "/pprof/symbol":
            self.send(request, 200, b"num_symbols: 1\n")
        elif request.path == "/moved":
            request.send_response(302)
            request.send_header("Location", "http://localhost:%d/debug/pprof/heap" % self.http.server_port)
            request.end_headers()
        else:
            self.send(request, 404, b"there is no such profile")

    def send(self, request, status, content):
        request.send_response(status)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        try:
            request.wfile.write(content)
        except BrokenPipeError:
            pass

    def dribble(self, request, content):
        request.send_response(200)
        request.end_headers()
        try:
            for i in range(len(content)):
                request.wfile.write(content[i:i + 1])
                request.wfile.flush()
                time.sleep(0.1)
        except OSError:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *arguments):
        self.http.shutdown()
        self.http.server_close()


def fetched_files():
    folder = os.path.join(os.environ["XDG_CACHE_HOME"], "profview", "fetched")
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))] if os.path.isdir(folder) else []


def wait_title(window, pattern):
    wait_for(lambda: "the title %r, not %r" % (pattern, title_of(window)), lambda: re.search(pattern, title_of(window)))


def answer_of(window):
    return window.find(id="ErrorPage.answer_view").get_text()


def open_list(window, button):
    open_menu(window, window.find("push button", button))


# Series --------------------------------------------------------------------------------------------------------------

LEFT, RIGHT = 76, 10  # about what the axis takes of the chart


def chart(window):
    return wait_for("a chart", lambda: max(
        (node.get_box() for node in window.all("panel", "^Chart of ")), key=lambda box: box[3], default=None))


def drag(window, start, end):
    """From one share of the width to another."""
    x, y, width, height = chart(window)
    window.drag(*[(x + LEFT + (width - LEFT - RIGHT) * share, y + height * 0.6) for share in (start, end)])


@scenario
def series(open_window, scratch):
    """Several files are one document; any two moments are subtracted by picking them."""
    folder = os.path.join(scratch, "dumps")
    window = open_window(*write_dumps(folder))
    window.find(id="FlamePage.area")
    wait_title(window, "^engine — 5 dumps$")
    check(lambda: measure_of(window) == "inuse_space", lambda: measure_of(window))
    wait_details(window, r"^all, .*Total\s100\.0 %\s+5\.72 MiB")
    show_page(window, "Timeline")
    window.move(200, 30)  # the legend is of the dump under the pointer
    window.find("label", r"^Highest: engine\.4\.pb\.gz$")
    # From the second dump to the fourth, of five that have a fifth of the width each.
    drag(window, 0.25, 0.75)
    wait_chip(window, "^1 → 3$")
    window.click(window.find(id="TimelinePage.growth_button"))
    wait_measure(window, "inuse_space-growth")
    window.move(200, 30)
    window.find("label", r"^From engine\.1\.pb\.gz to engine\.3\.pb\.gz$")
    show_page(window, "Functions")
    wait_for("what has grown and what has shrunk",
             lambda: set(column_of(window, "Function", ".")) == {"cache", "scratch", "serve", "main"})
    wait_for("net amounts", lambda: {"+1.91 MiB", "−684 KiB"} <= {
        amount.split("  ")[0] for amount in column_of(window, "Self", ".")})
    window.key("ctrl+2")
    wait_details(window, r"^all, .*Total\s48\.1 %\s+\+1\.24 MiB")
    window.find("label", "^More$")
    window.find("label", "^Less$")
    remove_chip(window, "1 → 3")
    wait_for("no range", lambda: not any("→" in chip for chip in chips(window)))
    show_page(window, "Summary")
    window.wait_text(r"^5, from engine\.0\.pb\.gz to engine\.4\.pb\.gz$")
    window.wait_text("^Of the last dump; growth is since the first$")


@scenario
def differences(open_window, scratch):
    """A file with values below zero is shown net, and colored by what went which way."""
    path = os.path.join(scratch, "difference.pb.gz")
    profile = Profile(("inuse_objects", "count"), ("inuse_space", "bytes"))
    profile.sample("main;serve;cache", 5, 300000)
    profile.sample("main;serve;scratch", -7, -700000)
    profile.write(path)
    window = open_window(path)
    window.find(id="FlamePage.area")
    check(lambda: measure_of(window) == "inuse_space", lambda: measure_of(window))
    wait_details(window, r"^all, .*Total\s40\.0 %\s+−391 KiB")
    window.find("label", "^Less$")
    show_page(window, "Summary")
    window.wait_text("−391 KiB in 2 samples")
    check(lambda: not any("-negative" in text for text in window.texts()), "a part in the list")
    show_page(window, "Functions")
    wait_for("the order by size", lambda: column_of(window, "Function", ".")[:2] == ["scratch", "cache"])
    window.click(window.find("label", "^serve$"))
    wait_for("net callees", lambda: any(text.startswith("−684 KiB") for text in column_of(
        window, "Share", ".", table="Callees")))


@scenario
def folders(open_window, scratch):
    """A folder is opened, remembered, and read again with what has come since."""
    folder = os.path.join(scratch, "dumps")
    write_dumps(folder, 3)
    window = open_window(folder)
    wait_title(window, "^engine — 3 dumps$")
    heap_dump(3).write(os.path.join(folder, "engine.3.pb.gz"))
    window.key("F5")
    wait_title(window, "^engine — 4 dumps$")
    window.key("ctrl+w")
    window.click(window.find("label", "^engine — 4 dumps$"))
    wait_title(window, "^engine — 4 dumps$")
    window.wait_text(r"^[\d,]+( of [\d,]+)? samples$")


@scenario
def recent_series(open_window, scratch):
    """Files that do not fill a folder are remembered one by one; what does not belong to them is a tab of its own."""
    paths = write_dumps(os.path.join(scratch, "50% of it"), 4)[:3]
    window = open_window(*paths, *SYMBOLS, recording("inlining-fp.data"))
    wait_for("two tabs", lambda: {"engine — 3 dumps", "inlining-fp.data"} <= set(window.texts()))
    window.wait_text(r"^1,155 samples$")
    window.key("ctrl+w")
    wait_title(window, "^engine — 3 dumps$")
    window.key("ctrl+w")
    window.wait_text("^Open a Profile$")
    window.click(window.find("label", "^engine — 3 dumps$"))
    wait_title(window, "^engine — 3 dumps$")
    window.key("ctrl+w")
    window.wait_text("^Open a Profile$")
    # As the user says, whatever they look like.
    subprocess.run([window.program, "--merge", *paths], check=True, timeout=20)
    wait_title(window, "^engine — 3 files$")
    window.wait_text(r"^[\d,]+( of [\d,]+)? samples$")
    show_page(window, "Timeline")
    window.wait_text("^No Timeline$")
    window.key("ctrl+w")
    window.wait_text("^Open a Profile$")
    window.click(window.find("label", "^engine — 3 files$"))
    wait_title(window, "^engine — 3 files$")


@scenario
def adding_files(open_window, scratch):
    """Names for a series from a program that lies elsewhere; what is not there is said."""
    folder, programs = os.path.join(scratch, "dumps"), os.path.join(scratch, "programs")
    os.mkdir(folder)
    os.mkdir(programs)
    for number in (1, 2, 3):
        shutil.copy(os.path.join(DATA, "pprof", "pantry-%d.heap" % number), folder)
    shutil.copy(os.path.join(DATA, "sysroot", "opt", "samples", "bin", "heap-containers"), programs)
    window = open_window("--sysroot=" + scratch, folder)
    wait_title(window, "3 dumps$")
    window.find(id="FlamePage.area")
    useless = os.path.join(DATA, "recordings")
    for path, said in ((useless, "^“recordings” has none of the missing files$"),
                       (programs, "^Found 1 missing file in “programs”$")):
        window.click(window.find("push button", "^Add Folder…"))
        choose_path(window, path)
        window.wait_text(said)
    show_page(window, "Functions")
    wait_for("names", lambda: "main" in column_of(window, "Function", "."))
    # They stay when the dumps are read again.
    window.key("F5")
    time.sleep(1)  # they look the same
    check(lambda: "main" in column_of(window, "Function", "."))
    wait_title(window, "3 dumps$")


@scenario
def closing(open_window, scratch):
    """Tabs and the window, in the middle of whatever goes on."""
    folder = os.path.join(scratch, "dumps")
    write_dumps(folder, 200)
    with Server() as server:
        window = open_window("http://%s/slow" % server.address)
        window.wait_text("^Receiving, ")
        window.key("ctrl+w")
        window.wait_text("^Open a Profile$")
        wait_for("nothing left behind", lambda: not fetched_files())
        for delay in (0, 0.1, 0.3):
            subprocess.run([window.program, folder], check=True, timeout=20)
            wait_for("a tab", lambda: title_of(window) != "Profview")
            time.sleep(delay)
            window.key("ctrl+w")
            wait_for("no tab", lambda: title_of(window) == "Profview")
        subprocess.run([window.program, folder, "http://%s/slow" % server.address,
                        "http://%s/debug/pprof/profile?seconds=9" % server.address], check=True, timeout=20)
        wait_for("all tabs", lambda: len([text for text in window.texts() if "127.0.0.1" in text]) >= 2)
        window.key("ctrl+q")
        window.process.wait(20)


# Labels --------------------------------------------------------------------------------------------------------------

@scenario
def labels(open_window, scratch):
    path = os.path.join(scratch, "labelled.pb.gz")
    write_labelled(path)
    window = open_window(path)
    window.wait_text("^4 samples$")
    wait_measure(window, "cpu")
    open_list(window, "^Labels")
    wait_for("the pages", lambda: {"shop", "search"} <= set(window.texts()))
    # The heaviest is the first.
    window.key("Tab", "Tab", "ctrl+Return")
    wait_chip(window, "^page: search$")
    window.find("check box", "^search$")
    window.key("Escape")
    window.wait_text("^2 of 4 samples$")
    wait_details(window, r"^all, .*Total\s100\.0 %\s+70\.0 ms")
    remove_chip(window, "page: search")
    window.wait_text("^4 samples$")
    # Grouped by who asked: the key below in the list.
    open_list(window, "^Labels")
    window.key("space")
    window.rest()
    window.key("Down", "Return")
    window.rest()
    wait_for("the users", lambda: {"ann", "bob"} <= set(window.texts()))
    tab_to(window, "^Group( |$)")
    for wanted in ["By label user"], [], ["By label user"]:  # pressed, let go, and pressed again
        window.key("space")
        wait_for(lambda: "%s, not %s" % (wanted, chips(window)), lambda: chips(window) == wanted)
    window.key("Escape")
    show_page(window, "Call Tree")
    wait_for("the users as groups", lambda: {"ann", "bob"} <= set(window.texts()))
    remove_chip(window, "By label user")
    wait_for("no group", lambda: not chips(window))
    show_page(window, "Summary")
    window.wait_text(r"^page \(2\), user \(2\)$")


@scenario
def cpus(open_window, scratch):
    """The list of CPUs of a recording that says where samples were taken."""
    window = open_window(*SYMBOLS, recording("cpus-fp.data"))
    window.wait_text("^156 samples$")
    open_list(window, "^Threads, CPUs")
    open_menu(window, window.find(name=r"^Thread \(3\)$"))
    window.key("End", "Return")
    # What perf report --sort=cpu says of this recording: 82 samples on 0 and 74 on 1.

    def rows():
        return [node.name for node in window.all("list item", "%, (shown|hidden)$")]

    wait_for("CPUs", lambda: len(rows()) == 2 and re.search(r"^CPU 0, .*52\.6 %", rows()[0]) and
             re.search(r"^CPU 1, .*47\.4 %", rows()[1]))
    tab_to(window, "^CPU 0, ", role="list item")
    window.key("Down", "ctrl+Return")
    wait_chip(window, "^CPU 1$")
    window.wait_text("^74 of 156 samples$")
    window.key("Escape", "alt+Left")
    wait_for("all CPUs", lambda: not chips(window))
    window.wait_text("^156 samples$")


@scenario
def threads(open_window, scratch):
    """Those of a recording of perf."""
    window = open_window(*SYMBOLS, recording("events-fp.data"))
    window.wait_text(r"^[\d,]+ samples$")
    before = window.wait_text(r"^[\d,]+ samples$")
    open_list(window, "^Threads")
    window.key("Tab", "ctrl+Return")
    wait_for(lambda: "a thread among %r" % chips(window), lambda: len(chips(window)) == 1)
    check(lambda: not re.search("Threads|Without", chips(window)[0]), lambda: chips(window))
    window.wait_text(r"^[\d,]+ of %s$" % before)
    # The list stays open, with the focus where it was, and rows say how they are.
    rows = wait_for("rows", lambda: [node.name for node in window.all("list item", "%, (shown|hidden)$")])
    check([row.rsplit(" ", 1)[1] for row in rows] == ["shown"] + ["hidden"] * (len(rows) - 1), rows)
    window.key("Down", "space")
    wait_chip(window, "^Threads: .*, ")
    window.key("Up", "Return")
    wait_for("the other thread", lambda: len(chips(window)) == 1 and not chips(window)[0].startswith("Threads"))
    window.find("list item", "%, hidden$")
    window.key("Escape", "alt+Left", "alt+Left", "alt+Left")
    wait_for("all threads", lambda: not chips(window))
    window.wait_text("^%s$" % re.escape(before))
    # Without one, without any, and all.
    window.move(600, 500)
    window.rest()
    open_list(window, "^Threads")
    window.find("push button", "^None( |$)")
    window.rest()
    window.key("Tab", "space")
    wait_chip(window, "^Without thread ")
    window.wait_text(r"^[\d,]+ of [\d,]+ samples$")
    window.key("Tab", "Tab", "space")
    wait_chip(window, "^Without threads ")
    window.wait_text("^0 of %d shown$" % len(rows))
    window.key("shift+Tab", "space")
    wait_for("no chip", lambda: not chips(window))
    window.key("Escape")
    window.wait_text("^%s$" % re.escape(before))
    # Groups of what every stack has.
    open_list(window, "^Filters$")
    window.find("menu item", "^Group By$")
    window.key("g")
    window.rest()
    window.key("m")
    wait_chip(window, "^By module$")
    remove_chip(window, "By module")
    wait_for("no group", lambda: not chips(window))


@scenario
def dropped(open_window, scratch):
    """Frames that the file asks to drop are hidden until its chip is removed."""
    path = os.path.join(scratch, "dropping.pb.gz")
    profile = Profile(("cpu", "nanoseconds"), drop="malloc_.*")
    profile.sample("main;work;malloc_slow;malloc_inner", 50000000)
    profile.write(path)
    window = open_window(path)
    wait_chip(window, "^Frames dropped by the file$")
    show_page(window, "Functions")
    wait_for("two functions", lambda: set(column_of(window, "Function", ".")) == {"main", "work"})
    remove_chip(window, "Frames dropped")
    wait_for("all functions", lambda: "malloc_inner" in column_of(window, "Function", "."))


# URLs ----------------------------------------------------------------------------------------------------------------

@scenario
def fetching(open_window, scratch):
    """By the dialog: progress, the profile, and what is remembered."""
    with Server() as server:
        window = open_window()
        window.wait_text("^Open a Profile$")
        window.click(window.find("push button", "^Fetch From URL"))
        dialog = wait_for("the dialog", lambda: find_dialog(window))
        window.rest()
        window.type(server.address)
        window.wait_text("^Fetches /debug/pprof/profile$")
        window.key("Escape")
        wait_for("the dialog to close", lambda: find_dialog(window) != dialog)
        check(not server.asked, server.asked)
        # The keys do the same, and the address is the one of a profile now.
        window.key("ctrl+u")
        dialog = wait_for("the dialog", lambda: find_dialog(window))
        window.rest()
        window.type("%s/debug/pprof/profile?seconds=3" % server.address)
        window.wait_text("^This address already names a profile$")
        window.key("Return")
        window.wait_text(r"^Recording, [12] of 3 s$")
        window.find(id="FlamePage.area")
        wait_title(window, r"^127\.0\.0\.1:\d+ – CPU$")
        wait_details(window, r"^all, .*Total\s100\.0 %\s+2\.57 MiB")
        check(lambda: len(fetched_files()) == 1, fetched_files)
        check(lambda: os.stat(fetched_files()[0]).st_mode & 0o777 == 0o600)
        # Again, into the same tab.
        window.key("F5")
        wait_details(window, r"^all, .*Total\s100\.0 %\s+3\.53 MiB")
        window.key("ctrl+w")
        window.find("label", r"^127\.0\.0\.1:\d+ – CPU$")
        window.key("ctrl+u")
        wait_for("the dialog", lambda: find_dialog(window))
        window.rest()
        window.key("Return")
        window.wait_text(r"^Recording, [12] of 3 s$")


@scenario
def fetching_troubles(open_window, scratch):
    with Server() as server:
        window = open_window("http://%s/none" % server.address)
        window.wait_text("^The Server Has No Such Profile$")
        check(lambda: "there is no such profile" in answer_of(window), lambda: answer_of(window))
        window.wait_text("No profile was found at /none/pprof/heap, /none/pprof/profile, ")
        window.key("ctrl+w")
        # As jeprof is given it: the profile is below, which is said.
        server.asked.clear()
        subprocess.run([window.program, "http://%s/debug/mem" % server.address], check=True, timeout=20)
        window.wait_text(r"/debug/mem was not found, so this is .*/debug/mem/pprof/profile$")
        wait_title(window, r"^127\.0\.0\.1:\d+ – Heap \(Databend\)$")
        check(server.asked == ["/debug/mem", "/debug/mem/pprof/heap", "/debug/mem/pprof/profile"], server.asked)
        window.key("ctrl+w")
        # A page instead of a profile: as text, to be read and copied.
        subprocess.run([window.program, "http://%s/welcome" % server.address], check=True, timeout=20)
        window.wait_text("^The Answer Is Not a Profile$")
        check(lambda: "Welcome" in answer_of(window), lambda: answer_of(window))
        window.key("ctrl+w")
        # A page that lists profiles: one button for each.
        subprocess.run([window.program, "http://%s/debug/pprof/" % server.address], check=True, timeout=20)
        window.wait_text("^Choose a Profile$")
        window.wait_text("/debug/pprof/ is a page that lists profiles")
        window.find("push button", "^my.own$")
        window.click(window.find("push button", "^Heap$"))
        wait_title(window, r"^127\.0\.0\.1:\d+ – Heap$")
        window.find(id="FlamePage.area")
        check(server.asked[-1] == "/debug/pprof/heap", server.asked)
        window.key("ctrl+w")
        # Another host is asked only if the user wants that.
        subprocess.run([window.program, "http://%s/moved" % server.address], check=True, timeout=20)
        window.wait_text("^The Server Redirects to Another One$")
        check(server.asked[-1] == "/moved", server.asked)
        window.click(window.find(id="ErrorPage.redirect_button"))
        window.find(id="FlamePage.area")
        wait_title(window, r"^localhost:\d+ – Heap$")
        window.key("ctrl+w")
        # Cancelled: nothing is left behind.
        before = fetched_files()
        subprocess.run([window.program, "http://%s/debug/pprof/profile?seconds=20" % server.address], check=True,
                       timeout=20)
        window.wait_text(r"^Recording, 1 of 20 s$")
        window.click(window.find("push button", "^Cancel"))
        window.wait_text("^Fetching Was Cancelled$")
        wait_for("nothing left behind", lambda: fetched_files() == before)
        window.key("ctrl+w")
    subprocess.run([window.program, "http://%s/debug/pprof/heap" % server.address], check=True, timeout=20)
    window.wait_text("^The Server Cannot Be Reached$")


@scenario
def names_from_the_server(open_window, scratch):
    """The server names what is not here; while it is silent, the user need not wait for that."""
    with Server() as server:
        window = open_window("http://%s/pprof/heap" % server.address)
        window.find(id="FlamePage.area")
        show_page(window, "Functions")
        wait_for("the name", lambda: "Schiff" in column_of(window, "Function", "."))
        check(server.asked[1:] == ["/pprof/symbol", "/pprof/symbol 0x40100f"], server.asked)
        server.is_silent = True
        window.key("ctrl+w")
        subprocess.run([window.program, "http://%s/pprof/heap" % server.address], check=True, timeout=20)
        window.wait_text("^Asking for names, 0 of 1$")
        window.click(window.find("push button", "^Show Without Names$"))
        window.find(id="FlamePage.area")
        show_page(window, "Functions")
        wait_for("the address", lambda: "server+0x100f" in column_of(window, "Function", "."))


@scenario
def secrets(open_window, scratch):
    """What lets in stays out of titles, and of what is written down."""
    with Server() as server:
        window = open_window("http://ann:sesame@%s/own?ticket=hush" % server.address)
        window.find(id="FlamePage.area")
        wait_title(window, r"^http://127\.0\.0\.1:\d+/own$")
        window.key("ctrl+w")
        window.find("label", r"^http://127\.0\.0\.1:\d+/own$")
        check(lambda: not [text for text in window.texts() if re.search("sesame|hush", text)])
    time.sleep(1)  # the list of recent files is written a little later
    found = subprocess.run(["grep", "-rlE", "sesame|hush", os.environ["HOME"]], capture_output=True, text=True).stdout
    check(found == "", found)


@scenario
def pasting(open_window, scratch):
    """An address that was copied elsewhere is fetched with one key."""
    helper = os.path.join(os.environ["PV_BUILD"], "tests", "ui", "drag-source")
    with Server() as server:
        window = open_window()
        window.wait_text("^Open a Profile$")
        for text, pattern in (("not an address", "^The clipboard does not contain the address of a profile$"),
                              (" http://%s/debug/pprof/heap\n" % server.address, "^all$")):
            source = subprocess.Popen([helper, "--copy", text])
            try:
                # A window that was told to take the focus does so a moment later.
                wait_for("the other window", lambda: window.hand.active() in window.hand.windows(source.pid))
                window.hand.ask("activate", window.window_id)
                window.key("ctrl+v")
                window.wait_text(pattern)
            finally:
                source.terminate()
                source.wait()
        wait_title(window, r"^127\.0\.0\.1:\d+ – Heap$")


@scenario
def fetching_again_and_again(open_window, scratch):
    """Each answer is added to a series, until it is stopped."""
    with Server() as server:
        window = open_window()
        window.wait_text("^Open a Profile$")
        window.key("ctrl+u")
        wait_for("the dialog", lambda: find_dialog(window))
        window.rest()
        window.type("%s/debug/pprof/heap" % server.address)
        # The row of the switch, the switch, the row of the seconds, their entry.
        window.key("Tab", "space", "Tab", "Tab", "Tab", "ctrl+a")
        window.type("1")
        window.key("alt+f")  # what was typed counts, though its entry still has the focus
        wait_title(window, r"^127\.0\.0\.1:\d+ – Heap — ([3-9]|\d\d) dumps$")
        show_page(window, "Timeline")
        before = title_of(window)
        wait_for("another dump", lambda: title_of(window) != before)
        check(lambda: title_of(window).endswith(" dumps"), lambda: title_of(window))
        wait_page(window, "Timeline")
        window.click(window.find("push button", "^Stop fetching$"))
        wait_for("the end of it", lambda: not list(window.all("push button", "^Stop fetching$")))
        n = server.n_answers
        time.sleep(2.5)  # two would have come
        check(server.n_answers == n, server.n_answers, n)
        # The next time it is a series at once.
        title = title_of(window)
        window.key("ctrl+w")
        window.wait_text("^Open a Profile$")
        # Until the tab is gone, the header bar has the same words.
        window.click(wait_for("its row", lambda: next(
            (label for label in window.all("label", "^%s$" % re.escape(title)) if label.get_box()[1] > 100), None)))
        wait_title(window, "^" + re.escape(title.split(" – ")[0]) + "|dumps$")
        window.find("page tab", "^Timeline$")


# Export --------------------------------------------------------------------------------------------------------------

@scenario
def exporting(open_window, scratch):
    """What is seen, and nothing else; it can be opened again."""
    path = os.path.join(scratch, "labelled.pb.gz")
    write_labelled(path)
    window = open_window(path)
    window.wait_text("^4 samples$")
    open_list(window, "^Labels")
    wait_for("the pages", lambda: {"shop", "search"} <= set(window.texts()))
    window.key("Tab", "Tab", "ctrl+Return")
    window.wait_text("^2 of 4 samples$")
    window.key("Escape")
    export_by_key(window, "pprof", "r")
    out = os.path.join(scratch, "out.pb.gz")
    choose_path(window, out, is_new=True)
    window.wait_text("^The profile was saved as “out.pb.gz”$")
    check(lambda: not os.path.exists(out + ".part"))
    subprocess.run([window.program, out], check=True, timeout=20)
    wait_title(window, r"^out\.pb\.gz$")
    window.wait_text("^2 samples$")
    wait_details(window, r"^all, .*Total\s100\.0 %\s+70\.0 ms")


@scenario
def exporting_for_others(open_window, scratch):
    """The same files as of the command line: of stacks, of functions, and a page for a browser."""
    path = os.path.join(DATA, "recordings", "threads-fp.data")
    window = open_window(path)
    window.wait_text("^585 samples$")
    for name, key, ending, told in (("Firefox", "f", ".profile.json.gz", "^“CPU time.*” was saved as “%s”$"),
                                    ("KCachegrind", "k", ".callgrind", "^The profile was saved as “%s”$"),
                                    ("Speedscope", "s", ".speedscope.json", "^“CPU time.*” was saved as “%s”$"),
                                    ("Folded", "d", ".folded", "^“CPU time.*” was saved as “%s”$"),
                                    ("Graphviz", "g", ".dot", "^The profile was saved as “%s”$"),
                                    ("TSV", "t", ".tsv", "^“CPU time.*” was saved as “%s”$"),
                                    ("JSON", "j", ".json", "^“CPU time.*” was saved as “%s”$"),
                                    ("Web Page", "b", ".html", "^The profile was saved as “%s”$")):
        export_by_key(window, name, key)
        out, wanted = os.path.join(scratch, "out" + ending), os.path.join(scratch, "wanted" + ending)
        choose_path(window, out, is_new=True)
        window.wait_text(told % re.escape("out" + ending))
        subprocess.run([window.program, "--export=" + wanted, path], check=True, timeout=20)
        with open(out, "rb") as ours, open(wanted, "rb") as theirs:
            check(ours.read() == theirs.read(), out, "is not what the command line writes")
    # Back from the submenu by keys, and its picture, which has a key of its own too.
    window.key("F10")
    wait_menu(window, "^Save As$")
    window.key("a")
    wait_menu(window, "Picture")
    window.key("Left")
    window.rest()
    window.key("a")
    window.rest()
    window.key("p")
    out = os.path.join(scratch, "out.svg")
    choose_path(window, out, is_new=True)
    window.wait_text("^The picture was saved as “out.svg”$")
    subprocess.run([window.program, os.path.join(scratch, "out.profile.json.gz")], check=True, timeout=20)
    wait_title(window, r"^out\.profile\.json\.gz$")
    window.wait_text("^585 samples$")


@scenario
def packing_with_sources(open_window, scratch):
    """Which source files go into a pack is shown before."""
    path, code = os.path.join(scratch, "p.pb"), os.path.join(scratch, "work.c")
    with open(code, "w", encoding="utf-8") as file:
        file.write("line\n" * 20)
    profile = LineProfile()
    profile.sample([("main", "/none/main.c", 3, False), ("work", code, 2, False)], 5)
    profile.write(path)
    window = open_window(path)
    window.wait_text("^1 sample$")
    for key, name, has_text in (("o", "without.profview", False), ("s", "with.profview", True)):
        export_by_key(window, "^Pack to", "o")
        before, out = window.window_id, os.path.join(scratch, name)
        window.window_id = wait_for("the dialog", lambda: find_dialog(window))
        window.click(window.find("check box", "^With source code"))
        wait_for("the check", lambda: window.find("check box", "^With source code").is_checked)
        window.key("alt+n")
        window.window_id = before
        choose_path(window, out, is_new=True)
        window.wait_text(r"^Save the Source Code of 1 File Too\?$")
        window.wait_text("^" + re.escape(code) + "$")
        window.rest()
        window.key("alt+" + key)
        window.wait_text("^The profile was saved as “%s”$" % name)
        with open(out, "rb") as file:
            check((b"SRCE" in file.read()) == has_text, name)


@scenario
def packing(open_window, scratch):
    """A pack of the whole profile is what the command line writes, and opens again with all its names."""
    path = os.path.join(DATA, "recordings", "threads-fp.data")
    window = open_window(path)
    window.wait_text("^585 samples$")
    export_by_key(window, "^Pack to", "o")
    out, wanted = os.path.join(scratch, "out.profview"), os.path.join(scratch, "wanted.profview")
    window.find("check box", "^Pseudonyms in place of all names$")
    window.find("check box", "^With source code")
    choose_path(window, out, is_new=True)
    window.wait_text("^The profile was saved as “out.profview”$")
    check(lambda: not os.path.exists(out + ".part"))
    subprocess.run([window.program, "--export=" + wanted, path], check=True, timeout=20)
    with open(out, "rb") as ours, open(wanted, "rb") as theirs:
        check(ours.read() == theirs.read(), out, "is not what the command line writes")
    subprocess.run([window.program, out], check=True, timeout=20)
    wait_title(window, r"^out\.profview$")
    window.wait_text("^585 samples$")
    # Once more without names: what is in it is known, and by whom is not.
    export_by_key(window, "^Pack to", "o")
    hidden = os.path.join(scratch, "hidden.profview")
    before = window.window_id
    window.window_id = wait_for("the dialog", lambda: find_dialog(window))
    box = window.find("check box", "^Pseudonyms in place of all names$")
    window.click(box)
    wait_for("the check", lambda: window.find("check box", "^Pseudonyms").is_checked)
    window.key("alt+n")
    window.window_id = before
    choose_path(window, hidden, is_new=True)
    window.wait_text("^The profile was saved as “hidden.profview”$")

    def ask(path):
        return subprocess.run([window.program, "--print=top", "--format=tsv", path], check=True, timeout=20, capture_output=True,
                              text=True).stdout.splitlines()[1:]

    named, nameless = ask(out), ask(hidden)
    check([row.split("\t")[:2] for row in named] == [row.split("\t")[:2] for row in nameless], nameless)
    names = {row.split("\t")[2] for row in named}
    check(not names & {row.split("\t")[2] for row in nameless}, nameless)


@scenario
def narrow(open_window, scratch):
    """All of it fits where there is little room."""
    path = os.path.join(scratch, "labelled.pb.gz")
    write_labelled(path)
    window = open_window(*write_dumps(os.path.join(scratch, "dumps")))
    wait_title(window, "dumps$")
    show_page(window, "Timeline")
    resize(window, 480, 700)
    drag(window, 0.25, 0.75)
    window.find(id="TimelinePage.growth_button")
    subprocess.run([window.program, path], check=True, timeout=20)
    window.wait_text("^4 samples$")
    window.rest()
    width = window.frame().get_box()[2]
    check(width < 492, "the window is", width, "wide")


if __name__ == "__main__":
    main()
