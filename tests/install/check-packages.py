#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-packages.py SOURCE BUILD: the packages of all systems have the version of meson.build and ask for what it asks for, as
build-aux/dependencies.txt names it in each; the package that lists its files lists those that BUILD installs; and the tools of
these systems, where they are installed, can read their files."""
import fnmatch
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

source, build = (os.path.abspath(path) for path in sys.argv[1:])
problems, unchecked = [], []


def read(*path):
    with open(os.path.join(source, *path), encoding="utf-8") as file:
        return file.read()


def expect(is_good, text):
    if not is_good:
        problems.append(text)


def expect_same(what, wanted, found):
    for name in sorted(wanted - found):
        problems.append("%s does not have %s" % (what, name))
    for name in sorted(found - wanted):
        problems.append("%s has %s, which dependencies.txt does not" % (what, name))


def try_tool(name, *arguments, user=None):
    """What a tool says that has to succeed; None where it is not installed."""
    if not shutil.which(name):
        unchecked.append(name)
        return None
    done = subprocess.run([name, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", user=user)
    expect(done.returncode == 0, "%s: %s" % (name, done.stdout))
    return done.stdout


def versions_wanted():
    """Library -> the oldest version that will do, or None, of all rooms that are in a package."""
    wanted = {}
    for path in ["meson.build"] + glob.glob("src/**/meson.build", root_dir=source, recursive=True):
        text = read(path)
        for name, version in re.findall(r"\bdependency\('([^']+)'(?:, version: '>= ([\d.]+)')?", text):
            wanted[name] = version or wanted.get(name)
        for name in re.findall(r"\bfind_library\('([^']+)'", text):
            wanted[name] = None
    # The compiler's and the C library's.
    for name in ("dl", "m", "threads"):
        wanted.pop(name, None)
    return wanted


wanted = versions_wanted()
expect(len(wanted) > 20, "meson.build was not understood: %s" % wanted)
rows = [line.split() for line in read("build-aux", "dependencies.txt").splitlines() if line and line[0] != "#"]
expect_same("meson.build", {row[0] for row in rows if row[0][0] != "*"}, set(wanted))


def names_of(column):
    """Package -> the oldest version of what it brings, if there is one."""
    names = {}
    for row in rows:
        if row[column] != "-":
            names[row[column]] = wanted.get(row[0]) or names.get(row[column])
    return names


def relations(text):
    """Of lines such as "libdw-dev (>= 0.188)," or "meson >= 1.0": package -> version."""
    found = {}
    for line in text.splitlines():
        match = re.match(r"\s*([\w.+:()-]+?)(?: \(?>?= ([\d.]+)\)?)?,?$", line)
        if match:
            found[match.group(1)] = match.group(2)
        else:
            problems.append("not understood: " + line)
    return found


def compare(what, column, found):
    names = names_of(column)
    expect_same(what, set(names), set(found))
    for name in set(names) & set(found):
        if names[name]:
            expect(found[name] == names[name], "%s: %s is %s, and %s in meson.build" % (what, name, found[name], names[name]))


def introspect(name):
    """What meson notes of the build, when that is configured."""
    with open(os.path.join(build, "meson-info", "intro-%s.json" % name), encoding="utf-8") as file:
        return json.load(file)


def compare_files(text):
    """%files of the spec lists the files that are installed, and no other ones. rpm finds the translations by itself."""
    options = {option["name"]: option["value"] for option in introspect("buildoptions")}
    folders = {"_" + name: os.path.join(options["prefix"], options[name])
               for name in ("bindir", "libdir", "libexecdir", "datadir", "mandir")}
    folders["_docdir"] = os.path.join(folders["_datadir"], "doc")
    folders["_metainfodir"] = os.path.join(folders["_datadir"], "metainfo")
    lines = re.search(r"^%files .*\n((?:.+\n)+)", text, re.M).group(1).splitlines()
    listed = {line: re.sub(r"%{(\w+)}", lambda match: folders[match.group(1)], line)
              for line in lines if line.startswith("%{")}
    found = [path for path in introspect("installed").values() if not re.search(r"/locale/|/share/help/", path)]
    expect(len(found) > 10 and len(listed) > 10, "%%files was not understood: %s, %s" % (found, listed))
    if not options["app"]:
        return

    def is_of(path, entry):
        return path.startswith(entry) if entry.endswith("/") else fnmatch.fnmatchcase(path, entry)
    for path in sorted(found):
        expect(any(is_of(path, entry) for entry in listed.values()), "%%files of profview.spec does not have %s" % path)
    for line, entry in listed.items():
        expect(any(is_of(path, entry) for path in found), "%%files of profview.spec has %s, which is not installed" % line)


# Debian
control = read("build-aux", "debian", "control")
compare("debian/control", 1, relations(re.search(r"^Build-Depends:\n((?: .*\n)+)", control, re.M).group(1)))
listed = re.search(r"^\[build\]\n((?:.+\n)+)", read("build-aux", "packages.txt"), re.M).group(1).split()
expect_same("[build] of packages.txt", {row[1] for row in rows if row[1].endswith("-dev")},
            {name for name in listed if name.endswith("-dev")})
# Fedora
spec = read("build-aux", "profview.spec")
compare("profview.spec", 2, relations("\n".join(re.findall(r"^BuildRequires: +(.+)$", spec, re.M))))
compare_files(spec)
# Arch, which always has the newest
pkgbuild = read("build-aux", "PKGBUILD")
lists = re.findall(r"^(?:make)?depends=\(\n(.*?)^\)", pkgbuild, re.M | re.S)
expect_same("PKGBUILD", set(names_of(3)), {name for text in lists for name in text.split()})
# Flatpak
manifest = yaml.safe_load(read("build-aux", "org.profview.Profview.yml"))
expect_same("the Flatpak", set(names_of(4)) - {"runtime"}, {module["name"] for module in manifest["modules"]} - {"profview"})
for module in manifest["modules"]:
    for entry in module["sources"]:
        expect(entry["type"] == "dir" or re.fullmatch("[0-9a-f]{40}|[0-9a-f]{64}", entry.get("sha256") or entry.get("commit", "")),
               "the Flatpak takes any %s" % module["name"])

# One version everywhere.
version = re.search(r"^  version: '([\d.]+)'", read("meson.build"), re.M).group(1)
metainfo = re.search(r'<release version="([\d.]+)" date="([\d-]+)"', read("data", "org.profview.Profview.metainfo.xml.in"))
for what, found in {
        "the metainfo": metainfo.group(1),
        "debian/changelog": re.match(r"profview \(([\d.]+)-\d+\) ", read("build-aux", "debian", "changelog")).group(1),
        "profview.spec": re.search(r"^Version: +(\S+)$", spec, re.M).group(1),
        "the changes of profview.spec": re.search(r"^%changelog\n\* .*> - (\S+)-\d+$", spec, re.M).group(1),
        "PKGBUILD": re.search(r"^pkgver=(\S+)$", pkgbuild, re.M).group(1),
        # It builds the folder that it is in.
        "the Flatpak": version if manifest["modules"][-1]["sources"][0].get("path") == ".." else "another"}.items():
    expect(found == version, "%s is of version %s, not %s" % (what, found, version))

# The tools' own opinion.
if try_tool("dpkg-parsechangelog", "-l", os.path.join(source, "build-aux", "debian", "changelog")):
    said = subprocess.run(["date", "-u", "-d", re.search(r"> {2}(.+)$", read("build-aux", "debian", "changelog"), re.M).group(1),
                           "+%Y-%m-%d"], stdout=subprocess.PIPE, encoding="utf-8").stdout.strip()
    expect(said == metainfo.group(2), "debian/changelog is of %s, the metainfo of %s" % (said, metainfo.group(2)))
try_tool("bash", "-n", os.path.join(source, "build-aux", "PKGBUILD"))
try_tool("rpmspec", "--parse", os.path.join(source, "build-aux", "profview.spec"))
with tempfile.TemporaryDirectory() as folder:
    # makepkg works neither for root nor without pacman, and writes where it is.
    user = "nobody" if os.getuid() == 0 else None
    os.chmod(folder, 0o777)
    shutil.copy(os.path.join(source, "build-aux", "PKGBUILD"), folder)
    os.chdir(folder)
    # It leaves a folder where it is, too.
    try_tool("flatpak-builder", "--show-manifest", os.path.join(source, "build-aux", "org.profview.Profview.yml"))
    said = try_tool("makepkg" if shutil.which("pacman") else "pacman", "--printsrcinfo", user=user)
    expect(said is None or "pkgver = " + version in said, "makepkg: %s" % said)

print("\n".join(problems))
print("%d libraries, %d problems; not installed: %s" % (len(wanted), len(problems), ", ".join(unchecked) or "nothing"))
sys.exit(1 if problems else 0)
