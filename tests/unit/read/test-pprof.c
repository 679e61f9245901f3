/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The meaning of a pprof profile's fields. */
#include <string.h>

#include "../cases.h"
#include "core/base/cursor.h"
#include "packers.h"
#include "pprof-maker.h"

/* --- the wire ----------------------------------------------------------------------------------
 */

static void
put_abc_samples (PprofMaker *maker)
{
    maker_sample (maker, "3 2 1", "1 10", NULL);
    maker_sample (maker, "2 1", "2 20", NULL);
    maker_sample (maker, "1", "3 30", NULL);
    maker_sample (maker, "3 1", "4 40", NULL);
}

static const char abc_samples[] = "a;b;c 1 10\na;b 2 20\na 3 30\na;c 4 40\n";

TEST (samples)
{
    PprofMaker *maker = maker_new_letters ("abc");
    put_abc_samples (maker);
    g_autoptr (PvProfile) profile = read_clean (maker);
    assert_samples (profile, abc_samples);
    g_assert_cmpstr (profile->facts.format, ==, "pprof");
    g_assert_cmpuint (profile->n_stacks, ==, 5);
    g_assert_cmpuint (profile->n_measures, ==, 2);
    /* The last type comes first, whatever its column is. */
    g_assert_cmpstr (profile->measures[0].name, ==, "cpu");
    g_assert_cmpuint (profile->measures[0].column, ==, 1);
    g_assert_cmpuint (profile->measures[0].total, ==, 100);
    g_assert_cmpstr (profile->measures[1].name, ==, "samples");
    g_assert_cmpuint (profile->measures[1].total, ==, 10);
}

/* Every length, near the end of the bytes and far from it. */
TEST (varints)
{
    static const uint8_t too_long[16] = {0xff, 0xff, 0xff, 0xff, 0xff,
                                         0xff, 0xff, 0xff, 0xff, 0xff};
    for (unsigned bits = 0; bits <= 64; bits++) {
        uint64_t value = bits == 0 ? 0 : UINT64_C (0xb5a3c4d2e1f09687) >> (64 - bits);
        g_autoptr (GByteArray) bytes = g_byte_array_new ();
        wire_number (bytes, 1, value);
        guint len = bytes->len;
        g_byte_array_append (bytes, (const guint8 *)"\x85\x01\xff\xff\xff\xff\xff\xff\xff", 9);
        for (guint size = 1; size <= bytes->len; size++) {
            PvCursor cursor = pv_cursor (bytes->data + 1, size - 1, false);
            uint64_t read = pv_cursor_varint (&cursor);
            g_assert_cmpint (cursor.failed, ==, size < len);
            g_assert_cmphex (read, ==, size < len ? 0 : value);
            g_assert_cmpuint (pv_cursor_left (&cursor), ==, size < len ? 0 : size - len);
        }
    }
    for (size_t size = 0; size <= sizeof too_long; size++) {
        PvCursor cursor = pv_cursor (too_long, size, false);
        g_assert_cmphex (pv_cursor_varint (&cursor), ==, 0);
        g_assert_true (cursor.failed);
    }
}

TEST (unpacked)
{
    PprofMaker *maker = maker_new_letters ("abc");
    maker->is_unpacked = true;
    put_abc_samples (maker);
    g_autoptr (PvProfile) profile = read_clean (maker);
    assert_samples (profile, abc_samples);
}

/* Parts of one list may come in both forms, with other fields between them. */
TEST (mixed)
{
    PprofMaker *maker = maker_new_letters ("abc");
    GByteArray *sample = g_byte_array_new ();
    wire_numbers (sample, 2, "1", false);
    wire_numbers (sample, 1, "3", false);
    wire_unknown (sample);
    wire_numbers (sample, 1, "2 1", true);
    wire_numbers (sample, 2, "10", true);
    wire_message (maker->bytes, 2, sample);
    g_autoptr (PvProfile) profile = read_clean (maker);
    assert_samples (profile, "a;b;c 1 10\n");
}

TEST (unknown_fields)
{
    PprofMaker *maker = maker_new ();
    maker->has_unknown_fields = true;
    maker_type (maker, "cpu", "ns");
    maker_mapping (maker, 1, "0x1000 0x2000 0", "/bin/x", "ab12");
    maker_function (maker, 1, "f", "f", "f.c", 3);
    maker_location (maker, 1, 1, 0x1010, "1:7");
    maker_sample (maker, "1", "5", "k=v");
    g_autoptr (PvProfile) profile = read_clean (maker);
    assert_samples (profile, "f@f.c:7 5 {k=v}\n");
}

