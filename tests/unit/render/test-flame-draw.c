/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "../cases.h"
#include "render/flame/flame-graph-private.h"
#include "render/flame/value-colors.h"
#include "tree-maker.h"
#include "views.h"

typedef struct {
    cairo_surface_t *surface;
    cairo_t *cr;
    int width; /* device pixels */
    int height;
} Picture;

static Picture
picture_new (double width, double height, double scale)
{
    Picture picture = {.width = (int)(width * scale), .height = (int)(height * scale)};
    picture.surface =
        cairo_image_surface_create (CAIRO_FORMAT_RGB24, picture.width, picture.height);
    cairo_surface_set_device_scale (picture.surface, scale, scale);
    picture.cr = cairo_create (picture.surface);
    return picture;
}

static void
picture_clear (Picture *picture)
{
    g_assert_cmpint (cairo_status (picture->cr), ==, CAIRO_STATUS_SUCCESS);
    cairo_destroy (picture->cr);
    cairo_surface_destroy (picture->surface);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Picture, picture_clear)

static uint32_t
pixel (Picture *picture, int x, int y)
{
    uint32_t value;
    cairo_surface_flush (picture->surface);
    g_assert_true (x >= 0 && x < picture->width && y >= 0 && y < picture->height);
    memcpy (&value,
            cairo_image_surface_get_data (picture->surface) +
                y * cairo_image_surface_get_stride (picture->surface) + 4 * x,
            4);
    return value & 0xffffff;
}

static void
assert_color (uint32_t value, PvColor color)
{
    g_assert_cmpfloat (fabs ((value >> 16) - color.red * 255), <=, 1.01);
    g_assert_cmpfloat (fabs ((value >> 8 & 0xff) - color.green * 255), <=, 1.01);
    g_assert_cmpfloat (fabs ((value & 0xff) - color.blue * 255), <=, 1.01);
}

static void
zoom (PvFlameView *view, const PvCallTree *tree, PvNodeId node)
{
    view->zoom_node = node;
    view->zoom_left = (double)tree->left[node] / (double)tree->total[0];
    view->zoom_right = (double)(tree->left[node] + tree->total[node]) / (double)tree->total[0];
}

/* Every box that was drawn has its own colour in its upper left corner, above its label, and the
 * gap at its right and lower edge that of the background. In high contrast and beside matches a
 * border is in the gap; narrow boxes have none, but a stronger colour. */
static void
check_pixels (PvFlamePainter *painter, Picture *picture, const PvCallTree *tree,
              const PvFlameView *view)
{
    for (size_t i = 0; i < painter->boxes.len; i++) {
        PvFlameBox box = painter->boxes.data[i];
        bool has_borders = view->is_high_contrast || view->is_match != NULL;
        bool has_border = has_borders && box.right - box.left >= 8;
        int inset = has_border ? 1 : 0;
        if (box.top < 0 || box.top + painter->drawn.row_height > picture->height)
            continue;
        PvColor color = pv_flame_get_color (painter, tree, view, box.node);
        if (has_borders && !has_border && box.color / PV_N_HUES >= PV_SHADE_THIN)
            color = painter->palette.fills[box.color / PV_N_HUES][box.color % PV_N_HUES];
        assert_color (pixel (picture, box.left + inset, box.top + inset), color);
        int bottom = box.top + (int)painter->drawn.row_height - 1;
        assert_color (pixel (picture, box.left, bottom), painter->palette.background);
        if (!has_border && box.right - box.left >= 3)
            assert_color (pixel (picture, box.right - 1, box.top), painter->palette.background);
    }
}

static void
check_no_overlap (const PvFlamePainter *painter)
{
    for (size_t i = 1; i < painter->boxes.len; i++) {
        PvFlameBox a = painter->boxes.data[i - 1], b = painter->boxes.data[i];
        g_assert_true (a.top != b.top || a.right <= b.left);
        g_assert_cmpint (b.left, <, b.right);
    }
}

