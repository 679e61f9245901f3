/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How heaptrack files are read: packing, cuts, threads, limits, and what is taken for one. */
#include <glib/gstdio.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "../cases.h"
#include "../made.h"
#include "heap-text.h"
#include "packers.h"

#define HEAD                                                                                       \
    "v 10400 3\nx 9 /bin/prog\nm 1 -\nm 1 x 400000 0 100000\n"                                     \
    "t 401010 0\nt 401020 1\nt 401030 1\n"

static PvProfile *
read_with (const void *data, size_t size, unsigned n_workers)
{
    PvReadContext context = {.n_workers = n_workers};
    return assert_ok (error, read_bytes (data, size, &context, &error));
}

/* --- a trace made up by chance, and what is true of it ---------------------------------------- */

enum { N_TRACES = 500, N_STEPS = 150000 };

typedef struct {
    GString *text;
    uint64_t n_allocations, n_frees, n_temporary, peak_ms;
    int64_t live, peak;
    int64_t live_of_trace[N_TRACES + 1];
    int64_t peak_of_trace[N_TRACES + 1];
    uint64_t allocations_of_trace[N_TRACES + 1];
} Model;

typedef struct {
    uint64_t size;
    unsigned trace;
} Block;

static uint64_t random_state;

static uint64_t
next_random (void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static void
model_allocate (Model *model, GHashTable *blocks, uint64_t pointer)
{
    Block *block = g_new (Block, 1);
    block->size = next_random () % 5 == 0 ? next_random () % 100000 : next_random () % 64;
    block->trace = 1 + (unsigned)(next_random () % N_TRACES);
    if (next_random () % 10000 == 0)
        block->size = (UINT64_C (1) << 32) - 2 + next_random () % 4;
    g_string_append_printf (model->text, "+ %" G_GINT64_MODIFIER "x %x %" G_GINT64_MODIFIER "x\n",
                            block->size, block->trace, pointer);
    model->n_allocations++;
    model->allocations_of_trace[block->trace]++;
    model->live += (int64_t)block->size;
    model->live_of_trace[block->trace] += (int64_t)block->size;
    g_hash_table_insert (blocks, GSIZE_TO_POINTER (pointer), block);
}

static void
model_free (Model *model, GHashTable *blocks, uint64_t pointer)
{
    const Block *block = g_hash_table_lookup (blocks, GSIZE_TO_POINTER (pointer));
    g_string_append_printf (model->text, "- %" G_GINT64_MODIFIER "x\n", pointer);
    if (block == NULL)
        return;
    model->n_frees++;
    model->live -= (int64_t)block->size;
    model->live_of_trace[block->trace] -= (int64_t)block->size;
    g_hash_table_remove (blocks, GSIZE_TO_POINTER (pointer));
}

/* Few pointers, so that blocks are allocated over and frees go astray, too. */
static Model *
make_model (void)
{
    random_state = 88172645463325252u;
    Model *model = g_new0 (Model, 1);
    model->text = g_string_new ("v 10400 3\nx 9 /bin/prog\nm 1 -\nm 1 x 400000 0 100000\n");
    for (unsigned t = 1; t <= N_TRACES; t++)
        g_string_append_printf (model->text, "t %x %x\n", 0x401000 + t, t / 3);
    g_autoptr (GHashTable) blocks = g_hash_table_new_full (NULL, NULL, NULL, g_free);
    uint64_t now_ms = 0, last = 0;
    for (unsigned i = 0; i < N_STEPS; i++) {
        uint64_t pointer = 0x10 + 16 * (next_random () % 20000);
        if (next_random () % 300 == 0)
            g_string_append_printf (model->text, "c %x\n",
                                    (unsigned)(now_ms += next_random () % 20));
        bool has_block = g_hash_table_contains (blocks, GSIZE_TO_POINTER (pointer));
        if (next_random () % 4 == 0 && last != 0) {
            model->n_temporary++;
            model_free (model, blocks, last);
            last = 0;
        } else if (has_block ? next_random () % 50 == 0 : next_random () % 50 != 0) {
            model_allocate (model, blocks, pointer);
            last = pointer;
            if (model->live > model->peak) {
                model->peak = model->live;
                model->peak_ms = now_ms;
                memcpy (model->peak_of_trace, model->live_of_trace, sizeof model->live_of_trace);
            }
        } else {
            model->n_temporary += last == pointer;
            model_free (model, blocks, pointer);
            last = 0;
        }
    }
    return model;
}

static void
model_free_all (Model *model)
{
    g_string_free (model->text, TRUE);
    g_free (model);
}

/* The trace of a site, by its address. */
static unsigned
trace_of_site (const PvProfile *profile, uint32_t site)
{
    PvLocationId location = profile->location_of_stack[profile->heap->stack_of_site[site]];
    return (unsigned)(profile->address_of_location[location] - 0x1000);
}

static void
assert_measure (const PvProfile *profile, PvHeapMeasure measure, const int64_t *expected_of_trace)
{
    const PvHeap *heap = profile->heap;
    g_autofree int64_t *weights = g_new (int64_t, heap->n_sites);
    pv_heap_weigh_sites (heap, measure, 0, heap->n_bins, weights, NULL);
    int64_t seen[N_TRACES + 1] = {0};
    for (uint32_t s = 0; s < heap->n_sites; s++)
        seen[trace_of_site (profile, s)] += weights[s];
    for (unsigned t = 1; t <= N_TRACES; t++)
        g_assert_cmpint (seen[t], ==, expected_of_trace[t]);
}

static void
assert_model (const PvProfile *profile, const Model *model)
{
    const PvHeap *heap = profile->heap;
    g_assert_cmpuint (heap->n_allocations, ==, model->n_allocations);
    g_assert_cmpuint (heap->n_frees, ==, model->n_frees);
    g_assert_cmpuint (heap->n_temporary, ==, model->n_temporary);
    g_assert_cmpint (heap->leaked_bytes, ==, model->live);
    g_assert_cmpint (heap->peak_bytes, ==, model->peak);
    g_assert_cmpuint (heap->peak_ms, ==, model->peak_ms);
    assert_measure (profile, PV_HEAP_LIVE, model->live_of_trace);
    assert_measure (profile, PV_HEAP_PEAK, model->peak_of_trace);
    assert_measure (profile, PV_HEAP_ALLOCATIONS, (const int64_t *)model->allocations_of_trace);
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
}

/* As the model says, with any number of threads and however it is packed. */
TEST (model)
{
    Model *model = make_model ();
    g_autoptr (GByteArray) text = g_byte_array_new ();
    g_byte_array_append (text, (const uint8_t *)model->text->str, (guint)model->text->len);
    g_assert_cmpuint (text->len, >, 3 << 19);
    GByteArray *(*const packers[]) (const GByteArray *) = {gzip_bytes, zstd_bytes, xz_bytes,
                                                           bzip2_bytes};
    for (unsigned n_workers = 0; n_workers <= 5; n_workers += pv_test_step (2)) {
        g_autoptr (PvProfile) profile = read_with (text->data, text->len, n_workers);
        assert_model (profile, model);
    }
    for (size_t i = 0; i < G_N_ELEMENTS (packers); i++) {
        g_autoptr (GByteArray) packed = packers[i](text);
        g_autoptr (PvProfile) profile = read_with (packed->data, packed->len, i == 0 ? 1 : 4);
        assert_model (profile, model);
    }
    model_free_all (model);
}

/* --- cuts ------------------------------------------------------------------------------------- */

static const char cut_text[] = HEAD "+ 10 1 100\n+ 20 2 200\nc a\n- 100\n+ 30 3 300\n"
                                    "- 300\n+ 1 1 400\nR 5\n+ 1 2 500\nR 6\n";

/* How many allocations are in whole lines of the first size bytes. */
static uint64_t
count_allocations (size_t size)
{
    uint64_t n = 0;
    for (size_t i = 0, line = 0; i < size; i++) {
        if (cut_text[i] != '\n')
            continue;
        n += cut_text[line] == '+';
        line = i + 1;
    }
    return n;
}

TEST (cut)
{
    size_t version_line = strchr (cut_text, '\n') + 1 - cut_text;
    size_t rss_end = (size_t)(strstr (cut_text, "R 5\n") + 4 - cut_text);
    for (size_t size = 1; size <= strlen (cut_text); size++) {
        g_autoptr (GError) error = NULL;
        g_autoptr (PvProfile) profile = read_bytes (cut_text, size, NULL, &error);
        if (size < version_line) {
            g_assert_error (error, PV_READ_ERROR, PV_READ_ERROR_UNKNOWN_FORMAT);
            continue;
        }
        g_assert_no_error (error);
        g_assert_cmpuint (profile->heap->n_allocations, ==, count_allocations (size));
        bool is_half = cut_text[size - 1] != '\n';
        /* A whole last line is no proper end either, unless it is the resident memory. */
        bool is_cut = is_half || (size > rss_end && size < strlen (cut_text));
        g_assert_cmpint (perf_has_note (profile, PV_NOTE_TRUNCATED_FILE), ==, is_cut);
        g_assert_cmpint (profile->heap->is_cut, ==, is_cut);
        g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    }
}

/* Cut within the compressed bytes, and damaged there: what could be unpacked, with a note. */
TEST (packed_cut)
{
    GByteArray *(*const packers[]) (const GByteArray *) = {gzip_bytes, zstd_bytes, xz_bytes,
                                                           bzip2_bytes};
    g_autoptr (GByteArray) text = g_byte_array_new ();
    g_byte_array_append (text, (const uint8_t *)cut_text, (guint)strlen (cut_text));
    for (size_t i = 0; i < G_N_ELEMENTS (packers); i++) {
        g_autoptr (GByteArray) packed = packers[i](text);
        for (size_t size = 6; size < packed->len; size += pv_test_step (3)) {
            g_autoptr (GError) error = NULL;
            g_autoptr (PvProfile) profile = read_bytes (packed->data, size, NULL, &error);
            g_assert_true (profile == NULL ? error != NULL
                                           : perf_has_note (profile, PV_NOTE_TRUNCATED_FILE));
        }
        for (size_t at = 6; at < packed->len; at += pv_test_step (3)) {
            g_autoptr (GByteArray) damaged = g_byte_array_new ();
            g_byte_array_append (damaged, packed->data, packed->len);
            damaged->data[at] ^= 0x55;
            g_autoptr (PvProfile) profile = read_bytes (damaged->data, damaged->len, NULL, NULL);
            if (profile != NULL)
                g_assert_cmpuint (profile->heap->n_allocations, <=, 5);
        }
    }
    Model *model = make_model ();
    g_autoptr (GByteArray) long_text = g_byte_array_new ();
    g_byte_array_append (long_text, (const uint8_t *)model->text->str, (guint)model->text->len);
    for (size_t i = 0; i < G_N_ELEMENTS (packers); i++) {
        g_autoptr (GByteArray) packed = packers[i](long_text);
        g_autoptr (PvProfile) profile = read_with (packed->data, packed->len / 2, 4);
        g_assert_true (perf_has_note (profile, PV_NOTE_TRUNCATED_FILE));
        g_assert_cmpuint (profile->heap->n_allocations, >, model->n_allocations / 4);
        g_assert_cmpuint (profile->heap->n_allocations, <, model->n_allocations * 3 / 4);
    }
    model_free_all (model);
}

/* Several gzip members or zstd frames in a row, cut anywhere. */
TEST (concatenated)
{
    GByteArray *(*const packers[]) (const GByteArray *) = {gzip_bytes, zstd_bytes, xz_bytes,
                                                           bzip2_bytes};
    for (size_t i = 0; i < G_N_ELEMENTS (packers); i++) {
        for (size_t cut = 12; cut < strlen (cut_text); cut += 7) {
            g_autoptr (GByteArray) first = g_byte_array_new ();
            g_autoptr (GByteArray) second = g_byte_array_new ();
            g_byte_array_append (first, (const uint8_t *)cut_text, (guint)cut);
            g_byte_array_append (second, (const uint8_t *)cut_text + cut,
                                 (guint)(strlen (cut_text) - cut));
            g_autoptr (GByteArray) packed = packers[i](first);
            g_autoptr (GByteArray) packed_second = packers[i](second);
            g_byte_array_append (packed, packed_second->data, packed_second->len);
            g_autoptr (PvProfile) profile = read_with (packed->data, packed->len, 0);
            g_assert_cmpuint (profile->heap->n_allocations, ==, 5);
            g_assert_cmpuint (profile->n_notes, ==, 0);
        }
    }
}

/* --- long lines ------------------------------------------------------------------------------- */

/* Longer than a block of text, and longer than any line may be. */
LARGE_TEST (long_lines)
{
    static const struct {
        size_t size;
        bool is_name;
    } variants[] = {{100, true},      {(512 << 10) - 20, true}, {512 << 10, true}, {3 << 20, true},
                    {15 << 20, true}, {17 << 20, false},        {40 << 20, false}};
    for (size_t i = 0; i < G_N_ELEMENTS (variants); i += pv_test_step (2)) {
        g_autoptr (GString) text = g_string_new ("v 10400 3\ns 2 /p\n");
        g_string_append_printf (text, "s %x ", (unsigned)variants[i].size);
        size_t start = text->len;
        g_string_set_size (text, start + variants[i].size);
        memset (text->str + start, '-', variants[i].size);
        /* what would be taken for a line if a piece began with it */
        for (size_t at = start; at + 16 < text->len; at += 16)
            memcpy (text->str + at, "+ 0 + 0 + 0 + 0 ", 16);
        g_string_append (text, "\ns 1 f\ni 10 1 3\ni 10 1 2\nt 1 0\nt 2 1\na 10 2\n+ 0\n");
        g_autoptr (PvProfile) profile = read_with (text->str, text->len, i % 2 == 0 ? 4 : 1);
        g_assert_cmpuint (profile->heap->n_allocations, ==, 1);
        g_assert_cmpuint (profile->n_skipped_records, ==, !variants[i].is_name);
        PvStackId stack = profile->heap->stack_of_site[0];
        const PvGivenFrame *frame =
            &profile->given_frames[profile->given_of_location[profile->location_of_stack[stack]]];
        if (variants[i].is_name)
            g_assert_cmpuint (strlen (frame->name), ==, variants[i].size);
        else
            g_assert_cmpstr (frame->name, ==, "p at 0x10");
        g_assert_cmpint (frame->is_unknown, ==, !variants[i].is_name);
        stack = profile->parent_of_stack[stack];
        frame =
            &profile->given_frames[profile->given_of_location[profile->location_of_stack[stack]]];
        g_assert_cmpstr (frame->name, ==, "f");
    }
}

/* Cut short while it is mapped: zeros stand in for what is gone, and a note says so. */
TEST (shrinking)
{
    Model *model = make_model ();
    g_autoptr (GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp ("profview-XXXXXX", &error);
    g_autofree char *path = g_build_filename (folder, "trace", NULL);
    for (unsigned n_workers = 1; n_workers <= 4; n_workers += 3) {
        g_assert_true (
            g_file_set_contents (path, model->text->str, (gssize)model->text->len, &error));
        g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, &error);
        g_assert_nonnull (file);
        g_assert_cmpint (truncate (path, (off_t)(model->text->len / 2)), ==, 0);
        PvReadContext context = {.n_workers = n_workers};
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        g_assert_true (pv_read_bytes (file, builder, &context, &error));
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_assert_true (perf_has_note (profile, PV_NOTE_TRUNCATED_FILE));
        g_assert_cmpuint (profile->heap->n_allocations, >, model->n_allocations / 4);
        g_assert_cmpuint (profile->heap->n_allocations, <, model->n_allocations * 3 / 4);
    }
    g_assert_cmpint (g_unlink (path), ==, 0);
    g_assert_cmpint (g_rmdir (folder), ==, 0);
    model_free_all (model);
}

/* --- limits ----------------------------------------------------------------------------------- */

/* n times the same piece behind the head, each packed on its own. */
static GByteArray *
make_bomb (const char *head, const char *line, size_t n_lines, size_t n)
{
    g_autoptr (GByteArray) first = g_byte_array_new ();
    g_byte_array_append (first, (const uint8_t *)head, (guint)strlen (head));
    g_autoptr (GByteArray) piece = g_byte_array_new ();
    for (size_t i = 0; i < n_lines; i++)
        g_byte_array_append (piece, (const uint8_t *)line, (guint)strlen (line));
    GByteArray *packed = zstd_bytes (first);
    g_autoptr (GByteArray) packed_piece = zstd_bytes (piece);
    for (size_t i = 0; i < n; i++)
        g_byte_array_append (packed, packed_piece->data, packed_piece->len);
    return packed;
}

/* Tables that would take more than is in proportion to the file: the rest is left out. */
LARGE_TEST (memory_limit)
{
    g_autoptr (GByteArray) bomb =
        make_bomb ("v 10400 3\ns 2 /p\ni 1 1\nt 1 0\na 10 1\n+ 0\n", "s 1 f\n", 100000, 200);
    g_assert_cmpuint (bomb->len, <, 100000);
    g_autoptr (PvProfile) profile = read_with (bomb->data, bomb->len, 4);
    g_assert_true (perf_has_note (profile, PV_NOTE_TRUNCATED_FILE));
    g_assert_cmpuint (profile->heap->n_allocations, ==, 1);
}

/* More unpacked text than allowed: what came before. */
TEST (size_limit)
{
    g_autoptr (GByteArray) bomb = make_bomb (HEAD, "+ 10 1 100\n- 100\n", 10000, 100);
    g_autoptr (GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp ("profview-XXXXXX", &error);
    g_autofree char *path = g_build_filename (folder, "bomb", NULL);
    g_assert_true (g_file_set_contents (path, (const char *)bomb->data, bomb->len, &error));
    static const uint64_t limits[] = {1, 100, 65536, 100000, 5 << 20, 100 << 20};
    for (size_t i = 0; i < G_N_ELEMENTS (limits); i++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        g_autoptr (GError) limit_error = NULL;
        PvReadContext context = {0};
        if (!pv_read (path, limits[i], builder, &context, &limit_error)) {
            g_assert_cmpuint (limits[i], <, 10);
            continue;
        }
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        bool is_all = limits[i] == 100 << 20;
        g_assert_cmpint (perf_has_note (profile, PV_NOTE_TRUNCATED_FILE), ==, !is_all);
        uint64_t n = profile->heap->n_allocations;
        uint64_t n_fit = is_all ? 1000000 : (limits[i] - MIN (limits[i], strlen (HEAD))) / 17;
        g_assert_cmpuint (n, >=, n_fit);
        g_assert_cmpuint (n, <=, n_fit + 1);
    }
    g_assert_cmpint (g_unlink (path), ==, 0);
    g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* --- cancelling ------------------------------------------------------------------------------- */

typedef struct {
    PvJob *job;
    double at;
} Canceller;

static void *
cancel_at (void *data)
{
    Canceller *canceller = data;
    double fraction = 0;
    while (fraction < canceller->at) {
        pv_job_get_progress (canceller->job, &fraction);
        g_usleep (100);
    }
    pv_job_cancel (canceller->job);
    return NULL;
}

/* At any moment, with any number of threads: it ends. */
TEST (cancel)
{
    g_autoptr (GByteArray) packed = make_bomb (HEAD, "+ 10 1 100\n- 100\n+ 8 2 200\n", 20000, 2000);
    /* Seconds before the end, which a busy machine may reach before the other thread runs again. */
    static const double moments[] = {-2, 0, 0.01, 0.05};
    for (unsigned n_workers = 1; n_workers <= 4; n_workers += pv_test_step (3)) {
        for (size_t i = 0; i < G_N_ELEMENTS (moments); i++) {
            g_autoptr (PvJob) job = pv_job_new ();
            PvReadContext context = {.job = job, .n_workers = n_workers};
            Canceller canceller = {job, moments[i]};
            pthread_t thread;
            g_autoptr (GError) error = NULL;
            g_assert_cmpint (pthread_create (&thread, NULL, cancel_at, &canceller), ==, 0);
            g_autoptr (PvProfile) profile =
                read_bytes (packed->data, packed->len, &context, &error);
            g_assert_cmpint (pthread_join (thread, NULL), ==, 0);
            g_assert_null (profile);
            g_assert_error (error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);
        }
    }
}

/* --- what is one ------------------------------------------------------------------------------ */

TEST (sniff)
{
    static const char *const others[] = {
        "",
        "\n",
        "v",
        "v 10400",
        "v 1.0 2.0 3.0\nv 1.0 2.0 4.0\nf 1 2 3\n",
        "v 1 2 3\nv 1 2 4\nv 10 20 30\nf 1 2 3\n",
        "v 1 2\nv 2 3\n",
        "x y\na b\nt 1 0\n",
        "t 10 0\n",
        "+ 1 1 10\n- 10\n+ 1 1 10\n- 10\n",
        "- item\n- item\n- item\n",
        "# a comment\n\n# another\n",
        "c 1\nc 2\nc 3\nc 4\n",
        "s a\ns b\ni x y\nt 1 0\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (others); i++) {
        assert_error (error, read_bytes (others[i], strlen (others[i]), NULL, &error),
                      PV_READ_ERROR, PV_READ_ERROR_UNKNOWN_FORMAT);
    }
    static const char script[] = "prog 123 456.789: 1 cycles:\n\t7f0 f (/lib/x)\n";
    g_assert_false (pv_heaptrack_reader.sniff ((const uint8_t *)script, strlen (script)));
    static const char *const ours[] = {
        "v 10400 3\n",
        "v 10200\n",
        "v 10400 3\nthe rest is damaged\n",
        "X prog a\ns /bin/prog\ni 10 1\nt 1 0\n+ 10 1 50\n",
        "x /bin/prog\nm -\nm x 0 0 1000\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (ours); i++) {
        g_autoptr (PvProfile) profile = read_heap (ours[i]);
        g_assert_cmpstr (profile->facts.format, ==, "heaptrack");
    }
    g_autoptr (PvProfile) empty = read_heap (ours[0]);
    g_assert_cmpuint (empty->n_notes, ==, 0);
    g_assert_true (made_says_nothing (empty, "contains no allocations"));
    g_assert_cmpuint (empty->heap->n_sites, ==, 0);
}
