/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/graph/graph-sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analyze/tables/known-totals.h"

/* A frame on the path. */
typedef struct {
    uint32_t node;    /* index + 1; 0: it is not kept */
    uint32_t nearest; /* of the nearest frame that is kept, from this one outwards; 0: none */
    uint32_t edge;    /* index + 1, from the nearest one outside it; 0: none */
    bool is_over;     /* frames between it and the nearest one are not kept */
} Place;

typedef struct {
    PvGraphSums *sums;
    const bool *is_kept;
    PV_ARRAY (Place) path;
    PV_ARRAY (uint32_t) n_of_node; /* how often it is on the path */
    PV_ARRAY (uint32_t) n_of_edge;
} Adding;

static uint32_t
find_node (PvGraphSums *sums, PvFunctionId function)
{
    uint32_t *node = &sums->node_of_function[function];
    if (*node == 0) {
        PvScoredNode added = {.node.function = function};
        pv_array_push (&sums->nodes, added);
        *node = (uint32_t)sums->nodes.len;
    }
    return *node;
}

/* Both are indices + 1, as is the result. */
static uint32_t
find_edge (PvGraphSums *sums, uint32_t caller, uint32_t callee)
{
    uint32_t *edge = pv_id_map_slot (&sums->edge_of_pair, (uint64_t)caller << 32 | callee);
    if (*edge == 0) {
        PvGraphEdge added = {.caller = caller - 1, .callee = callee - 1, .is_inlined = true};
        pv_array_push (&sums->edges, added);
        *edge = (uint32_t)sums->edges.len;
    }
    return *edge;
}

static void
enter_edge (Adding *adding, Place *place, uint32_t caller, bool is_residual, bool is_inlined,
            uint64_t weight)
{
    PvGraphSums *sums = adding->sums;
    place->edge = find_edge (sums, caller, place->node);
    if (place->edge > adding->n_of_edge.len)
        pv_array_push (&adding->n_of_edge, 0);
    if (adding->n_of_edge.data[place->edge - 1]++ > 0)
        return;
    PvGraphEdge *edge = &sums->edges.data[place->edge - 1];
    edge->weight += weight;
    edge->is_residual |= is_residual;
    edge->is_inlined &= is_inlined;
}

static void
enter_frame (void *data, PvFunctionId function, bool is_inlined, uint64_t weight)
{
    Adding *adding = data;
    Place outside = {0};
    if (adding->path.len > 0)
        outside = adding->path.data[adding->path.len - 1];
    Place place = {.nearest = outside.nearest, .is_over = true};
    if (adding->is_kept == NULL || adding->is_kept[function]) {
        place = (Place){.node = find_node (adding->sums, function)};
        place.nearest = place.node;
        if (place.node > adding->n_of_node.len)
            pv_array_push (&adding->n_of_node, 0);
        if (adding->n_of_node.data[place.node - 1]++ == 0)
            adding->sums->nodes.data[place.node - 1].node.total += weight;
        if (adding->sums->has_edges && outside.nearest != 0 && outside.nearest != place.node)
            enter_edge (adding, &place, outside.nearest, outside.is_over, is_inlined, weight);
    }
    pv_array_push (&adding->path, place);
}

static void
leave_frame (void *data)
{
    Adding *adding = data;
    Place place = adding->path.data[--adding->path.len];
    if (place.node != 0)
        adding->n_of_node.data[place.node - 1]--;
    if (place.edge != 0)
        adding->n_of_edge.data[place.edge - 1]--;
}

static void
count_stack (void *data, uint64_t weight)
{
    Adding *adding = data;
    if (adding->path.len == 0)
        return;
    Place place = adding->path.data[adding->path.len - 1];
    if (place.node != 0)
        adding->sums->nodes.data[place.node - 1].node.self += weight;
}

/* Known amounts of the file */

static void
take_known_totals (PvGraphSums *sums, const PvCallTree *tree)
{
    g_autofree uint64_t *known = pv_known_totals_list (tree->profile, tree->symbols, &tree->query);
    for (size_t i = 0; i < sums->nodes.len && known != NULL; i++) {
        PvGraphNode *node = &sums->nodes.data[i].node;
        node->total = pv_known_total_choose (known, node->function, node->self, node->total);
    }
}

