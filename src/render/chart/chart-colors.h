/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/series/series.h"
#include "render/draw/color.h"

/*
 * Colours of the layers of a chart: muted hues around green, without red, in three degrees of
 * lightness. Layers that lie on one another never have the same degree and differ in hue, so they
 * are told apart without seeing colours too. A function's colour follows from its
 * name; where two functions of a chart want the same, or neighbours would look alike, the lighter
 * one moves on.
 */
enum {
    PV_CHART_HUES = 7,
    PV_CHART_TONES = 3,
    PV_CHART_COLORS = PV_CHART_HUES * PV_CHART_TONES,
    PV_CHART_GREY = PV_CHART_COLORS, /* all others */
    PV_CHART_N_COLORS,
};

typedef struct {
    bool is_dark;
    bool is_high_contrast;
    PvColor background;
    PvColor foreground;
    PvColor faint; /* secondary text */
    PvColor fills[PV_CHART_N_COLORS];
    PvColor faded[PV_CHART_N_COLORS]; /* while another layer is selected */
    PvColor separator;                /* between layers, mixed into them */
    double separator_share;
    PvColor outline; /* on the total */
    PvColor soft;    /* under a line that stands alone ... */
    PvColor line;    /* ... and that line */
} PvChartPalette;

void pv_chart_palette_init (PvChartPalette *palette, bool is_dark, bool is_high_contrast);

/* Near black or white, whichever is easier to read on a fill. */
PvColor pv_chart_text_color (PvColor fill);

/* The index in fills for every layer; ret_colors has n_layers entries. */
void pv_chart_colors_assign (const PvSeries *series, uint8_t *ret_colors);
