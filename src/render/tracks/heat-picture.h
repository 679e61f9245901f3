/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include "core/analyze/time/heat-map.h"
#include "render/draw/glyphs.h"
#include "render/draw/palette.h"

/*
 * The picture of a heat map: a ruler of times above its columns, where in a column a row is at the
 * left, and cells that are the warmer the more they have, in PV_HEAT_STEPS colors. Layout, hit test
 * and drawing on any cairo_t; no GTK.
 *
 * Coordinates are in pixels of the drawing, (0, 0) at the top left.
 */
#define PV_HEAT_NONE UINT32_MAX

enum { PV_HEAT_STEPS = 12 };

typedef struct {
    double width;
    double height;
    double device_scale;
    bool is_dark;
    bool is_high_contrast;
    bool has_range;    /* cells outside of [first, last] are veiled */
    uint32_t first;    /* cell */
    uint32_t last;     /* cell; not before first */
    uint32_t selected; /* cell with the cursor; PV_HEAT_NONE: none */
} PvHeatView;

/* Caches for one font. Not thread-safe. */
typedef struct {
    PvGlyphFont *font;
    PvPalette palette;
    PvColor steps[PV_HEAT_STEPS + 1]; /* [0]: of cells without anything */
    bool is_vector;                   /* exact places instead of whole pixels */
    bool has_palette;
} PvHeatPainter;

/* font NULL: Cantarell 10 or the closest match. */
PvHeatPainter *pv_heat_painter_new (const PangoFontDescription *font);
void pv_heat_painter_free (PvHeatPainter *painter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvHeatPainter, pv_heat_painter_free)
/* Sets palette and font for a view; pv_heat_draw () does it too. */
void pv_heat_painter_prepare (PvHeatPainter *painter, const PvHeatView *view);

/* Draws everything, with the background. */
void pv_heat_draw (PvHeatPainter *painter, cairo_t *cr, const PvHeatMap *map,
                   const PvHeatView *view);

/* Box of a cell, not rounded to pixels. */
cairo_rectangle_t pv_heat_get_box (const PvHeatMap *map, const PvHeatView *view, uint32_t cell);
/* The cell at a place, or the nearest one; PV_HEAT_NONE outside of the plot if is_strict. */
uint32_t pv_heat_find (const PvHeatMap *map, const PvHeatView *view, double x, double y,
                       bool is_strict);

/* "12.34–12.36 s": when a cell is. Free with g_free (). */
char *pv_heat_format_times (const PvHeatMap *map, uint32_t first, uint32_t last);
