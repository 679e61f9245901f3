#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes small files that ask for much: few bytes with many entries, long names told often, deep stacks.

    crafted.py FOLDER [NAME…]           writes them, for a look
    crafted.py --seeds FOLDER [NAME…]   the same files with few entries and not packed, for a fuzzer to start from

Each function that make () lists returns the pieces of a file before packing; a piece is bytes, or (bytes, how often).
"""

import gzip
import os
import shutil
import struct
import subprocess
import sys
import zlib

KB, MB = 1 << 10, 1 << 20

SEED_ENTRIES = 200
most = None  # entries of a kind, if files are to be small
# A file whose cost grows with the number of its entries tells nearly as much with a tenth of them. Smaller numbers stay: what costs
# more than that with each entry would be missed.
LARGE, PART = 1000000, 10
part = 1  # large numbers are divided by it
is_divided = False  # a number of the file that is being made was


def many(n):
    global is_divided
    if most is not None:
        return min(n, most)
    is_divided = is_divided or (part > 1 and n >= LARGE)
    return n // part if n >= LARGE else n


# Packing


def size_of(pieces):
    return sum(len(piece[0]) * many(piece[1]) if isinstance(piece, tuple) else len(piece) for piece in pieces)


def spell(pieces):
    """The bytes in blocks of about a megabyte."""
    for piece in pieces:
        data, n = (piece[0], many(piece[1])) if isinstance(piece, tuple) else (piece, 1)
        at_once = max(1, MB // max(1, len(data)))
        block = data * min(at_once, n)
        for _ in range(n // at_once if n >= at_once else 0):
            yield block
        rest = n % at_once if n >= at_once else n
        if rest:
            yield data * rest


def pack_gzip(path, pieces):
    with gzip.open(path, "wb", compresslevel=3) as file:
        for block in spell(pieces):
            file.write(block)


def pack_zstd(path, pieces):
    with open(path, "wb") as file, subprocess.Popen(["zstd", "-q", "-c", "-3"], stdin=subprocess.PIPE,
                                                    stdout=file) as process:
        for block in spell(pieces):
            process.stdin.write(block)
        process.stdin.close()
        if process.wait() != 0:
            raise RuntimeError("zstd failed")


def pack_plain(path, pieces):
    with open(path, "wb") as file:
        for block in spell(pieces):
            file.write(block)


# pprof


def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7f:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, body=b""):
    return varint(field << 3 | 2) + varint(len(body)) + body


def packed(field, numbers):
    return message(field, b"".join(map(varint, numbers)))


SAMPLE_TYPE, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING = 1, 2, 3, 4, 5, 6
COMMENT = 13


def pprof(pieces, *strings):
    """A sample of a function in a file, the pieces, and strings, which they refer to from 5 on."""
    return [message(SAMPLE_TYPE, number(1, 1) + number(2, 2)),
            message(FUNCTION, number(1, 1) + number(2, 3) + number(4, 4)),
            message(LOCATION, number(1, 1) + message(4, number(1, 1))),
            message(SAMPLE, packed(1, [1]) + packed(2, [7])),
            *pieces,
            *(message(STRING, string) for string in (b"", b"cpu", b"count", b"work", b"work.c", *strings))]


def pprof_comments():
    return pprof([message(COMMENT, b"\x05" * many(200000))], b"c" * many(100 * KB))


def pprof_empty(field, n=30 * MB):
    """Entries of two bytes."""
    return lambda: pprof([(message(field), n)])


def pprof_measures():
    return pprof([(message(SAMPLE_TYPE, number(1, 5) + number(2, 2)), 999)], b"m" * many(200 * KB))


def pprof_inlined_lines():
    """A stack of 5,000 times a location of 5,000 lines."""
    line = message(4, number(1, 1) + number(2, 3))
    return pprof([message(LOCATION, number(1, 2) + line * many(5000)), message(SAMPLE, packed(1, [2] * many(5000)) + packed(2, [1]))])


def pprof_inlined_functions():
    """The same with 5,000 functions, so that no two boxes of the stack are alike."""
    functions = [message(FUNCTION, number(1, 10 + i) + number(2, 3) + number(5, i)) for i in range(many(5000))]
    lines = b"".join(message(4, number(1, 10 + i)) for i in range(many(5000)))
    return pprof([*functions, message(LOCATION, number(1, 2) + lines),
                  message(SAMPLE, packed(1, [2] * many(5000)) + packed(2, [1]))])


def pprof_deep_stacks(n, depth):
    """Stacks that have nothing in common: each has another outermost frame."""
    n, depth = many(n), many(depth)
    frames = b"\x01" * (depth - 1)
    return lambda: pprof(
        [message(LOCATION, number(1, i) + message(4, number(1, i))) for i in range(2, n + 2)] +
        [message(FUNCTION, number(1, i) + number(2, 3 + i)) for i in range(2, n + 2)] +
        [message(SAMPLE, message(1, frames + varint(i)) + packed(2, [1])) for i in range(2, n + 2)],
        *(b"outer%d" % i for i in range(n)))


def pprof_long_name_often():
    """A name of 200 KB for each of 20,000 functions, locations and mappings."""
    pieces = []
    for i in range(2, many(20000) + 2):
        pieces.append(message(MAPPING, number(1, i) + number(2, i << 12) + number(3, (i + 1) << 12) + number(5, 5)))
        pieces.append(message(FUNCTION, number(1, i) + number(2, 5) + number(4, 4) + number(5, i)))
        pieces.append(message(LOCATION, number(1, i) + number(2, i) + number(3, i << 12) + message(4, number(1, i))))
        pieces.append(message(SAMPLE, packed(1, [i]) + packed(2, [1])))
    return pprof(pieces, b"n" * many(200 * KB))


def pprof_named(names):
    """A function and a sample for each name."""
    pieces = []
    for i in range(2, len(names) + 2):
        pieces.append(message(FUNCTION, number(1, i) + number(2, i + 3) + number(4, 4)))
        pieces.append(message(LOCATION, number(1, i) + message(4, number(1, i))))
        pieces.append(message(SAMPLE, packed(1, [i, 1]) + packed(2, [1])))
    return pprof(pieces, *names)


def pprof_long_names():
    """Long names of templates, none like another."""
    return pprof_named([b"std::map<" * many(3000) + b"%d" % i + b">" * many(3000) for i in range(many(400))])


def pprof_labels():
    """A million labels of one sample."""
    label = message(3, number(1, 5) + number(2, 6))
    return pprof([message(SAMPLE, packed(1, [1]) + packed(2, [1]) + label * many(1000000))], b"key", b"value")


def pprof_label_sets():
    """Each sample has labels of its own, with a long key."""
    return pprof([message(SAMPLE, packed(1, [1]) + packed(2, [1]) + message(3, number(1, 5) + number(3, i)))
                  for i in range(many(300000))], b"k" * many(200 * KB))


def pprof_label_keys():
    """Each sample has a label that no other has."""
    keys = many(30000)
    return pprof([message(SAMPLE, packed(1, [1]) + packed(2, [1]) + message(3, number(1, 5 + i) + number(2, 3)))
                  for i in range(keys)], *(b"key%d" % i for i in range(keys)))


def pprof_drop_frames():
    """A pattern that takes steps without end, and names that it nearly matches."""
    names = [b"a" * many(4000) + b"%d!" % i for i in range(many(200))]
    return [*pprof_named(names), message(STRING, b"(a+)+$"), number(7, 5 + len(names))]


# heaptrack


def sized(kind, text):
    return b"%s %x %s\n" % (kind, len(text), text)


def raw_trace():
    return [b"v 10500 3\n", sized(b"x", b"/no/such/program"), b"X /no/such/program\nI 1000 100\n",
            b"t 1000 0\n+ 10 1 10\nc a\n"]


def interpreted_trace(*strings):
    return [b"v 10500 3\nX program\nI 1000 100\n", *(sized(b"s", string) for string in (b"/bin/program", b"work", *strings)),
            b"i 1000 1 2\nt 1 0\na 10 1\n+ 0\nc a\n"]


def raw_line(line, n=10 * MB):
    return lambda: raw_trace() + [(line, n)]


def interpreted_line(line, n=10 * MB):
    return lambda: interpreted_trace() + [(line, n)]


def interpreted_inlined():
    """An address with 5,000 inlined functions, 5,000 times in one stack."""
    pieces = interpreted_trace() + [b"i 2000 1 2 1 1" + b" 2 1 1" * many(5000) + b"\n", b"t 2 0\n"]
    return pieces + [b"t 2 %x\n" % i for i in range(2, many(5000) + 2)] + [b"a 20 %x\n+ 1\nc 14\n" % many(5000)]


def interpreted_deep():
    """3,000 stacks of 3,000 frames, all different."""
    pieces = interpreted_trace()
    stacks, depth = many(3000), many(3000)
    pieces += [b"i %x 1 2\n" % (0x2000 + i) for i in range(stacks)]
    n = 1
    for i in range(stacks):
        pieces.append(b"t %x 0\n" % (i + 2))
        n += 1
        lines = []
        for _ in range(depth - 1):
            lines.append(b"t 1 %x\n" % n)
            n += 1
        pieces.append(b"".join(lines) + b"a 10 %x\n+ %x\n" % (n, i + 1))
    return pieces + [b"c 14\n"]


def interpreted_times():
    """Every line a jump of time."""
    return interpreted_trace() + [b"".join(b"c %x\n+ 0\n- 0\n" % (i << 24) for i in range(1, many(200000)))]


def raw_blocks():
    """Every line a block of its own, which is never freed."""
    return raw_trace() + [b"".join(b"+ 10 1 %x\n" % (i << 4) for i in range(start, start + many(10000)))
                          for start in range(0, many(5000000), 10000)]


# jemalloc


def jemalloc(stacks, maps=b""):
    yield b"heap_v2/524288\n  t*: 1: 1024 [0: 0]\n  t0: 1: 1024 [0: 0]\n"
    yield from stacks
    yield b"\nMAPPED_LIBRARIES:\n" + maps


def jemalloc_stack(addresses):
    return b"@" + b"".join(b" 0x%x" % address for address in addresses) + b"\n  t*: 1: 1024 [0: 0]\n  t0: 1: 1024 [0: 0]\n"


def jemalloc_deep():
    return list(jemalloc(jemalloc_stack([0x1000] * (many(3000) - 1) + [0x2000 + 16 * i]) for i in range(many(3000))))


def jemalloc_threads():
    line = b"  t%d: 1: 1024 [0: 0]\n"
    stack = [b"@ 0x1000\n  t*: 1: 1024 [0: 0]\n", b"".join(line % i for i in range(many(1000000)))]
    return list(jemalloc(stack))


def jemalloc_maps():
    maps = b"".join(b"%x-%x r-xp 00000000 00:00 1 /lib/%d\n" % (i << 12, (i + 1) << 12, i % 1000) for i in range(1, many(500000)))
    return list(jemalloc([jemalloc_stack([i << 12]) for i in range(1, many(500000), 100)], maps))


def jemalloc_empty():
    return list(jemalloc([])) + [(b"@\n", 10 * MB)]


# perf


ATTR = struct.pack("<IIQQQQQIIQ", 1, 64, 0, 1000, 7, 0, 0, 0, 0, 0)  # ip, tid, time
PERF_COMPRESSED = 81


def perf_record(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def perf_data(records):
    size = size_of(records)
    entry = ATTR + struct.pack("<QQ", 184, 0)
    return [b"PERFILE2" + struct.pack("<8Q", 104, 80, 104, 80, 184, size, 0, 0) + bytes(32), entry, *records]


def perf_zstd(records, folder):
    """The records as perf record -z writes them: one stream in pieces of less than 64 KB. Also returns their size."""
    path = os.path.join(folder, "records.zst")
    pack_zstd(path, records)
    with open(path, "rb") as file:
        data = file.read()
    os.unlink(path)
    return perf_data([perf_record(PERF_COMPRESSED, data[i:i + 60000]) for i in range(0, len(data), 60000)]), size_of(records)


def perf_sample(ip, tid, time):
    return perf_record(9, struct.pack("<QIIQ", ip, tid, tid, time), 2)


PERF_BODIES = {
    "mmap": (1, struct.pack("<IIQQQ", 1, 1, 0x1000, 0x1000, 0) + b"/lib/a\0\0"),
    "comm": (3, struct.pack("<II", 1, 1) + b"name\0\0\0\0"),
    "exit": (4, struct.pack("<IIIIQ", 1, 1, 1, 1, 1)),
    "fork": (7, struct.pack("<IIIIQ", 2, 1, 2, 1, 1)),
    "lost": (2, struct.pack("<QQ", 1, 1)),
    "throttle": (5, struct.pack("<QQQ", 1, 1, 1)),
    "mmap2": (10, struct.pack("<IIQQQIIQQII", 1, 1, 0x1000, 0x1000, 0, 0, 0, 0, 0, 5, 2) + b"/lib/a\0\0"),
    "switch": (14, b""),
    "ksymbol": (17, struct.pack("<QIHH", 0x1000, 16, 1, 0) + b"name\0\0\0\0"),
    "bpf": (18, struct.pack("<HHI8s", 1, 0, 1, b"12345678")),
    "text-poke": (20, struct.pack("<QHH", 0x1000, 1, 1) + b"\0\0\0\0"),
    "attr": (64, ATTR),
    "build-id": (67, struct.pack("<i", 1) + bytes(24) + b"/lib/a\0\0"),
    "finished-round": (68, b""),
    "id-index": (69, struct.pack("<Q", 1) + struct.pack("<QQQQ", 1, 0, 1, 1)),
    "thread-map": (73, struct.pack("<Q", 1) + struct.pack("<Q16s", 1, b"name")),
    "cpu-map": (74, struct.pack("<HHHH", 0, 1, 1, 0)),
    "event-update": (78, struct.pack("<QQ", 3, 1) + b"name\0\0\0\0"),
    "time-conv": (79, struct.pack("<QQQ", 1, 1, 1)),
    "feature": (80, struct.pack("<Q", 3) + struct.pack("<I", 8) + b"host\0\0\0\0"),
    "unknown": (250, b""),
}


def perf_often(kind, n=2 * MB):
    record = perf_record(*PERF_BODIES[kind])
    return lambda folder: perf_zstd([perf_sample(0x1010, 1, 1), (record, n), perf_sample(0x1010, 1, 2)], folder)


def perf_samples(n):
    return lambda folder: perf_zstd([(perf_sample(0x1010, 1, 1), n)], folder)


def perf_threads(n):
    """Each sample is of a thread of its own."""
    return lambda folder: perf_zstd([b"".join(perf_sample(0x1010, i, i) for i in range(start, start + many(10000)))
                                     for start in range(1, many(n), 10000)], folder)


def perf_addresses(n):
    """Each sample has an address of its own, in no module."""
    return lambda folder: perf_zstd([b"".join(perf_sample(0x1010 + 16 * i, 1, i) for i in range(start, start + many(10000)))
                                     for start in range(1, many(n), 10000)], folder)


# Recordings of simpleperf

FILES, INFO = 128, 129


def simpleperf_record(kind, body):
    size = 8 + len(body)
    return struct.pack("<IHH", kind, size >> 16, size & 0xffff) + body


def simpleperf_lines(text):
    return simpleperf_record(32769, struct.pack("<I", len(text)) + text)


def simpleperf_file(path, names):
    """names: address, size, name."""
    body = path + struct.pack("<BIQI", 0, 2, 0, len(names)) + b"".join(
        struct.pack("<QI", addr, size) + name + b"\0" for addr, size, name in names)
    return struct.pack("<I", len(body)) + body


def simpleperf_data(records, features, n_attrs=1):
    """Records, and sections by their number."""
    start, size = 104 + 80 * n_attrs, size_of(records)
    bits, at = 0, start + size + 16 * len(features)
    table = b""
    for number_, section in sorted(features.items()):
        bits |= 1 << number_
        table += struct.pack("<QQ", at, len(section))
        at += len(section)
    header = b"PERFILE2" + struct.pack("<8Q", 104, 80, 104, 80 * n_attrs, start, size, 0, 0) + bits.to_bytes(32, "little")
    pieces = [header, *[ATTR + struct.pack("<QQ", start, 0)] * n_attrs, *records, table,
              *(section for _, section in sorted(features.items()))]
    return pieces, size_of(pieces)


def simpleperf_mapping(i, path):
    """One of a file of its own, at the same address."""
    return perf_record(10, struct.pack("<IIQQQIIQQII", 1, 1, 0x1000, 0x100000, 0, 8, 1, i + 1, 0, 5, 2) + path +
                       bytes(8 - len(path) % 8))


def simpleperf_kernel(_folder):
    """Names of the kernel in one large record and in many small ones."""
    lines = b"".join(b"%x T a\n" % (0xffffff8000000000 + i) for i in range(many(200000)))
    return simpleperf_data([simpleperf_lines(lines), (simpleperf_lines(b"1 T b\n"), 200000), perf_sample(0x1010, 1, 1)], {})


def simpleperf_events(_folder):
    """Many events without a name, and many names of none of them; a section again and again."""
    infos = b"simpleperf_version\0" + b"1" * many(500 * KB) + b"\0event_type_info\0" + b"event,9,9\n" * many(200000) + b"\0"
    again = perf_record(80, struct.pack("<QQ", INFO, 0))
    return simpleperf_data([(again, 100000), perf_sample(0x1010, 1, 1)], {INFO: infos}, many(2000))


def simpleperf_modules(_folder):
    """Many files at one path that has many names."""
    names = [(0x1000 + i, 1, b"a") for i in range(many(50000))]
    return simpleperf_data([simpleperf_mapping(i, b"/lib/a.so") for i in range(many(5000))] + [perf_sample(0x1010, 1, 1)],
                           {FILES: simpleperf_file(b"/lib/a.so", names)})


def simpleperf_methods(_folder):
    """Methods that are mapped again and again, one with a long name."""
    path = b"/data/perf.data_jit_app_cache:1-2"
    names = [(0x1000 + i, 1, b"a") for i in range(many(20000))] + [(0x90000, 1, b"b" * many(100 * KB))]
    return simpleperf_data([(simpleperf_mapping(1, path), 20000), perf_sample(0x1010, 1, 1)], {FILES: simpleperf_file(path, names)})


def simpleperf_programs(_folder):
    """A process that executes one program after the other, and a map of its code."""
    names = [(0x1000 + i, 1, b"a") for i in range(many(20000))]
    exec_ = perf_record(3, struct.pack("<II", 1, 1) + b"name\0\0\0\0", 1 << 13)
    return simpleperf_data([(exec_ + simpleperf_mapping(1, b"/lib/a.so"), 20000), perf_sample(0x1010, 1, 1)],
                           {FILES: simpleperf_file(b"perf-1.map", names)})


# The Firefox Profiler


def firefox_idle():
    """Deep stacks of a program that was idle."""
    n = many(300000)
    offsets = b"[0" + b",1" * (n - 1) + b"]"
    stacks = b"[0" + b",%d" % (n - 1) * (n - 1) + b"]"
    return [b'{"meta":{"preprocessedProfileVersion":66,"interval":1,"startTime":5,"categories":[{"name":"User"}]},"libs":[],'
            b'"shared":{"stackTable":{"frame":[0' + b",0" * (n - 1) + b'],"prefixOffset":' + offsets +
            b'},"frameTable":{"address":[-1],"inlineDepth":[0],"category":[0],"func":[0]},"funcTable":{"name":[0],"resource":[-1]},'
            b'"resourceTable":{"lib":[]},"stringArray":["(idle)"]},'
            b'"threads":[{"pid":"1","tid":"2","samples":{"stack":' + stacks + b',"timeDeltas":[1' + b",1" * (n - 1) + b']}}]}']


# ELF, which a dump of jemalloc leads to


def elf(sections):
    """A program for x86_64 whose text lies at 0x1000. Sections are (name, type, flags, bytes or pieces)."""
    sections = [(b".text", 1, 6, b"\x90" * 4096), *sections]
    names, offsets = b"\0", []
    for name, *_ in [*sections, (b".shstrtab",)]:
        offsets.append(len(names))
        names += name + b"\0"
    body, headers, at = [], [bytes(64)], 4096
    for (name, kind, flags, data), name_at in zip([*sections, (b".shstrtab", 3, 0, names)], offsets):
        address = 0x1000 if name == b".text" else 0
        entry = 24 if kind == 2 else 0
        link = 3 if kind == 2 else 0  # .strtab is the section after .symtab, which is the second
        headers.append(struct.pack("<IIQQQQIIQQ", name_at, kind, flags, address, at, len(data), link, 0, 1, entry))
        body.append(data)
        at += len(data)
    head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0x1000, 64, at, 0, 64, 56, 1,
                                                           64, len(headers), len(headers) - 1)
    load = struct.pack("<IIQQQQQQ", 1, 5, 4096, 0x1000, 0x1000, 4096, 4096, 4096)
    return [(head + load).ljust(4096, b"\0"), *body, b"".join(headers)]


def zlib_zeros(n):
    """A section's compression header and n zeros."""
    n = many(n)
    packer = zlib.compressobj(9)
    data = b"".join(map(packer.compress, spell([(b"\0", n)]))) + packer.flush()
    return struct.pack("<IIQQ", 1, 0, n, 1) + data


