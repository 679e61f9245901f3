#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Debug information and sources that are fetched, or are elsewhere. test-debug-info.py PROFVIEW SCENARIO, inside session.sh."""

import http.server
import os
import re
import shutil
import subprocess
import threading
import time

from driver import DATA, SYMBOLS, main, recording, scenario, wait_for
from steps import check, find_cell, resize, show_page


class DebugInfoServer:
    """Has one file, such as debug information. Until it is hurried it sends a little at a time."""

    def __init__(self, path, ending="/debuginfo"):
        self.asked, self.is_quick = [], threading.Event()
        server = self
        with open(path, "rb") as file:
            content = file.read()

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def do_GET(self):
                server.asked.append(self.path)
                is_here = self.path.endswith(ending)
                self.send_response(200 if is_here else 404)
                self.send_header("Content-Length", str(len(content) if is_here else 0))
                self.end_headers()
                if not is_here:
                    return
                try:
                    for start in range(0, len(content), 1000):
                        self.wfile.write(content[start:start + 1000])
                        self.wfile.flush()
                        if not server.is_quick.is_set():
                            time.sleep(0.5)
                except OSError:
                    pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


def open_stripped(open_window, scratch):
    """The program is stripped, and a debuginfod server has its debug information. The first button is its."""
    original = os.path.join(DATA, "sysroot", "opt", "samples", "bin", "inlining")
    sysroot = os.path.join(scratch, "sysroot")
    os.makedirs(os.path.join(sysroot, "opt", "samples", "bin"))
    shutil.copytree(os.path.join(DATA, "sysroot", "usr"), os.path.join(sysroot, "usr"))
    subprocess.run(["strip", "-o", os.path.join(sysroot, "opt", "samples", "bin", "inlining"), original],
                   check=True)
    server = DebugInfoServer(original)
    window = open_window("--sysroot=" + sysroot, recording("inlining-fp.data"), environment={
        "DEBUGINFOD_URLS": "http://127.0.0.1:%d/" % server.http.server_port,
        "DEBUGINFOD_CACHE_PATH": os.path.join(scratch, "cache"), "no_proxy": "127.0.0.1"})
    window.wait_text("^1,155 samples$")
    show_page(window, "Summary")
    window.click(window.find(name=r"^\d files have no debug information"))
    return window, server, original


@scenario
def debug_info_from_elsewhere(open_window, scratch):
    """Another program has fetched it by now, or a fetch that was cancelled too late."""
    window, server, original = open_stripped(open_window, scratch)
    fetch = window.find("push button", "^Fetch Debug Information$")
    build_id = re.search(r"[0-9a-f]{40}", subprocess.run(["readelf", "-n", original], check=True, text=True,
                                                         capture_output=True).stdout).group(0)
    place = os.path.join(scratch, "cache", build_id)
    os.makedirs(place)
    shutil.copy(original, os.path.join(place, "debuginfo"))
    window.click(fetch)
    wait_for("names", lambda: not list(window.all(name="is stripped: only exported functions")))
    check(server.asked == [], server.asked)


@scenario
def fetching_debug_info(open_window, scratch):
    """It takes its time."""
    window, server, _ = open_stripped(open_window, scratch)
    fetch = window.find("push button", "^Fetch Debug Information$")
    check(server.asked == [], "nothing is asked before the click", server.asked)
    window.click(fetch)
    cancel = window.find("push button", "^Cancel Fetching$")
    window.wait_text(r"^[\d.]+.(K|M)?i?B of [\d.]+.(K|M)iB$")
    window.click(cancel)
    wait_for("no fetch", lambda: not list(window.all("push button", "^Cancel Fetching$")))
    check(len(server.asked) == 1, server.asked)
    server.is_quick.set()
    window.click(window.find("push button", "^Fetch Debug Information$"))
    wait_for("names", lambda: not list(window.all(name="is stripped: only exported functions")))
    show_page(window, "Functions")
    window.wait_text(r"^geometry::Vec::dot")
    check(set(path.split("/")[-1] for path in server.asked) == {"debuginfo"}, server.asked)


