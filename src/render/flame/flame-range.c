/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/flame/flame-range.h"

#include <math.h>

#include "core/base/search.h"

static const double LEAST_RANGE = 1e-9;

static bool
is_valid (const PvFlameRange *range, const PvCallTree *tree)
{
    return range->node < tree->n_nodes && isfinite (range->start) && isfinite (range->end) &&
           range->end > range->start;
}

static double
weight_of (const PvCallTree *tree, PvNodeId node)
{
    return tree->total[node] > 0 ? (double)tree->total[node] : 1;
}

static void
go_to_caller (PvFlameRange *range, const PvCallTree *tree)
{
    PvNodeId caller = tree->parent_of_node[range->node];
    double before = (double)(tree->left[range->node] - tree->left[caller]);
    double weight = weight_of (tree, range->node), whole = weight_of (tree, caller);
    range->start = (before + range->start * weight) / whole;
    range->end = (before + range->end * weight) / whole;
    range->node = caller;
}

/* Leads to the caller that the range fits into; in the root, moves it inside. */
static void
fit (PvFlameRange *range, const PvCallTree *tree)
{
    while (range->node != 0 && (range->start < -1e-12 || range->end > 1 + 1e-12))
        go_to_caller (range, tree);
    double width = MIN (range->end - range->start, 1);
    range->start = CLAMP (range->start, 0, 1 - width);
    range->end = width < 1 ? range->start + width : 1;
}

void
pv_flame_range_zoom (PvFlameRange *range, const PvCallTree *tree, double at, double factor)
{
    g_assert (range != NULL && tree != NULL);

    if (!is_valid (range, tree) || !(factor > 0 && factor < 1e6) || !(at >= 0 && at <= 1))
        return;
    double width = range->end - range->start;
    double least = MAX (LEAST_RANGE, 0.5 / weight_of (tree, range->node));
    double wanted = MAX (width * factor, MIN (least, width));
    range->start += at * (width - wanted);
    range->end = range->start + wanted;
    fit (range, tree);
}

void
pv_flame_range_pan (PvFlameRange *range, const PvCallTree *tree, double by)
{
    g_assert (range != NULL && tree != NULL);

    if (!is_valid (range, tree) || !(fabs (by) < 1e6))
        return;
    double step = by * (range->end - range->start);
    range->start += step;
    range->end += step;
    fit (range, tree);
}

void
pv_flame_range_get (const PvFlameRange *range, const PvCallTree *tree, double *ret_left,
                    double *ret_right)
{
    g_assert (range != NULL && tree != NULL && range->node < tree->n_nodes);

    double total = weight_of (tree, 0), left = (double)tree->left[range->node];
    double weight = (double)tree->total[range->node];
    *ret_left = (left + range->start * weight) / total;
    *ret_right = range->end == 1
                     ? (double)(tree->left[range->node] + tree->total[range->node]) / total
                     : (left + range->end * weight) / total;
    if (!(*ret_right > *ret_left)) {
        *ret_left = 0;
        *ret_right = 1;
    }
}

PvFlameRange
pv_flame_range_of_bundle (const PvCallTree *tree, const PvFlameBundle *bundle)
{
    g_assert (tree != NULL && bundle != NULL && bundle->last < tree->n_nodes);

    PvNodeId node = bundle->first;
    uint64_t left = tree->left[node], right = tree->left[bundle->last] + tree->total[bundle->last];
    do
        node = node != 0 ? tree->parent_of_node[node] : 0;
    while (node != 0 && tree->left[node] + tree->total[node] < right);
    double weight = weight_of (tree, node);
    PvFlameRange range = {node, (double)(left - tree->left[node]) / weight,
                          (double)(right - tree->left[node]) / weight};
    if (!(range.end > range.start))
        range = (PvFlameRange){node, 0, 1};
    fit (&range, tree);
    return range;
}

PvFlameRange
pv_flame_range_make (const PvCallTree *tree, PvNodeId node, double left, double right)
{
    g_assert (tree != NULL && node < tree->n_nodes);

    double total = weight_of (tree, 0), weight = weight_of (tree, node);
    double before = (double)tree->left[node];
    PvFlameRange range = {node, (left * total - before) / weight,
                          (right * total - before) / weight};
    if (!is_valid (&range, tree))
        return (PvFlameRange){node, 0, 1};
    fit (&range, tree);
    return range;
}

/* The last child that begins left of a place, or at it. PV_NODE_NONE: no such child. */
static PvNodeId
find_child (const PvCallTree *tree, PvNodeId node, double place, bool includes_left)
{
    const PvNodeId start = tree->first_child[node];
    const PvNodeId end = pv_bisect (start, tree->first_child[node + 1], child,
                                    (double)tree->left[child] < place ||
                                        (includes_left && (double)tree->left[child] == place));
    return end > start ? end - 1 : PV_NODE_NONE;
}

/* Where the children of a node end. */
static double
find_end (const PvCallTree *tree, PvNodeId node)
{
    PvNodeId end = tree->first_child[node + 1];
    return end > tree->first_child[node] ? (double)(tree->left[end - 1] + tree->total[end - 1])
                                         : (double)tree->left[node];
}

/* The weight that is at the same place in the other tree: inside the innermost node that covers it.
 * Where nodes without width lie between two others, a left edge is right of them, and a right edge
 * left of them. */
static double
carry_place (const PvCallTree *from, const PvCallTree *to, PvNodeId node, double place,
             bool is_left_edge)
{
    for (;;) {
        PvNodeId child = find_child (from, node, place, is_left_edge);
        double right = child != PV_NODE_NONE ? (double)(from->left[child] + from->total[child]) : 0;
        if (child == PV_NODE_NONE || (is_left_edge ? place >= right : place > right))
            break;
        node = child;
    }
    double from_end = find_end (from, node), to_end = find_end (to, node);
    double own = (double)(from->left[node] + from->total[node]) - from_end;
    double part = own > 0 ? CLAMP ((place - from_end) / own, 0, 1) : 0;
    return to_end + part * ((double)(to->left[node] + to->total[node]) - to_end);
}

bool
pv_flame_range_carry (PvFlameRange *range, const PvCallTree *from, const PvCallTree *to)
{
    g_assert (range != NULL && from != NULL && to != NULL && from->n_nodes == to->n_nodes);

    PvNodeId node = range->node;
    if (!is_valid (range, from) || (node != 0 && to->total[node] == 0))
        return false;
    double left = (double)from->left[node], weight = weight_of (from, node);
    double to_left = (double)to->left[node], to_weight = weight_of (to, node);
    if (range->start > 0)
        range->start =
            (carry_place (from, to, node, left + range->start * weight, true) - to_left) /
            to_weight;
    if (range->end < 1)
        range->end =
            (carry_place (from, to, node, left + range->end * weight, false) - to_left) / to_weight;
    return range->end - range->start >= LEAST_RANGE;
}
