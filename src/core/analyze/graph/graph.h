/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/*
 * The call graph of what a tree counts: functions are nodes, calls are edges, and what is too light
 * or too much to be drawn is left out, by the rules of pprof. Immutable and reference counted; any
 * thread.
 *
 * A stack counts once for each function that it has, and once for each pair of neighbours in it. An
 * edge is residual where it leads over functions that were left out. Where the file itself says
 * what functions and calls cost, that is it (pv_known_calls_find ()).
 */
#define PV_GRAPH_N_NODES       80
#define PV_GRAPH_NODE_FRACTION 0.005
#define PV_GRAPH_EDGE_FRACTION 0.001
#define PV_GRAPH_ANY_DISTANCE  UINT32_MAX

typedef struct {
    uint32_t n_nodes;     /* at most; 0: as many as there are */
    double node_fraction; /* of everything that is counted: nodes with a lower total are left out */
    double edge_fraction; /* the same of edges */
    /* Only stacks with this function count, with what they have up to so many calls above it and
     * below it. 0: the whole graph. */
    PvFunctionId around;
    uint32_t n_callers;
    uint32_t n_callees;
} PvGraphLimits;

/* The amounts of sides are those of a signed measure, else 0. */
typedef struct {
    PvFunctionId function;
    uint64_t self; /* of stacks that end in it, not of callees that were left out */
    uint64_t total;
    uint64_t self_of_side[PV_N_SIDES];
    uint64_t total_of_side[PV_N_SIDES];
} PvGraphNode;

typedef struct {
    uint32_t caller; /* indices of nodes, never the same */
    uint32_t callee;
    uint64_t weight;
    uint64_t weight_of_side[PV_N_SIDES];
    bool is_residual;
    bool is_inlined; /* wherever it is, the callee is inlined into the caller */
} PvGraphEdge;

typedef struct {
    int ref_count;          /* atomic */
    const PvCallTree *tree; /* a reference */
    PvGraphLimits limits;
    PvUnit unit;
    bool has_sides;
    uint64_t whole; /* of all that the query keeps: what is 100 % */
    uint64_t whole_of_side[PV_N_SIDES];
    uint64_t shown; /* of the stacks that count */
    uint32_t n_nodes;
    PvGraphNode *nodes; /* what says most comes first */
    uint32_t n_edges;
    PvGraphEdge *edges;    /* heaviest first */
    uint32_t n_functions;  /* of the stacks that count: with those that were left out */
    uint32_t n_left_edges; /* between nodes that are there */
} PvGraph;

/* The limits that pprof has without options, of the whole. */
void pv_graph_limits_init (PvGraphLimits *limits);

PvGraph *pv_graph_ref (PvGraph *graph);
void pv_graph_unref (PvGraph *graph);

/* The node of a function, or UINT32_MAX. */
uint32_t pv_graph_find (const PvGraph *graph, PvFunctionId function);

/* Balance of a change: (new - base) / (new + base), from -1 to 1; 0 without sides. */
double pv_graph_balance (const uint64_t of_side[PV_N_SIDES]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvGraph, pv_graph_unref)
