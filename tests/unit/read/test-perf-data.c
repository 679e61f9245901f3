/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The container: headers, attributes, pipes, packing, damage. */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "../cases.h"
#include "core/base/error.h"
#include "packers.h"
#include "perf-writer.h"

static const uint64_t user_chain[] = {CONTEXT_USER, 0x1010, 0x1100, 0x1200};

/* One process with one mapping and n samples of the same stack. */
static Writer *
simple (bool swap, bool is_pipe, unsigned n)
{
    Writer *writer = writer_new (swap, is_pipe);
    writer_attr (writer, &writer_plain_attr, NULL, 0);
    writer_comm (writer, 0, 10, 10, "prog", false);
    writer_mmap (writer, 0, 10, 0x1000, 0x1000, 0x5000, "/bin/prog");
    for (unsigned i = 0; i < n; i++)
        writer_sample (writer, MODE_USER, 100 + i, 10, 10, 0x1010, 7, user_chain, 4);
    return writer;
}

static void
assert_simple (const PvProfile *profile, unsigned n)
{
    g_assert_nonnull (profile);
    const PvSampleSet *set = find_set (profile, "cpu-clock");
    g_assert_nonnull (set);
    g_assert_cmpuint (set->n_samples, ==, n);
    g_assert_cmpuint (profile->measures[0].total, ==, 7 * n);
    g_assert_cmpint (profile->measures[0].unit, ==, PV_UNIT_NS);
    if (n == 0)
        return;
    assert_string (stack_text (profile, set->stack[0]), "prog+0x5200;prog+0x5100;!prog+0x5010");
    g_assert_cmpstr (profile->processes[1].name, ==, "prog");
    g_assert_cmpint (profile->threads[pv_sample_set_thread (set, 0)].tid, ==, 10);
    g_assert_cmpuint (profile->start_ns, ==, 100);
}

TEST (modes)
{
    for (unsigned variant = 0; variant < 4; variant++) {
        g_autoptr (Writer) writer = simple ((variant & 1) != 0, (variant & 2) != 0, 3);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        assert_simple (profile, 3);
        g_assert_cmpstr (profile->facts.format, ==, "perf.data");
        g_assert_cmpstr (profile->facts.call_graph, ==, "frame pointers");
        g_assert_cmpstr (profile->facts.events, ==, "cpu-clock every 1000");
        g_assert_cmpuint (profile->n_notes, ==, 0);
    }
}

TEST (attr_sizes)
{
    static const uint32_t sizes[] = {64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 256};
    for (size_t i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
        g_autoptr (Writer) writer = writer_new (i % 2 != 0, false);
        writer->attr_size = sizes[i / 2];
        writer_attr (writer, &writer_plain_attr, NULL, 0);
        writer_sample (writer, MODE_USER, 5, 1, 1, 0x10, 9, NULL, 0);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        g_assert_cmpuint (find_set (profile, "cpu-clock")->n_samples, ==, 1);
        g_assert_cmpuint (profile->measures[0].total, ==, 9);
    }
}

typedef struct {
    uint32_t type;
    uint64_t config, flags;
    const char *name;
} NameCase;

#define FLAG(n) (UINT64_C (1) << (n))

TEST (names)
{
    static const NameCase cases[] = {
        {0, 0, FLAG (20), "cycles"},
        {0, 0, FLAG (20) | FLAG (16), "cycles:ppH"},
        {0, 1, FLAG (5) | FLAG (6) | FLAG (20), "instructions:uH"},
        {0, 0, FLAG (5) | FLAG (6), "cycles:u"},
        {0, UINT64_C (4) << 32 | 3, FLAG (20), "cache-misses"},
        {1, 2, FLAG (20), "page-faults"},
        {3, 0x10000, FLAG (20), "L1-dcache-load-misses"},
        {3, 0x102, FLAG (20), "LLC-stores"},
        {4, 0x1b7, FLAG (20), "raw 0x1b7"},
    };
    for (size_t i = 0; i < 2 * G_N_ELEMENTS (cases); i++) {
        const NameCase *c = &cases[i / 2];
        g_autoptr (Writer) writer = writer_new (i % 2 != 0, true);
        WriterAttr attr = {.type = c->type,
                           .config = c->config,
                           .sample_type = WRITER_SAMPLE_TYPE,
                           .flags = FLAG (18) | c->flags};
        writer_attr (writer, &attr, NULL, 0);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        g_assert_cmpstr (profile->sets[0].name, ==, c->name);
    }
}

