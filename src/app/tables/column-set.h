/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"
#include "app/tables/function-rows.h"
#include "app/tables/row-table.h"
#include "app/tables/table-text.h"
#include "app/widgets/amount-cell.h"

/*
 * The columns of a table of functions or nodes: those that the page adds, then two for each measure
 * that the profile has besides the one that is shown, and for each formula that it has the measures
 * for. A column is known by its number, which stays.
 * Main loop only.
 */
typedef struct PvColumnSet PvColumnSet;

/* Functions of the table's owner. */
typedef struct {
    PvBindNumberedFunc bind_text;
    PvBindNumberedFunc bind_amount;
    PvBindNumberedFunc bind_value;  /* of a formula */
    PvBindNumberedFunc bind_median; /* NULL: there is no such column */
    PvBindNumberedFunc bind_change; /* of a comparison */
} PvColumnSetClass;

/* The table must live as long as the set. */
PvColumnSet *pv_column_set_new (PvRowTable *table, const PvColumnSetClass *class);
void pv_column_set_free (PvColumnSet *set);

/* The column of names, first of all; make NULL: a text. */
void pv_column_set_add_name (PvColumnSet *set, PvMakeCellFunc make, PvBindFunc bind);
/* A column that a page has. id names it in the settings. */
typedef struct {
    PvFunctionColumn what;
    const char *title; /* to be translated */
    const char *id;
    int width;
    gboolean is_chosen; /* unless the user has decided */
} PvColumnSpec;

/* Their numbers follow each other, from 1 after the names. */
void pv_column_set_add (PvColumnSet *set, const PvColumnSpec *specs, guint n);
/* Shows and hides columns of other measures, of formulas, of samples and of changes after the
 * profile or the query has changed. Where a comparison has no column for what the table is sorted
 * by, it is sorted by the change instead. */
void pv_column_set_update (PvColumnSet *set, const PvProfile *profile, PvMeasureId shown);
/* Hides the columns of self cost, or shows those that there are; at first they are shown. */
void pv_column_set_want_self (PvColumnSet *set, gboolean is_wanted);

/* The definitions that were requested, or NULL; copied. New ones are shown with the next update. */
void pv_column_set_ask (PvColumnSet *set, const char *const *formulas);
/* The same profile may have other formulas now, which the user has saved. The table's signal
 * "columns-changed" says so. */
void pv_column_set_renew_formulas (PvColumnSet *set);
/* Shows the columns of the formula of that name, if there are some. */
void pv_column_set_show_formula (PvColumnSet *set, const char *name);
/* Adds the formulas that are shown, and hidden noise. */
void pv_column_set_describe_command (const PvColumnSet *set, PvCommand *command);

/* Shows an amount of a column beside this tree, with its sign if it is net. */
void pv_function_column_show (PvFunctionColumn column, const PvCallTree *tree, PvAmountCell *cell,
                              int64_t amount, uint64_t whole);

/* Shows a change in a cell of a column with one; what chance explains is dim. */
void pv_change_show (PvChange change, PvChangePart part, PvUnit unit, PvAmountCell *cell);
/* Makes a cell of a row that is noise dim, and says so to screen readers. */
void pv_noise_show (GtkWidget *cell, gboolean is_noise);

guint pv_column_set_get_n (const PvColumnSet *set);
const PvFunctionColumn *pv_column_set_get (const PvColumnSet *set, guint number);
GtkColumnViewColumn *pv_column_set_get_column (const PvColumnSet *set, guint number);
/* The number of a column, or the number of columns. */
guint pv_column_set_find (const PvColumnSet *set, GtkColumnViewColumn *column);

/* The other measures that columns need, PvMeasureId: those that the user wants to see, the sides of
 * signed ones, and all for the changes of a comparison; g_array_unref () it. */
GArray *pv_column_set_list_measures (const PvColumnSet *set);

/* Adds the columns that are shown to a text, amounts with their shares. */
void pv_column_set_add_to_text (const PvColumnSet *set, PvTableText *text, const PvProfile *profile,
                                PvMeasureId shown);
