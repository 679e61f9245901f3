/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/analyze/series/series.h"
#include "core/base/array.h"
#include "render/chart/chart-axis.h"

/*
 * The layout of a chart. Edges of columns and layers are in whole device pixels, texts in
 * pixels of the drawing. Costs one pass over the visible points and a few texts to measure, so it
 * is made anew whenever it is needed: the series may have been replaced by another.
 */
enum {
    PV_CHART_MAX_TICKS = 128,
    PV_CHART_MAX_LEGEND = 64,
};

/* One or more points that look like one; a class of sizes. */
typedef struct {
    int left; /* device pixels */
    int right;
    uint32_t first; /* points [first, end) */
    uint32_t end;
    uint32_t shown; /* of levels: the one with the highest total */
    double total;   /* as drawn: a level, a rate, a count */
} PvChartColumn;

typedef struct {
    double value;
    int at;         /* device pixel of its line */
    double label_x; /* left edge of its label ... */
    double baseline;
    bool has_label; /* ... if there is room for one */
    char label[PV_CHART_LABEL_SIZE];
} PvChartTick;

/* An area with an axis of values at its left. */
typedef struct {
    int left; /* device pixels */
    int top;
    int right;
    int bottom;
    double highest; /* that fits */
    double scale;   /* device pixels per value */
    PvUnit unit;
    uint32_t n_ticks;
    PvChartTick ticks[PV_CHART_MAX_TICKS];
} PvChartPanel;

typedef struct {
    cairo_rectangle_t rect; /* all of the row */
    uint32_t layer;         /* PV_CHART_NONE: "and 5 more" */
    char share[16];
    double share_x;
} PvChartLegendRow;

typedef struct {
    double scale; /* device pixels per pixel of the drawing */
    double width;
    double height;
    double line_height;   /* of a text */
    double text_baseline; /* below the top of such a line */

    bool is_time;
    bool is_numbered; /* dumps of which only the order is known */
    bool is_rate;
    double start_ms; /* visible */
    double end_ms;
    double px_per_ms; /* device pixels */

    PvChartPanel plot;  /* of no width if there is no room for it */
    PvChartPanel bytes; /* of sizes: the bytes in each class; else of no width */
    double slot_width;  /* of sizes, device pixels */
    uint32_t n_time_ticks;
    PvChartTick time_ticks[PV_CHART_MAX_TICKS];

    PV_ARRAY (PvChartColumn) columns;

    bool has_caption;
    double caption_x;
    double caption_top;
    bool has_peak;
    int peak_x; /* device pixels, as peak_y */
    int peak_y;
    char peak_label[3 * PV_CHART_LABEL_SIZE];
    double peak_label_x;
    double peak_label_top;
    bool has_peak_label;

    bool has_legend_title;
    uint32_t n_legend;
    PvChartLegendRow legend[PV_CHART_MAX_LEGEND];
    uint32_t n_legend_hidden; /* layers without a row */
} PvChartLayout;

static inline bool
pv_chart_panel_is_empty (const PvChartPanel *panel)
{
    return panel->right <= panel->left || panel->bottom <= panel->top;
}

/* Layers never go below the axis. */
static inline double
pv_chart_positive (int64_t value)
{
    return value > 0 ? (double)value : 0;
}

void pv_chart_layout_clear (PvChartLayout *layout);

/* What a layer is worth in a column, as drawn; never negative. */
double pv_chart_column_get_value (const PvChartLayout *layout, const PvSeries *series,
                                  const PvChartColumn *column, uint32_t layer);
/* Where its layers begin, from the axis up: n_layers + 1 device pixels, downwards counting. */
void pv_chart_column_get_tops (const PvChartLayout *layout, const PvSeries *series,
                               const PvChartColumn *column, int *ret_tops);
/* The column at a device pixel, or NULL. */
const PvChartColumn *pv_chart_layout_find_column (const PvChartLayout *layout, double device_x);
/* The pixels that a column's bar is drawn on. */
void pv_chart_column_get_bar (const PvChartLayout *layout, const PvChartColumn *column,
                              int *ret_left, int *ret_right);

/* Device pixel of a value, within the panel. */
int pv_chart_panel_y (const PvChartPanel *panel, double value);

/* Points whose time ends after t: the first of them; n_points if there is none. */
uint32_t pv_chart_find_point (const PvSeries *series, double time_ms);

/* Milliseconds that points [first, end) take, at least 1. */
double pv_chart_span_ms (const PvSeries *series, uint32_t first, uint32_t end);