def zstd_zeros(n, folder):
    n = many(n)
    path = os.path.join(folder, "zeros.zst")
    pack_zstd(path, [(b"\0", n)])
    with open(path, "rb") as file:
        data = file.read()
    os.unlink(path)
    # Noise in a frame that a reader skips, so that the ratio is one that zlib could reach.
    noise = struct.pack("<II", 0x184d2a50, n // 1000) + os.urandom(n // 1000)
    return struct.pack("<IIQQ", 2, 0, n, 1) + noise + data


def elf_zlib_zeros(_folder):
    zeros = zlib_zeros(512 * MB)
    return elf([(name, 1, 0x800, zeros) for name in (b".debug_info", b".debug_line", b".debug_str")])


def elf_zstd_zeros(folder):
    zeros = zstd_zeros(1024 * MB, folder)
    return elf([(name, 1, 0x800, zeros) for name in (b".debug_info", b".debug_abbrev", b".debug_str", b".debug_frame")])


def elf_old_zlib_zeros(_folder):
    zeros = zlib_zeros(256 * MB)[24:]
    data = b"ZLIB" + struct.pack(">Q", many(256 * MB)) + zeros
    return elf([(name, 1, 0, data) for name in (b".zdebug_info", b".zdebug_line", b".zdebug_str")])


def elf_minidebug(folder):
    path = os.path.join(folder, "zeros")
    with open(path + ".xz", "wb") as file, subprocess.Popen(["xz", "-c", "-1", "-q"], stdin=subprocess.PIPE,
                                                            stdout=file) as process:
        head = b"".join(elf([]))[:4096]
        process.stdin.write(head)
        for _ in range(many(256)):
            process.stdin.write(bytes(many(MB)))
        process.stdin.close()
    with open(path + ".xz", "rb") as file:
        data = file.read()
    os.unlink(path + ".xz")
    return elf([(b".gnu_debugdata", 1, 0, data)])


def elf_symbols(_folder):
    """A million symbols that share a name of 100 KB."""
    symbols = bytes(24) + b"".join(struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0x1000 + i % 4096, 1) for i in range(many(1000000)))
    return elf([(b".symtab", 2, 0, symbols), (b".strtab", 3, 0, b"\0_Z" + b"N" * many(100 * KB) + b"\0")])


