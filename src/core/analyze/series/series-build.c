/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/series/series-build.h"

#include <string.h>

#include "core/analyze/series/series-layers.h"

enum { MAX_LAYERS = 4096 };

/* Net series */

static void
copy_layer (PvSeries *series, const PvSeriesLayer *layer)
{
    PvSeriesLayer *copy = &series->layers[series->n_layers];
    size_t n = series->n_points;
    *copy = *layer;
    copy->values = series->values + n * series->n_layers++;
    memcpy (copy->values, layer->values, n * sizeof (int64_t));
}

static void
sum_up_net (PvSeries *series)
{
    series->totals = g_new0 (int64_t, MAX (series->n_points, 1));
    for (uint32_t p = 0; p < series->n_points; p++) {
        int64_t both = 0;
        for (uint32_t l = 0; l < series->n_layers; l++) {
            int64_t value = series->layers[l].values[p];
            series->totals[p] += l < series->n_below ? -value : value;
            both += value;
        }
        series->highest = MAX (series->highest, both);
    }
}

/* Joins decreases, below the axis, and increases, the heaviest of each next to the axis. */
static PvSeries *
join_sides (const PvCallTree *tree, const PvSeries *base, const PvSeries *new)
{
    g_assert (base->n_points == new->n_points && base->first_dump == new->first_dump);
    uint32_t n_layers = base->n_layers + new->n_layers;
    PvSeries *series = g_new0 (PvSeries, 1);
    series->kind = new->kind;
    series->unit = new->unit;
    series->tree = pv_call_tree_ref (tree);
    series->n_points = new->n_points;
    series->start_ms = g_memdup2 (new->start_ms, ((size_t) new->n_points + 1) * sizeof (uint64_t));
    series->first_dump = new->first_dump;
    series->is_net = true;
    series->n_below = base->n_layers;
    series->layers = g_new0 (PvSeriesLayer, MAX (n_layers, 1));
    series->values = g_new0 (int64_t, MAX ((size_t)n_layers * series->n_points, 1));
    for (uint32_t l = base->n_layers; l-- > 0;)
        copy_layer (series, &base->layers[l]);
    for (uint32_t l = 0; l < new->n_layers; l++)
        copy_layer (series, &new->layers[l]);
    sum_up_net (series);
    return series;
}

/* The pair whose change since a dump a chart shows; NULL: none. */
static const PvPair *
find_pair (const PvCallTree *tree, PvChartKind kind)
{
    const PvMeasure *measure = kind == PV_CHART_DUMPS ? pv_series_find_dump_measure (tree) : NULL;
    return measure != NULL && measure->aggregation == PV_AGGREGATION_CHANGE
               ? pv_profile_get_pair (tree->profile, tree->query.measure)
               : NULL;
}

static PvSeries *
build_side (const PvCallTree *tree, PvMeasureId measure, uint64_t start_ns, uint64_t end_ns,
            uint32_t max_layers, uint32_t max_points, PvJob *job)
{
    g_autoptr (PvCallTree) side = pv_call_tree_build_measure (tree, measure, job, NULL);
    return side != NULL ? pv_series_build (side, PV_CHART_DUMPS, start_ns, end_ns, max_layers,
                                           max_points, job)
                        : NULL;
}

static PvSeries *
build_change (const PvCallTree *tree, const PvPair *pair, uint64_t start_ns, uint64_t end_ns,
              uint32_t max_layers, uint32_t max_points, PvJob *job)
{
    uint32_t half = MAX (max_layers / 2, 1);
    g_autoptr (PvSeries) base =
        build_side (tree, pair->of_side[PV_SIDE_BASE], start_ns, end_ns, half, max_points, job);
    g_autoptr (PvSeries) new =
        build_side (tree, pair->of_side[PV_SIDE_NEW], start_ns, end_ns, half, max_points, job);
    return base != NULL && new != NULL ? join_sides (tree, base, new) : NULL;
}

PvSeries *
pv_series_build (const PvCallTree *tree, PvChartKind kind, uint64_t start_ns, uint64_t end_ns,
                 uint32_t max_layers, uint32_t max_points, PvJob *job)
{
    g_assert (tree != NULL && kind < PV_N_CHARTS);
    const PvPair *pair = find_pair (tree, kind);
    if (pair != NULL && tree->profile->n_dumps > 0)
        return build_change (tree, pair, start_ns, end_ns, max_layers, max_points, job);
    const PvSeriesSource *source = kind == PV_CHART_DUMPS ? &pv_dump_series : &pv_heap_series;
    if (!source->has_charts (tree->profile) || pv_job_is_cancelled (job))
        return NULL;
    const PvCallTreeData *data = pv_call_tree_data (pv_call_tree_top_down (tree));
    g_autoptr (PvStackReader) reader = pv_stack_reader_new (tree, job);
    if (reader == NULL)
        return NULL;
    PvSeries *series = g_new0 (PvSeries, 1);
    PvSeriesBuild build = {
        .series = series,
        .shape = data->shape,
        .focus = data->focus,
        .reader = reader,
        .job = job,
    };
    max_layers = CLAMP (max_layers, 1, MAX_LAYERS);
    series->kind = kind;
    series->tree = pv_call_tree_ref (tree);
    bool is_done = source->fill (&build, start_ns, end_ns, max_layers, max_points);
    g_free (build.candidates);
    if (!is_done)
        g_clear_pointer (&series, pv_series_free);
    return series;
}
