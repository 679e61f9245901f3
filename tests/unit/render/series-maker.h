/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/series/series.h"

/*
 * Series of a heap over time, or of dumps, for tests of charts, made up: a program that loads,
 * works in phases, has caches that grow and a peak, and ends. Free with test_series_free ().
 */
typedef struct {
    PvChartKind kind;
    uint32_t seed;
    uint32_t n_points;
    uint32_t n_layers; /* at most 21, the last one all others where has_others */
    bool has_others;
    uint64_t point_ms; /* 0: 10 */
    bool has_no_times; /* dumps of which only the order is known */
} TestSeriesOptions;

PvSeries *test_series_make (const TestSeriesOptions *options);
/* The same shape with all values zero, to be filled and finished. */
PvSeries *test_series_make_empty (const TestSeriesOptions *options);
/* Totals, weights, highest and peak of what values were set. */
void test_series_finish (PvSeries *series);
void test_series_free (PvSeries *series);

/* For g_autoptr (). */
typedef PvSeries TestSeries;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestSeries, test_series_free)
