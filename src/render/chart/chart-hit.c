/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "render/chart/chart-private.h"
#include "render/draw/palette.h"

/* Hit testing, and what is drawn over the finished picture. */
#define DIM_PERCENT 55

static void
find_layer (PvChartPainter *painter, const PvSeries *series, const PvChartColumn *column,
            double device_y, PvChartHit *ret_hit)
{
    const PvChartLayout *layout = &painter->layout;
    double sum = -column->below;
    int bottom = pv_chart_panel_y (&layout->plot, sum);
    for (uint32_t l = 0; l < series->n_layers; l++) {
        double value = pv_chart_column_get_value (layout, series, column, l);
        sum += value;
        int top = pv_chart_panel_y (&layout->plot, sum);
        if (device_y < bottom && device_y >= top) {
            ret_hit->layer = l;
            ret_hit->function = series->layers[l].function;
            ret_hit->value = l < series->n_below ? -value : value;
            return;
        }
        bottom = top;
    }
}

static bool
is_inside (const cairo_rectangle_t *rect, double x, double y)
{
    return x >= rect->x && x < rect->x + rect->width && y >= rect->y && y < rect->y + rect->height;
}

static bool
hit_legend (const PvChartLayout *layout, const PvSeries *series, double x, double y,
            PvChartHit *ret_hit)
{
    for (uint32_t i = 0; i < layout->n_legend; i++) {
        const PvChartLegendRow *row = &layout->legend[i];
        if (row->layer >= series->n_layers || !is_inside (&row->rect, x, y))
            continue;
        ret_hit->is_in_legend = true;
        ret_hit->layer = row->layer;
        ret_hit->function = series->layers[row->layer].function;
        return true;
    }
    return false;
}

bool
pv_chart_hit (PvChartPainter *painter, const PvSeries *series, const PvChartView *view, double x,
              double y, PvChartHit *ret_hit)
{
    g_assert (painter != NULL && view != NULL && ret_hit != NULL);

    const PvChartLayout *layout = &painter->layout;
    *ret_hit = (PvChartHit){.layer = PV_CHART_NONE, .point = PV_CHART_NONE, .x = x, .y = y};
    ret_hit->first_point = ret_hit->end_point = ret_hit->dump = PV_CHART_NONE;
    if (!pv_chart_painter_prepare (painter, series, view))
        return false;
    if (hit_legend (layout, series, x, y, ret_hit))
        return true;

    double device_x = x * layout->scale, device_y = y * layout->scale;
    bool is_in_bytes = device_y >= layout->bytes.top && device_y < layout->bytes.bottom;
    bool is_in_plot = device_y >= layout->plot.top && device_y < layout->plot.bottom;
    const PvChartColumn *column = pv_chart_layout_find_column (layout, device_x);
    if (column == NULL || (!is_in_plot && !is_in_bytes))
        return false;
    ret_hit->is_in_plot = true;
    ret_hit->point = column->shown;
    ret_hit->first_point = column->first;
    ret_hit->end_point = column->end;
    ret_hit->total = column->total;
    ret_hit->resident = column->resident;
    if (series->kind == PV_CHART_DUMPS)
        ret_hit->dump = series->first_dump + column->shown;
    if (layout->is_time)
        ret_hit->time_ms = layout->start_ms + (device_x - layout->plot.left) / layout->px_per_ms;
    if (is_in_plot)
        find_layer (painter, series, column, device_y, ret_hit);
    return true;
}

static char *
describe_time (const PvSeries *series, const PvChartHit *hit)
{
    char time[PV_CHART_LABEL_SIZE];
    double step = pv_chart_span_ms (series, hit->first_point, hit->end_point);
    double end = (double)series->start_ms[series->n_points];
    pv_chart_format_time (hit->time_ms, MIN (step, 999), end, time);
    return g_strdup (time);
}

