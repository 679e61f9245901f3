# SPDX-License-Identifier: GPL-3.0-or-later
"""What scenarios of several files do and look for in the window."""

import gettext
import os
import re
import subprocess
import sys

from driver import FRAME, SYMBOLS, Failure, InVain, has_size, recording, wait_for


def check(condition, *what):
    """A condition of the window is a function and may come true later, as what follows an action may be late; so is what
    tells of it."""
    def tell():
        return " ".join(str(w() if callable(w) else w) for w in what)

    if callable(condition):
        wait_for(tell, condition)
    elif not condition:
        raise Failure(tell())


def open_sample(open_window, name="inlining-fp.data"):
    window = open_window(*SYMBOLS, recording(name))
    window.find(id="FlamePage.area")
    window.wait_text(r"^[\d,]+ samples$")
    wait_for("names", lambda: not list(window.all("progress bar", "Progress of names")))
    return window


def details(window):
    """Of all pages that were seen; those of others stay as they are."""
    return [node.name for line in window.all("status bar") for node in line.below[1:2]]


def wait_details(window, pattern):
    wait_for(lambda: "details %r, not %r" % (pattern, details(window)),
             lambda: any(re.search(pattern, text) for text in details(window)))


LANGUAGE = gettext.NullTranslations()


def speak(language):
    """The windows that are opened next are of a language. Returns the environment that says so."""
    global LANGUAGE
    LANGUAGE = gettext.translation("profview", os.path.join(os.environ["PV_BUILD"], "po"), [language])
    return {"LANGUAGE": language}


def word(context, text):
    """A text of the window, as a pattern."""
    return re.escape(LANGUAGE.pgettext(context, text) if context else LANGUAGE.gettext(text))


# Pages with their keys, and the shape in their switch; None: the one that is there.
PAGES = {
    "Summary": ("Summary", "ctrl+1", None),
    "Graph": ("Graph", "ctrl+2", None),
    "Flame Graph": ("Graph", "ctrl+2", "Flame"),
    "Flame Chart": ("Graph", "ctrl+2", "Chart"),
    "Treemap": ("Graph", "ctrl+2", "Treemap"),
    "Sandwich": ("Graph", "ctrl+2", "Sandwich"),
    "Call Graph": ("Graph", "ctrl+2", "Calls"),
    "Functions": ("Functions", "ctrl+3", "List"),
    "Call Tree": ("Functions", "ctrl+3", "Top Down"),
    "Bottom Up": ("Functions", "ctrl+3", "Bottom Up"),
    "Timeline": ("Timeline", "ctrl+4", None),
    "Threads": ("Timeline", "ctrl+4", "Threads"),
    "CPUs": ("Timeline", "ctrl+4", "CPUs"),
    "Heat Map": ("Timeline", "ctrl+4", "Heat Map"),
    "Marks": ("Timeline", "ctrl+4", "Marks"),
    "Source": ("Source", "ctrl+5", None),
    "Runs": ("Runs", "ctrl+6", None),
    "Distribution": ("Distribution", "ctrl+6", None),
}


def shape_buttons(window):
    """The buttons of the visible page's switch."""
    return [node for group in window.all("panel", "^%s$" % word("control", "Shape")) for node in group.below if node.role == "push button"]


def is_page(window, name):
    page, _, shape = PAGES[name]
    return any(tab.is_selected for tab in window.all("page tab", "^%s$" % word("page", page))) and \
        (shape is None or any(re.fullmatch(word("shape", shape), node.name) and node.is_pressed for node in shape_buttons(window)) or
         any(window.all("push button", "^%s( |$)" % word(None, "Shape: %s").replace("%s", word("shape", shape)))))  # with less room


def wait_page(window, name):
    wait_for("the page " + name, lambda: is_page(window, name))


def choose_shape(window, name):
    """By its button, or, where there is less room, from the menu that takes its place."""
    def find():
        return next((node for node in shape_buttons(window) if node.name == name and node.is_sensitive), None) or \
            next(window.all("push button", "^" + word(None, "Shape: %s").replace("%s", ".+")), None)

    name = LANGUAGE.pgettext("shape", name)
    button = wait_for("the shape " + name, find)
    if button.name == name:
        window.click(button)
        return
    open_menu(window, button, "^%s$" % re.escape(name))
    names = [node.name for node in window.all("menu item")]
    place = next(i for i, text in enumerate(names) if text == name or text.startswith(name + " "))  # with its shortcut
    window.key("Home", *["Down"] * place, "Return")


