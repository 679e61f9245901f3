/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <pango/pango.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"
#include "render/draw/color.h"
#include "render/flame/flame-view.h"

/*
 * The flame graph of a call tree: layout, hit test and drawing on any cairo_t; no GTK. What the
 * window shows and what --export writes is drawn here.
 *
 * Coordinates are in pixels of the drawing, (0, 0) at the top left. Only what is visible costs: a
 * binary search per level finds the first box, boxes under half a pixel are merged into grey runs,
 * boxes are batched by colour into one path each, labels are glyph runs from a cache.
 */
/* Caches for one font: glyph advances and label runs, and the colours of functions. Not
 * thread-safe. */
typedef struct PvFlamePainter PvFlamePainter;

/* font NULL: Cantarell 10, or the nearest there is. */
PvFlamePainter *pv_flame_painter_new (const PangoFontDescription *font);
void pv_flame_painter_free (PvFlamePainter *painter);
double pv_flame_painter_get_row_height (PvFlamePainter *painter);

/* Everything but hover: the base picture, with its background. Fastest straight into an image
 * surface at whole pixels; into a recording surface (a GTK cairo node) goes a finished image;
 * anything else gets paths and glyphs. */
void pv_flame_draw (PvFlamePainter *painter, cairo_t *cr, const PvCallTree *tree,
                    const PvFlameView *view);
/* The same picture as an image of the view's size in device pixels, opaque ARGB32 without a device
 * scale. Only to be read. The painter draws on it again once the last reference is gone, which may
 * be any thread's; free with cairo_surface_destroy (). */
cairo_surface_t *pv_flame_draw_image (PvFlamePainter *painter, const PvCallTree *tree,
                                      const PvFlameView *view);

/* What hovering outlines: one box and the other visible ones of its function. */
typedef struct {
    cairo_rectangle_t box; /* within the view */
    double thickness;      /* of the frame, inside of the box; a narrower box is filled */
    PvColor color;
    double alpha;
    PvColor shade; /* over the whole box, below the frame */
    double shade_alpha;
    bool is_hovered;
} PvFlameOutline;

/* The outlines for a node, the hovered one first, then by row and from left to right; the
 * painter's, until it is used again. Draw each on its own where only what changed is to be painted
 * again. */
size_t pv_flame_get_outlines (PvFlamePainter *painter, const PvCallTree *tree,
                              const PvFlameView *view, PvNodeId hovered,
                              const PvFlameOutline **ret_outlines);
void pv_flame_draw_outlines (cairo_t *cr, const PvFlameOutline *outlines, size_t n);

/* The node at a point, PV_NODE_NONE outside; a merged run gives the heaviest node in it. */
PvNodeId pv_flame_hit (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                       double x, double y);

/* The box of a node, false if it is not in the visible range. */
bool pv_flame_get_box (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                       PvNodeId node, cairo_rectangle_t *ret_box);

/* Height in pixels of everything visible at this zoom. */
double pv_flame_get_full_height (PvFlamePainter *painter, const PvCallTree *tree,
                                 const PvFlameView *view);

/* Navigation for the keyboard: nearest node towards a parent, child or sibling that is at least one
 * pixel wide; from itself if there is none. */
typedef enum { PV_MOVE_PARENT, PV_MOVE_CHILD, PV_MOVE_LEFT, PV_MOVE_RIGHT } PvFlameMove;
PvNodeId pv_flame_move (const PvCallTree *tree, const PvFlameView *view, PvNodeId from,
                        PvFlameMove move);

/* The next node after from, over the end of the tree back to it, that has a function with is_match
 * (as in PvFlameView), is not the root and weighs at least `least`; PV_NODE_NONE if there is none.
 * Row by row, from left to right, or the other way. */
PvNodeId pv_flame_find_match (const PvCallTree *tree, const bool *is_match, uint64_t least,
                              PvNodeId from, bool forward);

/* The colour a node is drawn with. */
PvColor pv_flame_get_color (PvFlamePainter *painter, const PvCallTree *tree,
                            const PvFlameView *view, PvNodeId node);
