/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/analyze/tree/call-tree.h"
#include "core/base/array.h"

/*
 * The boxes of a treemap, in device pixels: each node of a call tree has an area, with the areas of
 * its children inside. Siblings, and what a node has itself, share out what is inside of their
 * parent by their weights, as nearly square as they can be (Bruls, Huizing and van Wijk,
 * "Squarified treemaps", 2000).
 *
 * Only what can be seen is made: children that are too small for boxes of their own are one box
 * together, a bundle, and boxes with little room are not opened. So the time depends on the number
 * of pixels, not on that of nodes.
 *
 * A node that passes nearly all it has to one child shares the header with it: both have a segment
 * of it, side by side.
 */
typedef enum {
    PV_TREEMAP_NODE,
    PV_TREEMAP_SEGMENT, /* of the header of the box it is in: one of the nodes that share it */
    PV_TREEMAP_HIDDEN,  /* the same for several, from the outermost, `last`, to `first` */
    PV_TREEMAP_BUNDLE,  /* children from first to last that are too small, or with gaps */
} PvTreemapKind;

typedef struct {
    int left;
    int top;
    int right;
    int bottom;
} PvTreemapPart;

typedef struct {
    PvTreemapKind kind;
    PvNodeId first; /* the node; of those that share a header, the innermost */
    PvNodeId last;
    uint32_t parent; /* the box that this one is in, which comes before it; of the first: 0 */
    int left;
    int top;
    int right; /* always right of left, and bottom below top */
    int bottom;
    int header;   /* height of the header above its children; 0: no header */
    bool is_open; /* there are boxes in it */
    /* If is_open: the area of its boxes, and in it the node's own part, which may be empty. Boxes
     * cover the rest of the area, unless some had no room. */
    PvTreemapPart inside;
    PvTreemapPart own;
    bool is_covered;
    bool has_gaps; /* of a bundle: others between first and last have boxes */
    double area;   /* that it should have; edges are rounded to whole pixels */
} PvTreemapBox;

typedef PV_ARRAY (PvTreemapBox) PvTreemapBoxes;

typedef struct {
    const PvCallTree *tree;
    PvNodeId root; /* takes all of the room */
    int width;
    int height;
    int header; /* the height of one line of text with its margins */
    double scale;
} PvTreemapShape;

/* Makes the boxes of a shape, each after the one it is in; none if there is no weight or no room.
 * Reuses the array. */
void pv_treemap_layout (const PvTreemapShape *shape, PvTreemapBoxes *boxes);

/* The innermost box at a pixel; UINT32_MAX: no box. */
uint32_t pv_treemap_find_at (const PvTreemapBoxes *boxes, int x, int y);

/* The box that shows a node: its own, the segment or the bundle that has it, or else the smallest
 * that it is in. UINT32_MAX: it is not below the root. ret_is_own, which may be NULL: not the
 * last. */
uint32_t pv_treemap_find_node (const PvTreemapShape *shape, const PvTreemapBoxes *boxes,
                               PvNodeId node, bool *ret_is_own);
