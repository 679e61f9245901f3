/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One pass over the stacks: parents come first, so each stack continues where its parent ended.
 */
#include "core/analyze/time/time-classes.h"

#include "core/analyze/tree/call-tree-private.h"
#include "core/base/large.h"

enum { STACKS_PER_CHECK = 1 << 15 };

/* Result of a location in a state: not read yet, no class, or a class from FIRST_CLASS on. */
enum { NOT_READ = 0, KEEPS_CLASS = 1, FIRST_CLASS = 2 };

/* Classes of stacks: each has that of its innermost frame. */
typedef struct {
    const PvTreeShape *shape;
    const PvStackStates *states;
    const uint8_t *class_of_function;
    uint16_t *class_of_location; /* and number of the state; NULL: there are too many states */
    uint8_t *class_of_stack;
} Reading;

static uint16_t
read_location (const Reading *reading, PvLocationId location, uint32_t state)
{
    PvStackFilter *filter = reading->shape->filter;
    bool is_identity = pv_stack_filter_is_identity (filter);
    uint16_t class = KEEPS_CLASS;
    uint32_t n_frames;
    const PvFrame *chain = pv_symbol_table_frames (reading->shape->symbols, location, &n_frames);
    uint32_t stop = reading->shape->query.no_inline && n_frames > 0 ? n_frames - 1 : 0;
    for (uint32_t i = n_frames; i > stop; i--) {
        PvFunctionId function = chain[i - 1].function;
        if (!is_identity && !pv_stack_filter_step (filter, &state, &chain[i - 1], &function))
            continue;
        class = FIRST_CLASS +
                (reading->class_of_function != NULL ? reading->class_of_function[function] : 0);
    }
    return class;
}

static inline void
read_stack (Reading *reading, PvStackId stack)
{
    const PvProfile *profile = reading->shape->profile;
    const PvStackStates *states = reading->states;
    PvStackId parent = profile->parent_of_stack[stack];
    PvLocationId location = profile->location_of_stack[stack];
    uint16_t unknown = NOT_READ, *class = &unknown;
    if (reading->class_of_location != NULL)
        class = &reading->class_of_location[(size_t)location * states->n_states +
                                            pv_stack_states_number (states, parent)];
    if (*class == NOT_READ)
        *class = read_location (reading, location, pv_stack_states_get (states, parent));
    reading->class_of_stack[stack] =
        *class == KEEPS_CLASS ? reading->class_of_stack[parent] : (uint8_t)(*class - FIRST_CLASS);
}

/* False when cancelled. */
static bool
read_stacks (Reading *reading, PvJob *job)
{
    const PvProfile *profile = reading->shape->profile;
    uint32_t n_stacks = profile->n_stacks;
    if (reading->states->n_states > 0)
        reading->class_of_location = pv_new0_large (
            uint16_t, MAX (profile->n_locations, 1) * (size_t)reading->states->n_states);
    reading->class_of_stack[0] =
        reading->class_of_function != NULL ? reading->class_of_function[0] : 0;
    bool is_cancelled = false;
    for (PvStackId s = 1; s < n_stacks && !is_cancelled; s++) {
        read_stack (reading, s);
        is_cancelled = s % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (job);
    }
    g_free (reading->class_of_location);
    return !is_cancelled;
}

uint8_t *
pv_time_classes_by_leaf (const PvCallTree *tree, const uint8_t *class_of_function, PvJob *job)
{
    g_assert (tree != NULL);
    const PvCallTreeData *data = pv_call_tree_data (pv_call_tree_top_down (tree));
    uint32_t n_stacks = MAX (data->shape->profile->n_stacks, 1);
    Reading reading = {
        .shape = data->shape,
        .states = pv_tree_shape_get_states (data->shape, job),
        .class_of_function = class_of_function,
    };
    if (reading.states == NULL)
        return NULL;
    g_autofree uint8_t *class_of_stack = reading.class_of_stack = pv_new0_large (uint8_t, n_stacks);
    if (!read_stacks (&reading, job))
        return NULL;
    for (PvStackId s = 0; s < n_stacks; s++)
        if (pv_find_position (data->shape, data->focus, s) == UINT32_MAX)
            class_of_stack[s] = PV_TIME_DROPPED;
    return g_steal_pointer (&class_of_stack);
}