def leb(number_):
    return varint(number_)


def dwarf_unit(abbrevs, dies, version=4):
    """One unit: .debug_abbrev and .debug_info."""
    body = struct.pack("<HIB", version, 0, 8) + dies
    return (b".debug_abbrev", 1, 0, abbrevs + b"\0"), (b".debug_info", 1, 0, struct.pack("<I", len(body)) + body)


def abbrev(code, tag, has_children, *attributes):
    return leb(code) + leb(tag) + bytes([has_children]) + b"".join(leb(a) + leb(f) for a, f in attributes) + b"\0\0"


def elf_dwarf_deep(_folder):
    """50,000 inlined calls, one in the other, all around one address."""
    abbrevs = abbrev(1, 0x11, 1) + abbrev(2, 0x2e, 1, (0x03, 0x08), (0x11, 0x01), (0x12, 0x06)) + abbrev(
        3, 0x1d, 1, (0x31, 0x13), (0x11, 0x01), (0x12, 0x06))
    function = leb(2) + b"outer\0" + struct.pack("<QI", 0x1000, 4096)
    inlined = leb(3) + struct.pack("<IQI", 12, 0x1000, 4096)
    return elf(list(dwarf_unit(abbrevs, leb(1) + function + inlined * many(50000) + bytes(many(50000) + 3))))


