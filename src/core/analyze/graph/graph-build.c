/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/graph/graph-build.h"

#include "core/analyze/compare/changes.h"
#include "core/analyze/graph/graph-sums.h"
#include "core/analyze/graph/graph-walk.h"
#include "core/analyze/tables/measure-sums.h"
#include "core/analyze/tree/call-tree-private.h"

/*
 * Calls are counted once it is known which functions are heavy enough, unless neighbours are asked
 * for. Each time that functions are left out, the stacks are read again: what leads over a function
 * that is left out cannot be told from edges alone.
 */
typedef struct {
    const PvGraphLimits *limits;
    PvGraphStacks stacks;
    PvGraphSums sums;
    bool *is_kept; /* by function; NULL: all */
    uint64_t node_cutoff;
    uint64_t edge_cutoff;
    PvJob *job;
} Building;

/* Reads the stacks again, with only these functions: by index of node. False when cancelled. */
static bool
keep_nodes (Building *building, const bool *is_wanted)
{
    PvGraphSums *sums = &building->sums;
    uint32_t n_functions = MAX (sums->symbols->n_functions, 1);
    bool drops = false;
    g_free (building->is_kept);
    building->is_kept = g_new0 (bool, n_functions);
    for (size_t i = 0; i < sums->nodes.len; i++) {
        building->is_kept[sums->nodes.data[i].node.function] = is_wanted[i];
        drops |= !is_wanted[i];
    }
    if (!drops && sums->has_edges)
        return true;
    pv_graph_sums_clear (sums);
    return pv_graph_sums_init (sums, &building->stacks, building->is_kept, building->limits->around,
                               true, building->job);
}

/* Neighbours */

/* Marks nodes that are at most so many calls away; by callers or by callees. */
static void
mark_near (const PvGraphSums *sums, uint32_t node, uint32_t distance, bool by_callers,
           bool *is_wanted)
{
    g_autofree bool *is_seen = g_new0 (bool, sums->nodes.len + 1);
    g_autofree uint32_t *first = g_new0 (uint32_t, sums->nodes.len + 2);
    g_autofree uint32_t *others = g_new (uint32_t, sums->edges.len + 1);
    PV_ARRAY (uint32_t) queue = {0};
    for (size_t i = 0; i < sums->edges.len; i++) {
        const PvGraphEdge *edge = &sums->edges.data[i];
        first[(by_callers ? edge->callee : edge->caller) + 1]++;
    }
    for (size_t i = 0; i < sums->nodes.len; i++)
        first[i + 1] += first[i];
    g_autofree uint32_t *next = g_memdup2 (first, (sums->nodes.len + 1) * sizeof *first);
    for (size_t i = 0; i < sums->edges.len; i++) {
        const PvGraphEdge *edge = &sums->edges.data[i];
        others[next[by_callers ? edge->callee : edge->caller]++] =
            by_callers ? edge->caller : edge->callee;
    }
    pv_array_push (&queue, node);
    is_seen[node] = is_wanted[node] = true;
    size_t at = 0;
    for (uint32_t step = 0; step < distance && at < queue.len; step++) {
        for (size_t end = queue.len; at < end; at++) {
            for (uint32_t i = first[queue.data[at]]; i < first[queue.data[at] + 1]; i++) {
                if (is_seen[others[i]])
                    continue;
                is_seen[others[i]] = is_wanted[others[i]] = true;
                pv_array_push (&queue, others[i]);
            }
        }
    }
    pv_array_clear (&queue);
}

static bool
has_neighbours_only (const PvGraphLimits *limits)
{
    return limits->around != 0 && (limits->n_callers != PV_GRAPH_ANY_DISTANCE ||
                                   limits->n_callees != PV_GRAPH_ANY_DISTANCE);
}

