/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "render/graph/graph-draw.h"

/*
 * The picture of a call graph: zoomed by Ctrl with the wheel, by two fingers, and by + and -; moved
 * by dragging and scrolling. Arrow keys go along edges: up to the heaviest caller, down to the
 * heaviest callee, sideways to the next function. Main loop only. Signals: "node-chosen" (node):
 * the user selected it; "activated" (node): by Enter or a double click; "menu-requested" (x, y);
 * "hit-changed": the pointer is on something else.
 */
#define PV_TYPE_GRAPH_AREA (pv_graph_area_get_type ())
G_DECLARE_FINAL_TYPE (PvGraphArea, pv_graph_area, PV, GRAPH_AREA, GtkWidget)

/* layout NULL: nothing. Fits it into the view, unless `keeps` the zoom. */
void pv_graph_area_show (PvGraphArea *area, PvGraphLayout *layout, gboolean keeps);
void pv_graph_area_set_colors (PvGraphArea *area, PvColorScheme colors);
/* The font that layouts for this widget need. */
PangoFontDescription *pv_graph_area_copy_font (PvGraphArea *area);

/* node may be PV_GRAPH_NO_NODE. Moves it into view. */
void pv_graph_area_select (PvGraphArea *area, uint32_t node);
uint32_t pv_graph_area_get_selected (PvGraphArea *area);

/* The node and the edge under the pointer; PV_GRAPH_NO_NODE: nothing. */
uint32_t pv_graph_area_get_hovered_node (PvGraphArea *area);
uint32_t pv_graph_area_get_hovered_edge (PvGraphArea *area);

void pv_graph_area_zoom (PvGraphArea *area, double factor);
void pv_graph_area_fit (PvGraphArea *area);
