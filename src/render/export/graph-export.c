/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/export/graph-export.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/analyze/graph/graph-text.h"
#include "core/base/format.h"
#include "render/draw/color-shares.h"
#include "render/export/picture-file.h"
#include "render/export/picture-frame.h"
#include "render/flame/value-colors.h"
#include "render/graph/graph-colors.h"
#include "render/graph/graph-draw.h"

enum { LEAST_WIDTH = 480, MAX_LEGEND = 12 };

typedef struct {
    const PvGraphLayout *layout;
    PvGraphView view;
    PvGraphPainter *painter;
    PvPictureFrame frame;
    double scale; /* of the graph */
    double left;  /* of the graph, in the picture */
    double graph_height;
    double height; /* of all */
} PvGraphPage;

/* Legend */

/* Adds the colors of functions with weight, the heaviest first, without those listed already. */
static void
add_shares (PvGraphPage *page, const double *weights, bool *is_listed, bool has_shares)
{
    const PvGraph *graph = page->layout->graph;
    const PvCallTree *tree = graph->tree;
    g_autoptr (GPtrArray) shares = pv_color_shares_list (
        tree->profile, tree->symbols, weights, pv_graph_choose_scheme (page->view.colors));
    for (guint i = 0; i < shares->len && page->frame.legend.len < MAX_LEGEND; i++) {
        const PvColorShare *entry = shares->pdata[i];
        bool has_share = has_shares && graph->whole > 0;
        if (!is_listed[entry->hue])
            pv_picture_frame_add_color (&page->frame, entry->text,
                                        page->painter->palette.fills[PV_SHADE_NORMAL][entry->hue],
                                        has_share ? entry->weight / (double)graph->whole : -1);
        is_listed[entry->hue] = true;
    }
}

/* The modules or packages of the functions shown: those with self weight, then the others. */
static void
add_modules (PvGraphPage *page)
{
    const PvGraph *graph = page->layout->graph;
    uint32_t n_functions = MAX (graph->tree->symbols->n_functions, 1);
    g_autofree double *self = g_new0 (double, n_functions);
    g_autofree double *shown = g_new0 (double, n_functions);
    bool is_listed[PV_N_HUES] = {false};
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        self[graph->nodes[i].function] += (double)graph->nodes[i].self;
        shown[graph->nodes[i].function] += 1;
    }
    add_shares (page, self, is_listed, true);
    add_shares (page, shown, is_listed, false);
}

static void
add_steps (PvGraphPage *page, const char *scale_text)
{
    g_autoptr (GArray) steps = pv_change_make_steps (NULL, PV_COLOR_BY_CHANGE);
    pv_picture_frame_add_steps (&page->frame, steps);
    if (scale_text != NULL)
        pv_picture_frame_add_caption (&page->frame, g_strdup (scale_text));
}

static bool
has_residual (const PvGraph *graph)
{
    for (uint32_t i = 0; i < graph->n_edges; i++)
        if (graph->edges[i].is_residual)
            return true;
    return false;
}

static char *
footer_text (const PvGraphPage *page)
{
    const PvGraph *graph = page->layout->graph;
    const PvProfile *profile = graph->tree->profile;
    PvMeasureId measure = graph->tree->query.measure;
    g_autofree char *extent = pv_graph_format_extent (graph);
    g_autofree char *total =
        graph->has_sides ? pv_format_signed_amount ((int64_t)(graph->whole_of_side[PV_SIDE_NEW] -
                                                              graph->whole_of_side[PV_SIDE_BASE]),
                                                    graph->unit)
                         : pv_format_amount (graph->whole, graph->unit);
    const char *name =
        pv_profile_has_weights (profile, measure) ? profile->measures[measure].name : NULL;
    /* Translators: a measure, an amount, "80 of 1,204 functions, 93 calls". */
    GString *text = g_string_new (NULL);
    g_string_printf (text, _ ("%s: %s in total; %s"), name != NULL ? name : "", total, extent);
    if (has_residual (graph))
        /* Translators: the lines of a call graph */
        pv_format_add_remark (text,
                              g_strdup (_ ("dashed where functions between them were left out")));
    return g_string_free (text, FALSE);
}

