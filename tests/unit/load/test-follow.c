/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings read while they grow. A recording of tests/data is written piece by piece, as its
 * recorder did: the header of a file says nothing of its end until the end. What is read in steps
 * must be what is read of the whole.
 */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <utime.h>
#include <zstd.h>

#include "../cases.h"
#include "../read/perf-writer.h"
#include "../scratch.h"
#include "../texts.h"
#include "core/analyze/query/query.h"
#include "core/base/error.h"
#include "core/load/follow.h"
#include "core/load/save-pprof.h"
#include "core/read/unpack/unpack.h"
#include "loaded.h"

#define SIZE_OFFSET 48 /* of the size of the records, in the header of a file */

/* The options own nothing; the sysroot is one string for all tests. */
static PvLoadOptions
make_options (void)
{
    static char *sysroot;
    if (sysroot == NULL)
        sysroot = get_data ("sysroot");
    return (PvLoadOptions){.symbols = {.sysroot = sysroot, .n_workers = 1}};
}

/* Results as text */

static void
append_stack (GString *text, const PvProfile *profile, const PvSymbolTable *symbols,
              PvStackId stack, bool has_labels)
{
    for (; stack != 0; stack = profile->parent_of_stack[stack]) {
        PvLocationId location = profile->location_of_stack[stack];
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (symbols, location, &n_frames);
        g_string_append_printf (
            text, " %" G_GINT64_MODIFIER "x:", profile->address_of_location[location]);
        for (uint32_t f = 0; f < n_frames; f++) {
            const PvFunction *function = &symbols->functions[frames[f].function];
            g_string_append_printf (text, "%s/%s/%s/%s:%u%s;", function->name,
                                    has_labels ? function->label : "",
                                    profile->modules[function->module].name, frames[f].file,
                                    frames[f].line, frames[f].is_inlined ? " inlined" : "");
        }
    }
}

/* All samples, each with its stack, in the order of their text. */
static GPtrArray *
list_samples (const PvProfile *profile, const PvSymbolTable *symbols)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        const PvSampleSet *set = &profile->sets[s];
        for (uint32_t i = 0; i < set->n_samples; i++) {
            const PvThread *thread = &profile->threads[pv_sample_set_thread (set, i)];
            GString *line = g_string_new (set->name);
            g_string_append_printf (line, " %020" G_GUINT64_FORMAT " %d %s cpu %u end %u",
                                    pv_sample_set_time_ns (set, i), thread->tid, thread->name,
                                    pv_sample_set_cpu (set, i), pv_sample_set_stack_end (set, i));
            if (set->duration_ns != NULL)
                g_string_append_printf (line, " for %" G_GUINT64_FORMAT, set->duration_ns[i]);
            for (uint32_t w = 0; w < set->n_weights; w++)
                g_string_append_printf (line, " %" G_GUINT64_FORMAT,
                                        pv_sample_set_weight (set, w, i));
            append_stack (line, profile, symbols, set->stack[i], true);
            g_ptr_array_add (lines, g_string_free (line, FALSE));
        }
    }
    g_ptr_array_sort (lines, compare_texts);
    return lines;
}

static void
append_notes (GString *text, const PvNote *notes, uint32_t n_notes)
{
    for (uint32_t i = 0; i < n_notes; i++)
        g_string_append_printf (text, "%u %u %s\n", notes[i].severity, notes[i].kind,
                                notes[i].text);
}

/* The summary without the lines that depend on the file's time. */
static char *
describe (const Loaded *result)
{
    const PvProfile *profile = result->profile;
    const PvFacts *facts = &profile->facts;
    GString *text = g_string_new (NULL);
    g_string_append_printf (
        text, "%s|%s|%s|%s|%s|%s|%s|%s|%s|%u|%" G_GUINT64_FORMAT "|%" G_GUINT64_FORMAT "\n",
        facts->format, facts->command, facts->host, facts->kernel_release, facts->arch, facts->cpu,
        facts->recorder, facts->events, facts->call_graph, facts->n_cpus, facts->size_bytes,
        profile->n_lost);
    g_string_append_printf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                            profile->start_ns, profile->duration_ns);
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        g_string_append_printf (text, "%s %" G_GUINT64_FORMAT "\n", profile->measures[m].name,
                                profile->measures[m].total);
    append_notes (text, profile->notes, profile->n_notes);
    append_notes (text, result->symbols->notes, result->symbols->n_notes);
    return g_string_free (text, FALSE);
}

