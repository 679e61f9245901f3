/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The preview of a long file before all of it has been read. */
#include <string.h>

#include "../cases.h"
#include "../read/perf-writer.h"
#include "core/base/error.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"

typedef struct {
    PvProfile *preview;
    unsigned n_previews;
} Seen;

static void
take_preview (void *user, PvProfile *profile)
{
    Seen *seen = user;
    g_clear_pointer (&seen->preview, pv_profile_free);
    seen->preview = profile;
    seen->n_previews++;
}

/* Every millisecond one block of 16 bytes for good, and one that lives until the next. */
static GString *
make_trace (unsigned n_steps)
{
    GString *text = g_string_new ("v 10400 3\nx 9 /bin/prog\nm 1 -\nm 1 x 400000 0 100000\n"
                                  "t 401010 0\nt 401020 1\nt 401030 1\n");
    for (unsigned i = 1; i <= n_steps; i++) {
        g_string_append_printf (text, "c %x\n+ 10 2 %x\n", i, i * 32);
        if (i > 1)
            g_string_append (text, "- 8\n");
        g_string_append (text, "+ 64 3 8\n");
    }
    return text;
}

static PvProfile *
read_trace (const GString *text, unsigned n_workers, unsigned preview_after_ms, Seen *seen)
{
    PvReadContext context = {
        .n_workers = n_workers,
        .preview = seen != NULL ? take_preview : NULL,
        .previewer = seen,
        .preview_after_ms = preview_after_ms,
    };
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (text->str, text->len), text->len);
    assert_ok (error, pv_read_bytes (file, builder, &context, &error));
    return pv_profile_builder_snapshot (builder);
}

/* The preview is what a file that ends there would be; what follows is as if there had been none.
 */
static void
check_preview (unsigned n_workers)
{
    enum { N_STEPS = 200000 };
    g_autoptr (GString) text = make_trace (N_STEPS);
    Seen seen = {0};
    g_autoptr (PvProfile) profile = read_trace (text, n_workers, 0, &seen);
    g_autoptr (PvProfile) plain = read_trace (text, n_workers, 0, NULL);

    g_assert_cmpuint (seen.n_previews, ==, 1);
    const PvHeap *part = seen.preview->heap, *whole = profile->heap;
    g_assert_cmpuint (part->n_allocations, >, 0);
    g_assert_cmpuint (part->n_allocations, <, 2 * N_STEPS);
    g_assert_cmpint (part->n_allocations - part->n_frees, <=, N_STEPS + 1);
    uint64_t n_kept = (part->n_allocations + 1) / 2;
    g_assert_cmpint (part->leaked_bytes, >=, (int64_t)(n_kept * 16));
    g_assert_cmpint (part->leaked_bytes, <=, (int64_t)(n_kept * 16 + 100));
    /* It may end behind a time stamp. */
    g_assert_cmpuint (part->duration_ms, >=, n_kept);
    g_assert_cmpuint (part->duration_ms, <=, n_kept + 1);

    g_assert_cmpuint (whole->n_allocations, ==, 2 * N_STEPS);
    g_assert_cmpint (whole->leaked_bytes, ==, (int64_t)N_STEPS * 16 + 100);
    g_assert_cmpuint (whole->n_frees, ==, N_STEPS - 1);
    g_assert_cmpuint (profile->n_measures, ==, plain->n_measures);
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        g_assert_cmpuint (profile->measures[m].total, ==, plain->measures[m].total);
    g_assert_cmpuint (whole->n_rows, ==, plain->heap->n_rows);
    g_assert_cmpuint (whole->first_age_of_site[whole->n_sites], ==,
                      plain->heap->first_age_of_site[whole->n_sites]);
    pv_profile_free (seen.preview);
}

TEST (threads)
{
    check_preview (4);
}

TEST (one_thread)
{
    check_preview (1);
}

/* A short file is there before anybody could look at a part of it. */
TEST (short_file)
{
    g_autoptr (GString) text = make_trace (200000);
    Seen seen = {0};
    g_autoptr (PvProfile) profile = read_trace (text, 4, 600000, &seen);
    g_assert_cmpuint (seen.n_previews, ==, 0);
    g_assert_cmpuint (profile->heap->n_allocations, ==, 400000);
}

enum { N_SAMPLES = 100000, SAMPLES_PER_ROUND = 1000 };

/* Each sample is 10 ns after the last, in one of two functions. */
static Writer *
make_recording (bool has_rounds)
{
    static const uint64_t chain[] = {CONTEXT_USER, 0x1010, 0x1100};
    Writer *writer = writer_new (false, false);
    writer_attr (writer, &writer_plain_attr, NULL, 0);
    writer_comm (writer, 0, 10, 10, "prog", false);
    writer_mmap (writer, 0, 10, 0x1000, 0x1000, 0x5000, "/bin/prog");
    for (uint64_t i = 0; i < N_SAMPLES; i++) {
        if (has_rounds && i > 0 && i % SAMPLES_PER_ROUND == 0) {
            writer_begin (writer, 68, 0); /* FINISHED_ROUND */
            writer_end (writer);
        }
        size_t n = i % 3 == 0 ? 3 : 2;
        writer_sample (writer, MODE_USER, 100 + i * 10, 10, 10, 0x1010, 7, chain, n);
    }
    return writer;
}

static PvProfile *
read_recording (const Writer *writer, unsigned preview_after_ms, Seen *seen)
{
    PvReadContext context = {
        .n_workers = 2,
        .preview = seen != NULL ? take_preview : NULL,
        .previewer = seen,
        .preview_after_ms = preview_after_ms,
    };
    return writer_read (writer, &context, NULL);
}

static void
check_samples (const PvProfile *profile, uint32_t n)
{
    const PvSampleSet *set = find_set (profile, "cpu-clock");
    g_assert_cmpuint (set->n_samples, ==, n);
    g_assert_cmpuint (profile->measures[0].total, ==, UINT64_C (7) * n);
    for (uint32_t i = 0; i < n; i++) {
        assert_string (stack_text (profile, set->stack[i]),
                       i % 3 == 0 ? "prog+0x5100;!prog+0x5010" : "!prog+0x5010");
    }
    g_assert_cmpuint (profile->start_ns, ==, 100);
    g_assert_cmpstr (profile->processes[1].name, ==, "prog");
}

TEST (perf_data)
{
    for (int has_rounds = 0; has_rounds < 2; has_rounds++) {
        g_autoptr (Writer) writer = make_recording (has_rounds != 0);
        Seen seen = {0};
        g_autoptr (PvProfile) profile = read_recording (writer, 0, &seen);
        g_assert_cmpuint (seen.n_previews, ==, 1);
        uint32_t n_in_part = find_set (seen.preview, "cpu-clock")->n_samples;
        g_assert_cmpuint (n_in_part, >, 0);
        g_assert_cmpuint (n_in_part, <, N_SAMPLES / 2);
        check_samples (seen.preview, n_in_part);
        check_samples (profile, N_SAMPLES);
        g_assert_cmpuint (profile->n_notes, ==, 0);
        pv_profile_free (seen.preview);

        Seen late = {0};
        g_autoptr (PvProfile) quick = read_recording (writer, 600000, &late);
        g_assert_cmpuint (late.n_previews, ==, 0);
        check_samples (quick, N_SAMPLES);
    }
}
