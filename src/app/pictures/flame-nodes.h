/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "render/flame/flame-graph.h"

/*
 * The flame graph as GSK render nodes, cut into pieces so that unchanged pieces are not painted
 * again. Main loop only; the caller owns the nodes.
 */

/* The picture without hover, as large as the view. The renderer may be NULL; as in
 * picture-nodes.h. */
GskRenderNode *pv_flame_nodes_draw (PvFlamePainter *painter, const PvCallTree *tree,
                                    const PvFlameView *view, GskRenderer *renderer);

/* The outlines drawn over it for a hovered node; NULL: no outlines. */
GskRenderNode *pv_flame_nodes_outline (PvFlamePainter *painter, const PvCallTree *tree,
                                       const PvFlameView *view, PvNodeId hovered);
/* The same for boxes that lie anywhere in a picture of that size. */
GskRenderNode *pv_flame_nodes_outline_boxes (const PvFlameOutline *outlines, size_t n, double width,
                                             double height);
