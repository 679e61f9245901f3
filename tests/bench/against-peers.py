#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""against-peers.py BUILD INPUTS [--runs=N] [--only=ROW,...] [--json=FILE]: profview and other tools on the same files.

BUILD is a meson build folder (with optimization), INPUTS what make-inputs.sh wrote. In every row profview and the peer
take turns in one run, warm, N times each (3 unless told; slow peers less often); medians are printed with the ratio,
what it must be, and what we dream of. "load" is the machine's load average when the row began: believe rows with a low
one. Peers that are not installed are left out with a word. The screen rows start an X server of their own.

Rows of one tool alone (memory, first picture, start) have a limit instead of a ratio."""
import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SESSION = os.path.join(HERE, "..", "ui", "session.sh")


class Options:
    def __init__(self, arguments):
        self.runs, self.only, self.json = 3, None, None
        paths = []
        for argument in arguments:
            if argument.startswith("--runs="):
                self.runs = int(argument[7:])
            elif argument.startswith("--only="):
                self.only = argument[7:].split(",")
            elif argument.startswith("--json="):
                self.json = argument[7:]
            else:
                paths.append(os.path.abspath(argument))
        if len(paths) != 2:
            sys.exit(__doc__)
        self.build, self.inputs = paths
        self.profview = os.path.join(self.build, "src", "profview")
        self.stages = os.path.join(self.build, "tests", "bench", "bench-stages")

    def input(self, name):
        return os.path.join(self.inputs, name if "." in name else name + ".data")


def measure(command, timeout=900):
    """(wall s, CPU s, peak MB) of one run; None if it fails."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - start
    if process.returncode != 0:
        sys.stderr.write("%s: exit status %d\n%s\n" % (" ".join(command), process.returncode,
                                                       errors.decode("utf-8", "replace")[-500:]))
        return None
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def warm(path):
    with open(path, "rb") as file:
        while file.read(1 << 24):
            pass


def median(runs, column):
    return statistics.median(run[column] for run in runs)


def stage_values(command):
    out = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True, text=True).stdout
    return {name: float(value) for name, value in (line.split() for line in out.splitlines())}


def compare(options, row):
    """One row of the table: alternates the two, prints medians."""
    path = options.input(row["input"])
    if not os.path.exists(path):
        print("%-28s no input %s" % (row["name"], path))
        return None
    if shutil.which(row["peer"][0]) is None:
        print("%-28s %s is not installed" % (row["name"], row["peer"][0]))
        return None
    warm(path)
    load = os.getloadavg()[0]
    own_runs, peer_runs = [], []
    if measure(row["own"]) is None:
        return {"name": row["name"], "failed": True}
    for i in range(options.runs):
        own_runs.append(measure(row["own"]))
        if i < row.get("peer_runs", options.runs):
            peer_runs.append(measure(row["peer"]))
    if None in own_runs or None in peer_runs:
        return {"name": row["name"], "failed": True}
    own, peer = median(own_runs, 0), median(peer_runs, 0)
    result = {
        "name": row["name"], "own_s": own, "peer_s": peer, "ratio": peer / own, "must": row["must"],
        "dream": row["dream"], "own_cpu_s": median(own_runs, 1), "peer_cpu_s": median(peer_runs, 1),
        "own_mb": median(own_runs, 2), "peer_mb": median(peer_runs, 2), "load": load,
        "own": " ".join(row["own"]), "peer": " ".join(row["peer"]),
    }
    print("%-28s %8.3f s (CPU %6.2f, %4.0f MB)  %8.3f s (CPU %6.2f, %4.0f MB)  %6.1fx  must %gx dream %gx  %s  load %.1f" % (
        row["name"], own, result["own_cpu_s"], result["own_mb"], peer, result["peer_cpu_s"], result["peer_mb"],
        result["ratio"], row["must"], row["dream"], verdict(result["ratio"], row["must"], row["dream"]), load))
    return result


def verdict(ratio, must, dream):
    return "DREAM" if ratio >= dream else "ok" if ratio >= must else "MISSED"


def limit(name, value, unit, must, dream, load):
    result = "DREAM" if value <= dream else "ok" if value <= must else "MISSED"
    print("%-28s %8.1f %s  must %.0f dream %.0f  %s  load %.1f" % (name, value, unit, must, dream, result, load))
    return {"name": name, "value": value, "unit": unit, "must": must, "dream": dream, "load": load}


