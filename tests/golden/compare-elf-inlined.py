#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-elf-inlined.py PROFVIEW PROGRAM... -- COMPILER...: which compile unit a function is of, and which of its bytes come from
calls that were inlined, held against what readelf says of the debug information. Bytes are painted one by one: a function paints its
ranges, and an inlined call those bytes of its ranges that still have the color of what it is inlined into. Exactly equal:

  stacks   the bytes of each stack in .text, from the source file to the innermost inlined call
  copies   how many times each function was inlined, in all that have code
  objects  the stacks of object files, before and after debug sections are packed, of a relocatable file that is made of them, and
           of an archive, where the program linked from them has the same

Some programs are made with the compiler: with DWARF 4 and 5; with the debug information in a file of its own; with names in
.gnu_debugdata only; object files with COMMON symbols, and a thin archive of them."""
import collections
import importlib.util
import lzma
import os
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# A cache of compilers gives what was made in another folder, with the name of that.
FRESH = dict(os.environ, CCACHE_DISABLE="1")
SOURCES = {
    "src/main.c": r"""
#include <stdio.h>
#include "../lib/shared.h"
int counters[20], common_block[100];
static int twice (int x) { return leaf (x) + leaf (x + 1); }
__attribute__ ((noinline)) static int plain (int x) { return x ^ 0x55; }
__attribute__ ((noinline)) int many (int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += twice (i) * leaf (sum) + plain (i);
    if (__builtin_expect (n > 1000000, 0)) { fail (n); sum += fail (sum); }
    return sum;
}
int main (int argc, char **argv) { return printf ("%d %d %s\n", many (argc), outer (argc), argv[0]) < 0; }
""",
    "lib/other.c": r"""
#include "shared.h"
int common_block[100];
static int middle (int x) { int sum = 0; for (int i = 0; i < x; i++) sum += leaf (i) + counter (sum); return sum; }
int outer (int x) { return middle (x) - middle (x * 2) + leaf (x); }
""",
    "lib/shared.h": r"""
extern int counters[20];
int outer (int x);
static inline int counter (int x) { return ++counters[(unsigned)x % 20]; }
static inline int leaf (int x) { return counter (x) * 7 + (x >> 3); }
__attribute__ ((cold)) static int fail (int x) { for (int i = 0; i < x; i++) counter (i); __builtin_trap (); }
""",
}


def load(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(HERE, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sizes = load("compare-elf-sizes")


class Die:
    def __init__(self, depth, offset, tag, parent, unit):
        self.depth, self.offset, self.tag, self.parent = depth, offset, tag, parent
        self.unit = unit or self
        self.attributes = {}


def read_dies(path):
    """In the order of the file; without null entries."""
    dies, open_dies, version = [], [], 0
    for line in sizes.run("readelf", "-W", "--debug-dump=info", path).splitlines():
        found = re.match(r" <(\w+)><(\w+)>: Abbrev Number: \d+ \((\w+)\)", line)
        if found:
            depth, offset = int(found.group(1)), int(found.group(2), 16)
            del open_dies[depth:]
            dies.append(Die(depth, offset, found.group(3), open_dies[-1] if open_dies else None, open_dies[0] if open_dies else None))
            dies[-1].version = version
            open_dies.append(dies[-1])
            continue
        found = re.match(r"   Version: +(\d+)", line)
        version = int(found.group(1)) if found else version
        found = re.match(r"    <\w+> +(DW_AT_\w+) *: (?:\((\w+)\) )?(.*)", line)
        if found and dies:
            dies[-1].attributes[found.group(1)] = (found.group(2), found.group(3).strip())
    return dies


class RangeLists:
    """Read from the sections' bytes: readelf 2.40 prints only some of the lists of DWARF 5."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        by_name = {section.name: data[section.offset:section.offset + section.size]
                   for section in sizes.read_sections(path).values() if section.is_in_file}
        self.old, self.new = by_name.get(".debug_ranges", b""), by_name.get(".debug_rnglists", b"")

    def read_old(self, at, base):
        ranges = []
        while True:
            low, high = struct.unpack_from("<QQ", self.old, at)
            at += 16
            if (low, high) == (0, 0):
                return ranges
            if low == (1 << 64) - 1:
                base = high
            else:
                ranges.append((base + low, base + high))

    def read_new(self, at, base):
        def number():
            nonlocal at
            value = shift = 0
            while True:
                at += 1
                value |= (self.new[at - 1] & 0x7f) << shift
                shift += 7
                if self.new[at - 1] < 0x80:
                    return value

        def address():
            nonlocal at
            at += 8
            return struct.unpack_from("<Q", self.new, at - 8)[0]

        ranges = []
        while True:
            kind = self.new[at]
            at += 1
            if kind == 0:
                return ranges
            if kind == 4:
                ranges.append((base + number(), base + number()))
            elif kind == 5:
                base = address()
            elif kind == 6:
                ranges.append((address(), address()))
            elif kind == 7:
                low = address()
                ranges.append((low, low + number()))
            else:
                sys.exit("a range list has an entry of kind %d" % kind)


