# SPDX-License-Identifier: GPL-3.0-or-later
"""Many commands of profview, quickly: starting the program takes longer than most commands do. Where PV_ANSWER_COMMANDS names the
program that answer-commands.c becomes, that runs them, each in a process of its own; else profview is started for each."""
import atexit
import os
import struct
import subprocess


class Commands:
    """Of one program in one environment"""
    def __init__(self, program, environment):
        self.program, self.environment, self.process = program, environment, None
        self.answerer = os.environ.get("PV_ANSWER_COMMANDS")

    def run(self, *arguments):
        """What it prints; an error with what it says if it fails."""
        status, out, err = self.ask(*arguments)
        out, err = out.decode("utf-8", "replace"), err.decode("utf-8", "replace")
        if status != 0:
            raise subprocess.CalledProcessError(status, [self.program, *arguments], out, err)
        return out

    def ask(self, *arguments):
        """The exit status, what it prints, and what it says, both as bytes."""
        words = [self.program, *arguments]
        if not self.answerer:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, env=self.environment, check=False)
            return done.returncode, done.stdout, done.stderr
        if self.process is None:
            # No command looks up again what it has looked up before it forks.
            self.process = subprocess.Popen([self.answerer], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            env=dict(self.environment, LD_BIND_NOW="1"))
        encoded = [os.fsencode(word) for word in words]
        self.process.stdin.write(struct.pack("=I", len(encoded)) +
                                 b"".join(struct.pack("=I", len(word)) + word for word in encoded))
        self.process.stdin.flush()
        status = os.waitstatus_to_exitcode(self._number())
        return status, self._read(self._number()), self._read(self._number())

    def _number(self):
        return struct.unpack("=I", self._read(4))[0]

    def _read(self, size):
        data = self.process.stdout.read(size)
        if len(data) < size:
            raise EOFError("%s has ended: %s" % (self.answerer, self.process.wait()))
        return data

    def close(self):
        """Its end is good too, where a sanitizer looks at it."""
        if self.process is not None:
            self.process.stdin.close()
            self.process.stdout.close()
            if self.process.wait() != 0:
                raise ValueError("%s: exit status %d" % (self.answerer, self.process.returncode))
            self.process = None


of_programs = {}


def run_any(command, environment):
    """Runs a command of profview, or of another program, which reads nothing: its exit status, what it prints, and what it says, as bytes."""
    if os.path.basename(command[0]) != "profview":
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=False)
        return done.returncode, done.stdout, done.stderr
    key = command[0], tuple(sorted(environment.items()))
    if key not in of_programs:
        of_programs[key] = Commands(command[0], environment)
        atexit.register(of_programs[key].close)
    return of_programs[key].ask(*command[1:])
