/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/analyze/series/series.h"
#include "core/base/array.h"
#include "render/chart/chart-axis.h"

/*
 * The layout of a chart. Edges of columns and layers are in whole device pixels, texts in pixels of
 * the drawing. Costs one pass over the visible points and measuring a few texts, so it is
 * recomputed whenever needed: the series may have been replaced.
 */
enum {
    PV_CHART_MAX_TICKS = 128,
    PV_CHART_MAX_LEGEND = 64,
};

/* In place of a layer, in legends. */
#define PV_CHART_RESIDENT (UINT32_MAX - 1)

/* One or more points drawn as one, or a size class. */
typedef struct {
    int left; /* device pixels */
    int right;
    uint32_t first; /* points [first, end) */
    uint32_t end;
    uint32_t shown;  /* for levels: the point with the highest total */
    double total;    /* as drawn: a level, a rate, a count; net if there are layers below 0 */
    double above;    /* of the layers above the axis, and ... */
    double below;    /* ... of those below it */
    double resident; /* the highest; 0 unless the layout has it */
} PvChartColumn;

typedef struct {
    double value;
    int at;         /* its line, in device pixels */
    double label_x; /* left edge of its label ... */
    double baseline;
    bool has_label; /* ... if there is room for one */
    char label[PV_CHART_LABEL_SIZE];
} PvChartTick;

/* An area with a value axis at its left. */
typedef struct {
    int left; /* device pixels */
    int top;
    int right;
    int bottom;
    int zero;       /* of value 0: the bottom, unless there are values below it */
    double highest; /* highest value that fits */
    double scale;   /* device pixels per value */
    PvUnit unit;
    uint32_t n_ticks;
    PvChartTick ticks[PV_CHART_MAX_TICKS];
} PvChartPanel;

typedef struct {
    cairo_rectangle_t rect; /* the whole row */
    uint32_t layer;         /* PV_CHART_NONE: "and 5 more"; or PV_CHART_RESIDENT */
    char share[32];         /* of resident memory, the highest */
    double share_x;
} PvChartLegendRow;

typedef struct {
    double scale; /* device pixels per pixel of the drawing */
    double width;
    double height;
    double line_height;   /* of a text */
    double text_baseline; /* below the top of a line */

    bool is_time;
    bool is_numbered; /* dumps whose times are unknown, only their order */
    bool is_rate;
    bool has_resident;
    bool is_resident_above; /* so much more than the layers that it would flatten them: not drawn */
    bool is_compact;
    double start_ms; /* visible */
    double end_ms;
    double px_per_ms; /* device pixels */

    PvChartPanel plot;  /* empty if there is no room for it */
    PvChartPanel bytes; /* for sizes: the bytes in each class; else empty */
    double slot_width;  /* for sizes, in device pixels */
    uint32_t n_time_ticks;
    PvChartTick time_ticks[PV_CHART_MAX_TICKS];

    PV_ARRAY (PvChartColumn) columns;

    bool has_caption;
    double caption_x;
    double caption_top;
    double caption_width; /* negative: as wide as it is */
    bool has_peak;
    int peak_x; /* device pixels, like peak_y */
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

/* No layer is less than nothing. */
static inline double
pv_chart_positive (int64_t value)
{
    return value > 0 ? (double)value : 0;
}

void pv_chart_layout_clear (PvChartLayout *layout);

/* The value of a layer in a column, as drawn; never negative. */
double pv_chart_column_get_value (const PvChartLayout *layout, const PvSeries *series,
                                  const PvChartColumn *column, uint32_t layer);
/* The boundaries of the column's layers, from the axis, or the lowest layer below it, up: n_layers
 * + 1 y positions in device pixels. */
void pv_chart_column_get_tops (const PvChartLayout *layout, const PvSeries *series,
                               const PvChartColumn *column, int *ret_tops);
/* The column at a device pixel, or NULL. */
const PvChartColumn *pv_chart_layout_find_column (const PvChartLayout *layout, double device_x);
/* The pixels that a column's bar covers. */
void pv_chart_column_get_bar (const PvChartLayout *layout, const PvChartColumn *column,
                              int *ret_left, int *ret_right);

/* Device pixel of a value, within the panel. */
int pv_chart_panel_y (const PvChartPanel *panel, double value);

/* The first point that ends after time_ms; n_points: no such point. */
uint32_t pv_chart_find_point (const PvSeries *series, double time_ms);

/* The duration of points [first, end), at least 1. */
double pv_chart_span_ms (const PvSeries *series, uint32_t first, uint32_t end);
