#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds commits of small histories, in which each commit has the recording that a stand-in for perf makes of it.

    test-bisect.py PROFVIEW DATA STANDINS
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from program import ENVIRONMENT, PROFVIEW

DATA, STANDINS = (os.path.abspath(path) for path in sys.argv[2:4])
TEMPORARY = tempfile.TemporaryDirectory()
SLOW = 4 if os.environ.get("PV_SANITIZED") else 1
# Both have "checksum": 190 and 43 ms; 250 and 68 ms. Of the third one nothing is in them.
LESS, MORE, OTHER = "calls-nofp-fp", "calls-fp", "inlining-fp-z"


class History:
    """A repository with a work tree that somebody is at work in."""

    def __init__(self, *recordings, **others):
        """A commit for each recording, the first one is the good end; others: what is otherwise in commits, by number:
        "build" or "run", which fail there."""
        self.home = tempfile.mkdtemp(dir=TEMPORARY.name)
        self.top = os.path.join(self.home, "work")
        self.cache = os.path.join(self.home, "cache")
        self.environment = {**ENVIRONMENT, "XDG_DATA_HOME": self.home, "XDG_CACHE_HOME": self.cache, "HOME": self.home,
                            "PV_STANDIN_PERF_SECONDS": "0.05", "PV_STANDIN_PERF_DATA": "chosen.data",
                            "PATH": ":".join([STANDINS, os.environ["PATH"]]), "GIT_CONFIG_NOSYSTEM": "1",
                            **{"GIT_%s_%s" % (who, what): "a@b.example" for who in ("AUTHOR", "COMMITTER")
                               for what in ("NAME", "EMAIL")}}
        os.makedirs(os.path.join(self.top, "bench"))
        self.git("init", "-q", "-b", "main")
        for i, recording in enumerate(recordings):
            self.commit("Commit %d" % i, recording, others.get("build") == i, others.get("run") == i)
        self.git("tag", "bad")
        self.git("tag", "good", "main~%d" % (len(recordings) - 1))
        # Work that is not committed, and a hook that must not run.
        self.write("notes.txt", "mine\n")
        self.write("bench/program", "exit 9\n")
        self.write(".git/hooks/post-checkout", "#!/bin/sh\ntouch %s/hooked\n" % self.home)
        os.chmod(os.path.join(self.top, ".git/hooks/post-checkout"), 0o755)

    def write(self, name, text):
        with open(os.path.join(self.top, name), "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.top, *arguments], env=self.environment, check=True,
                              capture_output=True, encoding="utf-8").stdout.strip()

    def commit(self, subject, recording, fails_to_build=False, fails_to_run=False):
        self.write("build", "exit 1\n" if fails_to_build else "cp %s/recordings/%s.data bench/chosen.data\n" % (DATA, recording))
        self.write("bench/program", "exit 3\n" if fails_to_run else "echo It runs\n")
        self.write("what", subject)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", subject)

    def find(self, number, n):
        return self.git("rev-parse", "main~%d" % (n - 1 - number))

    def state(self):
        """All that must stay as it is, besides the date of git's index."""
        names = sorted(str(path) for path in pathlib.Path(self.top).rglob("*") if ".git/" not in str(path))
        return names, self.git("status", "--porcelain"), self.git("branch", "-v"), self.git("worktree", "list"), \
            os.path.exists(self.home + "/hooked")

    def command(self, *options):
        return [PROFVIEW, "--bisect=good..bad", "--build=sh build", "--call-graph=fp", "--sysroot=" + DATA + "/sysroot",
                *options, "--", "sh", "program"]

    def run(self, *options, command=None):
        result = subprocess.run(command or self.command(*options), cwd=os.path.join(self.top, "bench"),
                                env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                                encoding="utf-8", timeout=300 * SLOW)
        return result.returncode, result.stdout, result.stderr


def count_builds(errors):
    return len(re.findall(r"^profview: building ", errors, re.M))


