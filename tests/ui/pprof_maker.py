# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes small profiles in pprof's format (profile.proto), so that scenarios know every figure in them."""

import gzip


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while True:
        out.append(value & 0x7f | (0x80 if value > 0x7f else 0))
        value >>= 7
        if value == 0:
            return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def packed(field, values):
    return message(field, b"".join(varint(v) for v in values))


class Profile:
    def __init__(self, *kinds, time_ns=0, drop=None):
        """kinds: (name, unit) of the values that each sample has."""
        self.strings = {"": 0}
        self.functions = {}
        self.body = b"".join(message(1, number(1, self.string(n)) + number(2, self.string(u))) for n, u in kinds)
        if time_ns:
            self.body += number(9, time_ns)
        if drop:
            self.body += number(7, self.string(drop))

    def string(self, text):
        return self.strings.setdefault(text, len(self.strings))

    def function(self, name):
        """Also the number of its only location."""
        return self.functions.setdefault(name, len(self.functions) + 1)

    def sample(self, stack, *values, **labels):
        """stack: "main;run;work", the root first."""
        locations = [self.function(name) for name in reversed(stack.split(";"))]
        content = packed(1, locations) + packed(2, values)
        for key, value in labels.items():
            if isinstance(value, int):
                content += message(3, number(1, self.string(key)) + number(3, value))
            else:
                content += message(3, number(1, self.string(key)) + number(2, self.string(value)))
        self.body += message(2, content)

    def content(self):
        tail = b""
        for name, i in self.functions.items():
            tail += message(4, number(1, i) + message(4, number(1, i) + number(2, 7)))
            tail += message(5, number(1, i) + number(2, self.string(name)) + number(4, self.string("engine.c")))
        for text in self.strings:
            tail += message(6, text.encode())
        return self.body + tail

    def pack(self):
        return gzip.compress(self.content(), mtime=0)

    def write(self, path):
        with open(path, "wb") as file:
            file.write(self.pack())


class LineProfile:
    """Samples are (frames, value): frames are (function, file, line, is_inlined), the root first."""

    def __init__(self):
        self.strings, self.functions, self.locations, self.body = {"": 0}, {}, {}, b""
        self.body += message(1, number(1, self.string("samples")) + number(2, self.string("count")))

    def string(self, text):
        return self.strings.setdefault(text, len(self.strings))

    def sample(self, frames, value):
        chains = []
        for function, file, line, is_inlined in frames:
            if not is_inlined:
                chains.append([])
            chains[-1].insert(0, (self.functions.setdefault((function, file), len(self.functions) + 1), line))
        ids = [self.locations.setdefault(tuple(chain), len(self.locations) + 1) for chain in reversed(chains)]
        self.body += message(2, packed(1, ids) + packed(2, [value]))

    def write(self, path):
        tail = b""
        for chain, location in self.locations.items():
            lines = b"".join(message(4, number(1, function) + number(2, line)) for function, line in chain)
            tail += message(4, number(1, location) + lines)
        for (name, file), function in self.functions.items():
            tail += message(5, number(1, function) + number(2, self.string(name)) + number(4, self.string(file)))
        tail += b"".join(message(6, text.encode()) for text in self.strings)
        with open(path, "wb") as out:
            out.write(self.body + tail)
