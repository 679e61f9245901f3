/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/time/time-bins.h"

/*
 * The counters of a profile over time: the smallest and the largest value in a range of time,
 * however many samples are in it. A level holds until the next sample; an amount is of the time
 * since the one before. Immutable, reference counted, any thread. Holds the profile.
 */
typedef struct {
    double min, max; /* NAN: nothing is known of that time */
} PvCounterRange;

typedef struct PvCounterIndex PvCounterIndex;

/* Indexes the counters that have samples, in the order of the profile. NULL: no such counters, or
 * cancelled. */
PvCounterIndex *pv_counter_index_build (const PvProfile *profile, PvJob *job);
PvCounterIndex *pv_counter_index_ref (PvCounterIndex *index);
void pv_counter_index_unref (PvCounterIndex *index);

uint32_t pv_counter_index_get_n (const PvCounterIndex *index);
/* The counter in the profile; counter is below the number of counters, here and below. */
const PvCounter *pv_counter_index_get (const PvCounterIndex *index, uint32_t counter);

/* A range for each bin of the view. Takes time for bins, hardly for samples. */
void pv_counter_index_sample (const PvCounterIndex *index, uint32_t counter, const PvTimeView *view,
                              PvCounterRange *ret_ranges);
/* The value at a time since the start of the profile; false: nothing is known of that time. */
bool pv_counter_index_find (const PvCounterIndex *index, uint32_t counter, uint64_t time_ns,
                            double *ret_value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCounterIndex, pv_counter_index_unref)
