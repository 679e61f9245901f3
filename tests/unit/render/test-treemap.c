/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The boxes of treemaps: what is inside of what, and how large; what a point, a key and a drawing
 * make of them.
 */
#include <math.h>
#include <string.h>

#include "../cases.h"
#include "core/base/array.h"
#include "render/draw/raster.h"
#include "render/treemap/treemap-private.h"
#include "tree-maker.h"
#include "views.h"

static PvTreemapShape
shape_of (const PvCallTree *tree, int width, int height)
{
    return (PvTreemapShape){
        .tree = tree, .width = width, .height = height, .header = 20, .scale = 1};
}

static int
width_of (const PvTreemapBox *box)
{
    return box->right - box->left;
}

static int
height_of (const PvTreemapBox *box)
{
    return box->bottom - box->top;
}

static double
weight_of (const PvCallTree *tree, const PvTreemapBox *box)
{
    double weight = 0;
    if (box->kind == PV_TREEMAP_NODE)
        return (double)tree->total[box->last];
    for (PvNodeId node = box->first; node <= box->last; node++)
        weight += (double)tree->total[node];
    return weight;
}

static bool
is_below (const PvCallTree *tree, PvNodeId node, PvNodeId above)
{
    while (node != above && node != 0)
        node = tree->parent_of_node[node];
    return node == above;
}

/* Each box is inside of the one it is in, and of a node below; its area is its share. */
static void
check_places (const PvTreemapShape *shape, const PvTreemapBoxes *boxes)
{
    const PvCallTree *tree = shape->tree;
    g_autofree double *unit_of_box = g_new0 (double, boxes->len);
    for (uint32_t i = 0; i < boxes->len; i++) {
        const PvTreemapBox *box = &boxes->data[i], *parent = &boxes->data[box->parent];
        g_assert_cmpint (box->left, <, box->right);
        g_assert_cmpint (box->top, <, box->bottom);
        if (i == 0)
            continue;
        g_assert_cmpuint (box->parent, <, i);
        g_assert_true (box->left >= parent->left && box->right <= parent->right);
        g_assert_true (box->top >= parent->top && box->bottom <= parent->bottom);
        if (box->kind == PV_TREEMAP_SEGMENT || box->kind == PV_TREEMAP_HIDDEN) {
            g_assert_cmpint (box->bottom, ==, parent->top + parent->header);
            g_assert_true (is_below (tree, parent->first, box->first));
            continue;
        }
        g_assert_true (is_below (tree, box->first, parent->first));
        g_assert_cmpint (box->top, >=, parent->top + parent->header);
        /* Siblings have the same area for each of their weight, within the rounding of edges. */
        double unit = box->area / weight_of (tree, box);
        if (unit_of_box[box->parent] == 0)
            unit_of_box[box->parent] = unit;
        g_assert_cmpfloat (fabs (unit - unit_of_box[box->parent]), <=,
                           unit_of_box[box->parent] * 1e-6);
        double rounded = (double)width_of (box) * height_of (box);
        g_assert_cmpfloat (fabs (rounded - box->area), <=, width_of (box) + height_of (box) + 1);
    }
}

static void
check_overlaps (const PvTreemapBoxes *boxes)
{
    for (uint32_t i = 1; i < boxes->len; i++)
        for (uint32_t k = i + 1; k < boxes->len; k++) {
            const PvTreemapBox *a = &boxes->data[i], *b = &boxes->data[k];
            if (a->parent == b->parent)
                g_assert_true (a->right <= b->left || b->right <= a->left || a->bottom <= b->top ||
                               b->bottom <= a->top);
        }
}

TEST (places)
{
    static const int sizes[][2] = {{1000, 600}, {300, 900}, {120, 80}, {30, 30}, {9, 3}, {1, 1}};
    PvTreemapBoxes boxes = {0};
    for (uint32_t seed = 1; seed < 9; seed++) {
        TestTreeOptions options = {.seed = seed, .n_nodes = 4000, .max_children = seed * 3};
        g_autoptr (TestTree) tree = test_tree_random (&options);
        for (unsigned i = 0; i < G_N_ELEMENTS (sizes); i++) {
            PvTreemapShape shape = shape_of (tree, sizes[i][0], sizes[i][1]);
            pv_treemap_layout (&shape, &boxes);
            g_assert_cmpuint (boxes.len, >, 0);
            g_assert_cmpint (width_of (&boxes.data[0]), ==, sizes[i][0]);
            g_assert_cmpint (height_of (&boxes.data[0]), ==, sizes[i][1]);
            check_places (&shape, &boxes);
            check_overlaps (&boxes);
        }
    }
    pv_array_clear (&boxes);
}

