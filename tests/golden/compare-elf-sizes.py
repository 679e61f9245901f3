#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-elf-sizes.py PROFVIEW FILE... [--objects-of=LIBRARY]: where the bytes of each ELF file go, and of some object files of a thin
archive, held against what readelf says of their sections, segments and symbols. Bytes are given to symbols by painting a section byte by byte, larger symbols first, so that the smaller one owns
what two claim; of several names for the same bytes one counts (global before weak before local, then without "_", then the
shorter one). Exactly equal:

  file         the sum of all, and the size of the file
  memory       the sum of all, and that of PT_LOAD; of files that are not linked, of sections with SHF_ALLOC
  sections     what each has in the file
  symbols      self of each name, in memory (before linking too) and in the file, with what was inlined
               (compare-elf-inlined.py has that apart)
  library      an archive that is made of the object files: the sum is its size, each member has the size of its file
  module       what the kernel loads: object files joined by ld -r, with a section .modinfo; packed by xz and zstd it is the same
"""
import collections
import os
import re
import sys
import tempfile

from profview_commands import run_any

PREFERRED = {"GLOBAL": 0, "WEAK": 1, "LOCAL": 2}
GROUPS = re.compile(r"^(\.text|\.rodata|\.data\.rel\.ro|\.data|\.bss|\.tdata|\.tbss)\.(?!rel\.ro).+")
OURS = ("[padding]", "[no symbol]")


def run(*command):
    status, out, errors = run_any(command, dict(os.environ, LC_ALL="C.UTF-8"))
    if status != 0:
        sys.exit("%s: exit status %d\n%s" % (" ".join(command), status, errors.decode("utf-8", "replace")))
    return out.decode("utf-8", "replace")


class Section:
    def __init__(self, name, kind, address, offset, size, flags):
        self.name, self.kind, self.flags = name, kind, flags
        self.address, self.offset, self.size = address, offset, size
        self.is_in_file = kind not in ("NOBITS", "NULL")
        self.symbols = []  # start, end, name, binding


def read_sections(path):
    sections = {}
    for line in run("readelf", "-SW", path).splitlines():
        # The name may have blanks or be missing; the number of columns after the type is fixed.
        found = re.match(r"  \[ *(\d+)\] (.*?) *(\S+) +([0-9a-f]{8,16}) ([0-9a-f]{6,}) ([0-9a-f]{6,}) [0-9a-f]{2}(.{4})", line)
        if found:
            number, name, kind, address, offset, size, flags = found.groups()
            sections[int(number)] = Section(name, kind, int(address, 16), int(offset, 16), int(size, 16), flags)
    return sections


def read_symbols(path, sections, is_linked):
    """Puts them into their sections. True if there are any in .symtab or, without that, in .dynsym."""
    tls = min((s.address for s in sections.values() if "T" in s.flags), default=0)
    tables = collections.defaultdict(list)
    for line in run("readelf", "-sW", path).splitlines():
        start = re.match(r"Symbol table '(.*)' contains", line)
        if start:
            table = tables[start.group(1)]
            continue
        fields = line.split(None, 7)
        if len(fields) == 8 and re.match(r"\d+:$", fields[0]) and fields[6].isdigit():
            table.append(fields)
    for fields in tables.get(".symtab") or tables.get(".dynsym", []):
        value, size, kind, binding, number, name = int(fields[1], 16), int(fields[2], 0), *fields[3:5], int(fields[6]), fields[7]
        # readelf adds versions to dynamic names.
        name = name.split("@")[0].strip() if ".symtab" not in tables else name
        section = sections.get(number)
        if section is None or size == 0 or kind in ("SECTION", "FILE") or "C" in section.flags:
            continue
        begin = value - (section.address - (tls if kind == "TLS" else 0)) if is_linked else value
        if begin < section.size:
            section.symbols.append((begin, min(begin + size, section.size), name, binding))


def choose(symbols):
    return min(symbols, key=lambda s: (PREFERRED.get(s[3], 0), s[2].startswith("_"), len(s[2].encode()), s[2]))[2]


def divide(section):
    """The bytes of each name."""
    groups = collections.defaultdict(list)
    for symbol in section.symbols:
        groups[symbol[:2]].append(symbol)
    owners = [None] * section.size
    # Of equal sizes the one that comes first owns what both claim.
    for (start, end), symbols in sorted(groups.items(), key=lambda group: (group[0][0] - group[0][1], -group[0][0])):
        owners[start:end] = [choose(symbols)] * (end - start)
    return collections.Counter(owner for owner in owners if owner is not None)


def profview_rows(profview, path, kind, measure, *options):
    out = run(profview, "--print=" + kind, "--format=tsv", "--limit=0", "--min-percent=0", "--no-demangle", "--measure=" + measure, *options, path)
    return [line.split("\t") for line in out.splitlines()[1:]]


def profview_self(profview, path, measure):
    sums = collections.Counter()
    for row in profview_rows(profview, path, "top", measure, "--no-inline"):
        sums[row[2]] += int(row[0])
    return sums


def depth_one(profview, path, measure):
    rows = [row for row in profview_rows(profview, path, "tree", measure)]
    return int(rows[0][2]), {row[3]: int(row[2]) for row in rows if row[0] == "1"}


def differences(what, wanted, found):
    for name in sorted(set(wanted) | set(found), key=str):
        if wanted.get(name, 0) != found.get(name, 0):
            yield "%s of %s: %s, not %s" % (what, name, found.get(name, 0), wanted.get(name, 0))


def compare(profview, path):
    header = run("readelf", "-hW", path)
    is_linked = not re.search(r"Type: +REL", header)
    sections = read_sections(path)
    read_symbols(path, sections, is_linked)
    total, parts = depth_one(profview, path, "file-size")
    if total != os.path.getsize(path):
        yield "file: %d, not %d" % (total, os.path.getsize(path))
    in_file = collections.Counter()
    for section in sections.values():
        if section.is_in_file and section.size > 0:
            in_file[GROUPS.sub(r"\1", section.name)] += section.size
    yield from differences("section", in_file, {name: size for name, size in parts.items() if not name.startswith("[")})

    total, _ = depth_one(profview, path, "memory-size")
    if is_linked:
        wanted = sum(int(line.split()[5], 16) for line in run("readelf", "-lW", path).splitlines() if line.split()[:1] == ["LOAD"])
    else:
        wanted = sum(section.size for section in sections.values() if "A" in section.flags)
    if total != wanted:
        yield "memory: %d, not %d" % (total, wanted)

    for measure in "file-size", "memory-size":
        sums, names = collections.Counter(), set()
        for section in sections.values():
            is_per_thread = section.kind == "NOBITS" and "T" in section.flags
            counts = section.is_in_file if measure == "file-size" else "A" in section.flags and not (is_per_thread and is_linked)
            bytes_of_name = divide(section) if section.symbols else {}
            names.update(bytes_of_name)
            sums.update(bytes_of_name if counts else {})
        found = {name: size for name, size in profview_self(profview, path, measure).items() if name in names and size > 0}
        yield from differences("symbol (%s)" % measure, sums, found)


def list_objects(library):
    """Some of them: the smallest, the largest."""
    folder = os.path.dirname(library)
    objects = sorted((path for path in (os.path.join(folder, name) for name in run("ar", "t", library).split())
                      if os.path.exists(path)), key=os.path.getsize)
    return objects[:2] + objects[-2:]


def compare_library(profview, paths):
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "all.a")
        run("ar", "rcs", library, *paths)
        total, members = depth_one(profview, library, "file-size")
        if total != os.path.getsize(library):
            yield "library: %d, not %d" % (total, os.path.getsize(library))
        yield from differences("member", {os.path.basename(path): os.path.getsize(path) for path in paths},
                               {name: size for name, size in members.items() if not name.startswith("[")})


def compare_module(profview, paths):
    with tempfile.TemporaryDirectory() as folder:
        module, facts = os.path.join(folder, "sample.ko"), os.path.join(folder, "facts")
        with open(facts, "w") as file:
            file.write("license=GPL\0name=sample\0vermagic=6.1.0 SMP\0")
        run("ld", "-r", "-o", module, *paths)
        run("objcopy", "--add-section", ".modinfo=" + facts, "--set-section-flags", ".modinfo=alloc,readonly,data", module)
        yield from compare(profview, module)
        if depth_one(profview, module, "file-size")[1].get(".modinfo") != os.path.getsize(facts):
            yield "module: no section .modinfo of %d bytes" % os.path.getsize(facts)
        for tool in "xz", "zstd":
            run(tool, "-q", "-k", module)
        for packed in module + ".xz", module + ".zst":
            for kind in "top", "tree":
                if profview_rows(profview, packed, kind, "file-size") != profview_rows(profview, module, kind, "file-size"):
                    yield "module: %s of %s differs" % (kind, os.path.basename(packed))


def main():
    profview, paths = sys.argv[1], [path for path in sys.argv[2:] if not path.startswith("--")]
    n_failed = 0
    objects = [object for option in sys.argv[2:] if option.startswith("--objects-of=") for object in list_objects(option.split("=")[1])]
    paths += objects
    for path in paths:
        if not os.path.exists(path):
            sys.exit("%s is missing" % path)
        problems = list(compare(profview, path))
        n_failed += len(problems)
        print("%s: %s" % (path, "equal" if not problems else "\n  ".join(["different"] + problems[:20])))
    for compare_made in (compare_library, compare_module) if objects else ():
        for problem in compare_made(profview, objects):
            n_failed += 1
            print(problem)
    sys.exit(1 if n_failed else 0)


if __name__ == "__main__":
    main()
