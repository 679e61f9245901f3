#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The help, from keys, the menu and the “?” beside things. test-help.py PROFVIEW SCENARIO, inside session.sh."""

import os

from driver import DATA, SYMBOLS, main, recording, scenario, wait_for
from record_steps import in_dialog, open_dialog, press, standin
from steps import check, find_dialog, open_menu, show_page, wait_no_dialog

HTML = os.path.join(os.path.realpath(os.environ["PV_BUILD"]), "data", "help", "C.html")


class Viewer:
    """A desktop with the help and an application for it, a program that writes down what it is asked to open. Or with an
    application for HTML only."""

    def __init__(self, scratch, kind="x-scheme-handler/help", status=0):
        self.asked = os.path.join(scratch, "asked")
        share = os.path.join(scratch, "share")
        applications = os.path.join(share, "applications")
        program = os.path.join(scratch, "viewer")
        os.makedirs(applications)
        with open(program, "w") as file:
            file.write("#!/bin/sh\nprintf '%%s\\n' \"$@\" > '%s.new' && mv '%s.new' '%s'\nexit %d\n" %
                       (self.asked, self.asked, self.asked, status))
        os.chmod(program, 0o755)
        with open(os.path.join(applications, "viewer.desktop"), "w") as file:
            file.write('[Desktop Entry]\nType=Application\nName=Viewer\nExec="%s" %%u\nMimeType=%s;\n' % (program, kind))
        with open(os.path.join(applications, "mimeapps.list"), "w") as file:
            file.write("[Default Applications]\n%s=viewer.desktop\n" % kind)
        self.environment = {"XDG_DATA_HOME": share}
        if kind.endswith("help"):
            folder = os.path.join(share, "help", "C", "profview")
            os.makedirs(folder)
            open(os.path.join(folder, "index.page"), "w").close()

    def read(self):
        if not os.path.exists(self.asked):
            return None
        with open(self.asked) as file:
            return file.read().rstrip("\n")

    def wait(self, uri):
        wait_for(lambda: "%s, not %s" % (uri, self.read()), lambda: self.read() == uri)
        os.remove(self.asked)

    def ask(self, window, name, page):
        window.click(window.find("push button", "^%s$" % name))
        self.wait("help:profview/" + page)


@scenario
def start_page(open_window, scratch):
    viewer = Viewer(scratch)
    window = open_window(environment=viewer.environment)
    window.wait_text("^Open a Profile$")
    window.key("F1")
    viewer.wait("help:profview/start")


@scenario
def pages(open_window, scratch):
    """F1 and the menu open the page on what is shown, in the desktop's viewer."""
    viewer = Viewer(scratch)
    window = open_window(*SYMBOLS, recording("threads-fp.data"), environment=viewer.environment)
    window.wait_text(r"^[\d,]+ samples$")
    for page, uri in (("Flame Graph", "graph"), ("Treemap", "graph#treemap"), ("Summary", "summary"),
                      ("Bottom Up", "functions#bottom-up"), ("Threads", "timeline"), ("Source", "source")):
        show_page(window, page)
        window.key("F1")
        viewer.wait("help:profview/" + uri)
    show_page(window, "Functions")
    open_menu(window, window.find(id="Window.menu_button"), "^Help$")
    window.key("h")
    viewer.wait("help:profview/functions")
    # The list of keys has a key of its own.
    window.key("ctrl+question")
    window.wait_text("^Help on what is shown$")
    window.wait_text("^Keyboard shortcuts$")
    window.key("Escape")
    window.rest()
    check(lambda: viewer.read() is None, "nothing else was opened")


@scenario
def browser(open_window, scratch):
    """Without a viewer the same is a page of HTML."""
    viewer = Viewer(scratch, "text/html")
    window = open_window(*SYMBOLS, recording("inlining-fp.data"), environment=viewer.environment)
    window.wait_text(r"^[\d,]+ samples$")
    window.key("F1")
    viewer.wait("file://%s#graph" % HTML)
    show_page(window, "Bottom Up")
    window.key("F1")
    viewer.wait("file://%s#functions-bottom-up" % HTML)
    with open(HTML) as file:
        check('id="functions-bottom-up"' in file.read(), "the page has that place")


@scenario
def failure(open_window, scratch):
    """Where nothing can show it, a message says where it is."""
    viewer = Viewer(scratch, "text/html", status=3)
    window = open_window(*SYMBOLS, recording("inlining-fp.data"), environment=viewer.environment)
    window.wait_text(r"^[\d,]+ samples$")
    window.key("F1")
    window.wait_text("^Help Cannot Be Shown$")
    window.wait_text("Viewer did not open the file: .*code 3")
    window.wait_text("%s$" % HTML)
    window.key("Escape")
    wait_no_dialog(window)


# A “?” leads to the page on what it is beside.

@scenario
def beside_measure(open_window, scratch):
    viewer = Viewer(scratch)
    window = open_window(*SYMBOLS, recording("inlining-fp.data"), environment=viewer.environment)
    window.wait_text(r"^[\d,]+ samples$")
    viewer.ask(window, "Help on the measure", "measure-cpu")
    show_page(window, "Summary")
    viewer.ask(window, "Help on stacks", "stacks")


@scenario
def beside_heap(open_window, scratch):
    """Each measure of a heap has a section of its own."""
    viewer = Viewer(scratch)
    window = open_window(os.path.join(DATA, "heaptrack", "containers.zst"), environment=viewer.environment)
    viewer.ask(window, "Help on the measure", "measure-heap#peak")
    show_page(window, "Summary")
    viewer.ask(window, "Help on Leaked", "measure-heap#leaked")


@scenario
def beside_nothing(open_window, scratch):
    viewer = Viewer(scratch)
    window = open_window(*SYMBOLS, "--time=50ms..52ms", recording("kernel-fp.data"), environment=viewer.environment)
    window.wait_text("^No CPU time")
    viewer.ask(window, "Help on why nothing is shown", "query#time")


@scenario
def beside_error(open_window, scratch):
    viewer = Viewer(scratch)
    window = open_window(os.path.join(scratch, "viewer"), environment=viewer.environment)
    window.wait_text("^This File Could Not Be Opened$")
    viewer.ask(window, "Help on this error", "formats")
    window.key("F1")
    viewer.wait("help:profview/formats")


@scenario
def beside_comparison(open_window, scratch):
    viewer = Viewer(scratch)
    window = open_window(*SYMBOLS, "--diff", recording("inlining-fp.data"), recording("inlining-fp-z.data"),
                         environment=viewer.environment)
    window.wait_text("^As Recorded$")
    viewer.ask(window, "Help on sure changes and noise", "noise")
    show_page(window, "Timeline")
    viewer.ask(window, "Help on this page", "timeline")


@scenario
def dialog(open_window, scratch):
    """The dialog is in front: its page, and not that of the window behind it."""
    viewer = Viewer(scratch)
    window = open_window(environment={**standin(), **viewer.environment})
    window.wait_text("^Open a Profile$")
    open_dialog(window)
    window.key("F1")
    viewer.wait("help:profview/record")
    with in_dialog(window) as frame:
        press(window, frame, "^Help on recording$")
    viewer.wait("help:profview/record")
    window.key("Escape")
    wait_no_dialog(window)
    window.key("ctrl+comma")
    wait_for("the dialog", lambda: find_dialog(window))
    window.key("F1")
    viewer.wait("help:profview/preferences")
    window.key("Escape")
    wait_no_dialog(window)


main()
