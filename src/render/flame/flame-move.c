/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "render/flame/flame-graph.h"
#include "render/flame/flame-layout.h"

/* True if a node is wide enough to move to: its visible part is at least a pixel of the drawing. */
static bool
is_target (const PvFlameLayout *layout, PvNodeId node)
{
    double left = MAX (pv_flame_layout_left (layout, node), 0);
    double right = MIN (pv_flame_layout_right (layout, node), layout->width);
    return right - left >= layout->device_scale * (1 - 1e-9);
}

static PvNodeId
move_to_parent (const PvFlameLayout *layout, PvNodeId from)
{
    PvNodeId parent = layout->tree->parent_of_node[from];
    return parent < layout->tree->n_nodes ? parent : from;
}

/* The next node in a direction, in [start, end) of one level, that weighs at least `least`;
 * PV_NODE_NONE: no such node. Nodes do not overlap, so those between two left edges weigh no
 * more than the distance of these: this skips most of a million light nodes. */
static PvNodeId
next_heavy (const PvCallTree *tree, PvNodeId start, PvNodeId end, PvNodeId from, bool forward,
            uint64_t least)
{
    enum { STRIDE = 64 };
    const uint64_t *left = tree->left;
    PvNodeId node = forward ? from + 1 : from;
    while (forward && node < end) {
        if (end - node > STRIDE && left[node + STRIDE] - left[node] < least)
            node += STRIDE;
        else if (tree->total[node] >= least)
            return node;
        else
            node++;
    }
    while (!forward && node > start) {
        if (node < end && node - start >= STRIDE && left[node] - left[node - STRIDE] < least)
            node -= STRIDE;
        else if (tree->total[--node] >= least)
            return node;
    }
    return PV_NODE_NONE;
}

/* The minimum weight of a target. */
static uint64_t
least_target (const PvFlameLayout *layout)
{
    double weight = layout->weights_per_pixel * layout->device_scale * 0.999;
    return weight > 0 && weight < 1e18 ? (uint64_t)weight : 0;
}

PvNodeId
pv_flame_find_match (const PvCallTree *tree, const bool *is_match, uint64_t least, PvNodeId from,
                     bool forward)
{
    g_assert (tree != NULL && is_match != NULL);

    if (from >= tree->n_nodes)
        from = 0;
    uint32_t n = tree->n_levels, level = pv_call_tree_get_level (tree, from);
    /* Visits the first level again at the end, for the nodes on the other side of from. */
    for (uint32_t i = 0; i <= n; i++, level = (forward ? level + 1 : level + n - 1) % n) {
        PvNodeId start = tree->level_start[level], end = tree->level_start[level + 1];
        PvNodeId node = i == 0 ? from : forward ? start - 1 : end;
        while ((node = next_heavy (tree, start, end, node, forward, least)) != PV_NODE_NONE)
            if (node != 0 && is_match[tree->function_of_node[node]])
                return node;
    }
    return PV_NODE_NONE;
}

/* The heaviest visible child; above the zoomed node, the one that leads there. */
static PvNodeId
move_to_child (const PvFlameLayout *layout, PvNodeId from)
{
    const PvCallTree *tree = layout->tree;
    PvNodeId best = from, start = tree->first_child[from], end = tree->first_child[from + 1];
    uint64_t least = least_target (layout);
    for (PvNodeId child = next_heavy (tree, start, end, start - 1, true, least);
         child != PV_NODE_NONE; child = next_heavy (tree, start, end, child, true, least)) {
        if (pv_flame_layout_right (layout, child) <= 0)
            continue;
        if (pv_flame_layout_left (layout, child) >= layout->width)
            break;
        if (is_target (layout, child) && (best == from || tree->total[child] > tree->total[best]))
            best = child;
    }
    return best;
}

static PvNodeId
move_aside (const PvFlameLayout *layout, PvNodeId from, int step)
{
    const PvCallTree *tree = layout->tree;
    uint32_t level = pv_call_tree_get_level (tree, from);
    PvNodeId start = tree->level_start[level], end = tree->level_start[level + 1];
    uint64_t least = least_target (layout);
    PvNodeId node = from;
    while ((node = next_heavy (tree, start, end, node, step > 0, least)) != PV_NODE_NONE) {
        if (step < 0 ? pv_flame_layout_right (layout, node) <= 0
                     : pv_flame_layout_left (layout, node) >= layout->width)
            break;
        if (is_target (layout, node))
            return node;
    }
    return from;
}

PvNodeId
pv_flame_move (const PvCallTree *tree, const PvFlameView *view, PvNodeId from, PvFlameMove move)
{
    g_assert (tree != NULL && view != NULL);

    PvFlameLayout layout;
    if (from >= tree->n_nodes)
        return from;
    pv_flame_layout_init_range (&layout, tree, view);
    switch (move) {
    case PV_MOVE_PARENT:
        return move_to_parent (&layout, from);
    case PV_MOVE_CHILD:
        return move_to_child (&layout, from);
    case PV_MOVE_LEFT:
        return move_aside (&layout, from, -1);
    case PV_MOVE_RIGHT:
        return move_aside (&layout, from, 1);
    }
    return from;
}
