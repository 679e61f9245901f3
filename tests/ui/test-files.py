#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files: opened, broken, huge, reloaded, added. test-files.py PROFVIEW SCENARIO, inside session.sh."""

import os
import re
import shutil
import signal
import struct
import subprocess
import threading
import time

from driver import DATA, SYMBOLS, main, recording, scenario, wait_for
from flame_steps import click_row
from pprof_maker import Profile
from steps import (check, choose_path, crumbs, find_cell, open_sample, run_as_another_user, search_for, show_page,
                   title_of, wait_chip, wait_details, wait_page)


@scenario
def unknown_format(open_window, scratch):
    path = os.path.join(scratch, "letter.txt")
    with open(path, "w") as file:
        file.write("Dear reader,\n" * 100)
    window = open_window(path)
    window.wait_text("^This File Could Not Be Opened$")
    window.wait_text("letter.txt”: This is text, but not a profile in a known format\\.")


@scenario
def missing_file(open_window, scratch):
    window = open_window(os.path.join(scratch, "gone.data"))
    window.wait_text("^File Not Found$")


@scenario
def unreadable(open_window, scratch):
    path = os.path.join(scratch, "closed.data")
    with open(path, "wb") as file:
        file.write(b"PERFILE2")
    os.chmod(path, 0o600 if os.geteuid() == 0 else 0)
    if os.geteuid() == 0:  # who may read everything
        os.environ["PV_UNREADABLE"] = path
        run_as_another_user(scratch)
        return
    path = os.environ.get("PV_UNREADABLE", path)
    window = open_window(path)
    window.wait_text("^No Permission to Read This File$")
    command = window.wait_text("^sudo chown")
    check(path in command, command)
    window.find("push button", "Try Again")


@scenario
def copied_as_administrator(open_window, scratch):
    """With a stand-in for pkexec: what it may not do, here the user's own mode bits forbid."""
    if os.geteuid() == 0:
        run_as_another_user(scratch)
        return
    path = os.path.join(scratch, "it's <closed> & mine.data")
    shutil.copy(recording("inlining-fp.data"), path)
    os.chmod(path, 0)
    stand_in = os.path.join(scratch, "pkexec")
    answer = os.path.join(scratch, "answer")
    with open(stand_in, "w") as file:
        file.write('#!/bin/sh\nif [ -s "$PV_ANSWER" ]; then exit $(cat "$PV_ANSWER"); fi\n'
                   'chmod u+r "$PV_CLOSED"\nexec "$@"\n')
    os.chmod(stand_in, 0o755)
    window = open_window(*SYMBOLS, path, environment={
        "PATH": scratch + ":" + os.environ["PATH"], "PV_ANSWER": answer, "PV_CLOSED": path})
    with open(answer, "w") as file:
        file.write("127")
    window.click(window.find("push button", "Administrator"))
    window.wait_text("^Copying as administrator was not permitted$")
    os.unlink(answer)
    window.click(window.find("push button", "Administrator"))
    window.find(id="FlamePage.area")
    window.wait_text(r"^[\d,]+ samples$")
    window.wait_no_text("^No Permission")
    folder = os.path.join(os.environ["XDG_DATA_HOME"], "profview", "recordings")
    copies = os.listdir(folder)
    check(len(copies) == 1 and copies[0].endswith("it's <closed> & mine.data"), copies)
    mode = os.stat(os.path.join(folder, copies[0])).st_mode & 0o777
    check(mode == 0o600, "mode of the copy", oct(mode))


