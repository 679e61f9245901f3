/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/graph/graph-text.h"

#include <glib/gi18n-lib.h>

static int64_t
get_net (const uint64_t of_side[PV_N_SIDES])
{
    return (int64_t)(of_side[PV_SIDE_NEW] - of_side[PV_SIDE_BASE]);
}

static char *
format_part (const PvGraph *graph, uint64_t amount, const uint64_t of_side[PV_N_SIDES])
{
    if (graph->has_sides)
        return pv_format_signed_amount (get_net (of_side), graph->unit);
    g_autofree char *text = pv_format_amount (amount, graph->unit);
    g_autofree char *share = pv_format_percent ((double)amount, (double)graph->whole);
    /* Translators: an amount and its share of everything. */
    return g_strdup_printf (C_ ("amount", "%s (%s)"), text, share);
}

char *
pv_graph_format_node (const PvGraph *graph, uint32_t index)
{
    g_assert (graph != NULL && index < graph->n_nodes);
    const PvGraphNode *node = &graph->nodes[index];
    g_autofree char *self = format_part (graph, node->self, node->self_of_side);
    g_autofree char *total = format_part (graph, node->total, node->total_of_side);
    if (node->self == node->total)
        return g_steal_pointer (&self);
    if (node->self == 0)
        /* Translators: of nothing itself, and so much in all. */
        return g_strdup_printf (_ ("0 of %s"), total);
    /* Translators: what a function has itself, and on a line of its own what it has in all. */
    return g_strdup_printf (_ ("%s\nof %s"), self, total);
}

char *
pv_graph_format_edge (const PvGraph *graph, uint32_t index)
{
    g_assert (graph != NULL && index < graph->n_edges);
    const PvGraphEdge *edge = &graph->edges[index];
    return graph->has_sides ? pv_format_signed_amount (get_net (edge->weight_of_side), graph->unit)
                            : pv_format_amount (edge->weight, graph->unit);
}

char *
pv_graph_describe_edge (const PvGraph *graph, uint32_t index)
{
    g_assert (graph != NULL && index < graph->n_edges);
    const PvGraphEdge *edge = &graph->edges[index];
    const PvFunction *functions = graph->tree->symbols->functions;
    g_autofree char *amount = format_part (graph, edge->weight, edge->weight_of_side);
    GString *text = g_string_new (NULL);
    g_string_append_printf (text, "%s → %s: %s",
                            functions[graph->nodes[edge->caller].function].label,
                            functions[graph->nodes[edge->callee].function].label, amount);
    if (edge->is_residual)
        /* Translators: a call that goes over other functions; follows its amount */
        pv_format_add_remark (text, g_strdup (_ ("partly by functions that were left out")));
    if (edge->is_inlined)
        /* Translators: follows the amount of a call */
        pv_format_add_remark (text, g_strdup (C_ ("state", "inlined")));
    return g_string_free (text, FALSE);
}

char *
pv_graph_format_extent (const PvGraph *graph)
{
    g_assert (graph != NULL);
    g_autofree char *shown = pv_format_count (graph->n_nodes);
    g_autofree char *all = pv_format_count (graph->n_functions);
    g_autofree char *edges = pv_format_count (graph->n_edges);
    g_autofree char *functions =
        graph->n_nodes < graph->n_functions
            ? g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s of %s function",
                                            "%s of %s functions", graph->n_functions),
                               shown, all)
            : g_strdup_printf (
                  g_dngettext (GETTEXT_PACKAGE, "%s function", "%s functions", graph->n_nodes),
                  shown);
    g_autofree char *calls = g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "%s call", "%s calls", graph->n_edges), edges);
    /* Translators: "80 of 1,204 functions", "93 calls". */
    return g_strdup_printf (_ ("%s, %s"), functions, calls);
}
