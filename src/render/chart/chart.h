/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <pango/pango.h>
#include <stdbool.h>

#include "core/analyze/series/series.h"
#include "render/draw/color.h"

/*
 * Charts of a heap over time and of a series of dumps: layout, hit test and drawing on any cairo_t;
 * no GTK. Used by the window and by --export.
 *
 * Layers are stacked steps, the heaviest at the axis, all others in grey on top. Levels (bytes) are
 * drawn as they are, amounts as rates per second. A column of the picture is one point or, if
 * points are too narrow to see, several: for levels it shows the point with the highest total, for
 * amounts the mean rate. So the layers of a column always add up, and the cost depends on columns,
 * not points. Dumps are levels that last until the next dump; if their times are unknown, the axis
 * shows their numbers.
 *
 * Resident memory is a line over live bytes, on the same axis. A compact chart is for little
 * height: with a ruler above it and names at its left as tracks have, and without a legend.
 *
 * Coordinates are in pixels of the drawing, (0, 0) at the top left. Times are in milliseconds since
 * the start of the recording. A chart of sizes has size classes instead of time: functions about
 * time do nothing for it.
 */
#define PV_CHART_NONE UINT32_MAX

typedef struct {
    double width;
    double height;
    double device_scale;
    double text_scale; /* how much larger than usual text is; 0: 1 */
    bool is_dark;
    bool is_high_contrast;
    bool hides_peak;
    bool hides_legend;
    bool hides_notice; /* why the chart is empty */
    bool hides_names;  /* inside the layers */
    bool hides_resident;
    bool is_compact;
    double start_ms; /* visible range, [start, end); if empty, the whole series */
    double end_ms;
    PvFunctionId selected; /* its layer is highlighted; 0: none */
    double brush_start_ms; /* [start, end); if empty, no brush */
    double brush_end_ms;
} PvChartView;

void pv_chart_view_init (PvChartView *view);

/* Caches for one font, and the last layout. Not thread-safe. */
typedef struct PvChartPainter PvChartPainter;

/* font NULL: Cantarell 10 or the closest match. */
PvChartPainter *pv_chart_painter_new (const PangoFontDescription *font);
void pv_chart_painter_free (PvChartPainter *painter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvChartPainter, pv_chart_painter_free)

/* Draws the whole picture without hover: background, axes, layers, legend, peak, brush. Writes
 * pixels into an image surface, a finished image into a recording surface (a GTK cairo node), paths
 * and glyphs into anything else. series NULL draws only the background. */
void pv_chart_draw (PvChartPainter *painter, cairo_t *cr, const PvSeries *series,
                    const PvChartView *view);
/* The same without the brush, as an image in device pixels, opaque ARGB32 without a device scale.
 * Read-only; free with cairo_surface_destroy (). To paint it into recordings see
 * pv_shared_image_make_pattern (). Draw brush and hover over it. */
cairo_surface_t *pv_chart_draw_image (PvChartPainter *painter, const PvSeries *series,
                                      const PvChartView *view);

/* The area where values are drawn, without axes; empty if the view is too small. */
cairo_rectangle_t pv_chart_get_plot_rect (PvChartPainter *painter, const PvSeries *series,
                                          const PvChartView *view);

/* The x of a time; not clamped to the plot. */
double pv_chart_time_to_x (PvChartPainter *painter, const PvSeries *series, const PvChartView *view,
                           double time_ms);

/* The point at a time, or the nearest one: [*ret_start_ns, *ret_end_ns). A size class, which has no
 * time, is as wide as a millisecond. There are points. */
void pv_chart_snap (const PvSeries *series, uint64_t time_ns, uint64_t *ret_start_ns,
                    uint64_t *ret_end_ns);

/* Zoom around a position (factor above 1: in), and move by pixels of the drawing: set start_ms and
 * end_ms, which stay within the series. False if nothing changed. */
bool pv_chart_zoom (PvChartPainter *painter, const PvSeries *series, PvChartView *view, double x,
                    double factor);
bool pv_chart_pan (PvChartPainter *painter, const PvSeries *series, PvChartView *view, double dx);

/* The contents of the chart at a position. */
typedef struct {
    bool is_in_plot;
    bool is_in_legend;
    double x; /* the position */
    double y;
    uint32_t layer;        /* index in the series; PV_CHART_NONE above the layers or outside */
    PvFunctionId function; /* of the layer; 0: none or all others */
    uint32_t point;        /* shown there; PV_CHART_NONE outside the plot */
    uint32_t first_point;  /* the points of its column: [first, end) */
    uint32_t end_point;
    uint32_t dump;   /* index in the profile; PV_CHART_NONE in other charts */
    double time_ms;  /* at x, within the plot; else 0 */
    double value;    /* of the layer in the column: a level, or a rate per second; 0 if none */
    double total;    /* of all layers */
    double resident; /* the highest of the column; 0: not known, or not shown */
} PvChartHit;

/* False and an empty *ret_hit if there is nothing at the position. */
bool pv_chart_hit (PvChartPainter *painter, const PvSeries *series, const PvChartView *view,
                   double x, double y, PvChartHit *ret_hit);

/* Texts for a hit; NULL if not applicable. */
typedef struct {
    char *time;     /* "12.4 s", the size class, or the name and number of the dump */
    char *total;    /* "1.42 GiB", "1,234 per second" */
    char *site;     /* full name of the layer's function */
    char *value;    /* "320 MiB (22.0 %)" */
    char *resident; /* "1.98 GiB" */
} PvChartText;

PvChartText pv_chart_describe_hit (const PvSeries *series, const PvChartHit *hit);
void pv_chart_text_clear (PvChartText *text);

/* The line to draw over the picture for a hit, in pixels of the drawing; empty: no line. */
cairo_rectangle_t pv_chart_get_hover_line (PvChartPainter *painter, const PvSeries *series,
                                           const PvChartView *view, const PvChartHit *hit);

/* The part of the plot inside the brush; false: no brush. Cover the plot outside it with
 * pv_chart_get_dim_color (). */
bool pv_chart_get_brush_rect (PvChartPainter *painter, const PvSeries *series,
                              const PvChartView *view, cairo_rectangle_t *ret_rect);
void pv_chart_get_dim_color (const PvChartView *view, PvColor *ret_color, double *ret_alpha);
void pv_chart_draw_brush (PvChartPainter *painter, cairo_t *cr, const PvSeries *series,
                          const PvChartView *view);

/* The full name of a layer's function, with its module if nothing else is known of it, or what else
 * the layer stands for. Free with g_free (). */
char *pv_chart_get_layer_name (const PvSeries *series, uint32_t layer);

/* The colour of the line of resident memory. */
PvColor pv_chart_get_resident_color (PvChartPainter *painter, const PvChartView *view);

/* The colour of a layer, for lists beside the chart: it depends on the name of its function and is
 * the same in most charts. */
PvColor pv_chart_get_color (PvChartPainter *painter, const PvSeries *series,
                            const PvChartView *view, uint32_t layer);