def ratio_rows(options):
    complete = [options.profview, "--print=top", "--format=tsv"]
    hotspot_parser = shutil.which("hotspot-perfparser") or next(
        (path for path in ("/usr/lib/x86_64-linux-gnu/libexec/hotspot-perfparser", "/usr/lib/libexec/hotspot-perfparser",
                           "/usr/libexec/hotspot-perfparser") if os.path.exists(path)), "hotspot-perfparser")

    def row(name, input_name, peer, must, dream, own=None, **more):
        path = options.input(input_name)
        return dict(name=name, input=input_name, peer=[word.replace("FILE", path) for word in peer.split(" ")],
                    own=own or complete + [path], must=must, dream=dream, **more)

    return [
        row("big-fp", "big-fp", "perf report --stdio --no-inline -i FILE", 8, 20),
        row("big-dwarf", "big-dwarf", "perf report --stdio -i FILE", 10, 30),
        row("big-dwarf-addresses", "big-dwarf", "perf script -F comm,tid,time,event,ip --no-inline -i FILE", 4, 10,
            own=[options.stages, "--addresses", options.input("big-dwarf")]),
        row("bigdwarf", "bigdwarf-dwarf", "perf script -i FILE", 40, 80, peer_runs=1),
        row("big-fp-z", "big-fp-z", "perf report --stdio --no-inline -i FILE", 8, 20),
        row("deep-fp", "deep-fp", "perf report --stdio --no-inline -i FILE", 1, 4),
        row("small-fp", "small-fp", "perf report --stdio --no-inline -i FILE", 1, 4),
        row("small-dwarf", "small-dwarf", "perf report --stdio -i FILE", 4, 10),
        row("big-fp/perfparser", "big-fp", hotspot_parser + " --input FILE --output /dev/null", 8, 20),
        row("big-dwarf/perfparser", "big-dwarf", hotspot_parser + " --input FILE --output /dev/null", 3, 8),
        row("heap-big interpreted", "heap-big.zst", "heaptrack_print FILE", 4, 8),
        row("heap-small interpreted", "heap-small.zst", "heaptrack_print FILE", 4, 8),
        row("pprof synth-100k", "synth-100k.pb.gz", "go tool pprof -top FILE", 50, 200),
        row("pprof go-heap", "go-heap.pb.gz", "go tool pprof -top FILE", 20, 40),
        row("jemalloc", "bulk.heap", "jeprof --collapsed %s FILE" % os.path.join(options.inputs, "bin", "bulk-300"), 6, 15),
        row("perf script text", "big-fp.script.txt", "stackcollapse-perf.pl FILE", 20, 60, peer_runs=1),
        row("folded", "made.folded", "flamegraph.pl FILE", 15, 50, peer_runs=1),
        row("bigdwarf/perfparser", "bigdwarf-dwarf", hotspot_parser + " --input FILE --output /dev/null", 1, 3),
    ]


def unpacked_mb(path):
    """What a profile is without its packing."""
    size = 0
    with gzip.open(path) as file:
        while piece := file.read(1 << 24):
            size += len(piece)
    return size / 1e6


def memory_rows(options):
    results = []
    rows = [("big-fp", 200, 150), ("heap-big.raw.zst", 500, 300), ("heap-big.zst", 500, 150)]
    if os.path.exists(options.input("synth-100k.pb.gz")):
        size_mb = unpacked_mb(options.input("synth-100k.pb.gz"))
        rows.append(("synth-100k.pb.gz", 4 * size_mb, 2 * size_mb))
    for name, must, dream in rows:
        path = options.input(name)
        if not os.path.exists(path):
            continue
        load = os.getloadavg()[0]
        runs = [measure([options.profview, "--print=top", "--format=tsv", path]) for _ in range(options.runs)]
        if None not in runs:
            results.append(limit("memory " + name, median(runs, 2), "MB", must, dream, load))
    return results


def heaptrack_interpret():
    program = shutil.which("heaptrack")
    folder = os.path.dirname(os.path.dirname(os.path.realpath(program))) if program else ""
    return os.path.join(folder, "lib", "heaptrack", "libexec", "heaptrack_interpret")


