#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""--print=annotate --by=address: the instructions of functions and what they cost. Whole functions are held against
`objdump -d`, costs against sums made here.

    test-machine.py PROFVIEW DATA
"""

import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import good, rows, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ui"))
from objdump_code import Comparison, Elf, read_objdump, write_profile  # noqa: E402

DATA = sys.argv[2]
SYSROOT = os.path.join(DATA, "sysroot")
BY_ADDRESS = ("--print=annotate", "--by=address")
TITLES = ["self", "total", "function", "module", "symbol", "address", "bytes", "instruction", "inlined", "file", "line", "source"]


class Machine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def compare(self, binary, objdump):
        elf = Elf(binary)
        functions = elf.functions()
        write_profile(self.path("p"), binary, functions)
        title, found = rows(*BY_ADDRESS, "--function=.", "--limit=0", self.path("p"))
        self.assertEqual(title, TITLES)
        theirs = read_objdump(objdump, binary, functions[0].start, max(function.end for function in functions))
        result = Comparison(elf, functions, found, theirs)
        self.assertEqual((result.wrong, result.unlike, result.unknown), ([], [], []))
        self.assertEqual(result.equal_functions, len(functions))
        return result

    def test_whole_functions_x86_64(self):
        n_instructions = 0
        for name in ("calls", "heap", "inlining", "recursion", "signals", "threads", "mill", "clock"):
            n_instructions += self.compare(os.path.abspath(os.path.join(SYSROOT, "opt/samples/bin", name)),
                                           "objdump").n_instructions
        self.assertGreater(n_instructions, 3000)

    @unittest.skipUnless(shutil.which("aarch64-linux-gnu-objdump"), "needs binutils of AArch64")
    def test_whole_functions_aarch64(self):
        self.compare(os.path.abspath(os.path.join(DATA, "aarch64/pauth")), "aarch64-linux-gnu-objdump")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
