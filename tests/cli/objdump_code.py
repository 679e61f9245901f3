# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the instructions of --print=annotate --by=address against `objdump -d`: of whole functions of an ELF file.

Addresses and bytes must be the same. Text must be the same but for spelling, where Capstone and binutils differ: see spell ().
"""

import collections
import re
import struct
import subprocess

from pprof_maker import message, number, packed

Function = collections.namedtuple("Function", "name start end offset")
Difference = collections.namedtuple("Difference", "function address ours theirs")


class Elf:
    """Functions of a 64-bit little-endian ELF file, with their offsets in it."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        assert self.data[:6] == b"\x7fELF\x02\x01", path
        self.machine, = struct.unpack_from("<H", self.data, 18)
        phoff, shoff = struct.unpack_from("<QQ", self.data, 32)
        phentsize, phnum, shentsize, shnum, shstrndx = struct.unpack_from("<5H", self.data, 54)
        self.segments = []
        for i in range(phnum):
            kind, _, offset, vaddr, _, filesz = struct.unpack_from("<IIQQQQ", self.data, phoff + i * phentsize)
            if kind == 1:
                self.segments.append((vaddr, offset, filesz))
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", self.data, shoff + i * shentsize) for i in range(shnum)]

    def offset_of(self, address):
        for vaddr, offset, filesz in self.segments:
            if vaddr <= address < vaddr + filesz:
                return address - vaddr + offset
        return None

    def functions(self):
        """One for each range of bytes that a symbol of a function covers, none within another."""
        found = {}
        for _, kind, _, _, offset, size, link, _, _, entsize in self.sections:
            if kind not in (2, 11) or entsize == 0:
                continue
            strings = self.sections[link][4]
            for at in range(offset, offset + size, entsize):
                name, info, _, shndx, value, length = struct.unpack_from("<IBBHQQ", self.data, at)
                if info & 15 not in (2, 10) or shndx in (0, 0xfff1) or length == 0 or shndx >= len(self.sections):
                    continue
                if not self.sections[shndx][2] & 4:  # SHF_EXECINSTR
                    continue
                end = self.data.index(b"\0", strings + name)
                found.setdefault(value, (self.data[strings + name:end].decode(errors="replace"), length))
        functions, last = [], 0
        for start, (name, length) in sorted(found.items()):
            offset = self.offset_of(start)
            if offset is not None and start >= last:
                functions.append(Function(name, start, start + length, offset))
                last = start + length
        return functions


def write_profile(path, binary, functions, distances=(0,), value=1):
    """pprof: a sample at instructions of each function, the first one, as from a mapping of the whole file."""
    start, strings = 0x10000000, ["", "samples", "count", binary]
    body = message(1, number(1, 1) + number(2, 2))
    body += message(3, number(1, 1) + number(2, start) + number(3, start + (1 << 32)) + number(5, 3))
    for i, offset in enumerate((function.offset + distance for function in functions for distance in distances), 1):
        body += message(4, number(1, i) + number(2, 1) + number(3, start + offset))
        body += message(2, packed(1, [i]) + packed(2, [value]))
    body += b"".join(message(6, text.encode()) for text in strings)
    with open(path, "wb") as file:
        file.write(body)


def parse_objdump(text):
    """address -> (bytes, text)"""
    rows = {}
    for line in text.splitlines():
        parts = line.split("\t")
        if len(parts) >= 2 and parts[0].endswith(":"):
            code = parts[1].split()
            if len(code) == 1 and len(code[0]) == 8:  # AArch64: a word, not bytes
                code = [code[0][i:i + 2] for i in (6, 4, 2, 0)]
            address, instruction = int(parts[0][:-1], 16), " ".join(parts[2:])
            if code[0] == "9b" and re.match(r"f(st|save|clex|init)", instruction):  # "fstcw" is two: "fwait" and "fnstcw"
                rows[address] = ("9b", "fwait")
                address, code, instruction = address + 1, code[1:], "fn" + instruction[1:]
            rows[address] = (" ".join(code), instruction)
    return rows


def read_objdump(objdump, binary, first, last):
    """The same of what it prints."""
    return parse_objdump(subprocess.run(
        [objdump, "-d", "-w", "-z", f"--start-address={first}", f"--stop-address={last}", binary],
        stdout=subprocess.PIPE, check=True).stdout.decode(errors="replace"))


# --- spelling ---

# Prefixes -> how they are written here; those that only make instructions longer are left out.
PREFIXES = {"lock": "lock ", "rep": "rep ", "repz": "rep ", "repe": "rep ", "repnz": "repne ", "repne": "repne ",
            "notrack": "", "bnd": "", "data16": "", "addr32": "", "cs": "", "ds": "", "es": "", "ss": "", "rex.W": "",
            "{vex}": "", "{evex}": ""}
SHIFTS = ("sal", "sar", "shl", "shr", "rol", "ror", "rcl", "rcr")
# Other names of the same instruction.
NAMES = {"lcall": "call", "ljmp": "jmp", "wait": "fwait", "xlatb": "xlat", "movabsq": "movabs"}


def spell_number(match):
    """Numbers below zero as 32 bits have them: "$-1" is "$0xffffffff"."""
    value = int(match.group(0), 16 if "0x" in match.group(0) else 10) & ((1 << 64) - 1)
    return hex(value & 0xffffffff if value >= (1 << 64) - (1 << 31) else value)


