/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/tracks/heat-picture.h"

#include <math.h>

#include "core/base/format.h"
#include "render/chart/time-ruler.h"
#include "render/draw/raster.h"

enum {
    RULER_HEIGHT = 26,
    AXIS_WIDTH = 64,
    LABEL_GAP = 8,
    AXIS_PARTS = 5,         /* of a column that have a label */
    MOST_COLUMN_WIDTH = 48, /* a few columns are not stretched to all of the width */
    GAP_FROM = 4,           /* cells at least that wide and high have a gap between them */
    NS_PER_MS = 1000000,
    VEIL_PERCENT = 72, /* of background, over cells outside the range */
};

PvHeatPainter *
pv_heat_painter_new (const PangoFontDescription *font)
{
    PvHeatPainter *painter = g_new0 (PvHeatPainter, 1);
    painter->font = pv_glyph_font_new (font);
    return painter;
}

void
pv_heat_painter_free (PvHeatPainter *painter)
{
    if (painter == NULL)
        return;
    pv_glyph_font_free (painter->font);
    g_free (painter);
}

/* From pale to strong; in the dark from dim to bright. Lightness goes one way, so that no hue is
 * needed to tell them apart. */
static void
make_steps (PvHeatPainter *painter)
{
    bool is_dark = painter->palette.is_dark;
    painter->steps[0] = pv_color_mix (painter->palette.background, painter->palette.foreground,
                                      painter->palette.is_high_contrast ? 0 : 0.04);
    for (unsigned i = 1; i <= PV_HEAT_STEPS; i++) {
        double share = (i - 1.0) / (PV_HEAT_STEPS - 1.0);
        double lightness = is_dark ? 0.34 + 0.52 * share : 0.92 - 0.50 * share;
        double chroma = is_dark ? 0.07 + 0.08 * share : 0.05 + 0.15 * share;
        painter->steps[i] =
            pv_color_from_oklch (lightness, chroma, is_dark ? 30 + 50 * share : 75 - 50 * share);
    }
}

void
pv_heat_painter_prepare (PvHeatPainter *painter, const PvHeatView *view)
{
    g_assert (painter != NULL && view != NULL);
    if (!painter->has_palette || painter->palette.is_dark != view->is_dark ||
        painter->palette.is_high_contrast != view->is_high_contrast) {
        pv_palette_init_plain (&painter->palette, view->is_dark, view->is_high_contrast);
        make_steps (painter);
    }
    painter->has_palette = true;
    pv_glyph_font_set_scale (painter->font, painter->is_vector ? 0 : view->device_scale);
}

/* Where cells are drawn. */
static cairo_rectangle_t
get_plot (const PvHeatMap *map, const PvHeatView *view)
{
    g_assert (map != NULL && view != NULL);
    double width = MAX (view->width - AXIS_WIDTH, 0);
    double height = MAX (view->height - RULER_HEIGHT - 2, 0);
    width = MIN (width, map->n_columns * (double)MOST_COLUMN_WIDTH);
    return (cairo_rectangle_t){AXIS_WIDTH, RULER_HEIGHT, width, height};
}

cairo_rectangle_t
pv_heat_get_box (const PvHeatMap *map, const PvHeatView *view, uint32_t cell)
{
    g_assert (cell < pv_heat_map_count_cells (map));
    cairo_rectangle_t plot = get_plot (map, view);
    uint32_t column = cell / PV_HEAT_ROWS, row = cell % PV_HEAT_ROWS;
    double width = plot.width / map->n_columns, height = plot.height / PV_HEAT_ROWS;
    return (cairo_rectangle_t){plot.x + column * width, plot.y + (PV_HEAT_ROWS - 1 - row) * height,
                               width, height};
}

uint32_t
pv_heat_find (const PvHeatMap *map, const PvHeatView *view, double x, double y, bool is_strict)
{
    cairo_rectangle_t plot = get_plot (map, view);
    if (plot.width < 1 || plot.height < 1 ||
        (is_strict &&
         (x < plot.x || x >= plot.x + plot.width || y < plot.y || y >= plot.y + plot.height)))
        return PV_HEAT_NONE;
    double column = floor ((x - plot.x) / plot.width * map->n_columns);
    double row = floor ((plot.y + plot.height - y) / plot.height * PV_HEAT_ROWS);
    return (uint32_t)CLAMP (column, 0, map->n_columns - 1.0) * PV_HEAT_ROWS +
           (uint32_t)CLAMP (row, 0, PV_HEAT_ROWS - 1.0);
}

