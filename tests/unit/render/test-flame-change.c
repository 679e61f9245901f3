/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "render/flame/flame-graph-private.h"
#include "render/flame/value-colors.h"
#include "tree-maker.h"
#include "views.h"

enum { N_NODES = 6, WIDTH = 600, HEIGHT = 100 };

/* The root, then what is as it was, noise, new, gone, and twice as much. */
static const uint64_t base_of_node[N_NODES] = {100, 20, 10, 0, 40, 30};
static const uint64_t new_of_node[N_NODES] = {130, 20, 12, 38, 0, 60};
static uint8_t marks[N_NODES] = {0, 0, PV_NODE_IS_NOISE, PV_NODE_IS_NEW, PV_NODE_IS_GONE, 0};

typedef struct {
    PvCallTree *tree;
    PvChanges changes;
    PvNodeValues values;
    PvFlameView view;
    PvFlamePainter *painter;
} Compared;

static void
compared_init (Compared *self)
{
    *self = (Compared){
        .tree = test_tree_from_text ("A 40\nB 22\nC 38\nD 40\nE 90\n"),
        .changes = {.n_rows = N_NODES,
                    .unit = PV_UNIT_BYTES,
                    .whole_of_side = {100, 130},
                    .total_of_side = {base_of_node, new_of_node}},
    };
    g_assert_cmpuint (self->tree->n_nodes, ==, N_NODES);
    self->values = (PvNodeValues){.ref_count = 1,
                                  .tree = self->tree,
                                  .sides = &self->changes,
                                  .marks_of_node = marks,
                                  .largest_change = 40};
    self->painter = pv_flame_painter_new (NULL);
    pv_flame_view_init (&self->view);
    self->view.width = WIDTH;
    self->view.height = HEIGHT;
    self->view.colors = PV_COLOR_BY_CHANGE;
    self->view.values = &self->values;
}

static void
compared_clear (Compared *self)
{
    pv_flame_painter_free (self->painter);
    test_tree_free (self->tree);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Compared, compared_clear)

TEST (hues)
{
    static const struct {
        PvColorScheme scheme;
        double balances[N_NODES];
    } cases[] = {{PV_COLOR_BY_CHANGE, {0.5, 0, 0, 1, -1, 1}},
                 {PV_COLOR_BY_CHANGE_SIZE, {1, 0, 0, 1, -1, 1}}};
    g_auto (Compared) compared;
    compared_init (&compared);
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        for (PvNodeId node = 0; node < N_NODES; node++)
            g_assert_cmpuint (
                pv_change_hue (&compared.values, compared.tree, node, cases[i].scheme), ==,
                pv_palette_change_hue (cases[i].balances[node]));
    /* A signed measure is never noise, and has no base to be compared with. */
    compared.values.marks_of_node = NULL;
    g_assert_cmpuint (pv_change_hue (&compared.values, compared.tree, 5, PV_COLOR_BY_CHANGE), ==,
                      pv_palette_change_hue (30.0 / 90));
    g_assert_cmpint (pv_change_find_stripes (&compared.values, compared.tree, 3), ==,
                     PV_STRIPES_NONE);
}

TEST (ratio_steps)
{
    static const struct {
        double base, newer;
        int step;
    } cases[] = {{0, 0, 0},     {100, 100, 0}, {1000, 1004, 0}, {100, 101, 1}, {100, 124, 1},
                 {100, 125, 2}, {100, 150, 3}, {100, 199, 3},   {100, 200, 4}, {0, 1, 4},
                 {100, 99, -1}, {100, 80, -2}, {100, 60, -3},   {100, 50, -4}, {1, 0, -4}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        g_assert_cmpint (pv_change_find_step (cases[i].base, cases[i].newer), ==, cases[i].step);
}

static void
check_legend (const PvNodeValues *values, PvColorScheme scheme, const char *expected)
{
    g_autoptr (GArray) steps = pv_change_make_steps (values, scheme);
    g_autoptr (GString) text = g_string_new (NULL);
    for (guint i = 0; i < steps->len; i++) {
        const PvValueStep *step = &g_array_index (steps, PvValueStep, i);
        g_string_append_printf (text, "%s%s%s", i > 0 ? ", " : "", step->text,
                                step->stripes == PV_STRIPES_RISING    ? " /"
                                : step->stripes == PV_STRIPES_FALLING ? " \\"
                                                                      : "");
    }
    g_assert_cmpstr (text->str, ==, expected);
}

TEST (legend)
{
    static const PvNoiseKind kind = {
        .is_sampled = true, .n_runs = 2, .base_weight = 1, .new_weight = 1};
    static const PvNoiseRow row = {.run_variance = -1};
    g_auto (Compared) compared;
    g_autoptr (PvNoise) noise = pv_noise_new (&kind, &row, &row, 1);
    compared_init (&compared);
    compared.changes.noise = noise;
    check_legend (&compared.values, PV_COLOR_BY_CHANGE,
                  "≤ −50 %, −20 %, Unchanged, or noise, +25 %, ≥ +100 %, Only new /, Only base \\");
    check_legend (&compared.values, PV_COLOR_BY_CHANGE_SIZE,
                  "≤ −20 B, ≤ −4 B, Little, or noise, ≥ +4 B, ≥ +20 B, Only new /, Only base \\");
    compared.changes.noise = NULL;
    check_legend (&compared.values, PV_COLOR_BY_CHANGE,
                  "≤ −50 %, −20 %, Unchanged, +25 %, ≥ +100 %, Only new /, Only base \\");
    compared.values.marks_of_node = NULL;
    check_legend (&compared.values, PV_COLOR_BY_CHANGE, "Less, Increases equal decreases, More");
    check_legend (NULL, PV_COLOR_BY_CHANGE_SIZE, "Less, Increases equal decreases, More");
}

static cairo_surface_t *
draw (Compared *compared, bool as_paths)
{
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
    cairo_t *cr = cairo_create (surface);
    if (as_paths) { /* a clip that is no rectangle keeps the drawing out of the image's bytes */
        cairo_rectangle (cr, 0, 0, WIDTH, HEIGHT - 1);
        cairo_rectangle (cr, 0, HEIGHT - 1, WIDTH / 2, 1);
        cairo_clip (cr);
    }
    pv_flame_draw (compared->painter, cr, compared->tree, &compared->view);
    cairo_destroy (cr);
    cairo_surface_flush (surface);
    return surface;
}

static uint32_t
get_pixel (cairo_surface_t *surface, int x, int y)
{
    uint32_t value;
    memcpy (&value,
            cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface) +
                4 * x,
            4);
    return value & 0xffffff;
}

