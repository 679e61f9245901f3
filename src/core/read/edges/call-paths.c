/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cycles are taken callers first, so that all paths to a cycle are known with what comes in
 * through each when it is its turn. A function of no cycle hands that on at once: each of its
 * paths takes a part of what the function has left for itself and for each of its calls, so that
 * after the last path nothing is left.
 *
 * Within a cycle, paths are followed until they would come back. The amounts that then stay with
 * each path are only proportions, by which the costs of the cycle are shared.
 */
#include "core/read/edges/call-paths.h"

#include <string.h>

/* Limits of one attempt. With the share of the last attempt there are at most as many paths as
 * edges, functions and paths in cycles together. */
#define MAX_PATHS   (1u << 18)
#define MAX_AMOUNTS (1u << 20) /* paths times events */
#define MAX_STEPS   (1u << 25)

/* Limits of a cycle: paths that are followed in it, steps, and functions in a path. */
#define MAX_CYCLE_PATHS (1u << 14)
#define MAX_CYCLE_STEPS (1u << 22)
#define MAX_CYCLE_DEPTH 64u
#define MIN_CYCLE_SHARE 1e-5

static const double shares[] = {0, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 2};
enum { LAST_SHARE = G_N_ELEMENTS (shares) - 1 };

typedef struct {
    PvCallPaths *paths;
    const PvCallGraph *graph;
    const PvJob *job;
    PvCallCycles cycles;
    uint32_t n_events;
    uint64_t *from_outside; /* of each function: costs of calls from other cycles */
    uint64_t *from_inside;  /* the same from others of its cycle */

    double share;
    uint64_t least[PV_CALL_MAX_EVENTS]; /* that a path must have of an event, of any of them */
    uint64_t n_steps;

    /* Costs of the function at hand: a row for itself, then one for each call to another cycle.
     * `left` is not shared yet, `taken` goes to the path at hand. */
    PV_ARRAY (uint32_t) calls; /* edges */
    PV_ARRAY (uint64_t) left;
    PV_ARRAY (uint64_t) taken;
    PV_ARRAY (uint64_t) small;          /* of calls: costs of paths that are too small */
    PV_ARRAY (uint32_t) largest;        /* of calls: the path, or PV_NO_PATH */
    PV_ARRAY (double) share_of_largest; /* of calls */
    uint64_t sum_left[PV_CALL_MAX_EVENTS];
    PV_ARRAY (uint32_t) here;   /* paths to the function at hand, or within the cycle */
    PV_ARRAY (bool) is_on_path; /* of functions */
} Building;

static uint64_t *
costs_of (Building *self, uint32_t path)
{
    return self->paths->costs.data + (size_t)path * self->n_events;
}

static bool
is_in (const Building *self, uint32_t function, uint32_t cycle)
{
    return self->cycles.cycle_of_function[function] == cycle;
}

static bool
has_any (const Building *self, const uint64_t *costs)
{
    for (uint32_t e = 0; e < self->n_events; e++)
        if (costs[e] > 0)
            return true;
    return false;
}

static bool
is_large (const Building *self, const uint64_t *costs, const uint64_t *least)
{
    for (uint32_t e = 0; e < self->n_events; e++)
        if (costs[e] >= least[e])
            return true;
    return false;
}

/* The largest share of the total of any event. */
static double
get_share (const Building *self, const uint64_t *costs)
{
    double most = 0;
    for (uint32_t e = 0; e < self->n_events; e++)
        if (costs[e] > 0)
            most = MAX (most, (double)costs[e] / (double)MAX (self->graph->totals[e], 1));
    return most;
}

static uint32_t
add_path (Building *self, uint32_t function, uint32_t parent, uint32_t edge, const uint64_t *costs)
{
    PvCallPaths *paths = self->paths;
    uint32_t number = (uint32_t)paths->paths.len, last = paths->last_path[function];
    PvCallPath path = {function, parent, edge, PV_NO_PATH};
    pv_array_push (&paths->paths, path);
    if (costs != NULL)
        pv_array_append (&paths->costs, costs, self->n_events);
    else
        pv_array_resize (&paths->costs, paths->paths.len * self->n_events);
    if (last == PV_NO_PATH)
        paths->first_path[function] = number;
    else
        paths->paths.data[last].next = number;
    paths->last_path[function] = number;
    return number;
}

