#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records without a window: the program's input, output and status, signals, whatever goes wrong; with stand-ins for
perf, pkexec and heaptrack, so that no rights are needed.

    test-record.py PROFVIEW DATA STANDINS BUILT_STANDINS
"""

import json
import os
import pathlib
import pty
import re
import select
import shlex
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

from program import ENVIRONMENT, PROFVIEW

STANDINS, BUILT = (os.path.abspath(path) for path in sys.argv[3:5])
SYSROOT = "--sysroot=" + os.path.join(sys.argv[2], "sysroot")
TEMPORARY = tempfile.TemporaryDirectory()
SLOW = 4 if os.environ.get("PV_SANITIZED") else 1

# Writes what it was given, and what it is, as one line of JSON.
TELL = """import json, os, sys
print(json.dumps({"argv": sys.argv[1:], "A": os.environ.get("A"), "pid": os.getpid(), "uid": os.getuid(),
                  "debuginfod": os.environ.get("DEBUGINFOD_URLS"),
                  "limit": __import__("resource").getrlimit(9)[0]}))"""
# Counts the signals that it gets within a second and a half, and ends with their number.
COUNT = """import signal, sys, time
n = 0
def caught(number, frame):
    global n
    n += 1
for number in sys.argv[1:]:
    signal.signal(int(number), caught)
print("ready", flush=True)
end = time.monotonic() + 1.5
while time.monotonic() < end:
    time.sleep(0.05)
print("caught", n, flush=True)
sys.exit(10 + n)"""
# The same, but it does not end.
STUBBORN = """import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(100)"""


class Place:
    """A user's folders of its own for each run."""

    def __init__(self, faults="", **variables):
        self.home = tempfile.mkdtemp(dir=TEMPORARY.name)
        self.folder = os.path.join(self.home, "profview", "recordings")
        self.environment = {**ENVIRONMENT, "XDG_DATA_HOME": self.home, "PV_STANDIN_PERF_SECONDS": "0.3",
                            "PATH": ":".join([STANDINS, BUILT, os.environ["PATH"]]), "PV_STANDIN_PERF": faults,
                            "PV_STANDIN_PERF_LOG": os.path.join(self.home, "log"), **variables}

    def recordings(self):
        return sorted(os.listdir(self.folder)) if os.path.isdir(self.folder) else []

    def path(self, name):
        return os.path.join(self.home, name)

    def calls(self):
        """The arguments of perf, of each time it was called."""
        with open(self.environment["PV_STANDIN_PERF_LOG"], encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def run(self, *arguments, **others):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                   "env": self.environment, "timeout": 60 * SLOW, **others}
        result = subprocess.run([PROFVIEW, *arguments], check=False, **options)
        return result.returncode, (result.stdout or b"").decode(errors="surrogateescape"), \
            (result.stderr or b"").decode(errors="replace")

    def start(self, *arguments, **others):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                   "env": self.environment, **others}
        return subprocess.Popen([PROFVIEW, *arguments], **options)


def python(code, *arguments):
    return [sys.executable, "-c", code, *arguments]


