/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/format.h"
#include "render/chart/chart-private.h"
#include "render/chart/time-ruler.h"
#include "render/draw/palette.h"
#include "render/draw/shared-image.h"

enum {
    GRID_ALPHA_PERCENT = 11,
    TEXT_PADDING = 8,
    NS_PER_MS = 1000000,
};

static void
find_tops (PvChartPainter *painter, const PvSeries *series)
{
    const PvChartLayout *layout = &painter->layout;
    size_t stride = series->n_layers + 1;
    pv_array_resize (&painter->tops, layout->columns.len * stride);
    for (size_t i = 0; i < layout->columns.len; i++)
        pv_chart_column_get_tops (layout, series, &layout->columns.data[i],
                                  painter->tops.data + i * stride);
}

static int
top_of (const PvChartPainter *painter, const PvSeries *series, size_t column, uint32_t layer)
{
    return painter->tops.data[column * (series->n_layers + 1) + layer + 1];
}

/* Adds the steps along the top of a layer, from left to right. */
static void
add_steps (const PvChartPainter *painter, cairo_t *cr, const PvSeries *series, uint32_t layer,
           bool starts)
{
    const PvChartLayout *layout = &painter->layout;
    for (size_t i = 0; i < layout->columns.len; i++) {
        int y = top_of (painter, series, i, layer);
        if (i == 0 && starts)
            cairo_move_to (cr, layout->columns.data[i].left, y);
        else if (i == 0 || y != top_of (painter, series, i - 1, layer))
            cairo_line_to (cr, layout->columns.data[i].left, y);
        if (i + 1 == layout->columns.len || y != top_of (painter, series, i + 1, layer))
            cairo_line_to (cr, layout->columns.data[i].right, y);
    }
}

/* Clears the room below the lowest layer, which no layer fills. */
static void
clear_below (PvChartPainter *painter, cairo_t *cr, const PvSeries *series)
{
    const PvChartLayout *layout = &painter->layout;
    for (size_t i = 0; i < layout->columns.len && series->n_below > 0; i++) {
        const PvChartColumn *column = &layout->columns.data[i];
        int top = painter->tops.data[i * (series->n_layers + 1)];
        cairo_rectangle (cr, column->left, top, column->right - column->left,
                         layout->plot.bottom - top);
    }
    pv_color_set_source (cr, painter->palette.background, 1);
    cairo_fill (cr);
}

/* From the highest layer down, each filled to the axis, so that no background shows between
 * layers. */
static void
fill_layers (PvChartPainter *painter, cairo_t *cr, const PvSeries *series, const PvChartView *view)
{
    const PvChartLayout *layout = &painter->layout;
    const PvChartPalette *palette = &painter->palette;
    size_t n = layout->columns.len;
    for (uint32_t l = series->n_layers; l-- > 0 && n > 0;) {
        PvColor color = pv_chart_layer_color (painter, series, view, l);
        cairo_move_to (cr, layout->columns.data[0].left, layout->plot.bottom);
        add_steps (painter, cr, series, l, false);
        cairo_line_to (cr, layout->columns.data[n - 1].right, layout->plot.bottom);
        cairo_close_path (cr);
        pv_color_set_source (cr, color, 1);
        cairo_fill (cr);
        if (l + 1 == series->n_layers)
            continue;
        add_steps (painter, cr, series, l, true);
        pv_color_set_source (cr, pv_color_mix (color, palette->separator, palette->separator_share),
                             1);
        cairo_set_line_width (cr, layout->scale * 0.7);
        cairo_stroke (cr);
    }
    clear_below (painter, cr, series);
}

static void
fill_bars (PvChartPainter *painter, cairo_t *cr, const PvSeries *series, const PvChartView *view)
{
    const PvChartLayout *layout = &painter->layout;
    for (uint32_t l = series->n_layers; l-- > 0;) {
        for (size_t i = 0; i < layout->columns.len; i++) {
            int left, right, top = top_of (painter, series, i, l);
            int bottom = l > 0 ? top_of (painter, series, i, l - 1) : layout->plot.bottom;
            pv_chart_column_get_bar (layout, &layout->columns.data[i], &left, &right);
            cairo_rectangle (cr, left, top, right - left, bottom - top);
        }
        pv_color_set_source (cr, pv_chart_layer_color (painter, series, view, l), 1);
        cairo_fill (cr);
    }
}

