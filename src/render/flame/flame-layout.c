/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/flame/flame-layout.h"

#include <math.h>

#include "core/base/search.h"

static const double SMALLEST_BOX = 0.5;
static const double SMALLEST_RUN = 0.1;
static const double LARGEST_GAP = 1.0;
static const double LEAST_WIDTH = 2; /* of boxes that are not bundled, in pixels of the drawing */

static uint64_t
right_weight (const PvCallTree *tree, PvNodeId node)
{
    uint64_t right = tree->left[node] + tree->total[node];
    return right < tree->left[node] ? UINT64_MAX : right;
}

static double
x_of_weight (const PvFlameLayout *layout, uint64_t weight)
{
    double distance = weight >= layout->origin ? (double)(weight - layout->origin)
                                               : -(double)(layout->origin - weight);
    return (distance - layout->origin_part) * layout->scale;
}

double
pv_flame_layout_left (const PvFlameLayout *layout, PvNodeId node)
{
    return x_of_weight (layout, layout->tree->left[node]);
}

double
pv_flame_layout_right (const PvFlameLayout *layout, PvNodeId node)
{
    return x_of_weight (layout, right_weight (layout->tree, node));
}

/* Fractions are doubles and cannot represent every weight. If they match the zoomed node, uses its
 * exact weights. */
static bool
snap_to_zoom_node (PvFlameLayout *layout, const PvFlameView *view)
{
    const PvCallTree *tree = layout->tree;
    PvNodeId node = view->zoom_node;
    if (node == 0 || node >= tree->n_nodes || tree->total[node] == 0)
        return false;

    double total = (double)tree->total[0];
    double tolerance = total * 0x1p-50 + (double)tree->total[node] * 1e-7;
    if (!(fabs (view->zoom_left * total - (double)tree->left[node]) <= tolerance &&
          fabs (view->zoom_right * total - (double)right_weight (tree, node)) <= tolerance))
        return false;
    layout->origin = tree->left[node];
    layout->origin_part = 0;
    layout->scale = layout->width / (double)tree->total[node];
    return true;
}

static void
init_range (PvFlameLayout *layout, const PvFlameView *view)
{
    const PvCallTree *tree = layout->tree;
    double left = view->zoom_left, right = view->zoom_right;
    if (!(left >= 0 && left < 1))
        left = 0;
    if (!(right > left && right <= 1))
        right = 1;
    if (tree->n_nodes == 0 || tree->total[0] == 0 || layout->width < 1 ||
        snap_to_zoom_node (layout, view))
        return;

    double total = (double)tree->total[0];
    double start = left * total;
    double whole = floor (start);
    layout->origin = whole < 0x1p64 ? (uint64_t)whole : UINT64_MAX;
    layout->origin_part = start - whole;
    layout->scale = layout->width / ((right - left) * total);
    if (!isfinite (layout->scale))
        layout->scale = layout->width / total;
}

static bool
row_has_items (const PvFlameLayout *layout, uint32_t level)
{
    PvFlameIter iter;
    PvFlameItem item;
    pv_flame_iter_init (&iter, layout, level, 0);
    return pv_flame_iter_next (&iter, &item);
}

/* A level can only show something where its parent does, so levels with items come first. */
static uint32_t
count_rows (const PvFlameLayout *layout)
{
    const PvCallTree *tree = layout->tree;
    if (tree->n_nodes == 0 || tree->n_levels == 0 || layout->width < 1)
        return 0;
    return pv_bisect (1, tree->n_levels, row, row_has_items (layout, row));
}

void
pv_flame_layout_init_range (PvFlameLayout *layout, const PvCallTree *tree, const PvFlameView *view)
{
    g_assert (tree != NULL && view != NULL);

    double scale = view->device_scale > 0 && view->device_scale < 64 ? view->device_scale : 1;
    *layout = (PvFlameLayout){
        .tree = tree,
        .device_scale = scale,
        .width = view->width > 0 ? MIN (round (view->width * scale), 1e6) : 0,
        .view_height = view->height > 0 ? MIN (round (view->height * scale), 1e9) : 0,
        .scroll = isfinite (view->scroll_y) ? round (view->scroll_y * scale) : 0,
        .row_height = 1,
        .is_flame = view->is_flame,
    };
    init_range (layout, view);
    layout->least_width = LEAST_WIDTH * scale;
    if (view->least_share > 0 && view->least_share < 1)
        layout->least_width = MAX (layout->least_width, view->least_share * layout->width);
    layout->weights_per_pixel = layout->scale > 0 ? 1 / layout->scale : 0;
    layout->least_box_weight = (uint64_t)(layout->weights_per_pixel * SMALLEST_BOX * 0.999);
}

