/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/model/profile/profile.h"

/* Round numbers for the axes of charts, and their labels. */
enum { PV_CHART_LABEL_SIZE = 48 };

/* The smallest round step that gives at most `most` lines above 0 and up to highest: powers of two
 * for bytes, else 1, 2 or 5 times a power of ten. Always above 0. */
double pv_chart_value_step (double highest, unsigned most, PvUnit unit);

/* The smallest of these steps that is at least least_ms: 1, 2, 5, ... 500 ms, 1, 2, 5, 10, 15, 30 s
 * and min, 1, 2, 3, 6, 12, 24 h and multiples of days. */
double pv_chart_time_step (double least_ms);

/* "1.5 GiB", "2,500", "20 M": short, for axes that end at highest. */
void pv_chart_format_tick (double value, double highest, PvUnit unit,
                           char ret_label[PV_CHART_LABEL_SIZE]);
/* "1.42 GiB", "1,234": like pv_format_amount (), but with fractions of counts. Free with g_free
 * (). */
char *pv_chart_format_value (double value, PvUnit unit);

/* "250 ms", "1.5 s", "2:30 min", "1:05 h": the unit depends on the end of the axis, the precision
 * on the step. */
void pv_chart_format_time (double time_ms, double step_ms, double end_ms,
                           char ret_label[PV_CHART_LABEL_SIZE]);
