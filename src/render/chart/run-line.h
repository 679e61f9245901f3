/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "render/draw/palette.h"

/*
 * A small line for a row of a table: amounts of runs in order, from left to right, from the least
 * at the bottom to the most at the top; but the height is never less than a tenth of the most, so
 * that small differences look small. Layout, hit test and drawing on any cairo_t, without a
 * background; no GTK. Coordinates are in pixels of the drawing, (0, 0) at the top left.
 */
#define PV_POINT_NONE UINT32_MAX

typedef struct {
    uint32_t n_points;
    const uint64_t *amounts;
    uint32_t step;   /* the point after the largest step, drawn as a dot; PV_POINT_NONE: none */
    uint32_t marked; /* under the pointer or the keyboard; PV_POINT_NONE: none */
    bool is_faint;   /* nothing but noise */
} PvRunLine;

typedef struct {
    double width;
    double height;
    bool is_dark;
    bool is_high_contrast;
} PvRunLineView;

void pv_run_line_draw (const PvRunLine *line, const PvRunLineView *view, cairo_t *cr);
/* Where a point is. */
void pv_run_line_get_point (const PvRunLine *line, const PvRunLineView *view, uint32_t point,
                            double *ret_x, double *ret_y);
/* The nearest point; PV_POINT_NONE: no points. */
uint32_t pv_run_line_find (const PvRunLine *line, const PvRunLineView *view, double x);