def elf_dwarf_origins(_folder):
    """A chain of 100,000 functions, each of which has its name from the next."""
    abbrevs = abbrev(1, 0x11, 1) + abbrev(2, 0x2e, 0, (0x31, 0x13), (0x11, 0x01), (0x12, 0x06)) + abbrev(
        3, 0x2e, 0, (0x03, 0x08))
    size = 1 + 4 + 8 + 4
    first = 11 + 1
    dies = b"".join(leb(2) + struct.pack("<IQI", first + (i + 1) * size, 0x1000 + i % 4096, 1) for i in range(many(100000)))
    return elf(list(dwarf_unit(abbrevs, leb(1) + dies + leb(3) + b"last\0" + b"\0")))


def elf_dwarf_units(_folder):
    """A million empty units."""
    unit = struct.pack("<IHIB", 8, 4, 0, 8) + leb(1)
    return elf([(b".debug_abbrev", 1, 0, abbrev(1, 0x11, 0) + b"\0"), (b".debug_info", 1, 0, unit * many(1000000))])


def elf_dwarf_abbrevs(_folder):
    """2,000 units that share 100,000 abbreviations."""
    abbrevs = b"".join(abbrev(i, 0x2e, 0, (0x03, 0x08)) for i in range(1, many(100000) + 1))
    unit = struct.pack("<IHIB", 8, 4, 0, 8) + leb(1)
    return elf([(b".debug_abbrev", 1, 0, abbrevs + b"\0"), (b".debug_info", 1, 0, unit * many(2000))])