def heap_raw_rows(options):
    """Raw heaptrack files, complete, against what one needs without profview: heaptrack_interpret, then heaptrack_gui. Ours
    twice: to tables on standard output, and to a window that has nothing more to do."""
    results = []
    if not os.path.exists(heaptrack_interpret()) or shutil.which("heaptrack_gui") is None:
        print("%-28s heaptrack, heaptrack_gui are not installed" % "heap raw")
        return results
    for name, must, dream in (("heap-big", 15, 25), ("heap-small", 4, 8), ("heap-bulk", 3, 7)):
        path = options.input(name + ".raw.zst")
        if not os.path.exists(path):
            continue
        warm(path)
        load = os.getloadavg()[0]
        tables, windows, peer = [], [], []
        with tempfile.TemporaryDirectory() as folder:
            interpreted = os.path.join(folder, "interpreted.zst")
            steps = ["sh", "-c", 'zstd -dcq "$1" | "$2" 2>/dev/null | zstd -qf -o "$3"', "sh", path,
                     heaptrack_interpret(), interpreted]
            for i in range(options.runs):
                tables.append(measure([options.profview, "--print=top", "--format=tsv", path]))
                windows.append(idle_time(options.profview, path))
                if i < (1 if name == "heap-big" else options.runs):
                    made = measure(steps)
                    shown = made and idle_time("heaptrack_gui", interpreted)
                    peer.append((made[0] + shown, made[1], made[2]) if shown else None)
        if None in tables or None in windows or None in peer:
            results.append({"name": name + " raw", "failed": True})
            continue
        peer_s = median(peer, 0)
        for kind, own_s in (("tables", median(tables, 0)), ("window", statistics.median(windows))):
            print("%-28s %8.3f s  heaptrack %8.3f s (%.0f MB)  %6.1fx  must %gx dream %gx  %s  load %.1f" % (
                name + " raw/" + kind, own_s, peer_s, median(peer, 2), peer_s / own_s, must, dream,
                verdict(peer_s / own_s, must, dream), load))
            results.append({"name": name + " raw/" + kind, "own_s": own_s, "peer_s": peer_s, "ratio": peer_s / own_s,
                            "must": must, "dream": dream, "own_cpu_s": median(tables, 1), "own_mb": median(tables, 2),
                            "peer_mb": median(peer, 2), "load": load})
    return results


def heap_compiler_row(options):
    """The raw trace of a compiler, which heaptrack_interpret cannot read."""
    path = options.input("heap-compiler.raw.zst")
    if not os.path.exists(path):
        return None
    warm(path)
    load = os.getloadavg()[0]
    runs = [measure([options.profview, "--print=top", "--format=tsv", path]) for _ in range(options.runs)]
    return None if None in runs else limit("heap-compiler raw", median(runs, 0) * 1000, "ms", 2000, 1000, load)


def first_picture_rows(options):
    results = []
    for name in ("big-fp", "big-dwarf", "bigdwarf-dwarf", "small-fp", "heap-big.raw.zst", "heap-bulk.raw.zst"):
        path = options.input(name)
        if not os.path.exists(path):
            continue
        warm(path)
        load = os.getloadavg()[0]
        first, complete = [], []
        for _ in range(options.runs):
            first.append(stage_values([options.stages, "--first-picture", path])["first_picture_ms"])
            complete.append(stage_values([options.stages, path])["functions_ms"])
        # Half of the complete time, or a small profile's start and 0.1 s if that is more.
        must = max(statistics.median(complete) / 2, 400)
        print("  (%s complete: %.0f ms)" % (name, statistics.median(complete)))
        results.append(limit("first picture " + name, statistics.median(first), "ms", must, min(must, 500), load))
    return results


def range_rows(options):
    """Another range of time, asked of what is loaded."""
    results = []
    for name in ("big-fp", "heap-big.raw.zst", "heap-big.zst", "heap-compiler.raw.zst"):
        path = options.input(name)
        if not os.path.exists(path):
            continue
        load = os.getloadavg()[0]
        took = [stage_values([options.stages, path])["time_filter_took_ms"] for _ in range(options.runs)]
        results.append(limit("range " + name, statistics.median(took), "ms", 500, 200, load))
    return results


def screen_time(options, *command):
    watch = os.path.join(options.build, "tests", "bench", "watch-window")
    run = subprocess.run([SESSION, watch, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True, env=dict(os.environ, PV_SCREEN="1920x1080x24"))
    lines = run.stdout.split()
    return float(lines[-1]) if run.returncode == 0 and lines else None


def tree_ticks(root):
    """CPU ticks of a process and all below it, the ended ones that were waited for included."""
    parents, ticks = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % name, encoding="utf-8", errors="replace") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue  # gone
        parents[int(name)] = int(fields[1])
        ticks[int(name)] = sum(int(field) for field in fields[11:15])

    def is_below(pid):
        while pid in parents and pid != root:
            pid = parents[pid]
        return pid == root

    return sum(count for pid, count in ticks.items() if is_below(pid))


def watch_idle(command, quiet_s=1.0, timeout_s=240):
    """Inside of session.sh: prints the seconds from a program's start until it has nothing more to do."""
    start = busy_until = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    last = -1
    while time.monotonic() - busy_until < quiet_s and process.poll() is None:
        if time.monotonic() - start > timeout_s:
            break
        ticks = tree_ticks(process.pid)
        if ticks > last:
            last, busy_until = ticks, time.monotonic()
        time.sleep(0.02)
    ended_by_itself = process.poll() is not None
    process.kill()
    process.wait()
    if ended_by_itself:
        return 1
    print(busy_until - start)
    return 0


