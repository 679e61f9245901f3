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
    static const char *const names[RESAMPLED_N_SIZES] = {"rare", "some", "hot", "most"};
    g_autoptr (GString) text = g_string_new (NULL);
    for (ResampledSize size = 0; size < RESAMPLED_N_SIZES; size++)
        g_string_append_printf (text, ", %s %.3f of %u", names[size],
                                resampled_get_coverage (counts, size), counts->n_intervals[size]);
    g_test_message ("%s: %u pairs; intervals hold%s; wrong %u, found %u, sure %u, by blocks %u",
                    name, counts->n_pairs, text->str, counts->n_wrong, counts->n_found,
                    counts->n_sure, counts->n_sure_by_blocks);
}

static void
assert_covers (const ResampledCounts *counts, ResampledSize size, double least, double most)
{
    if (counts->n_intervals[size] == 0)
        return;
    double coverage = resampled_get_coverage (counts, size);
    g_assert_cmpfloat (coverage, >=, least);
    g_assert_cmpfloat (coverage, <=, most);
}

/* Intervals hold 95 ± 1.5 of 100 true changes. Those of a few samples, of which a burst more or
 * less is a large part, and of what has more than half of all, are wider than needed. */
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
        {"mill-fp.data", 8, 5, 2, 300},     {"recursion-fp.data", 20, 8, 1, 300},
        {"threads-fp.data", 2, 1, 2, 300},
    };
    ResampledCounts all = {0};
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
        assert_covers (&counts, RESAMPLED_RARE, 0.935, 1);
        assert_covers (&counts, RESAMPLED_SOME, 0.915, 0.98);
        assert_covers (&counts, RESAMPLED_HOT, 0.915, 0.98);
        assert_covers (&counts, RESAMPLED_MOST, 0.89, 1);
        resampled_add (&all, &counts);
    }
    tell ("all", &all);
    assert_covers (&all, RESAMPLED_SOME, 0.935, 0.965);
    assert_covers (&all, RESAMPLED_HOT, 0.935, 0.965);
}

/* In at most one of twenty pairs of the same anything stands out. */
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
                           .n_runs = 1 + i / 4,
                           .factor = 1};
        resampled_count (&with, i, 125, &counts);
    }
    tell ("same", &counts);
    g_assert_cmpuint (counts.n_pairs, ==, 1000);
    g_assert_cmpuint (counts.n_wrong, <=, 50);
}

/* Three times as much of 7 % is found in runs of 1,600 samples, as a model of the blocks
 * alone finds it; and half as much again nearly always. */
TEST (power)
{
    static const struct {
        double factor;
        unsigned least; /* of 100 pairs */
    } cases[] = {{3, 100}, {1.5, 90}};
    g_auto (Loaded) loaded = load_recording ("inlining-fp.data");
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        Resampling with = {.profile = loaded.profile,
                           .symbols = loaded.symbols,
                           .rate = 1.4,
                           .burst = 1,
                           .n_runs = 1,
                           .factor = cases[i].factor};
        ResampledCounts counts = {0};
        with.slow = resampled_find_function (&with, 70);
        resampled_count (&with, (unsigned)i, 100, &counts);
        tell ("power", &counts);
        g_assert_cmpuint (counts.n_sure, >=, cases[i].least);
        g_assert_cmpuint (counts.n_sure + 5, >=, counts.n_sure_by_blocks);
    }
}