static bool
keep_neighbours (Building *building)
{
    const PvGraphLimits *limits = building->limits;
    const PvGraphSums *sums = &building->sums;
    uint32_t node = limits->around != 0 ? sums->node_of_function[limits->around] : 0;
    if (node == 0 || !has_neighbours_only (limits))
        return true;
    g_autofree bool *is_wanted = g_new0 (bool, sums->nodes.len + 1);
    mark_near (sums, node - 1, limits->n_callers, true, is_wanted);
    mark_near (sums, node - 1, limits->n_callees, false, is_wanted);
    return keep_nodes (building, is_wanted);
}

/* Limits */

/* Keeps heavy functions only. Also counts the calls, if that was put off. */
static bool
keep_heavy (Building *building)
{
    const PvGraphSums *sums = &building->sums;
    if (building->node_cutoff == 0 && sums->has_edges)
        return true;
    g_autofree bool *is_wanted = g_new0 (bool, sums->nodes.len + 1);
    for (size_t i = 0; i < sums->nodes.len; i++)
        is_wanted[i] = sums->nodes.data[i].node.total >= building->node_cutoff ||
                       sums->nodes.data[i].node.function == building->limits->around;
    return keep_nodes (building, is_wanted);
}

/* The nodes are in order before and after it. */
static bool
keep_first (Building *building)
{
    PvGraphSums *sums = &building->sums;
    uint32_t n_nodes = building->limits->n_nodes;
    pv_graph_sums_sort (sums);
    if (n_nodes == 0 || sums->nodes.len <= n_nodes)
        return true;
    g_autofree bool *is_wanted = g_new0 (bool, sums->nodes.len + 1);
    uint32_t around = building->limits->around;
    uint32_t n_others = n_nodes;
    if (around != 0 && sums->node_of_function[around] > n_nodes)
        n_others--;
    for (size_t i = 0; i < sums->nodes.len; i++)
        is_wanted[i] = i < n_others || sums->nodes.data[i].node.function == around;
    if (!keep_nodes (building, is_wanted))
        return false;
    pv_graph_sums_sort (sums);
    return true;
}

static uint32_t
drop_light_edges (Building *building)
{
    PvGraphSums *sums = &building->sums;
    size_t n = 0;
    for (size_t i = 0; i < sums->edges.len; i++)
        if (sums->edges.data[i].weight >= building->edge_cutoff)
            sums->edges.data[n++] = sums->edges.data[i];
    uint32_t n_dropped = (uint32_t)(sums->edges.len - n);
    sums->edges.len = n;
    return n_dropped;
}

/* Redundant edges */

/* The edges of each node from its callers, heaviest first. */
typedef struct {
    const PvGraphSums *sums;
    uint32_t *first; /* by node, and one more */
    uint32_t *edges;
    bool *is_dropped; /* by edge */
    uint32_t *seen;   /* by node: the last search that came to it */
    uint32_t *queue;
    uint32_t n_searches;
} Callers;

static void
list_callers (Callers *callers, const PvGraphSums *sums)
{
    *callers = (Callers){
        .sums = sums,
        .first = g_new0 (uint32_t, sums->nodes.len + 2),
        .edges = g_new (uint32_t, sums->edges.len + 1),
        .is_dropped = g_new0 (bool, sums->edges.len + 1),
        .seen = g_new0 (uint32_t, sums->nodes.len + 1),
        .queue = g_new (uint32_t, sums->nodes.len + 1),
    };
    for (size_t i = 0; i < sums->edges.len; i++)
        callers->first[sums->edges.data[i].callee + 1]++;
    for (size_t i = 0; i < sums->nodes.len; i++)
        callers->first[i + 1] += callers->first[i];
    g_autofree uint32_t *next =
        g_memdup2 (callers->first, (sums->nodes.len + 1) * sizeof (uint32_t));
    for (size_t i = 0; i < sums->edges.len; i++)
        callers->edges[next[sums->edges.data[i].callee]++] = (uint32_t)i;
}

static void
callers_clear (Callers *callers)
{
    g_free (callers->first);
    g_free (callers->edges);
    g_free (callers->is_dropped);
    g_free (callers->seen);
    g_free (callers->queue);
}

