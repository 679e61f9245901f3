/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heaps as text: jemalloc's and gperftools' kinds, and what was mapped where. */
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "legacy-dump.h"
#include "reader-case.h"

#define MAP                                                                                        \
    "\nMAPPED_LIBRARIES:\n"                                                                        \
    "00400000-00401000 r--p 00000000 08:01 11 /usr/bin/shop\n"                                     \
    "00401000-00500000 r-xp 00001000 08:01 11 /usr/bin/shop\n"                                     \
    "7f0000000000-7f0000010000 r-xp 00022000 08:01 12 /usr/lib/li b.so.1\n"                        \
    "7f0000010000-7f0000020000 rw-p 00032000 08:01 12 /usr/lib/li b.so.1\n"                        \
    "7ffe00000000-7ffe00002000 r-xp 00000000 00:00 0 [vdso]\n"

TEST (jemalloc)
{
    const char *text = "heap_v2/524288\n"
                       "  t*: 3: 5000 [0: 0]\n"
                       "  t0: 1: 100 [0: 0]\n"
                       "  t17: 2: 4900 [0: 0] worker number 1\n"
                       "@ 0x7f0000000010 0x402000 0x401500\n"
                       "  t*: 1: 4096 [0: 0]\n"
                       "  t17: 1: 4096 [0: 0]\n"
                       "@ 0x402001 0x401500\n"
                       "  t*: 2: 2097152 [0: 0]\n"
                       "  t0: 2: 2097152 [0: 0]\n" MAP;
    /* 128.50 objects of 526338.67 bytes, then 2.31 of 2425393.29: in sum 130.81 and 2951731.95,
     * and both are rounded. */
    assert_clean_samples (
        text, "shop+0x1500;shop+0x2000;li b.so.1+0x22010 526339 129 [17 worker number 1]\n"
              "shop+0x1500;shop+0x2001 2425393 2 [0]\n");
    assert_measures (text, "inuse_space bytes state 2951732, inuse_objects count state 131");
    g_autoptr (PvProfile) profile = read_legacy (text);
    g_assert_cmpstr (profile->facts.format, ==, "jemalloc heap");
    g_assert_cmpstr (profile->facts.period, ==, "space 512 KiB");
    g_assert_true (profile->is_of_allocations);
    g_assert_true (profile->modules[1].is_main);
    g_assert_false (profile->modules[2].is_main);
    g_assert_cmpstr (profile->processes[1].name, ==, "shop");
}

/* Our recorder's remark is no variable of the map, and may be all there is at the end. */
TEST (recorded_with)
{
    static const char dump[] = "heap_v2/1\n@ 0x402000\n  t*: 1: 4096 [0: 0]\n";
    static const char remark[] = "# recorded with: MALLOC_CONF=prof:true ./shop 00400000-00500000 "
                                 "r-xp 0 08:01 11 /bin/other\n";
    g_autofree char *with_map = g_strconcat (dump, MAP, remark, "# recorded with: x\n", NULL);
    g_autofree char *without_map = g_strconcat (dump, remark, NULL);
    g_autofree char *cut = g_strconcat (dump, MAP, "# recorded wi", NULL);
    g_autoptr (PvProfile) profile = read_legacy (with_map);
    g_autoptr (PvProfile) bare = read_legacy (without_map);
    g_autoptr (PvProfile) half = read_legacy (cut);
    assert_clean_samples (with_map, "shop+0x2000 4096 1\n");
    assert_clean_samples (without_map, "[unknown]+0x402000 4096 1\n");
    g_assert_cmpstr (profile->facts.recorded_with, ==,
                     "MALLOC_CONF=prof:true ./shop 00400000-00500000 r-xp 0 08:01 11 /bin/other");
    g_assert_cmpstr (bare->facts.recorded_with, ==, profile->facts.recorded_with);
    g_assert_null (half->facts.recorded_with);
    assert_legacy_samples (cut, "shop+0x2000 4096 1\n");
}

/* The allocated amounts are there only if they were counted; then there are all four. */
TEST (jemalloc_accumulated)
{
    const char *text = "heap_v2/1\n"
                       "  t*: 0: 0 [9: 900]\n"
                       "@ 0x10\n"
                       "  t*: 0: 0 [3: 300]\n"
                       "@ 0x20 0x10\n"
                       "  t*: 2: 16 [6: 600]\n";
    assert_clean_samples (text, "[unknown]+0x10 0 0 3 300\n"
                                "[unknown]+0x10;[unknown]+0x20 16 2 6 600\n");
    assert_measures (text, "inuse_space bytes state 16, inuse_objects count state 2, alloc_objects "
                           "count state 9, alloc_space bytes state 900");
}

