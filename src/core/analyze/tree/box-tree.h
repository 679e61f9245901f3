/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"
#include "core/base/array.h"

/*
 * A tree out of boxes that have their places already, for pictures whose order is not that of
 * weights: a node may have several boxes, side by side or far apart.
 */
typedef struct {
    uint64_t left;
    uint64_t total;     /* above 0 */
    uint32_t parent;    /* in the level above */
    uint32_t position;  /* node of the tree's shape */
    uint32_t n_samples; /* above 0, but for the root */
    bool is_folded;     /* has no function of its own */
} PvBox;
typedef PV_ARRAY (PvBox) PvBoxLevel;

/*
 * Levels from the root on, which is one box; each from left to right, without overlaps, and within
 * the boxes of the level above. root_name is shown for the root. The result has the profile, names
 * and query of the tree, which is top-down; its weights are what the boxes have. It has no anchors
 * and no groups, and folded nodes stand for their samples.
 */
PvCallTree *pv_box_tree_new (const PvCallTree *tree, const char *root_name,
                             const PvBoxLevel *levels, uint32_t n_levels);

/* The number of samples of a box; 0 in other trees, whose nodes do not count them. */
uint32_t pv_box_tree_count_samples (const PvCallTree *tree, PvNodeId node);