static void
draw_page (cairo_t *cr, void *data)
{
    const PvGraphPage *page = data;
    g_autofree char *footer = footer_text (page);
    pv_picture_frame_draw (&page->frame, cr, PV_FRAME_TITLE_HEIGHT + page->graph_height, footer);
    cairo_save (cr);
    cairo_translate (cr, page->left, PV_FRAME_TITLE_HEIGHT);
    cairo_scale (cr, page->scale, page->scale);
    pv_graph_draw (page->painter, cr, page->layout, &page->view);
    cairo_restore (cr);
}

static void
append_tip (GString *svg, const PvGraphPage *page, const PvPlacedNode *node, const char *name)
{
    const cairo_rectangle_int_t box = {(int)(page->left + node->x * page->scale),
                                       (int)(PV_FRAME_TITLE_HEIGHT + node->y * page->scale),
                                       MAX ((int)(node->width * page->scale), 1),
                                       MAX ((int)(node->height * page->scale), 1)};
    pv_picture_append_tip (svg, &box, name, node->amounts, NULL);
}

/* An invisible box for each node, with its whole name. */
static void
append_tool_tips (GString *svg, void *data)
{
    const PvGraphPage *page = data;
    const PvGraph *graph = page->layout->graph;
    g_string_append (svg, "<g fill=\"none\" pointer-events=\"all\">\n");
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        append_tip (svg, page, &page->layout->nodes[i],
                    graph->tree->symbols->functions[graph->nodes[i].function].name);
    g_string_append (svg, "</g>\n");
}

static void
place (PvGraphPage *page, const PvPictureFile *file, double width)
{
    const PvGraphLayout *layout = page->layout;
    double max = pv_picture_get_max_side (file);
    double room = (width > 0 ? MIN (width, max) : max) - 2 * PV_FRAME_MARGIN;
    page->scale = MIN (room / MAX (layout->width, 1), 1);
    page->frame.width = ceil (layout->width * page->scale) + 2 * PV_FRAME_MARGIN;
    page->frame.width = MAX (page->frame.width, width > 0 ? MIN (width, max) : LEAST_WIDTH);
    page->frame.width = floor (MIN (page->frame.width, max));
    pv_picture_frame_place (&page->frame);
    double around = PV_FRAME_TITLE_HEIGHT + pv_picture_frame_get_footer_height (&page->frame);
    page->scale = MIN (page->scale, (max - around) / MAX (layout->height, 1));
    page->graph_height = ceil (layout->height * page->scale);
    page->height = floor (page->graph_height + around);
    page->left = floor ((page->frame.width - layout->width * page->scale) / 2);
}

bool
pv_export_graph (const char *path, const PvGraphLayout *layout, double width, double device_scale,
                 PvColorScheme colors, const char *scale_text, const char *title, GError **error)
{
    g_assert (path != NULL && layout != NULL);
    PvPictureFile file;
    PvGraphPage page = {.layout = layout, .frame.title = title};
    if (!pv_picture_file_init (&file, path, title, device_scale, error))
        return false;
    pv_graph_view_init (&page.view, layout);
    page.view.colors = colors;
    page.painter = pv_graph_painter_new (NULL);
    pv_graph_painter_prepare (page.painter, layout, &page.view);
    page.frame.font = page.painter->fonts[0];
    page.frame.palette = &page.painter->palette;
    if (layout->graph->has_sides)
        add_steps (&page, scale_text);
    else
        add_modules (&page);
    place (&page, &file, width);
    file.width = page.frame.width;
    file.height = page.height;
    bool ok = pv_picture_write (path, &file, draw_page, append_tool_tips, &page, error);
    pv_picture_frame_clear (&page.frame);
    pv_graph_painter_free (page.painter);
    return ok;
}