def show_page(window, name):
    """By its key, and then by its shape's button."""
    page, key, shape = PAGES[name]
    window.key(key)
    wait_for("the page " + page, lambda: any(tab.is_selected for tab in window.all("page tab", "^%s$" % word("page", page))))
    if shape is not None and not is_page(window, name):
        choose_shape(window, shape)
    wait_page(window, name)


def crumbs(window):
    return [node.name for node in window.find(id="FlamePage.path_box").below if node.role == "label"]


def find_enabled(window, role, pattern):
    return wait_for("%r to be enabled" % pattern, lambda: next(
        (node for node in window.all(role, pattern) if node.is_sensitive), None))


def find_cell(window, table, pattern):
    """Other pages, hidden ones too, may have the same text."""
    return wait_for("a cell " + pattern, lambda: next(
        window.all("label", pattern, within=("tree table", "^%s$" % table)), None))


def column_of(window, header, pattern, table="Functions"):
    """Texts of the cells under a header, from top to bottom."""
    def find_labels():
        labels = list(window.all("label", within=("tree table", "^%s$" % table), sized=False))
        head = next((node for node in labels if re.search("^%s$" % header, node.name) and has_size(node)), None)
        return head and (head, labels)

    head, labels = wait_for("a column %s" % header, find_labels)
    left, top, width, height = (head.find_above("column header") or head).get_box()
    cells = []
    for node in labels:
        if not re.search(pattern, node.name):
            continue
        x, y, w, h = node.get_box()
        if w > 0 and h > 0 and y > top + height and x < left + width and x + w > left:
            cells.append((y, node.name))
    return [name for _, name in sorted(cells)]


def wait_menu(window, pattern):
    """Waits for a menu with such an item. Newer GTKs say the shortcut too."""
    def has_item():
        if not window.hand.menus(window.window_id):
            return False  # there may be such items in menus that are closed
        names = [node.name for node in window.all("menu item")]
        return any(re.search(pattern, text) for name in names for text in (name, name.rpartition(" ")[0]))

    wait_for("a menu with " + pattern, has_item)
    window.rest()  # while a menu slides, the letters of both count


def open_menu(window, node, pattern=None, button=1):
    """A menu with such an item, or a list, that opens with a click."""
    before = set(window.hand.menus(window.window_id))
    window.click_until(node, lambda: set(window.hand.menus(window.window_id)) - before, button)
    if pattern:
        wait_menu(window, pattern)
    else:
        window.rest()


def choose_item(window, node, n):
    """The nth item of a list that opens, from 0, by keyboard. Where keys go on from, GTK 4.8 and newer ones do not agree."""
    open_menu(window, node)
    window.key("Home", *["Down"] * n, "Return")


def choose_direction(window, name):
    """Turns the flame graph: Top Down or Bottom Up."""
    open_menu(window, window.find(id="FlamePage.boxes_button"), "^%s$" % name)
    window.key(name[0].lower())  # its mnemonic


def direction_of(window):
    """The text on the button of the flame graph's direction."""
    return [node.name for node in window.find(id="FlamePage.boxes_button").below if node.role == "label"]


def title_of(window):
    return window.frame().name


def drag(window, x1, x2, y):
    """From one place of the window to another, with the left button."""
    window.drag((x1, y), (x2, y))


def drag_files(window, paths, wait_dropped):
    """Drags files from another program's window, beside which this one is moved, into it. That window stays until
    wait_dropped () has seen what follows."""
    hand = window.hand
    hand.ask("place", window.window_id, 300, 0)
    program = os.path.join(os.environ["PV_BUILD"], "tests", "ui", "drag-source")
    source = subprocess.Popen([program, *paths])
    try:
        found = wait_for("the window to drag from", lambda: hand.windows(source.pid))
        hand.ask("place", found[-1], 0, 0)
        window.rest()
        hand.ask("move", 100, 50, found[-1])
        window.settle()
        hand.ask("press", 1)
        # A hand moves: the first steps begin the drag, the others lead it over the window.
        for _ in range(20):
            hand.ask("nudge", 10, 6)
            window.settle(FRAME)
        window.move(500, 400)
        window.settle()
        window.move(520, 420)
        window.settle()
        hand.ask("release", 1)
        wait_dropped()
    finally:
        source.terminate()
        source.wait()


