# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of functions without what tools write differently."""
import re


def undecorated(name):
    """Without parameters, template arguments, return type and suffixes of clones."""
    name = name.replace("(anonymous namespace)", "{anonymous}")
    name = re.sub(r"operator ?(\(\)|<<|>>|<=>|<|>|->)", "operator", name)
    depth, kept = 0, []
    for char in name:
        if char in "<(":
            depth += 1
        elif char in ">)" and depth > 0:
            depth -= 1
        elif depth == 0:
            kept.append(char)
    name = "".join(kept)
    name = re.sub(r"\[(abi|clone)[^]]*\]", "", name)
    name = re.sub(r"(\.(part|isra|constprop|cold|lto_priv)(\.\d+)*)+", "", name)
    name = name.replace(" const", "").strip()
    # A template function's symbol begins with its return type.
    return name if "operator" in name or "lambda" in name else name.split(" ")[-1]