/* Two events with ids, told apart by IDENTIFIER; names from EVENT_UPDATE; one id unknown. */
TEST (several_events)
{
    for (unsigned swap = 0; swap < 2; swap++) {
        g_autoptr (Writer) writer = writer_new (swap != 0, true);
        WriterAttr attr = {.type = 0,
                           .sample_period = 50,
                           .sample_type = 1u << 16 | 1u << 1 | 1u << 2,
                           .flags = WRITER_FLAGS};
        const uint64_t first_ids[] = {100, 101}, second_ids[] = {200};
        writer_attr (writer, &attr, first_ids, 2);
        attr.config = 1;
        attr.sample_period = 70;
        writer_attr (writer, &attr, second_ids, 1);
        writer_begin (writer, 78, 0);
        writer_u64s (writer, 2, 200);
        writer_string (writer, "my event");
        writer_end (writer);
        static const uint64_t ids[] = {100, 200, 101, 200, 300, 100};
        for (size_t i = 0; i < G_N_ELEMENTS (ids); i++) {
            writer_begin (writer, 9, MODE_USER);
            writer_u64 (writer, ids[i]);
            writer_u32s (writer, 4, 5);
            writer_u64 (writer, 10 + i);
            writer_end (writer);
        }
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        g_assert_cmpuint (find_set (profile, "cycles")->n_samples, ==, 3);
        g_assert_cmpuint (find_set (profile, "my event")->n_samples, ==, 2);
        g_assert_cmpuint (profile->n_skipped_records, ==, 1);
        g_assert_cmpuint (profile->measures[0].total, ==, 150);
        g_assert_cmpuint (profile->measures[1].total, ==, 140);
        g_assert_true (perf_has_note (profile, PV_NOTE_SKIPPED_RECORDS));
    }
}

TEST (features)
{
    for (unsigned swap = 0; swap < 2; swap++) {
        g_autoptr (Writer) writer = simple (swap != 0, false, 1);
        writer_feature_string (writer, 3, "box");
        writer_feature_string (writer, 4, "6.1.0");
        writer_feature_string (writer, 5, "6.12");
        writer_feature_string (writer, 6, "aarch64");
        writer_feature_bytes (writer, 9, "", 0);
        writer_feature_bytes (writer, 40, "of the future", 13);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        assert_simple (profile, 1);
        g_assert_cmpstr (profile->facts.host, ==, "box");
        g_assert_cmpstr (profile->facts.kernel_release, ==, "6.1.0");
        g_assert_cmpstr (profile->facts.recorder, ==, "perf 6.12");
        g_assert_cmpstr (profile->facts.arch, ==, "aarch64");
    }
}

static void
write_build_id (Writer *writer, const uint8_t *id, const char *path)
{
    writer_begin (writer, 67, MODE_USER | 1u << 15);
    writer_u32 (writer, UINT32_MAX);
    writer_bytes (writer, id, 20);
    writer_u32 (writer, 16);
    writer_string (writer, path);
    writer_end (writer);
}

