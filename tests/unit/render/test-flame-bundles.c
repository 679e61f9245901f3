/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which narrow boxes are drawn as one, against a reference that looks at every node, and what that
 * looks like.
 */
#include <math.h>
#include <string.h>

#include "../cases.h"
#include "render/flame/flame-graph-private.h"
#include "tree-maker.h"
#include "views.h"

static void
draw (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view)
{
    cairo_surface_destroy (pv_flame_draw_image (painter, tree, view));
}

static bool
is_wide (const PvFlameLayout *layout, PvNodeId node)
{
    return pv_flame_layout_right (layout, node) - pv_flame_layout_left (layout, node) >=
           2 * layout->device_scale;
}

static PvNodeId
find_wide (const PvFlameLayout *layout, PvNodeId node)
{
    do
        node = node != 0 ? layout->tree->parent_of_node[node] : 0;
    while (node != 0 && !is_wide (layout, node));
    return node;
}

static uint32_t
level_of_top (const PvFlameLayout *layout, int top)
{
    for (uint32_t level = 0; level < layout->tree->n_levels; level++)
        if ((int)pv_flame_layout_row_top (layout, level) == top)
            return level;
    g_assert_not_reached ();
}

/* All nodes of a bundle are narrow, on one level, and below the same wide box; none is alone. */
static void
check_bundles (const PvFlamePainter *painter)
{
    const PvFlameLayout *layout = &painter->drawn;
    for (size_t i = 0; i < painter->bundles.len; i++) {
        const PvFlameBundleBox *bundle = &painter->bundles.data[i];
        PvNodeId first = bundle->nodes.first, last = bundle->nodes.last;
        uint32_t level = level_of_top (layout, bundle->top);
        PvNodeId wide = find_wide (layout, first);
        g_assert_cmpuint (first, <, last);
        g_assert_cmpint (bundle->left, <, bundle->right);
        g_assert_cmpuint (first, >=, layout->tree->level_start[level]);
        g_assert_cmpuint (last, <, layout->tree->level_start[level + 1]);
        g_assert_cmpfloat (bundle->left, >=, pv_flame_layout_left (layout, first) - 1.001);
        g_assert_cmpfloat (bundle->right, <=, pv_flame_layout_right (layout, last) + 1.001);
        for (PvNodeId node = first; node <= last; node++) {
            g_assert_false (is_wide (layout, node));
            g_assert_cmpuint (find_wide (layout, node), ==, wide);
        }
        if (i == 0 || bundle[-1].top != bundle->top)
            continue;
        g_assert_cmpint (bundle[-1].right, <=, bundle->left);
        g_assert_cmpuint (bundle[-1].nodes.last, <, first);
    }
}

/* Each node outside of bundles has one box, unless it is too narrow to be seen. */
static void
check_nodes (const PvFlamePainter *painter)
{
    const PvFlameLayout *layout = &painter->drawn;
    const PvCallTree *tree = layout->tree;
    g_autofree uint8_t *n_drawn = g_new0 (uint8_t, tree->n_nodes);
    for (size_t i = 0; i < painter->boxes.len; i++)
        n_drawn[painter->boxes.data[i].node]++;
    for (size_t i = 0; i < painter->bundles.len; i++)
        for (PvNodeId node = painter->bundles.data[i].nodes.first;
             node <= painter->bundles.data[i].nodes.last; node++)
            n_drawn[node]++;
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        double left = MAX (pv_flame_layout_left (layout, node), 0);
        double right = MIN (pv_flame_layout_right (layout, node), layout->width);
        g_assert_cmpuint (n_drawn[node], <=, 1);
        if (right - left >= 1)
            g_assert_cmpuint (n_drawn[node], ==, 1);
    }
}

/* Two narrow boxes side by side, below the same wide box, are not two. */
static uint32_t
check_neighbours (const PvFlamePainter *painter)
{
    const PvFlameLayout *layout = &painter->drawn;
    uint32_t n_alone = 0;
    for (size_t i = 0; i < painter->boxes.len; i++) {
        const PvFlameBox *box = &painter->boxes.data[i];
        n_alone += !is_wide (layout, box->node);
        if (i == 0 || box[-1].top != box->top || box[-1].node + 1 != box->node ||
            is_wide (layout, box->node) || is_wide (layout, box[-1].node))
            continue;
        g_assert_true (find_wide (layout, box->node) != find_wide (layout, box[-1].node) ||
                       box->left - box[-1].right > 2 * layout->device_scale);
    }
    return n_alone;
}

static void
zoom_to (PvFlameView *view, const PvCallTree *tree, PvNodeId node)
{
    double total = (double)tree->total[0];
    view->zoom_node = node;
    view->zoom_left = (double)tree->left[node] / total;
    view->zoom_right = (double)(tree->left[node] + tree->total[node]) / total;
}

