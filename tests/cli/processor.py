# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of processor time that mean the same on every machine, however slow it is and whoever else uses it."""

import mmap
import time

# What work () takes where the limits of tests were set.
WORK_SECONDS = 1.0


def work():
    """Processor seconds of a fixed piece of work of the kind that large files ask for: new pages, a large hash map."""
    start = time.process_time()
    with mmap.mmap(-1, 128 << 20) as memory:
        for at in range(0, len(memory), mmap.PAGESIZE):
            memory[at] = 1
    seen = {}
    for i in range(1000000):
        seen[i * 2654435761 & 0xffffff] = i
    return time.process_time() - start


def is_within(seconds, limit_seconds):
    """Whether a command took no longer than it may, or a machine that now takes longer for work () explains it."""
    return seconds <= limit_seconds or seconds <= limit_seconds * work() / WORK_SECONDS
