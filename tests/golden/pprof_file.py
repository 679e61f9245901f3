# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a pprof file by the words of profile.proto, without any other tool: for tests of what profview writes."""
import gzip


def varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """(number, value) of each field: ints for varints, bytes for the rest."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            if at > len(data):
                raise ValueError("a field ends behind its message")
        else:
            raise ValueError("wire type %d" % kind)
        yield tag >> 3, value


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def message(data, names):
    """A message as a dict: name -> value; a name with [] is repeated, its packed numbers taken apart."""
    result = {name.rstrip("[]#"): [] if name.endswith(("[]", "[]#")) else 0 for name in names.values()}
    for number, value in fields(data):
        name = names[number]
        if name.endswith("[]#") and isinstance(value, bytes):
            at = 0
            while at < len(value):
                item, at = varint(value, at)
                result[name[:-3]].append(signed(item))
        elif name.endswith(("[]", "[]#")):
            result[name.rstrip("[]#")].append(value)
        else:
            result[name] = signed(value) if isinstance(value, int) else value
    return result


VALUE_TYPE = {1: "type", 2: "unit"}
SAMPLE = {1: "location_id[]#", 2: "value[]#", 3: "label[]"}
LABEL = {1: "key", 2: "str", 3: "num", 4: "num_unit"}
MAPPING = {1: "id", 2: "memory_start", 3: "memory_limit", 4: "file_offset", 5: "filename", 6: "build_id", 7: "has_functions",
           8: "has_filenames", 9: "has_line_numbers", 10: "has_inline_frames"}
LOCATION = {1: "id", 2: "mapping_id", 3: "address", 4: "line[]", 5: "is_folded"}
LINE = {1: "function_id", 2: "line", 3: "column"}
FUNCTION = {1: "id", 2: "name", 3: "system_name", 4: "filename", 5: "start_line"}
PROFILE = {1: "sample_type[]", 2: "sample[]", 3: "mapping[]", 4: "location[]", 5: "function[]", 6: "string_table[]",
           7: "drop_frames", 8: "keep_frames", 9: "time_nanos", 10: "duration_nanos", 11: "period_type", 12: "period",
           13: "comment[]#", 14: "default_sample_type", 15: "doc_url"}


class Profile:
    """What a pprof file says, with strings in place of their numbers. Raises ValueError where it is not valid."""

    def __init__(self, path):
        with gzip.open(path) as file:
            raw = message(file.read(), PROFILE)
        self.strings = [string.decode("utf-8") for string in raw["string_table"]]
        self.sample_types = [(self.text(t["type"]), self.text(t["unit"])) for t in
                             (message(t, VALUE_TYPE) for t in raw["sample_type"])]
        self.mappings = self.table(raw["mapping"], MAPPING, ("filename", "build_id"))
        self.functions = self.table(raw["function"], FUNCTION, ("name", "system_name", "filename"))
        self.locations = self.table(raw["location"], LOCATION, ())
        for location in self.locations.values():
            location["line"] = [message(line, LINE) for line in location["line"]]
        self.samples = [self.sample(message(sample, SAMPLE)) for sample in raw["sample"]]
        self.comments = [self.text(comment) for comment in raw["comment"]]
        self.default = self.text(raw["default_sample_type"])
        self.drop_frames, self.keep_frames = self.text(raw["drop_frames"]), self.text(raw["keep_frames"])
        self.doc_url = self.text(raw["doc_url"])
        self.time_nanos, self.duration_nanos, self.period = raw["time_nanos"], raw["duration_nanos"], raw["period"]
        period_type = message(raw["period_type"] or b"", VALUE_TYPE)
        self.period_type = self.text(period_type["type"]), self.text(period_type["unit"])
        self.check()

    def text(self, number):
        return self.strings[number]

    def table(self, rows, names, texts):
        result = {}
        for row in (message(row, names) for row in rows):
            for name in texts:
                row[name] = self.text(row[name])
            if row["id"] == 0 or row["id"] in result:
                raise ValueError("id %d" % row["id"])
            result[row["id"]] = row
        return result

    def sample(self, row):
        labels = []
        for label in (message(label, LABEL) for label in row["label"]):
            value = self.text(label["str"]) if label["str"] else (label["num"], self.text(label["num_unit"]))
            labels.append((self.text(label["key"]), value))
        return tuple(row["location_id"]), tuple(row["value"]), tuple(labels)

    def check(self):
        if self.strings[:1] != [""] or not self.sample_types:
            raise ValueError("no strings or no types")
        if len(set(self.strings)) != len(self.strings):
            raise ValueError("a string is there twice")
        for locations, values, _ in self.samples:
            if len(values) != len(self.sample_types) or any(location not in self.locations for location in locations):
                raise ValueError("a sample does not fit")
        for location in self.locations.values():
            if location["mapping_id"] not in self.mappings and location["mapping_id"] != 0:
                raise ValueError("no such mapping")
            if any(line["function_id"] not in self.functions for line in location["line"]):
                raise ValueError("no such function")
        if len({(locations, labels) for locations, _, labels in self.samples}) != len(self.samples):
            raise ValueError("equal samples are not merged")

    def frames(self, locations):
        """(name, mapping) of each frame, leaf first; name None where there is none."""
        result = []
        for location in (self.locations[number] for number in locations):
            mapping = self.mappings[location["mapping_id"]]["filename"] if location["mapping_id"] else ""
            names = [self.functions[line["function_id"]]["name"] for line in location["line"]]
            result += [(name, mapping) for name in names or [None]]
        return result

    def top(self, column):
        """{name: [flat, cum]} as pprof counts them: by name alone, [file] or <unknown> where there is none."""
        rows = {}
        for locations, values, _ in self.samples:
            shown = [name if name else "[%s]" % mapping.rsplit("/", 1)[-1] if mapping else "<unknown>"
                     for name, mapping in self.frames(locations)]
            for name in set(shown):
                rows.setdefault(name, [0, 0])[1] += values[column]
            if shown:
                rows[shown[0]][0] += values[column]
        return rows
