/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pictures/color-legend.h"
#include "app/tracks/tracks-work.h"

/* Shows what the colors of the tracks mean: the modules, packages or kinds of work, the one with
 * the most samples first, and waits. shares: of the set's colors, see pv_color_shares_list ();
 * NULL: not yet known, or of other colors. lit: the function whose samples are lit up, which comes
 * before them; 0: none. */
void pv_tracks_legend_show (PvColorLegend *legend, const PvTrackSet *set, const GPtrArray *shares,
                            PvFunctionId lit, const PvPalette *palette);
