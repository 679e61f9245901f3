/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The binary CPU profile of gperftools: words of 4 or 8 bytes in either byte order. */
#include <string.h>

#include "../cases.h"
#include "legacy-dump.h"

typedef struct {
    GByteArray *bytes;
    bool is_64_bit;
    bool is_big_endian;
} CpuWriter;

static void
put (CpuWriter *writer, uint64_t word)
{
    unsigned n = writer->is_64_bit ? 8 : 4;
    for (unsigned i = 0; i < n; i++) {
        uint8_t byte = (uint8_t)(word >> 8 * (writer->is_big_endian ? n - 1 - i : i));
        g_byte_array_append (writer->bytes, &byte, 1);
    }
}

static CpuWriter
begin (bool is_64_bit, bool is_big_endian, uint64_t version)
{
    CpuWriter writer = {g_byte_array_new (), is_64_bit, is_big_endian};
    uint64_t header[] = {0, 3, version, 10000, 0};
    for (size_t i = 0; i < G_N_ELEMENTS (header); i++)
        put (&writer, header[i]);
    return writer;
}

/* A stack of depth addresses, leaf first. */
static void
put_stack (CpuWriter *writer, uint64_t count, unsigned depth, const uint64_t *addrs)
{
    put (writer, count);
    put (writer, depth);
    for (unsigned i = 0; i < depth; i++)
        put (writer, addrs[i]);
}

static void
put_end (CpuWriter *writer, const char *text)
{
    put_stack (writer, 0, 1, (const uint64_t[]){0});
    g_byte_array_append (writer->bytes, (const uint8_t *)text, strlen (text));
}

static PvProfile *
read_cpu (CpuWriter *writer)
{
    PvProfile *profile = read_legacy_bytes (writer->bytes->data, writer->bytes->len);
    g_byte_array_unref (writer->bytes);
    return profile;
}

static void
assert_text (const PvProfile *profile, const char *expected)
{
    assert_string (legacy_samples_text (profile), expected);
}

static const char map[] = "00400000-00500000 r-xp 00001000 08:01 11 /usr/bin/shop\n";

TEST (words)
{
    for (unsigned kind = 0; kind < 4; kind++) {
        CpuWriter writer = begin (kind & 1, kind & 2, 0);
        put_stack (&writer, 7, 3, (const uint64_t[]){0x400010, 0x400020, 0x400030});
        put_stack (&writer, 2, 2, (const uint64_t[]){0x400011, 0x400030});
        put_stack (&writer, 0, 2, (const uint64_t[]){0x400011, 0x400030});
        put_stack (&writer, 1, 0, NULL);
        put_end (&writer, map);
        g_autoptr (PvProfile) profile = read_cpu (&writer);
        assert_text (profile, "shop+0x1030;shop+0x1020;shop+0x1010! 70000000 7\n"
                              "shop+0x1030;shop+0x1011! 20000000 2\n"
                              " 10000000 1\n");
        assert_string (measures_text (profile), "cpu ns sum 100000000, samples count sum 10");
        g_assert_cmpstr (profile->facts.format, ==, "gperftools CPU");
        g_assert_cmpstr (profile->facts.period, ==, "cpu 10 ms");
        g_assert_nonnull (profile->drop_frames);
        g_assert_cmpuint (count_notes (profile), ==, 0);
    }
}

/* The frame of the signal's trampoline is second everywhere, and behind it the leaf once more. */
TEST (signal_frames)
{
    CpuWriter writer = begin (true, false, 0);
    for (uint64_t i = 0; i < 40; i++)
        put_stack (&writer, 1, 4, (const uint64_t[]){0x1000 + i, 0xbeef, 0x1000 + i, 0x2000});
    put_stack (&writer, 1, 3, (const uint64_t[]){0x1000, 0x3000, 0x2000});
    put_stack (&writer, 1, 1, (const uint64_t[]){0xbeef});
    put_end (&writer, "");
    g_autoptr (PvProfile) profile = read_cpu (&writer);
    g_autofree char *samples = legacy_samples_text (profile);
    /* Two of 42 are different, one more than may be. */
    g_assert_true (g_str_has_prefix (samples, "[unknown]+0x2000;[unknown]+0x1000;[unknown]+0xbeef;"
                                              "[unknown]+0x1000! 10000000 1\n"));

    writer = begin (true, false, 0);
    for (uint64_t i = 0; i < 32; i++)
        put_stack (&writer, 1, 4, (const uint64_t[]){0x1000 + i, 0xbeef, 0x1000 + i, 0x2000});
    put_stack (&writer, 1, 3, (const uint64_t[]){0x1000, 0x3000, 0x2000});
    put_end (&writer, "");
    g_autoptr (PvProfile) clean = read_cpu (&writer);
    g_autofree char *clean_samples = legacy_samples_text (clean);
    g_assert_true (g_str_has_prefix (clean_samples,
                                     "[unknown]+0x2000;[unknown]+0x1000! 10000000 1\n"
                                     "[unknown]+0x2000;[unknown]+0x1001! 10000000 1\n"));
    g_assert_true (g_str_has_suffix (
        clean_samples, "[unknown]+0x2000;[unknown]+0x3000;[unknown]+0x1000! 10000000 1\n"));
}

