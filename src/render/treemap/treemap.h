/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <pango/pango.h>
#include <stdbool.h>

#include "render/flame/flame-graph.h"

/*
 * The treemap of a call tree: a node's total is an area, with those of its children inside, as in
 * treemap-layout.h. Colours and labels are those of the flame graph; no GTK. Of a view it uses
 * size, zoom_node (which takes all of the room), colours, matches, selection and scale.
 *
 * Coordinates are in pixels of the drawing, (0, 0) at the top left. Keeps the boxes of the last
 * drawing. Not thread-safe.
 */
typedef struct PvTreemap PvTreemap;

/* font NULL: Cantarell 10 or the closest match. */
PvTreemap *pv_treemap_new (const PangoFontDescription *font);
void pv_treemap_free (PvTreemap *treemap);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTreemap, pv_treemap_free)
/* The tree that was drawn last is gone. */
void pv_treemap_forget (PvTreemap *treemap);

/* Draws everything but hover, including the background. */
void pv_treemap_draw (PvTreemap *treemap, cairo_t *cr, const PvCallTree *tree,
                      const PvFlameView *view);
/* The same picture as an image, as pv_flame_draw_image (). */
cairo_surface_t *pv_treemap_draw_image (PvTreemap *treemap, const PvCallTree *tree,
                                        const PvFlameView *view);

/* The node at a point, PV_NODE_NONE outside; in a bundle, its first node if it has no gaps, else
 * their parent. */
PvNodeId pv_treemap_hit (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view,
                         double x, double y);
/* The bundle of neighbours at a point; false: no bundle there. */
bool pv_treemap_find_bundle (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view,
                             double x, double y, PvFlameBundle *ret_bundle);
/* The box of a node, or the one that shows it: a bundle, or a box around it. False: the node is not
 * below the zoomed node. */
bool pv_treemap_get_box (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view,
                         PvNodeId node, cairo_rectangle_t *ret_box);
/* The outlines for a hovered node, as pv_flame_get_outlines (). */
size_t pv_treemap_get_outlines (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view,
                                PvNodeId hovered, const PvFlameOutline **ret_outlines);

/* Keyboard navigation: to the nearest box in a direction, in the same parent if possible; out, to
 * the box around the node; in, to its heaviest box. Returns `from` if nothing is there. */
typedef enum {
    PV_TREEMAP_LEFT,
    PV_TREEMAP_RIGHT,
    PV_TREEMAP_UP,
    PV_TREEMAP_DOWN,
    PV_TREEMAP_OUT,
    PV_TREEMAP_IN,
} PvTreemapMove;
PvNodeId pv_treemap_move (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view,
                          PvNodeId from, PvTreemapMove move);
