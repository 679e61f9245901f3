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

/* What a measure of a series is about is a state; the measure that says this about it: the state
 * itself, its growth or its decrease. UINT32_MAX: there is none. */
PvMeasureId pv_measure_find_aspect (const PvProfile *profile, PvMeasureId measure,
                                    PvAggregation aspect);

/* The measure that is this one of a heap, or 0. */
PvMeasureId pv_measure_find_heap (const PvProfile *profile, PvHeapMeasure heap);

/* "1.20–3.40 s". end_ns UINT64_MAX: to the end, at duration_ns. */
char *pv_format_time_range (uint64_t start_ns, uint64_t end_ns, uint64_t duration_ns);
char *pv_format_moment (uint64_t time_ns); /* "3.40 s" */

/* The dumps of a series that a range, since profile->start_ns, begins and ends with. */
void pv_find_dumps (const PvProfile *profile, uint64_t start_ns, uint64_t end_ns,
                    uint32_t *ret_first, uint32_t *ret_last);
/* "heap.3 → heap.7" in full, or without what the names of all dumps have in common. */
char *pv_format_dumps (const PvProfile *profile, uint64_t start_ns, uint64_t end_ns, bool is_short);

/* "worker (4711)" */
char *pv_format_thread (const PvProfile *profile, PvThreadId thread);
char *pv_format_process (const PvProfile *profile, PvProcessId process);
/* "bytes: 512" */
char *pv_format_label_filter (const PvLabelFilter *label);
char *pv_format_grouping (const PvQuery *query); /* "By thread" */

/* "Ignore: malloc" */
char *pv_format_transform (const PvTransform *transform);
