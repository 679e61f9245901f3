/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/job.h"
#include "core/model/profile/profile.h"

/*
 * The waits of each thread in the order of time, whatever a query keeps: for what a thread does
 * between its samples. Immutable, reference counted, any thread; 12 bytes for each wait. Holds
 * the profile.
 */
typedef struct {
    int ref_count;      /* atomic */
    PvProfile *profile; /* a reference */
    const PvSampleSet *set;
    uint32_t *first_of_thread; /* in samples; n_threads + 1 entries */
    uint32_t *samples;         /* of the set */
    uint64_t *ns_before;       /* what all of them before have lasted; one more */
} PvWaitIndex;

/* Only of the waits for which is_kept, by sample of their set, is true; NULL: of all. NULL if the
 * profile has no waits of which it knows more than their time, or when cancelled. Linear in waits.
 */
PvWaitIndex *pv_wait_index_build (const PvProfile *profile, const bool *is_kept, PvJob *job);
PvWaitIndex *pv_wait_index_ref (PvWaitIndex *index);
void pv_wait_index_unref (PvWaitIndex *index);

/* The wait of a thread at a time since profile->start_ns: a sample of index->set. False if it does
 * not wait then. */
bool pv_wait_index_find (const PvWaitIndex *index, PvThreadId thread, uint64_t time_ns,
                         uint32_t *ret_sample);

/* Part of a wait in which a thread was what was waited for. */
typedef struct {
    PvThreadId thread;
    uint64_t ns;
} PvWaitStep;

enum { PV_WAIT_STEPS = 64 }; /* threads that a wait is followed back to: a convoy has no more */

/* The thread that ended the wait; 0: an interrupt did, or it is not known. */
typedef PvThreadId (*PvWaitWakerFunc) (void *data, uint32_t sample);

/* Follows a wait back from its end: a thread that woke another one after it had to wait itself is
 * not to blame for the time until it was woken, but the thread that woke it. The number of steps,
 * the last one in time first; a thread may have several. */
unsigned pv_wait_index_follow (const PvWaitIndex *index, uint32_t sample,
                               PvWaitWakerFunc find_waker, void *data,
                               PvWaitStep ret_steps[PV_WAIT_STEPS]);

/* How long a thread waits between two times since profile->start_ns. Takes no time for waits. */
uint64_t pv_wait_index_sum (const PvWaitIndex *index, PvThreadId thread, uint64_t start_ns,
                            uint64_t end_ns);

/* State of a thread at the middle of each of n_bins equal parts of a time, as a PvWaitKind. Fast
 * however many waits there are. */
typedef enum {
    PV_WAIT_NONE,
    PV_WAIT_BLOCKED,
    PV_WAIT_PREEMPTED,
} PvWaitKind;

void pv_wait_index_sample (const PvWaitIndex *index, PvThreadId thread, uint64_t start_ns,
                           uint64_t end_ns, uint32_t n_bins, uint8_t *ret_kinds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvWaitIndex, pv_wait_index_unref)
