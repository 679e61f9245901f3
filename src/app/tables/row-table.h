/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/widgets/row-model.h"

/*
 * A table: a GtkColumnView over the rows of a PvRowModel, any of which can be selected. A bind
 * function is called when a row comes on screen or stands for another key, with the widget in the
 * column. Main loop only.
 */
#define PV_TYPE_ROW_TABLE (pv_row_table_get_type ())
G_DECLARE_FINAL_TYPE (PvRowTable, pv_row_table, PV, ROW_TABLE, GObject)

typedef GtkWidget *(*PvMakeCellFunc) (gpointer owner, GtkListItem *item);
/* number: the column's. */
typedef void (*PvBindFunc) (gpointer owner, GtkWidget *cell, uint32_t key, guint number);

typedef enum {
    PV_SHAPE_TEXT,   /* pv_text_cell_new () */
    PV_SHAPE_AMOUNT, /* PvAmountCell */
    PV_SHAPE_FIGURE, /* PvAmountCell without a share */
} PvCellShape;

/* Sets the model of the view. owner is passed to the functions of the columns; release the table
 * before owner is freed, which also takes the rows out of the view. */
PvRowTable *pv_row_table_new (GtkColumnView *view, PvRowModel *model, gpointer owner);
GtkColumnView *pv_row_table_get_view (PvRowTable *table);
PvRowModel *pv_row_table_get_model (PvRowTable *table); /* borrowed */

typedef struct {
    PvCellShape kind;
    const char *title; /* translated */
    int width;         /* pixels at the usual size of text; 0: takes the room that is left */
    PvBindFunc bind;
    PvMakeCellFunc make; /* NULL: a cell of that kind */
} PvColumnShape;

/* The column is the view's; its cells come when it is shown. */
GtkColumnViewColumn *pv_row_table_add (PvRowTable *table, const PvColumnShape *shape, guint number);
/* Adds all columns that a table has, with titles to be translated and their places as numbers, and
 * finishes it. */
void pv_row_table_add_all (PvRowTable *table, const PvColumnShape *shapes, guint n,
                           GtkColumnViewColumn **ret_columns);
/* The bind function of the column gets this in place of the owner. */
void pv_row_table_set_binder (PvRowTable *table, GtkColumnViewColumn *column, gpointer binder);
/* After the first columns; others may come later. Aligns titles with their cells. Where there is
 * little room, amounts become narrow, and then columns other than names and amounts are left out,
 * the last one first. has_button: one lies over the end of the titles. */
void pv_row_table_finish (PvRowTable *table, gboolean has_button);

/* A tool tip of the column's title; text is copied. After pv_row_table_finish (). */
void pv_row_table_set_tip (PvRowTable *table, GtkColumnViewColumn *column, const char *text);

/* The needs of cells where there is little room: name_px pixels for the name, at the usual size of
 * text (0: as in other tables). Plain amounts have no share that could stand alone. */
void pv_row_table_set_needs (PvRowTable *table, int name_px, gboolean has_plain_amounts);

/* Hides a column that has nothing to show. */
void pv_row_table_set_wanted (PvRowTable *table, GtkColumnViewColumn *column, gboolean is_wanted);

/* Columns with an id, which is copied, can be moved and made wider by the user. The one that takes
 * the room that is left is always there, others can be chosen. */
void pv_row_table_set_id (PvRowTable *table, GtkColumnViewColumn *column, const char *id,
                          gboolean is_chosen);
/* The columns that are shown, or would be if there were room, in their order; g_ptr_array_unref ()
 * it. */
GPtrArray *pv_row_table_list_shown (PvRowTable *table);
/* The columns to choose from that have something to show, in their order; g_ptr_array_unref () it.
 */
GPtrArray *pv_row_table_list_choices (PvRowTable *table);
const char *pv_row_table_get_id (PvRowTable *table, GtkColumnViewColumn *column);
gboolean pv_row_table_is_chosen (PvRowTable *table, GtkColumnViewColumn *column);
void pv_row_table_set_chosen (PvRowTable *table, GtkColumnViewColumn *column, gboolean is_chosen);

/* The user's choices, in order: (id, width at the usual size of text, is shown). Includes columns
 * that the table does not have now. Restoring an empty array: the defaults. The signals
 * "choices-changed" and "columns-changed" say that the user has changed something, and that there
 * are other columns to choose from. */
#define PV_ROW_TABLE_CHOICES "a(sib)"
GVariant *pv_row_table_get_choices (PvRowTable *table); /* floating */
void pv_row_table_set_choices (PvRowTable *table, GVariant *choices);

/* The header can be clicked; the first click on one of figures sorts the largest first. The signal
 * "sort-changed" says that the owner is to sort the keys. */
void pv_row_table_make_sortable (PvRowTable *table, GtkColumnViewColumn *column);
/* The column that is sorted by; NULL: none. */
GtkColumnViewColumn *pv_row_table_get_sorted (PvRowTable *table, gboolean *ret_descending);

/* The tool tip of a row in the first column, which is freed with g_free (); NULL: none. */
void pv_row_table_set_tip_func (PvRowTable *table, char *(*get_tip) (gpointer owner, uint32_t key));
/* No tool tips while a menu is open. */
void pv_row_table_set_menu_open (PvRowTable *table, gboolean is_open);

/* Binds the cells of a column, or of one of its rows, again. */
void pv_row_table_update_column (PvRowTable *table, GtkColumnViewColumn *column);
void pv_row_table_update_cell (PvRowTable *table, GtkColumnViewColumn *column, guint position);

/* The row that is selected, the first if there are several (see pv_row_model_get_selected ()), or
 * GTK_INVALID_LIST_POSITION; and its key, or G_MAXUINT32. */
guint pv_row_table_get_selected (PvRowTable *table);
uint32_t pv_row_table_get_selected_key (PvRowTable *table);
/* Selects this row alone; GTK_INVALID_LIST_POSITION, or a row that the view does not have yet:
 * none. */
void pv_row_table_select (PvRowTable *table, guint position);
/* Selects this row alone, unless it is one of several: then these stay, and it leads them. */
void pv_row_table_select_for_menu (PvRowTable *table, guint position);
/* Scrolls to a row and makes it the one that the keyboard moves on from. */
void pv_row_table_scroll_to (PvRowTable *table, guint position, gboolean grab_focus);
/* True if a row has the keyboard focus. */
gboolean pv_row_table_has_focus (PvRowTable *table);
/* Focuses the selected row, else the list. */
gboolean pv_row_table_grab_focus (PvRowTable *table);
/* After the rows have changed: if the one with the focus is gone, the list takes it back. */
void pv_row_table_keep_focus (PvRowTable *table);

/* The position of the row at a point of the view, or GTK_INVALID_LIST_POSITION. */
guint pv_row_table_find_row (PvRowTable *table, double x, double y);
/* Where in the view a row is; FALSE if it is not on screen. */
gboolean pv_row_table_get_row_bounds (PvRowTable *table, guint position, GdkRectangle *ret_bounds);