/* The line along the total, as areas at whole pixels, which are far cheaper than a stroke. */
static void
draw_outline (PvChartPainter *painter, cairo_t *cr, const PvSeries *series)
{
    const PvChartLayout *layout = &painter->layout;
    bool is_alone = series->kind == PV_CHART_RSS;
    int thickness = (int)(layout->scale * (is_alone ? 1.75 : 1) + 0.5);
    thickness = MAX (thickness, 1);
    int previous = layout->plot.bottom;
    if (series->n_layers == 0 || !layout->is_time)
        return;
    for (size_t i = 0; i < layout->columns.len; i++) {
        const PvChartColumn *column = &layout->columns.data[i];
        int top = top_of (painter, series, i, series->n_layers - 1);
        if (i > 0 && abs (top - previous) > thickness)
            cairo_rectangle (cr, column->left, MIN (top, previous), thickness,
                             abs (top - previous));
        int y = MIN (top, layout->plot.bottom - thickness);
        cairo_rectangle (cr, column->left, y, column->right - column->left, thickness);
        previous = top;
    }
    pv_color_set_source (cr, is_alone ? painter->palette.line : painter->palette.outline, 1);
    cairo_fill (cr);
}

/* Steps like those of the total, but thicker and in a colour of its own. */
static void
draw_resident (PvChartPainter *painter, cairo_t *cr)
{
    const PvChartLayout *layout = &painter->layout;
    int thickness = MAX ((int)(layout->scale * 2 + 0.5), 1), previous = 0;
    if (!layout->has_resident || layout->is_resident_above)
        return;
    for (size_t i = 0; i < layout->columns.len; i++) {
        const PvChartColumn *column = &layout->columns.data[i];
        int top = MIN (pv_chart_panel_y (&layout->plot, column->resident),
                       layout->plot.bottom - thickness);
        if (i > 0 && abs (top - previous) > thickness)
            cairo_rectangle (cr, column->left, MIN (top, previous), thickness,
                             abs (top - previous) + thickness);
        cairo_rectangle (cr, column->left, top, column->right - column->left, thickness);
        previous = top;
    }
    pv_color_set_source (cr, painter->palette.resident, 1);
    cairo_fill (cr);
}

static void
draw_bytes (PvChartPainter *painter, cairo_t *cr, const PvSeries *series)
{
    const PvChartLayout *layout = &painter->layout;
    const PvChartPanel *panel = &layout->bytes;
    for (size_t i = 0; i < layout->columns.len; i++) {
        const PvChartColumn *column = &layout->columns.data[i];
        int left, right;
        int top =
            pv_chart_panel_y (panel, (double)series->size_classes[column->first].allocated_bytes);
        pv_chart_column_get_bar (layout, column, &left, &right);
        cairo_rectangle (cr, left, top, right - left, panel->bottom - top);
    }
    pv_color_set_source (
        cr, pv_color_mix (painter->palette.line, painter->palette.background, 0.45), 1);
    cairo_fill (cr);
}

/* Drawn over the layers, so that values can be read everywhere in the plot. */
static void
draw_grid (PvChartPainter *painter, cairo_t *cr, const PvChartPanel *panel)
{
    const PvChartLayout *layout = &painter->layout;
    const PvChartPalette *palette = &painter->palette;
    int thin = MAX ((int)layout->scale, 1);
    int right = panel->right, left = panel->left;
    for (uint32_t i = 0; i < panel->n_ticks; i++)
        if (panel->ticks[i].value != 0)
            cairo_rectangle (cr, left, panel->ticks[i].at, right - left, thin);
    bool has_times = layout->is_time && !layout->is_numbered;
    for (uint32_t i = 0; i < layout->n_time_ticks && has_times; i++)
        if (layout->time_ticks[i].at > left && layout->time_ticks[i].at < right)
            cairo_rectangle (cr, layout->time_ticks[i].at, panel->top, thin,
                             panel->bottom - panel->top);
    pv_color_set_source (cr, palette->foreground,
                         palette->is_high_contrast ? 0.3 : GRID_ALPHA_PERCENT / 100.0);
    cairo_fill (cr);
    cairo_rectangle (cr, left, panel->zero, right - left, thin);
    pv_color_set_source (cr, palette->foreground, palette->is_high_contrast ? 1 : 0.45);
    cairo_fill (cr);
}

static void
draw_labels (PvChartPainter *painter, cairo_t *cr, const PvChartTick *ticks, uint32_t n_ticks)
{
    pv_color_set_source (cr, painter->palette.faint, 1);
    for (uint32_t i = 0; i < n_ticks; i++)
        if (ticks[i].has_label)
            pv_chart_show_text (painter, cr, ticks[i].label, ticks[i].label_x, ticks[i].baseline,
                                -1);
}