static char *export(const Loaded *result, gsize *ret_size)
{
    g_autofree char *path = NULL;
    int fd = assert_ok (error, g_file_open_tmp ("follow-XXXXXX", &path, &error));
    g_close (fd, NULL);
    g_auto (PvQuery) query = new_query ();
    uint64_t n_samples;
    assert_ok (error, pv_save_pprof (result->profile, result->symbols, &query, path, &n_samples,
                                     NULL, &error));
    char *bytes;
    assert_ok (error, g_file_get_contents (path, &bytes, ret_size, &error));
    g_unlink (path);
    return bytes;
}

static void
assert_same (const Loaded *result, const Loaded *expected)
{
    g_autofree char *expected_text = describe (expected);
    assert_string (describe (result), expected_text);
    g_autoptr (GPtrArray) lines = list_samples (result->profile, result->symbols);
    g_autoptr (GPtrArray) expected_lines = list_samples (expected->profile, expected->symbols);
    g_assert_cmpuint (lines->len, ==, expected_lines->len);
    for (guint i = 0; i < lines->len; i++)
        g_assert_cmpstr (lines->pdata[i], ==, expected_lines->pdata[i]);
    g_assert_cmpuint (result->profile->n_stacks, ==, expected->profile->n_stacks);
    g_assert_cmpuint (result->profile->n_locations, ==, expected->profile->n_locations);
    gsize size, expected_size;
    g_autofree char *bytes = export(result, &size);
    g_autofree char *expected_bytes = export(expected, &expected_size);
    g_assert_cmpuint (size, ==, expected_size);
    /* Dumps that are unwound in other batches may give rows in another order. */
    if (memcmp (result->profile->location_of_stack, expected->profile->location_of_stack,
                result->profile->n_stacks * sizeof (PvLocationId)) == 0)
        g_assert_cmpmem (bytes, size, expected_bytes, expected_size);
}

/* The growing file */

typedef struct {
    char *path;
    PvMappedFile *file; /* all of it */
    const uint8_t *data;
    size_t size;
    size_t records_end; /* where the recorder begins to write the end */
    bool is_pipe;
} Recording;

static uint64_t
load_u64 (const uint8_t *p)
{
    uint64_t value;
    memcpy (&value, p, sizeof value);
    return value;
}

/* A file of tests/data, unpacked. */
static PvMappedFile *
open_data (const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename (g_getenv ("PV_TEST_DATA"), folder, name, NULL);
    g_autoptr (PvMappedFile) file = assert_ok (error, pv_mapped_file_open (path, &error));
    PvPacking packing =
        pv_unpack_sniff (pv_mapped_file_get_data (file), pv_mapped_file_get_size (file));
    bool is_truncated = false;
    uint64_t position;
    if (packing == PV_PACKING_NONE)
        return g_steal_pointer (&file);
    return assert_ok (error, pv_unpack (file, packing, UINT64_C (1) << 30, NULL, &is_truncated,
                                        &position, &error));
}

static void
recording_take (Recording *recording, PvMappedFile *file)
{
    *recording = (Recording){.file = file, .data = pv_mapped_file_get_data (file)};
    recording->size = recording->records_end = pv_mapped_file_get_size (file);
    int fd = assert_ok (error, g_file_open_tmp ("growing-XXXXXX", &recording->path, &error));
    g_close (fd, NULL);
}

static void
recording_open (Recording *recording, const char *name)
{
    recording_take (recording, open_data ("recordings", name));
    recording->is_pipe = load_u64 (recording->data + 8) == 16;
    if (!recording->is_pipe)
        recording->records_end =
            load_u64 (recording->data + SIZE_OFFSET - 8) + load_u64 (recording->data + SIZE_OFFSET);
}

