/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rulers, and the one of a heat map, also at the end of the clock.
 */
#include "../cases.h"
#include "render/chart/time-ruler.h"
#include "render/tracks/heat-picture.h"
#include "views.h"

enum { LEFT = 50, WIDTH = 900, HEIGHT = 26, MS = 1000000 };

#define LATEST_NS UINT64_C (0xfffffffe00000000)

/* How many ticks there are; ret_first: where the first one is. */
static unsigned
count_ticks (uint64_t start_ns, uint64_t end_ns, int *ret_first)
{
    PvPalette palette;
    g_autoptr (cairo_surface_t) image =
        cairo_image_surface_create (CAIRO_FORMAT_RGB24, LEFT + WIDTH + 50, HEIGHT);
    g_autoptr (cairo_t) cr = cairo_create (image);
    g_autoptr (PangoFontDescription) description = pango_font_description_from_string ("Sans 9");
    PvGlyphFont *font = pv_glyph_font_new (description);
    const PvTimeRuler ruler = {LEFT, WIDTH, HEIGHT, LEFT + WIDTH + 50, start_ns, end_ns};
    pv_palette_init_plain (&palette, false, false);
    pv_time_ruler_draw (&ruler, cr, font, &palette);
    g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
    cairo_surface_flush (image);
    const uint32_t *row =
        (const uint32_t *)(const void *)(cairo_image_surface_get_data (image) +
                                         (ptrdiff_t)(HEIGHT - 2) *
                                             cairo_image_surface_get_stride (image));
    unsigned n = 0;
    for (int x = 0; x < LEFT + WIDTH + 50; x++)
        if (row[x] != row[0] && n++ == 0 && ret_first != NULL)
            *ret_first = x;
    pv_glyph_font_free (font);
    return n;
}

TEST (ticks)
{
    int first = 0;
    g_assert_cmpuint (count_ticks (0, 1000 * (uint64_t)MS, &first), ==, 10);
    g_assert_cmpint (first, ==, LEFT);
    g_assert_cmpuint (count_ticks (250 * (uint64_t)MS, 1250 * (uint64_t)MS, &first), ==, 10);
    g_assert_cmpint (first, ==, LEFT + 45);
    g_assert_cmpuint (count_ticks (0, 1000, NULL), ==, 10);
}

/* Where steps are smaller than what a double can tell apart. */
TEST (late)
{
    for (uint64_t span_ns = 1; span_ns < LATEST_NS / 10; span_ns *= 10)
        g_assert_cmpuint (count_ticks (LATEST_NS - span_ns, LATEST_NS, NULL), <=, 12);
    g_assert_cmpuint (count_ticks (0, UINT64_MAX, NULL), >, 1);
}

/* The last column ends after the end of the clock. */
TEST (late_heat_map)
{
    const uint64_t column_ns = UINT64_C (100000000000000000);
    PvHeatMap map = {.start_ns = 100 * column_ns,
                     .end_ns = LATEST_NS,
                     .column_ns = column_ns,
                     .first_ns = 100 * column_ns,
                     .n_columns = 85,
                     .highest = 1};
    PvHeatView view = {.width = 500, .height = 200, .device_scale = 1, .selected = PV_HEAT_NONE};
    g_autofree uint64_t *weights = g_new0 (uint64_t, pv_heat_map_count_cells (&map));
    g_autoptr (cairo_surface_t) image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 500, 200);
    g_autoptr (cairo_t) cr = cairo_create (image);
    g_autoptr (PangoFontDescription) description = pango_font_description_from_string ("Sans 9");
    g_autoptr (PvHeatPainter) painter = pv_heat_painter_new (description);
    weights[pv_heat_map_count_cells (&map) / 2] = 1;
    map.weights = weights;
    pv_heat_draw (painter, cr, &map, &view);
    g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
}
