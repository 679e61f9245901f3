/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "../cases.h"
#include "core/base/array.h"
#include "render/flame/flame-graph.h"
#include "render/flame/flame-layout.h"
#include "tree-maker.h"
#include "views.h"

static const double ROW = 20;

static PvFlameView
view_of (const PvCallTree *tree, double width, double height, PvNodeId zoom)
{
    PvFlameView view = flame_view_of (width, height);
    if (zoom != 0) {
        double total = (double)tree->total[0];
        view.zoom_node = zoom;
        view.zoom_left = (double)tree->left[zoom] / total;
        view.zoom_right = ((double)tree->left[zoom] + (double)tree->total[zoom]) / total;
    }
    return view;
}

/* The rule of flame-layout.h by the letter: what every pixel of a level shows, without a search. */
typedef struct {
    PvNodeId *box_of_pixel; /* PV_NODE_NONE: none */
    PvNodeId *run_first;    /* of the run under it, or PV_NODE_NONE */
    PvNodeId *run_last;
    int width;
} Reference;

static bool
is_wide (const PvFlameLayout *layout, PvNodeId node)
{
    double left = pv_flame_layout_left (layout, node), right = pv_flame_layout_right (layout, node);
    double a = CLAMP (floor (left + 0.5), 0, layout->width);
    double b = CLAMP (floor (right + 0.5), 0, layout->width);
    return right - left >= 0.5 && a < b;
}

static void
paint_run (Reference *reference, const PvFlameLayout *layout, PvNodeId first, PvNodeId last)
{
    double left = pv_flame_layout_left (layout, first);
    double right = pv_flame_layout_right (layout, last);
    if (right - left < 0.1)
        return;
    for (int x = (int)MAX (floor (left), 0); x < MIN (ceil (right), reference->width); x++)
        if (reference->run_first[x] == PV_NODE_NONE) {
            reference->run_first[x] = first;
            reference->run_last[x] = last;
        }
}

static void
paint_level (Reference *reference, const PvFlameLayout *layout, uint32_t level)
{
    const PvCallTree *tree = layout->tree;
    PvNodeId node = tree->level_start[level], end = tree->level_start[level + 1];
    PvNodeId first = PV_NODE_NONE, last = PV_NODE_NONE; /* the run so far */

    for (int x = 0; x < reference->width; x++)
        reference->box_of_pixel[x] = reference->run_first[x] = PV_NODE_NONE;
    while (node < end && pv_flame_layout_right (layout, node) <= 0)
        node++;
    bool is_first = true; /* of its pixel, apart from boxes */
    for (; node < end && pv_flame_layout_left (layout, node) < layout->width; node++) {
        double left = pv_flame_layout_left (layout, node);
        bool is_last =
            node + 1 == end || floor (pv_flame_layout_left (layout, node + 1)) != floor (left);
        if (is_wide (layout, node) && (is_first || is_last)) {
            if (first != PV_NODE_NONE)
                paint_run (reference, layout, first, last);
            first = PV_NODE_NONE;
            double right = pv_flame_layout_right (layout, node);
            for (int x = (int)MAX (floor (left + 0.5), 0);
                 x < MIN (floor (right + 0.5), reference->width); x++) {
                g_assert_cmpuint (reference->box_of_pixel[x], ==, PV_NODE_NONE);
                reference->box_of_pixel[x] = node;
            }
        } else {
            if (first != PV_NODE_NONE && left - pv_flame_layout_right (layout, last) >= 1) {
                paint_run (reference, layout, first, last);
                first = PV_NODE_NONE;
            }
            if (first == PV_NODE_NONE)
                first = node;
            last = node;
            is_first = false;
        }
        is_first = is_first || is_last;
    }
    if (first != PV_NODE_NONE)
        paint_run (reference, layout, first, last);
}

/* The heaviest of a run's nodes that touch the pixel. */
static bool
is_heaviest (const PvFlameLayout *layout, PvNodeId node, PvNodeId first, PvNodeId last, int pixel)
{
    uint64_t heaviest = 0;
    for (PvNodeId i = first; i <= last; i++)
        if (pv_flame_layout_right (layout, i) > pixel &&
            pv_flame_layout_left (layout, i) < pixel + 1)
            heaviest = MAX (heaviest, layout->tree->total[i]);
    return node >= first && node <= last &&
           (heaviest == 0 || layout->tree->total[node] == heaviest);
}

