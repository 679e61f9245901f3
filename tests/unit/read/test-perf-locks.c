/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for locks of the kernel, from the tracepoints of perf lock. */
#include <string.h>

#include "../cases.h"
#include "perf-writer.h"

#define COMMON                                                                                     \
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                         \
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define CONTENTION(name, id, last)                                                                 \
    "name: " name "\nID: " id "\nformat:\n" COMMON                                                 \
    "\tfield:void * lock_addr;\toffset:8;\tsize:8;\tsigned:0;\n"                                   \
    "\tfield:unsigned int " last ";\toffset:16;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n"
#define LOCKDEP(name, id)                                                                          \
    "name: " name "\nID: " id "\nformat:\n" COMMON                                                 \
    "\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n"                             \
    "\tfield:void * lockdep_addr;\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n"

enum { BEGIN = 1, END, CONTENDED, ACQUIRED, N_EVENTS = ACQUIRED };
enum { SPIN = 1, READ = 2, MUTEX = 32 };

static Writer *
lock_writer (bool swap, unsigned first, unsigned last)
{
    static const char *const formats[] = {
        CONTENTION ("contention_begin", "801", "flags"),
        CONTENTION ("contention_end", "802", "ret"),
        LOCKDEP ("lock_contended", "803"),
        LOCKDEP ("lock_acquired", "804"),
    };
    Writer *writer = writer_new (swap, true);
    for (uint64_t id = first; id <= last; id++) {
        WriterAttr attr = {.type = 2,
                           .config = 800 + id,
                           .sample_period = 1,
                           .sample_type = 7 | 1u << 5 | 1u << 10 | 1u << 16,
                           .flags = WRITER_FLAGS};
        writer_attr (writer, &attr, &id, 1);
    }
    writer_tracing (writer, "lock", formats, N_EVENTS);
    return writer;
}

/* A sample of an event at `ip`, with the lock's address and flags, or its name. */
static void
lock_sample_of (Writer *writer, uint64_t id, uint64_t time, uint32_t tid, uint64_t ip,
                uint64_t lock, uint32_t flags)
{
    bool has_name = id >= CONTENDED;
    writer_begin (writer, 9, MODE_KERNEL);
    writer_u64s (writer, id, ip);
    writer_u32s (writer, 1, tid);
    writer_u64s (writer, time, 2, CONTEXT_KERNEL, ip);
    writer_u32 (writer, 36);
    writer_u64 (writer, 0);
    if (has_name) {
        writer_u32s (writer, 24 | 8 << 16, 0);
        writer_u64 (writer, lock);
        writer_bytes (writer, "my_lock\0", 8);
    } else {
        writer_u64 (writer, lock);
        writer_u32s (writer, flags, 0);
        writer_u64 (writer, 0);
    }
    writer_u32 (writer, 0);
    writer_end (writer);
}

/* "time+duration thread stack labels", one line for each wait. */
static char *
waits_text (const PvProfile *profile)
{
    const PvSampleSet *set = find_set (profile, "lock-wait");
    GString *text = g_string_new (NULL);
    for (uint32_t i = 0; set != NULL && i < set->n_samples; i++) {
        g_autofree char *stack = stack_text (profile, set->stack[i]);
        g_autofree char *labels = labels_text (profile, set, i);
        g_assert_cmpuint (set->duration_ns[i], ==, pv_sample_set_weight (set, 0, i));
        g_string_append_printf (text, "%" G_GUINT64_FORMAT "+%" G_GUINT64_FORMAT " %d %s %s\n",
                                pv_sample_set_time_ns (set, i), set->duration_ns[i],
                                profile->threads[pv_sample_set_thread (set, i)].tid, stack, labels);
    }
    return g_string_free (text, FALSE);
}

static void
assert_waits (const Writer *writer, const char *expected)
{
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    assert_string (waits_text (profile), expected);
}

/* Waits within waits, of several threads; the first begin counts, with its stack and flags; what
 * does not begin or end is left out. */
