# SPDX-License-Identifier: GPL-3.0-or-later
"""What a screen reader is told of a program, asked for over D-Bus. Whole trees come from accessible-tree,
which is quicker than asking from here."""

import os
import subprocess

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

ROOT = "/org/a11y/atspi/accessible/root"
# What newer GTKs call the roles of GTK 4.8.
NEWER_ROLES = {"grouping": "panel", "button": "push button", "toggle button": "push button"}
TIMEOUT_MS = 15000


class Bus:
    """The bus of accessibility, which has an address of its own."""

    def __init__(self):
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        (address,) = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None,
                                       Gio.DBusCallFlags.NONE, TIMEOUT_MS, None).unpack()
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.connection = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
        program = os.path.join(os.environ["PV_BUILD"], "tests", "ui", "accessible-tree")
        self.trees = subprocess.Popen([program, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                      bufsize=1)

    def close(self):
        self.trees.stdin.close()
        self.trees.stdout.close()
        self.trees.wait()

    def call(self, name, path, interface, method, arguments=None):
        return self.connection.call_sync(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE,
                                         TIMEOUT_MS, None).unpack()

    def find_application(self, pid):
        """The name on the bus of a process that has registered; None: not yet."""
        (names,) = self.call("org.a11y.atspi.Registry", ROOT, "org.a11y.atspi.Accessible", "GetChildren")
        for name, _ in names:
            (found,) = self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                 "GetConnectionUnixProcessID", GLib.Variant("(s)", (name,)))
            if found == pid:
                return name
        return None

    def get_nodes(self, name, path=ROOT, asks_all=False):
        """The widget at path and all that is visible below it, parents first and in order, as they are now. They are the
        same if each parent is asked for its children, but then it takes long."""
        self.trees.stdin.write("%s %s%s\n" % (name, path, " all" if asks_all else ""))
        nodes = []
        for line in self.trees.stdout:
            if line == "\n":
                return nodes
            depth, path, role, states, text = line[:-1].split("\t", 4)
            text = text.encode("ascii").decode("unicode_escape").encode("latin-1").decode() if "\\" in text else text
            role = Atspi.role_get_name(Atspi.Role(int(role)))
            nodes.append(Node(self, name, int(depth), path, NEWER_ROLES.get(role, role), int(states, 16), text, nodes))
        raise EOFError("accessible-tree ended")


class Node:
    """One widget: name, role and states as they were when they were asked for; the methods ask again."""

    def __init__(self, bus, bus_name, depth, path, role, states, name, nodes):
        self.bus = bus
        self.bus_name = bus_name
        self.depth = depth
        self.path = path
        self.role = role
        self.states = states
        self.name = name
        self._nodes = nodes  # all that were asked for together
        self._place = len(nodes)

    def _ask(self, interface, method, arguments=None):
        return self.bus.call(self.bus_name, self.path, interface, method, arguments)

    def has_state(self, state):
        return bool(self.states >> int(state) & 1)

    def get_box(self):
        """x, y, width, height within the window; nothing has width and height 0 that has no place on the screen."""
        try:
            return self._ask("org.a11y.atspi.Component", "GetExtents",
                             GLib.Variant("(u)", (int(Atspi.CoordType.WINDOW),)))[0]
        except GLib.Error:
            return 0, 0, 0, 0

    def get_description(self):
        return self._ask("org.freedesktop.DBus.Properties", "Get",
                         GLib.Variant("(ss)", ("org.a11y.atspi.Accessible", "Description")))[0]

    def get_text(self):
        (n,) = self._ask("org.freedesktop.DBus.Properties", "Get",
                         GLib.Variant("(ss)", ("org.a11y.atspi.Text", "CharacterCount")))
        return self._ask("org.a11y.atspi.Text", "GetText", GLib.Variant("(ii)", (0, n)))[0]

    @property
    def below(self):
        """Itself and all that was visible below it."""
        end = self._place + 1
        while end < len(self._nodes) and self._nodes[end].depth > self.depth:
            end += 1
        return self._nodes[self._place:end]

    def get_below(self):
        """Itself and all that is visible below it now."""
        return self.bus.get_nodes(self.bus_name, self.path)