TEST (any_order)
{
    for (unsigned strings_at = 0; strings_at < 3; strings_at++) {
        PprofMaker *maker = maker_new ();
        for (size_t i = 0; i < 4; i++)
            maker_string (maker, (const char *[]){"samples", "count", "f", "g"}[i]);
        if (strings_at == 0)
            maker_put_strings (maker);
        maker_sample (maker, "2 1", "5", NULL);
        maker_location (maker, 2, 0, 0, "9:2");
        maker_function (maker, 9, "g", NULL, NULL, 0);
        if (strings_at == 1)
            maker_put_strings (maker);
        maker_location (maker, 1, 0, 0, "7:1");
        maker_function (maker, 7, "f", NULL, NULL, 0);
        maker_type (maker, "samples", "count");
        g_autoptr (PvProfile) profile = read_clean (maker);
        assert_samples (profile, "f:1;g:2 5\n");
    }
}

/* Ids may be anything but 0. */
TEST (large_ids)
{
    PprofMaker *maker = maker_new ();
    maker_type (maker, "samples", "count");
    maker_mapping (maker, UINT64_MAX, "0x1000 0x2000 0", "/bin/x", NULL);
    maker_mapping (maker, 0x80000001, "0x3000 0x4000 0x500", "/bin/y", NULL);
    maker_function (maker, UINT64_MAX - 1, "f", NULL, NULL, 0);
    maker_location (maker, 0x7fffffff, UINT64_MAX, 0x1010, "");
    maker_location (maker, 0x80000000, 0x80000001, 0x3010, "");
    maker_location (maker, 0xdeadbeef00000001, 0, 0, "0xfffffffffffffffe:1");
    maker_sample (maker, "0x7fffffff 0x80000000 0xdeadbeef00000001", "5", NULL);
    g_autoptr (PvProfile) profile = read_clean (maker);
    assert_samples (profile, "f:1;y+0x510;x+0x10 5\n");
}

/* Packed ids of all lengths, in lists of all lengths, are the same as those that come one by one.
 */
static PprofMaker *
make_many_ids (bool is_unpacked, uint64_t largest)
{
    PprofMaker *maker = maker_new ();
    g_autoptr (GRand) random = g_rand_new_with_seed (5);
    g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    maker->is_unpacked = is_unpacked;
    maker_type (maker, "samples", "count");
    for (uint64_t end = 128; end <= largest; end *= 128) {
        for (uint64_t id = end - 2; id < end + 2; id++) {
            g_autofree char *name = g_strdup_printf ("f%" G_GUINT64_FORMAT, id);
            g_autofree char *line = g_strdup_printf ("%" G_GUINT64_FORMAT ":1", id);
            maker_function (maker, id, name, NULL, NULL, 0);
            maker_location (maker, id, 0, 0, line);
            g_array_append_val (ids, id);
        }
    }
    for (unsigned i = 0; i < 500; i++) {
        g_autoptr (GString) list = g_string_new (NULL);
        for (unsigned depth = 0; depth <= i / 10; depth++) {
            guint pick = (guint)g_rand_int_range (random, 0, (gint32)ids->len);
            g_string_append_printf (list, "%s%" G_GUINT64_FORMAT, depth > 0 ? " " : "",
                                    g_array_index (ids, uint64_t, pick));
        }
        maker_sample (maker, list->str, "1", NULL);
    }
    return maker;
}

TEST (many_ids)
{
    for (uint64_t largest = 128; largest < UINT64_C (1) << 50; largest *= 128) {
        g_autoptr (PvProfile) packed = read_clean (make_many_ids (false, largest));
        g_autoptr (PvProfile) unpacked = read_clean (make_many_ids (true, largest));
        g_autofree char *unpacked_text = samples_text (unpacked);
        assert_string (samples_text (packed), unpacked_text);
        g_assert_cmpuint (packed->n_stacks, ==, unpacked->n_stacks);
    }
}

/* --- packing -----------------------------------------------------------------------------------
 */

