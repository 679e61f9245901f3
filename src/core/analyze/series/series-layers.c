/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/series/series-layers.h"

#include <stdlib.h>

/* Choosing layers */

void
pv_series_begin_ranking (PvSeriesBuild *build)
{
    uint32_t n_functions = build->shape->symbols->n_functions;
    build->candidates = g_new0 (PvSeriesCandidate, MAX (n_functions, 1));
}

void
pv_series_add_weight (PvSeriesBuild *build, PvFunctionId function, PvStackId stack, double weight)
{
    PvSeriesCandidate *candidate = &build->candidates[function];
    candidate->weight += weight;
    if (weight > candidate->stack_weight) {
        candidate->stack_weight = weight;
        candidate->stack = stack;
    }
}

static int
compare_candidates (const void *a, const void *b, void *user)
{
    const PvSeriesCandidate *left = a, *right = b;
    const PvNameRanks *ranks = user;
    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return pv_name_ranks_compare (ranks, left->function, right->function);
}

void
pv_series_end_ranking (PvSeriesBuild *build, uint32_t max_layers)
{
    PvSeriesCandidate *candidates = build->candidates;
    uint32_t n_functions = build->shape->symbols->n_functions, n = 0;
    for (PvFunctionId f = 1; f < n_functions; f++) {
        if (candidates[f].weight > 0) {
            candidates[n] = candidates[f];
            candidates[n++].function = f;
        }
    }
    if (n > 1)
        qsort_r (candidates, n, sizeof *candidates, compare_candidates, build->shape->ranks);
    build->n_own = MIN (n, max_layers);
}

uint16_t *
pv_series_make_slots (const PvSeriesBuild *build)
{
    uint32_t n_functions = build->shape->symbols->n_functions;
    uint16_t *slots = g_new (uint16_t, MAX (n_functions, 1));
    for (PvFunctionId f = 0; f < n_functions; f++)
        slots[f] = (uint16_t)build->n_own;
    for (uint32_t i = 0; i < build->n_own; i++)
        slots[build->candidates[i].function] = (uint16_t)i;
    return slots;
}

/* Layers */

void
pv_series_allocate_values (PvSeriesBuild *build)
{
    size_t n = ((size_t)build->n_own + 2) * build->series->n_points;
    build->values = build->series->values = g_new0 (int64_t, MAX (n, 1));
}

/* True if the slot of all others has any value. */
static bool
has_others (const PvSeriesBuild *build)
{
    uint32_t n_points = build->series->n_points;
    const int64_t *values = build->values + (size_t)build->n_own * n_points;
    for (uint32_t p = 0; p < n_points; p++) {
        if (values[p] != 0)
            return true;
    }
    return false;
}

static int64_t
to_weight (double weight)
{
    return (int64_t)CLAMP (weight, -0x1p62, 0x1p62);
}

/* The visible area of a layer; amounts are drawn as rates. */
static int64_t
measure_area (const PvSeries *series, const int64_t *values)
{
    bool is_amount = series->start_ms == NULL || series->kind == PV_CHART_ALLOCATIONS ||
                     series->kind == PV_CHART_TEMPORARY;
    double area = 0;
    for (uint32_t p = 0; p < series->n_points; p++) {
        uint64_t width = is_amount ? 1 : series->start_ms[p + 1] - series->start_ms[p];
        area += (double)values[p] * (double)width;
    }
    return to_weight (area);
}

static void
add_layer (PvSeriesBuild *build, uint32_t slot, const PvSeriesCandidate *candidate)
{
    PvSeries *series = build->series;
    PvSeriesLayer *layer = &series->layers[series->n_layers++];
    *layer = (PvSeriesLayer){.values = build->values + (size_t)slot * series->n_points};
    layer->weight = measure_area (series, layer->values);
    if (candidate == NULL)
        return;
    PvStackFrame leaf;
    layer->function = candidate->function;
    if (pv_stack_reader_begin (build->reader, candidate->stack, &leaf))
        layer->frame = leaf.frame;
}

void
pv_series_make_layers (PvSeriesBuild *build, uint32_t max_layers)
{
    PvSeries *series = build->series;
    bool with_others = has_others (build);
    uint32_t n_shown = build->n_own;
    uint32_t others = build->n_own;
    if (with_others && n_shown == max_layers) {
        n_shown--;
        int64_t *to = build->values + (size_t)others * series->n_points;
        for (uint32_t p = 0; p < series->n_points; p++)
            to[p] += build->values[(size_t)n_shown * series->n_points + p];
    }
    series->layers = g_new0 (PvSeriesLayer, (size_t)n_shown + 1);
    for (uint32_t i = 0; i < n_shown; i++)
        add_layer (build, i, &build->candidates[i]);
    if (with_others)
        add_layer (build, others, NULL);
}

void
pv_series_make_single_layer (PvSeriesBuild *build)
{
    build->series->layers = g_new0 (PvSeriesLayer, 1);
    add_layer (build, 0, NULL);
}

void
pv_series_sum_up (PvSeriesBuild *build)
{
    PvSeries *series = build->series;
    series->totals = g_new0 (int64_t, MAX (series->n_points, 1));
    for (uint32_t l = 0; l < series->n_layers; l++) {
        for (uint32_t p = 0; p < series->n_points; p++)
            series->totals[p] += series->layers[l].values[p];
    }
    for (uint32_t p = 0; p < series->n_points; p++)
        series->highest = MAX (series->highest, series->totals[p]);
}