/* Its only caller is behind every leaf as well. */
TEST (one_caller)
{
    static const char two_maps[] = "00400000-00500000 r-xp 00000000 08:01 11 /usr/bin/shop\n"
                                   "7f000000-7f100000 r-xp 00000000 08:01 12 /lib/libc.so.6\n";
    static const uint64_t callers[] = {0x400200, 0x7f002000, 0x7f002005};
    for (size_t c = 0; c < G_N_ELEMENTS (callers); c++) {
        CpuWriter writer = begin (true, false, 0);
        for (uint64_t i = 0; i < 40; i++)
            put_stack (&writer, 1, 4,
                       (const uint64_t[]){0x400010 + i, callers[c], 0x7f003000 + i % 3, 0x400300});
        put_end (&writer, two_maps);
        g_autoptr (PvProfile) profile = read_cpu (&writer);
        for (uint32_t s = 0; s < 40; s++) {
            PvStackId caller = profile->parent_of_stack[profile->sets[0].stack[s]];
            g_assert_cmpuint (profile->address_of_location[profile->location_of_stack[caller]] &
                                  0xffff,
                              ==, callers[c] & 0xffff);
        }
        g_assert_null (profile->drop_frames);
    }
}

/* A frame behind the leaf that comes from many places is a trampoline, if it is the beginning of a
 * function of a library; so are a frame behind the handler, and code of the kernel. */
TEST (trampolines)
{
    static const char maps[] = "00400000-00500000 r-xp 00000000 08:01 11 /usr/bin/shop\n"
                               "7f000000-7f100000 r-xp 00000000 08:01 12 /lib/libpthread-2.19.so\n"
                               "7f200000-7f300000 r-xp 00000000 08:01 13 /lib/libprofiler.so.0\n"
                               "7f400000-7f402000 r-xp 00000000 00:00 0 [vdso]\n";
    static const struct {
        unsigned n;
        uint64_t addrs[2];
        unsigned n_callers;
    } cases[] = {{1, {0x7f0025b0}, 26},
                 {2, {0x7f201234, 0x7f0025b0}, 1},
                 {1, {0x7f201234}, 1},
                 {1, {0x7f400123}, 1}};
    for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
        CpuWriter writer = begin (true, false, 0);
        for (uint64_t i = 0; i < 40; i++) {
            uint64_t caller = 0x400200 + i % cases[c].n_callers;
            const uint64_t addrs[][4] = {
                {0x400010 + i, cases[c].addrs[0], caller},
                {0x400010 + i, cases[c].addrs[0], cases[c].addrs[1], caller}};
            put_stack (&writer, 1, 2 + cases[c].n, addrs[cases[c].n - 1]);
        }
        put_end (&writer, maps);
        g_autoptr (PvProfile) profile = read_cpu (&writer);
        for (uint32_t s = 0; s < 40; s++) {
            PvStackId caller = profile->parent_of_stack[profile->sets[0].stack[s]];
            g_assert_cmpuint (profile->address_of_location[profile->location_of_stack[caller]], ==,
                              0x200 + s % cases[c].n_callers);
        }
    }
}

TEST (truncated)
{
    CpuWriter writer = begin (true, false, 0);
    put_stack (&writer, 5, 2, (const uint64_t[]){0x10, 0x20});
    put_stack (&writer, 5, 2, (const uint64_t[]){0x30, 0x20});
    g_byte_array_set_size (writer.bytes, writer.bytes->len - 3);
    g_autoptr (PvProfile) profile = read_cpu (&writer);
    g_assert_cmpuint (profile->sets[0].n_samples, ==, 1);
    g_assert_cmpuint (profile->measures[1].total, ==, 5);
    g_assert_cmpint (profile->notes[0].kind, ==, PV_NOTE_TRUNCATED_FILE);

    /* A depth that is not there. */
    writer = begin (false, true, 0);
    put (&writer, 1);
    put (&writer, 0xffffffff);
    put (&writer, 1);
    g_autoptr (PvProfile) deep = read_cpu (&writer);
    g_assert_cmpuint (deep->sets[0].n_samples, ==, 0);
    g_assert_cmpint (deep->notes[0].kind, ==, PV_NOTE_TRUNCATED_FILE);
}

