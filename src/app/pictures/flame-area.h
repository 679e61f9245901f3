/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"
#include "render/flame/flame-graph.h"

/*
 * The flame graph of a document: shows its flame tree, zoom, selection and matches, scrolls
 * vertically (GtkScrollable), and turns pointer and keys into intents. What lies under the pointer
 * is told by the signal "hover-changed", a wish for the context menu by "menu-requested" (x, y).
 */
#define PV_TYPE_FLAME_AREA (pv_flame_area_get_type ())
G_DECLARE_FINAL_TYPE (PvFlameArea, pv_flame_area, PV, FLAME_AREA, GtkWidget)

void pv_flame_area_set_document (PvFlameArea *area, PvDocument *document);

void pv_flame_area_set_flame (PvFlameArea *area, gboolean is_flame);
void pv_flame_area_set_colors (PvFlameArea *area, PvColorScheme colors);

/* The hovered node, else the selected, else the zoomed one. PV_NODE_NONE without a tree. */
PvNodeId pv_flame_area_get_shown_node (PvFlameArea *area);

/* The colour the node is drawn with. */
PvColor pv_flame_area_get_color (PvFlameArea *area, PvNodeId node);

/* What is shown, for an export with the same look. */
const PvFlameView *pv_flame_area_get_view (PvFlameArea *area);
