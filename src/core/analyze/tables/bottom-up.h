/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tables/measure-sums.h"

/*
 * The bottom-up tree, level by level: roots are the functions with self weight, children of a node
 * are its callers on those stacks. Made from the stacks of a tree of either direction, without its
 * groups.
 * Not thread-safe; nodes exist once their parent is expanded, and stay valid.
 */
typedef struct PvBottomUp PvBottomUp;

typedef struct {
    PvFunctionId function;
    uint64_t total; /* self weight of the root that is reached along this path */
    uint64_t self;  /* the part whose stacks end at this node, without another caller */
    const PvFrame *frame;
    bool has_children;
} PvBottomUpNode;

/* measures: others than the tree's own, to be summed for each node. NULL when cancelled. */
PvBottomUp *pv_bottom_up_new (const PvCallTree *tree, const PvMeasureId *measures,
                              uint32_t n_measures, PvJob *job);
void pv_bottom_up_free (PvBottomUp *bottom_up);
/* Expands a node (PV_NODE_NONE: the roots) if necessary. Returns the number of children, whose ids
 * start at *ret_first: heaviest first, whatever other measures there are. */
uint32_t pv_bottom_up_children (PvBottomUp *bottom_up, uint32_t node, uint32_t *ret_first);
const PvBottomUpNode *pv_bottom_up_get (const PvBottomUp *bottom_up, uint32_t node);

/* True if it sums all these measures. */
bool pv_bottom_up_has (const PvBottomUp *bottom_up, const PvMeasureId *measures,
                       uint32_t n_measures);
/* The sums of n nodes from first on, which exist; row 0 is the first of them. Stacks without a
 * node, as the tree's own measure is 0 there, count in the nearest node below them. */
PvMeasureSums *pv_bottom_up_sum (const PvBottomUp *bottom_up, uint32_t first, uint32_t n);
/* Expands the nodes that another of the same tree has expanded, in the same order, so that ids are
 * the same. bottom_up must be new. */
void pv_bottom_up_repeat (PvBottomUp *bottom_up, const PvBottomUp *other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvBottomUp, pv_bottom_up_free)
