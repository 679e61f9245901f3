#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page Source: lines, machine code, calls, the editor. test-source.py PROFVIEW SCENARIO, inside session.sh."""

import json
import os
import re
import shutil

from driver import DATA, main, scenario, wait_for
from flame_steps import ROW
from pprof_maker import LineProfile
from steps import (check, choose_path, column_of, find_cell, find_dialog, show_page, wait_menu, wait_no_dialog,
                   wait_pasted)


@scenario
def source(open_window, scratch):
    """The lines of the selected function, the hottest first; a file that is elsewhere is found once, and remembered."""
    path, code = os.path.join(scratch, "p.pb"), os.path.join(scratch, "build", "src", "work.c")
    os.makedirs(os.path.dirname(code))
    with open(code, "w") as file:
        file.writelines("line %d\n" % i for i in range(1, 301))
    profile = LineProfile()
    for line, value in ((200, 60), (10, 25), (11, 15)):
        profile.sample([("main", "/none/main.c", 3, False), ("work", code, line, False)], value)
    profile.write(path)
    window = open_window(path)
    show_page(window, "Source")
    # Nothing is selected: it is the hottest function, with the keyboard in its text.
    window.wait_text("^Hottest of Your Code$")
    window.wait_text(r"^Line 200: self 60 \(60\.0 %\), total 60 \(60\.0 %\)$")
    window.key("Down")
    window.wait_text(r"^Line 201$")
    window.key("Up")
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^work$"))
    show_page(window, "Source")
    window.wait_no_text("^Hottest of Your Code$")
    window.wait_text(r"^Line 200: self 60 \(60\.0 %\), total 60 \(60\.0 %\)$")
    window.wait_text("^" + re.escape(code) + "$")
    window.click(window.find("push button", "^Next Hottest Line$"))
    window.wait_text(r"^Line 10: self 25 ")
    window.click(window.find("push button", "^Next Hottest Line$"))
    window.wait_text(r"^Line 11: self 15 ")
    check(lambda: not window.find("push button", "^Next Hottest Line$").is_sensitive, "there is no cooler line")
    window.click(window.find("push button", "^Hotter Line$"))
    window.wait_text(r"^Line 10: self 25 ")
    # The keyboard is in the text.
    window.key("ctrl+3", "ctrl+5", "Down")
    window.wait_text(r"^Line 11: self 15 ")
    window.key("Down")
    window.wait_text(r"^Line 12$")
    # Of a function whose file is not here, the lines with a cost.
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^main$"))
    show_page(window, "Source")
    window.wait_text("^/none/main.c was not found$")
    window.wait_text(r"^Line 3: self 0 \(0\.0 %\), total 100 ")
    os.rename(os.path.join(scratch, "build"), os.path.join(scratch, "moved"))
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^work$"))
    show_page(window, "Source")
    window.wait_text("^" + re.escape(code) + " was not found$")
    window.click(window.find("push button", "^Find This File…$"))
    moved = os.path.join(scratch, "moved", "src", "work.c")
    choose_path(window, moved)
    window.wait_text("^" + re.escape(moved) + "$")
    check(lambda: not list(window.all("push button", "^Find This File…$")), "there is nothing to find")
    # Another file from there is found by the same mapping.
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^main$"))
    show_page(window, "Source")
    window.wait_text("^/none/main.c was not found$")
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^work$"))
    show_page(window, "Source")
    window.wait_text("^" + re.escape(moved) + "$")


@scenario
def names_that_look_like_markup(open_window, scratch):
    """They are shown as they are where there is no source and no machine code."""
    names = ["operator<", "broken & bold", "plain"]
    path = os.path.join(scratch, "p.speedscope.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"$schema": "https://www.speedscope.app/file-format-schema.json",
                   "shared": {"frames": [{"name": name} for name in names] +
                              [{"name": "main", "file": "/none/main.c", "line": 1}]},
                   "profiles": [{"type": "sampled", "name": "p", "unit": "none", "startValue": 0, "endValue": 6,
                                 "samples": [[3, 0], [3, 1], [3, 2]], "weights": [1, 2, 3]}]}, file)
    window = open_window(path)
    for name in names:
        show_page(window, "Functions")
        window.click(find_cell(window, "Functions", "^" + re.escape(name) + "$"))
        show_page(window, "Source")
        window.wait_text("^There is no line information for " + re.escape(name) + r"\.$")


