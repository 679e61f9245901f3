/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"
#include "render/flame/flame-graph.h"

/*
 * The part of a flame graph that is in view: fractions of a node's width. Moving it further than
 * the node leads to the callers, down to the root.
 */
typedef struct {
    PvNodeId node;
    double start;
    double end;
} PvFlameRange;

/* Makes the range narrower (factor less than 1) or wider; `at`, a fraction of the view, stays where
 * it is. Not narrower than half the least weight there can be. */
void pv_flame_range_zoom (PvFlameRange *range, const PvCallTree *tree, double at, double factor);
/* Moves the range by a multiple of its width. */
void pv_flame_range_pan (PvFlameRange *range, const PvCallTree *tree, double by);
/* The same part as fractions of the root, for PvFlameView. */
void pv_flame_range_get (const PvFlameRange *range, const PvCallTree *tree, double *ret_left,
                         double *ret_right);
/* The range of the same places in a tree of the same nodes with other weights: what begins at the
 * middle of a box begins at the middle of that box. False if those nodes have no width there. */
bool pv_flame_range_carry (PvFlameRange *range, const PvCallTree *from, const PvCallTree *to);
/* The range in which a bundle fills the view. */
PvFlameRange pv_flame_range_of_bundle (const PvCallTree *tree, const PvFlameBundle *bundle);
/* Makes a range out of fractions of the root: below the node where it fits, else below a caller. */
PvFlameRange pv_flame_range_make (const PvCallTree *tree, PvNodeId node, double left, double right);
