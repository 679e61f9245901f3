/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <pango/pango.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"
#include "render/draw/color.h"
#include "render/flame/flame-view.h"

/*
 * The flame graph of a call tree: layout, hit test and drawing on any cairo_t; no GTK. Used by the
 * window and by --export.
 *
 * Coordinates are in pixels of the drawing, (0, 0) at the top left. The cost depends only on what
 * is visible: a binary search per level finds the first box, narrow boxes are drawn as one, boxes
 * of one colour form one path, labels are cached glyph runs.
 *
 * Boxes side by side that are narrower than two pixels, below the same wider box, are a bundle: one
 * hatched box; the view can ask for more than two pixels. So are all folded children, whatever
 * their width. Narrow boxes below a bundle are bundles in turn.
 */
/* Caches for one font: glyph advances and label runs, and the colours of functions. Not
 * thread-safe. */
typedef struct PvFlamePainter PvFlamePainter;

/* font NULL: Cantarell 10 or the closest match. */
PvFlamePainter *pv_flame_painter_new (const PangoFontDescription *font);
void pv_flame_painter_free (PvFlamePainter *painter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFlamePainter, pv_flame_painter_free)
double pv_flame_painter_get_row_height (PvFlamePainter *painter);

/* Draws everything but hover, including the background. Fastest into an image surface at whole
 * pixels; a recording surface (a GTK cairo node) gets a finished image; anything else gets paths
 * and glyphs. */
void pv_flame_draw (PvFlamePainter *painter, cairo_t *cr, const PvCallTree *tree,
                    const PvFlameView *view);
/* The same picture as an image of the view's size in device pixels, opaque ARGB32 without a device
 * scale. Read-only. The painter reuses it once the last reference is gone, which any thread may
 * drop; free with cairo_surface_destroy (). */
cairo_surface_t *pv_flame_draw_image (PvFlamePainter *painter, const PvCallTree *tree,
                                      const PvFlameView *view);

/* An outline on hover: of the hovered box or of another visible box of its function. */
typedef struct {
    cairo_rectangle_t box; /* within the view */
    double thickness;      /* of the outline, inside the box; fills narrower boxes */
    PvColor color;
    double alpha;
    PvColor shade; /* over the whole box, below the outline */
    double shade_alpha;
    bool is_hovered;
} PvFlameOutline;

/* The outlines for a node, the hovered one first, then by row and from left to right; owned by the
 * painter and valid until its next use. Draw them one by one to repaint only what changed. */
size_t pv_flame_get_outlines (PvFlamePainter *painter, const PvCallTree *tree,
                              const PvFlameView *view, PvNodeId hovered,
                              const PvFlameOutline **ret_outlines);
void pv_flame_draw_outlines (cairo_t *cr, const PvFlameOutline *outlines, size_t n);

/* The nodes of one level from first to last, drawn as one hatched box. */
typedef struct {
    PvNodeId first;
    PvNodeId last;
} PvFlameBundle;

/* The bundle at a point; false: no bundle there. */
bool pv_flame_find_bundle (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                           double x, double y, PvFlameBundle *ret_bundle);
/* The number of its functions, or in a cut of a flame chart its samples, and their weight. */
uint64_t pv_flame_bundle_count (const PvCallTree *tree, const PvFlameBundle *bundle);
uint64_t pv_flame_bundle_weigh (const PvCallTree *tree, const PvFlameBundle *bundle);
/* "37 small functions" or "37 samples"; free with g_free (). */
char *pv_flame_bundle_format (const PvCallTree *tree, const PvFlameBundle *bundle);

/* The node at a point, PV_NODE_NONE outside; in a bundle, the heaviest that touches the pixel. */
PvNodeId pv_flame_hit (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                       double x, double y);

/* The box of a node; false if it is outside the visible range. */
bool pv_flame_get_box (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                       PvNodeId node, cairo_rectangle_t *ret_box);

/* Height in pixels of everything visible at this zoom. */
double pv_flame_get_full_height (PvFlamePainter *painter, const PvCallTree *tree,
                                 const PvFlameView *view);

/* Keyboard navigation: the nearest parent, child or sibling that is at least one pixel wide; from
 * itself if nothing is there. */
typedef enum { PV_MOVE_PARENT, PV_MOVE_CHILD, PV_MOVE_LEFT, PV_MOVE_RIGHT } PvFlameMove;
PvNodeId pv_flame_move (const PvCallTree *tree, const PvFlameView *view, PvNodeId from,
                        PvFlameMove move);

/* The next node after from, wrapping around at the end of the tree, whose function is_match (see
 * PvFlameView), that is not the root and weighs at least `least`; PV_NODE_NONE: no match.
 * Goes row by row from left to right, or backwards. */
PvNodeId pv_flame_find_match (const PvCallTree *tree, const bool *is_match, uint64_t least,
                              PvNodeId from, bool forward);

/* The colour of boxes with a hue of pv_palette_hue (), for a legend. */
PvColor pv_flame_get_hue_color (PvFlamePainter *painter, const PvCallTree *tree,
                                const PvFlameView *view, unsigned hue);
/* The colour of lines over such a box. */
PvColor pv_flame_get_hue_stripe_color (PvFlamePainter *painter, const PvCallTree *tree,
                                       const PvFlameView *view, unsigned hue);
/* The colour of a node's box. */
PvColor pv_flame_get_color (PvFlamePainter *painter, const PvCallTree *tree,
                            const PvFlameView *view, PvNodeId node);