TEST (colors)
{
    for (uint32_t round = 0; round < 48; round++) {
        TestTreeOptions options = {.seed = round, .n_nodes = 3000, .max_levels = 30};
        g_autoptr (TestTree) tree = test_tree_random (&options);
        PvFlameView view = flame_view_of (900, 500);
        g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
        g_autofree bool *is_match = g_new0 (bool, tree->symbols->n_functions);
        for (uint32_t i = 0; i < tree->symbols->n_functions; i += 3)
            is_match[i] = true;
        view.is_dark = round % 2 == 1;
        view.is_high_contrast = round % 8 == 3;
        view.is_flame = round % 3 == 1;
        view.device_scale = round % 5 == 4 ? 2 : 1;
        view.colors = (PvColorScheme)(round % 4);
        view.is_match = round % 4 == 2 ? is_match : NULL;
        view.scroll_y = round % 7 == 5 ? 33 : 0;
        if (round % 2 == 0)
            zoom (&view, tree, tree->level_start[3] + round % 4);
        g_auto (Picture) picture = picture_new (view.width, view.height, view.device_scale);
        pv_flame_draw (painter, picture.cr, tree, &view);
        g_assert_cmpuint (painter->boxes.len, >, 2);
        check_no_overlap (painter);
        check_pixels (painter, &picture, tree, &view);
    }
}

/* Drawing at an offset, through a recording and under a clip gives the same pixels. */
TEST (targets_agree)
{
    TestTreeOptions options = {.seed = 9, .n_nodes = 5000, .max_levels = 30};
    g_autoptr (TestTree) tree = test_tree_random (&options);
    PvFlameView view = flame_view_of (600, 300);
    view.selected = 5;
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    g_auto (Picture) plain = picture_new (640, 340, 1), shifted = picture_new (640, 340, 1);
    g_auto (Picture) recorded = picture_new (640, 340, 1), clipped = picture_new (640, 340, 1);

    pv_flame_draw (painter, plain.cr, tree, &view);
    cairo_translate (shifted.cr, 17, 23);
    pv_flame_draw (painter, shifted.cr, tree, &view);
    cairo_surface_t *recording = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
    cairo_t *cr = cairo_create (recording);
    pv_flame_draw (painter, cr, tree, &view);
    cairo_destroy (cr);
    cairo_set_source_surface (recorded.cr, recording, 0, 0);
    cairo_paint (recorded.cr);
    cairo_surface_destroy (recording);
    cairo_rectangle (clipped.cr, 100, 50, 200, 100);
    cairo_clip (clipped.cr);
    pv_flame_draw (painter, clipped.cr, tree, &view);

    for (int y = 0; y < 300; y++)
        for (int x = 0; x < 600; x++) {
            uint32_t expected = pixel (&plain, x, y);
            bool is_inside = x >= 100 && x < 300 && y >= 50 && y < 150;
            g_assert_cmphex (pixel (&shifted, x + 17, y + 23), ==, expected);
            g_assert_cmphex (pixel (&recorded, x, y), ==, expected);
            g_assert_cmphex (pixel (&clipped, x, y), ==, is_inside ? expected : 0);
        }
    /* Nothing outside the view. */
    g_assert_cmphex (pixel (&plain, 620, 10), ==, 0);
    g_assert_cmphex (pixel (&plain, 10, 320), ==, 0);
    g_assert_cmphex (pixel (&shifted, 10, 10), ==, 0);
}