TEST (build_ids)
{
    uint8_t id[20];
    for (unsigned i = 0; i < 20; i++)
        id[i] = (uint8_t)(i + 1);
    for (unsigned is_late = 0; is_late < 2; is_late++) {
        g_autoptr (Writer) writer = simple (false, true, 0);
        /* In a pipe it may come before or after the mapping is used. */
        if (is_late)
            writer_sample (writer, MODE_USER, 100, 10, 10, 0x1010, 7, user_chain, 4);
        write_build_id (writer, id, "/bin/prog");
        if (!is_late)
            writer_sample (writer, MODE_USER, 100, 10, 10, 0x1010, 7, user_chain, 4);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        assert_simple (profile, 1);
        const PvModule *module = find_module (profile, "/bin/prog");
        g_assert_cmpmem (module->build_id, module->build_id_size, id, 16);
        g_assert_true (module->is_main);
    }
}

/* A file that was replaced while perf ran has two: nothing tells which one was mapped. */
TEST (two_build_ids)
{
    static const uint8_t first[20] = {1}, second[20] = {2};
    for (unsigned is_other = 0; is_other < 2; is_other++) {
        g_autoptr (Writer) writer = simple (false, true, 0);
        write_build_id (writer, first, "/bin/prog");
        write_build_id (writer, is_other ? second : first, "/bin/prog");
        writer_sample (writer, MODE_USER, 100, 10, 10, 0x1010, 7, user_chain, 4);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        assert_simple (profile, 1);
        g_assert_cmpuint (find_module (profile, "/bin/prog")->build_id_size, ==, is_other ? 0 : 16);
    }
}

/* Samples without a known event, unknown records, tails that sizes do not count. */
TEST (skipping)
{
    g_autoptr (Writer) writer = simple (false, true, 1);
    writer_begin (writer, 200, 0);
    writer_u64 (writer, 1);
    writer_end (writer);
    writer_begin (writer, 40, 0);
    writer_u64s (writer, 1, 1, 1);
    writer_end (writer);
    writer_begin (writer, 71, 0); /* AUXTRACE with 100 bytes behind it */
    writer_u64 (writer, 100);
    for (unsigned i = 0; i < 4; i++)
        writer_u64 (writer, 0);
    writer_end (writer);
    uint8_t rubbish[100];
    memset (rubbish, 0xff, sizeof rubbish);
    writer_bytes (writer, rubbish, sizeof rubbish);
    writer_sample (writer, MODE_USER, 101, 10, 10, 0x1010, 7, user_chain, 4);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    assert_simple (profile, 2);
    g_assert_cmpuint (profile->n_skipped_records, ==, 2);
}

TEST (truncated)
{
    /* Cut everywhere: never more than a note or an error, and never fewer samples than are whole.
     */
    g_autoptr (Writer) writer = simple (false, false, 4);
    g_autoptr (GByteArray) bytes = writer_build (writer);
    size_t sample_size = 8 + 24 + 16 + 32;
    for (size_t size = 0; size < bytes->len; size++) {
        g_autoptr (GError) error = NULL;
        g_autoptr (PvProfile) profile = read_bytes (bytes->data, size, NULL, &error);
        if (profile == NULL) {
            g_assert_nonnull (error);
            g_assert_cmpuint (error->domain, ==, PV_READ_ERROR);
            g_assert_cmpuint (size, <, 104 + 136 + 16);
            continue;
        }
        size_t missing = (bytes->len - size + sample_size - 1) / sample_size;
        g_assert_cmpuint (profile->n_samples, ==, missing < 4 ? 4 - missing : 0);
        g_assert_true (perf_has_note (profile, PV_NOTE_TRUNCATED_FILE) || profile->n_samples == 4);
    }
}

TEST (unfinished)
{
    g_autoptr (Writer) writer = simple (false, false, 3);
    writer->is_unfinished = true;
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    assert_simple (profile, 3);
    g_assert_true (perf_has_note (profile, PV_NOTE_TRUNCATED_FILE));

    /* A recorder that failed at once would fail again, however long it records. */
    g_autoptr (Writer) empty = simple (false, false, 0);
    writer_comm (empty, 1, 1, 1, "main", false);
    empty->is_unfinished = true;
    g_autoptr (PvProfile) nothing = writer_read (empty, NULL, NULL);
    g_assert_true (perf_has_note (nothing, PV_NOTE_NOTHING));
    g_assert_false (perf_has_note (nothing, PV_NOTE_TRUNCATED_FILE));
}