def number(die, name):
    return int(die.attributes[name][1].split()[0], 0) if name in die.attributes else None


def ranges_of(die, lists):
    if "DW_AT_ranges" in die.attributes:
        read = lists.read_new if die.unit.version >= 5 else lists.read_old
        return read(number(die, "DW_AT_ranges"), number(die.unit, "DW_AT_low_pc") or 0)
    low, high = number(die, "DW_AT_low_pc"), number(die, "DW_AT_high_pc")
    if low is None or high is None:
        return []
    return [(low, high if die.attributes["DW_AT_high_pc"][0] == "addr" else low + high)]


def text_of(die, name):
    if name not in die.attributes:
        return None
    kind, text = die.attributes[name]
    return re.sub(r"^\((?:offset|indexed string)[^)]*\): ", "", text) if kind != "string" else text


CONTAINERS = {"DW_TAG_namespace", "DW_TAG_class_type", "DW_TAG_structure_type", "DW_TAG_union_type"}


def qualified(die, name):
    """With the namespaces and classes around the declaration, but not in C."""
    is_call = name.startswith("operator()")
    is_plain = re.search(r"\((C|C89|C99|C11|ANSI C)\)", die.unit.attributes["DW_AT_language"][1])
    outer = None if is_plain else die.parent
    while outer is not None:
        if outer.tag in CONTAINERS:
            unnamed = "(anonymous namespace)" if outer.tag == "DW_TAG_namespace" else "{lambda}" if is_call else "(anonymous class)"
            name = (text_of(outer, "DW_AT_name") or unnamed) + "::" + name
            is_call = False
        outer = outer.parent
    return name


def name_of(die, by_offset):
    """The linkage name or else the name of the first of a DIE and its origins that has one."""
    name = None
    while die is not None:
        linkage_name = text_of(die, "DW_AT_linkage_name")
        if linkage_name is not None:
            return linkage_name
        name = name or text_of(die, "DW_AT_name")
        target = die.attributes.get("DW_AT_abstract_origin") or die.attributes.get("DW_AT_specification")
        if target is None:
            return qualified(die, name)
        die = by_offset.get(int(re.match(r"<(\w+)>", target[1]).group(1), 16))
    return name


def file_of(unit):
    name, folder = text_of(unit, "DW_AT_name"), text_of(unit, "DW_AT_comp_dir")
    return os.path.normpath(os.path.join(folder or "", name))