static void
recording_clear (Recording *recording)
{
    g_unlink (recording->path);
    g_free (recording->path);
    pv_mapped_file_unref (recording->file);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Recording, recording_clear)

/* Grows the file to so many bytes, as they are before the end is written. */
static void
grow_to (const Recording *recording, size_t size)
{
    g_autofree uint8_t *bytes = g_memdup2 (recording->data, MAX (size, 1));
    FILE *stream = g_fopen (recording->path, "r+");
    if (!recording->is_pipe && size >= SIZE_OFFSET + 8)
        memset (bytes + SIZE_OFFSET, 0, 8);
    g_assert_cmpuint (fwrite (bytes, 1, size, stream), ==, size);
    g_assert_cmpint (fclose (stream), ==, 0);
}

/* The whole file as the recorder leaves it. Its time becomes that of the profile. */
static void
complete (const Recording *recording)
{
    FILE *stream = g_fopen (recording->path, "r+");
    struct utimbuf times = {1700000000, 1700000000};
    g_assert_cmpuint (fwrite (recording->data, 1, recording->size, stream), ==, recording->size);
    g_assert_cmpint (fclose (stream), ==, 0);
    g_assert_cmpint (g_utime (recording->path, &times), ==, 0);
}

static void
load_whole (const Recording *recording, Loaded *ret_result)
{
    PvLoadOptions options = make_options ();
    PvLoadEvents events = loaded_events (ret_result);
    assert_ok (error, pv_load (recording->path, &options, &events, NULL, &error));
}

static void
finish (PvFollow *follow, Loaded *ret_result)
{
    PvLoadEvents events = loaded_events (ret_result);
    assert_ok (error, pv_follow_finish (follow, 1, &events, NULL, &error));
}

/* Steps */

/* The result of a step is the beginning of the next one's. */
static void
assert_prefix (const PvFollowStep *step, const PvFollowStep *next)
{
    const PvProfile *a = step->profile, *b = next->profile;
    g_assert_cmpuint (a->n_samples, <=, b->n_samples);
    g_assert_cmpuint (pv_profile_count_all_samples (a), <, pv_profile_count_all_samples (b));
    g_assert_cmpuint (a->n_stacks, <=, b->n_stacks);
    g_assert_true (a->store == b->store);
    g_assert_cmpmem (a->parent_of_stack, a->n_stacks * sizeof (PvStackId), b->parent_of_stack,
                     a->n_stacks * sizeof (PvStackId));
    g_assert_cmpmem (a->location_of_stack, a->n_stacks * sizeof (PvLocationId),
                     b->location_of_stack, a->n_stacks * sizeof (PvLocationId));
    g_assert_cmpuint (step->symbols->n_functions, <=, next->symbols->n_functions);
    for (PvFunctionId f = 0; f < step->symbols->n_functions; f++)
        g_assert_true (step->symbols->functions[f].name == next->symbols->functions[f].name);
}

static void
assert_sorted (const PvProfile *profile)
{
    for (uint32_t s = 0; s < profile->n_sets; s++)
        for (uint32_t i = 1; i < profile->sets[s].n_samples; i++)
            g_assert_cmpuint (pv_sample_set_time_ns (&profile->sets[s], i - 1), <=,
                              pv_sample_set_time_ns (&profile->sets[s], i));
}

static bool
has_kernel (const PvProfile *profile, PvStackId stack)
{
    for (; stack != 0; stack = profile->parent_of_stack[stack])
        if (profile->modules[profile->module_of_location[profile->location_of_stack[stack]]]
                .is_kernel)
            return true;
    return false;
}

/* Every location has the names in a snapshot that it has at the end, except those of the kernel: of
 * it a file says only at its end which one it was. */
static void
assert_same_names (const PvFollowStep *step, const Loaded *end)
{
    g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    for (int of_end = 1; of_end >= 0; of_end--) {
        const PvProfile *profile = of_end ? end->profile : step->profile;
        const PvSymbolTable *symbols = of_end ? end->symbols : step->symbols;
        for (PvStackId stack = 1; stack < profile->n_stacks; stack++) {
            if (has_kernel (profile, stack))
                continue;
            GString *text = g_string_new (NULL);
            append_stack (text, profile, symbols, stack, false);
            if (of_end)
                g_hash_table_add (names, g_string_free (text, FALSE));
            else if (!g_hash_table_contains (names, text->str))
                g_error ("not at the end: %s", text->str);
            if (!of_end)
                g_string_free (text, TRUE);
        }
    }
}