TEST (several)
{
    g_autoptr (Writer) writer = simple (false, false, 3);
    writer_feature_string (writer, 3, "box");
    g_autoptr (GByteArray) bytes = writer_build (writer), second = g_byte_array_new ();
    g_byte_array_append (second, bytes->data, bytes->len);
    g_byte_array_append (bytes, second->data, second->len);
    g_autoptr (PvProfile) profile = read_bytes (bytes->data, bytes->len, NULL, NULL);
    assert_simple (profile, 3);
    g_assert_cmpuint (profile->n_notes, ==, 1);
    g_assert_nonnull (strstr (profile->notes[0].text, "several profiles"));
}

TEST (text_after_pipe)
{
    g_autoptr (Writer) writer = simple (false, true, 3);
    static const char text[] = "[ perf record: Woken up 1 times to write data ]\n";
    writer_bytes (writer, text, sizeof text - 1);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    assert_simple (profile, 3);
    g_assert_true (perf_has_note (profile, PV_NOTE_TRUNCATED_FILE));
}

static void
assert_refused (const void *data, size_t size, int code)
{
    assert_error (error, read_bytes (data, size, NULL, &error), PV_READ_ERROR, code);
}

TEST (errors)
{
    assert_refused ("", 0, PV_READ_ERROR_UNKNOWN_FORMAT);
    assert_refused ("hello, world", 12, PV_READ_ERROR_UNKNOWN_FORMAT);
    assert_refused ("PERFFILE\x68\0\0\0\0\0\0\0", 16, PV_READ_ERROR_UNSUPPORTED);
    assert_refused ("PERFILE2\x68\0\0\0\0\0\0\0", 16, PV_READ_ERROR_CORRUPT);
    assert_refused ("PERFILE2\x10\0\0\0\0\0\0\0", 16, PV_READ_ERROR_CORRUPT);
    assert_refused ("PERFILE2", 8, PV_READ_ERROR_CORRUPT);
}

/* --- packed records -----------------------------------------------------------------------------
 */

TEST (compressed)
{
    static const size_t pieces[] = {1, 7, 50, 4000, 60000};
    for (unsigned variant = 0; variant < 4 * G_N_ELEMENTS (pieces); variant++) {
        bool swap = (variant & 1) != 0;
        g_autoptr (Writer) writer = writer_new (swap, false);
        writer_attr (writer, &writer_plain_attr, NULL, 0);
        writer_comm (writer, 0, 10, 10, "prog", false);
        writer_mmap (writer, 0, 10, 0x1000, 0x1000, 0x5000, "/bin/prog");
        size_t start = writer->records->len;
        for (unsigned i = 0; i < 500; i++)
            writer_sample (writer, MODE_USER, 100 + i, 10, 10, 0x1010, 7, user_chain, 4);
        writer_compress (writer, start, (variant & 2) != 0 ? 83 : 81, pieces[variant / 4]);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        assert_simple (profile, 500);
        g_assert_cmpuint (profile->n_notes, ==, 0);
    }
}

/* Chunks are given up and made anew: far more unpacked data than one holds, in rounds. */
TEST (compressed_rounds)
{
    g_autoptr (Writer) writer = writer_new (false, false);
    writer_attr (writer, &writer_plain_attr, NULL, 0);
    writer_comm (writer, 0, 10, 10, "prog", false);
    writer_mmap (writer, 0, 10, 0x1000, 0x1000, 0x5000, "/bin/prog");
    g_autoptr (GByteArray) all = g_byte_array_new ();
    size_t start = writer->records->len;
    const unsigned n = 400000;
    for (unsigned i = 0; i < n; i++) {
        writer_sample (writer, MODE_USER, 100 + i, 10, 10, 0x1010, 7, user_chain, 4);
        if (i % 50000 == 49999) {
            writer_begin (writer, 68, 0);
            writer_end (writer);
        }
    }
    writer_compress (writer, start, 81, 30000);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    assert_simple (profile, n);
}

