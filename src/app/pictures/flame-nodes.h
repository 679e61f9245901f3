/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "render/flame/flame-graph.h"

/*
 * The flame graph as GSK's render nodes, cut so that what did not change is not painted again.
 * Main loop only; the nodes are the caller's.
 */

/* The picture without hover, as big as the view: made for this renderer, right with any. */
GskRenderNode *pv_flame_nodes_draw (PvFlamePainter *painter, const PvCallTree *tree,
                                    const PvFlameView *view, GskRenderer *renderer);

/* The outlines over it for a hovered node; NULL if there are none. */
GskRenderNode *pv_flame_nodes_outline (PvFlamePainter *painter, const PvCallTree *tree,
                                       const PvFlameView *view, PvNodeId hovered);
