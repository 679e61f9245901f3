/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/palette-json.h"

#include <math.h>

#include "render/draw/palette.h"

static unsigned
round_part (double part)
{
    return (unsigned)round (CLAMP (part, 0, 1) * 255);
}

static void
append_color (GString *out, PvColor color)
{
    g_string_append_printf (out, "\"#%02x%02x%02x\"", round_part (color.red),
                            round_part (color.green), round_part (color.blue));
}

static void
append_member (GString *out, const char *key, PvColor color)
{
    g_string_append_printf (out, "\"%s\":", key);
    append_color (out, color);
    g_string_append_c (out, ',');
}

static void
append_array (GString *out, const PvColor *colors, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        g_string_append_c (out, i == 0 ? '[' : ',');
        append_color (out, colors[i]);
    }
    g_string_append_c (out, ']');
}

static void
append_hatch (GString *out, const char *key, const PvHatch *hatch)
{
    const PvColor colors[] = {hatch->ground, hatch->stripe};
    g_string_append_printf (out, "\"%s\":", key);
    append_array (out, colors, G_N_ELEMENTS (colors));
    g_string_append_c (out, ',');
}

static void
append_palette (GString *out, bool is_dark, bool is_heap)
{
    g_autofree PvPalette *palette = g_new0 (PvPalette, 1);
    pv_palette_init (palette, is_dark, false, is_heap);
    g_string_append_c (out, '{');
    append_member (out, "background", palette->background);
    append_member (out, "foreground", palette->foreground);
    append_member (out, "faint", palette->faint);
    append_member (out, "selection", palette->selection);
    append_member (out, "match", palette->fills[PV_SHADE_MATCH][0]);
    append_hatch (out, "hatch", &palette->hatch);
    append_hatch (out, "fadedHatch", &palette->faded_hatch);
    g_string_append (out, "\"texts\":");
    append_array (out, palette->texts, PV_N_SHADE_STATES);
    g_string_append (out, ",\"fills\":");
    for (unsigned state = 0; state <= PV_SHADE_FADED; state++) {
        g_string_append_c (out, state == 0 ? '[' : ',');
        append_array (out, palette->fills[state], PV_N_HUES);
    }
    g_string_append (out, "]}");
}

char *
pv_palette_format_json (void)
{
    GString *out = g_string_new (NULL);
    g_string_append_printf (out, "{\"neutral\":%u,\"values\":%u,\"n_shades\":%u",
                            PV_FAMILY_NEUTRAL * PV_N_SHADES + PV_N_SHADES / 2,
                            PV_FAMILY_VALUE * PV_N_SHADES + PV_N_SHADES / 2, PV_N_SHADES);
    for (unsigned is_heap = 0; is_heap < 2; is_heap++) {
        g_string_append_printf (out, ",\n\"%s\":{\"light\":", is_heap ? "heap" : "time");
        append_palette (out, false, is_heap);
        g_string_append (out, ",\n\"dark\":");
        append_palette (out, true, is_heap);
        g_string_append_c (out, '}');
    }
    g_string_append_c (out, '}');
    return g_string_free (out, FALSE);
}
