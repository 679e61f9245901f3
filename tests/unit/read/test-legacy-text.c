/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts, contention and threads as text, Java's text, sections of symbols; what is not any of it.
 */
#include <string.h>

#include "../cases.h"
#include "legacy-dump.h"

TEST (counts)
{
    const char *text = "goroutine profile: total 7\n"
                       "2 @ 0x1001 0x2001 0x3001 0x4001\n"
                       "# labels: {\"key\":\"a \\\"b\\\"\", \"other\":\"\"}\n"
                       "#\t0x2000\tmain.work+0xbe\t\t\t/src/main.go:12\n"
                       "#\t0x3000\tmain.main+0x1\n"
                       "\n"
                       "5 @ 0x2001\n"
                       "#\t0x2000\tmain.other+0xbe\t/src/main.go:13\n"
                       "--- and nothing more\n"
                       "9 @ 0x2001\n";
    /* The first name of an address stays. */
    assert_clean_samples (text, "main.main;main.work@/src/main.go:12 2 {key=a "
                                "\"b\"} {other=}\n"
                                "main.work@/src/main.go:12 5\n");
    assert_measures (text, "goroutine count state 7");
    assert_measures ("my.own profile: total 1\n1 @ 0x10\n", "my.own count state 1");
}

TEST (contention)
{
    const char *text = "--- contentionz 1 ---\n"
                       "cycles/second = 2000000000\n"
                       "sampling period = 100\n"
                       "ms since reset = 1500\n"
                       "discarded samples = 0\n"
                       "  4000  3 @ 0x401010 0x401020\n"
                       "  1  1 @ 0x401010\n"
                       "  oops\n"
                       "--- Memory map: ---\n"
                       "  00400000-00500000: shop\n";
    assert_legacy_samples (text, "shop+0x1020;shop+0x1010 200000 300\nshop+0x1010 50 100\n");
    g_autoptr (PvProfile) profile = read_legacy (text);
    g_assert_cmpuint (profile->n_skipped_records, ==, 1);
    g_assert_cmpuint (profile->facts.profiled_ns, ==, 1500000000);
    g_assert_cmpstr (profile->facts.format, ==, "contention");
    g_assert_nonnull (strstr (profile->drop_frames, "SpinLock"));
    assert_measures (text, "delay ns state 200050, contentions count state 400");
    /* Cycles of an unknown length are not even multiplied by the period. */
    assert_measures ("--- mutex:\nsampling period=10\n 70 2 @ 0x10\n",
                     "delay ns state 70, contentions count state 20");
    /* Go's, with names. */
    assert_clean_samples ("--- contention:\ncycles/second=2000000000\n"
                          "1000 1 @ 0x1001\n#\t0x1000\tmain.f+0x1\t/a.go:3\n\n",
                          "main.f@/a.go:3 500 1\n");
    assert_measures ("--- contention:\ncycles/second=1000000000\n",
                     "delay ns state 0, contentions count state 0");
}

TEST (threads)
{
    assert_clean_samples ("--- threadz 1 ---\n\n"
                          "free text\n"
                          "--- Thread 7f79 (name: main/14748) stack: ---\n"
                          "  PC:  0x00401010: helper(arg *)\n"
                          "  0x00401010: helper(arg *)\n"
                          "  0x00401020: main\n"
                          "      creator: 0x401031 0x401041\n"
                          "--- Thread 7f7a (name: a/b/14751) stack: ---\n"
                          "  [same as previous thread]\n"
                          "--- Thread 7f7b (name: c) stack: ---\n"
                          "  PC:  0x00401020: main\n"
                          "---- no stack trace for 3 threads\n"
                          "--- Memory map: ---\n"
                          "  00400000-00500000: /usr/bin/shop\n",
                          "shop+0x1041;shop+0x1031;main;helper(arg *) 1 [14748 main]\n"
                          "shop+0x1041;shop+0x1031;main;helper(arg *) 1 [14751 a/b]\n"
                          "main 1 [0 c]\n");
    assert_measures ("--- Thread 1 (name: x/2) stack: ---\n 0x10\n", "thread count state 1");
}

