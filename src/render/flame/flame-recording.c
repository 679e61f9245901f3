/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/shared-image.h"
#include "render/flame/flame-painter.h"

/*
 * A recording surface (which is what GTK gives to draw on) would copy every box and every glyph,
 * only to fill them later one path after the other. So what goes into it is a finished image,
 * shared and not copied: the recording holds a reference, and the painter draws on an image again
 * only when nobody else holds it. Two images suffice for a window, which shows one while the next
 * is drawn.
 */

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
    return CAIRO_STATUS_SUCCESS; /* nobody draws on it while a pattern holds it */
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

/* A pattern that shares the image. An ordinary surface pattern would make cairo copy the pixels as
 * soon as the image is drawn on again or freed, whether or not a recording still needs them. */
cairo_pattern_t *
pv_flame_make_pattern (cairo_surface_t *image, double device_scale)
{
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

cairo_surface_t *
pv_flame_draw_collected_image (PvFlamePainter *painter, const PvFlameView *view)
{
    const PvFlameLayout *layout = &painter->drawn;
    cairo_surface_t *image =
        pv_shared_image_take (painter->images, (int)layout->width, (int)layout->view_height);
    cairo_surface_set_device_scale (image, layout->device_scale, layout->device_scale);
    cairo_t *cr = cairo_create (image);
    pv_flame_draw_collected (painter, cr, view);
    cairo_destroy (cr);
    cairo_surface_flush (image);
    /* A pattern's matrix has it: not every cairo asks the surfaces of such patterns. */
    cairo_surface_set_device_scale (image, 1, 1);
    return cairo_surface_reference (image);
}
