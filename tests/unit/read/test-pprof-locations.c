/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pprof's locations as read, and damaged profiles. */
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "packers.h"
#include "pprof-maker.h"

/* --- frames ------------------------------------------------------------------------------------
 */

TEST (inlined)
{
    PprofMaker *maker = maker_new ();
    maker_type (maker, "samples", "count");
    maker_mapping (maker, 1, "0x400000 0x500000 0x1000", "/bin/prog", "00ff");
    maker_function (maker, 1, "inner", "_Z5innerv", "inner.h", 10);
    maker_function (maker, 2, "outer", "outer", "outer.c", 20);
    maker_function (maker, 3, NULL, "_Z4mainv", NULL, 0);
    maker_location (maker, 1, 1, 0x400010, "1:11 2:21");
    maker_location (maker, 2, 1, 0x400020, "3:-4");
    maker_sample (maker, "1 2", "5", NULL);
    g_autoptr (PvProfile) profile = read_clean (maker);
    assert_samples (profile, "_Z4mainv;inner@inner.h:11<outer@outer.c:21 5\n");
    PvLocationId leaf = profile->location_of_stack[profile->sets[0].stack[0]];
    const PvGivenFrame *frames = &profile->given_frames[profile->given_of_location[leaf]];
    g_assert_cmpstr (frames[0].raw_name, ==, "_Z5innerv");
    g_assert_cmpuint (frames[0].start_line, ==, 10);
    g_assert_false (frames[0].is_last);
    g_assert_null (frames[1].raw_name);
    g_assert_true (frames[1].is_last);
    /* They keep their addresses too. */
    g_assert_cmpint (profile->kind_of_location[leaf], ==, PV_LOCATION_EXACT);
    g_assert_cmphex (profile->address_of_location[leaf], ==, 0x1010);
    const PvModule *module = &profile->modules[profile->module_of_location[leaf]];
    g_assert_cmpstr (module->path, ==, "/bin/prog");
    g_assert_true (module->is_main);
    g_assert_cmpuint (module->build_id_size, ==, 2);
    g_assert_cmphex (module->build_id[1], ==, 0xff);
    g_assert_cmphex (module->load_addr, ==, 0x400000);
    g_assert_cmphex (module->end_addr, ==, 0x500000);
}

/* Locations are told apart by their ids, not by their addresses. */
TEST (same_address)
{
    PprofMaker *maker = maker_new ();
    maker_type (maker, "samples", "count");
    maker_mapping (maker, 1, "0x1000 0x2000 0", "/bin/prog", NULL);
    maker_function (maker, 1, "f", NULL, NULL, 0);
    maker_function (maker, 2, "g", NULL, NULL, 0);
    maker_location (maker, 1, 1, 0x1010, "1");
    maker_location (maker, 2, 1, 0x1010, "2");
    maker_location (maker, 3, 1, 0x1010, "");
    maker_sample (maker, "1 2 3", "1", NULL);
    g_autoptr (PvProfile) profile = read_clean (maker);
    assert_samples (profile, "prog+0x10;g;f 1\n");
}

/* Functions that are not there, or have no name, say nothing: the address may. Without even that a
 * note says so. */
TEST (nameless)
{
    PprofMaker *maker = maker_new ();
    maker_type (maker, "samples", "count");
    maker_mapping (maker, 1, "0x1000 0x2000 0", "/bin/prog", NULL);
    maker_function (maker, 1, NULL, NULL, "f.c", 0);
    maker_function (maker, 2, "g", NULL, NULL, 0);
    maker_location (maker, 1, 1, 0x1010, "1:5");
    maker_location (maker, 2, 1, 0x1020, "77:5");
    maker_location (maker, 3, 1, 0x1030, "1:5 2:6");
    maker_location (maker, 4, 1, 0, "");
    maker_sample (maker, "4 3 2 1", "1", NULL);
    g_autoptr (PvProfile) profile = read_made (maker);
    assert_samples (profile, "prog+0x10;prog+0x20;?@f.c:5<g:6;prog#0x1 1\n");
    g_assert_cmpuint (profile->n_notes, ==, 1);
    g_assert_cmpint (profile->notes[0].kind, ==, PV_NOTE_SKIPPED_RECORDS);
}

/* --- modules -----------------------------------------------------------------------------------
 */

typedef struct {
    const char *range, *path, *build_id;
    uint64_t address;
    const char *expected; /* path, kind, kind of address, address */
} MappingCase;

