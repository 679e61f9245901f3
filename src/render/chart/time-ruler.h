/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <math.h>
#include <stdint.h>

#include "render/draw/glyphs.h"
#include "render/draw/palette.h"

/* Sizes shared by pictures of time, as one may replace another. */
enum {
    PV_TIME_RULER_HEIGHT = 26,
    PV_TIME_RULER_LEFT = 170, /* the room for names, with text of the usual size */
};

/* The room for names in a picture of this width, at most a third of it; text_scale: how much larger
 * than usual text is, or 0. */
static inline double
pv_time_ruler_get_left (double width, double text_scale)
{
    return floor (MIN (PV_TIME_RULER_LEFT * MAX (text_scale, 1), width / 3));
}

/* A ruler of times, above a picture. In pixels of the drawing; its upper left corner is (0, 0). */
typedef struct {
    double left; /* of the times */
    double width;
    double height;
    double full_width; /* of the background and the line below */
    uint64_t start_ns; /* below end_ns */
    uint64_t end_ns;
} PvTimeRuler;

void pv_time_ruler_draw (const PvTimeRuler *ruler, cairo_t *cr, PvGlyphFont *font,
                         const PvPalette *palette);