/* The sum of all known calls between two nodes is what the edge weighs; several functions of the
 * file may be one. */
static void
take_known_calls (PvGraphSums *sums, const PvKnownCalls *calls, const PvCallTree *tree,
                  PvFunctionId around)
{
    const PvMeasure *measure = &tree->profile->measures[tree->query.measure];
    PV_ARRAY (bool) is_known = {0};
    for (uint32_t i = 0; i < calls->n_calls; i++) {
        uint64_t weight = pv_known_calls_weigh (calls, measure, i);
        PvFunctionId from =
            pv_known_call_get_caller (&calls->calls[i], tree->symbols, tree->query.no_inline);
        PvFunctionId to = pv_known_call_get_callee (&calls->calls[i], tree->symbols);
        uint32_t caller = sums->node_of_function[from], callee = sums->node_of_function[to];
        bool is_asked = around == 0 || from == around || to == around;
        if (weight == PV_AMOUNT_UNKNOWN || !is_asked || from == to || caller == 0 || callee == 0)
            continue;
        uint32_t e = find_edge (sums, caller, callee) - 1;
        while (is_known.len < sums->edges.len)
            pv_array_push (&is_known, false);
        PvGraphEdge *edge = &sums->edges.data[e];
        edge->weight = is_known.data[e] ? edge->weight + weight : weight;
        edge->is_residual = edge->is_inlined = false;
        is_known.data[e] = true;
    }
    pv_array_clear (&is_known);
}

static void
take_known (PvGraphSums *sums, const PvCallTree *tree, PvFunctionId around)
{
    const PvKnownCalls *calls = pv_known_calls_find (tree->profile, &tree->query);
    if (calls == NULL)
        return;
    if (around == 0)
        take_known_totals (sums, tree);
    if (sums->has_edges)
        take_known_calls (sums, calls, tree, around);
}

bool
pv_graph_sums_init (PvGraphSums *sums, const PvGraphStacks *stacks, const bool *is_kept,
                    PvFunctionId around, bool has_edges, PvJob *job)
{
    g_assert (sums != NULL && stacks != NULL);
    static const PvGraphVisitor visitor = {enter_frame, leave_frame, count_stack};
    const PvSymbolTable *symbols = stacks->tree->symbols;
    *sums = (PvGraphSums){
        .symbols = symbols,
        .has_edges = has_edges,
        .node_of_function = g_new0 (uint32_t, MAX (symbols->n_functions, 1)),
    };
    Adding adding = {.sums = sums, .is_kept = is_kept};
    bool is_done = pv_graph_stacks_walk (stacks, &visitor, &adding, job);
    if (is_done)
        take_known (sums, stacks->tree, around);
    pv_array_clear (&adding.path);
    pv_array_clear (&adding.n_of_node);
    pv_array_clear (&adding.n_of_edge);
    return is_done;
}

void
pv_graph_sums_clear (PvGraphSums *sums)
{
    pv_array_clear (&sums->nodes);
    pv_array_clear (&sums->edges);
    g_clear_pointer (&sums->node_of_function, g_free);
    pv_id_map_clear (&sums->edge_of_pair);
}

const PvGraphEdge *
pv_graph_sums_find_edge (const PvGraphSums *sums, PvFunctionId caller, PvFunctionId callee)
{
    uint64_t from = sums->node_of_function[caller], to = sums->node_of_function[callee];
    uint32_t edge =
        from != 0 && to != 0 ? pv_id_map_find (&sums->edge_of_pair, from << 32 | to) : 0;
    return edge != 0 ? &sums->edges.data[edge - 1] : NULL;
}

/* Order */

/* Edges on one side of a node, whose entropy of weights adds to its score. */
typedef struct {
    uint32_t n_edges;
    double total; /* with what the node has itself, on the side of callees */
    double entropy;
} Side;

static void
add_entropy (Side *side, uint64_t weight)
{
    double part = side->total > 0 ? (double)weight / side->total : 0;
    if (part > 0)
        side->entropy -= part * log2 (part);
}

static int
compare_nodes (const void *a, const void *b, void *user)
{
    const PvScoredNode *x = a, *y = b;
    const PvSymbolTable *symbols = user;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    const PvFunction *f = &symbols->functions[x->node.function];
    const PvFunction *g = &symbols->functions[y->node.function];
    int order = strcmp (f->name, g->name);
    if (order != 0)
        return order;
    if (x->node.self != y->node.self)
        return x->node.self > y->node.self ? -1 : 1;
    return x->node.function < y->node.function ? -1 : x->node.function > y->node.function;
}

