#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-help.py OUTPUT.html [--translate FILE.po] PAGE.page…: the user's help as one page of HTML, where there is no help viewer.

The page needs no script and no network. A page "graph" of the help is the article #graph, its section "calls" is #graph-calls. With
--translate, itstool translates the pages first. Fails on what the page would not show: an element that is not known here, a link
to nowhere, two places with one id, a page that the index does not name."""
import html
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

NAMESPACE = "{http://projectmallard.org/1.0/}"
ROOT = "index"

# Elements that have one of HTML of their own.
BLOCKS = {"p": "p", "screen": "pre", "list": "ul", "steps": "ol", "terms": "dl", "table": "table", "thead": "thead",
          "tbody": "tbody", "tr": "tr", "td": "td", "note": "aside"}
INLINES = {"code": "code", "cmd": "code", "file": "code", "gui": "b", "key": "kbd", "em": "em"}
JOINED = {"keyseq": "+", "guiseq": " › "}

STYLE = """
:root {
  color-scheme: light dark;
  --text: #1e1e1e; --dim: #5e5c64; --back: #fff; --card: #f3f3f4; --line: #d5d5d8; --link: #1a5fb4;
}
@media (prefers-color-scheme: dark) {
  :root { --text: #eee; --dim: #a9a8ae; --back: #1d1d20; --card: #2c2c30; --line: #47474d; --link: #8ab8f5; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--back); font: 1rem/1.5 Cantarell, system-ui, sans-serif; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
main, nav.contents { padding: 1rem 1.5rem; }
main { max-width: 50rem; overflow-wrap: break-word; }
nav.contents { font-size: .92rem; }
nav.contents h2 { font-size: 1rem; margin: 1.1rem 0 .2rem; }
nav.contents ul { list-style: none; margin: 0; padding: 0; }
nav.contents a { display: block; padding: .1rem 0; text-decoration: none; }
nav.contents a:hover { text-decoration: underline; }
article { border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: .5rem; }
h1, h2, h3 { line-height: 1.25; }
h2 { font-size: 1.5rem; margin: 1.2rem 0 .3rem; }
h3 { font-size: 1.15rem; margin: 1.6rem 0 .3rem; }
:target > h2, :target > h3 { text-decoration: underline 3px var(--link); text-underline-offset: 5px; }
.dim { color: var(--dim); margin-top: 0; }
.also { font-size: .92rem; color: var(--dim); }
code, kbd, pre { font-family: "Source Code Pro", ui-monospace, monospace; font-size: .9em; }
kbd { padding: 0 .3em; border: 1px solid var(--line); border-radius: 4px; background: var(--card); }
pre, aside { background: var(--card); border-radius: 8px; padding: .6rem .9rem; overflow-x: auto; }
aside { border-left: 4px solid var(--link); }
aside p { margin: .2rem 0; }
dt { font-weight: bold; margin-top: .8rem; }
dd { margin-left: 1.5rem; }
dd > p:first-child, td > p, li > p { margin: .15rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
td { vertical-align: top; padding: .25rem 1.2rem .25rem 0; }
tr + tr td, thead + tbody td { border-top: 1px solid var(--line); }
thead td { font-weight: bold; }
footer { color: var(--dim); font-size: .85rem; margin-top: 3rem; }
@media (min-width: 66rem) {
  body { display: grid; grid-template-columns: 19rem 1fr; }
  nav.contents { height: 100vh; position: sticky; top: 0; overflow-y: auto; border-right: 1px solid var(--line); }
  main { padding-left: 2.5rem; }
}
"""


def name_of(element):
    return element.tag.replace(NAMESPACE, "")


def find(element, path):
    return element.find("/".join(NAMESPACE + part for part in path.split("/")))


def find_all(element, path):
    return element.findall("/".join(NAMESPACE + part for part in path.split("/")))


def fold(text):
    return " ".join(text.split())


class Help:
    def __init__(self, paths):
        self.pages = {}
        for path in paths:
            page = tree.parse(path).getroot()
            self.pages[page.get("id")] = page
        # The places that links lead to, with their titles.
        self.titles = {}
        for page_id, page in self.pages.items():
            self.add_place(page_id, page)
            for section in page.iter(NAMESPACE + "section"):
                self.add_place("%s#%s" % (page_id, section.get("id")), section)
        ids = {}
        for place in self.titles:
            other = ids.setdefault(self.anchor(place), place)
            if other != place:
                raise ValueError("%s and %s have the same id" % (other, place))
        self.used = set()

    def add_place(self, place, element):
        self.titles[place] = self.inline(find(element, "title"), None)

    @staticmethod
    def anchor(place):
        return place.replace("#", "-")

    def link(self, page_id, xref, text=""):
        place = page_id + xref if xref.startswith("#") else xref
        if place not in self.titles:
            raise ValueError("%s links to %s, which is not there" % (page_id, place))
        return '<a href="#%s">%s</a>' % (self.anchor(place), text.strip() or self.titles[place])

    def inline(self, element, page_id):
        """What is in an element, as HTML."""
        separator = JOINED.get(name_of(element), "")
        parts = [html.escape(element.text or "", quote=False)] if not separator else []
        for child in element:
            name = name_of(child)
            inner = self.inline(child, page_id)
            if name in INLINES:
                parts.append("<%s>%s</%s>" % (INLINES[name], inner, INLINES[name]))
            elif name in JOINED:
                parts.append("<span>%s</span>" % inner)
            elif name == "link" and child.get("xref"):
                parts.append(self.link(page_id, child.get("xref"), inner))
            elif name == "link":
                parts.append('<a href="%s">%s</a>' % (html.escape(child.get("href")), inner))
            else:
                raise ValueError("%s has a <%s> in a line, which make-help.py does not know" % (page_id, name))
            if not separator:
                parts.append(html.escape(child.tail or "", quote=False))
        return separator.join(parts)

    def blocks(self, element, page_id, place, level):
        """The blocks in an element, but its title, as HTML."""
        out = []
        for child in element:
            name = name_of(child)
            tag = BLOCKS.get(name)
            if name in ("info", "title", "links"):
                continue
            if name == "p":
                out.append("<p>%s</p>" % fold(self.inline(child, page_id)))
            elif name == "screen":
                out.append("<pre>%s</pre>" % self.inline(child, page_id).strip("\n"))
            elif name == "section":
                anchor = "%s#%s" % (page_id, child.get("id"))
                out.append('<section id="%s">' % self.anchor(anchor))
                out.append("<h%d>%s</h%d>" % (level, self.titles[anchor], level))
                out += self.blocks(child, page_id, anchor, level + 1) + ["</section>"]
            elif name == "item" and name_of(element) == "terms":
                out.append("<dt>%s</dt>" % fold(self.inline(find(child, "title"), page_id)))
                out += ["<dd>"] + self.blocks(child, page_id, place, level) + ["</dd>"]
            elif name == "item":
                out += ["<li>"] + self.blocks(child, page_id, place, level) + ["</li>"]
            elif tag is not None:
                inner = ["<%s>" % tag] + self.blocks(child, page_id, place, level) + ["</%s>" % tag]
                out += ['<div class="wide">'] + inner + ["</div>"] if tag == "table" else inner
            else:
                raise ValueError("%s has a <%s>, which make-help.py does not know" % (place, name))
        return out

    def list_topics(self, section):
        """The pages that a section of the index has links to, in the order of its groups."""
        guide = "%s#%s" % (ROOT, section.get("id"))
        groups = find(section, "links").get("groups").split()
        topics = []
        for page_id, page in self.pages.items():
            for link in find_all(page, "info/link"):
                if link.get("type") == "guide" and link.get("xref") == guide:
                    group = link.get("group")
                    topics.append((groups.index(group) if group in groups else len(groups), page_id))
        return [page_id for _, page_id in sorted(topics)]

    def see_also(self, page_id):
        """Both ways, as help viewers have it."""
        def links(page):
            return [link.get("xref") for link in find_all(page, "info/link") if link.get("type") == "seealso"]
        places = links(self.pages[page_id])
        places += [other for other in self.pages if page_id in links(self.pages[other]) and other not in places]
        return "" if not places else '<p class="also">→ %s</p>' % " · ".join(self.link(page_id, place) for place in places)

    def article(self, page_id):
        page = self.pages[page_id]
        description = find(page, "info/desc")
        out = ['<article id="%s">' % page_id, "<h2>%s</h2>" % self.titles[page_id]]
        if description is not None:
            out.append('<p class="dim">%s</p>' % fold(self.inline(description, page_id)))
        return out + self.blocks(page, page_id, page_id, 3) + [self.see_also(page_id), "</article>"]

    def make(self, language):
        index = self.pages[ROOT]
        title, contents, order = self.titles[ROOT], [], []
        for section in find_all(index, "section"):
            place = "%s#%s" % (ROOT, section.get("id"))
            contents += ['<h2 id="%s">%s</h2>' % (self.anchor(place), self.titles[place]), "<ul>"]
            for page_id in self.list_topics(section):
                contents.append("<li>%s</li>" % self.link(ROOT, page_id))
                if page_id not in order:
                    order.append(page_id)
            contents.append("</ul>")
        missing = set(self.pages) - set(order) - {ROOT}
        if missing:
            raise ValueError("the index does not lead to " + ", ".join(sorted(missing)))
        introduction = ["<p>%s</p>" % fold(self.inline(part, ROOT)) for part in find_all(index, "p")]
        out = ["<!DOCTYPE html>", '<html lang="%s">' % language, "<head>", '<meta charset="utf-8">',
               '<meta name="viewport" content="width=device-width, initial-scale=1">', "<title>%s</title>" % title,
               "<style>%s</style>" % STYLE, "</head>", "<body>",
               '<nav class="contents" aria-label="%s">' % title, *contents, "</nav>",
               "<main>", '<header id="%s">' % ROOT, "<h1>%s</h1>" % title, *introduction, "</header>"]
        for page_id in order:
            out += self.article(page_id)
        license_text = find(index, "info/license/p")
        out += ["<footer><p>%s</p></footer>" % fold(self.inline(license_text, ROOT)), "</main>", "</body>", "</html>", ""]
        return "\n".join(line for line in out if line is not None)


def translate(messages, paths, folder):
    """The paths of the pages in another language."""
    compiled = os.path.join(folder, "messages.mo")
    subprocess.run(["msgfmt", "-o", compiled, messages], check=True)
    subprocess.run(["itstool", "-m", compiled, "-o", folder, *paths], check=True)
    return [os.path.join(folder, os.path.basename(path)) for path in paths]


def main():
    output, paths = sys.argv[1], sys.argv[2:]
    language = os.path.splitext(os.path.basename(output))[0].replace("_", "-")
    with tempfile.TemporaryDirectory() as folder:
        if paths[0] == "--translate":
            paths = translate(paths[1], paths[2:], folder)
        try:
            text = Help(paths).make("en" if language == "C" else language)
        except ValueError as error:
            sys.exit("make-help.py: %s" % error)
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


main()
