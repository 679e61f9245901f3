/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "render/draw/color.h"

/*
 * Pixels of an image, written without cairo: filling many small rectangles at whole pixels is
 * several times faster so, and the result is the same.
 */
typedef struct {
    uint8_t *data;
    size_t stride;
    int x; /* of the drawing's origin, in pixels of the image */
    int y;
    int left; /* what may be written, in device pixels of the drawing */
    int right;
    int top;
    int bottom;
} PvRaster;

/* False if what cr draws into is not an image, at whole pixels, at this scale and under one
 * rectangular clip. Call cairo_surface_mark_dirty () afterwards on cairo_get_group_target (). */
bool pv_raster_init (PvRaster *raster, cairo_t *cr, double scale);

/* A pixel, as cairo and pixman round. */
uint32_t pv_raster_pack (PvColor color);

/* Fills what of a rectangle may be written; device pixels of the drawing. */
void pv_raster_fill (const PvRaster *raster, int left, int top, int right, int bottom,
                     uint32_t pixel);
