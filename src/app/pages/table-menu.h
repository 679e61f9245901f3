/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"
#include "app/widgets/row-table.h"

/*
 * The context menu of a table of functions, opened by a right click, the menu key and Shift+F10,
 * and Ctrl+C to copy the name. Opening it selects the row; the page must then select its function
 * in the document. The view of the table is inside page. other_page is the table page that the menu
 * also leads to: "tree" or "functions".
 */
void pv_table_menu_add (GtkWidget *page, PvRowTable *table, const char *other_page,
                        PvDocument *document);
