/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/save-dot.h"

#include <math.h>

#include "core/analyze/graph/graph-text.h"
#include "core/base/output.h"
#include "core/write/dot.h"

/* Points. What a function has itself shows in the size of its name. */
#define LEAST_SIZE 9.0
#define MORE_SIZE  15.0
#define MORE_WIDTH 5.0

static double
get_share (uint64_t part, uint64_t whole)
{
    return whole > 0 ? MIN ((double)part / (double)whole, 1) : 0;
}

static void
append_nodes (GString *out, const PvGraph *graph, const uint32_t *colors)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        most = MAX (most, graph->nodes[i].self);
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const PvGraphNode *node = &graph->nodes[i];
        const PvFunction *function = &graph->tree->symbols->functions[node->function];
        g_autofree char *amounts = pv_graph_format_node (graph, i);
        pv_dot_append_node (
            out, i + 1,
            &(PvDotNode){
                .name = function->label,
                .amounts = amounts,
                .tip = function->name,
                .font_size = LEAST_SIZE + MORE_SIZE * sqrt (get_share (node->self, most)),
                .fill = colors[i],
                .self = node->self,
                .total = node->total,
            });
    }
}

static void
append_edges (GString *out, const PvGraph *graph)
{
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const PvGraphEdge *edge = &graph->edges[i];
        g_autofree char *label = pv_graph_format_edge (graph, i);
        double share = get_share (edge->weight, graph->whole);
        pv_dot_append_edge (out, &(PvDotEdge){
                                     .from = edge->caller + 1,
                                     .to = edge->callee + 1,
                                     .label = label,
                                     .width = 1 + MORE_WIDTH * share,
                                     .weight = 1 + (unsigned)(100 * share),
                                     .is_dashed = edge->is_residual,
                                     .amount = edge->weight,
                                 });
    }
}

bool
pv_save_dot (const PvGraph *graph, const char *title, const uint32_t *colors, const char *path,
             GError **error)
{
    g_assert (graph != NULL && title != NULL && colors != NULL && path != NULL);
    g_autoptr (GString) text = g_string_new (NULL);
    g_autofree char *extent = pv_graph_format_extent (graph);
    g_autofree char *heading = g_strconcat (title, "\n", extent, NULL);
    pv_dot_begin (text, heading);
    append_nodes (text, graph, colors);
    append_edges (text, graph);
    pv_dot_end (text);
    PvWriter writer;
    if (!pv_writer_open (&writer, path, error))
        return false;
    pv_writer_take (text, &writer);
    return pv_writer_close (&writer, error);
}
