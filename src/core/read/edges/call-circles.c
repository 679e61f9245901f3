/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tarjan's algorithm for strongly connected components, with a stack of its own in place of
 * recursion: a file may have a chain of a million functions.
 */
#include "core/read/edges/call-circles.h"

typedef struct {
    uint32_t function;
    uint32_t next_edge; /* in edges_in_order */
} Visit;

typedef struct {
    const PvCallGraph *graph;
    PvCallCircles *circles;
    uint32_t *number; /* the order in which functions were found, from 1 on; 0: not yet */
    uint32_t *lowest; /* that can be reached from a function */
    uint32_t n_found;
    PV_ARRAY (Visit) visits;
    PV_ARRAY (uint32_t) open; /* functions whose circle is not known yet */
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

/* The function that was found first of its circle: all that are open after it are of it. */
static void
close_circle (Search *self, uint32_t function)
{
    PvCallCircles *circles = self->circles;
    uint32_t circle = circles->n_circles++, at = circles->first[circle], closed;
    do {
        closed = self->open.data[--self->open.len];
        circles->circle_of_function[closed] = circle;
        circles->functions[at++] = closed;
    } while (closed != function);
    circles->first[circle + 1] = at;
    if (at - circles->first[circle] > 1)
        circles->n_circular += at - circles->first[circle];
}

static void
end_visit (Search *self)
{
    uint32_t function = self->visits.data[--self->visits.len].function;
    if (self->lowest[function] == self->number[function])
        close_circle (self, function);
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
        else if (self->circles->circle_of_function[callee] == UINT32_MAX)
            self->lowest[visit->function] =
                MIN (self->lowest[visit->function], self->number[callee]);
    }
}

void
pv_call_circles_find (PvCallCircles *circles, const PvCallGraph *graph)
{
    g_assert (circles != NULL && graph != NULL && graph->first_edge != NULL);
    size_t n = graph->n_functions;
    *circles = (PvCallCircles){
        .circle_of_function = g_new (uint32_t, n + 1),
        .functions = g_new (uint32_t, n + 1),
        .first = g_new0 (uint32_t, n + 1),
    };
    Search self = {
        .graph = graph,
        .circles = circles,
        .number = g_new0 (uint32_t, n + 1),
        .lowest = g_new0 (uint32_t, n + 1),
    };
    for (size_t f = 0; f < n; f++)
        circles->circle_of_function[f] = UINT32_MAX;
    for (uint32_t f = 0; f < n; f++)
        if (self.number[f] == 0)
            search (&self, f);
    g_free (self.number);
    g_free (self.lowest);
    pv_array_clear (&self.visits);
    pv_array_clear (&self.open);
}

void
pv_call_circles_clear (PvCallCircles *circles)
{
    g_assert (circles != NULL);
    g_free (circles->circle_of_function);
    g_free (circles->functions);
    g_free (circles->first);
    *circles = (PvCallCircles){0};
}