/* The index in steps of a cell with that weight. */
static unsigned
get_step (const PvHeatMap *map, uint64_t weight)
{
    g_assert (map != NULL && weight <= map->highest);
    if (weight == 0)
        return 0;
    return (unsigned)ceil ((double)weight / (double)map->highest * PV_HEAT_STEPS);
}

/* Drawing */

/* On whole device pixels, unless for vectors; with a gap where there is room for it. */
static cairo_rectangle_t
place_cell (const PvHeatPainter *painter, const PvHeatMap *map, const PvHeatView *view,
            uint32_t cell)
{
    cairo_rectangle_t box = pv_heat_get_box (map, view, cell);
    double scale = painter->is_vector ? 1 : view->device_scale;
    double left = box.x * scale, right = (box.x + box.width) * scale;
    double top = box.y * scale, bottom = (box.y + box.height) * scale;
    double gap = box.width >= GAP_FROM && box.height >= GAP_FROM ? 1 : 0;
    if (!painter->is_vector) {
        left = round (left);
        right = MAX (round (right), left + 1);
        top = round (top);
        bottom = MAX (round (bottom), top + 1);
    }
    return (cairo_rectangle_t){left / scale, top / scale, (right - left - gap) / scale,
                               (bottom - top - gap) / scale};
}

/* Cells before the first, and after the last one. */
static bool
is_veiled (const PvHeatView *view, uint32_t cell)
{
    return view->has_range && (cell < view->first || cell > view->last);
}

static PvColor
get_color (const PvHeatPainter *painter, unsigned step, bool veiled)
{
    PvColor color = painter->steps[step];
    return veiled ? pv_color_mix (color, painter->palette.background, VEIL_PERCENT / 100.0) : color;
}

/* The index of the color of each cell, veiled ones after the others; UINT8_MAX: its time does not
 * count. Free with g_free (). */
static uint8_t *
choose_colors (const PvHeatMap *map, const PvHeatView *view)
{
    uint32_t n = pv_heat_map_count_cells (map);
    uint8_t *color_of_cell = g_new (uint8_t, n);
    for (uint32_t cell = 0; cell < n; cell++) {
        uint64_t start_ns, end_ns;
        unsigned color = get_step (map, map->weights[cell]);
        if (is_veiled (view, cell))
            color += PV_HEAT_STEPS + 1;
        if (!pv_heat_map_get_times (map, cell, &start_ns, &end_ns))
            color = UINT8_MAX;
        color_of_cell[cell] = (uint8_t)color;
    }
    return color_of_cell;
}

/* Straight into pixels. False if the target does not allow that. */
static bool
raster_cells (const PvHeatPainter *painter, cairo_t *cr, const PvHeatMap *map,
              const PvHeatView *view, const uint8_t *color_of_cell)
{
    PvRaster raster;
    uint32_t pixels[2 * (PV_HEAT_STEPS + 1)];
    double scale = view->device_scale;
    if (painter->is_vector || !pv_raster_init (&raster, cr, scale))
        return false;
    for (unsigned step = 0; step <= PV_HEAT_STEPS; step++) {
        pixels[step] = pv_raster_pack (get_color (painter, step, false));
        pixels[PV_HEAT_STEPS + 1 + step] = pv_raster_pack (get_color (painter, step, true));
    }
    for (uint32_t cell = 0; cell < pv_heat_map_count_cells (map); cell++) {
        cairo_rectangle_t box = place_cell (painter, map, view, cell);
        if (color_of_cell[cell] != UINT8_MAX)
            pv_raster_fill (&raster, (int)round (box.x * scale), (int)round (box.y * scale),
                            (int)round ((box.x + box.width) * scale),
                            (int)round ((box.y + box.height) * scale), pixels[color_of_cell[cell]]);
    }
    cairo_surface_mark_dirty (cairo_get_group_target (cr));
    return true;
}

/* One path for each color. */
static void
draw_cells (const PvHeatPainter *painter, cairo_t *cr, const PvHeatMap *map, const PvHeatView *view)
{
    uint32_t n = pv_heat_map_count_cells (map);
    g_autofree uint8_t *color_of_cell = choose_colors (map, view);
    if (raster_cells (painter, cr, map, view, color_of_cell))
        return;
    for (unsigned color = 0; color < 2 * (PV_HEAT_STEPS + 1); color++) {
        for (uint32_t cell = 0; cell < n; cell++)
            if (color_of_cell[cell] == color) {
                cairo_rectangle_t box = place_cell (painter, map, view, cell);
                cairo_rectangle (cr, box.x, box.y, box.width, box.height);
            }
        pv_color_set_source (
            cr, get_color (painter, color % (PV_HEAT_STEPS + 1), color > PV_HEAT_STEPS), 1);
        cairo_fill (cr);
    }
}