/* Recordings of one painter keep what they show, at any scale, while others are made. */
TEST (recordings)
{
    TestTreeOptions options = {.seed = 10, .n_nodes = 5000, .max_levels = 30};
    g_autoptr (TestTree) tree = test_tree_random (&options);
    PvFlamePainter *painter = pv_flame_painter_new (NULL);
    cairo_surface_t *recordings[8];
    PvFlameView views[8];
    for (int i = 0; i < 8; i++) {
        views[i] = flame_view_of (i < 5 ? 300 : 200, 150);
        views[i].device_scale = i % 2 + 1;
        views[i].is_dark = i % 3 == 1;
        views[i].selected = (PvNodeId)i;
        recordings[i] = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
        cairo_t *cr = cairo_create (recordings[i]);
        pv_flame_draw (painter, cr, tree, &views[i]);
        cairo_destroy (cr);
        if (i == 3) /* what nobody holds any more is used again */
            g_clear_pointer (&recordings[2], cairo_surface_destroy);
    }
    pv_flame_painter_free (painter);
    painter = pv_flame_painter_new (NULL);
    for (int i = 0; i < 8; i++) {
        g_auto (Picture) expected = picture_new (300, 150, views[i].device_scale);
        g_auto (Picture) played = picture_new (300, 150, views[i].device_scale);
        if (recordings[i] != NULL) {
            pv_flame_draw (painter, expected.cr, tree, &views[i]);
            cairo_set_source_surface (played.cr, recordings[i], 0, 0);
            cairo_paint (played.cr);
            cairo_surface_destroy (recordings[i]);
            for (int y = 0; y < expected.height; y++)
                for (int x = 0; x < expected.width; x++)
                    g_assert_cmphex (pixel (&played, x, y), ==, pixel (&expected, x, y));
        }
    }
    pv_flame_painter_free (painter);
}

static const uint32_t *
image_line (cairo_surface_t *image, int y)
{
    return (const uint32_t *)(cairo_image_surface_get_data (image) +
                              y * cairo_image_surface_get_stride (image));
}

/* Images are opaque, of device pixels, and keep what they show as long as somebody holds them. */
TEST (images)
{
    TestTreeOptions options = {.seed = 11, .n_nodes = 5000, .max_levels = 30};
    g_autoptr (TestTree) tree = test_tree_random (&options);
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    cairo_surface_t *images[6];
    PvFlameView view = flame_view_of (300, 150);
    for (int i = 0; i < 6; i++) {
        view.device_scale = i < 4 ? 2 : 1;
        view.is_dark = i % 2 == 1;
        images[i] = pv_flame_draw_image (painter, tree, &view);
    }
    for (int i = 0; i < 6; i++) {
        double scale = i < 4 ? 2 : 1;
        g_auto (Picture) expected = picture_new (300, 150, scale);
        view.device_scale = scale;
        view.is_dark = i % 2 == 1;
        pv_flame_draw (painter, expected.cr, tree, &view);
        g_assert_cmpint (cairo_image_surface_get_width (images[i]), ==, expected.width);
        g_assert_cmpint (cairo_image_surface_get_height (images[i]), ==, expected.height);
        for (int y = 0; y < expected.height; y++)
            for (int x = 0; x < expected.width; x++)
                g_assert_cmphex (image_line (images[i], y)[x], ==,
                                 0xff000000 | pixel (&expected, x, y));
    }
    /* Two are enough for who shows one while the next is drawn. */
    for (int i = 0; i < 6; i++)
        cairo_surface_destroy (images[i]);
    for (int i = 0; i < 4; i++) {
        images[i] = pv_flame_draw_image (painter, tree, &view);
        if (i > 0)
            cairo_surface_destroy (images[i - 1]);
    }
    g_assert_true (images[3] == images[1]);
    cairo_surface_destroy (images[3]);
}

/* Paths and glyphs, as on vector surfaces, give the pixels of the image. */
TEST (paths_agree)
{
    for (int variant = 0; variant < 8; variant++) {
        TestTreeOptions options = {.seed = 12, .n_nodes = 5000, .max_levels = 30};
        g_autoptr (TestTree) tree = test_tree_random (&options);
        PvFlameView view = flame_view_of (500, 230);
        g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
        g_auto (Picture) plain = picture_new (500, 230, 1), paths = picture_new (500, 230, 1);
        view.is_dark = (variant & 1) != 0;
        view.is_high_contrast = (variant & 2) != 0;
        view.is_flame = (variant & 4) != 0;
        view.scroll_y = variant;
        pv_flame_draw (painter, plain.cr, tree, &view);
        /* A clip that is no rectangle keeps the drawing out of the image's bytes. */
        cairo_rectangle (paths.cr, 0, 0, 500, 229);
        cairo_rectangle (paths.cr, 0, 229, 400, 1);
        cairo_clip (paths.cr);
        pv_flame_draw (painter, paths.cr, tree, &view);
        g_assert_cmphex (pixel (&paths, 450, 229), ==, 0);
        for (int y = 0; y < 229; y++)
            for (int x = 0; x < 500; x++) {
                uint32_t a = pixel (&plain, x, y), b = pixel (&paths, x, y);
                for (int shift = 0; shift < 24; shift += 8)
                    g_assert_cmpint (ABS ((int)(a >> shift & 255) - (int)(b >> shift & 255)), <=,
                                     1);
            }
    }
}