TEST (reference)
{
    g_autoptr (GRand) rand = g_rand_new_with_seed (3);
    uint64_t n_bundles = 0, n_alone = 0;
    for (uint32_t round = 0; round < 40; round += pv_test_step (3)) {
        TestTreeOptions options = {
            .seed = round,
            .n_nodes = 1u << (3 + round % 13),
            .max_levels = 4 + round % 30,
            .max_children = round % 3 == 0 ? 40 : 4,
            .total = round % 2 == 0 ? 3000 : 1000000007,
        };
        g_autoptr (TestTree) tree = test_tree_random (&options);
        g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
        for (int i = 0; i < 4; i++) {
            PvFlameView view = flame_view_of (g_rand_int_range (rand, 30, 700), 4000);
            view.is_flame = i % 2 == 1;
            view.device_scale = i == 2 ? 2 : 1;
            if (i > 0 && tree->total[0] > 0)
                zoom_to (&view, tree, (PvNodeId)g_rand_int_range (rand, 0, (gint32)tree->n_nodes));
            draw (painter, tree, &view);
            check_bundles (painter);
            check_nodes (painter);
            n_alone += check_neighbours (painter);
            n_bundles += painter->bundles.len;
        }
    }
    g_assert_cmpuint (n_bundles, >, 1000);
    g_assert_cmpuint (n_alone, >, 50);
}

/* The drawing does not depend on the rows that are scrolled out of view. */
TEST (scrolled)
{
    TestTreeOptions options = {.seed = 5, .n_nodes = 30000, .max_levels = 40, .max_children = 9};
    g_autoptr (TestTree) tree = test_tree_random (&options);
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    PvFlameView view = flame_view_of (600, 2000);
    view.row_height = 20;
    draw (painter, tree, &view);
    size_t n = painter->bundles.len, n_found = 0;
    g_autofree PvFlameBundleBox *all = g_memdup2 (painter->bundles.data, n * sizeof *all);
    view.height = 100;
    view.scroll_y = 200;
    draw (painter, tree, &view);
    for (size_t i = 0; i < n; i++) {
        PvFlameBundle found;
        double x = all[i].left + 0.5, y = all[i].top - 200 + 5;
        bool is_there = pv_flame_find_bundle (painter, tree, &view, x, y, &found);
        g_assert_cmpint (is_there, ==, y >= 0 && y < 100);
        if (!is_there)
            continue;
        g_assert_cmpuint (found.first, ==, all[i].nodes.first);
        g_assert_cmpuint (found.last, ==, all[i].nodes.last);
        n_found++;
    }
    g_assert_cmpuint (n_found, >, 20);
}

/* Boxes below the least share are bundled, however wide they are. */
TEST (least_share)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A;B 50\nA;C 30\nD 8\nE 6\nF 6\n");
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    PvFlameView view = flame_view_of (1000, 100);
    PvFlameBundle bundle;
    view.row_height = 20;
    g_assert_false (pv_flame_find_bundle (painter, tree, &view, 990, 30, &bundle));
    view.least_share = 0.07;
    g_assert_true (pv_flame_find_bundle (painter, tree, &view, 990, 30, &bundle));
    g_assert_cmpuint (pv_flame_bundle_count (tree, &bundle), ==, 2);
    g_assert_false (pv_flame_find_bundle (painter, tree, &view, 850, 30, &bundle));
    view.least_share = 0.1;
    g_assert_true (pv_flame_find_bundle (painter, tree, &view, 850, 30, &bundle));
    g_assert_cmpuint (pv_flame_bundle_count (tree, &bundle), ==, 3);
    /* It is a share of the view: with room enough they are boxes again. */
    view.zoom_left = 0.8;
    g_assert_false (pv_flame_find_bundle (painter, tree, &view, 990, 30, &bundle));
}

/* A wide box, and right of it 200 that are too narrow; below some of these others. */
static PvCallTree *
make_tree (void)
{
    g_autoptr (GString) text = g_string_new ("A 100000\n");
    for (int i = 0; i < 200; i++)
        g_string_append_printf (text, "B%d%s 10\n", i, i % 3 == 0 ? ";C;D" : "");
    return test_tree_from_text (text->str);
}

TEST (figures)
{
    g_autoptr (TestTree) tree = make_tree ();
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    PvFlameView view = flame_view_of (3000, 100);
    PvFlameBundle bundle;
    cairo_rectangle_t box;
    view.row_height = 20;

    g_assert_true (pv_flame_find_bundle (painter, tree, &view, 2980, 30, &bundle));
    g_assert_cmpuint (pv_flame_bundle_count (tree, &bundle), ==, 200);
    g_assert_cmpuint (pv_flame_bundle_weigh (tree, &bundle), ==, 2000);
    assert_string (pv_flame_bundle_format (tree, &bundle), "200 small functions");
    g_assert_true (pv_flame_get_box (painter, tree, &view, bundle.first, &box));
    g_assert_cmpuint (pv_flame_hit (painter, tree, &view, 2980, 30), >=, bundle.first);
    /* The nodes below a bundle are one, too. */
    g_assert_true (pv_flame_find_bundle (painter, tree, &view, box.x + 5, 50, &bundle));
    g_assert_cmpuint (pv_flame_bundle_count (tree, &bundle), ==, 67);
    g_assert_false (pv_flame_find_bundle (painter, tree, &view, 100, 30, &bundle));
    g_assert_false (pv_flame_find_bundle (painter, tree, &view, 2980, 10, &bundle));
    g_assert_false (pv_flame_find_bundle (painter, tree, &view, 2980, 95, &bundle));
    g_assert_false (pv_flame_find_bundle (painter, tree, &view, NAN, INFINITY, &bundle));
    /* With room enough there is none. */
    zoom_to (&view, tree, 0);
    view.zoom_left = 100000.0 / 102000;
    view.zoom_right = 1;
    g_assert_false (pv_flame_find_bundle (painter, tree, &view, 1500, 30, &bundle));
}

