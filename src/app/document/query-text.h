/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"

/* What the parts of a query are called in the window. */

/* Of a heap's measures a name for people, else the one that was recorded. Valid with the profile.
 */
const char *pv_measure_get_title (const PvProfile *profile, PvMeasureId measure);

/* One line that says what a measure of a heap or a series counts, NULL for others. What is counted
 * of a time range may be something else than of the whole recording. */
const char *pv_measure_get_meaning (const PvProfile *profile, PvMeasureId measure, bool has_range);

/* "1.20–3.40 s". end_ns UINT64_MAX: to the end, at duration_ns. */
char *pv_format_time_range (uint64_t start_ns, uint64_t end_ns, uint64_t duration_ns);
char *pv_format_moment (uint64_t time_ns); /* "3.40 s" */

/* "heap.3 → heap.7" in full, or without what the names of all dumps have in common. */
char *pv_format_dumps (const PvProfile *profile, uint64_t start_ns, uint64_t end_ns, bool is_short);

/* "bytes: 512" */
char *pv_format_label_filter (const PvLabelFilter *label);
char *pv_format_grouping (const PvQuery *query); /* "By thread" */

/* "Ignore: malloc" */
char *pv_format_transform (const PvTransform *transform);
