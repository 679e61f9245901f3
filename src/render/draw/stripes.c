/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/stripes.h"

#include <glib.h>

enum { PERIOD = 7 }; /* pixels from one line to the next, each one wide and a half */

static int
find_width (double scale)
{
    return MAX ((int)(scale * 1.5 + 0.25), 1);
}

static int
find_period (double scale)
{
    return MAX ((int)(scale * PERIOD + 0.5), 3);
}

PvColor
pv_stripes_get_color (PvColor fill, PvColor text)
{
    return pv_color_mix (fill, text, 0.3);
}

/* Where the first line begins that ends right of the box's left edge, y below its top. */
static int
find_first (PvStripes stripes, const cairo_rectangle_int_t *box, int y, int width, int period)
{
    int offset = stripes == PV_STRIPES_RISING ? -y : y;
    int from = box->x - width + 1;
    int into = ((from - offset) % period + period) % period;
    return into == 0 ? from : from + period - into;
}

void
pv_stripes_raster (const PvRaster *raster, PvStripes stripes, double scale,
                   const cairo_rectangle_int_t *box, uint32_t pixel)
{
    g_assert (raster != NULL && box != NULL && scale > 0);
    int width = find_width (scale), period = find_period (scale);
    int right = MIN (box->x + box->width, raster->right);
    if (stripes == PV_STRIPES_NONE)
        return;
    for (int y = MAX (raster->top - box->y, 0); y < box->height && box->y + y < raster->bottom;
         y++) {
        cairo_rectangle_int_t visible = *box;
        visible.x = MAX (box->x, raster->left);
        for (int x = find_first (stripes, &visible, y, width, period); x < right; x += period)
            pv_raster_fill (raster, MAX (x, visible.x), box->y + y, MIN (x + width, right),
                            box->y + y + 1, pixel);
    }
}

static void
add_pixels (cairo_t *cr, PvStripes stripes, double scale, const cairo_rectangle_int_t *box)
{
    int width = find_width (scale), period = find_period (scale), right = box->x + box->width;
    for (int y = 0; y < box->height; y++) {
        for (int x = find_first (stripes, box, y, width, period); x < right; x += period) {
            int left = MAX (x, box->x);
            cairo_rectangle (cr, left, box->y + y, MIN (x + width, right) - left, 1);
        }
    }
}

/* A line through y = 0 at x, cut at the sides of the box. */
static void
add_line (cairo_t *cr, const cairo_rectangle_int_t *box, double x, double slope)
{
    double ends[2] = {0, box->height};
    double left = (box->x - x) * slope, right = (box->x + box->width - x) * slope;
    double from = MAX (ends[0], MIN (left, right)), to = MIN (ends[1], MAX (left, right));
    if (from >= to)
        return;
    cairo_move_to (cr, x + from * slope, box->y + from);
    cairo_line_to (cr, x + to * slope, box->y + to);
}

static void
add_lines (cairo_t *cr, PvStripes stripes, double scale, const cairo_rectangle_int_t *box)
{
    int width = find_width (scale), period = find_period (scale);
    double slope = stripes == PV_STRIPES_RISING ? -1 : 1;
    cairo_rectangle_int_t reached = *box; /* at the top of the box, by lines that slant into it */
    reached.width += box->height;
    if (stripes == PV_STRIPES_FALLING)
        reached.x -= box->height;
    for (int x = find_first (stripes, &reached, 0, width, period); x < reached.x + reached.width;
         x += period)
        add_line (cr, box, x + width / 2.0, slope);
    cairo_set_line_width (cr, width * 0.75);
}

void
pv_stripes_draw (cairo_t *cr, PvStripes stripes, double scale, const cairo_rectangle_int_t *box,
                 bool is_vector)
{
    g_assert (cr != NULL && box != NULL && scale > 0);
    if (stripes == PV_STRIPES_NONE)
        return;
    if (is_vector) {
        add_lines (cr, stripes, scale, box);
        cairo_stroke (cr);
    } else {
        add_pixels (cr, stripes, scale, box);
        cairo_fill (cr);
    }
}