TEST (compressed_damage)
{
    g_autoptr (Writer) writer = simple (false, false, 0);
    size_t start = writer->records->len;
    for (unsigned i = 0; i < 500; i++)
        writer_sample (writer, MODE_USER, 100 + i, 10, 10, 0x1010, 7, user_chain, 4);
    writer_compress (writer, start, 81, 40);
    size_t end = writer->records->len;
    for (size_t i = start + 60; i < end; i += 97)
        writer->records->data[i] ^= 0x55;
    g_autoptr (GError) error = NULL;
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, &error);
    g_assert_nonnull (profile);
    g_assert_true (perf_has_note (profile, PV_NOTE_TRUNCATED_FILE));
}

/* COMPRESSED2 with header sizes that overflowed: one piece without padding, and glued ones. */
TEST (compressed2_bug)
{
    g_autoptr (Writer) plain = writer_new (false, false);
    g_autoptr (Writer) writer = simple (false, false, 0);
    uint64_t chain[100];
    uint32_t seed = 1;
    for (unsigned i = 0; i < 3000; i++) {
        chain[0] = CONTEXT_USER;
        for (unsigned k = 1; k < 100; k++)
            chain[k] = 0x1000 + ((seed = seed * 1664525 + 1013904223) >> 20);
        writer_sample (plain, MODE_USER, 100 + i, 10, 10, 0x1010, 7, chain, 100);
    }
    /* Pack, take the payloads out again, and write them the wrong way. */
    writer_compress (plain, 0, 81, 60000);
    g_autoptr (GByteArray) packed = g_byte_array_new ();
    for (size_t at = 0; at < plain->records->len;) {
        uint16_t size;
        memcpy (&size, plain->records->data + at + 6, 2);
        g_byte_array_append (packed, plain->records->data + at + 8, size - 8u);
        at += size;
    }
    g_assert_cmpuint (packed->len, >, 3 * 65519);
    const size_t piece = 65519, last = 4321;
    size_t rest = packed->len - piece - last;
    /* One small one with a size of zero in its header. */
    writer_begin (writer, 83, 0);
    writer_u64 (writer, last);
    writer_bytes (writer, packed->data, last);
    /* One that covers the rest: the first piece, then intact headers with rubbish in data_size. */
    size_t n_more = (rest + 59999) / 60000;
    writer_begin (writer, 83, 0);
    writer_u64 (writer, piece + rest + 16 * n_more);
    writer_bytes (writer, packed->data + last, piece);
    for (size_t at = last + piece; at < packed->len;) {
        size_t size = MIN (60000, packed->len - at);
        writer_begin (writer, 83, 0);
        writer_u64 (writer, UINT64_C (0xdeadbeefdeadbeef));
        writer_bytes (writer, packed->data + at, size);
        writer_end (writer);
        at += size;
    }
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    g_assert_cmpuint (profile->n_samples, ==, 3000);
    g_assert_cmpuint (profile->n_notes, ==, 0);
}

/* --- packed files -------------------------------------------------------------------------------
 */