class Bisect(unittest.TestCase):
    def test_found(self):
        """Past commits that do not build or run, with nothing changed in the user's tree; and again without a run."""
        history = History(*[LESS] * 5, *[MORE] * 4, build=6, run=3)
        before = history.state()
        status, out, errors = history.run("--json")
        self.assertEqual(status, 0, errors)
        answer = json.loads(out)
        self.assertEqual((answer["result"], answer["commit"]), ("found", history.find(5, 9)))
        self.assertEqual((answer["good"], answer["bad"], answer["before"]),
                         (history.find(0, 9), history.find(8, 9), history.find(4, 9)))
        self.assertEqual((answer["unit"], answer["suspects"][0]["commit"]), ("%", answer["commit"]))
        change = (250250250 / 190317186 - 1) * 100
        for prefix in "", "whole_":
            self.assertAlmostEqual(answer[prefix + "change"], change, places=9)
            self.assertLess(answer[prefix + "change_low"], change)
            self.assertGreater(answer[prefix + "change_high"], change)
        self.assertEqual(answer["before_change"], 0)
        self.assertGreater(answer["chance"], 0.99)
        self.assertLessEqual(count_builds(errors) - errors.count("does not build"), 3 + 2)
        self.assertEqual(history.state(), before)
        for name in "page.html", "picture.svg":
            self.assertGreater(os.path.getsize(os.path.join(answer["folder"], name)), 1000)
        self.assertEqual(sorted(name for name in os.listdir(answer["folder"]) if name in ("old", "new")), [])
        status, again, errors = history.run("--json")
        self.assertEqual((status, again, count_builds(errors)), (0, out, 0), errors)
        # In words; another amount of the same recordings needs none either.
        status, text, errors = history.run("--function=^checksum$")
        self.assertEqual((status, count_builds(errors)), (0, 0), errors)
        self.assertRegex(text, r"^%s Commit 5\n  a@b.example, " % answer["commit"][:10])
        self.assertIn("  with it: +56.8", text)
        self.assertIn("  before it: +0.00 %, between −", text)
        self.assertIn("190 ms", text)
        self.assertEqual(history.run("--check=delta(total) < 5 %")[0], 3)

    def test_interrupted(self):
        history = History(*[MORE] * 3, *[LESS] * 6)
        process = subprocess.Popen(history.command("--json"), cwd=os.path.join(history.top, "bench"),
                                   env=history.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        errors = ""
        while count_builds(errors) < 3:
            line = process.stderr.readline()
            self.assertNotEqual(line, "", errors)
            errors += line
        # Meanwhile nobody else may work on it.
        status, _, second = history.run("--json")
        self.assertEqual(status, 1)
        self.assertIn("this search is already running", second)
        process.send_signal(signal.SIGINT)
        out, rest = process.communicate(timeout=60 * SLOW)
        self.assertNotEqual((process.returncode, out), (0, ""), errors + rest)
        status, out, again = history.run("--json")
        self.assertEqual(status, 0, again)
        answer = json.loads(out)
        self.assertEqual((answer["result"], answer["commit"]), ("found", history.find(3, 9)))
        self.assertLess(answer["change"], -20)
        self.assertLessEqual(count_builds(again), 3)
        self.assertNotIn("building %s" % answer["bad"][:10], again)

    def test_nothing(self):
        history = History(*[MORE] * 4)
        status, out, errors = history.run("--json", "--repeat=4")
        answer = json.loads(out)
        self.assertEqual((status, answer["result"], answer["whole_change"], count_builds(errors)), (4, "nothing", 0, 2))
        status, out, errors = history.run("--repeat=4", "--print=top", "--limit=1")
        self.assertEqual(status, 4, errors)
        self.assertRegex(out, r"^There is no change that can be told between\n  \w+ Commit 0 and\n  \w+ Commit 3\n"
                              r"It is \+0.00 %, between −\d.\d\d % and \+\d.\d\d %, after 4 runs of each.\n")

    def test_unsure(self):
        """The commit before the first slow one does not build."""
        history = History(LESS, LESS)
        history.git("checkout", "-q", "-f", "-b", "side")
        history.commit("Broken", MORE, fails_to_build=True)
        history.commit("Slow", MORE)
        history.git("tag", "-f", "bad")
        status, out, errors = history.run()
        self.assertEqual(status, 4, errors)
        self.assertRegex(out, r"(?m)^   50.0 %  \w+ Broken \(does not build\)$")
        self.assertRegex(out, r"(?m)^   50.0 %  \w+ Slow$")
        self.assertEqual(json.loads(history.run("--json")[1])["result"], "unsure")

    def test_merges(self):
        """The slow commit was merged from a branch."""
        history = History(LESS, LESS)
        shutil.rmtree(os.path.join(history.top, ".git", "hooks"))
        history.git("checkout", "-q", "-f", "-b", "side", "good")
        history.commit("Side 1", LESS)
        history.commit("Side 2", MORE)
        history.commit("Side 3", MORE)
        slow = history.git("rev-parse", "side~1")
        history.git("checkout", "-q", "-f", "main")
        history.git("merge", "-q", "-s", "ours", "-m", "Merge", "side")
        history.git("checkout", "-q", "side", "--", "build", "bench/program")
        history.git("commit", "-q", "-a", "--amend", "-m", "Merge")
        history.git("tag", "-f", "bad")
        status, out, errors = history.run("--json")
        self.assertEqual((status, json.loads(out)["commit"]), (0, slow), errors)

    def test_new_function(self):
        """An amount that the good end lacks has no percentage."""
        history = History(LESS, LESS, OTHER, OTHER)
        status, out, errors = history.run("--json", "--function=dot")
        answer = json.loads(out)
        self.assertEqual((status, answer["commit"], answer["unit"]), (0, history.find(2, 4), "ns"), errors)
        self.assertGreater(answer["change"], 71071071 - 1)

    def test_failures(self):
        for name, wanted in {"build": "Commit 1 does not build", "run": "Commit 1 does not run: status 3"}.items():
            status, out, errors = History(LESS, MORE, **{name: 1}).run()
            self.assertEqual((status, out), (1, ""))
            self.assertIn(wanted, errors)
            self.assertIn("both ends of the range must build and run", errors)
        history = History(LESS, MORE)
        for arguments in (["--bisect=good"], ["--bisect=..bad"], ["--bisect=good...bad"], ["--bisect=good..bad", "--output=x"],
                          ["--bisect=good..bad", "--interleave=a,b"], ["--bisect=good..bad", "--base=x"]):
            with self.subTest(arguments):
                status, out, errors = history.run(command=[PROFVIEW, *arguments, "--build=true", "--", "true"])
                self.assertEqual((status, out), (2, ""), errors)
        for arguments in (["--bisect=good..bad", "--", "true"], ["--build=true"], ["--bisect=good..bad", "--build=true"]):
            self.assertEqual(history.run(command=[PROFVIEW, *arguments])[0], 2)
        for names, wanted in {"bad..good": "must be an older commit", "none..bad": "git: fatal"}.items():
            status, out, errors = history.run(command=[PROFVIEW, "--bisect=" + names, "--build=true", "--", "true"])
            self.assertEqual((status, out), (1, ""))
            self.assertIn(wanted, errors)
        history.environment["PV_STANDIN_PERF"] = "no-permission"
        status, out, errors = history.run()
        self.assertEqual((status, out), (1, ""))
        self.assertIn("the same command goes on from here", errors)
        history.environment["PV_STANDIN_PERF"] = ""
        self.assertEqual(history.run()[0], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