@scenario
def source_of_neighbors(open_window, scratch):
    """Other functions' lines in the file have their costs too, and lead to their functions."""
    path, code = os.path.join(scratch, "p.pb"), os.path.join(scratch, "work.c")
    with open(code, "w") as file:
        file.writelines("line %d\n" % i for i in range(1, 61))
    profile = LineProfile()
    for stack, value in (([("work", 20)], 50), ([("help", 10), ("work", 20)], 10), ([("help", 11)], 30), ([("other", 20)], 10)):
        profile.sample([("main", code, 3, False), *((name, code, line, False) for name, line in stack)], value)
    profile.write(path)
    window = open_window(path)
    show_page(window, "Source")
    # A line that other functions have too.
    window.wait_text(r"^Line 20: self 60 \(60\.0 %\), total 60 \(60\.0 %\) · in all functions: self 70 ")
    check(lambda: not window.find("push button", "^Next Hottest Line$").is_sensitive, "the only line of the function")
    for line, text in ((11, r"^Line 11 of help: self 30 \(30\.0 %\), total 30 "), (10, r"^Line 10 of help: self 0 .*, total 10 "),
                       (3, r"^Line 3 of main: self 0 .*, total 100 "), (4, r"^Line 4$")):
        window.key("ctrl+i")
        window.type(str(line))
        window.key("Return")
        window.wait_text(text)
    window.key("ctrl+i")
    window.type("11")
    window.key("Return", "shift+F10")
    wait_menu(window, "^Select the Function of This Line$")
    window.key("f")
    window.wait_text(r"^Line 11: self 30 ")
    window.find("label", "^help$")


@scenario
def source_picture(open_window, scratch):
    """Export on the page Source: a picture of what it shows, with the measures beside it, as text."""
    path, code = os.path.join(scratch, "p.pb"), os.path.join(scratch, "work.c")
    with open(code, "w") as file:
        file.writelines("line %d\n" % i for i in range(1, 301))
    profile = LineProfile()
    for line, value in ((200, 60), (10, 25), (11, 15)):
        profile.sample([("work", code, line, False)], value)
    profile.write(path)
    window = open_window(path)
    show_page(window, "Source")
    window.wait_text(r"^Line 200: self 60 ")

    def export(name):
        window.key("ctrl+e")
        choose_path(window, os.path.join(scratch, name), is_new=True)
        window.wait_text("^The picture was saved as “%s”$" % re.escape(name))
        with open(os.path.join(scratch, name), "rb") as file:
            return file.read()

    texts = re.findall("<text[^>]*>(.*)</text>", export("source.svg").decode().replace("\xa0", " "))
    for text in ("Self", "Total", "work: self 100.0 %, total 100.0 %", code, "60.0 %", "200", "line 200",
                 "… 182 lines without cost"):
        check(text in texts, text, texts)
    check(export("source.pdf").startswith(b"%PDF-"), "a PDF")
    check(export("source.png").startswith(b"\x89PNG"), "a PNG")


@scenario
def long_source(open_window, scratch):
    """Of a very long file the part around the hottest line is shown, and which one is said."""
    path, code = os.path.join(scratch, "p.pb"), os.path.join(scratch, "long.c")
    with open(code, "w") as file:
        file.writelines("line %d\n" % i for i in range(1, 40001))
    profile = LineProfile()
    for line, value in ((30000, 60), (29000, 25), (10, 15)):
        profile.sample([("work", code, line, False)], value)
    profile.write(path)
    window = open_window(path)
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^work$"))
    show_page(window, "Source")
    window.wait_text("^%s, lines 25000 to 34999 of 40000$" % re.escape(code))
    window.wait_text("^Line 30000: self 60 ")
    window.click(window.find("push button", "^Next Hottest Line$"))
    window.wait_text("^Line 29000: self 25 ")


def write_calls(scratch):
    """The source of work (), which calls add (), inlined, and print (); in base.pb less often than in new.pb."""
    code = os.path.join(scratch, "work.c")
    with open(code, "w") as file:
        file.writelines("text of line %d\n" % i for i in range(1, 301))
    for name, factor in (("base.pb", 1), ("new.pb", 3)):
        profile = LineProfile()
        work = [("main", "/none/main.c", 3, False), ("work", code, 200, False)]
        profile.sample([*work, ("add", code, 20, True), ("carry", code, 25, True)], 60 * factor)
        profile.sample([*work, ("add", code, 21, True)], 10)
        profile.sample([*work, ("print", "/none/print.c", 5, False)], 30)
        profile.write(os.path.join(scratch, name))
    return [os.path.join(scratch, name) for name in ("base.pb", "new.pb")]


@scenario
def source_comparison(open_window, scratch):
    """What a line cost before and costs now."""
    window = open_window("--diff", *write_calls(scratch))
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^work$"))
    show_page(window, "Source")
    window.wait_text(r"^Line 200: self 0, total \+120 \(from 100 to 220\)$")
    for title in ("Self Change", "Base", "New", "Change"):
        window.find("label", "^%s$" % title)


