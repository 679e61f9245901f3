/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/series/series.h"
#include "core/base/job.h"

/* max_layers counts the one of all others. At most max_points points: bins are put together, levels
 * by their highest one, amounts by their sum. The highest one is the whole heap's, so that layers
 * add up to it; what a tree keeps of it may be higher at another moment. The time range of
 * [start_ns, end_ns) is what the chart spans, and not the query's; sizes have neither range nor
 * limit of points. No layers where nothing is known or nothing happened. In damaged files levels
 * may be negative.
 *
 * Dumps are those that the range has the time of, each a point of its own whatever max_points says.
 * They are counted under the query's filters by its measure, or, where that is the growth or
 * decrease of a state, by that state. From the beginning of point p to that of point q the query's
 * growth is from dump p to dump q - 1.
 *
 * NULL when cancelled, or for a profile that has no such chart: dumps are for series, all others
 * for heaps. Any thread; takes several where there are many rows. */
PvSeries *pv_series_build (const PvCallTree *tree, PvChartKind kind, uint64_t start_ns,
                           uint64_t end_ns, uint32_t max_layers, uint32_t max_points, PvJob *job);
