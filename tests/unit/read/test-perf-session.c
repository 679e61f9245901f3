/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The meaning of records: order, address spaces, stacks, group reads, waits, generated code. */
#include <string.h>

#include "../cases.h"
#include "core/base/error.h"
#include "perf-writer.h"

#define PROT_RX 5

static Writer *
plain (bool swap)
{
    Writer *writer = writer_new (swap, true);
    writer_attr (writer, &writer_plain_attr, NULL, 0);
    return writer;
}

static void
user_sample (Writer *writer, uint64_t time, uint32_t pid, uint64_t ip)
{
    const uint64_t chain[] = {CONTEXT_USER, ip};
    writer_sample (writer, MODE_USER, time, pid, pid, ip, 1, chain, 2);
}

static void
round_end (Writer *writer)
{
    writer_begin (writer, 68, 0);
    writer_end (writer);
}

/* Stacks of a set in order of time, as one text. */
static char *
stacks_text (const PvProfile *profile, const char *set_name)
{
    const PvSampleSet *set = find_set (profile, set_name);
    GString *text = g_string_new (NULL);
    for (uint32_t i = 0; set != NULL && i < set->n_samples; i++) {
        g_autofree char *stack = stack_text (profile, set->stack[i]);
        g_string_append_printf (text, "%s%s", i > 0 ? " " : "", stack);
    }
    return g_string_free (text, FALSE);
}

static void
assert_stacks (const PvProfile *profile, const char *set_name, const char *expected)
{
    assert_string (stacks_text (profile, set_name), expected);
}

/* Two CPUs' buffers one after the other; a mapping of one decides what samples of the other are. */
TEST (order)
{
    for (unsigned variant = 0; variant < 4; variant++) {
        bool has_rounds = (variant & 2) != 0;
        g_autoptr (Writer) writer = plain ((variant & 1) != 0);
        writer_mmap (writer, 0, 1, 0x1000, 0x1000, 0, "/a");
        user_sample (writer, 100, 1, 0x1001);
        user_sample (writer, 300, 1, 0x1003);
        if (has_rounds)
            round_end (writer);
        writer_mmap (writer, 200, 1, 0x1000, 0x1000, 0, "/b");
        user_sample (writer, 250, 1, 0x1002);
        user_sample (writer, 500, 1, 0x1005);
        if (has_rounds)
            round_end (writer);
        writer_mmap (writer, 400, 1, 0x1800, 0x100, 0, "/c");
        user_sample (writer, 350, 1, 0x1804);
        user_sample (writer, 600, 1, 0x1806);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        assert_stacks (profile, "cpu-clock", "!a+0x1 !b+0x2 !b+0x3 !b+0x804 !b+0x5 !c+0x6");
    }
}

TEST (fork_and_exec)
{
    g_autoptr (Writer) writer = plain (false);
    writer_comm (writer, 0, 1, 1, "shell", false);
    writer_mmap2 (writer, 0, 1, 0x1000, 0x1000, 0, 7, PROT_RX, "/bin/sh");
    user_sample (writer, 10, 1, 0x1001);
    writer_task (writer, 7, 20, 2, 2, 1, 1);
    user_sample (writer, 30, 2, 0x1002); /* still the parent's program */
    writer_comm (writer, 40, 2, 2, "ls", true);
    user_sample (writer, 45, 2, 0x1003); /* nothing is mapped yet */
    writer_mmap2 (writer, 50, 2, 0x1000, 0x1000, 0x100, 8, PROT_RX, "/bin/ls");
    writer_mmap2 (writer, 51, 2, 0x3000, 0x1000, 0, 9, PROT_RX, "/lib/libc.so (deleted)");
    writer_mmap2 (writer, 52, 2, 0x1000, 0x1000, 0, 10, 1, "/usr/share/data");
    user_sample (writer, 60, 2, 0x1004);
    user_sample (writer, 61, 2, 0x3004);
    writer_task (writer, 7, 70, 2, 3, 2, 2); /* a thread */
    const uint64_t chain[] = {CONTEXT_USER, 0x1005};
    writer_sample (writer, MODE_USER, 75, 2, 3, 0x1005, 1, chain, 2);
    writer_task (writer, 4, 80, 2, 2, 1, 1);
    user_sample (writer, 81, 2, 0x1006); /* a late one */
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    assert_stacks (profile, "cpu-clock",
                   "!sh+0x1 !sh+0x2 ![unknown]+0x1003 !ls+0x104 !libc.so+0x4 !ls+0x105 !ls+0x106");

    /* sh; its fork, until it became ls. */
    g_assert_cmpuint (profile->n_processes, ==, 4);
    g_assert_cmpstr (profile->processes[1].name, ==, "shell");
    g_assert_cmpuint (profile->processes[1].end_ns, ==, UINT64_MAX);
    g_assert_cmpstr (profile->processes[2].name, ==, "shell");
    g_assert_cmpuint (profile->processes[2].start_ns, ==, 20);
    g_assert_cmpuint (profile->processes[2].end_ns, ==, 40);
    g_assert_cmpstr (profile->processes[3].name, ==, "ls");
    g_assert_cmpuint (profile->processes[3].start_ns, ==, 40);
    g_assert_cmpuint (profile->processes[3].end_ns, ==, 80);
    /* sh; its fork; ls; the thread of ls. */
    g_assert_cmpuint (profile->n_threads, ==, 5);
    const PvSampleSet *set = &profile->sets[0];
    g_assert_cmpuint (pv_sample_set_thread (set, 1), !=, pv_sample_set_thread (set, 3));
    g_assert_cmpstr (profile->threads[pv_sample_set_thread (set, 1)].name, ==, "shell");
    g_assert_cmpuint (profile->threads[pv_sample_set_thread (set, 1)].end_ns, ==, 40);
    g_assert_cmpint (profile->threads[pv_sample_set_thread (set, 5)].tid, ==, 3);
    g_assert_cmpstr (profile->threads[pv_sample_set_thread (set, 5)].name, ==, "ls");
    g_assert_true (find_module (profile, "/bin/sh")->is_main);
    g_assert_true (find_module (profile, "/bin/ls")->is_main);
    g_assert_false (find_module (profile, "/lib/libc.so")->is_main);
}

static void
thread_sample (Writer *writer, uint64_t time, uint32_t pid, uint32_t tid)
{
    const uint64_t chain[] = {CONTEXT_USER, 0x1005};
    writer_sample (writer, MODE_USER, time, pid, tid, 0x1005, 1, chain, 2);
}

/* Samples have the names that were valid at their time, and an earlier name has its row again. */
TEST (names_over_time)
{
    g_autoptr (Writer) writer = plain (false);
    thread_sample (writer, 5, 10, 10); /* before its name is told */
    writer_comm (writer, 6, 10, 10, "one", false);
    thread_sample (writer, 10, 10, 10);
    writer_task (writer, 7, 11, 10, 11, 10, 10);
    thread_sample (writer, 12, 10, 11);
    writer_comm (writer, 13, 10, 11, "job-a", false);
    thread_sample (writer, 14, 10, 11);
    writer_comm (writer, 15, 10, 11, "job-b", false);
    writer_comm (writer, 16, 10, 11, "job-b", false);
    thread_sample (writer, 17, 10, 11);
    writer_comm (writer, 18, 10, 11, "job-a", false);
    thread_sample (writer, 19, 10, 11);
    writer_comm (writer, 20, 10, 10, "two", false); /* names the process, too */
    thread_sample (writer, 21, 10, 11);
    thread_sample (writer, 22, 10, 10);
    writer_task (writer, 7, 23, 12, 12, 10, 11); /* forked by the thread, whose name it has */
    thread_sample (writer, 24, 12, 12);
    writer_comm (writer, 25, 12, 12, "child", false);
    thread_sample (writer, 26, 12, 12);
    writer_comm (writer, 27, 10, 10, "one", false);
    thread_sample (writer, 28, 10, 11);
    thread_sample (writer, 29, 10, 10);
    /* The thread executes a program: the main thread ends, and it gets the number of that. */
    writer_task (writer, 4, 30, 10, 10, 1, 1);
    writer_comm (writer, 31, 10, 10, "one", true);
    thread_sample (writer, 32, 10, 10);
    writer_comm (writer, UINT64_C (20000000000), 10, 10, "three", true);
    writer_mmap (writer, UINT64_C (20000000001), 10, 0x1000, 0x1000, 0, "/three");
    writer_task (writer, 4, UINT64_C (30000000000), 12, 12, 1, 1);
    thread_sample (writer, UINT64_C (30000000001), 10, 10); /* what it maps is not forgotten */
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    const PvSampleSet *set = &profile->sets[0];
    g_autoptr (GString) text = g_string_new (NULL);
    for (uint32_t i = 0; i < set->n_samples; i++) {
        PvThreadId row = pv_sample_set_thread (set, i);
        const PvThread *thread = &profile->threads[row];
        const PvProcess *process = &profile->processes[thread->process];
        g_string_append_printf (text, "%d %s, %u %d %s\n", process->pid, process->name, row,
                                thread->tid, thread->name);
    }
    g_assert_cmpstr (text->str, ==,
                     "10 one, 1 10 one\n"
                     "10 one, 1 10 one\n"
                     "10 one, 2 11 one\n"
                     "10 one, 3 11 job-a\n"
                     "10 one, 4 11 job-b\n"
                     "10 one, 3 11 job-a\n"
                     "10 two, 5 11 job-a\n"
                     "10 two, 6 10 two\n"
                     "12 job-a, 7 12 job-a\n"
                     "12 child, 8 12 child\n"
                     "10 one, 3 11 job-a\n"
                     "10 one, 1 10 one\n"
                     "10 one, 9 10 one\n"
                     "10 three, 10 10 three\n");
    g_assert_cmpuint (profile->threads[3].start_ns, ==, 13);
    g_assert_cmpuint (profile->threads[3].end_ns, ==, UINT64_MAX);
    g_assert_cmpuint (profile->threads[4].end_ns, ==, 18);
    g_assert_cmpuint (profile->threads[1].end_ns, ==, 30);
    g_assert_cmpuint (profile->threads[10].end_ns, ==, UINT64_MAX);
    g_autofree char *last = stack_text (profile, set->stack[set->n_samples - 1]);
    g_assert_cmpstr (last, ==, "!three+0x5");
}

/* Mappings of a process are known as long as any of its threads lives. */
TEST (threads_after_the_main_one)
{
    const uint64_t late = UINT64_C (20000000000);
    g_autoptr (Writer) writer = plain (false);
    writer_comm (writer, 5, 10, 10, "one", false);
    writer_mmap (writer, 6, 10, 0x1000, 0x1000, 0, "/a");
    thread_sample (writer, 7, 10, 10);
    writer_task (writer, 7, 11, 10, 11, 10, 10);
    writer_task (writer, 4, 30, 10, 10, 1, 1);
    writer_comm (writer, 40, 12, 12, "other", false);
    writer_task (writer, 4, late, 12, 12, 1, 1);
    thread_sample (writer, late + 1, 10, 11);
    writer_task (writer, 4, late + 2, 10, 11, 1, 1);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    assert_stacks (profile, "cpu-clock", "!a+0x5 !a+0x5");
    g_assert_cmpuint (profile->processes[1].end_ns, ==, late + 2);
}