TEST (members)
{
    g_autoptr (PprofMaker) maker = maker_new_letters ("abc");
    put_abc_samples (maker);
    GByteArray *whole = maker_finish (maker);
    for (guint cut = 1; cut < whole->len; cut += 7) {
        g_autoptr (GByteArray) first = g_byte_array_new (), rest = g_byte_array_new ();
        g_byte_array_append (first, whole->data, cut);
        g_byte_array_append (rest, whole->data + cut, whole->len - cut);
        g_autoptr (GByteArray) packed = gzip_bytes (first), packed_rest = gzip_bytes (rest);
        g_byte_array_append (packed, packed_rest->data, packed_rest->len);
        g_autoptr (PvProfile) profile = read_pprof_bytes (packed, 1, NULL);
        g_assert_nonnull (profile);
        g_assert_cmpuint (profile->n_notes, ==, 0);
        assert_samples (profile, abc_samples);
    }
}

/* More than the windows that are read ahead hold; messages longer than a window. */
TEST (long)
{
    enum { N_SAMPLES = 60000, LONG_NAME = 3000000 };
    g_autoptr (PprofMaker) maker = maker_new_letters ("abcdefgh");
    g_autofree char *name = g_strnfill (LONG_NAME, 'x');
    for (unsigned i = 0; i < N_SAMPLES; i++) {
        char values[32], labels[32];
        g_snprintf (values, sizeof values, "1 %u", i);
        g_snprintf (labels, sizeof labels, "request:%u", i);
        maker_sample (maker, i % 2 == 0 ? "3 2 1" : "8 7 6 5 4 3 2 1", values, labels);
    }
    GByteArray *bytes = maker_finish (maker);
    wire_bytes (bytes, 100, name, LONG_NAME);
    wire_bytes (bytes, 6, name, LONG_NAME);
    wire_number (bytes, 13, maker->strings->len);
    g_autoptr (GByteArray) packed = gzip_bytes (bytes);
    for (unsigned n_workers = 1; n_workers <= 4; n_workers += 3) {
        g_autoptr (PvProfile) plain = read_pprof_bytes (bytes, n_workers, NULL);
        g_autoptr (PvProfile) unpacked = read_pprof_bytes (packed, n_workers, NULL);
        for (unsigned i = 0; i < 2; i++) {
            const PvProfile *profile = i == 0 ? plain : unpacked;
            g_assert_nonnull (profile);
            g_assert_cmpuint (profile->n_notes, ==, 0);
            g_assert_cmpuint (profile->n_samples, ==, N_SAMPLES);
            g_assert_cmpuint (profile->n_stacks, ==, 9);
            g_assert_cmpuint (profile->measures[1].total, ==, N_SAMPLES);
            g_assert_cmpuint (profile->measures[0].total, ==,
                              (uint64_t)N_SAMPLES * (N_SAMPLES - 1) / 2);
            g_assert_cmpuint (strlen (profile->facts.comment), ==, LONG_NAME);
        }
    }
}

/* --- measures ----------------------------------------------------------------------------------
 */

typedef struct {
    const char *type, *unit;
    PvUnit expected_unit;
    const char *expected_unit_name;
    uint64_t factor;
    PvAggregation aggregation;
} TypeCase;

