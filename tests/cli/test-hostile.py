#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files made to hurt, through profview without a display: each ends with words or a result, in little time and memory.

    test-hostile.py PROFVIEW
"""

import gzip
import os
import resource
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import unittest
import zlib

import processor

PROFVIEW = sys.argv[1]
CPU_SECONDS = 2.0
KILOBYTES = 300 * 1024
NOBODY = 65534
# A sanitizer's slowness and shadow memory are not profview's.
IS_SANITIZED = bool(os.environ.get("PV_SANITIZED"))

ATTR = struct.pack("<IIQQQQQIIQ", 1, 64, 0, 1000, 7, 0, 0, 0, 0, 0)


def record(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def sample(ip, tid, time, chain=b""):
    return record(9, struct.pack("<QIIQ", ip, tid, tid, time) + chain, 2)


def mmap(pid, start, path):
    return record(1, struct.pack("<IIQQQ", pid, pid, start, 0x1000, 0) + path.encode().ljust(24, b"\0"), 2)


def fork(pid, parent, time):
    return record(7, struct.pack("<IIIIQ", pid, parent, pid, parent, time))


def header(n_attrs, ids_bytes, n_records_bytes):
    return b"PERFILE2" + struct.pack("<8Q", 104, 80, 104, n_attrs * 80, 104 + n_attrs * 80 + ids_bytes, n_records_bytes,
                                     0, 0) + bytes(32)


def perf_data(records, n_attrs=1, ids=b""):
    """Every event has all the ids for its own."""
    entry = ATTR + struct.pack("<QQ", 104 + n_attrs * 80, len(ids))
    return header(n_attrs, len(ids), len(records)) + entry * n_attrs + ids + records


def zstd_frame(parts):
    """Bytes, or one byte and how often: a frame with blocks that are copied, or repeat a byte."""
    blocks = []
    for part in parts:
        data, n = part if isinstance(part, tuple) else (part, 0)
        size = n or len(data)
        for start in range(0, size, 1 << 17):
            length = min(size - start, 1 << 17)
            blocks.append((2 if n else 0, length, data if n else data[start:start + length]))
    body = b"".join(struct.pack("<I", (i + 1 == len(blocks)) | kind | length << 3)[:3] + data
                    for i, (kind, length, data) in enumerate(blocks))
    size = sum(length for _, length, _ in blocks)
    return struct.pack("<IBI", 0xfd2fb528, 0xa0, size) + (body or b"\1\0\0"), size


def section(tag, *parts):
    packed, size = zstd_frame(parts)
    rest = tag + struct.pack("<II", len(packed), size) + packed
    return struct.pack("<I", zlib.crc32(rest)) + rest


def varint(number):
    data = b""
    while number > 0x7f:
        data += bytes([number & 0x7f | 0x80])
        number >>= 7
    return data + bytes([number])


HEAD = section(b"HEAD", (b"\0", 24))
MODULE = section(b"MODS", b"\1\1" + bytes(10))
LOCATION = section(b"LOCS", b"\1\1\0\0")
STRING = section(b"STRS", b"\1x")


def pack(*sections):
    return b"\x89PVPACK\n" + struct.pack("<II", 1, 0) + b"".join(sections) + section(b"END!")


class Hostile(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        self.folder = tempfile.TemporaryDirectory(prefix="profview-hostile-")
        self.addCleanup(self.folder.cleanup)

    def path(self, name, data=None):
        path = os.path.join(self.folder.name, name)
        if data is not None:
            with open(path, "wb") as file:
                file.write(data)
        return path

    def run_on(self, path, program=PROFVIEW, user=None, options=()):
        """Exit status and words."""
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen([program, "--print=top", "--limit=5", *options, path], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=errors, user=user, group=user,
                                       extra_groups=None if user is None else [])
            timer = threading.Timer(60, process.kill)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            words = errors.read().decode("utf-8", "replace")
        self.assertIn(process.returncode, (0, 1), words)
        if process.returncode == 1:
            self.assertTrue(words.startswith("profview: " + path + ": "), words)
        if not IS_SANITIZED:
            seconds = usage.ru_utime + usage.ru_stime
            self.assertTrue(processor.is_within(seconds, CPU_SECONDS), "%.1f s" % seconds)
            self.assertLess(usage.ru_maxrss, KILOBYTES)
        return process.returncode, words

    def refused(self, path, **how):
        status, words = self.run_on(path, **how)
        self.assertEqual(status, 1)
        return words

    def read(self, data):
        self.assertEqual(self.run_on(self.path("perf.data", data))[0], 0)

    def test_no_files(self):
        self.assertIn("empty", self.refused(self.path("empty", b"")))
        for device in ("/dev/zero", "/dev/null", "/dev/urandom"):
            self.assertIn("not a regular file", self.refused(device))
        self.assertIn("folder", self.refused(self.folder.name))
        # A recording's folder whose file would never end.
        os.mkfifo(self.path("data"))
        self.assertIn("not a regular file", self.refused(self.folder.name))

    def test_no_permission(self):
        path = self.path("secret", perf_data(sample(1, 1, 1)))
        os.chmod(path, 0)
        if os.geteuid() != 0:
            self.assertIn("ermission", self.refused(path))
            return
        # Root may read everything, and others perhaps not the folder that profview was built in.
        os.chmod(self.folder.name, 0o755)
        program = shutil.copy(PROFVIEW, self.path("profview"))
        self.assertIn("ermission", self.refused(path, program=program, user=NOBODY))

    def test_sparse(self):
        path = self.path("sparse", bytes(8))
        os.truncate(path, 4 << 30)
        self.refused(path)
        for size in (0, 4 << 30):
            with open(path, "wb") as file:
                file.write(header(1, 0, size) + ATTR + bytes(16))
                file.truncate(4 << 30)
            self.assertEqual(self.run_on(path)[0], 0)

    def test_grows(self):
        path = self.path("perf.data", header(1, 0, 0) + ATTR + bytes(16))
        stop = threading.Event()

        def write():
            with open(path, "ab", buffering=0) as file:
                for i in range(20000):
                    if stop.is_set():
                        return
                    file.write(sample(i, 1, i + 1) * 16)

        writer = threading.Thread(target=write)
        writer.start()
        for _ in range(10):
            self.run_on(path)
        stop.set()
        writer.join()

    def test_many_events(self):
        self.read(perf_data(b"".join(sample(64 * i, i & 255, i + 1) for i in range(100000)) * 20))

    def test_many_kinds_of_events(self):
        self.read(perf_data(sample(1, 1, 1), n_attrs=200000))

    def test_shared_ids(self):
        self.read(perf_data(sample(1, 1, 1), n_attrs=10000, ids=struct.pack("<100000Q", *range(100000))))

    def test_many_processes(self):
        # The same chain in each of them, and code without names.
        self.read(perf_data(b"".join(mmap(i, 0x10000, "//anon") + sample(0x10010, i, i) for i in range(1, 60000))))

    def test_many_mappings(self):
        self.read(perf_data(b"".join(mmap(1, 0x10000 * (200000 - i), "/lib/%d" % (i % 9)) + sample(0x10000 * i, 1, i)
                                     for i in range(1, 200000))))

    def test_copies_of_mappings(self):
        maps = b"".join(mmap(1, 0x10000 * i, "/lib/%d" % (i % 9)) for i in range(1, 10000))
        self.read(perf_data(maps + b"".join(fork(i, 1, i) + mmap(i, 0x7000000000, "/lib/own") + sample(0x20000, i, i)
                                            for i in range(2, 20000))))

    def test_glued_packed_records(self):
        body = struct.pack("<IHHQ", 83, 0, 16, 0) * 500000
        self.read(perf_data(struct.pack("<IHHQ", 83, 0, 0, len(body) - 8) + body[:-8]))

    def test_large_packs(self):
        """A few bytes that unpack to many rows, of each section: what is built of them has a limit."""
        rows = 16 << 20
        for name, large, n in (("strings", section(b"STRS", (b"\0", rows)), 4),
                               ("modules", section(b"MODS", (b"\1", rows)), 2),
                               ("processes", section(b"PROC", (b"\1", rows)), 2),
                               ("threads", section(b"PROC", b"\1\1\1\1") + section(b"THRD", (b"\1", rows)), 2),
                               ("locations", section(b"LOCS", varint(5 << 20), (b"\0", 15 << 20)), 2),
                               ("functions", section(b"FUNC", (b"\1", rows)), 2),
                               ("stacks", LOCATION + section(b"STAK", varint(7 << 20), (b"\1", 7 << 20), b"\2",
                                                             (b"\0", (7 << 20) - 1)), 3),
                               ("labels", section(b"LABL", (b"\1", rows)), 2),
                               ("suppressions", section(b"SUPP", (b"\1", rows)), 2),
                               ("notes", section(b"NOTE", (b"\1", rows)), 2),
                               ("lost", section(b"LOSS", (b"\1", rows)), 2)):
            with self.subTest(name):
                path = self.path(name + ".profview", pack(STRING, HEAD, MODULE, *[large] * n))
                self.assertLess(os.path.getsize(path), 20000)
                self.assertEqual(self.run_on(path, options=("--max-memory=64M",))[0], 0)
        path = self.path("strings.profview")
        notes = subprocess.run([PROFVIEW, "--print=notes", "--max-memory=64M", path], stdout=subprocess.PIPE, check=True)
        self.assertIn(b"more memory than is allowed", notes.stdout)
        notes = subprocess.run([PROFVIEW, "--print=notes", "--max-unpacked=20M", path], stdout=subprocess.PIPE, check=True)
        self.assertIn(b"larger than the limit", notes.stdout)

    def test_one_long_string(self):
        """That each row of a pack names."""
        text = section(b"STRS", varint(15 << 20), (b"x", 15 << 20))
        for tag, row in ((b"MODS", 13), (b"PROC", 4), (b"NOTE", 4), (b"NNOT", 4), (b"SUPP", 1), (b"FUNC", 8),
                         (b"LABL", 3)):
            with self.subTest(tag):
                path = self.path("long.profview", pack(text, HEAD, MODULE, section(tag, (b"\1", 4000 * row))))
                self.assertEqual(self.run_on(path)[0], 0)

    def test_empty_messages(self):
        """Repeated fields of pprof's profile with nothing in them take no more memory than four times their bytes."""
        n = 8 << 20
        start = b"\n\4\x08\1\x10\2" + b"2\0" + b"2\1a" * 2
        for field in (b"h\0", b"h\1", b"\n\0", b"2\0", b'"\0', b"*\0", b"\x1a\0", b"\x12\0"):
            with self.subTest(field):
                path = self.path("x.pb.gz", gzip.compress(start + field * (n // len(field)), 1))
                self.assertEqual(self.run_on(path, options=("--max-memory=64M",))[0], 0)

    def test_maps_of_others(self):
        """/tmp/perf-PID.map may be anybody's."""
        pid = 4194304 + os.getpid()  # no process has it
        path = "/tmp/perf-%d.map" % pid
        self.addCleanup(lambda: os.path.exists(path) and os.unlink(path))
        data = self.path("perf.data", perf_data(mmap(pid, 0x10000, "//anon") + sample(0x10010, pid, 1) * 100))
        command = [PROFVIEW, "--print=top", data]
        with open(path, "wb") as file:
            file.write(b"10000 1000 made_at_run_time\n")
        self.assertIn(b"made_at_run_time", subprocess.check_output(command))
        os.truncate(path, 8 << 30)
        self.assertEqual(self.run_on(data)[0], 0)
        notes = subprocess.check_output([PROFVIEW, "--print=notes", data])
        self.assertIn(b"has more than 256 MiB", notes)
        if os.geteuid() == 0:
            with open(path, "wb") as file:
                file.write(b"10000 1000 made_at_run_time\n")
            os.chown(path, NOBODY, NOBODY)
            self.assertNotIn(b"made_at_run_time", subprocess.check_output(command))
            self.assertIn(b"belongs to another user", subprocess.check_output([PROFVIEW, "--print=notes", data]))

    def make_bomb(self, n_bytes):
        path = self.path("bomb.tar.gz")
        with tarfile.open(path, "w:gz") as archive:
            entry = tarfile.TarInfo(".build-id/ab/cdef/elf")
            entry.size = n_bytes
            with open("/dev/zero", "rb") as zeros:
                archive.addfile(entry, zeros)
        return path

    def test_archives(self):
        """A few bytes that unpack to many are not written to the disk."""
        bomb = self.make_bomb(300 << 20)
        temporary = self.path("temporary")
        os.mkdir(temporary)
        data = self.path("perf.data", perf_data(mmap(1, 0x10000, "/lib/x") + sample(0x10010, 1, 1)))
        command = [PROFVIEW, "--print=notes", "--symbol-path=" + bomb, data]
        environment = {**os.environ, "TMPDIR": temporary}
        notes = subprocess.check_output(command, env=environment)
        self.assertIn(b"was not unpacked to its end: it would become larger than", notes)
        self.assertEqual(os.listdir(temporary), [])

    def test_archive_is_removed(self):
        """Also when a signal ends the program."""
        temporary = self.path("temporary")
        os.mkdir(temporary)
        archive = self.path("some.tar")
        with tarfile.open(archive, "w") as tar:
            for i in range(20000):
                tar.addfile(tarfile.TarInfo(".build-id/ab/%d" % i))
        data = self.path("perf.data", perf_data(mmap(1, 0x10000, "/lib/x") + sample(0x10010, 1, 1)))
        process = subprocess.Popen([PROFVIEW, "--print=top", "--symbol-path=" + archive, data],
                                   stdout=subprocess.DEVNULL, env={**os.environ, "TMPDIR": temporary})
        end = time.monotonic() + 20
        while not os.listdir(temporary) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.001)
        process.kill()
        process.wait()
        while os.listdir(temporary) and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(os.listdir(temporary), [])

    def test_links_to_write_to(self):
        """What a symbolic link leads to is named, and the link of another user not followed."""
        target, link = self.path("target", b"before"), self.path("x.folded")
        data = self.path("two.folded", b"main;a 5\nmain;b 3\n")
        os.symlink(target, link)
        done = subprocess.run([PROFVIEW, "--export=" + link, data], stderr=subprocess.PIPE, check=True)
        self.assertIn(b"symbolic link; " + os.path.realpath(target).encode() + b" was written", done.stderr)
        if os.geteuid() == 0:
            os.lchown(link, NOBODY, NOBODY)
            with open(target, "wb") as file:
                file.write(b"before")
            done = subprocess.run([PROFVIEW, "--export=" + link, data], stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"symbolic link of another user", done.stderr)
            with open(target, "rb") as file:
                self.assertEqual(file.read(), b"before")

    def test_control_characters(self):
        """Of a file's name do not reach the terminal."""
        paths = [self.path(name, b"main;a 5\n") for name in ("\x1b[31mred", "plain")]
        for options in (["--print=top"], ["--print=summary"], ["--export=" + self.path("\x1b[2J.xyz")],
                        ["--print=top", "--format=csv"], ["--print=top", self.path("\x1b]none")]):
            done = subprocess.run([PROFVIEW, *options, *paths], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  check=False)
            self.assertNotIn(b"\x1b", done.stdout, options)

    def test_little_memory(self):
        """Words instead of an abort."""
        if IS_SANITIZED:
            return
        data = self.path("x.folded", b"".join(b"main;a%d;b%d 5\n" % (i, i) for i in range(300000)))
        for megabytes in (60, 80, 100, 130, 160):
            limit = megabytes << 20
            done = subprocess.run([PROFVIEW, "--print=top", data], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                  preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            self.assertIn(done.returncode, (0, 1, 127), (megabytes, done))
            self.assertTrue(done.returncode == 0 or done.stderr, megabytes)

    def test_many_suppressions(self):
        """Each pattern could match each of the functions."""
        def sized(kind, text):
            return "%s %x %s\n" % (kind, len(text), text)

        n = 40000
        lines = ["v 10400 3\n"]
        lines += [sized("S", "leak:x%dy*z" % i) for i in range(n)]
        lines += [sized("s", "/a/b")] + [sized("s", "function_%d_x%dy" % (i, i)) for i in range(n)]
        lines += ["i %x 1 %x\nt %x 0\na 10 %x\n+ %x\n" % (4096 + i, 2 + i, i + 1, i + 1, i) for i in range(n)]
        path = self.path("trace", "".join(lines).encode() + b"c 14\n")
        self.assertEqual(self.run_on(path, options=("--measure=leaked",))[0], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
