/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One pass over the stacks: parents come first, so each stack continues where its parent ended.
 */
#include "core/analyze/time/time-classes.h"

#include "core/analyze/tree/call-tree-private.h"
#include "core/base/large.h"

enum { STACKS_PER_CHECK = 1 << 15 };

/* What is known where a stack ends. class is that of its innermost frame, or whether the function
 * was there: 1 or 0. */
typedef struct {
    const PvTreeShape *shape;
    PvStackFilter *filter; /* NULL: keeps all frames */
    const uint8_t *class_of_function;
    PvFunctionId wanted; /* 0: classes of innermost frames */
    uint32_t *state_of_stack;
    uint8_t *class_of_stack;
} Reading;

static void
read_stack (Reading *reading, PvStackId stack)
{
    const PvProfile *profile = reading->shape->profile;
    PvStackId parent = profile->parent_of_stack[stack];
    uint32_t state = reading->filter != NULL ? reading->state_of_stack[parent] : 0;
    uint8_t class = reading->class_of_stack[parent];
    uint32_t n_frames;
    const PvFrame *chain = pv_symbol_table_frames (reading->shape->symbols,
                                                   profile->location_of_stack[stack], &n_frames);
    uint32_t stop = reading->shape->query.no_inline && n_frames > 0 ? n_frames - 1 : 0;
    for (uint32_t i = n_frames; i > stop; i--) {
        PvFunctionId function = chain[i - 1].function;
        if (reading->filter != NULL &&
            !pv_stack_filter_step (reading->filter, &state, &chain[i - 1], &function))
            continue;
        if (reading->wanted != 0)
            class |= function == reading->wanted;
        else if (reading->class_of_function != NULL)
            class = reading->class_of_function[function];
    }
    if (reading->filter != NULL)
        reading->state_of_stack[stack] = state;
    reading->class_of_stack[stack] = class;
}

/* False when cancelled. */
static bool
read_stacks (Reading *reading, PvJob *job)
{
    uint32_t n_stacks = reading->shape->profile->n_stacks;
    reading->class_of_stack = pv_new0_large (uint8_t, MAX (n_stacks, 1));
    if (reading->class_of_function != NULL)
        reading->class_of_stack[0] = reading->class_of_function[0];
    if (!pv_stack_filter_is_identity (reading->shape->filter)) {
        reading->filter = reading->shape->filter;
        reading->state_of_stack = pv_new0_large (uint32_t, MAX (n_stacks, 1));
    }
    bool is_cancelled = false;
    for (PvStackId s = 1; s < n_stacks && !is_cancelled; s++) {
        read_stack (reading, s);
        is_cancelled = s % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (job);
    }
    g_free (reading->state_of_stack);
    return !is_cancelled;
}

static uint8_t *
read_classes (const PvCallTree *any_tree, const uint8_t *class_of_function, PvFunctionId wanted,
              PvJob *job)
{
    const PvCallTreeData *data = pv_call_tree_data (pv_call_tree_top_down (any_tree));
    Reading reading = {
        .shape = data->shape, .class_of_function = class_of_function, .wanted = wanted};
    bool is_done = read_stacks (&reading, job);
    g_autofree uint8_t *class_of_stack = reading.class_of_stack;
    for (PvStackId s = 0; s < MAX (data->shape->profile->n_stacks, 1); s++) {
        bool is_dropped = pv_find_position (data->shape, data->focus, s) == UINT32_MAX;
        if (is_dropped || (wanted != 0 && class_of_stack[s] == 0))
            class_of_stack[s] = PV_TIME_DROPPED;
        else if (wanted != 0)
            class_of_stack[s] = 0;
    }
    return is_done ? g_steal_pointer (&class_of_stack) : NULL;
}

uint8_t *
pv_time_classes_by_leaf (const PvCallTree *tree, const uint8_t *class_of_function, PvJob *job)
{
    g_assert (tree != NULL);
    return read_classes (tree, class_of_function, 0, job);
}

uint8_t *
pv_time_classes_through (const PvCallTree *tree, PvFunctionId function, PvJob *job)
{
    g_assert (tree != NULL && function != 0 && function < tree->symbols->n_functions);
    return read_classes (tree, NULL, function, job);
}