/* The sum of all is the t* of the stack, whatever the lines of threads say. */
TEST (jemalloc_threads)
{
    const char *text = "heap_v2/1\n"
                       "@ 0x10\n"
                       "  t*: 10: 1000 [0: 0]\n"
                       "  t1: 1: 1 [0: 0]\n"
                       "  t2: 1: 1 [0: 0]\n"
                       "  t3: 1: 1 [0: 0]\n"
                       "@ 0x20\n"
                       "  t*: 1: 7 [0: 0]\n"
                       "@ 0x30\n"
                       "  t*: 1: 7 [0: 0]\n"
                       "  t3: 1: 0 [0: 0]\n"
                       "@\n"
                       "  t*: 0: 5 [0: 0]\n"
                       "  t1: 0: 5 [0: 0]\n";
    assert_clean_samples (text, "[unknown]+0x10 334 4 [1]\n"
                                "[unknown]+0x10 333 3 [2]\n"
                                "[unknown]+0x10 333 3 [3]\n"
                                "[unknown]+0x20 7 1\n"
                                "[unknown]+0x30 7 1 [3]\n"
                                " 5 0 [1]\n");
}

/* The remainder of rounding one line goes to the next. */
TEST (rounding)
{
    g_autoptr (GString) text = g_string_new ("heap_v2/524288\n");
    for (unsigned i = 0; i < 1000; i++)
        g_string_append_printf (text, "@ 0x%x\n t*: 1: 700000 [0: 0]\n", i + 1);
    g_autoptr (PvProfile) profile = read_legacy (text->str);
    /* 1 / (1 - exp (-700000 / 524288)) = 1.3570736... */
    g_assert_cmpuint (profile->measures[1].total, ==, 1357);
    g_assert_cmpuint (profile->measures[0].total, ==, 949951496);
    for (uint32_t s = 0; s < 1000; s++) {
        uint64_t objects = pv_sample_set_weight (&profile->sets[0], 0, s);
        g_assert_true (objects == 1 || objects == 2);
    }
}

TEST (jemalloc_odd_lines)
{
    /* Carriage returns, remarks, numbers beyond 64 bits, an end in the middle of a line. */
    g_autoptr (PvProfile) profile =
        read_legacy ("%warn something\r\n\r\nheap_v2/0\r\n  t*: 1: 2 [0: 0]\r\n@ 0x10\r\n"
                     "  t*: 1: 2 [0: 0]\r\n  what is this\r\n@ 0x123456789abcdef01 0x10\r\n"
                     " t*: 99999999999999999999999: 3 [0: 0]\r\n@ 0x20\r\n  t*: 5: 6 [0");
    assert_string (legacy_samples_text (profile),
                   "[unknown]+0x10 2 1\n"
                   "[unknown]+0x10;[unknown]+0xffffffffffffffff 3 9223372036854775806\n");
    g_assert_cmpuint (profile->n_skipped_records, ==, 2);
    g_assert_cmpuint (count_notes (profile), ==, 3);
    g_assert_cmpstr (profile->notes[0].text, ==, "something");
    g_assert_cmpint (profile->notes[2].kind, ==, PV_NOTE_TRUNCATED_FILE);

    g_autoptr (PvProfile) empty = read_legacy ("heap_v2/524288\n");
    g_assert_cmpuint (empty->sets[0].n_samples, ==, 0);
    g_assert_cmpuint (count_notes (empty), ==, 0);
    g_assert_true (made_says_nothing (empty, "contains no samples"));
}

/* An address that was cut short is told from one that is known. */
TEST (cut_address)
{
    assert_legacy_samples ("heap profile: 2: 20 [2: 20] @ heapprofile\n"
                           " 1: 10 [1: 10] @ 0x401234 0x401000\n"
                           " 1: 10 [1: 10] @ 0x401238 0x4010",
                           "[unknown]+0x401000;[unknown]+0x401234 10 1 10 1 {bytes=10 bytes}\n"
                           "[unknown]+0x401238 10 1 10 1 {bytes=10 bytes}\n");
    assert_legacy_samples ("heap profile: 2: 20 [2: 20] @ heapprofile\n"
                           " 1: 10 [1: 10] @ 0x401234 0x401000\n"
                           " 1: 10 [1: 10] @ 0x401238 0x401000",
                           "[unknown]+0x401000;[unknown]+0x401234 10 1 10 1 {bytes=10 bytes}\n"
                           "[unknown]+0x401000;[unknown]+0x401238 10 1 10 1 {bytes=10 bytes}\n");
}

