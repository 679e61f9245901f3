#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces of heaps through profview without a display: what is printed and written of two small ones made here.

    test-heaps.py PROFVIEW TESTS_DATA
"""

import gzip
import json
import os
import sys
import tempfile
import unittest

from program import good, rows, run

PERF = os.path.join(sys.argv[2], "recordings", "calls-fp.data")

STRINGS = ("/opt/app/app", "main", "/src/main.cpp", "app::make(int)", "operator new(unsigned long)",
           "/opt/app/libmain.so", "g_main_context_new", "g_malloc", "app::Cache::Cache()")

# main calls app::make (by operator new and on its own), g_main_context_new (by g_malloc) and, inlined, the cache.
INTERPRETED = """v 10400 3
X app --fast
I 1000 5e2923
{strings}i 1000 1 2 3 a
t 1 0
i 1010 1 4 3 14
t 2 1
i 1020 1 5
t 3 2
a 64 3
i 2000 6 7
t 4 1
i 2010 6 8
t 5 4
a 28 5
a 8 2
i 1030 1 9 3 1e 2 3 c
t 6 0
a 10 6
c 0
+ 0
+ 0
c a
+ 1
+ 3
c 14
R 2
+ 2
- 2
- 0
c 28
R 3
""".format(strings="".join("s %x %s\n" % (len(s), s) for s in STRINGS))

# Two sites without names: one block held 30 ms, two until the end after 40.
RAW = """v 10400 3
x 8 /opt/raw
I 1000 5e2923
m 1 x 0 1000 9000
c 0
t 1100 0
t 1200 0
+ 20 1 aaa0
+ 10 2 bbb0
+ 10 2 bbc0
c 1e
- aaa0
c 28
"""


def values(*arguments):
    """The rows of a top table: self by function."""
    return {row[2]: int(row[0]) for row in rows("--print=top", *arguments)[1] if row[0] != "0"}


class Heaps(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = self.write("trace", INTERPRETED)
        self.raw = self.write("raw", RAW)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def assert_bad_usage(self, words, *arguments):
        status, out, errors = run(*arguments)
        self.assertEqual((status, out), (2, ""), arguments)
        self.assertIn(words, errors)

    def test_summary(self):
        summary = json.loads(good("--print=summary", "--format=json", self.file))
        expected = {"allocations": 5, "temporary": 1, "allocated_bytes": 264, "leaked_bytes": 116, "suppressed_bytes": 40,
                    "peak_bytes": 264, "peak_ns": 20000000, "peak_rss_bytes": 12288, "duration_ns": 40000000,
                    "is_exact": False, "is_attached": False, "stacks": None, "samples": 4}
        self.assertEqual({key: summary[key] for key in expected}, expected)
        self.assertEqual([m["name"] for m in summary["measures"]],
                         ["peak", "leaked", "live", "growth", "allocated", "allocations", "temporary", "lifetime"])
        self.assertEqual([m["total"] for m in summary["measures"]][:7], [264, 116, 156, 156, 264, 5, 1])
        facts = dict(rows("--print=summary", self.file)[1])
        for key in ("allocations", "leaked_bytes", "suppressed_bytes", "peak_bytes", "peak_ns", "peak_rss_bytes"):
            self.assertEqual(facts[key], str(expected[key]))
        self.assertEqual((facts["is_exact"], facts["is_attached"]), ("0", "0"))
        self.assertNotIn("stacks_complete", facts)
        text = good("--print=summary", self.file)
        for words in ("5, 125 per second", "20.0 % of the allocations, matched by size and stack", "264 B, at 20.0 ms",
                      "116 B, excluding 40 B suppressed", "12.0 KiB"):
            self.assertIn(words, text)
        self.assertRegex(text, r"(?m)^leaked +100 B +86\.2 % +app::make\(int\) +app$")
        self.assertRegex(text, r"(?m)^temporary +1 +100\.0 % +app::make\(int\) +app$")
        self.assertNotIn("%", text[text.index("Module   "):])
        raw = json.loads(good("--print=summary", "--format=json", self.raw))
        self.assertEqual((raw["is_exact"], raw["peak_bytes"], raw["leaked_bytes"]), (True, 64, 32))

    def test_attached(self):
        attached = self.write("attached", INTERPRETED.replace("c 0\n", "A\nc 0\n"))
        self.assertTrue(json.loads(good("--print=summary", "--format=json", attached))["is_attached"])
        self.assertIn("Not freed since attaching", good("--print=summary", attached))

    def test_cut(self):
        """A trace that ends before its program says so; one that ends well does not."""
        for text, words in ((INTERPRETED, None), (INTERPRETED + "# strings: 9\n# ips: 6\n", None),
                            (INTERPRETED.replace("v 10400 3", "v 10250 3") + "+ 0\n", "no proper end"),
                            (INTERPRETED + "+ 0\n\n# strings: 9\n# ips: 6\n", "no proper end"),
                            (INTERPRETED + "- 0\n", "no proper end"),
                            (INTERPRETED.replace("v 10400 3", "v 10000 3") + "+ 0\n", None),
                            (INTERPRETED.replace("R ", "# ") + "+ 0\n", None),
                            (INTERPRETED + "+ 0\n# recording cut: disk full\n", "disk was full"),
                            (INTERPRETED + "# recording cut: write error\n", "could not be written"),
                            (INTERPRETED + "# recording cut: stopped\n", "was stopped"),
                            (INTERPRETED + "# recording cut: profview killed\n", "Profview was killed"),
                            (INTERPRETED + "+", "middle of a line")):
            with self.subTest(text=text[-60:], words=words):
                path = self.write("cut", text)
                shown = json.loads(good("--print=summary", "--format=json", path))
                notes = [note["text"] for note in shown["notes"]]
                self.assertEqual(shown["is_cut"], words is not None)
                self.assertEqual(len(notes), 0 if words is None else 1)
                self.assertTrue(words is None or words in notes[0], notes)
                text_of = good("--print=summary", path)
                self.assertEqual("Leaked so far" in text_of and "Peak so far" in text_of, words is not None, text_of)
                self.assertIn(["is_cut", str(int(words is not None))], rows("--print=summary", path)[1])

    def test_allocators(self):
        own = {"app::make(int)": 208, "g_main_context_new": 40, "app::Cache::Cache()": 16}
        self.assertEqual(values(self.file), own)
        self.assertEqual(values("--show-allocators", self.file),
                         {"operator new(unsigned long)": 200, "app::make(int)": 8, "g_malloc": 40,
                          "app::Cache::Cache()": 16})
        # What else is asked for comes after it.
        self.assertEqual(values("--focus=g_malloc", self.file), {})
        self.assertEqual(values("--focus=g_malloc", "--show-allocators", self.file), {"g_malloc": 40})
        self.assertEqual(values("--hide=make", self.file),
                         {"main": 208, "g_main_context_new": 40, "app::Cache::Cache()": 16})
        self.assertEqual(values("--no-inline", self.file),
                         {"app::make(int)": 208, "g_main_context_new": 40, "main": 16})

    def test_measures(self):
        for measure, expected in {
                "leaked": {"app::make(int)": 100, "app::Cache::Cache()": 16},
                "live": {"app::make(int)": 100, "g_main_context_new": 40, "app::Cache::Cache()": 16},
                "allocated": {"app::make(int)": 208, "g_main_context_new": 40, "app::Cache::Cache()": 16},
                "allocations": {"app::make(int)": 3, "g_main_context_new": 1, "app::Cache::Cache()": 1},
                "temporary": {"app::make(int)": 1}}.items():
            self.assertEqual(values("--measure=" + measure, self.file), expected)
        self.assert_bad_usage("available: peak, leaked", "--print=top", "--measure=cycles", self.file)

    def test_time(self):
        self.assertEqual(values("--measure=allocated", "--time=..10ms", self.file), {"app::make(int)": 200})
        self.assertEqual(values("--measure=allocated", "--time=10ms..20ms", self.file),
                         {"g_main_context_new": 40, "app::Cache::Cache()": 16})
        self.assertEqual(values("--measure=live", "--time=0..0.01", self.file), {"app::make(int)": 200})
        self.assertEqual(values("--measure=decrease", "--time=10ms..", self.file), {"app::make(int)": 100})
        self.assertEqual(values("--measure=increase", "--time=10ms..", self.file),
                         {"g_main_context_new": 40, "app::Cache::Cache()": 16})
        self.assertIn("Nothing matches", good("--print=top", "--measure=temporary", "--time=..10ms", self.file))

    def test_suppressions(self):
        leaked = "--measure=leaked"
        own = self.write("own.supp", "# mine\n\nleak:^app::make\n")
        other = self.write("other.supp", "leak:Cache$\nleak:^app::*Cache\n")
        self.assertEqual(values(leaked, "--no-suppressions", self.file),
                         {"app::make(int)": 100, "g_main_context_new": 40, "app::Cache::Cache()": 16})
        self.assertEqual(values(leaked, "--suppressions=" + own, self.file), {"app::Cache::Cache()": 16})
        self.assertEqual(values(leaked, "--suppressions=" + own, "--suppressions", other, self.file), {})
        self.assertEqual(values(leaked, "--suppressions=" + own, "--no-suppressions", self.file),
                         {"g_main_context_new": 40, "app::Cache::Cache()": 16})
        # Only leaks are.
        self.assertEqual(values("--suppressions=" + own, self.file)["app::make(int)"], 208)
        summary = json.loads(good("--print=summary", "--format=json", "--suppressions=" + own, self.file))
        self.assertEqual((summary["leaked_bytes"], summary["suppressed_bytes"]), (16, 140))
        embedded = self.write("embedded", INTERPRETED.replace("X app", "S a leak:Cache\nX app"))
        self.assertEqual(values(leaked, embedded), {"app::make(int)": 100})
        self.assertEqual(len(values(leaked, "--no-suppressions", embedded)), 3)
        bad = self.write("bad.supp", "leak:fine\nrace:strange\n")
        self.assert_bad_usage("bad.supp, line 2: “race:strange”", "--print=top", "--suppressions=" + bad, self.file)
        self.assert_bad_usage("none.supp", "--print=top", "--suppressions=" + self.path("none.supp"), self.file)

    def test_unknown_threads(self):
        """A heap trace does not say which thread allocates, which is not one thread."""
        text = good("--print=summary", self.raw)
        self.assertNotIn("Threads", text)
        self.assertRegex(text, "(?m)^Processes +1$")
        self.assertIsNone(json.loads(good("--print=summary", "--format=json", self.raw))["threads"])

    def test_lifetimes(self):
        top = json.loads(good("--print=top", "--by=address", "--format=json", self.raw))["functions"]
        self.assertEqual([(row["self"], row["median_lifetime_ms"]) for row in top], [(32, 30), (32, 40)])
        self.assertIn("Median lifetime", good("--print=top", self.raw))
        self.assertEqual(rows("--print=top", self.raw)[0], ["self", "total", "function", "module", "file", "line"])
        self.assertNotIn("median_lifetime_ms", good("--print=top", "--format=json", self.file))
        self.assertNotIn("lifetime", good("--print=top", self.file))

    def test_tables(self):
        tree = rows("--print=tree", self.file)[1]
        self.assertEqual([row[:4] for row in tree],
                         [["0", "0", "264", "all"], ["1", "0", "264", "main"], ["2", "208", "208", "app::make(int)"],
                          ["2", "40", "40", "g_main_context_new"], ["2", "16", "16", "app::Cache::Cache()"]])
        callers = rows("--print=callers", "--function=make", self.file)[1]
        self.assertEqual([row[:2] for row in callers], [["208", "main"]])
        by_line = rows("--print=top", "--by=line", self.file)[1]
        self.assertIn(["208", "208", "app::make(int)", "app", "/src/main.cpp", "20"], by_line)
        self.assertIn("264 B", good("--print=top", self.file))
        self.assertIn("B·s", good("--print=top", "--measure=lifetime", self.file))

    def test_folded(self):
        out = self.path("out.folded")
        good("--export=" + out, self.file)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(file.read(), "main;app::Cache::Cache() 16\nmain;app::make(int) 208\n"
                             "main;g_main_context_new 40\n")

    def test_charts(self):
        magics = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
        for chart in ("live", "allocations", "temporary", "rss", "sizes"):
            for ending, magic in magics.items():
                out = self.path(chart + "." + ending)
                good("--export=" + out, "--chart=" + chart, self.file)
                with open(out, "rb") as file:
                    self.assertEqual(file.read(len(magic)), magic)
        out = self.path("narrow.png")
        good("--export=" + out, "--chart=live", "--width=400", "--height=300", "--time=..20ms", self.file)
        with open(out, "rb") as file:
            header = file.read(24)
        self.assertEqual((int.from_bytes(header[16:20], "big"), int.from_bytes(header[20:24], "big")), (400, 300))

    def test_sizes_of_a_part(self):
        """The chart of a part is that of a trace with nothing else, of a pack too; one site has two sizes."""
        head = INTERPRETED[:INTERPRETED.index("c 0\n")] + "a 1000 3\n"
        early, late = "+ 0\n+ 0\n+ 4\n", "+ 4\n+ 4\n+ 2\n"
        chart = "--chart=sizes"

        def draw(name, text, *options):
            os.mkdir(self.path(name))
            file, out = self.write(os.path.join(name, "trace"), text), self.path(name + ".svg")
            good("--export=" + out, chart, *options, file)
            pack = self.path(name + ".profview")
            good("--export=" + pack, file)
            os.rename(pack, file)
            packed = self.path(name + "-packed.svg")
            good("--export=" + packed, chart, *options, file)
            with open(out, "rb") as one, open(packed, "rb") as other:
                picture = one.read()
                self.assertEqual(picture, other.read())
            return picture

        both = head + "c 0\n" + early + "c 14\n" + late + "c 28\n"
        whole = draw("whole", both)
        self.assertEqual(draw("early", both, "--time=..10ms"), draw("only-early", head + "c 0\n" + early + "c 28\n"))
        self.assertEqual(draw("late", both, "--time=20ms.."), draw("only-late", head + "c 14\n" + late + "c 28\n"))
        self.assertEqual(draw("focused", both, "--time=20ms..", "--focus=nothing|make"), draw("same", both, "--time=20ms.."))
        self.assertNotEqual(whole, draw("again", both, "--time=20ms.."))

    def test_packs_are_whole(self):
        status, _, errors = run("--export=" + self.path("out.profview"), "--time=..10ms", "--focus=make", self.file)
        self.assertEqual(status, 0)
        self.assertIn("whole profile, so these did not apply: --time=..10ms --focus=make", errors)
        self.assertEqual(run("--export=" + self.path("out.profview"), self.file)[2], "")
        self.assertEqual(good("--print=top", self.path("out.profview")), good("--print=top", self.file))

    def test_bad_charts(self):
        out = "--export=" + self.path("out.svg")
        self.assert_bad_usage("live, allocations", out, "--chart=pie", self.file)
        self.assert_bad_usage("--export", "--print=top", "--chart=live", self.file)
        self.assert_bad_usage("heap", out, "--chart=live", PERF)
        for ending in ("folded", "tsv", "json"):
            self.assert_bad_usage("--chart", out.replace(".svg", "." + ending), "--chart=live", self.file)
        status, _, errors = run(out, "--chart=temporary", self.raw)
        self.assertEqual(status, 1)
        self.assertIn("nothing matches", errors)
        self.assertFalse(os.path.exists(self.path("out.svg")))

    def test_what_heaps_do_not_have(self):
        for option in ("--group=thread", "--group=process", "--cpu=0"):
            self.assert_bad_usage("does not apply to heap traces", "--print=top", option, self.file)
        self.assert_bad_usage("no thread", "--print=top", "--thread=nobody", self.file)

    def test_unpacking_limit(self):
        packed = self.path("trace.gz")
        with gzip.open(packed, "wb") as file:
            file.write(INTERPRETED.encode())
        self.assertEqual(good("--print=top", packed), good("--print=top", self.file))
        self.assertEqual(good("--print=top", "--max-unpacked=1M", packed), good("--print=top", self.file))
        limited = "--max-unpacked=%d" % (len(INTERPRETED) - 40)
        self.assertNotEqual(good("--print=top", limited, packed), good("--print=top", self.file))
        self.assertIn("larger than the limit", good("--print=notes", limited, packed))

    def test_help(self):
        text = good("--help")
        for option in ("--chart=KIND", "--show-allocators", "--suppressions=FILE", "--no-suppressions",
                       "--max-unpacked=BYTES"):
            self.assertIn(option, text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
