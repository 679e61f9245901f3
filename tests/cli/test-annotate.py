#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""--print=annotate: what lines cost, and the source beside them. The figures are held against sums made here.

    test-annotate.py PROFVIEW
"""

import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from program import ENVIRONMENT, good, rows, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ui"))
from pprof_maker import LineProfile  # noqa: E402


def sum_lines(samples, is_wanted):
    """(function, file, line) -> [self, total]: each stack once."""
    sums = collections.defaultdict(lambda: [0, 0])
    for frames, value in samples:
        for place in {frame[:3] for frame in frames if is_wanted(frame[0])}:
            sums[place][1] += value
        if is_wanted(frames[-1][0]):
            sums[frames[-1][:3]][0] += value
    return {place: tuple(cost) for place, cost in sums.items()}


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)

    def make_profile(self, file, *lines):
        """A sample each in work (), at these lines of the file."""
        profile = LineProfile()
        for line in lines:
            profile.sample([("main", "main.c", 3, False), ("work", file, line, False)], 1)
        profile.write(self.path("p"))
        return self.path("p")


class Annotate(Files):
    def text_of(self, *arguments):
        return good("--print=annotate", "--function=^work$", *arguments, self.path("p"))

    def test_large_files_are_not_all_kept(self):
        """Far more source than is kept, and files that are needed again."""
        profile, samples, n = LineProfile(), [], 12
        for k in range(n):
            self.write("f%d.c" % k, b"".join(b"file %d line %d %s\n" % (k, i, b"x" * 1000) for i in range(1, 16001)))
        for k in list(range(n)) * 2:
            samples.append(("work%02d" % len(samples), self.path("f%d.c" % k), 15000 - len(samples), False))
            profile.sample([samples[-1]], 100 - len(samples))
        profile.write(self.path("p"))
        with subprocess.Popen([sys.argv[1], "--print=annotate", "--function=^work", "--format=json", self.path("p")],
                              stdout=subprocess.PIPE, env=ENVIRONMENT) as process:
            told = json.load(process.stdout)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
        self.assertEqual(status, 0)
        found = {line["source"].rstrip("x ") for line in told["lines"]}
        self.assertEqual(found, {"file %s line %d" % (re.search(r"f(\d+)\.c$", path)[1], line) for _, path, line, _ in samples})
        if not os.environ.get("PV_SANITIZED"):
            self.assertLess(usage.ru_maxrss >> 10, 140)

    def test_random_stacks(self):
        chance = random.Random(1)
        for _ in range(20):
            profile, samples = LineProfile(), []
            for _ in range(60):
                frames = [(f"f{chance.randrange(6)}", "/x/a.c", chance.randrange(8), i > 0 and chance.random() < 0.4)
                          for i in range(chance.randrange(1, 9))]
                samples.append((frames, chance.randrange(1, 50)))
                profile.sample(*samples[-1])
            profile.write(self.path("p"))
            expected = sum_lines(samples, lambda name: name in ("f1", "f2"))
            title, found = rows("--print=annotate", "--function=^f[12]$", self.path("p"))
            self.assertEqual(title, ["self", "total", "function", "module", "file", "line", "source"])
            self.assertEqual({(row[2], row[4], int(row[5] or 0)): (int(row[0]), int(row[1])) for row in found}, expected)
            self.assertEqual(len(found), len(expected))
            told = json.loads(good("--print=annotate", "--function=^f[12]$", "--format=json", self.path("p")))
            self.assertEqual(told["total"], sum(value for _, value in samples))
            self.assertEqual({(row["function"], row["file"], row["line"] or 0): (row["self"], row["total"])
                              for row in told["lines"]}, expected)

    def test_inlined_code_counts_for_its_own_function(self):
        profile = LineProfile()
        profile.sample([("main", "m.c", 3, False), ("work", "w.c", 7, False), ("add", "add.h", 2, True)], 5)
        profile.write(self.path("p"))
        self.assertEqual(rows("--print=annotate", "--function=work", self.path("p"))[1],
                         [["0", "5", "work", "[unknown]", "w.c", "7", ""]])
        self.assertEqual(rows("--print=annotate", "--function=work", "--no-inline", self.path("p"))[1],
                         [["5", "5", "work", "[unknown]", "w.c", "7", ""]])

    def test_comparison(self):
        """Lines by their numbers, those of one side as well; the largest change first."""
        for name, lines in (("base", {7: 5, 8: 2}), ("new", {7: 9, 9: 3})):
            profile = LineProfile()
            for line, value in lines.items():
                profile.sample([("main", "m.c", 3, False), ("work", "w.c", line, False)], value)
            if name == "new":
                profile.sample([("main", "m.c", 4, False)], 1)
            profile.write(self.path(name))
        files = ["--diff", self.path("base"), self.path("new")]
        title, found = rows("--print=annotate", "--function=.", *files)
        self.assertEqual(title[:6], ["self_base", "self_new", "self_delta", "total_base", "total_new", "total_delta"])
        self.assertEqual([(row[6], row[9], *map(int, row[:6])) for row in found], [
            ("main", "3", 0, 0, 0, 7, 12, 5), ("main", "4", 0, 1, 1, 0, 1, 1),
            ("work", "7", 5, 9, 4, 5, 9, 4), ("work", "8", 2, 0, -2, 2, 0, -2), ("work", "9", 0, 3, 3, 0, 3, 3)])
        told = json.loads(good("--print=annotate", "--function=work", "--format=json", *files))
        self.assertEqual((told["total_base"], told["total_new"]), (7, 13))
        self.assertEqual(told["lines"][2]["self_delta"], 3)
        shown = good("--print=annotate", "--function=work", *files)
        self.assertRegex(shown, r"work .*, change of self \+5, of total \+5")
        self.assertRegex(shown, r"(?m)^ +\u22122 +2 +\u22122 +8$")

    def test_filters_hold(self):
        profile = LineProfile()
        profile.sample([("a", "w.c", 1, False), ("work", "w.c", 7, False)], 5)
        profile.sample([("b", "w.c", 2, False), ("work", "w.c", 8, False)], 3)
        profile.write(self.path("p"))
        self.assertEqual([row[:2] + row[5:6] for row in rows("--print=annotate", "--function=work", "--focus=^a$",
                                                             self.path("p"))[1]], [["5", "5", "7"]])

    def test_source_with_context(self):
        source = self.write("src/work.c", b"".join(b"line %d\n" % i for i in range(1, 61)))
        self.make_profile(source, 10, 10, 11, 40)
        shown = self.text_of().splitlines()
        self.assertIn("work", shown[0])
        self.assertEqual(shown[1], source)
        lines = [line.split() for line in shown[3:]]
        self.assertEqual([words[-1] for words in lines],
                         [*map(str, range(7, 15)), "…", *map(str, range(37, 44))])
        self.assertEqual(lines[3], ["50.0", "%", "50.0", "%", "2", "2", "10", "line", "10"])

    def test_a_line_that_the_file_lacks(self):
        source = self.write("work.c", b"only\n")
        self.make_profile(source, 9)
        self.assertRegex(self.text_of(), r"(?m)100.0 % +100.0 % +1 +1 +9 *$")

    def test_odd_text(self):
        source = self.write("work.c", b"a\tb\r\n\xff\x00\x1b[31mred\r\n")
        self.make_profile(source, 1, 2)
        shown = self.text_of()
        self.assertRegex(shown, r"(?m)1  a       b$")
        self.assertNotIn("\x1b", shown)
        self.assertRegex(shown, r"(?m)2  \ufffd\ufffd \[31mred$")

    def test_found_by_map_folder_and_binary(self):
        self.write("here/src/work.c", b"found\n")
        self.make_profile("/far/away/src/work.c", 1)
        self.assertIn("not found", self.text_of())
        self.assertIn("found", self.text_of(f"--map-path=/far/away={self.path('here')}").splitlines()[-1])
        self.assertIn("found", self.text_of(f"--symbol-path={self.path('here')}").splitlines()[-1])
        self.assertIn("found", self.text_of(f"--symbol-path={self.path('here/src')}").splitlines()[-1])
        self.assertIn("not found", self.text_of(f"--sysroot={self.path('here')}"))
        os.makedirs(self.path("root/far/away"))
        os.symlink(self.path("here/src"), self.path("root/far/away/src"))
        self.assertIn("not found", self.text_of(f"--sysroot={self.path('root')}"), "a link does not lead out of the sysroot")

    def test_source_of_a_pack(self):
        source = self.write("work.c", b"brought along\n")
        self.make_profile(source, 1)
        good("--export=" + self.path("p.profview"), "--with-sources", self.path("p"))
        os.unlink(source)
        os.rename(self.path("p.profview"), self.path("p"))
        self.assertIn("brought along", self.text_of().splitlines()[-1])

    def pack_sources(self, name, *options):
        """What is said of a pack of a profile that names a file, and if its text is in it."""
        self.make_profile(name, 1)
        out = self.path("p.profview")
        status, _, errors = run("--export=" + out, "--with-sources", *options, self.path("p"))
        self.assertEqual(status, 0, errors)
        os.unlink(self.path("p"))
        os.rename(out, self.path("p"))
        return errors, "precious" in self.text_of("--sysroot=" + self.write("nothing/x", b"")[:-2])

    def test_sources_that_go_into_a_pack(self):
        """They are listed; links, ".." and paths outside of the named folders lead to none that are no source code."""
        source, secret = self.write("src/work.c", b"precious\n"), self.write("keys/id_rsa", b"precious\n")
        os.symlink(secret, self.path("src/link.c"))
        os.symlink(self.path("keys"), self.path("src/keys.c"))
        self.write("root/src/work.c", b"precious\n")
        os.symlink(source, self.path("root/src/link.c"))
        errors, is_in = self.pack_sources(source)
        self.assertTrue(is_in)
        self.assertIn("the source code of 1 file is in it:\n  " + os.path.realpath(source) + "\n", errors)
        for name in (secret, self.path("src/link.c"), self.path("src/keys.c/id_rsa"),
                     self.path("src/x.c/../../keys/id_rsa")):
            self.assertEqual(self.pack_sources(name), ("", False), name)
        self.assertEqual(self.pack_sources(source, "--sysroot=" + self.path("root")), ("", False))
        self.assertTrue(self.pack_sources("/src/work.c", "--sysroot=" + self.path("root"))[1])
        self.assertFalse(self.pack_sources("/src/link.c", "--sysroot=" + self.path("root"))[1])
        mapped = "--map-path=/far=" + self.path("root/src")
        self.assertTrue(self.pack_sources("/far/work.c", mapped)[1])
        self.assertFalse(self.pack_sources("/far/link.c", mapped)[1])
        self.assertFalse(self.pack_sources("/far/../../src/work.c", mapped)[1])
        self.assertFalse(self.pack_sources(source, mapped)[1])

    def test_only_regular_files(self):
        os.mkfifo(self.path("work.c"))
        self.make_profile(self.path("work.c"), 1)
        self.assertIn("not found", self.text_of())

    def test_a_limit_of_functions(self):
        profile = LineProfile()
        for i in range(30):
            profile.sample([(f"work{i}", "w.c", i + 1, False)], 1)
        profile.write(self.path("p"))
        self.assertIn("20 of 30 functions", good("--print=annotate", "--function=work", self.path("p")))
        self.assertEqual(len(rows("--print=annotate", "--function=work", self.path("p"))[1]), 30)
        self.assertEqual(len(rows("--print=annotate", "--function=work", "--limit=2", self.path("p"))[1]), 2)

    def test_toolchains(self):
        """Sources of Rust and Go that the compilers name in their own ways."""
        home = self.path("home")
        for recorded, here in (
                ("/rustc/" + "9" * 40 + "/library/std/src/io/mod.rs",
                 ".rustup/toolchains/stable-x/lib/rustlib/src/rust/library/std/src/io/mod.rs"),
                ("/build/.cargo/registry/src/index.crates.io-1/serde-1.0.2/src/lib.rs",
                 ".cargo/registry/src/index.crates.io-2/serde-1.0.2/src/lib.rs"),
                ("/build/.cargo/git/checkouts/tokio-1/abc/src/a.rs", ".cargo/git/checkouts/tokio-1/abc/src/a.rs"),
                ("/go/pkg/mod/example.org/!azure/x@v1.2.3/a.go", "go/pkg/mod/example.org/!azure/x@v1.2.3/a.go"),
                ("example.org/Azure/y@v1.2.3/a.go", "go/pkg/mod/example.org/!azure/y@v1.2.3/a.go"),
                ("/usr/local/none/go/src/strange/proc.go", "goroot/src/strange/proc.go"),
                ("odd/proc.go", "goroot/src/odd/proc.go")):
            source = self.write("home/" + here, b"found here\n")
            self.make_profile(recorded, 1)
            environment = {**ENVIRONMENT, "HOME": home, "GOROOT": home + "/goroot", "RUSTUP_HOME": "", "CARGO_HOME": "",
                           "GOPATH": "", "GOMODCACHE": ""}
            shown = run("--print=annotate", "--function=^work$", self.path("p"), env=environment)[1]
            self.assertIn("\n" + source + "\n", shown, recorded)
            self.assertIn("found here", shown)
            os.remove(source)
        self.make_profile("/rustc/" + "9" * 40 + "/../../../p", 1)
        self.assertIn("not found", run("--print=annotate", "--function=^work$", self.path("p"), env=environment)[1])

    def test_errors(self):
        self.make_profile("w.c", 1)
        for arguments, expected in ((["--function=nothing"], "no function matches"), ([], "need --function"),
                                    (["--function=(", "--diff", self.path("p")], "regular expression")):
            status, out, errors = run("--print=annotate", *arguments, self.path("p"))
            self.assertNotEqual(status, 0)
            self.assertEqual(out, "")
            self.assertIn(expected, errors)


class Picture(Files):
    """--export=… --view=source: the same as a picture, of which .svg and .pdf have text that can be searched."""

    def draw(self, *arguments, ending="svg", function="^work$"):
        out = self.path("out." + ending)
        good("--export=" + out, "--view=source", "--function=" + function, *arguments)
        with open(out, "rb") as file:
            return file.read()

    def texts(self, *arguments, function="^work$"):
        """In the order of the picture."""
        root = xml.etree.ElementTree.fromstring(self.draw(*arguments, function=function))
        found = [(int(text.get("y")), int(text.get("x")), text.text.replace("\xa0", " "))
                 for text in root.iter("{http://www.w3.org/2000/svg}text")]
        return [text for _, _, text in sorted(found, key=lambda place: place[:2])]

    def make_source(self, n_lines=200, name="src/work.c"):
        return self.write(name, b"".join(b"\tline <%d>\n" % i for i in range(1, n_lines + 1)))

    def test_lines(self):
        source = self.make_source()
        self.make_profile(source, 10, 10, 10, 11, 150)
        texts = self.texts(self.path("p"))
        self.assertEqual(texts[:5], ["Self", "Total", "Line", "work: self 100.0 %, total 100.0 %", source])
        lines = [text.strip() for text in texts if "line <" in text]
        self.assertEqual(lines, ["line <%d>" % i for i in [*range(7, 15), *range(147, 154)]])
        self.assertEqual([text for text in texts if "…" in text], ["… 132 lines without cost"])
        row = texts.index("10")
        self.assertEqual(texts[row - 3:row + 2], ["1", "60.0 %", "60.0 %", "10", "        line <10>"])
        self.assertIn("3", texts, "the third hottest line is marked")

    def test_formats_and_sizes(self):
        self.make_profile(self.make_source(), 10, 150)
        size = re.compile(rb'<svg[^>]* width="(\d+)(?:px)?" height="(\d+)(?:px)?"')
        narrow = self.draw("--width=500", "--height=300", self.path("p"))
        self.assertEqual(size.search(narrow).groups(), (b"500", b"300"))
        natural = [int(number) for number in size.search(self.draw(self.path("p"))).groups()]
        self.assertGreater(natural[1], 300)
        header = self.draw(self.path("p"), ending="png")[16:24]
        self.assertEqual([int.from_bytes(header[:4], "big"), int.from_bytes(header[4:], "big")], natural)
        self.assertTrue(self.draw(self.path("p"), ending="pdf").startswith(b"%PDF"))

    def test_text_of_a_pdf(self):
        if shutil.which("gs") is None:
            self.skipTest("no Ghostscript")
        self.make_profile(self.make_source(), 10, 150)
        self.draw(self.path("p"), ending="pdf")
        found = subprocess.run(["gs", "-q", "-sDEVICE=txtwrite", "-o", "-", self.path("out.pdf")], check=True,
                               stdout=subprocess.PIPE).stdout.decode()
        self.assertRegex(found, r"50\.0.%.* 10 +line <10>")

    def test_long_lines_are_cut(self):
        source = self.write("work.c", b"int " + b"x" * 5000 + b";\n")
        self.make_profile(source, 1)
        longest = max(self.texts("--width=600", self.path("p")), key=len)
        self.assertTrue(longest.startswith("int xxx") and longest.endswith("…"), longest)
        self.assertLess(len(longest), 100)

    def test_too_many_lines(self):
        """The hottest are there, and how many are not."""
        profile = LineProfile()
        source = self.make_source(20000)
        for line in range(1, 20000, 10):
            profile.sample([("work", source, line, False)], 1 if line != 9001 else 1000)
        profile.write(self.path("p"))
        texts = self.texts(self.path("p"))
        self.assertIn("        line <9001>", texts)
        self.assertLess(len(texts), 4000)
        gap = re.compile(r"^… \d+ lines?(, \d+)? with (less )?cost$")
        self.assertTrue(any(gap.match(text) for text in texts), [text for text in texts if "…" in text][:5])

    def test_too_many_functions(self):
        profile = LineProfile()
        for i in range(30):
            profile.sample([(f"work{i}", "w.c", i + 1, False)], 30 - i)
        profile.write(self.path("p"))
        texts = self.texts(self.path("p"), function="work")
        headings = [text for text in texts if text.startswith("work")]
        self.assertEqual([text.split(":")[0] for text in headings], [f"work{i}" for i in range(20)])
        self.assertIn("w.c (not found; say where with --map-path or --symbol-path)", texts)

    def test_sides_of_a_comparison(self):
        for name, lines in (("base", {7: 5, 8: 2}), ("new", {7: 9, 9: 3})):
            profile = LineProfile()
            for line, value in lines.items():
                profile.sample([("main", "m.c", 3, False), ("work", "w.c", line, False)], value)
            profile.write(self.path(name))
        texts = self.texts("--diff", self.path("base"), self.path("new"))
        self.assertEqual(texts[:6], ["Self Change", "Base", "New", "Change", "Line",
                                     "work: change of self +5, of total +5"])
        row = texts.index("7")
        self.assertEqual(texts[row - 5:row], ["1", "+4", "5", "9", "+4"])
        row = texts.index("8")
        self.assertEqual(texts[row - 4:row], ["3", "\u22122", "2", "\u22122"])

    def test_odd_text(self):
        source = self.write("work.c", b"a\tb\r\n\xff\x00\x1b[31mred <&>\r\n" + "ｗｉｄｅ\n".encode() * 3)
        self.make_profile(source, 1, 2)
        self.assertIn("\ufffd\ufffd [31mred <&>", self.texts(self.path("p")))

    def test_errors(self):
        profile = LineProfile()
        profile.sample([("main", "", 0, False), ("work", "", 0, False)], 1)
        profile.write(self.path("p"))
        for arguments, expected in ((["--function=nothing"], "no function matches"),
                                    ([], "--view=source needs --function"),
                                    (["--function=work"], "there is no line information for “work”"),
                                    (["--function=work", "--invert"], "do not apply to --view=source")):
            status, _, errors = run("--export=" + self.path("out.svg"), "--view=source", *arguments, self.path("p"))
            self.assertNotEqual(status, 0)
            self.assertIn(expected, errors)
            self.assertFalse(os.path.exists(self.path("out.svg")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