static unsigned
follow_cuts (const Recording *recording, const size_t *cuts, size_t n_cuts, Loaded *ret_result)
{
    PvLoadOptions options = make_options ();
    g_autoptr (PvFollow) follow = pv_follow_new (recording->path, &options);
    g_auto (PvFollowStep) last = {0};
    unsigned n_shown = 0;
    for (size_t i = 0; i < n_cuts; i++) {
        grow_to (recording, cuts[i]);
        PvFollowStep step;
        assert_ok (error, pv_follow_step (follow, NULL, &step, &error));
        if (step.profile == NULL)
            continue;
        assert_sorted (step.profile);
        if (last.profile != NULL && last.profile->store == step.profile->store)
            assert_prefix (&last, &step);
        pv_follow_step_clear (&last);
        last = step;
        n_shown++;
    }
    complete (recording);
    finish (follow, ret_result);
    g_assert_true (ret_result->symbols->is_complete);
    if (last.profile == NULL)
        return n_shown;
    assert_same_names (&last, ret_result);
    g_test_message ("%s",
                    last.profile->store == ret_result->profile->store ? "followed" : "read anew");
    return n_shown;
}

/* Cuts at the borders of records and a byte or more beside them, and at other places. */
static void
make_cuts (const Recording *recording, unsigned variant, GArray *cuts)
{
    size_t at = recording->is_pipe ? 16 : load_u64 (recording->data + SIZE_OFFSET - 8);
    const size_t first[] = {0, 1, 8, 16, 64, 104, at};
    for (size_t i = 0; variant == 0 && i < G_N_ELEMENTS (first); i++)
        if (first[i] <= at)
            g_array_append_val (cuts, first[i]);
    unsigned n = 0;
    while (at < recording->records_end) {
        uint16_t size;
        memcpy (&size, recording->data + at + 6, sizeof size);
        g_assert_cmpuint (size, >=, 8);
        const size_t beside[] = {0, 1, 4, 7, 8, size / 2, size - 1u};
        if (n % 3 == variant % 3 || at + size >= recording->records_end) {
            size_t cut = at + beside[(n / 3 + variant) % G_N_ELEMENTS (beside)];
            g_array_append_val (cuts, cut);
        }
        at += size;
        n++;
    }
    g_array_append_val (cuts, recording->records_end);
}

static void
check_recording (const void *name)
{
    g_auto (Recording) recording;
    recording_open (&recording, name);
    complete (&recording);
    g_auto (Loaded) expected = {0};
    load_whole (&recording, &expected);
    for (unsigned variant = 0; variant < 3; variant++) {
        g_autoptr (GArray) cuts = g_array_new (FALSE, FALSE, sizeof (size_t));
        make_cuts (&recording, variant, cuts);
        /* Emptied, as by a recorder that begins. */
        g_assert_cmpint (fclose (g_fopen (recording.path, "w")), ==, 0);
        g_auto (Loaded) result = {0};
        unsigned n_shown =
            follow_cuts (&recording, (const size_t *)(void *)cuts->data, cuts->len, &result);
        g_test_message ("%u cuts, %u snapshots", cuts->len, n_shown);
        assert_same (&result, &expected);
    }
}

/* Heaps */

/* A step's heap, against the step before. */
static void
assert_heap_grew (const PvProfile *before, const PvProfile *after)
{
    const PvHeap *a = before->heap, *b = after->heap;
    g_assert_true (before->store == after->store);
    g_assert_cmpuint (a->n_allocations + a->n_frees, <, b->n_allocations + b->n_frees);
    g_assert_cmpuint (a->duration_ms, <=, b->duration_ms);
    g_assert_cmpint (a->peak_bytes, <=, b->peak_bytes);
    g_assert_cmpuint (a->n_sites, <=, b->n_sites);
    g_assert_cmpmem (a->stack_of_site, a->n_sites * sizeof (uint32_t), b->stack_of_site,
                     a->n_sites * sizeof (uint32_t));
    g_assert_cmpuint (before->n_stacks, <=, after->n_stacks);
    g_assert_cmpmem (before->location_of_stack, before->n_stacks * sizeof (PvLocationId),
                     after->location_of_stack, before->n_stacks * sizeof (PvLocationId));
}

