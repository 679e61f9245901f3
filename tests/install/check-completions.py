#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-completions.py FOLDER TABLE: bash, zsh and fish complete options, words, files and the command to record, as they would for
a user who presses Tab. FOLDER has the files that they load."""
import csv
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

FOLDER, TABLE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
TELL = "\x18q"  # Ctrl+X, Q: tells the line as it is
COMPLETION = "/usr/share/bash-completion/bash_completion"
# Typed -> the line after Tab.
TYPED = [
    ("--pri", "--print="),
    ("--print=to", "--print=top "),
    ("--print to", "--print top "),
    ("--print=no", "--print=notes "),
    ("--print=calle", "--print=calle"),
    ("--print=nothing", "--print=nothing"),
    ("--no-dem", "--no-demangle "),
    ("--print=top --symbol-path=no", "--print=top --symbol-path=notes.txt "),
    ("--sysroot=su", "--sysroot=sub/"),
    ("--sysroot=no", "--sysroot=no"),
    ("--group=lab", "--group=label:"),
    ("--scale=fun", "--scale=function:"),
    ("--chart=ls", "--chart=ls"),
    ("--export=sub/", "--export=sub/deep.svg "),
    ("--export=sub/flame.call", "--export=sub/flame.callgrind "),
    ("--export=flame.p", "--export=flame.p"),
    ("--limit=", "--limit="),
    ("no", "notes.txt "),
    ("my", r"my\ file.data "),
    ("--print=top my", r"--print=top my\ file.data "),
    ("--record=he", "--record=heaptrack "),
    ("--record=perf --call-graph=f", "--record=perf --call-graph=fp "),
    ("--record=perf -- pv-one", "--record=perf -- pv-one-command "),
    ("--record=perf -- pv-one-command no", "--record=perf -- pv-one-command notes.txt "),
    ("--bisect=a..b --build=make -- pv-one", "--bisect=a..b --build=make -- pv-one-command "),
]
# fish tells all that it would offer, options without "=": typed -> what is offered.
OFFERED = {
    "--pri": ["--print"],
    "--print=to": ["--print=top"],
    "--print to": ["top"],
    "--print=no": ["--print=notes"],
    "--print=calle": ["--print=callees", "--print=callers"],
    "--sysroot=su": ["--sysroot=sub/"],
    "--group=lab": ["--group=label:"],
    "--export=sub/": ["--export=sub/deep.svg"],
    "--export=sub/flame.call": ["--export=sub/flame.callgrind"],
    "--export=sub/de": ["--export=sub/de" + "*"],
    "--limit=": [],
    "no": ["notes.txt"],
    "--record=he": ["--record=heaptrack"],
    "--record=perf -- pv-one": ["pv-one-command"],
    "--record=perf -- pv-one-command no": ["notes.txt"],
}
SETUP = {
    "bash": """bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; bind 'set completion-query-items 0'
        bind 'set page-completions off'; %s source {folder}/profview; PS1=
        tell() {{ printf %%s "$READLINE_LINE" >said.new; mv said.new said; }}; bind -x '"\\C-xq": tell'; echo ready >said""",
    "zsh": """fpath=({folder} $fpath); autoload -Uz compinit; compinit -D -u; PS1=; LISTMAX=100000; unset zle_bracketed_paste
        tell() {{ print -rn -- "$BUFFER" >said.new; mv said.new said; }}; zle -N tell; bindkey '^Xq' tell
        bindkey '^U' kill-whole-line; setopt no_beep; echo ready >said""",
}
problems = []


def expect(is_good, text):
    if not is_good:
        problems.append(text)


class Shell:
    """An interactive shell in a terminal of its own."""

    def __init__(self, command, setup, place):
        self.said = os.path.join(place, "said")
        self.output = b""
        self.terminal, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "HOME": place, "PATH": place + "/bin:" + os.environ["PATH"], "COLUMNS": "200"}
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=place, env=environment,
                                        start_new_session=True)
        os.close(theirs)
        with open(os.path.join(place, "setup"), "w", encoding="utf-8") as file:
            file.write(setup)
        self.ask(". ./setup\n")

    def ask(self, keys):
        """What the file has that these keys make the shell write."""
        os.write(self.terminal, keys.encode())
        deadline = time.monotonic() + 60
        while not os.path.exists(self.said):
            if select.select([self.terminal], [], [], 0.02)[0]:
                self.output += os.read(self.terminal, 65536)
            if time.monotonic() > deadline:
                raise AssertionError("nothing came of %r: %r" % (keys, self.output[-2000:]))
        with open(self.said, encoding="utf-8") as file:
            text = file.read()
        os.unlink(self.said)
        return text

    def complete(self, line):
        return self.ask("\x15" + line + "\t" + TELL)

    def end(self):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)


def check_typed(name, command, setup, place):
    shell = Shell(command, setup, place)
    for typed, wanted in TYPED:
        line = shell.complete("profview " + typed)
        expect(line == "profview " + wanted, "%s: “%s” becomes “%s” and not “%s”" % (name, typed, line, wanted))
    shell.end()


def output_of(command, place):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=place, check=False, encoding="utf-8",
                            env={**os.environ, "HOME": place, "PATH": place + "/bin:" + os.environ["PATH"]})
    expect(result.stderr == "" and result.returncode == 0, "%s says: %s" % (command[0], result.stderr))
    return result.stdout


def check_all(name, options, wanted):
    for option in wanted - options:
        problems.append("%s does not know %s" % (name, option))
    for option in options - wanted:
        problems.append("%s offers %s, which is no option" % (name, option))


def check_fish(place):
    for typed, wanted in OFFERED.items():
        text = output_of(["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", FOLDER + "/profview.fish",
                          "profview " + typed], place)
        offered = [line.split("\t")[0] for line in text.splitlines()]
        if wanted and wanted[0].endswith("*"):
            expect(len(offered) > 5 and all(item.startswith(wanted[0][:-1]) for item in offered),
                   "fish: for “%s” it offers %s" % (typed, offered))
        else:
            expect(offered == wanted, "fish: for “%s” it offers %s and not %s" % (typed, offered, wanted))


def main():
    with open(TABLE, encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    options = {row["option"] + ("=" if row["value"] else "") for row in rows}
    place = os.path.realpath(tempfile.mkdtemp())
    for path in ("notes.txt", "my file.data", "sub/deep.svg", "sub/deep.txt", "bin/pv-one-command"):
        os.makedirs(os.path.dirname(os.path.join(place, path)) or place, exist_ok=True)
        with open(os.path.join(place, path), "w", encoding="utf-8"):
            pass
    os.chmod(place + "/bin/pv-one-command", 0o755)

    text = output_of(["bash", "-c", '. "$0"; COMP_WORDS=(profview --) COMP_CWORD=1 COMP_LINE="profview --"; _profview; '
                      'printf "%s\\n" "${COMPREPLY[@]}"', FOLDER + "/profview"], place)
    check_all("bash", set(text.split()), options)
    text = output_of(["zsh", "-f", "-c", '_arguments() { print -rl -- "$@" }; words=(profview --) CURRENT=2; . "$0"',
                      FOLDER + "/_profview"], place)
    check_all("zsh", set(re.findall(r"^(?:\*|\([^)]*\))(--[^\[]*)", text, re.M)), options)
    text = output_of(["fish", "--no-config", "-c", 'source $argv; complete -C "profview --"', FOLDER + "/profview.fish"], place)
    told = dict(line.split("\t") for line in text.splitlines())
    check_all("fish", set(told), {row["option"] for row in rows})
    for row in rows:
        expect(told.get(row["option"]) == row["description"], "fish says of %s: %s" % (row["option"], told.get(row["option"])))

    bash = ["bash", "--noprofile", "--norc", "-i"]
    check_typed("bash", bash, (SETUP["bash"] % "").format(folder=FOLDER), place)
    check_typed("bash with bash-completion", bash, (SETUP["bash"] % (". %s;" % COMPLETION)).format(folder=FOLDER), place)
    check_typed("zsh", ["zsh", "-f", "-i"], SETUP["zsh"].format(folder=FOLDER), place)
    check_fish(place)
    shutil.rmtree(place)
    print("\n".join(problems))
    return 1 if problems else 0


sys.exit(main())
