#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-help.py SOURCE PAGE.html: fails on a page of the help that the window names and that is not there, on a page that is not
built, and on a page of HTML that lacks one of them, leads nowhere, or needs more than itself."""
import glob
import html.parser
import os
import re
import sys
import xml.etree.ElementTree as tree

NAMESPACE = "{http://projectmallard.org/1.0/}"
MARKED = re.compile(r'PV_HELP \(\s*"([^"]*)"\)')
EMPTY = {"meta", "br", "img", "hr", "link"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def find_places(folder):
    """Ids of pages, "graph", and of their sections, "graph#calls"."""
    places = set()
    for path in glob.glob(os.path.join(folder, "C", "*.page")):
        page = tree.parse(path).getroot()
        places.add(page.get("id"))
        if page.get("id") + ".page" != os.path.basename(path):
            complain("%s is the page %s" % (path, page.get("id")))
        places.update("%s#%s" % (page.get("id"), section.get("id")) for section in page.iter(NAMESPACE + "section"))
    return places


def find_named(source):
    """(file, page) of each page that the window names; names of buttons for readers of the screen are checked on the way."""
    named = []
    for path in sorted(glob.glob(os.path.join(source, "src", "**", "*.[ch]"), recursive=True)):
        named += [(path, page) for page in MARKED.findall(read(path))]
    titles = {}
    for path in sorted(glob.glob(os.path.join(source, "src", "**", "*.ui"), recursive=True)):
        for button in tree.parse(path).iter("object"):
            if button.get("class") != "PvHelpButton":
                continue
            title = button.findtext("accessibility/property[@name='label']")
            if title is None or not title.startswith("Help"):
                complain("%s: a button of help without a name, or with another one: %s" % (path, title))
            if title in titles:
                complain("%s: “%s” is a button of %s, too" % (path, title, titles[title]))
            titles[title] = path
            page = button.findtext("property[@name='page']")
            if page is not None:
                named.append((path, page))
            elif button.get("id") is None:
                complain("%s: “%s” opens no page" % (path, title))
    return named


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.open = set(), set(), []
        self.feed(read(path))
        self.close()
        if self.open:
            complain("not closed: " + " ".join(self.open))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" and value in self.ids:
                complain("two places are #" + value)
            if name == "id":
                self.ids.add(value)
            elif name == "href" and value.startswith("#"):
                self.links.add(value[1:])
            elif name == "src" or name.startswith("on") or (name == "href" and tag != "a"):
                complain("needs more than itself: <%s %s=%s>" % (tag, name, value))
        if tag == "script":
            complain("has a script")
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            complain("line %d: </%s> closes something else" % (self.getpos()[0], tag))

    def handle_data(self, data):
        if self.open and self.open[-1] == "style" and re.search(r"url\(|@import", data):
            complain("a style needs more than itself")


errors = []


def complain(text):
    errors.append(text)


def main():
    source = sys.argv[1]
    folder = os.path.join(source, "data", "help")
    places = find_places(folder)
    named = find_named(source)
    for path, page in named:
        if page not in places:
            complain("%s: the help has no page %s" % (os.path.relpath(path, source), page))
    built = set(re.findall(r"'([\w-]+)\.page'", read(os.path.join(folder, "meson.build"))))
    for page in {place.split("#")[0] for place in places} ^ built:
        complain("%s.page is not in data/help, or not in its meson.build" % page)
    page = Page(sys.argv[2])
    for place in sorted(places):
        if place.replace("#", "-") not in page.ids:
            complain("the page of HTML lacks " + place)
    for link in sorted(page.links - page.ids):
        complain("a link leads to #%s, which is not there" % link)
    for error in errors:
        print(error)
    print("%d places, of which %d are named %d times; %d links; %d problems" %
          (len(places), len({page for _, page in named}), len(named), len(page.links), len(errors)))
    return 1 if errors or len(named) < 30 or len(page.links) < 50 else 0


sys.exit(main())
