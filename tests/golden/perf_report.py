# SPDX-License-Identifier: GPL-3.0-or-later
"""What perf itself says of a recording; for the comparisons beside this file."""
import collections
import os
import re
import subprocess

import profview_commands

ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", PERF_CONFIG="/dev/null", DEBUGINFOD_URLS="")
REPORT = ("report", "--stdio", "--no-inline", "-g", "none", "--no-children", "--no-branch-stack", "--field-separator=|", "-f")


def own(program, *arguments):
    """profview's words, in the same environment."""
    status, out, errors = profview_commands.run_any([program, *arguments], ENVIRONMENT)
    if status != 0:
        raise subprocess.CalledProcessError(status, [program, *arguments], out, errors)
    return out.decode()


def perf(*arguments):
    return subprocess.run(["perf", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                          env=ENVIRONMENT, check=False).stdout.decode("utf-8", "replace")


def perf_and_errors(*arguments):
    """perf trace writes to either."""
    return subprocess.run(["perf", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          env=ENVIRONMENT, check=False).stdout.decode("utf-8", "replace")


def read_report(text):
    """{event: {last column: period}}"""
    sections, current = {}, None
    for line in text.splitlines():
        match = re.match(r"# Samples: .* of event '([^']*)'", line)
        if match:
            current = sections.setdefault(match.group(1), collections.Counter())
        elif current is not None and "|" in line and not line.startswith("#"):
            period, _, *rest = [cell.strip() for cell in line.split("|")]
            current[rest[-1] if rest else ""] += int(period)
    return sections


def totals(path, *options):
    """{event: period}"""
    report = read_report(perf(*REPORT, "-F", "period,sample", "--sort=pid", *options, "-i", path))
    return {event: sum(rows.values()) for event, rows in report.items()}


def thread_totals(path, *options):
    """{event: {tid: period}}: perf's key "pid" has a row for each thread and name."""
    threads = {}
    for event, rows in read_report(perf(*REPORT, "-F", "period,sample,pid", "--sort=pid", *options, "-i", path)).items():
        threads[event] = collections.Counter()
        for key, period in rows.items():
            threads[event][int(key.split(":")[0])] += period
    return threads


def read_samples(path):
    """(pid, tid, comm, cpu or None, time in ns) of all"""
    for fields in ("comm,pid,tid,cpu,time", "comm,pid,tid,time"):
        samples = []
        for line in perf("script", "--ns", "-f", "-F", fields, "-i", path).splitlines():
            match = re.match(r"\s*(.*?)\s+(-?\d+)/(-?\d+)\s+(?:\[(\d+)\]\s+)?(\d+)\.(\d{9}):", line)
            if match:
                comm, pid, tid, cpu, seconds, ns = match.groups()
                samples.append((int(pid), int(tid), comm, None if cpu is None else int(cpu), int(seconds) * 10**9 + int(ns)))
        if samples:
            return samples
    return []


def time_option(begin_ns, end_ns):
    """perf includes both ends."""
    return "--time=%d.%09d,%d.%09d" % (*divmod(begin_ns, 10**9), *divmod(end_ns, 10**9))
