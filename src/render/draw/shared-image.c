/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/shared-image.h"

#include <stddef.h>

cairo_surface_t *
pv_shared_image_take (cairo_surface_t *images[2], int width, int height)
{
    cairo_surface_t *image = images[1];
    images[1] = images[0];
    if (image != NULL && (cairo_surface_get_reference_count (image) > 1 ||
                          cairo_image_surface_get_width (image) != width ||
                          cairo_image_surface_get_height (image) != height)) {
        cairo_surface_destroy (image);
        image = NULL;
    }
    if (image == NULL)
        image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
    images[0] = image;
    return image;
}
