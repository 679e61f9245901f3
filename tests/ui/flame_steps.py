# SPDX-License-Identifier: GPL-3.0-or-later
"""What scenarios do in pictures of stacks."""

ROW = 20.0  # about the height of a row of the flame graph


def click_row(window, level, share=0.25, **options):
    window.rest()  # the picture moves when the strip above it comes or goes
    x, y, width, _ = window.find(id="FlamePage.area").get_box()
    window.click_at(x + width * share, y + (level + 0.5) * ROW, **options)


def place_in_half(window, half, share, row):
    """Rows count from the boundary of the halves."""
    x, y, width, height = window.find("panel", "^%s$" % half).get_box()
    return x + width * share, y + height - row * ROW if half == "Callers" else y + row * ROW


def hover_half(window, half, share, row):
    window.move(*place_in_half(window, half, share, row))