/* With the names of addresses in front, as google-pprof --raw writes it: without an end mark. */
TEST (symbols)
{
    CpuWriter writer = {g_byte_array_new (), true, false};
    static const char symbols[] =
        "--- symbol\nbinary=/bin/x\n0x10 leaf\n0x1f f--g\n---\n--- profile\n";
    g_byte_array_append (writer.bytes, (const uint8_t *)symbols, strlen (symbols));
    const uint64_t header[] = {0, 3, 0, 1, 0};
    for (size_t i = 0; i < G_N_ELEMENTS (header); i++)
        put (&writer, header[i]);
    put_stack (&writer, 5, 2, (const uint64_t[]){0x10, 0x20});
    put_stack (&writer, 1, 2, (const uint64_t[]){0x10, 0x30});
    g_autoptr (PvProfile) profile = read_cpu (&writer);
    assert_text (profile, "g<f;leaf 5\n"
                          "x+0x30;leaf 1\n");
    assert_string (measures_text (profile), "samples count sum 6");
    g_assert_cmpuint (count_notes (profile), ==, 1);
    g_assert_null (profile->facts.period);
    g_assert_cmpstr (profile->modules[1].path, ==, "/bin/x");
}

/* The same with ids in place of addresses and no period, as php-memprof writes it. With a period
 * the addresses of callers are behind those in the list. */
TEST (periods)
{
    static const char symbols[] = "--- symbol\nbinary=shop.php\n0x8 root\n0x9 cart\n0xa pay\n"
                                  "---\n--- heap\n";
    static const struct {
        uint64_t period_us;
        const char *samples;
    } cases[] = {{0, "root;cart;pay 5\nroot;cart 7\n"},
                 {1, "root;cart;pay 5\nroot;cart 7\n"},
                 {10000, "root;root;pay 50000000 5\nroot;cart 70000000 7\n"}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        CpuWriter writer = {g_byte_array_new (), true, false};
        const uint64_t header[] = {0, 3, 0, cases[i].period_us, 0};
        g_byte_array_append (writer.bytes, (const uint8_t *)symbols, strlen (symbols));
        for (size_t w = 0; w < G_N_ELEMENTS (header); w++)
            put (&writer, header[w]);
        put_stack (&writer, 5, 3, (const uint64_t[]){0xa, 0x9, 0x8});
        put_stack (&writer, 7, 2, (const uint64_t[]){0x9, 0x8});
        g_autoptr (PvProfile) profile = read_cpu (&writer);
        assert_text (profile, cases[i].samples);
        g_assert_cmpuint (profile->n_measures, ==, cases[i].period_us > 1 ? 2 : 1);
        g_assert_cmpuint (count_notes (profile), ==, cases[i].period_us > 1 ? 0 : 1);
    }
}

TEST (large_counts)
{
    CpuWriter writer = begin (true, false, 0);
    put_stack (&writer, UINT64_MAX, 1, (const uint64_t[]){0x10});
    put_end (&writer, "");
    g_autoptr (PvProfile) profile = read_cpu (&writer);
    g_assert_cmpuint (profile->measures[0].total, ==, INT64_MAX);
    g_assert_cmpuint (profile->measures[1].total, ==, INT64_MAX);
}

/* Java's ids are no addresses; records without a count are part of it. */
TEST (java)
{
    CpuWriter writer = begin (false, false, 1);
    put_stack (&writer, 3, 3, (const uint64_t[]){3, 3, 4});
    put_stack (&writer, 0, 1, (const uint64_t[]){5});
    put_stack (&writer, 1, 2, (const uint64_t[]){6, 4});
    put_end (&writer, "\n 0x3 com.shop.Cart.add (Cart.java:12)\n"
                      " 0x4 com.shop.Main.main (Main.java:-1)\n"
                      " 0x5 com.shop.Unused.f (Unused.java:1)\n"
                      " 0x6 memcpy (/lib/libc.so.6)\n 0x7\n");
    g_autoptr (PvProfile) profile = read_cpu (&writer);
    assert_text (profile, "com.shop.Main.main@Main.java;com.shop.Cart.add@Cart.java:12;"
                          "com.shop.Cart.add@Cart.java:12 30000000 3\n"
                          "com.shop.Main.main@Main.java;memcpy@/lib/libc.so.6 10000000 1\n");
    g_assert_cmpstr (profile->facts.format, ==, "Java CPU");
    g_assert_null (profile->drop_frames);
}
