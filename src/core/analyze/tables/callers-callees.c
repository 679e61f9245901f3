/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/tree-walk.h"

enum { STEPS_PER_CHECK = 1 << 14 };

/* Weight per caller or callee, and how often each pair is on the current path: a stack with several
 * of the same call counts once. */
typedef struct {
    uint64_t *weight;
    uint32_t *depth;
} Side;

typedef struct {
    const PvCallTree *tree;
    PvFunctionId function;
    Side callers, callees;
} Search;

static void
enter_pair (Side *side, PvFunctionId caller, uint64_t weight)
{
    if (side->depth[caller]++ == 0)
        side->weight[caller] += weight;
}

static void
visit_node (Search *search, PvNodeId node, bool is_entered)
{
    const PvCallTree *tree = search->tree;
    if (node == 0)
        return;
    PvFunctionId own = tree->function_of_node[node];
    PvFunctionId caller = tree->function_of_node[tree->parent_of_node[node]];
    if (own == search->function) {
        if (is_entered)
            enter_pair (&search->callers, caller, tree->total[node]);
        else
            search->callers.depth[caller]--;
    }
    if (caller == search->function) {
        if (is_entered)
            enter_pair (&search->callees, own, tree->total[node]);
        else
            search->callees.depth[own]--;
    }
}

static bool
walk_below (Search *search, PvNodeId top, bool *is_visited, PvJob *job)
{
    PvTreeWalk walk = {0};
    PvWalkStep step;
    unsigned steps = 0;
    bool is_cancelled = false;
    pv_tree_walk_begin (&walk, search->tree, top);
    while (!is_cancelled && (step = pv_tree_walk_next (&walk)) != PV_WALK_END) {
        is_visited[walk.node] = true;
        visit_node (search, walk.node, step == PV_WALK_ENTER);
        if (++steps % STEPS_PER_CHECK == 0)
            is_cancelled = pv_job_is_cancelled (job);
    }
    pv_tree_walk_clear (&walk);
    return !is_cancelled;
}

static int
compare_neighbours (const void *a, const void *b, void *user)
{
    const PvCaller *left = a, *right = b;
    const PvNameRanks *ranks = user;
    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return pv_name_ranks_compare (ranks, left->function, right->function);
}

static PvCaller *
collect_side (const Side *side, const PvCallTree *tree, uint32_t *ret_n)
{
    uint32_t n = 0, n_functions = MAX (tree->symbols->n_functions, 1);
    for (PvFunctionId f = 0; f < n_functions; f++)
        n += side->weight[f] > 0;
    PvCaller *callers_callees = g_new (PvCaller, MAX (n, 1));
    uint32_t i = 0;
    for (PvFunctionId f = 0; f < n_functions; f++) {
        if (side->weight[f] > 0)
            callers_callees[i++] = (PvCaller){f, side->weight[f]};
    }
    qsort_r (callers_callees, n, sizeof *callers_callees, compare_neighbours,
             pv_call_tree_data (tree)->shape->ranks);
    *ret_n = n;
    return callers_callees;
}

static void
init_side (Side *side, uint32_t n_functions)
{
    side->weight = g_new0 (uint64_t, n_functions);
    side->depth = g_new0 (uint32_t, n_functions);
}

static void
clear_side (Side *side)
{
    g_free (side->weight);
    g_free (side->depth);
}

PvCallersCallees *
pv_callers_callees_build (const PvCallTree *any_tree, PvFunctionId function, PvJob *job)
{
    g_assert (any_tree != NULL && function < any_tree->symbols->n_functions);
    const PvCallTree *tree = pv_call_tree_top_down (any_tree);
    PvCallersCallees *result = g_new0 (PvCallersCallees, 1);
    Search search = {.tree = tree, .function = function};
    uint32_t n_functions = MAX (tree->symbols->n_functions, 1);
    init_side (&search.callers, n_functions);
    init_side (&search.callees, n_functions);
    g_autofree bool *is_visited = g_new0 (bool, tree->n_nodes);
    bool is_done = true;
    /* In level order, an outer node of the function comes before those below it. */
    for (PvNodeId n = 1; n < tree->n_nodes && is_done && function != 0; n++) {
        if (tree->function_of_node[n] != function)
            continue;
        result->self += tree->self[n];
        if (is_visited[n])
            continue;
        result->total += tree->total[n];
        is_done = walk_below (&search, n, is_visited, job);
    }
    if (is_done) {
        result->callers = collect_side (&search.callers, tree, &result->n_callers);
        result->callees = collect_side (&search.callees, tree, &result->n_callees);
    }
    clear_side (&search.callers);
    clear_side (&search.callees);
    if (!is_done)
        g_clear_pointer (&result, pv_callers_callees_free);
    return result;
}

void
pv_callers_callees_free (PvCallersCallees *callers_callees)
{
    if (callers_callees == NULL)
        return;
    g_free (callers_callees->callers);
    g_free (callers_callees->callees);
    g_free (callers_callees);
}
