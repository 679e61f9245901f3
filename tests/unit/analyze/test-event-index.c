/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The other events over time: sorted by name, counted as by a search through all samples. */
#include "../cases.h"
#include "../made.h"
#include "core/analyze/time/event-index.h"
#include "core/model/build/builder.h"

enum { N_SAMPLES = 4000, N_WITHOUT_TIME = 5, CLOCK = 1000000, LENGTH = 100000 };

/* The first is looked at; the last is not recorded, one without a sample, one without a time. */
static const char *const names[] = {"cycles",   "page-faults",      "branch-misses", "empty",
                                    "timeless", "context-switches", "off-cpu"};

static PvProfile *
make_profile (void)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvProcessId process = pv_profile_builder_add_process (builder, 7, "server", 0);
    PvThreadId thread = pv_profile_builder_add_thread (builder, process, 7, "main", 0);
    for (unsigned s = 0; s < G_N_ELEMENTS (names); s++) {
        uint32_t set = made_set (builder, names[s], s == 6, PV_UNIT_COUNT);
        if (s == 6)
            pv_profile_builder_set_derived (builder, set);
        for (unsigned i = 0; s != 3 && i < N_SAMPLES; i++) {
            PvNewSample sample = {.thread = thread};
            uint64_t weight = 100;
            if (s != 4 && i >= N_WITHOUT_TIME)
                sample.time_ns = CLOCK + (uint64_t)g_test_rand_int_range (0, LENGTH);
            pv_profile_builder_add_sample (builder, set, &sample, &weight);
        }
    }
    return pv_profile_builder_snapshot (builder);
}

static void
check (const PvEventIndex *index, uint32_t event, uint64_t start, uint64_t end, uint32_t n_bins)
{
    const PvSampleSet *set = &index->profile->sets[index->events[event].set];
    PvTimeView view = {.start_ns = start, .end_ns = end, .n_bins = n_bins};
    g_autofree uint32_t *counts = g_new (uint32_t, n_bins);
    pv_event_index_count (index, event, &view, counts);
    for (uint32_t bin = 0; bin < n_bins; bin++) {
        uint64_t from = pv_time_view_get_start (&view, bin) + index->profile->start_ns;
        uint64_t to = pv_time_view_get_start (&view, bin + 1) + index->profile->start_ns;
        uint32_t n = 0;
        for (uint32_t i = N_WITHOUT_TIME; i < set->n_samples; i++)
            n += pv_sample_set_time_ns (set, i) >= from && pv_sample_set_time_ns (set, i) < to;
        g_assert_cmpuint (counts[bin], ==, n);
    }
}

TEST (counts)
{
    g_autoptr (PvProfile) profile = make_profile ();
    g_autoptr (PvEventIndex) index = pv_event_index_new (profile, 0);
    g_assert_cmpuint (index->n_events, ==, 2);
    g_assert_cmpstr (index->events[0].name, ==, "branch-misses");
    g_assert_cmpstr (index->events[1].name, ==, "page-faults");
    for (uint32_t event = 0; event < 2; event++) {
        check (index, event, 0, LENGTH, 1);
        check (index, event, 0, LENGTH, 300);
        check (index, event, LENGTH / 3, LENGTH / 2, 777);
        check (index, event, 0, 40, 100);
    }
    PvTimeView all = {.end_ns = LENGTH, .n_bins = 1};
    uint32_t n;
    pv_event_index_count (index, 1, &all, &n);
    g_assert_cmpuint (n, ==, N_SAMPLES - N_WITHOUT_TIME);
}

TEST (except)
{
    g_autoptr (PvProfile) profile = make_profile ();
    g_autoptr (PvEventIndex) index = pv_event_index_new (profile, 1);
    g_assert_cmpuint (index->n_events, ==, 2);
    g_assert_cmpstr (index->events[1].name, ==, "cycles");
    PvProfile few = *profile;
    few.n_sets = 1;
    g_assert_null (pv_event_index_new (&few, 0));
}
