/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/chart/time-ruler.h"

#include <glib.h>
#include <math.h>

#include "render/chart/chart-axis.h"

enum {
    TICK_WIDTH = 90, /* at least, from one label to the next */
    NS_PER_MS = 1000000,
};

/* Below a millisecond too. */
static double
choose_step (double least_ms)
{
    static const double steps[] = {1, 2, 5, 10};
    if (least_ms >= 1)
        return pv_chart_time_step (least_ms);
    double power = pow (10, floor (log10 (MAX (least_ms, 1e-6))));
    for (size_t i = 0; i < G_N_ELEMENTS (steps); i++)
        if (steps[i] * power >= least_ms)
            return steps[i] * power;
    return 10 * power;
}

static void
format_time (double at_ms, double step_ms, double end_ms, char label[PV_CHART_LABEL_SIZE])
{
    if (step_ms >= 1) {
        pv_chart_format_time (at_ms, step_ms, end_ms, label);
        return;
    }
    int digits = (int)ceil (-log10 (step_ms) - 1e-9);
    g_snprintf (label, PV_CHART_LABEL_SIZE, "%.*f ms", digits, at_ms);
}

void
pv_time_ruler_draw (const PvTimeRuler *ruler, cairo_t *cr, PvGlyphFont *font,
                    const PvPalette *palette)
{
    g_assert (ruler != NULL && cr != NULL && font != NULL && palette != NULL);
    g_assert (ruler->start_ns < ruler->end_ns);
    double span_ms = (double)(ruler->end_ns - ruler->start_ns) / NS_PER_MS;
    double step = choose_step (span_ms * TICK_WIDTH / MAX (ruler->width, 1));
    double start_ms = (double)ruler->start_ns / NS_PER_MS;
    double end_ms = (double)ruler->end_ns / NS_PER_MS;
    pv_color_set_source (cr, palette->background, 1);
    cairo_rectangle (cr, 0, 0, ruler->full_width, ruler->height);
    cairo_fill (cr);
    double first = floor (start_ms / step);
    /* Counted: late times may be so large that a step more is the same number. */
    uint32_t n = (uint32_t)ceil (span_ms / step) + 2;
    for (uint32_t i = 0; i < n && (first + i) * step < end_ms; i++) {
        char label[PV_CHART_LABEL_SIZE];
        double at = (first + i) * step;
        double x = ruler->left + (at - start_ms) / span_ms * ruler->width;
        if (x < ruler->left - 0.5)
            continue;
        x = floor (x + 0.5);
        format_time (at, step, end_ms, label);
        pv_color_set_source (cr, palette->foreground, 0.25);
        cairo_rectangle (cr, x, ruler->height - 7, 1, 7);
        cairo_fill (cr);
        pv_color_set_source (cr, palette->faint, 1);
        pv_glyph_font_show_centered (font, cr, label, x + 4, 0, ruler->height,
                                     MIN (TICK_WIDTH, ruler->left + ruler->width - x) - 6);
    }
    pv_color_set_source (cr, palette->foreground, 0.25);
    cairo_rectangle (cr, 0, ruler->height - 1, ruler->full_width, 1);
    cairo_fill (cr);
}
