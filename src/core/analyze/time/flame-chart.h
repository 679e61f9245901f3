/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"

/*
 * A flame chart: the stacks of one thread in the order of time. A level of neighbouring stacks that
 * is the same from the root on is one box.
 *
 * How long a sample lasts: an interval (of time off the CPU), as long as it says, but of a measure
 * of delays only the last part of it, as long as the delay; a moment, until the next sample of the
 * thread, whether the query keeps that or not. If the next one is more than PV_CHART_MOST_PERIODS
 * periods away, the thread did not run, or was not sampled: then the sample lasts one period and a
 * gap follows. The period is the median distance of the thread's samples. Of samples at the same
 * nanosecond the last one is shown. What the query drops is a gap.
 *
 * Immutable, reference counted, any thread. Takes four bytes for each sample of the thread, and one
 * more for an index. Holds the tree.
 */
enum { PV_CHART_MOST_PERIODS = 4 };

#define PV_CHART_BUSIEST UINT32_MAX /* in place of a thread */

typedef struct {
    PvThreadId thread;
    uint64_t weight;
} PvChartThread;

typedef struct {
    int ref_count; /* atomic */
    const PvCallTree *tree;
    PvThreadId thread;
    /* Threads with weight in the tree's query, the heaviest first. */
    uint32_t n_threads;
    const PvChartThread *threads;

    uint64_t weight;    /* of the thread in the tree's query */
    uint64_t period_ns; /* 0: samples are intervals */
    uint32_t n_samples; /* that are kept, at any time */
    /* The query's time, or where an end is open, that of the samples; since profile->start_ns. */
    uint64_t start_ns;
    uint64_t end_ns;
} PvFlameChart;

/* The thread's samples by the measure of a top-down tree, for which pv_time_index_can_build () must
 * hold; n_samples is 0 if it has none. The tree must have its nodes. Linear in the samples of the
 * set. NULL when cancelled. */
PvFlameChart *pv_flame_chart_build (const PvCallTree *tree, PvThreadId thread, PvJob *job);
PvFlameChart *pv_flame_chart_ref (const PvFlameChart *chart);
void pv_flame_chart_unref (PvFlameChart *chart);

/*
 * The boxes that a range of time has, start_ns below end_ns, since profile->start_ns: a tree for
 * pictures whose weights are nanoseconds. Its root is all of the chart, which has samples, and its
 * query has the times of that; other boxes are whole too, but outside of the range they lack what
 * is above them.
 *
 * Neighbours that are together narrower than least_ns become one: what their stacks have in common
 * is joined to the boxes around, what is above that is folded nodes, as many levels as the deepest
 * of them has, each for that number of samples. 0: every sample has its box. Takes time for boxes,
 * not for samples, except for kept ones of no length. NULL when cancelled.
 */
PvCallTree *pv_flame_chart_cut (const PvFlameChart *chart, uint64_t start_ns, uint64_t end_ns,
                                uint64_t least_ns, PvJob *job);

/* How many kept samples start in a range of time. Fast enough for the main loop. */
uint32_t pv_flame_chart_count (const PvFlameChart *chart, uint64_t start_ns, uint64_t end_ns);

/* Nanoseconds in which each function of the tree's symbols was the innermost one; [0] is for no
 * function. Linear in the samples of that time. Free with g_free (). */
uint64_t *pv_flame_chart_weigh_functions (const PvFlameChart *chart, uint64_t start_ns,
                                          uint64_t end_ns);

/* "worker (4711)"; of a profile with several processes "server · worker (4711)". Free with g_free
 * (). */
char *pv_flame_chart_format_thread (const PvProfile *profile, PvThreadId thread);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFlameChart, pv_flame_chart_unref)
