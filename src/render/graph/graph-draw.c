/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/graph/graph-draw.h"

#include <math.h>
#include <string.h>

#include "render/graph/graph-colors.h"

enum {
    CORNER = 4,
    TEXT_MARGIN = 3,
    HEAD_LENGTH = 8, /* of an arrow, and more by the width of its line */
    EDGE_REACH = 80, /* of labels and heads, outside the points of an edge */
};

void
pv_graph_view_init (PvGraphView *view, const PvGraphLayout *layout)
{
    g_assert (view != NULL && layout != NULL);
    *view = (PvGraphView){
        .selected = PV_GRAPH_NO_NODE,
        .hovered = PV_GRAPH_NO_NODE,
        .right = layout->width,
        .bottom = layout->height,
    };
}

PvGraphPainter *
pv_graph_painter_new (const PangoFontDescription *font)
{
    PvGraphPainter *painter = g_new0 (PvGraphPainter, 1);
    PangoFontDescription *descriptions[PV_GRAPH_N_SIZES];
    pv_graph_make_fonts (font, descriptions);
    for (unsigned i = 0; i < PV_GRAPH_N_SIZES; i++) {
        painter->fonts[i] = pv_glyph_font_new (descriptions[i]);
        pv_glyph_font_set_scale (painter->fonts[i], 0);
        pango_font_description_free (descriptions[i]);
    }
    return painter;
}

void
pv_graph_painter_free (PvGraphPainter *painter)
{
    if (painter == NULL)
        return;
    for (unsigned i = 0; i < PV_GRAPH_N_SIZES; i++)
        pv_glyph_font_free (painter->fonts[i]);
    g_free (painter);
}

void
pv_graph_painter_prepare (PvGraphPainter *painter, const PvGraphLayout *layout,
                          const PvGraphView *view)
{
    g_assert (painter != NULL && layout != NULL && view != NULL);
    bool is_heap =
        layout->graph->tree->profile->heap != NULL || layout->graph->unit == PV_UNIT_BYTES;
    pv_palette_update (&painter->palette, view->is_dark, view->is_high_contrast, is_heap);
}

/* Edges */

static PvColor
find_edge_color (const PvGraphPainter *painter, const PvGraph *graph, const PvGraphEdge *edge,
                 const PvGraphView *view)
{
    const PvPalette *palette = &painter->palette;
    if (view->selected != PV_GRAPH_NO_NODE &&
        (edge->caller == view->selected || edge->callee == view->selected))
        return palette->selection;
    if (graph->has_sides) {
        uint8_t hue = pv_palette_change_hue (pv_graph_balance (edge->weight_of_side));
        return pv_color_mix (palette->fills[PV_SHADE_NORMAL][hue], palette->foreground, 0.35);
    }
    double share = graph->whole > 0 ? (double)edge->weight / (double)graph->whole : 0;
    return pv_color_mix (palette->faint, palette->foreground, CLAMP (share, 0, 1));
}

