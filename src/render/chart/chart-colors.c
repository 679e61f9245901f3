/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/chart/chart-colors.h"

#include <string.h>

#include "core/base/hash.h"
#include "render/draw/palette.h"

/* Chosen so that people with red-green colour blindness still see three groups: yellowish,
 * grey-green and bluish. */
static const struct {
    double hue;
    double chroma;
    double lighter;
} hues[PV_CHART_HUES] = {
    {148, 0.085, 0.0},   /* green */
    {240, 0.075, -0.01}, /* blue */
    {92, 0.090, 0.03},   /* ochre */
    {192, 0.065, 0.0},   /* teal */
    {295, 0.070, -0.01}, /* violet */
    {118, 0.090, 0.02},  /* olive */
    {322, 0.055, 0.0},   /* mauve */
};

static double
tone_lightness (const PvChartPalette *palette, unsigned tone)
{
    static const double light[PV_CHART_TONES] = {0.78, 0.665, 0.88};
    static const double dark[PV_CHART_TONES] = {0.53, 0.66, 0.44};
    return palette->is_dark ? dark[tone] : light[tone];
}

void
pv_chart_palette_init (PvChartPalette *palette, bool is_dark, bool is_high_contrast)
{
    PvPalette base;
    pv_palette_init_plain (&base, is_dark, is_high_contrast);
    *palette = (PvChartPalette){.is_dark = is_dark, .is_high_contrast = is_high_contrast};
    palette->background = base.background;
    palette->foreground = base.foreground;
    palette->faint = base.faint;
    for (unsigned color = 0; color < PV_CHART_COLORS; color++) {
        unsigned hue = color / PV_CHART_TONES, tone = color % PV_CHART_TONES;
        double lightness = tone_lightness (palette, tone) + hues[hue].lighter;
        /* With full chroma, the lightest or darkest tone would look gaudy. */
        double chroma = hues[hue].chroma * (tone == 2 ? 0.8 : 1) * (is_high_contrast ? 1.15 : 1);
        palette->fills[color] = pv_color_from_oklch (lightness, chroma, hues[hue].hue);
    }
    palette->fills[PV_CHART_GREY] = pv_color_from_oklch (is_dark ? 0.40 : 0.87, 0.004, 286);
    for (unsigned color = 0; color < PV_CHART_N_COLORS; color++)
        palette->faded[color] =
            pv_color_mix (palette->fills[color], palette->background, is_dark ? 0.70 : 0.72);
    palette->separator = is_high_contrast ? palette->foreground : palette->background;
    palette->separator_share = is_high_contrast ? 1 : is_dark ? 0.5 : 0.55;
    palette->outline = is_high_contrast ? palette->foreground
                                        : pv_color_from_oklch (is_dark ? 0.82 : 0.42, 0.05, 150);
    palette->line = is_high_contrast ? palette->foreground
                                     : pv_color_from_oklch (is_dark ? 0.78 : 0.50, 0.09, 165);
    palette->resident =
        is_high_contrast ? palette->foreground
                         : pv_color_from_oklch (is_dark ? 0.76 : 0.57, is_dark ? 0.13 : 0.16, 47);
    palette->soft = pv_color_mix (palette->line, palette->background, is_dark ? 0.72 : 0.78);
}

PvColor
pv_chart_text_color (PvColor fill)
{
    const PvColor dark = {0.01, 0.01, 0.02}, light = {1, 1, 1};
    /* White is easier to read on middle tones than black of the same contrast. */
    return pv_color_contrast (light, fill) >= 4.5 ? light : dark;
}

static uint64_t
hash_of_layer (const PvSeries *series, const PvSeriesLayer *layer)
{
    const PvSymbolTable *symbols = series->tree != NULL ? series->tree->symbols : NULL;
    if (symbols == NULL || layer->function >= symbols->n_functions)
        return pv_hash_mix (layer->function);
    const char *name = symbols->functions[layer->function].name;
    return name != NULL ? pv_hash_bytes (name, strlen (name), 5).a : pv_hash_mix (layer->function);
}

/* The cost of a colour: high if other layers use it, or if it is too similar to the layer below. */
static unsigned
cost_of_color (unsigned color, unsigned below, const uint8_t *n_uses, const uint8_t *n_hue_uses)
{
    unsigned hue = color / PV_CHART_TONES, cost = n_uses[color] * 1000u + n_hue_uses[hue] * 30u;
    if (below < PV_CHART_COLORS) {
        cost += color % PV_CHART_TONES == below % PV_CHART_TONES ? 400 : 0;
        cost += hue == below / PV_CHART_TONES ? 200 : 0;
    }
    return cost;
}

/* The layer below the axis with the same function as one above it; the layer itself if there is no
 * such layer. */
static uint32_t
find_below (const PvSeries *series, uint32_t layer)
{
    for (uint32_t l = 0; layer >= series->n_below && l < series->n_below; l++)
        if (series->layers[l].function == series->layers[layer].function)
            return l;
    return layer;
}

void
pv_chart_colors_assign (const PvSeries *series, uint8_t *ret_colors)
{
    g_assert (series != NULL && (series->n_layers == 0 || ret_colors != NULL));

    uint8_t n_uses[PV_CHART_COLORS] = {0}, n_hue_uses[PV_CHART_HUES] = {0};
    unsigned below = PV_CHART_GREY;
    for (uint32_t l = 0; l < series->n_layers; l++) {
        ret_colors[l] = PV_CHART_GREY;
        if (series->layers[l].function == 0)
            continue;
        uint32_t same = find_below (series, l);
        if (same < l) {
            ret_colors[l] = ret_colors[same];
            continue;
        }
        unsigned wanted = (unsigned)(hash_of_layer (series, &series->layers[l]) % PV_CHART_COLORS);
        unsigned best = wanted, best_cost = UINT_MAX;
        for (unsigned i = 0; i < PV_CHART_COLORS; i++) {
            unsigned color = (wanted + i) % PV_CHART_COLORS;
            unsigned cost = cost_of_color (color, below, n_uses, n_hue_uses) + i;
            if (cost < best_cost) {
                best = color;
                best_cost = cost;
            }
        }
        if (n_uses[best] < 200)
            n_uses[best]++;
        if (n_hue_uses[best / PV_CHART_TONES] < 200)
            n_hue_uses[best / PV_CHART_TONES]++;
        ret_colors[l] = (uint8_t)best;
        below = best;
    }
}
