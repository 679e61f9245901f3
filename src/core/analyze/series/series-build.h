/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/series/series.h"
#include "core/base/job.h"

/* Builds a chart with at most max_layers layers, that of all others included, and at most
 * max_points points. Where a point spans several bins, a level is that of the bin with the highest
 * level of the whole heap, so that layers add up; the functions in the tree may be higher at
 * another moment. Amounts are summed. The chart spans [start_ns, end_ns), not the query's range;
 * sizes have neither a range nor a limit of points. There are no layers if nothing is known or
 * nothing happened. In damaged files levels may be negative.
 *
 * For a series, each dump whose time is in the range is one point, regardless of max_points. Values
 * are those of the query's measure under its filters; if that measure is a growth or decrease,
 * those of the state itself. A query from the start of point p to that of point q measures growth
 * from dump p to dump q - 1.
 *
 * NULL when cancelled, or if the profile has no such chart: dumps need a series, all others a heap.
 * Any thread; uses several for many rows. */
PvSeries *pv_series_build (const PvCallTree *tree, PvChartKind kind, uint64_t start_ns,
                           uint64_t end_ns, uint32_t max_layers, uint32_t max_points, PvJob *job);
