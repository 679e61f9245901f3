/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/graph-export.h"

#include "core/analyze/graph/graph-build.h"
#include "core/load/save-dot.h"
#include "export/report/print-parts.h"
#include "export/report/report.h"
#include "render/export/graph-export.h"
#include "render/graph/graph-colors.h"

bool
pv_cli_has_graph_options (const PvOptions *options)
{
    g_assert (options != NULL);
    return options->out.n_graph_nodes >= 0 || options->out.node_fraction >= 0 ||
           options->out.edge_fraction >= 0 || options->out.n_callers >= 0 ||
           options->out.n_callees >= 0;
}

static bool
find_limits (const PvOptions *options, const PvCallTree *tree, PvGraphLimits *limits,
             GError **error)
{
    pv_graph_limits_init (limits);
    if (options->out.n_graph_nodes >= 0)
        limits->n_nodes = (uint32_t)options->out.n_graph_nodes;
    if (options->out.node_fraction >= 0)
        limits->node_fraction = options->out.node_fraction;
    if (options->out.edge_fraction >= 0)
        limits->edge_fraction = options->out.edge_fraction;
    if (options->out.n_callers >= 0)
        limits->n_callers = (uint32_t)options->out.n_callers;
    if (options->out.n_callees >= 0)
        limits->n_callees = (uint32_t)options->out.n_callees;
    if (options->out.function != NULL)
        limits->around = pv_report_find_function (tree, options->out.function, error);
    return options->out.function == NULL || limits->around != 0;
}

static bool
write_dot (const PvGraph *graph, const char *title, const char *path, GError **error)
{
    PvPalette palette;
    bool is_heap = graph->unit == PV_UNIT_BYTES;
    pv_palette_init (&palette, false, false, is_heap);
    g_autofree uint32_t *colors = pv_graph_list_colors (graph, &palette, PV_COLOR_BY_MODULE);
    return pv_save_dot (graph, title, colors, path, error);
}

bool
pv_cli_export_graph (const PvOptions *options, const PvCallTree *tree, const char *title,
                     const char *path, bool is_dot, GError **error)
{
    g_assert (options != NULL && tree != NULL && title != NULL && path != NULL);
    PvGraphLimits limits;
    if (!find_limits (options, tree, &limits, error))
        return false;
    g_autoptr (PvGraph) graph = pv_graph_build (tree, &limits, NULL);
    if (is_dot)
        return write_dot (graph, title, path, error);
    g_autoptr (PvGraphLayout) layout = pv_graph_layout_new (graph, NULL, NULL, error);
    if (layout == NULL)
        return false;
    g_autofree char *scale = pv_print_describe_scale (&options->out, tree);
    return pv_export_graph (path, layout, options->out.width, 1, scale, title, error);
}