static const MappingCase mapping_cases[] = {
    {"0x400000 0x500000 0x1000", "/bin/prog", "abcd", 0x400010, "/bin/prog 1 0 1010"},
    {"0x7f0000000000 0x7f0000001000", "/lib/libc.so.6", NULL, 0x7f0000000fff,
     "/lib/libc.so.6 1 0 fff"},
    /* Made up: addresses are those of the file. */
    {"0 0 0", "/bin/prog", NULL, 0x401234, "/bin/prog 1 1 401234"},
    {"0 0xffffffffffffffff 0", "/bin/prog", NULL, 0x401234, "/bin/prog 1 1 401234"},
    {"0 0x1000000 0", "/bin/prog", NULL, 0x1234, "/bin/prog 1 0 1234"},
    /* No files. */
    {"0x1000 0x2000 0", "//anon", NULL, 0x1010, "//anon 0 3 1010"},
    {"0x1000 0x2000 0", "[heap]", NULL, 0x1010, "[heap] 0 3 1010"},
    {"0x1000 0x2000 0", "/memfd:code (deleted)", NULL, 0x1010, "/memfd:code (deleted) 0 3 1010"},
    {"0x1000 0x2000 0", "/dev/dri/card0", NULL, 0x1010, "/dev/dri/card0 0 3 1010"},
    {"0x1000 0x2000 0", "https://example.org/app.js", NULL, 0x1010,
     "https://example.org/app.js 0 3 1010"},
    {"0x1000 0x2000 0", NULL, NULL, 0x1010, " 0 3 1010"},
    /* With a build-id they can be found. */
    {"0x1000 0x2000 0", NULL, "abcd", 0x1010, " 1 0 10"},
    {"0x1000 0x2000 0", "https://example.org/prog", "abcd", 0x1010,
     "https://example.org/prog 1 0 10"},
    /* The kernel's. */
    {"0x7fff00000000 0x7fff00001000 0", "[vdso]", NULL, 0x7fff00000010, "[vdso] 2 0 10"},
    {"0x7fff00000000 0x7fff00001000 0", "linux-vdso.so.1", NULL, 0x7fff00000010, "[vdso] 2 0 10"},
    {"0xffffffff81000000 0xffffffff82000000 0xffffffff81000000", "[kernel.kallsyms]_text", "abcd",
     0xffffffff81000010, "[kernel.kallsyms] 3 3 ffffffff81000010 _text ffffffff81000000"},
    {"0xffffffff81000000 0xffffffff82000000 0", "[kernel.kallsyms]", NULL, 0xffffffff81000010,
     "[kernel.kallsyms] 3 3 ffffffff81000010 _stext ffffffff81000000"},
    {"0xffffffff81000000 0xffffffff82000000 0", "/boot/vmlinux-6.1", NULL, 0xffffffff81000010,
     "/boot/vmlinux-6.1 3 3 ffffffff81000010"},
    {"0xffffffffc0000000 0xffffffffc0010000 0", "/lib/modules/6.1/ext4.ko.xz", NULL,
     0xffffffffc0000010, "/lib/modules/6.1/ext4.ko.xz 4 3 ffffffffc0000010"},
    {"0xffffffffc0000000 0xffffffffc0010000 0", "[ext4]", NULL, 0xffffffffc0000010,
     "[ext4] 4 3 ffffffffc0000010"},
    /* In none. */
    {"0x1000 0x2000 0", "/bin/prog", NULL, 0x10, " 0 3 10"},
    {NULL, NULL, NULL, 0x1010, " 0 3 1010"},
    {NULL, NULL, NULL, 0xffffffff81000010, " 0 3 ffffffff81000010"},
    {NULL, NULL, NULL, 0xbe552274c0854800, " 0 3 be552274c0854800"}, /* of a broken stack */
};