static void
draw_cursor (const PvHeatPainter *painter, cairo_t *cr, const PvHeatMap *map,
             const PvHeatView *view)
{
    cairo_rectangle_t box = pv_heat_get_box (map, view, view->selected);
    double right = round (box.x + MAX (box.width, 3)), bottom = round (box.y + MAX (box.height, 3));
    double left = floor (box.x), top = floor (box.y);
    cairo_rectangle (cr, left - 0.5, top - 0.5, right - left, bottom - top);
    pv_color_set_source (cr, painter->palette.selection, 1);
    cairo_set_line_width (cr, 2);
    cairo_stroke (cr);
}

/* How far into a column: a label for each part. */
static void
draw_axis (const PvHeatPainter *painter, cairo_t *cr, const cairo_rectangle_t *plot,
           const PvHeatMap *map)
{
    double ascent = pv_glyph_font_get_ascent (painter->font);
    for (unsigned i = 0; i < AXIS_PARTS; i++) {
        double y = plot->y + plot->height * (1 - (double)i / AXIS_PARTS);
        g_autofree char *label = pv_format_amount (map->column_ns / AXIS_PARTS * i, PV_UNIT_NS);
        double width = pv_glyph_font_measure_text (painter->font, label);
        pv_color_set_source (cr, painter->palette.faint, 1);
        pv_glyph_font_show_text (painter->font, cr, label, MAX (plot->x - LABEL_GAP - width, 0),
                                 floor (MIN (y, plot->y + plot->height) - ascent / 3), width + 1);
        pv_color_set_source (cr, painter->palette.foreground, 0.25);
        cairo_rectangle (cr, plot->x - 5, floor (y) - 1, 5, 1);
        cairo_fill (cr);
    }
}

/* Up to the end of the last column, or of the clock. */
static void
draw_ruler (const PvHeatPainter *painter, cairo_t *cr, const cairo_rectangle_t *plot,
            const PvHeatMap *map, const PvHeatView *view)
{
    uint64_t end_ns;
    PvTimeRuler ruler = {.left = plot->x,
                         .width = plot->width,
                         .height = plot->y,
                         .full_width = view->width,
                         .start_ns = map->first_ns,
                         .end_ns = UINT64_MAX};
    if (!__builtin_mul_overflow (map->n_columns, map->column_ns, &end_ns) &&
        !__builtin_add_overflow (map->first_ns, end_ns, &end_ns))
        ruler.end_ns = end_ns;
    pv_time_ruler_draw (&ruler, cr, painter->font, &painter->palette);
}

void
pv_heat_draw (PvHeatPainter *painter, cairo_t *cr, const PvHeatMap *map, const PvHeatView *view)
{
    g_assert (painter != NULL && cr != NULL && map != NULL && view != NULL);
    pv_heat_painter_prepare (painter, view);
    cairo_rectangle_t plot = get_plot (map, view);
    pv_color_set_source (cr, painter->palette.background, 1);
    cairo_paint (cr);
    if (plot.width < 1 || plot.height < 1)
        return;
    draw_cells (painter, cr, map, view);
    draw_axis (painter, cr, &plot, map);
    draw_ruler (painter, cr, &plot, map, view);
    if (view->selected != PV_HEAT_NONE)
        draw_cursor (painter, cr, map, view);
}

char *
pv_heat_format_times (const PvHeatMap *map, uint32_t first, uint32_t last)
{
    uint64_t start_ns, end_ns, unused_ns;
    g_assert (map != NULL && first <= last);
    pv_heat_map_get_times (map, first, &start_ns, &unused_ns);
    pv_heat_map_get_times (map, last, &unused_ns, &end_ns);
    /* As exact as a cell is long. */
    double cell_ms = (double)map->column_ns / PV_HEAT_ROWS / NS_PER_MS;
    int digits = (int)MAX (ceil (-log10 (cell_ms / 1000) - 1e-9), 0);
    return g_strdup_printf ("%.*f–%.*f s", digits, (double)start_ns / 1e9, digits,
                            (double)end_ns / 1e9);
}