/* The same file in two processes is one module; the same path with another inode is not. */
TEST (module_identity)
{
    g_autoptr (Writer) writer = plain (false);
    writer_mmap2 (writer, 0, 1, 0x1000, 0x1000, 0, 7, PROT_RX, "/lib/a");
    writer_mmap2 (writer, 0, 2, 0x9000, 0x1000, 0, 7, PROT_RX, "/lib/a");
    writer_mmap2 (writer, 0, 3, 0x1000, 0x1000, 0, 8, PROT_RX, "/lib/a");
    writer_mmap2 (writer, 0, 3, 0x3000, 0x1000, 0, 9, PROT_RX, "/tmp/jitted-3-1.so");
    user_sample (writer, 10, 1, 0x1004);
    user_sample (writer, 11, 2, 0x9004);
    user_sample (writer, 12, 3, 0x1004);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    const PvStackId *stack = profile->sets[0].stack;
    g_assert_cmpuint (stack[0], ==, stack[1]);
    g_assert_cmpuint (stack[0], !=, stack[2]);
    g_assert_cmpuint (profile->modules[1].load_addr, ==, 0x1000);
    g_assert_cmpuint (profile->modules[1].end_addr, ==, 0xa000);
    const PvFileIdentity *identity = &profile->modules[1].identity;
    g_assert_cmpuint (identity->inode, ==, 7);
    g_assert_cmpuint (identity->device_major, ==, 8);
    g_assert_cmpuint (identity->device_minor, ==, 1);
    g_assert_cmpint (identity->pid, ==, 2);
    g_assert_cmpuint (identity->size_bytes, ==, 0);
    g_assert_cmpuint (identity->generation, ==, PERF_WRITER_GENERATION);
    /* perf inject counts its events there. */
    identity = &find_module (profile, "/tmp/jitted-3-1.so")->identity;
    g_assert_cmpuint (identity->inode, ==, 9);
    g_assert_cmpuint (identity->generation, ==, 0);
}

/* A process of which nothing was mapped, such as one that perf may not look at. */
TEST (unmapped_process)
{
    g_autoptr (Writer) writer = plain (false);
    writer_mmap2 (writer, 0, 1, 0x1000, 0x1000, 0, 7, PROT_RX, "/lib/a");
    writer_task (writer, 7, 5, 2, 2, 1, 1);
    writer_mmap2 (writer, 0, 3, 0x1000, 0x1000, 0, 7, 1, "/usr/share/data");
    for (uint32_t pid = 1; pid <= 3; pid++)
        user_sample (writer, 10 + pid, pid, 0x1004);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    for (PvProcessId p = 1; p < profile->n_processes; p++)
        g_assert_cmpint (profile->processes[p].is_unmapped, ==, profile->processes[p].pid == 3);
}

/* The way from file offsets to link addresses, of files that may not be here: from the addresses of
 * a program of a 64-bit process that is not movable, or from where the file begins. */
TEST (link_bias)
{
    static const struct {
        const char *path;
        uint8_t n_biases;
        uint64_t bias;
    } cases[] = {{"/bin/fixed", 1, 0x400000}, {"/lib/unknown", 0, 0}, {"/lib/data", 1, 0x1000},
                 {"/lib/shifted", 1, 0x1000}, {"/lib/whole", 1, 0},   {"/lib/alone", 0, 0},
                 {"/bin/small", 0, 0},        {"/lib/twice", 2, 0},   {"/bin/movable", 0, 0}};
    const uint64_t high = UINT64_C (0x7f0000000000);
    g_autoptr (Writer) writer = plain (false);
    writer_mmap2 (writer, 1, 1, 0x401000, 0x1000, 0x1000, 1, PROT_RX, "/bin/fixed");
    writer_mmap2 (writer, 1, 1, 0x402000, 0x1000, 0x2000, 1, PROT_RX, "/bin/fixed");
    /* Code at the start of the file need not be linked there. */
    writer_mmap2 (writer, 2, 1, high, 0x1000, 0, 2, PROT_RX, "/lib/unknown");
    writer_mmap2 (writer, 3, 1, high + 0x10000, 0x9000, 0, 3, 1, "/lib/data");
    writer_mmap2 (writer, 4, 1, high + 0x13000, 0x1000, 0x2000, 3, PROT_RX, "/lib/data");
    writer_mmap2 (writer, 4, 1, high + 0x20000, 0x9000, 0, 8, 1, "/lib/shifted");
    writer_mmap2 (writer, 4, 1, high + 0x21000, 0x1000, 0, 8, PROT_RX, "/lib/shifted");
    writer_mmap2 (writer, 4, 1, high + 0x30000, 0x1000, 0, 9, PROT_RX, "/lib/whole");
    writer_mmap2 (writer, 5, 1, high + 0x40000, 0x1000, 0x2000, 4, PROT_RX, "/lib/alone");
    writer_mmap2 (writer, 6, 2, 0x401000, 0x1000, 0x1000, 5, PROT_RX, "/bin/small");
    writer_mmap2 (writer, 7, 2, 0xf7000000, 0x1000, 0x1000, 4, PROT_RX, "/lib/alone");
    writer_mmap2 (writer, 8, 3, high + 0x50000, 0x1000, 0x1000, 6, PROT_RX, "/bin/movable");
    writer_mmap2 (writer, 9, 3, high + 0x60000, 0x9000, 0, 7, 1, "/lib/twice");
    writer_mmap2 (writer, 9, 3, high + 0x61000, 0x1000, 0x1000, 7, PROT_RX, "/lib/twice");
    writer_mmap2 (writer, 9, 3, high + 0x63000, 0x1000, 0x2000, 7, PROT_RX, "/lib/twice");
    user_sample (writer, 10, 1, 0x401004);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        const PvFileIdentity *identity = &find_module (profile, cases[i].path)->identity;
        g_assert_cmpuint (identity->n_biases, ==, cases[i].n_biases);
        g_assert_true (identity->n_biases != 1 || identity->link_bias == cases[i].bias);
    }
}

/* A mapping ends in the page with the end of its file, unless it is the first, which may be as long
 * as the program in memory. */
TEST (mapped_size)
{
    static const struct {
        uint64_t offset, size_bytes, least;
    } cases[] = {{0, 0x900000, 0},
                 {0x1000, 0x1000, 0x1000},
                 {0x1000, 0x21000, 0x12000},
                 {UINT64_MAX - 5, 0x21000, UINT64_MAX}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        PvFileIdentity identity = {0};
        pv_file_identity_add_mapping (&identity, cases[i].offset, cases[i].size_bytes);
        g_assert_cmpuint (identity.size_bytes, ==, cases[i].least);
    }
}

TEST (short_mmap2)
{
    for (unsigned swap = 0; swap < 2; swap++) {
        g_autoptr (Writer) writer = plain (swap != 0);
        writer_begin (writer, 10, MODE_USER);
        writer_u32s (writer, 1, 1);
        writer_u64s (writer, 0x1000, 0x1000, 0);
        for (unsigned i = 0; i < 3; i++)
            writer_u64 (writer, 5);
        writer_string (writer, "/usr/lib64/ld-2.17.so");
        writer_u32s (writer, 1, 1);
        writer_u64 (writer, 0);
        writer_end (writer);
        user_sample (writer, 10, 1, 0x1004);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        assert_stacks (profile, "cpu-clock", "!ld-2.17.so+0x4");
    }
}

TEST (kernel)
{
    for (unsigned swap = 0; swap < 2; swap++) {
        const uint64_t base = UINT64_C (0xffffffff81000000);
        const uint64_t mod = UINT64_C (0xffffffffc0000000);
        g_autoptr (Writer) writer = plain (swap != 0);
        writer_kernel_mmap (writer, base, 0x1000000, base + 0x100, "[kernel.kallsyms]_text");
        writer_kernel_mmap (writer, mod, 0x1000, 0, "/lib/modules/6/kernel/kvm-intel.ko.xz");
        writer_mmap (writer, 0, 1, 0x1000, 0x1000, 0, "/a");
        writer_mmap (writer, 0, 1, 0x7000, 0x2000, 0x99, "[vdso]");
        writer_begin (writer, 17, 0); /* KSYMBOL */
        writer_u64 (writer, mod + 0x10000);
        writer_u32 (writer, 0x100);
        writer_u16 (writer, 1);
        writer_u16 (writer, 0);
        writer_string (writer, "bpf_prog_1234_f");
        writer_u32s (writer, 0, 0);
        writer_u64 (writer, 0);
        writer_end (writer);
        const uint64_t chain[] = {
            CONTEXT_KERNEL, base + 0x20, mod + 0x30, mod + 0x10040, mod + 0x50000, CONTEXT_USER,
            0x7010,         0x2000,      0,          0x1800,        UINT64_MAX,
        };
        writer_sample (writer, MODE_KERNEL, 10, 1, 1, base + 0x20, 1, chain, G_N_ELEMENTS (chain));
        /* An empty chain is the address of the sample. */
        writer_sample (writer, MODE_KERNEL, 11, 1, 1, base + 0x30, 1, NULL, 0);
        /* Without a leading marker the mode of the record holds; unknown markers spoil all. */
        const uint64_t bare[] = {base + 0x40, base + 0x50};
        writer_sample (writer, MODE_KERNEL, 12, 1, 1, base + 0x40, 1, bare, 2);
        const uint64_t odd[] = {base + 0x40, (uint64_t)-77, base + 0x50};
        writer_sample (writer, MODE_KERNEL, 13, 1, 1, base + 0x60, 1, odd, 3);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        assert_stacks (profile, "cpu-clock",
                       /* 0x2000 is a return address: the call is the last of /a. */
                       "a+0x800;a+0x1000;![vdso]+0x10;[kernel]+0xffffffffc0050000;"
                       "[bpf]+0xffffffffc0010040;[kvm_intel]+0xffffffffc0000030;"
                       "![kernel.kallsyms]+0xffffffff81000020 "
                       "![kernel.kallsyms]+0xffffffff81000030 "
                       "[kernel.kallsyms]+0xffffffff81000050;![kernel.kallsyms]+0xffffffff81000040 "
                       "![kernel.kallsyms]+0xffffffff81000060");
        const PvModule *kernel = find_module (profile, "[kernel.kallsyms]");
        g_assert_cmpint (kernel->kind, ==, PV_MODULE_KERNEL);
        g_assert_true (kernel->is_kernel);
        g_assert_cmpstr (kernel->reference_symbol, ==, "_text");
        g_assert_cmpuint (kernel->reference_addr, ==, base + 0x100);
        g_assert_cmpuint (kernel->load_addr, ==, base);
        const PvModule *bpf = find_module (profile, "[bpf]");
        g_assert_cmpuint (bpf->n_named_ranges, ==, 1);
        g_assert_cmpstr (bpf->named_ranges[0].name, ==, "bpf_prog_1234_f");
        g_assert_cmpint (find_module (profile, "[vdso]")->kind, ==, PV_MODULE_VDSO);
    }
}

TEST (stack_ends)
{
    uint64_t chain[130];
    chain[0] = CONTEXT_USER;
    for (unsigned i = 1; i < 130; i++)
        chain[i] = 0x1000 + i;
    g_autoptr (Writer) writer = plain (false);
    for (unsigned twice = 0; twice < 2; twice++) {
        writer_sample (writer, MODE_USER, 10, 1, 1, chain[1], 1, chain, 128);
        writer_sample (writer, MODE_USER, 11, 1, 1, chain[1], 1, chain, 127);
    }
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    for (unsigned i = 0; i < 4; i++) /* sorted by time */
        g_assert_cmpint (pv_sample_set_stack_end (&profile->sets[0], i), ==,
                         i < 2 ? PV_STACK_END_DEPTH : PV_STACK_END_UNKNOWN);

    g_autoptr (Writer) bare = writer_new (false, true);
    WriterAttr attr = {.sample_type = 7, .flags = WRITER_FLAGS};
    writer_attr (bare, &attr, NULL, 0);
    writer_begin (bare, 9, MODE_USER);
    writer_u64s (bare, 0x10, 1, 5);
    writer_end (bare);
    g_autoptr (PvProfile) second = writer_read (bare, NULL, NULL);
    g_assert_cmpint (pv_sample_set_stack_end (&second->sets[0], 0), ==, PV_STACK_END_NOT_RECORDED);
    g_assert_true (perf_has_note (second, PV_NOTE_NO_CALL_GRAPH));
}

