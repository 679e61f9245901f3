/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"
#include "render/treemap/treemap.h"

/*
 * The treemap of a document: shows its flame tree below the zoomed node, its selection and its
 * matches, and turns pointer and keys into actions on the document. A comparison that knows its
 * sides has the sizes of the new one. Signals: "hover-changed", another node or none is under the
 * pointer; "menu-requested" (x, y), the user asks for the context menu of the selected node.
 */
#define PV_TYPE_TREEMAP_AREA (pv_treemap_area_get_type ())
G_DECLARE_FINAL_TYPE (PvTreemapArea, pv_treemap_area, PV, TREEMAP_AREA, GtkWidget)

/* Once, before anything else. */
void pv_treemap_area_set_document (PvTreemapArea *area, PvDocument *document);
void pv_treemap_area_set_colors (PvTreemapArea *area, PvColorScheme colors);

/* The hovered node of the flame tree, else the selected, else the zoomed one. PV_NODE_NONE: there
 * is no tree. */
PvNodeId pv_treemap_area_get_shown_node (PvTreemapArea *area);
/* The hovered bundle, see treemap.h; FALSE: there is none. */
gboolean pv_treemap_area_get_shown_bundle (PvTreemapArea *area, PvFlameBundle *ret_bundle);

/* What is shown, for an export that looks the same. Valid until the next change. */
const PvFlameView *pv_treemap_area_get_view (PvTreemapArea *area);