def resize(window, width, height):
    """Of what is inside the window's frame of shadows."""
    def frame():
        return window.frame().get_box()[2:]

    for _ in range(3):  # the shadows change with the size
        outer, inner = window.hand.geometry(window.window_id)[2:], frame()
        window.hand.ask("size", window.window_id, width + outer[0] - inner[0], height + outer[1] - inner[1])
        window.rest()
    wait_for(lambda: "the size %d×%d, not %s" % (width, height, frame()),
             lambda: abs(frame()[0] - width) < 12 and abs(frame()[1] - height) < 12)


def export_by_key(window, name, key):
    """Chooses an entry of the menu's submenu Save As."""
    window.key("F10")
    wait_menu(window, "^Save As$")
    window.key("a")
    wait_menu(window, name)
    window.key(key)


def choose_path(window, path, is_new=False):
    """In a file dialog that has just been asked for. One for a new file proposes a name, which is replaced."""
    dialog = wait_for("the dialog", lambda: find_dialog(window))
    window.rest()  # its list of files takes the focus when it is there
    if is_new:
        window.key("ctrl+a")
    window.type(path)
    window.rest()
    # Newer GTKs may leave behind the cursor what the beginning was completed with.
    window.key("shift+End", "Delete", "Return")
    wait_for("the dialog to close", lambda: find_dialog(window) != dialog)


def find_dialog(window):
    found = window.hand.active()
    return found if found != window.window_id else None


def wait_no_dialog(window):
    """For a moment no window has the focus, and a click in that moment can be lost."""
    wait_for("the window to be active", lambda: window.hand.active() == window.window_id)


def wait_pasted(window, pattern):
    """Waits for the clipboard to hold something, by way of the search entry."""
    content = []

    def paste():
        window.key("ctrl+f", "ctrl+a", "ctrl+v")
        window.rest()
        content.append(window.find(id="SearchRow.entry").get_text())
        return re.search(pattern, content[-1])

    try:
        wait_for("a clipboard", paste, 5)
    except InVain:
        raise InVain("the clipboard holds %r, not %r" % (content[-1], pattern))
    window.key("Escape")
    window.rest()  # tables that were filtered are whole again


def search_for(window, text):
    """Types once the search bar has the focus, which is a frame after it was asked for."""
    window.key("ctrl+f")
    wait_focus(window, "entry")
    window.type(text)


def search_expression(window, expression):
    """Opens the search bar, whose text becomes a regular expression."""
    window.key("ctrl+f")

    def find_button():
        return window.find(id="SearchRow.expression_button")

    if not find_button().is_pressed:
        window.click(find_button())
        wait_for("a pressed button", lambda: find_button().is_pressed)
        window.key("ctrl+f")
    window.key("ctrl+a")
    window.type(expression)


def wait_focus(window, role):
    wait_for("the focus on a " + role, lambda: any(
        node.is_focused for node in window.all(role)))


def focused(window):
    return [node.name for node in window.all(sized=False) if node.is_focused]


def tab_to(window, name, role="push button"):
    """Where the focus is after a list in a popover was closed, GTK 4.8 and newer ones do not agree."""
    for _ in range(12):
        window.key("Tab")
        if any(node.is_focused for node in window.all(role, name, sized=False)):
            return
    raise Failure("no way to " + name)


def chips(window):
    """What can be removed, by the names of the buttons that do."""
    return [re.sub("^Remove “|”$", "", node.name) for node in window.all("push button", "^Remove “")]


def wait_chip(window, pattern):
    wait_for(lambda: "a chip %r among %r" % (pattern, chips(window)),
             lambda: any(re.search(pattern, chip) for chip in chips(window)))


def remove_chip(window, pattern):
    window.click(window.find("push button", "^Remove “" + pattern))


def measure_of(window):
    return next((node.name for node in window.all("label", within=("combo box", "^Measure$"))), None)


def wait_measure(window, name):
    wait_for(lambda: "the measure %r, not %r" % (name, measure_of(window)), lambda: measure_of(window) == name)


def run_as_another_user(scratch):
    """Runs this scenario again, in a session of its own. Its exit status is also ours, unless it is 0."""
    os.chmod(scratch, 0o755)
    script = os.path.join(os.environ["PV_SOURCE"], "tests", "as-another-user.sh")
    result = subprocess.run([script, os.path.join(scratch, "copies"), sys.argv[1], "tests/ui/session.sh", sys.executable,
                             "tests/ui/" + os.path.basename(sys.argv[0]), "./program", *sys.argv[2:]])
    if result.returncode != 0:
        sys.exit(result.returncode)