/* --- roots --- */

/* Sums up what comes into each function by calls. */
static void
sum_calls (Building *self)
{
    const PvCallGraph *graph = self->graph;
    for (uint32_t i = 0; i < graph->edges.len; i++) {
        const PvCallEdge *edge = &graph->edges.data[i];
        const uint64_t *costs = pv_call_graph_edge_costs (graph, i);
        bool is_inside = is_in (self, edge->caller, self->cycles.cycle_of_function[edge->callee]);
        uint64_t *sums = is_inside ? self->from_inside : self->from_outside;
        if (edge->caller == edge->callee)
            continue;
        for (uint32_t e = 0; e < self->n_events; e++)
            sums[(size_t)edge->callee * self->n_events + e] += costs[e];
    }
}

/* Sums the costs of a function itself and of its calls to other cycles; with_inside: also of those
 * to others in its cycle. */
static void
sum_function (const Building *self, uint32_t function, bool with_inside, uint64_t *ret_sums)
{
    const PvCallGraph *graph = self->graph;
    uint32_t cycle = self->cycles.cycle_of_function[function];
    memcpy (ret_sums, pv_call_graph_function_costs (graph, function),
            self->n_events * sizeof *ret_sums);
    for (uint32_t i = graph->first_edge[function]; i < graph->first_edge[function + 1]; i++) {
        uint32_t edge = graph->edges_in_order[i], callee = graph->edges.data[edge].callee;
        const uint64_t *costs = pv_call_graph_edge_costs (graph, edge);
        if (callee != function && (with_inside || !is_in (self, callee, cycle)))
            for (uint32_t e = 0; e < self->n_events; e++)
                ret_sums[e] += costs[e];
    }
}

/* How likely a function of a cycle was called from nowhere: what it costs more than its callers
 * say; or all of it, where no function of the cycle has more. */
static void
weigh_root (const Building *self, uint32_t function, bool is_by_all, uint64_t *ret_weights)
{
    size_t row = (size_t)function * self->n_events;
    sum_function (self, function, !is_by_all, ret_weights);
    for (uint32_t e = 0; e < self->n_events && !is_by_all; e++) {
        uint64_t from_callers = self->from_inside[row + e] + self->from_outside[row + e];
        ret_weights[e] -= MIN (ret_weights[e], from_callers);
    }
}

/* Finds the costs of a cycle that no call from outside accounts for. */
static void
find_missing (const Building *self, uint32_t cycle, uint64_t *ret_missing)
{
    uint64_t sums[PV_CALL_MAX_EVENTS], known[PV_CALL_MAX_EVENTS] = {0};
    memset (ret_missing, 0, self->n_events * sizeof *ret_missing);
    for (uint32_t i = self->cycles.first[cycle]; i < self->cycles.first[cycle + 1]; i++) {
        uint32_t function = self->cycles.functions[i];
        sum_function (self, function, false, sums);
        for (uint32_t e = 0; e < self->n_events; e++) {
            ret_missing[e] += sums[e];
            known[e] += self->from_outside[(size_t)function * self->n_events + e];
        }
    }
    for (uint32_t e = 0; e < self->n_events; e++)
        ret_missing[e] -= MIN (ret_missing[e], known[e]);
}

