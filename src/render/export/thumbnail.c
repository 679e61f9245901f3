/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/export/thumbnail.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/output.h"
#include "render/flame/flame-graph-private.h"

/* The page as it is in a picture of HEIGHT pixels; larger ones are the same in larger. */
enum {
    WIDTH = 102,
    HEIGHT = 128,
    ROUND = 5, /* radius of the corners */
    FOLD = 24, /* of the corner that is turned down */
    MARGIN = 9,
    TOP = 30, /* of the flames */
    FLAMES_HEIGHT = HEIGHT - TOP - MARGIN,
    LEAST_ROW = 4,
    LARGEST_ROW = 9,
};

/* A node with so much of its parent is the only one that one would see. */
#define TRUNK_SHARE 0.97

static void
add_page (cairo_t *cr)
{
    const double left = 0.5, top = 0.5, right = WIDTH - 0.5, bottom = HEIGHT - 0.5;
    cairo_new_path (cr);
    cairo_arc (cr, left + ROUND, top + ROUND, ROUND, G_PI, 1.5 * G_PI);
    cairo_line_to (cr, right - FOLD, top);
    cairo_line_to (cr, right, top + FOLD);
    cairo_arc (cr, right - ROUND, bottom - ROUND, ROUND, 0, G_PI / 2);
    cairo_arc (cr, left + ROUND, bottom - ROUND, ROUND, G_PI / 2, G_PI);
    cairo_close_path (cr);
}

static void
add_fold (cairo_t *cr)
{
    const double left = WIDTH - 0.5 - FOLD, top = 0.5;
    cairo_new_path (cr);
    cairo_move_to (cr, left, top);
    cairo_line_to (cr, left + FOLD, top + FOLD);
    cairo_line_to (cr, left + ROUND, top + FOLD);
    cairo_arc (cr, left + ROUND, top + FOLD - ROUND, ROUND, G_PI / 2, G_PI);
    cairo_close_path (cr);
}

static void
outline (cairo_t *cr, double alpha)
{
    cairo_set_line_width (cr, 1);
    cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_source_rgba (cr, 0, 0, 0, alpha);
    cairo_stroke (cr);
}

static void
draw_page (cairo_t *cr, PvColor paper)
{
    add_page (cr);
    pv_color_set_source (cr, paper, 1);
    cairo_fill_preserve (cr);
    outline (cr, 0.22);
}

static void
draw_fold (cairo_t *cr)
{
    add_fold (cr);
    cairo_set_source_rgb (cr, 0.88, 0.88, 0.87);
    cairo_fill_preserve (cr);
    outline (cr, 0.22);
}

/* Levels at the root that have one box only, nearly: where a picture has no room for all levels,
 * these say nothing. */
static unsigned
count_trunk (const PvCallTree *tree)
{
    unsigned n = 0;
    PvNodeId node = 0;
    for (;;) {
        PvNodeId heaviest = PV_NODE_NONE;
        for (PvNodeId child = tree->first_child[node]; child < tree->first_child[node + 1]; child++)
            if (heaviest == PV_NODE_NONE || tree->total[child] > tree->total[heaviest])
                heaviest = child;
        if (heaviest == PV_NODE_NONE ||
            (double)tree->total[heaviest] < TRUNK_SHARE * (double)tree->total[0])
            return n;
        node = heaviest;
        n++;
    }
}

/* Rows are as high as there is room for, from the root upwards, as flames are. */
static void
place_rows (PvFlamePainter *painter, const PvCallTree *tree, PvFlameView *view)
{
    unsigned n_rows, n_hidden = 0;
    view->row_height = LEAST_ROW;
    n_rows = (unsigned)lround (pv_flame_get_full_height (painter, tree, view) / LEAST_ROW);
    if (n_rows * LEAST_ROW > FLAMES_HEIGHT)
        n_hidden = MIN (count_trunk (tree), n_rows - FLAMES_HEIGHT / LEAST_ROW);
    view->row_height = CLAMP (FLAMES_HEIGHT / MAX (n_rows - n_hidden, 1), LEAST_ROW, LARGEST_ROW);
    const double full = n_rows * view->row_height;
    view->height = FLAMES_HEIGHT;
    view->scroll_y = MAX (full, view->height) - n_hidden * view->row_height - view->height;
}

static void
draw_flames (cairo_t *cr, PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view)
{
    cairo_save (cr);
    cairo_translate (cr, MARGIN, TOP);
    pv_flame_draw (painter, cr, tree, view);
    cairo_restore (cr);
}

/* A new image; labels are left out by the flame graph itself, as its rows are too low for them. */
static cairo_surface_t *
draw (const PvCallTree *tree, unsigned pixels)
{
    const double scale = (double)pixels / HEIGHT;
    cairo_surface_t *surface = cairo_image_surface_create (
        CAIRO_FORMAT_ARGB32, MAX ((int)lround (WIDTH * scale), 1), (int)pixels);
    g_autoptr (PvFlamePainter) painter = pv_flame_painter_new (NULL);
    PvFlameView view;
    pv_flame_view_init (&view);
    view.width = WIDTH - 2 * MARGIN;
    view.is_flame = true;
    view.device_scale = scale;
    view.colors = pv_palette_choose_scheme (tree->profile, tree->symbols);
    pv_flame_painter_prepare (painter, tree, &view);
    place_rows (painter, tree, &view);
    cairo_surface_set_device_scale (surface, scale, scale);
    cairo_t *cr = cairo_create (surface);
    draw_page (cr, painter->palette.background);
    draw_flames (cr, painter, tree, &view);
    draw_fold (cr);
    cairo_destroy (cr);
    return surface;
}

static cairo_status_t
take_bytes (void *data, const unsigned char *bytes, unsigned n)
{
    g_byte_array_append (data, bytes, n);
    return CAIRO_STATUS_SUCCESS;
}

GBytes *
pv_thumbnail_draw (const PvCallTree *tree, unsigned pixels, GError **error)
{
    g_assert (tree != NULL && tree->n_nodes > 0 && pixels > 0);

    cairo_surface_t *surface = draw (tree, pixels);
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    cairo_status_t status = cairo_surface_write_to_png_stream (surface, take_bytes, bytes);
    cairo_surface_destroy (surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, _ ("cannot draw the picture: %s"),
                 cairo_status_to_string (status));
    return NULL;
}

bool
pv_thumbnail_write (GBytes *picture, const char *path, GError **error)
{
    g_assert (picture != NULL && path != NULL);

    size_t size;
    const char *bytes = g_bytes_get_data (picture, &size);
    g_auto (PvOutput) output = {.mode = -1};
    PvWriter writer;
    if (!pv_output_begin (&output, path, error) ||
        !pv_writer_open (&writer, output.work_path, error))
        return false;
    pv_writer_write (&writer, bytes, size);
    return pv_writer_close (&writer, error) && pv_output_commit (&output, error);
}
