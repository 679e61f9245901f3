/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/array.h"
#include "render/draw/glyphs.h"
#include "render/draw/palette.h"
#include "render/draw/stripes.h"

/* Frame of a picture: a title above it; a legend of the colors, and a line of text, below. */
enum {
    PV_FRAME_MARGIN = 16,
    PV_FRAME_TITLE_HEIGHT = 40,
};

typedef struct {
    char *name;
    PvColor color;
    double share;    /* of the total, or -1 */
    bool is_caption; /* without a color */
    PvStripes stripes;
    double x;
    uint32_t line;
} PvLegendEntry;

typedef struct {
    const char *title; /* or NULL */
    double width;      /* with the margins */
    PvGlyphFont *font;
    const PvPalette *palette;
    PV_ARRAY (PvLegendEntry) legend;
    uint32_t n_legend_lines;
} PvPictureFrame;

/* share: below 0 for none. */
void pv_picture_frame_add_color (PvPictureFrame *frame, const char *name, PvColor color,
                                 double share);
/* The colors of values or changes: an array of PvValueStep. */
void pv_picture_frame_add_steps (PvPictureFrame *frame, const GArray *steps);
/* Takes the text. */
void pv_picture_frame_add_caption (PvPictureFrame *frame, char *text);
/* After the last entry and before the two below: breaks the legend into lines. */
void pv_picture_frame_place (PvPictureFrame *frame);

/* Height needed below the picture. */
double pv_picture_frame_get_footer_height (const PvPictureFrame *frame);
/* Draws the background and the frame of the picture, whose lower edge is at bottom. */
void pv_picture_frame_draw (const PvPictureFrame *frame, cairo_t *cr, double bottom,
                            const char *footer);
void pv_picture_frame_clear (PvPictureFrame *frame);