def elf_dwarf_lines(_folder):
    """A line program of 60 MB that packs well: one row a byte."""
    abbrevs = abbrev(1, 0x11, 0, (0x11, 0x01), (0x12, 0x06), (0x10, 0x17)) + b"\0"
    die = leb(1) + struct.pack("<QII", 0x1000, 4096, 0)
    body = struct.pack("<HIB", 4, 0, 8) + die
    lengths = bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    tables = b"\0" + b"a.c\0\0\0\0" + b"\0"
    header = struct.pack("<BBBBbBB", 1, 1, 1, 1 & 1, -5, 14, 13) + lengths + tables
    program = b"\0\x09\x02" + struct.pack("<Q", 0x1000) + b"\x13" * many(60 * MB) + b"\0\1\1"
    lines = struct.pack("<HI", 4, len(header)) + header + program
    data = struct.pack("<I", len(lines)) + lines
    packed_lines = struct.pack("<IIQQ", 1, 0, len(data), 1) + zlib.compress(data, 9)
    return elf([(b".debug_abbrev", 1, 0, abbrevs), (b".debug_info", 1, 0, struct.pack("<I", len(body)) + body),
                (b".debug_line", 1, 0x800, packed_lines)])


def elf_frames(_folder):
    """.eh_frame of a million functions at the same place, in a section that packs well."""
    cie_body = struct.pack("<I", 0) + b"\1zR\0\1\x78\x10\1\x1b\x0c\7\x08\x90\1\0\0"
    cie = struct.pack("<I", len(cie_body)) + cie_body
    out = [cie]
    at = len(cie)
    for _ in range(many(1000000)):
        out.append(struct.pack("<IIiIB3x", 16, at + 4, 0x1000, 64, 0))
        at += 20
    data = b"".join(out)
    return elf([(b".eh_frame", 1, 2, data)])


