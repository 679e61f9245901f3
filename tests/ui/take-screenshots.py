#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of data/screenshots, see build-aux/screenshots."""

import os
import subprocess

from driver import DATA, SYMBOLS, main, recording, scenario
from steps import show_page, speak

FOLDER = os.path.join(os.environ["PV_SOURCE"], "data", "screenshots")
DARK = {"ADW_DEBUG_COLOR_SCHEME": "prefer-dark"}


def take(window, name):
    window.rest(1)
    left, top, width, height = window.hand.geometry(window.window_id)
    subprocess.run(["import", "-window", "root", "-crop", "%dx%d+%d+%d" % (width, height, left, top), "+repage", "-strip",
                    "-define", "png:compression-level=9", os.path.join(FOLDER, name + ".png")], check=True)


def open_profile(open_window, path, environment=None):
    language = os.environ.get("LANGUAGE")
    return open_window(*SYMBOLS, path, environment={**(speak(language) if language else {}), **(environment or {})})


@scenario
def time(open_window, scratch):
    window = open_profile(open_window, recording("inlining-fp.data"))
    for name, page in (("flame-graph", "Flame Graph"), ("summary", "Summary"), ("functions", "Functions")):
        show_page(window, page)
        take(window, name)


@scenario
def dark(open_window, scratch):
    window = open_profile(open_window, recording("inlining-fp.data"), DARK)
    show_page(window, "Flame Graph")
    take(window, "flame-graph-dark")


@scenario
def threads(open_window, scratch):
    window = open_profile(open_window, recording("threads-fp.data"))
    show_page(window, "Threads")
    take(window, "timeline")


@scenario
def memory(open_window, scratch):
    window = open_profile(open_window, os.path.join(DATA, "heaptrack", "containers.raw.zst"))
    window.key("ctrl+4")
    take(window, "memory")


main()
