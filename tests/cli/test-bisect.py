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
        """A commit for each recording, the first one is the good end; others: commands that are "build" or "run" in
        the commit of this number."""
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
            self.commit("Commit %d" % i, recording, others.get("build", {}).get(i), others.get("run", {}).get(i))
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

    def commit(self, subject, recording, build=None, run=None):
        self.write("build", "%s\ncp %s/recordings/%s.data bench/chosen.data\n" % (build or "", DATA, recording))
        self.write("bench/program", "%s\necho It runs\n" % (run or ""))
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
        history = History(*[LESS] * 5, *[MORE] * 4, build={6: "exit 1"}, run={3: "exit 3"})
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
        # In words, and to standard error where something else is printed.
        status, out, errors = history.run("--json", "--repeat=4", "--print=top", "--limit=1")
        self.assertEqual((status, json.loads(out)["total_delta"]), (4, 0), errors)
        self.assertRegex(errors, r"(?m)^There is no change that can be told between\n  \w+ Commit 0 and\n  \w+ Commit 3\n"
                              r"It is \+0.00 %, between −\d.\d\d % and \+\d.\d\d %, after 4 runs of each.\n")

    def test_unsure(self):
        """The commit before the first slow one does not build."""
        history = History(LESS, LESS)
        history.git("checkout", "-q", "-f", "-b", "side")
        history.commit("Broken", MORE, build="exit 1")
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
            history = History(LESS, MORE, **{name: {1: "exit 3"}})
            status, out, errors = history.run()
            self.assertEqual(history.git("worktree", "list").count("\n"), 0)
            self.assertEqual((status, out), (1, ""))
            self.assertIn(wanted, errors)
            self.assertIn("both ends of the range must build and run", errors)
        history = History(LESS, MORE)
        for arguments in (["--bisect=good"], ["--bisect=..bad"], ["--bisect=good...bad"], ["--bisect=good..bad", "--output=x"],
                          ["--bisect=good..bad", "--interleave=a,b"], ["--bisect=good..bad", "--base=x"],
                          ["--bisect=good..bad", "--duration=1"], ["--bisect=good..bad", "--anonymize"],
                          ["--bisect=good..bad", "--export=x.profview"], ["--bisect=good..bad", "--merge"]):
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
        status, out, errors = history.run("--function=^nobody$")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("no function of either end matches", errors)

    def test_older_branches(self):
        """Branches that were forked before the good commit lack it, so they say nothing by themselves: they are one with their merge."""
        history = History(MORE, LESS)
        history.git("tag", "-f", "good", "main")
        history.git("checkout", "-q", "-f", "-b", "stale", "main~1")
        for i in range(3):
            history.commit("Stale %d" % i, MORE)
        history.git("checkout", "-q", "-f", "main")
        history.git("merge", "-q", "-s", "ours", "-m", "Merge", "stale")
        history.commit("Fast", LESS)
        history.commit("Slow", MORE)
        history.git("tag", "-f", "bad")
        status, out, errors = history.run("--json")
        self.assertEqual((status, json.loads(out).get("commit")), (0, history.git("rev-parse", "main")), errors)
        self.assertIn("what was forked before the good commit counts as its merge", errors)

    def test_several(self):
        """Two steps, by a fifth each."""
        history = History(LESS, LESS, "events-fp", "events-fp", OTHER, OTHER)
        status, out, errors = history.run("--json")
        answer = json.loads(out)
        self.assertEqual((status, answer["result"]), (4, "several"), errors)
        self.assertEqual(len({round(commit["change"]) for commit in answer["measured"]} - {0}), 2)
        status, text, _ = history.run()
        self.assertRegex(text, r"^Several commits changed it.\nAgainst \w+ Commit 0:\n")
        self.assertRegex(text, r"\nThe largest step (that was found is \w+ Commit [24]\.|is in --bisect=\w+\.\.\w+\.)\n")

    def test_failures_once(self):
        """A run that fails once, and a folder and a program that one commit lacks, end nothing; nor does a recorder
        that fails take commits away."""
        once = "test -e $HOME/once || { touch $HOME/once; exit 5; }"
        history = History(LESS, LESS, LESS, MORE, MORE, MORE, run={4: once, 5: "sleep 0.3"})
        history.environment["PV_STANDIN_PERF"] = "killed"
        self.assertEqual(history.run()[0], 1)
        history.environment["PV_STANDIN_PERF"] = ""
        status, out, errors = history.run("--json")
        self.assertEqual((status, json.loads(out).get("commit")), (0, history.find(3, 6)), errors)
        history = History(LESS, LESS, LESS, MORE, MORE, build={2: "rm -r bench; exit 0"})
        status, out, errors = history.run()
        self.assertEqual(status, 4, errors)
        self.assertIn("Commit 2 does not run: ", errors)
        self.assertIn("Commit 2 did not run earlier; delete ", history.run()[2])

    def test_cache(self):
        """A damaged recording is made again, and so is a work tree that somebody removed."""
        history = History(LESS, LESS, MORE, MORE)
        answer = json.loads(history.run("--json")[1])
        pack = os.path.join(answer["folder"], answer["commit"][:10] + "-2.profview")
        for size in 0, os.path.getsize(pack) * 3 // 4:
            os.truncate(pack, size)
            status, out, errors = history.run("--json")
            self.assertEqual((status, json.loads(out)), (0, answer), errors)
            self.assertRegex(errors, re.escape(pack) + ": .*; it is recorded again")
        history = History(LESS, LESS, MORE, MORE, build={1: "exit 1", 2: "exit 1"})
        status, out, errors = history.run("--json")
        self.assertEqual(status, 4, errors)
        history.git("worktree", "remove", "--force", json.loads(out)["folder"] + "/old")
        shutil.rmtree(json.loads(out)["folder"] + "/new/.git", ignore_errors=True)
        self.assertEqual(history.run("--repeat=4", "--json")[0], 4)
        status, out, errors = history.run("--repeat=5", "--json")
        self.assertEqual((status, json.loads(out)["whole_change"]), (4, answer["whole_change"]), errors)

    def test_ended_builds(self):
        """A signal ends the build too, and the search goes on afterwards."""
        history = History(LESS, MORE, build={1: "touch $HOME/begun; test -e $HOME/go || sleep 97 & wait"})
        with subprocess.Popen(history.command(), cwd=history.top + "/bench", env=history.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
            while not os.path.exists(history.home + "/begun"):
                self.assertIsNone(process.poll())
            process.terminate()
            _, errors = process.communicate(timeout=20 * SLOW)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, errors)
        self.assertIn("interrupted; the same command goes on from here", errors)
        history.write("go", "")
        os.rename(history.top + "/go", history.home + "/go")
        # Nothing of it needs an input.
        result = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", *history.command("--json")], cwd=history.top + "/bench",
                                env=history.environment, capture_output=True, check=False, timeout=60 * SLOW)
        self.assertEqual((result.returncode, json.loads(result.stdout)["result"]), (0, "found"), result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
