/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/graph/graph-walk.h"

#include <string.h>

#include "core/analyze/tree/call-tree-private.h"
#include "core/base/array.h"
#include "core/base/large.h"

enum { FRAMES_PER_CHECK = 1 << 15 };

/* A stack on the path. */
typedef struct {
    PvStackId stack;
    uint32_t state;    /* of the filter after its frames */
    uint32_t n_frames; /* of its own that were entered */
} Step;

typedef struct {
    const PvGraphStacks *stacks;
    const PvProfile *profile;
    const PvGraphVisitor *visitor;
    void *data;
    PV_ARRAY (Step) steps;
    uint64_t n_entered; /* frames and stacks */
    uint64_t next_check;
} Walk;

static void
add_up (PvGraphStacks *stacks)
{
    const PvProfile *profile = stacks->tree->profile;
    uint32_t n = MAX (profile->n_stacks, 1);
    memcpy (stacks->total, stacks->self, n * sizeof (uint64_t));
    /* Children come after their parents. */
    for (PvStackId s = n - 1; s > 0; s--)
        stacks->total[profile->parent_of_stack[s]] += stacks->total[s];
}

static void
make_branches (PvGraphStacks *stacks)
{
    const PvProfile *profile = stacks->tree->profile;
    for (PvStackId s = MAX (profile->n_stacks, 1) - 1; s > 0; s--) {
        PvGraphBranch *parent = &stacks->branches[profile->parent_of_stack[s]];
        if (stacks->total[s] == 0)
            continue;
        stacks->branches[s].next_sibling = parent->first_child;
        parent->first_child = s;
    }
}

void
pv_graph_stacks_init (PvGraphStacks *stacks, const PvCallTree *tree,
                      const uint64_t *weight_of_stack)
{
    g_assert (stacks != NULL && tree != NULL);
    uint32_t n = MAX (tree->profile->n_stacks, 1);
    *stacks = (PvGraphStacks){
        .tree = tree,
        .branches = pv_new0_large (PvGraphBranch, n),
        .self = pv_new0_large (uint64_t, n),
        .total = pv_new0_large (uint64_t, n),
    };
    const PvCallTreeData *source = pv_call_tree_data (pv_call_tree_top_down (tree));
    if (!pv_stack_filter_is_identity (source->shape->filter))
        stacks->filter = pv_stack_filter_ref (source->shape->filter);
    stacks->no_inline = source->shape->query.no_inline;
    if (weight_of_stack != NULL)
        memcpy (stacks->self, weight_of_stack, tree->profile->n_stacks * sizeof (uint64_t));
    for (size_t i = 0; i < source->n_counted && weight_of_stack == NULL; i++)
        stacks->self[source->counted[i].stack] += source->counted[i].weight;
    add_up (stacks);
    make_branches (stacks);
}

void
pv_graph_stacks_clear (PvGraphStacks *stacks)
{
    g_clear_pointer (&stacks->filter, pv_stack_filter_unref);
    g_clear_pointer (&stacks->branches, g_free);
    g_clear_pointer (&stacks->self, g_free);
    g_clear_pointer (&stacks->total, g_free);
}

/* The walk */

static void
enter_stack (Walk *walk, PvStackId stack)
{
    const PvGraphStacks *stacks = walk->stacks;
    Step step = {.stack = stack};
    uint32_t n_frames;
    const PvFrame *chain = pv_symbol_table_frames (
        stacks->tree->symbols, walk->profile->location_of_stack[stack], &n_frames);
    uint32_t stop = stacks->no_inline && n_frames > 0 ? n_frames - 1 : 0;
    if (walk->steps.len > 0)
        step.state = walk->steps.data[walk->steps.len - 1].state;
    for (uint32_t i = n_frames; i > stop; i--) {
        PvFunctionId function = chain[i - 1].function;
        if (stacks->filter != NULL &&
            !pv_stack_filter_step (stacks->filter, &step.state, &chain[i - 1], &function))
            continue;
        step.n_frames++;
        walk->visitor->enter (walk->data, function, chain[i - 1].is_inlined, stacks->total[stack]);
    }
    walk->n_entered += n_frames + 1;
    pv_array_push (&walk->steps, step);
    if (stacks->self[stack] > 0)
        walk->visitor->count (walk->data, stacks->self[stack]);
}

