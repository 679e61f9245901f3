#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-mutants.py [OPTION]... [MUTANT]...: puts the faults of mutants.toml one by one into a copy of the source, and says which
test finds each of them. An interrupted run goes on where it was; what was found out is in results.json in the folder of the
copy. The exit status is 1 if the list has faults that do not apply or compile."""
import argparse
import collections
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# How builds are made, in a shell that knows build-aux/lib.sh, as in build-aux/test.
BUILDS = {"_build": "configure_plain -Dtests=enabled", "_build-asan": "configure_sanitized", "_build-tsan": "configure_threads"}

# What runs, in this order: the standard run, then what only `build-aux/test --full` has. Unit tests run in the ordinary build,
# where they are quicker; the standard run has the same ones under sanitizers.
Stage = collections.namedtuple("Stage", "name build suites without setting is_full")
STAGES = [
    Stage("plain", "_build", ["unit", "house", "cli", "golden", "corpus"], [], None, False),
    Stage("window", "_build", ["ui"], [], None, False),
    Stage("asan", "_build-asan", ["unit", "hostile", "sanitized"], [], "use_sanitizers", False),
    Stage("tsan", "_build-tsan", ["threads"], [], "use_sanitizers", False),
    Stage("long", "_build", ["full"], [], None, True),
    Stage("asan, all", "_build-asan", ["cli", "fuzz", "joined"], [], "use_sanitizers", True),
    Stage("window, asan", "_build-asan", ["ui"], ["recorders"], "use_window_sanitizers", True),
    Stage("tsan, all", "_build-tsan", ["core", "sanitized", "joined"], [], "use_sanitizers", True),
]

# The unit tests nearest to a file, by their room; the longest beginning of its path counts.
UNIT_ROOMS = {
    "src/core/read/": "read",
    "src/core/elf/": "symbolize",
    "src/core/symbolize/": "symbolize",
    "src/core/symbolize/dwarf/": "dwarf",
    "src/core/symbolize/cfi/": "unwind",
    "src/core/symbolize/unwind/": "unwind",
    "src/core/analyze/": "analyze",
    "src/core/write/": "write",
    "src/record/": "record",
    "src/cli/": "cli",
    "src/export/": "cli",
    "src/app/": "app",
}
# Suites that never come to what is below a folder: commands without a window, and without a recording.
OUT_OF_REACH = {"src/app/": {"golden", "corpus", "fuzz", "core"}, "src/record/": {"golden", "corpus", "fuzz"}}

# Of the tests' time limits. What hangs is found by then.
TIMEOUT_MULTIPLIER = "0.5"


def say(text):
    print(text, flush=True)


class Copy:
    """A copy of the checkout with builds of its own."""

    def __init__(self, folder, n_processes):
        self.folder = folder
        self.n_processes = n_processes
        self.tests = {}
        self.outputs = {}
        self.environment = dict(os.environ)
        corpus = os.path.join(SOURCE, "..", "shared", "corpus")
        if "PV_CORPUS" not in os.environ and os.path.isdir(corpus):
            self.environment["PV_CORPUS"] = os.path.realpath(corpus)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def update(self):
        """Makes the copy what the checkout is; files that are equal keep their times."""
        names = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                               stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
        wanted = {name for name in names if name and os.path.lexists(os.path.join(SOURCE, name))}
        for folder, folders, files in os.walk(self.folder):
            folders[:] = [name for name in folders if not (folder == self.folder and name.startswith("_build"))]
            for name in files:
                path = os.path.join(folder, name)
                if os.path.relpath(path, self.folder) not in wanted and not name.endswith(".pyc"):
                    os.unlink(path)
        for name in sorted(wanted):
            self.copy_file(name)

    def copy_file(self, name):
        source, target = os.path.join(SOURCE, name), self.path(name)
        if os.path.islink(source):
            if not os.path.islink(target) or os.readlink(target) != os.readlink(source):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                if os.path.lexists(target):
                    os.unlink(target)
                os.symlink(os.readlink(source), target)
            return
        with open(source, "rb") as file:
            data = file.read()
        mode = os.stat(source).st_mode & 0o777
        if os.path.isfile(target) and os.stat(target).st_mode & 0o777 == mode:
            with open(target, "rb") as file:
                if file.read() == data:
                    return
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(data)
        os.chmod(target, mode)

    def run(self, command, log, setting=None):
        """setting: a function of build-aux/lib.sh that sets what tests find in the environment."""
        if setting is not None:
            command = ["bash", "-c", '. build-aux/lib.sh && %s && exec "$@"' % setting, "-", *command]
        with open(self.path(log), "ab") as file:
            file.write(("$ %s\n" % " ".join(command)).encode())
            file.flush()
            return subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=file,
                                  stderr=subprocess.STDOUT, env=self.environment).returncode

    def configure(self, build):
        """Once in each run."""
        if build in self.tests:
            return
        shell = ". build-aux/lib.sh && %s" % BUILDS[build]
        is_made = os.path.exists(self.path(build, "build.ninja")) or self.run(["bash", "-c", shell], build + ".log") == 0
        if not is_made or not self.make(build, {"build.ninja"}):
            sys.exit("check-mutants.py: %s cannot be configured; see %s" % (build, self.path(build + ".log")))
        self.tests[build] = self.introspect(build, "--tests")
        self.outputs[build] = {target["id"]: [os.path.relpath(name, self.path(build)) for name in target["filename"]]
                               for target in self.introspect(build, "--targets")}

    def introspect(self, build, what):
        return json.loads(subprocess.run(["meson", "introspect", what, build], cwd=self.folder, env=self.environment,
                                         stdout=subprocess.PIPE, check=True).stdout)

    def make(self, build, targets):
        return self.run(["ninja", "-C", build, "-j", str(self.n_processes)] + sorted(targets), build + ".log") == 0

    def find_targets(self, build, tests):
        targets = set()
        for test in tests:
            for target in test["depends"]:
                targets.update(self.outputs[build][target])
        return targets

    def find_object(self, build, name):
        """The object file of a source."""
        with open(self.path(build, "compile_commands.json"), encoding="utf-8") as file:
            for entry in json.load(file):
                if os.path.realpath(os.path.join(entry["directory"], entry["file"])) == os.path.realpath(self.path(name)):
                    return entry["output"]
        return None

    def run_tests(self, stage, suite, tests):
        """Of one suite. The first one that fails and what of it, or None."""
        logs = self.path(stage.build, "meson-logs", "testlog.json")
        if os.path.exists(logs):
            os.unlink(logs)
        command = ["meson", "test", "-C", stage.build, "--no-rebuild", "--maxfail", "1", "--suite", suite,
                   "--num-processes", str(self.n_processes), "--timeout-multiplier", TIMEOUT_MULTIPLIER]
        names = {test["name"]: test for test in tests}
        if self.run(command + list(names), stage.build + ".log", stage.setting) == 0:
            return None
        if os.path.exists(logs):
            with open(logs, encoding="utf-8") as file:
                for result in map(json.loads, file):
                    if result["result"] in ("FAIL", "ERROR", "TIMEOUT", "UNEXPECTEDPASS"):
                        return get_key(stage, suite, names[re.sub(r"^.* / ", "", result["name"])]), find_case(result)
        sys.exit("check-mutants.py: meson test failed, but no test; see %s" % self.path(stage.build + ".log"))


def find_case(result):
    """What failed in a test that has several parts; None: it is not known."""
    found = re.search(r"^not ok \d+ (?:- )?(.*?)(?: #.*)?$", result.get("stdout", ""), re.MULTILINE)
    if found is None:
        found = re.search(r"^(?:FAIL|ERROR): (\S+)", result.get("stderr", "") + result.get("stdout", ""), re.MULTILINE)
    return found.group(1) if found is not None else None


def get_suites(test):
    return [suite.split(":")[-1] for suite in test["suite"]]


def find_room(file):
    fitting = [folder for folder in UNIT_ROOMS if file.startswith(folder)]
    return UNIT_ROOMS[max(fitting, key=len)] if fitting else None


def find_batches(stage, tests, mutant):
    """Tests in the order of how near they are to a mutant: (suite, tests, whether they are those that should find it)."""
    file = mutant["file"]
    room = find_room(file)
    folder, stem = file[:file.rindex(".")].split("/")[-2:]
    words = {stem.split("-")[0]} | set(folder.split("-"))
    beyond = set().union(*[suites for folder, suites in OUT_OF_REACH.items() if file.startswith(folder)])
    batches = collections.defaultdict(list)
    for test in tests:
        suites = get_suites(test)
        suite = next((suite for suite in stage.suites if suite in suites), None)
        if suite is None or suite in beyond or set(suites) & set(stage.without):
            continue
        is_in_room = os.path.exists(os.path.join(SOURCE, "tests", "unit", room or "", "test-%s.c" % test["name"]))
        is_named = bool(words & set(re.split(r"[_-]", test["name"])))
        is_near = test["name"] in mutant.get("near", [])
        rank = 0 if is_near else 1 if is_in_room and is_named else 2 if is_in_room else 3 if is_named else 4
        batches[rank, stage.suites.index(suite), suite].append(test)
    return [(key[2], batches[key], key[0] == 0) for key in sorted(batches)]


def apply(copy, mutant):
    """Puts the mutant into the copy. What is in the way, or None."""
    path = copy.path(mutant["file"])
    if not os.path.isfile(path):
        return "there is no file %s" % mutant["file"]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    n = text.count(mutant["old"])
    if n != 1:
        return "the text to replace occurs %d times in %s" % (n, mutant["file"])
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(mutant["old"], mutant["new"]))
    return None


def check_list(copy, mutants):
    """Whether all apply and compile. Whatever is made from a source is made from the mutant, too."""
    copy.configure("_build")
    n_faults = 0
    objects = {mutant["file"]: copy.find_object("_build", mutant["file"]) for mutant in mutants}
    copy.make("_build", {name for name in objects.values() if name is not None}) # also the headers that are made
    for mutant in mutants:
        fault = apply(copy, mutant)
        if fault is None:
            if objects[mutant["file"]] is None:
                fault = "%s is no part of the build" % mutant["file"]
            elif not copy.make("_build", {objects[mutant["file"]]}):
                fault = "it does not compile; see %s" % copy.path("_build.log")
            copy.copy_file(mutant["file"])
        if fault is not None:
            n_faults += 1
            say("%s: %s" % (mutant["name"], fault))
    say("%d mutants, %d do not apply or compile" % (len(mutants), n_faults))
    return n_faults == 0


class Results:
    def __init__(self, path):
        self.path = path
        self.mutants = {}
        self.fit = set()  # tests that found a mutant, and pass without
        self.unfit = set()  # those that fail without
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                kept = json.load(file)
            self.mutants = kept["mutants"]
            self.fit, self.unfit = set(kept["fit"]), set(kept["unfit"])

    def save(self):
        kept = {"mutants": self.mutants, "fit": sorted(self.fit), "unfit": sorted(self.unfit)}
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(kept, file, indent=1)
        os.rename(self.path + ".new", self.path)

    def get(self, mutant):
        """Of this very mutant: a changed one starts anew."""
        key = hashlib.sha256("\0".join([mutant["file"], mutant["old"], mutant["new"]]).encode()).hexdigest()
        result = self.mutants.get(mutant["name"])
        if result is None or result["key"] != key:
            result = {"key": key, "passed": [], "stage": None, "test": None, "case": None}
            self.mutants[mutant["name"]] = result
        return result


def get_key(stage, suite, test):
    return "%s / %s / %s" % (stage.build, suite, test["name"])


def try_stage(copy, results, mutant, stage, is_near_only):
    """The test that finds the mutant and what of it, or None."""
    copy.configure(stage.build)
    for suite, tests, is_near in find_batches(stage, copy.tests[stage.build], mutant):
        tests = [test for test in tests if get_key(stage, suite, test) not in results.unfit]
        if not tests or (is_near_only and not is_near):
            continue
        if not copy.make(stage.build, copy.find_targets(stage.build, tests)):
            sys.exit("check-mutants.py: %s does not build; see %s" % (mutant["name"], copy.path(stage.build + ".log")))
        found = copy.run_tests(stage, suite, tests)
        if found is not None:
            return found
    return None


def try_mutant(copy, results, mutant, stages, is_near_only):
    result = results.get(mutant)
    fault = apply(copy, mutant)
    if fault is not None:
        say("%s: NO LONGER APPLIES: %s" % (mutant["name"], fault))
        return False
    begin = time.monotonic()
    # The tests that should find it come first, whatever their stage.
    steps = [(stage, True) for stage in stages if stage.build == "_build"]
    if not is_near_only:
        steps += [(stage, False) for stage in stages]
    for stage, is_near in steps:
        if result["test"] is not None or stage.name in result["passed"]:
            continue
        found = try_stage(copy, results, mutant, stage, is_near)
        if found is not None:
            result["stage"], (result["test"], result["case"]) = stage.name, found
        elif not is_near:
            result["passed"].append(stage.name)
        results.save()
    copy.copy_file(mutant["file"])
    text = describe(result)
    if result["test"] is None and is_near_only:
        text = "not found by %s" % (", ".join(mutant.get("near", [])) or "any test: the list names none that is near")
    say("%s: %s (%d s)" % (mutant["name"], text, time.monotonic() - begin))
    return True


def check_tests(copy, results, mutants):
    """Runs what found mutants once more without them: a test that fails has found none. Whether there are such."""
    has_unfit = False
    for stage in STAGES:
        found = [result for result in map(results.get, mutants) if result["stage"] == stage.name]
        for key in sorted({result["test"] for result in found} - results.fit):
            copy.configure(stage.build)
            suite = key.split(" / ")[1]
            tests = [test for test in copy.tests[stage.build] if get_key(stage, suite, test) == key]
            copy.make(stage.build, copy.find_targets(stage.build, tests))
            if tests and copy.run_tests(stage, suite, tests) is None:
                results.fit.add(key)
            else:
                say("FAILS WITHOUT A MUTANT: %s" % key)
                has_unfit = True
                results.unfit.add(key)
                for result in found:
                    if result["test"] == key:
                        result["stage"] = result["test"] = None
            results.save()
    return has_unfit


def describe(result):
    if result["test"] is not None:
        case = ": %s" % result["case"] if result["case"] is not None else ""
        return "found by %s%s" % (result["test"], case)
    return "not found by %s" % ", ".join(result["passed"]) if result["passed"] else "not tried"


def report(results, mutants):
    full = {stage.name for stage in STAGES if stage.is_full}
    rooms = list(dict.fromkeys(mutant["room"] for mutant in mutants))
    n_tried = n_standard = n_full = n_none = 0
    say("")
    say("%-12s %8s %8s %8s %10s" % ("room", "standard", "--full", "none", "not tried"))
    for room in rooms:
        counts = collections.Counter()
        for mutant in mutants:
            result = results.get(mutant)
            if mutant["room"] == room:
                counts["not tried" if result["test"] is None and not result["passed"] else
                       "none" if result["test"] is None else "full" if result["stage"] in full else "standard"] += 1
        say("%-12s %8d %8d %8d %10d" % (room, counts["standard"], counts["full"], counts["none"], counts["not tried"]))
        n_standard, n_full, n_none = n_standard + counts["standard"], n_full + counts["full"], n_none + counts["none"]
        n_tried += counts["standard"] + counts["full"] + counts["none"]
    say("")
    for mutant in mutants:
        result = results.get(mutant)
        if result["stage"] in full or (result["test"] is None and result["passed"]):
            say("%s: %s\n    %s" % (mutant["name"], describe(result), mutant["fault"]))
    say("%d of %d mutants tried: %d found by the standard run, %d only by --full, %d by none" %
        (n_tried, len(mutants), n_standard, n_full, n_none))


def choose(mutants, options):
    names = {mutant["name"] for mutant in mutants}
    unknown = [name for name in options.mutants if name not in names]
    if unknown or len(names) < len(mutants):
        sys.exit("check-mutants.py: %s" % ("no mutant %s" % ", ".join(unknown) if unknown else "a name comes twice"))
    chosen = [mutant for mutant in mutants if (options.room is None or mutant["room"] == options.room)
              and (not options.mutants or mutant["name"] in options.mutants)]
    return chosen or sys.exit("check-mutants.py: no room %s" % options.room)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mutants", nargs="*", metavar="MUTANT", help="only these, and anew")
    parser.add_argument("--room", help="only those of a room")
    parser.add_argument("--list", action="store_true", help="only check that all apply and compile")
    parser.add_argument("--report", action="store_true", help="only say what is known so far")
    parser.add_argument("--stage", choices=[stage.name for stage in STAGES], help="go no further than this stage")
    parser.add_argument("--near", action="store_true", help="only the tests that should find it, as the list says")
    parser.add_argument("--again", action="store_true", help="try those anew that nothing found")
    parser.add_argument("--full", action="store_true", help="also what only build-aux/test --full runs")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="how many at once")
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "profview-mutants"),
                        help="folder of the copy (default: %(default)s)")
    return parser.parse_args()


def main():
    options = parse_options()
    with open(os.path.join(SOURCE, "tests", "mutation", "mutants.toml"), "rb") as file:
        mutants = choose(tomllib.load(file)["mutant"], options)
    folder = os.path.abspath(options.work)
    if os.path.isdir(folder) and os.listdir(folder) and not os.path.exists(os.path.join(folder, "source")):
        sys.exit("check-mutants.py: %s has other files in it" % folder)
    os.makedirs(os.path.join(folder, "source"), exist_ok=True)
    copy = Copy(os.path.realpath(os.path.join(folder, "source")), options.processes)
    results = Results(os.path.join(folder, "results.json"))
    if options.report:
        report(results, mutants)
        return 0
    copy.update()
    if options.list:
        return 0 if check_list(copy, mutants) else 1
    for mutant in mutants:
        if options.mutants or (options.again and results.get(mutant)["test"] is None):
            results.mutants.pop(mutant["name"], None)
    names = [stage.name for stage in STAGES]
    stages = [stage for stage in STAGES if options.full or not stage.is_full]
    if options.stage is not None:
        stages = STAGES[:names.index(options.stage) + 1]
    is_good = True
    while True:
        for mutant in mutants:
            is_good = try_mutant(copy, results, mutant, stages, options.near) and is_good
        if not check_tests(copy, results, mutants):
            break
    report(results, mutants)
    return 0 if is_good else 1


try:
    sys.exit(main())
except KeyboardInterrupt:
    sys.exit(130)
