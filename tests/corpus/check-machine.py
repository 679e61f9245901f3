#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-machine.py PROFVIEW OBJDUMP BINARY...: all functions of binaries, as `objdump -d` disassembles them.

Prints for each binary how many functions and instructions there are, how many instructions have another address or other bytes,
how many are not known to Capstone, and how many have another text. --verbose lists them."""

import collections
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "cli"), os.path.join(HERE, "..", "ui")]
from objdump_code import Comparison, Elf, read_objdump, write_profile  # noqa: E402


def compare(profview, objdump, binary):
    elf = Elf(binary)
    functions = elf.functions()
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "p")
        write_profile(profile, os.path.abspath(binary), functions)
        out = subprocess.run([profview, "--print=annotate", "--by=address", "--function=.", "--limit=0", "--format=tsv", profile],
                             stdout=subprocess.PIPE, check=True).stdout.decode(errors="replace")
    rows = [line.split("\t") for line in out.splitlines()[1:]]
    theirs = read_objdump(objdump, binary, functions[0].start, max(function.end for function in functions))
    return Comparison(elf, functions, rows, theirs)


def main():
    is_verbose = "--verbose" in sys.argv
    profview, objdump, *binaries = [argument for argument in sys.argv[1:] if argument != "--verbose"]
    failures, kinds = 0, collections.Counter()
    print("functions  equal  instructions  wrong  unknown  other text  binary")
    for binary in binaries:
        result = compare(profview, objdump, binary)
        failures += len(result.wrong) > 0
        print(f"{result.n_functions:9} {result.equal_functions:6} {result.n_instructions:13} {len(result.wrong):6} "
              f"{len(result.unknown):8} {len(result.unlike):11}  {binary}", flush=True)
        for kind in ("wrong", "unknown", "unlike") if is_verbose else ():
            for difference in getattr(result, kind)[:40]:
                print(kind, difference.function, hex(difference.address), difference.ours, "|", difference.theirs)
        kinds.update(difference.theirs.split()[0] for difference in result.unknown)
    if kinds:
        print("not known:", ", ".join(f"{name} {n}" for name, n in kinds.most_common(30)))
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