static PvStackId
leave_stack (Walk *walk)
{
    Step step = walk->steps.data[--walk->steps.len];
    for (uint32_t i = 0; i < step.n_frames; i++)
        walk->visitor->leave (walk->data);
    return walk->stacks->branches[step.stack].next_sibling;
}

/* Not into stacks without weight. */
static PvStackId
find_weight (const PvGraphStacks *stacks, PvStackId stack)
{
    while (stack != 0 && stacks->total[stack] == 0)
        stack = stacks->branches[stack].next_sibling;
    return stack;
}

bool
pv_graph_stacks_walk (const PvGraphStacks *stacks, const PvGraphVisitor *visitor, void *data,
                      PvJob *job)
{
    g_assert (stacks != NULL && visitor != NULL);
    Walk walk = {
        .stacks = stacks, .profile = stacks->tree->profile, .visitor = visitor, .data = data};
    bool is_cancelled = pv_job_is_cancelled (job);
    PvStackId stack = is_cancelled ? 0 : find_weight (stacks, stacks->branches[0].first_child);
    while (stack != 0) {
        enter_stack (&walk, stack);
        if (walk.n_entered >= walk.next_check) {
            walk.next_check = walk.n_entered + FRAMES_PER_CHECK;
            if ((is_cancelled = pv_job_is_cancelled (job)))
                break;
        }
        stack = find_weight (stacks, stacks->branches[stack].first_child);
        while (stack == 0 && walk.steps.len > 0)
            stack = find_weight (stacks, leave_stack (&walk));
    }
    while (walk.steps.len > 0)
        leave_stack (&walk);
    pv_array_clear (&walk.steps);
    return !is_cancelled;
}

/* Focus */

/* Parents come before their children. */
bool
pv_graph_stacks_focus (PvGraphStacks *stacks, PvFunctionId function, PvJob *job)
{
    g_assert (stacks != NULL);
    const PvProfile *profile = stacks->tree->profile;
    uint32_t n = MAX (profile->n_stacks, 1);
    g_autofree uint32_t *states = stacks->filter != NULL ? pv_new0_large (uint32_t, n) : NULL;
    g_autofree bool *is_inside = pv_new0_large (bool, n);
    uint64_t n_read = 0, next_check = 0;
    for (PvStackId s = 1; s < n; s++) {
        PvStackId parent = profile->parent_of_stack[s];
        uint32_t n_frames, state = states != NULL ? states[parent] : 0;
        const PvFrame *chain = pv_symbol_table_frames (stacks->tree->symbols,
                                                       profile->location_of_stack[s], &n_frames);
        uint32_t stop = stacks->no_inline && n_frames > 0 ? n_frames - 1 : 0;
        is_inside[s] = is_inside[parent];
        if (stacks->total[s] == 0)
            continue;
        for (uint32_t i = n_frames; i > stop && (!is_inside[s] || states != NULL); i--) {
            PvFunctionId shown = chain[i - 1].function;
            if (states == NULL ||
                pv_stack_filter_step (stacks->filter, &state, &chain[i - 1], &shown))
                is_inside[s] |= shown == function;
        }
        if (states != NULL)
            states[s] = state;
        n_read += n_frames + 1;
        if (n_read >= next_check) {
            next_check = n_read + FRAMES_PER_CHECK;
            if (pv_job_is_cancelled (job))
                return false;
        }
    }
    for (PvStackId s = 0; s < n; s++)
        if (!is_inside[s])
            stacks->self[s] = 0;
    add_up (stacks);
    return true;
}