TEST (lbr)
{
    for (unsigned variant = 0; variant < 4; variant++) {
        bool has_index = (variant & 2) != 0;
        g_autoptr (Writer) writer = writer_new ((variant & 1) != 0, true);
        WriterAttr attr = writer_plain_attr;
        attr.sample_type = 1u | 1u << 1 | 1u << 2 | 1u << 5 | 1u << 11;
        attr.branch_sample_type = 1u << 11 | (has_index ? 1u << 17 : 0);
        writer_attr (writer, &attr, NULL, 0);
        writer_mmap (writer, 0, 1, 0x1000, 0x1000, 0, "/a");
        writer_begin (writer, 9, MODE_KERNEL);
        writer_u64 (writer, 0xffff800000000010);
        writer_u32s (writer, 1, 1);
        writer_u64 (writer, 5);
        const uint64_t chain[] = {4, CONTEXT_KERNEL, 0xffff800000000010, CONTEXT_USER, 0x1234};
        writer_put (writer, 8, chain, 5);
        writer_u64 (writer, 2);
        if (has_index)
            writer_u64 (writer, 3);
        const uint64_t branches[] = {0x1300, 0x1200, 0, 0x1500, 0x1280, 0};
        writer_put (writer, 8, branches, 6);
        writer_end (writer);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        assert_stacks (profile, "cpu-clock",
                       "!a+0x500;!a+0x300;!a+0x200;![kernel]+0xffff800000000010");
        g_assert_cmpstr (profile->facts.call_graph, ==, "LBR");
    }
}

/* Two samples wait for one deferred chain, one for a chain that never comes. */
TEST (deferred)
{
    g_autoptr (Writer) writer = plain (false);
    writer_mmap (writer, 0, 1, 0x1000, 0x1000, 0, "/a");
    for (unsigned i = 0; i < 3; i++) {
        const uint64_t chain[] = {CONTEXT_KERNEL, 0xffff800000000010 + i, (uint64_t)-640,
                                  i < 2 ? 77 : 78};
        writer_sample (writer, MODE_KERNEL, 10 + i, 1, 1, chain[1], 1, chain, 4);
    }
    writer_begin (writer, 22, 0);
    writer_u64s (writer, 77, 3, CONTEXT_USER, 0x1010, 0x1020);
    writer_u32s (writer, 1, 1);
    writer_u64 (writer, 20);
    writer_end (writer);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    assert_stacks (profile, "cpu-clock",
                   "a+0x20;!a+0x10;![kernel]+0xffff800000000010 "
                   "a+0x20;!a+0x10;![kernel]+0xffff800000000011 "
                   "![kernel]+0xffff800000000012");
}

/* --- dumps --------------------------------------------------------------------------------------
 */

typedef struct {
    unsigned n_calls;
    unsigned n_stacks;
} FakeUnwinder;

/* Two frames: the ip in bx found in the space as it is now, and the first word of the stack. */
static void
fake_unwind (void *unwinder, PvArch arch, const PvModule *modules, const PvRawStack *stacks,
             size_t n, PvRawResult *results, PvJob *job)
{
    static PvRawFrame frames[2 * 5000];
    FakeUnwinder *fake = unwinder;
    fake->n_calls++;
    fake->n_stacks += n;
    g_assert_cmpuint (n, <=, 5000);
    for (size_t i = 0; i < n; i++) {
        uint64_t ip;
        memcpy (&ip, (const uint8_t *)stacks[i].registers + 8, 8);
        const PvMapping *mapping = pv_address_space_find (stacks[i].space, ip);
        PvRawFrame *frame = &frames[2 * i];
        frame[0] = (PvRawFrame){ip, 0, PV_LOCATION_EXACT};
        if (mapping != NULL) {
            frame[0].address = ip - mapping->start + mapping->file_offset;
            frame[0].module = mapping->module;
        }
        uint8_t byte = stacks[i].stack_size_bytes > 0 ? stacks[i].stack[0] : 0;
        frame[1] = (PvRawFrame){byte, frame[0].module, PV_LOCATION_RETURN};
        results[i] = (PvRawResult){frame, 2, PV_STACK_END_ROOT};
    }
}

static void
dump_sample (Writer *writer, uint64_t time, uint32_t pid, uint64_t ip, bool in_kernel, uint8_t top)
{
    writer_begin (writer, 9, in_kernel ? MODE_KERNEL : MODE_USER);
    writer_u64 (writer, in_kernel ? 0xffff800000000010 : ip);
    writer_u32s (writer, pid, pid);
    writer_u64s (writer, time, in_kernel ? 2 : 0);
    if (in_kernel)
        writer_u64s (writer, CONTEXT_KERNEL, 0xffff800000000010);
    writer_u64 (writer, 2); /* 64-bit registers */
    writer_u64s (writer, 0, ip);
    uint8_t stack[64] = {top};
    writer_u64 (writer, sizeof stack);
    writer_bytes (writer, stack, sizeof stack);
    writer_u64 (writer, 16);
    writer_end (writer);
}

static WriterAttr
dump_attr (void)
{
    WriterAttr attr = writer_plain_attr;
    attr.sample_type = 1u | 1u << 1 | 1u << 2 | 1u << 5 | 1u << 12 | 1u << 13;
    attr.sample_regs_user = 3;
    attr.sample_stack_user = 64;
    return attr;
}

TEST (dumps)
{
    for (unsigned swap = 0; swap < 2; swap++) {
        g_autoptr (Writer) writer = writer_new (swap != 0, true);
        WriterAttr attr = dump_attr ();
        writer_attr (writer, &attr, NULL, 0);
        writer_mmap (writer, 0, 1, 0x1000, 0x1000, 0, "/a");
        dump_sample (writer, 10, 1, 0x1001, false, 50);
        dump_sample (writer, 11, 1, 0x1002, true, 51);
        writer_mmap (writer, 12, 2, 0x1000, 0x1000, 0, "/b"); /* another process: no flush */
        writer_mmap (writer, 13, 1, 0x1000, 0x1000, 0x100, "/c");
        dump_sample (writer, 14, 1, 0x1003, false, 52);
        FakeUnwinder fake = {0};
        PvReadContext context = {.unwind = fake_unwind, .unwinder = &fake};
        g_autoptr (PvProfile) profile = writer_read (writer, &context, NULL);
        assert_stacks (profile, "cpu-clock",
                       "a+0x32;!a+0x1 a+0x33;!a+0x2;![kernel]+0xffff800000000010 c+0x34;!c+0x103");
        g_assert_cmpuint (fake.n_calls, ==, 2);
        g_assert_cmpint (pv_sample_set_stack_end (&profile->sets[0], 0), ==, PV_STACK_END_ROOT);
        g_assert_cmpstr (profile->facts.call_graph, ==, "DWARF, 64 bytes");

        /* Without an unwinder the program's part is left at its leaf. */
        g_autoptr (PvProfile) second = writer_read (writer, NULL, NULL);
        assert_stacks (second, "cpu-clock", "!a+0x1 ![kernel]+0xffff800000000010 !c+0x103");
    }
}

TEST (dump_batches)
{
    g_autoptr (Writer) writer = writer_new (false, true);
    WriterAttr attr = dump_attr ();
    writer_attr (writer, &attr, NULL, 0);
    writer_mmap (writer, 0, 1, 0x1000, 0x1000, 0, "/a");
    for (unsigned i = 0; i < 10000; i++)
        dump_sample (writer, 10 + i, 1, 0x1001, false, (uint8_t)i);
    FakeUnwinder fake = {0};
    PvReadContext context = {.unwind = fake_unwind, .unwinder = &fake};
    g_autoptr (PvProfile) profile = writer_read (writer, &context, NULL);
    g_assert_cmpuint (profile->n_samples, ==, 10000);
    g_assert_cmpuint (fake.n_stacks, ==, 10000);
    g_assert_cmpuint (fake.n_calls, <, 10);
}

/* --- callers in the link register ---------------------------------------------------------------
 */

enum { REGISTER_LR = 30, REGISTER_PC = 32 };

static uint64_t
register_of (const PvRawStack *raw, unsigned number)
{
    uint64_t value;
    g_assert_true (raw->register_mask >> number & 1);
    uint64_t below = raw->register_mask & (((uint64_t)1 << number) - 1);
    memcpy (&value, raw->registers + __builtin_popcountll (below), sizeof value);
    return value;
}

/* Functions below 0x1100 keep their return address in the register; of others nothing is known
 * without their stack. */
static void
fake_leaf_unwind (void *unwinder, PvArch arch, const PvModule *modules, const PvRawStack *stacks,
                  size_t n, PvRawResult *results, PvJob *job)
{
    static PvRawFrame frames[2];
    FakeUnwinder *fake = unwinder;
    fake->n_calls++;
    g_assert_cmpint (arch, ==, PV_ARCH_AARCH64);
    g_assert_cmpuint (n, ==, 1);
    g_assert_cmpuint (stacks[0].stack_size_bytes, ==, 0);
    uint64_t pc = register_of (&stacks[0], REGISTER_PC);
    frames[0] = (PvRawFrame){pc, 0, PV_LOCATION_EXACT};
    frames[1] = (PvRawFrame){register_of (&stacks[0], REGISTER_LR), 0, PV_LOCATION_RETURN};
    results[0] = (PvRawResult){frames, pc < 0x1100 ? 2 : 1, PV_STACK_END_BAD_FRAME};
}

static void
leaf_sample (Writer *writer, uint64_t time, uint16_t mode, const uint64_t *chain, size_t n,
             uint64_t lr)
{
    writer_begin (writer, 9, mode);
    writer_u64 (writer, chain[1]);
    writer_u32s (writer, 1, 1);
    writer_u64s (writer, time, n);
    writer_put (writer, 8, chain, n);
    writer_u64 (writer, 2); /* 64-bit registers */
    writer_u64 (writer, 7); /* one below the link register */
    writer_u64 (writer, lr);
    writer_end (writer);
}

TEST (leaf_callers)
{
    for (unsigned swap = 0; swap < 2; swap++) {
        g_autoptr (Writer) writer = writer_new (swap != 0, false);
        WriterAttr attr = writer_plain_attr;
        attr.sample_type = 1u | 1u << 1 | 1u << 2 | 1u << 5 | 1u << 12;
        attr.sample_regs_user = (uint64_t)1 << REGISTER_LR | 1u << 5;
        writer_attr (writer, &attr, NULL, 0);
        writer_feature_string (writer, 3, "box"); /* or the bitmap is not believed */
        writer_feature_string (writer, 6, "aarch64");
        writer_mmap (writer, 0, 1, 0x1000, 0x1000, 0, "/a");
        const uint64_t leaf[] = {CONTEXT_USER, 0x1010, 0x1800};
        const uint64_t other[] = {CONTEXT_USER, 0x1110, 0x1800};
        const uint64_t kernel[] = {CONTEXT_KERNEL, 0xffff800000000010, CONTEXT_USER, 0x1010,
                                   0x1800};
        leaf_sample (writer, 1, MODE_USER, leaf, 3, 0x1234);
        leaf_sample (writer, 2, MODE_USER, leaf, 3, 0x1238);
        leaf_sample (writer, 3, MODE_USER, leaf, 3, 0x1800); /* the chain has it already */
        leaf_sample (writer, 4, MODE_USER, leaf, 3, 0x0034000000001234); /* signed */
        leaf_sample (writer, 5, MODE_USER, other, 3, 0x1234);
        leaf_sample (writer, 6, MODE_KERNEL, kernel, 5, 0x1234);
        FakeUnwinder fake = {0};
        PvReadContext context = {.unwind = fake_leaf_unwind, .unwinder = &fake};
        g_autoptr (PvProfile) profile = writer_read (writer, &context, NULL);
        assert_stacks (profile, "cpu-clock",
                       "a+0x800;a+0x234;!a+0x10 a+0x800;a+0x238;!a+0x10 a+0x800;!a+0x10 "
                       "a+0x800;a+0x234;!a+0x10 a+0x800;!a+0x110 "
                       "a+0x800;a+0x234;!a+0x10;![kernel]+0xffff800000000010");
        g_assert_cmpuint (fake.n_calls, ==, 2);
    }
}

