/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Heat maps of random profiles, held against sums made sample by sample and against trees.
 */
#include "../cases.h"
#include "../made.h"
#include "core/analyze/time/heat-map.h"
#include "core/base/job.h"
#include "core/model/build/builder.h"
#include "timed-profile.h"

enum { N_FUNCTIONS = 5, N_CASES = 60, N_RANGES = 10, N_THREADS = 4 };

typedef struct {
    GRand *random;
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvCallTree *tree;
} Case;

static void
add_samples (GRand *random, PvProfileBuilder *builder, unsigned n_samples, unsigned step)
{
    PvStackId stacks[N_FUNCTIONS];
    PvThreadId threads[N_THREADS];
    PvModuleId id = made_module (builder, "/bin/test");
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
    uint64_t time_ns = 3000000000;
    for (unsigned f = 0; f < N_FUNCTIONS; f++)
        stacks[f] = made_stack (builder, f > 0 ? stacks[timed_pick (random, f)] : 0, id, f);
    for (unsigned t = 0; t < N_THREADS; t++)
        threads[t] = pv_profile_builder_add_thread (builder, process, (int)t + 10, "t", 0);
    for (unsigned i = 0; i < n_samples; i++) {
        time_ns += timed_pick (random, step);
        PvNewSample sample = {.thread = threads[timed_pick (random, N_THREADS)],
                              .stack = stacks[timed_pick (random, N_FUNCTIONS)],
                              .time_ns = i == 0 && timed_pick (random, 2) == 0 ? 0 : time_ns};
        const uint64_t weight = timed_pick (random, 1000);
        pv_profile_builder_add_sample (builder, 0, &sample, &weight);
        sample.duration_ns = timed_pick (random, 4) == 0 ? 0 : timed_pick (random, 3 * step);
        const uint64_t spent[] = {1 + timed_pick (random, 100000),
                                  timed_pick (random, 2 * (unsigned)sample.duration_ns + 10)};
        pv_profile_builder_add_sample (builder, 1, &sample, spent);
    }
}

static void
make_profile (Case *test)
{
    static const unsigned steps[] = {20, 3000, 400000, 20000000};
    g_autoptr (PvProfileBuilder) builder = timed_new_builder (NULL);
    add_samples (test->random, builder, 2 + timed_pick (test->random, 3000),
                 steps[timed_pick (test->random, G_N_ELEMENTS (steps))]);
    test->profile = pv_profile_builder_snapshot (builder);
    test->symbols = timed_name_functions (test->profile);
}

static Case
new_case (unsigned seed)
{
    g_auto (PvQuery) query = new_query ();
    Case test = {.random = g_rand_new_with_seed (seed)};
    make_profile (&test);
    query.measure = timed_pick (test.random, 3);
    if (timed_pick (test.random, 3) == 0) {
        const PvThreadId hidden = 1 + timed_pick (test.random, N_THREADS);
        pv_query_set_except (&query, PV_ORIGIN_THREAD, &hidden, 1);
    }
    if (timed_pick (test.random, 3) == 0)
        pv_query_add_transform (&query, PV_TRANSFORM_IGNORE, "^f2$");
    test.tree = timed_build_tree (test.profile, test.symbols, &query);
    return test;
}

static void
tear_down (Case *test)
{
    pv_call_tree_free (test->tree);
    pv_symbol_table_free (test->symbols);
    pv_profile_free (test->profile);
    g_rand_free (test->random);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, tear_down)

/* Cells are side by side, and cover the times that count. */
static void
check_times (const PvHeatMap *map)
{
    uint64_t at_ns = map->start_ns;
    g_assert_cmpuint (map->n_columns, >, 0);
    g_assert_cmpuint (map->n_columns, <=, PV_HEAT_MOST_COLUMNS);
    g_assert_cmpuint (map->first_ns % map->column_ns, ==, 0);
    for (uint32_t cell = 0; cell < pv_heat_map_count_cells (map); cell++) {
        uint64_t start_ns, end_ns;
        if (!pv_heat_map_get_times (map, cell, &start_ns, &end_ns)) {
            g_assert_cmpuint (map->weights[cell], ==, 0);
            continue;
        }
        g_assert_cmpuint (start_ns, ==, at_ns);
        at_ns = end_ns;
    }
    g_assert_cmpuint (at_ns, ==, map->end_ns);
}

/* The total of a tree of the cell's time. Shares of intervals are rounded once in each cell. */
static void
check_cell (const Case *test, const PvHeatMap *map, uint32_t cell)
{
    g_auto (PvQuery) query;
    pv_query_copy (&query, &test->tree->query);
    if (!pv_heat_map_get_times (map, cell, &query.start_ns, &query.end_ns))
        return;
    g_autoptr (PvCallTree) tree = timed_build_tree (test->profile, test->symbols, &query);
    if (query.measure == 0) {
        g_assert_cmpuint (map->weights[cell], ==, tree->total[0]);
        g_assert_cmpuint (map->n_samples[cell], ==, tree->n_kept_samples);
    } else {
        uint64_t slack = tree->n_kept_samples + 1;
        g_assert_cmpuint (map->weights[cell], <=, tree->total[0] + slack);
        g_assert_cmpuint (map->weights[cell] + slack, >=, tree->total[0]);
    }
}

static void
check_sums (const PvHeatMap *map, uint64_t weight)
{
    uint64_t sum = 0, n_samples = 0, highest = 0;
    for (uint32_t cell = 0; cell < pv_heat_map_count_cells (map); cell++) {
        sum += map->weights[cell];
        n_samples += map->n_samples[cell];
        highest = MAX (highest, map->weights[cell]);
    }
    g_assert_cmpuint (sum, ==, weight);
    g_assert_cmpuint (map->weight, ==, weight);
    g_assert_cmpuint (map->n_all_samples, ==, n_samples);
    g_assert_cmpuint (map->highest, ==, highest);
}

