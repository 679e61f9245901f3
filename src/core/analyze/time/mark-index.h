/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/job.h"
#include "core/model/profile/profile.h"

/*
 * Marks of each thread, in the order of time, whatever a query keeps: samples of events with
 * fields, such as tracepoints, and of context switches. Immutable, reference counted, any thread;
 * 6 bytes for each. Holds the profile.
 */
typedef struct {
    int ref_count;             /* atomic */
    PvProfile *profile;        /* a reference */
    uint32_t except;           /* this set is not in it */
    uint32_t *first_of_thread; /* in the next two; n_threads + 1 entries */
    uint32_t *samples;
    uint16_t *sets;
    bool has_fields; /* some have */
} PvMarkIndex;

/* True if the samples of a set are marks. */
bool pv_mark_index_takes (const PvSampleSet *set);

/* except: the set that is shown in another way; PV_NO_SET: none. NULL if the profile has no such
 * events with times, or when cancelled. */
PvMarkIndex *pv_mark_index_build (const PvProfile *profile, uint32_t except, PvJob *job);
PvMarkIndex *pv_mark_index_ref (PvMarkIndex *index);
void pv_mark_index_unref (PvMarkIndex *index);

/* Finds the mark nearest to a time since profile->start_ns, at most reach_ns away. False: no such
 * mark. */
bool pv_mark_index_find (const PvMarkIndex *index, PvThreadId thread, uint64_t time_ns,
                         uint64_t reach_ns, uint32_t *ret_set, uint32_t *ret_sample);

/* Tells for each of n_bins equal parts of a time if it has a mark. Fast however many there are. */
void pv_mark_index_sample (const PvMarkIndex *index, PvThreadId thread, uint64_t start_ns,
                           uint64_t end_ns, uint32_t n_bins, uint8_t *ret_has_any);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvMarkIndex, pv_mark_index_unref)