/* --- weights ------------------------------------------------------------------------------------
 */

TEST (group_read)
{
    for (unsigned variant = 0; variant < 4; variant++) {
        bool has_lost = (variant & 2) != 0;
        g_autoptr (Writer) writer = writer_new ((variant & 1) != 0, true);
        WriterAttr attr = {.sample_type = 1u | 1u << 1 | 1u << 2 | 1u << 4 | 1u << 16,
                           .read_format = 1u | 4u | 8u | (has_lost ? 16u : 0),
                           .sample_period = 9,
                           .flags = WRITER_FLAGS};
        const uint64_t first = 11, second = 12;
        writer_attr (writer, &attr, &first, 1);
        attr.config = 1;
        writer_attr (writer, &attr, &second, 1);
        static const uint64_t values[][2] = {{100, 5}, {150, 5}, {150, 25}};
        for (unsigned i = 0; i < 3; i++) {
            writer_begin (writer, 9, MODE_USER);
            writer_u64s (writer, 11, 0x10);
            writer_u32s (writer, 1, 1);
            writer_u64 (writer, 10 + i);
            writer_u64 (writer, 2);   /* members */
            writer_u64 (writer, 999); /* time enabled */
            for (unsigned k = 0; k < 2; k++) {
                writer_u64s (writer, values[i][k], 11 + k);
                if (has_lost)
                    writer_u64 (writer, 0);
            }
            writer_end (writer);
        }
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        g_assert_cmpuint (find_set (profile, "cycles")->n_samples, ==, 2);
        g_assert_cmpuint (find_set (profile, "instructions")->n_samples, ==, 2);
        g_assert_cmpuint (profile->measures[0].total, ==, 150);
        g_assert_cmpuint (profile->measures[1].total, ==, 25);
    }
}

TEST (losses)
{
    g_autoptr (Writer) writer = plain (false);
    for (unsigned i = 0; i < 3; i++) {
        /* LOST; LOST_SAMPLES, which says the same; LOST_SAMPLES that a filter dropped; then a
         * throttle. */
        writer_begin (writer, i == 0 ? 2 : 13, i == 2 ? 1u << 15 : 0);
        if (i == 0)
            writer_u64 (writer, 0);
        writer_u64 (writer, i == 0 ? 10 : 9);
        for (unsigned k = 0; k < 2; k++)
            writer_u64 (writer, 1 + k);
        writer_end (writer);
    }
    writer_begin (writer, 5, 0);
    for (unsigned k = 0; k < 5; k++)
        writer_u64 (writer, 1);
    writer_end (writer);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    g_assert_cmpuint (profile->n_lost, ==, 10);
    g_assert_true (perf_has_note (profile, PV_NOTE_LOST_SAMPLES));
    g_assert_true (perf_has_note (profile, PV_NOTE_THROTTLED));
}

static void
lost_record (Writer *writer, uint64_t time, unsigned type, uint64_t n_lost)
{
    writer_begin (writer, type, 0);
    if (type == 2)
        writer_u64 (writer, 0);
    writer_u64 (writer, n_lost);
    writer_u64 (writer, 1); /* pid, tid */
    writer_u64 (writer, time);
    writer_end (writer);
}

/* "time:lost" of each, from the first sample on. */
static void
assert_losses (const PvProfile *profile, const char *expected)
{
    g_autoptr (GString) text = g_string_new (NULL);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < profile->n_losses; i++) {
        const PvLoss *loss = &profile->losses[i];
        g_string_append_printf (text, "%s%u:%u", i > 0 ? " " : "",
                                (unsigned)(loss->time_ns - profile->start_ns),
                                (unsigned)loss->n_lost);
        sum += loss->n_lost;
    }
    g_assert_cmpstr (text->str, ==, expected);
    g_assert_cmpuint (sum, ==, profile->n_lost);
}

/* The excess of LOST_SAMPLES over LOST counts at its time. */
TEST (loss_times)
{
    g_autoptr (Writer) writer = plain (false);
    lost_record (writer, 50, 2, 1);
    user_sample (writer, 100, 1, 0x1001);
    lost_record (writer, 300, 2, 7);
    user_sample (writer, 400, 1, 0x1001);
    lost_record (writer, 450, 2, 20);
    user_sample (writer, 500, 1, 0x1001);
    lost_record (writer, 0, 13, 30); /* of which two are new; perf gives it no time */
    lost_record (writer, 900, 2, 1);
    lost_record (writer, 901, 2, 2);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    assert_losses (profile, "0:1 200:7 350:20 399:3");
}

/* Without sample_id_all they are about where they are in the file. */
TEST (losses_without_time)
{
    g_autoptr (Writer) writer = writer_new (false, true);
    WriterAttr attr = writer_plain_attr;
    attr.flags &= ~(UINT64_C (1) << 18);
    writer_attr (writer, &attr, NULL, 0);
    for (unsigned i = 0; i < 3; i++) {
        writer_begin (writer, 2, 0);
        writer_u64s (writer, 0, 1 + i);
        writer_end (writer);
        user_sample (writer, 100 + 100 * i, 1, 0x1001);
    }
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    assert_losses (profile, "0:3 100:3");
}

/* However many there are, and whatever they say. */
TEST (hostile_losses)
{
    g_autoptr (Writer) writer = plain (false);
    user_sample (writer, 100, 1, 0x1001);
    for (unsigned i = 0; i < 50000; i++)
        lost_record (writer, i * UINT64_C (0x9e3779b97f4a7c15), i % 3 == 0 ? 13 : 2,
                     i % 1000 == 999 ? UINT64_MAX : i);
    user_sample (writer, 100000, 1, 0x1001);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < profile->n_losses; i++)
        sum += profile->losses[i].n_lost;
    g_assert_cmpuint (profile->n_losses, <=, 8192);
    g_assert_cmpuint (profile->n_lost, ==, INT64_MAX);
    g_assert_cmpuint (sum, ==, INT64_MAX);
}

/* --- waits --------------------------------------------------------------------------------------
 */

static void
switch_record_with (Writer *writer, uint64_t time, uint32_t tid, uint16_t misc)
{
    writer_begin (writer, 14, misc);
    writer_u32s (writer, 1, tid);
    writer_u64 (writer, time);
    writer_end (writer);
}

static void
switch_record (Writer *writer, uint64_t time, uint32_t tid, bool is_out)
{
    switch_record_with (writer, time, tid, is_out ? 1u << 13 : 0);
}

TEST (switches)
{
    for (unsigned has_dumps = 0; has_dumps < 2; has_dumps++) {
        g_autoptr (Writer) writer = writer_new (false, true);
        WriterAttr attr = has_dumps ? dump_attr () : writer_plain_attr;
        attr.config = 3; /* context-switches */
        writer_attr (writer, &attr, NULL, 0);
        writer_mmap (writer, 0, 1, 0x1000, 0x1000, 0, "/a");
        if (has_dumps)
            dump_sample (writer, 10, 1, 0x1001, false, 1);
        else
            user_sample (writer, 10, 1, 0x1001);
        switch_record (writer, 20, 1, true);
        switch_record (writer, 50, 1, false);
        switch_record (writer, 60, 1, true);
        switch_record (writer, 65, 1, false);
        switch_record (writer, 70, 1, false); /* without a start */
        switch_record (writer, 80, 1, true);  /* without an end */
        FakeUnwinder fake = {0};
        PvReadContext context = {.unwind = fake_unwind, .unwinder = &fake};
        g_autoptr (PvProfile) profile = writer_read (writer, &context, NULL);
        /* The second switch has no sample of its own. */
        const char *stack = has_dumps ? "a+0x1;!a+0x1" : "!a+0x1";
        g_autofree char *expected = g_strdup_printf ("%s [unknown]+0x0", stack);
        assert_stacks (profile, "off-cpu", expected);
        const PvSampleSet *set = find_set (profile, "off-cpu");
        g_assert_cmpuint (pv_sample_set_time_ns (set, 0), ==, 20);
        g_assert_cmpuint (set->duration_ns[0], ==, 30);
        g_assert_cmpuint (set->duration_ns[1], ==, 5);
        g_assert_cmpuint (pv_sample_set_weight (set, 0, 0), ==, 30);
        g_assert_cmpuint (fake.n_calls, ==, has_dumps);
    }
}

/* An earlier sample on a CPU tells nothing about where the thread waits. */
TEST (switches_without_stacks)
{
    g_autoptr (Writer) writer = plain (false);
    writer_mmap (writer, 0, 1, 0x1000, 0x1000, 0, "/a");
    user_sample (writer, 10, 1, 0x1001);
    switch_record (writer, 20, 1, true);
    switch_record (writer, 50, 1, false);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    assert_stacks (profile, "off-cpu", "[unknown]+0x0");
    const PvSampleSet *set = find_set (profile, "off-cpu");
    g_assert_cmpuint (pv_sample_set_stack_end (set, 0), ==, PV_STACK_END_NOT_RECORDED);
    PvLocationId location = profile->location_of_stack[set->stack[0]];
    const PvGivenFrame *frame = &profile->given_frames[profile->given_of_location[location]];
    g_assert_cmpstr (frame->name, ==, "[no stack recorded]");
    g_assert_true (perf_has_note (profile, PV_NOTE_GENERAL));
    g_assert_cmpuint (profile->n_samples, ==, 1); /* the wait is none */
    g_assert_cmpuint (pv_profile_count_samples (profile, 1), ==, 1);
    g_assert_false (pv_profile_counts_waits (profile, 0));
    g_assert_true (pv_profile_counts_waits (profile, 1));
}

/* A few waits without a stack are told, with their share; a single one is no reason to record
 * again. */
TEST (few_waits_without_stacks)
{
    for (unsigned n_bad = 1; n_bad <= 2; n_bad++) {
        g_autoptr (Writer) writer = writer_new (false, true);
        WriterAttr attr = writer_plain_attr;
        attr.config = 3; /* context-switches */
        writer_attr (writer, &attr, NULL, 0);
        writer_mmap (writer, 0, 1, 0x1000, 0x1000, 0, "/a");
        for (unsigned i = 1; i <= 48; i++) {
            if (i > n_bad)
                user_sample (writer, 100 * i, 1, 0x1001);
            switch_record (writer, 100 * i + 10, 1, true);
            switch_record (writer, 100 * i + 50, 1, false);
        }
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        g_assert_cmpuint (profile->n_notes, ==, n_bad - 1);
        if (n_bad > 1)
            g_assert_nonnull (strstr (profile->notes[0].text, "2 of 48 waits"));
    }
}

/* A wait has the names of its begin: others may name the thread meanwhile. */
TEST (names_of_waits)
{
    g_autoptr (Writer) writer = plain (false);
    writer_comm (writer, 1, 1, 1, "before", false);
    switch_record (writer, 20, 1, true);
    writer_comm (writer, 30, 1, 1, "after", false);
    switch_record (writer, 50, 1, false);
    switch_record (writer, 60, 1, true);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    const PvSampleSet *set = find_set (profile, "off-cpu");
    g_assert_cmpuint (set->n_samples, ==, 1);
    g_assert_cmpstr (profile->threads[pv_sample_set_thread (set, 0)].name, ==, "before");
}

