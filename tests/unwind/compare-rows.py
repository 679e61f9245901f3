#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-rows.py DUMP_ROWS [FILE...]

Holds our unwind tables against readelf --debug-dump=frames-interp, row by row: at the start and at
the last byte of each row, and right behind each function. DUMP_ROWS is the test program
tests/unwind/dump-rows.c. Without files: the libraries this interpreter has loaded, and a few of
another processor if their compiler is installed.
"""

import os
import re
import subprocess
import sys

FOREIGN = ["/usr/aarch64-linux-gnu/lib/libc.so.6", "/usr/aarch64-linux-gnu/lib/libm.so.6",
           "/usr/aarch64-linux-gnu/lib/libgcc_s.so.1"]
X86_64 = ["rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp"]


def register_number(name):
    if name in X86_64:
        return X86_64.index(name)
    if name == "sp":
        return 31
    return int(name.lstrip("rx"))


def read_rows(path):
    """Rows (start, end, (CFA, frame pointer rule, return address rule)), rules None right behind
    a function; and where functions start. Functions with the CIE's rules alone have no rows."""
    output = subprocess.run(["readelf", "-W", "--debug-dump=frames-interp", path],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    starts, all_rows = set(), []
    columns, rows, end = None, [], None

    def finish():
        for (start, *rules), following in zip(rows, [row[0] for row in rows[1:]] + [end]):
            if following > start:
                all_rows.append((start, following, rules))
        if rows:
            all_rows.append((end, end + 1, None))

    for line in output.decode().split("\n") + [""]:
        match = re.search(r" FDE .*pc=([0-9a-f]+)\.\.([0-9a-f]+)", line)
        if match or " CIE " in line or line.startswith("Contents of"):
            if end is not None:
                finish()
            rows, columns = [], None
            end = int(match[2], 16) if match else None
            if match:
                starts.add(int(match[1], 16))
            if match and int(match[1], 16) == end:
                end = None
        elif line.lstrip().startswith("LOC "):
            columns = line.split()
        elif "ZERO terminator" in line:
            continue
        elif columns and end is not None and re.match(r"[0-9a-f]{8,} ", line):
            cells = dict(zip(columns, (cell for cell in line.split() if cell[0] != "(")))
            frame_pointer = cells.get("rbp", cells.get("x29", "u"))
            rows.append((int(cells["LOC"], 16), cells["CFA"], frame_pointer, cells.get("ra", "u")))
    if end is not None:
        finish()
    return all_rows, starts


def normalise_cfa(text):
    match = re.match(r"(\w+)([+-]\d+)$", text)
    return f"r{register_number(match[1])}{match[2]}" if match else "exp"


def is_same(rules, ours, starts, address):
    if rules is None:  # behind a function: nothing, unless the next one starts there
        return ours[1:] == ["none"] or address in starts
    cfa, frame_pointer, return_address = rules
    if ours[1] == "root":
        return return_address == "u"
    if len(ours) != 4:
        return False
    same_pointer = ours[2] == frame_pointer or (frame_pointer == "u" and ours[2] in "su")
    same_return = ours[3] == return_address or (return_address == "u" and ours[3][0] in "sur")
    return ours[1] == normalise_cfa(cfa) and same_pointer and same_return


def compare(program, path):
    rows, starts = read_rows(path)
    questions = [(address, rules) for start, end, rules in rows for address in {start, end - 1}]
    asked = "".join(f"{address:x}\n" for address, _ in questions)
    answers = subprocess.run([program, path], input=asked.encode(), stdout=subprocess.PIPE,
                             check=True).stdout.decode().split("\n")
    wrong, full = [], 0
    for (address, rules), answer in zip(questions, answers):
        ours = answer.split()[1:]
        full += ours[0] == "full"
        if not is_same(rules, ours, starts, address):
            wrong.append(f"  {address:x}: readelf {rules}, ours {ours}")
    print(f"{path}: {len(questions)} places, {full} of them rare rules, {len(wrong)} wrong")
    for line in wrong[:10]:
        print(line)
    return not wrong and len(questions) > 0


def loaded_libraries():
    with open("/proc/self/maps") as maps:
        paths = {line.split(None, 5)[-1].strip() for line in maps if "r-xp" in line}
    return sorted(path for path in paths if ".so" in path and path.startswith("/"))


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    files = arguments[1:]
    if not files:
        files = loaded_libraries() + [path for path in FOREIGN if os.path.exists(path)]
    results = [compare(arguments[0], path) for path in files]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main(sys.argv[1:])
