#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files made to hurt, through profview without a display: each ends with words or a result, in little time and memory.

    test-hostile.py PROFVIEW
"""

import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

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
