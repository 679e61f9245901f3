/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "render/chart/chart-private.h"

/*
 * Names inside the layers, so that one need not look up colours in the legend. For each layer,
 * finds the stretch of the needed width where the layer is thickest: a sliding window over the
 * columns tracks the lowest top and the highest bottom, each with a queue of the columns that may
 * still become the extreme.
 */
enum {
    NAME_PADDING = 5,
    NAME_MOST = 240,
    NAME_LEAST = 64, /* names are not cut below this */
};

typedef struct {
    PV_ARRAY (uint32_t) columns;
    size_t first;
} PvQueue;

typedef struct {
    const PvChartPainter *painter;
    size_t stride;
    uint32_t layer;
    PvQueue tops;    /* lowest on the screen first */
    PvQueue bottoms; /* highest on the screen first */
} PvWindow;

static int
top_at (const PvWindow *window, uint32_t column)
{
    return window->painter->tops.data[column * window->stride + window->layer + 1];
}

static int
bottom_at (const PvWindow *window, uint32_t column)
{
    return window->painter->tops.data[column * window->stride + window->layer];
}

static void
add_column (PvWindow *window, uint32_t column)
{
    PvQueue *tops = &window->tops, *bottoms = &window->bottoms;
    while (tops->columns.len > tops->first &&
           top_at (window, tops->columns.data[tops->columns.len - 1]) <= top_at (window, column))
        tops->columns.len--;
    pv_array_push (&tops->columns, column);
    while (bottoms->columns.len > bottoms->first &&
           bottom_at (window, bottoms->columns.data[bottoms->columns.len - 1]) >=
               bottom_at (window, column))
        bottoms->columns.len--;
    pv_array_push (&bottoms->columns, column);
}

static void
drop_before (PvQueue *queue, uint32_t column)
{
    while (queue->first < queue->columns.len && queue->columns.data[queue->first] < column)
        queue->first++;
}

/* True if the layer is at least so many device pixels thick anywhere. */
static bool
is_thick (const PvWindow *window, int least)
{
    for (uint32_t c = 0; c < window->painter->layout.columns.len; c++)
        if (bottom_at (window, c) - top_at (window, c) >= least)
            return true;
    return false;
}

/* Finds the thickest stretch of this width in device pixels. */
static bool
find_stretch (PvWindow *window, double width, int least, int *ret_left, int *ret_middle)
{
    const PvChartLayout *layout = &window->painter->layout;
    const PvChartColumn *columns = layout->columns.data;
    uint32_t first = 0, n = (uint32_t)layout->columns.len;
    int best = least - 1;
    window->tops.columns.len = window->tops.first = 0;
    window->bottoms.columns.len = window->bottoms.first = 0;
    for (uint32_t c = 0; c < n; c++) {
        add_column (window, c);
        while (first < c && columns[c].right - columns[first + 1].left >= width)
            first++;
        drop_before (&window->tops, first);
        drop_before (&window->bottoms, first);
        int room = columns[c].right - columns[first].left;
        int top = top_at (window, window->tops.columns.data[window->tops.first]);
        int bottom = bottom_at (window, window->bottoms.columns.data[window->bottoms.first]);
        int left = columns[first].left + (int)((room - width) / 2), thickness = bottom - top;
        /* Cross the line at the peak only if there is no other place. */
        if (layout->has_peak && layout->peak_x >= left && layout->peak_x < left + width)
            thickness = MIN (thickness, least);
        if (room < width || thickness <= best)
            continue;
        best = thickness;
        *ret_left = left;
        *ret_middle = top + (bottom - top) / 2;
    }
    return best >= least;
}

static void
place_name (PvChartPainter *painter, const PvSeries *series, PvWindow *window)
{
    const PvChartLayout *layout = &painter->layout;
    int least = (int)ceil ((layout->line_height + 2) * layout->scale), left = 0, middle = 0;
    if (!is_thick (window, least))
        return;
    double wanted = pv_chart_measure_name (painter, series, window->layer, NAME_MOST);
    for (double width = wanted; width >= MIN (wanted, NAME_LEAST); width *= 0.8) {
        if (!find_stretch (window, (width + 2 * NAME_PADDING) * layout->scale, least, &left,
                           &middle))
            continue;
        PvChartName name = {.layer = window->layer, .width = width + 1};
        name.x = floor (left / layout->scale + NAME_PADDING);
        name.baseline =
            floor (middle / layout->scale - layout->line_height / 2 + layout->text_baseline + 0.5);
        pv_array_push (&painter->placed, name);
        return;
    }
}

void
pv_chart_place_names (PvChartPainter *painter, const PvSeries *series)
{
    PvWindow window = {.painter = painter, .stride = series->n_layers + 1};
    painter->placed.len = 0;
    for (uint32_t l = 0; l < series->n_layers && series->kind != PV_CHART_RSS; l++) {
        window.layer = l;
        place_name (painter, series, &window);
    }
    pv_array_clear (&window.tops.columns);
    pv_array_clear (&window.bottoms.columns);
}

void
pv_chart_draw_names (PvChartPainter *painter, cairo_t *cr, const PvSeries *series,
                     const PvChartView *view)
{
    for (size_t i = 0; i < painter->placed.len; i++) {
        const PvChartName *name = &painter->placed.data[i];
        PvColor color =
            pv_chart_text_color (pv_chart_layer_color (painter, series, view, name->layer));
        cairo_set_source_rgb (cr, color.red, color.green, color.blue);
        pv_chart_show_name (painter, cr, series, name->layer, name->x, name->baseline, name->width);
    }
}
