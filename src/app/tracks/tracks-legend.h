/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pictures/color-legend.h"
#include "app/tracks/tracks-work.h"

/* Shows the meaning of the tracks' colors: first the selection and the search, each NULL if there
 * is nothing; then the modules, packages or kinds of work, the one with the most samples first, and
 * waits. shares: of the set's colors, see pv_color_legend_list_shares (); NULL: not yet known, or
 * of other colors. */
void pv_tracks_legend_show (PvColorLegend *legend, const PvTrackSet *set, const GPtrArray *shares,
                            const char *selected, const char *search, const PvPalette *palette);
