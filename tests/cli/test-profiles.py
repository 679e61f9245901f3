#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What profview's commands make of pprof's profiles: labels, several files as one, names.

    test-profiles.py PROFVIEW TESTS_DATA
"""

import gzip
import json
import os
import tempfile
import unittest
import xml.etree.ElementTree

from program import good, rows, run


# --- writing google/pprof's profile.proto ---------------------------------------------------------

def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, *parts):
    body = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(body)) + body


class Profile:
    """Samples are (stack, values, labels): root first, "outer»inner" for inlined frames."""

    def __init__(self, types, samples, **facts):
        self.strings = {"": 0}
        self.functions = {}
        self.locations = {}
        out = [message(1, number(1, self.text(kind)), number(2, self.text(unit)))
               for kind, unit in types]
        out += [self.sample(*sample) for sample in samples]
        out += [message(4, number(1, number_of), *[message(4, number(1, self.function(name)),
                                                           number(2, 7))
                                                   for name in reversed(chain.split("»"))])
                for chain, number_of in self.locations.items()]
        out += [message(5, number(1, number_of), number(2, self.text(name)),
                        number(4, self.text("/src/a.c")))
                for name, number_of in self.functions.items()]
        for field, name in ((7, "drop"), (8, "keep"), (14, "default"), (15, "doc_url")):
            if name in facts:
                out.append(number(field, self.text(facts[name])))
        out += [number(13, self.text(line)) for line in facts.get("comments", [])]
        out.append(number(9, facts.get("time_ns", 0)))
        self.data = b"".join(out + [message(6, text.encode()) for text in self.strings])

    def text(self, text):
        return self.strings.setdefault(text, len(self.strings))

    def function(self, name):
        return self.functions.setdefault(name, len(self.functions) + 1)

    def sample(self, stack, values, labels=()):
        chains = [self.locations.setdefault(chain, len(self.locations) + 1) for chain in stack]
        parts = [number(1, chain) for chain in reversed(chains)]
        parts += [number(2, value) for value in values]
        for key, value in dict(labels).items():
            name = number(1, self.text(key))
            if isinstance(value, str):
                parts.append(message(3, name, number(2, self.text(value))))
            else:
                parts.append(message(3, name, number(3, value), number(4, self.text("bytes"))))
        return message(2, *parts)

    def write(self, path):
        with gzip.open(path, "wb") as file:
            file.write(self.data)
        return path


HEAP = [("inuse_objects", "count"), ("inuse_space", "bytes")]


def heap(time_s, amounts):
    """A heap in which each function holds so many bytes, in one object each."""
    return Profile(HEAP, [(["main", name], [1, amount], {}) for name, amount in amounts.items()],
                   time_ns=time_s * 10**9, default="inuse_space")


def top(*arguments):
    """Function -> (self, total)."""
    _, table = rows("--print=top", *arguments)
    return {row[2]: (int(row[0]), int(row[1])) for row in table}


class Profiles(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def labelled(self):
        samples = [(["main", "a"], [1], {"tenant": "red", "size": 512}),
                   (["main", "a"], [2], {"tenant": "blue", "size": 64}),
                   (["main", "b"], [4], {"tenant": "red"}),
                   (["main", "b"], [8], {})]
        return Profile([("samples", "count")], samples).write(self.path("labels.pb.gz"))

    def test_labels(self):
        path = self.labelled()
        self.assertEqual(top(path)["main"], (0, 15))
        self.assertEqual(top("--label=tenant=red", path), {"b": (4, 4), "a": (1, 1),
                                                           "main": (0, 5)})
        self.assertEqual(top("--label=tenant=red|blue", "--label=size=^512 bytes$", path),
                         {"a": (1, 1), "main": (0, 1)})
        self.assertIn("No samples match", good("--print=top", "--label=tenant=green", path))
        status, _, errors = run("--print=top", "--label=colour=red", path)
        self.assertEqual(status, 2)
        self.assertIn("size, tenant", errors)

    def test_groups(self):
        path = self.labelled()
        header, table = rows("--print=tree", "--group=label:size", path)
        name, depth, total = (header.index(key) for key in ("function", "depth", "total"))
        groups = {row[name]: int(row[total]) for row in table if row[depth] == "1"}
        self.assertEqual(groups, {"(no size)": 12, "64 bytes": 2, "512 bytes": 1})
        out = self.path("groups.folded")
        good("--export=" + out, "--group=label:tenant", path)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(file.read().splitlines(),
                             ["(no tenant);main;b 8", "blue;main;a 2", "red;main;a 1",
                              "red;main;b 4"])

    def test_names(self):
        names = ["Map<K, V>;get, set", "(anonymous)", "./index.js:(anonymous):22",
                 "main.(*T).M[...]", "<T as Trait>::f", "com.foo.Bar.<init>", "operator()(int)"]
        samples = [([name], [1], {}) for name in names]
        path = Profile([("samples", "count")], samples).write(self.path("names.pb.gz"))
        self.assertEqual(set(top(path)), set(names))
        objects = json.loads(good("--print=top", "--format=json", path))["functions"]
        self.assertEqual({row["function"] for row in objects}, set(names))
        out = self.path("names.folded")
        good("--export=" + out, path)
        with open(out, encoding="utf-8") as file:
            self.assertEqual({line.rsplit(" ", 1)[0] for line in file.read().splitlines()},
                             {name.replace(";", ":") for name in names})
        again = self.path("again.pb.gz")
        good("--export=" + again, path)
        self.assertEqual(set(top(again)), set(names))

    def test_dropped(self):
        samples = [(["main", "run", "malloc", "sys"], [1], {}), (["main", "mallocx"], [2], {}),
                   (["main", "run»malloc»sys"], [4], {}), (["main", "malloc_keep", "x"], [8], {})]
        path = Profile([("samples", "count")], samples, drop="malloc.?|malloc_.*",
                       keep="malloc_keep").write(self.path("drop.pb.gz"))
        self.assertEqual(top(path), {"x": (8, 8), "run": (5, 5), "main": (2, 15),
                                     "malloc_keep": (0, 8)})
        self.assertEqual(top("--show-dropped", path),
                         {"x": (8, 8), "sys": (5, 5), "mallocx": (2, 2), "main": (0, 15),
                          "malloc_keep": (0, 8), "run": (0, 5), "malloc": (0, 5)})
        bad = Profile([("samples", "count")], samples, drop="malloc(").write(self.path("bad.pb.gz"))
        self.assertIn("sys", top(bad))
        self.assertIn("left out", good("--print=notes", bad))

    def test_harmful_names(self):
        """Names reach terminals, SVG and PDF: nothing in them commands, hides or breaks."""
        harmful = ("\x1b", "\x7f", "\x80", "\x9b", "\x9d", "\u200b", "\u202e", "\u2066", "\u2069",
                   "\ufdd0", "\ufeff", "\ufffe", "\uffff", "\U0001fffe", "\U000e0041")
        samples = [(["main", "f%d%s[31m" % (i, c)], [1], {"key": "v" + c})
                   for i, c in enumerate(harmful)]
        types = [("sam\x9bples", "count")]
        path = Profile(types, samples, comments=["from\x9b\u202e\ufffe"],
                       drop="(\x9b").write(self.path("harmful\x9b\u202e.pb.gz"))
        for options in (["--print=top"], ["--print=tree", "--group=label:key"], ["--print=summary"],
                        ["--print=notes"], ["--print=top", "--format=tsv"],
                        ["--print=top", "--format=json"], ["--print=top", "--focus=nothing"],
                        ["--print=callers", "--function=nothing\x9b"],
                        ["--print=callers", "--function=f"]):
            _, text, errors = run(*options, path)
            shown = text + errors
            self.assertEqual([c for c in harmful if c in shown], [], options)
        self.assertEqual(len([name for name in top(path) if "\ufffd[31m" in name]), len(harmful))
        out = self.path("harmful\x9b.svg")
        good("--export=" + out, path)
        self.assertIn("svg", xml.etree.ElementTree.parse(out).getroot().tag)
        with open(out, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual([c for c in harmful if c in text], [])
        out = self.path("harmful.pdf")
        good("--export=" + out, path)
        with open(out, "rb") as file:
            self.assertEqual(file.read(5), b"%PDF-")

    def test_slow_expressions(self):
        """A pattern that takes too long is an error, never "no match"."""
        names = ["main"] + ["a" * n + "!" for n in (25, 60, 500, 5000, 100000)] + ["aaab5"]
        samples = [(["main", name], [1], {"key": name}) for name in names[1:]]
        path = Profile([("samples", "count")], samples).write(self.path("slow.pb.gz"))
        slow = "(a+)+$"
        for options in (["--print=top", "--focus=" + slow], ["--print=tree", "--ignore=" + slow],
                        ["--print=top", "--hide=" + slow], ["--print=tree", "--show-from=" + slow],
                        ["--print=top", "--focus=(a+)+c|a*b5$"], ["--print=top", "--label=key=" + slow],
                        ["--print=callers", "--function=" + slow]):
            before = os.times()
            status, _, errors = run(*options, path)
            after = os.times()
            used = (after.children_user + after.children_system - before.children_user -
                    before.children_system)
            self.assertEqual(status, 1, options)
            self.assertIn("takes too long", errors)
            self.assertIn("incomplete", errors)
            self.assertLess(used, 5, options)
        out = self.path("slow.svg")
        self.assertIn("takes too long", run("--export=" + out, "--focus=" + slow, path)[2])
        self.assertEqual(good("--print=top", "--focus=^a.*b5$", path).count("aaab5"), 1)
        # The file's own expression: its frames stay, and it is told.
        dropping = Profile([("samples", "count")], samples, drop="(a+)+").write(self.path("d.pb.gz"))
        _, text, errors = run("--print=top", dropping)
        self.assertIn("takes too long", errors)
        self.assertIn("main", text)
        self.assertEqual(run("--print=top", "--show-dropped", dropping)[0], 0)

    def test_measures(self):
        path = heap(1, {"a": 100, "b": 300}).write(self.path("heap.pb.gz"))
        for name in ("inuse_space", "space", "Space"):
            self.assertEqual(top("--measure=" + name, path)["main"], (0, 400))
        self.assertEqual(top("--measure=objects", path)["main"], (0, 2))
        self.assertEqual(top(path)["main"], (0, 400))

    def test_merge(self):
        first = heap(1, {"a": 100, "b": 300}).write(self.path("one.pb.gz"))
        second = heap(2, {"b": 1000, "c": 5}).write(self.path("two.pb.gz"))
        self.assertEqual(top("--merge", first, second),
                         {"b": (1300, 1300), "a": (100, 100), "c": (5, 5), "main": (0, 1405)})
        # Without it each has a heading.
        self.assertEqual(good("--print=top", first, second).count("=="), 4)
        self.assertEqual(good("--print=top", "--merge", first, second).count("=="), 0)
        out = self.path("merged.folded")
        status, _, errors = run("--export=" + out, first, second)
        self.assertEqual(status, 2)
        self.assertIn("--merge", errors)
        good("--export=" + out, "--merge", first, second)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(file.read().splitlines(),
                             ["main;a 100", "main;b 1300", "main;c 5"])
        status, _, errors = run("--print=top", "--merge", "--series", first, second)
        self.assertEqual(status, 2)

    def series(self):
        heaps = [heap(10, {"a": 100, "b": 300}), heap(20, {"a": 150, "b": 200}),
                 heap(30, {"a": 400, "c": 7})]
        return [one.write(self.path(f"heap-{i}.pb.gz")) for i, one in enumerate(heaps)]

    def test_series(self):
        paths = self.series()
        shuffled = [paths[2], paths[0], paths[1]]
        self.assertEqual(top("--series", *shuffled), {"a": (400, 400), "c": (7, 7),
                                                      "main": (0, 407)})
        growth = {"a": (300, 300), "c": (7, 7), "main": (0, 307)}
        for name in ("inuse_space-increase", "space-increase"):
            self.assertEqual(top("--series", "--measure=" + name, *shuffled), growth)
        self.assertEqual(top("--series", "--measure=inuse_space-decrease", *shuffled),
                         {"b": (300, 300), "main": (0, 300)})
        # The state before a moment, and what changed until then.
        self.assertEqual(top("--series", "--time=..15", *shuffled)["main"], (0, 350))
        self.assertEqual(top("--series", "--time=..15", "--measure=inuse_space-increase", *shuffled),
                         {"a": (50, 50), "main": (0, 50)})
        summary = json.loads(good("--print=summary", "--format=json", "--series", *shuffled))
        self.assertEqual([dump["name"] for dump in summary["dumps"]],
                         [os.path.basename(path) for path in paths])
        self.assertEqual(summary["duration_ns"], 20 * 10**9)

    def test_unknown_times(self):
        """What no file says is not said of it: neither when it was recorded, nor how long the series is."""
        paths = []
        for number in range(3):
            paths.append(heap(0, {"a": 100 + number}).write(self.path(f"copy.{number}.heap")))
            os.utime(paths[-1], (1700000000, 1700000000))
        text = good("--print=summary", "--series", *paths)
        self.assertNotIn("Duration", text)
        self.assertNotRegex(text, "(?m)^Recorded ")
        self.assertRegex(text, "(?m)^File modified +2023-11-14 22:13:20 UTC$")
        self.assertRegex(text, r"(?m)^inuse_space +\d+ +102 B +last dump$")
        self.assertRegex(text, r"(?m)^inuse_space-growth +\d+ +\+2 B +first to last dump$")
        summary = json.loads(good("--print=summary", "--format=json", "--series", *paths))
        self.assertEqual(summary["duration_ns"], 0)
        dated = heap(1600000000, {"a": 100}).write(self.path("dated.heap"))
        text = good("--print=summary", dated)
        self.assertRegex(text, "(?m)^Recorded +2020-09-13 12:26:40 UTC$")
        self.assertNotIn("File modified", text)
        self.assertNotIn("dump", text)

    def test_chart_of_dumps(self):
        paths = self.series()
        out = self.path("dumps.svg")
        good("--export=" + out, "--chart=dumps", "--series", *paths)
        with open(out, encoding="utf-8") as file:
            picture = file.read()
        # The areas of the functions that hold something, and what share they have of the whole:
        # a 6500, b 5000, c 70 byte seconds.
        for title in ("a\n56.2 % of all", "b\n43.2 % of all", "c\n0.6 % of all"):
            self.assertIn("<title>" + title + "</title>", picture)
        status, _, errors = run("--export=" + out, "--chart=dumps", paths[0])
        self.assertNotEqual(status, 0)
        self.assertIn("series of dumps", errors)
        status, _, errors = run("--export=" + out, "--chart=live", "--series", *paths)
        self.assertNotEqual(status, 0)
        self.assertIn("heap traces", errors)

    def test_folder(self):
        self.series()
        # Dumps of one process are one profile even without being told.
        self.assertEqual(top(self.folder.name)["main"], (0, 407))
        self.assertEqual(top("--measure=space-increase", self.folder.name)["a"], (300, 300))

    def test_summary(self):
        samples = [(["main"], [1], {"tenant": "red"}), (["main"], [1], {"tenant": "blue"})]
        path = Profile([("samples", "count")], samples, comments=["one", "two"],
                       doc_url="https://example.org/help").write(self.path("facts.pb.gz"))
        summary = json.loads(good("--print=summary", "--format=json", path))
        self.assertEqual(summary["labels"], [{"key": "tenant", "values": 2}])
        self.assertEqual(summary["doc_url"], "https://example.org/help")
        self.assertIn("one", summary["comment"])
        self.assertIn("two", summary["comment"])
        self.assertEqual(summary["dumps"], [])
        text = good("--print=summary", path)
        self.assertIn("tenant (2 values)", text)


if __name__ == "__main__":
    unittest.main(argv=["test-profiles.py"])
