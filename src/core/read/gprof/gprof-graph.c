/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/gprof/gprof-graph.h"

#include "core/read/edges/call-cycles.h"
#include "core/read/edges/call-paths.h"

typedef struct {
    const GprofCounts *counts;
    PvCallCycles cycles;
    uint64_t (*costs)[GPROF_N_EVENTS];   /* of a cycle: itself, and what it has called so far */
    uint64_t (*of_call)[GPROF_N_EVENTS]; /* costs of the calls of each row */
    uint32_t *calls_in_order;            /* by the cycle that is called */
    uint32_t *first_call;                /* of a cycle, in that */
} Sharing;

static int
compare_calls (const void *a_, const void *b_)
{
    const GprofCall *a = a_, *b = b_;
    return pv_order (a->caller, b->caller) ?: pv_order (a->callee, b->callee);
}

/* No sum is too large then. */
static void
merge_calls (GprofCounts *counts)
{
    GprofCall *calls = counts->calls.data;
    size_t n = 0;
    if (counts->calls.len == 0)
        return;
    uint64_t most = (uint64_t)PV_CALL_MAX_AMOUNT / counts->calls.len;
    pv_array_sort (&counts->calls, compare_calls);
    for (size_t i = 0; i < counts->calls.len; i++) {
        calls[i].count = MIN (calls[i].count, most);
        if (n > 0 && compare_calls (&calls[n - 1], &calls[i]) == 0)
            calls[n - 1].count += calls[i].count;
        else
            calls[n++] = calls[i];
    }
    counts->calls.len = n;
}

static void
limit_times (GprofCounts *counts)
{
    uint64_t most = (uint64_t)PV_CALL_MAX_AMOUNT / MAX (counts->lines.len, 1);
    for (size_t i = 0; i < counts->lines.len; i++)
        counts->lines.data[i].time = MIN (counts->lines.data[i].time, most);
}

static bool
is_recursion (const GprofCall *call)
{
    return call->caller == call->callee;
}

/* --- cycles --- */

static void
find_cycles (Sharing *self)
{
    const GprofCounts *counts = self->counts;
    PvCallGraph graph = {0};
    pv_call_graph_add_event (&graph);
    for (uint32_t f = 0; f < counts->n_functions; f++)
        pv_call_graph_add_function (&graph);
    for (size_t i = 0; i < counts->calls.len; i++) {
        const GprofCall *call = &counts->calls.data[i];
        int64_t cost = (int64_t)call->count;
        if (!is_recursion (call))
            pv_call_graph_add_calls (&graph, (PvCallPlace){.function = call->caller}, call->callee,
                                     call->count, &cost);
    }
    pv_call_graph_seal (&graph);
    pv_call_cycles_find (&self->cycles, &graph);
    pv_call_graph_clear (&graph);
}

static void
sort_calls (Sharing *self)
{
    const GprofCounts *counts = self->counts;
    const uint32_t *cycle_of = self->cycles.cycle_of_function;
    uint32_t *next = self->first_call = g_new0 (uint32_t, (size_t)self->cycles.n_cycles + 2);
    self->calls_in_order = g_new (uint32_t, counts->calls.len + 1);
    for (size_t i = 0; i < counts->calls.len; i++)
        next[cycle_of[counts->calls.data[i].callee] + 2]++;
    for (uint32_t c = 0; c < self->cycles.n_cycles; c++)
        next[c + 2] += next[c + 1];
    for (size_t i = 0; i < counts->calls.len; i++)
        self->calls_in_order[next[cycle_of[counts->calls.data[i].callee] + 1]++] = (uint32_t)i;
}

/* --- sharing --- */

static void
sum_functions (Sharing *self)
{
    const GprofCounts *counts = self->counts;
    const uint32_t *cycle_of = self->cycles.cycle_of_function;
    for (size_t i = 0; i < counts->lines.len; i++) {
        const GprofLine *line = &counts->lines.data[i];
        self->costs[cycle_of[line->place.function]][GPROF_TIME] += line->time;
    }
    for (size_t i = 0; i < counts->calls.len; i++)
        if (!is_recursion (&counts->calls.data[i]))
            self->costs[cycle_of[counts->calls.data[i].callee]][GPROF_CALLS] +=
                counts->calls.data[i].count;
}

