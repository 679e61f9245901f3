/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Clocks and medians of benchmarks. All times are in milliseconds. */
#include <glib.h>
#include <time.h>

static inline double
bench_get_ms (clockid_t clock)
{
    struct timespec now;
    clock_gettime (clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Orders doubles, for qsort () and g_array_sort (). */
static inline int
bench_compare (const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The value that this part of sorted doubles does not exceed: 0.5 is the median, 1 the largest. */
static inline double
bench_get_quantile (const GArray *sorted, double part)
{
    g_assert (sorted->len > 0 && part >= 0 && part <= 1);
    return g_array_index (sorted, double, (guint)((double)(sorted->len - 1) * part + 0.5));
}