/* Shares what is missing among the functions of a cycle. */
static void
add_roots_of_cycle (Building *self, uint32_t cycle, const uint64_t *missing)
{
    uint64_t weights[2][PV_CALL_MAX_EVENTS], sums[2][PV_CALL_MAX_EVENTS] = {0};
    uint64_t before[PV_CALL_MAX_EVENTS] = {0}, done[PV_CALL_MAX_EVENTS] = {0};
    uint32_t first = self->cycles.first[cycle], end = self->cycles.first[cycle + 1];
    for (uint32_t i = first; i < end; i++)
        for (int by_all = 0; by_all < 2; by_all++) {
            weigh_root (self, self->cycles.functions[i], by_all, weights[by_all]);
            for (uint32_t e = 0; e < self->n_events; e++)
                sums[by_all][e] += weights[by_all][e];
        }
    for (uint32_t i = first; i < end; i++) {
        uint64_t costs[PV_CALL_MAX_EVENTS];
        for (int by_all = 0; by_all < 2; by_all++)
            weigh_root (self, self->cycles.functions[i], by_all, weights[by_all]);
        for (uint32_t e = 0; e < self->n_events; e++) {
            int by_all = sums[0][e] == 0;
            uint64_t whole = MAX (sums[by_all][e], 1);
            before[e] += weights[by_all][e];
            uint64_t until = pv_call_share (before[e], missing[e], whole);
            costs[e] = until - done[e];
            done[e] = until;
        }
        if (has_any (self, costs))
            add_path (self, self->cycles.functions[i], PV_NO_PATH, 0, costs);
    }
}

/* Adds root paths for the costs that no caller accounts for. */
static void
add_roots (Building *self, uint32_t cycle)
{
    uint64_t missing[PV_CALL_MAX_EVENTS];
    uint32_t first = self->cycles.first[cycle];
    find_missing (self, cycle, missing);
    if (!has_any (self, missing))
        return;
    if (self->cycles.first[cycle + 1] - first == 1)
        add_path (self, self->cycles.functions[first], PV_NO_PATH, 0, missing);
    else
        add_roots_of_cycle (self, cycle, missing);
}

/* --- within a cycle --- */

/* Marks the functions of a path that are in the cycle, or takes the marks away; returns their
 * number. */
static uint32_t
mark_path (Building *self, uint32_t path, uint32_t cycle, bool is_on_path)
{
    uint32_t n = 0;
    for (; path != PV_NO_PATH; path = self->paths->paths.data[path].parent, n++) {
        uint32_t function = self->paths->paths.data[path].function;
        if (!is_in (self, function, cycle))
            break;
        self->is_on_path.data[function] = is_on_path;
    }
    self->n_steps += n;
    return n;
}

static bool
may_follow (const Building *self, uint32_t edge, uint32_t cycle)
{
    uint32_t callee = self->graph->edges.data[edge].callee;
    return is_in (self, callee, cycle) && !self->is_on_path.data[callee];
}

/* Follows a path's calls within the cycle; the path keeps the costs that it does not hand on. */
static void
follow_inside (Building *self, uint32_t path, uint32_t cycle, const uint64_t *least)
{
    const PvCallGraph *graph = self->graph;
    uint32_t function = self->paths->paths.data[path].function;
    uint64_t whole[PV_CALL_MAX_EVENTS], incoming[PV_CALL_MAX_EVENTS];
    uint32_t depth = mark_path (self, path, cycle, true);
    sum_function (self, function, false, whole);
    memcpy (incoming, costs_of (self, path), self->n_events * sizeof *incoming);
    uint32_t first = graph->first_edge[function], end = graph->first_edge[function + 1];
    self->n_steps += end - first;
    for (uint32_t i = first; i < end; i++) {
        const uint64_t *costs = pv_call_graph_edge_costs (graph, graph->edges_in_order[i]);
        for (uint32_t e = 0; e < self->n_events; e++)
            whole[e] += may_follow (self, graph->edges_in_order[i], cycle) ? costs[e] : 0;
    }
    for (uint32_t i = first; i < end && depth < MAX_CYCLE_DEPTH; i++) {
        uint32_t edge = graph->edges_in_order[i];
        const uint64_t *costs = pv_call_graph_edge_costs (graph, edge);
        uint64_t part[PV_CALL_MAX_EVENTS] = {0};
        if (!may_follow (self, edge, cycle))
            continue;
        for (uint32_t e = 0; e < self->n_events; e++)
            part[e] = whole[e] > 0 ? pv_call_share (costs[e], incoming[e], whole[e]) : 0;
        if (!is_large (self, part, least))
            continue;
        uint32_t child = add_path (self, graph->edges.data[edge].callee, path, edge, part);
        pv_array_push (&self->here, child);
        for (uint32_t e = 0; e < self->n_events; e++)
            costs_of (self, path)[e] -= part[e];
    }
    mark_path (self, path, cycle, false);
}

