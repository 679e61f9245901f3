/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* The page Flame Graph: zoom path, drawing options, picture, details line. */
#define PV_TYPE_FLAME_PAGE (pv_flame_page_get_type ())
G_DECLARE_FINAL_TYPE (PvFlamePage, pv_flame_page, PV, FLAME_PAGE, GtkWidget)

GtkWidget *pv_flame_page_new (PvDocument *document);

/* Selects the function, and zooms until its heaviest box can be seen; or shows its sandwich. */
void pv_flame_page_show_function (PvFlamePage *page, PvFunctionId function);

/* Selects the next or previous box of the flame graph that matches the search, and zooms until it
 * can be seen; a sandwich follows. */
void pv_flame_page_select_match (PvFlamePage *page, gboolean forward);

/* Of a sandwich: the half with the selected box. */
void pv_flame_page_zoom_out (PvFlamePage *page);

/* Asks for a file name and writes the picture, of the flame graph or of the sandwich. */
void pv_flame_page_export (PvFlamePage *page);
/* Of what is shown: changes the options of the command and what else is needed. */
void pv_flame_page_describe_command (PvFlamePage *page, PvCommand *command);
