# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of functions as heaptrack and profview write them, made comparable."""
import os
import re
import subprocess

from names import undecorated
from symbol_lists import list_symbols

RUST_ESCAPES = {"LT": "<", "GT": ">", "LP": "(", "RP": ")", "C": ",", "RF": "&", "BP": "*", "SP": "@"}


def decode_rust(name):
    """A name of Rust's older scheme, demangled as if it were C++."""
    def decode(match):
        word = match.group(1)
        return chr(int(word[1:], 16)) if word[0] == "u" else RUST_ESCAPES[word]

    name = re.sub(r"::h[0-9a-f]{16}$", "", name)
    name = re.sub(r"(^|::)_\$", r"\1$", name)
    return re.sub(r"\$(LT|GT|LP|RP|C|RF|BP|SP|u[0-9a-f]+)\$", decode, name).replace("..", "::")


def demangled(names):
    """{name: name}: heaptrack leaves Rust's names as they are, or half of them."""
    mangled = sorted(name for name in names if re.match("_R[A-Za-z]|_ZN", name))
    text = ""
    if mangled:
        text = subprocess.run(["c++filt"], input="\n".join(mangled), stdout=subprocess.PIPE, check=True, text=True).stdout
    result = dict(zip(mangled, re.sub(r"\[[0-9a-f]{8,16}\]", "", text).splitlines()))
    result.update((name, decode_rust(name)) for name in names if re.search(r"::h[0-9a-f]{16}$", name))
    return result


def without_return_type(name):
    """A template function's symbol begins with its return type, which profview leaves out, as it does libc's __GI_."""
    depth, start, i = 0, 0, 0
    while i < len(name):
        if name.startswith("operator", i):
            break
        if name[i] in "<[{" or (name[i] == "(" and (depth or name.startswith("(anonymous", i))):
            depth += 1
        elif name[i] == "(":
            break
        elif name[i] in ">]})" and depth:
            depth -= 1
        elif name[i] == " " and depth == 0:
            start = i + 1
        i += 1
    return name[start:] if i < len(name) else name


def plain(name):
    """One spelling of a function for names that two programs found: no parameters, template arguments, clone suffix, and
    none of the prefixes that libc gives its aliases."""
    name = undecorated(re.sub(r"\.llvm\.\d+", "", name.split("@")[0].removeprefix("__GI_")))
    return name.split("::")[-1].lstrip("_")


def aliases_of(sysroot, modules):
    """{name: one name for all C functions at an address}, from the symbols of the modules and of their debug files."""
    parent = {}

    def find(name):
        while parent.get(name, name) != name:
            name = parent[name]
        return name

    for module in modules:
        file = next((name for name in (sysroot + module, module) if os.path.exists(name)), None)
        if file is None:
            continue
        notes = subprocess.run(["readelf", "-nW", file], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                               text=True).stdout
        build_id = re.search(r"Build ID: ([0-9a-f]+)", notes)
        debug = build_id and "/usr/lib/debug/.build-id/%s/%s.debug" % (build_id[1][:2], build_id[1][2:])
        first = {}
        for words in ([file], ["-D", file], [sysroot + (debug or "")]):
            for address, name in re.findall(r"^([0-9a-f]+) [tTwWiI] ([A-Za-z_]\w*)(?:@.*)?$", list_symbols(*words), re.M):
                if not name.startswith(("_Z", "_R")):
                    name = plain(name)
                    parent[find(name)] = find(first.setdefault(address, name))
    return {name: find(name) for name in parent}