/* True if another way leads from the edge's caller to its callee. False also when cancelled. */
static bool
is_redundant (Callers *callers, uint32_t asked, PvJob *job)
{
    const PvGraphEdge *edges = callers->sums->edges.data;
    uint32_t search = ++callers->n_searches, n_queued = 0;
    callers->queue[n_queued++] = edges[asked].callee;
    callers->seen[edges[asked].callee] = search;
    for (uint32_t at = 0; at < n_queued; at++) {
        if (at % 1024 == 1023 && pv_job_is_cancelled (job))
            return false;
        uint32_t node = callers->queue[at];
        for (uint32_t i = callers->first[node]; i < callers->first[node + 1]; i++) {
            uint32_t edge = callers->edges[i], caller = edges[edge].caller;
            if (edge == asked || callers->is_dropped[edge] || callers->seen[caller] == search)
                continue;
            if (caller == edges[asked].caller)
                return true;
            callers->seen[caller] = search;
            callers->queue[n_queued++] = caller;
        }
    }
    return false;
}

/* Residual edges where another way leads from the one to the other: of the last nodes first, and
 * none that is heavier than an edge to the same node that is not residual. False when cancelled. */
static bool
drop_redundant_edges (Building *building, uint32_t *ret_n_dropped)
{
    PvGraphSums *sums = &building->sums;
    Callers callers;
    bool is_cancelled = false;
    list_callers (&callers, sums);
    for (size_t n = sums->nodes.len; n > 0 && !is_cancelled; n--) {
        for (uint32_t i = callers.first[n]; i > callers.first[n - 1] && !is_cancelled; i--) {
            is_cancelled = pv_job_is_cancelled (building->job);
            uint32_t edge = callers.edges[i - 1];
            if (!sums->edges.data[edge].is_residual)
                break;
            callers.is_dropped[edge] = is_redundant (&callers, edge, building->job);
        }
    }
    size_t n_left = 0;
    for (size_t i = 0; i < sums->edges.len; i++)
        if (!callers.is_dropped[i])
            sums->edges.data[n_left++] = sums->edges.data[i];
    *ret_n_dropped += (uint32_t)(sums->edges.len - n_left);
    sums->edges.len = n_left;
    callers_clear (&callers);
    return !is_cancelled;
}

/* The graph */

static PvGraph *
make_graph (Building *building, const PvCallTree *tree)
{
    const PvGraphSums *sums = &building->sums;
    const PvProfile *profile = tree->profile;
    PvGraph *graph = g_new0 (PvGraph, 1);
    graph->ref_count = 1;
    graph->tree = pv_call_tree_ref (tree);
    graph->limits = *building->limits;
    graph->whole = tree->total[0];
    if (pv_profile_has_weights (profile, tree->query.measure))
        graph->unit = profile->measures[tree->query.measure].unit;
    graph->n_nodes = (uint32_t)sums->nodes.len;
    graph->nodes = g_new0 (PvGraphNode, sums->nodes.len + 1);
    for (size_t i = 0; i < sums->nodes.len; i++)
        graph->nodes[i] = sums->nodes.data[i].node;
    graph->n_edges = (uint32_t)sums->edges.len;
    graph->edges = g_new0 (PvGraphEdge, sums->edges.len + 1);
    for (size_t i = 0; i < sums->edges.len; i++)
        graph->edges[i] = sums->edges.data[i];
    return graph;
}

