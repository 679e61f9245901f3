/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "render/chart/chart-private.h"

/*
 * The legend: at the right of the chart, rows are in the order of the layers, so that the eye moves
 * straight across; below the chart, the heaviest comes first. If there is no room for all, the
 * lightest are omitted, and a row shows their number.
 */
enum {
    SWATCH = 12,
    SWATCH_GAP = 7,
    SHARE_GAP = 10,
    ROW_PADDING = 5,
    COLUMN_WIDTH = 200,
    NARROW_COLUMN_WIDTH = 140, /* if there is only height for one row */
    NARROW_HEIGHT = 220,
    COLUMN_GAP = 18,
    NAME_MOST = 300,
};

static const double LEAST_SHARE = 0.0005;

double
pv_chart_legend_row_height (const PvChartLayout *layout)
{
    return layout->line_height + ROW_PADDING;
}

uint32_t
pv_chart_legend_columns (const PvChartLayout *layout)
{
    double width = layout->height < NARROW_HEIGHT ? NARROW_COLUMN_WIDTH : COLUMN_WIDTH;
    return (uint32_t)CLAMP (floor (layout->width / width), 1, PV_CHART_MAX_LEGEND);
}

static double
share_of_layer (const PvSeries *series, uint32_t layer)
{
    double sum = 0;
    for (uint32_t l = 0; l < series->n_layers; l++)
        sum += (double)MAX (series->layers[l].weight, 0);
    return sum > 0 ? (double)MAX (series->layers[layer].weight, 0) / sum : 0;
}

/* The number of layers that would have a row if there was room: not those with "0.0 %". */
static uint32_t
count_named (const PvSeries *series, bool *ret_has_others)
{
    uint32_t n = series->n_layers;
    bool has_others = n > 1 && series->layers[n - 1].function == 0;
    *ret_has_others = has_others && share_of_layer (series, n - 1) >= LEAST_SHARE;
    n -= has_others ? 1 : 0;
    while (n > 1 && share_of_layer (series, n - 1) < LEAST_SHARE)
        n--;
    return n;
}

uint32_t
pv_chart_legend_count (const PvSeries *series)
{
    bool has_others;
    uint32_t n_named = count_named (series, &has_others), n = n_named + (has_others ? 1 : 0);
    return n + (n < series->n_layers ? 1 : 0);
}

static const char *
name_resident (const PvChartLayout *layout)
{
    return layout->is_resident_above ? _ ("resident, above the chart")
                                     : _ ("resident memory, at most");
}

static char *
format_resident (const PvSeries *series)
{
    return pv_format_amount ((uint64_t)series->highest_resident, PV_UNIT_BYTES);
}

double
pv_chart_legend_width (PvChartPainter *painter, const PvSeries *series)
{
    double widest = 0;
    for (uint32_t l = 0; l < series->n_layers && l < PV_CHART_MAX_LEGEND; l++)
        widest = MAX (widest, pv_chart_measure_name (painter, series, l, NAME_MOST));
    widest += pv_chart_measure_text (painter, "100.0 %");
    if (painter->layout.has_resident) {
        g_autofree char *highest = format_resident (series);
        widest = MAX (widest, pv_chart_measure_text (painter, name_resident (&painter->layout)) +
                                  pv_chart_measure_text (painter, highest));
    }
    return SWATCH + SWATCH_GAP + widest + SHARE_GAP;
}

static void
add_row (PvChartPainter *painter, const PvSeries *series, cairo_rectangle_t rect, uint32_t layer)
{
    PvChartLayout *layout = &painter->layout;
    PvChartLegendRow *row = &layout->legend[layout->n_legend++];
    *row = (PvChartLegendRow){.rect = rect, .layer = layer};
    if (layer == PV_CHART_NONE)
        return;
    g_autofree char *share = layer == PV_CHART_RESIDENT
                                 ? format_resident (series)
                                 : pv_format_percent (share_of_layer (series, layer), 1);
    g_strlcpy (row->share, share, sizeof row->share);
    row->share_x = rect.x + rect.width - pv_chart_measure_text (painter, row->share);
}

