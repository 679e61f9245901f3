/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "../cases.h"
#include "render/flame/flame-range.h"
#include "tree-maker.h"
#include "views.h"

static PvCallTree *
make_tree (uint32_t seed)
{
    TestTreeOptions options = {
        .seed = seed, .n_nodes = 5000, .max_levels = 20, .total = UINT64_C (1) << (10 + seed % 50)};
    return test_tree_random (&options);
}

static void
assert_inside (const PvCallTree *tree, const PvFlameRange *range)
{
    g_assert_cmpuint (range->node, <, tree->n_nodes);
    g_assert_cmpfloat (range->start, >=, 0);
    g_assert_cmpfloat (range->end, <=, 1);
    g_assert_cmpfloat (range->start, <, range->end);
}

/* Zooming at a point keeps what is there, and is undone by zooming back, whatever node it is in. */
TEST (zoom)
{
    g_autoptr (GRand) rand = g_rand_new_with_seed (1);
    for (uint32_t i = 0; i < 400; i++) {
        g_autoptr (TestTree) tree = make_tree (i % 20);
        PvNodeId node = (PvNodeId)g_rand_int_range (rand, 0, (gint32)tree->n_nodes);
        PvFlameRange range = {tree->total[node] > 1 ? node : 0, 0, 1};
        double left, right, left_now, right_now;
        double at = g_rand_double (rand), factor = g_rand_double_range (rand, 0.55, 0.99);
        pv_flame_range_get (&range, tree, &left, &right);
        pv_flame_range_zoom (&range, tree, at, factor);
        pv_flame_range_get (&range, tree, &left_now, &right_now);
        assert_inside (tree, &range);
        g_assert_cmpfloat (
            fabs (left + at * (right - left) - (left_now + at * (right_now - left_now))), <,
            1e-9 * (right - left) + 1e-15);
        g_assert_cmpfloat (fabs ((right_now - left_now) / (right - left) - factor), <, 1e-6);
        pv_flame_range_zoom (&range, tree, at, 1 / factor);
        pv_flame_range_get (&range, tree, &left_now, &right_now);
        assert_inside (tree, &range);
        g_assert_cmpfloat (fabs (left - left_now), <, 1e-6 * (right - left) + 1e-15);
        /* Further out, the callers: in the end everything. */
        for (int j = 0; j < 300; j++) {
            pv_flame_range_zoom (&range, tree, at, 1.3);
            assert_inside (tree, &range);
        }
        g_assert_cmpuint (range.node, ==, 0);
        g_assert_cmpfloat (range.start, ==, 0);
        g_assert_cmpfloat (range.end, ==, 1);
    }
}

/* Zooming in ends, at half of the least weight. */
TEST (limit)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A;B 50\nC 50\n");
    PvFlameRange range = {0, 0, 1};
    for (int i = 0; i < 1000; i++)
        pv_flame_range_zoom (&range, tree, 0.3, 0.5);
    g_assert_cmpfloat (fabs ((range.end - range.start) * 100 - 0.5), <, 1e-6);
}

/* Panning keeps the width, leaves a node for its caller, and ends at the edges of the picture. */
TEST (pan)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A;B 40\nA;C 20\nD 40\n");
    PvNodeId b = tree->first_child[1];
    PvFlameRange range = {b, 0.5, 1};
    double left, right;

    pv_flame_range_pan (&range, tree, -0.5);
    g_assert_cmpuint (range.node, ==, b);
    g_assert_cmpfloat (range.start, ==, 0.25);
    pv_flame_range_pan (&range, tree, 1);
    g_assert_cmpuint (range.node, ==, tree->parent_of_node[b]);
    pv_flame_range_get (&range, tree, &left, &right);
    g_assert_cmpfloat (fabs (right - left - 0.2), <, 1e-12);
    g_assert_cmpfloat (fabs (left - 0.3), <, 1e-12);
    pv_flame_range_pan (&range, tree, 100);
    g_assert_cmpuint (range.node, ==, 0);
    g_assert_cmpfloat (range.end, ==, 1);
    g_assert_cmpfloat (fabs (range.start - 0.8), <, 1e-12);
    pv_flame_range_pan (&range, tree, -100);
    g_assert_cmpfloat (range.start, ==, 0);
}

