#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of HTML that profview writes, in a browser: figures are those of the tables, search, zoom and keys work, and nothing in
a profile can run or load anything.

    test-page.py PROFVIEW TESTS_DATA CHROMIUM
"""

import json
import os
import re
import sys
import tempfile
import unittest

from browser import Browser
from program import good, run

DATA = os.path.realpath(sys.argv[2])
CHROMIUM = sys.argv[3]
MILL = os.path.join(DATA, "recordings/mill-fp.data")
CALLS = os.path.join(DATA, "recordings/calls-fp.data")
SYSROOT = "--sysroot=" + os.path.join(DATA, "sysroot")
CONTAINERS = os.path.join(DATA, "heaptrack/containers.raw.zst")
GO_HEAP = os.path.join(DATA, "pprof/go-heap.pb.gz")
EVIL = ["</script><img src=x onerror=\"document.title='run'\">", "<script>document.title='run'</script>", "<!--<script>", "a&amp;b<b>c",
        "${document.title}", "\\u003c/script>", "line\u2028two\u2029three", "'\"><svg onload=alert(1)>", "]]>", "javascript:alert(1)",
        "__proto__", "constructor"]


def table(name, *arguments):
    return json.loads(good("--print=" + name, "--format=json", "--limit=0", *arguments))


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(CHROMIUM)
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="pv-page.")
        self.addCleanup(self.folder.cleanup)
        self.browser.resize(1300, 900)

    def export(self, *arguments):
        path = os.path.join(self.folder.name, "page.html")
        good("--export=" + path, *arguments)
        return path

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return path

    def open(self, *arguments):
        self.browser.open(self.export(*arguments))
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual(self.browser.requests(), [])

    def data(self, path):
        with open(path, encoding="utf-8") as file:
            return json.loads(re.search(r'id="data">(.*?)</script>', file.read(), re.S)[1])

    def text(self, id):
        return self.browser.ask("document.getElementById(%s).innerText" % json.dumps(id))

    def path(self):
        return self.browser.ask("[...document.querySelectorAll('#path button')].map(button => button.textContent)")

    def click_row(self, row, x=5):
        left, top = self.browser.ask("(() => { const r = document.getElementById('canvas').getBoundingClientRect(); return [r.left, r.top]; })()")
        self.browser.click(left + x, top + 20 * row + 10)

    def search(self, text):
        self.browser.press("/")
        self.assertEqual(self.browser.ask("document.activeElement.id"), "search")
        self.browser.write(text)

    # --- figures ---

    def check_functions(self, page, *arguments):
        """Of the query's measure: as the table of functions has it."""
        expected = table("top", *arguments)
        measure, functions, strings = page["measures"][0], page["functions"], page["strings"]
        self.assertEqual(measure["name"], expected["measure"])
        rows = measure["list"]
        found = [(row_self, total, strings[functions["name"][page["frames"]["function"][frame] >> 1]],
                  strings[functions["module"][page["frames"]["function"][frame] >> 1]])
                 for frame, row_self, total in zip(rows["frame"], rows["self"], rows["total"])]
        self.assertEqual(found, [(row["self"], row["total"], row["function"], row["module"]) for row in expected["functions"]])
        self.assertEqual(sum(measure["tree"]["ends"]) * measure["tree"]["factor"], expected["total"])
        return expected

    def test_figures_are_those_of_the_tables(self):
        for arguments in ([MILL], [GO_HEAP], [GO_HEAP, "--measure=alloc_objects"], [GO_HEAP, "--focus=runtime"], [CALLS, SYSROOT], [CALLS, SYSROOT, "--by=line"], [MILL, "--invert"],
                          [MILL, "--group=thread"], [os.path.join(DATA, "pprof/go-cpu.pb.gz")]):
            with self.subTest(arguments=arguments):
                path = self.export(*arguments)
                expected = self.check_functions(self.data(path), *arguments)
                self.browser.open(path)
                self.assertEqual(self.browser.complaints(), [])
                self.assertEqual(int(self.browser.ask("document.getElementById('functions').dataset.rows")), len(expected["functions"]))

    def test_lifetimes(self):
        """Columns of the window besides amounts and words are in the page, too, and sort it."""
        path = self.export(CONTAINERS)
        rows, (median,) = table("top", CONTAINERS)["functions"], self.data(path)["measures"][0]["list"]["figures"]
        known = [row["median_lifetime_ms"] for row in rows]
        self.assertEqual((median["id"], median["title"]), ("median", "Median lifetime"))
        self.assertEqual([number - 1 if number else None for number in median["number"]], known)
        self.assertEqual([text == "" for text in median["text"]], [ms is None for ms in known])
        self.assertGreater(len(set(known)), 2)
        self.browser.open(path)
        self.browser.ask("[...document.querySelectorAll('#functions th button')].find(button => button.textContent === 'Median lifetime').click()")
        shown = self.browser.ask("[...document.querySelectorAll('#functions tbody tr')].map(row => row.cells[4].textContent)")
        self.assertEqual(shown[0], median["text"][max(range(len(known)), key=lambda i: median["number"][i])])
        self.assertEqual(shown[-1], "")
        self.assertEqual(self.browser.complaints(), [])

    def test_boxes_are_those_of_the_tree(self):
        self.open(MILL)
        nodes = table("tree", "--min-percent=0", MILL)["nodes"]
        self.assertEqual(int(self.browser.ask("document.getElementById('canvas').dataset.boxes")), len(nodes))

    def test_callers_are_those_of_the_report(self):
        page = self.data(self.export(MILL))
        calls, functions, strings = page["measures"][0]["calls"], page["functions"]["name"], page["strings"]
        callers, at = {}, 0
        for function, n in zip(calls["function"], calls["n"]):
            for caller, weight in zip(calls["caller"][at:at + n], calls["weight"][at:at + n]):
                callers.setdefault(strings[functions[function]], set()).add((caller and strings[functions[caller - 1]], weight))
            at += n
        expected = {}
        for row in table("callers", "--function=.", MILL)["callers"]:
            expected.setdefault(row["of_function"], set()).add((row["function"] or 0, row["weight"]))
        self.assertEqual(callers, expected)

    def test_comparison_has_both_sides(self):
        base = self.write("base.folded", "main;run;sort 400\nmain;run;compare 500\nmain;gone 70\nmain;read 250\n")
        new = self.write("new.folded", "main;run;sort 570\nmain;run;compare 500\nmain;added 30\nmain;read 250\n")
        path = self.export("--diff", base, new)
        page = self.data(path)
        measure, strings = page["measures"][0], page["strings"]
        expected = table("top", "--diff", base, new)
        factor = measure["tree"]["factor"]
        self.assertEqual((sum(measure["tree"]["base"]) * factor, sum(measure["tree"]["ends"]) * factor),
                         (expected["total_base"], expected["total_base"] + expected["total_new"]))
        rows = measure["list"]
        found = {strings[page["functions"]["name"][page["frames"]["function"][rows["frame"][i]] >> 1]]:
                 [rows["baseSelf"][i], rows["self"][i] - rows["baseSelf"][i], rows["baseTotal"][i], rows["total"][i] - rows["baseTotal"][i]]
                 for i in range(len(rows["frame"]))}
        self.assertEqual(found, {row["function"]: [row[key] for key in ("self_base", "self_new", "total_base", "total_new")]
                                 for row in expected["functions"]})
        self.browser.open(path)
        self.assertEqual(self.browser.complaints(), [])
        self.assertIn("1,220 → 1,350, +130 (+10.7 %)", self.text("subtitle"))
        self.assertEqual(self.browser.ask("[...document.querySelectorAll('#functions tr:nth-child(1) td')].map(cell => cell.innerText)")[:4],
                         ["+170", "+170", "400", "570"])
        self.browser.ask("[...document.querySelectorAll('#functions td button')].find(b => b.innerText === 'main').click()")
        self.assertIn("+170\trun", self.text("callees"))
        self.assertIn("−70\tgone", self.text("callees"))
        self.assertIn("sort", self.text("changes"))

    def test_pseudonyms_hide_names(self):
        with open(self.export("--anonymize", CALLS, SYSROOT), encoding="utf-8") as file:
            text = file.read()
        for name in ("checksum", "integrate", "calls-fp", "/opt/samples", "compare_values"):
            self.assertNotIn(name, text)
        page = self.data(self.export("--anonymize", CALLS, SYSROOT))
        self.assertEqual(page["title"], "profile")
        self.assertEqual(page["measures"][0]["list"]["self"], [row["self"] for row in table("top", CALLS, SYSROOT)["functions"]])

    def test_pseudonyms_hide_what_filters_look_for(self):
        options = ("--focus=checksum", "--hide=integrate", "--time=..10s")
        with open(self.export("--anonymize", *options, CALLS, SYSROOT), encoding="utf-8") as file:
            text = file.read()
        for name in ("checksum", "integrate"):
            self.assertNotIn(name, text)
        page = self.data(self.export("--anonymize", *options, CALLS, SYSROOT))
        self.assertEqual(page["options"], ["--time=..10s", "--focus=…", "--hide=…"])
        self.assertEqual(page["measures"][0]["list"]["self"],
                         [row["self"] for row in table("top", *options, CALLS, SYSROOT)["functions"]])

    def test_facts_and_notes_are_those_of_the_summary(self):
        self.open(MILL, "--time=..100ms")
        shown = self.text("facts")
        summary = good("--print=summary", MILL)
        for title, value in self.data(self.export(MILL))["facts"]:
            self.assertRegex(summary, r"(?m)^%s +%s$" % (re.escape(title), re.escape(value)))
            self.assertIn(value, shown)
        self.assertIn("--time=", shown)
        for note in json.loads(good("--print=summary", "--format=json", MILL))["notes"]:
            self.assertIn(note["text"], self.text("notes"))
        self.assertNotIn("undefined", self.browser.ask("document.body.innerText + [...document.querySelectorAll('[aria-label]')].map(e => e.ariaLabel)"))

    def test_small_nodes_are_folded_and_told(self):
        lines = ["main;f%d;g%d %d" % (i % 300, i, 1 + (i < 40) * 100000) for i in range(40000)]
        path = self.export(self.write("many.folded", "\n".join(lines)))
        self.assertLess(os.path.getsize(path), 1 << 20)
        page = self.data(path)
        tree, expected = page["measures"][0]["tree"], 40000 + 40 * 100000
        self.assertEqual(sum(tree["ends"]) * tree["factor"], expected)
        self.assertEqual(len(tree["folded"]), tree["frame"].count(1))
        self.assertGreater(len(tree["folded"]), 0)
        self.browser.open(path)
        self.assertRegex(self.text("left-out"), r"below [0-9.]+ % of the total .*: 39,960 functions, 1.0 % of the total")
        self.assertRegex(self.text("functions-left"), "^[0-9,]+ functions with less than")
        self.assertEqual(self.browser.complaints(), [])

    # --- the page in use ---

    def test_search_tells_the_share(self):
        self.open(GO_HEAP)
        for expression in ("parseorder", "PROC\\.GO", "kiosk", "^main\\.sell$", "gzip|newm"):
            focused = table("top", GO_HEAP, "--focus=(?i)" + expression)["total"]
            whole = table("top", GO_HEAP)["total"]
            self.search(expression)
            self.assertIn("%.1f %% of all" % (100 * focused / whole), self.text("found"))
            self.browser.press("Escape")
            self.assertEqual(self.text("found"), "")
            self.browser.press("Escape")
            self.assertEqual(self.browser.ask("document.activeElement.id"), "canvas")
        self.search("nothing is called so")
        self.assertEqual(self.text("found"), "Nothing matches")
        self.browser.press("f", 2)
        self.browser.write("(")
        self.assertEqual(self.text("found"), "This is not a regular expression")
        self.assertEqual(self.browser.complaints(), [])

    def test_click_and_keys_zoom(self):
        self.open(MILL)
        nodes = table("tree", "--min-percent=0", MILL)["nodes"]
        names = [node["function"] for node in nodes[:4]]
        self.assertEqual(self.path(), ["all"])
        self.click_row(1)
        self.assertEqual(self.path(), ["all", names[1]])
        self.click_row(2)
        self.assertEqual(self.path(), ["all", names[1], names[2]])
        self.browser.ask("document.getElementById('canvas').focus()")
        self.browser.press("ArrowDown")
        self.assertTrue(self.text("details").startswith(names[3]))
        self.browser.press("Enter")
        self.assertEqual(self.path(), ["all", *names[1:4]])
        for n in (3, 2, 1):
            self.browser.press("Escape" if n % 2 else "Backspace")
            self.assertEqual(len(self.path()), n)
        self.browser.press("ArrowDown")
        self.browser.press("Home")
        self.assertTrue(self.text("details").startswith("all"))
        self.assertEqual(self.browser.complaints(), [])

    def test_tool_tip_and_chosen_function(self):
        self.open(MILL)
        nodes = table("tree", "--min-percent=0", MILL)["nodes"]
        left, top = self.browser.ask("(() => { const r = document.getElementById('canvas').getBoundingClientRect(); return [r.left, r.top]; })()")
        self.browser.move_to(left + 5, top + 30)
        tip = self.text("tip")
        self.assertIn(nodes[1]["function"], tip)
        self.assertIn("%.1f %% of all" % (100 * nodes[1]["total"] / nodes[0]["total"]), tip)
        self.browser.ask("document.querySelector('#functions td button').click()")
        first = table("top", MILL)["functions"][0]["function"]
        self.assertEqual(self.text("calls-name"), first)
        self.assertEqual(self.browser.ask("document.querySelectorAll('#functions tr.chosen').length"), 1)

    def list_functions(self, id="functions"):
        """Of a table: what stands there, and the tool tips."""
        return self.browser.ask("[...document.querySelectorAll('#%s td.name button')].map(b => [b.textContent, b.title])" % id)

    def test_tables_have_labels(self):
        """Search finds what only the whole name has."""
        self.open(os.path.join(DATA, "recordings/inlining-fp.data"), SYSROOT)
        dot = ["geometry::Vec::dot", "geometry::Vec::dot(geometry::Vec const&) const"]
        functions = self.list_functions()
        self.assertIn(dot, functions)
        self.search("Vec const&")
        found = self.list_functions()
        self.assertIn(dot, found)
        self.assertTrue(all("Vec const&" in name for _, name in found), found)
        self.browser.ask("[...document.querySelectorAll('#functions td button')].find(b => b.title === %s).click()" % json.dumps(dot[1]))
        self.assertEqual(self.text("calls-name"), dot[1])
        callers = self.list_functions("callers")
        self.assertTrue(callers and all(label and name.startswith(label.split("<")[0]) for label, name in callers), callers)

    def test_sorts_and_chooses_measures(self):
        self.open(GO_HEAP)
        by_total = table("top", GO_HEAP)["functions"]
        by_total.sort(key=lambda row: -row["total"])
        self.browser.ask("document.querySelectorAll('#functions th button')[1].click()")
        self.assertEqual(self.browser.ask("document.querySelector('#functions td.name').innerText"), by_total[0]["function"])
        self.assertEqual(self.browser.ask("document.querySelector('#functions th[aria-sort]').innerText.trim()"), "Total")
        self.browser.ask("(() => { const m = document.getElementById('measure'); m.selectedIndex = 2; m.dispatchEvent(new Event('change')); })()")
        name = self.browser.ask("document.getElementById('canvas').dataset.measure")
        self.assertEqual(int(self.browser.ask("document.getElementById('functions').dataset.rows")),
                         len(table("top", GO_HEAP, "--measure=" + name)["functions"]))
        self.assertEqual(self.browser.complaints(), [])

    def test_is_reachable_by_keyboard_and_named(self):
        self.open(GO_HEAP)
        seen = []
        for _ in range(8):
            self.browser.press("Tab")
            seen.append(self.browser.ask("document.activeElement.id || document.activeElement.innerText"))
        for id in ("measure", "search", "canvas"):
            self.assertIn(id, seen)
        nodes = self.browser.call("Accessibility.getFullAXTree")["nodes"]
        for node in nodes:
            if node["role"]["value"] in ("button", "searchbox", "combobox", "application", "navigation"):
                self.assertTrue(node["name"]["value"], node)

    # --- hostile ---

    def test_hostile_names_do_not_run(self):
        lines = ["%s;%s;%s %d" % (name, other, name[::-1], 3 + i) for i, name in enumerate(EVIL) for other in EVIL]
        title = "evil<!--<img src=x onerror=alert(1)>.folded"
        path = self.write(title, "\n".join(lines) + "\n")
        self.open(path)
        self.assertEqual(self.browser.ask("document.title"), title)
        self.assertEqual(self.browser.ask("document.querySelectorAll('img, svg, iframe, object, script:not([id])').length"), 1)
        for row in range(1, 4):
            self.click_row(row)
            self.browser.move_to(300, 300)
        self.search("script")
        for i in range(5):
            self.browser.ask("document.querySelectorAll('#functions td button')[%d].click()" % i)
        names = {row["function"] for row in table("top", path)["functions"]}
        shown = self.list_functions()
        self.assertLessEqual({name for _, name in shown}, names)
        self.assertTrue(any("</script>" in name for _, name in shown))
        page = self.data(self.export(path))
        strings = page["strings"]
        self.assertLessEqual({label for label, _ in shown}, {strings[label] for label in page["functions"]["label"]})
        self.assertEqual(self.browser.ask("document.title"), title)
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual(self.browser.requests(), [])

    def test_policy_runs_nothing_else(self):
        self.open(MILL)
        self.browser.ask("(() => { const s = document.createElement('script'); s.textContent = 'document.title = \"run\"'; document.body.append(s); "
                         "const i = document.createElement('img'); i.src = 'https://example.org/x.png'; document.body.append(i); })()")
        self.assertNotEqual(self.browser.ask("document.title"), "run")
        self.assertTrue(all("Content Security Policy" in text for text in self.browser.complaints()))
        self.assertEqual(len(self.browser.complaints()), 2)

    def test_refuses_what_does_not_apply(self):
        path = os.path.join(self.folder.name, "x.html")
        for arguments in (["--width=100"], ["--print=top"], ["--limit=3"], ["--focus=nothing is called so"]):
            status, _, errors = run("--export=" + path, *arguments, MILL)
            self.assertNotEqual(status, 0)
            self.assertTrue(errors)
            self.assertFalse(os.path.exists(path))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
