/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/series/series.h"
#include "core/base/job.h"

/* Builds a chart with at most max_layers layers, including the one for all others, and at most
 * max_points points. If a point spans several bins, its levels are those of the bin with the
 * highest level of the whole heap, so that layers add up; a single function may be higher in
 * another bin. Amounts are summed. The chart spans [start_ns, end_ns), not the query's range; sizes
 * are those of the query's range, and have no limit of points. There are no layers without data.
 * Levels may be negative if the file is damaged.
 *
 * In a series, each dump whose time is in the range is one point, regardless of max_points. Values
 * are those of the query's measure under its filters. Growth and decrease are since the dump that
 * the query's range begins with; 0 before it. A query from the start of point p to the start of
 * point q measures growth from dump p to dump q - 1.
 *
 * NULL when cancelled, or if the profile has no such chart: dumps need a series, all others a heap.
 * Any thread; starts several for many rows. */
PvSeries *pv_series_build (const PvCallTree *tree, PvChartKind kind, uint64_t start_ns,
                           uint64_t end_ns, uint32_t max_layers, uint32_t max_points, PvJob *job);