@scenario
def source_from_debuginfod(open_window, scratch):
    """The program is here, its source is not: a button asks the server, and only that. Then it is found in the cache."""
    served, asked = os.path.join(scratch, "served.cpp"), []
    with open(served, "w") as file:
        file.writelines("served line %d\n" % i for i in range(1, 201))

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            with open(served, "rb") as file:
                content = file.read()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    window = open_window(*SYMBOLS, recording("inlining-fp.data"), environment={
        "DEBUGINFOD_URLS": "http://127.0.0.1:%d/" % server.server_port,
        "DEBUGINFOD_CACHE_PATH": os.path.join(scratch, "cache"), "no_proxy": "127.0.0.1"})
    window.wait_text("^1,155 samples$")
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"))
    show_page(window, "Source")
    window.wait_text("^/opt/samples/src/inlining.cpp was not found$")
    button = window.find("push button", "^Download from debuginfod$")
    window.find("push button", "^Show Machine Code$")
    check(asked == [], "nothing is asked before the click", asked)
    # The buttons leave room for what they are about.
    resize(window, 800, 600)
    path = window.find("label", "^/opt/samples/src/inlining.cpp was not found$")
    wait_for("the path", lambda: path.get_box()[2] > 150)
    window.click(button)
    window.wait_text("^/opt/samples/src/inlining.cpp, from a debuginfod server$")
    check(len(asked) == 1 and asked[0].endswith("/source/opt/samples/src/inlining.cpp"), asked)
    check(lambda: not list(window.all("push button", "^Download from debuginfod$")), "there is nothing to fetch")


@scenario
def source_download_cancelled(open_window, scratch):
    """In the middle: nothing of it is kept, and the next one gets all of the file."""
    served, cache = os.path.join(scratch, "served.cpp"), os.path.join(scratch, "cache")
    with open(served, "w") as file:
        file.writelines("served line %d\n" % i for i in range(1, 2001))
    server = DebugInfoServer(served, "/source/opt/samples/src/inlining.cpp")
    window = open_window(*SYMBOLS, recording("inlining-fp.data"), environment={
        "DEBUGINFOD_URLS": "http://127.0.0.1:%d/" % server.http.server_port,
        "DEBUGINFOD_CACHE_PATH": cache, "no_proxy": "127.0.0.1"})

    def list_cached():
        """Settings of the library are no files of others."""
        return sorted(name for _, _, names in os.walk(cache) for name in names if "source" in name)

    window.wait_text("^1,155 samples$")
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", r"^geometry::Vec::dot$"))
    show_page(window, "Source")
    window.wait_text("^/opt/samples/src/inlining.cpp was not found$")
    for n_asked in (1, 2):
        window.click(window.find("push button", "^Download from debuginfod$"))
        cancel = window.find("push button", "^Cancel Download$")
        window.wait_text(r"^[\d.]+.(K|M)?i?B of [\d.]+.KiB$")
        check(lambda: list_cached() != [], "it is on its way to the cache")
        window.click(cancel)
        window.find("push button", "^Download from debuginfod$")
        check(lambda: not list(window.all(name=r"B of [\d.]+.KiB$")), "nothing is on its way")
        check(lambda: not list(window.all(name="was not downloaded")), "the user knows that it was cancelled")
        window.find("label", "^/opt/samples/src/inlining.cpp was not found$")
        wait_for("an empty cache", lambda: list_cached() == [])
        check(len(server.asked) == n_asked, server.asked)
    server.is_quick.set()
    window.click(window.find("push button", "^Download from debuginfod$"))
    window.wait_text("^/opt/samples/src/inlining.cpp, from a debuginfod server$")
    check(lambda: len(server.asked) == 3 and len(list_cached()) == 1, server.asked, list_cached)
    kept = next(os.path.join(folder, name) for folder, _, names in os.walk(cache) for name in names if "source" in name)
    check(os.path.getsize(kept) == os.path.getsize(served), "all of it", os.path.getsize(kept))


if __name__ == "__main__":
    main()
