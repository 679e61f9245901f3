/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * The colours of a palette as JSON, for pictures that are drawn elsewhere: an object with the
 * members time and heap, each with light and dark. Each of these has background, foreground, faint,
 * selection, texts and fills. texts has a colour for each PvShadeState, fills an array of one for
 * each hue of pv_palette_hue () in each state up to PV_SHADE_FADED, match that of PV_SHADE_MATCH,
 * hatch and fadedHatch ground and stripe. neutral is the hue of no function, values that of nothing
 * but less, n_shades how far the next hue of values is from it. Colours are "#rrggbb". Free with
 * g_free (). Any thread.
 */
char *pv_palette_format_json (void);
