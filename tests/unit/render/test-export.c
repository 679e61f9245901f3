/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include <glib/gstdio.h>

#include "../cases.h"
#include "picture-files.h"
#include "render/export/export.h"
#include "render/flame/flame-graph-private.h"
#include "tree-maker.h"
#include "views.h"

static char *folder;

static char *export(const PvCallTree *tree, const PvFlameView *view, const char *name)
{
    char *path = g_build_filename (folder, name, NULL);
    assert_ok (error, pv_export_flame_graph (path, tree, view, "Title <&> with µ", &error));
    return path;
}

/* The y of a tool tip's box; -1 if there is none. */
static int
get_top (const char *svg, const char *name)
{
    g_autofree char *tip = g_strconcat ("><title>", name, "\n", NULL);
    const char *end = strstr (svg, tip);
    const char *start = end != NULL ? g_strrstr_len (svg, end - svg, " y=\"") : NULL;
    return start != NULL ? (int)strtol (start + 4, NULL, 10) : -1;
}

static char *
export_sandwich (const char *callers, const char *callees, double height, const char *name)
{
    g_autoptr (TestTree) above = test_tree_from_text (callers);
    g_autoptr (TestTree) below = test_tree_from_text (callees);
    PvSandwich sandwich = {below->function_of_node[1], above, below};
    PvFlameView view = new_flame_view ();
    g_autofree char *path = g_build_filename (folder, name, NULL);
    size_t len;
    view.height = height;
    assert_ok (error, pv_export_sandwich (path, &sandwich, &view, &view, "Title", &error));
    return read_file (path, &len);
}

/* Callers grow upwards from the function, which is there once, callees downwards. */
TEST (sandwich)
{
    static const char callers[] = "m!f;m!a;s!main 6\nm!f;m!b 4\n 5\n";
    static const char callees[] = "m!f;m!c;m!d 3\nm!f 7\n 5\n";
    g_autofree char *svg = export_sandwich (callers, callees, 0, "sandwich.svg");
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    int row = (int)pv_flame_painter_get_row_height (painter);
    int function = get_top (svg, "f");
    g_assert_cmpint (get_top (svg, "all"), ==, -1);
    g_assert_cmpuint (count (svg, "<title>"), ==, 6);
    /* Callers have no self weight there. */
    g_assert_cmpuint (count (svg, ", self "), ==, 3);
    g_assert_nonnull (strstr (svg, "main\ntotal 40.0 % (6)\n"));
    g_assert_nonnull (strstr (svg, "f\ntotal 66.7 % (10), self 46.7 % (7)\n"));
    g_assert_cmpint (get_top (svg, "main"), ==, 40);
    g_assert_cmpint (get_top (svg, "a"), ==, 40 + row);
    g_assert_cmpint (get_top (svg, "b"), ==, 40 + row);
    g_assert_cmpint (function, >, 40 + 2 * row);
    g_assert_cmpint (function, <, 40 + 3 * row);
    g_assert_cmpint (get_top (svg, "c"), ==, function + row);
    g_assert_cmpint (get_top (svg, "d"), ==, function + 2 * row);

    /* The first function of a program has no callers. */
    g_autofree char *first = export_sandwich ("f 10\n", "f;c 10\n", 0, "first.svg");
    g_assert_cmpint (get_top (first, "f"), ==, 40);
    /* The side of the function stays where there is too little room, the rest is below. */
    g_autofree char *small = export_sandwich (callers, callees, 150, "small.svg");
    g_assert_cmpint (get_top (small, "main"), ==, -1);
    g_assert_cmpint (get_top (small, "b"), >, 0);
    g_assert_cmpint (get_top (small, "f"), >, get_top (small, "b"));
    g_autofree char *large = export_sandwich (callers, callees, 500, "large.svg");
    g_assert_cmpint (get_top (large, "f"), ==, function);
    g_autofree char *png = export_sandwich (callers, callees, 0, "sandwich.png");
    g_assert_cmpint (memcmp (png, "\x89PNG", 4), ==, 0);
    g_autofree char *pdf = export_sandwich (callers, callees, 0, "sandwich.pdf");
    g_assert_cmpint (memcmp (pdf, "%PDF-1.", 7), ==, 0);
}

static void
ignore_text (GMarkupParseContext *context, const char *text, gsize len, void *data, GError **error)
{
    g_string_append_len (data, text, (gssize)len);
    g_string_append_c (data, '\n');
}