void
pv_flame_layout_init (PvFlameLayout *layout, const PvCallTree *tree, const PvFlameView *view,
                      double row_height)
{
    pv_flame_layout_init_range (layout, tree, view);
    if (view->row_height > 0 && view->row_height < 10000)
        row_height = view->row_height;
    layout->row_height = MAX (round (row_height * layout->device_scale), 1);
    layout->n_rows = count_rows (layout);
    layout->height = MAX (layout->view_height, layout->n_rows * layout->row_height);
}

double
pv_flame_layout_row_top (const PvFlameLayout *layout, uint32_t level)
{
    double top = layout->is_flame ? layout->height - (level + 1.0) * layout->row_height
                                  : level * layout->row_height;
    return top - layout->scroll;
}

/* The level whose row contains this device pixel, or -1. */
static int64_t
level_at (const PvFlameLayout *layout, double y)
{
    double from_root = y + layout->scroll;
    if (layout->is_flame)
        from_root = layout->height - from_root - 1; /* mirrors pixels, not edges */
    double level = floor (from_root / layout->row_height);
    return level >= 0 && level < layout->n_rows ? (int64_t)level : -1;
}

bool
pv_flame_layout_visible_levels (const PvFlameLayout *layout, uint32_t *ret_first,
                                uint32_t *ret_last)
{
    if (layout->n_rows == 0 || layout->view_height < 1)
        return false;
    /* The rows at the top and bottom edge of the view, in order of levels. */
    double first = floor (layout->scroll / layout->row_height);
    double last = floor ((layout->scroll + layout->view_height - 1) / layout->row_height);
    if (layout->is_flame) {
        first =
            floor ((layout->height - layout->scroll - layout->view_height) / layout->row_height);
        last = floor ((layout->height - layout->scroll - 1) / layout->row_height);
    }
    if (last < 0 || first >= layout->n_rows)
        return false;
    *ret_first = (uint32_t)MAX (first, 0);
    *ret_last = (uint32_t)MIN (last, layout->n_rows - 1.0);
    return true;
}

/* The first node of [low, high) that ends right of x. */
static PvNodeId
first_ending_after (const PvFlameLayout *layout, PvNodeId low, PvNodeId high, double x)
{
    return pv_bisect (low, high, node, !(pv_flame_layout_right (layout, node) > x));
}

/* The first node of [low, high) that starts at or right of x. */
static PvNodeId
first_beginning_at (const PvFlameLayout *layout, PvNodeId low, PvNodeId high, double x)
{
    return pv_bisect (low, high, node, !(pv_flame_layout_left (layout, node) >= x));
}

/* The first weight at or right of the left edge of a device pixel. */
static uint64_t
weight_at_pixel (const PvFlameLayout *layout, double pixel)
{
    double distance = ceil (pixel * layout->weights_per_pixel + layout->origin_part);
    if (distance <= 0)
        return -distance < (double)layout->origin ? layout->origin - (uint64_t)-distance : 0;
    double room = (double)(UINT64_MAX - layout->origin);
    return distance < room ? layout->origin + (uint64_t)distance : UINT64_MAX;
}

/* The first node after low, at most high, that starts at or right of a weight. Searches from low +
 * guess: neighbouring pixels have about the same number of nodes. */
