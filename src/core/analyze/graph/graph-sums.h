/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/graph/graph-walk.h"
#include "core/analyze/graph/graph.h"
#include "core/base/array.h"
#include "core/base/idmap.h"

/*
 * Private to graph/: nodes and edges of those functions that are kept, with what the stacks say of
 * them. What a graph is before nodes and edges are chosen.
 */
typedef struct {
    PvGraphNode node;
    int64_t score; /* see pv_graph_sums_sort () */
} PvScoredNode;

typedef struct {
    const PvSymbolTable *symbols;
    bool has_edges; /* false: not counted yet */
    PV_ARRAY (PvScoredNode) nodes;
    PV_ARRAY (PvGraphEdge) edges;
    uint32_t *node_of_function; /* index + 1; 0: it is not kept, or has no weight */
    PvIdMap edge_of_pair;       /* caller << 32 | callee -> index + 1 */
} PvGraphSums;

/* is_kept: by function of the tree's symbols; NULL: all are. around: the function that the stacks
 * are focused on; 0: none. Without edges it takes half the time. False when cancelled. Clear it in
 * any case. */
bool pv_graph_sums_init (PvGraphSums *sums, const PvGraphStacks *stacks, const bool *is_kept,
                         PvFunctionId around, bool has_edges, PvJob *job);
void pv_graph_sums_clear (PvGraphSums *sums);

/* Orders nodes as pprof does for pictures: first those that say most, which is not only to have
 * much, but also to divide it among callers and callees. */
void pv_graph_sums_sort (PvGraphSums *sums);
/* Edges: heaviest first. */
void pv_graph_sums_sort_edges (PvGraphSums *sums);

/* The edge from one function to the other; NULL: no such edge. */
const PvGraphEdge *pv_graph_sums_find_edge (const PvGraphSums *sums, PvFunctionId caller,
                                            PvFunctionId callee);
