/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"

/* Names of perf's events, and of other measures, in plain words. Any thread; results are
 * translated, static or the profile's. */

/* "CPU time" for "cpu-clock:ppp"; the measure's own name if there is no better one, or if several
 * measures of the profile would have the same title. */
const char *pv_measure_get_event_title (const PvProfile *profile, PvMeasureId measure);

/* Kind of a heap's measure; PV_HEAP_NONE: another one. Only its name tells once profiles were
 * joined. */
PvHeapMeasure pv_measure_find_heap (const PvProfile *profile, PvMeasureId measure);

/* "Peak", "Live at end" for the measures of a heap; else as pv_measure_get_event_title (). */
const char *pv_measure_get_title (const PvProfile *profile, PvMeasureId measure);

/* "Time on the CPU, by the system's clock"; NULL: not known. */
const char *pv_measure_get_event_meaning (const PvProfile *profile, PvMeasureId measure);

/* Page of the user's help on the measure, see PV_HELP (). */
const char *pv_measure_get_help (const PvProfile *profile, PvMeasureId measure);

/* Why the cost of an instruction may belong to another one nearby, for samples of this event; NULL:
 * it does not, or nothing is known. */
const char *pv_measure_get_skid (const PvProfile *profile, PvMeasureId measure);

/* The measure with this name or title, case-insensitively where there is no exact match;
 * UINT32_MAX: none. */
PvMeasureId pv_profile_find_measure_or_title (const PvProfile *profile, const char *name);