def spell(text, is_arm):
    """The name and the operands without what differs in spelling only: spaces, notes and names of targets, bases of numbers,
    scales and displacements that say nothing, operands that are always the same."""
    text = re.sub(r"\s*//\s.*$" if is_arm else r"\s*#\s.*$", "", text.strip())
    text = re.sub(r"\s*<.*>\s*$", "", text)
    name, _, operands = text.partition(" ")
    prefixes = ""
    while name.split(",")[0] in PREFIXES and operands:
        prefixes += PREFIXES[name.split(",")[0]]
        name, _, operands = operands.strip().partition(" ")
    operands = operands.replace(" ", "").replace("#", "" if is_arm else "#")
    operands = re.sub(r"(^|,)([0-9a-f]+)$", r"\g<1>0x\2", operands) if not is_arm or (
        BRANCHES.fullmatch(name) and "[" not in operands) else operands
    operands = re.sub(r"-?\d+\.\d+(?:e[+-]\d+)?", lambda match: f"{float(match[0])}f", operands) if is_arm else operands
    operands = re.sub(r"(?<![\w.%])-?(?:0x[0-9a-fA-F]+|\d+)\b(?!\.)", spell_number, operands)
    name = NAMES.get(name, name)
    return spell_aarch64(name, operands) if is_arm else spell_x86(prefixes + name, operands)


BRANCHES = re.compile(r"bl?|b\..*|cbn?z|tbn?z|adrp?|ldr(?:sw)?|prfm")


HINTS = {"xpaclri": "0x7", "bti": "0x22"}


def spell_aarch64(name, operands):
    """Binutils writes "mov" for whatever moves a number, and one name for each condition."""
    moved = re.fullmatch(r"([wx]\w+),(0x[0-9a-f]+)(?:,lsl(\d+))?", operands)
    if name in ("movz", "movn", "mov") and moved:
        value = int(moved[2], 16) << int(moved[3] or "0")
        mask = 0xffffffff if moved[1].startswith("w") or value == 0xffffffff else (1 << 64) - 1
        value = (~value if name == "movn" else value) & mask
        return "mov", f"{moved[1]},{hex(value & 0xffffffff if value >= (1 << 64) - (1 << 31) else value)}"
    if name == "orr" and re.search(r",[wx]zr,0x", operands):
        name, operands = "mov", re.sub(r",[wx]zr,", ",", operands)
    operands = re.sub(r",hs$", ",cs", re.sub(r",lo$", ",cc", operands))
    if name in HINTS:
        name, operands = "hint", HINTS[name]
    if name.startswith(("sshll", "ushll")) and operands.endswith(",0x0"):
        name, operands = name[0] + "xtl" + name[5:], operands[:-4]
    return {"ins": "mov", "b.hs": "b.cs", "b.lo": "b.cc"}.get(name, name), operands


def spell_x86(name, operands):
    operands = re.sub(r"(?<![\w])0x0\(", "(", operands.replace(",0x1)", ")"))
    operands = re.sub(r"%[cde]s:(?=\()", "", operands)
    if name.endswith("w"):
        operands = re.sub(r"\$0xffff([0-9a-f]{4})\b", r"$0x\1", operands)
    if name[:3] in SHIFTS and operands.startswith("$0x1,"):
        operands = operands[5:]
    if name == "movd" and re.search(r"%r\w+", operands):
        name = "movq"
    if (name, operands) == ("xchg", "%ax,%ax"):
        name, operands = "nop", ""
    if name.startswith("f"):
        operands = re.sub(r"^%st,|,%st$", "", operands.replace("%st(0x0)", "%st"))
    return name, operands


def is_same(ours, theirs, is_arm):
    ours, theirs = spell(ours, is_arm), spell(theirs, is_arm)
    # AT&T: Capstone writes the suffix of the operands' size always.
    return ours == theirs or (not is_arm and ours[1] == theirs[1] and ours[0][:-1] == theirs[0] and ours[0][-1] in "bwlqt")


class Comparison:
    """profview's rows of some functions, and objdump's."""

    def __init__(self, elf, functions, rows, theirs):
        """rows: those of --print=annotate --by=address --format=tsv; theirs: of read_objdump ()."""
        self.n_functions, self.n_instructions, self.n_data = len(functions), 0, 0
        self.wrong, self.unknown, self.unlike, self.equal_functions = [], [], [], 0
        self.row_of = {int(row[5], 16): row for row in rows}
        is_arm = elf.machine == 183
        for function in functions:
            self.compare(function, theirs, is_arm)

    def compare(self, function, theirs, is_arm):
        """Addresses and bytes of a whole function, then text."""
        n_before = len(self.wrong), len(self.unknown), len(self.unlike)
        inside = [address for address in range(function.start, function.end) if address in theirs]
        own = [address for address in range(function.start, function.end) if address in self.row_of]
        for address in sorted(set(inside) | set(own)):
            row, their = self.row_of.get(address), theirs.get(address)
            self.n_instructions += 1
            if row is None or their is None or row[6] != their[0]:
                self.wrong.append(Difference(function.name, address, row and (row[6], row[7]), their))
            elif row[7].startswith(".byte") and not their[1].startswith((".byte", "(bad)", ".inst", ".word", "udf")):
                self.unknown.append(Difference(function.name, address, row[7], their[1]))
            elif not row[7].startswith(".byte") and not is_same(row[7], their[1], is_arm):
                self.unlike.append(Difference(function.name, address, row[7], their[1]))
        self.equal_functions += n_before == (len(self.wrong), len(self.unknown), len(self.unlike))