class Record(unittest.TestCase):
    def check_saved(self, path):
        status = os.stat(path)
        self.assertEqual(stat.S_IMODE(status.st_mode), 0o600)
        self.assertGreater(status.st_size, 500)

    def test_launch(self):
        place = Place()
        status, out, errors = place.run("--record=perf", "--call-graph=fp", "--", "echo", "one", "two")
        self.assertEqual(status, 0, errors)
        program, path, end = out.split("\n")
        self.assertEqual((program, end), ("one two", ""))
        self.assertEqual(os.path.dirname(path), place.folder)
        self.assertEqual(place.recordings(), [os.path.basename(path)])
        self.assertRegex(os.path.basename(path), r"^echo 20.*\.data$")
        self.check_saved(path)
        status, top, errors = place.run("--print=top", "--format=tsv", SYSROOT, path)
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("\tdescend\t", top)

    def test_printed_at_once(self):
        place = Place()
        status, out, errors = place.run("--record=perf", "--call-graph=fp", "--print=top", "--format=tsv", "--",
                                        "true")
        self.assertEqual(status, 0)
        self.assertTrue(out.startswith("self\ttotal\tfunction"), out)
        self.assertIn("Saved as " + place.folder, errors)
        status, out, _ = place.run("--record=perf", "--export=" + place.path("x.folded"), "--", "sh", "-c", "exit 4")
        self.assertEqual((status, out), (4, ""))
        self.assertGreater(os.path.getsize(place.path("x.folded")), 100)

    def test_output(self):
        place = Place()
        path = place.path('out "$(x)"\n.data')
        pathlib.Path(path).write_text("old", encoding="utf-8")
        os.chmod(path, 0o600)
        self.assertEqual(place.run("--record=perf", "--output=" + path, "--", "true")[:2], (0, path + "\n"))
        self.check_saved(path)
        self.assertEqual(place.recordings(), [])
        for option in ("--output=" + place.path("none/x.data"), "--output=" + place.home,
                       "--output=" + path + "/x.data", "--output=/dev/null"):
            with self.subTest(option):
                status, out, errors = place.run("--record=perf", option, "--", "touch", place.path("ran"))
                self.assertEqual((status, out), (1, ""))
                self.assertRegex(errors, "^profview: .+")
        self.assertFalse(os.path.exists(place.path("ran")))

    def test_nothing_is_replaced_for_nothing(self):
        place = Place()
        path = place.path("precious.data")
        pathlib.Path(path).write_text("precious", encoding="utf-8")
        status, out, errors = place.run("--record=perf", "--output=" + path, "--", "no-such-program")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("no-such-program", errors)
        self.assertEqual(pathlib.Path(path).read_text(encoding="utf-8"), "precious")
        place.environment["PV_STANDIN_PERF"] = "no-permission"
        status, out, errors = place.run("--record=perf", "--output=" + path, "--", "true")
        self.assertEqual((status, out), (1, ""), errors)
        self.assertEqual(pathlib.Path(path).read_text(encoding="utf-8"), "precious")
        self.assertEqual([name for name in os.listdir(os.path.dirname(path)) if "old" in name], [])

    def test_status(self):
        for command, wanted in ((["true"], 0), (["sh", "-c", "exit 3"], 3), (["sh", "-c", "exit 255"], 255),
                                (["sh", "-c", "kill -SEGV $$"], 128 + signal.SIGSEGV),
                                (["sh", "-c", "kill -KILL $$"], 128 + signal.SIGKILL)):
            with self.subTest(command):
                place = Place()
                status, out, errors = place.run("--record=perf", "--", *command)
                self.assertEqual(status, wanted, errors)
                self.check_saved(out.strip())
                if wanted > 128 + 8 and wanted != 255:
                    self.assertIn("SIG", errors)

    def test_samply(self):
        """It writes its file when the program has ended, or when it is told to."""
        place = Place(PV_STANDIN_SAMPLY_LOG=os.path.join(TEMPORARY.name, "samply-log"))
        status, out, errors = place.run("--record=samply", "--frequency=500", "--", "sh", "-c", "sleep 0.2; exit 5")
        self.assertEqual(status, 5)
        path = out.decode().strip() if isinstance(out, bytes) else out.strip()
        self.assertTrue(path.endswith(".json.gz"), path)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        with open(place.environment["PV_STANDIN_SAMPLY_LOG"], encoding="utf-8") as file:
            words = json.loads(file.readline())
        self.assertEqual(words[:-1], ["record", "--save-only", "-o", path, "--rate", "500", "-p"])
        status, top, errors = place.run("--print=top", "--format=tsv", path)
        self.assertEqual([line.split("\t")[:3] for line in top.splitlines()[1:]],
                         [["2", "2", "work"], ["1", "3", "main"]], errors)
        with subprocess.Popen(["sleep", "100"]) as sleeper:
            status, out, errors = place.run("--record=samply", "--duration=0.3", "--pid=%d" % sleeper.pid)
            self.assertEqual(status, 0, errors)
            self.assertIsNone(sleeper.poll())
            sleeper.kill()
        self.assertEqual(len(place.recordings()), 2)
        # Ctrl+C ends the program, which samply sees.
        with place.start("--record=samply", "--", *python("print('ready', flush=True); import time; time.sleep(100)")) as process:
            self.assertEqual(process.stdout.readline(), b"ready\n")
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
        self.assertEqual(len(place.recordings()), 3)

    def test_samply_fails(self):
        for fault, words in (("no-permission", "kernel.perf_event_paranoid"), ("odd", "nobody knows"), ("killed", "killed by a signal: Killed")):
            place = Place(PV_STANDIN_SAMPLY=fault)
            status, _, errors = place.run("--record=samply", "--", "sleep", "0.1")
            self.assertEqual((status, place.recordings()), (1, []), errors)
            self.assertIn(words, errors)
            self.assertNotIn("pkexec", errors)
        place = Place(PATH="/usr/bin:/bin")
        status, _, errors = place.run("--record=samply", "--", "sleep", "0.1")
        self.assertEqual((status, place.recordings()), (1, []), errors)
        self.assertIn("samply is not installed", errors)
        for option in ("--system", "--call-graph=fp", "--event=cycles"):
            command = [] if option == "--system" else ["--", "true"]
            self.assertEqual(place.run("--record=samply", option, *command)[0], 2, option)

    def test_missing(self):
        place = Place()
        plain = place.path("plain")
        pathlib.Path(plain).write_text("x", encoding="utf-8")
        for command, words in (("no-such-program", "no-such-program"), ("/no/such", "/no/such"), (plain, "plain"),
                               (place.home, "folder")):
            with self.subTest(command):
                status, out, errors = place.run("--record=perf", "--", command)
                self.assertEqual((status, out), (1, ""))
                self.assertIn(words, errors)
                self.assertEqual(place.recordings(), [])
        # Found, executable, but not a program.
        os.chmod(plain, 0o755)
        pathlib.Path(plain).write_bytes(b"\x7fELF and no more")
        status, out, errors = place.run("--record=perf", "--", plain)
        self.assertEqual((status, out), (1, ""))
        self.assertIn(plain, errors)
        self.assertEqual(place.recordings(), [])

    def test_words(self):
        """No shell is ever involved."""
        place = Place(DEBUGINFOD_URLS="http://127.0.0.1:1/")
        words = ["a b", '"', "'", "$(touch x)", "`x`", "-x", "--help", "--", "--print=top", "", "new\nline", "ä", "*", "~",
                 "\\", ";", "&", "|", "#", "%s"]
        status, out, errors = place.run("--record=perf", "--env=A=b c=$(d)", "--memory-limit=8G", "--",
                                        *python(TELL, *words))
        self.assertEqual(status, 0, errors)
        told = json.loads(out.split("\n")[0])
        self.assertEqual(told["argv"], words)
        self.assertEqual(told["A"], "b c=$(d)")
        self.assertEqual(told["limit"], 8 << 30)
        self.assertEqual(told["uid"], os.getuid())
        self.assertEqual(told["debuginfod"], "http://127.0.0.1:1/")
        self.assertFalse(os.path.exists("x"))

    def test_names(self):
        place = Place()
        for name in ("-odd", "--output=x", 'q"u\'ote', "a b", "$(x)", "new\nline", "*", "a=b", "ä"):
            with self.subTest(name):
                path = place.path(name)
                pathlib.Path(path).write_text("#!/bin/sh\necho \"ran $0\"\n", encoding="utf-8")
                os.chmod(path, 0o755)
                for command, variables in ((path, {}), ("./" + name, {}), (name, {"PATH": place.home + ":" +
                                                                                 place.environment["PATH"]})):
                    status, out, errors = place.run("--record=perf", "--", command, cwd=place.home,
                                                    env={**place.environment, **variables})
                    self.assertEqual(status, 0, errors)
                    self.assertTrue(out.startswith("ran "), out)
                    recorded = out[:-1].rsplit(place.folder, 1)[1]
                    self.check_saved(place.folder + recorded)

    def test_input_and_output(self):
        place = Place()
        with place.start("--record=perf", "--", "cat", stdin=subprocess.PIPE) as process:
            out, _ = process.communicate(b"to be copied\n", timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertTrue(out.startswith(b"to be copied\n/"), out)
        # Huge output, none of which is lost.
        size = 64 << 20
        with place.start("--record=perf", "--", "head", "-c", str(size), "/dev/zero") as process:
            out, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(out.count(b"\0"), size)
        # Nobody reads what we say, but the recording is there.
        with open("/dev/full", "wb") as full:
            status, _, errors = place.run("--record=perf", "--", "true", stdout=full)
        self.assertEqual(status, 1)
        self.assertIn("No space left", errors)
        self.assertEqual(len(place.recordings()), 3)

    def test_perf_arguments(self):
        place = Place()
        status, _, errors = place.run("--record=perf", "--call-graph=dwarf,8192", "--frequency=123", "--buffer=32",
                                      "--event=page-faults", "--event=cs:u", "--", "true")
        self.assertEqual(status, 0, errors)
        (arguments,) = [call for call in place.calls() if "record" in call]
        text = " ".join(arguments)
        for part in ("--call-graph dwarf,8192", "-F 123", "-m %d" % (32 << 20 >> 12), "-e page-faults", "-e cs:u", "-D -1", "--control=fd:0,0"):
            self.assertIn(part, text)
        self.assertNotIn("true", arguments)

    def test_faults(self):
        for fault, words, is_kept in (
                ("no-permission", "perf_event_paranoid|rights", False), ("killed", "kept", True),
                ("crash", "kept|crash", True), ("full", "room|full", True), ("unknown-event", "event", False),
                ("no-lbr", "LBR|branch", False), ("wrong-kernel", "kernel|installed", False),
                ("old", "perf", False), ("odd", "flux capacitor", True)):
            with self.subTest(fault):
                place = Place(fault)
                graph = "lbr" if fault == "no-lbr" else "fp"
                status, out, errors = place.run("--record=perf", "--event=x", "--call-graph=" + graph, "--",
                                                "sleep", "0.6")
                self.assertEqual(status, 1, errors)
                self.assertRegex(errors, words)
                self.assertRegex(errors, "^profview: ")
                if is_kept:
                    self.check_saved(out.strip())
                    top = place.run("--print=top", "--format=tsv", SYSROOT, out.strip())
                    self.assertEqual(top[0], 0)
                    self.assertIn("descend", top[1])
                else:
                    self.assertEqual((out, place.recordings()), ("", []))

    def test_not_installed(self):
        place = Place()
        empty = place.path("empty")
        os.mkdir(empty)
        environment = {**place.environment, "PATH": empty}
        for kind in ("perf", "offcpu", "heaptrack"):
            status, out, errors = place.run("--record=" + kind, "--", "/bin/true", env=environment)
            self.assertEqual((status, out), (1, ""))
            self.assertIn("is not installed", errors)
            self.assertIn("Install the package", errors)
        self.assertEqual(place.recordings(), [])

    def test_attach(self):
        place = Place()
        with subprocess.Popen(["sleep", "60"]) as target:
            status, out, errors = place.run("--record=perf", "--pid=%d" % target.pid, "--duration=0.6")
            self.assertEqual(status, 0, errors)
            self.check_saved(out.strip())
            self.assertIsNone(target.poll())
            # Ctrl+C stops the recording, and not the process.
            with place.start("--record=perf", "--pid=%d" % target.pid) as process:
                self.wait_for(lambda: len(place.recordings()) == 2 and len(place.calls()) == 2)
                time.sleep(0.5)
                process.send_signal(signal.SIGINT)
                out, errors = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 0, errors)
            self.check_saved(out.decode().strip())
            self.assertIsNone(target.poll())
            target.kill()
        status, out, errors = place.run("--record=perf", "--pid=%d" % target.pid)
        self.assertEqual((status, out), (1, ""))
        self.assertIn("may have ended", errors)

    def test_system(self):
        place = Place()
        status, out, errors = place.run("--record=perf", "--system", "--duration=0.5")
        self.assertEqual(status, 0, errors)
        self.check_saved(out.strip())
        self.assertIn("-a", place.calls()[-1])

    def wait_for(self, condition):
        for _ in range(400 * SLOW):
            try:
                if condition():
                    return
            except (OSError, ValueError):
                pass
            time.sleep(0.05)
        self.fail("it never came")

    def test_endless(self):
        place = Place()
        start = time.monotonic()
        status, out, errors = place.run("--record=perf", "--duration=0.7", "--", "sh", "-c", "while :; do :; done")
        self.assertEqual(status, 0, errors)
        self.check_saved(out.strip())
        self.assertLess(time.monotonic() - start, 10 * SLOW)

    def interrupt(self, code, numbers, wanted, gap=0.3):
        place = Place()
        with place.start("--record=perf", "--", *python(code, str(int(signal.SIGINT)))) as process:
            self.assertEqual(process.stdout.readline(), b"ready\n")
            for number in numbers:
                process.send_signal(number)
                time.sleep(gap)
            out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, wanted, errors)
        self.check_saved(out.decode().splitlines()[-1])
        return out

    def test_interrupt(self):
        """What only we are told is passed on."""
        self.assertIn(b"caught 1\n", self.interrupt(COUNT, [signal.SIGINT], 11))
        self.interrupt("print('ready', flush=True)\nimport time\ntime.sleep(100)", [signal.SIGINT],
                       128 + signal.SIGINT)

    def test_interrupt_twice(self):
        self.interrupt(STUBBORN, [signal.SIGINT, signal.SIGINT], 128 + signal.SIGKILL)

    def test_terminate(self):
        self.interrupt("print('ready', flush=True)\nimport time\ntime.sleep(100)", [signal.SIGTERM],
                       128 + signal.SIGTERM)

    def run_in_terminal(self, place, arguments, typed):
        """As from a shell: leads a session with this terminal. typed: bytes to send once "ready" was seen."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(PROFVIEW, [PROFVIEW, *arguments], place.environment)
        seen = b""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if not select.select([terminal], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(terminal, 65536)
            except OSError:  # how Linux says that the other side was closed
                break
            if not data:
                break
            seen += data
            if b"ready" in seen and typed:
                time.sleep(0.3)
                os.write(terminal, typed)
                typed = b""
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen.decode(errors="replace")

    def test_terminal(self):
        """Ctrl+C at a terminal that both share reaches the program once."""
        place = Place()
        status, seen = self.run_in_terminal(place, ["--record=perf", "--", *python(COUNT, "2")], b"\x03")
        self.assertEqual(status, 11, seen)
        self.assertIn("caught 1\r\n", seen)
        self.assertIn(place.folder, seen)
        # It can be typed to.
        status, seen = self.run_in_terminal(place, ["--record=perf", "--", "sh", "-c", "echo ready; read x; exit $x"],
                                            b"17\n")
        self.assertEqual(status, 17, seen)

    def test_progress(self):
        place = Place()
        status, seen = self.run_in_terminal(place, ["--record=perf", "--system", "--duration=1.2"], b"")
        self.assertEqual(status, 0, seen)
        self.assertRegex(seen, r"recording, \d s, ")
        last = re.split(r"\r\x1b\[K", seen)[-1]
        self.assertIn(place.folder, last)
        # Nothing of it without a terminal.
        self.assertNotIn("recording,", place.run("--record=perf", "--system", "--duration=0.6")[2])

    def test_pkexec(self):
        place = Place()
        status, out, errors = place.run("--record=perf", "--call-graph=fp", "--pkexec", "--", *python(TELL))
        self.assertEqual(status, 0, errors)
        line, path, _ = out.split("\n")
        self.assertEqual(json.loads(line)["uid"], os.getuid())
        self.check_saved(path)
        # What was shown before is what was run.
        shown = shlex.split(re.search("profview: running (.*)", errors).group(1))
        self.assertTrue(shown[0].endswith("/pkexec") and shown[1].endswith("/perf"), shown)
        (ran,) = [call for call in place.calls() if "record" in call]
        ran = ran[ran.index("record"):]
        wanted = [str(json.loads(line)["pid"]) if word == "PID" else word for word in shown[2:]]
        self.assertEqual([word for word in ran if not word.startswith("--control=")],
                         [word for word in wanted if not word.startswith("--control=")])
        for mode in ("dismiss", "refuse", "nobody"):
            place = Place(PV_STANDIN_PKEXEC=mode)
            status, out, errors = place.run("--record=perf", "--pkexec", "--", "touch", place.path("ran"))
            self.assertEqual((status, out), (1, ""), errors)
            self.assertRegex(errors, "profview: ")
            self.assertEqual(place.recordings(), [])
            self.assertFalse(os.path.exists(place.path("ran")))

    def test_heaptrack(self):
        place = Place()
        # The stand-in's trace is whole where a program ends by exit (), as a shell does not.
        status, out, errors = place.run("--record=heaptrack", "--", sys.executable, "-c",
                                        "print('ran'); raise SystemExit(5)")
        self.assertEqual(status, 5, errors)
        ran, path, _ = out.split("\n")
        self.assertEqual(ran, "ran")
        self.assertRegex(path, r"\.raw\.zst$")
        self.check_saved(path)
        status, out, errors = place.run("--print=summary", "--format=json", path)
        self.assertEqual(status, 0, errors)
        self.assertGreater(json.loads(out)["allocations"], 0)
        self.assertIn("run_steady", place.run("--print=top", "--measure=allocated", SYSROOT, path)[1])

    def test_in_turn(self):
        """Both programs are first as often; what is compared are all runs of each."""
        place = Place()
        status, out, errors = place.run(
            "--record=perf", "--call-graph=fp", "--repeat=3", "--interleave=echo,printf", "--print=top", "--format=json",
            "--output=" + place.path("o.data"), SYSROOT, "--", "one\n")
        self.assertEqual(status, 0, errors)
        table = json.loads(out[out.index("{"):])
        self.assertEqual((table["base"], table["new"], table["total_delta"]), ("echo", "printf", 0))
        self.assertEqual({row["total_base"] - row["total_new"] for row in table["functions"]}, {0})
        self.assertEqual(sorted(name for name in os.listdir(place.home) if name.startswith("o-")),
                         ["o-base-%d.data" % i for i in (1, 2, 3)] + ["o-new-%d.data" % i for i in (1, 2, 3)])
        self.assertEqual([name for name in re.findall(r"run \d of 3 of (\w+)", errors)],
                         ["echo", "printf", "printf", "echo", "echo", "printf"])
        # By the place of the program in the command; and no more runs than are needed.
        status, out, errors = place.run(
            "--record=perf", "--call-graph=fp", "--repeat=9", "--until=5%", "--interleave=ec,prin", SYSROOT, "--", "sh", "-c",
            "test {} = ec && echo {} || echo {}")
        self.assertEqual(status, 0, errors)
        enough = re.search(r"enough after (\d) runs of each: the total change is known to ±[34]\.\d %", errors)
        self.assertIsNotNone(enough, errors)
        n = int(enough[1])
        self.assertEqual(out.split("\n")[:2 * n], (["ec", "prin", "prin", "ec"] * n)[:2 * n])
        self.assertEqual((len(place.recordings()), n < 9), (2 * n, True))
        # Advice is said once.
        self.assertEqual(errors.count("keeps no frame pointers"), 1)

    def test_conditions(self):
        """Causes of differences are said before the runs, and after them with the runs that they hit, in the comparison too."""
        place = Place()
        machine = place.path("machine")
        for path, text in (("cpu/cpu0/cpufreq/scaling_governor", "powersave"), ("../../class/power_supply/BAT0/type", "Battery"),
                           ("../../class/power_supply/BAT0/status", "Discharging")):
            path = os.path.normpath(os.path.join(machine, "sys/devices/system", path))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as file:
                file.write(text + "\n")
        place.environment["PROFVIEW_MACHINE"] = machine
        arguments = ["--record=perf", "--call-graph=fp", "--repeat=2", "--interleave=echo,printf", SYSROOT]
        status, out, errors = place.run(*arguments, "--print=notes", "--", "one\n")
        self.assertEqual(status, 0, errors)
        before, after = errors.split("run 1 of 2")[0], errors.split("run 2 of 2")[-1]
        self.assertIn("The computer runs on its battery. ", before)
        said = "The computer ran on its battery. Processors may be slower then and change their frequency more often: during all runs."
        self.assertEqual((errors.count(said), after.count(said)), (1, 1), errors)
        self.assertEqual(out.count(said), 1, out)
        # Hints are for those who sit before it.
        self.assertNotIn("powersave", errors)
        # Allocations are as many.
        status, out, errors = place.run("--record=heaptrack", "--repeat=1", "--interleave=echo,printf", SYSROOT, "--", "one\n")
        self.assertEqual((status, "battery" in errors), (0, False), errors)

    def test_repeated(self):
        place = Place()
        status, out, errors = place.run("--record=perf", "--call-graph=fp", "--repeat=2", "--", "echo", "one")
        self.assertEqual(status, 0, errors)
        self.assertEqual(out.split("\n")[:2], ["one", "one"])
        paths = out.split("\n")[2:-1]
        self.assertEqual(sorted(os.path.basename(path) for path in paths), place.recordings())
        status, out, errors = place.run("--record=perf", "--call-graph=fp", "--repeat=2", "--base=" + paths[0],
                                        "--base=" + paths[1], "--check=delta(total) < 30 %", SYSROOT, "--", "echo", "two")
        self.assertEqual((status, out), (0, "two\ntwo\n"), errors)
        # A program that fails ends it.
        status, out, errors = place.run("--record=perf", "--repeat=5", "--interleave=true,false", "--")
        self.assertEqual((status, len(re.findall("run . of 5", errors))), (1, 2), errors)

    def test_usage(self):
        place = Place()
        for arguments in (["--record=perf"], ["--record=perf", "true"], ["--record=x", "--", "true"],
                          ["--record=perf", "--chart=rss", "--", "true"], ["--record=perf", "--export=x.doc", "--", "true"],
                          ["--record=perf", "--buffer=3", "--", "true"], ["--buffer=4"],
                          ["--record=perf", "--interleave=a,b", "--", "x"], ["--record=perf", "--repeat=101", "--", "true"],
                          ["--record=perf", "--repeat=2", "--interleave=a", "--", "x"],
                          ["--record=perf", "--repeat=2", "--until=2%", "--", "true"],
                          ["--record=perf", "--repeat=2", "--interleave=a,b", "--until=x", "--", "true"],
                          ["--record=perf", "--repeat=2", "--print=top", "--", "true"], ["--interleave=a,b"],
                          ["--output=x"], ["--record=perf", "--"], ["--record=perf", "--", ""]):
            with self.subTest(arguments):
                status, out, errors = place.run(*arguments)
                self.assertEqual((status, out), (2, ""))
                self.assertRegex(errors, "^profview: .*\nTry")
        self.assertEqual(place.recordings(), [])
        self.assertIn("write “--” before the command", place.run("--record=perf", "true")[2])

    def test_help(self):
        status, out, _ = Place().run("--help")
        self.assertEqual(status, 0)
        for option in ("--record=KIND", "--output=FILE", "--pid=PID", "--system", "--call-graph=HOW", "--frequency=HZ",
                       "--event=NAME", "--duration=S", "--memory-limit=BYTES", "--env=NAME=VALUE",
                       "--dump-interval=BYTES", "--buffer=MIB", "--interleave=BASE,NEW", "--until=P", "--pkexec"):
            self.assertIn("  " + option + " ", out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
