/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals of changes, and what stands out, in recordings drawn from real ones.
 */
#include "../cases.h"
#include "../load/loaded.h"
#include "resampled.h"

static Loaded
load_recording (const char *name)
{
    g_autofree char *path = g_build_filename (g_getenv ("PV_TEST_DATA"), "recordings", name, NULL);
    PvLoadOptions options = {0};
    return load_file (path, &options);
}

static void
tell (const char *name, const ResampledCounts *counts)
{
    g_test_message ("%s: %u pairs; intervals of rare, some, hot hold %.3f of %u, %.3f of %u, %.3f "
                    "of %u; wrong %u, found %u, sure %u, by blocks %u",
                    name, counts->n_pairs, resampled_get_coverage (counts, RESAMPLED_RARE),
                    counts->n_intervals[RESAMPLED_RARE],
                    resampled_get_coverage (counts, RESAMPLED_SOME),
                    counts->n_intervals[RESAMPLED_SOME],
                    resampled_get_coverage (counts, RESAMPLED_HOT),
                    counts->n_intervals[RESAMPLED_HOT], counts->n_wrong, counts->n_found,
                    counts->n_sure, counts->n_sure_by_blocks);
}

TEST (coverage)
{
    static const struct {
        const char *recording;
        double rate;
        unsigned burst, n_runs, n_pairs;
    } cases[] = {
        {"inlining-fp.data", 1, 1, 1, 400}, {"inlining-fp.data", 3, 3, 1, 300},
        {"inlining-fp.data", 1, 1, 2, 200}, {"inlining-fp.data", 1, 3, 5, 100},
        {"inlining-fp.data", 1, 1, 10, 60}, {"mill-fp.data", 4, 1, 1, 400},
        {"signals-fp.data", 2, 2, 1, 300},  {"threads-fp.data", 2, 1, 2, 200},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_auto (Loaded) loaded = load_recording (cases[i].recording);
        Resampling with = {.profile = loaded.profile,
                           .symbols = loaded.symbols,
                           .rate = cases[i].rate,
                           .burst = cases[i].burst,
                           .n_runs = cases[i].n_runs,
                           .factor = 1.5};
        ResampledCounts counts = {0};
        with.slow = resampled_find_function (&with, 100);
        resampled_count (&with, (unsigned)i, cases[i].n_pairs, &counts);
        g_autofree char *name = g_strdup_printf ("%s, %g of %u, %u runs", cases[i].recording,
                                                 with.rate, with.burst, with.n_runs);
        tell (name, &counts);
    }
}

/* Of pairs of the same. */
TEST (same)
{
    static const char *const recordings[] = {"inlining-fp.data", "mill-fp.data", "signals-fp.data",
                                             "threads-fp.data"};
    ResampledCounts counts = {0};
    for (unsigned i = 0; i < 8; i++) {
        g_auto (Loaded) loaded = load_recording (recordings[i % G_N_ELEMENTS (recordings)]);
        Resampling with = {.profile = loaded.profile,
                           .symbols = loaded.symbols,
                           .rate = 1 + i,
                           .burst = 1 + i / 4 * 2,
                           .n_runs = 1,
                           .factor = 1};
        resampled_count (&with, i, 125, &counts);
    }
    tell ("same", &counts);
}
