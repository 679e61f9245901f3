/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/*
 * The context menu of a table of functions, for a right click, the menu key and Shift+F10, and
 * Ctrl+C for the name: what to do with the function of the row, which is selected first. view is
 * inside page; selecting a row must select its function in the document. other_page is the table
 * page that the menu also leads to: "tree" or "functions".
 */
void pv_table_menu_add (GtkWidget *page, GtkColumnView *view, const char *other_page,
                        PvDocument *document);
