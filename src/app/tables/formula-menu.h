/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"
#include "app/tables/column-set.h"

/*
 * Lets the user add and edit formulas by the menu of a table's columns, and gives the columns what
 * was asked for with the document. After pv_table_columns_add (). The page has the table, and frees
 * columns after it. Main loop only.
 */
void pv_formula_menu_install (GtkWidget *page, PvRowTable *table, PvColumnSet *columns,
                              PvDocument *document);