def idle_time(*command):
    run = subprocess.run([SESSION, sys.executable, os.path.abspath(__file__), "--watch-idle", *command],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return float(run.stdout.split()[-1]) if run.returncode == 0 and run.stdout.split() else None


def window_rows(options):
    """From start until the window has everything, names and inlined frames too: profview and hotspot."""
    results = []
    if shutil.which("hotspot") is None:
        print("%-28s hotspot is not installed" % "window")
        return results
    for name in ("small-fp", "big-fp", "big-dwarf", "bigdwarf-dwarf"):
        path = options.input(name)
        if not os.path.exists(path):
            continue
        warm(path)
        load = os.getloadavg()[0]
        own, peer = [], []
        for _ in range(options.runs):
            own.append(idle_time(options.profview, path))
            peer.append(idle_time("hotspot", path))
        if None in own or None in peer:
            print("window %-21s a window did not come up" % name)
            continue
        own_s, peer_s = statistics.median(own), statistics.median(peer)
        print("window %-21s %8.3f s  hotspot %8.3f s  %6.1fx  load %.1f" % (name, own_s, peer_s, peer_s / own_s, load))
        results.append({"name": "window " + name, "own_s": own_s, "peer_s": peer_s, "load": load})
    return results


def build_screen_programs(options):
    subprocess.run(["meson", "compile", "-C", options.build, "empty-window", "watch-window", "bench-frames"],
                   check=True, stdout=subprocess.DEVNULL)


def frame_rows(options):
    build_screen_programs(options)
    program = os.path.join(options.build, "tests", "bench", "bench-frames")
    environment = dict(os.environ, GSETTINGS_SCHEMA_DIR=os.path.join(options.build, "data"))
    results = []
    for renderer in ("cairo", "gl"):
        load = os.getloadavg()[0]
        run = subprocess.run([SESSION, program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True, env=dict(environment, GSK_RENDERER=renderer))
        if run.returncode != 0:
            print("frames %s: the window did not come up" % renderer)
            continue
        values = {name: float(value) for name, value in (line.split() for line in run.stdout.splitlines())}
        print("  (%s: %d boxes, empty frame %.1f ms, full %.1f ms)" % (
            renderer, values["boxes"], values["empty_ms"], values["full_ms"]))
        results.append(limit("full redraw, " + renderer, values["above_empty_full_ms"], "ms", 8, 5, load))
        results.append(limit("hover, " + renderer, values["hover_ms"], "ms", 3, 1, load))
    return results


def start_row(options):
    build_screen_programs(options)
    empty = os.path.join(options.build, "tests", "bench", "empty-window")
    load = os.getloadavg()[0]
    small = os.path.join(HERE, "..", "data", "recordings", "inlining-fp.data")
    sysroot = "--sysroot=" + os.path.join(HERE, "..", "data", "sysroot")
    floor, own = [], []
    for _ in range(max(5, options.runs)):
        floor.append(screen_time(options, empty))
        own.append(screen_time(options, "--colors=3", options.profview, sysroot, small))
    if None in floor or None in own:
        print("%-28s the window did not come up" % "start small profile")
        return None
    floor_ms, own_ms = statistics.median(floor), statistics.median(own)
    print("  (empty window: %.0f ms)" % floor_ms)
    return limit("start small profile", own_ms, "ms", 2 * floor_ms, 1.3 * floor_ms, load)


def main():
    if sys.argv[1:2] == ["--watch-idle"]:
        return watch_idle(sys.argv[2:])
    options = Options(sys.argv[1:])
    results = []

    def wanted(name):
        return options.only is None or name in options.only

    print("%-28s %s" % ("", "profview, then the peer; medians of %d" % options.runs))
    for row in ratio_rows(options):
        if wanted(row["name"]):
            results.append(compare(options, row))
            sys.stdout.flush()
    for name, function in (("memory", memory_rows), ("heap-raw", heap_raw_rows), ("heap-compiler", heap_compiler_row),
                           ("first-picture", first_picture_rows), ("range", range_rows), ("start", start_row),
                           ("frames", frame_rows), ("window", window_rows)):
        if wanted(name):
            result = function(options)
            results += result if isinstance(result, list) else [result]
            sys.stdout.flush()
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([result for result in results if result], file, indent=1)
    failed = [result for result in results if result and result.get("failed")]
    return 1 if failed else 0


sys.exit(main())
