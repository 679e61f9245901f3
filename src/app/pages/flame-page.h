/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* The page Flame Graph: the path of the zoom, how it is drawn, the picture, the details line. */
#define PV_TYPE_FLAME_PAGE (pv_flame_page_get_type ())
G_DECLARE_FINAL_TYPE (PvFlamePage, pv_flame_page, PV, FLAME_PAGE, GtkWidget)

GtkWidget *pv_flame_page_new (PvDocument *document);

/* Selects the next (or previous) box that matches the search, and zooms out as far as is needed
 * to see it. */
void pv_flame_page_select_match (PvFlamePage *page, gboolean forward);

/* Asks for a file and writes the picture there. */
void pv_flame_page_export (PvFlamePage *page);
