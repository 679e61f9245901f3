#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fetches from a server that misbehaves in many ways; checks the messages, and the files that profview leaves in its
folder.

    test-fetch.py PROFVIEW
"""

import concurrent.futures
import os
import pty
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import hostile_server
from program import ENVIRONMENT, PROFVIEW

CACHES = tempfile.TemporaryDirectory()
SERVER = hostile_server.Server()
SLOW = 4 if os.environ.get("PV_SANITIZED") else 1


class Folder:
    """A new cache folder for each run."""

    def __init__(self):
        self.cache = tempfile.mkdtemp(dir=CACHES.name)
        self.path = os.path.join(self.cache, "profview", "fetched")
        self.environment = {**ENVIRONMENT, "XDG_CACHE_HOME": self.cache}

    def names(self):
        return sorted(os.listdir(self.path)) if os.path.isdir(self.path) else []

    def content(self):
        (name,) = self.names()
        with open(os.path.join(self.path, name), "rb") as file:
            return file.read()

    def run(self, *arguments, **variables):
        result = subprocess.run([PROFVIEW, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env={**self.environment, **variables}, check=False, timeout=60)
        return result.returncode, result.stdout.decode(), result.stderr.decode(errors="replace")

    def start(self, *arguments):
        return subprocess.Popen([PROFVIEW, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=self.environment)

    def wait_for_file(self):
        for _ in range(200 * SLOW):
            if self.names():
                return
            time.sleep(0.05)
        raise AssertionError("no file was begun")


# Path -> the message. All are fetched at the same time.
NOR = r"; there is nothing at /[^ ]+/pprof/heap, /[^ ]+/pprof/profile, .*/profile/heap either$"
FAILURES = {
    "/cut-length": "ended before the complete",
    "/cut-length-closing": "ended before the complete",
    "/cut-head": "Could not parse HTTP response|ended before the complete",
    "/cut-chunk": "ended before the complete",
    "/cut-between": "ended before the complete",
    "/cut-between-plain": "ended before the complete",
    "/cut-between-unknown": "ended before the complete",
    "/huge-chunk": "ended before the complete|answer is empty",
    "/cut-packing": "ended before the complete",
    "/404": r"The server answered “404 Not Found”: “no such page”" + NOR,
    "/404-empty": r"The server answered “404 Not Found”" + NOR,
    "/404-go": r"“404 Not Found”: “Unknown profile”" + NOR,
    "/404-page": r"^The server answered “404 Not Found”" + NOR,
    "/403-json": r"“403 Forbidden”: “{\"error\": \"off\"}”$",
    "/404-cut": r"“404 Not Found”: “gone”" + NOR,
    "/500": r"“500 Internal Server Error”: “Could not enable CPU profiling: cpu profiling already in use”$",
    "/600": r"“600( \S+)?”: “odd”$",
    "/204": "answer is empty",
    "/page": "^This is a web page, not a profile" + NOR,
    "/text": "^This is not a profile in a known format: “everything is fine”$",
    "/packed-page": "^This is a web page, not a profile$",
    "/plain-text": "^This is text, but not a profile in a known format: “all is well”$",
    "/error": "^This is JSON, but not a profile in a known format: “{\"error\": \"off\"}”$",
    "/debug/pprof/trace": "^This is a Go execution trace; open the output of this command: .*pb.gz$",
    "/long-text": "^This is text, but not a profile in a known format: “fine .{150,210}…”$",
    "/endless-text": "^This is text, but not a profile in a known format: “fine",
    "/empty": "answer is empty",
    "/binary": r"^This is not a profile in a known format \(type: application/.*odd\)\.$",
    "/picture": "^This is a picture, not a profile$",
    "/garbage": r"^Could not parse HTTP response\.$",
    "/close": r"^Connection terminated unexpectedly\.$",
    "/too-large": r"larger than the limit of 2\.0\sGiB",
    "/packed-badly": "damaged",
    "/packed-strangely": "not requested: br$",
    "/loop": "redirects too many times",
    "/huge-length": "empty|Could not parse HTTP response|Unrecognized|ended before the complete|larger than",
    "/unknown-transfer": r"^Unrecognized HTTP response encoding\.$",
    "/nowhere": "cannot be fetched: “file:///etc/passwd”$",
    "/odd-place": "cannot be fetched",
    "/no-place": "“302 Found”: “where\\?”$",
    "/to-other-host": r"another server, which needs your consent: http://localhost:\d+/good\?token=1$",
    "/to-other-port": "another server, which needs your consent: http://127.0.0.1:1/good$",
    "/endless-headers": "headers .* are too long",
    "/endless-line": "headers .* are too long",
    "/endless-interim": "too many interim responses",
    "/stall-in-refusal": r"“503 Service Unavailable”: “busy, come back later”$",
}

TRUNCATED = ["/bad-chunk", "/cut-until-closed"]  # HTTP cannot tell, but the reader can

LIMITED = {  # the same, with --max-fetch=16M
    "/endless": r"larger than the limit of 16\.0\sMiB",
    "/endless-chunks": r"larger than the limit of 16\.0\sMiB",
    "/bomb": r"larger than the limit of 16\.0\sMiB",
}

TIMED = {  # the same, with --timeout=1
    "/stall": r"did not answer within 1 seconds",
    "/drip-head": r"did not answer within 1 seconds",
    "/stall-in-body": r"almost nothing arrived for 1 seconds",
    "/drip": r"almost nothing arrived for 1 seconds",
}

GOOD = {  # path -> the saved file
    "/good": hostile_server.PACKED,
    "/plain": hostile_server.PLAIN,
    "/chunked": hostile_server.PACKED,
    "/until-closed": hostile_server.PACKED,
    "/packed-twice": hostile_server.PACKED,
    "/packed-once": hostile_server.PLAIN,
    "/says-packed": hostile_server.PLAIN,
    "/same": hostile_server.PACKED,
    "/stall-in-redirect": hostile_server.PACKED,
}


def ask(path, *options):
    folder = Folder()
    start = time.monotonic()
    answer = folder.run("--print=top", "--format=tsv", *options, SERVER.url + path)
    return path, folder, answer, time.monotonic() - start


def ask_all(paths, *options):
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        yield from pool.map(lambda path: ask(path, *options), paths)


class Fetch(unittest.TestCase):
    def check_failures(self, failures, *options):
        for path, folder, (status, out, errors), seconds in ask_all(failures, *options):
            with self.subTest(path):
                self.assertEqual((status, out), (1, ""))
                begin = "profview: %s%s: " % (SERVER.url, path)
                self.assertTrue(errors.startswith(begin), errors)
                self.assertRegex(errors[len(begin):], failures[path])
                self.assertEqual(errors.count("\n"), 1)
                self.assertNotRegex(errors, "[\x00-\x09\x0b-\x1f\x7f\u202e]|secret")
                self.assertEqual(folder.names(), [])
                self.assertLess(seconds, 10 * SLOW)

    def test_failures(self):
        self.check_failures(FAILURES)

    def test_negative_length(self):
        """libsoup makes GLib warn on standard error too; newer versions so that G_DEBUG makes it fatal."""
        folder = Folder()
        folder.environment = {name: value for name, value in folder.environment.items() if name != "G_DEBUG"}
        status, _, errors = folder.run("--print=top", "--format=tsv", SERVER.url + "/bad-length")
        self.assertEqual(status, 1)
        self.assertRegex(errors.splitlines()[-1], "answer is empty|Could not parse HTTP response|ended before the complete")
        self.assertEqual(folder.names(), [])

    def test_limits(self):
        self.check_failures(LIMITED, "--max-fetch=16M")

    def test_time(self):
        self.check_failures(TIMED, "--timeout=1")

    def test_good(self):
        for path, folder, (status, out, errors), _ in ask_all(GOOD):
            with self.subTest(path):
                self.assertEqual((status, errors), (0, ""))
                self.assertIn("4096\t4096\twork\t", out)
                self.assertEqual(folder.content(), GOOD[path])

    def test_truncated(self):
        for path in TRUNCATED:
            with self.subTest(path):
                folder = Folder()
                status, out, errors = folder.run("--print=summary", SERVER.url + path)
                self.assertEqual((status, errors), (0, ""))
                self.assertIn("damaged or truncated", out)
                self.assertEqual(folder.content(), hostile_server.PACKED[:50000])

    def test_saved(self):
        folder = Folder()
        for _ in range(2):
            self.assertEqual(folder.run("--print=top", SERVER.url + "/debug/pprof/heap")[0], 0)
        self.assertEqual(folder.run("--print=top", SERVER.url + "/plain")[0], 0)
        names = folder.names()
        self.assertEqual(len(names), 3)
        for name in names:
            self.assertRegex(name, r"^127\.0\.0\.1-%d-(heap-[-\d]{17}(-2)?\.pb\.gz|plain-[-\d]{17}\.pb)$" % SERVER.port)
            self.assertEqual(stat.S_IMODE(os.stat(os.path.join(folder.path, name)).st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(folder.path).st_mode), 0o700)

    def test_name_and_password(self):
        folder = Folder()
        url = SERVER.url.replace("//", "//ann:open%20sesame@")
        self.assertEqual(folder.run("--print=top", url + "/guarded")[::2], (0, ""))
        self.assertNotRegex(folder.names()[0], "ann|sesame")
        for wrong in (SERVER.url + "/guarded", url.replace("open", "shut") + "/guarded"):
            folder = Folder()
            status, _, errors = folder.run("--print=top", wrong)
            self.assertEqual(status, 1)
            self.assertRegex(errors, r"^profview: http://127\.0\.0\.1:\d+/guarded: .*401 Unauthorized.*\n$")
            self.assertNotIn("sesame", errors)
        status, out, errors = folder.run("--print=top", "--format=json", url + "/good", url + "/404")
        self.assertEqual(status, 1)
        self.assertIn('"file": "%s/good"' % SERVER.url, out)
        self.assertNotIn("sesame", out + errors)

    def test_netrc(self):
        """A name and a password are only told to a server that asks, and only to the one they are for."""
        server = hostile_server.Server()
        for text, is_known in (("machine 127.0.0.1 login ann password \"open sesame\"\n", True),
                               ("machine localhost login bob password x\ndefault login ann password \"open sesame\"", True),
                               ("machine localhost login ann password \"open sesame\"", False),
                               ("machine 127.0.0.1 login ann password wrong", False)):
            folder = Folder()
            path = os.path.join(folder.cache, "netrc")
            os.makedirs(folder.cache, exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            before = len(server.requests)
            status, _, errors = folder.run("--print=top", server.url + "/guarded", NETRC=path)
            self.assertEqual(status, 0 if is_known else 1, errors)
            self.assertNotIn("sesame", errors)
            if is_known:
                self.assertIn("other users may read the passwords in this file", errors)
            first = [line.lower() for line in server.requests[before]]
            self.assertFalse([line for line in first if line.startswith("authorization")])

    def test_hidden_arguments(self):
        """Other users of the machine do not see a password among the arguments."""
        url = SERVER.url.replace("//", "//ann:open%20sesame@") + "/stall"
        for arguments in ([url], ["--base=" + url, url], ["--base", url, url], ["--with=" + url, url]):
            with self.subTest(arguments):
                self.check_arguments(*arguments)

    def check_arguments(self, *words):
        process = Folder().start("--print=top", "--timeout=60", *words)

        def read_arguments():
            with open("/proc/%d/cmdline" % process.pid, "rb") as file:
                return file.read()

        end = time.monotonic() + 20
        arguments = b""  # as they are while the program starts
        while (not arguments or b"sesame" in arguments) and time.monotonic() < end:
            time.sleep(0.02)
            arguments = read_arguments()
        self.assertIsNone(process.poll())
        process.kill()
        process.communicate()
        self.assertRegex(arguments, rb"http://\*+@127\.0\.0\.1")
        self.assertNotIn(b"sesame", arguments)

    def test_prompt(self):
        """Who has a terminal is asked, and what is typed as a password is not shown."""
        folder = Folder()
        screen, answers = b"", [(b"User name", b"ann\n"), (b"Password", b"no\n"), (b"User name", b"ann\n"),
                                (b"Password", b"open ses\x7fsame\n")]
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ.update(folder.environment, NETRC="/dev/null")
            os.execv(PROFVIEW, [PROFVIEW, "--export=" + os.path.join(folder.cache, "out.folded"), SERVER.url + "/guarded"])
        seen = 0
        timer = threading.Timer(60, os.kill, (pid, signal.SIGKILL))
        timer.start()
        while True:
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                break
            if not piece:
                break
            screen += piece
            if answers and answers[0][0] in screen[seen:]:
                seen = len(screen)
                os.write(terminal, answers.pop(0)[1])
        timer.cancel()
        os.close(terminal)
        _, status = os.waitpid(pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 0, screen)
        self.assertEqual(answers, [])
        self.assertNotIn(b"ses", screen)

    def test_what_is_sent(self):
        server = hostile_server.Server()
        Folder().run("--print=top", "--seconds=3", server.url)
        Folder().run("--print=top", server.url + "/debug/pprof/heap?gc=1#there")
        for path in ("/debug/pprof/heap?gc=1", "/good?seconds=5"):
            Folder().run("--print=top", "--seconds=2", server.url + path)
        self.assertEqual([request[0] for request in server.requests[-2:]],
                         ["GET /debug/pprof/heap?gc=1&seconds=2 HTTP/1.1", "GET /good?seconds=2 HTTP/1.1"])
        first, *guesses, second = server.requests[:-2]
        self.assertEqual([request[0] for request in guesses], ["GET /pprof/profile?seconds=3 HTTP/1.1",
                                                               "GET /profile/cpu?seconds=3 HTTP/1.1"])
        self.assertEqual(first[0], "GET /debug/pprof/profile?seconds=3 HTTP/1.1")
        self.assertEqual(second[0], "GET /debug/pprof/heap?gc=1 HTTP/1.1")
        headers = dict(line.lower().split(": ", 1) for line in second[1:] if line)
        self.assertRegex(headers.pop("user-agent"), r"^profview/[\d.]+$")
        self.assertEqual(set(headers), {"host", "accept-encoding", "connection", "content-type"})

    def test_address(self):
        folder = Folder()
        address = SERVER.url.replace("http://", "")
        self.assertEqual(folder.run("--print=top", address + "/debug/pprof/heap")[::2], (0, ""))
        self.assertEqual(len(folder.names()), 1)
        status, _, errors = folder.run("--print=top", address)
        self.assertEqual(status, 1)
        self.assertRegex(errors, "^profview: %s/: .*404 Not Found" % SERVER.url)
        self.assertEqual(folder.run("--print=top", "no-such-file:x")[0], 1)

    def test_guesses(self):
        """An address as jeprof takes it: what is asked for below it is said, and the rest of a series is from there."""
        server = hostile_server.Server()
        folder = Folder()
        url = server.url.replace("//", "//ann:sesame@") + "/debug/mem"
        status, out, errors = folder.run("--print=top", "--format=tsv", "--repeat=2", "--interval=0.1", url)
        self.assertEqual(status, 0)
        self.assertEqual(errors, f"profview: {server.url}/debug/mem: not found, so this is "
                                 f"{server.url}/debug/mem/pprof/profile\n")
        self.assertEqual([request[0].split(" ")[1] for request in server.requests],
                         ["/debug/mem", "/debug/mem/pprof/heap"] + ["/debug/mem/pprof/profile"] * 2)
        self.assertEqual(len(folder.names()), 2)

    def test_foreign(self):
        """What the server has instead of a profile gets the sentence that a file with it gets."""
        folder = Folder()
        os.makedirs(folder.cache, exist_ok=True)
        for path in ("/plain-text", "/error", "/debug/pprof/trace", "/packed-page", "/binary", "/picture", "/text"):
            with self.subTest(path):
                file = os.path.join(folder.cache, "file")
                with open(file, "wb") as out:
                    out.write(hostile_server.FIXED[path].split(b"\r\n\r\n", 1)[1])
                sentence = folder.run("--print=top", file)[2].split(file + ": ")[1].strip()
                answer = folder.run("--print=top", SERVER.url + path)[2].split(path + ": ")[1]
                self.assertTrue(answer.startswith(sentence), (sentence, answer))

    def test_lists(self):
        """A page that lists profiles names them; one that does not is asked for what is below it."""
        status, _, errors = Folder().run("--print=top", SERVER.url + "/list/debug/pprof/")
        self.assertEqual(status, 1)
        self.assertEqual(errors, f"profview: {SERVER.url}/list/debug/pprof/: This page lists profiles, each at its own "
                                 "address: /list/debug/pprof/heap, /pprof/growth\n")
        status, out, errors = Folder().run("--print=top", "--format=tsv", SERVER.url + "/site")
        self.assertEqual(status, 0)
        self.assertIn(f"not found, so this is {SERVER.url}/site/pprof/profile", errors)

    def ask_for_names(self, kind, *options, page="pprof/heap"):
        server = hostile_server.Server()
        folder = Folder()
        start = time.monotonic()
        status, out, errors = folder.run("--print=top", "--format=tsv", *options, f"{server.url}/{kind}/{page}")
        self.assertEqual((status, errors), (0, ""))
        self.assertLess(time.monotonic() - start, 10 * SLOW)
        (name,) = folder.names()
        _, notes, _ = folder.run("--print=notes", os.path.join(folder.path, name))
        self.assertNotRegex(out + notes, "[\x00-\x08\x0b-\x1f\x7f\u202e]")
        return [line.split("\t")[2] for line in out.splitlines()[1:]], notes, server

    def test_names(self):
        """Functions of files that are not here are named by the server, also in the saved file."""
        for kind in ("good", "packed", "only-post", "no-count", "unasked"):
            with self.subTest(kind):
                names, notes, server = self.ask_for_names(kind)
                self.assertEqual(names, ["alpha", "inner", "lib::work(int)", "outer"])
                self.assertNotIn("did not name", notes)
                _, get, *_, post = server.requests
                self.assertEqual(get[0], f"GET /{kind}/pprof/symbol HTTP/1.1")
                self.assertEqual(post[0], f"POST /{kind}/pprof/symbol HTTP/1.1")
                self.assertEqual(post[-1], "0x40100f+0x40300f+0x7f000000200f")
        for page in ("packed/pprof/heap", "pprof/profile"):
            with self.subTest(page):
                names, _, _ = self.ask_for_names("good", page=page)
                self.assertEqual(names, ["alpha", "inner", "lib::work(int)", "outer"])
        for page in ("pprof/allocs", "packed/pprof/allocs"):
            with self.subTest(page):
                names, notes, _ = self.ask_for_names("good", page=page)
                self.assertEqual(sorted(names), ["alpha", "lib::work(int)", "outer--inner"])
                self.assertNotIn("was not found", notes)
                names, notes, _ = self.ask_for_names("refused", page=page)
                self.assertEqual(sorted(names)[:1], ["lib.so+0x200f"])

    def test_named(self):
        """A profile with names is not asked about; text of Go has them behind the stacks, with lines."""
        names, _, server = self.ask_for_names("good", page="pprof/block")
        self.assertEqual(names, ["main.leaf", "main.main"])
        self.assertEqual(len(server.requests), 1)

    def test_pages(self):
        """Names may be beside the profile, or at the server's one page for all."""
        for page in ("/deep/symbolz", "/pprof/symbol", "/symbolz"):
            with self.subTest(page):
                server = hostile_server.Server()
                server.symbol_page = page
                status, out, _ = Folder().run("--print=top", server.url + "/deep/bare")
                self.assertEqual(status, 0)
                self.assertIn("alpha", out)

    def test_no_names(self):
        """The profile is there whatever the server makes of the question."""
        for kind in ("none", "pages", "forbidden"):
            with self.subTest(kind):
                names, notes, server = self.ask_for_names(kind)
                self.assertEqual(names[:2], ["server+0x100f", "server+0x300f"])
                self.assertNotIn("did not name", notes)
                self.assertEqual(len([request for request in server.requests if request[0].startswith("POST")]),
                                 0 if kind == "none" else 1)
        for kind, why in (("refused", "503 Service Unavailable"), ("to-file", "cannot be fetched: “file:"),
                          ("to-other", "another server"), ("to-socket", "cannot be fetched"), ("cut", "ended before"),
                          ("stall", "did not answer"), ("stall-get", "did not answer"),
                          ("endless", "larger than the limit"), ("drip", "did not answer")):
            with self.subTest(kind):
                names, notes, _ = self.ask_for_names(kind, "--timeout=2")
                self.assertEqual(names[:2], ["server+0x100f", "server+0x300f"])
                self.assertRegex(notes, "The server did not name all functions: .*" + why)

    def test_odd_names(self):
        names, _, _ = self.ask_for_names("odd")
        self.assertEqual(names[:2], ["[31mal ph\ufffd\ufffda", "lib::work(int)"])
        self.assertRegex(names[2], "^x{4000,4096}…$")

    def test_sockets(self):
        folder = Folder()
        path = os.path.join(folder.cache, "s")
        os.makedirs(folder.cache, exist_ok=True)
        server = hostile_server.Server(socket.AF_UNIX, path)
        escaped = "http+unix://" + path.replace("/", "%2F")
        for url in (server.url + "/debug/pprof/heap", f"unix://{path}/debug/pprof/heap", escaped + "/debug/pprof/heap",
                    server.url + "/same"):
            with self.subTest(url):
                self.assertEqual(folder.run("--print=top", url)[::2], (0, ""))
        status, _, errors = folder.run("--print=top", server.url + "/404")
        self.assertRegex(errors, "^profview: unix://%s:/404: The server answered “404 Not Found”" % path)
        self.assertRegex(folder.run("--print=top", server.url + "/to-other-port")[2], "needs your consent: http://127.0.0.1:1/")
        self.assertRegex(folder.run("--print=top", "unix:///no/such/socket")[2], "No such file or directory")

    def test_certificates(self):
        """Any certificate, one of an authority of ours, and ours for servers that want one."""
        folder = Folder()
        # LeakSanitizer itself crashes on threads of libraries that GIO loads for TLS.
        folder.environment["ASAN_OPTIONS"] = folder.environment.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        os.makedirs(folder.cache, exist_ok=True)
        path = os.path.join(folder.cache, "pem")
        with open(path, "w", encoding="utf-8") as file:
            file.write(hostile_server.CERTIFICATE)
        server, both = hostile_server.Server(tls=True), hostile_server.Server(tls="both")
        insecure = server.url.replace("https:", "https+insecure:")
        for arguments in ([insecure + "/good"], [insecure + "/same"], ["--tls-ca=" + path, server.url + "/good"],
                          ["--tls-ca", path, "--tls-cert", path, both.url + "/good"],
                          ["--tls-ca", path, "--tls-cert", path, "--tls-key=" + path, both.url + "/good"]):
            with self.subTest(arguments):
                self.assertEqual(folder.run("--print=top", *arguments)[::2], (0, ""))
        for arguments, why in ((["--tls-ca=/dev/null", server.url + "/good"], "trusted|cannot be used"),
                               (["--tls-ca=/no/such", server.url + "/good"], "in /no/such cannot be used: "),
                               (["--tls-cert=/no/such", server.url + "/good"], "in /no/such cannot be used: "),
                               (["--tls-ca=" + path, both.url + "/good"], "certificate|ended before|terminated|TLS")):
            with self.subTest(arguments):
                status, _, errors = folder.run("--print=top", "--timeout=10", *arguments)
                self.assertEqual(status, 1)
                self.assertRegex(errors, why)

    def test_proxy(self):
        """Servers on this machine are reached without the proxy."""
        folder = Folder()
        folder.environment["http_proxy"] = "http://127.0.0.1:1"
        folder.environment.pop("no_proxy", None)
        self.assertEqual(folder.run("--print=top", SERVER.url + "/good")[::2], (0, ""))

    def test_bad_urls(self):
        for url in ("http://", "http:///path", "http://a b/", "http://[::1", "http://host:99999/", "http://x\ny/",
                    "http://host:0/"):
            with self.subTest(url):
                status, _, errors = Folder().run("--print=top", url)
                self.assertEqual(status, 1)
                self.assertRegex(errors, "The address is empty|not a valid address")

    def test_unreachable(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        status, _, errors = Folder().run("--print=top", "http://127.0.0.1:%d/x" % port)
        self.assertEqual(status, 1)
        self.assertRegex(errors, r"Could not connect to 127\.0\.0\.1: Connection refused\.\n$")

    def test_ipv6(self):
        server = hostile_server.Server(socket.AF_INET6, "::1")
        folder = Folder()
        self.assertEqual(folder.run("--print=top", server.url + "/good")[::2], (0, ""))
        self.assertTrue(folder.names()[0].startswith("1-%d-good-" % server.port), folder.names())

    def test_tls(self):
        server = hostile_server.Server(tls=True)
        plain = SERVER.url.replace("http:", "https:")
        for url, expected in ((server.url, "certificate cannot be trusted: it is not signed by"),
                            (plain, "Error performing TLS handshake: "),
                            (server.url.replace("https:", "http:"), "Could not parse HTTP|terminated unexpectedly|ended before|reset by peer")):
            with self.subTest(url):
                folder = Folder()
                status, _, errors = folder.run("--print=top", "--timeout=10", url + "/good")
                self.assertEqual(status, 1)
                self.assertRegex(errors, expected)
                self.assertEqual(folder.names(), [])

    def test_interrupted(self):
        for path, number in (("/stall-in-body", signal.SIGINT), ("/drip", signal.SIGTERM)):
            folder = Folder()
            with folder.start("--print=top", SERVER.url + path) as process:
                folder.wait_for_file()
                start = time.monotonic()
                process.send_signal(number)
                out, errors = process.communicate()
            self.assertEqual((process.returncode, out, errors), (-number, b"", b""))
            self.assertLess(time.monotonic() - start, 5 * SLOW)
            self.assertEqual(folder.names(), [])

    def test_killed(self):
        """The next fetch removes the file of a killed program, but not one that is still being written."""
        folder = Folder()
        with folder.start("--print=top", SERVER.url + "/stall-in-body") as process:
            folder.wait_for_file()
            left = folder.names()
            process.kill()
        self.assertEqual(folder.names(), left)
        with folder.start("--print=top", SERVER.url + "/stall-in-body") as process:
            while len(folder.names()) < 2:
                time.sleep(0.05)
            long_ago = time.time() - 3600
            for name in folder.names():
                os.utime(os.path.join(folder.path, name), (long_ago, long_ago))
            self.assertEqual(folder.run("--print=top", SERVER.url + "/good")[0], 0)
            hidden = [name for name in folder.names() if name.startswith(".")]
            self.assertEqual(len(hidden), 1)
            self.assertNotEqual(hidden, left)
            process.send_signal(signal.SIGINT)
            process.communicate()
        self.assertEqual(len(folder.names()), 1)

    def test_cannot_save(self):
        folder = Folder()
        os.mkdir(os.path.dirname(folder.path))
        with open(folder.path, "w", encoding="utf-8"):
            pass
        status, _, errors = folder.run("--print=top", SERVER.url + "/good")
        self.assertEqual(status, 1)
        self.assertIn("cannot be saved in " + folder.path, errors)

    def test_several(self):
        folder = Folder()
        status, out, errors = folder.run("--print=top", SERVER.url + "/good", SERVER.url + "/404",
                                         SERVER.url + "/plain")
        self.assertEqual(status, 1)
        self.assertEqual(re.findall("== (.*) ==", out), [SERVER.url + "/good", SERVER.url + "/plain"])
        self.assertEqual(errors.count("\n"), 1)
        # --merge: the message names the URL that failed.
        status, out, errors = folder.run("--print=top", "--merge",
                                         SERVER.url.replace("//", "//ann:sesame@") + "/good", SERVER.url + "/404")
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(errors, "^profview: %s/good and 1 more: %s/404: .*404 Not Found.*\n$" %
                         (SERVER.url, SERVER.url))

    def test_series(self):
        folder = Folder()
        start = time.monotonic()
        status, out, errors = folder.run("--print=summary", "--format=json", "--repeat=3", "--interval=0.5",
                                         SERVER.url + "/debug/pprof/heap")
        self.assertEqual((status, errors), (0, ""))
        self.assertGreaterEqual(time.monotonic() - start, 1)
        self.assertEqual(len(folder.names()), 3)
        self.assertIn("inuse_space", out)

    def test_export(self):
        folder = Folder()
        picture = os.path.join(folder.cache, "x.svg")
        self.assertEqual(folder.run("--export=" + picture, SERVER.url + "/good"), (0, "", ""))
        with open(picture, encoding="utf-8") as file:
            self.assertIn("work", file.read())

    def test_terminal(self):
        folder = Folder()
        ours, theirs = pty.openpty()
        with subprocess.Popen([PROFVIEW, "--print=top", SERVER.url + "/debug/pprof/heap"], stderr=theirs,
                              stdout=subprocess.DEVNULL, env=folder.environment) as process:
            os.close(theirs)
            seen = b""
            try:
                while data := os.read(ours, 65536):
                    seen += data
            except OSError:  # the other side was closed
                pass
        os.close(ours)
        self.assertEqual(process.returncode, 0)
        self.assertIn("Saved as " + os.path.join(folder.path, folder.names()[0]), seen.decode())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