/* The same graph by one side. False when cancelled. */
static bool
weigh_side (Building *building, PvGraph *graph, PvSide side, const uint64_t *weight_of_stack)
{
    PvGraphSums sums;
    PvGraphStacks stacks;
    const PvGraphLimits *limits = building->limits;
    pv_graph_stacks_init (&stacks, graph->tree, weight_of_stack);
    bool is_done =
        limits->around == 0 || pv_graph_stacks_focus (&stacks, limits->around, building->job);
    is_done = pv_graph_sums_init (&sums, &stacks, building->is_kept, limits->around, true,
                                  building->job) &&
              is_done;
    for (uint32_t i = 0; i < graph->n_nodes && is_done; i++) {
        PvGraphNode *node = &graph->nodes[i];
        uint32_t found = sums.node_of_function[node->function];
        node->self_of_side[side] = found != 0 ? sums.nodes.data[found - 1].node.self : 0;
        node->total_of_side[side] = found != 0 ? sums.nodes.data[found - 1].node.total : 0;
    }
    for (uint32_t i = 0; i < graph->n_edges && is_done; i++) {
        PvGraphEdge *edge = &graph->edges[i];
        const PvGraphEdge *found = pv_graph_sums_find_edge (
            &sums, graph->nodes[edge->caller].function, graph->nodes[edge->callee].function);
        edge->weight_of_side[side] = found != NULL ? found->weight : 0;
    }
    pv_graph_sums_clear (&sums);
    pv_graph_stacks_clear (&stacks);
    return is_done;
}

/* False when cancelled. */
static bool
weigh_sides (Building *building, PvGraph *graph)
{
    const PvCallTree *tree = pv_call_tree_top_down (graph->tree);
    if (!pv_changes_can_sum (tree))
        return true;
    const PvPair *pair = pv_profile_get_pair (tree->profile, tree->query.measure);
    graph->has_sides = true;
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        g_autofree uint64_t *weights = pv_measure_weigh_stacks (
            tree, pair->of_side[side], &graph->whole_of_side[side], building->job);
        if (weights == NULL || !weigh_side (building, graph, side, weights))
            return false;
    }
    return true;
}

/* Leaves nodes and edges out. False when cancelled. */
static bool
trim (Building *building, PvGraph *counts)
{
    const PvGraphLimits *limits = building->limits;
    const PvGraphSums *sums = &building->sums;
    for (size_t i = 0; i < sums->nodes.len; i++)
        counts->shown += sums->nodes.data[i].node.self;
    counts->n_functions = (uint32_t)sums->nodes.len;
    building->node_cutoff = (uint64_t)((double)counts->shown * limits->node_fraction);
    building->edge_cutoff = (uint64_t)((double)counts->shown * limits->edge_fraction);
    if (!keep_neighbours (building) || !keep_heavy (building) || !keep_first (building))
        return false;
    counts->n_left_edges = drop_light_edges (building);
    pv_graph_sums_sort_edges (&building->sums);
    return drop_redundant_edges (building, &counts->n_left_edges);
}

PvGraph *
pv_graph_build (const PvCallTree *tree, const PvGraphLimits *limits, PvJob *job)
{
    g_assert (tree != NULL && limits != NULL);
    g_assert (limits->around < MAX (tree->symbols->n_functions, 1));
    g_autoptr (PvGraph) graph = NULL;
    PvGraph counts = {0};
    Building building = {.limits = limits, .job = job};
    pv_graph_stacks_init (&building.stacks, tree, NULL);
    bool is_done =
        limits->around == 0 || pv_graph_stacks_focus (&building.stacks, limits->around, job);
    /* With random stacks nearly every call is another one: those of functions that are too light
     * are not counted at all. */
    bool has_edges = limits->node_fraction == 0 || has_neighbours_only (limits);
    is_done = pv_graph_sums_init (&building.sums, &building.stacks, NULL, limits->around, has_edges,
                                  job) &&
              is_done && trim (&building, &counts);
    if (is_done) {
        graph = make_graph (&building, tree);
        graph->shown = counts.shown;
        graph->n_functions = counts.n_functions;
        graph->n_left_edges = counts.n_left_edges;
        is_done = weigh_sides (&building, graph);
    }
    pv_graph_sums_clear (&building.sums);
    pv_graph_stacks_clear (&building.stacks);
    g_free (building.is_kept);
    return is_done ? g_steal_pointer (&graph) : NULL;
}
