#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-seeds.py OUT [RECORDING...]: small inputs for the perf-data fuzz target. Written from scratch, in both byte orders: what our
recordings lack. Cut down from the recordings (.zst too): a few records of each type, and short feature sections.

make-seeds.py --pprof OUT: small profiles for the pprof target, as different writers make them.

make-seeds.py --programs OUT: small ELF files for the program-facts target: other processors than this one, without unwind tables or
without an index to them, with jemalloc inside."""
import gzip
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "golden"))
import sched_file  # noqa: E402  pylint: disable=wrong-import-position

IP, TID, TIME, ADDR, READ, CHAIN, ID, CPU, PERIOD, RAW = (1 << bit for bit in (0, 1, 2, 3, 4, 5, 6, 7, 8, 10))
WEIGHT, DATA_SRC, TRANSACTION, REGS_INTR, PHYS_ADDR, WEIGHT_STRUCT = (1 << bit for bit in (14, 15, 17, 18, 19, 24))
SAMPLE_ID_ALL, DEFER = 1 << 18, 3 << 38
CONTEXT_USER, CONTEXT_DEFERRED = (1 << 64) - 512, (1 << 64) - 640
SCHED_SWITCH = (b"name: sched_switch\nID: 316\nformat:\n\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
                b"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n")
CONTENTION = [b"name: contention_%s\nID: %d\nformat:\n\tfield:void * lock_addr;\toffset:8;\tsize:8;\tsigned:0;\n"
              b"\tfield:unsigned int flags;\toffset:16;\tsize:4;\tsigned:0;\n" % (name, number)
              for name, number in ((b"begin", 408), (b"end", 407))]
MAX_SEED = 16384
ATTR_SIZE = 64


class Maker:
    def __init__(self, order):
        self.order = order

    def pack(self, layout, *values):
        return struct.pack(self.order + layout, *values)

    def string(self, text):
        return text.ljust(len(text) // 8 * 8 + 8, b"\0")

    def attr(self, sample_type, flags=0, kind=1, config=0, read_format=0):
        # The flags are a bit field, which fills each byte from its other end in the other byte order.
        bits = struct.pack("<Q", flags)
        if self.order == ">":
            bits = bytes(int("{:08b}".format(byte)[::-1], 2) for byte in bits)
        return (self.pack("IIQQQQ", kind, ATTR_SIZE, config, 1000, sample_type, read_format) + bits
                + self.pack("IIQ", 0, 0, 0))

    def record(self, kind, body, misc=0, trailer=b""):
        return self.pack("IHH", kind, misc, 8 + len(body) + len(trailer)) + body + trailer

    def trailer(self, pid, time):
        return self.pack("IIQ", pid, pid, time)

    def sample(self, pid, time, *rest):
        return self.record(9, self.pack("QIIQ", 0x401000, pid, pid, time) + b"".join(rest), 2)

    def chain(self, *ips):
        return self.pack("Q%dQ" % len(ips), len(ips), *ips)

    def mmap(self, pid, time, path):
        return self.record(1, self.pack("IIQQQ", pid, pid, 0x400000, 0x10000, 0) + self.string(path), 2,
                           self.trailer(pid, time))

    def comm(self, pid, time, name):
        return self.record(3, self.pack("II", pid, pid) + self.string(name), 0, self.trailer(pid, time))

    def fork(self, pid, parent, time):
        return self.record(7, self.pack("IIIIQ", pid, parent, pid, parent, time), 0, self.trailer(pid, time))

    def file(self, attrs, records, features=()):
        """features: pairs of number and bytes"""
        entry = ATTR_SIZE + 16
        start = 104 + len(attrs) * entry
        words = [0] * 4
        for number, _ in features:
            words[number // 64] |= 1 << number % 64
        header = (self.pack("Q", 0x32454C4946524550) + self.pack("9Q", 104, entry, 104, len(attrs) * entry, start,
                                                                 len(records), 0, 0, words[0])
                  + self.pack("3Q", *words[1:]))
        table, bodies = b"", b""
        for _, body in features:
            table += self.pack("QQ", start + len(records) + 16 * len(features) + len(bodies), len(body))
            bodies += body
        return header + b"".join(a + self.pack("QQ", 0, 0) for a in attrs) + records + table + bodies

    def pipe(self, attrs, records):
        return (self.pack("QQ", 0x32454C4946524550, 16)
                + b"".join(self.record(64, a + self.pack("Q", i + 1)) for i, a in enumerate(attrs)) + records)

    def tracing(self, system=b"sched", formats=(SCHED_SWITCH,)):
        sized = lambda data: self.pack("Q", len(data)) + data
        return (b"\x17\x08\x44tracing0.6\0" + bytes([self.order == ">", 8]) + self.pack("I", 4096)
                + b"header_page\0" + sized(b"") + b"header_event\0" + sized(b"") + self.pack("I", 0)
                + self.pack("I", 1) + system + b"\0" + self.pack("I", len(formats)) + b"".join(map(sized, formats))
                + self.pack("II", 0, 0) + sized(b""))


def written(order):
    """Pairs of name and bytes."""
    m = Maker(order)
    plain = m.attr(IP | TID | TIME, SAMPLE_ID_ALL)
    yield "jitdump", m.file([plain], m.comm(5, 1, b"java") + m.mmap(5, 2, b"/tmp/jit-5.dump") + m.mmap(5, 3, b"//anon")
                            + m.sample(5, 4) + m.sample(5, 1 << 60))
    deferred = m.attr(IP | TID | TIME | CHAIN, SAMPLE_ID_ALL | DEFER)
    yield "deferred", m.file(
        [deferred], m.mmap(5, 1, b"/bin/x") + m.sample(5, 2, m.chain(CONTEXT_DEFERRED, 77)) + m.sample(5, 3, m.chain(
            CONTEXT_USER, 0x401000, 0x401010)) + m.record(22, m.pack("QQQQ", 77, 2, 0x401000, 0x401020), 2, m.trailer(5, 4)))
    switch = m.attr(IP | TID | TIME | RAW, SAMPLE_ID_ALL, 2, 316)
    raw = [m.pack("I", 64) + b"\0" * 24 + m.pack("i", before) + b"\0" * 28 + m.pack("i", after) + b"\0" * 4
           for before, after in ((5, 6), (6, 5))]
    switches = m.comm(5, 1, b"a") + m.comm(6, 1, b"b") + m.sample(5, 2, raw[0]) + m.sample(6, 3, raw[1])
    yield "sched-switch", m.file([switch], switches, [(1, m.tracing())])
    yield "sched-switch-pipe", m.pipe([switch], m.record(66, m.pack("I", len(m.tracing()))) + m.tracing() + switches)
    yield "context-switch", m.file(
        [plain], m.comm(5, 1, b"a") + m.sample(5, 2) + m.record(14, b"", 1 << 13, m.trailer(5, 3))
        + m.record(14, b"", 0, m.trailer(5, 9)) + m.record(15, m.pack("II", 5, 5), 1 << 13, m.trailer(6, 10)))
    for name, weight in (("weight", WEIGHT), ("weight-struct", WEIGHT_STRUCT)):
        access = m.attr(IP | TID | TIME | ADDR | weight | DATA_SRC | TRANSACTION | REGS_INTR | PHYS_ADDR, SAMPLE_ID_ALL, 4, 0x1cd)
        yield "memory-" + name, m.file([access], m.comm(5, 1, b"a") + b"".join(
            m.sample(5, 2 + i, m.pack("QQQQQQ", 0x7f0000001000 + 64 * i, 30 + i, source, 0, 0, 0x2000 + 64 * i))
            for i, source in enumerate((0x68100142, 0x10650100842, 0x5080021, 0x2800842, 0x68100142))))
    contention = [m.attr(ID | IP | TID | TIME | RAW, SAMPLE_ID_ALL, 2, number) for number in (408, 407)]
    waits = m.comm(5, 1, b"a") + b"".join(
        m.sample(5, 2 + i, m.pack("Q", event), m.pack("I", 28), b"\0" * 8, m.pack("QII", lock, flags, 0), b"\0" * 4)
        for i, (event, lock, flags) in enumerate(((1, 64, 33), (1, 128, 1), (2, 128, 0), (1, 64, 32), (2, 64, 0))))
    tracing = m.tracing(b"lock", CONTENTION)
    yield "contention", m.pipe(contention, m.record(66, m.pack("I", len(tracing))) + tracing + waits)
    group = m.attr(IP | TID | TIME | READ | ID | CPU | PERIOD, SAMPLE_ID_ALL, 0, 0, 15)
    yield "group-read", m.pipe([group, group], m.sample(
        5, 2, m.pack("Q", 1), m.pack("II", 0, 0), m.pack("Q", 100), m.pack("7Q", 2, 9, 8, 100, 1, 200, 2)))
    yield "processes", m.file(
        [plain], m.mmap(5, 1, b"/bin/x") + m.fork(6, 5, 2) + m.comm(6, 3, b"child") + m.sample(6, 4)
        + m.record(4, m.pack("IIIIQ", 6, 5, 6, 5, 5), 0, m.trailer(6, 5)) + m.record(68, b"") + m.fork(6, 5, 6)
        + m.mmap(6, 7, b"/lib/y") + m.sample(6, 8) + m.record(2, m.pack("QQ", 1, 3), 0, m.trailer(6, 9))
        + m.record(13, m.pack("Q", 4), 0, m.trailer(6, 9)) + m.record(5, m.pack("QQQ", 9, 1, 1), 0, m.trailer(6, 9)))
    yield "kernel", m.file(
        [plain], m.record(1, m.pack("IIQQQ", (1 << 32) - 1, 0, 0xffffffff81000000, 0x1000000, 0xffffffff81000000)
                          + m.string(b"[kernel.kallsyms]_text"), 1, m.trailer(0, 1))
        + m.record(17, m.pack("QIHH", 0xffffffffc0000000, 256, 1, 0) + m.string(b"bpf_prog_1_x"), 0, m.trailer(0, 2))
        + m.record(9, m.pack("QIIQ", 0xffffffffc0000010, 5, 5, 3), 1)
        + m.record(17, m.pack("QIHH", 0xffffffffc0000000, 256, 1, 1) + m.string(b"bpf_prog_1_x"), 0, m.trailer(0, 4)))


def cut(data, per_type, largest_record):
    """A short file of the same kind, or None where it is none of ours."""
    order = {b"PERFILE2": "<", b"2ELIFREP": ">"}.get(data[:8])
    if order is None:
        return None
    take = lambda layout, at: struct.unpack_from(order + layout, data, at)

    def records(at, end):
        seen, out = {}, b""
        while at + 8 <= end:
            kind, misc, size = take("IHH", at)
            if kind in (66, 71):  # bytes follow that size does not count
                size += take("I" if kind == 66 else "Q", at + 8)[0]
            elif kind == 83:
                size = (16 + take("Q", at + 8)[0] + 7) & ~7
            if size < 8:
                break
            key = (kind, misc & 7)
            seen[key] = seen.get(key, 0) + 1
            if seen[key] <= per_type and size <= largest_record:
                out += data[at:at + size]
            at += size
        return out

    header_size, = take("Q", 8)
    if header_size == 16:
        return data[:16] + records(16, len(data))
    entry, attrs_at, attrs_size, data_at, data_size = take("5Q", 16)
    n_attrs = min(attrs_size // entry, 4)
    ids_at = header_size + n_attrs * entry
    attrs, ids = b"", b""
    for i in range(n_attrs):
        at = attrs_at + i * entry
        start, size = take("QQ", at + entry - 16)
        attrs += data[at:at + entry - 16] + struct.pack(order + "QQ", ids_at + len(ids), min(size, 32))
        ids += data[start:start + min(size, 32)]
    kept = records(data_at, data_at + data_size)
    start = ids_at + len(ids)
    n_features = sum(bin(word).count("1") for word in take("4Q", 72)) if header_size >= 104 else 0
    table, bodies = b"", b""
    for i in range(n_features):
        at, size = take("QQ", data_at + data_size + 16 * i)
        table += struct.pack(order + "QQ", start + len(kept) + 16 * n_features + len(bodies), min(size, 2000))
        bodies += data[at:at + min(size, 2000)]
    head = data[:24] + struct.pack(order + "4Q", header_size, n_attrs * entry, start, len(kept)) + b"\0" * 16
    return head + data[72:header_size] + attrs + ids + kept + table + bodies


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 0x7f:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    """A number, bytes, a list (packed) or a tuple (one field each)"""
    if isinstance(value, tuple):
        return b"".join(field(number, item) for item in value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, list):
        value = b"".join(map(varint, value))
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(number, *fields):
    return field(number, b"".join(field(*f) for f in fields))


def pprof_profiles():
    """Pairs of name and bytes."""
    strings = lambda *texts: b"".join(field(6, text) for text in (b"",) + texts)
    types = message(1, (1, 1), (2, 2)) + message(1, (1, 3), (2, 4))
    cpu = strings(b"samples", b"count", b"cpu", b"nanoseconds", b"main", b"_Z1fv", b"f", b"main.c", b"/bin/x", b"ab12", b"thread")
    functions = message(5, (1, 1), (2, 5), (3, 5), (4, 8), (5, 3)) + message(5, (1, 2), (2, 7), (3, 6))
    mapping = message(3, (1, 1), (2, 0x400000), (3, 0x500000), (4, 0x1000), (5, 9), (6, 10), (7, 1))
    line = lambda *fields: (4, b"".join(field(*f) for f in fields))
    locations = (message(4, (1, 1), (2, 1), (3, 0x400010), line((1, 2), (2, 7)), line((1, 1), (2, 8)))
                 + message(4, (1, 2), (2, 1), (3, 0x400020)) + message(4, (1, 3), (3, 0x77), (5, 1)))
    label = (3, field(1, 11) + field(2, 7))
    number = (3, field(1, 11) + field(3, -5) + field(4, 2))
    samples = (message(2, (1, [1, 2, 3]), (2, [1, 10])) + message(2, (1, (2, 3)), (2, (2, -20)), label, number)
               + message(2, (1, [1, 2, 3]), (2, [3, 30])) + message(2, (2, [4, 40])))
    tail = (field(7, 7) + field(8, 5) + field(9, 1700000000 * 10**9) + field(10, 10**9) + message(11, (1, 3), (2, 4)) + field(12, 10**7)
            + field(13, [5, 6]) + field(14, 1) + field(15, 9))
    go = types + samples + mapping + locations + functions + cpu + tail
    yield "strings-last", go
    yield "strings-first", cpu + tail + functions + locations + mapping + samples + types
    yield "packed.gz", gzip.compress(go[:100], mtime=0) + gzip.compress(go[100:], mtime=0)
    big = (1 << 64) - 5
    yield "large-ids", (types + message(2, (1, [big, big - 1]), (2, [1, 1])) + message(4, (1, big), line((1, big)))
                        + message(4, (1, big - 1), (2, big), (3, big)) + message(5, (1, big), (2, 5)) + message(3, (1, big), (5, 9)) + cpu)
    yield "no-ids", types + message(2, (1, [1]), (2, [1, 1])) + message(4, line((1, 1))) + message(5, (2, 5)) + cpu
    yield "unknown-fields", go + field(99, b"unknown") + field(98, 5) + varint(97 << 3 | 1) + b"\0" * 8 + varint(96 << 3 | 5) + b"\0" * 4
    yield "two-profiles", go + go
    yield "kernel", (types + message(2, (1, [1, 2, 3, 4]), (2, [1, 1]))
                     + b"".join(message(3, (1, i), (2, start), (3, start + 0x100000), (4, start), (5, 11 + i)) for i, start in
                                ((1, 0xffffffff81000000), (2, 0x7fff0000), (3, 0x1000), (4, 0)))
                     + b"".join(message(4, (1, i), (2, i), (3, 0xffffffff81000010 if i == 1 else 0x7fff0010)) for i in range(1, 5))
                     + cpu + field(6, b"[kernel.kallsyms]_text") + field(6, b"[vdso]") + field(6, b"//anon") + field(6, b"/bin/y"))


def write_pprof_seeds(out):
    os.makedirs(out, exist_ok=True)
    for name, data in pprof_profiles():
        with open(os.path.join(out, name), "wb") as file:
            file.write(data)


class Program:
    """A small ELF file: one segment with all of it, sections by name."""
    # Machine, class, and of its CIEs: data alignment, return address, first instructions
    MACHINES = {"x86_64": (62, 2, b"\x78\x10\1\x1b\x0c\7\x08\x90\1"), "aarch64": (183, 2, b"\x78\x1e\1\x1b\x0c\x1f\0"),
                "i386": (3, 1, b"\x7c\x08\1\x1b\x0c\4\4\x88\1")}

    def __init__(self, processor, order="<"):
        (self.machine, self.size, self.rules), self.order = self.MACHINES[processor], order
        self.body, self.sections = b"", []

    def pack(self, layout, *values):
        return struct.pack(self.order + layout, *values)

    def word(self, *values):
        return self.pack("%d%s" % (len(values), "QI"[self.size == 1]), *values)

    def place(self):
        return (64 if self.size == 2 else 52) + (56 if self.size == 2 else 32) + len(self.body)

    def section(self, name, data, kind=1, flags=2, link=0):
        """Its index and its address, which is its place in the file above 0x10000."""
        self.body += b"\0" * (-self.place() % 16)
        self.sections.append((name, kind, flags, self.place(), len(data), link))
        self.body += data
        return len(self.sections), 0x10000 + self.sections[-1][3]

    def symbols(self, kind, text, *symbols):
        names, table = b"\0", b"\0" * (24 if self.size == 2 else 16)
        for name, address, size in symbols:
            tail = self.pack("BBH", 0x12, 0, text)
            head = self.pack("I", len(names))
            table += head + (tail + self.word(address, size) if self.size == 2 else self.word(address, size) + tail)
            names += name + b"\0"
        strings, _ = self.section(b".strtab" if kind == 2 else b".dynstr", names, 3)
        self.section(b".symtab" if kind == 2 else b".dynsym", table, kind, 2, strings)

    def frames(self, functions, cfa, index):
        """.eh_frame with a CIE and an FDE for each function, and .eh_frame_hdr. cfa: instructions of each"""
        address = 0x10000 + self.place() + (-self.place() % 16)
        data = self.pack("II", 20, 0) + (b"\1zR\0\1" + self.rules).ljust(16, b"\0")
        entries = b""
        for start, size in functions:
            body = self.pack("I", len(data) + 4) + self.pack("iI", start - (address + len(data) + 8), size) + b"\0" + cfa
            body += b"\0" * (-len(body) % 4)
            entries += self.pack("ii", start, address + len(data))
            data += self.pack("I", len(body)) + body
        self.section(b".eh_frame", data + b"\0" * 4)
        if index:
            header = 0x10000 + self.place() + (-self.place() % 16)
            pairs = struct.unpack(self.order + "%di" % (2 * len(functions)), entries)
            self.section(b".eh_frame_hdr", b"\1\x1b\3\x3b" + self.pack("iI", address - header - 4, len(functions))
                         + b"".join(self.pack("i", value - header) for value in pairs))

    def file(self):
        names = b"\0" + b"".join(section[0] + b"\0" for section in self.sections) + b".shstrtab\0"
        self.sections.append((b".shstrtab", 3, 0, self.place(), len(names), 0))
        self.body += names + b"\0" * (-(self.place() + len(names)) % 16)
        table, end = self.place(), self.place()
        word = "Q" if self.size == 2 else "I"
        head = (b"\x7fELF" + bytes([self.size, 1 if self.order == "<" else 2, 1]) + b"\0" * 9
                + self.pack("HHI3%sI6H" % word, 3, self.machine, 1, 0x10000, 64 if self.size == 2 else 52, table, 0,
                            64 if self.size == 2 else 52, 56 if self.size == 2 else 32, 1, 64 if self.size == 2 else 40,
                            len(self.sections) + 1, len(self.sections)))
        if self.size == 2:
            segment = self.pack("II6Q", 1, 5, 0, 0x10000, 0x10000, end, end, 0x1000)
        else:
            segment = self.pack("8I", 1, 0, 0x10000, 0x10000, end, end, 5, 0x1000)
        headers = b"\0" * (64 if self.size == 2 else 40)
        for name, kind, flags, place, size, link in self.sections:
            headers += (self.pack("II", names.index(b"\0" + name + b"\0") + 1, kind)
                        + self.word(flags, 0x10000 + place if flags else 0, place, size) + self.pack("II", link, 0)
                        + self.word(1, 8 + 8 * self.size if kind in (2, 11) else 0))
        return head + segment + self.body + headers


def programs():
    """Pairs of name and bytes."""
    codes = {"x86_64": (b"\xf3\x0f\x1e\xfa\x55\x48\x89\xe5", b"\x41\x57\x53\x48\x83\xec\x20"),
             "i386": (b"\x55\x89\xe5", b"\x57\x83\xec\x20"),
             "aarch64": (b"\xfd\x7b\xbe\xa9\xfd\x03\x00\x91", b"\xfe\x0f\x1f\xf8\xf3\x53\x01\xa9")}
    jemalloc = b"\0<jem" b"alloc>: \0_RJEM_MALLOC" b"_CONF\0heap" b"_v2/\0"
    for processor, order in (("x86_64", "<"), ("i386", "<"), ("aarch64", "<"), ("x86_64", ">"), ("i386", ">")):
        for number, prologue in enumerate(codes[processor]):
            plain = Program(processor, order)
            # Each calls the one before it.
            call = lambda back: (struct.pack("<I", 0x94000000 | -back // 4 & 0x3ffffff) if processor == "aarch64" else
                                 b"\xe8" + struct.pack("<i", -back - 5))
            calls = b"".join((prologue + call(len(prologue) + 32 * (i > 0))).ljust(32, b"\x90") for i in range(12))
            text, address = plain.section(b".text", calls.ljust(512, b"\xcc"), 1, 6)
            yield "%s%s-%d-calls" % (processor, "-big" * (order == ">"), number), plain.file()
            starts = [(address + 32 * i, 30) for i in range(12)]
            frame, register = {"x86_64": (b"\x86\2", 6), "i386": (b"\x85\2", 5), "aarch64": (b"\x9d\2\x9e\1", 31)}[processor]
            cfa = b"\x44\x0e\x10" + frame + (b"\x43\x0d%c" % register if number == 0 else b"\x44\x0e\x30")
            for index in (False, True):
                known = Program(processor, order)
                known.section(b".text", calls.ljust(512, b"\xcc"), 1, 6)
                known.frames(starts, cfa, index)
                known.section(b".rodata", jemalloc)
                known.symbols(11 if index else 2, text, *((name, address + 32 * i, 30) for i, name in
                                                          enumerate((b"main", b"malloc", b"mallctl", b"_rjem_mallctl"))))
                yield "%s%s-%d-frames-%d" % (processor, "-big" * (order == ">"), number, index), known.file()


def write_programs(out):
    os.makedirs(out, exist_ok=True)
    for name, data in programs():
        with open(os.path.join(out, name), "wb") as file:
            file.write(data)


def tracepoints(order):
    """A machine whose threads wake each other and call the kernel: see sched_file.py."""
    events = ["sched_switch", "sched_waking", "sched_wakeup_new", "exec", "sys_enter", "sys_exit"]
    recording = sched_file.Recording(events, order)
    machine = sched_file.Machine(recording, 1, n_threads=3)
    recording.sample("exec", 100, 100, 999999, 0, recording.common("exec", 100) + recording.pack("Iii", 20 | 5 << 16, 100, 100)
                     + b"/bin\0\0\0\0", [0x400100])
    machine.run(60)
    with tempfile.NamedTemporaryFile() as file:
        recording.write(file.name)
        return file.read()


def main():
    if sys.argv[1] == "--programs":
        write_programs(sys.argv[2])
        return
    if sys.argv[1] == "--pprof":
        write_pprof_seeds(sys.argv[2])
        return
    out, *recordings = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    seeds = [(name + suffix, data) for order, suffix in (("<", ""), (">", "-big-endian")) for name, data in written(order)]
    seeds += [("tracepoints" + suffix, tracepoints(order)) for order, suffix in (("<", ""), (">", "-big-endian"))]
    for path in recordings:
        if path.endswith(".zst"):
            data = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout
        else:
            with open(path, "rb") as file:
                data = file.read()
        for per_type, largest in ((1, 3000), (3, 3000)):
            seeds.append(("%s-%d" % (os.path.basename(path), per_type), cut(data, per_type, largest)))
    for name, data in seeds:
        if data is not None and len(data) <= MAX_SEED:
            with open(os.path.join(out, name), "wb") as file:
                file.write(data)


main()
