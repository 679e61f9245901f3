# SPDX-License-Identifier: GPL-3.0-or-later
"""The widgets in the windows of a program, as widget-teller.c tells of them."""

import socket

# As screen readers on Linux call them, where GTK says it with other words.
ROLES = {"button": "push button", "toggle-button": "push button", "group": "panel", "img": "image", "checkbox": "check box",
         "tree-grid": "tree table", "row": "table row", "text-box": "text", "search-box": "entry", "tab": "page tab",
         "status": "status bar", "option": "list item", "grid-cell": "table cell", "switch": "check box"}
TIMEOUT = 60.0


class Gone(Exception):
    """The program, or what was asked for, is not there any more."""


class Widgets:
    """A program gets SOCKET, whose number it finds in the environment."""

    def __init__(self):
        self.ours, self.socket = socket.socketpair()
        self.ours.settimeout(TIMEOUT)
        self._buffer = bytearray(1 << 18)

    def environment(self):
        return {"PV_WIDGETS_SOCKET": str(self.socket.fileno())}

    def ask(self, *question):
        """Lines of the answer, once the program has come to give it."""
        answer = b""
        try:
            self.ours.sendall((" ".join(str(word) for word in question) + "\n").encode())
            while answer != b"\n" and not answer.endswith(b"\n\n"):
                size = self.ours.recv_into(self._buffer)
                if size == 0:
                    raise Gone("the program ended")
                answer += self._buffer[:size]
        except OSError as error:  # it takes too long, too
            raise Gone(str(error)) from error
        return answer.decode("ascii").split("\n")[:-2]

    def get_nodes(self, number=0):
        """The widget and all that is visible below it, parents first and in order, as they are now."""
        nodes = []
        for line in self.ask("tree", number):
            depth, number, role, states, box, id, name = line.split("\t")
            nodes.append(Node(self, int(depth), int(number), ROLES.get(role, role.replace("-", " ")), states,
                              tuple(int(part) for part in box.split(" ")), id, unescape(name), nodes))
        return nodes


def unescape(text):
    return text.encode("ascii").decode("unicode_escape").encode("latin-1").decode() if "\\" in text else text


class Node:
    """One widget: all as it was when it was asked for; the methods ask again."""

    def __init__(self, widgets, depth, number, role, states, box, id, name, nodes):
        self.widgets = widgets
        self.depth = depth
        self.number = number
        self.role = role
        self.box = box
        self.id = id
        self.name = name
        self.is_active = "a" in states
        self.is_checked = "c" in states
        self.is_expanded = "e" in states
        self.is_focusable = "f" in states
        self.is_focused = "F" in states
        self.is_shown = "m" in states
        self.is_pressed = "p" in states
        self.is_selected = "s" in states
        self.is_sensitive = "S" in states
        self.is_cut = "x" in states  # its text
        self._nodes = nodes  # all that were asked for together
        self._place = len(nodes)

    def _ask(self, question, *more):
        answer = self.widgets.ask(question, self.number, *more)
        if not answer:
            raise Gone("the widget “%s”" % self.name)
        return unescape(answer[0])

    def get_box(self):
        """x, y, width, height within the window; nothing has width and height 0 that has no place on the screen."""
        try:
            return tuple(int(part) for part in self._ask("box").split(" "))
        except Gone:
            return 0, 0, 0, 0

    def get_description(self):
        return self._ask("description")

    def get_text(self):
        return self._ask("text")

    def get_least_width(self):
        """That it needs."""
        return int(self._ask("least"))

    def press_long(self, x, y):
        """Rests a finger on a place of it, counted from its corner. It must have a gesture for that."""
        self._ask("press", x, y)

    def pinch(self, scale):
        """Moves two fingers on it, apart with a scale above 1. It must have a gesture for that."""
        self._ask("pinch", scale)

    @property
    def below(self):
        """Itself and all that was visible below it."""
        end = self._place + 1
        while end < len(self._nodes) and self._nodes[end].depth > self.depth:
            end += 1
        return self._nodes[self._place:end]

    def find_above(self, role):
        """The nearest widget around it with a role, of those that were asked for together; None: there is none."""
        depth = self.depth
        for node in reversed(self._nodes[:self._place]):
            if node.depth < depth:
                if node.role == role:
                    return node
                depth = node.depth
        return None

    def get_below(self):
        """Itself and all that is visible below it now."""
        return self.widgets.get_nodes(self.number)
