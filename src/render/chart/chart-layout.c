/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/chart/chart-layout.h"

#include <math.h>

#include "core/base/search.h"

void
pv_chart_layout_clear (PvChartLayout *layout)
{
    pv_array_clear (&layout->columns);
}

double
pv_chart_span_ms (const PvSeries *series, uint32_t first, uint32_t end)
{
    uint64_t start = series->start_ms[first], stop = series->start_ms[end];
    return stop > start ? (double)(stop - start) : 1;
}

uint32_t
pv_chart_find_point (const PvSeries *series, double time_ms)
{
    return pv_bisect (0, series->n_points, i, !((double)series->start_ms[i + 1] > time_ms));
}

double
pv_chart_column_get_value (const PvChartLayout *layout, const PvSeries *series,
                           const PvChartColumn *column, uint32_t layer)
{
    const int64_t *values = series->layers[layer].values;
    if (!layout->is_rate)
        return pv_chart_positive (values[column->shown]);
    double sum = 0;
    for (uint32_t p = column->first; p < column->end; p++)
        sum += pv_chart_positive (values[p]);
    return sum * 1000 / pv_chart_span_ms (series, column->first, column->end);
}

int
pv_chart_panel_y (const PvChartPanel *panel, double value)
{
    double height = fabs (value * panel->scale);
    int room = value < 0 ? panel->bottom - panel->zero : panel->zero - panel->top;
    int pixels = height < room ? (int)(height + 0.5) : room;
    return value < 0 ? panel->zero + pixels : panel->zero - pixels;
}

void
pv_chart_column_get_tops (const PvChartLayout *layout, const PvSeries *series,
                          const PvChartColumn *column, int *ret_tops)
{
    double sum = -column->below;
    ret_tops[0] = pv_chart_panel_y (&layout->plot, sum);
    for (uint32_t l = 0; l < series->n_layers; l++) {
        sum += pv_chart_column_get_value (layout, series, column, l);
        ret_tops[l + 1] = pv_chart_panel_y (&layout->plot, sum);
    }
}

const PvChartColumn *
pv_chart_layout_find_column (const PvChartLayout *layout, double device_x)
{
    size_t found =
        pv_bisect (0, layout->columns.len, i, !(layout->columns.data[i].right > device_x));
    if (found == layout->columns.len)
        return NULL;
    const PvChartColumn *column = &layout->columns.data[found];
    return device_x >= column->left ? column : NULL;
}

void
pv_chart_column_get_bar (const PvChartLayout *layout, const PvChartColumn *column, int *ret_left,
                         int *ret_right)
{
    int width = column->right - column->left;
    int gap = layout->is_time || width < 4 ? 0 : MAX (width / 10, 1);
    *ret_left = column->left + gap;
    *ret_right = column->right - gap;
}
