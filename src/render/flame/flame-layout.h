/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/analyze/tree/call-tree.h"
#include "render/flame/flame-view.h"

/*
 * The positions of a flame graph's boxes, in device pixels, so that edges fall between pixels;
 * weights stay 64-bit integers until the last step scales them.
 *
 * A level is drawn by the pixels its nodes start in. All nodes that start in the same pixel form
 * one piece of a run, except the first and the last if they are at least half a pixel wide:
 * these are boxes. Pieces less than a pixel apart form one run; runs thinner than a tenth of a
 * pixel are not drawn. So a scan of a level can start at any pixel and costs a few steps per pixel,
 * however many nodes there are, and hit test and drawing agree.
 */
typedef struct {
    const PvCallTree *tree;
    double device_scale;
    double width;  /* device pixels, like all below */
    double height; /* of the drawing: the larger of the view and all rows */
    double view_height;
    double scroll;
    double row_height;
    uint64_t origin; /* left edge of the view in weights: origin + origin_part */
    double origin_part;
    double scale; /* device pixels per weight; 0 without any weight */
    double weights_per_pixel;
    double least_width;        /* of boxes that are not bundled, see flame-graph.h */
    uint64_t least_box_weight; /* lighter nodes are never boxes */
    uint32_t n_rows;           /* levels with anything to draw */
    bool is_flame;
} PvFlameLayout;

/* One box (first == last), or a run of nodes from first to last. */
typedef struct {
    PvNodeId first;
    PvNodeId last;
    bool is_run;
    int left;  /* snapped: boxes to the nearest pixels, runs outwards up to the next box */
    int right; /* always greater than left */
    double exact_left;
    double exact_right;
} PvFlameItem;

typedef struct {
    const PvFlameLayout *layout;
    PvNodeId next;
    PvNodeId end;
    uint32_t per_pixel; /* nodes in the last pixel with a run */
    int box_end;        /* of the last box */
    PvFlameItem pending;
    bool has_pending;
} PvFlameIter;

/* row_height, in pixels of the drawing, applies if the view has none. Finds n_rows by a binary
 * search over the levels. */
void pv_flame_layout_init (PvFlameLayout *layout, const PvCallTree *tree, const PvFlameView *view,
                           double row_height);

/* Horizontal positions only: without rows and n_rows. */
void pv_flame_layout_init_range (PvFlameLayout *layout, const PvCallTree *tree,
                                 const PvFlameView *view);

/* The top of a level's row in device pixels, and the range of visible levels. */
double pv_flame_layout_row_top (const PvFlameLayout *layout, uint32_t level);
bool pv_flame_layout_visible_levels (const PvFlameLayout *layout, uint32_t *ret_first,
                                     uint32_t *ret_last);
/* Unsnapped and unclipped. */
double pv_flame_layout_left (const PvFlameLayout *layout, PvNodeId node);
double pv_flame_layout_right (const PvFlameLayout *layout, PvNodeId node);

/* Iterates over the items of a level that reach pixels at or right of left_px, in order. */
void pv_flame_iter_init (PvFlameIter *iter, const PvFlameLayout *layout, uint32_t level,
                         double left_px);
bool pv_flame_iter_next (PvFlameIter *iter, PvFlameItem *ret_item);

/* The node drawn at a point, in pixels of the drawing. */
PvNodeId pv_flame_layout_hit (const PvFlameLayout *layout, double x, double y);
/* The box of a node in the visible range, at least a pixel wide, in pixels of the drawing; else
 * false. */
bool pv_flame_layout_box (const PvFlameLayout *layout, PvNodeId node, cairo_rectangle_t *ret_box);
