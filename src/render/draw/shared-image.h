/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

/*
 * Finished pictures that recordings share. A recording surface (which is what GTK gives to draw on)
 * would copy every box and every glyph, only to fill them later one path after the other. So a
 * finished image goes into it: the recording holds a reference, and the painter draws on an image
 * again only when nobody else holds it. Two images suffice for a window, which shows one while the
 * next is drawn.
 */

/* An image of this size in device pixels that nobody else holds: the older one of images, else a
 * new one. It becomes images[0], which keeps its reference. */
cairo_surface_t *pv_shared_image_take (cairo_surface_t *images[2], int width, int height);

/* A pattern that paints the image into as many recordings as wanted, in pixels of the drawing,
 * without a copy. It holds a reference to the image; free with cairo_pattern_destroy (). */
cairo_pattern_t *pv_shared_image_make_pattern (cairo_surface_t *image, double device_scale);
