#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-inlines.py [--count=N] [--seed=S] [--reference=eu-addr2line|llvm-symbolizer] [--alone] DUMP-INLINES BINARY

Holds our chains of inlined calls (functions, files, lines) at random code addresses of BINARY against another tool's.
Exit status 1 if there is a difference that is not one of the known ones below, or if the tool is not installed.

Known differences, counted and listed with --verbose:
  no unit   eu-addr2line finds units by .debug_aranges, which clang does not write, and prints the ELF symbol alone.
            It must be our outermost function.
  scope     eu-addr2line looks for functions and calls only below DIEs that have addresses, so it finds none inside
            namespaces, classes and blocks without (clang, rustc, gcc before DWARF 4), and prints the ELF symbol or fewer
            frames. Our first line must be its first line.
  padding   Between functions eu-addr2line prints what is left of the chain before; there is no function there.
  line 0    Where the compiler says line 0, a tool may give the file or nothing.
With llvm-symbolizer installed it is asked for a second opinion, and a difference is only known if it agrees with us
(its outermost name is the ELF symbol's and is not compared).
"""
import argparse
import os
import posixpath
import random
import re
import shutil
import subprocess
import sys


def code_sections(binary):
    """(start, size) of executable sections."""
    out = subprocess.run(["readelf", "-SW", binary], capture_output=True, text=True, check=True).stdout
    found = []
    for line in out.splitlines():
        m = re.match(r"\s*\[\s*\d+\]\s+(\S+)\s+PROGBITS\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)\s+\S+\s+(\S*X\S*)\s", line)
        if m and not m.group(1).startswith(".plt") and int(m.group(3), 16) > 0:
            found.append((int(m.group(2), 16), int(m.group(3), 16)))
    return found


def pick(binary, count, seed):
    rng = random.Random(seed)
    sections = code_sections(binary)
    weights = [size for _, size in sections]
    picked = set()
    for _ in range(count * 2):
        start, size = rng.choices(sections, weights)[0]
        picked.add(start + rng.randrange(size))
        if len(picked) == count:
            break
    return sorted(picked)


def path_of(text):
    if not text or text.startswith("??"):
        return "??"
    return posixpath.normpath(text)


def location(text):
    """("file", line) of file:line[:column]."""
    m = re.match(r"(.*?):(\d+|\?)(?::(\d+|\?))?(?: \(.*\))?$", text)
    if not m:
        return ("??", 0)
    return (path_of(m.group(1)), int(m.group(2)) if m.group(2) != "?" else 0)


def ours(dump, binary, addresses, extra):
    text = "".join("%x\n" % a for a in addresses)
    out = subprocess.run([dump, *extra, binary], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout
    chains = {}
    for line in out.decode(errors="replace").splitlines():
        addr, _, name, file, number, _, _ = line.split("\t")
        chains.setdefault(int(addr, 16), []).append((name, path_of(file), int(number)))
    return chains


def eu_addr2line(binary, addresses):
    text = "".join("0x%x\n" % a for a in addresses)
    # Without the server list it does not go to the network for missing files.
    env = dict(os.environ, DEBUGINFOD_URLS="")
    out = subprocess.run(["eu-addr2line", "-a", "-f", "-i", "-e", binary], input=text.encode(), capture_output=True,
                         env=env).stdout.decode(errors="replace")
    chains, current, name = {}, None, None
    for line in out.splitlines():
        if re.fullmatch(r"0x[0-9a-f]{8,16}", line):
            current, name = chains.setdefault(int(line, 16), []), None
        elif name is None:
            name = line.split(" inlined at ")[0]
        else:
            current.append((name, *location(line)))
            name = None
    return chains


def llvm_symbolizer(binary, addresses):
    text = "".join("0x%x\n" % a for a in addresses)
    out = subprocess.run(["llvm-symbolizer", "--no-demangle", "--functions=linkage", "--inlines", "--obj=" + binary],
                         input=text.encode(), capture_output=True).stdout.decode(errors="replace")
    chains = {}
    for address, block in zip(addresses, out.split("\n\n")):
        lines = block.strip("\n").split("\n")
        chains[address] = [(lines[i], *location(lines[i + 1])) for i in range(0, len(lines) - 1, 2)]
    return chains


REFERENCES = {"eu-addr2line": eu_addr2line, "llvm-symbolizer": llvm_symbolizer}


def same_name(our, their):
    """Theirs has no qualification where there is no linkage name."""
    if our == their or our.endswith("::" + their):
        return True
    return our == "??" or their == "??"


def same_locations(ours, theirs):
    """A tool may name the file or not where the compiler says line 0."""
    return all(a[1:] == b[1:] or (a[2] == 0 and b[2] == 0) for a, b in zip(ours, theirs))


def agrees(our, second):
    """Whether the second opinion is ours."""
    return (len(our) == len(second) and same_locations(our, second)
            and all(same_name(a[0], b[0]) for a, b in zip(our[:-1], second[:-1])))


def is_symbol_of(symbol, name):
    """An ELF symbol (mangled, or a clone) of a function that has no linkage name."""
    base = re.split(r"[<(]", name)[0].split("::")[-1]
    return same_name(name, symbol) or symbol.split(".")[0] == name or base in symbol


def judge(our, their):
    """None if equal, else (kind, may be known)."""
    if len(our) == len(their) and all(same_name(a[0], b[0]) for a, b in zip(our, their)):
        if all(a[1:] == b[1:] for a, b in zip(our, their)):
            return None
        if same_locations(our, their):
            return ("line 0", True)
    if len(their) == 1 and their[0][1] == "??":
        return ("no unit", is_symbol_of(their[0][0], our[-1][0]))
    if our[0][0] == "??" and their[0][0] == "??" and len(our) == 1:
        return ("padding", our[0][1:] == their[0][1:])
    if len(our) != len(their):
        return ("scope", our[0][1:] == their[0][1:])
    return ("names" if same_locations(our, their) else "lines", False)


def show(address, our, their):
    print("  0x%x" % address)
    for who, chain in (("ours", our), ("theirs", their)):
        for name, file, line in chain:
            print("    %-6s %s  %s:%d" % (who, name[:100], file, line))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reference", choices=sorted(REFERENCES), default="eu-addr2line")
    parser.add_argument("--show", type=int, default=10, help="differences to print of each kind")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--alone", action="store_true", help="ask for no second opinion")
    parser.add_argument("--debug", help="separate debug file")
    parser.add_argument("--alternate", help="supplementary file")
    parser.add_argument("dump")
    parser.add_argument("binary")
    args = parser.parse_args()
    if shutil.which(args.reference) is None:
        sys.exit(args.reference + " is not installed")
    addresses = pick(args.binary, args.count, args.seed)
    extra = [o + "=" + v for o, v in (("--debug", args.debug), ("--alternate", args.alternate)) if v]
    our_chains = ours(args.dump, args.binary, addresses, extra)
    their_chains = REFERENCES[args.reference](args.binary, addresses)
    is_llvm = args.reference == "llvm-symbolizer"
    second = {}
    if not is_llvm and not args.alone and shutil.which("llvm-symbolizer") is not None:
        second = llvm_symbolizer(args.binary, addresses)
    counts, n_frames, is_bad = {}, 0, False
    for address in addresses:
        our, their = our_chains[address], their_chains.get(address, [])
        n_frames += len(our)
        # Neither knows more than an ELF symbol.
        if not their or (our[0][1] == "??" and len(our) == 1 and their[0][1] == "??" and len(their) == 1):
            continue
        if is_llvm and agrees(our, their):
            continue
        difference = judge(our, their)
        if difference is None:
            continue
        kind, is_known = difference
        if second:
            # It goes by the ELF symbol too where there is no function.
            is_known = agrees(our, second[address])
        is_bad |= not is_known
        difference = (kind, is_known)
        counts[difference] = counts.get(difference, 0) + 1
        if counts[difference] <= args.show and (args.verbose or not is_known):
            print(kind, "(known)" if is_known else "")
            show(address, our, their)
            if second and not is_known:
                show(address, [], second[address])
    summary = ", ".join("%d %s%s" % (n, kind, " (known)" if known else "") for (kind, known), n in sorted(counts.items()))
    print("%s: %d addresses, %d frames: %s" % (args.binary, len(addresses), n_frames, summary or "no difference"))
    return 1 if is_bad else 0


if __name__ == "__main__":
    sys.exit(main())
