#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers in text reports follow the locale; numbers for programs do not.

    test-locales.py PROFVIEW TESTS_DATA

The locales are compiled here, from the definitions of Debian's package `locales`."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from program import ENVIRONMENT, run

RECORDING = os.path.join(sys.argv[2], "recordings", "inlining-fp.data")
TRACE = os.path.join(sys.argv[2], "heaptrack", "containers.raw.zst")
# locale -> a large count, a share, an amount, as its readers write them
LOCALES = {
    "de_DE": (r"\d\.\d{3}\b", r"\d,\d %", r"\d,\d+ [KM]iB"),
    "fr_FR": (r"\d\u202f\d{3}\b", r"\d,\d\u00a0%", r"\d,\d+ [KM]iB"),
    "en_IN": (r"\d,\d{3}\b", r"\d\.\d %", r"\d\.\d+ [KM]iB"),
}


class Locales(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def report(self, name, what, form, path, charset="UTF-8"):
        target = os.path.join(self.folder.name, "%s.%s" % (name, charset))
        if not os.path.exists(target):
            subprocess.run(["localedef", "--no-archive", "-i", name, "-f", charset, target], check=True)
        environment = {**ENVIRONMENT, "LOCPATH": self.folder.name, "LC_ALL": "%s.%s" % (name, charset)}
        status, out, errors = run("--print=" + what, "--format=" + form, path, env=environment)
        self.assertEqual(status, 0, errors)
        return out

    def summarize(self, name, form, charset="UTF-8"):
        return self.report(name, "summary", form, TRACE, charset)

    def test_reports(self):
        for name, patterns in LOCALES.items():
            with self.subTest(name):
                text = self.summarize(name, "text")
                for pattern in patterns:
                    self.assertRegex(text, pattern)
                wrong = r"\d\.\d\s%" if "," in patterns[1] else r"\d,\d\s%"
                self.assertIsNone(re.search(wrong, text), text)

    def test_machine_formats(self):
        plain = run("--print=summary", "--format=json", TRACE)[1]
        json.loads(plain)
        self.assertEqual(self.summarize("de_DE", "json"), plain)
        self.assertEqual(self.summarize("de_DE", "tsv"), run("--print=summary", "--format=tsv", TRACE)[1])
        for form in ("tsv", "json"):
            plain = run("--print=phases", "--format=" + form, RECORDING)[1]
            self.assertEqual(self.report("de_DE", "phases", form, RECORDING), plain)

    def test_other_charsets(self):
        """A decimal point and a separator outside of UTF-8 become UTF-8: French Latin-1 has a no-break space."""
        status = subprocess.run(["localedef", "--no-archive", "-i", "fr_FR", "-f", "ISO-8859-1",
                                 os.path.join(self.folder.name, "fr_FR.ISO-8859-1")], check=False).returncode
        self.assertLessEqual(status, 1)  # 1: warnings
        text = self.summarize("fr_FR", "text", "ISO-8859-1")
        self.assertRegex(text, r"\d,\d\u00a0%")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
