/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"
#include "render/flame/flame-graph.h"

/* The line below a picture that says everything about one thing in it. */
#define PV_TYPE_DETAILS_LINE (pv_details_line_get_type ())
G_DECLARE_FINAL_TYPE (PvDetailsLine, pv_details_line, PV, DETAILS_LINE, GtkWidget)

/* A node of the flame graph; PV_NODE_NONE empties the line. */
void pv_details_line_show_node (PvDetailsLine *line, PvDocument *document, PvNodeId node,
                                PvColor color);

/* A place of a function, what belongs to it (place may be NULL), and figures as
 * pv_details_line_add_figure () puts them together. color NULL: none. */
void pv_details_line_show (PvDetailsLine *line, const char *name, const char *place,
                           gboolean is_inlined, const char *figures, const PvColor *color);

/* A caption in a dim colour, which may be NULL, and its value: two figures side by side stay
 * readable. */
void pv_details_line_add_figure (GString *figures, const char *caption, const char *value);

/* "libengine.so · join.cc:212"; frame may be NULL. */
char *pv_details_line_format_place (const PvProfile *profile, PvModuleId module,
                                    const PvFrame *frame);
