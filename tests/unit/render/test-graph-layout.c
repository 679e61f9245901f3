/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where call graphs are: what dot answers. */
#include <glib/gstdio.h>
#include <string.h>

#include "../analyze/folded-profile.h"
#include "../cases.h"
#include "core/analyze/graph/graph-build.h"
#include "picture-files.h"
#include "render/export/graph-export.h"
#include "render/graph/graph-draw.h"
#include "render/graph/graph-layout.h"

static PvGraph *
make_graph (void)
{
    g_auto (FoldedProfile) folded =
        folded_profile_new ("main;parse;read 30\nmain;run;read 20\nmain;run 50\n");
    PvGraphLimits limits;
    g_auto (PvQuery) query;
    pv_query_init (&query);
    pv_graph_limits_init (&limits);
    g_autoptr (PvCallTree) tree = query_tree (folded.profile, folded.symbols, &query);
    return pv_graph_build (tree, &limits, NULL);
}

TEST (layout)
{
    g_autoptr (PvGraph) graph = make_graph ();
    g_autoptr (PvGraphLayout) layout =
        assert_ok (error, pv_graph_layout_new (graph, NULL, NULL, &error));
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const PvPlacedNode *node = &layout->nodes[i];
        g_assert_cmpfloat (node->x, >=, -1);
        g_assert_cmpfloat (node->x + node->width, <=, layout->width + 1);
        g_assert_cmpfloat (node->y + node->height, <=, layout->height + 1);
        g_assert_cmpuint (pv_graph_layout_find_node (layout, node->x + 5, node->y + 5), ==, i);
    }
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const PvPlacedEdge *edge = &layout->edges[i];
        const PvPlacedNode *from = &layout->nodes[graph->edges[i].caller];
        const PvPlacedNode *to = &layout->nodes[graph->edges[i].callee];
        const PvGraphPoint *points = &layout->points[edge->first_point];
        g_assert_cmpuint (edge->n_points, >=, 4);
        /* From the lower edge of the caller to the upper one of the callee. */
        g_assert_cmpfloat_with_epsilon (points[0].y, from->y + from->height, 2);
        g_assert_cmpfloat_with_epsilon (points[edge->n_points - 1].y, to->y, 2);
        g_assert_cmpuint (pv_graph_layout_find_edge (layout, edge->label_x, edge->label_y, 4), ==,
                          i);
    }
    g_assert_cmpuint (pv_graph_layout_find_node (layout, -5, -5), ==, UINT32_MAX);
    g_assert_cmpuint (pv_graph_layout_find_edge (layout, -500, -5, 4), ==, UINT32_MAX);
}

TEST (answers)
{
    static const char *const bad[] = {
        "",
        "graph 1 2 3\nstop\n",
        "graph 1 x 3\n",
        "graph 1 2 1e300\n",
        "node N99 1 1 1 1\n",
        "node \"N0\" 1 1 1 1\n",
        "edge N0 N1 4 1 1 1 1 1 1 1 1 x 1 1\nstop\n",
        "edge N0 N1 4294967295 1 1\n",
        "edge N0 N0 4 1 1 1 1 1 1 1 1 x 1 1\n",
        "\n\nstop\n",
        "node",
        "edge \"unclosed",
    };
    g_autoptr (PvGraph) graph = make_graph ();
    g_autoptr (PvGraphLayout) layout = pv_graph_layout_new (graph, NULL, NULL, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
        g_assert_false (pv_graph_layout_read (layout, bad[i]));
    g_autoptr (GString) good = g_string_new ("graph 1 4 4\n");
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        g_string_append_printf (good, "node N%u 1 1 1 1 \"a b\\\" c\" solid box black\n", i);
    g_string_append (good, "stop\n");
    g_assert_true (pv_graph_layout_read (layout, good->str));
    g_assert_cmpfloat (layout->height, ==, 4 * 72);
}

TEST (missing)
{
    g_autoptr (PvGraph) graph = make_graph ();
    g_autoptr (GError) error = NULL;
    g_autofree char *path = g_strdup (g_getenv ("PATH"));
    g_setenv ("PATH", "/nonexistent", TRUE);
    g_autoptr (PvGraphLayout) layout = pv_graph_layout_new (graph, NULL, NULL, &error);
    g_setenv ("PATH", path, TRUE);
    g_assert_null (layout);
    g_assert_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT);
    g_assert_nonnull (strstr (error->message, "graphviz"));
}

TEST (export)
{
    g_autoptr (PvGraph) graph = make_graph ();
    g_autoptr (PvGraphLayout) layout = pv_graph_layout_new (graph, NULL, NULL, NULL);
    char *folder = make_folder ("graph-export");
    static const char *const names[] = {"graph.svg", "graph.png", "graph.pdf"};
    static const char *const starts[] = {"<?xml", "\x89PNG", "%PDF"};
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *path = g_build_filename (folder, names[i], NULL);
        size_t len;
        g_assert_true (assert_ok (error, pv_export_graph (path, layout, 0, 1, PV_COLOR_BY_MODULE,
                                                          NULL, "title", &error)));
        g_autofree char *text = read_file (path, &len);
        g_assert_true (g_str_has_prefix (text, starts[i]));
        if (i == 0) {
            g_assert_cmpuint (count (text, "<title>main\n"), ==, 1);
            g_assert_cmpuint (count (text, "<title>read\n"), ==, 1);
        }
        g_remove (path);
    }
    remove_folder (folder);
}
