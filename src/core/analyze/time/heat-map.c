/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/time/heat-map.h"

#include "core/analyze/time/time-index.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/base/large.h"
#include "core/base/ref.h"

#define SECOND_NS UINT64_C (1000000000)

enum { LEAST_COLUMNS = 5, SAMPLES_PER_CHECK = 1 << 16 };

/* A part of a weight, in units of 2^-64. */
typedef unsigned __int128 Share;

#define ONE ((Share)1 << 64)

/* An interval takes the same time however many cells it reaches into: the whole ones are a step up
 * and a step down. Sums of shares are exact, and rounded once in each cell. */
typedef struct {
    PvHeatMap *map;
    Share *steps; /* what a cell has more than the one before, modulo 2^128; n_cells + 1 */
    uint64_t *weights;
    uint32_t *n_samples;
} Filling;

uint64_t
pv_heat_map_choose_column (uint64_t length_ns)
{
    uint64_t column_ns = SECOND_NS;
    while (length_ns / column_ns < LEAST_COLUMNS && column_ns > 1000)
        column_ns /= 10;
    while (length_ns / column_ns >= PV_HEAT_MOST_COLUMNS - 1)
        column_ns *= 10;
    return column_ns;
}

static uint32_t
find_cell (const PvHeatMap *map, uint64_t time_ns)
{
    return (uint32_t)((time_ns - map->first_ns) / (map->column_ns / PV_HEAT_ROWS));
}

/* Each of the cells [first, end) gets a share. */
static void
add_cells (Filling *filling, uint32_t first, uint32_t end, Share share)
{
    filling->steps[first] += share;
    filling->steps[end] -= share;
}

/* Adds as much of a weight as sums may still grow by, and returns that. */
static uint64_t
take_weight (PvHeatMap *map, uint64_t weight)
{
    weight = MIN (weight, PV_TOTAL_MAX - map->weight);
    map->weight += weight;
    return weight;
}

/* Weight of an interval's part before a time after its start; differences of these add up. */
static uint64_t
weigh_until (uint64_t weight, uint64_t duration_ns, uint64_t elapsed_ns)
{
    return (uint64_t)((unsigned __int128)weight * MIN (elapsed_ns, duration_ns) / duration_ns);
}

/* The share of a part. */
static Share
divide (uint64_t weight, uint64_t part_ns, uint64_t duration_ns)
{
    unsigned __int128 product = (unsigned __int128)weight * part_ns;
    return product / duration_ns * ONE + product % duration_ns * ONE / duration_ns;
}

/* Both ends get their part, whole cells between them the same share; the last one what is left. */
static void
add_interval (Filling *filling, uint64_t time_ns, uint64_t duration_ns, uint64_t weight)
{
    PvHeatMap *map = filling->map;
    uint64_t cell_ns = map->column_ns / PV_HEAT_ROWS;
    uint64_t from_ns = MAX (time_ns, map->start_ns);
    uint64_t until_ns = MIN (time_ns + MIN (duration_ns, UINT64_MAX - time_ns), map->end_ns);
    if (from_ns >= until_ns)
        return;
    weight = take_weight (map, weigh_until (weight, duration_ns, until_ns - time_ns) -
                                   weigh_until (weight, duration_ns, from_ns - time_ns));
    uint32_t first = find_cell (map, from_ns), last = find_cell (map, until_ns - 1);
    Share rest = weight * ONE;
    if (first < last) {
        uint64_t head_ns = cell_ns - (from_ns - map->first_ns) % cell_ns;
        Share head = divide (weight, head_ns, until_ns - from_ns);
        add_cells (filling, first, first + 1, head);
        rest -= head;
    }
    if (last - first > 1) {
        Share whole = divide (weight, cell_ns, until_ns - from_ns);
        add_cells (filling, first + 1, last, whole);
        rest -= whole * (last - first - 1);
    }
    add_cells (filling, last, last + 1, rest);
}

static void
add_sample (Filling *filling, const PvSampleFilter *filter, uint32_t sample, uint64_t weight)
{
    const PvHeatMap *map = filling->map;
    const PvSampleSet *set = filter->set;
    uint64_t time_ns = pv_sample_set_time_ns (set, sample) - map->profile->start_ns;
    uint64_t duration_ns = set->duration_ns != NULL ? set->duration_ns[sample] : 0;
    if (filter->is_delay) { /* only the last part of a wait */
        time_ns += MIN (duration_ns - MIN (weight, duration_ns), UINT64_MAX - time_ns);
        duration_ns = MIN (weight, duration_ns);
    }
    bool starts_inside = time_ns >= map->start_ns && time_ns < map->end_ns;
    if (duration_ns > 0)
        add_interval (filling, time_ns, duration_ns, weight);
    if (starts_inside) {
        uint32_t cell = find_cell (map, time_ns);
        if (duration_ns == 0)
            add_cells (filling, cell, cell + 1, take_weight (filling->map, weight) * ONE);
        filling->n_samples[cell]++;
        filling->map->n_all_samples++;
    }
}

