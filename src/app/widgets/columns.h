/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/widgets/row-model.h"
#include "app/widgets/text-cell.h"

/*
 * Columns of the tables. A bind function is called when a row comes on screen, with the widget that
 * its setup function made and the key of the row.
 */
typedef void (*PvBindFunc) (gpointer owner, GtkWidget *cell, uint32_t key);

typedef enum {
    PV_COLUMN_TEXT,   /* PvTextCell */
    PV_COLUMN_AMOUNT, /* PvAmountCell */
    PV_COLUMN_FIGURE, /* the same, of no share, that can be missed where there is little room */
} PvColumnKind;

/* width in pixels at the usual size of text, more where the user wants it larger; 0: takes the room
 * that is left. */
GtkColumnViewColumn *pv_column_add (GtkColumnView *view, PvColumnKind kind, const char *title,
                                    int width, PvBindFunc bind, gpointer owner);
/* The same with cells made by setup. */
GtkColumnViewColumn *pv_column_add_custom (GtkColumnView *view, const char *title, int width,
                                           GtkWidget *(*setup) (gpointer owner), PvBindFunc bind,
                                           gpointer owner);

/* Columns that say nothing about what is shown are not there. */
void pv_column_set_wanted (GtkColumnView *view, GtkColumnViewColumn *column, gboolean is_wanted);

/* Shows the rows of a model that the selection is made of. All columns must have been added with
 * pv_column_add (); key G_MAXUINT32 is a row without contents. */
void pv_columns_set_model (GtkColumnView *view, PvRowModel *model, GtkSingleSelection *selection);

/* Takes the rows out of all tables in a widget that will go, a few whenever the main loop is idle:
 * GTK would free the widgets of some two hundred rows of each at once. TRUE once none has any. */
gboolean pv_columns_empty_below (GtkWidget *widget);

/* Which column the user sorts by, from the view's sorter: GTK 4.8 does not tell, so every column
 * has a sorter that only says who it is. NULL: none. */
void pv_column_make_sortable (GtkColumnViewColumn *column);
GtkColumnViewColumn *pv_columns_get_sorted (GtkColumnView *view, gboolean *ret_descending);

/* Puts the titles of amounts above their figures, at the right. After the last column was added. */
void pv_columns_align_titles (GtkColumnView *view);

/* Where there is little room, keeps what says most: names and shares, but neither amounts nor the
 * columns of text behind them. All columns must have been added. */
void pv_columns_fit (GtkColumnView *view);

/* Scrolls to a row and makes it the one that the keyboard moves on from. */
void pv_columns_scroll_to (GtkColumnView *view, uint32_t position, gboolean grab_focus);
/* Puts the focus on the selected row, else on the list. */
gboolean pv_columns_grab_focus (GtkColumnView *view, GtkSingleSelection *selection);

/* A name that is short in the table and whole in the tool tip; name NULL: no tip. */
void pv_column_set_name (PvTextCell *cell, const char *short_name, const char *name);

/* While a menu is open there are no tool tips. */
void pv_columns_set_menu_open (GtkColumnView *view, gboolean is_open);

/* The position of the row at a point of the view, or GTK_INVALID_LIST_POSITION. */
guint pv_columns_find_row (GtkColumnView *view, double x, double y);
/* The texts of a row, with tabs between the columns. NULL if it is not on screen. */
char *pv_columns_get_row_text (GtkColumnView *view, guint position);
/* Where on the view a row is; false if it is not on screen. */
gboolean pv_columns_get_row_bounds (GtkColumnView *view, guint position, GdkRectangle *ret_bounds);
