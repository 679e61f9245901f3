/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "render/chart/chart-private.h"

#define NS_PER_MS 1000000

/* Moves the visible range and converts between times and positions. */

double
pv_chart_time_to_x (PvChartPainter *painter, const PvSeries *series, const PvChartView *view,
                    double time_ms)
{
    if (!pv_chart_painter_prepare (painter, series, view))
        return 0;
    const PvChartLayout *layout = &painter->layout;
    return (layout->plot.left + (time_ms - layout->start_ms) * layout->px_per_ms) / layout->scale;
}

static double
x_to_time (const PvChartLayout *layout, double x)
{
    if (!(layout->px_per_ms > 0))
        return layout->start_ms;
    return layout->start_ms + (x * layout->scale - layout->plot.left) / layout->px_per_ms;
}

static uint64_t
get_start_ns (const PvSeries *series, uint32_t point)
{
    return (series->start_ms != NULL ? series->start_ms[point] : point) * NS_PER_MS;
}

void
pv_chart_snap (const PvSeries *series, uint64_t time_ns, uint64_t *ret_start_ns,
               uint64_t *ret_end_ns)
{
    g_assert (series->n_points > 0);
    uint64_t point = time_ns / NS_PER_MS;
    if (series->start_ms != NULL)
        point = pv_chart_find_point (series, (double)time_ns / NS_PER_MS);
    point = MIN (point, series->n_points - 1);
    *ret_start_ns = get_start_ns (series, (uint32_t)point);
    *ret_end_ns = get_start_ns (series, (uint32_t)point + 1);
}

/* Sets the range, keeping its length where possible. An empty range shows the whole series. */
static bool
set_range (const PvSeries *series, const PvChartLayout *layout, PvChartView *view, double start,
           double length)
{
    double first = (double)series->start_ms[0], end = (double)series->start_ms[series->n_points];
    length = MIN (length, end - first);
    start = CLAMP (start, first, end - length);
    if (start == layout->start_ms && start + length == layout->end_ms)
        return false;
    view->start_ms = start;
    view->end_ms = start + length;
    if (length >= end - first)
        view->start_ms = view->end_ms = 0;
    return true;
}

bool
pv_chart_zoom (PvChartPainter *painter, const PvSeries *series, PvChartView *view, double x,
               double factor)
{
    if (!(factor > 0) || !pv_chart_painter_prepare (painter, series, view) ||
        !painter->layout.is_time || pv_chart_panel_is_empty (&painter->layout.plot))
        return false;
    const PvChartLayout *layout = &painter->layout;
    double length = layout->end_ms - layout->start_ms;
    double center = CLAMP (x_to_time (layout, x), layout->start_ms, layout->end_ms);
    double share = length > 0 ? (center - layout->start_ms) / length : 0;
    /* Show at least two points. */
    double whole = pv_chart_span_ms (series, 0, series->n_points);
    double least = MIN (MAX (2 * whole / series->n_points, 1), length);
    double new_length = MAX (length / factor, least);
    return set_range (series, layout, view, center - share * new_length, new_length);
}

bool
pv_chart_pan (PvChartPainter *painter, const PvSeries *series, PvChartView *view, double dx)
{
    if (!pv_chart_painter_prepare (painter, series, view) || !painter->layout.is_time ||
        pv_chart_panel_is_empty (&painter->layout.plot) || !(painter->layout.px_per_ms > 0))
        return false;
    const PvChartLayout *layout = &painter->layout;
    double start = layout->start_ms + dx * layout->scale / layout->px_per_ms;
    return set_range (series, layout, view, start, layout->end_ms - layout->start_ms);
}
