/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"
#include "render/flame/flame-graph.h"
#include "render/flame/flame-range.h"

/*
 * The flame graph of a document: shows its flame tree, zoom, selection and matches, scrolls
 * vertically (GtkScrollable), and turns pointer and keys into actions on the document. Signals:
 * "hover-changed", another node or none is under the pointer; "menu-requested" (x, y), the user
 * asks for the context menu of the selected node.
 */
#define PV_TYPE_FLAME_AREA (pv_flame_area_get_type ())
G_DECLARE_FINAL_TYPE (PvFlameArea, pv_flame_area, PV, FLAME_AREA, GtkWidget)

/* Once, before anything else. */
void pv_flame_area_set_document (PvFlameArea *area, PvDocument *document);

/* From now on shows another tree, which may come later (NULL), with a zoom and a selection of its
 * own; the first rows are hidden. A double click, or Return, selects the function in the document.
 */
void pv_flame_area_show_tree (PvFlameArea *area, const PvCallTree *tree, unsigned n_hidden);
/* What is shown; NULL: nothing yet. */
const PvCallTree *pv_flame_area_get_tree (PvFlameArea *area);

void pv_flame_area_set_flame (PvFlameArea *area, gboolean is_flame);
void pv_flame_area_set_colors (PvFlameArea *area, PvColorScheme colors);
/* See PvFlameView. */
void pv_flame_area_set_least_share (PvFlameArea *area, double share);

/* The hovered node, else the selected, else the zoomed one. PV_NODE_NONE: there is no tree. */
PvNodeId pv_flame_area_get_shown_node (PvFlameArea *area);

/* The hovered bundle, see flame-graph.h; FALSE: there is none. */
gboolean pv_flame_area_get_shown_bundle (PvFlameArea *area, PvFlameBundle *ret_bundle);

/* The part of the picture that is in view. There is a tree. */
PvFlameRange pv_flame_area_get_range (PvFlameArea *area);
/* Shows another part, without an animation. goes_on: as part of the last such movement. */
void pv_flame_area_set_range (PvFlameArea *area, const PvFlameRange *range, gboolean goes_on);

/* The color of the node. There is a tree. */
PvColor pv_flame_area_get_color (PvFlameArea *area, PvNodeId node);

/* The color of a hue of pv_palette_hue () in the picture, for a legend. There is a tree. */
PvColor pv_flame_area_get_hue_color (PvFlameArea *area, unsigned hue);

/* What is shown, for an export that looks the same. Valid until the next change. */
const PvFlameView *pv_flame_area_get_view (PvFlameArea *area);