/* The example of the paper that defines "squarified": 6, 6, 4, 3, 2, 2, 1 in 6 x 4. */
TEST (square)
{
    g_autoptr (TestTree) tree =
        test_tree_from_text ("a 600\nb 600\nc 400\nd 300\ne 200\nf 200\ng 100\n");
    PvTreemapBoxes boxes = {0};
    PvTreemapShape shape = shape_of (tree, 605, 425);
    double worst = 1;
    pv_treemap_layout (&shape, &boxes);
    g_assert_cmpuint (boxes.len, ==, 8);
    /* The inside is 600 x 402: both of six side by side at the left. */
    g_assert_cmpint (boxes.data[1].left, ==, boxes.data[2].left);
    g_assert_cmpint (boxes.data[1].right, ==, 302);
    g_assert_cmpint (boxes.data[1].bottom, ==, boxes.data[2].top);
    g_assert_cmpint (boxes.data[3].top, ==, boxes.data[4].top);
    for (uint32_t i = 1; i < boxes.len; i++) {
        double ratio = (double)width_of (&boxes.data[i]) / height_of (&boxes.data[i]);
        worst = MAX (worst, MAX (ratio, 1 / ratio));
    }
    g_assert_cmpfloat (worst, <, 3);
    pv_array_clear (&boxes);
}

/* Boxes of the same weight are as square as they can be, however many there are. */
TEST (many)
{
    g_autoptr (GString) text = g_string_new (NULL);
    PvTreemapBoxes boxes = {0};
    for (unsigned i = 0; i < 400; i++)
        g_string_append_printf (text, "f%u 10\n", i);
    g_autoptr (TestTree) tree = test_tree_from_text (text->str);
    PvTreemapShape shape = shape_of (tree, 805, 825);
    pv_treemap_layout (&shape, &boxes);
    g_assert_cmpuint (boxes.len, ==, 401);
    for (uint32_t i = 1; i < boxes.len; i++) {
        g_assert_cmpint (abs (width_of (&boxes.data[i]) - 40), <=, 2);
        g_assert_cmpint (abs (height_of (&boxes.data[i]) - 40), <=, 2);
    }
    /* In less room some, then all, are one. */
    shape = shape_of (tree, 100, 100);
    pv_treemap_layout (&shape, &boxes);
    g_assert_cmpuint (boxes.len, ==, 2);
    g_assert_cmpint (boxes.data[1].kind, ==, PV_TREEMAP_BUNDLE);
    g_assert_cmpuint (boxes.data[1].last - boxes.data[1].first, ==, 399);
    pv_array_clear (&boxes);
}

/* A box that passes on all it has shares its header; names without room are together at the left.
 */
TEST (headers)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("a;b;c;d 600\na;b;c;e 400\n");
    PvTreemapBoxes boxes = {0};
    PvTreemapShape shape = shape_of (tree, 400, 300);
    bool is_own = false;
    pv_treemap_layout (&shape, &boxes);
    /* The root, a segment for each of "all", a, b and c, and two boxes. */
    g_assert_cmpuint (boxes.len, ==, 7);
    g_assert_cmpuint (boxes.data[0].first, ==, 3);
    g_assert_cmpuint (boxes.data[0].last, ==, 0);
    for (PvNodeId node = 0; node < 4; node++) {
        const PvTreemapBox *box = &boxes.data[pv_treemap_find_node (&shape, &boxes, node, &is_own)];
        g_assert_true (is_own);
        g_assert_cmpint (box->kind, ==, PV_TREEMAP_SEGMENT);
        g_assert_cmpint (box->left, ==, (int)node * 100);
        g_assert_cmpint (box->right, ==, (int)node * 100 + 100);
        g_assert_cmpint (box->bottom, ==, 20);
    }
    shape.width = 120;
    pv_treemap_layout (&shape, &boxes);
    const PvTreemapBox *hidden = &boxes.data[pv_treemap_find_node (&shape, &boxes, 0, &is_own)];
    g_assert_cmpint (hidden->kind, ==, PV_TREEMAP_HIDDEN);
    g_assert_cmpuint (hidden->first, ==, 1);
    g_assert_cmpuint (hidden->last, ==, 0);
    g_assert_cmpint (hidden->left, ==, 0);
    g_assert_true (&boxes.data[pv_treemap_find_node (&shape, &boxes, 1, NULL)] == hidden);
    pv_array_clear (&boxes);
}

