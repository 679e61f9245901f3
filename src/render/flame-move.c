#include <math.h>

#include "render/flame-layout.h"

/* Wide enough to move to: a pixel of the drawing, of what is inside the view. */
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

/* The heaviest child; on the way to the zoomed node the one that leads there. */
static PvNodeId
move_to_child (const PvFlameLayout *layout, PvNodeId from)
{
    const PvCallTree *tree = layout->tree;
    PvNodeId best = from;
    for (PvNodeId child = tree->first_child[from]; child < tree->first_child[from + 1]; child++) {
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
    uint32_t level = pv_flame_layout_level_of (tree, from);
    PvNodeId start = tree->level_start[level], end = tree->level_start[level + 1];
    for (PvNodeId node = from; step < 0 ? node > start : node + 1 < end;) {
        node = step < 0 ? node - 1 : node + 1;
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
