/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "render/draw/raster.h"

/* Thin slanting lines over a box that only one side of a comparison has, also for people who see no
 * hues. Unlike PvHatch they leave the box its color. */
typedef enum {
    PV_STRIPES_NONE,
    PV_STRIPES_RISING,  /* new */
    PV_STRIPES_FALLING, /* gone */
} PvStripes;

/* Color of the lines over a box of color fill. text: the color of its label. */
PvColor pv_stripes_get_color (PvColor fill, PvColor text);

/* Draws over a rectangle in device pixels. The lines go on from one rectangle to others
 * with the same top. */
void pv_stripes_raster (const PvRaster *raster, PvStripes stripes, double scale,
                        const cairo_rectangle_int_t *box, uint32_t pixel);
/* The same to the pixel with cairo in the current color, one unit of cr for each device pixel, or,
 * for vectors, as lines. */
void pv_stripes_draw (cairo_t *cr, PvStripes stripes, double scale,
                      const cairo_rectangle_int_t *box, bool is_vector);