TEST (contention)
{
    for (unsigned swap = 0; swap < 2; swap++) {
        g_autoptr (Writer) writer = lock_writer (swap != 0, BEGIN, END);
        lock_sample_of (writer, END, 90, 5, 0x10, 0xa0, 0); /* never began */
        lock_sample_of (writer, BEGIN, 100, 5, 0x11, 0xa0, MUTEX | SPIN);
        lock_sample_of (writer, BEGIN, 110, 6, 0x12, 0xa0, READ);
        lock_sample_of (writer, BEGIN, 120, 5, 0x13, 0xa0, MUTEX);
        lock_sample_of (writer, BEGIN, 130, 5, 0x14, 0xb0, SPIN);
        lock_sample_of (writer, END, 135, 6, 0x15, 0xb0, 0); /* another thread's */
        lock_sample_of (writer, END, 140, 5, 0x16, 0xb0, 0);
        lock_sample_of (writer, END, 160, 5, 0x17, 0xa0, 0);
        lock_sample_of (writer, END, 170, 5, 0x17, 0xa0, 0); /* is over already */
        lock_sample_of (writer, END, 180, 6, 0x18, 0xa0, 0);
        lock_sample_of (writer, BEGIN, 190, 6, 0x19, 0xc0, 0x4000); /* does not end */
        lock_sample_of (writer, BEGIN, 200, 5, 0x1a, 0xc0, 0x4000);
        lock_sample_of (writer, END, 200, 5, 0x1a, 0xc0, 0); /* no time */
        lock_sample_of (writer, BEGIN, 210, 5, 0x1b, 0xc0, 0x4000);
        lock_sample_of (writer, END, 211, 5, 0x1b, 0xc0, 0);
        assert_waits (writer, "100+60 5 ![kernel]+0x11 lock=0xa0, lock-type=mutex\n"
                              "110+70 6 ![kernel]+0x12 lock=0xa0, lock-type=rwsem:R\n"
                              "130+10 5 ![kernel]+0x14 lock=0xb0, lock-type=spinlock\n"
                              "210+1 5 ![kernel]+0x1b lock=0xc0, lock-type=unknown\n");
    }
}

/* If too many waits are open at once, the oldest is given up. */
TEST (too_many)
{
    g_autoptr (Writer) writer = lock_writer (false, BEGIN, END);
    for (uint64_t i = 0; i < 5; i++)
        lock_sample_of (writer, BEGIN, 100 + i, 5, 0x20 + i, 0xa0 + i, 0);
    for (uint64_t i = 0; i < 5; i++)
        lock_sample_of (writer, END, 200 + i, 5, 0x30, 0xa0 + i, 0);
    assert_waits (writer, "101+100 5 ![kernel]+0x21 lock=0xa1, lock-type=semaphore\n"
                          "102+100 5 ![kernel]+0x22 lock=0xa2, lock-type=semaphore\n"
                          "103+100 5 ![kernel]+0x23 lock=0xa3, lock-type=semaphore\n"
                          "104+100 5 ![kernel]+0x24 lock=0xa4, lock-type=semaphore\n");
}

/* Kernels that check their locks name them. If both kinds are recorded, waits count once. */
TEST (checked)
{
    for (unsigned has_both = 0; has_both < 2; has_both++) {
        g_autoptr (Writer) writer =
            lock_writer (false, has_both != 0 ? BEGIN : CONTENDED, ACQUIRED);
        lock_sample_of (writer, CONTENDED, 100, 5, 0x11, 0xa8, 0);
        if (has_both != 0)
            lock_sample_of (writer, BEGIN, 101, 5, 0x12, 0xa0, MUTEX);
        if (has_both != 0)
            lock_sample_of (writer, END, 149, 5, 0x13, 0xa0, 0);
        lock_sample_of (writer, ACQUIRED, 150, 5, 0x14, 0xa8, 0);
        assert_waits (writer, has_both != 0 ? "101+48 5 ![kernel]+0x12 lock=0xa0, lock-type=mutex\n"
                                            : "100+50 5 ![kernel]+0x11 lock=my_lock\n");
    }
}

/* Data that ends before a field: no flags are told, or there is no lock to wait for. */
TEST (truncated)
{
    g_autoptr (Writer) writer = lock_writer (false, BEGIN, END);
    for (uint32_t size = 0; size < 24; size++) {
        for (unsigned id = BEGIN; id <= END; id++) {
            static const uint64_t raw[] = {0, 0xa0, READ};
            writer_begin (writer, 9, MODE_KERNEL);
            writer_u64s (writer, id, 0x11);
            writer_u32s (writer, 1, 5);
            writer_u64s (writer, 100 * (size + 1) + id, 0);
            writer_u32 (writer, size);
            writer_bytes (writer, raw, size);
            writer_end (writer);
        }
    }
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    const PvSampleSet *set = find_set (profile, "lock-wait");
    g_assert_nonnull (set);
    g_assert_cmpuint (set->n_samples, ==, 8);
    for (uint32_t i = 0; i < set->n_samples; i++) {
        assert_string (labels_text (profile, set, i),
                       i < 4 ? "lock=0xa0" : "lock=0xa0, lock-type=rwsem:R");
    }
}
