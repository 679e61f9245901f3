# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks a program over D-Bus, as a screen reader does, which takes a second for a window. The program must have been
started with the environment TOLD."""

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

TOLD = {"GTK_A11Y": "atspi"}
ROOT = "/org/a11y/atspi/accessible/root"
ACCESSIBLE = "org.a11y.atspi.Accessible"
TIMEOUT_MS = 15000


class Reader:
    """Speaks on the bus of accessibility, which has an address of its own."""

    def __init__(self, pid):
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        (address,) = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None,
                                       Gio.DBusCallFlags.NONE, TIMEOUT_MS, None).unpack()
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.connection = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
        self.pid = pid
        self.program = None  # its name on the bus

    def _call(self, name, path, interface, method, arguments=None):
        return self.connection.call_sync(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE,
                                         TIMEOUT_MS, None).unpack()

    def find_program(self):
        """None: it has not registered yet."""
        (names,) = self._call("org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren")
        for name, _ in names:
            (found,) = self._call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                  "GetConnectionUnixProcessID", GLib.Variant("(s)", (name,)))
            if found == self.pid:
                self.program = name
        return self.program

    def _get(self, path, name):
        return self._call(self.program, path, "org.freedesktop.DBus.Properties", "Get",
                          GLib.Variant("(ss)", (ACCESSIBLE, name)))[0]

    def read(self, path=ROOT):
        """Role, name and description of all that there is, parents first and in order."""
        told = []
        try:
            (role,) = self._call(self.program, path, ACCESSIBLE, "GetRole")
            told.append((Atspi.role_get_name(Atspi.Role(role)), self._get(path, "Name"), self._get(path, "Description")))
            for _, child in self._call(self.program, path, ACCESSIBLE, "GetChildren")[0]:
                told += self.read(child)
        except GLib.Error:
            pass  # it went away while it was read
        return told
