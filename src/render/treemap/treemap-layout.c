/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/treemap/treemap-layout.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/search.h"

/* In pixels of the drawing. */
enum {
    LEAST_AREA = 64,         /* of boxes that are not bundled */
    LEAST_OPEN = 16,         /* width and height of a box whose children are shown */
    LEAST_HEADER_WIDTH = 44, /* of a box with a header, ... */
    LEAST_BELOW_HEADER = 20, /* ... and what is left below it */
    LEAST_SEGMENT = 48,      /* the width of a segment */
    FRAME = 2,               /* around the children of a box with a header; else half of it */
    MAX_BOXES = 1 << 16,
};

/* Largest share of its total that a node keeps for itself if it shares its header with a child. */
#define PASSED_SHARE 0.005

/* A part of an area: a child, a bundle, or the node's self weight, which gets no box. */
typedef struct {
    double weight;
    PvNodeId first;
    PvNodeId last;
    bool is_bundle;
    bool is_self;
    bool has_gaps;
} Item;

typedef PV_ARRAY (Item) Items;

typedef struct {
    double x;
    double y;
    double width;
    double height;
} Area;

typedef struct {
    const PvTreemapShape *shape;
    PvTreemapBoxes *boxes;
    Items items; /* of the box that is opened */
    uint32_t parent;
    PvTreemapPart own; /* for its self weight */
    bool is_covered;   /* until now */
} Maker;

static bool
has_room (const Maker *self)
{
    return self->boxes->len < MAX_BOXES;
}

static int
scale_px (const Maker *self, int px)
{
    return MAX ((int)(px * self->shape->scale + 0.5), 1);
}

/* Children */