void
pv_chart_layout_legend (PvChartPainter *painter, const PvSeries *series, cairo_rectangle_t room,
                        bool is_beside)
{
    PvChartLayout *layout = &painter->layout;
    double row_height = pv_chart_legend_row_height (layout);
    uint32_t n_columns = is_beside ? 1 : pv_chart_legend_columns (layout);
    double column_width = (room.width + COLUMN_GAP) / n_columns;
    uint32_t n_cells = (uint32_t)MAX (floor (room.height / row_height + 0.01), 0) * n_columns;
    n_cells = MIN (n_cells, PV_CHART_MAX_LEGEND);
    /* The line is above most layers, and so is its row. */
    uint32_t first_cell = layout->has_resident && n_cells > 1 ? 1 : 0;
    n_cells -= first_cell;
    bool has_others;
    uint32_t n_named = count_named (series, &has_others);
    uint32_t n_wanted = pv_chart_legend_count (series);
    has_others = has_others && n_cells >= MIN (n_wanted, 3);
    if (n_wanted > n_cells)
        n_named = MIN (n_named, n_cells - MIN (n_cells, has_others ? 2 : n_cells > 1 ? 1 : 0));
    uint32_t n_shown = n_named + (has_others ? 1 : 0);
    bool has_more = n_shown < series->n_layers && n_shown < n_cells;
    uint32_t n_rows = n_shown + (has_more ? 1 : 0);
    layout->n_legend_hidden = series->n_layers - n_shown;

    if (first_cell > 0)
        add_row (painter, series,
                 (cairo_rectangle_t){room.x, room.y, column_width - COLUMN_GAP, row_height},
                 PV_CHART_RESIDENT);
    /* Heaviest first, then the number of omitted layers, then all others. */
    for (uint32_t i = 0; i < n_rows; i++) {
        uint32_t rank = is_beside ? n_rows - 1 - i : i;
        uint32_t layer = rank < n_named                ? rank
                         : has_more && rank == n_named ? PV_CHART_NONE
                                                       : series->n_layers - 1;
        uint32_t cell = i + first_cell;
        cairo_rectangle_t rect = {room.x + (cell % n_columns) * column_width,
                                  room.y + (cell / n_columns) * row_height,
                                  column_width - COLUMN_GAP, row_height};
        add_row (painter, series, rect, layer);
    }
}

static void
draw_swatch (PvChartPainter *painter, cairo_t *cr, PvColor color, double x, double y)
{
    const PvChartPalette *palette = &painter->palette;
    pv_color_set_source (cr, color, 1);
    cairo_rectangle (cr, x, y, SWATCH, SWATCH);
    cairo_fill (cr);
    if (palette->is_high_contrast) {
        pv_color_set_source (cr, palette->foreground, 1);
        cairo_set_line_width (cr, 1);
        cairo_rectangle (cr, x + 0.5, y + 0.5, SWATCH - 1, SWATCH - 1);
        cairo_stroke (cr);
    }
}

/* A line, as it is drawn. */
static void
draw_resident (PvChartPainter *painter, cairo_t *cr, const PvChartLegendRow *row, double top,
               double baseline)
{
    double x = row->rect.x + SWATCH + SWATCH_GAP;
    pv_color_set_source (cr, painter->palette.resident, 1);
    cairo_rectangle (cr, row->rect.x, floor (top + painter->layout.line_height / 2 - 1), SWATCH, 2);
    cairo_fill (cr);
    pv_color_set_source (cr, painter->palette.foreground, 1);
    pv_chart_show_text (painter, cr, name_resident (&painter->layout), x, baseline,
                        row->share_x - SHARE_GAP - x);
    pv_color_set_source (cr, painter->palette.faint, 1);
    pv_chart_show_text (painter, cr, row->share, row->share_x, baseline, -1);
}

/* The heading above the shares. */
static void
draw_title (PvChartPainter *painter, cairo_t *cr, const PvSeries *series)
{
    const PvChartLayout *layout = &painter->layout;
    const char *text = series->kind == PV_CHART_LIVE ? _ ("average share") : C_ ("legend", "share");
    if (layout->n_legend == 0)
        return;
    const cairo_rectangle_t *rect = &layout->legend[0].rect;
    double x = rect->x + rect->width - pv_chart_measure_text (painter, text);
    pv_color_set_source (cr, painter->palette.faint, 1);
    pv_chart_show_text (painter, cr, text, x, layout->caption_top + layout->text_baseline, -1);
}

void
pv_chart_draw_legend (PvChartPainter *painter, cairo_t *cr, const PvSeries *series,
                      const PvChartView *view)
{
    const PvChartLayout *layout = &painter->layout;
    if (layout->has_legend_title)
        draw_title (painter, cr, series);
    for (uint32_t i = 0; i < layout->n_legend; i++) {
        const PvChartLegendRow *row = &layout->legend[i];
        double top = row->rect.y + ROW_PADDING / 2.0, baseline = top + layout->text_baseline;
        double x = row->rect.x + SWATCH + SWATCH_GAP;
        if (row->layer == PV_CHART_NONE) {
            char *text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "and %u more",
                                                       "and %u more", layout->n_legend_hidden),
                                          layout->n_legend_hidden);
            pv_color_set_source (cr, painter->palette.faint, 1);
            pv_chart_show_text (painter, cr, text, x, baseline, row->rect.x + row->rect.width - x);
            g_free (text);
            continue;
        }
        if (row->layer == PV_CHART_RESIDENT) {
            draw_resident (painter, cr, row, top, baseline);
            continue;
        }
        draw_swatch (painter, cr, pv_chart_layer_color (painter, series, view, row->layer),
                     row->rect.x, floor (top + (layout->line_height - SWATCH) / 2));
        pv_color_set_source (cr, painter->palette.foreground, 1);
        pv_chart_show_name (painter, cr, series, row->layer, x, baseline,
                            row->share_x - SHARE_GAP - x);
        pv_color_set_source (cr, painter->palette.faint, 1);
        pv_chart_show_text (painter, cr, row->share, row->share_x, baseline, -1);
    }
}
