/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters over time: as a search through all samples finds them. */
#include "../cases.h"
#include "../made.h"
#include "core/analyze/time/counter-index.h"

#include <math.h>

#include "core/model/build/builder.h"

enum { CLOCK = 1000000, LENGTH = 100000 };

/* From a while after the start of the profile to a while before its end, some at the same time. */
static PvProfile *
make_profile (PvCounterKind kind, uint32_t n_samples)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autofree uint64_t *times = g_new (uint64_t, n_samples + 1);
    g_autofree double *values = g_new (double, n_samples + 1);
    uint32_t set = made_set (builder, "samples", false, PV_UNIT_COUNT);
    for (unsigned i = 0; i < 2; i++) {
        PvNewSample sample = {.time_ns = CLOCK + i * LENGTH};
        uint64_t weight = 1;
        pv_profile_builder_add_sample (builder, set, &sample, &weight);
    }
    for (uint32_t i = 0; i < n_samples; i++) {
        times[i] = CLOCK + (uint64_t)g_test_rand_int_range (LENGTH / 4, LENGTH / 4 * 3);
        values[i] = g_test_rand_int_range (-1000, 1000);
    }
    PvCounter like = {.name = "n", .category = "", .description = "", .kind = kind};
    pv_profile_builder_add_counter (builder, &like, NULL, NULL, 0); /* it has no row */
    pv_profile_builder_add_counter (builder, &like, times, values, n_samples);
    return pv_profile_builder_snapshot (builder);
}

/* Extremes of samples at or after `from` and before `to`; beside them, the value at their edge. */
static PvCounterRange
search (const PvCounter *counter, uint64_t from, uint64_t to)
{
    PvCounterRange range = {NAN, NAN};
    uint32_t n = counter->n_samples, before = n, after = n;
    uint64_t gap = n > 1 ? (counter->time_ns[n - 1] - counter->time_ns[0]) / (n - 1) : 0;
    bool is_at_start = false;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t time_ns = counter->time_ns[i];
        if (time_ns < from)
            before = i;
        else if (time_ns >= to)
            after = MIN (after, i);
        is_at_start |= time_ns == from;
        if (time_ns < from || time_ns >= to)
            continue;
        range.min = fmin (range.min, counter->values[i]);
        range.max = fmax (range.max, counter->values[i]);
    }
    uint32_t other = n;
    if (counter->kind == PV_COUNTER_LEVEL && before < n && !is_at_start &&
        (before + 1 < n || from - counter->time_ns[before] <= gap))
        other = before;
    if (counter->kind == PV_COUNTER_AMOUNT && after < n &&
        (after > 0 || counter->time_ns[0] - to <= gap))
        other = after;
    if (other < n) {
        range.min = fmin (range.min, counter->values[other]);
        range.max = fmax (range.max, counter->values[other]);
    }
    return range;
}

static void
check (const PvCounterIndex *index, uint64_t start, uint64_t end, uint32_t n_bins)
{
    const PvCounter *counter = pv_counter_index_get (index, 0);
    PvTimeView view = {.start_ns = start, .end_ns = end, .n_bins = n_bins};
    g_autofree PvCounterRange *ranges = g_new (PvCounterRange, n_bins);
    pv_counter_index_sample (index, 0, &view, ranges);
    for (uint32_t bin = 0; bin < n_bins; bin++) {
        PvCounterRange wanted = search (counter, CLOCK + pv_time_view_get_start (&view, bin),
                                        CLOCK + pv_time_view_get_start (&view, bin + 1));
        g_assert_true (isnan (wanted.min) == isnan (ranges[bin].min));
        g_assert_true (isnan (wanted.min) ||
                       (wanted.min == ranges[bin].min && wanted.max == ranges[bin].max));
    }
}

TEST (ranges)
{
    static const uint32_t sizes[] = {1, 2, 15, 16, 17, 255, 256, 4097, 20000};
    for (PvCounterKind kind = PV_COUNTER_LEVEL; kind <= PV_COUNTER_AMOUNT; kind++)
        for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
            g_autoptr (PvProfile) profile = make_profile (kind, sizes[s]);
            g_autoptr (PvCounterIndex) index = pv_counter_index_build (profile, NULL);
            g_assert_cmpuint (pv_counter_index_get_n (index), ==, 1);
            check (index, 0, LENGTH, 1);
            check (index, 0, LENGTH, 97);
            check (index, LENGTH / 3, LENGTH / 2, 50);
            check (index, LENGTH / 2, LENGTH / 2 + 40, 40);
        }
}

TEST (moments)
{
    double value;
    g_autoptr (PvProfile) profile = make_profile (PV_COUNTER_LEVEL, 2);
    g_autoptr (PvCounterIndex) index = pv_counter_index_build (profile, NULL);
    const PvCounter *counter = pv_counter_index_get (index, 0);
    uint64_t first = counter->time_ns[0] - CLOCK, last = counter->time_ns[1] - CLOCK;
    g_assert_false (pv_counter_index_find (index, 0, first - 1, &value));
    g_assert_true (pv_counter_index_find (index, 0, first, &value));
    g_assert_true (first == last || value == counter->values[0]);
    g_assert_true (pv_counter_index_find (index, 0, last, &value));
    g_assert_true (pv_counter_index_find (index, 0, last + (last - first), &value));
    g_assert_cmpfloat (value, ==, counter->values[1]);
    g_assert_false (pv_counter_index_find (index, 0, last + (last - first) + 1, &value));
    g_assert_false (pv_counter_index_find (index, 0, UINT64_MAX, &value));
}

TEST (none)
{
    g_autoptr (PvProfile) profile = make_profile (PV_COUNTER_LEVEL, 0);
    g_assert_null (pv_counter_index_build (profile, NULL));
}