/* After a click on a bundle its nodes fill the view, and are boxes if there is room for them. */
TEST (bundle)
{
    unsigned n_opened = 0;
    for (uint32_t seed = 0; seed < 30; seed++) {
        g_autoptr (TestTree) tree = make_tree (seed);
        g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
        PvFlameView view = flame_view_of (600, 2000);
        PvFlameBundle bundle, inner;
        view.row_height = 20;
        for (int x = 0; x < 600; x += 7)
            for (uint32_t level = 1; level < tree->n_levels; level += 2) {
                PvFlameRange range;
                view.zoom_left = view.zoom_node = 0;
                view.zoom_right = 1;
                if (!pv_flame_find_bundle (painter, tree, &view, x + 0.5, level * 20 + 5, &bundle))
                    continue;
                range = pv_flame_range_of_bundle (tree, &bundle);
                assert_inside (tree, &range);
                pv_flame_range_get (&range, tree, &view.zoom_left, &view.zoom_right);
                double total = (double)tree->total[0];
                g_assert_cmpfloat (fabs (view.zoom_left * total - (double)tree->left[bundle.first]),
                                   <, 1e-6 * total * (view.zoom_right - view.zoom_left));
                n_opened++;
                if (bundle.last - bundle.first < 100 &&
                    pv_flame_find_bundle (painter, tree, &view, 300.5, level * 20 + 5, &inner))
                    g_assert_true (inner.first > bundle.first || inner.last < bundle.last);
            }
    }
    g_assert_cmpuint (n_opened, >, 100);
}

TEST (nonsense)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A;B 5\nC 3\n");
    const double numbers[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e-300, 0.5, 1, 1e300};
    for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
        for (size_t j = 0; j < G_N_ELEMENTS (numbers); j++) {
            PvFlameRange range = {0, 0.25, 0.5};
            pv_flame_range_zoom (&range, tree, numbers[i], numbers[j]);
            assert_inside (tree, &range);
            pv_flame_range_pan (&range, tree, numbers[i]);
            assert_inside (tree, &range);
            range = pv_flame_range_make (tree, 1, numbers[i], numbers[j]);
            assert_inside (tree, &range);
        }
}

/* The same nodes with other weights, for one side of a comparison; a part of them has none. */
static PvCallTree
make_side (const PvCallTree *tree, GRand *rand, double missing)
{
    PvCallTree side = *tree;
    uint64_t *self = g_new0 (uint64_t, tree->n_nodes), *total = g_new0 (uint64_t, tree->n_nodes);
    uint64_t *left = g_new0 (uint64_t, tree->n_nodes);
    for (PvNodeId node = tree->n_nodes; node-- > 0;) {
        bool is_missing = node != 0 && g_rand_double (rand) < missing;
        self[node] = is_missing ? 0 : (uint64_t)g_rand_int_range (rand, 1, 1000);
        total[node] += self[node];
        if (node != 0)
            total[tree->parent_of_node[node]] += total[node];
    }
    for (PvNodeId node = 0; node < tree->n_nodes; node++)
        for (PvNodeId child = tree->first_child[node]; child < tree->first_child[node + 1]; child++)
            left[child] =
                child == tree->first_child[node] ? left[node] : left[child - 1] + total[child - 1];
    side.self = self;
    side.total = total;
    side.left = left;
    return side;
}

static void
side_clear (PvCallTree *side)
{
    g_free ((void *)side->self);
    g_free ((void *)side->total);
    g_free ((void *)side->left);
}

/* Whole nodes stay whole; what begins in the middle of a box does so on the other side; and what
 * was carried there comes back. */