static uint32_t
compare_level (Reference *reference, const PvFlameLayout *layout, uint32_t level)
{
    uint32_t n_painted = 0;
    double y = pv_flame_layout_row_top (layout, level) + layout->row_height / 2;
    paint_level (reference, layout, level);
    for (int x = 0; x < reference->width; x++) {
        PvNodeId hit = pv_flame_layout_hit (layout, (x + 0.5) / layout->device_scale,
                                            y / layout->device_scale);
        if (reference->box_of_pixel[x] != PV_NODE_NONE) {
            g_assert_cmpuint (hit, ==, reference->box_of_pixel[x]);
            n_painted++;
        } else if (reference->run_first[x] != PV_NODE_NONE) {
            g_assert_cmpuint (hit, !=, PV_NODE_NONE);
            g_assert_true (
                is_heaviest (layout, hit, reference->run_first[x], reference->run_last[x], x));
            n_painted++;
        } else {
            g_assert_cmpuint (hit, ==, PV_NODE_NONE);
        }
    }
    return n_painted;
}

static void
compare_view (const PvCallTree *tree, const PvFlameView *view)
{
    PvFlameLayout layout;
    pv_flame_layout_init (&layout, tree, view, ROW);
    Reference reference = {.width = (int)layout.width};
    reference.box_of_pixel = g_new (PvNodeId, reference.width);
    reference.run_first = g_new (PvNodeId, reference.width);
    reference.run_last = g_new (PvNodeId, reference.width);
    for (uint32_t level = 0; level < layout.n_rows; level++)
        g_assert_cmpuint (compare_level (&reference, &layout, level), >, 0);
    for (uint32_t level = layout.n_rows; level < tree->n_levels; level++) {
        /* Nothing is drawn on the levels that were left out. */
        paint_level (&reference, &layout, level);
        for (int x = 0; x < reference.width; x++) {
            g_assert_cmpuint (reference.box_of_pixel[x], ==, PV_NODE_NONE);
            g_assert_cmpuint (reference.run_first[x], ==, PV_NODE_NONE);
        }
    }
    g_free (reference.box_of_pixel);
    g_free (reference.run_first);
    g_free (reference.run_last);
}

/* Hit test against the reference, over random trees, zooms, sizes and both directions. */
TEST (hit)
{
    g_autoptr (GRand) rand = g_rand_new_with_seed (11);
    for (uint32_t round = 0; round < 60; round++) {
        TestTreeOptions options = {
            .seed = round,
            .n_nodes = 1u << (3 + round % 13),
            .max_levels = 4 + round % 30,
            .max_children = round % 3 == 0 ? 40 : 4,
            .total = round % 5 == 0   ? 3000
                     : round % 5 == 1 ? UINT64_C (1) << 62
                                      : 1000000007,
        };
        g_autoptr (TestTree) tree = test_tree_random (&options);
        for (int i = 0; i < 4; i++) {
            PvNodeId zoom = i == 0 ? 0 : g_rand_int_range (rand, 0, (gint32)tree->n_nodes);
            PvFlameView view =
                view_of (tree, g_rand_int_range (rand, 30, 700), 20 * ROW * 30, zoom);
            view.is_flame = i % 2 == 1;
            view.device_scale = i == 2 ? 2 : i == 3 ? 1.25 : 1;
            if (i == 3) { /* between two zooms, as an animation is */
                view.zoom_left *= g_rand_double (rand);
                view.zoom_right += (1 - view.zoom_right) * g_rand_double (rand);
            }
            compare_view (tree, &view);
        }
    }
}

/* Boxes of a level lie side by side, snapped edges agree with exact ones, and what is neither box
 * nor run is narrower than a pixel can show. */
TEST (items_cover)
{
    for (uint32_t seed = 0; seed < 20; seed++) {
        TestTreeOptions options = {.seed = seed, .n_nodes = 20000, .max_levels = 30};
        g_autoptr (TestTree) tree = test_tree_random (&options);
        PvFlameView view = view_of (tree, 500, 2000, 0);
        PvFlameLayout layout;
        pv_flame_layout_init (&layout, tree, &view, ROW);
        for (uint32_t level = 0; level < tree->n_levels; level++) {
            PvFlameIter iter;
            PvFlameItem item;
            int box_end = 0;
            PvNodeId next = tree->level_start[level];
            pv_flame_iter_init (&iter, &layout, level, 0);
            while (pv_flame_iter_next (&iter, &item)) {
                double hidden = 0;
                for (; next < item.first; next++)
                    hidden += pv_flame_layout_right (&layout, next) -
                              pv_flame_layout_left (&layout, next);
                g_assert_cmpfloat (hidden, <, 1);
                next = item.last + 1;
                g_assert_cmpint (item.left, <, item.right);
                g_assert_cmpint (item.right, <=, 500);
                g_assert_cmpint (item.left, >=, box_end);
                if (item.is_run) {
                    g_assert_true (item.left <= item.exact_left || item.left == box_end);
                    g_assert_cmpfloat (item.right + 1, >=, item.exact_right);
                } else {
                    g_assert_cmpfloat (fabs (item.left - item.exact_left), <=, 0.5);
                    box_end = item.right;
                }
            }
        }
    }
}

