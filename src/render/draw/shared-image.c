/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/shared-image.h"

#include <glib.h>

cairo_t *
pv_shared_image_begin (cairo_surface_t *images[2], int width, int height, double device_scale)
{
    g_assert (images != NULL && width > 0 && height > 0 && device_scale > 0);

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
    cairo_surface_set_device_scale (image, device_scale, device_scale);
    return cairo_create (image);
}

cairo_surface_t *
pv_shared_image_end (cairo_t *cr)
{
    cairo_surface_t *image = cairo_surface_reference (cairo_get_target (cr));
    cairo_destroy (cr);
    cairo_surface_flush (image);
    /* The pattern's matrix contains the scale: not every version of cairo asks the pattern's
     * surface. */
    cairo_surface_set_device_scale (image, 1, 1);
    return image;
}

static cairo_surface_t *
acquire_image (cairo_pattern_t *pattern, void *image, cairo_surface_t *target,
               const cairo_rectangle_int_t *extents)
{
    return cairo_surface_reference (image);
}

static void
release_image (cairo_pattern_t *pattern, void *image, cairo_surface_t *surface)
{
    cairo_surface_destroy (surface);
}

static cairo_status_t
keep_image (cairo_pattern_t *pattern, void *image)
{
    return CAIRO_STATUS_SUCCESS; /* not drawn on while a pattern holds it */
}

static cairo_status_t
copy_image_pattern (cairo_pattern_t *pattern, void *image, const cairo_pattern_t *other)
{
    cairo_surface_reference (image);
    return CAIRO_STATUS_SUCCESS;
}

static void
finish_image_pattern (cairo_pattern_t *pattern, void *image)
{
    cairo_surface_destroy (image);
}

/* With an ordinary surface pattern, cairo would copy the pixels when the image is reused or freed,
 * even if no recording needs them any more. */
cairo_pattern_t *
pv_shared_image_make_pattern (cairo_surface_t *image, double device_scale)
{
    g_assert (image != NULL && device_scale > 0);

    cairo_pattern_t *pattern = cairo_pattern_create_raster_source (
        cairo_surface_reference (image), CAIRO_CONTENT_COLOR, cairo_image_surface_get_width (image),
        cairo_image_surface_get_height (image));
    cairo_matrix_t matrix;
    cairo_raster_source_pattern_set_acquire (pattern, acquire_image, release_image);
    cairo_raster_source_pattern_set_snapshot (pattern, keep_image);
    cairo_raster_source_pattern_set_copy (pattern, copy_image_pattern);
    cairo_raster_source_pattern_set_finish (pattern, finish_image_pattern);
    cairo_matrix_init_scale (&matrix, device_scale, device_scale);
    cairo_pattern_set_matrix (pattern, &matrix);
    cairo_pattern_set_filter (pattern, CAIRO_FILTER_NEAREST);
    return pattern;
}