LARGE_TEST (packed_files)
{
    GByteArray *(*const packers[]) (const GByteArray *) = {gzip_bytes, zstd_bytes, xz_bytes,
                                                           bzip2_bytes};
    g_autoptr (Writer) writer = simple (false, false, 3000);
    g_autoptr (GByteArray) bytes = writer_build (writer);
    for (size_t i = 0; i < G_N_ELEMENTS (packers); i++) {
        g_autoptr (GByteArray) packed = packers[i](bytes);
        g_autoptr (PvProfile) profile =
            assert_ok (error, read_bytes (packed->data, packed->len, NULL, &error));
        assert_simple (profile, 3000);
        /* Cut off: an error or a part, with a note. */
        for (size_t size = 3; size < packed->len; size += 13 * pv_test_step (5)) {
            g_autoptr (GError) cut_error = NULL;
            g_autoptr (PvProfile) cut = read_bytes (packed->data, size, NULL, &cut_error);
            g_assert_true (cut == NULL ? cut_error != NULL
                                       : perf_has_note (cut, PV_NOTE_TRUNCATED_FILE));
        }
    }
    /* Two gzip members in a row. */
    g_autoptr (GByteArray) first = g_byte_array_new ();
    g_autoptr (GByteArray) second = g_byte_array_new ();
    g_byte_array_append (first, bytes->data, 1000);
    g_byte_array_append (second, bytes->data + 1000, bytes->len - 1000);
    g_autoptr (GByteArray) a = gzip_bytes (first);
    g_autoptr (GByteArray) b = gzip_bytes (second);
    g_byte_array_append (a, b->data, b->len);
    g_autoptr (PvProfile) profile = read_bytes (a->data, a->len, NULL, NULL);
    assert_simple (profile, 3000);
}

static char *
make_folder (void)
{
    return assert_ok (error, g_dir_make_tmp ("profview-XXXXXX", &error));
}

static void
save (const char *folder, const char *name, const GByteArray *bytes)
{
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_true (g_file_set_contents (path, (const char *)bytes->data, bytes->len, NULL));
}

static void
remove_file (const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_cmpint (g_unlink (path), ==, 0);
}

/* A file that is no profile is not unpacked beyond its first bytes; one that may be is, up to the
 * limit. */
TEST (limit)
{
    g_autofree char *folder = make_folder ();
    g_autofree char *path = g_build_filename (folder, "bomb", NULL);
    g_autoptr (GByteArray) zeros = g_byte_array_new ();
    g_byte_array_set_size (zeros, 20 << 20);
    memset (zeros->data, 0, zeros->len);
    for (unsigned is_profile = 0; is_profile < 2; is_profile++) {
        if (is_profile)
            memcpy (zeros->data, "PERFILE2", 8);
        g_autoptr (GByteArray) packed = gzip_bytes (zeros);
        save (folder, "bomb", packed);
        PvReadContext context = {0};
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        g_autoptr (GError) error = NULL;
        g_assert_false (pv_read (path, 1 << 20, builder, &context, &error));
        PvReadError expected = is_profile ? PV_READ_ERROR_TOO_LARGE : PV_READ_ERROR_UNKNOWN_FORMAT;
        g_assert_error (error, PV_READ_ERROR, (int)expected);
    }
    remove_file (folder, "bomb");
    g_rmdir (folder);
}

/* As of perf record --threads, with the main file. */
static char *
make_recording_folder (void)
{
    char *folder = make_folder ();
    g_autoptr (Writer) main_file = simple (false, false, 1);
    const uint64_t version = 1;
    writer_feature_bytes (main_file, 24, &version, sizeof version);
    g_autoptr (GByteArray) main_bytes = writer_build (main_file);
    save (folder, "data", main_bytes);
    return folder;
}

/* Streams of their own beside the main file, without rounds. */
TEST (directory)
{
    for (unsigned is_packed = 0; is_packed < 2; is_packed++) {
        g_autofree char *folder = make_recording_folder ();
        for (unsigned i = 0; i < 3; i++) {
            g_autoptr (Writer) stream = writer_new (false, true);
            for (unsigned k = 0; k < 10 && i != 1; k++)
                writer_sample (stream, MODE_USER, 101 + 2 * k + i / 2, 10, 10, 0x1010, 7,
                               user_chain, 4);
            if (is_packed && i != 1)
                writer_compress (stream, 0, 81, 33);
            g_autofree char *name = g_strdup_printf ("data.%u", i);
            save (folder, name, stream->records);
        }
        PvReadContext context = {0};
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        g_assert_true (assert_ok (error, pv_read (folder, 0, builder, &context, &error)));
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        assert_simple (profile, 21);
        for (uint32_t i = 1; i < 21; i++)
            g_assert_cmpuint (pv_sample_set_time_ns (&profile->sets[0], i), ==, 100 + i);
        remove_file (folder, "data.0");
        remove_file (folder, "data.1");
        remove_file (folder, "data.2");

        /* The main file alone. */
        g_autoptr (PvProfileBuilder) second_builder = pv_profile_builder_new ();
        g_assert_true (assert_ok (error, pv_read (folder, 0, second_builder, &context, &error)));
        g_autoptr (PvProfile) second = pv_profile_builder_snapshot (second_builder);
        assert_simple (second, 1);
        g_assert_true (perf_has_note (second, PV_NOTE_TRUNCATED_FILE));
        remove_file (folder, "data");
        assert_error (error, pv_read (folder, 0, second_builder, &context, &error), PV_READ_ERROR,
                      PV_READ_ERROR_UNKNOWN_FORMAT);
        g_rmdir (folder);
    }
}

