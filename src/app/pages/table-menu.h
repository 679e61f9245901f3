/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"
#include "app/tables/row-table.h"
#include "app/tables/table-text.h"

/* The text of all rows of a page's table, or of those that are selected; NULL: no text. */
typedef PvTableText *(*PvMakeTableTextFunc) (GtkWidget *page, gboolean is_selection);

/*
 * The context menu of a table of functions, opened by a right click, the menu key and Shift+F10,
 * and keys to copy rows and names. Opening it selects the row; the page must then select its
 * function in the document. The view of the table is inside page. is_tree: the table is the call
 * tree.
 */
void pv_table_menu_add (GtkWidget *page, PvRowTable *table, gboolean is_tree, PvDocument *document,
                        PvMakeTableTextFunc make_text);