/* Each function of the cycle gets a path, along the first calls that lead to it. */
static void
reach_all (Building *self, uint32_t cycle)
{
    const PvCallGraph *graph = self->graph;
    self->here.len = 0;
    for (uint32_t i = self->cycles.first[cycle]; i < self->cycles.first[cycle + 1]; i++)
        if (self->paths->first_path[self->cycles.functions[i]] != PV_NO_PATH)
            pv_array_push (&self->here, self->cycles.functions[i]);
    for (size_t i = 0; i < self->here.len; i++) {
        uint32_t caller = self->here.data[i];
        for (uint32_t j = graph->first_edge[caller]; j < graph->first_edge[caller + 1]; j++) {
            uint32_t edge = graph->edges_in_order[j], callee = graph->edges.data[edge].callee;
            if (!is_in (self, callee, cycle) || self->paths->first_path[callee] != PV_NO_PATH ||
                !pv_call_graph_edge_counts (graph, edge))
                continue;
            add_path (self, callee, self->paths->first_path[caller], edge, NULL);
            pv_array_push (&self->here, callee);
        }
    }
}

static void
follow_cycle (Building *self, uint32_t cycle)
{
    uint64_t least[PV_CALL_MAX_EVENTS];
    for (uint32_t e = 0; e < self->n_events; e++)
        least[e] =
            MAX (self->least[e], (uint64_t)(MIN_CYCLE_SHARE * (double)self->graph->totals[e]) + 1);
    pv_array_resize (&self->is_on_path, self->graph->n_functions);
    self->here.len = 0;
    for (uint32_t i = self->cycles.first[cycle]; i < self->cycles.first[cycle + 1]; i++)
        for (uint32_t path = self->paths->first_path[self->cycles.functions[i]]; path != PV_NO_PATH;
             path = self->paths->paths.data[path].next)
            pv_array_push (&self->here, path);
    uint64_t max_steps = self->n_steps + MAX_CYCLE_STEPS;
    size_t max_paths = self->here.len + MAX_CYCLE_PATHS;
    for (size_t i = 0; i < self->here.len; i++)
        if (self->n_steps < max_steps && self->here.len < max_paths &&
            is_large (self, costs_of (self, self->here.data[i]), least))
            follow_inside (self, self->here.data[i], cycle, least);
    reach_all (self, cycle);
}

/* --- handing on --- */

/* Collects the costs of the function itself and of its calls to other cycles. */
static void
begin_function (Building *self, uint32_t function)
{
    const PvCallGraph *graph = self->graph;
    uint32_t cycle = self->cycles.cycle_of_function[function];
    self->calls.len = self->left.len = self->small.len = self->largest.len = 0;
    self->share_of_largest.len = 0;
    pv_array_append (&self->left, pv_call_graph_function_costs (graph, function), self->n_events);
    for (uint32_t i = graph->first_edge[function]; i < graph->first_edge[function + 1]; i++) {
        uint32_t edge = graph->edges_in_order[i];
        if (is_in (self, graph->edges.data[edge].callee, cycle) ||
            !pv_call_graph_edge_counts (graph, edge))
            continue;
        pv_array_push (&self->calls, edge);
        pv_array_push (&self->largest, PV_NO_PATH);
        pv_array_append (&self->left, pv_call_graph_edge_costs (graph, edge), self->n_events);
    }
    pv_array_resize (&self->share_of_largest, self->calls.len);
    pv_array_resize (&self->small, self->calls.len * self->n_events);
    pv_array_resize (&self->taken, self->left.len);
    memset (self->sum_left, 0, sizeof self->sum_left);
    for (size_t i = 0; i < self->left.len; i++)
        self->sum_left[i % self->n_events] += self->left.data[i];
    self->n_steps += self->left.len;
}

/* Scales the costs of all paths to the function so that they add up to those of the function.
 * Returns the largest path. */