/* Packed streams with more in them than is kept, each of buffers drained one after another. */
LARGE_TEST (large_directory)
{
    enum { N_STREAMS = 2, N_BLOCKS = 200, N_IN_BLOCK = 1000, N_BUFFERS = 2 };
    enum { MAPS_EVERY = 50 };
    g_autofree char *folder = make_recording_folder ();
    for (unsigned i = 0; i < N_STREAMS; i++) {
        g_autoptr (Writer) stream = writer_new (false, true);
        for (unsigned k = 0; k < N_BLOCKS * N_IN_BLOCK; k++) {
            unsigned in_block = k % N_IN_BLOCK, buffer = in_block / (N_IN_BLOCK / N_BUFFERS);
            unsigned turn = k - in_block + in_block % (N_IN_BLOCK / N_BUFFERS) * N_BUFFERS + buffer;
            writer_sample (stream, MODE_USER, 1000 + N_STREAMS * turn + i, 10, 10, 0x1010, 7,
                           user_chain, 4);
            if (i == 1 && turn % MAPS_EVERY == 0)
                writer_mmap (stream, 1000 + N_STREAMS * turn + i, 10, 0x1000, 0x1000, 0,
                             turn / MAPS_EVERY % 2 == 0 ? "/even" : "/odd");
        }
        writer_compress (stream, 0, 81, 3000);
        g_autofree char *name = g_strdup_printf ("data.%u", i);
        save (folder, name, stream->records);
    }
    PvReadContext context = {0};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_assert_true (assert_ok (error, pv_read (folder, 0, builder, &context, &error)));
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (profile->n_notes, ==, 0);
    const PvSampleSet *set = &profile->sets[0];
    g_assert_cmpuint (set->n_samples, ==, 1 + N_STREAMS * N_BLOCKS * N_IN_BLOCK);
    /* The sample and the mapping of one time are in this order. */
    const uint32_t first = 3;
    for (uint32_t i = 1; i < set->n_samples; i++)
        g_assert_cmpuint (pv_sample_set_time_ns (set, i), ==, 999 + i);
    for (uint32_t i = first; i < set->n_samples; i++) {
        bool is_odd = (i - first) / (N_STREAMS * MAPS_EVERY) % 2 != 0;
        g_assert_cmpuint (set->stack[i], ==, set->stack[first + is_odd * N_STREAMS * MAPS_EVERY]);
    }
    g_assert_cmpuint (set->stack[first], !=, set->stack[first + N_STREAMS * MAPS_EVERY]);
    remove_file (folder, "data");
    remove_file (folder, "data.0");
    remove_file (folder, "data.1");
    g_rmdir (folder);
}

TEST (cancel)
{
    g_autoptr (Writer) writer = simple (false, false, 20000);
    g_autoptr (PvJob) job = pv_job_new ();
    pv_job_cancel (job);
    PvReadContext context = {.job = job};
    assert_error (error, writer_read (writer, &context, &error), PV_JOB_ERROR,
                  PV_JOB_ERROR_CANCELLED);
}
