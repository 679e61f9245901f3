/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/join/compare-input.h"
#include "core/base/array.h"
#include "core/base/job.h"

/* Private to compare/: what one run measures, summed up by stack, thread and labels of its own
 * profile. */
typedef struct {
    PvStackId stack;
    PvThreadId thread;
    uint32_t label_set;
    uint32_t last_entry; /* its last one in the entries, + 1; 0: it has none */
    uint64_t weight;
    uint64_t n_samples; /* that the weight comes from; 0: not known */
} PvCompareRow;

/* The part of a row's weight that is of one block of time, see PvTimeBlocks. */
typedef struct {
    uint32_t row;
    float amount;
} PvCompareEntry;

typedef PV_ARRAY (PvCompareRow) PvCompareRows;

typedef struct {
    PV_ARRAY (PvCompareEntry) list; /* by block */
    uint32_t end_of_block[PV_N_TIME_BLOCKS];
} PvCompareEntries;

/* The run's own measure; for the change of a state, the state (for a heap, live bytes). UINT32_MAX
 * if missing. */
PvMeasureId pv_compare_find_own_measure (const PvCompareRun *run);
/* True if the profile has the measure, and its rows can be made. */
bool pv_compare_has_measure (const PvProfile *profile, PvMeasureId measure);

/* True if the measure is an estimate from samples, and their numbers are known. */
bool pv_compare_is_sampled (const PvProfile *profile, PvMeasureId measure);

/* How many samples a measure's total comes from; 0: that is not known. */
uint64_t pv_compare_count_samples (const PvProfile *profile, PvMeasureId measure);

/* The rows of a measure under the run's query, by first occurrence. ret_entries: by time, none
 * where amounts are exact or have no times; NULL: not wanted. False when cancelled. Clear both also
 * then.
 */
bool pv_compare_rows_make (const PvCompareRun *run, PvMeasureId measure, PvCompareRows *ret_rows,
                           PvCompareEntries *ret_entries, PvJob *job, GError **error);
