#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The desktop's notifications, as far as a test needs them. Writes each one as a line of JSON: "notify", its number, title
and body, or "close" and its number; of a number that it reads, somebody clicks on that notification."""

import json
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
INTERFACE = """<node><interface name="org.freedesktop.Notifications">
<method name="Notify"><arg type="s"/><arg type="u"/><arg type="s"/><arg type="s"/><arg type="s"/><arg type="as"/>
  <arg type="a{sv}"/><arg type="i"/><arg type="u" direction="out"/></method>
<method name="CloseNotification"><arg type="u"/></method>
<method name="GetCapabilities"><arg type="as" direction="out"/></method>
<method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>
  <arg type="s" direction="out"/><arg type="s" direction="out"/></method>
<signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
<signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface></node>"""


class Server:
    def __init__(self):
        self.n = 0
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
        self.bus.register_object(PATH, interface, self.on_call, None, None)
        Gio.bus_own_name_on_connection(self.bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print('["ready"]', flush=True),
                                       None)
        GLib.io_add_watch(sys.stdin.fileno(), GLib.IOCondition.IN | GLib.IOCondition.HUP, self.on_input)

    def on_call(self, bus, sender, path, interface, method, parameters, invocation):
        answer = None
        if method == "Notify":
            _, replaced, _, title, body, _, _, _ = parameters.unpack()
            self.n = replaced or self.n + 1
            print(json.dumps(["notify", self.n, title, body]), flush=True)
            answer = GLib.Variant("(u)", (self.n,))
        elif method == "CloseNotification":
            print(json.dumps(["close", *parameters.unpack()]), flush=True)
        elif method == "GetCapabilities":
            answer = GLib.Variant("(as)", (["actions", "body"],))
        else:
            answer = GLib.Variant("(ssss)", ("test", "test", "1", "1.2"))
        invocation.return_value(answer)

    def on_input(self, source, condition):
        line = sys.stdin.readline()
        if not line:
            sys.exit()
        self.bus.emit_signal(None, PATH, NAME, "ActionInvoked", GLib.Variant("(us)", (int(line), "default")))
        return True


Server()
GLib.MainLoop().run()
