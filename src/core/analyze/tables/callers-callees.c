/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/tree-walk.h"
#include "core/base/idmap.h"

enum { STEPS_PER_CHECK = 1 << 14 };

/* A call, and how often it is on the current path: a stack with several of the same call counts
 * once. */
typedef struct {
    PvFunctionId caller, callee;
    uint32_t depth;
    uint64_t weight;
} Call;

typedef struct {
    uint64_t self, total;
    uint32_t depth; /* how often it is on the current path */
} Sums;

typedef struct {
    const PvCallTree *tree;
    const bool *is_wanted;    /* for each function */
    Sums *sums;               /* the same */
    PV_ARRAY (Call) calls;    /* of wanted functions, from or to */
    PvIdMap call_ids;         /* caller << 32 | callee -> index + 1 in calls */
    PV_ARRAY (uint32_t) path; /* index + 1 of the call of each node on the path; 0: not wanted */
} Search;

static void
clear_search (Search *search)
{
    g_free (search->sums);
    pv_array_clear (&search->calls);
    pv_id_map_clear (&search->call_ids);
    pv_array_clear (&search->path);
}

/* Counts a call unless it is on the path already. Returns its index + 1. */
static uint32_t
enter_call (Search *search, PvFunctionId caller, PvFunctionId callee, uint64_t weight)
{
    uint32_t *slot = pv_id_map_slot (&search->call_ids, (uint64_t)caller << 32 | callee);
    if (*slot == 0) {
        Call call = {.caller = caller, .callee = callee};
        pv_array_push (&search->calls, call);
        *slot = (uint32_t)search->calls.len;
    }
    Call *call = &search->calls.data[*slot - 1];
    if (call->depth++ == 0)
        call->weight += weight;
    return *slot;
}

static void
enter_node (Search *search, PvNodeId node)
{
    const PvCallTree *tree = search->tree;
    PvFunctionId own = tree->function_of_node[node];
    PvFunctionId caller = tree->function_of_node[tree->parent_of_node[node]];
    uint32_t call = 0;
    if (search->is_wanted[own] || search->is_wanted[caller])
        call = enter_call (search, caller, own, tree->total[node]);
    pv_array_push (&search->path, call);
    if (search->is_wanted[own]) {
        Sums *sums = &search->sums[own];
        sums->self += tree->self[node];
        if (sums->depth++ == 0)
            sums->total += tree->total[node];
    }
}

static void
leave_node (Search *search, PvNodeId node)
{
    PvFunctionId own = search->tree->function_of_node[node];
    uint32_t call = search->path.data[--search->path.len];
    if (call != 0)
        search->calls.data[call - 1].depth--;
    if (search->is_wanted[own])
        search->sums[own].depth--;
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
        if (step == PV_WALK_ENTER) {
            is_visited[walk.node] = true;
            enter_node (search, walk.node);
        } else {
            leave_node (search, walk.node);
        }
        if (++steps % STEPS_PER_CHECK == 0)
            is_cancelled = pv_job_is_cancelled (job);
    }
    pv_tree_walk_clear (&walk);
    return !is_cancelled;
}

/* In level order, an outer node of a function comes before those below it. */
static bool
walk_all (Search *search, PvJob *job)
{
    const PvCallTree *tree = search->tree;
    g_autofree bool *is_visited = g_new0 (bool, tree->n_nodes);
    bool is_done = true;
    for (PvNodeId n = 1; n < tree->n_nodes && is_done; n++) {
        if (search->is_wanted[tree->function_of_node[n]] && !is_visited[n])
            is_done = walk_below (search, n, is_visited, job);
    }
    return is_done;
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

static int
compare_callees (const void *a, const void *b)
{
    const Call *left = a, *right = b;
    return (left->callee > right->callee) - (left->callee < right->callee);
}

static int
compare_callers (const void *a, const void *b)
{
    const Call *left = a, *right = b;
    return (left->caller > right->caller) - (left->caller < right->caller);
}

/* Makes the lists of one side; calls are sorted by the function whose list they are in. */
static void
collect_side (const Search *search, bool is_callers, PvCallersCallees **all)
{
    const Call *calls = search->calls.data;
    size_t n_calls = search->calls.len;
    PvNameRanks *ranks = pv_call_tree_data (search->tree)->shape->ranks;
    for (size_t first = 0, end; first < n_calls; first = end) {
        PvFunctionId own = is_callers ? calls[first].callee : calls[first].caller;
        for (end = first + 1; end < n_calls; end++)
            if ((is_callers ? calls[end].callee : calls[end].caller) != own)
                break;
        if (all[own] == NULL)
            continue;
        PvCaller *list = g_new (PvCaller, end - first);
        for (size_t i = first; i < end; i++)
            list[i - first] =
                (PvCaller){is_callers ? calls[i].caller : calls[i].callee, calls[i].weight};
        qsort_r (list, end - first, sizeof *list, compare_neighbours, ranks);
        *(is_callers ? &all[own]->callers : &all[own]->callees) = list;
        *(is_callers ? &all[own]->n_callers : &all[own]->n_callees) = (uint32_t)(end - first);
    }
}

PvCallersCallees **
pv_callers_callees_build_all (const PvCallTree *any_tree, const bool *is_wanted, PvJob *job)
{
    g_assert (any_tree != NULL && is_wanted != NULL && !is_wanted[0]);
    const PvCallTree *tree = pv_call_tree_top_down (any_tree);
    uint32_t n_functions = MAX (tree->symbols->n_functions, 1);
    Search search = {.tree = tree, .is_wanted = is_wanted};
    search.sums = g_new0 (Sums, n_functions);
    if (!walk_all (&search, job)) {
        clear_search (&search);
        return NULL;
    }
    PvCallersCallees **all = g_new0 (PvCallersCallees *, (size_t)n_functions + 1);
    for (PvFunctionId f = 1; f < n_functions; f++) {
        if (!is_wanted[f])
            continue;
        all[f] = g_new0 (PvCallersCallees, 1);
        all[f]->self = search.sums[f].self;
        all[f]->total = search.sums[f].total;
    }
    if (search.calls.len > 0) {
        qsort (search.calls.data, search.calls.len, sizeof (Call), compare_callees);
        collect_side (&search, true, all);
        qsort (search.calls.data, search.calls.len, sizeof (Call), compare_callers);
        collect_side (&search, false, all);
    }
    clear_search (&search);
    return all;
}

PvCallersCallees *
pv_callers_callees_build (const PvCallTree *tree, PvFunctionId function, PvJob *job)
{
    uint32_t n_functions = tree->symbols->n_functions;
    g_assert (function < n_functions);
    g_autofree bool *is_wanted = g_new0 (bool, n_functions);
    is_wanted[function] = function != 0;
    g_autofree PvCallersCallees **all = pv_callers_callees_build_all (tree, is_wanted, job);
    if (all == NULL)
        return NULL;
    return function != 0 ? all[function] : g_new0 (PvCallersCallees, 1);
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
