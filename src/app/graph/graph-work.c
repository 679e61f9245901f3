/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/graph/graph-work.h"

#include "core/analyze/graph/graph-build.h"
#include "render/export/graph-export.h"

gpointer
pv_graph_work_place (gpointer data, PvJob *job, GError **error)
{
    PvGraphInput *input = data;
    g_autoptr (PvGraph) graph = pv_graph_build (input->tree, &input->limits, job);

    return graph != NULL ? pv_graph_layout_new (graph, input->font, job, error) : NULL;
}

void
pv_graph_input_free (gpointer data)
{
    PvGraphInput *input = data;

    pv_clear_later (&input->tree, pv_call_tree_free);
    pango_font_description_free (input->font);
    g_free (input);
}

gboolean
pv_graph_work_export (gpointer data, const char *path, PvJob *job, GError **error)
{
    PvGraphExportInput *input = data;

    return pv_export_graph (path, input->layout, 0, input->device_scale, input->colors,
                            input->scale_text, input->title, error);
}

void
pv_graph_export_input_free (gpointer data)
{
    PvGraphExportInput *input = data;

    pv_clear_later (&input->layout, pv_graph_layout_unref);
    g_free (input->title);
    g_free (input->scale_text);
    g_free (input);
}