TEST (types)
{
    static const struct {
        const char *header;
        const char *measures;
    } cases[] = {
        /* The file has allocations also where nothing has been freed. */
        {"heap profile:   1:  4096 [   1:  4096] @ heapprofile",
         "inuse_space bytes state 4096, alloc_objects count state 1, alloc_space bytes state 4096, "
         "inuse_objects count state 1"},
        {"heap profile: 0: 0 [0: 0] @ heapprofile",
         "inuse_space bytes state 4096, alloc_objects count state 1, alloc_space bytes state 4096, "
         "inuse_objects count state 1"},
        {"heap profile: 1: 4096 [ 1: 4096] @ heap_v2/524288",
         "inuse_space bytes state 526339, inuse_objects count state 129"},
        {"heap profile: 1: 4096 [1: 4096] @ heapz_v2/524288",
         "inuse_space bytes state 526339, inuse_objects count state 129"},
        /* The first version's rate is twice the mean. */
        {"heap profile: 1: 4096 [1: 4096] @ heap/1048576",
         "inuse_space bytes state 526339, inuse_objects count state 129"},
        {"heap profile: 1: 4096 [1: 4096] @ heap_v2/1",
         "inuse_space bytes state 4096, inuse_objects count state 1"},
        {"heap profile: 1: 4096 [1: 4096] @ heap_v2",
         "inuse_space bytes state 4096, inuse_objects count state 1"},
        /* Without a type, equal numbers tell that it is sampled, one in 128 KiB. */
        {"heap profile: 1: 4096 [1: 4096] @",
         "inuse_space bytes state 131072, inuse_objects count state 32"},
        {"heap profile: 1: 4096 [2: 4096]",
         "inuse_space bytes state 4096, alloc_objects count state 1, alloc_space bytes state 4096, "
         "inuse_objects count state 1"},
        {"heap profile: 1: 4096 [1: 9999] @ heap_v2/524288",
         "inuse_space bytes state 526339, alloc_objects count state 129, alloc_space bytes state "
         "526339, inuse_objects count state 129"},
        {"heap profile: 1: 4096 [0: 0] @ heapprofile",
         "inuse_space bytes state 4096, inuse_objects count state 1"},
        {"heap profile: 1: 4096 [1: 4096] @ growthz",
         "space bytes state 4096, objects count state 1"},
        {"heap profile: 1: 4096 [1: 4096] @ growth",
         "space bytes state 4096, objects count state 1"},
        {"heap profile: 1: 4096 [1: 4096] @ fragmentation",
         "space bytes state 4096, objects count state 1"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *text = g_strconcat (
            cases[i].header, "\n     1:     4096 [     1:     4096] @ 0x10 0x20\n", NULL);
        g_test_message ("%s", cases[i].header);
        assert_measures (text, cases[i].measures);
    }
}

TEST (samples)
{
    g_autoptr (PvProfile) profile = read_legacy (
        "# a remark\n"
        "heap profile: 3: 30 [9: 90] @ heapprofile\n"
        "  1: 10 [3: 30] @ 0x401501 0x401600 0x7f0000000011\n"
        "  0: 0 [5: 55] @ 0x401501\n"
        "  2: 20 [1: 5] @\n"
        "  0: 0 [0: 0] @ 0x401501\n"
        "  1: x [3: 30] @ 0x401501\n"
        "\n--- Memory map: ---\n"
        "  00400000-00500000: /usr/bin/shop\n"
        "  7f0000000000-7f0000010000: /usr/lib/lib.so (@22000) 0123456789abcdef0123\n");
    assert_string (legacy_samples_text (profile),
                   "lib.so+0x22011;shop+0x1600;shop+0x1501 10 3 30 1 {bytes=10 bytes}\n"
                   "shop+0x1501 0 5 55 0 {bytes=11 bytes}\n"
                   " 20 1 5 2 {bytes=10 bytes}\n");
    g_assert_cmpuint (profile->n_skipped_records, ==, 1);
    g_assert_cmpuint (profile->modules[2].build_id_size, ==, 10);
    g_assert_cmpuint (profile->modules[2].build_id[9], ==, 0x23);
    g_assert_true (profile->sets[0].is_exact);
    g_autoptr (PvProfile) sampled =
        read_legacy ("heap profile: 1: 10 [1: 10] @ heap_v2/524288\n1: 10 [1: 10] @ 0x401501\n");
    g_assert_false (sampled->sets[0].is_exact);
}

/* The difference of two profiles. */
TEST (negative)
{
    g_autoptr (PvProfile) profile = read_legacy ("heap profile: -1: -10 [0: 0] @ heapprofile\n"
                                                 " -2: -20 [0: 0] @ 0x10\n"
                                                 "  1:  10 [0: 0] @ 0x20\n");
    assert_string (measures_text (profile),
                   "inuse_space bytes state 30, inuse_objects count state 3, "
                   "inuse_objects-negative count state 2, inuse_objects-positive count state 1, "
                   "inuse_space-negative bytes state 20, inuse_space-positive bytes state 10");
    g_assert_cmpuint (profile->n_pairs, ==, 2);
    g_assert_cmpuint (profile->pairs[0].both, ==, 1);
    g_assert_cmpuint (profile->pairs[1].both, ==, 0);
    g_assert_cmpuint (profile->pairs[1].of_side[PV_SIDE_BASE], ==, 4);
    g_assert_cmpuint (profile->pairs[1].of_side[PV_SIDE_NEW], ==, 5);
    g_assert_cmpuint (count_notes (profile), ==, 1);
}

/* Go's text has names below each stack. */
TEST (go)
{
    assert_clean_samples ("heap profile: 1: 64 [1: 64] @ heap/2\n"
                          "1: 64 [1: 64] @ 0x1001 0x2001 0x2001 0x3001\n"
                          "#\t0x1000\tmain.inlined+0x10\t\t/src/a.go:1\n"
                          "#\t0x1000\tmain.(*T[go.shape.int]).leaf+0x20\t/src/a.go:2\n"
                          "#\t0x2000\tmain.again+0x1\t/src/a b.go:3\n"
                          "#\t0x2000\tmain.again+0x1\t/src/a b.go:3\n"
                          "\n"
                          "# runtime.MemStats\n"
                          "# Alloc = 64\n",
                          "main.again@/src/a b.go:3;main.again@/src/a b.go:3;"
                          "main.inlined@/src/a.go:1<main.(*T[go.shape.int]).leaf@/src/a.go:2 64 1 "
                          "{bytes=64 bytes}\n");
}

/* --- maps ------------------------------------------------------------------------------------- */

static char *
locate (const char *map, const char *address)
{
    g_autofree char *text =
        g_strdup_printf ("heap profile: 1: 1 [1: 1] @ heapprofile\n1: 1 [1: 1] @ %s\n"
                         "MAPPED_LIBRARIES:\n%s",
                         address, map);
    g_autoptr (PvProfile) profile = read_legacy (text);
    g_autofree char *samples = legacy_samples_text (profile);
    return g_strndup (samples, strcspn (samples, " "));
}

TEST (maps)
{
    static const struct {
        const char *map;
        const char *address;
        const char *location;
    } cases[] = {
        /* /proc/PID/maps: code without a file, or not executable, is nothing. */
        {"1000-2000 r-xp 00005000 08:01 1 /bin/a\n", "0x1800", "a+0x5800"},
        {"1000-2000 r--p 00005000 08:01 1 /bin/a\n", "0x1800", "[unknown]+0x1800"},
        {"1000-2000 r-xp 00005000 08:01 1 \n", "0x1800", "[unknown]+0x1800"},
        {"1000-2000 r-xs 00005000 00:01 1 /memfd:jit (deleted)\n", "0x1800", "[unknown]+0x1800"},
        /* A program in memory is mapped like a file. */
        {"1000-2000 r-xp 00005000 00:01 1 /memfd:cloned:/proc/self/exe (deleted)\n", "0x1800",
         "memfd:cloned+0x5800"},
        {"1000-2000 r-xp 00000000 00:00 0 [vdso]\n", "0x1800", "[vdso]+0x800"},
        {"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n",
         "0xffffffffff600010", "[vsyscall]+0xffffffffff600010"},
        {"1000-2000 r-xp 00005000 08:01 1 /bin/a (deleted)\n", "0x1800", "a+0x5800"},
        /* A return address at the end of a mapping is of that mapping. */
        {"1000-2000 r-xp 0 08:01 1 /bin/a\n2000-3000 r-xp 0 08:01 2 /bin/b\n", "0x2000",
         "a+0x1000"},
        /* Brief lines; adjacent ones go on in the file. */
        {"1000-2000: /bin/a\n", "0x1800", "a+0x800"},
        {"1000-2000: /bin/a (@7000)\n", "0x1800", "a+0x7800"},
        {"1000-2000: /bin/a (@7000) 0123456789abcdef\n", "0x1800", "a+0x7800"},
        {"1000-2000: /bin/a 0123456789abcdef\n", "0x1800", "a+0x800"},
        {"1000-2000: /bin/a (@7000)\n2000-3000: /bin/a\n", "0x2800", "a+0x8800"},
        {"1000-2000: /bin/a\n3000-4000: /bin/a\n", "0x3800", "a+0x800"},
        {"  0x1000-0x2000: /bin/a\n", "0x1800", "a+0x800"},
        /* Variables, log lines, FreeBSD. */
        {"build=/home/build\n1000-2000: $build/a\n", "0x1800", "a+0x800"},
        {"I0102 main.cc:77] 1000-2000: /bin/a\n", "0x1800", "a+0x800"},
        {"0x1000 0x2000 26 0 0xfffff800035a0000 r-x 75 33 0x1004 COW NC vnode /libexec/a NCH -1\n",
         "0x1800", "a+0x800"},
        /* Code that a program moved into large pages. */
        {"400000-600000 r-xp 00000000 00:0e 1 /anon_hugepage (deleted)\n"
         "600000-700000 r-xp 00200000 08:01 1 /bin/a\n",
         "0x400800", "a+0x800"},
        {"400000-600000 r-xp 00001000 08:01 1 /bin/a\n600000-800000 r-xp 00000000 00:00 0 \n"
         "800000-900000 r-xp 00401000 08:01 1 /bin/a\n",
         "0x600800", "a+0x201800"},
        {"400000-600000 r-xp 00001000 08:01 1 /bin/a\n600000-800000 r-xp 00000000 00:00 0 \n"
         "800000-900000 r-xp 00501000 08:01 1 /bin/a\n",
         "0x600800", "[unknown]+0x600800"},
        {"nonsense\n1000-\n-\n1000-500 r-xp 0 08:01 1 /bin/b\n1000-2000: /bin/a\n", "0x1800",
         "a+0x800"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_test_message ("%s", cases[i].map);
        assert_string (locate (cases[i].map, cases[i].address), cases[i].location);
    }
}

/* Code without a file is generated code of the process whose id is in the name of the dump, as its
 * names are in a file with that id. */
TEST (generated_code)
{
    static const struct {
        const char *name;
        int32_t pid;
    } cases[] = {
        {"jeprof.4242.0.f.heap", 4242},
        {"app.9.4242.17.i17.heap.gz", 4242},
        {"app.1.0.m0.heap", 1},
        {"srv_77.0001.heap", 77},
        {"srv.4242.0001.heap", 4242},
        {"cpu.prof_4242", 4242},
        {"cpu.4242.prof", 4242},
        {"srv.0001.heap", 0},
        {"run_2.prof", 0},
        {"cpu.2024-11-03.prof", 0},
        {"app.99999999.0.f.heap", 0},
        {"run.2.prof", 0},
        {"heap", 0},
        {"4242", 0},
    };
    static const char text[] = "heap profile: 1: 1 [1: 1] @ heapprofile\n1: 1 [1: 1] @ 0x1800\n"
                               "MAPPED_LIBRARIES:\n1000-2000 rwxp 00000000 00:00 0 \n";
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_test_message ("%s", cases[i].name);
        g_autoptr (PvProfile) profile = read_legacy_named (text, cases[i].name);
        const PvModule *module = &profile->modules[1];
        g_autofree char *path = g_strdup_printf ("/tmp/perf-%d.map", (int)cases[i].pid);
        g_assert_cmpint (module->pid, ==, cases[i].pid);
        g_assert_cmpint (module->kind, ==, cases[i].pid != 0 ? PV_MODULE_JIT : PV_MODULE_UNKNOWN);
        g_assert_cmpstr (module->path, ==, cases[i].pid != 0 ? path : "");
        g_assert_cmphex (profile->address_of_location[1], ==, 0x1800);
    }
}

/* Numbers as large as can be written. */
TEST (huge_rate)
{
    g_autoptr (PvProfile) profile =
        read_legacy ("heap profile: 1: 4096 [1: 4096] @ heap_v2/18446744073709551615\n"
                     "1: 4096 [1: 4096] @ 0x1000\n");
    g_assert_cmpstr (profile->facts.period, ==, "space 8589934592 GiB");
}

/* A short line may name a long path, but not all of them one that fits nowhere. */
TEST (long_variables)
{
    g_autoptr (GString) text = g_string_new ("heap_v2/1\n@ 0x1800\n t*: 1: 1 [0: 0]\n"
                                             "MAPPED_LIBRARIES:\ndir=");
    g_autofree char *value = g_strnfill (60000, 'x');
    g_string_append_printf (text, "%s\n", value);
    for (unsigned i = 1; i <= 2000; i++)
        g_string_append_printf (text, "%x000-%xfff: $dir/%u\n", i, i, i);
    g_autoptr (PvProfile) profile = read_legacy (text->str);
    g_assert_cmpuint (profile->n_modules, ==, 2001);
    g_assert_cmpuint (strlen (profile->modules[1].path), ==, 60002);
    g_assert_cmpstr (profile->modules[2000].path, ==, "$dir/2000");
}

/* Code that was there no more when the file was written, such as that of a plugin. */
TEST (unloaded)
{
    for (int is_gone = 0; is_gone < 2; is_gone++) {
        g_autofree char *text = g_strdup_printf (
            "heap profile: 2: 30 [2: 30] @ heapprofile\n1: 10 [1: 10] @ 0x401010 0x401020\n"
            "1: 20 [1: 20] @ 0x%x 0x401030\n\nMAPPED_LIBRARIES:\n"
            "00400000-00402000 r-xp 00000000 08:01 7 /bin/shop\n",
            is_gone ? 0x501010 : 0x401011);
        g_autoptr (PvProfile) profile = read_legacy (text);
        g_assert_cmpint (has_note (profile, "1 of 2 stacks lead to addresses where no file"), ==,
                         is_gone);
    }
}

TEST (no_map)
{
    g_autoptr (PvProfile) profile = read_legacy ("heap_v2/1\n@ 0x1800\n t*: 1: 1 [0: 0]\n");
    g_assert_cmpuint (profile->n_notes, ==, 1);
    g_assert_cmpint (profile->notes[0].kind, ==, PV_NOTE_MISSING_BINARY);
}

/* The map has the start of each file, from which link addresses count, or a program's fixed place.
 */
TEST (link_bias)
{
    g_autoptr (PvProfile) profile =
        read_legacy ("heap_v2/1\n@ 0x401800\n t*: 1: 1 [0: 0]\nMAPPED_LIBRARIES:\n"
                     "200000-201000 r--p 00000000 08:01 1 /bin/fixed\n"
                     "201000-202000 r-xp 00000000 08:01 1 /bin/fixed\n"
                     "7f0000000000-7f0000001000 r--p 00000000 08:01 2 /lib/moved.so (deleted)\n"
                     "7f0000003000-7f0000004000 r-xp 00001000 08:01 2 /lib/moved.so (deleted)\n"
                     "7f0000010000-7f0000011000 r-xp 00001000 08:01 3 /lib/part.so\n");
    static const uint64_t biases[] = {0x201000, 0x2000};
    for (PvModuleId m = 1; m < 3; m++) {
        g_assert_cmpuint (profile->modules[m].identity.n_biases, ==, 1);
        g_assert_cmpuint (profile->modules[m].identity.link_bias, ==, biases[m - 1]);
    }
    g_assert_cmpuint (profile->modules[3].identity.n_biases, ==, 0);
}

TEST (main_program)
{
    g_autoptr (PvProfile) profile =
        read_legacy ("heap_v2/1\n@ 0x1800\n t*: 1: 1 [0: 0]\nMAPPED_LIBRARIES:\n"
                     "1000-2000 r-xp 0 08:01 1 /lib/libfirst-2.15.so\n"
                     "2000-3000 r-xp 0 08:01 2 /lib/libz.so.1\n"
                     "3000-4000 r-xp 0 08:01 3 /usr/bin/so.program (deleted)\n"
                     "4000-5000 r-xp 0 08:01 4 /usr/bin/other\n");
    g_assert_cmpuint (profile->n_modules, ==, 5);
    for (PvModuleId m = 1; m < 5; m++)
        g_assert_cmpint (profile->modules[m].is_main, ==, m == 3);
    g_assert_cmpstr (profile->modules[3].path, ==, "/usr/bin/so.program");
    g_assert_cmpint (profile->notes[0].kind, ==, PV_NOTE_CHANGED_BINARY);
    g_assert_cmpuint (profile->modules[3].load_addr, ==, 0x3000);
    g_assert_cmpuint (profile->modules[3].end_addr, ==, 0x4000);
}