static uint32_t
pixel (cairo_surface_t *image, int x, int y)
{
    uint32_t value;
    memcpy (&value,
            cairo_image_surface_get_data (image) + y * cairo_image_surface_get_stride (image) +
                4 * x,
            4);
    return value & 0xffffff;
}

static uint32_t
pack (PvColor color)
{
    return (uint32_t)(color.red * 255 + 0.5) << 16 | (uint32_t)(color.green * 255 + 0.5) << 8 |
           (uint32_t)(color.blue * 255 + 0.5);
}

static bool
is_color (uint32_t value, PvColor color)
{
    uint32_t expected = pack (color);
    for (int shift = 0; shift < 24; shift += 8)
        if (ABS ((int)(value >> shift & 255) - (int)(expected >> shift & 255)) > 1)
            return false;
    return true;
}

/* Nothing but ground and stripes, which slant; the colours are those of no box. */
TEST (hatch)
{
    g_autoptr (TestTree) tree = make_tree ();
    for (int variant = 0; variant < 8; variant++) {
        g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
        PvFlameView view = flame_view_of (2000, 100);
        unsigned n_grounds = 0, n_stripes = 0;
        view.is_dark = (variant & 1) != 0;
        view.is_high_contrast = (variant & 2) != 0;
        view.device_scale = variant & 4 ? 2 : 1;
        view.row_height = 20;
        g_autoptr (cairo_surface_t) image = pv_flame_draw_image (painter, tree, &view);
        const PvFlameBundleBox *bundle = &painter->bundles.data[0];
        const PvHatch *hatch = &painter->palette.hatch;
        int height = (int)painter->drawn.row_height - 1;
        g_assert_cmpint (bundle->right - bundle->left, <, 60 * view.device_scale); /* no text */
        for (int y = 1; y < height - 1; y++)
            for (int x = bundle->left + 1; x < bundle->right - 2; x++) {
                uint32_t value = pixel (image, x, bundle->top + y);
                bool is_ground = is_color (value, hatch->ground);
                g_assert_true (is_ground || is_color (value, hatch->stripe));
                n_grounds += is_ground;
                n_stripes += !is_ground;
                if (x > bundle->left + 1 && y < height - 2)
                    g_assert_cmphex (value, ==, pixel (image, x - 1, bundle->top + y + 1));
            }
        g_assert_cmpfloat ((double)n_stripes / n_grounds, >, 0.3);
        g_assert_cmpfloat ((double)n_stripes / n_grounds, <, 0.8);
    }
}

/* A match hidden in a bundle shows. */
TEST (matches)
{
    g_autoptr (TestTree) tree = make_tree ();
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    PvFlameView view = flame_view_of (500, 100);
    g_autofree bool *is_match = g_new0 (bool, tree->symbols->n_functions);
    view.is_match = is_match;
    for (unsigned matching = 0; matching < 2; matching++) {
        is_match[tree->function_of_node[tree->level_start[2] - 7]] = matching == 1;
        g_autoptr (cairo_surface_t) image = pv_flame_draw_image (painter, tree, &view);
        g_assert_true (painter->hatch == &painter->palette.faded_hatch);
        g_assert_cmpuint (painter->matches.len, ==, matching);
        if (matching == 1) {
            const PvFlameMatch *match = &painter->matches.data[0];
            g_assert_cmpint (match->right - match->left, <=, 2);
            g_assert_true (is_color (pixel (image, match->left, match->top + 2),
                                     painter->palette.fills[PV_SHADE_MATCH_DIMMED][0]));
        }
    }
}

/* Hovering one of the nodes outlines the whole bundle. */
TEST (outline)
{
    g_autoptr (TestTree) tree = make_tree ();
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    PvFlameView view = flame_view_of (3000, 100);
    const PvFlameOutline *outlines;
    PvFlameBundle bundle;
    draw (painter, tree, &view);
    g_assert_true (pv_flame_find_bundle (painter, tree, &view, 2980,
                                         1.5 * pv_flame_painter_get_row_height (painter), &bundle));
    for (PvNodeId node = bundle.first; node <= bundle.last; node += 50) {
        g_assert_cmpuint (pv_flame_get_outlines (painter, tree, &view, node, &outlines), >=, 1);
        g_assert_cmpfloat (outlines[0].box.width, >, 50);
        g_assert_cmpfloat (outlines[0].box.x, <, 2960);
    }
}
