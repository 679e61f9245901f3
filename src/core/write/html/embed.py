#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""embed.py PAGE.html PAGE.css PAGE.js OUT.h: makes a header of the page's template.

The style and the script are put where the page says @STYLE@ and @SCRIPT@, and the hashes by which its policy lets only these
pass where it says @STYLE_HASH@ and @SCRIPT_HASH@. The header has the parts around @TITLE@, @NO_SCRIPT@ and @DATA@, in this order."""

import base64
import hashlib
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def hash_of(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def literal(text):
    """A literal of C: a line for each line, in ASCII."""
    def escape(char):
        if char in '"\\?':
            return "\\" + char
        return char if " " <= char <= "~" else "".join("\\%03o" % byte for byte in char.encode())

    lines = text.split("\n")
    ended = ["".join(map(escape, line)) + "\\n" for line in lines[:-1]] + ["".join(map(escape, lines[-1]))]
    return "\n".join('    "%s"' % line for line in ended)


def main():
    page, style, script = (read(path) for path in sys.argv[1:4])
    for text, end in ((style, "</style"), (script, "</script"), (script, "<!--")):
        if end in text.lower():
            sys.exit("embed.py: %s must not be in what is embedded" % end)
    fills = {"STYLE": style, "SCRIPT": script, "STYLE_HASH": hash_of(style), "SCRIPT_HASH": hash_of(script)}
    parts, order = [""], []
    for piece in re.split(r"(@[A-Z_]+@)", page):
        name = piece.strip("@")
        if piece != "@%s@" % name:
            parts[-1] += piece
        elif name in fills:
            parts[-1] += fills[name]
        else:
            order.append(name)
            parts.append("")
    if order != ["TITLE", "NO_SCRIPT", "DATA"]:
        sys.exit("embed.py: the page has the wrong places: %s" % ", ".join(order))
    with open(sys.argv[4], "w", encoding="ascii") as out:
        out.write("/* Made by embed.py of page.html, page.css and page.js. */\n#pragma once\n\n"
                  "static const char *const pv_html_template[] = {\n%s,\n};\n" % ",\n".join(map(literal, parts)))


main()
