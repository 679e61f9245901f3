#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-symbols.py NM LIBRARY FORBIDDEN...: fails if a static library asks for a symbol that starts with one of the
forbidden prefixes. That a wrong call would also fail to link is no help in a program that links everything."""
import subprocess
import sys


def main():
    nm, library, *forbidden = sys.argv[1:]
    listing = subprocess.run([nm, "-A", "--undefined-only", library], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True, check=True)
    n_symbols, found = 0, []
    for line in listing.stdout.splitlines():
        *_, name = line.split()
        n_symbols += 1
        if name.startswith(tuple(forbidden)):
            found.append(line)
    for line in found:
        print("must not be used here: " + line)
    print("%d symbols asked for, %d of them forbidden" % (n_symbols, len(found)))
    return 1 if found or n_symbols == 0 else 0


sys.exit(main())