/* Hit test and boxes agree; zoomed, only what is below that node is there. */
TEST (hit)
{
    TestTreeOptions options = {.seed = 5, .n_nodes = 3000};
    g_autoptr (TestTree) tree = test_tree_random (&options);
    g_autoptr (PvTreemap) treemap = pv_treemap_new (NULL);
    PvFlameView view = flame_view_of (700, 500);
    for (int zoomed = 0; zoomed < 2; zoomed++) {
        view.zoom_node = zoomed ? tree->first_child[0] : 0;
        for (double y = 0.5; y < 500; y += 7)
            for (double x = 0.5; x < 700; x += 7) {
                cairo_rectangle_t box;
                PvNodeId node = pv_treemap_hit (treemap, tree, &view, x, y);
                g_assert_cmpuint (node, <, tree->n_nodes);
                g_assert_true (is_below (tree, node, view.zoom_node));
                g_assert_true (pv_treemap_get_box (treemap, tree, &view, node, &box));
            }
    }
    cairo_rectangle_t box;
    g_assert_false (pv_treemap_get_box (treemap, tree, &view, 0, &box));
    g_assert_cmpuint (pv_treemap_hit (treemap, tree, &view, -1, 5), ==, PV_NODE_NONE);
    g_assert_cmpuint (pv_treemap_hit (treemap, tree, &view, 5, 500), ==, PV_NODE_NONE);
    g_assert_cmpuint (pv_treemap_hit (treemap, tree, &view, NAN, 5), ==, PV_NODE_NONE);
}

static const char *
name_of (const PvCallTree *tree, PvNodeId node)
{
    return tree->symbols->functions[tree->function_of_node[node]].name;
}

static void
check_move (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view, const char *from,
            PvTreemapMove move, const char *to)
{
    PvNodeId node = 1;
    while (node < tree->n_nodes && !g_str_equal (name_of (tree, node), from))
        node++;
    g_assert_cmpuint (node, <, tree->n_nodes);
    node = pv_treemap_move (treemap, tree, view, node, move);
    g_assert_cmpstr (name_of (tree, node), ==, to);
}

/* Arrows lead to what lies there, also out of the box that it is in. */
TEST (moves)
{
    /* a at the left with d above e; b above c at the right. */
    g_autoptr (TestTree) tree = test_tree_from_text ("a;d 350\na;e 250\nb 220\nc 180\n");
    g_autoptr (PvTreemap) treemap = pv_treemap_new (NULL);
    PvFlameView view = flame_view_of (520, 400);
    check_move (treemap, tree, &view, "a", PV_TREEMAP_RIGHT, "b");
    check_move (treemap, tree, &view, "b", PV_TREEMAP_LEFT, "a");
    check_move (treemap, tree, &view, "b", PV_TREEMAP_DOWN, "c");
    check_move (treemap, tree, &view, "c", PV_TREEMAP_UP, "b");
    check_move (treemap, tree, &view, "c", PV_TREEMAP_DOWN, "c");
    check_move (treemap, tree, &view, "a", PV_TREEMAP_IN, "d");
    check_move (treemap, tree, &view, "d", PV_TREEMAP_DOWN, "e");
    check_move (treemap, tree, &view, "e", PV_TREEMAP_RIGHT, "c");
    check_move (treemap, tree, &view, "e", PV_TREEMAP_OUT, "a");
    check_move (treemap, tree, &view, "e", PV_TREEMAP_IN, "e");
}

/* An image is what a vector drawing is, but for text; high contrast has borders. */
TEST (draw)
{
    TestTreeOptions options = {.seed = 3, .n_nodes = 2000};
    g_autoptr (TestTree) tree = test_tree_random (&options);
    g_autoptr (PvTreemap) treemap = pv_treemap_new (NULL);
    PvFlameView view = flame_view_of (640, 400);
    g_autoptr (cairo_surface_t) image = pv_treemap_draw_image (treemap, tree, &view);
    const uint32_t *pixels = (const uint32_t *)(const void *)cairo_image_surface_get_data (image);
    int stride = cairo_image_surface_get_stride (image) / 4, n_checked = 0;
    for (uint32_t i = 0; i < treemap->boxes.len; i++) {
        const PvTreemapBox *box = &treemap->boxes.data[i];
        unsigned color = treemap->colors.data[i];
        int x = box->left + width_of (box) / 2, y = box->bottom - 2; /* below what is inside */
        if (box->kind != PV_TREEMAP_NODE || height_of (box) < 24 || width_of (box) < 8 ||
            pv_treemap_find_at (&treemap->boxes, x, y) != i)
            continue;
        PvColor fill = treemap->painter->palette.fills[color / PV_N_HUES][color % PV_N_HUES];
        g_assert_cmphex (pixels[y * stride + x] & 0xffffff, ==, pv_raster_pack (fill) & 0xffffff);
        n_checked++;
    }
    g_assert_cmpint (n_checked, >, 5);
}
