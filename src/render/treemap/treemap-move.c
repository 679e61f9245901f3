/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "render/treemap/treemap-private.h"

/* Distance of the box `to` in a direction from the box `around`; -1: it is not there. Lying
 * aside of `from`, which is inside `around`, adds to it: straight ahead is nearer. */
static int64_t
find_distance (const PvTreemapBox *from, const PvTreemapBox *around, const PvTreemapBox *to,
               PvTreemapMove move)
{
    const bool is_horizontal = move == PV_TREEMAP_LEFT || move == PV_TREEMAP_RIGHT;
    const int ahead = move == PV_TREEMAP_LEFT    ? around->left - to->right
                      : move == PV_TREEMAP_RIGHT ? to->left - around->right
                      : move == PV_TREEMAP_UP    ? around->top - to->bottom
                                                 : to->top - around->bottom;
    const int low = is_horizontal ? from->top : from->left;
    const int high = is_horizontal ? from->bottom : from->right;
    const int to_low = is_horizontal ? to->top : to->left;
    const int to_high = is_horizontal ? to->bottom : to->right;
    const int aside = MAX (MAX (to_low - high, low - to_high), -1) + 1;
    const int askew = abs ((to_low + to_high) / 2 - (low + high) / 2);
    if (ahead < 0)
        return -1;
    return ((int64_t)aside * 8 + ahead) * 65536 + MIN (askew, 65535);
}

/* The nearest sibling of the box `around`. */
static uint32_t
find_beside (const PvTreemapBoxes *boxes, uint32_t from, uint32_t around, PvTreemapMove move)
{
    uint32_t best = UINT32_MAX;
    int64_t least = INT64_MAX;
    for (uint32_t i = 1; i < boxes->len; i++) {
        const PvTreemapBox *box = &boxes->data[i];
        if (i == around || box->parent != boxes->data[around].parent ||
            (box->kind == PV_TREEMAP_BUNDLE && box->has_gaps))
            continue;
        const int64_t distance =
            find_distance (&boxes->data[from], &boxes->data[around], box, move);
        if (distance >= 0 && distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/* The first box in it, which is the largest: for what shares a header, the next one of these. */
static uint32_t
find_inside (const PvTreemapBoxes *boxes, uint32_t from)
{
    const PvTreemapBox *box = &boxes->data[from];
    for (uint32_t i = from + 1; i < boxes->len; i++)
        if (boxes->data[i].parent == from && boxes->data[i].kind == PV_TREEMAP_NODE)
            return i;
    return box->kind == PV_TREEMAP_NODE ? UINT32_MAX : box->parent;
}

PvNodeId
pv_treemap_move (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view, PvNodeId from,
                 PvTreemapMove move)
{
    pv_treemap_prepare (treemap, tree, view);
    const PvTreemapBoxes *boxes = &treemap->boxes;
    uint32_t index = pv_treemap_find_node (&treemap->shape, boxes, from, NULL), next;

    if (index == UINT32_MAX)
        return boxes->len > 0 ? boxes->data[0].first : from;
    if (move == PV_TREEMAP_OUT) {
        const PvNodeId parent = tree->parent_of_node[from];
        return from == treemap->shape.root || parent >= tree->n_nodes ? from : parent;
    }
    if (move == PV_TREEMAP_IN) {
        next = boxes->data[index].kind == PV_TREEMAP_SEGMENT &&
                       boxes->data[index].first == boxes->data[boxes->data[index].parent].first
                   ? boxes->data[index].parent
                   : index;
        if (boxes->data[next].kind == PV_TREEMAP_SEGMENT)
            return tree->first_child[from] < tree->first_child[from + 1] ? tree->first_child[from]
                                                                         : from;
        next = find_inside (boxes, next);
        return next != UINT32_MAX && boxes->data[next].kind == PV_TREEMAP_NODE
                   ? boxes->data[next].last
                   : from;
    }
    /* Beside it, or beside a box around it. */
    for (uint32_t around = index;; around = boxes->data[around].parent) {
        if ((next = find_beside (boxes, index, around, move)) != UINT32_MAX)
            return boxes->data[next].kind == PV_TREEMAP_NODE ? boxes->data[next].last
                                                             : boxes->data[next].first;
        if (around == 0)
            return from;
    }
}
