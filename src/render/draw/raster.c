/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/raster.h"

#include <glib.h>
#include <math.h>
#include <string.h>

static bool
to_whole (double value, int *ret_whole)
{
    double whole = round (value);
    if (!(fabs (value - whole) < 1e-3 && fabs (whole) < 1e6))
        return false;
    *ret_whole = (int)whole;
    return true;
}

/* The clip as one rectangle of the image's pixels. */
static bool
get_clip (cairo_t *cr, PvRaster *raster, double scale)
{
    cairo_rectangle_list_t *list = cairo_copy_clip_rectangle_list (cr);
    bool ok = list->status == CAIRO_STATUS_SUCCESS && list->num_rectangles <= 1;
    if (ok && list->num_rectangles == 1) {
        cairo_rectangle_t *r = &list->rectangles[0];
        ok = to_whole (r->x * scale, &raster->left) && to_whole (r->y * scale, &raster->top) &&
             to_whole ((r->x + r->width) * scale, &raster->right) &&
             to_whole ((r->y + r->height) * scale, &raster->bottom);
    }
    cairo_rectangle_list_destroy (list);
    return ok;
}

bool
pv_raster_init (PvRaster *raster, cairo_t *cr, double scale)
{
    g_assert (raster != NULL && cr != NULL);
    g_assert (scale > 0);

    cairo_surface_t *surface = cairo_get_group_target (cr);
    cairo_matrix_t matrix;
    double scale_x, scale_y, offset_x, offset_y;

    *raster = (PvRaster){0};
    if (cairo_surface_get_type (surface) != CAIRO_SURFACE_TYPE_IMAGE ||
        (cairo_image_surface_get_format (surface) != CAIRO_FORMAT_ARGB32 &&
         cairo_image_surface_get_format (surface) != CAIRO_FORMAT_RGB24) ||
        cairo_get_operator (cr) != CAIRO_OPERATOR_OVER)
        return false;
    cairo_get_matrix (cr, &matrix);
    cairo_surface_get_device_scale (surface, &scale_x, &scale_y);
    cairo_surface_get_device_offset (surface, &offset_x, &offset_y);
    if (matrix.xx != 1 || matrix.yy != 1 || matrix.xy != 0 || matrix.yx != 0 || scale_x != scale ||
        scale_y != scale || !to_whole (matrix.x0 * scale + offset_x, &raster->x) ||
        !to_whole (matrix.y0 * scale + offset_y, &raster->y) || !get_clip (cr, raster, scale))
        return false;
    cairo_surface_flush (surface);
    raster->data = cairo_image_surface_get_data (surface);
    raster->stride = (size_t)cairo_image_surface_get_stride (surface);
    /* The clip never exceeds the image; rounding must not either. */
    raster->left = MAX (raster->left, -raster->x);
    raster->top = MAX (raster->top, -raster->y);
    raster->right = MIN (raster->right, cairo_image_surface_get_width (surface) - raster->x);
    raster->bottom = MIN (raster->bottom, cairo_image_surface_get_height (surface) - raster->y);
    return raster->data != NULL;
}

uint32_t
pv_raster_pack (PvColor color)
{
    const double channels[3] = {color.red, color.green, color.blue};
    uint32_t packed = 0xff;
    for (int i = 0; i < 3; i++) {
        uint32_t c = (uint32_t)(CLAMP (channels[i], 0, 1) * 65536);
        packed = packed << 8 | (c - (c >> 16)) >> 8;
    }
    return packed;
}

void
pv_raster_fill (const PvRaster *raster, int left, int top, int right, int bottom, uint32_t pixel)
{
    enum { N_AT_ONCE = 8 };
    uint32_t many[N_AT_ONCE];
    left = MAX (left, raster->left);
    top = MAX (top, raster->top);
    bottom = MIN (bottom, raster->bottom);
    const int n = MIN (right, raster->right) - left;
    if (n <= 0 || top >= bottom)
        return;
    for (int i = 0; i < N_AT_ONCE; i++)
        many[i] = pixel;
    uint8_t *line = raster->data + (size_t)(top + raster->y) * raster->stride +
                    (size_t)(left + raster->x) * sizeof pixel;
    for (int y = top; y < bottom; y++, line += raster->stride) {
        uint32_t *at = (uint32_t *)(void *)line;
        int rest = n;
        for (; rest >= N_AT_ONCE; rest -= N_AT_ONCE, at += N_AT_ONCE)
            memcpy (at, many, sizeof many);
        while (rest-- > 0)
            *at++ = pixel;
    }
}
