/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "render/flame/flame-graph-private.h"
#include "render/treemap/treemap-layout.h"
#include "render/treemap/treemap.h"

/* The private part of PvTreemap, for drawing, moving and export only. */

struct PvTreemap {
    PvFlamePainter *painter; /* colours, names and font */

    /* The boxes of `shape`. */
    PvTreemapShape shape;
    PvTreemapBoxes boxes;
    PV_ARRAY (uint16_t) colors; /* of the boxes, see pv_flame_painter_color_node () */
    PV_ARRAY (PvFlameOutline) outlines;
};

/* Makes the boxes for a view, unless they are there. */
void pv_treemap_prepare (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view);

/* Boxes leave one device pixel free at their right and lower edge, except the narrowest. */
static inline cairo_rectangle_int_t
pv_treemap_get_inside (const PvTreemapBox *box)
{
    int width = box->right - box->left, height = box->bottom - box->top;
    return (cairo_rectangle_int_t){box->left, box->top, width - (width >= 3),
                                   height - (height >= 3)};
}