TEST (boxes)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A;B;C 50\nA;B;D 25\nA;E 25\nF 100\n");
    /* Level order: all; F A; B E; C D */
    PvFlameView view = view_of (tree, 400, 100, 0);
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    cairo_rectangle_t box;
    view.row_height = 20;

    g_assert_cmpfloat (pv_flame_get_full_height (painter, tree, &view), ==, 80);
    g_assert_true (pv_flame_get_box (painter, tree, &view, 0, &box));
    g_assert_cmpfloat (box.width, ==, 400);
    g_assert_cmpfloat (box.y, ==, 0);
    g_assert_true (pv_flame_get_box (painter, tree, &view, 4, &box));
    g_assert_cmpfloat (box.width, ==, 50);
    g_assert_cmpfloat (box.x, ==, tree->left[4] * 2.0);
    g_assert_cmpfloat (box.y, ==, 40);
    g_assert_cmpfloat (box.height, ==, 20);
    g_assert_false (pv_flame_get_box (painter, tree, &view, 7, &box));

    view.is_flame = true;
    g_assert_true (pv_flame_get_box (painter, tree, &view, 0, &box));
    g_assert_cmpfloat (box.y, ==, 80);
    g_assert_cmpuint (pv_flame_hit (painter, tree, &view, 10, 99), ==, 0);
    g_assert_cmpuint (pv_flame_hit (painter, tree, &view, 10, 19), ==, PV_NODE_NONE);
    g_assert_cmpuint (pv_flame_hit (painter, tree, &view, 10, 100), ==, PV_NODE_NONE);
    g_assert_cmpuint (pv_flame_hit (painter, tree, &view, -1, 99), ==, PV_NODE_NONE);
    g_assert_cmpuint (pv_flame_hit (painter, tree, &view, 400, 99), ==, PV_NODE_NONE);
    view.height = 60; /* less than all: scrolled to the root */
    view.scroll_y = 20;
    g_assert_cmpuint (pv_flame_hit (painter, tree, &view, 10, 59), ==, 0);

    /* Zoomed: the node and its callers across the whole width, its siblings gone. */
    view = view_of (tree, 400, 100, 4);
    for (PvNodeId node = 4; node != PV_NODE_NONE; node = tree->parent_of_node[node]) {
        g_assert_true (pv_flame_get_box (painter, tree, &view, node, &box));
        g_assert_cmpfloat (box.x, ==, 0);
        g_assert_cmpfloat (box.width, ==, 400);
    }
    g_assert_false (pv_flame_get_box (painter, tree, &view, 3, &box));
}

TEST (move)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A;B;C 50\nA;B;D 25\nA;E 24\nA;T 1\nF 100\n");
    PvFlameView view = view_of (tree, 100, 100, 0);
    PvNodeId a = 1, f = 2;
    if (tree->first_child[a] == tree->first_child[a + 1]) {
        a = 2;
        f = 1;
    }
    PvNodeId b = tree->first_child[a], e = b + 1, t = b + 2;

    g_assert_cmpuint (pv_flame_move (tree, &view, 0, PV_MOVE_PARENT), ==, 0);
    g_assert_cmpuint (pv_flame_move (tree, &view, b, PV_MOVE_PARENT), ==, a);
    g_assert_cmpuint (pv_flame_move (tree, &view, a, PV_MOVE_CHILD), ==, b);
    g_assert_cmpuint (pv_flame_move (tree, &view, f, PV_MOVE_CHILD), ==, f);
    g_assert_cmpuint (pv_flame_move (tree, &view, b, PV_MOVE_RIGHT), ==, e);
    g_assert_cmpuint (pv_flame_move (tree, &view, e, PV_MOVE_LEFT), ==, b);
    g_assert_cmpuint (pv_flame_move (tree, &view, e, PV_MOVE_RIGHT), ==, e); /* t is too narrow */
    view.width = 400;
    g_assert_cmpuint (pv_flame_move (tree, &view, e, PV_MOVE_RIGHT), ==, t);
    g_assert_cmpuint (pv_flame_move (tree, &view, t, PV_MOVE_RIGHT), ==, t);
    g_assert_cmpuint (pv_flame_move (tree, &view, a, PV_MOVE_LEFT), ==, a < f ? a : f);
    /* Inside a zoom only what is visible is reached. */
    view = view_of (tree, 400, 100, e);
    g_assert_cmpuint (pv_flame_move (tree, &view, a, PV_MOVE_CHILD), ==, e);
    g_assert_cmpuint (pv_flame_move (tree, &view, e, PV_MOVE_LEFT), ==, e);
    g_assert_cmpuint (pv_flame_move (tree, &view, UINT32_MAX, PV_MOVE_LEFT), ==, UINT32_MAX);
}

