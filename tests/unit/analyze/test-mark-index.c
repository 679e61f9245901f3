/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks of threads over time against a search through all samples. */
#include "../cases.h"
#include "../made.h"
#include "core/analyze/time/mark-index.h"
#include "core/model/build/builder.h"

enum { N_SETS = 5, N_THREADS = 4, N_SAMPLES = 3000, CLOCK = 1000000, LENGTH = 100000 };

/* The last two have no marks: one has no fields, the other is made by the reader. */
static const char *const names[N_SETS] = {"sched:sched_waking", "context-switches",
                                          "sched:sched_switch", "cycles", "off-cpu"};

static PvProfile *
make_profile (unsigned n_sets)
{
    static const PvField field = {.name = "pid", .size_bytes = 4};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvProcessId process = pv_profile_builder_add_process (builder, 7, "server", 0);
    PvThreadId threads[N_THREADS];
    for (int t = 0; t < N_THREADS; t++)
        threads[t] = pv_profile_builder_add_thread (builder, process, 7 + t, "worker", 0);
    for (unsigned s = N_SETS - n_sets; s < N_SETS; s++) {
        uint32_t set = made_set (builder, names[s], s == 4, PV_UNIT_COUNT);
        if (s == 0 || s == 2)
            pv_profile_builder_set_fields (builder, set, &field, 1, false);
        if (s == 4)
            pv_profile_builder_set_derived (builder, set);
        for (unsigned i = 0; i < N_SAMPLES; i++) {
            /* The last thread has no marks; some have no time. */
            PvNewSample sample = {
                .time_ns = g_test_rand_int_range (0, 50) == 0
                               ? 0
                               : CLOCK + (uint64_t)g_test_rand_int_range (0, LENGTH),
                .thread = threads[g_test_rand_int_range (0, s < 3 ? N_THREADS - 1 : N_THREADS)]};
            uint64_t weight = 1;
            if (s == 0 || s == 2)
                sample.record =
                    pv_profile_builder_add_record (builder, set, (const uint8_t *)"abcd", 4);
            pv_profile_builder_add_sample (builder, set, &sample, &weight);
        }
    }
    return pv_profile_builder_snapshot (builder);
}

/* The mark of a thread in [from, to) that is nearest to a time, and the number of marks there. */
static unsigned
search (const PvProfile *profile, uint32_t except, PvThreadId thread, uint64_t from, uint64_t to,
        uint64_t time_ns, uint64_t *ret_distance)
{
    unsigned n = 0;
    *ret_distance = UINT64_MAX;
    for (uint32_t s = 0; s < 3; s++)
        for (uint32_t i = 0; s != except && i < N_SAMPLES; i++) {
            uint64_t at = pv_sample_set_time_ns (&profile->sets[s], i);
            if (at == 0 || pv_sample_set_thread (&profile->sets[s], i) != thread)
                continue;
            at -= profile->start_ns;
            *ret_distance = MIN (*ret_distance, at > time_ns ? at - time_ns : time_ns - at);
            n += at >= from && at < to;
        }
    return n;
}

static void
check_bins (const PvMarkIndex *index, PvThreadId thread, uint64_t start, uint64_t end,
            uint32_t n_bins)
{
    g_autofree uint8_t *found = g_malloc (n_bins);
    uint64_t distance, bin_ns = (end - start) / n_bins;
    pv_mark_index_sample (index, thread, start, end, n_bins, found);
    for (uint32_t bin = 0; bin < n_bins; bin++)
        g_assert_cmpint (found[bin] != 0, ==,
                         search (index->profile, index->except, thread, start + bin * bin_ns,
                                 start + (bin + 1) * bin_ns, 0, &distance) > 0);
}

static void
check_nearest (const PvMarkIndex *index, PvThreadId thread)
{
    for (unsigned i = 0; i < 100; i++) {
        uint64_t time_ns = (uint64_t)g_test_rand_int_range (0, LENGTH + 100), distance;
        uint32_t set, sample;
        search (index->profile, index->except, thread, 0, UINT64_MAX, time_ns, &distance);
        bool has_any = distance != UINT64_MAX;
        g_assert_cmpint (pv_mark_index_find (index, thread, time_ns, UINT64_MAX - 1, &set, &sample),
                         ==, has_any);
        if (!has_any)
            continue;
        g_assert_cmpuint (set, !=, index->except);
        uint64_t at =
            pv_sample_set_time_ns (&index->profile->sets[set], sample) - index->profile->start_ns;
        g_assert_cmpuint (pv_sample_set_thread (&index->profile->sets[set], sample), ==, thread);
        g_assert_cmpuint (at > time_ns ? at - time_ns : time_ns - at, ==, distance);
        g_assert_true (pv_mark_index_find (index, thread, time_ns, distance, &set, &sample));
        g_assert_true (distance == 0 ||
                       !pv_mark_index_find (index, thread, time_ns, distance - 1, &set, &sample));
    }
}

TEST (search)
{
    static const uint32_t excepts[] = {PV_NO_SET, 0, 2, 3};
    g_autoptr (PvProfile) profile = make_profile (N_SETS);
    for (unsigned e = 0; e < G_N_ELEMENTS (excepts); e++) {
        g_autoptr (PvMarkIndex) index = pv_mark_index_build (profile, excepts[e], NULL);
        g_assert_nonnull (index);
        g_assert_true (index->has_fields);
        for (PvThreadId thread = 0; thread < profile->n_threads; thread++) {
            check_bins (index, thread, 0, LENGTH, 1);
            check_bins (index, thread, 0, LENGTH, 500);
            check_bins (index, thread, LENGTH / 4, LENGTH / 2, 1000);
            check_nearest (index, thread);
        }
    }
}

TEST (none)
{
    g_autoptr (PvProfile) profile = make_profile (2);
    g_assert_null (pv_mark_index_build (profile, PV_NO_SET, NULL));
    g_autoptr (PvProfile) three = make_profile (3);
    g_assert_null (pv_mark_index_build (three, 0, NULL));
}

TEST (cancel)
{
    g_autoptr (PvProfile) profile = make_profile (N_SETS);
    g_autoptr (PvJob) job = pv_job_new ();
    pv_job_cancel (job);
    g_assert_null (pv_mark_index_build (profile, PV_NO_SET, job));
}
