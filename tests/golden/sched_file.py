# SPDX-License-Identifier: GPL-3.0-or-later
"""A perf.data with tracepoints, as `perf record -e sched:... -e raw_syscalls:... -g` writes it, of a made-up machine: threads that
sleep, wake each other, are preempted, and call the kernel. What happens is the same in each run for the same seed. For tests where
no kernel gives tracepoints."""
import random
import struct

COMMON = ("\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
          "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
          "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
          "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n")
STATES = ("( 0x%x | 0x%x )" % (0, 1), "{ 0x0001, \"S\" }, { 0x0002, \"D\" }, { 0x0004, \"T\" }, { 0x0008, \"t\" }, "
          "{ 0x0010, \"X\" }, { 0x0020, \"Z\" }, { 0x0040, \"P\" }, { 0x0080, \"I\" }")


def field(kind, name, offset, size, signed):
    return "\tfield:%s %s;\toffset:%d;\tsize:%d;\tsigned:%d;\n" % (kind, name, offset, size, signed)


def make_format(name, number, fields, print_format):
    return ("name: %s\nID: %d\nformat:\n" % (name, number) + COMMON + "".join(field(*row) for row in fields)
            + "\nprint fmt: %s\n" % print_format).encode()


WAKE_FIELDS = [("char", "comm[16]", 8, 16, 0), ("pid_t", "pid", 24, 4, 1), ("int", "prio", 28, 4, 1),
               ("int", "target_cpu", 32, 4, 1)]
WAKE_PRINT = "\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, REC->prio, REC->target_cpu"
# name: (system, id, format)
EVENTS = {
    "sched_switch": ("sched", 316, make_format("sched_switch", 316, [
        ("char", "prev_comm[16]", 8, 16, 0), ("pid_t", "prev_pid", 24, 4, 1), ("int", "prev_prio", 28, 4, 1),
        ("long", "prev_state", 32, 8, 1), ("char", "next_comm[16]", 40, 16, 0), ("pid_t", "next_pid", 56, 4, 1),
        ("int", "next_prio", 60, 4, 1)],
        "\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d\", REC->prev_comm, "
        "REC->prev_pid, REC->prev_prio, (REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, \"|\", " + STATES[1]
        + ") : \"R\", REC->prev_state & 0x100 ? \"+\" : \"\", REC->next_comm, REC->next_pid, REC->next_prio")),
    "sched_waking": ("sched", 318, make_format("sched_waking", 318, WAKE_FIELDS, WAKE_PRINT)),
    "sched_wakeup": ("sched", 317, make_format("sched_wakeup", 317, WAKE_FIELDS, WAKE_PRINT)),
    "sched_wakeup_new": ("sched", 315, make_format("sched_wakeup_new", 315, WAKE_FIELDS, WAKE_PRINT)),
    "sys_enter": ("raw_syscalls", 20, make_format("sys_enter", 20, [
        ("long", "id", 8, 8, 1), ("unsigned long", "args[6]", 16, 48, 0)],
        "\"NR %ld (%lx, %lx, %lx, %lx, %lx, %lx)\", REC->id, REC->args[0], REC->args[1], REC->args[2], REC->args[3], "
        "REC->args[4], REC->args[5]")),
    "sys_exit": ("raw_syscalls", 19, make_format("sys_exit", 19, [("long", "id", 8, 8, 1), ("long", "ret", 16, 8, 1)],
                                                 "\"NR %ld = %ld\", REC->id, REC->ret")),
    "openat_enter": ("syscalls", 640, make_format("sys_enter_openat", 640, [
        ("int", "__syscall_nr", 8, 4, 1), ("int", "dfd", 16, 8, 0), ("const char *", "filename", 24, 8, 0),
        ("int", "flags", 32, 8, 0), ("umode_t", "mode", 40, 8, 0)], "\"dfd: 0x%08lx\", ((unsigned long)(REC->dfd))")),
    "openat_exit": ("syscalls", 639, make_format("sys_exit_openat", 639, [
        ("int", "__syscall_nr", 8, 4, 1), ("long", "ret", 16, 8, 1)], "\"0x%lx\", REC->ret")),
    "contention_begin": ("lock", 408, make_format("contention_begin", 408, [
        ("void *", "lock_addr", 8, 8, 0), ("unsigned int", "flags", 16, 4, 0)], "\"%p (flags=%x)\", REC->lock_addr, REC->flags")),
    "contention_end": ("lock", 407, make_format("contention_end", 407, [
        ("void *", "lock_addr", 8, 8, 0), ("int", "ret", 16, 4, 1)], "\"%p (ret=%d)\", REC->lock_addr, REC->ret")),
    "exec": ("sched", 310, make_format("sched_process_exec", 310, [
        ("__data_loc char[]", "filename", 8, 4, 0), ("pid_t", "pid", 12, 4, 1), ("pid_t", "old_pid", 16, 4, 1)],
        "\"filename=%s pid=%d old_pid=%d\", __get_str(filename), REC->pid, REC->old_pid")),
}