/* False when cancelled. */
static bool
fill (Filling *filling, const PvSampleFilter *filter, const PvCallTree *tree, PvJob *job)
{
    const PvCallTreeData *data = pv_call_tree_data (tree);
    const PvSampleSet *set = filter->set;
    const PvHeatMap *map = filling->map;
    uint64_t end_ns = pv_profile_get_clock (map->profile, map->end_ns);
    uint64_t start_ns = MAX (map->start_ns + map->profile->start_ns, 1);
    uint32_t first = pv_sample_set_find (set, set->duration_ns != NULL ? 1 : start_ns);
    uint32_t end = pv_sample_set_find (set, end_ns);
    for (uint32_t i = first; i < end; i++) {
        uint64_t weight = pv_sample_filter_weigh (filter, i, 0);
        if (weight > 0 && pv_find_position (data->shape, data->focus, set->stack[i]) != UINT32_MAX)
            add_sample (filling, filter, i, weight);
        if (i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return false;
    }
    return true;
}

static void
sum_up_steps (Filling *filling)
{
    Share share = 0, sum = 0;
    for (uint32_t cell = 0; cell < pv_heat_map_count_cells (filling->map); cell++) {
        Share before = sum;
        share += filling->steps[cell];
        sum += share;
        filling->weights[cell] = (uint64_t)(sum / ONE - before / ONE);
        filling->map->highest = MAX (filling->map->highest, filling->weights[cell]);
    }
}

/* The end of the last sample, just after it if that is a moment. */
static uint64_t
find_end (const PvSampleSet *set, const PvProfile *profile)
{
    uint64_t end_ns = 0;
    uint32_t first = set->duration_ns != NULL ? 0 : set->n_samples - 1;
    for (uint32_t i = first; i < set->n_samples; i++) {
        uint64_t time_ns = pv_sample_set_time_ns (set, i);
        uint64_t duration_ns = set->duration_ns != NULL ? MAX (set->duration_ns[i], 1) : 1;
        end_ns = MAX (end_ns, time_ns + MIN (duration_ns, UINT64_MAX - time_ns));
    }
    return end_ns - MIN (profile->start_ns, end_ns - 1);
}

static void
place_columns (PvHeatMap *map)
{
    map->column_ns = pv_heat_map_choose_column (map->end_ns - map->start_ns);
    map->first_ns = map->start_ns / map->column_ns * map->column_ns;
    map->n_columns = (uint32_t)((map->end_ns - 1 - map->first_ns) / map->column_ns) + 1;
}

PvHeatMap *
pv_heat_map_build (const PvCallTree *tree, uint64_t start_ns, uint64_t end_ns, PvJob *job)
{
    g_assert (tree != NULL && start_ns <= end_ns);
    g_assert (pv_time_index_can_build (tree->profile, tree->query.measure));
    g_autoptr (PvHeatMap) map = g_new0 (PvHeatMap, 1);
    Filling filling = {.map = map};
    PvSampleFilter filter;
    g_auto (PvQuery) query;
    pv_query_copy (&query, &tree->query);
    query.start_ns = 0;
    query.end_ns = UINT64_MAX;
    map->ref_count = 1;
    map->profile = pv_profile_ref (tree->profile);
    map->measure = tree->query.measure;
    pv_sample_filter_init (&filter, &query, tree->profile);
    map->start_ns = start_ns;
    map->end_ns = end_ns != UINT64_MAX ? end_ns : find_end (filter.set, tree->profile);
    map->end_ns = MAX (map->end_ns, start_ns + 1);
    place_columns (map);
    map->weights = filling.weights = pv_new0_large (uint64_t, pv_heat_map_count_cells (map));
    map->n_samples = filling.n_samples = pv_new0_large (uint32_t, pv_heat_map_count_cells (map));
    g_autofree Share *steps = pv_new0_large (Share, pv_heat_map_count_cells (map) + 1);
    filling.steps = steps;
    bool is_done = fill (&filling, &filter, tree, job);
    pv_sample_filter_clear (&filter);
    sum_up_steps (&filling);
    return is_done ? g_steal_pointer (&map) : NULL;
}

PV_DEFINE_REF (pv_heat_map_ref, PvHeatMap, const PvHeatMap)

void
pv_heat_map_unref (PvHeatMap *map)
{
    if (!pv_ref_was_last (map))
        return;
    g_free ((uint64_t *)map->weights);
    g_free ((uint32_t *)map->n_samples);
    pv_profile_free ((PvProfile *)map->profile);
    g_free (map);
}

bool
pv_heat_map_get_times (const PvHeatMap *map, uint32_t cell, uint64_t *ret_start_ns,
                       uint64_t *ret_end_ns)
{
    g_assert (map != NULL && cell < pv_heat_map_count_cells (map));
    uint64_t cell_ns = map->column_ns / PV_HEAT_ROWS;
    /* Those after the last one may be beyond the end of the clock. */
    uint32_t last = find_cell (map, map->end_ns - 1);
    uint64_t start_ns = cell <= last ? map->first_ns + cell * cell_ns : map->end_ns;
    *ret_start_ns = MAX (start_ns, map->start_ns);
    *ret_end_ns = cell < last ? start_ns + cell_ns : map->end_ns;
    return *ret_start_ns < *ret_end_ns;
}