# All of them


class Crafted:
    """part: what its numbers of entries were divided by"""
    def __init__(self, name, path, unpacked_bytes):
        self.name, self.path, self.unpacked_bytes, self.part = name, path, unpacked_bytes, part if is_divided else 1


def makers():
    """Name: (packing, function that returns the pieces)."""
    gz, zst, plain = pack_gzip, pack_zstd, pack_plain
    all_makers = {
        "pprof-comments": (gz, pprof_comments),
        "pprof-measures": (gz, pprof_measures),
        "pprof-inlined-lines": (gz, pprof_inlined_lines),
        "pprof-inlined-functions": (gz, pprof_inlined_functions),
        "pprof-deep-3000": (gz, pprof_deep_stacks(3000, 3000)),
        "pprof-deep-60000": (gz, pprof_deep_stacks(400, 60000)),
        "pprof-long-name-often": (gz, pprof_long_name_often),
        "pprof-long-names": (gz, pprof_long_names),
        "pprof-labels": (gz, pprof_labels),
        "pprof-label-sets": (gz, pprof_label_sets),
        "pprof-label-keys": (gz, pprof_label_keys),
        "pprof-drop-frames": (gz, pprof_drop_frames),
        "heaptrack-inlined": (zst, interpreted_inlined),
        "heaptrack-deep": (zst, interpreted_deep),
        "heaptrack-times": (zst, interpreted_times),
        "heaptrack-raw-blocks": (zst, raw_blocks),
        "jemalloc-deep": (gz, jemalloc_deep),
        "jemalloc-threads": (gz, jemalloc_threads),
        "jemalloc-maps": (gz, jemalloc_maps),
        "jemalloc-empty": (gz, jemalloc_empty),
        "perf-samples": (plain, perf_samples(28000000)),
        "perf-threads": (plain, perf_threads(3000000)),
        "perf-addresses": (plain, perf_addresses(3000000)),
        # For all that can be made of them, which reads them each time.
        "perf-some-samples": (plain, perf_samples(4000000)),
        "perf-some-threads": (plain, perf_threads(600000)),
        "perf-some-addresses": (plain, perf_addresses(600000)),
        "perf-simpleperf-kernel": (plain, simpleperf_kernel),
        "perf-simpleperf-events": (plain, simpleperf_events),
        "perf-simpleperf-modules": (plain, simpleperf_modules),
        "perf-simpleperf-methods": (plain, simpleperf_methods),
        "perf-simpleperf-programs": (plain, simpleperf_programs),
        "firefox-idle": (gz, firefox_idle),
        "elf-zlib-zeros": (plain, elf_zlib_zeros),
        "elf-zstd-zeros": (plain, elf_zstd_zeros),
        "elf-old-zlib-zeros": (plain, elf_old_zlib_zeros),
        "elf-minidebug": (plain, elf_minidebug),
        "elf-symbols": (plain, elf_symbols),
        "elf-dwarf-deep": (plain, elf_dwarf_deep),
        "elf-dwarf-origins": (plain, elf_dwarf_origins),
        "elf-dwarf-units": (plain, elf_dwarf_units),
        "elf-dwarf-abbrevs": (plain, elf_dwarf_abbrevs),
        "elf-dwarf-lines": (plain, elf_dwarf_lines),
        "elf-frames": (plain, elf_frames),
    }
    for name, field in (("sample-type", SAMPLE_TYPE), ("sample", SAMPLE), ("mapping", MAPPING), ("location", LOCATION),
                        ("function", FUNCTION), ("string", STRING), ("comment", COMMENT)):
        all_makers["pprof-empty-" + name] = (gz, pprof_empty(field))
    for name, line in (("exe", b"x 2 /a\n"), ("modules", b"m -\n"), ("trace", b"t 0 0\n"), ("trace-new", b"t 1000 0\n"),
                       ("alloc", b"+ 1 1 10\n"), ("free", b"- 10\n"), ("time", b"c a\n"), ("rss", b"R 1\n"),
                       ("suppression", b"S leak:a\n"), ("attached", b"A\n"), ("comment", b"#\n"), ("unknown", b"?\n")):
        all_makers["heaptrack-raw-" + name] = (zst, raw_line(line))
    for name, line in (("string", b"s 1 a\n"), ("address", b"i 1000 1\n"), ("trace", b"t 1 0\n"), ("info", b"a 10 1\n"),
                       ("alloc", b"+ 0\n"), ("free", b"- 0\n")):
        all_makers["heaptrack-" + name] = (zst, interpreted_line(line))
    for name in PERF_BODIES:
        all_makers["perf-" + name] = (plain, perf_often(name))
    return all_makers


