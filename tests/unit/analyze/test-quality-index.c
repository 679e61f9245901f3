/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The quality of stacks over time: bins add up to what the summary says, and each is right. */
#include "../cases.h"
#include "../made.h"
#include "core/analyze/time/quality-index.h"
#include "core/model/build/builder.h"

enum { MS = 1000000, N_SAMPLES = 5000, N_WITHOUT_TIME = 7, N_LOSSES = 400 };

static const PvStackEnd ends[] = {PV_STACK_END_UNKNOWN, PV_STACK_END_ROOT, PV_STACK_END_DUMP,
                                  PV_STACK_END_BAD_FRAME, PV_STACK_END_NOT_RECORDED};

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
    uint64_t times[N_SAMPLES]; /* ns; 0: none */
    PvStackClass classes[N_SAMPLES];
    uint64_t loss_times[N_LOSSES]; /* ns; 0: not known */
    unsigned n_lost[N_LOSSES];
} Fixture;

/* Some before the first sample, and after the last. */
static void
lose_events (Fixture *test, PvProfileBuilder *builder)
{
    for (unsigned i = 0; i < N_LOSSES; i++) {
        test->n_lost[i] = (unsigned)g_test_rand_int_range (1, 1000);
        test->loss_times[i] = i < 5 ? 0 : (uint64_t)g_test_rand_int_range (2900, 8400) * MS;
        pv_profile_builder_add_lost (builder, test->loss_times[i], test->n_lost[i]);
    }
}

/* Stack 1 has a known root, _start; stack 2 has not. */
static void
set_up (Fixture *test, gconstpointer data)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModule module = {.path = "/bin/test", .name = "test", .kind = PV_MODULE_FILE};
    made_set (builder, "cpu-clock", false, PV_UNIT_NS);
    PvModuleId id = pv_profile_builder_add_module (builder, &module);
    PvStackId stacks[2];
    for (unsigned i = 0; i < 2; i++)
        stacks[i] = made_stack (builder, 0, id, i + 1);
    PvProcessId process = pv_profile_builder_add_process (builder, 7, "server", 0);
    PvThreadId thread = pv_profile_builder_add_thread (builder, process, 7, "main", 0);
    uint64_t now_ns = 3000 * (uint64_t)MS;
    for (unsigned i = 0; i < N_SAMPLES; i++) {
        unsigned end = (unsigned)g_test_rand_int_range (0, G_N_ELEMENTS (ends));
        unsigned stack = (unsigned)g_test_rand_int_range (0, 2);
        now_ns += (uint64_t)g_test_rand_int_range (0, 2 * MS);
        test->times[i] = i < N_WITHOUT_TIME ? 0 : now_ns;
        bool is_complete = stack == 0 || ends[end] == PV_STACK_END_ROOT;
        bool is_cut = ends[end] == PV_STACK_END_DUMP || ends[end] == PV_STACK_END_BAD_FRAME;
        test->classes[i] = is_complete ? PV_STACK_COMPLETE
                           : is_cut    ? PV_STACK_TRUNCATED
                                       : PV_STACK_UNKNOWN;
        PvNewSample sample = {.time_ns = test->times[i],
                              .stack = stacks[stack],
                              .stack_end = ends[end],
                              .thread = thread,
                              .cpu = PV_CPU_UNKNOWN};
        uint64_t weight = MS;
        pv_profile_builder_add_sample (builder, 0, &sample, &weight);
    }
    lose_events (test, builder);
    test->profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (test->profile);
    for (unsigned i = 0; i < 2; i++) {
        PvFunction function = {.name = i == 0 ? "_start" : "work", .module = id};
        PvFrame frame = {.function = pv_symbol_builder_function (names, &function)};
        pv_symbol_builder_set_frames (names, test->profile->location_of_stack[stacks[i]], &frame,
                                      1);
    }
    test->symbols = pv_symbol_builder_publish (names, true);
}

static void
tear_down (Fixture *test, gconstpointer data)
{
    pv_symbol_table_free (test->symbols);
    pv_profile_free (test->profile);
}

static void
check (const Fixture *test, const PvQualityIndex *index, uint64_t start_ns, uint64_t end_ns,
       uint32_t n_bins)
{
    PvTimeView view = {.start_ns = start_ns, .end_ns = end_ns, .n_bins = n_bins};
    g_autofree uint64_t *counts = pv_quality_index_count (index, &view);
    uint64_t first_ns = test->profile->start_ns;
    for (uint32_t bin = 0; bin < n_bins; bin++) {
        uint64_t expected[PV_N_QUALITIES] = {0};
        uint64_t from = pv_time_view_get_start (&view, bin) + test->profile->start_ns;
        uint64_t to = pv_time_view_get_start (&view, bin + 1) + test->profile->start_ns;
        for (unsigned i = N_WITHOUT_TIME; i < N_SAMPLES; i++)
            if (test->times[i] >= from && test->times[i] < to)
                expected[test->classes[i]]++;
        for (unsigned i = 0; i < N_LOSSES; i++) {
            uint64_t at =
                CLAMP (test->loss_times[i], first_ns, first_ns + test->profile->duration_ns - 1);
            if (at >= from && at < to)
                expected[PV_QUALITY_LOST] += test->n_lost[i];
        }
        for (unsigned quality = 0; quality < PV_N_QUALITIES; quality++)
            g_assert_cmpuint (counts[bin * PV_N_QUALITIES + quality], ==, expected[quality]);
    }
}

FIXTURE_TEST (bins, test)
{
    g_autoptr (PvQualityIndex) index =
        pv_quality_index_build (test->profile, test->symbols, 0, NULL);
    uint64_t length_ns = test->profile->duration_ns + 1;
    check (test, index, 0, length_ns, 1);
    check (test, index, 0, length_ns, 100);
    check (test, index, length_ns / 3, length_ns / 2, 777);
    check (test, index, length_ns, length_ns, 3);
    check (test, index, 0, 40, 100); /* most have no time in them */
}

FIXTURE_TEST (sums, test)
{
    g_autoptr (PvQualityIndex) index =
        pv_quality_index_build (test->profile, test->symbols, 0, NULL);
    PvStackQuality quality;
    pv_stack_quality_measure (test->profile, test->symbols, 0, &quality);
    g_assert_cmpuint (quality.n_truncated, >, 500);
    g_assert_false (pv_quality_index_is_fine (index));
    for (uint32_t n_bins = 1; n_bins < 5000; n_bins *= 3) {
        PvTimeView view = {.end_ns = test->profile->duration_ns + 1, .n_bins = n_bins};
        g_autofree uint64_t *counts = pv_quality_index_count (index, &view);
        uint64_t sums[PV_N_QUALITIES] = {0};
        for (unsigned i = 0; i < N_WITHOUT_TIME; i++)
            sums[test->classes[i]]++;
        for (uint32_t i = 0; i < n_bins * PV_N_QUALITIES; i++)
            sums[i % PV_N_QUALITIES] += counts[i];
        g_assert_cmpuint (sums[PV_STACK_COMPLETE], ==, quality.n_complete);
        g_assert_cmpuint (sums[PV_STACK_TRUNCATED], ==, quality.n_truncated);
        g_assert_cmpuint (sums[PV_STACK_UNKNOWN], ==, quality.n_unknown);
        g_assert_cmpuint (sums[PV_QUALITY_LOST], ==, test->profile->n_lost);
    }
}

FIXTURE_TEST (cancel, test)
{
    g_autoptr (PvJob) job = pv_job_new ();
    pv_job_cancel (job);
    g_assert_null (pv_quality_index_build (test->profile, test->symbols, 0, job));
}