TEST (types)
{
    static const TypeCase cases[] = {
        {"samples", "count", PV_UNIT_COUNT, NULL, 1, PV_AGGREGATION_SUM},
        {"cpu", "nanoseconds", PV_UNIT_NS, NULL, 1, PV_AGGREGATION_SUM},
        {"wall", "microseconds", PV_UNIT_NS, NULL, 1000, PV_AGGREGATION_SUM},
        {"wall", "Milliseconds", PV_UNIT_NS, NULL, 1000000, PV_AGGREGATION_SUM},
        {"wall", "ms", PV_UNIT_NS, NULL, 1000000, PV_AGGREGATION_SUM},
        {"wall", "seconds", PV_UNIT_NS, NULL, 1000000000, PV_AGGREGATION_SUM},
        {"wall", "hour", PV_UNIT_NS, NULL, UINT64_C (3600000000000), PV_AGGREGATION_SUM},
        {"inuse_space", "bytes", PV_UNIT_BYTES, NULL, 1, PV_AGGREGATION_STATE},
        {"inuse_objects", "count", PV_UNIT_COUNT, NULL, 1, PV_AGGREGATION_STATE},
        {"alloc_space", "KB", PV_UNIT_BYTES, NULL, 1024, PV_AGGREGATION_STATE},
        {"alloc_space", "megabytes", PV_UNIT_BYTES, NULL, 1048576, PV_AGGREGATION_STATE},
        {"alloc_space", "MiB", PV_UNIT_BYTES, NULL, 1048576, PV_AGGREGATION_STATE},
        {"delay", "nanoseconds", PV_UNIT_NS, NULL, 1, PV_AGGREGATION_STATE},
        {"goroutine", "count", PV_UNIT_COUNT, NULL, 1, PV_AGGREGATION_STATE},
        {"work", "GCU", PV_UNIT_COUNT, "GCU", 1, PV_AGGREGATION_SUM},
        {"work", "secondsies", PV_UNIT_COUNT, "secondsies", 1, PV_AGGREGATION_SUM},
        {"work", NULL, PV_UNIT_COUNT, NULL, 1, PV_AGGREGATION_SUM},
    };
    PprofMaker *maker = maker_new ();
    g_autoptr (GString) values = g_string_new (NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        maker_type (maker, cases[i].type, cases[i].unit);
        g_string_append_printf (values, " %zu", i + 1);
    }
    maker_sample (maker, "", values->str, NULL);
    g_autoptr (PvProfile) profile = read_clean (maker);
    g_assert_cmpuint (profile->n_measures, ==, G_N_ELEMENTS (cases));
    for (size_t m = 0; m < G_N_ELEMENTS (cases); m++) {
        const PvMeasure *measure = &profile->measures[m];
        const TypeCase *expected = &cases[measure->column];
        g_assert_cmpstr (measure->name, ==, expected->type);
        g_assert_cmpint (measure->unit, ==, expected->expected_unit);
        g_assert_cmpstr (measure->unit_name, ==, expected->expected_unit_name);
        g_assert_cmpint (measure->aggregation, ==, expected->aggregation);
        g_assert_cmpuint (measure->total, ==, (measure->column + 1) * expected->factor);
    }
}

TEST (default_type)
{
    static const char *const wanted[] = {"alloc_space", "space", "inuse_objects", "nonsense", NULL};
    static const char *const expected[] = {"alloc_space", "inuse_space", "inuse_objects",
                                           "inuse_space", "inuse_space"};
    for (size_t i = 0; i < G_N_ELEMENTS (wanted); i++) {
        PprofMaker *maker = maker_new ();
        maker_type (maker, "alloc_space", "bytes");
        maker_type (maker, "inuse_objects", "count");
        maker_type (maker, "inuse_space", "bytes");
        maker_sample (maker, "", "1 2 3", NULL);
        wire_number (maker->bytes, 14, maker_string (maker, wanted[i]));
        g_autoptr (PvProfile) profile = read_clean (maker);
        g_assert_cmpstr (profile->measures[0].name, ==, expected[i]);
    }
}

/* Differences of two profiles. */
TEST (negative)
{
    PprofMaker *maker = maker_new_letters ("ab");
    maker_sample (maker, "1", "-1 50", NULL);
    maker_sample (maker, "2", "-9223372036854775808 60", NULL);
    maker_sample (maker, "2 1", "5 70", NULL);
    g_autoptr (PvProfile) profile = read_made (maker);
    assert_samples (profile, "a 1 50 1 0\nb 9223372036854775806 60 9223372036854775806 0\n"
                             "a;b 0 70 0 5\n");
    static const struct {
        const char *name;
        PvMeasurePart part;
    } expected[] = {{"cpu", PV_PART_NONE},
                    {"samples", PV_PART_BOTH},
                    {"samples-negative", PV_PART_SIDE},
                    {"samples-positive", PV_PART_SIDE}};
    g_assert_cmpuint (profile->n_measures, ==, 2);
    g_assert_cmpuint (profile->n_weights, ==, G_N_ELEMENTS (expected));
    for (size_t i = 0; i < G_N_ELEMENTS (expected); i++) {
        g_assert_cmpstr (profile->measures[i].name, ==, expected[i].name);
        g_assert_cmpuint (profile->measures[i].part, ==, expected[i].part);
    }
    g_assert_cmpuint (profile->n_pairs, ==, 1);
    g_assert_cmpuint (profile->pairs->both, ==, 1);
    g_assert_cmpuint (profile->pairs->of_side[PV_SIDE_BASE], ==, 2);
    g_assert_cmpuint (profile->pairs->of_side[PV_SIDE_NEW], ==, 3);
    g_assert_true (has_note (profile, "negative values"));
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
}