static char *
describe_dump (const PvSeries *series, const PvChartHit *hit)
{
    const PvProfile *profile = series->tree->profile;
    const PvDump *dump = &profile->dumps[hit->dump];
    char time[PV_CHART_LABEL_SIZE];
    if (!profile->has_dump_times)
        /* Translators: the name of a dump of the heap, and which one of them it is. */
        return g_strdup_printf (_ ("%s (#%u)"), dump->name, hit->dump + 1);
    double time_ms = (double)series->start_ms[hit->point];
    double step = pv_chart_span_ms (series, hit->point, hit->point + 1);
    pv_chart_format_time (time_ms, MIN (step, 999), (double)series->start_ms[series->n_points],
                          time);
    /* Translators: the name of a dump of the heap, which one of them it is, and its time. */
    return g_strdup_printf (_ ("%s (#%u at %s)"), dump->name, hit->dump + 1, time);
}

static char *
describe_class (const PvSeries *series, uint32_t point)
{
    const PvHeapSizeClass *size = &series->size_classes[point];
    char low[PV_CHART_LABEL_SIZE], high[PV_CHART_LABEL_SIZE];
    pv_chart_format_tick ((double)size->low_bytes, (double)size->low_bytes, PV_UNIT_COUNT, low);
    pv_chart_format_tick ((double)size->high_bytes, (double)size->high_bytes, PV_UNIT_COUNT, high);
    g_autofree char *bytes = pv_format_amount (size->allocated_bytes, PV_UNIT_BYTES);
    if (size->low_bytes == size->high_bytes)
        /* Translators: sizes of blocks of memory, and how much all of them have */
        return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s byte each, %s together",
                                             "%s bytes each, %s together", (gulong)size->low_bytes),
                                low, bytes);
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s to %s byte each, %s together",
                                         "%s to %s bytes each, %s together",
                                         (gulong)size->high_bytes),
                            low, high, bytes);
}

static char *
format_amount (const PvSeries *series, double amount)
{
    bool is_rate = series->kind == PV_CHART_ALLOCATIONS || series->kind == PV_CHART_TEMPORARY;
    if (series->is_net)
        return pv_format_signed_amount ((int64_t)CLAMP (round (amount), -0x1p62, 0x1p62),
                                        series->unit);
    g_autofree char *value = pv_chart_format_value (amount, series->unit);
    if (is_rate)
        return g_strdup_printf (_ ("%s per second"), value);
    if (series->kind == PV_CHART_SIZES)
        return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s allocation", "%s allocations",
                                             (gulong)MAX (amount, 0)),
                                value);
    return g_steal_pointer (&value);
}

static double
share_of_weight (const PvSeries *series, uint32_t layer)
{
    double sum = 0;
    for (uint32_t l = 0; l < series->n_layers; l++)
        sum += (double)MAX (series->layers[l].weight, 0);
    return sum > 0 ? (double)MAX (series->layers[layer].weight, 0) / sum : 0;
}

PvChartText
pv_chart_describe_hit (const PvSeries *series, const PvChartHit *hit)
{
    g_assert (hit != NULL);

    PvChartText text = {0};
    if (series == NULL)
        return text;
    if (hit->is_in_plot && hit->first_point < hit->end_point &&
        hit->end_point <= series->n_points) {
        text.time = series->kind == PV_CHART_SIZES   ? describe_class (series, hit->point)
                    : series->kind == PV_CHART_DUMPS ? describe_dump (series, hit)
                                                     : describe_time (series, hit);
        text.total = format_amount (series, hit->total);
        if (hit->resident > 0)
            text.resident = pv_chart_format_value (hit->resident, PV_UNIT_BYTES);
    }
    if (hit->layer >= series->n_layers)
        return text;
    text.site = pv_chart_get_layer_name (series, hit->layer);
    if (hit->is_in_legend) {
        g_autofree char *share = pv_format_percent (share_of_weight (series, hit->layer), 1);
        /* Translators: "48.2 % of all". */
        text.value = g_strdup_printf (_ ("%s of all"), share);
        return text;
    }
    g_autofree char *value = format_amount (series, hit->value);
    /* No shares of a net total: it is not the whole. */
    if (series->is_net) {
        text.value = g_steal_pointer (&value);
        return text;
    }
    g_autofree char *share = pv_format_percent (hit->value, hit->total);
    text.value = g_strdup_printf ("%s (%s)", value, share);
    return text;
}

