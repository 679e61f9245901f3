/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/read/edges/call-cycles.h"
#include "core/read/edges/call-edges.h"

/*
 * Paths of calls that a call graph may stand for. They are estimates, as the graph does not have
 * them: the costs of a function are shared among its callers in proportion to what their calls
 * cost, and so on down.
 *
 * The costs of a function itself are shared among its paths without a remainder, for each event. In
 * a graph without cycles so are the costs of calls, and all paths of a function add up to what the
 * function and its callees cost. In a cycle a path has no function twice.
 *
 * There may be more paths than atoms in the world. Where there are too many, those with less than a
 * smallest share of the total are left out, and what they cost is put on larger paths of the same
 * function.
 */
typedef struct {
    uint32_t function;
    uint32_t parent; /* or PV_NO_PATH */
    uint32_t edge;   /* from the parent */
    uint32_t next;   /* path to the same function, or PV_NO_PATH */
} PvCallPath;

#define PV_NO_PATH UINT32_MAX

typedef struct {
    const PvCallGraph *graph;
    PV_ARRAY (PvCallPath) paths; /* parents first */
    PV_ARRAY (uint64_t) costs;   /* of the last function itself: n_events for each path */
    uint32_t *first_path;        /* of a function, or PV_NO_PATH */
    uint32_t *last_path;
    bool is_pruned;     /* paths were left out */
    double least_share; /* of the total: below it they were; above 1: each call has one path */
    uint32_t n_cyclic;  /* functions in cycles */
} PvCallPaths;

/* graph must be sealed and outlive the paths. Bounded in time and memory; ends early, with what
 * there is, if the job (or NULL) is cancelled. */
void pv_call_paths_build (PvCallPaths *paths, const PvCallGraph *graph, const PvJob *job);
void pv_call_paths_clear (PvCallPaths *paths);

static inline const uint64_t *
pv_call_paths_costs (const PvCallPaths *paths, uint32_t path)
{
    return paths->costs.data + (size_t)path * paths->graph->n_events;
}

/* a * b / c, rounded down, where a <= c. */
static inline uint64_t
pv_call_share (uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t product;
    if (!__builtin_mul_overflow (a, b, &product))
        return product / c;
    return (uint64_t)((unsigned __int128)a * b / c);
}

/* Takes what a path costs of each event from rows of amounts, n_events in each, in proportion to
 * what they have left. sum_left is what all rows have left; when as much is taken, nothing is. */
void pv_call_take (uint64_t *left, uint64_t *taken, size_t n_amounts, uint32_t n_events,
                   uint64_t *sum_left, const uint64_t *costs);
