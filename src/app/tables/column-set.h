/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"
#include "app/tables/row-table.h"
#include "app/tables/table-text.h"
#include "core/analyze/columns/column.h"

/*
 * The columns of a table of functions, nodes or callers: those that pv_columns has for it, then two
 * for each measure that the profile has besides the one that is shown, and for each formula that it
 * has the measures for. A column is known by its number, which stays.
 * Main loop only.
 */
typedef struct PvColumnSet PvColumnSet;

/* Cells are filled with get_row, which gets owner in place of the rows. title: of the names,
 * translated, whose cells the owner makes and fills; make NULL: a text. The table must live as long
 * as the set. */
PvColumnSet *pv_column_set_new (PvRowTable *table, PvTableKind kind, const char *title,
                                PvMakeCellFunc make, PvBindFunc bind, PvGetRowFunc get_row,
                                gpointer owner);
void pv_column_set_free (PvColumnSet *set);

/* Shows the columns that the tree has something for, and hides the others. A table that is sorted
 * by one that is hidden now is sorted by what stands in its place. */
void pv_column_set_update (PvColumnSet *set, const PvCallTree *tree);
/* Bottom up, totals are called self cost, which they are; who sorts by self cost sorts by these. */
void pv_column_set_name_totals (PvColumnSet *set, gboolean is_bottom_up);
/* Hides the columns of self cost, or shows those that there are; at first they are shown. */
void pv_column_set_show_self (PvColumnSet *set, gboolean is_wanted);

/* The definitions that were requested, or NULL; copied. New ones are shown with the next update. */
void pv_column_set_set_formulas (PvColumnSet *set, const char *const *formulas);
/* The same profile may have other formulas now, which the user has saved. The table's signal
 * "columns-changed" says so. */
void pv_column_set_renew_formulas (PvColumnSet *set);
/* Shows the columns of the formula of that name, if there are some. */
void pv_column_set_show_formula (PvColumnSet *set, const char *name);
/* Adds the formulas that are shown, and hidden noise. */
void pv_column_set_describe_command (const PvColumnSet *set, PvCommand *command);

/* Makes a cell of a row that is noise dim, and says so to screen readers. */
void pv_noise_show (GtkWidget *cell, gboolean is_noise);

guint pv_column_set_get_n (const PvColumnSet *set);
const PvColumn *pv_column_set_get (const PvColumnSet *set, guint number);
GtkColumnViewColumn *pv_column_set_get_column (const PvColumnSet *set, guint number);
/* The number of a view's column, or the number of columns. */
guint pv_column_set_find (const PvColumnSet *set, GtkColumnViewColumn *column);
/* The column that shows that part of a kind by the measure shown. */
GtkColumnViewColumn *pv_column_set_find_kind (const PvColumnSet *set, PvColumnKind kind,
                                              PvShow show);
/* The column that the table is sorted by, with a reference to its formula; by names if by none. */
PvColumn pv_column_set_copy_sorted (const PvColumnSet *set, gboolean *ret_descending);

/* The other measures that columns need, PvMeasureId: those that the user wants to see, the sides of
 * signed ones, and all for the changes of a comparison; g_array_unref () it. */
GArray *pv_column_set_list_measures (const PvColumnSet *set);

/* The text of n rows by the columns that are shown, amounts with their shares; those at the
 * positions in selected (NULL: all). Takes the rows, which are of the tree; names are indented by
 * their depth. */
PvTableText *pv_column_set_write (const PvColumnSet *set, const PvCallTree *tree, gpointer rows,
                                  GDestroyNotify free_rows, PvGetRowFunc get_row,
                                  const uint32_t *keys, uint32_t n, GtkBitset *selected);