/* SWITCH records say who was preempted, and those without an end last until the latest record. */
TEST (switch_states)
{
    static const char *const releases[] = {NULL, "4.16.18-generic", "4.17.0", "6.1.0-9-amd64"};
    for (size_t r = 0; r < G_N_ELEMENTS (releases); r++) {
        bool is_told = r != 1;
        g_autoptr (Writer) writer = plain (false);
        if (releases[r] != NULL) {
            writer_begin (writer, 80, 0); /* OSRELEASE */
            writer_u64 (writer, 4);
            writer_u32 (writer, 64);
            char text[64] = "";
            g_strlcpy (text, releases[r], sizeof text);
            writer_bytes (writer, text, sizeof text);
            writer_end (writer);
        }
        writer_comm (writer, 1, 1, 1, "one", false);
        writer_task (writer, 7, 2, 1, 2, 1, 1);
        writer_task (writer, 7, 3, 1, 3, 1, 1);
        switch_record_with (writer, 20, 1, 1u << 13);
        switch_record_with (writer, 50, 1, 0);
        switch_record_with (writer, 60, 1, 1u << 13 | 1u << 14);
        switch_record_with (writer, 67, 1, 0);
        switch_record_with (writer, 70, 2, 1u << 13);
        switch_record_with (writer, 75, 3, 1u << 13);
        writer_task (writer, 4, 80, 1, 3, 1, 1); /* has ended, so it does not wait */
        switch_record_with (writer, 100, 4, 0);  /* came from nobody knows where */
        user_sample (writer, 300, 1, 0x1001);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        const PvSampleSet *set = find_set (profile, "off-cpu");
        g_assert_cmpuint (set->n_samples, ==, 3);
        g_assert_cmpuint (set->n_weights, ==, is_told ? 3 : 1);
        static const struct {
            uint64_t duration_ns;
            char state;
            bool is_open;
        } waits[] = {{30, '?', false}, {7, 'R', false}, {230, '?', true}};
        for (uint32_t i = 0; i < 3; i++) {
            const PvWait *wait = &profile->waits[pv_sample_set_wait (set, i)];
            g_assert_cmpuint (set->duration_ns[i], ==, waits[i].duration_ns);
            if (is_told || waits[i].is_open)
                g_assert_cmpint (wait->state, ==, is_told ? waits[i].state : 0);
            g_assert_cmpuint (pv_sample_set_wait (set, i) != 0 && wait->is_open, ==,
                              waits[i].is_open);
            if (is_told) {
                g_assert_cmpuint (pv_sample_set_weight (set, 1, i), ==,
                                  waits[i].state == 'R' ? 0 : waits[i].duration_ns);
                g_assert_cmpuint (pv_sample_set_weight (set, 2, i), ==,
                                  waits[i].state == 'R' ? waits[i].duration_ns : 0);
            }
        }
        PvMeasureId preempted = pv_profile_find_measure (profile, "preempted");
        g_assert_cmpuint (preempted != UINT32_MAX, ==, is_told);
        if (is_told) /* only the waits that it counts */
            g_assert_cmpuint (pv_profile_count_samples (profile, preempted), ==, 1);
        g_assert_cmpuint (
            pv_profile_count_samples (profile, pv_profile_find_measure (profile, "off-cpu")), ==,
            3);
        g_assert_cmpuint (pv_profile_find_measure (profile, "run-queue-delay"), ==, UINT32_MAX);
    }
}

#define COMMON_FIELDS                                                                              \
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                         \
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char switch_format[] =
    "name: sched_switch\nID: 316\nformat:\n" COMMON_FIELDS
    "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
    "\tfield:pid_t next_pid;\toffset:28;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";

/* The letters are not those of today's kernels. */
static const char state_format[] =
    "name: sched_switch\nID: 316\nformat:\n" COMMON_FIELDS
    "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
    "\tfield:pid_t next_pid;\toffset:28;\tsize:4;\tsigned:1;\n"
    "\tfield:long prev_state;\toffset:32;\tsize:4;\tsigned:1;\n\n"
    "print fmt: \"%s\", REC->prev_state ? __print_flags(REC->prev_state & (3), \"|\", "
    "{ 0x0001, \"S\" } , { 2, \"D\" }, { 64, \"x\" }, { 0x80, \"\" }, { 0x3, \"Q\" }) : \"R\"\n";

static void
sched_sample (Writer *writer, uint64_t time, uint32_t prev, uint32_t next, uint64_t ip)
{
    writer_begin (writer, 9, MODE_KERNEL);
    writer_u64 (writer, 0xffff800000000010);
    writer_u32s (writer, 1, prev);
    writer_u64s (writer, time, 2, CONTEXT_USER, ip);
    writer_u32 (writer, 36);
    for (unsigned i = 0; i < 6; i++)
        writer_u32 (writer, 0);
    writer_u32s (writer, prev, next, 0);
    writer_end (writer);
}

TEST (sched_switch)
{
    for (unsigned swap = 0; swap < 2; swap++) {
        g_autoptr (Writer) writer = writer_new (swap != 0, true);
        WriterAttr attr = {.type = 2,
                           .config = 316,
                           .sample_period = 1,
                           .sample_type = 7 | 1u << 5 | 1u << 10,
                           .flags = WRITER_FLAGS};
        writer_attr (writer, &attr, NULL, 0);
        const char *format = switch_format;
        writer_tracing (writer, "sched", &format, 1);
        writer_mmap (writer, 0, 1, 0x1000, 0x1000, 0, "/a");
        sched_sample (writer, 100, 5, 6, 0x1005); /* 5 leaves */
        switch_record (writer, 101, 5, true);     /* told already */
        sched_sample (writer, 150, 6, 0, 0x1006);
        sched_sample (writer, 170, 0, 5, 0x1007); /* 5 is back */
        switch_record (writer, 171, 5, false);
        sched_sample (writer, 200, 5, 6, 0x1008); /* 6 is back, 5 stays away */
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        g_assert_cmpuint (find_set (profile, "sched:sched_switch")->n_samples, ==, 4);
        const PvSampleSet *set = find_set (profile, "off-cpu");
        assert_stacks (profile, "off-cpu", "!a+0x5 !a+0x6");
        g_assert_cmpuint (pv_sample_set_time_ns (set, 0), ==, 100);
        g_assert_cmpuint (set->duration_ns[0], ==, 70);
        g_assert_cmpuint (set->duration_ns[1], ==, 50);
        g_assert_cmpstr (profile->measures[0].name, ==, "off-cpu");
    }
}

#define WAKE_FORMAT(name, id)                                                                      \
    "name: " name "\nID: " id "\nformat:\n" COMMON_FIELDS                                          \
    "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"                                     \
    "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n"

/* A sample of event `id`: by a thread, about others. */
static void
sched_event (Writer *writer, const WriterAttr *attr, uint64_t id, uint64_t time, uint32_t tid,
             uint64_t ip, const uint64_t fields[3])
{
    writer_begin (writer, 9, MODE_USER);
    writer_u64s (writer, id, ip);
    writer_u32s (writer, 1, tid);
    writer_u64 (writer, time);
    writer_u64 (writer, 0); /* no chain: a dump, or the ip alone */
    writer_u32 (writer, 36);
    for (unsigned i = 0; i < 6; i++)
        writer_u32 (writer, 0);
    writer_put (writer, 4, fields, 3);
    if (attr->sample_regs_user != 0) {
        writer_u64 (writer, 2);
        writer_u64 (writer, 0x7000); /* sp */
        writer_u64s (writer, ip, 16, UINT64_C (0x0101010101010101), 2, 16);
    }
    writer_end (writer);
}

enum { SWITCH = 1, WAKING, WAKEUP, WAKEUP_NEW };

static Writer *
sched_writer (bool swap, bool has_dumps, bool has_waking, WriterAttr *ret_attr)
{
    static const char *const formats[] = {state_format, WAKE_FORMAT ("sched_waking", "317"),
                                          WAKE_FORMAT ("sched_wakeup", "318"),
                                          WAKE_FORMAT ("sched_wakeup_new", "319")};
    Writer *writer = writer_new (swap, true);
    WriterAttr attr = {.type = 2,
                       .sample_period = 1,
                       .sample_type = 7 | 1u << 5 | 1u << 10 | 1u << 16,
                       .flags = 0}; /* records have no trailer */
    if (has_dumps) {
        WriterAttr dumps = dump_attr ();
        attr.sample_type |= 1u << 12 | 1u << 13;
        attr.sample_regs_user = dumps.sample_regs_user;
        attr.sample_stack_user = dumps.sample_stack_user;
    }
    for (uint64_t id = SWITCH; id <= WAKEUP_NEW; id++) {
        attr.config = 315 + id;
        if (id != WAKING || has_waking)
            writer_attr (writer, &attr, &id, 1);
    }
    writer_tracing (writer, "sched", formats, G_N_ELEMENTS (formats));
    writer_mmap (writer, 0, 1, 0x1000, 0x1000, 0, "/a");
    for (uint32_t tid = 5; tid < 9; tid++)
        writer_comm (writer, 0, 1, tid, "t", false);
    *ret_attr = attr;
    return writer;
}

static char *
format_wait (const PvProfile *profile, const PvSampleSet *set, uint32_t i)
{
    uint32_t row = pv_sample_set_wait (set, i);
    const PvWait *wait = &profile->waits[row];
    g_autofree char *stack = stack_text (profile, set->stack[i]);
    g_autofree char *waker = stack_text (profile, wait->waker_stack);
    GString *text = g_string_new (NULL);
    g_string_append_printf (text, "%d %s %" G_GUINT64_FORMAT "+%" G_GUINT64_FORMAT " %c%s",
                            profile->threads[pv_sample_set_thread (set, i)].tid, stack,
                            pv_sample_set_time_ns (set, i), set->duration_ns[i],
                            row != 0 && wait->state != 0 ? wait->state : '-',
                            row != 0 && wait->is_open ? " open" : "");
    if (row != 0 && wait->waker != 0)
        g_string_append_printf (text, " by %d %s", profile->threads[wait->waker].tid, waker);
    for (uint32_t c = 0; c < set->n_weights; c++)
        g_string_append_printf (text, " %" G_GUINT64_FORMAT, pv_sample_set_weight (set, c, i));
    return g_string_free (text, FALSE);
}

/* Why threads leave their CPU, who wakes them and from where, and how long they wait then. The
 * weights are those of off-cpu, blocked, preempted, run-queue-delay. */