static void
follow_heap (const Recording *recording, unsigned n_pieces, Loaded *ret_result)
{
    PvLoadOptions options = make_options ();
    g_autoptr (PvFollow) follow = pv_follow_new (recording->path, &options);
    g_autoptr (GRand) random = g_rand_new_with_seed (n_pieces);
    g_auto (PvFollowStep) last = {0};
    g_autoptr (GError) error = NULL;
    unsigned n_shown = 0;
    for (unsigned i = 1; i <= n_pieces; i++) {
        size_t most = recording->size * i / n_pieces;
        size_t less = i < n_pieces ? (size_t)g_rand_int_range (random, 0, 3) : n_pieces % 2;
        grow_to (recording, most - less);
        PvFollowStep step;
        /* The beginning may be too short to tell what it is. */
        if (!pv_follow_step (follow, NULL, &step, &error))
            g_assert_cmpuint (n_shown, ==, 0);
        g_clear_error (&error);
        if (step.profile == NULL)
            continue;
        g_assert_cmpuint (step.profile->n_processes, ==, 2);
        if (last.profile != NULL)
            assert_heap_grew (last.profile, step.profile);
        pv_follow_step_clear (&last);
        last = step;
        n_shown++;
    }
    complete (recording);
    finish (follow, ret_result);
    g_assert_cmpuint (n_shown, >, n_pieces / 17);
    g_assert_true (last.profile->store == ret_result->profile->store);
    g_test_message ("%u pieces, %u snapshots", n_pieces, n_shown);
}

static void
assert_same_history (const PvHeap *heap, const PvHeap *expected)
{
    g_assert_cmpuint (heap->bin_ms, ==, expected->bin_ms);
    g_assert_cmpmem (heap->bins, heap->n_bins * sizeof (PvHeapBin), expected->bins,
                     expected->n_bins * sizeof (PvHeapBin));
    g_assert_cmpuint (heap->n_rows, ==, expected->n_rows);
    g_assert_cmpuint (heap->peak_ms, ==, expected->peak_ms);
    g_assert_cmpmem (heap->total_of_measure, sizeof heap->total_of_measure,
                     expected->total_of_measure, sizeof expected->total_of_measure);
}

/* As a recorder packs that is asked now and then to write all it holds. */
static PvMappedFile *
pack_in_pieces (const PvMappedFile *file)
{
    enum { N_PIECES = 20 };
    const uint8_t *data = pv_mapped_file_get_data (file);
    size_t size = pv_mapped_file_get_size (file);
    size_t cap = ZSTD_compressBound (size) + 1024 * N_PIECES;
    ZSTD_CCtx *packer = ZSTD_createCCtx ();
    ZSTD_outBuffer out = {g_malloc (cap), cap, 0};
    for (size_t i = 0; i < N_PIECES; i++) {
        size_t start = size * i / N_PIECES, end = size * (i + 1) / N_PIECES;
        ZSTD_inBuffer in = {data + start, end - start, 0};
        size_t left =
            ZSTD_compressStream2 (packer, &out, &in, i + 1 < N_PIECES ? ZSTD_e_flush : ZSTD_e_end);
        g_assert_cmpuint (left, ==, 0);
    }
    ZSTD_freeCCtx (packer);
    return pv_mapped_file_new_take (out.dst, out.pos);
}

