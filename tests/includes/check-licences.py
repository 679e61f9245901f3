#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-licences.py SOURCE: fails on a source without an SPDX line."""
import os
import sys

WANTED = b"SPDX-License-Identifier: GPL-3.0-or-later"
ENDINGS = (".c", ".h", ".cpp", ".py", ".sh", ".ui", ".css", ".c.in", ".go", ".rs")


def main():
    n_files, missing = 0, []
    for top in ("src", "tests"):
        for folder, folders, names in os.walk(os.path.join(sys.argv[1], top)):
            folders[:] = [name for name in folders if name not in ("__pycache__", "corpus")]
            for name in names:
                path = os.path.join(folder, name)
                if not name.endswith(ENDINGS) or os.path.islink(path):
                    continue
                n_files += 1
                with open(path, "rb") as file:
                    if WANTED not in file.read():
                        missing.append(path)
    print("\n".join(missing))
    print("%d sources, %d without a licence" % (n_files, len(missing)))
    return 1 if missing or n_files == 0 else 0


sys.exit(main())