/* A value too large for a measure becomes the largest one. */
TEST (saturation)
{
    PprofMaker *maker = maker_new ();
    maker_type (maker, "wall", "hours");
    maker_sample (maker, "", "9223372036854775807", NULL);
    maker_sample (maker, "", "9223372036854775807", NULL);
    g_autoptr (PvProfile) profile = read_clean (maker);
    g_assert_cmpuint (profile->n_samples, ==, 1);
    g_assert_cmpuint (profile->measures[0].total, ==, INT64_MAX);
}

/* --- samples -----------------------------------------------------------------------------------
 */

TEST (equal_samples)
{
    PprofMaker *maker = maker_new_letters ("ab");
    maker_sample (maker, "2 1", "1 10", NULL);
    maker_sample (maker, "2 1", "2 20", "k=v");
    maker_sample (maker, "2 1", "0 0", "k=w");
    maker_sample (maker, "2 1", "4 40", NULL);
    maker_sample (maker, "2 1", "8 80", "k=v");
    maker_sample (maker, "1", "0 0", NULL);
    maker_sample (maker, "", "16 160", NULL);
    g_autoptr (PvProfile) profile = read_clean (maker);
    assert_samples (profile, "a;b 5 50\na;b 10 100 {k=v}\n 16 160\n");
}

TEST (labels)
{
    PprofMaker *maker = maker_new_letters ("a");
    maker_sample (maker, "1", "1 1", "thread=worker bytes:48 bytes:48");
    maker_sample (maker, "1", "2 2", "request:5 alignment:8 latency:-7:ms id:3 empty:0");
    maker_sample (maker, "1", "4 4", "=text thread=worker");
    g_autoptr (PvProfile) profile = read_clean (maker);
    assert_samples (profile,
                    "a 1 1 {thread=worker bytes:48:bytes bytes:48:bytes}\n"
                    "a 2 2 {request:5:bytes alignment:8:bytes latency:-7:ms id:3: empty:0:}\n"
                    "a 4 4 {thread=worker}\n");
    g_assert_cmpuint (profile->n_label_sets, ==, 4);
}

/* Stacks that a reader hands over at once are known to the builder, as if made one by one. */
TEST (builder_goes_on)
{
    g_autoptr (PprofMaker) maker = maker_new_letters ("abc");
    put_abc_samples (maker);
    PvReadContext context = {.n_workers = 1};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    GByteArray *bytes = maker_finish (maker);
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (bytes->data, bytes->len), bytes->len);
    g_assert_true (pv_read_bytes (file, builder, &context, NULL));
    g_autoptr (PvProfile) before = pv_profile_builder_snapshot (builder);
    for (PvStackId s = 1; s < before->n_stacks; s++)
        g_assert_cmpuint (pv_profile_builder_stack (builder, before->parent_of_stack[s],
                                                    before->location_of_stack[s]),
                          ==, s);
    PvLocationId leaf = before->location_of_stack[before->sets[0].stack[0]];
    PvStackId added = pv_profile_builder_stack (builder, before->sets[0].stack[0], leaf);
    g_assert_cmpuint (added, ==, before->n_stacks);
    PvLocationId chain[] = {leaf, leaf, leaf};
    PvStackId deep = pv_profile_builder_chain (builder, chain, G_N_ELEMENTS (chain));
    g_assert_cmpuint (deep, ==, before->n_stacks + 3);
    g_assert_cmpuint (pv_profile_builder_chain (builder, chain, G_N_ELEMENTS (chain)), ==, deep);
    g_autoptr (PvProfile) after = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (after->n_stacks, ==, before->n_stacks + 4);
    assert_samples (before, abc_samples);
    assert_samples (after, abc_samples);
}

/* --- facts -------------------------------------------------------------------------------------
 */

static void
put_period (PprofMaker *maker, const char *type, const char *unit, int64_t period)
{
    GByteArray *message = g_byte_array_new ();
    wire_number (message, 1, maker_string (maker, type));
    wire_number (message, 2, maker_string (maker, unit));
    wire_message (maker->bytes, 11, message);
    wire_number (maker->bytes, 12, (uint64_t)period);
}

