/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/array.h"
#include "core/base/idmap.h"

/*
 * A call graph, as profilers that count without looking at stacks have it: what each function costs
 * itself, line by line, and what each call from one function to another costs with all that it
 * calls. Each cost is a vector with an amount for each event. Functions, files and events are only
 * numbers here, which the reader assigns. One thread at a time.
 */
#define PV_CALL_MAX_EVENTS 64u

/* No amount, and no sum of those of an event, is larger. */
#define PV_CALL_MAX_AMOUNT (INT64_MAX / 4)

/* Where something is: a line of a function, which may be in another file than the function if it
 * was inlined. */
typedef struct {
    uint32_t function;
    uint32_t file; /* a number of the reader's */
    uint32_t line; /* 0: unknown */
} PvCallPlace;

typedef struct {
    uint32_t caller, callee;
    PvCallPlace place; /* the call that costs most */
    uint32_t line;     /* once sealed: the line at that place; UINT32_MAX: no line */
    int64_t most;      /* cost of that call, of the first event */
    uint64_t n_calls;
} PvCallEdge;

typedef struct {
    uint32_t n_events, n_functions;
    PV_ARRAY (PvCallPlace) lines;
    PV_ARRAY (int64_t) line_costs; /* n_events for each line */
    PV_ARRAY (PvCallEdge) edges;
    PV_ARRAY (int64_t) edge_costs;
    uint32_t *line_slots; /* by place: numbers of lines + 1, or 0 */
    size_t line_mask;     /* slots - 1 */
    PvIdMap edge_of_pair;
    uint32_t last_line; /* that costs were added to, + 1 */
    /* Sums of the amounts added above and below zero, for lines and for edges. */
    int64_t sums[2][2][PV_CALL_MAX_EVENTS];
    bool is_too_large; /* amounts were cut to PV_CALL_MAX_AMOUNT */

    /* Known once the graph is sealed: no amount is below zero any more. */
    bool has_negatives;       /* amounts were left out for that */
    uint32_t *lines_in_order; /* by function; within it as they came */
    uint32_t *first_line;     /* of a function, in that; n_functions + 1 entries */
    uint32_t *edges_in_order; /* by caller */
    uint32_t *first_edge;     /* of a caller, in that; n_functions + 1 entries */
    uint64_t *function_costs; /* of a function itself: n_events for each */
    uint64_t totals[PV_CALL_MAX_EVENTS];
} PvCallGraph;

void pv_call_graph_clear (PvCallGraph *graph);

/* The number of a new event; what has been added until now costs nothing of it. No more than
 * PV_CALL_MAX_EVENTS. */
uint32_t pv_call_graph_add_event (PvCallGraph *graph);
uint32_t pv_call_graph_add_function (PvCallGraph *graph);

/* Adds the costs of a line itself. costs has an entry for each event. Amounts below zero were given
 * back. */
void pv_call_graph_add_line (PvCallGraph *graph, PvCallPlace place, const int64_t *costs);

/* Adds the costs of n_calls calls at a place, all that they call included. */
void pv_call_graph_add_calls (PvCallGraph *graph, PvCallPlace place, uint32_t callee,
                              uint64_t n_calls, const int64_t *costs);

/* Ends adding. Amounts that a function gives back are taken off its other lines; a function or a
 * call that gives back more than it takes costs nothing. */
void pv_call_graph_seal (PvCallGraph *graph);

/* Bytes in use; approximate. */
uint64_t pv_call_graph_count_bytes (const PvCallGraph *graph);

/* Costs of a line or an edge, once the graph is sealed. */
static inline const uint64_t *
pv_call_graph_line_costs (const PvCallGraph *graph, uint32_t line)
{
    return (const uint64_t *)graph->line_costs.data + (size_t)line * graph->n_events;
}

static inline const uint64_t *
pv_call_graph_edge_costs (const PvCallGraph *graph, uint32_t edge)
{
    return (const uint64_t *)graph->edge_costs.data + (size_t)edge * graph->n_events;
}

static inline const uint64_t *
pv_call_graph_function_costs (const PvCallGraph *graph, uint32_t function)
{
    return graph->function_costs + (size_t)function * graph->n_events;
}
