/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/edges/call-known.h"

#include "core/model/calls/known-calls.h"

/* Limit for the amounts of all calls and functions together, one for each measure. */
#define MAX_AMOUNTS (1u << 23)

typedef struct {
    const PvCallSamples *samples;
    const PvCallGraph *graph;
    PvCallCycles cycles;
    PvLocationId *locations; /* by function; 0: neither calls nor is called */
    uint64_t *of_cycle;      /* n_events for each: with all that it calls */
    uint64_t *of_function;   /* the same of a function, as the file has it */
    PV_ARRAY (PvKnownCall) calls;
    PV_ARRAY (uint64_t) weights;
    PV_ARRAY (PvLocationId) functions;
    PV_ARRAY (uint64_t) totals;
} Adding;

static PvLocationId
get_location (Adding *self, uint32_t function)
{
    if (self->locations[function] == 0)
        self->locations[function] =
            self->samples->locate (self->samples->user, (PvCallPlace){.function = function});
    return self->locations[function];
}

/* The weights of a row more, one for each measure. */
static void
add_weights (Adding *self, uint64_t *row, const uint64_t *costs)
{
    if (costs != NULL)
        self->samples->weigh (self->samples->user, costs, row);
    else
        for (uint32_t i = 0; i < self->samples->n_weights; i++)
            row[i] = PV_AMOUNT_UNKNOWN;
}

static void
add_calls (Adding *self, bool is_measured)
{
    const uint32_t *cycle_of = self->cycles.cycle_of_function;
    for (uint32_t i = 0; i < self->graph->edges.len; i++) {
        const PvCallEdge *edge = &self->graph->edges.data[i];
        PvKnownCall call = {get_location (self, edge->caller), get_location (self, edge->callee),
                            edge->n_calls};
        bool is_known = is_measured || cycle_of[edge->caller] != cycle_of[edge->callee];
        size_t n = self->weights.len;
        pv_array_push (&self->calls, call);
        pv_array_resize (&self->weights, n + self->samples->n_weights);
        add_weights (self, self->weights.data + n,
                     is_known ? pv_call_graph_edge_costs (self->graph, i) : NULL);
    }
}

/* Each function, and each cycle, costs what it costs itself and what others cost that it calls. */
static void
sum_up (Adding *self)
{
    const PvCallGraph *graph = self->graph;
    const uint32_t *cycle_of = self->cycles.cycle_of_function;
    uint32_t n = graph->n_events;
    for (uint32_t f = 0; f < graph->n_functions; f++)
        for (uint32_t e = 0; e < n; e++) {
            uint64_t own = pv_call_graph_function_costs (graph, f)[e];
            self->of_function[(size_t)f * n + e] += own;
            self->of_cycle[(size_t)cycle_of[f] * n + e] += own;
        }
    for (uint32_t i = 0; i < graph->edges.len; i++) {
        const PvCallEdge *edge = &graph->edges.data[i];
        for (uint32_t e = 0; e < n; e++) {
            uint64_t cost = pv_call_graph_edge_costs (graph, i)[e];
            if (edge->caller != edge->callee)
                self->of_function[(size_t)edge->caller * n + e] += cost;
            if (cycle_of[edge->caller] != cycle_of[edge->callee])
                self->of_cycle[(size_t)cycle_of[edge->caller] * n + e] += cost;
        }
    }
}

static void
add_totals (Adding *self)
{
    uint32_t n = self->graph->n_events, n_functions = self->graph->n_functions;
    self->of_cycle = g_new0 (uint64_t, (size_t)self->cycles.n_cycles * n + 1);
    self->of_function = g_new0 (uint64_t, (size_t)n_functions * n + 1);
    sum_up (self);
    for (uint32_t f = 0; f < n_functions; f++) {
        uint64_t *costs = self->of_function + (size_t)f * n;
        const uint64_t *whole = self->of_cycle + (size_t)self->cycles.cycle_of_function[f] * n;
        if (self->locations[f] == 0)
            continue;
        for (uint32_t e = 0; e < n; e++)
            costs[e] = MIN (costs[e], whole[e]);
        size_t n_totals = self->totals.len;
        pv_array_push (&self->functions, self->locations[f]);
        pv_array_resize (&self->totals, n_totals + self->samples->n_weights);
        add_weights (self, self->totals.data + n_totals, costs);
    }
}

bool
pv_call_known_add (const PvCallSamples *samples, const PvCallGraph *graph, bool is_measured)
{
    g_assert (samples != NULL && graph != NULL && graph->first_line != NULL);
    uint64_t n_rows = (uint64_t)graph->edges.len + graph->n_functions;
    if (graph->edges.len == 0 || n_rows * samples->n_weights > MAX_AMOUNTS ||
        pv_job_is_cancelled (samples->job))
        return false;
    Adding self = {.samples = samples, .graph = graph};
    self.locations = g_new0 (PvLocationId, (size_t)graph->n_functions + 1);
    pv_call_cycles_find (&self.cycles, graph);
    add_calls (&self, is_measured);
    if (is_measured)
        add_totals (&self);
    PvKnownCalls known = {
        .set = samples->set,
        .n_columns = samples->n_weights,
        .n_calls = (uint32_t)self.calls.len,
        .calls = self.calls.data,
        .weights = self.weights.data,
        .n_functions = (uint32_t)self.functions.len,
        .functions = self.functions.data,
        .totals = self.totals.data,
    };
    pv_profile_builder_set_known_calls (samples->builder, &known);
    pv_call_cycles_clear (&self.cycles);
    g_free (self.locations);
    g_free (self.of_cycle);
    g_free (self.of_function);
    pv_array_clear (&self.calls);
    pv_array_clear (&self.weights);
    pv_array_clear (&self.functions);
    pv_array_clear (&self.totals);
    return true;
}
