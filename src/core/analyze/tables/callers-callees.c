/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "core/analyze/tables/functions.h"
#include "core/analyze/tables/known-totals.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"
#include "core/base/array.h"
#include "core/base/idmap.h"

/* A call, and how often it is on the current path: a stack with several of the same call counts
 * once. */
typedef struct {
    PvFunctionId caller, callee;
    uint32_t depth;
    uint64_t weight;
    uint64_t n_calls; /* PV_AMOUNT_UNKNOWN: not known */
    bool is_known;    /* weight is what the file states */
} Call;

typedef struct {
    uint64_t self, total;
    uint32_t depth; /* how often it is on the current path */
} Sums;

typedef struct {
    const PvCallTree *tree;
    const bool *is_wanted; /* for each function */
    Sums *sums;            /* the same */
    PV_ARRAY (Call) calls; /* of wanted functions, from or to */
    PvIdMap call_ids;      /* caller << 32 | callee -> index + 1 in calls */
} Search;

static void
clear_search (Search *search)
{
    g_free (search->sums);
    pv_array_clear (&search->calls);
    pv_id_map_clear (&search->call_ids);
}

/* Returns the call's index + 1. */
static uint32_t
find_call (Search *search, PvFunctionId caller, PvFunctionId callee)
{
    uint32_t *slot = pv_id_map_slot (&search->call_ids, (uint64_t)caller << 32 | callee);
    if (*slot == 0) {
        Call call = {.caller = caller, .callee = callee, .n_calls = PV_AMOUNT_UNKNOWN};
        pv_array_push (&search->calls, call);
        *slot = (uint32_t)search->calls.len;
    }
    return *slot;
}

static uint32_t
enter_call (Search *search, PvFunctionId caller, PvFunctionId callee)
{
    uint32_t place = find_call (search, caller, callee);
    search->calls.data[place - 1].depth++;
    return place;
}

/* The frame's mark is the index + 1 of its call; 0: not wanted. */
static void
enter_frame (void *data, PvStackFrame *path, size_t depth)
{
    Search *search = data;
    PvFunctionId own = path[depth].function;
    PvFunctionId caller = depth > 0 ? path[depth - 1].function : 0;
    if (search->is_wanted[own] || search->is_wanted[caller])
        path[depth].mark = enter_call (search, caller, own);
    if (search->is_wanted[own])
        search->sums[own].depth++;
}

/* Only the outermost of equal calls, or of a function's frames, counts. */
static void
leave_frame (void *data, PvStackFrame *path, size_t depth)
{
    Search *search = data;
    const PvStackFrame *frame = &path[depth];
    if (frame->mark != 0) {
        Call *call = &search->calls.data[frame->mark - 1];
        if (--call->depth == 0)
            call->weight += frame->total;
    }
    if (search->is_wanted[frame->function]) {
        Sums *sums = &search->sums[frame->function];
        sums->self += frame->self;
        if (--sums->depth == 0)
            sums->total += frame->total;
    }
}

/* Takes over the amounts that the file states for a call of a wanted function; several add up. */
static void
put_known_call (Search *search, const PvKnownCalls *known, uint32_t k)
{
    const PvCallTree *tree = search->tree;
    const PvKnownCall *from = &known->calls[k];
    PvFunctionId caller = pv_known_call_get_caller (from, tree->symbols, tree->query.no_inline);
    PvFunctionId callee = pv_known_call_get_callee (from, tree->symbols);
    if (!search->is_wanted[caller] && !search->is_wanted[callee])
        return;
    uint32_t place = find_call (search, caller, callee);
    Call *call = &search->calls.data[place - 1];
    uint64_t weight =
        pv_known_calls_weigh (known, &tree->profile->measures[tree->query.measure], k);
    if (weight != PV_AMOUNT_UNKNOWN) {
        call->weight = call->is_known ? call->weight + weight : weight;
        call->is_known = true;
    }
    if (call->n_calls == PV_AMOUNT_UNKNOWN)
        call->n_calls = 0;
    call->n_calls += MIN (from->n_calls, PV_AMOUNT_UNKNOWN - 1 - call->n_calls);
}