TEST (facts)
{
    PprofMaker *maker = maker_new_letters ("a");
    put_period (maker, "nonsense", "count", 5);
    put_period (maker, "cpu", "nanoseconds", 10000000); /* the last one counts */
    wire_number (maker->bytes, 9, UINT64_C (1700000000123456789));
    wire_number (maker->bytes, 10, UINT64_C (30000000000));
    wire_number (maker->bytes, 13, maker_string (maker, "first line"));
    g_autofree char *packed = g_strdup_printf ("%u 0 %u", (unsigned)maker_string (maker, "second"),
                                               (unsigned)maker_string (maker, "a\nb"));
    wire_numbers (maker->bytes, 13, packed, true);
    wire_number (maker->bytes, 15, maker_string (maker, "https://example.org/doc"));
    wire_number (maker->bytes, 7, maker_string (maker, "malloc|free"));
    wire_number (maker->bytes, 8, maker_string (maker, "runtime\\.panic"));
    maker_sample (maker, "1", "1 1", NULL);
    g_autoptr (PvProfile) profile = read_clean (maker);
    const PvFacts *facts = &profile->facts;
    g_assert_cmpint (facts->recorded_at_ns, ==, INT64_C (1700000000123456789));
    g_assert_cmpint (facts->recorded_at, ==, 1700000000);
    g_assert_cmpuint (facts->profiled_ns, ==, UINT64_C (30000000000));
    g_assert_cmpstr (facts->period, ==, "cpu 10 ms");
    g_assert_cmpstr (facts->comment, ==,
                     "first line\nsecond\na\xef\xbf\xbd"
                     "b");
    g_assert_cmpstr (facts->doc_url, ==, "https://example.org/doc");
    g_assert_cmpstr (profile->drop_frames, ==, "malloc|free");
    g_assert_cmpstr (profile->keep_frames, ==, "runtime\\.panic");
    g_assert_false (profile->is_of_allocations);
}

static void
assert_period (const char *type, const char *unit, int64_t period, const char *expected)
{
    PprofMaker *maker = maker_new_letters ("a");
    put_period (maker, type, unit, period);
    maker_sample (maker, "1", "1 1", NULL);
    g_autoptr (PvProfile) profile = read_clean (maker);
    g_assert_cmpstr (profile->facts.period, ==, expected);
}

TEST (periods)
{
    assert_period ("space", "bytes", 524288, "space 512 KiB");
    assert_period ("cpu", "milliseconds", 1500, "cpu 1500 ms");
    assert_period ("cpu", "seconds", 2, "cpu 2 s");
    assert_period ("cpu", "nanoseconds", 1001, "cpu 1001 ns");
    assert_period ("contentions", "count", 1, "contentions 1 count");
    assert_period (NULL, NULL, 7, "7");
    assert_period ("cpu", "nanoseconds", 0, NULL);
    assert_period ("cpu", "nanoseconds", -5, NULL);
}

/* A file with more types than anything means could ask for any amount of memory. */
TEST (many_types)
{
    PprofMaker *maker = maker_new_letters ("a");
    for (unsigned i = 0; i < 5000; i++) {
        g_autofree char *name = g_strdup_printf ("type%u", i);
        maker_type (maker, name, "count");
    }
    maker_sample (maker, "1", "1 2 3", NULL);
    g_autoptr (PvProfile) profile = read_made (maker);
    g_assert_cmpuint (profile->n_measures, ==, 1000);
    g_assert_true (has_note (profile, "more sample types than can be shown"));
}

/* One place may have very many lines, but symbols have a limit. */
TEST (many_lines)
{
    PprofMaker *maker = maker_new_letters ("a");
    g_autoptr (GString) lines = g_string_new ("1:1");
    for (unsigned i = 0; i < 70000; i++)
        g_string_append (lines, " 1:2");
    maker_location (maker, 77, 0, 0x1000, lines->str);
    maker_sample (maker, "77", "1 2", NULL);
    g_autoptr (PvProfile) profile = read_made (maker);
    uint32_t n = 1;
    while (!profile->given_frames[n - 1].is_last)
        n++;
    g_assert_cmpuint (n, ==, UINT16_MAX);
}

/* Only what a browser is for. */
TEST (doc_urls)
{
    static const char *const urls[] = {"http://example.org/", "file:///etc/passwd",
                                       "javascript:alert(1)", "HTTPS://x"};
    for (size_t i = 0; i < G_N_ELEMENTS (urls); i++) {
        PprofMaker *maker = maker_new_letters ("a");
        wire_number (maker->bytes, 15, maker_string (maker, urls[i]));
        maker_sample (maker, "1", "1 1", NULL);
        g_autoptr (PvProfile) profile = read_clean (maker);
        g_assert_cmpstr (profile->facts.doc_url, ==, i == 0 ? urls[i] : NULL);
    }
}
