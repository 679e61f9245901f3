/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

typedef struct {
    double red, green, blue; /* sRGB, 0 to 1 */
} PvColor;

/* Luminance and contrast as WCAG 2 defines them. */
double pv_color_luminance (PvColor color);
double pv_color_contrast (PvColor a, PvColor b);

/* lightness is 0 to 1; reduces chroma to fit sRGB. */
PvColor pv_color_from_oklch (double lightness, double chroma, double hue_degrees);

/* Interpolates from a (share 0) to b (share 1), in sRGB. */
PvColor pv_color_mix (PvColor a, PvColor b, double share_of_b);

/* The color, or the first one on its way to black or white that has this contrast to the
 * background. */
PvColor pv_color_keep_contrast (PvColor color, PvColor background, double least);

/* Makes what is drawn next have this colour. alpha is 0 (invisible) to 1. */
static inline void
pv_color_set_source (cairo_t *cr, PvColor color, double alpha)
{
    cairo_set_source_rgba (cr, color.red, color.green, color.blue, alpha);
}
