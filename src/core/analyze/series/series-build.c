/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/series/series-build.h"

#include "core/analyze/series/series-layers.h"

enum { MAX_LAYERS = 4096 };

PvSeries *
pv_series_build (const PvCallTree *tree, PvChartKind kind, uint64_t start_ns, uint64_t end_ns,
                 uint32_t max_layers, uint32_t max_points, PvJob *job)
{
    g_assert (tree != NULL && kind < PV_N_CHARTS);
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
