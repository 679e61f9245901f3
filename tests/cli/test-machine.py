#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""--print=annotate --by=address: the instructions of functions and what they cost. Whole functions are held against
`objdump -d`, costs against the samples as `perf script` has them, and `perf annotate`.

    test-machine.py PROFVIEW DATA
"""

import collections
import glob
import json
import lzma
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from program import good, rows, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ui"))
from objdump_code import Comparison, Elf, parse_objdump, read_objdump, write_profile  # noqa: E402
from pprof_maker import LineProfile  # noqa: E402

DATA = os.path.abspath(sys.argv[2])
SYSROOT = os.path.join(DATA, "sysroot")
BY_ADDRESS = ("--print=annotate", "--by=address")
TITLES = ["self", "total", "function", "module", "symbol", "address", "bytes", "instruction", "inlined", "file", "line", "source"]
Row = collections.namedtuple("Row", TITLES)


class Machine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def recording(self, name):
        return os.path.join(DATA, "recordings", name)

    def rows_of(self, function, *arguments, sysroot=SYSROOT):
        where = [f"--sysroot={sysroot}"] if sysroot else []
        title, found = rows(*BY_ADDRESS, "--function=" + function, *where, "--limit=0", *arguments)
        self.assertEqual(title, TITLES)
        return [Row(int(row[0]), int(row[1]), *row[2:5], int(row[5], 16), *row[6:]) for row in found]

    # --- instructions ---

    def compare(self, binary, find_theirs):
        elf = Elf(binary)
        functions = elf.functions()
        write_profile(self.path("p"), binary, functions)
        found = rows(*BY_ADDRESS, "--function=.", "--limit=0", self.path("p"))[1]
        result = Comparison(elf, functions, found, find_theirs(functions))
        self.assertEqual((result.wrong, result.unlike, result.unknown), ([], [], []))
        self.assertEqual(result.equal_functions, len(functions))
        return result

    @unittest.skipUnless(shutil.which("objdump"), "needs binutils")
    def test_whole_functions_x86_64(self):
        n_instructions = 0
        for name in ("calls", "heap", "inlining", "recursion", "signals", "threads", "mill", "clock"):
            binary = os.path.join(SYSROOT, "opt/samples/bin", name)
            n_instructions += self.compare(binary, lambda functions: read_objdump(
                "objdump", binary, functions[0].start, max(function.end for function in functions))).n_instructions
        self.assertGreater(n_instructions, 3000)

    def test_whole_functions_aarch64(self):
        with open(os.path.join(DATA, "machine/shapes.objdump"), encoding="utf-8") as file:
            theirs = parse_objdump(file.read())
        result = self.compare(os.path.join(DATA, "machine/shapes"), lambda functions: theirs)
        self.assertGreater(result.n_instructions, 80)

    def shapes(self, function):
        binary = os.path.join(DATA, "machine/shapes")
        write_profile(self.path("p"), binary, Elf(binary).functions())
        return self.rows_of(function, self.path("p"), sysroot=None)

    def test_data_between_code(self):
        found = self.shapes("^constant$")
        self.assertEqual([row.instruction for row in found if row.instruction.startswith(".")], [".byte 0x78, 0x56, 0x34, 0x12"])
        self.assertEqual(found[-1].instruction, "ret")

    def test_lines_calls_and_inlined_functions(self):
        found = self.shapes("^_start$")
        calls = [row.instruction.split()[-1] for row in found if row.instruction.startswith("bl ")]
        self.assertEqual(sorted(set(calls)), ["<choose>", "<constant>", "<hash>", "<sum>"])
        found = self.rows_of("^descend$", self.recording("recursion-fp.data"))
        calls = {row.instruction.split()[-1] for row in found if row.instruction.startswith("call")}
        self.assertIn("<descend>", calls, "a function's call of itself is a call")
        found = self.shapes("^sum$")
        self.assertEqual({row.inlined for row in found}, {"", "square"})
        with open(os.path.join(DATA, "machine/shapes.c"), encoding="utf-8") as file:
            lines = file.read().split("\n")
        self.assertEqual({lines[int(row.line) - 1].strip() for row in found if row.inlined}, {"return x / (x + 1.5);"})

    def test_any_bytes(self):
        """What is no instruction is data, and every byte is shown."""
        chance = random.Random(7)
        for source in ("sysroot/opt/samples/bin/inlining", "machine/shapes"):
            elf = Elf(os.path.join(DATA, source))
            functions, content = elf.functions(), bytearray(elf.data)
            for function in functions:
                size = function.end - function.start
                content[function.offset:function.offset + size] = chance.randbytes(size)
            with open(self.path("binary"), "wb") as file:
                file.write(content)
            write_profile(self.path("p"), self.path("binary"), functions)
            shown = {}
            for row in self.rows_of(".", self.path("p"), sysroot=None):
                for i, byte in enumerate(bytes.fromhex(row.bytes)):
                    self.assertEqual(shown.setdefault(row.address + i, byte), byte)
            self.assertEqual(shown, {function.start + i: content[function.offset + i] for function in functions
                                     for i in range(function.end - function.start)})

    # --- costs ---

    def read_samples(self, name):
        """The stacks of a recording as perf has them: [(link address, symbol)], innermost first."""
        with lzma.open(self.recording(name), "rt") as file:
            for line in file:
                *_, addresses, symbols = line.rstrip("\n").split("\t")
                yield list(zip((int(address, 16) for address in addresses.split()), symbols.split(";;")))

    def sum_samples(self, stacks, symbol, found):
        """address -> [self, total] in samples. A return address belongs to the call before it; a stack counts once for each
        instruction."""
        row_at = {address: row.address for row in found for address in
                  range(row.address, row.address + len(row.bytes.split()))}
        sums = collections.defaultdict(lambda: [0, 0])
        for stack in stacks:
            places = [row_at[address - (i > 0)] if name == symbol else None for i, (address, name) in enumerate(stack)]
            if places[0] is not None:
                sums[places[0]][0] += 1
            for place in set(places) - {None}:
                sums[place][1] += 1
        return dict(sums)

    def test_costs_are_those_of_the_samples(self):
        for name, symbols in (("calls-fp", ("checksum", "bell", "main", "integrate.constprop.0", "compare_values")),
                              ("recursion-fp", ("mix", "main", "odd_steps", "even_steps", "descend", "fibonacci"))):
            stacks = list(self.read_samples(name + ".ref.xz"))
            for symbol in symbols:
                found = self.rows_of(f"^{symbol.split('.')[0]}$", self.recording(name + ".data"))
                sums = self.sum_samples(stacks, symbol, found)
                self.assertEqual({row.address: [row.self, row.total] for row in found if row.total > 0},
                                 {address: [own * 1001001, total * 1001001] for address, (own, total) in sums.items()})
                self.assertTrue(sums, symbol)

    @unittest.skipUnless(shutil.which("perf") and shutil.which("objdump"), "needs perf")
    def test_costs_are_those_of_perf_annotate(self):
        name = self.recording("calls-fp.data")
        result = subprocess.run(["perf", "annotate", "--stdio", "--stdio-color=never", "--show-nr-samples", "-i", name, "--symfs", SYSROOT],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
        theirs = collections.Counter()
        module = None
        for line in result.stdout.decode(errors="replace").splitlines():
            title = re.search(r"Disassembly of (\S+) for", line)
            module = title[1] if title else module
            row = re.match(r"\s*(\d+)\s*:\s+([0-9a-f]+):\s", line)
            if row and int(row[1]) > 0:
                theirs[module, int(row[2], 16)] += int(row[1])
        if not theirs:
            self.skipTest("perf annotate has no answer here")
        found = self.rows_of(".", name)
        period = min(row.self for row in found if row.self > 0)
        ours = {(row.module, row.address): row.self // period for row in found if row.self > 0}
        self.assertEqual({place: ours.get(place) for place in theirs}, dict(theirs))
        self.assertGreater(len(theirs), 20)

    def test_filters_hold(self):
        all_rows = self.rows_of("^bell$", self.recording("calls-fp.data"))
        part = self.rows_of("^bell$", "--focus=^integrate", self.recording("calls-fp.data"))
        self.assertEqual([row.address for row in all_rows], [row.address for row in part])
        self.assertLess(sum(row.self for row in part), sum(row.self for row in all_rows))
        self.assertGreater(sum(row.self for row in part), 0)

    def test_an_inlined_function_is_shown_in_its_callers(self):
        name, function = self.recording("inlining-fp.data"), "geometry::Vec::operator*"
        found = self.rows_of(f"^{re.escape(function)}\\(double\\)", name)
        self.assertGreater(len({row.symbol for row in found}), 0)
        self.assertNotIn(function, {row.symbol.split("(")[0] for row in found})
        inside = [row for row in found if row.inlined.split(" in ")[0] == function]
        own = next(int(row[0]) for row in rows("--print=top", "--limit=0", f"--sysroot={SYSROOT}", name)[1]
                   if row[2].startswith(function + "("))
        self.assertEqual(sum(row.self for row in inside), own)

    # --- comparisons ---

    def compared_rows(self, function, base, new, *arguments):
        """Rows as dictionaries."""
        title, found = rows(*BY_ADDRESS, "--function=" + function, "--limit=0", "--diff", *arguments, base, new)
        self.assertEqual(title, ["self_base", "self_new", "self_delta", "total_base", "total_new", "total_delta", *TITLES[2:], "code"])
        found = [dict(zip(title, row)) for row in found]
        for row in found:
            for kind in ("self", "total"):
                self.assertEqual(int(row[kind + "_delta"]), int(row[kind + "_new"]) - int(row[kind + "_base"]))
        return found

    def test_a_comparison_of_one_build(self):
        """Each side is what its recording has by itself, instruction by instruction."""
        for function in ("^checksum$", "^integrate$", "^bell$"):
            sides = [self.recording("calls-fp.data"), self.recording("calls-flat.data")]
            found = self.compared_rows(function, *sides, "--sysroot=" + SYSROOT)
            self.assertEqual({row["code"] for row in found}, {"both"})
            for side, name in zip(("base", "new"), sides):
                alone = {row.address: (row.self, row.total) for row in self.rows_of(function, name)}
                here = {int(row["address"], 16): (int(row["self_" + side]), int(row["total_" + side])) for row in found}
                self.assertEqual({at: costs for at, costs in here.items() if costs != (0, 0)},
                                 {at: costs for at, costs in alone.items() if costs != (0, 0)}, (function, side))

    def make_builds(self):
        """Two builds of a program, in which one function differs, and a profile of each."""
        profiles, folders = [], ["old", "new"]
        for folder in folders:
            os.mkdir(self.path(folder))
            binary = self.path(folder + "/shapes")
            shutil.copy(os.path.join(DATA, "machine/shapes"), binary)
            functions = Elf(binary).functions()
            if folder == "new":
                function = next(function for function in functions if function.name == "hash")
                with open(binary, "r+b") as file:
                    file.seek(function.offset)
                    file.write(bytes.fromhex("1f2003d5"))  # nop
            profiles.append(self.path(folder + ".pb"))
            write_profile(profiles[-1], binary, functions)
        return profiles

    def test_a_comparison_of_two_builds(self):
        found = self.compared_rows(".", *self.make_builds())
        same = [row for row in found if row["code"] == "both"]
        self.assertEqual({row["function"] for row in same}, {"_start", "choose", "constant", "sum"})
        firsts = {row["function"]: row for row in reversed(same)}
        self.assertEqual({(row["self_base"], row["self_new"]) for row in firsts.values()}, {("1", "1")})
        for side, other in (("base", "new"), ("new", "base")):
            alone = [row for row in found if row["code"] == side]
            self.assertEqual({row["function"] for row in alone}, {"hash"})
            self.assertEqual((alone[0]["self_" + side], alone[0]["self_" + other]), ("1", "0"))
            self.assertEqual(alone[0]["instruction"] == "nop", side == "new")

    def test_a_comparison_of_a_renamed_function(self):
        """Its code in the base is that of the name that it has there."""
        profiles, elf = [], Elf(os.path.join(DATA, "machine/shapes"))
        function = next(function for function in elf.functions() if function.name == "choose")
        for folder, name in (("old", b"choose"), ("new", b"select")):
            os.mkdir(self.path(folder))
            with open(self.path(folder + "/shapes"), "wb") as file:
                file.write(elf.data.replace(b"\0choose\0", b"\0" + name + b"\0"))
            profiles.append(self.path(folder + ".pb"))
            write_profile(profiles[-1], self.path(folder + "/shapes"), [function], range(0, 24, 4), 40)
        found = self.compared_rows("^choose$", *profiles)
        self.assertEqual({(row["function"], row["code"]) for row in found}, {("select", "both")})
        self.assertEqual([(row["self_base"], row["self_new"]) for row in found[:6]], [("40", "40")] * 6)

    def test_text_of_comparisons(self):
        base, new = self.make_builds()
        shown = good(*BY_ADDRESS, "--function=^sum$", "--diff", base, new)
        self.assertRegex(shown, r"(?m)^ *Self change +Base +New +Total change +Address +Instruction$")
        self.assertRegex(shown, r"(?m)^ +1 +1 +0x[0-9a-f]+ ")
        self.assertNotIn("different code", shown)
        shown = good(*BY_ADDRESS, "--function=^hash$", "--diff", base, new)
        self.assertIn("The base has different code here: its instructions cannot be matched to these.", shown)
        self.assertRegex(shown, r"(?s)\+1 .* nop\n.*The base’s own code:\n\S*/old/shapes .*−1 ")

    # --- code made at run time ---

    def read_dump(self, name):
        """[(address, bytes, name)] of a jitdump, in the order of time."""
        with open(name, "rb") as file:
            data = file.read()
        at, loads = struct.unpack_from("<I", data, 8)[0], []
        while at + 16 <= len(data):
            kind, size = struct.unpack_from("<II", data, at)
            if kind == 0:
                address, length = struct.unpack_from("<16xQQ", data, at + 16)
                end = data.index(b"\0", at + 56)
                loads.append((address, data[end + 1:end + 1 + length], data[at + 56:end].decode()))
            elif kind == 1:
                before, address = struct.unpack_from("<16xQQ", data, at + 16)
                loads += [(address, load[1], load[2]) for load in loads if load[0] == before][-1:]
            at += size
        return loads

    def test_jitdump(self):
        name = self.recording("jit-flat.data")
        (dump,) = glob.glob(os.path.join(SYSROOT, "opt/samples/jit-*.dump"))
        loads = self.read_dump(dump)
        self.assertEqual([load[2] for load in loads], ["sum", "mix", "sum", "sum", "twice"])
        stacks = list(self.read_samples("jit-flat.ref.xz"))
        for function, places in (("sum", [loads[0], loads[3]]), ("mix", [loads[1]]), ("twice", [loads[4]])):
            found = self.rows_of(f"^{function}$", name)
            code = collections.defaultdict(bytes)
            for row in found:
                code[next(place[0] for place in places if place[0] <= row.address < place[0] + len(place[1]))] += bytes.fromhex(row.bytes)
            self.assertEqual(code, {place[0]: place[1] for place in places})
            self.assertEqual({row.address: [row.self, row.total] for row in found if row.total > 0},
                             {address: [own * 1001001, total * 1001001]
                              for address, (own, total) in self.sum_samples(stacks, function, found).items()})
            self.assertEqual({row.symbol for row in found}, {function})
        lines = self.rows_of("^sum$", name)
        self.assertEqual([(row.instruction.split()[0], row.file, row.line) for row in lines[:6]],
                         [(what, "/src/sums.lang", line) for what, line in
                          (("xorl", "2"), ("addq", "4"), ("imulq", "5"), ("decq", "3"), ("jne", "3"), ("retq", "7"))])
        self.assertIn(f"callq 0x{loads[3][0]:x} <sum>", {row.instruction for row in self.rows_of("^twice$", name)})

    def make_other_run(self):
        """A folder as sysroot, and in it a recording of another run, in which "mix" has other code at the same address."""
        root = self.path("root")
        shutil.copytree(os.path.join(SYSROOT, "opt/samples"), root + "/opt/samples")
        (dump,) = glob.glob(root + "/opt/samples/jit-*.dump")
        with open(dump, "rb") as file:
            data = file.read()
        code = next(load[1] for load in self.read_dump(dump) if load[2] == "mix")
        self.assertEqual(code[:5], b"\xb8\1\0\0\0")  # movl $1, %eax
        self.assertEqual(data.count(b"mix\0" + code), 1)
        os.mkdir(root + "/opt/sampled")
        with open(os.path.join(root, "opt/sampled", os.path.basename(dump)), "wb") as file:
            file.write(data.replace(b"mix\0" + code, b"mix\0\xb8\2" + code[2:]))
        with open(self.recording("jit-flat.data"), "rb") as file:
            data = file.read()
        with open(self.path("other.data"), "wb") as file:
            file.write(data.replace(b"/opt/samples/jit-", b"/opt/sampled/jit-"))
        return root, self.path("other.data")

    def test_jitdumps_compared(self):
        """What was made at run time may be another thing at the same address in the other run: each has its own jitdump."""
        name = self.recording("jit-flat.data")
        root, other = self.make_other_run()
        for function, new, wanted in (("sum", name, {"both"}), ("sum", other, {"both"}), ("twice", other, {"both"}),
                                      ("mix", other, {"base", "new"})):
            found = self.compared_rows(f"^{function}$", name, new, "--sysroot=" + root)
            self.assertEqual({row["code"] for row in found}, wanted, (function, new))
            alone = self.rows_of(f"^{function}$", name)
            for side in ("base", "new"):
                here = [row for row in found if row["code"] in ("both", side)]
                self.assertEqual([(int(row["address"], 16), int(row["self_" + side]), int(row["total_" + side])) for row in here],
                                 [(row.address, row.self, row.total) for row in alone], (function, side))
                self.assertEqual(here[0]["instruction"] == "movl $2, %eax", side == "new" and "new" in wanted)

    @unittest.skipUnless(shutil.which("objdump"), "needs binutils")
    def test_jitdump_is_what_objdump_says(self):
        (dump,) = glob.glob(os.path.join(SYSROOT, "opt/samples/jit-*.dump"))
        for address, code, function in self.read_dump(dump):
            with open(self.path("code"), "wb") as file:
                file.write(code)
            shown = subprocess.run(["objdump", "-D", "-bbinary", "-mi386:x86-64", f"--adjust-vma={address}", self.path("code")],
                                   stdout=subprocess.PIPE, check=True, text=True).stdout
            theirs = [int(line[1], 16) for line in re.finditer(r"(?m)^\s*([0-9a-f]+):\t", shown)]
            ours = [row.address for row in self.rows_of(f"^{function}$", self.recording("jit-flat.data"))]
            if address in ours:
                self.assertEqual([place for place in ours if address <= place < address + len(code)], theirs)

    # --- words ---

    def test_text(self):
        shown = good(*BY_ADDRESS, "--function=^checksum$", f"--sysroot={SYSROOT}", self.recording("calls-fp.data"))
        self.assertRegex(shown, r"(?m)^ *\d+\.\d % +\d+\.\d % .* 0x12ad +cmpq %rdx, %rdi$")
        self.assertRegex(shown, r"(?m) 0x12b0 +jne 0x12a0 ↑$")
        self.assertIn("a timer fired", shown)

    def test_json(self):
        told = json.loads(good(*BY_ADDRESS, "--function=^checksum$", "--format=json", f"--sysroot={SYSROOT}",
                               self.recording("calls-fp.data")))
        found = self.rows_of("^checksum$", self.recording("calls-fp.data"))
        self.assertEqual([(row["self"], int(row["address"], 16), row["instruction"]) for row in told["instructions"]],
                         [(row.self, row.address, row.instruction) for row in found])

    def test_why_there_is_no_code(self):
        def fail(*arguments):
            status, out, errors = run(*BY_ADDRESS, *arguments)
            self.assertNotEqual(status, 0)
            self.assertEqual(out, "")
            return errors

        profile = LineProfile()
        profile.sample([("main", "main.c", 3, False)], 1)
        profile.write(self.path("p"))
        self.assertRegex(fail("--function=main", self.path("p")), "came from is unknown|no addresses|only")
        shutil.copy(os.path.join(DATA, "machine/shapes"), self.path("shapes"))
        write_profile(self.path("p"), self.path("shapes"), Elf(self.path("shapes")).functions())
        os.unlink(self.path("shapes"))
        self.assertRegex(fail("--function=.", self.path("p")), "No binary for .*/shapes.: The file was not found")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
