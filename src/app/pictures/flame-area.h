/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/boxes/box-area.h"
#include "render/flame/flame-range.h"

/*
 * The flame graph of a document: shows its flame tree, zoom, selection and matches, scrolls
 * vertically (GtkScrollable), and turns pointer and keys into actions on the document. Signals
 * beside those of box areas: of a half of a sandwich, "selected", the user has selected a node in
 * it, and "edge-reached", a key leads to the other half; of a flame chart, "range-changed", other
 * times are in view.
 */
#define PV_TYPE_FLAME_AREA (pv_flame_area_get_type ())
G_DECLARE_FINAL_TYPE (PvFlameArea, pv_flame_area, PV, FLAME_AREA, PvBoxArea)

/* After the document: this is half of a sandwich. */
void pv_flame_area_set_half (PvFlameArea *area, PvSandwichHalf half);

/* Shows the tree of the half, which may come later (NULL), with the values of its nodes, if there
 * is a formula, its zoom in the document, and a selection of its own, which stays where the next
 * tree has the same path. The first rows are hidden. A double click, or Return, shows the sandwich
 * of another function. FALSE: the tree before it was of another function. */
gboolean pv_flame_area_show_half (PvFlameArea *area, const PvCallTree *tree, PvNodeValues *values);
/* In a half, selects the heaviest box beside the other half, and focuses it if takes_focus. FALSE:
 * there is no such box. */
gboolean pv_flame_area_enter (PvFlameArea *area, gboolean takes_focus);
/* Clears the selection of a half. No signal. */
void pv_flame_area_unselect (PvFlameArea *area);
/* Shows the sandwich of the function of the node that is selected in a half. continues: after a
 * zoom that the user undoes together with it. */
void pv_flame_area_show_sandwich (PvFlameArea *area, gboolean continues);

/* After the document: this is one side of a comparison beside the other one. Shows the document's
 * flame tree with the weights of that side, once they are known; zoom and selection are the
 * document's, too. */
void pv_flame_area_set_side (PvFlameArea *area, PvSide side);
/* Outlines, in a side, the node that is hovered in the other one, or PV_NODE_NONE. */
void pv_flame_area_set_echo (PvFlameArea *area, PvNodeId node);

/* After the document: this is a flame chart. Its selected box is of the document's function, which
 * it selects; its zoom is its own. */
void pv_flame_area_set_chart (PvFlameArea *area);
/* Shows a coarse cut of all of a flame chart, or nothing (NULL). The part in view stays, as times,
 * where the chart has that. */
void pv_flame_area_show_whole (PvFlameArea *area, const PvCallTree *whole);
/* Shows a finer cut of a part of the same chart, in fractions of the whole, wherever that part is
 * in view. */
void pv_flame_area_show_cut (PvFlameArea *area, const PvCallTree *cut, double left, double right);
/* Moves the selected box into view. */
void pv_flame_area_see_selected (PvFlameArea *area);
/* Selects the next box that matches the search, and moves it into view. */
void pv_flame_area_select_match (PvFlameArea *area, gboolean forward);
/* The tree for a strip that shows everything; NULL: no tree yet. */
const PvCallTree *pv_flame_area_get_whole (PvFlameArea *area);

void pv_flame_area_set_flame (PvFlameArea *area, gboolean is_flame);
/* See PvFlameView. */
void pv_flame_area_set_least_share (PvFlameArea *area, double share);

/* The selected node, or PV_NODE_NONE. */
PvNodeId pv_flame_area_get_selected (PvFlameArea *area);

void pv_flame_area_zoom_to_selected (PvFlameArea *area);
void pv_flame_area_zoom_out (PvFlameArea *area);
gboolean pv_flame_area_is_zoomed (PvFlameArea *area);
/* The part of the picture that is in view. There is a tree. */
PvFlameRange pv_flame_area_get_range (PvFlameArea *area);
/* Shows another part, without an animation. continues: as part of the last such movement. */
void pv_flame_area_set_range (PvFlameArea *area, const PvFlameRange *range, gboolean continues);

/* The color of the node. There is a tree. */
PvColor pv_flame_area_get_color (PvFlameArea *area, PvNodeId node);

/* The color of a hue of pv_palette_hue () in the picture, for a legend. There is a tree. */
PvColor pv_flame_area_get_hue_color (PvFlameArea *area, unsigned hue);
/* The same of the lines over it. */
PvColor pv_flame_area_get_stripe_color (PvFlameArea *area, unsigned hue);
