/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/tables/row-table.h"

/* Declarations that the files of the table share; row-table-columns.c has the columns. */

typedef struct {
    PvRowTable *table;
    GtkColumnViewColumn *column; /* a reference */
    PvCellShape kind;
    int width; /* pixels; 0: the room that is left */
    int default_width;
    char *id;  /* or NULL */
    char *tip; /* of the title; or NULL */
    gboolean is_wanted;
    gboolean is_chosen;
    gboolean is_default;  /* chosen at first */
    gboolean is_left_out; /* for lack of room */
    PvMakeCellFunc make;  /* NULL: by kind */
    PvBindFunc bind;
    gpointer binder; /* NULL: the owner */
    guint number;
    GHashTable *items; /* GtkListItem that are bound */
} PvTableColumn;

struct _PvRowTable {
    GObject parent;

    GtkColumnView *view;
    PvRowModel *model;
    gpointer owner;
    GPtrArray *columns; /* PvTableColumn */
    char *(*get_tip) (gpointer owner, uint32_t key);
    PvTableColumn *asked;           /* the first whose sorter was called */
    GtkColumnViewColumn *sorted_by; /* borrowed; or NULL */
    guint scroll_source;
    guint scroll_position;
    gboolean scroll_grabs_focus;
    guint fit_source;
    GVariant *choices; /* as restored; or NULL */
    gboolean is_menu_open;
    int max_amount_px; /* where there is little room */
    int name_px;       /* least width of the name */
    int least_name_px; /* at the usual size of text; 0: as in other tables */
    gboolean has_plain_amounts;
    gboolean is_fitting;
    gboolean is_finished;
    gboolean has_button;
};

/* NULL: the table has no such column. */
PvTableColumn *pv_row_table_find_column (PvRowTable *table, GtkColumnViewColumn *wanted);

/* The user drags the edge of a column. */
void pv_row_table_choose_width (PvTableColumn *column);
/* Columns must not change within an allocation, so they change after the frame. */
void pv_row_table_fit_later (PvRowTable *table);
/* The view has another adjustment, whose page is the room for columns. */
void pv_row_table_follow_room (PvRowTable *table);