static PvNodeId
gallop_to (const uint64_t *left, PvNodeId low, PvNodeId high, uint64_t weight, uint32_t guess)
{
    PvNodeId probe = low + MIN (MAX (guess, 1), high - low);
    uint32_t step = 1;
    /* left[low] < weight, and weight <= left[high] if there is such a node */
    if (probe < high && left[probe] < weight) {
        low = probe;
        while (step < high - low && left[low + step] < weight) {
            low += step;
            step *= 2;
        }
        high = MIN (high, low + step);
    } else {
        high = probe;
        while (step < high - low && left[high - step] >= weight) {
            high -= step;
            step *= 2;
        }
        low = MAX (low, high - MIN (step, high - low));
    }
    return pv_bisect (low + 1, high, node, left[node] < weight);
}

void
pv_flame_iter_init (PvFlameIter *iter, const PvFlameLayout *layout, uint32_t level, double left_px)
{
    const PvCallTree *tree = layout->tree;
    PvNodeId start = tree->level_start[level], end = tree->level_start[level + 1];
    *iter = (PvFlameIter){.layout = layout, .next = start, .end = end, .per_pixel = 1};
    if (layout->scale == 0) /* without any weight, only the root is shown */
        iter->end = level == 0 ? MIN (end, start + 1) : start;
    else
        iter->next = first_ending_after (layout, start, end, MAX (left_px, 0));
}

static int
snap (const PvFlameLayout *layout, double x)
{
    return (int)CLAMP (floor (x + 0.5), 0, layout->width);
}

/* True if the node is wide enough for a box of its own. */
static bool
make_box (const PvFlameLayout *layout, PvNodeId node, PvFlameItem *ret_item)
{
    double left = pv_flame_layout_left (layout, node);
    double right = pv_flame_layout_right (layout, node);
    int left_px = snap (layout, left), right_px = snap (layout, right);
    if (right - left < SMALLEST_BOX || left_px >= right_px)
        return false;
    *ret_item = (PvFlameItem){node, node, false, left_px, right_px, left, right};
    return true;
}

/* False if the next node starts too soon for this one to be a box. This avoids reading its weight,
 * a cache miss in large trees. */
static bool
has_room (const PvFlameIter *iter, PvNodeId node)
{
    const uint64_t *left = iter->layout->tree->left;
    return node + 1 >= iter->end || left[node + 1] - left[node] >= iter->layout->least_box_weight;
}

/* The next box, or the next piece of a run (without exact_right). */
static bool
next_piece (PvFlameIter *iter, PvFlameItem *ret_item)
{
    const PvFlameLayout *layout = iter->layout;
    PvNodeId first = iter->next;
    if (first >= iter->end)
        return false;
    if (layout->scale == 0) {
        iter->next = iter->end;
        *ret_item = (PvFlameItem){0, 0, false, 0, (int)layout->width, 0, layout->width};
        return true;
    }

    double left = pv_flame_layout_left (layout, first);
    if (left >= layout->width)
        return false;
    if (has_room (iter, first) && make_box (layout, first, ret_item)) {
        iter->next = first + 1;
        return true;
    }
    uint64_t first_weight = layout->tree->left[first];
    double pixel = floor (left) + 1;
    uint64_t limit = weight_at_pixel (layout, pixel);
    if (first_weight >= limit) /* rounding error in the last bit */
        limit = MAX (weight_at_pixel (layout, pixel + 1), first_weight + 1);
    PvNodeId after = gallop_to (layout->tree->left, first, iter->end, limit, iter->per_pixel);
    iter->per_pixel = after - first;
    PvNodeId last = after - 1;
    if (last > first && has_room (iter, last) && make_box (layout, last, ret_item))
        after = last--;
    iter->next = after;
    *ret_item = (PvFlameItem){.first = first, .last = last, .is_run = true, .exact_left = left};
    return true;
}

/* True if a piece at left belongs to the run that ends with node last. */
static bool
is_near (const PvFlameLayout *layout, PvNodeId last, double left)
{
    return left - pv_flame_layout_left (layout, last) < LARGEST_GAP ||
           left - pv_flame_layout_right (layout, last) < LARGEST_GAP;
}

