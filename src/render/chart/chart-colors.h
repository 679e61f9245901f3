/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/series/series.h"
#include "render/draw/color.h"

/*
 * Colours of the layers of a chart: muted hues around green, without red, in three tones of
 * lightness. Adjacent layers differ in tone and hue, so they can be told apart without colour
 * vision. A function's colour depends on its name; if two functions of a chart have the same
 * colour, or adjacent layers look alike, the one with less weight gets another colour.
 */
enum {
    PV_CHART_HUES = 7,
    PV_CHART_TONES = 3,
    PV_CHART_COLORS = PV_CHART_HUES * PV_CHART_TONES,
    PV_CHART_GREY = PV_CHART_COLORS, /* for all others */
    PV_CHART_N_COLORS,
};

typedef struct {
    bool is_dark;
    bool is_high_contrast;
    PvColor background;
    PvColor foreground;
    PvColor faint; /* secondary text */
    PvColor fills[PV_CHART_N_COLORS];
    PvColor faded[PV_CHART_N_COLORS]; /* if another layer is selected */
    PvColor separator;                /* between layers, blended with them */
    double separator_share;
    PvColor outline;  /* on the total */
    PvColor soft;     /* under a single line ... */
    PvColor line;     /* ... and the line itself */
    PvColor resident; /* the line of resident memory over layers: like none of them */
} PvChartPalette;

void pv_chart_palette_init (PvChartPalette *palette, bool is_dark, bool is_high_contrast);

/* Nearly black or white, whichever is easier to read on fill. */
PvColor pv_chart_text_color (PvColor fill);

/* The index in fills for each layer; ret_colors has n_layers entries. */
void pv_chart_colors_assign (const PvSeries *series, uint8_t *ret_colors);
