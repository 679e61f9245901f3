/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tarjan's algorithm for strongly connected components, with a stack of its own in place of
 * recursion: a file may have a chain of a million functions.
 */
#include "core/read/edges/call-cycles.h"

typedef struct {
    uint32_t function;
    uint32_t next_edge; /* in edges_in_order */
} Visit;

typedef struct {
    const PvCallGraph *graph;
    PvCallCycles *cycles;
    uint32_t *number; /* the order in which functions were found, from 1 on; 0: not yet */
    uint32_t *lowest; /* that can be reached from a function */
    uint32_t n_found;
    PV_ARRAY (Visit) visits;
    PV_ARRAY (uint32_t) open; /* functions whose cycle is not known yet */
} Search;

bool
pv_call_graph_edge_counts (const PvCallGraph *graph, uint32_t edge)
{
    const uint64_t *costs = pv_call_graph_edge_costs (graph, edge);
    for (uint32_t e = 0; e < graph->n_events; e++)
        if (costs[e] > 0)
            return true;
    return false;
}

static void
begin_visit (Search *self, uint32_t function)
{
    Visit visit = {function, self->graph->first_edge[function]};
    self->number[function] = self->lowest[function] = ++self->n_found;
    pv_array_push (&self->visits, visit);
    pv_array_push (&self->open, function);
}

/* The function that was found first of its cycle: all that are open after it are of it. */
static void
close_cycle (Search *self, uint32_t function)
{
    PvCallCycles *cycles = self->cycles;
    uint32_t cycle = cycles->n_cycles++, at = cycles->first[cycle], closed;
    do {
        closed = self->open.data[--self->open.len];
        cycles->cycle_of_function[closed] = cycle;
        cycles->functions[at++] = closed;
    } while (closed != function);
    cycles->first[cycle + 1] = at;
    if (at - cycles->first[cycle] > 1)
        cycles->n_cyclic += at - cycles->first[cycle];
}

static void
end_visit (Search *self)
{
    uint32_t function = self->visits.data[--self->visits.len].function;
    if (self->lowest[function] == self->number[function])
        close_cycle (self, function);
    if (self->visits.len > 0) {
        uint32_t caller = self->visits.data[self->visits.len - 1].function;
        self->lowest[caller] = MIN (self->lowest[caller], self->lowest[function]);
    }
}

static void
search (Search *self, uint32_t start)
{
    const PvCallGraph *graph = self->graph;
    begin_visit (self, start);
    while (self->visits.len > 0) {
        Visit *visit = &self->visits.data[self->visits.len - 1];
        if (visit->next_edge == graph->first_edge[visit->function + 1]) {
            end_visit (self);
            continue;
        }
        uint32_t edge = graph->edges_in_order[visit->next_edge++];
        uint32_t callee = graph->edges.data[edge].callee;
        if (!pv_call_graph_edge_counts (graph, edge))
            continue;
        if (self->number[callee] == 0)
            begin_visit (self, callee);
        else if (self->cycles->cycle_of_function[callee] == UINT32_MAX)
            self->lowest[visit->function] =
                MIN (self->lowest[visit->function], self->number[callee]);
    }
}

void
pv_call_cycles_find (PvCallCycles *cycles, const PvCallGraph *graph)
{
    g_assert (cycles != NULL && graph != NULL && graph->first_edge != NULL);
    size_t n = graph->n_functions;
    *cycles = (PvCallCycles){
        .cycle_of_function = g_new (uint32_t, n + 1),
        .functions = g_new (uint32_t, n + 1),
        .first = g_new0 (uint32_t, n + 1),
    };
    Search self = {
        .graph = graph,
        .cycles = cycles,
        .number = g_new0 (uint32_t, n + 1),
        .lowest = g_new0 (uint32_t, n + 1),
    };
    for (size_t f = 0; f < n; f++)
        cycles->cycle_of_function[f] = UINT32_MAX;
    for (uint32_t f = 0; f < n; f++)
        if (self.number[f] == 0)
            search (&self, f);
    g_free (self.number);
    g_free (self.lowest);
    pv_array_clear (&self.visits);
    pv_array_clear (&self.open);
}

void
pv_call_cycles_clear (PvCallCycles *cycles)
{
    g_assert (cycles != NULL);
    g_free (cycles->cycle_of_function);
    g_free (cycles->functions);
    g_free (cycles->first);
    *cycles = (PvCallCycles){0};
}
