/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "render/draw/color.h"

/*
 * Writes pixels of an image without cairo: this fills many small rectangles at whole pixels several
 * times faster, with the same result.
 */
typedef struct {
    uint8_t *data;
    size_t stride;
    int x; /* the drawing's origin, in pixels of the image */
    int y;
    int left; /* the writable area, in device pixels of the drawing */
    int right;
    int top;
    int bottom;
} PvRaster;

/* False unless cr draws into an image, at whole pixels, at this scale and with one rectangular
 * clip. Afterwards call cairo_surface_mark_dirty () on cairo_get_group_target (). */
bool pv_raster_init (PvRaster *raster, cairo_t *cr, double scale);

/* A pixel value, rounded like cairo and pixman do. */
uint32_t pv_raster_pack (PvColor color);

/* Fills the writable part of a rectangle, in device pixels of the drawing. */
void pv_raster_fill (const PvRaster *raster, int left, int top, int right, int bottom,
                     uint32_t pixel);
