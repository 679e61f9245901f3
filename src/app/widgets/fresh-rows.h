/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* Rows of a group that is read again and again. They are replaced only when what they show has
 * changed, because new rows would lose a click in progress. The group is hidden without rows. */
typedef struct {
    AdwPreferencesGroup *group;
    GPtrArray *rows;
    char *shown; /* what the rows show, as text */
} PvFreshRows;

/* Borrows group; rows are cleared before it is gone. */
void pv_fresh_rows_init (PvFreshRows *rows, AdwPreferencesGroup *group);
void pv_fresh_rows_clear (PvFreshRows *rows);

/* Takes text, which tells what the rows shall show. False: they do; else they are removed, and the
 * caller adds others. */
gboolean pv_fresh_rows_begin (PvFreshRows *rows, char *text);
/* Adds a row of plain text that can be activated; borrowed. */
GtkWidget *pv_fresh_rows_add (PvFreshRows *rows, const char *title, const char *subtitle);

/* Such a row alone; subtitle may be NULL. */
GtkWidget *pv_plain_row_new (const char *title, const char *subtitle);
/* A flat button that ends a row. name: for screen readers. */
void pv_row_button_init (GtkWidget *button, const char *name);