static uint32_t
fit_paths (Building *self)
{
    uint32_t largest = self->here.data[0];
    double most = -1;
    for (size_t i = 0; i < self->here.len; i++) {
        double share = get_share (self, costs_of (self, self->here.data[i]));
        if (share > most) {
            most = share;
            largest = self->here.data[i];
        }
    }
    for (uint32_t e = 0; e < self->n_events; e++) {
        uint64_t whole = self->sum_left[e], sum = 0, before = 0, done = 0;
        for (size_t i = 0; i < self->here.len; i++)
            sum += costs_of (self, self->here.data[i])[e];
        if (sum == 0)
            costs_of (self, largest)[e] = whole;
        for (size_t i = 0; i < self->here.len && sum != whole && sum > 0; i++) {
            uint64_t *cost = &costs_of (self, self->here.data[i])[e];
            before += *cost;
            uint64_t until = pv_call_share (before, whole, sum);
            *cost = until - done;
            done = until;
        }
    }
    return largest;
}

/* Takes as much as the path costs from what is left, everywhere in proportion. */
static void
take (Building *self, const uint64_t *costs)
{
    pv_call_take (self->left.data, self->taken.data, self->left.len, self->n_events, self->sum_left,
                  costs);
    self->n_steps += self->left.len;
}

static void
hand_on (Building *self, uint32_t path)
{
    for (size_t c = 0; c < self->calls.len; c++) {
        const uint64_t *part = self->taken.data + (c + 1) * self->n_events;
        if (!is_large (self, part, self->least)) {
            for (uint32_t e = 0; e < self->n_events; e++)
                self->small.data[c * self->n_events + e] += part[e];
            continue;
        }
        uint32_t edge = self->calls.data[c];
        uint32_t child = add_path (self, self->graph->edges.data[edge].callee, path, edge, part);
        double share = get_share (self, part);
        if (self->largest.data[c] == PV_NO_PATH || share > self->share_of_largest.data[c]) {
            self->largest.data[c] = child;
            self->share_of_largest.data[c] = share;
        }
    }
}

/* Shares the function's own costs that are left among its small paths, each in proportion. */
static void
share_rest (Building *self)
{
    for (uint32_t e = 0; e < self->n_events; e++) {
        uint64_t before = 0, done = 0;
        for (size_t i = 0; i < self->here.len && self->sum_left[e] > 0; i++) {
            uint64_t *cost = &costs_of (self, self->here.data[i])[e];
            before += *cost;
            uint64_t until = pv_call_share (before, self->left.data[e], self->sum_left[e]);
            *cost = until - done;
            done = until;
        }
    }
}

/* Calls of small paths, and small calls, all go to the largest path through the same call. */
static void
hand_on_rest (Building *self, uint32_t largest, bool is_only_path)
{
    uint32_t n = self->n_events;
    for (size_t c = 0; c < self->calls.len; c++) {
        uint64_t *rest = self->small.data + c * n;
        for (uint32_t e = 0; e < n; e++)
            rest[e] += self->left.data[(c + 1) * n + e];
        if (!has_any (self, rest))
            continue;
        self->paths->is_pruned |= !is_only_path;
        uint32_t edge = self->calls.data[c];
        if (self->largest.data[c] == PV_NO_PATH)
            add_path (self, self->graph->edges.data[edge].callee, largest, edge, rest);
        else
            for (uint32_t e = 0; e < n; e++)
                costs_of (self, self->largest.data[c])[e] += rest[e];
    }
}

static bool
is_too_much (const Building *self)
{
    return self->share < shares[LAST_SHARE] &&
           (self->paths->paths.len > MAX_PATHS || self->paths->costs.len > MAX_AMOUNTS ||
            self->n_steps > MAX_STEPS);
}

static void
share_function (Building *self, uint32_t function)
{
    self->here.len = 0;
    for (uint32_t path = self->paths->first_path[function]; path != PV_NO_PATH;
         path = self->paths->paths.data[path].next)
        pv_array_push (&self->here, path);
    if (self->here.len == 0)
        return;
    begin_function (self, function);
    uint32_t largest = fit_paths (self);
    size_t n_small = 0, n = self->here.len;
    for (size_t i = 0; i < n; i++) {
        uint32_t path = self->here.data[i];
        if (!is_large (self, costs_of (self, path), self->least)) {
            self->here.data[n_small++] = path;
            continue;
        }
        take (self, costs_of (self, path));
        memcpy (costs_of (self, path), self->taken.data, self->n_events * sizeof (uint64_t));
        hand_on (self, path);
        if (is_too_much (self))
            return;
    }
    self->here.len = n_small;
    share_rest (self);
    hand_on_rest (self, largest, n == 1);
}