TEST (wakeups)
{
    for (unsigned variant = 0; variant < 8; variant++) {
        bool has_dumps = (variant & 2) != 0, has_waking = (variant & 4) != 0;
        WriterAttr attr;
        g_autoptr (Writer) writer = sched_writer ((variant & 1) != 0, has_dumps, has_waking, &attr);
        const struct {
            uint64_t time;
            uint32_t event, tid;
            uint64_t ip;
            uint64_t fields[3]; /* prev_pid, next_pid, prev_state; or pid */
        } events[] = {
            {100, SWITCH, 5, 0x1005, {5, 6, 1}},
            {110, WAKING, 6, 0x1016, {5}},           /* wakes 5 */
            {112, WAKEUP, 6, 0x1017, {5}},           /* counts if the one before is not recorded */
            {115, WAKEUP, 6, 0x1018, {5}},           /* not the first */
            {116, WAKEUP_NEW, 6, 0x1019, {7}},       /* 7 was never seen before */
            {120, SWITCH, 6, 0x1006, {6, 5, 0x100}}, /* 6 is preempted */
            {125, WAKEUP, 5, 0x101a, {5}},           /* already on a CPU */
            {126, WAKING, 5, 0x101a, {5}},
            {140, SWITCH, 5, 0x1015, {5, 7, 2}},
            {150, SWITCH, 7, 0x1007, {7, 6, 64}}, /* ends */
            {160, WAKING, 6, 0x101b, {9999}},     /* nobody */
            {200, SWITCH, 6, 0x1026, {6, 0, 0x81}},
            {250, WAKEUP_NEW, 0, 0x1010, {6}}, /* by the idle task */
            {300, SWITCH, 0, 0x1010, {0, 8, 0}},
        };
        for (size_t i = 0; i < G_N_ELEMENTS (events); i++)
            if (events[i].event != WAKING || has_waking)
                sched_event (writer, &attr, events[i].event, events[i].time, events[i].tid,
                             events[i].ip, events[i].fields);
        FakeUnwinder fake = {0};
        PvReadContext context = {.unwind = fake_unwind, .unwinder = &fake};
        g_autoptr (PvProfile) profile = writer_read (writer, &context, NULL);
        const PvSampleSet *set = find_set (profile, "off-cpu");
        g_autoptr (GString) text = g_string_new (NULL);
        for (uint32_t i = 0; i < set->n_samples; i++) {
            g_autofree char *wait = format_wait (profile, set, i);
            g_string_append_printf (text, "%s\n", wait);
        }
#define AT(x) (has_dumps ? "a+0x1;!a+" x : "!a+" x)
        g_autofree char *expected = g_strdup_printf (
            "5 %s 100+20 S by 6 %s 20 20 0 %d\n"
            "7 [unknown]+0x0 116+24 - by 6 %s 0 0 0 24\n"
            "6 %s 120+30 R 30 0 30 0\n"
            "5 %s 140+160 D open 160 160 0 0\n"
            "6 %s 200+100 S open by 0 %s 100 100 0 50\n",
            AT ("0x5"), has_waking ? AT ("0x16") : AT ("0x17"), has_waking ? 10 : 8, AT ("0x19"),
            AT ("0x6"), AT ("0x15"), AT ("0x26"), AT ("0x10"));
#undef AT
        g_assert_cmpstr (text->str, ==, expected);
        g_assert_cmpuint (fake.n_calls > 0, ==, has_dumps);
    }
}

/* A program's own recording has only the switches by which its threads leave. A wait is over by the
 * thread's next event; without samples of a clock, when it was woken. */
TEST (waits_without_ends)
{
    for (unsigned has_clock = 0; has_clock < 2; has_clock++) {
        WriterAttr attr;
        const uint64_t clock = 9;
        g_autoptr (Writer) writer = sched_writer (false, false, true, &attr);
        if (has_clock) {
            attr.type = 1;
            attr.config = 0;
            writer_attr (writer, &attr, &clock, 1);
        }
        const struct {
            uint64_t time_us;
            uint32_t event, tid;
            uint64_t ip;
            uint64_t fields[3];
        } events[] = {
            {1000, SWITCH, 5, 0x1005, {5, 0, 1}}, {2000, SWITCH, 6, 0x1006, {6, 0, 1}},
            {3000, WAKING, 7, 0x1017, {5}},       {4000, clock, 5, 0x1015, {0}},
            {4500, WAKING, 7, 0x1017, {5}}, /* it runs already, as the clock says */
            {5000, SWITCH, 5, 0x1025, {5, 7, 2}}, {5020, clock, 5, 0x1025, {0}}, /* still leaves */
            {6000, SWITCH, 7, 0x1007, {7, 6, 1}}, /* this end of a wait is recorded */
            {7000, SWITCH, 5, 0x1035, {5, 0, 1}}, {8000, clock, 5, 0x1015, {0}},
            {9000, WAKING, 6, 0x1016, {8}},
        };
        for (size_t i = 0; i < G_N_ELEMENTS (events); i++)
            if (events[i].event != clock || has_clock)
                sched_event (writer, &attr, events[i].event, events[i].time_us * 1000,
                             events[i].tid, events[i].ip, events[i].fields);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        const PvSampleSet *set = find_set (profile, "off-cpu");
        g_autoptr (GString) text = g_string_new (NULL);
        for (uint32_t i = 0; i < set->n_samples; i++) {
            g_autofree char *wait = format_wait (profile, set, i);
            g_string_append_printf (text, "%s\n", wait);
        }
        g_assert_cmpstr (text->str, ==,
                         has_clock ? "5 !a+0x5 1000000+3000000 S by 7 !a+0x17 3000000 3000000 0 0\n"
                                     "6 !a+0x6 2000000+4000000 S 4000000 4000000 0 0\n"
                                     "5 !a+0x25 5000000+2000000 D 2000000 2000000 0 0\n"
                                     "7 !a+0x7 6000000+3000000 S open 3000000 3000000 0 0\n"
                                     "5 !a+0x35 7000000+1000000 S 1000000 1000000 0 0\n"
                                   : "5 !a+0x5 1000000+2000000 S by 7 !a+0x17 2000000 2000000 0 0\n"
                                     "6 !a+0x6 2000000+4000000 S 4000000 4000000 0 0\n"
                                     "5 !a+0x25 5000000+2000000 D 2000000 2000000 0 0\n"
                                     "7 !a+0x7 6000000+3000000 S open 3000000 3000000 0 0\n"
                                     "5 !a+0x35 7000000+2000000 S open 2000000 2000000 0 0\n");
        bool is_told = false;
        for (uint32_t n = 0; n < profile->n_notes; n++)
            is_told |= strstr (profile->notes[n].text, has_clock ? "3 of 5" : "2 of 5") != NULL &&
                       strstr (profile->notes[n].text, "--switch-events") != NULL;
        g_assert_true (is_told);
    }
}

static void
raw_sample (Writer *writer, uint64_t time, const void *raw, size_t size)
{
    writer_begin (writer, 9, MODE_USER);
    writer_u64 (writer, 0x1001);
    writer_u32s (writer, 1, 1);
    writer_u64s (writer, time, 0);
    writer_u32 (writer, (uint32_t)size);
    writer_bytes (writer, raw, size);
    writer_end (writer);
}

/* All fields of a sample: "name=value name=value". */
static char *
fields_text (const PvSampleSet *set, uint32_t sample)
{
    size_t size;
    const uint8_t *data = pv_sample_set_get_record (set, sample, &size);
    GString *text = g_string_new (data == NULL ? "none" : "");
    for (uint32_t f = 0; data != NULL && f < set->fields->n_fields; f++) {
        g_string_append_printf (text, "%s%s=", f > 0 ? " " : "", set->fields->fields[f].name);
        pv_field_append (text, &set->fields->fields[f], data, size, set->fields->swap);
    }
    return g_string_free (text, FALSE);
}

/* The fields of tracepoints: those that lie in the fixed part, and those behind it; what is too
 * short; descriptions that make no sense. */
TEST (fields)
{
    static const char *const formats[] = {
        "name: exec\nID: 400\nformat:\n" COMMON_FIELDS
        "\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;\n"
        "\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n"
        "\tfield:u16 counts[2];\toffset:16;\tsize:4;\tsigned:0;\n"
        "\tfield:const char * where;\toffset:20;\tsize:4;\tsigned:0;\n"
        "\tfield:__rel_loc char[] last;\toffset:24;\tsize:4;\tsigned:0;\n"
        "\tfield:struct three parts;\toffset:8;\tsize:3;\tsigned:0;\n"
        "\tfield:nothing\n\tfield:int far;\toffset:70000;\tsize:4;\tsigned:1;\n"
        "\tfield:int;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"\", field:x y;\n",
        "name: odd\nID: 401\nformat:\n\tfield:int common_x;\toffset:60;\tsize:4;\tsigned:1;\n"
        "\tfield:int a;\toffset:0;\tsize:80;\tsigned:1;\n",
    };
    struct {
        uint32_t common[2];
        uint32_t filename;
        int32_t pid;
        uint16_t counts[2];
        uint32_t where, last;
        char text[12];
    } raw = {{0, 0}, 28 | 4 << 16, -7, {5, 0xabcd}, 0x1234, 4 | 3 << 16, "ls\0\0zz\0"};
    for (unsigned id = 400; id <= 401; id++) {
        g_autoptr (Writer) writer = writer_new (false, true);
        WriterAttr attr = {.type = 2,
                           .config = id,
                           .sample_period = 1,
                           .sample_type = 7 | 1u << 5 | 1u << 10,
                           .flags = WRITER_FLAGS};
        writer_attr (writer, &attr, NULL, 0);
        writer_tracing (writer, "sched", formats, G_N_ELEMENTS (formats));
        for (size_t size = 0; size <= sizeof raw; size += 4)
            raw_sample (writer, 100 + size, &raw, size);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        const PvSampleSet *set = &profile->sets[0];
        g_assert_cmpuint (set->n_samples, ==, sizeof raw / 4 + 1);
        if (id == 401) {
            g_assert_null (set->record);
            continue;
        }
        static const struct {
            uint32_t size;
            const char *expected;
        } cases[] = {
            {0, "none"},
            {8, "none"},
            {12, "filename= pid= counts= where= last= parts=1c 00 04"},
            {20, "filename= pid=-7 counts=0x5,0xabcd where= last= parts=1c 00 04"},
            {28, "filename= pid=-7 counts=0x5,0xabcd where=0x1234 last= parts=1c 00 04"},
            {32, "filename=ls pid=-7 counts=0x5,0xabcd where=0x1234 last= parts=1c 00 04"},
            {sizeof raw,
             "filename=ls pid=-7 counts=0x5,0xabcd where=0x1234 last=zz parts=1c 00 04"},
        };
        /* A structure is no number. */
        g_assert_false (pv_field_is_number (pv_fields_find (set->fields, "parts")));
        g_assert_true (pv_field_is_number (pv_fields_find (set->fields, "pid")));
        for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
            assert_string (fields_text (set, cases[c].size / 4), cases[c].expected);
    }
}

#define CALL_FORMAT(name, id, fields)                                                              \
    "name: " name "\nID: " id "\nformat:\n" COMMON_FIELDS fields "\nprint fmt: \"\"\n"
#define CALL_NUMBER(name)   "\tfield:int " name ";\toffset:8;\tsize:4;\tsigned:1;\n"
#define CALL_ARGUMENT(name) "\tfield:long " name ";\toffset:16;\tsize:8;\tsigned:1;\n"

/* A sample of event `id`, of thread 5: call `number` begins, or returns. */
static void
call_sample (Writer *writer, uint64_t id, uint64_t time, uint32_t number)
{
    const uint64_t raw[6] = {0, 0, number, 0, 0, 0};
    writer_begin (writer, 9, MODE_USER);
    writer_u64s (writer, id, 0x1001);
    writer_u32s (writer, 1, 5);
    writer_u64s (writer, time, 0);
    writer_u32 (writer, 28);
    writer_put (writer, 4, raw, 6);
    writer_u32 (writer, 0);
    writer_end (writer);
}

/* The times of system calls, where their begin and return are told by different events: each is
 * taken once, and none at a time that is not known. */