TEST (carry)
{
    g_autoptr (GRand) rand = g_rand_new_with_seed (7);
    for (uint32_t i = 0; i < 300; i++) {
        g_autoptr (TestTree) tree = make_tree (i % 20);
        PvCallTree base = make_side (tree, rand, 0), newer = make_side (tree, rand, 0);
        PvNodeId outer = 0, inner = (PvNodeId)g_rand_int_range (rand, 1, (gint32)tree->n_nodes);
        PvFlameRange range = {inner, 0, 1};
        double left, right, middle, width;
        g_assert_true (pv_flame_range_carry (&range, &base, &newer));
        g_assert_true (range.node == inner && range.start == 0 && range.end == 1);
        /* From a box to the right edge of everything. */
        middle = (double)base.left[inner];
        width = (double)base.total[outer];
        range = (PvFlameRange){outer, middle / width, 1};
        g_assert_true (pv_flame_range_carry (&range, &base, &newer));
        g_assert_cmpfloat (fabs (range.start * (double)newer.total[0] - (double)newer.left[inner]),
                           <, 1e-9 * (double)newer.total[0]);
        g_assert_cmpfloat (range.end, ==, 1);
        /* There and back. */
        left = g_rand_double (rand) * 0.5;
        right = left + 0.1 + g_rand_double (rand) * 0.4;
        range = (PvFlameRange){outer, left, right};
        g_assert_true (pv_flame_range_carry (&range, &base, &newer));
        assert_inside (tree, &range);
        g_assert_true (pv_flame_range_carry (&range, &newer, &base));
        g_assert_cmpfloat (fabs (range.start - left), <, 1e-9);
        g_assert_cmpfloat (fabs (range.end - right), <, 1e-9);
        side_clear (&base);
        side_clear (&newer);
    }
}

/* A range without width on the other side is not there, nor is a node. Next to them, a range ends
 * where they begin. */
TEST (carry_missing)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A 50\nB 30\nC 20\n");
    PvCallTree side = *tree;
    const uint64_t total[] = {70, 50, 0, 20}, left[] = {0, 0, 50, 50};
    PvFlameRange range = {2, 0, 1};
    side.total = side.self = total;
    side.left = left;
    g_assert_cmpuint (tree->total[2], ==, 30);
    g_assert_false (pv_flame_range_carry (&range, tree, &side));
    range = (PvFlameRange){0, 0.55, 0.75};
    g_assert_false (pv_flame_range_carry (&range, tree, &side));
    range = (PvFlameRange){0, 0.25, 0.75};
    g_assert_true (pv_flame_range_carry (&range, tree, &side));
    g_assert_cmpfloat (fabs (range.start - 25.0 / 70), <, 1e-12);
    g_assert_cmpfloat (fabs (range.end - 50.0 / 70), <, 1e-12);
    /* Back: up to where A ends, and from where C begins. */
    range = (PvFlameRange){0, 0, 50.0 / 70};
    g_assert_true (pv_flame_range_carry (&range, &side, tree));
    g_assert_cmpfloat (fabs (range.end - 0.5), <, 1e-12);
    range = (PvFlameRange){0, 50.0 / 70, 1};
    g_assert_true (pv_flame_range_carry (&range, &side, tree));
    g_assert_cmpfloat (fabs (range.start - 0.8), <, 1e-12);
    /* Nor is it counted. */
    side.has_weightless = true;
    g_assert_cmpuint (pv_flame_bundle_count (&side, &(PvFlameBundle){1, 3}), ==, 2);
    g_assert_cmpuint (pv_flame_bundle_count (tree, &(PvFlameBundle){1, 3}), ==, 3);
}

/* The boxes of each side are as wide together as all that the side has, and none overlap. */
TEST (side_boxes)
{
    g_autoptr (GRand) rand = g_rand_new_with_seed (9);
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    for (uint32_t seed = 0; seed < 20; seed++) {
        g_autoptr (TestTree) tree = make_tree (seed);
        PvCallTree side = make_side (tree, rand, 0.5);
        PvFlameView view = flame_view_of (1000, 2000);
        view.row_height = 20;
        for (uint32_t level = 0; level < side.n_levels; level++) {
            double sum = 0, end = 0;
            for (PvNodeId node = side.level_start[level]; node < side.level_start[level + 1];
                 node++) {
                cairo_rectangle_t box;
                double width = 1000 * (double)side.total[node] / (double)side.total[0];
                if (width < 2)
                    continue;
                g_assert_true (pv_flame_get_box (painter, &side, &view, node, &box));
                g_assert_cmpfloat (box.x, >=, end);
                g_assert_cmpfloat (fabs (box.width - width), <=, 1);
                end = box.x + box.width;
                sum += box.width;
            }
            g_assert_cmpfloat (end, <=, 1000);
            g_assert_cmpfloat (level == 0 ? fabs (sum - 1000) : sum - 1000, <=, 0);
        }
        side_clear (&side);
    }
}