static void
draw_captions (PvChartPainter *painter, cairo_t *cr, const PvSeries *series)
{
    const PvChartLayout *layout = &painter->layout;
    pv_color_set_source (cr, painter->palette.foreground, 1);
    if (layout->has_caption)
        pv_chart_show_text (painter, cr, painter->caption, layout->caption_x,
                            layout->caption_top + layout->text_baseline, layout->caption_width);
    if (layout->has_caption && layout->is_compact && layout->has_resident) {
        int baseline = layout->caption_top + layout->line_height + layout->text_baseline;
        pv_color_set_source (cr, painter->palette.resident, 1);
        pv_chart_show_text (painter, cr, C_ ("legend", "Resident"), layout->caption_x, baseline,
                            layout->caption_width);
        if (layout->is_resident_above) {
            g_autofree char *amount =
                pv_format_amount ((uint64_t)series->highest_resident, PV_UNIT_BYTES);
            g_autofree char *most = g_strdup_printf ("≤ %s", amount);
            pv_chart_show_text (painter, cr, most, layout->caption_x,
                                baseline + layout->line_height, layout->caption_width);
        }
    }
    if (!pv_chart_panel_is_empty (&layout->bytes))
        pv_chart_show_text (painter, cr, _ ("Bytes allocated by each size"), layout->caption_x,
                            layout->bytes.top / layout->scale - layout->line_height - 5 +
                                layout->text_baseline,
                            -1);
}

static void
draw_peak (PvChartPainter *painter, cairo_t *cr)
{
    const PvChartLayout *layout = &painter->layout;
    const PvChartPalette *palette = &painter->palette;
    if (!layout->has_peak)
        return;
    double scale = layout->scale, x = layout->peak_x, y = layout->peak_y;
    int thin = MAX ((int)scale, 1), dash = 4 * thin;
    for (int at = layout->plot.top; at < layout->plot.bottom; at += 2 * dash)
        cairo_rectangle (cr, x, at, thin, MIN (dash, layout->plot.bottom - at));
    pv_color_set_source (cr, palette->foreground, 0.75);
    cairo_fill (cr);
    cairo_arc (cr, x + thin / 2.0, y, 3.5 * scale, 0, 2 * G_PI);
    pv_color_set_source (cr, palette->background, 1);
    cairo_fill_preserve (cr);
    pv_color_set_source (cr, palette->foreground, 1);
    cairo_set_line_width (cr, 1.5 * scale);
    cairo_stroke (cr);
}

static void
draw_peak_label (PvChartPainter *painter, cairo_t *cr)
{
    const PvChartLayout *layout = &painter->layout;
    if (!layout->has_peak_label)
        return;
    pv_color_set_source (cr, painter->palette.foreground, 1);
    pv_chart_show_text (painter, cr, layout->peak_label, layout->peak_label_x,
                        layout->peak_label_top + layout->text_baseline, -1);
}

/* Shows why the plot is empty. */
static void
draw_notice (PvChartPainter *painter, cairo_t *cr, const PvSeries *series)
{
    const PvChartLayout *layout = &painter->layout;
    const char *text = _ ("Nothing was allocated here");
    for (size_t i = 0; i < layout->columns.len; i++)
        if (layout->columns.data[i].total > 0)
            return;
    if (series->kind == PV_CHART_TEMPORARY)
        text = _ ("No temporary allocations here");
    else if (series->kind == PV_CHART_LIVE)
        text = _ ("Nothing was live here");
    else if (series->kind == PV_CHART_RSS)
        text = _ ("The recording does not say how much memory was resident");
    else if (series->kind == PV_CHART_DUMPS)
        text = _ ("Nothing was counted here");
    double width = pv_chart_measure_text (painter, text);
    double x = TEXT_PADDING, y = layout->height / 2;
    if (!pv_chart_panel_is_empty (&layout->plot)) {
        x = (layout->plot.left + layout->plot.right) / layout->scale / 2 - width / 2;
        y = (layout->plot.top + layout->plot.bottom) / layout->scale / 2;
    }
    pv_color_set_source (cr, painter->palette.faint, 1);
    x = MAX (x, TEXT_PADDING);
    pv_chart_show_text (painter, cr, text, floor (x), floor (y), layout->width - x - TEXT_PADDING);
}

static void
draw_areas (PvChartPainter *painter, cairo_t *cr, const PvSeries *series, const PvChartView *view)
{
    const PvChartLayout *layout = &painter->layout;
    bool is_raster = !painter->is_vector && pv_chart_raster (painter, cr, series, view);
    cairo_save (cr);
    cairo_scale (cr, 1 / layout->scale, 1 / layout->scale);
    if (!is_raster && layout->is_time)
        fill_layers (painter, cr, series, view);
    else if (!is_raster)
        fill_bars (painter, cr, series, view);
    draw_outline (painter, cr, series);
    draw_grid (painter, cr, &layout->plot);
    draw_resident (painter, cr);
    if (!pv_chart_panel_is_empty (&layout->bytes)) {
        draw_bytes (painter, cr, series);
        draw_grid (painter, cr, &layout->bytes);
    }
    draw_peak (painter, cr);
    cairo_restore (cr);
}