IDENTIFIER, IP, TID, TIME, CHAIN, CPU, PERIOD, RAW = (1 << bit for bit in (16, 0, 1, 2, 5, 7, 8, 10))
SAMPLE_TYPE = IDENTIFIER | IP | TID | TIME | CHAIN | CPU | PERIOD | RAW
SAMPLE_ID_ALL, FREQ = 1 << 18, 1 << 10
USER, KERNEL = 2, 1
CONTEXT_KERNEL, CONTEXT_USER = (1 << 64) - 128, (1 << 64) - 512
ATTR_SIZE = 112


class Recording:
    """The records of one file. order ">": written on a machine of the other byte order (big-endian). freq: events whose samples
    are taken by a frequency (-F)."""

    def __init__(self, events, order="<", freq=()):
        self.events, self.order, self.freq = list(events), order, set(freq)
        self.records, self.n_samples = [], 0

    def pack(self, layout, *values):
        return struct.pack(self.order + layout, *values)

    def record(self, kind, misc, body):
        self.records.append(self.pack("IHH", kind, misc, 8 + len(body)) + body)

    def trailer(self, pid, tid, time, cpu):
        return self.pack("IIQIIQ", pid, tid, time, cpu, 0, 1)

    def comm(self, pid, tid, name, time=0):
        text = name.encode() + bytes(8 - len(name) % 8)
        self.record(3, 0, self.pack("II", pid, tid) + text + self.trailer(pid, tid, time, 0))

    def lost(self, n, time):
        self.record(2, 0, self.pack("QQ", 1, n) + self.trailer(0, 0, time, 0))

    def mmap(self, pid, addr, size, path):
        text = path.encode() + bytes(8 - len(path) % 8)
        self.record(1, USER, self.pack("IIQQQ", pid, pid, addr, size, 0) + text + self.trailer(pid, pid, 0, 0))

    def sample(self, event, pid, tid, time, cpu, raw, ips):
        self.n_samples += 1
        raw = raw + bytes(-(len(raw) + 4) % 8)
        chain = [CONTEXT_USER, *ips] if ips else []
        self.record(9, USER, self.pack("QQIIQIIQ", self.events.index(event) + 1, ips[0] if ips else 0x10, pid, tid, time, cpu, 0, 1)
                    + self.pack("Q%dQ" % len(chain), len(chain), *chain) + self.pack("I", len(raw)) + raw)

    def common(self, event, tid):
        return self.pack("HBBi", EVENTS[event][1], 0, 0, tid)

    def attr(self, event):
        is_freq = event in self.freq
        flags = struct.pack("<Q", SAMPLE_ID_ALL | (FREQ if is_freq else 0))
        if self.order == ">":
            flags = bytes(int("{:08b}".format(byte)[::-1], 2) for byte in flags)
        return (self.pack("IIQQQQ", 2, ATTR_SIZE, EVENTS[event][1], 4000 if is_freq else 1, SAMPLE_TYPE, 0) + flags).ljust(ATTR_SIZE, b"\0")

    def tracing(self):
        def sized(text):
            return self.pack("Q", len(text)) + text
        systems = {}
        for event in self.events:
            systems.setdefault(EVENTS[event][0], []).append(EVENTS[event][2])
        page = (field("u64", "timestamp", 0, 8, 0) + field("local_t", "commit", 8, 8, 1) + field("int", "overwrite", 8, 1, 1)
                + field("char", "data", 16, 4080, 0)).encode()
        out = (b"\x17\x08\x44tracing0.6\0" + bytes([self.order == ">", 8]) + self.pack("I", 4096) + b"header_page\0" + sized(page)
               + b"header_event\0" + sized(b"# compressed entry header\n") + self.pack("I", 0) + self.pack("I", len(systems)))
        for system, formats in systems.items():
            out += system.encode() + b"\0" + self.pack("I", len(formats)) + b"".join(map(sized, formats))
        out += self.pack("II", 0, 0) + self.pack("Q", 0)
        return out + bytes(-len(out) % 8)

    def features(self):
        def string(text):
            return self.pack("I", 64) + text.encode().ljust(64, b"\0")
        return {1: self.tracing(), 3: string("box"), 4: string("6.12.0"), 5: string("6.12"), 6: string("x86_64"),
                7: self.pack("II", 4, 4)}

    def write(self, path):
        features = self.features()
        n = len(self.events)
        ids_at, attrs_at = 104, 104 + 8 * n
        data_at = attrs_at + n * (ATTR_SIZE + 16)
        data = b"".join(self.records)
        bitmap = sum(1 << bit for bit in features)
        out = self.pack("Q", 0x32454c4946524550) + self.pack("11Q", 104, ATTR_SIZE + 16, attrs_at, n * (ATTR_SIZE + 16), data_at,
                                                             len(data), 0, 0, bitmap, 0, 0) + self.pack("Q", 0)
        out += b"".join(self.pack("Q", i + 1) for i in range(n))
        out += b"".join(self.attr(event) + self.pack("QQ", ids_at + 8 * i, 8) for i, event in enumerate(self.events))
        at = data_at + len(data) + 16 * len(features)
        table, payload = b"", b""
        for bit in sorted(features):
            table += self.pack("QQ", at + len(payload), len(features[bit]))
            payload += features[bit]
        with open(path, "wb") as file:
            file.write(out + data + table + payload)


