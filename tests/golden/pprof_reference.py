# SPDX-License-Identifier: GPL-3.0-or-later
"""A slow and plain reader of pprof's profile.proto, to hold profview against: flat and cumulative weights of all functions, as
pprof groups them (by name) and as profview does (by module and name)."""
import collections
import gzip
import re
import string

UNITS = {"nanoseconds": 1, "ns": 1, "microseconds": 10**3, "us": 10**3, "milliseconds": 10**6, "ms": 10**6, "seconds": 10**9, "s": 10**9}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value & (1 << 64) - 1, at


def fields(data):
    """Pairs of number and value: an int, or bytes"""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            if len(value) < size:
                raise ValueError("cut off")
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = None, at + size
        else:
            raise ValueError("wire type %d" % kind)
        yield tag >> 3, value


def numbers(value):
    """Of a field that may be packed"""
    if isinstance(value, int):
        return [value]
    out, at = [], 0
    while at < len(value):
        number, at = varint(value, at)
        out.append(number)
    return out


def signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def shown(text):
    """As profview shows any text of a file"""
    text = text.decode("utf-8", "replace")
    return "".join("\ufffd" if ord(c) < 0x20 or ord(c) == 0x7F else c for c in text)


class Profile:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        messages = collections.defaultdict(list)
        for number, value in fields(data):
            messages[number].append(value)
        self.strings = messages[6]
        text = lambda index: shown(self.strings[index]) if index < len(self.strings) else ""
        self.types = [tuple(text(dict(fields(m)).get(n, 0)) for n in (1, 2)) for m in messages[1]]
        self.drop_frames = text(messages[7][-1]) if messages[7] else ""
        self.mappings = {}
        for row, m in enumerate(messages[3]):
            values = dict(fields(m))
            self.mappings[values.get(1, row + 1)] = (values.get(2, 0), values.get(3, 0), values.get(4, 0), text(values.get(5, 0)),
                                                     text(values.get(6, 0)))
        self.functions, self.files = {}, {}
        for row, m in enumerate(messages[5]):
            values = dict(fields(m))
            self.functions.setdefault(values.get(1, row + 1), (text(values.get(2, 0)), text(values.get(3, 0))))
            self.files.setdefault(values.get(1, row + 1), text(values.get(4, 0)))
        self.locations = {}
        for row, m in enumerate(messages[4]):
            values, lines = {}, []
            for number, value in fields(m):
                if number == 4:
                    lines.append(dict(fields(value)).get(1, 0))
                else:
                    values[number] = value
            self.locations.setdefault(values.get(1, row + 1), (values.get(2, 0), values.get(3, 0), lines))
        self.samples = [self._sample(m) for m in messages[2]]

    def _sample(self, message):
        stack, values = [], []
        for number, value in fields(message):
            if number == 1:
                stack += numbers(value)
            elif number == 2:
                values += map(signed, numbers(value))
        return stack, values

    def factor(self, column):
        return UNITS.get(self.types[column][1], 1)

    def amounts(self, column):
        """Pairs of stack and amount in nanoseconds, bytes or as it is"""
        factor = self.factor(column)
        for stack, values in self.samples:
            if column < len(values):
                yield stack, values[column] * factor

    def total(self, column):
        return sum(amount for _, amount in self.amounts(column))

    def pprof_frames(self, location):
        """Keys of pprof's nodes, leaf first: what it prints, and what else tells them apart"""
        mapping, _, lines = self.locations.get(location, (0, 0, []))
        file = self.mappings[mapping][3] if mapping in self.mappings else ""
        nowhere = "[%s]" % file.rsplit("/", 1)[-1] if file else "<unknown>"
        names = [self.functions.get(line) for line in lines] or [None]
        return [(nowhere if name is None else name[0] or "<unknown>", name[1] if name else None) for name in names]

    def module(self, mapping, address, is_named):
        """What profview makes of a mapping: its name, and what tells it from others"""
        unknown = ("[unknown]" if address < 1 << 63 else "[kernel]", ())
        if mapping not in self.mappings:
            return unknown
        start, limit, offset, path, build_id = self.mappings[mapping]
        is_hex = len(build_id) % 2 == 0 and all(c in string.hexdigits for c in build_id)
        build_id = build_id.lower() if is_hex else ""
        if (not path and not build_id) or (address and address < start and not is_named):
            return unknown if path or start < 1 << 63 else ("[kernel]", ())
        if path.rsplit("/", 1)[-1].startswith(("[vdso", "linux-vdso")):
            path = "[vdso]"
        if path.startswith("[kernel.kallsyms]"):
            path = "[kernel.kallsyms]"
        is_made_up = start == 0 and offset == 0 and limit in (0, (1 << 64) - 1)
        name = path.rsplit("/", 1)[-1] or path if path else "[build-id %s]" % build_id
        return name, (path, build_id, is_made_up)

    def place(self, mapping, address, module):
        """What profview calls code without a name: its offset in the file, or its address where there is no file"""
        if module == "[unknown]" and any(path.rsplit("/", 1)[-1][:1] not in ("", "[") for _, _, _, path, _ in self.mappings.values()):
            return "[unknown]"  # as the file says where code was
        if mapping not in self.mappings or module in ("[unknown]", "[kernel]"):
            return "0x%x" % address if address else "??"
        start, limit, offset, path, _ = self.mappings[mapping]
        if "[" in path.rsplit("/", 1)[-1][:1] and not path.startswith("[kernel") or path.startswith(("/memfd:", "//anon")):
            return "0x%x" % address if address else "??"
        is_made_up = start == 0 and offset == 0 and limit in (0, (1 << 64) - 1)
        if not is_made_up:
            address += (0 if path.startswith("[kernel") else offset) - start
        return "%s+0x%x" % (module, address) if address else "??"

    def profview_frames(self, location):
        mapping, address, lines = self.locations.get(location, (0, 0, []))
        names = [self.functions.get(line, ("", "")) for line in lines]
        names = [name or system_name for name, system_name in names]
        is_named = any(names)
        module, identity = self.module(mapping, address, is_named)
        return [((name or "??", module), identity) for name in (names if is_named else [self.place(mapping, address, module)])]

    def sums(self, column, frames_of, sign=0):
        """What is printed -> sorted list of (flat, cumulative) of its nodes. sign 1 or -1: only amounts above or below zero."""
        flat, total, known = collections.Counter(), collections.Counter(), {}
        for stack, amount in self.amounts(column):
            if sign:
                amount = max(0, amount * sign)
            nodes = []
            for location in stack:
                if location not in known:
                    known[location] = frames_of(location)
                nodes += known[location]
            if nodes:
                flat[nodes[0]] += amount
            for node in set(nodes):
                total[node] += amount
        rows = collections.defaultdict(list)
        for node, amount in total.items():
            if amount or flat[node]:
                rows[node[0]].append((flat[node], amount))
        return {name: sorted(pairs) for name, pairs in rows.items()}


def read_top(text):
    """What `go tool pprof -top` prints: name -> sorted pairs of flat and cum."""
    def read_number(cell):
        return int(re.match(r"-?\d+", cell).group())
    rows, is_table = collections.defaultdict(list), False
    for line in text.splitlines():
        if is_table:
            flat, _, _, cum, _, *name = line.split(None, 5)
            name = shown(re.sub(r" \((partial-)?inline\)$", "", name[0]).encode()) if name else "<unknown>"
            if read_number(flat) or read_number(cum):
                rows[name].append((read_number(flat), read_number(cum)))
        is_table |= line.split()[:2] == ["flat", "flat%"]
    return {name: sorted(pairs) for name, pairs in rows.items()}


def unescape(text):
    """A cell of profview's TSV."""
    return re.sub(r"\\(.)", lambda m: {"t": "\t", "n": "\n"}.get(m.group(1), m.group(1)), text)