@scenario
def source_calls(open_window, scratch):
    """Below a line is what it calls, inlined bodies with their lines; finding text and lines."""
    window = open_window(write_calls(scratch)[0])
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^work$"))
    show_page(window, "Source")
    window.wait_text(r"^Line 200: self 0 \(0\.0 %\), total 100 \(100\.0 %\)$")
    window.key("Return")
    window.find("push button", "^add$")
    window.find("push button", "^print$")
    check(lambda: len(list(window.all("label", "^inlined$"))) == 1, "one of two calls is inlined")
    # The line of the calls is one of the text.
    window.key("Down", "Down")
    window.wait_text("^Line 201$")
    window.click(window.find("push button", "^Inlined Code$"))
    window.wait_text(r"^work\.c:20$")
    window.wait_text("^text of line 21$")
    window.find("push button", "^carry$")
    window.key("ctrl+i")
    window.type("20")
    window.key("Return")
    window.wait_text("^Line 20 of add: self 0 ")
    window.key("ctrl+shift+f")
    window.type("line 25")
    window.wait_text(r"^1 of 11$")  # line 25, lines 250 to 259
    window.key("Return")
    window.wait_text(r"^2 of 11$")
    window.wait_text("^Line 250$")
    window.key("Escape", "ctrl+i")
    window.type("200")
    window.key("Return")
    window.wait_text("^Line 200: ")
    window.click(window.find("push button", "^print$"))
    window.wait_text("^/none/print.c was not found$")


@scenario
def open_in_editor(open_window, scratch):
    """Rows, boxes and lines open in an editor, here a program that writes down what it is asked; no shell is involved."""
    path, code = os.path.join(scratch, "p.pb"), os.path.join(scratch, "a b; $(x)", "-work.c")
    program, asked = os.path.join(scratch, "my editor"), os.path.join(scratch, "asked")
    os.makedirs(os.path.dirname(code))
    with open(code, "w") as file:
        file.writelines("line %d\n" % i for i in range(1, 301))
    with open(program, "w") as file:
        file.write("#!/bin/sh\nprintf '%%s\\n' \"$#\" \"$@\" > '%s.new' && mv '%s.new' '%s'\n" % (asked, asked, asked))
    os.chmod(program, 0o755)
    profile = LineProfile()
    for line, value in ((200, 60), (10, 25)):
        profile.sample([("main", "/none/main.c", 3, False), ("work", code, line, False)], value)
    profile.write(path)
    # What opens such files in this system.
    applications = os.path.join(scratch, "share", "applications")
    os.makedirs(applications)
    with open(os.path.join(applications, "viewer.desktop"), "w") as file:
        file.write('[Desktop Entry]\nType=Application\nName=Viewer\nExec="%s" --viewer %%f\n' % program)
    with open(os.path.join(applications, "mimeapps.list"), "w") as file:
        file.write("[Default Applications]\ntext/x-csrc=viewer.desktop\ntext/plain=viewer.desktop\n")
    window = open_window(path, environment={"XDG_DATA_HOME": os.path.join(scratch, "share")})

    def wait_asked(*arguments):
        def read():
            if not os.path.exists(asked):
                return False
            with open(asked) as file:
                return file.read().split("\n")[:-1] == [str(len(arguments)), *arguments]
        wait_for("the editor was asked %r" % (arguments,), read)
        os.remove(asked)

    # Without a command, it opens the file.
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^work$"))
    window.key("o")
    wait_asked("--viewer", code)
    # Preferences say what is wrong with a command.
    window.key("ctrl+comma")
    wait_for("the dialog", lambda: find_dialog(window))
    for _ in range(60):
        window.key("Tab")
        if any(node.is_focused for node in window.all("check box", "^System Default$")):
            break
    window.key("Down")
    window.type("'%s' +%%l" % program)
    window.wait_text("^The command has no %f for the file$")
    window.type(" --at=%f:%l:%c")
    window.wait_no_text("^The command has no")
    window.key("Escape")
    wait_no_dialog(window)
    # A function leads to its declaration, or where that is not known, to the file.
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^work$"))
    window.key("o")
    wait_for("asked", lambda: os.path.exists(asked))
    with open(asked) as file:
        check(file.read().split("\n")[2].startswith("--at=%s:" % code), "the file of the function")
    os.remove(asked)
    # A line of the source, by key and by click.
    show_page(window, "Source")
    window.wait_text(r"^Line 200: self 60 ")
    # GTK 4.8 complains of a scroll bar when the cursor moves before all lines have their heights.
    window.rest()
    window.key("o")
    wait_asked("+200", "--at=%s:200:1" % code)
    window.key("Down", "o")
    wait_asked("+201", "--at=%s:201:1" % code)
    # A file that is not here is said to be missing.
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", "^main$"))
    window.key("o")
    window.wait_text("^/none/main.c was not found; the Source page can locate it$")
    check(lambda: not os.path.exists(asked), "nothing is opened")
    # Boxes, by Ctrl and a click, and by the menu; of all samples of work the line that most are at.
    window.key("ctrl+2")
    area = window.find(id="FlamePage.area")
    x, y, width, _ = area.get_box()
    with window.holding("ctrl"):
        window.click_at(x + width * 0.3, y + 2.5 * ROW)
    wait_for("asked", lambda: os.path.exists(asked))
    os.remove(asked)
    window.click_at(x + width * 0.3, y + 2.5 * ROW, button=3)
    wait_menu(window, "^Open in Editor$")
    window.key("n")
    wait_for("asked", lambda: os.path.exists(asked))
    os.remove(asked)
    wait_for("the menu to close", lambda: not window.hand.menus(window.window_id))
    window.rest()
    # A program that fails, one that is none, and one that is not there.
    for content, reason in (("#!/bin/sh\nexit 3\n", "my editor did not open the file: .*3"),
                            ("", "my editor could not be started: Exec format error")):
        with open(program, "w") as file:
            file.write(content)
        window.key("o")
        window.wait_text("^%s" % reason)
    os.remove(program)
    window.key("o")
    window.wait_text("^my editor could not be started: No such file or directory$")