/* Snaps a run to pixels, but not into the adjacent boxes. */
static bool
finish_run (const PvFlameIter *iter, PvFlameItem *run)
{
    double width = iter->layout->width;
    run->exact_right = pv_flame_layout_right (iter->layout, run->last);
    if (run->exact_right - run->exact_left < SMALLEST_RUN)
        return false;
    run->left = MAX ((int)CLAMP (floor (run->exact_left), 0, width), iter->box_end);
    run->right = (int)CLAMP (ceil (run->exact_right), 0, width);
    if (iter->has_pending && !iter->pending.is_run)
        run->right = MIN (run->right, iter->pending.left);
    return run->left < run->right;
}

bool
pv_flame_iter_next (PvFlameIter *iter, PvFlameItem *ret_item)
{
    PvFlameItem piece;
    for (;;) {
        if (iter->has_pending) {
            piece = iter->pending;
            iter->has_pending = false;
        } else if (!next_piece (iter, &piece)) {
            return false;
        }
        while (piece.is_run && next_piece (iter, &iter->pending)) {
            if (!iter->pending.is_run ||
                !is_near (iter->layout, piece.last, iter->pending.exact_left)) {
                iter->has_pending = true;
                break;
            }
            piece.last = iter->pending.last;
        }
        if (!piece.is_run)
            iter->box_end = piece.right;
        if (!piece.is_run || finish_run (iter, &piece)) {
            *ret_item = piece;
            return true;
        }
    }
}

/* The heaviest of a run's nodes that touch a device pixel, or the nearest one. */
static PvNodeId
heaviest_in_pixel (const PvFlameLayout *layout, const PvFlameItem *run, double pixel)
{
    const PvCallTree *tree = layout->tree;
    PvNodeId end = run->last + 1;
    PvNodeId best = first_ending_after (layout, run->first, end, pixel);
    if (best == end)
        return run->last;
    PvNodeId last = first_beginning_at (layout, best, end, pixel + 1);
    for (PvNodeId node = best + 1; node < last; node++)
        if (tree->total[node] > tree->total[best])
            best = node;
    return best;
}

PvNodeId
pv_flame_layout_hit (const PvFlameLayout *layout, double x, double y)
{
    double x_px = floor (x * layout->device_scale);
    double y_px = floor (y * layout->device_scale);
    if (!(x_px >= 0 && x_px < layout->width && y_px >= 0 && y_px < layout->view_height))
        return PV_NODE_NONE;
    int64_t level = level_at (layout, y_px);
    if (level < 0)
        return PV_NODE_NONE;

    PvFlameIter iter;
    PvFlameItem item;
    PvNodeId in_run = PV_NODE_NONE;
    /* Pieces of the same run may be up to two pixels away. */
    pv_flame_iter_init (&iter, layout, (uint32_t)level, x_px - 3);
    while (pv_flame_iter_next (&iter, &item) && item.exact_left <= x_px + 1) {
        if (x_px < item.left || x_px >= item.right)
            continue;
        if (!item.is_run)
            return item.first; /* boxes are drawn over runs */
        if (in_run == PV_NODE_NONE)
            in_run = heaviest_in_pixel (layout, &item, x_px);
    }
    return in_run;
}

bool
pv_flame_layout_box (const PvFlameLayout *layout, PvNodeId node, cairo_rectangle_t *ret_box)
{
    const PvCallTree *tree = layout->tree;
    if (node >= tree->n_nodes)
        return false;
    uint32_t level = pv_call_tree_get_level (tree, node);
    if (level >= layout->n_rows)
        return false;

    double left = 0, right = layout->width;
    if (layout->scale > 0) {
        left = pv_flame_layout_left (layout, node);
        right = pv_flame_layout_right (layout, node);
    }
    PvFlameItem item = {.right = (int)layout->width};
    if (right <= 0 || left >= layout->width || right <= left)
        return false;
    if (layout->scale > 0 && !make_box (layout, node, &item)) {
        item.left = (int)CLAMP (floor (left), 0, layout->width - 1);
        item.right = item.left + 1;
    }
    ret_box->x = item.left / layout->device_scale;
    ret_box->y = pv_flame_layout_row_top (layout, level) / layout->device_scale;
    ret_box->width = (item.right - item.left) / layout->device_scale;
    ret_box->height = layout->row_height / layout->device_scale;
    return true;
}
