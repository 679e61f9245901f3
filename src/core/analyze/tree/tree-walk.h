/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"
#include "core/base/array.h"

/*
 * Depth-first walk over a subtree without recursion. Start with pv_tree_walk_begin (), then step
 * until PV_WALK_END:
 *
 *     while ((step = pv_tree_walk_next (&walk)) != PV_WALK_END)
 *         if (step == PV_WALK_ENTER) ... walk.node ... else ... walk.node left ...
 */
typedef enum { PV_WALK_END, PV_WALK_ENTER, PV_WALK_LEAVE } PvWalkStep;

typedef struct {
    PvNodeId node;
    PvNodeId next_child;
} PvWalkPlace;

typedef struct {
    const PvCallTree *tree;
    PvNodeId node;
    bool is_started;
    PV_ARRAY (PvWalkPlace) path;
} PvTreeWalk;

static inline void
pv_tree_walk_begin (PvTreeWalk *walk, const PvCallTree *tree, PvNodeId top)
{
    walk->tree = tree;
    walk->node = top;
    walk->is_started = false;
    walk->path.len = 0;
}

static inline void
pv_tree_walk_clear (PvTreeWalk *walk)
{
    pv_array_clear (&walk->path);
}

static inline PvWalkStep
pv_tree_walk_enter (PvTreeWalk *walk, PvNodeId node)
{
    PvWalkPlace place = {node, walk->tree->first_child[node]};
    pv_array_push (&walk->path, place);
    walk->node = node;
    return PV_WALK_ENTER;
}

static inline PvWalkStep
pv_tree_walk_next (PvTreeWalk *walk)
{
    if (!walk->is_started) {
        walk->is_started = true;
        return pv_tree_walk_enter (walk, walk->node);
    }
    if (walk->path.len == 0)
        return PV_WALK_END;
    PvWalkPlace *place = &walk->path.data[walk->path.len - 1];
    if (place->next_child < walk->tree->first_child[place->node + 1])
        return pv_tree_walk_enter (walk, place->next_child++);
    walk->node = place->node;
    walk->path.len--;
    return PV_WALK_LEAVE;
}
