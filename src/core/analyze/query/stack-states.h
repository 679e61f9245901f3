/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/stack-filter.h"
#include "core/base/job.h"

/*
 * The state of a filter after the frames of each stack, from its root on. Most filters have few
 * states; these are numbered, so that what a location does to a state is found in a table instead
 * of asking the filter again. Immutable, reference counted, any thread.
 */
enum { PV_MAX_NUMBERED_STATES = 16 };

typedef struct {
    int ref_count;     /* atomic */
    uint32_t n_states; /* numbered ones; 0: too many to number */
    uint32_t state_of_number[PV_MAX_NUMBERED_STATES];
    uint8_t *number_of_stack; /* NULL: too many, or the filter keeps all frames */
    uint32_t *state_of_stack; /* if there are too many; else NULL */
} PvStackStates;

/* One pass over the stacks. NULL when cancelled. */
PvStackStates *pv_stack_states_new (const PvProfile *profile, const PvSymbolTable *symbols,
                                    PvStackFilter *filter, bool no_inline, PvJob *job);
PvStackStates *pv_stack_states_ref (PvStackStates *states);
void pv_stack_states_unref (PvStackStates *states);

/* 0 if states are not numbered, or there is only one. */
static inline uint32_t
pv_stack_states_number (const PvStackStates *states, PvStackId stack)
{
    return states->number_of_stack != NULL ? states->number_of_stack[stack] : 0;
}

static inline uint32_t
pv_stack_states_get (const PvStackStates *states, PvStackId stack)
{
    if (states->state_of_stack != NULL)
        return states->state_of_stack[stack];
    return states->state_of_number[pv_stack_states_number (states, stack)];
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvStackStates, pv_stack_states_unref)
