#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-mime.py MIME.xml DESKTOP-FILE SOURCE: what the desktop takes files for, by the tools of its database.

The readers say the types of their formats. Every file of the corpus, where it is there, is of its format's type or of a more
general one, under its own name and under one that says nothing; no file of /usr/share is of a type of ours; and no kind of
text is a kind of what the desktop entry says that profview opens."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

MAX_FOREIGN = 2000
MAX_AT_ONCE = 200
# The beginning tells the type of these: under any name they are of their type, unless they are packed.
SURE = {"perf.data": "x-perf-data", "callgrind": "x-kcachegrind", "massif": "x-valgrind-massif", "speedscope": "x-speedscope",
        "sysprof": "x-sysprof-capture", "jemalloc": "x-gperftools-profile", "legacy-pprof": "x-gperftools-profile",
        "bpftrace": "x-bpftrace", "heaptrack": "x-heaptrack"}
# For these, only some beginnings or only names do.
UNSURE = {"dhat": "x-valgrind-dhat", "firefox": "x-firefox-profile", "v8": "x-v8-profile", "pprof": "x-pprof",
          "folded": "x-folded-stacks", "gprof": "x-gprof", "perf-script": "x-perf-script"}
PACKED = {"application/gzip", "application/zstd", "application/x-bzip", "application/x-bzip2", "application/x-xz"}


def ask(scratch, paths):
    """What the desktop takes each file for."""
    environment = {**os.environ, "XDG_DATA_HOME": os.path.join(scratch, "home"),
                   "XDG_DATA_DIRS": os.path.join(scratch, "share") + ":/usr/share", "LC_ALL": "C.UTF-8"}
    types = {}
    for start in range(0, len(paths), MAX_AT_ONCE):
        answer = subprocess.run(["gio", "info", "-a", "standard::content-type", *paths[start:start + MAX_AT_ONCE]],
                                env=environment, capture_output=True, text=True).stdout
        path = None
        for line in answer.split("\n"):
            if line.startswith("local path: "):
                path = line.removeprefix("local path: ")
            elif "standard::content-type: " in line:
                types[path] = line.split()[-1]
    return types


def check_readers(source, own):
    """The type that a reader names is described beside it."""
    faults = []
    for path in sorted(glob.glob(os.path.join(source, "src/core/read/*/*.c"))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if not re.search(r"^const PvReader \w+ = \{", text, re.M):
            continue
        named = re.search(r'^    \.media_type = "([^"]+)",', text, re.M)
        described = "".join(open(each, encoding="utf-8").read() for each in
                            glob.glob(os.path.join(os.path.dirname(path), "*.mime.xml")))
        if named is None:
            faults.append("%s: its reader names no media type" % path)
        elif described and 'type="%s"' % named.group(1) not in described:
            faults.append("%s: no .mime.xml beside it describes %s" % (path, named.group(1)))
    return faults


def check_corpus(scratch, own, corpus):
    with open(os.path.join(corpus, "MANIFEST.tsv"), encoding="utf-8") as file:
        rows = [line.split("\t")[:2] for line in file.read().split("\n")[1:] if line]
    folder = os.path.join(scratch, "unnamed")
    os.mkdir(folder)
    formats = {}
    for number, (name, form) in enumerate(rows):
        unnamed = os.path.join(folder, "file%03d" % number)
        os.symlink(os.path.join(corpus, name), unnamed)
        formats[unnamed] = formats[os.path.join(corpus, name)] = (form, name)
    faults = []
    for path, kind in ask(scratch, list(formats)).items():
        form, name = formats[path]
        wanted = SURE.get(form) or UNSURE.get(form)
        if kind in own and form not in ("bad", "elf") and kind != "application/" + wanted:
            faults.append("%s of the corpus, which is %s, is taken for %s" % (name, form, kind))
        elif kind not in own and form in SURE and kind not in PACKED and path.startswith(folder):
            faults.append("%s of the corpus is taken for %s by its beginning" % (name, kind))
    return faults


def check_foreign(scratch, own):
    """Evenly spread over all that is there."""
    paths = []
    for folder, folders, names in os.walk("/usr/share"):
        folders.sort()
        if "profview" not in folder:
            paths += [path for path in (os.path.join(folder, name) for name in sorted(names)) if os.path.isfile(path)]
    step = max(1, -(-len(paths) // MAX_FOREIGN))
    return ["%s is taken for %s" % (path, kind) for path, kind in ask(scratch, paths[::step]).items() if kind in own]


def check_claims(own, claimed):
    """The desktop opens a file by the type that its type is a kind of, where nothing else is there for its own."""
    path = "/usr/share/mime/subclasses"
    parents = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            child, parent = line.split()
            parents.setdefault(child, set()).add(parent)

    def list_ancestors(kind):
        return {kind}.union(*(list_ancestors(parent) for parent in parents.get(kind, ())))

    return ["%s, a kind of %s, would be opened" % (kind, " and ".join(sorted(ancestors & claimed)))
            for kind, ancestors in ((kind, list_ancestors(kind)) for kind in sorted(parents))
            if kind not in own and ancestors & claimed and (kind.startswith("text/") or ancestors & {"text/plain"})]


def main():
    mime, desktop_file, source = sys.argv[1:]
    with open(mime, encoding="utf-8") as file:
        own = set(re.findall(r'<mime-type type="([^"]+)">', file.read()))
    corpus = os.path.realpath(os.environ.get("PV_CORPUS", os.path.join(source, "..", "shared", "corpus")))
    with open(desktop_file, encoding="utf-8") as file:
        claimed = set(re.search(r"^MimeType=(.*)$", file.read(), re.M).group(1).split(";")) - {""}
    faults = check_readers(source, own) + check_claims(own, claimed - own)
    with tempfile.TemporaryDirectory() as scratch:
        packages = os.path.join(scratch, "share", "mime", "packages")
        os.makedirs(packages)
        shutil.copy(mime, packages)
        subprocess.run(["update-mime-database", os.path.join(scratch, "share", "mime")], check=True, capture_output=True)
        if os.path.isdir(corpus):
            faults += check_corpus(scratch, own, corpus)
        faults += check_foreign(scratch, own)
    print("\n".join(faults))
    print("%d types, %d faults%s" % (len(own), len(faults), "" if os.path.isdir(corpus) else "; there is no corpus"))
    sys.exit(bool(faults))


main()
