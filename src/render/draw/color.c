/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/color.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>

double
pv_color_luminance (PvColor color)
{
    const double channels[3] = {color.red, color.green, color.blue};
    const double weights[3] = {0.2126, 0.7152, 0.0722};
    double luminance = 0;
    for (int i = 0; i < 3; i++) {
        double c = channels[i];
        luminance += weights[i] * (c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4));
    }
    return luminance;
}

double
pv_color_contrast (PvColor a, PvColor b)
{
    double la = pv_color_luminance (a), lb = pv_color_luminance (b);
    return (MAX (la, lb) + 0.05) / (MIN (la, lb) + 0.05);
}

PvColor
pv_color_mix (PvColor a, PvColor b, double share_of_b)
{
    return (PvColor){a.red + (b.red - a.red) * share_of_b,
                     a.green + (b.green - a.green) * share_of_b,
                     a.blue + (b.blue - a.blue) * share_of_b};
}

PvColor
pv_color_keep_contrast (PvColor color, PvColor background, double least)
{
    double end = pv_color_contrast (background, (PvColor){0, 0, 0}) >
                         pv_color_contrast (background, (PvColor){1, 1, 1})
                     ? 0
                     : 1;
    PvColor kept = color;
    for (int i = 1; i <= 50 && pv_color_contrast (kept, background) < least; i++)
        kept = pv_color_mix (color, (PvColor){end, end, end}, i / 50.0);
    return kept;
}

static double
gamma_encode (double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow (linear, 1 / 2.4) - 0.055;
}

/* The matrices are from the definition of Oklab (Ottosson, 2020). Reduces chroma until it fits
 * sRGB. */
PvColor
pv_color_from_oklch (double lightness, double chroma, double hue_degrees)
{
    for (;; chroma -= 0.002) {
        double a = chroma * cos (hue_degrees * G_PI / 180);
        double b = chroma * sin (hue_degrees * G_PI / 180);
        double l = pow (lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
        double m = pow (lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
        double s = pow (lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
        double red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
        double green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
        double blue = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
        bool fits = MIN (red, MIN (green, blue)) >= 0 && MAX (red, MAX (green, blue)) <= 1;
        if (fits || chroma <= 0)
            return (PvColor){gamma_encode (CLAMP (red, 0, 1)), gamma_encode (CLAMP (green, 0, 1)),
                             gamma_encode (CLAMP (blue, 0, 1))};
    }
}