/* The neighbour to the right, or to the left, found by looking at every node. */
static PvNodeId
slow_move (const PvCallTree *tree, const PvFlameLayout *layout, PvNodeId from, int step)
{
    uint32_t level = pv_call_tree_get_level (tree, from);
    for (PvNodeId node = from + (PvNodeId)step;
         node >= tree->level_start[level] && node < tree->level_start[level + 1];
         node += (PvNodeId)step) {
        double left = MAX (pv_flame_layout_left (layout, node), 0);
        double right = MIN (pv_flame_layout_right (layout, node), layout->width);
        if (right - left >= 1 - 1e-9)
            return node;
    }
    return from;
}

static PvNodeId
slow_match (const PvCallTree *tree, const bool *is_match, uint64_t least, PvNodeId from, int step)
{
    for (uint32_t i = 1; i <= tree->n_nodes; i++) {
        PvNodeId node = (PvNodeId)(((int64_t)from + tree->n_nodes + (int64_t)i * step) %
                                   (int64_t)tree->n_nodes);
        if (node != 0 && is_match[tree->function_of_node[node]] && tree->total[node] >= least)
            return node;
    }
    return PV_NODE_NONE;
}

/* Among very many narrow nodes. */
TEST (wide_levels)
{
    TestTreeOptions options = {
        .seed = 4, .n_nodes = 30000, .max_levels = 12, .max_children = 60, .total = 1000000};
    g_autoptr (TestTree) tree = test_tree_random (&options);
    PvFlameView view = view_of (tree, 300, 100, 0);
    PvFlameLayout layout;
    g_autoptr (GRand) rand = g_rand_new_with_seed (1);
    g_autofree bool *is_match = g_new0 (bool, tree->symbols->n_functions);
    unsigned n_found = 0;

    pv_flame_layout_init (&layout, tree, &view, ROW);
    is_match[5] = is_match[9] = true;
    for (int i = 0; i < 1500; i++) {
        PvNodeId node = (PvNodeId)g_rand_int_range (rand, 1, (gint32)tree->n_nodes);
        uint64_t least = (uint64_t)1 << g_rand_int_range (rand, 0, 21);
        int step = i % 2 == 0 ? 1 : -1;
        PvNodeId match = pv_flame_find_match (tree, is_match, least, node, step > 0);
        g_assert_cmpuint (match, ==, slow_match (tree, is_match, least, node, step));
        n_found += match != PV_NODE_NONE;
        g_assert_cmpuint (
            pv_flame_move (tree, &view, node, step > 0 ? PV_MOVE_RIGHT : PV_MOVE_LEFT), ==,
            slow_move (tree, &layout, node, step));
    }
    g_assert_cmpuint (n_found, >, 500);
    g_assert_cmpuint (n_found, <, 1500);
}

/* Fractions cannot name single weights out of 2^62; the zoomed node can. */
TEST (deep_zoom)
{
    TestTreeOptions options = {
        .seed = 3, .n_nodes = 200000, .max_levels = 200, .total = UINT64_C (1) << 62};
    g_autoptr (TestTree) tree = test_tree_random (&options);
    for (PvNodeId node = tree->n_nodes - 1; node > tree->n_nodes - 200; node--) {
        PvFlameView view = view_of (tree, 1000, 10000, node);
        PvFlameLayout layout;
        cairo_rectangle_t box;
        pv_flame_layout_init (&layout, tree, &view, ROW);
        g_assert_true (pv_flame_layout_box (&layout, node, &box));
        g_assert_cmpfloat (box.x, ==, 0);
        g_assert_cmpfloat (box.width, ==, 1000);
        uint32_t level = pv_call_tree_get_level (tree, node);
        g_assert_cmpuint (pv_flame_layout_hit (&layout, 500, level * ROW + ROW / 2), ==, node);
    }
}

TEST (nonsense_views)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A;B 5\nC 3\n");
    const double numbers[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e-300, 0.5, 1, 1e300};
    for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
        for (size_t j = 0; j < G_N_ELEMENTS (numbers); j++)
            for (int field = 0; field < 3; field++) {
                PvFlameView view = view_of (tree, 100, 100, 0);
                PvFlameLayout layout;
                cairo_rectangle_t box;
                if (field == 0) {
                    view.zoom_left = numbers[i];
                    view.zoom_right = numbers[j];
                } else if (field == 1) {
                    view.width = numbers[i];
                    view.height = numbers[j];
                } else {
                    view.scroll_y = numbers[i];
                    view.device_scale = numbers[j];
                }
                view.zoom_node = 77;
                pv_flame_layout_init (&layout, tree, &view, ROW);
                pv_flame_layout_hit (&layout, numbers[i], numbers[j]);
                pv_flame_layout_hit (&layout, 1, 1);
                pv_flame_layout_box (&layout, 1, &box);
                for (int move = 0; move < 4; move++)
                    pv_flame_move (tree, &view, 1, (PvFlameMove)move);
            }
}
