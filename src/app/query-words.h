#pragma once

#include "core/analyze/query.h"

/* What the parts of a query are called in the window. */

/* Of a heap's measures a name for people, else the one that was recorded. Valid with the profile.
 */
const char *pv_measure_get_title (const PvProfile *profile, PvMeasureId measure);

/* One line that says what a measure of a heap counts, NULL for others. What is counted of a time
 * range may be something else than of the whole recording. */
const char *pv_measure_get_meaning (const PvProfile *profile, PvMeasureId measure, bool has_range);

/* The measure that is this one of a heap, or 0. */
PvMeasureId pv_measure_find_heap (const PvProfile *profile, PvHeapMeasure heap);

/* "1.20–3.40 s". end_ns UINT64_MAX: to the end, at duration_ns. */
char *pv_format_time_range (uint64_t start_ns, uint64_t end_ns, uint64_t duration_ns);
char *pv_format_moment (uint64_t time_ns); /* "3.40 s" */

/* "Ignore: malloc" */
char *pv_format_transform (const PvTransform *transform);
