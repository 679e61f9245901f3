#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-thumbnails.py PROFVIEW DATA PROFVIEW.thumbnailer: the small pictures that file managers show, made as they ask for
them: of ten kinds of files, none of what cannot be read, and without a look at any file beside."""
import json
import os
import shlex
import struct
import subprocess
import sys
import tempfile
import zlib

FOLDED = "".join("main;run;step%d;leaf%d %d\n" % (i % 5, i, 10 + i) for i in range(20))
SCRIPT = "".join("tool 10 %d.%06d: 1000 cpu-clock:\n\t%x leaf%d (/bin/tool)\n\t%x main (/bin/tool)\n\n"
                 % (5, 1000 * i, 0x1000 + i % 3, i % 3, 0x2000) for i in range(30))
CALLGRIND = ("# callgrind format\nevents: Ir\nfl=a.c\nfn=main\n1 10\ncfn=work\ncalls=3 5\n2 60\nfn=work\n5 40\ncfn=rest\n"
             "calls=1 9\n6 20\nfn=rest\n9 20\n")
MASSIF = ("desc: (none)\ncmd: ./tool\ntime_unit: i\n#-----------\nsnapshot=0\n#-----------\ntime=0\nmem_heap_B=300\n"
          "mem_heap_extra_B=8\nmem_stacks_B=0\nheap_tree=peak\n"
          "n2: 300 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n n0: 200 0x1000: grow (a.c:5)\n"
          " n0: 100 0x2000: copy (a.c:9)\n")


def speedscope():
    return json.dumps({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "shared": {"frames": [{"name": name} for name in ("main", "parse", "draw")]},
        "profiles": [{"type": "sampled", "name": "tool", "unit": "milliseconds", "startValue": 0, "endValue": 9,
                      "samples": [[0, 1], [0, 2], [0]], "weights": [4, 3, 2]}]})


def cpuprofile():
    def node(number, name, children):
        return {"id": number, "hitCount": number, "children": children, "callFrame": {
            "functionName": name, "scriptId": "1", "url": "file:///tool.js", "lineNumber": number, "columnNumber": 0}}
    return json.dumps({"nodes": [node(1, "(root)", [2]), node(2, "main", [3, 4]), node(3, "parse", []), node(4, "draw", [])],
                       "startTime": 0, "endTime": 9000, "samples": [3, 4, 3, 2], "timeDeltas": [0, 3000, 3000, 3000]})


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def read_png(path):
    """Width, height and the pixels, each with its opacity; of such files as cairo writes."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    place, packed = 8, b""
    while place < len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack_from(">IIBB", data, place + 8)
            assert (depth, color) == (8, 6), "not RGBA"
        if kind == b"IDAT":
            packed += data[place + 8:place + 8 + length]
        place += 12 + length
    lines, above, size = zlib.decompress(packed), bytearray(4 * width), 4 * width
    pixels = []
    for y in range(height):
        how, line = lines[y * (size + 1)], bytearray(lines[y * (size + 1) + 1:(y + 1) * (size + 1)])
        for x in range(size):
            left, up = line[x - 4] if x >= 4 else 0, above[x]
            corner = above[x - 4] if x >= 4 else 0
            guess = left + up - corner
            line[x] = (line[x] + (0, left, up, (left + up) // 2, min(
                (abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2])[how]) & 255
        pixels += [tuple(line[x:x + 4]) for x in range(0, size, 4)]
        above = line
    return width, height, pixels


class Thumbnailer:
    def __init__(self, program, entry):
        with open(entry, encoding="utf-8") as file:
            command = next(line for line in file if line.startswith("Exec=")).removeprefix("Exec=").strip()
        self.words, self.program = shlex.split(command), program

    def run(self, path, output, pixels, **more):
        values = {"%s": str(pixels), "%i": path, "%u": "file://" + path, "%o": output}
        words = [self.program] + ["".join(values.get(part, part) for part in split(word)) for word in self.words[1:]]
        return subprocess.run(words, capture_output=True, text=True, timeout=60, **more)


def split(word):
    """"--size=%s" in its parts."""
    place = word.find("%")
    return [word] if place < 0 else [word[:place], word[place:place + 2], word[place + 2:]]