def make(name, folder):
    """Writes the file; its path ends with its name, or with that of the dump that leads to a program."""
    global is_divided
    is_divided = False
    packing, function = makers()[name]
    packing = packing if most is None else pack_plain
    path = os.path.join(folder, name)
    pieces = function(folder) if name.startswith(("perf-", "elf-")) else function()
    pieces, unpacked_bytes = pieces if name.startswith("perf-") else (pieces, size_of(pieces))
    packing(path, pieces)
    if name.startswith("elf-"):
        program, path = path, path + ".heap"
        maps = b"00001000-00002000 r-xp 00001000 00:00 1 %s\n" % program.encode()
        pack_plain(path, jemalloc([jemalloc_stack([0x1010, 0x1100])], maps))
    return Crafted(name, path, unpacked_bytes)


def main():
    global most
    arguments = sys.argv[1:]
    if arguments[0] == "--seeds":
        most = SEED_ENTRIES
        del arguments[0]
    folder = arguments[0]
    os.makedirs(folder, exist_ok=True)
    for name in arguments[1:] or makers():
        crafted = make(name, folder)
        print("%s: %d bytes, %d unpacked" % (crafted.path, os.path.getsize(crafted.path), crafted.unpacked_bytes))


if __name__ == "__main__":
    if shutil.which("zstd") is None:
        sys.exit("crafted.py: zstd is missing")
    main()