static void
check_heap (const char *name, bool is_packed)
{
    static const unsigned n_pieces[] = {3, 17, 60};
    g_auto (Recording) recording;
    g_autoptr (PvMappedFile) plain = open_data ("heaptrack", name);
    recording_take (&recording, is_packed ? pack_in_pieces (plain) : pv_mapped_file_ref (plain));
    recording.is_pipe = true; /* its beginning stays as it is */
    complete (&recording);
    g_auto (Loaded) expected = {0};
    load_whole (&recording, &expected);
    for (size_t i = 0; i < G_N_ELEMENTS (n_pieces); i++) {
        g_assert_cmpint (fclose (g_fopen (recording.path, "w")), ==, 0);
        g_auto (Loaded) result = {0};
        follow_heap (&recording, n_pieces[i], &result);
        assert_same (&result, &expected);
        assert_same_history (result.profile->heap, expected.profile->heap);
    }
}

static void
check_packed_heap (const void *name)
{
    check_heap (name, true);
}

static void
check_plain_heap (const void *name)
{
    check_heap (name, false);
}

/* gzip goes on from nowhere but its start. */
TEST (heap_gzip)
{
    g_auto (Recording) recording;
    g_autoptr (GError) error = NULL;
    recording_take (&recording, open_data ("heaptrack", "leak.raw.zst"));
    g_autoptr (GFile) file = g_file_new_for_path (recording.path);
    g_autoptr (GOutputStream) plain =
        G_OUTPUT_STREAM (g_file_replace (file, NULL, FALSE, 0, NULL, &error));
    g_assert_no_error (error);
    g_autoptr (GConverter) packer =
        G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6));
    g_autoptr (GOutputStream) packed = g_converter_output_stream_new (plain, packer);
    g_assert_true (
        g_output_stream_write_all (packed, recording.data, recording.size, NULL, NULL, &error));
    g_assert_true (g_output_stream_close (packed, NULL, &error));
    PvLoadOptions options = make_options ();
    g_autoptr (PvFollow) follow = pv_follow_new (recording.path, &options);
    PvFollowStep step;
    g_assert_false (pv_follow_step (follow, NULL, &step, &error));
    g_assert_error (error, PV_READ_ERROR, PV_READ_ERROR_UNSUPPORTED);
    g_clear_error (&error);
    g_auto (Loaded) result = {0}, expected = {0};
    finish (follow, &result);
    load_whole (&recording, &expected);
    assert_same (&result, &expected);
}

/* Streams made for the purpose */

static void
add_sample (Writer *writer, uint64_t time, uint64_t ip)
{
    const uint64_t chain[] = {CONTEXT_USER, ip};
    writer_sample (writer, MODE_USER, time, 7, 7, ip, 1, chain, G_N_ELEMENTS (chain));
}

static void
write_stream (const Writer *writer, const char *path)
{
    g_autoptr (GByteArray) bytes = writer_build (writer);
    FILE *stream = g_fopen (path, "r+");
    g_assert_cmpuint (fwrite (bytes->data, 1, bytes->len, stream), ==, bytes->len);
    g_assert_cmpint (fclose (stream), ==, 0);
}

static void
step_stream (PvFollow *follow, const Writer *writer, const char *path, PvFollowStep *ret_step)
{
    write_stream (writer, path);
    assert_ok (error, pv_follow_step (follow, NULL, ret_step, &error));
}

static const char *
module_of_sample (const PvProfile *profile, uint32_t sample)
{
    PvLocationId location = profile->location_of_stack[profile->sets[0].stack[sample]];
    return profile->modules[profile->module_of_location[location]].path;
}

/* A mapping that comes after samples that it belongs before, from another CPU's buffer: what was
 * shown without the end of a round was wrong. */
