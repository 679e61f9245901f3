/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* The page Call Graph: which function calls which, and what it costs. Main loop only. */
#define PV_TYPE_GRAPH_PAGE (pv_graph_page_get_type ())
G_DECLARE_FINAL_TYPE (PvGraphPage, pv_graph_page, PV, GRAPH_PAGE, GtkWidget)

GtkWidget *pv_graph_page_new (PvDocument *document);

void pv_graph_page_fit (PvGraphPage *page);
/* Asks for a file name and writes the picture. */
void pv_graph_page_export (PvGraphPage *page);
/* The command that draws the same. The function's name lives as long as what the page shows, limits
 * until the next such request. */
void pv_graph_page_describe_command (PvGraphPage *page, PvCommand *command);
