# SPDX-License-Identifier: GPL-3.0-or-later
"""--debuginfod against a debuginfod on this machine: test-debuginfod.py PROFVIEW DATA

A sample program is stripped, and only the server has its debug information. Names and lines come when they are asked
for; without the option the server is never spoken to; a fetch can be interrupted; a file above the limit is refused."""

import http.server
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

import program

DATA = sys.argv[2]
RECORDING = os.path.join(DATA, "recordings", "inlining-fp.data")
PATH = "opt/samples/bin/inlining"


def build_id(path):
    notes = subprocess.run(["readelf", "-n", path], stdout=subprocess.PIPE, check=True).stdout.decode()
    return notes.split("Build ID:")[1].split()[0]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Place:
    """A sysroot with the stripped program, and a folder for the server with what was stripped off."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="profview-debuginfod-")
        self.sysroot = os.path.join(self.folder, "sysroot")
        self.served = os.path.join(self.folder, "served")
        self.cache = os.path.join(self.folder, "cache")
        original = os.path.join(DATA, "sysroot", PATH)
        stripped = os.path.join(self.sysroot, PATH)
        os.makedirs(os.path.dirname(stripped))
        os.makedirs(self.served)
        subprocess.run(["strip", "-o", stripped, original], check=True)
        self.debug = os.path.join(self.served, "inlining.debug")
        subprocess.run(["objcopy", "--only-keep-debug", original, self.debug], check=True)
        self.build_id = build_id(stripped)

    def environment(self, port, cache="cache"):
        return {**program.ENVIRONMENT, "DEBUGINFOD_URLS": "http://127.0.0.1:%d/" % port, "HOME": self.folder,
                "DEBUGINFOD_CACHE_PATH": os.path.join(self.folder, cache), "no_proxy": "127.0.0.1"}

    def arguments(self, *more):
        return ["--print=top", "--format=tsv", "--sysroot=" + self.sysroot, *more, RECORDING]

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Debuginfod:
    """The server of elfutils, once it has looked through its folder."""

    def __init__(self, place):
        self.port = free_port()
        self.log_path = os.path.join(place.folder, "server.log")
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                ["debuginfod", "-v", "-F", "-t0", "-g0", "-p", str(self.port),
                 "-d", os.path.join(place.folder, "server.sqlite"), place.served],
                stdout=log, stderr=log, env={**os.environ, "HOME": place.folder, "DEBUGINFOD_URLS": ""})
        # Asked for by another name than profview asks, so that the log tells the two apart.
        url = "http://127.0.0.1:%d/metrics" % self.port
        for _ in range(300):
            try:
                with urllib.request.urlopen(url, timeout=5) as answer:
                    if "scanned_files_total{source=\"file\"} 1" in answer.read().decode():
                        return
            except (urllib.error.URLError, OSError):
                pass
            time.sleep(0.1)
        raise AssertionError("debuginfod has not looked through its folder:\n" + self.log())

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as log:
            return log.read()

    def stop(self):
        self.process.terminate()
        self.process.wait(20)


class Slow(http.server.BaseHTTPRequestHandler):
    """Promises a large file and sends a little of it at a time."""

    asked = threading.Event()
    size = 1 << 30

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(self.size))
        self.end_headers()
        try:
            for _ in range(600):
                self.wfile.write(b"\x7fELF" * 1000)
                self.wfile.flush()
                type(self).asked.set()
                time.sleep(0.1)
        except OSError:
            pass

    def log_message(self, *arguments):
        pass


class Sources(http.server.BaseHTTPRequestHandler):
    """Has the source of one program; asked remembers what was asked for."""

    asked = []
    text = b"".join(b"served line %d\n" % i for i in range(1, 201))

    def do_GET(self):
        type(self).asked.append(self.path)
        is_there = re.fullmatch("/buildid/[0-9a-f]+/source/opt/samples/src/inlining.cpp", urllib.parse.unquote(self.path))
        self.send_response(200 if is_there else 404)
        self.send_header("Content-Length", str(len(self.text)) if is_there else "0")
        self.end_headers()
        if is_there:
            self.wfile.write(self.text)

    def log_message(self, *arguments):
        pass


class Wrong(http.server.BaseHTTPRequestHandler):
    """Answers everything with a program, but another one."""

    def do_GET(self):
        with open(self.server.answer, "rb") as file:
            content = file.read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


class Test(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.remove)

    def run_top(self, port, *more, cache="cache"):
        status, out, errors = program.run(*self.place.arguments(*more), env=self.place.environment(port, cache))
        self.assertEqual(status, 0, errors)
        return out, errors

    def start_slow(self, handler=Slow):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    @unittest.skipUnless(shutil.which("debuginfod"), "debuginfod is not installed")
    def test_names_and_lines(self):
        server = Debuginfod(self.place)
        self.addCleanup(server.stop)
        stripped, errors = self.run_top(server.port)
        self.assertNotIn("inlining.cpp", stripped)
        self.assertEqual(errors, "")
        self.assertNotIn("GET /buildid/", server.log())
        self.assertFalse(os.path.exists(os.path.join(self.place.folder, "cache")))

        out, errors = self.run_top(server.port, "--debuginfod")
        self.assertIn("Fetched debug information for /opt/samples/bin/inlining\n", errors)
        self.assertIn("GET /buildid/%s/debuginfo" % self.place.build_id, server.log())
        # The libraries it was linked with are this machine's or not, and asked for then.
        self.assertNotIn("GET /buildid/%s/executable" % self.place.build_id, server.log())
        full = program.good("--print=top", "--format=tsv", "--sysroot=" + os.path.join(DATA, "sysroot"), RECORDING)
        ours = [line for line in out.splitlines() if "inlining.cpp" in line]
        self.assertGreater(len(ours), 3)
        self.assertEqual(ours, [line for line in full.splitlines() if "inlining.cpp" in line])

        # Now it is in the cache, and found there without asking.
        asked = server.log().count("GET /buildid/%s/" % self.place.build_id)
        again, errors = self.run_top(server.port)
        self.assertEqual((again, errors), (out, ""))
        self.assertEqual(server.log().count("GET /buildid/%s/" % self.place.build_id), asked)

    @unittest.skipUnless(shutil.which("debuginfod"), "debuginfod is not installed")
    def test_missing_program(self):
        """Neither program nor debug information is here: both are fetched."""
        shutil.copy(os.path.join(self.place.sysroot, PATH), self.place.served)
        shutil.rmtree(self.place.sysroot)
        os.mkdir(self.place.sysroot)
        os.remove(self.place.debug)
        shutil.copy(os.path.join(DATA, "sysroot", PATH), self.place.served)
        server = Debuginfod(self.place)
        self.addCleanup(server.stop)
        out, _ = self.run_top(server.port, "--debuginfod")
        self.assertIn("inlining.cpp", out)
        self.assertIn("GET /buildid/%s/executable" % self.place.build_id, server.log())

    def test_interrupt(self):
        server = self.start_slow()
        Slow.asked.clear()
        with subprocess.Popen([program.PROFVIEW, *self.place.arguments("--debuginfod")],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.place.environment(server.server_port)) as process:
            self.assertTrue(Slow.asked.wait(60))
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=30)
            self.assertLess(time.monotonic() - start, 10)
            self.assertEqual(process.returncode, -signal.SIGINT)
            self.assertEqual(out, b"")
        left = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(self.place.folder, "cache"))
                for name in names if name in ("debuginfo", "executable") or name.startswith("debuginfod.")]
        self.assertEqual(left, [])

    def test_too_large(self):
        server = self.start_slow()
        out, errors = self.run_top(server.server_port, "--debuginfod", "--max-fetch=1M")
        self.assertIn("more than the limit of 1", errors)
        self.assertNotIn("inlining.cpp", out)

    def test_another_build(self):
        server = self.start_slow(Wrong)
        text = os.path.join(self.place.folder, "text")
        with open(text, "w", encoding="utf-8") as file:
            file.write("no program")
        for answer, words in ((sys.executable, "is of another build"), (text, "is no program")):
            server.answer = answer
            out, errors = self.run_top(server.server_port, "--debuginfod")
            self.assertIn("profview: /opt/samples/bin/inlining: The file that the debuginfod server sent " + words, errors)
            self.assertNotIn("Fetched", errors)
            self.assertNotIn("inlining.cpp", out)
            cached = [name for _, _, names in os.walk(os.path.join(self.place.folder, "cache")) for name in names
                      if name in ("debuginfo", "executable")]
            self.assertEqual(cached, [], "it is not found later either")

    def test_no_server(self):
        """One that does not answer is told of; all else is as without it."""
        port = free_port()
        out, errors = self.run_top(port, "--debuginfod")
        self.assertIn("profview: /opt/samples/bin/inlining: ", errors)
        self.assertEqual(out, self.run_top(port)[0])

    def annotate(self, port, *more, status=0, cache="cache"):
        """The program is here with its debug information, but not its source."""
        result = program.run("--print=annotate", "--function=geometry::Vec::dot", *more, RECORDING,
                             "--sysroot=" + os.path.join(DATA, "sysroot"), env=self.place.environment(port, cache))
        self.assertEqual(result[0], status, result[2])
        return result[1:]

    def test_sources(self):
        server = self.start_slow(Sources)
        Sources.asked.clear()
        out, errors = self.annotate(server.server_port)
        self.assertIn("inlining.cpp (not found", out)
        self.assertEqual((errors, Sources.asked), ("", []), "nothing is asked without the option")
        self.assertFalse(os.path.exists(os.path.join(self.place.folder, "cache")))

        out, errors = self.annotate(server.server_port, "--debuginfod")
        self.assertIn("Fetched /opt/samples/src/inlining.cpp\n", errors)
        self.assertIn("/opt/samples/src/inlining.cpp (from a debuginfod server)\n", out)
        self.assertRegex(out, r"(?m)29  served line 29$")
        asked = [path for path in Sources.asked if "/source/" in path]
        self.assertEqual(len(asked), 1, asked)
        self.assertIn("/buildid/%s/source" % self.place.build_id, asked[0])

        # Now it is in the cache, and found there without asking; for a picture, too.
        again, errors = self.annotate(server.server_port)
        self.assertEqual((again, errors), (out, ""))
        picture = os.path.join(self.place.folder, "out.svg")
        program.run("--export=" + picture, "--view=source", "--function=geometry::Vec::dot", RECORDING,
                    "--sysroot=" + os.path.join(DATA, "sysroot"), env=self.place.environment(server.server_port))
        with open(picture, encoding="utf-8") as file:
            self.assertIn(">served line 29<", file.read())
        self.assertEqual(len([path for path in Sources.asked if "/source/" in path]), 1)

    def test_sources_in_caches_of_new_versions(self):
        """elfutils 0.193 names them by a hash and the end of the path."""
        name, value = "/opt/samples/src/inlining.cpp", 5381
        for byte in name.encode():
            value = (value * 33 + byte) & 0xffffffff
        folder = os.path.join(self.place.folder, "cache", self.place.build_id)
        os.makedirs(folder)
        path = os.path.join(folder, "source-%08x-%s" % (value, name.replace("/", "#")))
        with open(path, "w", encoding="utf-8") as file:
            file.writelines("cached line %d\n" % i for i in range(1, 201))
        self.assertRegex(self.annotate(free_port())[0], r"(?m)29  cached line 29$")
        # An empty one says that no server had it.
        with open(path, "w", encoding="utf-8"):
            pass
        self.assertIn("not found", self.annotate(free_port())[0])

    def test_sources_that_no_server_has(self):
        server = self.start_slow(Sources)
        Sources.asked.clear()
        out, errors = self.annotate(server.server_port, "--debuginfod", "--function=std::sort")
        self.assertIn("stl_algo.h (not found", out)
        self.assertIn("profview: /usr/include/c++/12/bits/stl_algo.h: No debuginfod server has the file\n", errors)

    def test_servers_that_are_gone_are_asked_once(self):
        _, errors = self.annotate(free_port(), "--debuginfod", "--function=.")
        self.assertEqual(len([line for line in errors.splitlines() if re.search(r"\.(cpp|h): ", line)]), 1, errors)

    def test_large_source(self):
        server = self.start_slow()
        out, errors = self.annotate(server.server_port, "--debuginfod", "--max-fetch=1M")
        self.assertIn("inlining.cpp: The file is 1.00 GiB, more than the limit of 64.0 MiB", errors.replace("\xa0", " "))
        self.assertIn("not found", out)
        self.assertEqual([name for _, _, names in os.walk(os.path.join(self.place.folder, "cache"))
                          for name in names if name.startswith("source")], [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