TEST (calls)
{
    static const char *const raw_formats[] = {
        CALL_FORMAT ("sys_exit", "501", CALL_NUMBER ("id") CALL_ARGUMENT ("ret")),
        CALL_FORMAT ("sys_enter", "502", CALL_NUMBER ("id")),
        CALL_FORMAT ("later", "501", CALL_NUMBER ("id")), /* the first with an id counts */
    };
    static const char *const formats[] = {
        CALL_FORMAT ("sys_enter_quotactl", "503",
                     CALL_NUMBER ("__syscall_nr") CALL_ARGUMENT ("id")),
        CALL_FORMAT ("sys_exit_quotactl", "504",
                     CALL_NUMBER ("__syscall_nr") CALL_ARGUMENT ("ret")),
    };
    static const char *const other_formats[] = {CALL_FORMAT ("x", "505", CALL_NUMBER ("id"))};
    enum { EXIT = 1, ENTER, ENTER_ONE, EXIT_ONE, LONG_NAME, EXIT_AGAIN };
    for (unsigned has = 1; has < 4; has++) {
        bool has_enter = (has & 2) != 0, has_exit = (has & 1) != 0;
        g_autoptr (Writer) writer = writer_new (false, true);
        WriterAttr attr = {
            .type = 2, .sample_period = 1, .sample_type = 7 | 1u << 5 | 1u << 10 | 1u << 16};
        for (uint64_t id = EXIT; id <= EXIT_AGAIN; id++) {
            attr.config = id == EXIT_AGAIN ? 504 : 500 + id;
            if ((id != EXIT || has_exit) && (id != ENTER || has_enter))
                writer_attr (writer, &attr, &id, 1);
        }
        g_autofree char *long_name = g_strnfill (300, 's');
        writer_tracing (writer, "raw_syscalls", raw_formats, G_N_ELEMENTS (raw_formats));
        writer_tracing (writer, "syscalls", formats, G_N_ELEMENTS (formats));
        writer_tracing (writer, long_name, other_formats, 1);
        for (unsigned i = 0; i < 2; i++) {
            uint64_t time = i == 0 ? 100 : UINT64_C (0xffffffff00000100);
            if (has_enter)
                call_sample (writer, ENTER, time, 179);
            call_sample (writer, ENTER_ONE, time + 10, 179);
            call_sample (writer, EXIT_ONE, time + 20, 179);
            call_sample (writer, EXIT_AGAIN, time + 25, 179);
            if (has_exit)
                call_sample (writer, EXIT, time + 30, 179);
        }
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        const PvSampleSet *set = find_set (profile, "system-calls");
        g_assert_nonnull (set);
        g_assert_cmpuint (set->n_samples, ==, 1);
        g_assert_cmpuint (pv_sample_set_time_ns (set, 0), ==, has_enter ? 100 : 110);
        g_assert_cmpuint (set->duration_ns[0], ==,
                          (has_exit ? 130u : 120u) - (has_enter ? 100u : 110u));
        g_assert_true ((find_set (profile, "raw_syscalls:sys_exit") != NULL) == has_exit);
        /* Events of one tracepoint share its fields. */
        const PvFields *fields = NULL;
        unsigned n_exits = 0;
        for (uint32_t s = 0; s < profile->n_sets; s++) {
            if (strcmp (profile->sets[s].name, "syscalls:sys_exit_quotactl") != 0)
                continue;
            g_assert_nonnull (profile->sets[s].fields);
            g_assert_true (fields == NULL || fields == profile->sets[s].fields);
            fields = profile->sets[s].fields;
            n_exits++;
        }
        g_assert_cmpuint (n_exits, ==, 2);
        /* A system's name without end is not taken. */
        g_assert_nonnull (find_set (profile, "tracepoint 505"));
    }
}

/* A recording of context switches shows waits first, though it has samples of a clock, too. */
TEST (preferred_waits)
{
    for (unsigned is_first = 0; is_first < 2; is_first++) {
        g_autoptr (Writer) writer = writer_new (false, true);
        for (uint64_t id = 1; id <= 2; id++) {
            bool is_clock = (id == 2) == (is_first != 0);
            WriterAttr attr = writer_plain_attr;
            attr.config = is_clock ? 0 : 3; /* context-switches */
            attr.sample_period = is_clock ? 1000 : 1;
            attr.sample_type |= 1u << 16;
            writer_attr (writer, &attr, &id, 1);
        }
        writer_begin (writer, 14, 1u << 13); /* SWITCH */
        writer_u32s (writer, 1, 1);
        writer_u64s (writer, 20, is_first != 0 ? 1 : 2);
        writer_end (writer);
        writer_begin (writer, 14, 0);
        writer_u32s (writer, 1, 1);
        writer_u64s (writer, 50, is_first != 0 ? 1 : 2);
        writer_end (writer);
        writer_begin (writer, 9, MODE_USER);
        writer_u64s (writer, is_first != 0 ? 2 : 1, 0x1001);
        writer_u32s (writer, 1, 1);
        writer_u64s (writer, 60, 1000, 0);
        writer_end (writer);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        g_assert_cmpstr (profile->measures[0].name, ==, is_first ? "off-cpu" : "cpu-clock");
    }
}

/* perf record --off-cpu: aggregated waits with made-up times, and direct ones in the raw data. */
TEST (bpf_off_cpu)
{
    g_autoptr (Writer) writer = writer_new (false, true);
    const uint64_t id = 5, clock_id = 4;
    WriterAttr attr = writer_plain_attr;
    attr.sample_type = 1u << 16 | WRITER_SAMPLE_TYPE;
    writer_attr (writer, &attr, &clock_id, 1);
    attr.config = 10;
    attr.sample_type |= 1u << 10;
    writer_attr (writer, &attr, &id, 1);
    writer_begin (writer, 78, 0);
    writer_u64s (writer, 2, id);
    writer_string (writer, "offcpu-time");
    writer_end (writer);
    for (unsigned is_direct = 0; is_direct < 2; is_direct++) {
        writer_begin (writer, 9, MODE_USER);
        writer_u64s (writer, id, 0x10);
        writer_u32s (writer, 1, 1);
        writer_u64s (writer, is_direct ? 1000 : UINT64_C (0xffffffff00000001), 300, 2, CONTEXT_USER,
                     0x11);
        writer_u32 (writer, is_direct ? 44 : 4);
        if (is_direct) {
            writer_u32s (writer, 7, 8);
            writer_u64s (writer, 400, 2, CONTEXT_USER, 0x22);
        }
        writer_u32 (writer, 0);
        writer_end (writer);
    }
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    const PvSampleSet *set = find_set (profile, "offcpu-time");
    assert_stacks (profile, "offcpu-time", "![unknown]+0x11 ![unknown]+0x22");
    g_assert_cmpuint (pv_sample_set_time_ns (set, 0), ==, 0);
    g_assert_cmpuint (pv_sample_set_time_ns (set, 1), ==, 600);
    g_assert_cmpuint (set->duration_ns[1], ==, 400);
    g_assert_cmpint (profile->threads[pv_sample_set_thread (set, 1)].tid, ==, 8);
    g_assert_cmpuint (profile->duration_ns, ==, 400);
    /* The clock got no sample, so it is not what is shown first. */
    g_assert_cmpstr (profile->measures[0].name, ==, "offcpu-time");
    g_assert_cmpuint (profile->measures[0].total, ==, 700);
    g_assert_cmpint (profile->measures[0].unit, ==, PV_UNIT_NS);
}

/* --- generated code -----------------------------------------------------------------------------
 */

static void
put_numbers (GByteArray *out, guint size, const uint64_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        g_byte_array_append (out, (const uint8_t *)&values[i], size);
}

#define put_all(out, size, ...)                                                                    \
    put_numbers (out, size, (const uint64_t[]){__VA_ARGS__},                                       \
                 G_N_ELEMENTS (((const uint64_t[]){__VA_ARGS__})))
#define put64(out, ...) put_all (out, 8, __VA_ARGS__)
#define put32(out, ...) put_all (out, 4, __VA_ARGS__)

static void
jit_load (GByteArray *out, uint64_t time, uint64_t start, uint64_t size, uint64_t index,
          const char *name)
{
    put32 (out, 0, 16 + 40 + (uint32_t)strlen (name) + 1);
    put64 (out, time);
    put32 (out, 77, 77);
    put64 (out, start, start, size, index);
    g_byte_array_append (out, (const uint8_t *)name, (guint)strlen (name) + 1);
}

/* The last record goes on with the bytes of its code. */
static void
jit_bytes (GByteArray *out, const char *name, guint size)
{
    guint record = out->len - (16 + 40 + (guint)strlen (name) + 1);
    uint32_t total = out->len - record + size;
    memcpy (out->data + record + 4, &total, 4);
    while (size-- > 0)
        g_byte_array_append (out, (const uint8_t *)"\x90", 1);
}

static void
jit_move (GByteArray *out, uint64_t time, uint64_t from, uint64_t to, uint64_t size, uint64_t index)
{
    put32 (out, 1, 16 + 48);
    put64 (out, time);
    put32 (out, 77, 77);
    put64 (out, to, from, to, size, index);
}

/* Code of Node.js 20 has names of files with zeros in them. */
static void
damaged_lines (GByteArray *out, uint64_t start)
{
    put32 (out, 2, 16 + 16 + 16 + 4 + 16 + 4);
    put64 (out, 60, start, 2, start);
    put32 (out, 10, 0);
    g_byte_array_append (out, (const uint8_t *)"a\0b", 4);
    put64 (out, start + 4);
    put32 (out, 11, 0);
    g_byte_array_append (out, (const uint8_t *)"a\0b", 4);
}

static GByteArray *
jitdump (void)
{
    GByteArray *out = g_byte_array_new ();
    put32 (out, 0x4A695444, 1, 40, 62, 0, 77);
    put64 (out, 0, 0);
    jit_load (out, 50, 0x9000, 0x100, 1, "first");
    put32 (out, 2); /* lines of the next one */
    put32 (out, 16 + 16 + 2 * 16 + 5 + 2);
    put64 (out, 60, 0x9200, 2, 0x9200);
    put32 (out, 10, 0);
    g_byte_array_append (out, (const uint8_t *)"a.js", 5);
    put64 (out, 0x9280);
    put32 (out, 11, 0);
    g_byte_array_append (out, (const uint8_t *)"\xff", 2);
    put32 (out, 4,
           16 + 24 + 5); /* its rules of unwinding, of which the last 2 bytes are an index */
    put64 (out, 60, 5, 2, 8);
    g_byte_array_append (out, (const uint8_t *)"rules", 5);
    jit_load (out, 60, 0x9200, 0x100, 2, "lines");
    jit_bytes (out, "lines", 0x100);
    jit_move (out, 61, 0x9200, 0x9400, 0x100, 2);
    damaged_lines (out, 0x9600);
    jit_load (out, 62, 0x9600, 0x10, 4, "damaged");
    jit_bytes (out, "damaged", 0xf);                 /* one is missing */
    jit_load (out, 200, 0x9080, 0x100, 3, "second"); /* over the tail of the first */
    return out;
}

static PvMappedFile *
open_jitdump (void *user, const char *recorded_path)
{
    if (strcmp (recorded_path, "/tmp/jit-77.dump") != 0)
        return NULL;
    g_autoptr (GByteArray) dump = jitdump ();
    return pv_mapped_file_new_take (g_memdup2 (dump->data, dump->len), dump->len);
}

/* A recording with the clock of JIT compilers. */
static Writer *
monotonic (void)
{
    Writer *writer = writer_new (false, true);
    WriterAttr attr = writer_plain_attr;
    attr.flags |= UINT64_C (1) << 25; /* use_clockid */
    writer->attr_size = 136;
    writer_attr (writer, &attr, NULL, 0);
    /* clockid lies where the writer puts zero: set CLOCK_MONOTONIC by hand. */
    writer->records->data[8 + 92] = 1;
    return writer;
}

