/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/chart/histogram.h"

#include <math.h>

#include "core/base/format.h"

enum {
    SIDE = 12,
    TOP = 18, /* room for the highest count */
    BOTTOM = 20,
    GAP = 1,
    LEAST_HEIGHT = 2, /* of a bar that has something */
    MOST_COLUMN = 64, /* a few bars are not stretched to all of the width */
    MOST_NAMED_COLUMN = 160,
    LEAST_NAME = 40, /* where there is less room, names are left out */
    LABEL_GAP = 12,
};

void
pv_histogram_clear (PvHistogram *histogram)
{
    g_assert (histogram != NULL);
    g_free (histogram->counts);
    g_strfreev (histogram->edges);
    *histogram = (PvHistogram){0};
}

static uint64_t
find_highest (const PvHistogram *histogram)
{
    uint64_t highest = 1;
    for (uint32_t bar = 0; bar < histogram->n_bars; bar++)
        highest = MAX (highest, histogram->counts[bar]);
    return highest;
}

cairo_rectangle_t
pv_histogram_get_column (const PvHistogram *histogram, const PvHistogramView *view, uint32_t bar)
{
    g_assert (histogram != NULL && view != NULL && bar < histogram->n_bars);
    double most = histogram->has_names ? MOST_NAMED_COLUMN : MOST_COLUMN;
    double width = MIN (MAX (view->width - 2 * SIDE, 1) / histogram->n_bars, most);
    double left = floor (SIDE + bar * width), right = floor (SIDE + (bar + 1) * width);
    return (cairo_rectangle_t){left, TOP, MAX (right - left, 1),
                               MAX (view->height - TOP - BOTTOM, 1)};
}

uint32_t
pv_histogram_find (const PvHistogram *histogram, const PvHistogramView *view, double x, double y)
{
    g_assert (histogram != NULL && view != NULL);
    for (uint32_t bar = 0; bar < histogram->n_bars; bar++) {
        cairo_rectangle_t column = pv_histogram_get_column (histogram, view, bar);
        if (x >= column.x && x < column.x + column.width && y >= 0 && y < view->height)
            return bar;
    }
    return PV_BAR_NONE;
}

static void
draw_bar (const PvHistogram *histogram, const PvHistogramView *view, const PvPalette *palette,
          uint32_t bar, uint64_t highest, cairo_t *cr)
{
    cairo_rectangle_t column = pv_histogram_get_column (histogram, view, bar);
    double share = (double)histogram->counts[bar] / (double)highest;
    double height = MAX (floor (share * column.height), LEAST_HEIGHT);
    double paler = view->is_high_contrast ? 0.25 : 0.5;
    if (view->hovered == bar) {
        pv_color_set_source (cr, pv_color_mix (palette->background, palette->foreground, 0.08), 1);
        cairo_rectangle (cr, column.x, column.y, column.width, column.height);
        cairo_fill (cr);
    }
    if (histogram->counts[bar] == 0)
        return;
    if (view->chosen != PV_BAR_NONE)
        paler = view->chosen == bar ? 0.1 : 0.75;
    pv_color_set_source (cr, pv_color_mix (palette->foreground, palette->background, paler), 1);
    cairo_rectangle (cr, column.x, column.y + column.height - height, MAX (column.width - GAP, 1),
                     height);
    cairo_fill (cr);
}

/* Where the ranges begin, as many as there is room for. */
static void
draw_edges (const PvHistogram *histogram, const PvHistogramView *view, PvGlyphFont *font,
            double baseline, cairo_t *cr)
{
    double free_x = 0;
    for (uint32_t bar = 0; bar < histogram->n_bars; bar++) {
        cairo_rectangle_t column = pv_histogram_get_column (histogram, view, bar);
        double width = pv_glyph_font_measure_text (font, histogram->edges[bar]);
        if (histogram->has_names && column.width >= LEAST_NAME)
            width = MIN (width, column.width - LABEL_GAP);
        if (column.x < free_x || column.x + width > view->width)
            continue;
        cairo_rectangle (cr, column.x, column.y + column.height, 1, 4);
        cairo_fill (cr);
        pv_glyph_font_show_text (font, cr, histogram->edges[bar], column.x + 3, baseline,
                                 histogram->has_names ? width + 1 : width + LABEL_GAP);
        free_x = column.x + width + LABEL_GAP;
    }
}

void
pv_histogram_draw (const PvHistogram *histogram, const PvHistogramView *view, PvGlyphFont *font,
                   cairo_t *cr)
{
    g_assert (histogram != NULL && view != NULL && font != NULL && cr != NULL);
    uint64_t highest = find_highest (histogram);
    g_autofree char *most = pv_format_count (highest);
    PvPalette palette;
    pv_palette_init_plain (&palette, view->is_dark, view->is_high_contrast);
    pv_glyph_font_set_scale (font, view->device_scale);
    pv_color_set_source (cr, palette.background, 1);
    cairo_paint (cr);
    if (histogram->n_bars == 0)
        return;
    for (uint32_t bar = 0; bar < histogram->n_bars; bar++)
        draw_bar (histogram, view, &palette, bar, highest, cr);
    pv_color_set_source (cr, pv_color_mix (palette.foreground, palette.background, 0.75), 1);
    cairo_rectangle (cr, SIDE, TOP, view->width - 2 * SIDE, 1);
    cairo_rectangle (cr, SIDE, view->height - BOTTOM, view->width - 2 * SIDE, 1);
    cairo_fill (cr);
    pv_color_set_source (cr, palette.faint, 1);
    pv_glyph_font_show_text (font, cr, most, SIDE, TOP - 5, view->width - 2 * SIDE);
    draw_edges (histogram, view, font, view->height - 5, cr);
}
