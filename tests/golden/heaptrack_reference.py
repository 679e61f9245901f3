# SPDX-License-Identifier: GPL-3.0-or-later
"""A heaptrack file, raw or interpreted, replayed event by event: an independent reference for what profview says of it.

Slow and plain on purpose. All events are kept, and every question about a range of time is answered by walking over them.
A free of an unknown pointer changes nothing but that no temporary allocation spans it; an allocation at a pointer that
is still known replaces it, and the old block stays for ever. A half line at the end of a cut file is no line.

As a program: heaptrack_reference.py FILE [START_MS END_MS] prints the totals, and the sites that weigh most."""
import array
import bisect
import collections
import re
import subprocess
import sys

OPERATOR_NEW = {"operator new(unsigned long)", "operator new[](unsigned long)", "operator new(unsigned int)",
                "operator new[](unsigned int)"}
BUILT_IN_SUPPRESSIONS = ["__nss_module_allocate", "__gconv_read_conf", "__new_exitfn", "tzset_internal",
                         "dl_open_worker", "g_main_context_new", "g_thread_self"]

Frame = collections.namedtuple("Frame", "function file line")
Site = collections.namedtuple("Site", "module function file line address")


def lines_of(path):
    """The whole lines of a file, compressed or not, up to where it is damaged."""
    with open(path, "rb") as file:
        magic = file.read(4)
    command = {b"\x28\xb5\x2f\xfd": ["zstd", "-dcq"], b"\x1f\x8b": ["gzip", "-dcq"]}
    words = command.get(magic) or command.get(magic[:2]) or ["cat"]
    with subprocess.Popen([*words, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=1 << 20) as process:
        for line in process.stdout:
            if line.endswith(b"\n"):
                yield line[:-1]


def sized(text, version):
    """The string at the start of the fields, and the fields behind it."""
    if version < 3:
        name, _, rest = text.partition(b" ")
        return name, rest
    length, _, rest = text.partition(b" ")
    n = int(length, 16)
    return rest[:n], rest[n + 1:]


def template_match(pattern, text):
    """LeakSanitizer's: a part of the text; ^ and $ anchor, * is anything. The empty text matches nothing."""
    if not text:
        return False
    is_anchored = pattern.startswith("^")
    is_free = not is_anchored
    at, i = 0, 1 if is_anchored else 0
    after_star = False
    while i < len(pattern):
        if pattern[i] == "*":
            is_free, after_star, i = True, True, i + 1
            continue
        if pattern[i] == "$":
            return at == len(text) or after_star
        if at == len(text):
            return False
        end = min((k for k in (pattern.find("*", i), pattern.find("$", i)) if k >= 0), default=len(pattern))
        part = pattern[i:end]
        found = text.find(part, at)
        if found < 0 or (not is_free and found != at):
            return False
        at, i = found + len(part), end
        is_free, after_star = True, False
    return True


class Figures:
    """What happened within a range of time: totals, and the same per site (by trace)."""

    def __init__(self, n_traces):
        self.allocations = [0] * n_traces
        self.temporary = [0] * n_traces
        self.allocated = [0] * n_traces
        self.live = [0] * n_traces  # bytes at the end
        self.growth = [0] * n_traces
        self.at_peak = [0] * n_traces
        self.lifetime = [0] * n_traces  # bytes times the milliseconds within the range that they were held
        self.blocks = [0] * n_traces  # at the end
        self.peak = self.peak_ms = self.n_allocations = self.n_temporary = self.leaked = 0
        self.peak_event = 0


class Trace:
    def __init__(self, path):
        self.strings, self.ips, self.nodes = [""], [None], [(0, 0)]
        self.command, self.suppressions, self.is_raw, self.is_attached = "", [], False, False
        self.suppressions_of_peer = []  # heaptrack does not understand those that it writes with a length
        self.page_bytes, self.peak_rss_pages, self.last_ms, self.version = 0, 0, 0, 0
        # Kinds of blocks, by size and trace; an event is the number of a kind plus one, negative when freed.
        self.size_of_kind, self.trace_of_kind = [], []
        self.events = array.array("q")
        # Per event: 1, the free of a temporary allocation; 2, one as heaptrack_print counts it.
        self.temporary = bytearray()
        self.module_of_node = [("", 0)]  # raw: name and bias, by the list of modules when the node came
        self.stamps = []  # (events before, ms)
        self.rss = []  # (ms, pages)
        self.n_unknown_frees = self.n_lost_blocks = 0
        self._read(path)

    def _read(self, path):
        kinds, blocks, last = {}, {}, None
        program, parts, is_sorted = "", [], True  # (start, end, (name, bias)) of what is loaded
        last_kind = 0  # heaptrack_print's: 0 is both a kind and none
        events, temporary = self.events, self.temporary
        number = lambda word: int(word, 16)

        def allocate(kind):
            events.append(kind + 1)
            temporary.append(0)

        def free(kind, is_temporary):
            nonlocal last_kind
            events.append(-kind - 1)
            # Files of version 0 have pointers for it, too.
            is_of_print = is_temporary if self.version == 0 and not self.is_raw else kind == last_kind
            temporary.append((1 if is_temporary else 0) | (2 if is_of_print else 0))
            last_kind = 0

        def kind_of(size, trace):
            kind = kinds.get((size, trace))
            if kind is None:
                kind = kinds[size, trace] = len(self.size_of_kind)
                self.size_of_kind.append(size)
                self.trace_of_kind.append(trace)
            return kind

        for line in lines_of(path):
            mode = line[:1]
            if mode == b"+":
                words = line.split()
                if len(words) >= 4:  # raw, or version 0
                    kind, pointer = kind_of(number(words[1]), number(words[2])), number(words[3])
                    self.n_lost_blocks += pointer in blocks
                    blocks[pointer] = kind
                    last = pointer
                else:
                    kind = number(words[1])
                    if kind >= len(self.size_of_kind):
                        continue
                    last = kind
                allocate(kind)
                last_kind = kind
            elif mode == b"-":
                what = number(line[2:])
                if self.is_raw or self.version == 0:
                    is_temporary, last = last == what, None
                    block = blocks.pop(what, None)
                    if block is None:
                        self.n_unknown_frees += 1
                        continue
                    free(block, is_temporary)
                elif what < len(self.size_of_kind):
                    is_temporary, last = last == what, None
                    free(what, is_temporary)
            elif mode == b"c":
                self.last_ms = max(self.last_ms, number(line[2:]))
                self.stamps.append((len(events), self.last_ms))
            elif mode == b"R":
                pages = number(line[2:])
                self.rss.append((self.last_ms, pages))
                self.peak_rss_pages = max(self.peak_rss_pages, pages)
            elif mode == b"t":
                words = line.split()
                self.nodes.append((number(words[1]), number(words[2])))
                if self.is_raw:
                    if not is_sorted:
                        parts.sort()
                        is_sorted = True
                    at = bisect.bisect_right(parts, (self.nodes[-1][0], 1 << 64)) - 1
                    is_inside = at >= 0 and self.nodes[-1][0] < parts[at][1]
                    self.module_of_node.append(parts[at][2] if is_inside else ("", 0))
            elif mode == b"a":
                words = line.split()
                self.size_of_kind.append(number(words[1]))
                self.trace_of_kind.append(number(words[2]))
            elif mode == b"i":
                self.ips.append([number(word) for word in line.split()[1:]])
            elif mode == b"s":
                text = line[2:] if self.version < 3 else sized(line[2:], self.version)[0]
                self.strings.append(text.decode("utf-8", "surrogateescape"))
            elif mode == b"v":
                words = line.split()
                program = number(words[1])
                self.version = number(words[2]) if len(words) > 2 else 1 if program == 0x10200 else 0
            elif mode == b"x":
                self.is_raw = True
                program = sized(line[2:], self.version)[0].decode("utf-8", "surrogateescape")
            elif mode == b"m":
                name, fields = sized(line[2:], self.version)
                values = [number(word) for word in fields.split()]
                if name == b"-":
                    parts = []
                name = program if name == b"x" else name.decode("utf-8", "surrogateescape")
                for offset, size in zip(values[1::2], values[2::2]):
                    parts.append((values[0] + offset, values[0] + offset + size, (name, values[0])))
                is_sorted = False
            elif mode == b"X":
                self.command = line[2:].decode("utf-8", "surrogateescape")
            elif mode == b"A":
                self.is_attached = True
            elif mode == b"I":
                self.page_bytes = number(line.split()[1])
            elif mode == b"S":
                text = line[2:].decode("utf-8", "surrogateescape")
                words = text.split(" ", 1)
                if len(words) == 2 and re.fullmatch("[0-9a-f]+", words[0]) and int(words[0], 16) == len(words[1]):
                    text = words[1]
                elif text.startswith("leak:"):
                    self.suppressions_of_peer.append(text.strip()[5:])
                if text.strip().startswith("leak:"):
                    self.suppressions.append(text.strip()[5:])

    def figures(self, start_ms=0, end_ms=None):
        """Of the events stamped within [start_ms, end_ms); without an end, of all of them, up to the last stamp."""
        result = Figures(len(self.nodes))
        sizes, traces = self.size_of_kind, self.trace_of_kind
        is_whole = start_ms == 0 and end_ms is None
        until_ms = self.last_ms if end_ms is None else min(end_ms, self.last_ms)
        at_start = None
        total = now_ms = n_seen = 0
        stamps = iter(self.stamps)
        next_event, next_ms = next(stamps, (len(self.events) + 1, 0))
        held_since = [start_ms] * len(self.nodes)
        live, lifetime, blocks = result.live, result.lifetime, result.blocks

        def hold(trace, ms):
            if ms > held_since[trace]:
                lifetime[trace] += live[trace] * (ms - held_since[trace])
                held_since[trace] = ms

        for i, event in enumerate(self.events):
            while i >= next_event:
                now_ms = next_ms
                next_event, next_ms = next(stamps, (len(self.events) + 1, 0))
            if end_ms is not None and now_ms >= end_ms:
                break
            n_seen = i + 1
            is_inside = now_ms >= start_ms
            if is_inside and at_start is None:
                at_start = live[:]
                result.peak, result.peak_ms, result.peak_event = total, 0 if is_whole else start_ms, i
            kind = event - 1 if event > 0 else -event - 1
            trace, size = traces[kind], sizes[kind]
            if is_inside:
                hold(trace, now_ms)
            if event > 0:
                live[trace] += size
                blocks[trace] += 1
                total += size
                if is_inside:
                    result.n_allocations += 1
                    result.allocations[trace] += 1
                    result.allocated[trace] += size
                    if total > result.peak:
                        result.peak, result.peak_ms, result.peak_event = total, now_ms, i + 1
            else:
                live[trace] -= size
                blocks[trace] -= 1
                total -= size
                if is_inside and self.temporary[i] & 1:
                    result.n_temporary += 1
                    result.temporary[trace] += 1
        if at_start is None:
            at_start = live[:]
            result.peak, result.peak_ms, result.peak_event = total, start_ms, n_seen
        for trace in range(len(self.nodes)):
            hold(trace, until_ms)
            result.growth[trace] = live[trace] - at_start[trace]
        for event in self.events[:result.peak_event]:
            kind = event - 1 if event > 0 else -event - 1
            result.at_peak[traces[kind]] += sizes[kind] if event > 0 else -sizes[kind]
        result.leaked = total
        return result

    def count_temporary_of_print(self):
        return sum(flag >> 1 for flag in self.temporary)

    def count_false_temporary_of_print(self):
        """The frees of kind 0 that follow no allocation, which it takes for temporary ones."""
        return sum(flag == 2 and event == -1 for event, flag in zip(self.events, self.temporary))

    def temporary_of_print(self):
        """Per trace."""
        result = [0] * len(self.nodes)
        for event, flag in zip(self.events, self.temporary):
            if flag & 2:
                result[self.trace_of_kind[-event - 1]] += 1
        return result

    def level_at_stamps(self):
        """(ms, live bytes) when each stamp comes."""
        total, at, result = 0, 0, []
        for n_events, ms in self.stamps:
            for event in self.events[at:n_events]:
                total += self.size_of_kind[event - 1] if event > 0 else -self.size_of_kind[-event - 1]
            at = n_events
            result.append((ms, total))
        return result

    # Names: of interpreted files.

    def frames_of_ip(self, ip):
        """Innermost first."""
        fields = self.ips[ip][2:]
        if len(fields) < 3:
            return [Frame(self.strings[fields[0]] if fields else "", "", 0)]
        return [Frame(self.strings[fields[i]], self.strings[fields[i + 1]], fields[i + 2])
                for i in range(0, len(fields) - 2, 3)]

    def leaf_of(self, trace):
        """A trace's innermost node below operator new, 0: none."""
        while trace:
            ip, parent = self.nodes[trace]
            if not ip or self.frames_of_ip(ip)[0].function not in OPERATOR_NEW:
                return trace
            trace = parent
        return 0

    def site_of(self, trace):
        ip = self.nodes[self.leaf_of(trace)][0]
        if not ip:
            return Site("", "", "", 0, 0)
        frame = self.frames_of_ip(ip)[0]
        return Site(self.strings[self.ips[ip][1]], frame.function, frame.file, frame.line, self.ips[ip][0])

    def suppressed(self, patterns):
        """Per trace: is a leak of it suppressed."""
        matches = [any(pattern == text or template_match(pattern, text) for pattern in patterns) for text in self.strings]
        ips = [False] + [matches[ip[1]] or any(matches[index] for i, index in enumerate(ip[2:]) if i % 3 != 2)
                         for ip in self.ips[1:]]
        result = [False]
        for ip, parent in self.nodes[1:]:
            result.append(ips[ip] or result[parent])
        return result


def main():
    trace = Trace(sys.argv[1])
    limits = [int(word) for word in sys.argv[2:4]]
    figures = trace.figures(*limits)
    print("allocations %d\ntemporary %d\ntemporary as heaptrack_print counts %d\nleaked, suppressed too %d\npeak %d at %d ms"
          % (figures.n_allocations, figures.n_temporary, trace.count_temporary_of_print(), figures.leaked, figures.peak,
             figures.peak_ms))
    print("peak RSS %d\nlast stamp %d ms\nunknown frees %d\nblocks allocated over %d" % (
        trace.peak_rss_pages * trace.page_bytes, trace.last_ms, trace.n_unknown_frees, trace.n_lost_blocks))
    order = sorted(range(len(trace.nodes)), key=lambda node: -figures.at_peak[node])
    for node in order[:10]:
        name = "trace %d" % node if trace.is_raw else " ".join(map(str, trace.site_of(node)[:4]))
        print("%12d at peak %12d live %9d calls %9d temporary %16d byte ms  %s" % (
            figures.at_peak[node], figures.live[node], figures.allocations[node], figures.temporary[node],
            figures.lifetime[node], name))


if __name__ == "__main__":
    main()
