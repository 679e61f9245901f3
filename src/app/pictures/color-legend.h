/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pictures/flame-area.h"
#include "app/work/tasks.h"
#include "render/draw/color-shares.h"

/*
 * The meaning of a picture's colors, in one line: the modules that fill most of the picture, or the
 * kinds of code. Shows as many as there is room for.
 */
#define PV_TYPE_COLOR_LEGEND (pv_color_legend_get_type ())
G_DECLARE_FINAL_TYPE (PvColorLegend, pv_color_legend, PV, COLOR_LEGEND, GtkWidget)

/* Shows the colors of the area's picture, which shows the document; values (or NULL) are those of
 * its nodes, for schemes that show them. Again when the document's functions, the values, the
 * scheme or the theme have changed. */
void pv_color_legend_update (PvColorLegend *legend, PvFlameArea *area, PvColorScheme scheme,
                             const PvNodeValues *values, PvDocument *document);

/* The colors of functions by PV_COLOR_BY_MODULE or PV_COLOR_BY_PACKAGE, the largest self cost
 * first: PvColorShare; free with g_ptr_array_unref (). */
GPtrArray *pv_color_legend_list_shares (const PvFunctions *functions, PvColorScheme scheme);

/* Shows nothing, to begin a legend of another picture. */
void pv_color_legend_clear (PvColorLegend *legend);
/* Appends a color, or a sentence if color is NULL; both are copied. A full legend ignores them. */
void pv_color_legend_add (PvColorLegend *legend, const char *text, const PvColor *color);
