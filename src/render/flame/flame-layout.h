/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/analyze/tree/call-tree.h"
#include "render/flame/flame-view.h"

/*
 * Where the boxes of a flame graph are. Positions are in device pixels, so that edges fall between
 * pixels; weights stay 64-bit integers until they are scaled as the last step.
 *
 * What a level shows follows from the pixel its nodes begin in. All nodes that begin in the same
 * pixel are one piece of a grey run, except the first and the last one if at least half a pixel
 * wide: these are boxes. Pieces less than a pixel apart are one run; a run thinner than a tenth of
 * a pixel is not drawn. So a scan of a level can begin at any pixel, costs a few steps per pixel
 * however many nodes there are, and hit test and drawing agree.
 */
typedef struct {
    const PvCallTree *tree;
    double device_scale;
    double width;  /* device pixels, as all below */
    double height; /* of the drawing: the view, or all rows if these are more */
    double view_height;
    double scroll;
    double row_height;
    uint64_t origin; /* left edge of the view in weights: origin + origin_part */
    double origin_part;
    double scale; /* device pixels per weight; 0 when nothing has a weight */
    double weights_per_pixel;
    uint64_t least_box_weight; /* lighter nodes are no boxes, wherever they fall */
    uint32_t n_rows;           /* levels with anything to draw */
    bool is_flame;
} PvFlameLayout;

/* One box (first == last), or a run of nodes from first to last. */
typedef struct {
    PvNodeId first;
    PvNodeId last;
    bool is_run;
    int left;  /* snapped: a box to the nearest pixels, a run outwards up to the next box */
    int right; /* always more than left */
    double exact_left;
    double exact_right;
} PvFlameItem;

typedef struct {
    const PvFlameLayout *layout;
    PvNodeId next;
    PvNodeId end;
    uint32_t per_pixel; /* nodes that the last pixel with a run had */
    int box_end;        /* of the last box */
    PvFlameItem pending;
    bool has_pending;
} PvFlameIter;

/* row_height: of a row where the view does not say, in pixels of the drawing. n_rows is found by a
 * binary search over the levels. */
void pv_flame_layout_init (PvFlameLayout *layout, const PvCallTree *tree, const PvFlameView *view,
                           double row_height);

/* Horizontal places only: without rows and n_rows. */
void pv_flame_layout_init_range (PvFlameLayout *layout, const PvCallTree *tree,
                                 const PvFlameView *view);

/* The device pixel of the top of a level's row, and the range of levels inside the view. */
double pv_flame_layout_row_top (const PvFlameLayout *layout, uint32_t level);
bool pv_flame_layout_visible_levels (const PvFlameLayout *layout, uint32_t *ret_first,
                                     uint32_t *ret_last);
/* Unsnapped and unclipped. */
double pv_flame_layout_left (const PvFlameLayout *layout, PvNodeId node);
double pv_flame_layout_right (const PvFlameLayout *layout, PvNodeId node);
uint32_t pv_flame_layout_level_of (const PvCallTree *tree, PvNodeId node);

/* All items of a level that touch the pixels from left_px on, in order. */
void pv_flame_iter_init (PvFlameIter *iter, const PvFlameLayout *layout, uint32_t level,
                         double left_px);
bool pv_flame_iter_next (PvFlameIter *iter, PvFlameItem *ret_item);

/* The node that is drawn at a point in pixels of the drawing. */
PvNodeId pv_flame_layout_hit (const PvFlameLayout *layout, double x, double y);
/* The box of any node in the visible range, at least a pixel wide; pixels of the drawing. */
bool pv_flame_layout_box (const PvFlameLayout *layout, PvNodeId node, cairo_rectangle_t *ret_box);