@scenario
def machine_code(open_window, scratch):
    """Instructions beside the source: their lines, bytes, and those of another function."""
    window = open_window("--sysroot=" + os.path.join(DATA, "sysroot"),
                         "--map-path=/opt/samples/src=" + os.path.join(DATA, "programs"),
                         os.path.join(DATA, "recordings", "inlining-fp.data"))

    def texts(title):
        return [text.strip() for text in column_of(window, title, r".", "Machine Code")]

    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", r"^geometry::Refine<6>"))
    show_page(window, "Source")
    window.click(window.find(id="CodePage.machine_button"))
    window.wait_text("^" + re.escape(os.path.join(DATA, "sysroot/opt/samples/bin/inlining")) + "$")
    window.wait_text("^Samples were taken when a timer fired")
    wait_for("instructions", lambda: any(text.startswith("divsd ") for text in texts("Instruction")))
    # Lines stand between them, with what is inlined.
    check(lambda: any(re.match(r"inlining\.cpp:\d+ .*inlined", text) for text in texts("Instruction")), lambda: texts("Instruction")[:8])
    check(lambda: all(re.match(r"0x[0-9a-f]+$", text) for text in texts("Address")), lambda: texts("Address")[:8])
    # Bytes on demand.
    window.click(window.find(id="MachineView.bytes_button"))
    wait_for("bytes", lambda: any(re.match(r"f2 0f 5e .* divsd ", text) for text in texts("Instruction")))
    # Of another function, the same view.
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", r"^main$"))
    show_page(window, "Source")
    wait_for("the loop of main", lambda: any(text.startswith("inlining.cpp:157 ") for text in texts("Instruction")))


@scenario
def machine_code_alone(open_window, scratch):
    """A program without debug information: the page has its instructions, and says why there is no source."""
    sysroot = os.path.join(scratch, "sysroot")
    shutil.copytree(os.path.join(DATA, "sysroot"), sysroot)
    program = os.path.join(sysroot, "opt/samples/bin/inlining")
    with open(program, "rb") as file:
        content = file.read()
    with open(program, "wb") as file:
        file.write(content.replace(b".debug_", b".hidden"))
    window = open_window("--sysroot=" + sysroot, os.path.join(DATA, "recordings", "inlining-fp.data"))
    show_page(window, "Functions")
    window.click(find_cell(window, "Functions", r"^main$"))
    show_page(window, "Source")
    window.wait_text("^No line information in inlining: build it with -g, or install its debug symbols$")
    window.find("push button", "^Add Folder…$")
    window.wait_text("^" + re.escape(program) + "$")
    wait_for("instructions", lambda: any(text.strip().startswith("movsd ") for text in
                                         column_of(window, "Instruction", r".", "Machine Code")))
    check(lambda: not list(window.all("push button", "^(Machine Code|Go to Line|Hotter Line|Find in Source)$")), "tools of the source")
    _, _, width, height = window.find(id="MachineView.view").get_box()
    check(width > 900 and height > 250, "it has all the room", width, height)
    window.click(window.find(id="QueryBar.filters_button"))
    window.find("menu item", "^Copy as Command$")
    window.key("m")
    wait_pasted(window, r"^profview --print=annotate --by=address '--function=\^main\$' ")


if __name__ == "__main__":
    main()