TEST (matches)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A;B 50\nA;C 30\nD 20\n");
    PvFlameView view = flame_view_of (500, 100);
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    bool is_match[16] = {false};
    PvNodeId b = tree->level_start[2], c = b + 1;
    view.is_match = is_match;
    is_match[tree->function_of_node[b]] = true;
    PvColor match = pv_flame_get_color (painter, tree, &view, b);
    PvColor other = pv_flame_get_color (painter, tree, &view, c);
    assert_color (((uint32_t)(match.red * 255) << 16) | ((uint32_t)(match.green * 255) << 8) |
                      (uint32_t)(match.blue * 255),
                  painter->palette.fills[PV_SHADE_MATCH][0]);
    g_assert_cmpfloat (pv_color_contrast (match, other), >, 1.1);

    /* Callers of a zoomed node are dimmed, it itself is not. */
    view.is_match = NULL;
    PvColor before = pv_flame_get_color (painter, tree, &view, 1);
    PvColor inside = pv_flame_get_color (painter, tree, &view, b);
    zoom (&view, tree, b);
    PvColor after = pv_flame_get_color (painter, tree, &view, tree->parent_of_node[b]);
    g_assert_true (before.red != after.red || before.green != after.green);
    after = pv_flame_get_color (painter, tree, &view, b);
    g_assert_cmpfloat (inside.red, ==, after.red);
}

static uint32_t
count_differences (Picture *a, Picture *b)
{
    uint32_t n = 0;
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            n += pixel (a, x, y) != pixel (b, x, y);
    return n;
}

static void
draw_hover (PvFlamePainter *painter, cairo_t *cr, const PvCallTree *tree, const PvFlameView *view,
            PvNodeId node)
{
    const PvFlameOutline *outlines;
    size_t n = pv_flame_get_outlines (painter, tree, view, node, &outlines);
    pv_flame_draw_outlines (cr, outlines, n);
}

TEST (hover)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A;B 50\nC;B 30\nD 20\n");
    PvFlameView view = flame_view_of (500, 100);
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    g_auto (Picture) base = picture_new (500, 100, 1), hovered = picture_new (500, 100, 1);
    PvNodeId b = tree->level_start[2];
    pv_flame_draw (painter, base.cr, tree, &view);
    pv_flame_draw (painter, hovered.cr, tree, &view);
    g_assert_cmpuint (count_differences (&base, &hovered), ==, 0);
    draw_hover (painter, hovered.cr, tree, &view, b);
    cairo_rectangle_t box, other;
    g_assert_true (pv_flame_get_box (painter, tree, &view, b, &box));
    g_assert_true (pv_flame_get_box (painter, tree, &view, b + 1, &other));
    /* The box, the outline of the other B, and nothing else. */
    for (int y = 0; y < 100; y++)
        for (int x = 0; x < 500; x++) {
            bool in_box =
                x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
            bool in_other = x >= other.x && x < other.x + other.width && y >= other.y &&
                            y < other.y + other.height;
            if (!in_box && !in_other)
                g_assert_cmphex (pixel (&base, x, y), ==, pixel (&hovered, x, y));
        }
    int x = (int)other.x, y = (int)other.y;
    g_assert_cmphex (pixel (&base, x, y), !=, pixel (&hovered, x, y));
    g_assert_cmphex (pixel (&base, x + 3, y + 2), ==, pixel (&hovered, x + 3, y + 2));
    x = (int)box.x, y = (int)box.y;
    g_assert_cmphex (pixel (&base, x, y), !=, pixel (&hovered, x, y));
    /* Without a drawing before it, and for nobody. */
    draw_hover (painter, hovered.cr, tree, &view, PV_NODE_NONE);
    g_autoptr (PvFlamePainter) fresh = pv_flame_painter_new (NULL);
    draw_hover (fresh, base.cr, tree, &view, b);
    g_assert_cmpuint (count_differences (&base, &hovered), ==, 0);
}