static void
put_known (Search *search, const PvKnownCalls *known)
{
    const PvCallTree *tree = search->tree;
    g_autofree uint64_t *totals = pv_known_totals_list (tree->profile, tree->symbols, &tree->query);
    for (uint32_t k = 0; k < known->n_calls; k++)
        put_known_call (search, known, k);
    for (PvFunctionId f = 1; f < tree->symbols->n_functions; f++)
        search->sums[f].total =
            pv_known_total_choose (totals, f, search->sums[f].self, search->sums[f].total);
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
            list[i - first] = (PvCaller){.function = is_callers ? calls[i].caller : calls[i].callee,
                                         .weight = calls[i].weight,
                                         .net = (int64_t)calls[i].weight,
                                         .n_calls = calls[i].n_calls};
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
    static const PvStackVisitor visitor = {enter_frame, leave_frame, NULL, NULL};
    Search search = {.tree = tree, .is_wanted = is_wanted};
    search.sums = g_new0 (Sums, n_functions);
    if (!pv_stack_walk_through (tree, is_wanted, &visitor, &search, job)) {
        clear_search (&search);
        return NULL;
    }
    const PvKnownCalls *known = pv_known_calls_find (tree->profile, &tree->query);
    if (known != NULL)
        put_known (&search, known);
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

/* The same calls by another measure. */
static PvCallersCallees *
build_by (const PvCallTree *tree, PvFunctionId function, PvMeasureId measure, PvJob *job)
{
    g_autoptr (PvCallTree) other = pv_call_tree_build_measure (tree, measure, job, NULL);
    return other != NULL ? pv_callers_callees_build (other, function, job) : NULL;
}

static void
copy_weights (uint64_t *weights, const PvCaller *calls, uint32_t n, const PvCaller *others,
              uint32_t n_others)
{
    PvIdMap place_of_function = {0}; /* plus 1 */
    for (uint32_t i = 0; i < n; i++)
        *pv_id_map_slot (&place_of_function, (uint64_t)calls[i].function + 1) = i + 1;
    for (uint32_t i = 0; i < n_others; i++) {
        uint32_t place = pv_id_map_find (&place_of_function, (uint64_t)others[i].function + 1);
        if (place != 0)
            weights[place - 1] = others[i].weight;
    }
    pv_id_map_clear (&place_of_function);
}

uint64_t *
pv_callers_callees_weigh (const PvCallersCallees *both, const PvCallTree *any_tree,
                          PvFunctionId function, PvMeasureId measure, PvJob *job)
{
    g_assert (both != NULL && any_tree != NULL &&
              pv_profile_has_weights (any_tree->profile, measure));
    g_autoptr (PvCallersCallees) other =
        build_by (pv_call_tree_top_down (any_tree), function, measure, job);
    if (other == NULL)
        return NULL;
    uint64_t *weights = g_new0 (uint64_t, (size_t)both->n_callers + both->n_callees + 1);
    copy_weights (weights, both->callers, both->n_callers, other->callers, other->n_callers);
    copy_weights (weights + both->n_callers, both->callees, both->n_callees, other->callees,
                  other->n_callees);
    return weights;
}

/* Adds the weights that a side of the comparison has for some of the calls. */
static void
add_weights (PvCaller *calls, uint32_t n, const uint64_t *weights, PvSide side)
{
    for (uint32_t i = 0; i < n; i++) {
        calls[i].net += side == PV_SIDE_BASE ? -(int64_t)weights[i] : (int64_t)weights[i];
        if (side == PV_SIDE_BASE)
            calls[i].base += weights[i];
    }
}

bool
pv_callers_callees_find_net (PvCallersCallees *both, const PvCallTree *any_tree,
                             PvFunctionId function, PvJob *job)
{
    g_assert (both != NULL && any_tree != NULL);
    const PvCallTree *tree = pv_call_tree_top_down (any_tree);
    PvMeasureId measure = tree->query.measure;
    const PvPair *pair = pv_profile_get_pair (tree->profile, measure);
    if (pair == NULL || measure != pair->both || function == 0)
        return true;
    for (uint32_t i = 0; i < both->n_callers; i++)
        both->callers[i].net = 0;
    for (uint32_t i = 0; i < both->n_callees; i++)
        both->callees[i].net = 0;
    for (PvSide side = PV_SIDE_BASE; side <= PV_SIDE_NEW; side++) {
        g_autofree uint64_t *weights =
            pv_callers_callees_weigh (both, tree, function, pair->of_side[side], job);
        if (weights == NULL)
            return false;
        add_weights (both->callers, both->n_callers, weights, side);
        add_weights (both->callees, both->n_callees, weights + both->n_callers, side);
    }
    return true;
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
