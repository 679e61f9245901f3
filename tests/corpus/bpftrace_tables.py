# SPDX-License-Identifier: GPL-3.0-or-later
"""Another reading of what bpftrace counts by something else than stacks: by regular expressions over the whole text."""
import json
import re

LINE = r"^ *[\[(][^\n|]*\|[^\n]*\|\s*$"
ENTRY = re.compile(r"^(@\w*)(?:\[([^\n]*)\])?:(?: (-?\d+)| count (\d+), average -?\d+, total (-?\d+)| *\n((?:%s\n?)+))$" % LINE[1:-1],
                   re.MULTILINE)
BUCKET = re.compile(r"^ *[\[(](\S+?)(?:, (\S+?))?([\])]) +(\d+) \|", re.MULTILINE)


def limit(text):
    factor = 1024 ** (" KMGTPE".index(text[-1])) if text[-1] in "KMGTPE" else 1
    return int(text.rstrip("KMGTPE")) * factor


def buckets_of(block):
    for low, high, end, count in BUCKET.findall(block):
        first = "" if low == "..." else str(limit(low))
        if not high:
            last = first
        else:
            last = "" if high == "..." else str(limit(high) - (end == ")"))
        yield first, last, count


def read_text(text):
    """Rows of --print=distributions as a set: map, kind, key, first, last, count, value. Of maps that are printed once."""
    rows = set()
    for name, key, number, count, total, block in ENTRY.findall(text):
        if block:
            rows.update((name, "histogram", key, *bucket, "") for bucket in buckets_of(block))
        elif number:
            rows.add((name, "numbers", key, "", "", "", number))
        else:
            rows.add((name, "stats", key, "", "", count, total))
    return rows


def read_json(text):
    """The same of JSON, for maps whose keys are no stacks."""
    rows = set()
    for line in text.splitlines():
        content = json.loads(line)
        if content["type"] not in ("map", "hist", "stats"):
            continue
        for name, values in content["data"].items():
            is_keyed = isinstance(values, dict)
            for key, value in values.items() if is_keyed else [("", values)]:
                if key.startswith("\n"):
                    continue
                if isinstance(value, list):
                    rows.update((name, "histogram", key, str(bucket.get("min", "")), str(bucket.get("max", "")), str(bucket["count"]), "")
                                for bucket in value)
                elif isinstance(value, dict):
                    rows.add((name, "stats", key, "", "", str(value["count"]), str(value["total"])))
                else:
                    rows.add((name, "numbers", key, "", "", "", str(value)))
    return rows