/* Well-formed, with a tool tip for every box. */
TEST (svg)
{
    static const GMarkupParser parser = {.text = ignore_text};
    g_autoptr (TestTree) tree = test_tree_from_text ("m!A<int&>;m!~B;s!c 50\nk!k 40\nm!\"q\" 10\n");
    PvFlameView view = new_flame_view ();
    g_autofree char *path = export(tree, &view, "a.svg");
    size_t len;
    g_autofree char *svg = read_file (path, &len);
    g_autoptr (GString) text = g_string_new (NULL);
    g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, text, NULL);
    assert_ok (error, g_markup_parse_context_parse (context, svg, (gssize)len, &error));
    assert_ok (error, g_markup_parse_context_end_parse (context, &error));
    g_assert_cmpuint (count (svg, "<title>"), ==, tree->n_nodes);
    g_assert_nonnull (strstr (text->str, "A<int&>\n"));
    g_assert_nonnull (strstr (text->str, "\"q\"\ntotal 10.0 % (10), self 10.0 % (10)\nqueryd"));
    g_assert_nonnull (strstr (svg, "width=\"1200px\""));
}

/* A tool tip for every area, the inner ones over those around them; nothing is cut. */
TEST (treemap)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("m!a;m!b 60\nm!a 20\ns!c 20\n");
    static const char *const names[] = {"treemap.svg", "treemap.png", "treemap.pdf"};
    PvFlameView view = new_flame_view ();
    for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *path = g_build_filename (folder, names[i], NULL);
        size_t len;
        g_assert_true (assert_ok (error, pv_export_treemap (path, tree, &view, "Title", &error)));
        g_autofree char *content = read_file (path, &len);
        g_assert_cmpuint (len, >, 500);
        if (i > 0)
            continue;
        g_assert_cmpuint (count (content, "<title>"), ==, 4);
        g_assert_cmpint (get_top (content, "all"), ==, 40);
        g_assert_cmpint (get_top (content, "a"), >, get_top (content, "all"));
        g_assert_cmpint (get_top (content, "b"), >, get_top (content, "a"));
        g_assert_nonnull (strstr (content, "total 80.0 % (80), self 20.0 % (20)"));
        g_assert_null (strstr (content, "are cut off"));
    }
}

/* The page shows the same as the painter draws. */
TEST (png)
{
    TestTreeOptions options = {.seed = 4, .n_nodes = 3000};
    g_autoptr (TestTree) tree = test_tree_random (&options);
    PvFlameView view = new_flame_view ();
    view.width = 832;
    g_autofree char *path = export(tree, &view, "a.png");
    g_autoptr (cairo_surface_t) png = cairo_image_surface_create_from_png (path);
    g_assert_cmpint (cairo_image_surface_get_width (png), ==, 832);

    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    view.width = 800;
    view.height = pv_flame_get_full_height (painter, tree, &view);
    g_assert_cmpint (cairo_image_surface_get_height (png), >, view.height + 60);
    g_autoptr (cairo_surface_t) expected =
        cairo_image_surface_create (CAIRO_FORMAT_RGB24, 800, (int)view.height);
    cairo_t *cr = cairo_create (expected);
    pv_flame_draw (painter, cr, tree, &view);
    cairo_destroy (cr);
    cairo_surface_flush (expected);
    for (int y = 0; y < (int)view.height; y++) {
        const uint8_t *a =
            cairo_image_surface_get_data (expected) + y * cairo_image_surface_get_stride (expected);
        const uint8_t *b = cairo_image_surface_get_data (png) +
                           (y + 40) * cairo_image_surface_get_stride (png) + 16 * 4;
        for (int x = 0; x < 800 * 4; x++)
            if (x % 4 != 3)
                g_assert_cmpint (a[x], ==, b[x]);
    }
}