TEST (mappings)
{
    for (size_t i = 0; i < G_N_ELEMENTS (mapping_cases); i++) {
        const MappingCase *test = &mapping_cases[i];
        PprofMaker *maker = maker_new ();
        maker_type (maker, "samples", "count");
        if (test->range != NULL)
            maker_mapping (maker, 1, test->range, test->path, test->build_id);
        maker_location (maker, 1, test->range != NULL, test->address, "");
        maker_sample (maker, "1", "1", NULL);
        g_autoptr (PvProfile) profile = read_made (maker);
        g_assert_cmpuint (profile->n_locations, ==, 2);
        const PvModule *module = &profile->modules[profile->module_of_location[1]];
        g_autoptr (GString) text = g_string_new (NULL);
        g_string_append_printf (text, "%s %d %d %" G_GINT64_MODIFIER "x", module->path,
                                module->kind, module->address_kind,
                                profile->address_of_location[1]);
        if (module->reference_symbol != NULL)
            g_string_append_printf (text, " %s %" G_GINT64_MODIFIER "x", module->reference_symbol,
                                    module->reference_addr);
        g_assert_cmpstr (text->str, ==, test->expected);
        g_assert_cmpint (profile->kind_of_location[1], ==, PV_LOCATION_EXACT);
        g_assert_cmpint (module->is_kernel, ==, test->address >> 56 == 0xff);
        g_assert_cmpuint (module->build_id_size, ==, test->build_id != NULL ? 2 : 0);
    }
}

/* The text of a program may be mapped in pieces. */
TEST (pieces)
{
    PprofMaker *maker = maker_new ();
    maker_type (maker, "samples", "count");
    maker_mapping (maker, 1, "0x5000 0x6000 0x1000", "/bin/prog", "abcd");
    maker_mapping (maker, 2, "0x4000 0x5000 0", "/bin/prog", "ABCD");
    maker_mapping (maker, 3, "0x4000 0x5000 0", "/bin/prog", "1234");
    maker_mapping (maker, 4, "0x4000 0x5000 0", "/bin/prog", "not hexadecimal");
    maker_location (maker, 1, 1, 0x5010, "");
    maker_location (maker, 2, 2, 0x4010, "");
    maker_location (maker, 3, 3, 0x4010, "");
    maker_location (maker, 4, 4, 0x4010, "");
    maker_sample (maker, "1 2 3 4", "1", NULL);
    g_autoptr (PvProfile) profile = read_clean (maker);
    assert_samples (profile, "prog+0x10;prog+0x10;prog+0x10;prog+0x1010 1\n");
    g_assert_cmpuint (profile->n_modules, ==, 4);
    g_assert_cmphex (profile->modules[1].load_addr, ==, 0x4000);
    g_assert_cmphex (profile->modules[1].end_addr, ==, 0x6000);
    g_assert_cmpuint (profile->modules[3].build_id_size, ==, 0);
}

/* --- damage ------------------------------------------------------------------------------------
 */

static void
assert_fails (PprofMaker *maker, int code)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (PvProfile) profile = read_pprof_bytes (maker_finish (maker), 1, &error);
    g_assert_error (error, PV_READ_ERROR, code);
    g_assert_null (profile);
    maker_free (maker);
}

TEST (concatenated)
{
    for (unsigned has_time = 0; has_time < 2; has_time++) {
        PprofMaker *maker = maker_new_letters ("ab");
        maker_sample (maker, "1", "1 1", NULL);
        wire_number (maker->bytes, 9, 0);
        wire_number (maker->bytes, 9, has_time ? 5 : 0);
        wire_number (maker->bytes, 9, 0);
        g_autoptr (GByteArray) one = g_byte_array_new ();
        maker_finish (maker);
        g_byte_array_append (one, maker->bytes->data, maker->bytes->len);
        g_byte_array_append (maker->bytes, one->data, one->len);
        assert_fails (maker, PV_READ_ERROR_UNSUPPORTED);
    }
}

TEST (odd_values)
{
    PprofMaker *maker = maker_new_letters ("ab");
    maker_sample (maker, "1", "1", NULL);
    maker_sample (maker, "2", "1 2 3", NULL);
    maker_sample (maker, "1", "4 5", NULL);
    maker_sample (maker, "1", "6 7", NULL);
    maker_sample (maker, "2", "", NULL);
    g_autoptr (PvProfile) profile = read_made (maker);
    assert_samples (profile, "a 1 0\nb 1 2\na 10 12\n");
    g_assert_true (has_note (profile, "3 samples have more or fewer values"));
}

TEST (no_types)
{
    PprofMaker *maker = maker_new ();
    maker_function (maker, 1, "f", NULL, NULL, 0);
    maker_location (maker, 1, 0, 0, "1");
    maker_sample (maker, "1", "5 6", NULL);
    g_autoptr (PvProfile) profile = read_made (maker);
    assert_samples (profile, "f 5 6\n");
    g_assert_cmpuint (profile->n_measures, ==, 2);
    g_assert_true (has_note (profile, "does not say what"));
}