def check_picture(name, path, pixels):
    width, height, points = read_png(path)
    assert height == pixels and 0.7 * pixels < width <= pixels, "%s: %d × %d" % (name, width, height)
    colors = {point for point in points if point[3] == 255}
    colored = sum(max(point[:3]) - min(point[:3]) > 15 for point in points if point[3] == 255)
    assert len(colors) >= 4, "%s has %d colors" % (name, len(colors))
    assert colored > len(points) / 50, "%s: %d of %d pixels have a color" % (name, colored, len(points))
    assert points[width - 1][3] == 0, name + " has no corner turned down"


def main():
    program, data, entry = sys.argv[1:]
    thumbnailer = Thumbnailer(program, entry)
    with tempfile.TemporaryDirectory() as scratch:
        output = os.path.join(scratch, "out.png")
        pack = os.path.join(scratch, "a.profview")
        recording = os.path.join(data, "recordings", "inlining-fp.data")
        subprocess.run([program, "--export=" + pack, recording], check=True, capture_output=True)
        files = [recording, pack, *(os.path.join(data, name) for name in (
            "heaptrack/containers.zst", "heaptrack/containers.raw.zst", "pprof/go-cpu.pb.gz", "pprof/pantry-1.heap",
            "pprof/depot-cpu.prof")),
            write(scratch, "a.folded", FOLDED), write(scratch, "a.perf-script", SCRIPT),
            write(scratch, "callgrind.out.1", CALLGRIND), write(scratch, "massif.out.1", MASSIF),
            write(scratch, "a.speedscope.json", speedscope()), write(scratch, "a.cpuprofile", cpuprofile())]
        for path in files:
            for pixels in (128, 256):
                ended = thumbnailer.run(path, output, pixels)
                assert ended.returncode == 0, "%s: %s" % (path, ended.stderr)
                check_picture(os.path.basename(path), output, pixels)
                if "KEEP_THUMBNAILS" in os.environ:
                    os.rename(output, os.path.join(os.environ["KEEP_THUMBNAILS"],
                                                   "%s-%d.png" % (os.path.basename(path), pixels)))
        if os.path.exists(output):
            os.unlink(output)

        # Hostile input: no picture, and nothing that is left over.
        with open(recording, "rb") as file:
            beginning = file.read(60)
        with open(os.path.join(scratch, "cut.data"), "wb") as file:
            file.write(beginning)
        before = sorted(os.listdir(scratch))
        for path in (os.path.join(scratch, "cut.data"), write(scratch, "empty.data", ""), os.path.join(scratch, "gone"),
                     write(scratch, "letter.folded", "Dear reader,\n" * 9), "http://127.0.0.1:1/debug/pprof/heap"):
            ended = thumbnailer.run(path, output, 128)
            assert ended.returncode == 1, "%s: exit status %d" % (path, ended.returncode)
            assert ended.stderr.startswith("profview: %s: " % path), ended.stderr
            assert not os.path.exists(output), path
        # A picture that cannot be written is said to be that.
        elsewhere = os.path.join(scratch, "no folder", "out.png")
        ended = thumbnailer.run(recording, elsewhere, 128)
        assert ended.returncode == 1 and ended.stderr.startswith("profview: %s: " % elsewhere), ended.stderr
        left = set(os.listdir(scratch)) - set(before) - {"empty.data", "letter.folded"}
        assert not left, left
        for arguments in (["--thumbnail=128"], ["--thumbnail=5", recording, output], ["--thumbnail=128", recording]):
            assert subprocess.run([program, *arguments], capture_output=True).returncode == 2, arguments

        # The programs that ran are not looked at, as where there is a sandbox they cannot be.
        traced = subprocess.run(["strace", "-f", "-e", "trace=openat,open", program, "--thumbnail=128", recording, output],
                                capture_output=True, text=True) if has_strace() else None
        if traced is not None and traced.returncode == 0:
            looked = [line for line in traced.stderr.split("\n") if "/opt/samples" in line or ".debug" in line]
            assert not looked, looked
    print("%d kinds of files have thumbnails" % len(files))


def has_strace():
    try:
        return subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode == 0
    except OSError:
        return False


main()
