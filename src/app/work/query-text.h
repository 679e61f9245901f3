/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"
#include "core/analyze/query/time-range.h"
#include "core/model/profile/event-names.h"

/* The parts of a query in words, for the window. Strings returned as char * are freed by the
 * caller; others are static or live as long as the profile. Any thread. */

/* One line that explains a measure; NULL: not known. A time range can change what is counted. */
const char *pv_measure_get_meaning (const PvProfile *profile, PvMeasureId measure, bool has_range);

/* Amount of a measure in the whole recording: "1.25 MiB", or "+1.25 MiB" if it is signed; g_free ()
 * it. */
char *pv_measure_format_total (const PvProfile *profile, PvMeasureId measure);
/* The same with the recorded name, if the title is another: "Time on the CPU (cpu-clock:ppp)".
 * NULL: nothing to say; g_free () it. */
char *pv_measure_describe (const PvProfile *profile, PvMeasureId measure, bool has_range);

/* "heap.3 → heap.7", the dumps of a time range. is_short: without what the names of all dumps have
 * in common. The profile has dumps. */
char *pv_format_dumps (const PvProfile *profile, uint64_t start_ns, uint64_t end_ns, bool is_short);

/* "Threads: a, b and 3 more", "Without CPU 3"; NULL if the query does not choose so. */
char *pv_format_origin (const PvProfile *profile, const PvQuery *query, PvOrigin origin,
                        bool is_excluding);
/* "bytes: 512", "With bytes" */
char *pv_format_label_filter (const PvLabelFilter *label);
char *pv_format_grouping (const PvQuery *query); /* "By thread" */

/* "Ignore: malloc" */
char *pv_format_transform (const PvTransform *transform);