TEST (jit)
{
    g_autoptr (Writer) writer = monotonic ();
    writer_mmap (writer, 5, 1, 0x9000, 0x1000, 0, "//anon");
    writer_mmap (writer, 6, 1, 0x100000, 0x1000, 0, "/tmp/jit-77.dump");
    user_sample (writer, 100, 1, 0x9090);
    user_sample (writer, 101, 1, 0x9290);
    user_sample (writer, 300, 1, 0x9090);
    user_sample (writer, 301, 1, 0x9010);
    PvReadContext context = {.open_side_file = open_jitdump};
    g_autoptr (PvProfile) profile = writer_read (writer, &context, NULL);
    assert_stacks (profile, "cpu-clock", "![JIT]+0x9090 ![JIT]+0x9290 ![JIT]+0x9090 ![JIT]+0x9010");
    const PvStackId *stack = profile->sets[0].stack;
    const PvModule *modules[4];
    for (unsigned i = 0; i < 4; i++)
        modules[i] =
            &profile->modules[profile->module_of_location[profile->location_of_stack[stack[i]]]];
    g_assert_true (modules[0] == modules[1] && modules[0] == modules[3]);
    g_assert_true (modules[0] != modules[2]);
    g_assert_cmpint (modules[0]->kind, ==, PV_MODULE_JIT);
    g_assert_cmpint (modules[0]->pid, ==, 1);
    g_assert_cmpuint (modules[0]->n_named_ranges, ==, 6);
    g_assert_cmpstr (modules[0]->code_path, ==, "/tmp/jit-77.dump");
    g_assert_cmpstr (modules[0]->named_ranges[0].name, ==, "first");
    g_assert_cmpstr (modules[0]->named_ranges[1].name, ==, "lines");
    g_assert_cmpuint (modules[0]->named_ranges[1].line, ==, 10);
    g_assert_cmpuint (modules[0]->named_ranges[2].start, ==, 0x9280);
    g_assert_cmpuint (modules[0]->named_ranges[2].line, ==, 11);
    g_assert_cmpstr (modules[0]->named_ranges[2].file, ==, "a.js");
    /* Where the bytes are; code that moved keeps them, and its lines. */
    const PvNamedRange *ranges = modules[0]->named_ranges;
    g_autoptr (GByteArray) dump = jitdump ();
    g_assert_cmpuint (ranges[0].code_offset, ==, 0);
    g_assert_cmpstr ((char *)dump->data + ranges[1].code_offset - 6, ==, "lines");
    g_assert_cmphex (dump->data[ranges[1].code_offset], ==, 0x90);
    g_assert_cmpuint (ranges[2].code_offset, ==, ranges[1].code_offset + 0x80);
    for (unsigned i = 1; i <= 2; i++) {
        g_assert_cmphex (ranges[i + 2].start, ==, ranges[i].start + 0x200);
        g_assert_cmpuint (ranges[i + 2].size_bytes, ==, 0x80);
        g_assert_cmpstr (ranges[i + 2].name, ==, "lines");
        g_assert_cmpuint (ranges[i + 2].line, ==, ranges[i].line);
        g_assert_cmpuint (ranges[i + 2].code_offset, ==, ranges[i].code_offset);
        g_assert_cmpuint (ranges[i].unwind_size_bytes, ==, 3);
        g_assert_cmpmem (dump->data + ranges[i].unwind_offset, 5, "rules", 5);
        g_assert_cmpuint (ranges[i + 2].unwind_offset, ==, ranges[i].unwind_offset);
        g_assert_cmpuint (ranges[i + 2].unwind_size_bytes, ==, 3);
    }
    g_assert_cmpuint (ranges[0].unwind_size_bytes, ==, 0);
    g_assert_cmpuint (ranges[5].unwind_size_bytes, ==, 0);
    g_assert_cmpstr (ranges[5].name, ==, "damaged");
    g_assert_null (ranges[5].file);
    g_assert_cmpuint (ranges[5].code_offset, ==, 0);
    g_assert_cmpuint (modules[2]->n_named_ranges, ==, 1);
    g_assert_cmpstr (modules[2]->named_ranges[0].name, ==, "second");
}

/* Two dumps of one process, whose code is at the same places one after the other. */
static PvMappedFile *
open_one_of_two (void *user, const char *recorded_path)
{
    g_autoptr (GByteArray) out = g_byte_array_new ();
    put32 (out, 0x4A695444, 1, 40, 62, 0, 77);
    put64 (out, 0, 0);
    if (strcmp (recorded_path, "/a/jit-77.dump") == 0) {
        jit_load (out, 50, 0x9000, 0x100, 1, "first");
        jit_load (out, 150, 0x9000, 0x100, 2, "second");
    } else if (strcmp (recorded_path, "/b/jit-77.dump") == 0) {
        jit_load (out, 50, 0x9200, 0x100, 1, "other");
        jit_load (out, 250, 0x9000, 0x100, 2, "third");
        jit_load (out, 300, 0x9200, 0x100, 3, "fourth");
    } else {
        return NULL;
    }
    return pv_mapped_file_new_take (g_memdup2 (out->data, out->len), out->len);
}

static void
anonymous_again (Writer *writer, uint64_t time)
{
    writer_mmap (writer, time, 1, 0x8000, 0x3000, 0, "//anon");
}

static void
write_reuse (Writer *writer)
{
    anonymous_again (writer, 5);
    writer_mmap (writer, 6, 1, 0x100000, 0x1000, 0, "/a/jit-77.dump");
    user_sample (writer, 100, 1, 0x9010);
    user_sample (writer, 160, 1, 0x9010);
    anonymous_again (writer, 170); /* protected for the load at 150 */
    user_sample (writer, 180, 1, 0x9010);
    writer_mmap (writer, 190, 1, 0x101000, 0x1000, 0, "/b/jit-77.dump");
    writer_mmap (writer, 191, 1, 0x101000, 0x1000, 0, "/b/jit-77.dump");
    user_sample (writer, 200, 1, 0x9210);
    anonymous_again (writer, 210);
    user_sample (writer, 220, 1, 0x9210);
    user_sample (writer, 230, 1, 0x9010);
    user_sample (writer, 260, 1, 0x9010);
    anonymous_again (writer, 270);
    user_sample (writer, 280, 1, 0x9010);
    user_sample (writer, 281, 1, 0x8010);
    writer_task (writer, 7, 282, 2, 2, 1, 1); /* a child, which protects it once more */
    writer_mmap (writer, 283, 2, 0x8000, 0x3000, 0, "//anon");
    user_sample (writer, 284, 2, 0x9010);
    writer_mmap (writer, 285, 1, 0x9000, 0x1000, 0, "/lib/later");
    user_sample (writer, 290, 1, 0x9010);
    anonymous_again (writer, 295); /* what was there before the file is gone */
    user_sample (writer, 296, 1, 0x9010);
    user_sample (writer, 297, 1, 0x8010);
    anonymous_again (writer, 298);
    user_sample (writer, 299, 1, 0x9210);
    user_sample (writer, 310, 1, 0x9210);
}

/* Names of a dump, or else of modules, at the leaves of samples in order of time. */
static char *
leaf_names (const PvProfile *profile)
{
    GString *text = g_string_new (NULL);
    for (uint32_t i = 0; i < profile->sets[0].n_samples; i++) {
        PvLocationId leaf = profile->location_of_stack[profile->sets[0].stack[i]];
        uint64_t addr = pv_profile_lookup_address (profile, leaf);
        const PvModule *module = &profile->modules[profile->module_of_location[leaf]];
        const char *name = module->name;
        for (uint32_t r = 0; r < module->n_named_ranges; r++) {
            const PvNamedRange *range = &module->named_ranges[r];
            if (addr - range->start < range->size_bytes)
                name = range->name;
        }
        g_string_append_printf (text, "%s%s", i > 0 ? " " : "", name);
    }
    return g_string_free (text, FALSE);
}

/* Memory is made executable after its code was written into the dump; that hides no name. Code
 * loaded later wins from then on, whichever dump has it. */
TEST (jit_reuse)
{
    const PvReadContext context = {.open_side_file = open_one_of_two};
    g_autoptr (Writer) writer = monotonic ();
    write_reuse (writer);
    g_autoptr (PvProfile) profile = writer_read (writer, &context, NULL);
    assert_string (leaf_names (profile), "first second second other other second third third "
                                         "[JIT] third later [JIT] [JIT] [JIT] fourth");
    g_assert_false (perf_has_note (profile, PV_NOTE_GENERAL));
    /* Without the common clock only the last name of a dump is known, and that is said. */
    g_autoptr (Writer) untimed = plain (false);
    write_reuse (untimed);
    g_autoptr (PvProfile) other = writer_read (untimed, &context, NULL);
    assert_string (leaf_names (other), "second second second fourth fourth third third third "
                                       "[JIT] third later first [JIT] [JIT] [JIT]");
    g_assert_true (perf_has_note (other, PV_NOTE_GENERAL));
}

/* The dump that is not there is where the names are. */
TEST (jitdump_missing)
{
    const PvReadContext context = {.open_side_file = open_one_of_two};
    g_autoptr (Writer) writer = monotonic ();
    writer_mmap (writer, 5, 1, 0x9000, 0x1000, 0, "//anon");
    writer_mmap (writer, 6, 1, 0x100000, 0x1000, 0, "/c/jit-77.dump");
    user_sample (writer, 100, 1, 0x9010);
    g_autoptr (PvProfile) profile = writer_read (writer, &context, NULL);
    assert_stacks (profile, "cpu-clock", "![JIT]+0x9010");
    g_assert_cmpstr (profile->modules[1].code_path, ==, "/c/jit-77.dump");
    g_assert_cmpint (profile->modules[1].container_pid, ==, 77);
}

/* A program in a memfd is one; memory for generated code is shared. */
TEST (memfd)
{
    g_autoptr (Writer) writer = plain (false);
    writer_mmap2 (writer, 5, 1, 0x1000, 0x1000, 0x3000, 7, PROT_RX,
                  "/memfd:cloned:/proc/self/exe (deleted)");
    writer_mmap2 (writer, 6, 1, 0x3000, 0x1000, 0, 8, PROT_RX, "/memfd:plugin (deleted)");
    writer_mmap (writer, 7, 1, 0x5000, 0x1000, 0, "/memfd:doublemapper (deleted)");
    user_sample (writer, 100, 1, 0x1010);
    user_sample (writer, 101, 1, 0x3010);
    user_sample (writer, 102, 1, 0x5010);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    assert_stacks (profile, "cpu-clock", "!memfd:cloned+0x3010 !memfd:plugin+0x10 ![JIT]+0x5010");
    g_assert_true (find_module (profile, "/memfd:cloned:/proc/self/exe")->is_main);
}

/* Anonymous memory in the place of code keeps that code's names; other memory has none. */
TEST (replaced_code)
{
    g_autoptr (Writer) writer = plain (false);
    writer_mmap2 (writer, 5, 1, 0x10000, 0x8000, 0x1000, 7, PROT_RX, "/bin/app");
    writer_mmap2 (writer, 6, 1, 0x12000, 0x4000, 0, 0, PROT_RX, "//anon");
    user_sample (writer, 100, 1, 0x12004);
    user_sample (writer, 101, 1, 0x17004);
    writer_mmap2 (writer, 110, 1, 0x17000, 0x2000, 0, 0, PROT_RX, "//anon");
    user_sample (writer, 120, 1, 0x17004);
    /* In place before the recording began, between what is left of the file. */
    writer_mmap2 (writer, 130, 2, 0x40000, 0x2000, 0x1000, 9, PROT_RX, "/bin/huge");
    writer_mmap2 (writer, 131, 2, 0x42000, 0x2000, 0, 0, PROT_RX, "/anon_hugepage (deleted)");
    writer_mmap2 (writer, 132, 2, 0x44000, 0x2000, 0x5000, 9, PROT_RX, "/bin/huge");
    writer_mmap2 (writer, 133, 2, 0x46000, 0x2000, 0, 0, PROT_RX, "//anon");
    writer_mmap2 (writer, 134, 2, 0x48000, 0x2000, 0xb000, 9, PROT_RX, "/bin/huge");
    user_sample (writer, 140, 2, 0x43004);
    user_sample (writer, 141, 2, 0x46004);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    assert_stacks (profile, "cpu-clock",
                   "!app+0x3004 !app+0x8004 ![JIT]+0x17004 !huge+0x4004 ![JIT]+0x46004");
    g_assert_true (perf_has_note (profile, PV_NOTE_GENERAL));
}
