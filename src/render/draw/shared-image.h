/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

/*
 * Finished pictures shared with recordings. A recording surface (GTK's drawing target) would copy
 * every box and glyph, only to fill them one by one later. So it gets a finished image instead: the
 * recording holds a reference, and the painter reuses an image only when nobody else holds it. Two
 * images suffice for a window, which shows one while the next is drawn.
 */

/* Begins to draw on an image of this size in device pixels that nobody else holds: the older one of
 * images if it fits, else a new one. It becomes images[0], which owns a reference. */
cairo_t *pv_shared_image_begin (cairo_surface_t *images[2], int width, int height,
                                double device_scale);
/* Finishes the drawing and frees cr. Returns a new reference to the image, whose scale is 1. */
cairo_surface_t *pv_shared_image_end (cairo_t *cr);

/* A pattern that paints the image into any number of recordings without copying it, in pixels of
 * the drawing. It holds a reference to the image; free with cairo_pattern_destroy (). */
cairo_pattern_t *pv_shared_image_make_pattern (cairo_surface_t *image, double device_scale);
