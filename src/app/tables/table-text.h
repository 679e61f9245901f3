/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>
#include <stdint.h>

/*
 * Rows of a table as text: a line of titles, then a line for each row. Amounts are plain numbers,
 * for other programs, and shares have columns of their own. Written in a worker; starting is main
 * loop only.
 */
typedef enum {
    PV_TEXT_TSV, /* tabs, line breaks and backslashes in cells are escaped */
    PV_TEXT_CSV, /* cells are quoted where they must be */
} PvTextFormat;

/* Where cells come from: number is the owner's of a column. What is returned is freed; NULL: an
 * empty cell. Any thread. */
typedef struct {
    gpointer data; /* immutable */
    GDestroyNotify free_data;
    char *(*make_cell) (gconstpointer data, guint number, gboolean is_share, uint32_t key);
} PvTextSource;

typedef struct PvTableText PvTableText;

/* Takes what the source has; copies n keys, those at the positions in selected (NULL: all) count.
 */
PvTableText *pv_table_text_new (const PvTextSource *source, const uint32_t *keys, uint32_t n,
                                GtkBitset *selected);
void pv_table_text_free (PvTableText *text);
/* In order from the left; copies the title. */
void pv_table_text_add_column (PvTableText *text, guint number, const char *title,
                               gboolean is_share);

/* Fractions get the locale's decimal point: for spreadsheets, which read what is pasted as the user
 * writes numbers. */
void pv_table_text_use_local_point (PvTableText *text);

/* Blocking: calls hand_on with each part of the text. FALSE if hand_on returns FALSE, which it does
 * to stop. */
gboolean pv_table_text_write (const PvTableText *text, PvTextFormat format,
                              gboolean (*hand_on) (gpointer user, const GString *part,
                                                   uint32_t n_rows_done),
                              gpointer user);

/* Both take text. Copies it to the widget's clipboard as TSV, with the
 * locale's decimal point. */
void pv_table_text_copy (PvTableText *text, GtkWidget *widget);
/* Asks for a file, proposing the name without ending; it is complete or stays as it was. */
void pv_table_text_save (PvTableText *text, GtkWidget *widget, const char *name);