TEST (late_record)
{
    g_autoptr (Writer) writer = writer_new (false, true);
    g_autofree char *path = NULL;
    assert_ok (error, g_close (g_file_open_tmp ("late-XXXXXX", &path, &error), NULL));
    PvLoadOptions options = make_options ();
    g_autoptr (PvFollow) follow = pv_follow_new (path, &options);
    g_auto (PvFollowStep) first = {0}, same = {0}, second = {0};

    writer_attr (writer, &writer_plain_attr, NULL, 0);
    writer_mmap (writer, 100, 7, 0x1000, 0x1000, 0, "/old");
    add_sample (writer, 300, 0x1100);
    step_stream (follow, writer, path, &first);
    g_assert_cmpuint (first.profile->n_samples, ==, 1);
    g_assert_cmpstr (module_of_sample (first.profile, 0), ==, "/old");
    step_stream (follow, writer, path, &same);
    g_assert_null (same.profile);

    writer_mmap (writer, 200, 7, 0x1000, 0x1000, 0, "/new");
    add_sample (writer, 150, 0x1100);
    step_stream (follow, writer, path, &second);
    g_assert_cmpuint (second.profile->n_samples, ==, 2);
    g_assert_true (second.profile->store != first.profile->store);
    g_assert_cmpstr (module_of_sample (second.profile, 0), ==, "/old");
    g_assert_cmpstr (module_of_sample (second.profile, 1), ==, "/new");

    /* The same at the very end. */
    writer_mmap (writer, 120, 7, 0x1000, 0x1000, 0, "/newer");
    write_stream (writer, path);
    g_auto (Loaded) result = {0};
    finish (follow, &result);
    g_assert_cmpstr (module_of_sample (result.profile, 0), ==, "/newer");
    g_unlink (path);
}

/* Files that nothing can be read from, and one that is cut off while it is read. */
TEST (wrong_files)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *path = NULL;
    PvLoadOptions options = make_options ();
    PvFollowStep step;
    g_close (g_file_open_tmp ("wrong-XXXXXX", &path, &error), NULL);
    g_assert_no_error (error);
    g_autoptr (PvFollow) follow = pv_follow_new (path, &options);
    g_assert_true (pv_follow_step (follow, NULL, &step, &error));
    g_assert_null (step.profile);

    g_file_set_contents (path, "a;b;c 12\na;b;d 30\n", -1, &error);
    g_assert_no_error (error);
    g_assert_false (pv_follow_step (follow, NULL, &step, &error));
    g_assert_error (error, PV_READ_ERROR, PV_READ_ERROR_UNSUPPORTED);
    g_clear_error (&error);

    g_autoptr (Writer) writer = writer_new (false, true);
    writer_attr (writer, &writer_plain_attr, NULL, 0);
    add_sample (writer, 300, 0x1100);
    step_stream (follow, writer, path, &step);
    g_assert_cmpuint (step.profile->n_samples, ==, 1);
    pv_follow_step_clear (&step);
    g_assert_true (pv_follow_step (follow, NULL, &step, &error));
    g_assert_null (step.profile);
    /* Nobody took what came. */
    pv_follow_repeat (follow);
    g_assert_true (pv_follow_step (follow, NULL, &step, &error));
    g_assert_cmpuint (step.profile->n_samples, ==, 1);
    pv_follow_step_clear (&step);
    g_assert_cmpint (truncate (path, 20), ==, 0);
    g_assert_false (pv_follow_step (follow, NULL, &step, &error));
    g_assert_error (error, PV_READ_ERROR, PV_READ_ERROR_FAILED);
    g_unlink (path);
}

TESTS_MAIN (argc, argv)
{
    static const char *const names[] = {
        "calls-fp.data",          "calls-flat.data",       "threads-fp.data",
        "spawner-fp.data",        "events-fp.data",        "kernel-fp.data",
        "inlining-fp-z.data",     "inlining-pipe.data",    "loader-fp.data",
        "calls-dwarf.data.zst",   "inlining-dwarf-z.data", "signals-altstack-dwarf.data.zst",
        "spawner-dwarf.data.zst", "clock-dwarf.data.zst",
    };
    pv_test_init (argc, argv);
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *path = g_strconcat ("/follow/", names[i], NULL);
        g_test_add_data_func (path, names[i], check_recording);
    }
    g_test_add_data_func ("/follow/heap-packed", "containers.raw.zst", check_packed_heap);
    g_test_add_data_func ("/follow/heap-plain", "containers.raw.zst", check_plain_heap);
    g_test_add_data_func ("/follow/heap-leak", "leak.raw.zst", check_plain_heap);
    g_test_add_data_func ("/follow/heap-interpreted", "rust.zst", check_packed_heap);
    return g_test_run ();
}