static int
compare_items (const void *a, const void *b)
{
    const Item *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Puts the last item at its place among the others, which are sorted. */
static void
sink_last (Items *items)
{
    for (size_t i = items->len - 1; i > 0; i--) {
        const Item item = items->data[i];
        if (compare_items (&items->data[i - 1], &item) <= 0)
            break;
        items->data[i] = items->data[i - 1];
        items->data[i - 1] = item;
    }
}

static void
add_child (Maker *self, PvNodeId child)
{
    const PvCallTree *tree = self->shape->tree;
    const bool is_folded = tree->has_folded && pv_call_tree_count_folded (tree, child) > 0;
    const Item item = {(double)tree->total[child], child, child, is_folded, false, false};
    pv_array_push (&self->items, item);
}

/* The rest of the children as one; they are lighter than `least`. */
static void
add_small (Maker *self, PvNodeId first, PvNodeId end, double least, bool is_sorted, double rest)
{
    const PvCallTree *tree = self->shape->tree;
    Item item = {.weight = rest, .first = PV_NODE_NONE, .is_bundle = true};
    if (is_sorted) {
        item.first = first;
        item.last = end - 1;
    }
    for (PvNodeId child = first; !is_sorted && child < end; child++) {
        if (tree->total[child] == 0 || (double)tree->total[child] >= least)
            continue;
        item.first = MIN (item.first, child);
        item.has_gaps |= item.first != child && item.last + 1 != child;
        item.last = child;
    }
    if (item.first != PV_NODE_NONE && rest > 0)
        pv_array_push (&self->items, item);
}

/* Collects the items to place inside of a node, the heaviest first, children that are too small
 * last. Children of a tree are in this order, unless it was weighed again. */
static void
collect_items (Maker *self, PvNodeId node, double least)
{
    const PvCallTree *tree = self->shape->tree;
    const bool is_sorted = !tree->has_weightless;
    PvNodeId child = tree->first_child[node], end = tree->first_child[node + 1];
    double rest = (double)tree->total[node] - (double)tree->self[node];

    self->items.len = 0;
    for (; child < end; child++) {
        if (self->items.len == MAX_BOXES || (is_sorted && (double)tree->total[child] < least))
            break;
        if (tree->total[child] == 0 || (double)tree->total[child] < least)
            continue;
        add_child (self, child);
        rest -= (double)tree->total[child];
    }
    if (tree->self[node] > 0) {
        const Item item = {.weight = (double)tree->self[node], .first = node, .is_self = true};
        pv_array_push (&self->items, item);
    }
    if (!is_sorted)
        pv_array_sort (&self->items, compare_items);
    else if (tree->self[node] > 0)
        sink_last (&self->items);
    if (child < end || !is_sorted)
        add_small (self, is_sorted ? child : tree->first_child[node], end, least, is_sorted, rest);
}

/* Places */

static void
push_box (Maker *self, const Item *item, Area area)
{
    const PvTreemapBox box = {
        .kind = item->is_bundle ? PV_TREEMAP_BUNDLE : PV_TREEMAP_NODE,
        .first = item->first,
        .last = item->last,
        .parent = self->parent,
        .left = (int)floor (area.x + 0.5),
        .top = (int)floor (area.y + 0.5),
        .right = (int)floor (area.x + area.width + 0.5),
        .bottom = (int)floor (area.y + area.height + 0.5),
        .has_gaps = item->has_gaps,
        .area = area.width * area.height,
    };
    const bool is_visible = box.left < box.right && box.top < box.bottom;
    if (item->is_self)
        self->own = (PvTreemapPart){box.left, box.top, box.right, box.bottom};
    else if (is_visible && has_room (self))
        pv_array_push (self->boxes, box);
    else
        self->is_covered &= !is_visible;
}

/* The least square of n items along a side, the worst of them: 1 is square. Their areas add up to
 * sum, and the first one is the largest. */
static double
find_worst (double largest, double smallest, double sum, double side)
{
    const double square = side * side, sums = sum * sum;
    return MAX (square * largest / sums, sums / (square * smallest));
}

/* Places a row of items along the shorter side of an area, and takes what they need from it. */
static void
place_row (Maker *self, const Item *items, size_t n, double sum, double unit, Area *area)
{
    const bool is_column = area->width >= area->height; /* items are one below the other */
    const double side = is_column ? area->height : area->width;
    const double thickness = MIN (sum * unit / side, is_column ? area->width : area->height);
    double at = 0;
    for (size_t i = 0; i < n; i++) {
        const double end = i + 1 < n ? MIN (at + items[i].weight / sum * side, side) : side;
        const Area part = is_column ? (Area){area->x, area->y + at, thickness, end - at}
                                    : (Area){area->x + at, area->y, end - at, thickness};
        push_box (self, &items[i], part);
        at = end;
    }
    if (is_column) {
        area->x += thickness;
        area->width -= thickness;
    } else {
        area->y += thickness;
        area->height -= thickness;
    }
}

/* Rows of as many items as make them nearly square. Bundles come last. */
static void
place_items (Maker *self, Area area, double total)
{
    const Item *items = self->items.data;
    const size_t n = self->items.len;
    const double unit = area.width * area.height / total;
    size_t start = 0;
    while (start < n && area.width > 0 && area.height > 0) {
        const double side = MIN (area.width, area.height);
        double sum = 0, largest = 0, smallest = INFINITY, worst = INFINITY;
        size_t end = start;
        for (; end < n; end++) {
            const double weight = items[end].weight * unit;
            const double next =
                find_worst (MAX (largest, weight), MIN (smallest, weight), sum + weight, side);
            if (next > worst)
                break;
            worst = next;
            sum += weight;
            largest = MAX (largest, weight);
            smallest = MIN (smallest, weight);
        }
        place_row (self, items + start, end - start, sum / unit, unit, &area);
        start = end;
    }
}

/* Headers */

/* The only child that gets nearly all of it, or PV_NODE_NONE. */
static PvNodeId
find_heir (const PvCallTree *tree, PvNodeId node)
{
    PvNodeId heir = tree->first_child[node], end = tree->first_child[node + 1];
    if (heir >= end)
        return PV_NODE_NONE;
    for (PvNodeId child = heir + 1; tree->has_weightless && child < end; child++)
        if (tree->total[child] > tree->total[heir])
            heir = child;
    if (tree->has_folded && pv_call_tree_count_folded (tree, heir) > 0)
        return PV_NODE_NONE;
    const double kept = (double)tree->total[node] - (double)tree->total[heir];
    return kept <= PASSED_SHARE * (double)tree->total[node] ? heir : PV_NODE_NONE;
}

/* The innermost node that shares the header with this one, and how many do. */
static PvNodeId
follow_heirs (const PvCallTree *tree, PvNodeId node, uint32_t *ret_n)
{
    PvNodeId heir;
    *ret_n = 1;
    while ((heir = find_heir (tree, node)) != PV_NODE_NONE) {
        node = heir;
        (*ret_n)++;
    }
    return node;
}

/* The n nodes that share a header, the outermost at the left. Where there is too little room, the
 * outer ones are one segment. */
static void
add_segments (Maker *self, uint32_t index, uint32_t n)
{
    const PvTreemapBox box = self->boxes->data[index];
    const PvCallTree *tree = self->shape->tree;
    const int width = box.right - box.left;
    const uint32_t n_shown = (uint32_t)CLAMP (width / scale_px (self, LEAST_SEGMENT), 1, (int)n);
    const uint32_t n_hidden = n - n_shown;
    const uint32_t n_segments = n_shown + (n_hidden > 0);
    PvTreemapBox segment = {.parent = index, .top = box.top, .bottom = box.top + box.header};
    PvNodeId node = box.first;
    for (uint32_t i = n_segments; i-- > 0 && has_room (self);) {
        segment.kind = i == 0 && n_hidden > 0 ? PV_TREEMAP_HIDDEN : PV_TREEMAP_SEGMENT;
        segment.first = segment.last = node;
        for (uint32_t k = 1; segment.kind == PV_TREEMAP_HIDDEN && k < n_hidden; k++)
            segment.last = tree->parent_of_node[segment.last];
        segment.left = box.left + (int)((int64_t)width * i / n_segments);
        segment.right = box.left + (int)((int64_t)width * (i + 1) / n_segments);
        segment.area = (double)(segment.right - segment.left) * box.header;
        if (segment.left < segment.right)
            pv_array_push (self->boxes, segment);
        node = tree->parent_of_node[node];
    }
}

/* Places the contents of a box, if there is room. */
static void
open_box (Maker *self, uint32_t index)
{
    const PvTreemapShape *shape = self->shape;
    PvTreemapBox *box = &self->boxes->data[index];
    const int width = box->right - box->left, height = box->bottom - box->top;
    uint32_t n_sharing = 1;
    if (box->kind != PV_TREEMAP_NODE)
        return;
    if (width >= scale_px (self, LEAST_HEADER_WIDTH) &&
        height >= shape->header + scale_px (self, LEAST_BELOW_HEADER))
        box->header = shape->header;
    box->first = follow_heirs (shape->tree, box->last, &n_sharing);
    const PvNodeId node = box->first;
    const bool has_children = shape->tree->first_child[node] < shape->tree->first_child[node + 1];
    /* A box without anything inside is a label all over. */
    if (!has_children && n_sharing == 1)
        box->header = 0;
    const int frame = box->header > 0 ? scale_px (self, FRAME) : (scale_px (self, FRAME) + 1) / 2;
    const int gap = 1; /* boxes leave it free at their right and lower edge */
    const Area area = {box->left + frame, box->top + MAX (box->header, frame),
                       width - 2 * frame - gap, height - frame - gap - MAX (box->header, frame)};
    const int least_open = scale_px (self, LEAST_OPEN);
    if (n_sharing > 1 && box->header > 0)
        add_segments (self, index, n_sharing);
    if (!has_children || width < least_open || height < least_open || area.width < 1 ||
        area.height < 1)
        return;
    const double total = (double)shape->tree->total[node];
    const double least_area = LEAST_AREA * shape->scale * shape->scale;
    const size_t n_before = self->boxes->len;
    self->parent = index;
    self->own = (PvTreemapPart){0};
    self->is_covered = true;
    collect_items (self, node, least_area * total / (area.width * area.height));
    place_items (self, area, total);
    box = &self->boxes->data[index];
    box->is_open = self->boxes->len > n_before;
    box->is_covered = self->is_covered;
    box->own = self->own;
    box->inside = (PvTreemapPart){(int)area.x, (int)area.y, (int)(area.x + area.width),
                                  (int)(area.y + area.height)};
}

void
pv_treemap_layout (const PvTreemapShape *shape, PvTreemapBoxes *boxes)
{
    g_assert (shape != NULL && shape->tree != NULL && boxes != NULL);
    g_assert (shape->scale > 0 && shape->header > 0);

    Maker self = {.shape = shape, .boxes = boxes};
    boxes->len = 0;
    if (shape->root >= shape->tree->n_nodes || shape->tree->total[shape->root] == 0 ||
        shape->width < 1 || shape->height < 1)
        return;
    const Item root = {.first = shape->root, .last = shape->root};
    push_box (&self, &root, (Area){0, 0, shape->width, shape->height});
    for (uint32_t i = 0; i < boxes->len; i++)
        open_box (&self, i);
    pv_array_clear (&self.items);
}

/* Search */

uint32_t
pv_treemap_find_at (const PvTreemapBoxes *boxes, int x, int y)
{
    g_assert (boxes != NULL);
    /* Inner boxes come after outer ones. */
    for (size_t i = boxes->len; i-- > 0;) {
        const PvTreemapBox *box = &boxes->data[i];
        if (x >= box->left && x < box->right && y >= box->top && y < box->bottom)
            return (uint32_t)i;
    }
    return UINT32_MAX;
}

/* A node and its ancestors, from the root on: ids grow, as parents come before children. */
typedef PV_ARRAY (PvNodeId) NodePath;

static NodePath
make_path (const PvTreemapShape *shape, PvNodeId node)
{
    NodePath path = {0};
    for (; node < shape->tree->n_nodes; node = shape->tree->parent_of_node[node])
        pv_array_push (&path, node);
    for (size_t i = 0; i < path.len / 2; i++) {
        const PvNodeId other = path.data[i];
        path.data[i] = path.data[path.len - 1 - i];
        path.data[path.len - 1 - i] = other;
    }
    return path;
}

/* How deep the path is in nodes from first to last, from 1 on; 0: it is not. */
static size_t
find_in_path (const NodePath *path, PvNodeId first, PvNodeId last)
{
    const size_t depth = pv_bisect (0, path->len, i, path->data[i] <= last);
    return depth > 0 && path->data[depth - 1] >= first ? depth : 0;
}

/* The same for the nodes that share a header, of which first is the innermost. */
static size_t
find_shared (const PvTreemapShape *shape, const PvTreemapBox *box, const NodePath *path)
{
    PvNodeId node = box->first;
    size_t depth = find_in_path (path, node, node);
    while (depth == 0 && node != box->last) {
        node = shape->tree->parent_of_node[node];
        depth = find_in_path (path, node, node);
    }
    return depth;
}

/* How deep the box is on the path, 0: not at all; and how well it shows that node: as one of those
 * that share it, or as itself. */
static size_t
rate_box (const PvTreemapShape *shape, const PvTreemapBox *box, const NodePath *path, int *ret_rate)
{
    const bool is_single = box->first == box->last;
    switch (box->kind) {
    case PV_TREEMAP_NODE:
        *ret_rate = is_single ? 3 : 1;
        return find_shared (shape, box, path);
    case PV_TREEMAP_SEGMENT:
        *ret_rate = 3;
        return find_in_path (path, box->first, box->first);
    case PV_TREEMAP_HIDDEN:
        *ret_rate = 2;
        return find_shared (shape, box, path);
    case PV_TREEMAP_BUNDLE:
        *ret_rate = box->has_gaps ? 1 : 2;
        return find_in_path (path, box->first, box->last);
    }
    return 0;
}

uint32_t
pv_treemap_find_node (const PvTreemapShape *shape, const PvTreemapBoxes *boxes, PvNodeId node,
                      bool *ret_is_own)
{
    g_assert (shape != NULL && boxes != NULL);

    NodePath path = make_path (shape, node);
    uint32_t best = UINT32_MAX;
    size_t best_depth = 0;
    int best_rate = 0;
    for (size_t i = 0; i < boxes->len && !(best_depth == path.len && best_rate == 3); i++) {
        int rate = 0;
        const size_t depth = rate_box (shape, &boxes->data[i], &path, &rate);
        if (depth > best_depth || (depth > 0 && depth == best_depth && rate > best_rate)) {
            best_depth = depth;
            best_rate = rate;
            best = (uint32_t)i;
        }
    }
    if (ret_is_own != NULL)
        *ret_is_own = best_depth == path.len;
    pv_array_clear (&path);
    return best;
}
