/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/tables/row-table.h"

/*
 * Lets the user choose the columns of a table, in a menu of its titles and, unless button is NULL,
 * in one of that button; move them, and make them wider. key is where the settings keep it. After
 * pv_row_table_finish (). Main loop only.
 */
void pv_table_columns_add (PvRowTable *table, const char *key, GtkMenuButton *button);
/* An entry of that menu, below the derived measures. label NULL: none. */
void pv_table_columns_set_entry (PvRowTable *table, const char *label, const char *action);
/* has_noise: rows of the table may be noise, and that menu can hide them, in all tables. */
void pv_table_columns_set_noise (PvRowTable *table, gboolean has_noise);
