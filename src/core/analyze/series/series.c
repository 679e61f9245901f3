/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/series/series.h"

#include <string.h>

#include "core/model/profile/dumps.h"

static const char *const chart_names[PV_N_CHARTS] = {
    [PV_CHART_LIVE] = "live",           [PV_CHART_ALLOCATIONS] = "allocations",
    [PV_CHART_TEMPORARY] = "temporary", [PV_CHART_RSS] = "rss",
    [PV_CHART_SIZES] = "sizes",         [PV_CHART_DUMPS] = "dumps",
};

PvChartKind
pv_chart_kind_from_name (const char *name)
{
    PvChartKind kind = 0;
    while (kind < PV_N_CHARTS && strcmp (chart_names[kind], name) != 0)
        kind++;
    return kind;
}

const char *
pv_chart_kind_get_name (PvChartKind kind)
{
    return chart_names[kind];
}

const PvMeasure *
pv_series_find_dump_measure (const PvCallTree *tree)
{
    const PvProfile *profile = tree->profile;
    return pv_profile_has_weights (profile, tree->query.measure)
               ? &profile->measures[tree->query.measure]
               : NULL;
}

bool
pv_series_find_base (const PvCallTree *tree, uint32_t *ret_dump)
{
    const PvMeasure *measure = pv_series_find_dump_measure (tree);
    uint32_t last;
    if (measure == NULL || tree->profile->n_dumps == 0 ||
        (measure->aggregation != PV_AGGREGATION_GROWTH &&
         measure->aggregation != PV_AGGREGATION_DECREASE &&
         measure->aggregation != PV_AGGREGATION_CHANGE))
        return false;
    pv_dumps_find (tree->profile, tree->query.start_ns, UINT64_MAX, ret_dump, &last);
    return true;
}

void
pv_series_free (PvSeries *series)
{
    if (series == NULL)
        return;
    pv_call_tree_free ((PvCallTree *)series->tree);
    g_free (series->start_ms);
    g_free (series->size_classes);
    g_free (series->layers);
    g_free (series->totals);
    g_free (series->values);
    g_free (series->resident);
    g_free (series);
}
