#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-mime.py FILE.mime.xml…: the MIME types that the rooms of core/read describe, as one file for shared-mime-info.
--types: only their names, as a desktop entry has them; --media-types: the same for a metainfo file."""
import re
import sys

TYPE = re.compile(r'<mime-type type="([^"]+)">\n')


def main():
    form = {"--types": "%s;", "--media-types": "    <mediatype>%s</mediatype>\n"}.get(sys.argv[1])
    texts = []
    for path in sys.argv[1 + (form is not None):]:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    if form is not None:
        print("".join(form % name for text in texts for name in TYPE.findall(text)), end="")
        return
    print('<?xml version="1.0" encoding="UTF-8"?>')
    print('<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">')
    for text in texts:
        print(TYPE.sub(lambda match: match.group(0) + '  <icon name="org.profview.Profview-profile"/>\n', text), end="")
    print("</mime-info>")


main()
