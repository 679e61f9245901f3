/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

/* An image of this size that nobody else holds any more, of the last two; a new one if there is
 * none. It becomes images[0], which keeps its reference. */
cairo_surface_t *pv_shared_image_take (cairo_surface_t *images[2], int width, int height);