/* Draws a tree in every way there is. */
static void
exercise (PvCallTree *tree)
{
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    for (int variant = 0; variant < 24; variant++) {
        PvFlameView view = flame_view_of (variant % 2 ? 300 : 31, variant % 3 ? 200 : 7);
        g_auto (Picture) picture = picture_new (view.width, view.height, 1);
        view.is_flame = (variant & 1) != 0;
        view.is_high_contrast = (variant & 2) != 0;
        view.is_dark = (variant & 4) != 0;
        view.selected = tree->n_nodes > 1 ? tree->n_nodes - 1 : PV_NODE_NONE;
        if (variant >= 8 && tree->n_nodes > 2 && tree->total[0] > 0)
            zoom (&view, tree, tree->n_nodes / 2);
        double full = pv_flame_get_full_height (painter, tree, &view);
        view.scroll_y = variant >= 16 ? full / 2 : variant >= 12 ? full + 50 : 0;
        pv_flame_draw (painter, picture.cr, tree, &view);
        PvNodeId node = pv_flame_hit (painter, tree, &view, 3, 3);
        draw_hover (painter, picture.cr, tree, &view, node);
        if (node != PV_NODE_NONE)
            for (int move = 0; move < 4; move++)
                g_assert_cmpuint (pv_flame_move (tree, &view, node, (PvFlameMove)move), <,
                                  tree->n_nodes);
    }
}

static void
exercise_text (const char *text)
{
    g_autoptr (TestTree) tree = test_tree_from_text (text);
    exercise (tree);
}

TEST (hostile)
{
    exercise_text ("");
    exercise_text ("A 0\n");
    exercise_text ("A;B 0\nA;C 0\nD 0\n");
    exercise_text ("A 1\n");
    exercise_text ("A 9223372036854775807\nB;C 9223372036854775807\nB 1\n");
    exercise_text ("A 18446744073709551615\n");
    exercise_text ("名前空間::関数;ещё;é̂́;عربي;🔥🔥🔥 10\n\xf0\x9f\x94\xa5z 3\n");
    exercise_text (";; 10\n; 3\n");

    /* Weights that wrap, as no honest tree has. */
    g_autoptr (TestTree) tree = test_tree_from_text ("A;B 10\nC 5\nD 2\n");
    uint64_t *left = (uint64_t *)tree->left, *total = (uint64_t *)tree->total;
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        left[node] = UINT64_MAX - node * 3;
        total[node] = UINT64_MAX / (node + 1);
    }
    exercise (tree);
    total[0] = 1;
    exercise (tree);
}

TEST (deep)
{
    g_autoptr (GString) text = g_string_new (NULL);
    for (int i = 0; i < 10000; i++)
        g_string_append_printf (text, "%sf%d", i > 0 ? ";" : "", i % 7);
    g_string_append (text, " 5\nA 1\n");
    g_autoptr (TestTree) tree = test_tree_from_text (text->str);
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    PvFlameView view = flame_view_of (300, 400);
    g_assert_cmpuint (tree->n_levels, ==, 10001);
    view.row_height = 20;
    g_assert_cmpfloat (pv_flame_get_full_height (painter, tree, &view), ==, 200020);
    /* The deepest box, at the bottom of an icicle and at the top of a flame. */
    view.scroll_y = 200020 - 400;
    g_assert_cmpuint (pv_flame_hit (painter, tree, &view, 10, 399), ==, tree->n_nodes - 1);
    view.is_flame = true;
    view.scroll_y = 0;
    g_assert_cmpuint (pv_flame_hit (painter, tree, &view, 10, 0), ==, tree->n_nodes - 1);
    exercise (tree);
}