/* Shares what a cycle costs among its calls from outside, by their number. Calls within it get
 * proportions of the same, by which paths are followed. */
static void
share_cycle (Sharing *self, uint32_t cycle)
{
    const uint32_t *cycle_of = self->cycles.cycle_of_function;
    uint64_t n_outside = 0, n_inside = 0, before = 0, done[GPROF_N_EVENTS] = {0};
    for (uint32_t i = self->first_call[cycle]; i < self->first_call[cycle + 1]; i++) {
        const GprofCall *call = &self->counts->calls.data[self->calls_in_order[i]];
        uint64_t count = is_recursion (call) ? 0 : call->count;
        if (cycle_of[call->caller] == cycle)
            n_inside += count;
        else
            n_outside += count;
    }
    for (uint32_t i = self->first_call[cycle]; i < self->first_call[cycle + 1]; i++) {
        uint32_t row = self->calls_in_order[i];
        const GprofCall *call = &self->counts->calls.data[row];
        uint32_t from = cycle_of[call->caller];
        if (is_recursion (call))
            continue;
        before += from != cycle ? call->count : 0;
        for (GprofEvent e = 0; e < GPROF_N_EVENTS; e++) {
            uint64_t whole = self->costs[cycle][e];
            if (from == cycle) {
                self->of_call[row][e] = pv_call_share (call->count, whole, n_outside + n_inside);
                continue;
            }
            uint64_t until = pv_call_share (before, whole, n_outside);
            self->of_call[row][e] = until - done[e];
            done[e] = until;
            self->costs[from][e] += self->of_call[row][e];
        }
    }
}

static void
fill_graph (PvCallGraph *graph, const Sharing *self)
{
    const GprofCounts *counts = self->counts;
    for (GprofEvent e = 0; e < GPROF_N_EVENTS; e++)
        pv_call_graph_add_event (graph);
    for (uint32_t f = 0; f < counts->n_functions; f++)
        pv_call_graph_add_function (graph);
    for (size_t i = 0; i < counts->lines.len; i++) {
        int64_t costs[GPROF_N_EVENTS] = {[GPROF_TIME] = (int64_t)counts->lines.data[i].time};
        pv_call_graph_add_line (graph, counts->lines.data[i].place, costs);
    }
    for (size_t i = 0; i < counts->calls.len; i++) {
        const GprofCall *call = &counts->calls.data[i];
        int64_t costs[GPROF_N_EVENTS] = {0};
        if (!is_recursion (call)) {
            costs[GPROF_CALLS] = (int64_t)call->count;
            pv_call_graph_add_line (graph, (PvCallPlace){.function = call->callee}, costs);
        }
        for (GprofEvent e = 0; e < GPROF_N_EVENTS; e++)
            costs[e] = (int64_t)self->of_call[i][e];
        pv_call_graph_add_calls (graph, (PvCallPlace){.function = call->caller}, call->callee,
                                 call->count, costs);
    }
    pv_call_graph_seal (graph);
}

void
gprof_graph_build (PvCallGraph *graph, GprofCounts *counts)
{
    g_assert (graph != NULL && counts != NULL);
    Sharing self = {.counts = counts};
    merge_calls (counts);
    limit_times (counts);
    find_cycles (&self);
    sort_calls (&self);
    self.costs = g_malloc0_n ((size_t)self.cycles.n_cycles + 1, sizeof *self.costs);
    self.of_call = g_malloc0_n (counts->calls.len + 1, sizeof *self.of_call);
    sum_functions (&self);
    for (uint32_t cycle = 0; cycle < self.cycles.n_cycles; cycle++)
        share_cycle (&self, cycle);
    fill_graph (graph, &self);
    pv_call_cycles_clear (&self.cycles);
    g_free (self.costs);
    g_free (self.of_call);
    g_free (self.calls_in_order);
    g_free (self.first_call);
}