class Code:
    """The scope and the compile unit of each byte."""

    def __init__(self, path, is_code):
        self.dies = read_dies(path)
        lists = RangeLists(path)
        self.by_offset = {die.offset: die for die in self.dies}
        self.scope_of, self.unit_of = {}, {}
        for die in self.dies:
            if die.parent is None:
                for low, high in ranges_of(die, lists):
                    for address in range(low, high):
                        self.unit_of.setdefault(address, die)
        for die in self.dies:
            if die.tag not in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine"):
                continue
            die.outer = None
            if die.tag == "DW_TAG_inlined_subroutine":
                die.outer = die.parent
                while die.outer.tag not in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine"):
                    die.outer = die.outer.parent
            for low, high in ranges_of(die, lists):
                for address in range(low, high) if is_code(low) else ():
                    if self.unit_of.get(address) is die.unit and self.scope_of.get(address) is die.outer:
                        self.scope_of[address] = die

    def calls_of(self, scope):
        """What is inlined there, outermost first."""
        calls = []
        while scope is not None and scope.outer is not None:
            calls.append(scope)
            scope = scope.outer
        return calls[::-1]


def exported(profview, path, measure, *options):
    """The bytes of each stack in .text."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.folded")
        sizes.run(profview, "--export=" + out, "--no-demangle", "--measure=" + measure, *options, path)
        with open(out, encoding="utf-8") as file:
            lines = [line.rsplit(" ", 1) for line in file.read().splitlines()]
    found = collections.Counter()
    for stack, count in lines:
        frames = re.sub(r"_\[i\]", "", stack).split(";")
        frames = frames[1:] if frames[0].endswith(".o") else frames  # of an archive
        if frames[0] == ".text" and not frames[-1].startswith("["):
            found[tuple(frames[1:])] += int(count)
    return found


def expect(debug_path, path):
    """What each stack has, and how many copies of each function there are."""
    sections = sizes.read_sections(path)
    sizes.read_symbols(path, sections, True)
    code = [section for section in sections.values() if "X" in section.flags]
    of_code = Code(debug_path, lambda address: any(s.address <= address < s.address + s.size for s in code))
    stacks, copies, seen = collections.Counter(), collections.Counter(), set()
    for section in code:
        groups = collections.defaultdict(list)
        for symbol in section.symbols:
            groups[symbol[:2]].append(symbol)
        owners = {}
        for (start, end), symbols in sorted(groups.items(), key=lambda group: (group[0][0] - group[0][1], -group[0][0])):
            for offset in range(start, end):
                owners[offset] = (start, sizes.choose(symbols), symbols[0][2])
        for offset, (start, name, _) in owners.items():
            address = section.address + offset
            calls = of_code.calls_of(of_code.scope_of.get(address))
            unit = of_code.unit_of.get(section.address + start)
            for call in calls:
                if call.offset not in seen:
                    seen.add(call.offset)
                    copies[name_of(call, of_code.by_offset)] += 1
            if section.name == ".text":
                file = file_of(unit) if unit is not None else None
                stacks[(file, name, *(name_of(call, of_code.by_offset) for call in calls))] += 1
    return stacks, copies


def common_folder(files):
    """With a slash after it; "/" is none."""
    common = os.path.commonprefix([file[:file.rfind("/") + 1] for file in files])
    common = common[:common.rfind("/") + 1]
    return common if common != "/" else ""


def strip_file(stacks, files):
    """(file or None, function, calls...): packages and folders before the file are left out, as are names of object files. The file is
    named without the folder that all files are in."""
    result = collections.Counter()
    names = {file[len(folder):]: file for folder in (common_folder(files), "") for file in files}
    for frames, count in stacks.items():
        at = next((i for i, frame in enumerate(frames) if frame in names), None)
        if at is not None:
            result[(names[frames[at]], *frames[at + 1:])] += count
        else:
            result[(None, frames[-1])] += count
    return result


def compare(profview, path, debug_path=None):
    stacks, copies = expect(debug_path or path, path)
    files = {frames[0] for frames in stacks} - {None}
    if not any(len(frames) > 2 for frames in stacks):
        yield "the program has no inlined calls in .text"
    found = strip_file(exported(profview, path, "memory-size"), files)
    yield from sizes.differences("stack", stacks, found)
    sums = collections.Counter()
    for row in sizes.profview_rows(profview, path, "top", "inlined-copies"):
        sums[row[2]] += int(row[0])
    yield from sizes.differences("copies", copies, {name: count for name, count in sums.items() if count > 0})
    whole = collections.Counter()
    for frames, count in stacks.items():
        whole[frames[1]] += count
    plain = collections.Counter()
    for frames, count in exported(profview, path, "memory-size", "--no-inline").items():
        plain[frames[-1]] += count
    yield from sizes.differences("function", whole, {name: count for name, count in plain.items() if count > 0})


def compile_program(compiler, folder, *options):
    for path, text in SOURCES.items():
        os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(folder, path), "w") as file:
            file.write(text)
    program = os.path.join(folder, "program")
    objects = []
    for source in "src/main.c", "lib/other.c":
        objects.append(os.path.join(folder, os.path.basename(source).replace(".c", ".o")))
        subprocess.run([*compiler, "-O2", "-fcommon", "-ffunction-sections", *options, "-c", source, "-o", objects[-1]], check=True, cwd=folder, env=FRESH)
    subprocess.run([*compiler, "-O2", "-o", program, *objects], check=True, cwd=folder)
    return program, objects


def compare_folders(profview, compiler, program):
    """Folders are levels where there are several files or folders in them, but not the one that all files are in."""
    if not any(frames[0].startswith("src/") for frames in exported(profview, program, "memory-size")):
        yield "the folder of all files is not cut"
    with tempfile.TemporaryDirectory() as other:
        sources = {"src/a/one.c": "one", "src/a/two.c": "two", "src/b/c/three.c": "three", "src/b/c/four.c": "four", "src/five.c": "five", "main.c": "main"}
        objects = []
        for path, name in sources.items():
            os.makedirs(os.path.join(other, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(other, path), "w") as file:
                file.write("int %s (int x);\nint %s (int x) { return x * 3; }\n" % (name, name))
            objects.append(path + ".o")
            subprocess.run([*compiler, "-g", "-O1", "-c", path, "-o", objects[-1]], check=True, cwd=other, env=FRESH)
        joined = os.path.join(other, "joined.o")
        subprocess.run(["ld", "-r", "-o", joined, *objects], check=True, cwd=other)
        found = {frames[-1]: list(frames[:-1]) for frames in exported(profview, joined, "memory-size")}
        wanted = {"one": ["src/", "src/a/", "src/a/one.c"], "two": ["src/", "src/a/", "src/a/two.c"], "three": ["src/", "src/b/c/", "src/b/c/three.c"],
                  "four": ["src/", "src/b/c/", "src/b/c/four.c"], "five": ["src/", "src/five.c"], "main": ["main.c"]}
        yield from sizes.differences("folders", wanted, found)


def compare_objects(profview, folder, program, objects):
    """Not linked: each function is at address 0 of its section, and debug information says nothing without relocations."""
    files = {os.path.join(folder, path) for path in SOURCES}
    wanted = collections.Counter({frames: count for frames, count in strip_file(exported(profview, program, "memory-size"), files).items()
                                  if frames[0] is not None})
    packed = [path + ".packed.o" for path in objects]
    for source, path in zip(objects, packed):
        sizes.run("objcopy", "--compress-debug-sections", source, path)
    joined, library = os.path.join(folder, "joined.o"), os.path.join(folder, "joined.a")
    sizes.run("ld", "-r", "-o", joined, *objects)
    sizes.run("ar", "rcs", library, *objects)
    for what, paths in ("objects", objects), ("packed objects", packed), ("joined objects", [joined]), ("archive", [library]):
        found = collections.Counter()
        for path in paths:
            of_path = [file for file in files if what == "joined objects" or os.path.basename(file).split(".")[0] in os.path.basename(path)]
            found.update(strip_file(exported(profview, path, "memory-size"), of_path or files))
        yield from sizes.differences("stack of " + what, wanted, {frames: count for frames, count in found.items() if frames[0] is not None})


def compare_separate(profview, folder, program):
    """The debug information in a file of its own, found by its name."""
    stripped, debug = os.path.join(folder, "stripped"), os.path.join(folder, "stripped.debug")
    sizes.run("objcopy", "--only-keep-debug", program, debug)
    sizes.run("objcopy", "--strip-all", "--add-gnu-debuglink=" + debug, program, stripped)
    yield from sizes.differences("stack with separate debug information", exported(profview, program, "memory-size"),
                                 exported(profview, stripped, "memory-size"))


def compare_mini(profview, folder, program):
    """Only names of functions, packed into the program."""
    mini, debug = os.path.join(folder, "mini"), os.path.join(folder, "mini-names")
    sizes.run("objcopy", "--only-keep-debug", program, debug)
    sizes.run("objcopy", "--strip-debug", debug)
    with open(debug, "rb") as file, open(debug + ".xz", "wb") as out:
        out.write(lzma.compress(file.read()))
    sizes.run("objcopy", "--strip-all", "--add-section", ".gnu_debugdata=" + debug + ".xz", program, mini)
    wanted = collections.Counter()
    for frames, count in exported(profview, program, "memory-size", "--no-inline").items():
        wanted[frames[-1]] += count
    found = collections.Counter()
    for frames, count in exported(profview, mini, "memory-size").items():
        found[frames[-1]] += count
    yield from sizes.differences("function of .gnu_debugdata", wanted, found)


def compare_common(profview, path):
    """Symbols that have no section yet need memory, and no bytes of the file."""
    wanted = collections.Counter()
    for line in sizes.run("readelf", "-sW", path).splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[6] == "COM":
            wanted[fields[7]] += int(fields[2], 0)
    if not wanted:
        yield "%s has no COMMON symbols" % path
    found = sizes.profview_self(profview, path, "memory-size")
    yield from sizes.differences("COMMON", wanted, {name: found[name] for name in wanted})
    total, _ = sizes.depth_one(profview, path, "file-size")
    if total != os.path.getsize(path):
        yield "file: %d, not %d" % (total, os.path.getsize(path))


def compare_thin(profview, folder, objects):
    """An archive that only names its members."""
    library = os.path.join(folder, "thin.a")
    subprocess.run(["ar", "rcsT", library, *(os.path.basename(path) for path in objects)], check=True, cwd=folder)
    total, members = sizes.depth_one(profview, library, "file-size")
    wanted = {os.path.basename(path): os.path.getsize(path) for path in objects}
    yield from sizes.differences("member of a thin archive", wanted, {name: size for name, size in members.items() if not name.startswith("[")})
    if total != os.path.getsize(library) + sum(wanted.values()):
        yield "thin archive: %d, not %d and its members" % (total, os.path.getsize(library))
    for path in library, os.path.relpath(library):
        if exported(profview, path, "memory-size") != exported(profview, library.replace("thin", "joined"), "memory-size"):
            yield "thin archive %s: not what the archive with the members has" % path


def report(what, problems):
    problems = list(problems)
    print("%s: %s" % (what, "equal" if not problems else "\n  ".join(["different"] + problems[:20])))
    return len(problems)


def main():
    arguments = sys.argv[1:]
    at = arguments.index("--") if "--" in arguments else len(arguments)
    profview, paths, compiler = arguments[0], arguments[1:at], arguments[at + 1:]
    n_failed = sum(report(path, compare(profview, path)) for path in paths)
    for version in ("4", "5") if compiler else ():
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            program, objects = compile_program(compiler, folder, "-gdwarf-" + version)
            n_failed += report("DWARF " + version, compare(profview, program))
            n_failed += report("folders", compare_folders(profview, compiler, program))
            n_failed += report("object files", compare_objects(profview, folder, program, objects))
            n_failed += report("separate file", compare_separate(profview, folder, program))
            n_failed += report(".gnu_debugdata", compare_mini(profview, folder, program))
            n_failed += sum(report("COMMON", compare_common(profview, path)) for path in objects)
            n_failed += report("thin archive", compare_thin(profview, folder, objects))
    sys.exit(1 if n_failed else 0)


if __name__ == "__main__":
    main()