/* A painter that goes from tree to tree forgets what it knew of the last. */
TEST (other_tree)
{
    PvFlamePainter *painter = pv_flame_painter_new (NULL);
    PvCallTree *trees[6];
    for (uint32_t i = 0; i < G_N_ELEMENTS (trees); i++) {
        TestTreeOptions options = {.seed = i, .n_nodes = 500};
        PvCallTree *tree = i % 2 ? test_tree_from_text ("k!read;k!vfs 10\ns!memcpy 4\nm!main 3\n")
                                 : test_tree_random (&options);
        PvFlameView view = flame_view_of (400, 200);
        g_auto (Picture) picture = picture_new (400, 200, 1);
        pv_flame_draw (painter, picture.cr, tree, &view);
        check_pixels (painter, &picture, tree, &view);
        trees[i] = tree; /* the painter has a reference to its symbols */
    }
    pv_flame_painter_free (painter);
    for (uint32_t i = 0; i < G_N_ELEMENTS (trees); i++)
        test_tree_free (trees[i]);
}

TEST (row_height)
{
    g_autoptr (PangoFontDescription) font = pango_font_description_from_string ("Cantarell 22");
    g_autoptr (PvFlamePainter) small = pv_flame_painter_new (NULL);
    g_autoptr (PvFlamePainter) large = pv_flame_painter_new (font);
    g_assert_cmpfloat (pv_flame_painter_get_row_height (small), >=, 18);
    g_assert_cmpfloat (pv_flame_painter_get_row_height (small), <=, 24);
    g_assert_cmpfloat (pv_flame_painter_get_row_height (large), >=, 34);
}

/* Boxes are as high above or below the whole as their value is; without values, or with those of
 * another tree, all are neutral. */
TEST (values)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A;B 10\nA;C 8\nD 3\n");
    g_autoptr (TestTree) other = test_tree_from_text ("A;B 10\nA;C 8\nD 3\n");
    PvFormula formula = {.title = "T"};
    float value_of_node[] = {10, 5, 40, 10, (float)NAN};
    PvNodeValues values = {1, tree, &formula, 10, value_of_node};
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    PvFlameView view = flame_view_of (300, 100);
    view.colors = PV_COLOR_BY_VALUE;
    g_assert_cmpuint (tree->n_nodes, ==, G_N_ELEMENTS (value_of_node));
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        const PvCallTree *trees[] = {tree, tree, other};
        const PvNodeValues *known[] = {&values, NULL, &values};
        for (size_t i = 0; i < G_N_ELEMENTS (trees); i++) {
            double ratio = i == 0 ? (double)value_of_node[node] / 10 : NAN;
            view.values = known[i];
            PvColor expected =
                pv_flame_get_hue_color (painter, trees[i], &view, pv_palette_value_hue (ratio));
            PvColor color = pv_flame_get_color (painter, trees[i], &view, node);
            g_assert_cmpmem (&color, sizeof color, &expected, sizeof expected);
        }
    }
}

static void
check_steps (PvNodeValues *values, const char *caption, const char *texts)
{
    g_autofree char *its_caption = pv_value_make_caption (values);
    g_autoptr (GArray) steps = pv_value_make_steps (values);
    g_autoptr (GString) its_texts = g_string_new (NULL);
    unsigned last_hue = 0;
    for (guint i = 0; i < steps->len; i++) {
        const PvValueStep *step = &g_array_index (steps, PvValueStep, i);
        g_string_append_printf (its_texts, "%s%s", i > 0 ? ", " : "", step->text);
        g_assert_cmpuint (step->hue, >, last_hue);
        last_hue = step->hue;
    }
    g_assert_cmpstr (its_caption, ==, caption);
    g_assert_cmpstr (its_texts->str, ==, texts);
}

/* The legend of values says what is compared with what, and nothing of shares above everything. */
TEST (value_legend)
{
    PvFormula formula = {.title = "IPC"};
    PvNodeValues values = {.formula = &formula, .whole = 1.2};
    check_steps (&values, "IPC, 1.2 in all", "≤ 0.3, 0.6, 1.2, 2.4, ≥ 4.8");
    formula.is_percent = true;
    values.whole = 40;
    check_steps (&values, "IPC, 40 % in all", "≤ 10 %, 20 %, 40 %, 80 %");
    values.whole = NAN;
    check_steps (&values, "IPC, – in all", "");
    values.whole = 0;
    check_steps (&values, "IPC, 0 % in all", "");
}
