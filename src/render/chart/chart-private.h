/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/arena.h"
#include "render/chart/chart-colors.h"
#include "render/chart/chart-layout.h"
#include "render/chart/chart.h"
#include "render/draw/glyphs.h"

/* A layer's name, drawn inside the layer. */
typedef struct {
    uint32_t layer;
    double x; /* pixels of the drawing */
    double baseline;
    double width;
} PvChartName;

/* Private to chart*.c. */
struct PvChartPainter {
    PvGlyphFont *font;
    bool is_vector; /* exact positions instead of pixels */
    PvChartPalette palette;
    bool has_palette;
    PvChartLayout layout;
    PvGlyphRun glyphs;

    /* Cached per layer; texts are in strings. */
    PV_ARRAY (PvLabelName) names;
    PV_ARRAY (PvFunctionId) function_of_name;
    const PvSymbolTable *symbols; /* a reference */
    char *caption;
    unsigned font_generation;
    PvArena *strings;

    PV_ARRAY (PvChartName) placed; /* names inside layers */
    PV_ARRAY (uint8_t) colors;     /* per layer: index in the palette */
    PV_ARRAY (int) tops;           /* n_layers + 1 per column */
    cairo_surface_t *images[2];    /* of the last drawings, latest first */
};

/* Updates palette, names and layout for this series and view; every function here starts with this.
 * False if there is nothing to draw but the background. */
bool pv_chart_painter_prepare (PvChartPainter *painter, const PvSeries *series,
                               const PvChartView *view);
/* Updates only the layout. */
void pv_chart_layout_update (PvChartPainter *painter, const PvSeries *series,
                             const PvChartView *view);

/* Text in the painter's font and the context's source colour, cut to width (not if negative). */
double pv_chart_measure_text (PvChartPainter *painter, const char *text);
void pv_chart_show_text (PvChartPainter *painter, cairo_t *cr, const char *text, double x,
                         double baseline, double width);
/* A layer's name, shortened to width. */
void pv_chart_show_name (PvChartPainter *painter, cairo_t *cr, const PvSeries *series,
                         uint32_t layer, double x, double baseline, double width);
/* The name's width if not shortened, limited to `most`. */
double pv_chart_measure_name (PvChartPainter *painter, const PvSeries *series, uint32_t layer,
                              double most);

void pv_chart_layout_legend (PvChartPainter *painter, const PvSeries *series,
                             cairo_rectangle_t room, bool is_beside);
double pv_chart_legend_width (PvChartPainter *painter, const PvSeries *series);
double pv_chart_legend_row_height (const PvChartLayout *layout);
uint32_t pv_chart_legend_count (const PvSeries *series);        /* rows for all layers */
uint32_t pv_chart_legend_columns (const PvChartLayout *layout); /* of a legend below the chart */
void pv_chart_draw_legend (PvChartPainter *painter, cairo_t *cr, const PvSeries *series,
                           const PvChartView *view);

/* The colour of a layer, faded if another one is selected. */
PvColor pv_chart_layer_color (const PvChartPainter *painter, const PvSeries *series,
                              const PvChartView *view, uint32_t layer);

/* Draws layers, separators and outline into an image; false if the target is not one. */
bool pv_chart_raster (PvChartPainter *painter, cairo_t *cr, const PvSeries *series,
                      const PvChartView *view);
/* Finds room for names in the layers, by painter->tops. */
void pv_chart_place_names (PvChartPainter *painter, const PvSeries *series);
void pv_chart_draw_names (PvChartPainter *painter, cairo_t *cr, const PvSeries *series,
                          const PvChartView *view);
/* Draws everything but the brush, on any surface, after pv_chart_painter_prepare (). */
void pv_chart_draw_prepared (PvChartPainter *painter, cairo_t *cr, const PvSeries *series,
                             const PvChartView *view);