void
pv_chart_text_clear (PvChartText *text)
{
    g_clear_pointer (&text->time, g_free);
    g_clear_pointer (&text->total, g_free);
    g_clear_pointer (&text->site, g_free);
    g_clear_pointer (&text->value, g_free);
    g_clear_pointer (&text->resident, g_free);
}

cairo_rectangle_t
pv_chart_get_hover_line (PvChartPainter *painter, const PvSeries *series, const PvChartView *view,
                         const PvChartHit *hit)
{
    g_assert (painter != NULL && view != NULL && hit != NULL);

    const PvChartLayout *layout = &painter->layout;
    const PvChartPanel *plot = &layout->plot;

    if (!pv_chart_painter_prepare (painter, series, view) || !hit->is_in_plot || !layout->is_time ||
        pv_chart_panel_is_empty (plot))
        return (cairo_rectangle_t){0};
    double thin = MAX (floor (layout->scale), 1);
    double x = floor (CLAMP (hit->x * layout->scale, plot->left, plot->right - thin));
    return (cairo_rectangle_t){x / layout->scale, plot->top / layout->scale, thin / layout->scale,
                               (plot->bottom - plot->top) / layout->scale};
}

bool
pv_chart_get_brush_rect (PvChartPainter *painter, const PvSeries *series, const PvChartView *view,
                         cairo_rectangle_t *ret_rect)
{
    if (!(view->brush_end_ms > view->brush_start_ms) ||
        !pv_chart_painter_prepare (painter, series, view) || !painter->layout.is_time ||
        pv_chart_panel_is_empty (&painter->layout.plot))
        return false;
    const PvChartLayout *layout = &painter->layout;
    const PvChartPanel *plot = &layout->plot;
    double ends[2] = {view->brush_start_ms, view->brush_end_ms};
    for (int i = 0; i < 2; i++) {
        double x = plot->left + (ends[i] - layout->start_ms) * layout->px_per_ms;
        ends[i] = floor (CLAMP (x, plot->left, plot->right) + 0.5) / layout->scale;
    }
    *ret_rect = (cairo_rectangle_t){ends[0], plot->top / layout->scale, ends[1] - ends[0],
                                    (plot->bottom - plot->top) / layout->scale};
    return true;
}

void
pv_chart_get_dim_color (const PvChartView *view, PvColor *ret_color, double *ret_alpha)
{
    PvPalette palette;
    pv_palette_init_plain (&palette, view->is_dark, view->is_high_contrast);
    *ret_color = palette.background;
    *ret_alpha = DIM_PERCENT / 100.0;
}

void
pv_chart_draw_brush (PvChartPainter *painter, cairo_t *cr, const PvSeries *series,
                     const PvChartView *view)
{
    cairo_rectangle_t inside;
    if (!pv_chart_get_brush_rect (painter, series, view, &inside))
        return;
    const PvChartPanel *plot = &painter->layout.plot;
    double scale = painter->layout.scale, pixel = 1 / scale;
    double left = plot->left / scale, right = plot->right / scale;
    double end = inside.x + inside.width;
    cairo_rectangle (cr, left, inside.y, inside.x - left, inside.height);
    cairo_rectangle (cr, end, inside.y, right - end, inside.height);
    pv_color_set_source (cr, painter->palette.background, DIM_PERCENT / 100.0);
    cairo_fill (cr);
    cairo_rectangle (cr, inside.x, inside.y, pixel, inside.height);
    cairo_rectangle (cr, end - pixel, inside.y, pixel, inside.height);
    pv_color_set_source (cr, painter->palette.foreground, 0.8);
    cairo_fill (cr);
}