/* All that has a time. */
static uint64_t
weigh_all (const Case *test)
{
    g_auto (PvQuery) query;
    pv_query_copy (&query, &test->tree->query);
    g_autoptr (PvCallTree) whole = timed_build_tree (test->profile, test->symbols, &query);
    const PvSampleSet *set = pv_profile_get_measure_set (test->profile, query.measure);
    if (pv_sample_set_time_ns (set, 0) > 0)
        return whole->total[0];
    query.start_ns = 0;
    query.end_ns = UINT64_MAX - 1; /* leaves out those without */
    g_autoptr (PvCallTree) timed = timed_build_tree (test->profile, test->symbols, &query);
    return timed->total[0];
}

TEST (random)
{
    for (unsigned seed = 0; seed < N_CASES; seed++) {
        g_auto (Case) test = new_case (seed);
        g_autoptr (PvHeatMap) map = pv_heat_map_build (test.tree, 0, UINT64_MAX, NULL);
        check_times (map);
        check_sums (map, weigh_all (&test));
        for (unsigned i = 0; i < N_RANGES; i++) {
            check_cell (&test, map, timed_pick (test.random, pv_heat_map_count_cells (map)));
            uint64_t start_ns = timed_pick (test.random, (unsigned)MIN (map->end_ns, INT32_MAX));
            uint64_t end_ns = start_ns + 1 + timed_pick (test.random, 1000000);
            g_autoptr (PvHeatMap) part = pv_heat_map_build (test.tree, start_ns, end_ns, NULL);
            check_times (part);
            check_cell (&test, part, timed_pick (test.random, pv_heat_map_count_cells (part)));
        }
    }
}

/* Seconds, where there is a sensible number of them. */
TEST (columns)
{
    const uint64_t second = 1000000000;
    g_assert_cmpuint (pv_heat_map_choose_column (5 * second), ==, second);
    g_assert_cmpuint (pv_heat_map_choose_column (59 * second), ==, second);
    g_assert_cmpuint (pv_heat_map_choose_column (590 * second), ==, second);
    g_assert_cmpuint (pv_heat_map_choose_column (600 * second), ==, 10 * second);
    g_assert_cmpuint (pv_heat_map_choose_column (second), ==, second / 10);
    g_assert_cmpuint (pv_heat_map_choose_column (second / 100), ==, second / 1000);
    g_assert_cmpuint (pv_heat_map_choose_column (1), ==, 1000);
    for (uint64_t length = 1; length < UINT64_MAX / 3; length *= 3)
        g_assert_cmpuint (length / pv_heat_map_choose_column (length), <, PV_HEAT_MOST_COLUMNS);
}

/* A map of equal intervals. */
static PvHeatMap *
build_map (uint64_t start_ns, uint64_t length_ns, uint64_t weight, unsigned n)
{
    Case test = {.random = NULL};
    g_auto (PvQuery) query;
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    made_set (builder, "off-cpu", true, PV_UNIT_NS);
    PvModuleId id = made_module (builder, "/bin/test");
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
    PvNewSample sample = {.thread = pv_profile_builder_add_thread (builder, process, 1, "t", 0),
                          .stack = made_stack (builder, 0, id, 1),
                          .time_ns = start_ns,
                          .duration_ns = length_ns};
    for (unsigned i = 0; i < n; i++)
        pv_profile_builder_add_sample (builder, 0, &sample, &weight);
    test.profile = pv_profile_builder_snapshot (builder);
    test.symbols = made_no_symbols (test.profile);
    pv_query_init (&query);
    test.tree = timed_build_tree (test.profile, test.symbols, &query);
    PvHeatMap *map = pv_heat_map_build (test.tree, 0, UINT64_MAX, NULL);
    pv_call_tree_free (test.tree);
    pv_symbol_table_free (test.symbols);
    pv_profile_free (test.profile);
    return map;
}

/* Columns end after the end of the clock. */
TEST (late)
{
    const uint64_t second = 1000000000, latest_ns = UINT64_C (0xfffffffe00000000);
    g_autoptr (PvHeatMap) map = build_map (second, latest_ns - second, 1000000, 1);
    check_times (map);
    check_sums (map, 1000000);
    g_assert_cmpuint (map->highest, <=, 1000000 / pv_heat_map_count_cells (map) + 2);
}

/* Shares that are each less than one add up. */
TEST (small_shares)
{
    enum { N_CELLS = 500, N_INTERVALS = 1000, WEIGHT = 50 };
    const uint64_t second = 1000000000;
    g_autoptr (PvHeatMap) map = build_map (second, 10 * second, WEIGHT, N_INTERVALS);
    check_sums (map, WEIGHT * N_INTERVALS);
    g_assert_cmpuint (pv_heat_map_count_cells (map), ==, N_CELLS);
    for (uint32_t cell = 0; cell < N_CELLS; cell++) {
        g_assert_cmpuint (map->weights[cell], >=, WEIGHT * N_INTERVALS / N_CELLS - 1);
        g_assert_cmpuint (map->weights[cell], <=, WEIGHT * N_INTERVALS / N_CELLS + 1);
    }
}

TEST (cancelled)
{
    g_autoptr (PvJob) job = pv_job_new ();
    g_auto (Case) test = new_case (3);
    pv_job_cancel (job);
    g_assert_null (pv_heat_map_build (test.tree, 0, UINT64_MAX, job));
}