def write_long_recording(path, megabytes):
    """A recording repeated until it takes a while to read."""
    with open(recording("inlining-fp.data"), "rb") as file:
        content = bytearray(file.read())
    offset, size = struct.unpack_from("<QQ", content, 40)  # the data section of the file header
    repeats = megabytes * 1024 * 1024 // size
    # Behind the data are the feature sections, found by their place after it; leave them out.
    struct.pack_into("<Q", content, 48, size * repeats)
    struct.pack_into("<4Q", content, 72, 0, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(content[:offset])
        for _ in range(repeats):
            file.write(content[offset:offset + size])


def write_long_profile(path, megabytes):
    """A pprof file takes a while to read too, and has no first part to show."""
    profile = Profile(("cpu", "nanoseconds"))
    for i in range(1000):
        profile.sample(f"main;serve;handler{i % 7};work{i}", i + 1)
    profile.body *= megabytes * 1024 * 1024 // len(profile.body)
    with open(path, "wb") as file:
        file.write(profile.content())


def click_while_held(window, x, y):
    """Held while the pointer is on its way, so that loading is not done before the click; not for ever, as the X server
    serves nobody else while a program that holds it is stopped."""
    window.process.send_signal(signal.SIGSTOP)
    release = threading.Timer(5, lambda: window.process.send_signal(signal.SIGCONT))
    release.start()
    window.click_at(x, y, is_held=True)
    release.cancel()
    window.process.send_signal(signal.SIGCONT)


@scenario
def cancelling(open_window, scratch):
    path = os.path.join(scratch, "long.pb")
    write_long_profile(path, 400)
    window = open_window(path)
    click_while_held(window, *window.center(window.find("push button", "Cancel")))
    window.wait_text("^Loading Was Cancelled$")


@scenario
def stopping_after_the_first_part(open_window, scratch):
    """What has been read so far stays, and the bar says that it is not all."""
    path = os.path.join(scratch, "long.data")
    write_long_recording(path, 600)
    window = open_window(path)
    click_while_held(window, *window.center(window.find("push button", "^Stop reading$")))
    window.wait_text("^Only the first part of “long.data” has been read$")
    window.wait_text("^Only the first part$")


@scenario
def closing_while_loading(open_window, scratch):
    path = os.path.join(scratch, "long.data")
    write_long_recording(path, 600)
    window = open_window(path)
    window.find("push button", "^(Cancel|Stop reading)")  # the latter once a part of it is shown
    window.key("ctrl+w")
    window.wait_text("^Open a Profile$")
    time.sleep(1)  # what reads it ends unseen


@scenario
def folder_of_files(open_window, scratch):
    """A folder opens what is in it, a tab for each profile and each series, and says what was left out."""
    folder = os.path.join(scratch, "results")
    os.makedirs(os.path.join(folder, "more", "recorded"))
    for name, kind in (("cpu.pb", "samples"), ("heap-1.pb", "inuse_space"), ("heap-2.pb", "inuse_space"),
                       ("more/other.pb", "samples")):
        profile = Profile((kind, "bytes" if kind == "inuse_space" else "count"), time_ns=10**18 + len(name))
        profile.sample("main;work", 3)
        profile.write(os.path.join(folder, name))
    shutil.copy(recording("inlining-fp.data"), os.path.join(folder, "more", "recorded", "data"))
    with open(os.path.join(folder, "notes.txt"), "w") as file:
        file.write("Dear reader,\n" * 10)
    window = open_window(folder)
    window.wait_text("^“notes.txt” was left out: This is text, but not a profile in a known format$")
    tabs = {"cpu.pb", "heap — 2 dumps", "other.pb", "recorded"}
    wait_for(lambda: "tabs %s among %s" % (tabs, window.texts()), lambda: tabs <= set(window.texts()))
    # Several files are listed on request.
    with open(os.path.join(folder, "more", "readme.md"), "w") as file:
        file.write("# What this is\n")
    subprocess.run([window.program, folder], check=True, timeout=20)
    window.wait_text("^2 files were skipped$")
    window.click(window.find("push button", "^Details( Details)?$"))
    window.wait_text("^Skipped Files$")
    window.wait_text(r"notes\.txt: This is text, .*\n?readme\.md: This is text, |readme\.md: This is text, .*\n?notes\.txt: ")
    window.key("Escape")
    # Without any profile, the folder itself is said to be none.
    empty = os.path.join(scratch, "empty")
    os.mkdir(empty)
    subprocess.run([window.program, empty], check=True, timeout=20)
    window.wait_text("empty”: There is no profile in this folder")


@scenario
def closed_tabs(open_window, scratch):
    """A closed tab comes back to its place with its filters and page; from the last tab one turns to the first; and the keyboard
    is always in the content."""
    paths = []
    for name in ("one", "two", "three"):
        paths.append(os.path.join(scratch, name + ".pb"))
        profile = Profile(("samples", "count"))
        profile.sample("main;%s;work" % name, 3)
        profile.sample("main;rest", 2)
        profile.write(paths[-1])
    window = open_window(*paths)
    for turn, title in (("Page_Down", "one"), ("Page_Down", "two"), ("Page_Up", "one"), ("Page_Up", "three"),
                        ("Page_Up", "two"), ("Page_Up", "one")):
        window.key("ctrl+" + turn)
        wait_for("the tab " + title, lambda: title_of(window).startswith(title + ".pb"))
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^work$"))
    window.key("f")
    wait_chip(window, "^Focus: work$")
    window.key("ctrl+w")
    wait_for("the next tab", lambda: title_of(window).startswith("two.pb"))

    def is_in_page():
        return any(node.is_focused for node in window.find(id="DocumentView.pages").below)

    wait_for("the keyboard in the page", is_in_page)
    window.key("ctrl+shift+t")
    wait_for("the closed tab", lambda: title_of(window).startswith("one.pb"))
    wait_chip(window, "^Focus: work$")
    wait_page(window, "Functions")
    wait_for("the keyboard in the page again", is_in_page)
    window.key("ctrl+Page_Down")
    wait_for("the tab at its old place", lambda: title_of(window).startswith("two.pb"))
    # All of them, the last one closed first.
    window.key("ctrl+w", "ctrl+w", "ctrl+w")
    window.wait_text("^Open a Profile$")
    for title in ("one", "three", "two"):
        window.key("ctrl+shift+t")
        wait_for("the tab " + title, lambda: title_of(window).startswith(title + ".pb"))


@scenario
def missing_files(open_window, scratch):
    """What is to be said of three files is said once, and not again in the list of files below."""
    window = open_window("--sysroot=" + scratch, recording("loader-fp.data"))
    window.wait_text("^248 samples$")
    show_page(window, "Summary")
    window.wait_text("^3 files were not found$")
    window.wait_text("^Their functions have no names\\. Add a folder that has them, a sysroot, or ")
    window.wait_text("^File modified$")
    # The sections are filled one after the other.
    check(lambda: not [text for text in window.texts()
                       if "libplugin.so was not found" in text or text in ("file not found", "Recorded")], window.texts)
    window.click(window.find("label", "^3 files were not found$"))
    window.wait_text("^/opt/samples/bin/libplugin.so was not found, so its functions have no names\\.")


@scenario
def no_call_graph(open_window, scratch):
    window = open_sample(open_window, "calls-flat.data")
    window.wait_text("call.?(graph|stack)")
    window.click(window.find("push button", "^Details$"))
    wait_page(window, "Summary")
    window.wait_text("^About This Recording$")


@scenario
def reloading(open_window, scratch):
    path = os.path.join(scratch, "perf.data")
    shutil.copy(recording("inlining-fp.data"), path)
    window = open_window(*SYMBOLS, path)
    window.wait_text("^1,155 samples$")
    show_page(window, "Call Tree")
    # "perf record" again: another file under the same name.
    shutil.copy(recording("recursion-fp.data"), path + ".new")
    os.replace(path + ".new", path)
    window.key("F5")
    window.wait_no_text("^1,155 samples$")
    window.wait_text(r"^[\d,]+ samples$")
    wait_page(window, "Call Tree")
    check(lambda: title_of(window) == "perf.data", lambda: title_of(window))
    # What is shown stays if there is nothing to replace it.
    os.unlink(path)
    window.key("F5")
    window.wait_text("^“perf.data” could not be read again: ")
    window.wait_text(r"^[\d,]+ samples$")
    wait_page(window, "Call Tree")
    shutil.copy(recording("inlining-fp.data"), path)
    window.key("F5")
    window.wait_text("^1,155 samples$")
    # Who waits for the page to come up does not type into the middle of that.
    wait_for("the focus", lambda: any(
        node.is_focused for node in window.all()))


@scenario
def adding_files(open_window, scratch):
    """Stacks end where a program is missing; once its folder is added they are whole, and the user still
    looks at the same function."""
    path = os.path.join(scratch, "perf.data")
    data = subprocess.run(["zstd", "-dcq", recording("calls-dwarf.data.zst")], check=True,
                          capture_output=True).stdout
    with open(path, "wb") as file:
        file.write(data.replace(b"/opt/samples/", b"/opt/absent_/"))
    libraries = os.path.join(scratch, "libraries")
    shutil.copytree(os.path.join(DATA, "sysroot", "usr"), os.path.join(libraries, "usr"))
    window = open_window("--sysroot=" + libraries, path)
    window.wait_text("^213 samples$")
    search_for(window, "__qsort_r")
    window.wait_text(r"^1 function, 32\.4 %$")
    window.key("Return")
    wait_details(window, r"^__qsort_r.*Total\s32\.4 %")
    click_row(window, 2, share=0.1)
    wait_for("the path", lambda: re.fullmatch(r"all calls-nofp\+0x[0-9a-f]+ __qsort_r", " ".join(crumbs(window))))
    path_before = crumbs(window)
    # A folder without anything of use.
    window.click(window.find("push button", "^Add Folder…"))
    choose_path(window, os.path.join(DATA, "recordings"))
    window.wait_text("^“recordings” has none of the missing files$")
    check(lambda: crumbs(window) == path_before, lambda: crumbs(window))
    # The notice came back, as it is still true.
    window.click(window.find("push button", "^Add Folder…"))
    choose_path(window, os.path.join(DATA, "sysroot", "opt", "samples", "bin"))
    window.wait_text("^Found 1 missing file in “bin”$")
    wait_for("the way to the same function", lambda: crumbs(window)[-2:] == ["main", "__qsort_r"])
    wait_details(window, r"^__qsort_r.*Total\s54\.5 %")
    window.wait_text(r"^1 function, 54\.5 %$")
    show_page(window, "Functions")
    window.wait_text(r"^msort_with_tmp")
    # Only profiles are among the recent files.
    window.key("ctrl+w")
    window.wait_text("^perf.data$")
    check(lambda: not {"bin", "recordings"} & set(window.texts()), lambda: window.texts())


if __name__ == "__main__":
    main()