static PvGraphPoint
mix (PvGraphPoint a, PvGraphPoint b, double t)
{
    return (PvGraphPoint){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

/* Cuts a curve off at t. */
static void
cut_curve (PvGraphPoint p[4], double t)
{
    PvGraphPoint a = mix (p[0], p[1], t), b = mix (p[1], p[2], t), c = mix (p[2], p[3], t);
    PvGraphPoint ab = mix (a, b, t), bc = mix (b, c, t);
    p[1] = a;
    p[2] = ab;
    p[3] = mix (ab, bc, t);
}

/* Cuts off the part of the curve under its head; returns where the head begins. */
static PvGraphPoint
shorten_curve (PvGraphPoint p[4], double length)
{
    PvGraphPoint tip = p[3];
    double low = 0, high = 1;
    for (int i = 0; i < 12; i++) {
        PvGraphPoint part[4];
        double middle = (low + high) / 2;
        memcpy (part, p, sizeof part);
        cut_curve (part, middle);
        if (hypot (part[3].x - tip.x, part[3].y - tip.y) > length)
            low = middle;
        else
            high = middle;
    }
    cut_curve (p, low);
    return p[3];
}

static void
draw_head (cairo_t *cr, PvGraphPoint from, PvGraphPoint tip, double width)
{
    double x = tip.x - from.x, y = tip.y - from.y, length = hypot (x, y);
    if (length < 0.5)
        return;
    double half = (HEAD_LENGTH + width) * 0.36 / length;
    cairo_move_to (cr, tip.x, tip.y);
    cairo_line_to (cr, from.x - y * half, from.y + x * half);
    cairo_line_to (cr, from.x + y * half, from.y - x * half);
    cairo_close_path (cr);
    cairo_fill (cr);
}

static bool
is_edge_in_view (const PvGraphLayout *layout, const PvPlacedEdge *edge, const PvGraphView *view)
{
    double left = edge->label_x, right = left, top = edge->label_y, bottom = top;
    for (uint32_t i = 0; i < edge->n_points; i++) {
        PvGraphPoint point = layout->points[edge->first_point + i];
        left = MIN (left, point.x);
        right = MAX (right, point.x);
        top = MIN (top, point.y);
        bottom = MAX (bottom, point.y);
    }
    return edge->n_points > 0 && left - EDGE_REACH < view->right &&
           right + EDGE_REACH > view->left && top - EDGE_REACH < view->bottom &&
           bottom + EDGE_REACH > view->top;
}

static void
draw_edge (const PvGraphPainter *painter, cairo_t *cr, const PvGraphLayout *layout, uint32_t index,
           const PvGraphView *view)
{
    static const double dashes[] = {5, 4};
    const PvPlacedEdge *placed = &layout->edges[index];
    const PvGraphEdge *edge = &layout->graph->edges[index];
    if (!is_edge_in_view (layout, placed, view))
        return;
    const PvGraphPoint *points = &layout->points[placed->first_point];
    PvGraphPoint last[4];
    memcpy (last, &points[placed->n_points - 4], sizeof last);
    PvGraphPoint tip = last[3], from = shorten_curve (last, HEAD_LENGTH + placed->width);
    pv_color_set_source (cr, find_edge_color (painter, layout->graph, edge, view), 1);
    cairo_set_line_width (cr, placed->width);
    cairo_set_dash (cr, dashes, edge->is_residual ? 2 : 0, 0);
    cairo_move_to (cr, points[0].x, points[0].y);
    for (uint32_t i = 1; i + 5 < placed->n_points; i += 3)
        cairo_curve_to (cr, points[i].x, points[i].y, points[i + 1].x, points[i + 1].y,
                        points[i + 2].x, points[i + 2].y);
    cairo_curve_to (cr, last[1].x, last[1].y, last[2].x, last[2].y, last[3].x, last[3].y);
    cairo_stroke (cr);
    cairo_set_dash (cr, NULL, 0, 0);
    draw_head (cr, from, tip, placed->width);
}

static void
draw_edge_label (const PvGraphPainter *painter, cairo_t *cr, const PvGraphLayout *layout,
                 uint32_t index, const PvGraphView *view)
{
    const PvPlacedEdge *placed = &layout->edges[index];
    if (!is_edge_in_view (layout, placed, view))
        return;
    PvGlyphFont *font = painter->fonts[0];
    double width = pv_glyph_font_measure_text (font, placed->label);
    double height = layout->size_of_text[0];
    double left = placed->label_x - width / 2, top = placed->label_y - height / 2;
    pv_color_set_source (cr, painter->palette.background, 0.75);
    cairo_rectangle (cr, left - 1, top, width + 2, height);
    cairo_fill (cr);
    pv_color_set_source (cr, painter->palette.foreground, 1);
    pv_glyph_font_show_text (font, cr, placed->label, left, top + pv_glyph_font_get_ascent (font),
                             width + 1);
}

/* Nodes */

static void
add_box (cairo_t *cr, const PvPlacedNode *node, double grow)
{
    double left = node->x - grow, top = node->y - grow, radius = CORNER + grow;
    double right = node->x + node->width + grow, bottom = node->y + node->height + grow;
    cairo_new_sub_path (cr);
    cairo_arc (cr, right - radius, top + radius, radius, -G_PI / 2, 0);
    cairo_arc (cr, right - radius, bottom - radius, radius, 0, G_PI / 2);
    cairo_arc (cr, left + radius, bottom - radius, radius, G_PI / 2, G_PI);
    cairo_arc (cr, left + radius, top + radius, radius, G_PI, 3 * G_PI / 2);
    cairo_close_path (cr);
}

static void
show_centered (PvGlyphFont *font, cairo_t *cr, const PvPlacedNode *node, const char *text,
               double top)
{
    double room = node->width - 2 * TEXT_MARGIN;
    double width = MIN (pv_glyph_font_measure_text (font, text), room);
    pv_glyph_font_show_text (font, cr, text, node->x + (node->width - width) / 2,
                             top + pv_glyph_font_get_ascent (font), width + 1);
}

static void
draw_texts (const PvGraphPainter *painter, cairo_t *cr, const PvGraphLayout *layout,
            const PvPlacedNode *node)
{
    double line_height = ceil (layout->size_of_text[0]);
    g_auto (GStrv) lines = g_strsplit (node->amounts, "\n", -1);
    double top =
        node->y + node->height / 2 - (node->name_height + line_height * g_strv_length (lines)) / 2;
    show_centered (painter->fonts[node->size], cr, node, node->name, top);
    top += node->name_height;
    for (char **line = lines; *line != NULL; line++, top += line_height)
        show_centered (painter->fonts[0], cr, node, *line, top);
}

static void
draw_node (const PvGraphPainter *painter, cairo_t *cr, const PvGraphLayout *layout, uint32_t index,
           const PvGraphView *view)
{
    const PvPalette *palette = &painter->palette;
    const PvPlacedNode *node = &layout->nodes[index];
    if (node->x > view->right || node->x + node->width < view->left || node->y > view->bottom ||
        node->y + node->height < view->top)
        return;
    PvColor fill =
        palette->fills[PV_SHADE_NORMAL][pv_graph_hue (layout->graph, index, view->colors)];
    PvColor text = palette->texts[PV_SHADE_NORMAL];
    bool is_selected = index == view->selected;
    if (is_selected) {
        add_box (cr, node, view->has_focus ? 3 : 2);
        pv_color_set_source (cr, palette->selection, 1);
        cairo_fill (cr);
    }
    add_box (cr, node, 0);
    pv_color_set_source (cr, fill, 1);
    cairo_fill_preserve (cr);
    pv_color_set_source (
        cr, palette->is_high_contrast ? palette->border : pv_color_mix (fill, text, 0.4), 1);
    cairo_set_line_width (cr, index == view->hovered ? 2 : 1);
    cairo_stroke (cr);
    pv_color_set_source (cr, text, 1);
    draw_texts (painter, cr, layout, node);
}

void
pv_graph_draw (PvGraphPainter *painter, cairo_t *cr, const PvGraphLayout *layout,
               const PvGraphView *view)
{
    g_assert (painter != NULL && cr != NULL && layout != NULL && view != NULL);
    const PvGraph *graph = layout->graph;
    pv_graph_painter_prepare (painter, layout, view);
    for (uint32_t i = 0; i < graph->n_edges; i++)
        draw_edge (painter, cr, layout, i, view);
    for (uint32_t i = 0; i < graph->n_edges; i++)
        draw_edge_label (painter, cr, layout, i, view);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        draw_node (painter, cr, layout, i, view);
}
