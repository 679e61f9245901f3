/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/stack-states.h"

#include "core/base/large.h"
#include "core/base/ref.h"

enum { STACKS_PER_CHECK = 1 << 16 };

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvStackFilter *filter;
    bool no_inline;
    PvStackStates *states;
    /* By location and number of a state: number of the next state + 1; 0: unknown yet. */
    uint8_t *next;
} Reading;

static uint32_t
read_location (const Reading *reading, PvLocationId location, uint32_t state)
{
    uint32_t n_frames;
    const PvFrame *chain = pv_symbol_table_frames (reading->symbols, location, &n_frames);
    uint32_t stop = reading->no_inline && n_frames > 0 ? n_frames - 1 : 0;
    for (uint32_t i = n_frames; i > stop; i--) {
        PvFunctionId unused;
        pv_stack_filter_step (reading->filter, &state, &chain[i - 1], &unused);
    }
    return state;
}

/* False if there are too many. */
static bool
number_state (PvStackStates *states, uint32_t state, uint32_t *ret_number)
{
    uint32_t number = 0;
    while (number < states->n_states && states->state_of_number[number] != state)
        number++;
    *ret_number = number;
    if (number == PV_MAX_NUMBERED_STATES)
        return false;
    if (number == states->n_states)
        states->state_of_number[states->n_states++] = state;
    return true;
}

/* Parents come first, so each stack starts in the state in which its parent ended. Returns the
 * first stack whose state is one too many, or that was not reached. */
static PvStackId
read_numbers (Reading *reading, PvJob *job)
{
    PvStackStates *states = reading->states;
    const PvProfile *profile = reading->profile;
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        uint32_t before = states->number_of_stack[profile->parent_of_stack[s]], number;
        PvLocationId location = profile->location_of_stack[s];
        uint8_t *next = &reading->next[(size_t)location * PV_MAX_NUMBERED_STATES + before];
        if (*next == 0) {
            uint32_t state = read_location (reading, location, states->state_of_number[before]);
            if (!number_state (states, state, &number))
                return s;
            *next = (uint8_t)(number + 1);
        }
        states->number_of_stack[s] = *next - 1;
        if (s % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return s;
    }
    return profile->n_stacks;
}

/* The rest, from a stack on. */
static void
read_states (Reading *reading, PvStackId first, PvJob *job)
{
    PvStackStates *states = reading->states;
    const PvProfile *profile = reading->profile;
    uint32_t *state_of_stack = pv_new0_large (uint32_t, profile->n_stacks);
    for (PvStackId s = 0; s < first; s++)
        state_of_stack[s] = pv_stack_states_get (states, s);
    g_clear_pointer (&states->number_of_stack, g_free);
    states->state_of_stack = state_of_stack;
    states->n_states = 0;
    for (PvStackId s = first; s < profile->n_stacks; s++) {
        state_of_stack[s] = read_location (reading, profile->location_of_stack[s],
                                           state_of_stack[profile->parent_of_stack[s]]);
        if (s % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return;
    }
}

PvStackStates *
pv_stack_states_new (const PvProfile *profile, const PvSymbolTable *symbols, PvStackFilter *filter,
                     bool no_inline, PvJob *job)
{
    g_assert (profile != NULL && symbols != NULL && filter != NULL);
    g_assert (symbols->n_locations >= profile->n_locations);
    g_autoptr (PvStackStates) states = g_new0 (PvStackStates, 1);
    Reading reading = {profile, symbols, filter, no_inline, states, NULL};
    states->ref_count = 1;
    states->n_states = 1;
    if (pv_stack_filter_is_identity (filter))
        return g_steal_pointer (&states);
    states->number_of_stack = pv_new0_large (uint8_t, MAX (profile->n_stacks, 1));
    reading.next =
        pv_new0_large (uint8_t, MAX ((size_t)profile->n_locations, 1) * PV_MAX_NUMBERED_STATES);
    PvStackId end = read_numbers (&reading, job);
    if (end < profile->n_stacks && !pv_job_is_cancelled (job))
        read_states (&reading, end, job);
    g_free (reading.next);
    return pv_job_is_cancelled (job) ? NULL : g_steal_pointer (&states);
}

PV_DEFINE_REF (pv_stack_states_ref, PvStackStates, PvStackStates)

void
pv_stack_states_unref (PvStackStates *states)
{
    if (!pv_ref_was_last (states))
        return;
    g_free (states->number_of_stack);
    g_free (states->state_of_stack);
    g_free (states);
}
