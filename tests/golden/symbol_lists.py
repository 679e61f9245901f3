# SPDX-License-Identifier: GPL-3.0-or-later
"""What nm says of a file. It takes longer than most tests, which ask it about the same files: what it said is kept in the build
folder for as long as the file stays as it is."""
import fcntl
import hashlib
import os
import subprocess


def list_symbols(*words):
    """The output of nm --defined-only; the last word is the file."""
    folder = os.environ.get("PV_BUILD") and os.path.join(os.environ["PV_BUILD"], "tests", "golden", "symbol-lists")
    if not folder:
        return ask(words)
    status = os.stat(words[-1]) if os.path.exists(words[-1]) else None
    key = repr((words, status and (status.st_mtime_ns, status.st_size, status.st_ino)))
    kept = os.path.join(folder, hashlib.sha256(key.encode()).hexdigest())
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "lock"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # others are about to ask the same
        if not os.path.exists(kept):
            with open(kept + ".part", "w", encoding="utf-8") as file:
                file.write(ask(words))
            os.rename(kept + ".part", kept)
    with open(kept, encoding="utf-8") as file:
        return file.read()


def ask(words):
    return subprocess.run(["nm", "--defined-only", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                          text=True, errors="replace").stdout