TEST (sizes)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A;B;C 10\nD 3\n");
    PvFlameView view = flame_view_of (640, 480);
    view.device_scale = 2;
    g_autofree char *path = export(tree, &view, "b.PNG");
    g_autoptr (cairo_surface_t) png = cairo_image_surface_create_from_png (path);
    g_assert_cmpint (cairo_image_surface_get_width (png), ==, 1280);
    g_assert_cmpint (cairo_image_surface_get_height (png), ==, 960);

    /* Deeper than an image can be high. */
    g_autoptr (GString) text = g_string_new (NULL);
    for (int i = 0; i < 4000; i++)
        g_string_append_printf (text, "%sf%d", i > 0 ? ";" : "", i % 7);
    g_string_append (text, " 5\n");
    g_autoptr (TestTree) deep = test_tree_from_text (text->str);
    for (int is_flame = 0; is_flame < 2; is_flame++) {
        view = new_flame_view ();
        view.width = 300;
        view.is_flame = is_flame == 1;
        g_autofree char *deep_path = export(deep, &view, "deep.png");
        g_autoptr (cairo_surface_t) image = cairo_image_surface_create_from_png (deep_path);
        g_assert_cmpint (cairo_image_surface_get_height (image), ==, 32767);
        g_free (export(deep, &view, "deep.pdf"));
        g_free (export(deep, &view, "deep.svg"));
    }
}

TEST (pdf)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("名前;B 10\nD 3\n");
    PvFlameView view = new_flame_view ();
    view.is_dark = true;
    for (int colors = PV_COLOR_BY_MODULE; colors <= PV_COLOR_BY_PACKAGE; colors++) {
        view.colors = (PvColorScheme)colors;
        g_autofree char *path = export(tree, &view, "a.pdf");
        size_t len;
        g_autofree char *pdf = read_file (path, &len);
        g_assert_cmpuint (len, >, 1000);
        g_assert_cmpint (memcmp (pdf, "%PDF-1.", 7), ==, 0);
        g_assert_nonnull (memmem (pdf, len, "%%EOF", 5));
    }
}

/* With values the page has a line for their legend; with colours by name, a line that says so. */
TEST (captions)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A;B 10\nD 3\n");
    PvFormula formula = {.title = "Bytes per allocation"};
    float value_of_node[] = {40, 40, 20, 80};
    PvNodeValues values = {1, tree, &formula, 40, value_of_node};
    int heights[3];
    PvFlameView view = new_flame_view ();
    g_assert_cmpuint (tree->n_nodes, ==, G_N_ELEMENTS (value_of_node));
    for (int i = 0; i < 3; i++) {
        view.colors = i == 2 ? PV_COLOR_BY_HASH : PV_COLOR_BY_VALUE;
        view.values = i == 1 ? &values : NULL;
        g_autofree char *path = export(tree, &view, "values.png");
        g_autoptr (cairo_surface_t) png = cairo_image_surface_create_from_png (path);
        heights[i] = cairo_image_surface_get_height (png);
    }
    g_assert_cmpint (heights[1], ==, heights[0] + 22);
    g_assert_cmpint (heights[2], ==, heights[0] + 22);
}

TEST (empty)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("");
    PvFlameView view = new_flame_view ();
    view.selected = 0;
    g_free (export(tree, &view, "empty.png"));
    g_free (export(tree, &view, "empty.svg"));
    g_free (export(tree, &view, "empty.pdf"));
}

static void
assert_fails (const PvCallTree *tree, const char *path, int code)
{
    PvFlameView view = new_flame_view ();
    g_autoptr (GError) error = NULL;
    g_assert_false (pv_export_flame_graph (path, tree, &view, NULL, &error));
    g_assert_error (error, G_FILE_ERROR, code);
    g_assert_cmpuint (strlen (error->message), >, 5);
}

TEST (errors)
{
    g_autoptr (TestTree) tree = test_tree_from_text ("A 1\n");
    g_autofree char *missing = g_build_filename (folder, "missing", "a.svg", NULL);
    assert_fails (tree, missing, G_FILE_ERROR_NOENT);
    assert_fails (tree, "picture.gif", G_FILE_ERROR_INVAL);
    assert_fails (tree, ".svg", G_FILE_ERROR_INVAL);
    assert_fails (tree, "svg", G_FILE_ERROR_INVAL);
    assert_fails (tree, "", G_FILE_ERROR_INVAL);
    /* A failure leaves the old file, and no temporary one. */
    g_autofree char *path = g_build_filename (folder, "kept.svg", NULL);
    g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
    PvFlameView view = new_flame_view ();
    g_assert_false (pv_export_flame_graph (path, tree, &view, NULL, NULL));
    g_assert_true (g_file_test (path, G_FILE_TEST_IS_DIR));
}

TESTS_MAIN (argc, argv)
{
    pv_test_init (argc, argv);
    folder = make_folder ("exported");
    /* Files that an aborted run may have left. */
    g_autofree char *kept = g_build_filename (folder, "kept.svg", NULL);
    g_rmdir (kept);
    int status = g_test_run ();
    remove_folder (folder);
    return status;
}