/* The ruler of a compact chart; for numbers of dumps only its line, as ticks have labels. */
static void
draw_ruler (PvChartPainter *painter, cairo_t *cr)
{
    const PvChartLayout *layout = &painter->layout;
    PvPalette palette;
    PvTimeRuler ruler = {
        .left = layout->plot.left / layout->scale,
        .width = (layout->plot.right - layout->plot.left) / layout->scale,
        .height = PV_TIME_RULER_HEIGHT,
        .full_width = layout->width,
        .start_ns = (uint64_t)(MIN (layout->start_ms, 1e12) * NS_PER_MS),
        .end_ns = (uint64_t)(MIN (layout->end_ms, 1e12 + 1) * NS_PER_MS),
    };
    pv_palette_init_plain (&palette, painter->palette.is_dark, painter->palette.is_high_contrast);
    if (!layout->is_numbered && ruler.start_ns < ruler.end_ns) {
        pv_time_ruler_draw (&ruler, cr, painter->font, &palette);
        return;
    }
    pv_color_set_source (cr, palette.foreground, 0.25);
    cairo_rectangle (cr, 0, PV_TIME_RULER_HEIGHT - 1, layout->width, 1);
    cairo_fill (cr);
}

void
pv_chart_draw_prepared (PvChartPainter *painter, cairo_t *cr, const PvSeries *series,
                        const PvChartView *view)
{
    const PvChartLayout *layout = &painter->layout;
    pv_color_set_source (cr, painter->palette.background, 1);
    cairo_paint (cr);
    if (series == NULL)
        return;
    if (!pv_chart_panel_is_empty (&layout->plot)) {
        if (layout->is_compact)
            draw_ruler (painter, cr);
        find_tops (painter, series);
        draw_areas (painter, cr, series, view);
        draw_labels (painter, cr, layout->plot.ticks, layout->plot.n_ticks);
        draw_labels (painter, cr, layout->bytes.ticks, layout->bytes.n_ticks);
        draw_labels (painter, cr, layout->time_ticks, layout->n_time_ticks);
        draw_peak_label (painter, cr);
        if (!view->hides_names && layout->is_time) {
            pv_chart_place_names (painter, series);
            pv_chart_draw_names (painter, cr, series, view);
        }
    }
    draw_captions (painter, cr, series);
    if (!view->hides_notice)
        draw_notice (painter, cr, series);
    pv_chart_draw_legend (painter, cr, series, view);
}

static cairo_surface_t *
draw_image (PvChartPainter *painter, const PvSeries *series, const PvChartView *view)
{
    double scale = painter->layout.scale;
    cairo_t *cr =
        pv_shared_image_begin (painter->images, (int)CLAMP (ceil (view->width * scale), 1, 32767),
                               (int)CLAMP (ceil (view->height * scale), 1, 32767), scale);
    pv_chart_draw_prepared (painter, cr, series, view);
    return pv_shared_image_end (cr);
}

cairo_surface_t *
pv_chart_draw_image (PvChartPainter *painter, const PvSeries *series, const PvChartView *view)
{
    g_assert (painter != NULL && view != NULL);

    pv_chart_painter_prepare (painter, series, view);
    return draw_image (painter, series, view);
}

void
pv_chart_draw (PvChartPainter *painter, cairo_t *cr, const PvSeries *series,
               const PvChartView *view)
{
    g_assert (painter != NULL && cr != NULL && view != NULL);

    pv_chart_painter_prepare (painter, series, view);
    cairo_save (cr);
    cairo_rectangle (cr, 0, 0, view->width, view->height);
    cairo_clip (cr);
    if (cairo_surface_get_type (cairo_get_group_target (cr)) == CAIRO_SURFACE_TYPE_RECORDING) {
        cairo_surface_t *image = draw_image (painter, series, view);
        cairo_pattern_t *pattern = pv_shared_image_make_pattern (image, painter->layout.scale);
        cairo_set_source (cr, pattern);
        cairo_paint (cr);
        cairo_pattern_destroy (pattern);
        cairo_surface_destroy (image);
    } else {
        pv_chart_draw_prepared (painter, cr, series, view);
    }
    pv_chart_draw_brush (painter, cr, series, view);
    cairo_restore (cr);
}
