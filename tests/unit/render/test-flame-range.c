/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "render/flame/flame-range.h"
#include "tree-maker.h"

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
static void
test_zoom (void)
{
    GRand *rand = g_rand_new_with_seed (1);
    for (uint32_t i = 0; i < 400; i++) {
        PvCallTree *tree = make_tree (i % 20);
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
        test_tree_free (tree);
    }
    g_rand_free (rand);
}

/* Zooming in ends, at half of the least weight. */
static void
test_limit (void)
{
    PvCallTree *tree = test_tree_from_text ("A;B 50\nC 50\n");
    PvFlameRange range = {0, 0, 1};
    for (int i = 0; i < 1000; i++)
        pv_flame_range_zoom (&range, tree, 0.3, 0.5);
    g_assert_cmpfloat (fabs ((range.end - range.start) * 100 - 0.5), <, 1e-6);
    test_tree_free (tree);
}

/* Panning keeps the width, leaves a node for its caller, and ends at the edges of the picture. */
static void
test_pan (void)
{
    PvCallTree *tree = test_tree_from_text ("A;B 40\nA;C 20\nD 40\n");
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
    test_tree_free (tree);
}

/* After a click on a bundle its nodes fill the view, and are boxes if there is room for them. */
static void
test_bundle (void)
{
    unsigned n_opened = 0;
    for (uint32_t seed = 0; seed < 30; seed++) {
        PvCallTree *tree = make_tree (seed);
        PvFlamePainter *painter = pv_flame_painter_new (NULL);
        PvFlameView view;
        PvFlameBundle bundle, inner;
        pv_flame_view_init (&view);
        view.width = 600;
        view.height = 2000;
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
        pv_flame_painter_free (painter);
        test_tree_free (tree);
    }
    g_assert_cmpuint (n_opened, >, 100);
}

static void
test_nonsense (void)
{
    PvCallTree *tree = test_tree_from_text ("A;B 5\nC 3\n");
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
    test_tree_free (tree);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/flame-range/zoom", test_zoom);
    g_test_add_func ("/flame-range/limit", test_limit);
    g_test_add_func ("/flame-range/pan", test_pan);
    g_test_add_func ("/flame-range/bundle", test_bundle);
    g_test_add_func ("/flame-range/nonsense", test_nonsense);
    return g_test_run ();
}