/* Edges point to their nodes in the new order. */
static void
renumber (PvGraphSums *sums, const uint32_t *function_of_node)
{
    for (size_t i = 0; i < sums->nodes.len; i++)
        sums->node_of_function[sums->nodes.data[i].node.function] = (uint32_t)i + 1;
    pv_id_map_clear (&sums->edge_of_pair);
    for (size_t i = 0; i < sums->edges.len; i++) {
        PvGraphEdge *edge = &sums->edges.data[i];
        edge->caller = sums->node_of_function[function_of_node[edge->caller]] - 1;
        edge->callee = sums->node_of_function[function_of_node[edge->callee]] - 1;
        *pv_id_map_slot (&sums->edge_of_pair,
                         (uint64_t)(edge->caller + 1) << 32 | (edge->callee + 1)) = (uint32_t)i + 1;
    }
}

/* Nodes without callers or callees get 1 in place of the entropy. */
static int64_t
find_score (const PvGraphNode *node, const Side *callers, const Side *callees)
{
    double score = callers->n_edges > 0 ? callers->entropy : 1;
    score += callees->n_edges > 0 ? callees->entropy : 1;
    double weighted = score * (double)node->total;
    return (int64_t)MIN (weighted, (double)(INT64_MAX / 4)) +
           (int64_t)MIN (node->self, INT64_MAX / 4);
}

void
pv_graph_sums_sort (PvGraphSums *sums)
{
    size_t n = sums->nodes.len;
    g_autofree Side *callers = g_new0 (Side, n + 1);
    g_autofree Side *callees = g_new0 (Side, n + 1);
    g_autofree uint32_t *function_of_node = g_new (uint32_t, n + 1);
    for (size_t i = 0; i < sums->edges.len; i++) {
        const PvGraphEdge *edge = &sums->edges.data[i];
        callees[edge->caller].n_edges++;
        callees[edge->caller].total += (double)edge->weight;
        callers[edge->callee].n_edges++;
        callers[edge->callee].total += (double)edge->weight;
    }
    for (size_t i = 0; i < n; i++) {
        const PvGraphNode *node = &sums->nodes.data[i].node;
        function_of_node[i] = node->function;
        callees[i].total += (double)node->self;
        add_entropy (&callees[i], node->self);
    }
    for (size_t i = 0; i < sums->edges.len; i++) {
        const PvGraphEdge *edge = &sums->edges.data[i];
        add_entropy (&callees[edge->caller], edge->weight);
        add_entropy (&callers[edge->callee], edge->weight);
    }
    for (size_t i = 0; i < n; i++)
        sums->nodes.data[i].score =
            find_score (&sums->nodes.data[i].node, &callers[i], &callees[i]);
    if (n > 1)
        qsort_r (sums->nodes.data, n, sizeof (PvScoredNode), compare_nodes, (void *)sums->symbols);
    renumber (sums, function_of_node);
}

static const char *
get_name (const PvGraphSums *sums, uint32_t node)
{
    return sums->symbols->functions[sums->nodes.data[node].node.function].name;
}

static int
compare_edges (const void *a, const void *b, void *user)
{
    const PvGraphEdge *x = a, *y = b;
    const PvGraphSums *sums = user;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    int order = strcmp (get_name (sums, x->caller), get_name (sums, y->caller));
    if (order == 0)
        order = strcmp (get_name (sums, x->callee), get_name (sums, y->callee));
    if (order != 0)
        return order;
    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    return x->callee < y->callee ? -1 : x->callee > y->callee;
}

void
pv_graph_sums_sort_edges (PvGraphSums *sums)
{
    if (sums->edges.len > 1)
        qsort_r (sums->edges.data, sums->edges.len, sizeof (PvGraphEdge), compare_edges, sums);
    for (size_t i = 0; i < sums->edges.len; i++) {
        const PvGraphEdge *edge = &sums->edges.data[i];
        *pv_id_map_slot (&sums->edge_of_pair,
                         (uint64_t)(edge->caller + 1) << 32 | (edge->callee + 1)) = (uint32_t)i + 1;
    }
}