TEST (ids)
{
    PprofMaker *maker = maker_new ();
    maker_type (maker, "samples", "count");
    maker_function (maker, 1, "first", NULL, NULL, 0);
    maker_function (maker, 1, "again", NULL, NULL, 0);
    maker_location (maker, 1, 0, 0, "1");
    maker_location (maker, 1, 0, 0, "2");
    maker_sample (maker, "1 55", "1", NULL);
    maker_sample (maker, "1 56 0", "2", NULL);
    g_autoptr (PvProfile) profile = read_made (maker);
    assert_samples (profile, "[unknown]#0x2;first 1\n[unknown]#0x4;[unknown]#0x3;first 2\n");
    g_assert_cmpuint (profile->n_skipped_records, ==, 2);
    g_assert_true (has_note (profile, "2 damaged or repeated"));
    g_assert_true (has_note (profile, "does not describe"));
}

/* A writer that leaves ids out where it should count. */
TEST (no_ids)
{
    PprofMaker *maker = maker_new ();
    maker_type (maker, "samples", "count");
    maker_location (maker, 1, 0, 0, "1");
    maker_location (maker, 2, 0, 0, "2");
    maker_function (maker, 0, "f", NULL, NULL, 0);
    maker_function (maker, 0, "g", NULL, NULL, 0);
    maker_sample (maker, "2 1", "1", NULL);
    g_autoptr (PvProfile) profile = read_made (maker);
    assert_samples (profile, "f;g 1\n");
    g_assert_true (has_note (profile, "order in which they appear"));
}

TEST (bad_strings)
{
    PprofMaker *maker = maker_new_letters ("a");
    GByteArray *function = g_byte_array_new ();
    wire_number (function, 1, 9);
    wire_number (function, 2, 1000000);
    wire_number (function, 4, UINT64_MAX);
    wire_message (maker->bytes, 5, function);
    maker_location (maker, 9, 0, 0x10, "9:5");
    maker_sample (maker, "9 1", "1 1", NULL);
    g_autoptr (PvProfile) profile = read_made (maker);
    assert_samples (profile, "a;[unknown]+0x10 1 1\n");
    g_assert_true (has_note (profile, "strings are missing"));
}

/* Messages that cannot be what they say are left out, others stay. */
TEST (damaged_messages)
{
#define BYTES(text)                                                                                \
    {                                                                                              \
        text, sizeof (text) - 1                                                                    \
    }
    static const struct {
        const char *bytes;
        size_t size;
    } bad[] = {
        BYTES ("\x12\x02\x0a\x05"),     /* a sample whose list is longer than it */
        BYTES ("\x12\x03\x0a\x01\xff"), /* a number that does not end */
        BYTES ("\x12\x02\x0b\x01"),     /* a group, which there are none of */
        BYTES ("\x12\x02\x1a\x7f"),     /* a label longer than its sample */
        BYTES ("\x12\x02\x18\x01"),     /* a label that is a number */
        BYTES ("\x22\x03\x22\x01\xff"), /* a location with a damaged line */
        BYTES ("\x22\x02\x20\x01"),     /* one with a number as line */
        BYTES ("\x2a\x02\x12\x7f"),     /* a function whose name is bytes */
        BYTES ("\x1a\x02\x0a\x00"),     /* a mapping whose id is bytes */
        BYTES ("\x0a\x02\x0a\x00"),     /* a type that is bytes */
        BYTES ("\x10\x01"),             /* a sample that is a number */
        BYTES (
            "\x48\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x10\x01"), /* behind a longest number */
    };
    for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
        PprofMaker *maker = maker_new_letters ("ab");
        maker_sample (maker, "1", "1 1", NULL);
        g_byte_array_append (maker->bytes, (const guint8 *)bad[i].bytes, (guint)bad[i].size);
        maker_sample (maker, "2", "2 2", NULL);
        g_autoptr (PvProfile) profile = read_made (maker);
        assert_samples (profile, "a 1 1\nb 2 2\n");
        g_assert_cmpuint (profile->n_skipped_records, ==, 1);
        g_assert_true (has_note (profile, "1 damaged or repeated"));
    }
}