class Thread:
    def __init__(self, pid, tid, name):
        self.pid, self.tid, self.name = pid, tid, name
        self.state = None  # on a CPU; or why not
        self.left = None  # when it left the CPU
        self.waker = None  # (tid, ips) of who woke it since
        self.letter = None
        self.call = None  # (number, time, ips) of the system call it is in
        self.plus_ns = 0  # preempted, with the mark that new kernels set
        self.has_plus = False


class Machine:
    """Random events of threads on CPUs. After stop () every thread has ended."""

    def __init__(self, recording, seed, n_cpus=2, n_threads=6, has_plus=False):
        self.recording, self.random, self.has_plus = recording, random.Random(seed), has_plus
        self.time = 1000000
        self.idle = [Thread(0, 0, "swapper/%d" % cpu) for cpu in range(n_cpus)]
        self.threads = [Thread(100 + i // 3 * 3, 100 + i, "worker-%d" % i) for i in range(n_threads)]
        self.running = list(self.idle)
        self.calls = []  # that are over: (tid, number, start, ns, result, ips)
        self.waits = []  # that are over: (tid, state, tid of the waker or None, its ips, ns)
        self.queue = []
        for pid in sorted({thread.pid for thread in self.threads}):
            recording.mmap(pid, 0x400000, 0x100000, "/opt/samples/bin/program")
        for thread in self.threads:
            recording.comm(thread.pid, thread.tid, thread.name)
            thread.state = 1

    def ips(self, thread):
        return [] if thread.tid == 0 else [0x400100 + 16 * self.random.randrange(4), 0x401000 + 16 * (thread.tid % 8), 0x402000]

    def tick(self, most=50000):
        self.time += self.random.randrange(100, most)

    def comm(self, thread):
        return thread.name.encode().ljust(16, b"\0")[:16]

    def switch(self, cpu, following, state):
        leaving = self.running[cpu]
        pack = self.recording.pack
        raw = (self.recording.common("sched_switch", leaving.tid) + self.comm(leaving) + pack("iiq", leaving.tid, 120, state)
               + self.comm(following) + pack("ii", following.tid, 120))
        self.recording.sample("sched_switch", leaving.pid, leaving.tid, self.time, cpu, raw, self.ips(leaving))
        leaving.state = state & 0xff
        leaving.left, leaving.has_plus, leaving.waker = self.time, state == 0x100, None
        leaving.letter = {0: "R", 1: "S", 2: "D", 0x10: "X"}[state & 0xff]
        if leaving.tid != 0 and state & 0xff == 0:
            self.queue.append(leaving)
        if following.tid and following.left is not None:
            self.waits.append((following.tid, following.letter, *(following.waker or (None, ())), self.time - following.left))
        if following.has_plus:
            following.plus_ns += self.time - following.left
        following.state, following.left, following.has_plus = None, None, False
        self.running[cpu] = following

    def pick(self, cpu):
        return self.queue.pop(0) if self.queue else self.idle[cpu]

    def wake(self, cpu, thread):
        waker, ips = self.running[cpu], None
        for event in ("sched_waking", "sched_wakeup"):
            if event in self.recording.events:
                raw = (self.recording.common(event, waker.tid) + self.comm(thread)
                       + self.recording.pack("iii", thread.tid, 120, cpu))
                stack = self.ips(waker)
                self.recording.sample(event, waker.pid, waker.tid, self.time, cpu, raw, stack)
                ips = stack if ips is None else ips
                self.time += self.random.randrange(1, 900)
        thread.state = 0
        thread.waker = (waker.tid, tuple(ips or ()))
        self.queue.append(thread)

    def enter(self, cpu):
        """The thread on the CPU calls the kernel; it may be elsewhere when that returns."""
        thread = self.running[cpu]
        number = self.random.choice((0, 0, 1, 202, 257))
        raw = self.recording.common("sys_enter", thread.tid) + self.recording.pack("q6Q", number, *(self.random.randrange(1 << 40)
                                                                                           for _ in range(6)))
        ips = self.ips(thread)
        self.recording.sample("sys_enter", thread.pid, thread.tid, self.time, cpu, raw, ips)
        thread.call = number, self.time, tuple(ips)

    def leave(self, cpu):
        thread = self.running[cpu]
        number, start, ips = thread.call
        result = self.random.choice((-2, -11, 0, 5, 4096))
        raw = self.recording.common("sys_exit", thread.tid) + self.recording.pack("qq", number, result)
        self.recording.sample("sys_exit", thread.pid, thread.tid, self.time, cpu, raw, self.ips(thread))
        self.calls.append((thread.tid, number, start, self.time - start, result, ips))
        thread.call = None

    def step(self):
        self.tick()
        cpu = self.random.randrange(len(self.running))
        current = self.running[cpu]
        if "sys_enter" in self.recording.events and current.tid and self.random.random() < 0.5:
            if current.call is None:
                self.enter(cpu)
            else:
                self.leave(cpu)
            return
        sleepers = [thread for thread in self.threads if thread.state]
        if sleepers and self.random.random() < 0.45:
            self.wake(cpu, self.random.choice(sleepers))
        elif current.tid == 0 or self.random.random() < 0.3:
            following = self.pick(cpu)
            if following is not current:
                preempted = 0x100 if self.has_plus and self.random.random() < 0.5 else 0
                self.switch(cpu, following, preempted)
        else:
            self.switch(cpu, self.pick(cpu), self.random.choice((1, 1, 1, 2)))

    def run(self, n_steps):
        for _ in range(n_steps):
            self.step()

    def stop(self):
        """Each thread runs once more, and ends."""
        self.queue += [thread for thread in self.threads if thread.state]
        while self.queue or any(thread.tid for thread in self.running):
            for cpu, thread in enumerate(self.running):
                self.tick()
                following = self.pick(cpu)
                if following is not thread:
                    self.switch(cpu, following, 0x10)
