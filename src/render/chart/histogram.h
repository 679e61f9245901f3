/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include "render/draw/glyphs.h"
#include "render/draw/palette.h"

/*
 * A histogram: bars side by side, each for a range of values, as high as many there are. Where
 * ranges double from bar to bar, the axis is logarithmic. Layout, hit test and drawing on any
 * cairo_t; no GTK. Coordinates are in pixels of the drawing, (0, 0) at the top left.
 */
#define PV_BAR_NONE UINT32_MAX

typedef struct {
    uint32_t n_bars;
    uint64_t *counts;
    char **edges;   /* n_bars short texts: where the range of a bar begins; and NULL */
    bool has_names; /* these are names of bars instead: each stays below its own */
} PvHistogram;

void pv_histogram_clear (PvHistogram *histogram);

typedef struct {
    double width;
    double height;
    double device_scale;
    bool is_dark;
    bool is_high_contrast;
    uint32_t chosen;  /* the others are paler; PV_BAR_NONE: none */
    uint32_t hovered; /* or PV_BAR_NONE */
} PvHistogramView;

/* Draws everything, with the background. */
void pv_histogram_draw (const PvHistogram *histogram, const PvHistogramView *view,
                        PvGlyphFont *font, cairo_t *cr);
/* The column of a bar, as high as the plot. */
cairo_rectangle_t pv_histogram_get_column (const PvHistogram *histogram,
                                           const PvHistogramView *view, uint32_t bar);
/* The bar whose column has the place; PV_BAR_NONE outside. */
uint32_t pv_histogram_find (const PvHistogram *histogram, const PvHistogramView *view, double x,
                            double y);
