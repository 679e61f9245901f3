# SPDX-License-Identifier: GPL-3.0-or-later
"""The pointer and the keys of the X server."""

import os
import subprocess


class Hand:
    """Each method asks the helper, hand.c, which says what they do, and returns once the server has done it."""

    def __init__(self):
        program = os.path.join(os.environ["PV_BUILD"], "tests", "ui", "hand")
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
                                        bufsize=1)

    def ask(self, *words):
        self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
        answer = self.process.stdout.readline()
        if not answer:
            raise EOFError("hand ended")
        return answer.split()

    def numbers(self, *words):
        return [int(word) for word in self.ask(*words)]

    def type(self, text):
        lines = text.split("\n")
        for line in lines[:-1]:
            self.ask("type", line)
            self.ask("key", "Return")
        self.ask("type", lines[-1])

    def windows(self, pid):
        """Those of a process that are shown, the one on top last."""
        return self.numbers("windows", pid)

    def active(self):
        """The window that has the focus; None: for the moment none has."""
        return self.numbers("active")[0] or None

    def geometry(self, window):
        """x, y, width, height on the screen."""
        return self.numbers("geometry", window)

    def menus(self, window):
        """Menus, lists that open and tips that its program shows."""
        return self.numbers("menus", window)

    def contrast(self, x, y, width, height):
        """The contrast of the text in a part of the screen to its background."""
        return self.numbers("contrast", x, y, width, height)[0] / 100

    def set_resources(self, text):
        """Sets the resources that programs find which start later."""
        self.ask("resources", text)

    def rest(self, quiet, most):
        """Waits until nothing was drawn for so many seconds. False: that did not come within the others."""
        return self.numbers("rest", int(quiet * 1000), int(most * 1000)) == [1]