TEST (java)
{
    const char *heap = "--- heapz 1 ---\n"
                       "format = java\n"
                       "resolution = bytes\n"
                       "    4096 1 @ 0x3 0x00000004\n"
                       "    0 0 @ 0x3\n"
                       " 0x3 a.B.<init> (B.java:7)\n"
                       " 0x4 generated stub/JIT\n";
    assert_measures (heap, "inuse_space bytes state 526339, inuse_objects count state 129");
    assert_legacy_samples (heap, "STUB;a.B.<init>@B.java:7 526339 129 {bytes=4096 bytes}\n");
    const char *contention = "--- contentionz 1 ---\n"
                             "format = java\n"
                             "resolution = microseconds\n"
                             "sampling period = 100\n"
                             "ms since reset = 6019923\n"
                             "            1     1 @ 0x00000003 0x00000004\n"
                             "           14     2 @ 0x0000000d\n"
                             "\n"
                             " 0x0000003 f (source.java:03)\n"
                             " 0x000000d lib (/path/lib.so)\n";
    assert_clean_samples (contention, "[java]+0x4;f@source.java:3 100000 100\n"
                                      "lib@/path/lib.so 1400000 200\n");
    assert_measures (contention, "delay ns state 1500000, contentions count state 300");
    assert_measures ("--- contentionz 1 ---\nformat = java\nresolution = ticks\n 5 1 @ 0x3\n",
                     "delay ticks state 5, contentions count state 1");
}

/* Names of addresses inside of calls, outermost first. */
TEST (symbols)
{
    assert_clean_samples ("--- symbol\n"
                          "binary=/usr/bin/shop\n"
                          "0x0000000000401fff outer--Iterator::operator----inlined\n"
                          "0x0000000000401010 leaf<0000000000001270>\n"
                          "---\n"
                          "--- heap\n"
                          "heap profile: 1: 64 [1: 64] @ heapprofile\n"
                          " 1: 64 [1: 64] @ 0x401010 0x402000 0x403000\n",
                          "shop+0x403000;inlined<Iterator::operator--<outer;leaf 64 1 64 1 "
                          "{bytes=64 bytes}\n");
    assert_clean_samples ("--- symbol\n"
                          "0x11 f\n"
                          "---\n"
                          "--- heap\n"
                          "heap_v2/1\n@ 0x12\n t*: 1: 2 [0: 0]\n",
                          "f 2 1\n");
}

/* --- what is read, and what is not ------------------------------------------------------------ */

static void
assert_refused (const char *text, PvReadError code)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (g_strdup (text), strlen (text));
    PvReadContext context = {0};
    g_test_message ("%s", text);
    assert_error (error, pv_read_bytes (file, builder, &context, &error), PV_READ_ERROR, (int)code);
}

TEST (refused)
{
    static const char *const others[] = {
        "heap_v2",
        "heap_v2/",
        "heap_v2/x\n",
        "heap_v2/5 6\n",
        "heap profile: \n",
        "heap profile: 1: 2 [3: 4\n",
        "--- heap\n",
        "--- thread 1 ---\n",
        "profile: total 3\n",
        "goroutine profile: total\n",
        "goroutine profile: total 3 4\n",
        "% only remarks\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
        assert_refused (others[i], PV_READ_ERROR_UNKNOWN_FORMAT);
    assert_refused ("--- symbol\n0x10 f\n---\nwhat\n", PV_READ_ERROR_UNKNOWN_FORMAT);
    assert_refused ("--- symbol\n0x10 f\n", PV_READ_ERROR_UNKNOWN_FORMAT);
}

TEST (cancelled)
{
    g_autoptr (PvJob) job = pv_job_new ();
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    static const char text[] = "heap_v2/1\n@ 0x12\n t*: 1: 2 [0: 0]\n";
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (g_strdup (text), strlen (text));
    PvReadContext context = {.job = job};
    pv_job_cancel (job);
    assert_error (error, pv_read_bytes (file, builder, &context, &error), PV_JOB_ERROR,
                  PV_JOB_ERROR_CANCELLED);
}
