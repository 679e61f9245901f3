/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/*
 * The charts of a heap over time and of a series of dumps. A chart has one layer for each of the
 * heaviest functions and one for all others together, so at every point the layers add up to the
 * total exactly.
 *
 * A layer's function is the one where stacks of the call tree end, so the query's transforms apply
 * to charts, too. Immutable once built; has a single owner.
 */
typedef enum {
    PV_CHART_LIVE,        /* bytes: the level at the peak of each point */
    PV_CHART_ALLOCATIONS, /* count within each point's time */
    PV_CHART_TEMPORARY,   /* the same */
    PV_CHART_RSS,         /* bytes; one layer, without function */
    PV_CHART_SIZES,       /* allocations by size class, in the query's time */
    PV_CHART_DUMPS,       /* what the query's measure counts in each dump of a series */
    PV_N_CHARTS
} PvChartKind;

typedef struct {
    PvFunctionId function; /* in the tree's symbols; 0: all others, or RSS */
    const PvFrame *frame;  /* a representative frame; NULL if function is 0 */
    int64_t weight;        /* the area under its curve */
    int64_t *values;       /* n_points */
} PvSeriesLayer;

typedef struct {
    PvChartKind kind;
    PvUnit unit;
    const PvCallTree *tree; /* holds a reference */

    uint32_t n_points;
    /* Time of point p: [start_ms[p], start_ms[p + 1]); n_points + 1 entries. NULL for sizes. The
     * last dump gets the median duration. */
    uint64_t *start_ms;
    PvHeapSizeClass *size_classes; /* n_points entries; NULL except for sizes */
    bool is_of_whole; /* sizes of the whole recording, though the query has a range: the file does
                         not tell them by time */
    uint32_t first_dump; /* for dumps: point p is dump first_dump + p of the profile */

    /* Heaviest first, then all others if there are any. Of live bytes, a function weighs the sum of
     * its shares of the area and of the peak. */
    uint32_t n_layers;
    PvSeriesLayer *layers;
    /* Changes since a dump: the first n_below layers are decreases, lightest first, as amounts
     * above 0; totals are net, and highest is the maximum of decreases and increases added up. */
    bool is_net;
    uint32_t n_below;
    int64_t *values; /* for all layers, which point into it */
    int64_t *totals; /* n_points: the sum of the layers */
    int64_t highest; /* maximum of totals */

    /* Live bytes: the highest point shown; has_peak is false if nothing is live. Of dumps the one
     * that the file says is the peak, if there is. */
    bool has_peak;
    uint64_t peak_ms;
    int64_t peak_value;

    /* Live bytes of all stacks only: how much memory was resident, the highest of each point. NULL
     * where that was not recorded, and beside a part of the stacks, which it is not of. */
    int64_t *resident;
    int64_t highest_resident;
} PvSeries;

void pv_series_free (PvSeries *series);

/* The measure shown by this tree's chart of dumps; NULL: none. */
const PvMeasure *pv_series_find_dump_measure (const PvCallTree *tree);
/* True if that is growth, decrease or both; *ret_dump is then the dump it begins with. */
bool pv_series_find_base (const PvCallTree *tree, uint32_t *ret_dump);

/* "live", "allocations", "temporary", "rss", "sizes", "dumps": for --chart. PV_N_CHARTS if
 * unknown. */
PvChartKind pv_chart_kind_from_name (const char *name);
const char *pv_chart_kind_get_name (PvChartKind kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSeries, pv_series_free)
