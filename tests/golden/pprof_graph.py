# SPDX-License-Identifier: GPL-3.0-or-later
"""Call graphs as Graphviz files: read those of pprof and of profview, and tell how they differ."""
import os
import re
import subprocess

from profview_commands import run_any

NODE = re.compile(r'^N(\d+) \[(.*)\]$')
EDGE = re.compile(r'^N(\d+) -> N(\d+) \[(.*)\]$')
ATTRIBUTE = re.compile(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))')
PPROF_FLAT = re.compile(r'(?:^|\\n)(-?[\d.]+(?:e[+-]\d+)?)\s?[a-zA-Z/*]* ?(?:\([^()]*\))?(?:(?:\\n| )of (-?[\d.]+(?:e[+-]\d+)?)\s?\S* ?\([^()]*\))?$')

# profview counts time in nanoseconds.
SCALES = {"microseconds": 1000, "milliseconds": 1000000, "seconds": 1000000000}


class Graph:
    """nodes: name -> (self, total); edges: (caller, callee) -> (amount, whether it is residual)."""

    def __init__(self):
        self.nodes, self.edges = {}, {}
        self.number = {}

    def add_node(self, number, name, flat, total):
        self.number[number] = name
        self.nodes[name] = (flat, total)

    def add_edge(self, caller, callee, amount, is_residual):
        if caller in self.number and callee in self.number:
            self.edges[self.number[caller], self.number[callee]] = (amount, is_residual)


    def rename(self, change):
        self.nodes = {change(name): amounts for name, amounts in self.nodes.items()}
        self.edges = {(change(caller), change(callee)): edge for (caller, callee), edge in self.edges.items()}


def is_unnamed(name):
    """Whether pprof knew only the module, or nothing."""
    return name == "<unknown>" or (name.startswith("[") and name.endswith("]"))


def attributes_of(text):
    return {name: quoted if quoted else bare for name, quoted, bare in ATTRIBUTE.findall(text)}


def unescape(text):
    """What is no UTF-8, and control characters, are written in different ways."""
    text = re.sub(r'[\t\ufffd]', " ", text)
    return re.sub(r'\\(["\\])', r'\1', text)


def read_lines(text):
    for line in text.splitlines():
        edge, node = EDGE.match(line), NODE.match(line)
        if edge:
            yield "edge", (edge[1], edge[2]), attributes_of(edge[3])
        elif node:
            yield "node", node[1], attributes_of(node[2])


def read_own(text):
    graph = Graph()
    for kind, key, found in read_lines(text):
        if kind == "node":
            graph.add_node(key, unescape(found["tooltip"]), int(found["self"]), int(found["total"]))
        else:
            graph.add_edge(*key, int(found["amount"]), found.get("style") == "dashed")
    return graph


def to_number(text):
    value = float(text)
    return int(value) if value == int(value) else value


def read_pprof(text, scale=1):
    """Amounts must be in the file's own unit: -unit; they are multiplied."""
    graph = Graph()
    for kind, key, found in read_lines(text):
        if kind == "node":
            name = unescape(found["tooltip"])
            name = name[:name.rindex(" (")]
            flat, total = PPROF_FLAT.search(found["label"]).groups()
            flat = to_number(flat) * scale
            graph.add_node(key, name, flat, to_number(total) * scale if total else flat)
        else:
            amount = re.match(r' (-?[\d.]+(?:e[+-]\d+)?)', found["label"])[1]
            graph.add_edge(*key, to_number(amount) * scale, found.get("style") == "dotted")
    return graph


def read_raw(path):
    return subprocess.run(["go", "tool", "pprof", "-raw", "-symbolize=none", path], capture_output=True, text=True,
                          errors="replace", check=True).stdout


def can_read(path):
    try:
        return "Samples:" in read_raw(path)
    except subprocess.CalledProcessError:
        return False


def has_negative(path):
    return re.search(r'^ *(\d+ +)*-\d[-\d ]*:', read_raw(path), re.M) is not None


def list_measures(path):
    """(name, unit) of each, as pprof says."""
    raw = read_raw(path)
    line = re.search(r'^Samples:\n(.*)$', raw, re.M)[1]
    return [tuple(word.replace("[dflt]", "").split("/", 1)) for word in line.split()]


def run_pprof(path, measure, *options):
    # Boxes of labels count as nodes in pprof; profview draws none.
    words = ["go", "tool", "pprof", "-dot", "-symbolize=none", "-taghide=.", "-sample_index=" + measure[0],
             "-unit=" + measure[1], *options, path]
    text = subprocess.run(words, capture_output=True, text=True, errors="replace", check=True).stdout
    return read_pprof(text, SCALES.get(measure[1], 1))


def write_own(words):
    """profview writes a file."""
    status, out, errors = run_any(words, dict(os.environ))
    if status != 0:
        raise subprocess.CalledProcessError(status, words, out, errors)


def run_own(profview, path, measure, out, *options):
    words = [profview, "--export=" + out, "--measure=" + measure[0], "--show-allocators", *options, path]
    write_own(words)
    with open(out, encoding="utf-8") as text:
        return read_own(text.read())


def compare(own, pprof):
    """What is not the same: a list of lines."""
    lines = []
    for name in sorted(own.nodes.keys() | pprof.nodes.keys()):
        if own.nodes.get(name) != pprof.nodes.get(name):
            lines.append("node %s: %s, pprof: %s" % (name, own.nodes.get(name), pprof.nodes.get(name)))
    for pair in sorted(own.edges.keys() | pprof.edges.keys()):
        if own.edges.get(pair) != pprof.edges.get(pair):
            lines.append("edge %s -> %s: %s, pprof: %s" % (*pair, own.edges.get(pair), pprof.edges.get(pair)))
    return lines
