/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"
#include "core/analyze/time/flame-chart.h"
#include "render/flame/flame-graph.h"

/* The line below a picture that describes one thing in it: name, figures, module, file and line. */
#define PV_TYPE_DETAILS_LINE (pv_details_line_get_type ())
G_DECLARE_FINAL_TYPE (PvDetailsLine, pv_details_line, PV, DETAILS_LINE, GtkWidget)

/* Shows a node of a tree of the document; PV_NODE_NONE clears the line. In a tree of callers, a
 * node calls its parent. values: of the tree's nodes, those of another tree are ignored; may be
 * NULL. Amounts of a signed measure are net. */
void pv_details_line_show_node (PvDetailsLine *line, PvDocument *document, const PvCallTree *tree,
                                PvNodeId node, const PvNodeValues *values, gboolean is_of_callers,
                                PvColor color);

/* Shows nodes that are drawn as one box; values as above. */
void pv_details_line_show_bundle (PvDetailsLine *line, PvDocument *document, const PvCallTree *tree,
                                  const PvFlameBundle *bundle, const PvNodeValues *values);

/* The same of a box or a bundle in a cut of a flame chart, with its times and its number of
 * samples.
 */
void pv_details_line_show_box (PvDetailsLine *line, const PvFlameChart *chart,
                               const PvCallTree *cut, const PvFlameBundle *boxes, PvColor color);

/* Shows a name, the module, file and line it belongs to (may be NULL), and figures made by
 * pv_details_line_add_figure (). color NULL: no swatch. */
void pv_details_line_show (PvDetailsLine *line, const char *name, const char *location,
                           gboolean is_inlined, const char *figures, const PvColor *color);

/* The name is a sentence now, or a name again: a sentence comes before the place, and what is at
 * its end is left out where there is no room. */
void pv_details_line_set_sentence (PvDetailsLine *line, gboolean is_sentence);

/* Appends a value to the markup, after a dim caption (may be NULL). */
void pv_details_line_add_figure (GString *figures, const char *caption, const char *value);

/* "libengine.so · join.cc:212"; module may be 0, frame NULL. g_free () it. */
char *pv_details_line_format_location (const PvProfile *profile, PvModuleId module,
                                       const PvFrame *frame);
