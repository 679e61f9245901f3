/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/time/time-bins.h"

/*
 * The other events of a recording, beside the one that is looked at: how many samples each had at
 * each time, whatever a query keeps. Events whose samples are marks (see mark-index.h) are not
 * among them. Immutable, any thread; takes no memory for samples. Holds the profile.
 */
typedef struct {
    const char *name; /* of the profile */
    uint32_t set;
} PvOtherEvent;

typedef struct {
    PvProfile *profile; /* a reference */
    uint32_t n_events;
    PvOtherEvent *events; /* by name */
} PvEventIndex;

/* except: the set of the event that is looked at. NULL: there is no other one with times. */
PvEventIndex *pv_event_index_new (const PvProfile *profile, uint32_t except);
void pv_event_index_free (PvEventIndex *index);

/* Samples of an event in each bin of the view, in which they start. Takes time for bins, not for
 * samples. */
void pv_event_index_count (const PvEventIndex *index, uint32_t event, const PvTimeView *view,
                           uint32_t *ret_counts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvEventIndex, pv_event_index_free)
