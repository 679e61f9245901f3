/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/graph/graph.h"

#include "core/base/ref.h"

void
pv_graph_limits_init (PvGraphLimits *limits)
{
    g_assert (limits != NULL);
    *limits = (PvGraphLimits){
        .n_nodes = PV_GRAPH_N_NODES,
        .node_fraction = PV_GRAPH_NODE_FRACTION,
        .edge_fraction = PV_GRAPH_EDGE_FRACTION,
        .n_callers = PV_GRAPH_ANY_DISTANCE,
        .n_callees = PV_GRAPH_ANY_DISTANCE,
    };
}

PV_DEFINE_REF (pv_graph_ref, PvGraph, PvGraph)

void
pv_graph_unref (PvGraph *graph)
{
    if (!pv_ref_was_last (graph))
        return;
    pv_call_tree_free ((PvCallTree *)graph->tree);
    g_free (graph->nodes);
    g_free (graph->edges);
    g_free (graph);
}

uint32_t
pv_graph_find (const PvGraph *graph, PvFunctionId function)
{
    g_assert (graph != NULL);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        if (graph->nodes[i].function == function)
            return i;
    return UINT32_MAX;
}

double
pv_graph_balance (const uint64_t of_side[PV_N_SIDES])
{
    double base = (double)of_side[PV_SIDE_BASE], newer = (double)of_side[PV_SIDE_NEW];
    return base + newer > 0 ? (newer - base) / (newer + base) : 0;
}
