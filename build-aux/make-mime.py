#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-mime.py FILE.mime.xml…: the MIME types that the rooms of core/read describe, as one file for shared-mime-info.
--types: only their names, as a desktop entry has them."""
import re
import sys

TYPE = re.compile(r'<mime-type type="([^"]+)">\n')


def main():
    only_types = sys.argv[1] == "--types"
    texts = []
    for path in sys.argv[1 + only_types:]:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    if only_types:
        print("".join(name + ";" for text in texts for name in TYPE.findall(text)), end="")
        return
    print('<?xml version="1.0" encoding="UTF-8"?>')
    print('<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">')
    for text in texts:
        print(TYPE.sub(lambda match: match.group(0) + '  <icon name="org.profview.Profview"/>\n', text), end="")
    print("</mime-info>")


main()