/* --- attempts --- */

static void
begin_attempt (Building *self, double share)
{
    PvCallPaths *paths = self->paths;
    paths->paths.len = paths->costs.len = 0;
    paths->is_pruned = false;
    paths->least_share = self->share = share;
    self->n_steps = 0;
    for (uint32_t f = 0; f < self->graph->n_functions; f++)
        paths->first_path[f] = paths->last_path[f] = PV_NO_PATH;
    for (uint32_t e = 0; e < self->n_events; e++)
        self->least[e] = share < shares[LAST_SHARE]
                             ? MAX ((uint64_t)(share * (double)self->graph->totals[e]), 1)
                             : UINT64_MAX;
}

/* False: there are too many paths with this share. */
static bool
attempt (Building *self, double share)
{
    begin_attempt (self, share);
    for (uint32_t cycle = self->cycles.n_cycles; cycle-- > 0;) {
        uint32_t first = self->cycles.first[cycle], end = self->cycles.first[cycle + 1];
        if (cycle % 256 == 0 && self->job != NULL && pv_job_is_cancelled (self->job))
            return true;
        add_roots (self, cycle);
        if (end - first > 1)
            follow_cycle (self, cycle);
        for (uint32_t i = first; i < end; i++) {
            share_function (self, self->cycles.functions[i]);
            if (is_too_much (self))
                return false;
        }
    }
    return true;
}

void
pv_call_take (uint64_t *left, uint64_t *taken, size_t n_amounts, uint32_t n_events,
              uint64_t *sum_left, const uint64_t *costs)
{
    for (uint32_t e = 0; e < n_events; e++) {
        uint64_t whole = sum_left[e], before = 0, done = 0;
        bool is_simple = costs[e] == whole || costs[e] == 0;
        for (size_t i = e; i < n_amounts; i += n_events) {
            before += left[i];
            uint64_t until = is_simple   ? (costs[e] > 0 ? before : 0)
                             : whole > 0 ? pv_call_share (costs[e], before, whole)
                                         : 0;
            taken[i] = until - done;
            done = until;
            left[i] -= taken[i];
        }
        sum_left[e] -= MIN (costs[e], whole);
    }
}

void
pv_call_paths_build (PvCallPaths *paths, const PvCallGraph *graph, const PvJob *job)
{
    g_assert (paths != NULL && graph != NULL && graph->first_line != NULL && graph->n_events > 0);
    size_t n_rows = (size_t)graph->n_functions * graph->n_events;
    *paths = (PvCallPaths){
        .graph = graph,
        .first_path = g_new (uint32_t, (size_t)graph->n_functions + 1),
        .last_path = g_new (uint32_t, (size_t)graph->n_functions + 1),
    };
    Building self = {
        .paths = paths,
        .graph = graph,
        .job = job,
        .n_events = graph->n_events,
        .from_outside = g_new0 (uint64_t, n_rows + 1),
        .from_inside = g_new0 (uint64_t, n_rows + 1),
    };
    pv_call_cycles_find (&self.cycles, graph);
    paths->n_cyclic = self.cycles.n_cyclic;
    sum_calls (&self);
    for (size_t i = 0; !attempt (&self, shares[i]); i++)
        g_assert (i < LAST_SHARE);
    pv_call_cycles_clear (&self.cycles);
    g_free (self.from_outside);
    g_free (self.from_inside);
    pv_array_clear (&self.calls);
    pv_array_clear (&self.left);
    pv_array_clear (&self.taken);
    pv_array_clear (&self.small);
    pv_array_clear (&self.largest);
    pv_array_clear (&self.share_of_largest);
    pv_array_clear (&self.here);
    pv_array_clear (&self.is_on_path);
}

void
pv_call_paths_clear (PvCallPaths *paths)
{
    g_assert (paths != NULL);
    pv_array_clear (&paths->paths);
    pv_array_clear (&paths->costs);
    g_free (paths->first_path);
    g_free (paths->last_path);
    *paths = (PvCallPaths){0};
}