/* Every prefix of a file is an error or what came before with a note. */
TEST (cut)
{
    g_autoptr (PprofMaker) maker = maker_new_letters ("abc");
    maker->has_unknown_fields = true;
    maker_mapping (maker, 1, "0x1000 0x2000 0", "/bin/prog", "abcd");
    maker_location (maker, 9, 1, 0x1010, "1:5 2:6");
    maker_sample (maker, "9 3 2 1", "1 10", "thread=worker");
    maker_sample (maker, "2 1", "2 20", NULL);
    GByteArray *whole = maker_finish (maker);
    g_autoptr (GByteArray) packed = gzip_bytes (whole);
    unsigned n_read = 0;
    for (unsigned p = 0; p < 2; p++) {
        const GByteArray *bytes = p == 0 ? whole : packed;
        for (guint len = 0; len < bytes->len; len++) {
            g_autoptr (GByteArray) part = g_byte_array_new ();
            g_autoptr (GError) error = NULL;
            g_byte_array_append (part, bytes->data, len);
            g_autoptr (PvProfile) profile = read_pprof_bytes (part, 1, &error);
            n_read += profile != NULL;
            if (profile == NULL)
                g_assert_nonnull (error);
            else
                g_assert_true (profile->n_notes > 0);
        }
    }
    g_assert_cmpuint (n_read, >, 20);
}

TEST (damaged_tail)
{
    PprofMaker *maker = maker_new_letters ("ab");
    maker_sample (maker, "2 1", "1 10", NULL);
    maker_finish (maker);
    g_byte_array_append (maker->bytes, (const guint8 *)"\x07garbage", 8);
    g_autoptr (PvProfile) profile = read_made (maker);
    assert_samples (profile, "a;b 1 10\n");
    g_assert_true (has_note (profile, "damaged"));
}

TEST (empty)
{
    PprofMaker *maker = maker_new_letters ("ab");
    g_autoptr (PvProfile) profile = read_made (maker);
    g_assert_cmpuint (profile->n_samples, ==, 0);
    g_assert_true (made_says_nothing (profile, "contains no samples"));

    maker = maker_new_letters ("ab");
    g_byte_array_append (maker->bytes, (const guint8 *)"\x12\x02\x0a\x05", 4);
    assert_fails (maker, PV_READ_ERROR_CORRUPT);
    maker = maker_new_letters ("ab");
    maker_finish (maker);
    g_byte_array_append (maker->bytes, (const guint8 *)"\x12\x7f", 2);
    assert_fails (maker, PV_READ_ERROR_CORRUPT);
}

TEST (deep)
{
    enum { DEPTH = 300000, KEPT = 65536 };
    PprofMaker *maker = maker_new_letters ("ab");
    g_autoptr (GString) frames = g_string_new ("2");
    for (unsigned i = 1; i < DEPTH; i++)
        g_string_append (frames, " 1");
    maker_sample (maker, frames->str, "1 10", NULL);
    g_autoptr (PvProfile) profile = read_made (maker);
    g_assert_cmpuint (profile->n_stacks, ==, KEPT + 1);
    PvStackId leaf = profile->sets[0].stack[0];
    g_assert_cmpint (pv_sample_set_stack_end (&profile->sets[0], 0), ==, PV_STACK_END_DEPTH);
    g_assert_cmpuint (profile->location_of_stack[leaf], !=,
                      profile->location_of_stack[profile->parent_of_stack[leaf]]);
    g_assert_true (has_note (profile, "very deep"));
}

/* --- what is none ------------------------------------------------------------------------------
 */

TEST (sniff)
{
    static const char *const others[] = {
        "v 10400 3\nx 9 /bin/prog\nt 1 0\n+ 1\n",
        "heap profile: 1: 2 [3: 4] @ heap_v2/524288\n",
        "heap_v2/524288\n  t*: 1: 2 [0: 0]\n",
        "--- contentionz 1 ---\ncycles/second = 1\n",
        "goroutine profile: total 5\n1 @ 0x1 0x2\n",
        "\n\n\n\n",
        "\n\x04text",
        "PERFILE2garbage",
        "{\"a\": 1}",
        "main;foo 5\n",
        "*/text",
        "2\x0etext of a string",
        "\x0a",
        "\x12\x00",
        "H\x05H\x05",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
        g_assert_false (
            pv_pprof_reader.sniff ((const uint8_t *)others[i], strlen (others[i]) + (i == 13)));
    /* Anything of random bytes. */
    uint64_t state = 1;
    unsigned n_taken = 0;
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t bytes[512];
        for (size_t k = 0; k < sizeof bytes; k++) {
            state = state * UINT64_C (6364136223846793005) + 1442695040888963407u;
            bytes[k] = (uint8_t)(state >> 56);
        }
        n_taken += pv_pprof_reader.sniff (bytes, sizeof bytes);
    }
    g_assert_cmpuint (n_taken, ==, 0);
}
