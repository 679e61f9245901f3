#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records with the recorders of this machine: each only if a probe says that it is there and let. If none is, the
exit status is 77: not run.

    test-record-live.py PROFVIEW DATA
"""

import contextlib
import ctypes.util
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import unittest

from program import ENVIRONMENT, PROFVIEW

DATA = pathlib.Path(sys.argv[2])
SAMPLES = DATA / "sysroot/opt/samples/bin"
CALLS = str(SAMPLES / "calls")
SLOW = 4 if os.environ.get("PV_SANITIZED") else 1
TEMPORARY = tempfile.TemporaryDirectory()
SOURCES = pathlib.Path(TEMPORARY.name)


@contextlib.contextmanager
def running(*command, **options):
    """A program that is killed at the end, however that comes."""
    with subprocess.Popen(command, **options) as target:
        try:
            yield target
        finally:
            target.kill()


def works(*command):
    """Whether a command is there and ends well, within ten seconds."""
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=10,
                              check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def can_perf():
    """A recording of a moment that has samples."""
    path = SOURCES / "probe.data"
    return works(CALLS, "1") and \
        works("perf", "record", "-q", "-e", "cpu-clock:u", "-o", str(path), CALLS, "20") and \
        subprocess.run(["perf", "script", "-i", str(path)], capture_output=True, check=False).stdout != b""


def can_debug():
    """A debugger that can call a function in another process, which it cannot with some kernels and processors."""
    if shutil.which("gdb") is None:
        return False
    with running("sleep", "20") as target:
        result = subprocess.run(["gdb", "--batch", "-n", "-p", str(target.pid), "-ex", "print 6 * (int) getpid()"],
                                capture_output=True, timeout=60, check=False)
    return b"= %d\n" % (6 * target.pid) in result.stdout


HAS_PERF = can_perf()
BUSY = os.path.join(os.environ["PV_BUILD"], "tests", "record", "busy")
HAS_HEAPTRACK = shutil.which("heaptrack") is not None
HAS_GDB = HAS_HEAPTRACK and can_debug()
JEMALLOC = ctypes.util.find_library("jemalloc")
HAS_MOUNT = works("unshare", "--mount", "mount", "-t", "tmpfs", "-o", "size=64k", "none", "/mnt")


class Live(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(dir=TEMPORARY.name)
        self.environment = {**ENVIRONMENT, "XDG_DATA_HOME": self.home}

    def run_profview(self, *arguments, **others):
        options = {"stdin": subprocess.DEVNULL, "env": self.environment, "timeout": 120, **others}
        result = subprocess.run([PROFVIEW, *arguments], capture_output=True, check=False, **options)
        return result.returncode, result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")

    def record(self, *arguments, wanted=0):
        """The path of the recording."""
        status, out, errors = self.run_profview(*arguments)
        self.assertEqual(status, wanted, errors)
        path = out.splitlines()[-1]
        mode = stat.S_IMODE(os.stat(path).st_mode)
        self.assertIn(mode, (0o600, 0o700))
        return path

    def top(self, path):
        status, out, errors = self.run_profview("--print=top", "--format=tsv", path)
        self.assertEqual(status, 0, errors)
        return {row.split("\t")[2]: [int(cell) for cell in row.split("\t")[:2]] for row in out.splitlines()[1:]}

    def summary(self, path):
        status, out, errors = self.run_profview("--print=summary", "--format=json", path)
        self.assertEqual(status, 0, errors)
        return json.loads(out)


@unittest.skipUnless(HAS_PERF, "perf is not let here")
class Perf(Live):
    def check_calls(self, path):
        """Its time is below main, in the functions it is known for; but libc's own keep no frame pointers."""
        rows = self.top(path)
        whole = max(total for _, total in rows.values())
        self.assertGreater(rows["main"][1], whole * 0.4)
        hottest = sorted(rows, key=lambda name: -rows[name][0])[:6]
        for name in ("compare_values", "checksum"):
            self.assertIn(name, hottest)
        self.assertIn("integrate", [name.split(".", maxsplit=1)[0] for name in rows])

    def test_launch(self):
        for how in ("fp", "dwarf", "dwarf,4096"):
            with self.subTest(how):
                path = self.record("--record=perf", "--call-graph=" + how, "--", CALLS, "400")
                self.check_calls(path)
                # Nor is the helper that starts the program a thread of its own.
                status, _, errors = self.run_profview("--print=top", "--thread=profview-launch", path)
                self.assertIn("no thread is called", errors, status)

    def test_stored_command(self):
        path = self.record("--record=perf", "--call-graph=fp", "--frequency=500", "--", CALLS, "40")
        header = subprocess.run(["perf", "report", "--header-only", "-i", path], capture_output=True, check=False)
        self.assertIn(b"calls 40", header.stdout)

    def test_attach(self):
        with running(CALLS, "20000", stdout=subprocess.DEVNULL) as target:
            path = self.record("--record=perf", "--call-graph=fp", "--pid=%d" % target.pid, "--duration=1.5")
            self.assertIsNone(target.poll())
        self.check_calls(path)

    def test_off_cpu(self):
        path = self.record("--record=offcpu", "--call-graph=fp", "--", "sleep", "0.5")
        summary = self.summary(path)
        self.assertGreater(summary["samples"], 0)

    def test_fork_storm(self):
        path = self.record("--record=perf", "--call-graph=fp", "--", "sh", "-c",
                           'i=0; while [ $i -lt 300 ]; do /bin/true & i=$((i + 1)); done; wait; exit 7', wanted=7)
        tasks = subprocess.run(["perf", "script", "--show-task-events", "-i", path], capture_output=True, check=False)
        self.assertGreaterEqual(tasks.stdout.count(b"PERF_RECORD_FORK"), 300)
        self.assertGreater(self.summary(path)["samples"], 0)

    def test_full_disk(self):
        if not HAS_MOUNT:
            self.skipTest("file systems may not be mounted")
        place = os.path.join(self.home, "small")
        os.mkdir(place)
        script = 'mount -t tmpfs -o size=512k none "$1" && "$2" --record=perf --call-graph=dwarf ' \
            '--output="$1/x.data" -- "$3" 4000; echo "status $?"; "$2" --print=top "$1/x.data" >/dev/null; echo "top $?"'
        result = subprocess.run(["unshare", "--mount", "sh", "-c", script, "sh", place, PROFVIEW, CALLS],
                                capture_output=True, env=self.environment, timeout=120, check=False)
        out, errors = result.stdout.decode(), result.stderr.decode()
        self.assertIn("status 1\n", out, errors)
        self.assertIn("top 0\n", out, errors)
        self.assertIn(place + "/x.data\n", out)
        self.assertRegex(errors, "room|full")

    def test_recorder_killed(self):
        with subprocess.Popen([PROFVIEW, "--record=perf", "--call-graph=fp", "--", CALLS, "8000"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment) as process:
            perf = None
            for _ in range(200):
                found = subprocess.run(["pgrep", "-P", str(process.pid), "-x", "perf"], capture_output=True, check=False)
                if found.stdout:
                    perf = int(found.stdout.split()[0])
                    break
                time.sleep(0.02)
            self.assertIsNotNone(perf)
            time.sleep(3) # what perf has is written out once a second
            os.kill(perf, 9)
            out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn(b"killed", errors)
        # The program goes on, and prints something at its end.
        (path,) = [line for line in out.decode().splitlines() if line.startswith(self.home)]
        self.assertIn("checksum", self.top(path))


@unittest.skipUnless(HAS_HEAPTRACK, "heaptrack is not installed")
class Heaptrack(Live):
    def test_launch(self):
        path = self.record("--record=heaptrack", "--", "ls", "/")
        self.assertRegex(path, r"\.raw\.zst$")
        summary = self.summary(path)
        self.assertGreater(summary["allocations"], 10)

    def test_same_as_heaptrack(self):
        """What its own script records of a program that always does the same."""
        program = str(SAMPLES / "heap")
        for what in ("realloc", "leak", "fork"):
            with self.subTest(what):
                plain = os.path.join(self.home, what)
                subprocess.run(["heaptrack", "--raw", "-o", plain, program, what], stdout=subprocess.DEVNULL, check=True)
                (theirs,) = pathlib.Path(self.home).glob(what + ".raw.*")
                ours = self.record("--record=heaptrack", "--", program, what)
                names = ("allocations", "temporary", "leaked_bytes", "suppressed_bytes", "peak_bytes")
                self.assertEqual(*({name: self.summary(str(path))[name] for name in names} for path in (ours, theirs)))

    def test_crash(self):
        path = self.record("--record=heaptrack", "--", "python3", "-c", "import os; os.kill(os.getpid(), 11)",
                           wanted=139)
        self.assertGreater(self.summary(path)["allocations"], 0)

    def test_attach(self):
        if not HAS_GDB:
            self.skipTest("gdb is not installed, or cannot call functions here")
        # Not Python: heaptrack 1.4 crashes Debian's when it attaches. And it does not wait in the kernel: some
        # kernels do not go on with that where a debugger comes in between.
        beats = os.path.join(self.home, "beats")
        pathlib.Path(beats).touch()
        with running(BUSY, beats) as target:
            time.sleep(0.5)
            path = self.record("--record=heaptrack", "--pid=%d" % target.pid, "--duration=4")
            self.assertIsNone(target.poll())
        self.assertGreater(self.summary(path)["allocations"], 20)

    def test_attach_to_loader(self):
        """A thread that holds the loader's lock all the time: a call in it could hang, so there is none."""
        if not HAS_GDB:
            self.skipTest("gdb is not installed, or cannot call functions here")
        code = "import ctypes\nlibc = ctypes.CDLL(None)\nprint(flush=True)\n" \
            "while True:\n    libc.dl_iterate_phdr(libc.pause, None)"
        with running("python3", "-c", code, stdout=subprocess.PIPE) as target:
            target.stdout.readline()
            time.sleep(0.5)
            status, _, errors = self.run_profview("--record=heaptrack", "--pid=%d" % target.pid, "--duration=4")
            self.assertEqual(status, 1, errors)
            self.assertIn("Try again in a moment", errors)
            self.assertIsNone(target.poll())
            self.assertNotIn("heaptrack", pathlib.Path("/proc/%d/maps" % target.pid).read_text())


@unittest.skipUnless(JEMALLOC, "jemalloc is not installed")
class Jemalloc(Live):
    def test_launch(self):
        code = "kept = [bytearray(3000000) for i in range(60)]"
        path = self.record("--record=jemalloc", "--dump-interval=16M", "--env=LD_PRELOAD=" + JEMALLOC, "--",
                           "python3", "-c", code)
        self.assertTrue(os.path.isdir(path))
        self.assertGreaterEqual(len(os.listdir(path)), 2)
        status, out, errors = self.run_profview("--print=summary", path)
        self.assertEqual(status, 0, errors)
        self.assertNotEqual(out, "")


class Killed(Live):
    """Profview is killed while it records: the program goes on, and what was recorded until then is there."""

    def setUp(self):
        super().setUp()
        self.beats = os.path.join(self.home, "beats")
        pathlib.Path(self.beats).touch()
        self.busy = [BUSY, self.beats]
        self.path = os.path.join(self.home, "recording")
        self.addCleanup(self.end_program)

    def wait_for(self, is_so, what):
        for _ in range(600 * SLOW):
            value = is_so()
            if value:
                return value
            time.sleep(0.05)
        return self.fail(what)

    def size(self, path):
        if os.path.isdir(path):
            return sum(self.size(entry.path) for entry in os.scandir(path))
        return os.path.getsize(path) if os.path.exists(path) else 0

    def has_beaten(self, n):
        start = self.size(self.beats)
        self.wait_for(lambda: self.size(self.beats) >= start + n, "the program does not go on")

    def kill_profview(self, *arguments, wanted_bytes=1, number=9):
        with subprocess.Popen([PROFVIEW, "--output=" + self.path, *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment) as process:
            try:
                self.wait_for(lambda: self.size(self.path) >= wanted_bytes, "nothing is recorded")
                self.has_beaten(20)
            finally:
                process.send_signal(number)

    def end_program(self):
        """It ends by itself."""
        if os.path.exists(self.beats):
            os.rename(self.beats, self.beats + ".old")

    def check_launched(self, *arguments, **others):
        self.kill_profview(*arguments, "--", *self.busy, **others)
        self.has_beaten(100)
        self.end_program()

    def check_attached(self, *arguments, **others):
        with subprocess.Popen(self.busy) as target:
            self.has_beaten(5)
            self.kill_profview(*arguments, "--pid=%d" % target.pid, **others)
            self.has_beaten(100)
            self.assertIsNone(target.poll())
            links = pathlib.Path("/proc/%d/fd" % target.pid)
            self.wait_for(lambda: not any("profview-heap" in os.readlink(link) for link in links.iterdir()
                                          if os.path.islink(link)), "heaptrack is still in the program")
            self.end_program()
            self.assertEqual(target.wait(60), 0)

    def check_trace(self):
        text = subprocess.run(["zstd", "-dcq", self.path], capture_output=True, check=True).stdout
        self.assertTrue(text.endswith(b"\n# recording cut: profview killed\n"), text[-200:])
        self.assertGreater(self.summary(self.path)["allocations"], 20)

    @unittest.skipUnless(HAS_HEAPTRACK, "heaptrack is not installed")
    def test_heaptrack_launched(self):
        self.check_launched("--record=heaptrack", wanted_bytes=2000)
        self.check_trace()

    @unittest.skipUnless(HAS_GDB, "gdb is not installed, or cannot call functions here")
    def test_heaptrack_attached(self):
        self.check_attached("--record=heaptrack", wanted_bytes=500)
        self.check_trace()

    @unittest.skipUnless(HAS_PERF, "perf is not let here")
    def test_perf_launched(self):
        self.check_launched("--record=perf", "--call-graph=fp", wanted_bytes=20000)
        self.assertGreater(self.summary(self.path)["samples"], 0)

    @unittest.skipUnless(HAS_PERF, "perf is not let here")
    def test_perf_attached(self):
        self.check_attached("--record=perf", "--call-graph=fp", wanted_bytes=20000)
        self.assertGreater(self.summary(self.path)["samples"], 0)

    @unittest.skipUnless(JEMALLOC, "jemalloc is not installed")
    def test_jemalloc_launched(self):
        os.mkdir(self.path)
        self.check_launched("--record=jemalloc", "--dump-interval=16M", "--env=LD_PRELOAD=" + JEMALLOC)
        self.assertGreater(len(self.top(self.path)), 0)


if __name__ == "__main__":
    if not (HAS_PERF or HAS_HEAPTRACK or JEMALLOC):
        print("not run: neither perf nor heaptrack nor jemalloc can be used here")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
