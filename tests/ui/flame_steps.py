# SPDX-License-Identifier: GPL-3.0-or-later
"""What scenarios do in pictures of stacks."""

import time

from driver import wait_for

ROW = 20.0  # about the height of a row of the flame graph


def click_row(window, level, share=0.25, **options):
    def find_place():
        """The picture moves when the strip above it comes or goes."""
        before = window.box(window.find("panel", "^Flame graph$"))
        time.sleep(0.3)
        return before if window.box(window.find("panel", "^Flame graph$")) == before else None

    x, y, width, _ = wait_for("a picture at rest", find_place)
    window.click_at(x + width * share, y + (level + 0.5) * ROW, **options)


def place_in_half(window, half, share, row):
    """Rows count from the boundary of the halves."""
    x, y, width, height = window.box(window.find("panel", "^%s$" % half))
    return x + width * share, y + height - row * ROW if half == "Callers" else y + row * ROW


def hover_half(window, half, share, row):
    window.move(*place_in_half(window, half, share, row))