/* Where in a row of the right half of a node's box, without its name, the first line is; -1: there
 * is none. */
static int
find_line (Compared *compared, cairo_surface_t *surface, PvNodeId node, int row)
{
    cairo_rectangle_t box;
    g_assert_true (
        pv_flame_get_box (compared->painter, compared->tree, &compared->view, node, &box));
    PvColor color = pv_flame_get_color (compared->painter, compared->tree, &compared->view, node);
    uint32_t fill = pv_raster_pack (color) & 0xffffff;
    int left = (int)(box.x + box.width / 2), right = (int)(box.x + box.width) - 3;
    for (int x = left + 1; x < right; x++)
        if (get_pixel (surface, x - 1, (int)box.y + row) == fill &&
            get_pixel (surface, x, (int)box.y + row) != fill)
            return x - left;
    return -1;
}

/* Lines that rise over what is new and fall over what is gone, in each theme, and none elsewhere;
 * paths give the pixels of the image. */
TEST (stripes)
{
    for (unsigned theme = 0; theme < 4; theme++) {
        g_auto (Compared) compared;
        compared_init (&compared);
        compared.view.is_dark = (theme & 1) != 0;
        compared.view.is_high_contrast = (theme & 2) != 0;
        cairo_surface_t *image = draw (&compared, false), *paths = draw (&compared, true);
        static const PvNodeId plain[] = {1, 2, 5};
        for (size_t i = 0; i < G_N_ELEMENTS (plain); i++)
            g_assert_cmpint (find_line (&compared, image, plain[i], 6), ==, -1);
        int rising[] = {find_line (&compared, image, 3, 6), find_line (&compared, image, 3, 7)};
        int falling[] = {find_line (&compared, image, 4, 6), find_line (&compared, image, 4, 7)};
        g_assert_cmpint (MIN (rising[0], falling[0]), >, 0);
        g_assert_cmpint ((rising[0] - rising[1] + 7) % 7, ==, 1);
        g_assert_cmpint ((falling[1] - falling[0] + 7) % 7, ==, 1);
        for (int y = 0; y < HEIGHT - 1; y++)
            for (int x = 0; x < WIDTH; x++)
                for (int shift = 0; shift < 24; shift += 8)
                    g_assert_cmpint (ABS ((int)(get_pixel (image, x, y) >> shift & 255) -
                                          (int)(get_pixel (paths, x, y) >> shift & 255)),
                                     <=, 1);
        cairo_surface_destroy (image);
        cairo_surface_destroy (paths);
    }
}

/* Names can be read on every step and on the lines over it. */
TEST (contrast)
{
    for (unsigned theme = 0; theme < 8; theme++) {
        PvPalette palette;
        pv_palette_init (&palette, (theme & 1) != 0, (theme & 2) != 0, (theme & 4) != 0);
        for (int step = -4; step <= 4; step++) {
            PvColor fill = palette.fills[PV_SHADE_NORMAL][pv_palette_change_hue (step / 4.0)];
            PvColor text = palette.texts[PV_SHADE_NORMAL];
            PvColor line = pv_stripes_get_color (fill, text);
            g_test_message ("%u %d: %.2f %.2f %.2f", theme, step, pv_color_contrast (fill, text),
                            pv_color_contrast (line, text), pv_color_contrast (line, fill));
            g_assert_cmpfloat (pv_color_contrast (fill, text), >=, 4.5);
            g_assert_cmpfloat (pv_color_contrast (line, text), >=, 2.4);
            g_assert_cmpfloat (pv_color_contrast (line, fill), >=, 1.4);
        }
    }
}
