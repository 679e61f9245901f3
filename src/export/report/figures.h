/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tables/functions.h"
#include "core/analyze/tables/measure-sums.h"
#include "core/write/summary.h"

/* What stands beside the amounts of a table's rows: what the files have that are joined with the
 * one that is shown, and what the formulas of a query compute; two columns for each of them. */
typedef struct PvFigures PvFigures;

/* For the rows of a list that was made of the tree, or, with list NULL, for the nodes of the tree,
 * which may be inverted. NULL if there is nothing. Both must live as long as the figures. */
PvFigures *pv_figures_new (const PvCallTree *tree, const PvFunctionList *list);
void pv_figures_free (PvFigures *figures); /* NULL is accepted, here and below */

/* Adds the functions to the list, of what is joined and that the figures were made for, that have
 * figures only. */
void pv_figures_add_rows (const PvFigures *figures, const PvSymbolTable *symbols,
                          PvFunctionList *list);
/* Appends the PvTableColumn of all; their strings live as long as the figures. */
void pv_figures_add_columns (const PvFigures *figures, GArray *columns);
/* Adds the cells of a row or node, in the same order. */
void pv_figures_add_cells (const PvFigures *figures, uint32_t row, PvFormat format, PvTable *table);

/* The same of calls: what each file that is joined with the one that is shown has of a call is a
 * column. NULL if there are none. is_wanted: by function, whose callers or callees are asked for.
 * The tree must live as long as the figures. */
typedef struct PvCallFigures PvCallFigures;

PvCallFigures *pv_call_figures_new (const PvCallTree *tree, const bool *is_wanted,
                                    bool wants_callers);
void pv_call_figures_free (PvCallFigures *figures); /* NULL is accepted, here and below */

/* What calls the function, or is called, in a file that is joined only, and by what is not among
 * these n calls: an array of PvCaller, without weight. g_array_unref () it. */
GArray *pv_call_figures_list_others (const PvCallFigures *figures, PvFunctionId function,
                                     const PvCaller *calls, uint32_t n);
void pv_call_figures_add_columns (const PvCallFigures *figures, GArray *columns);
void pv_call_figures_add_cells (const PvCallFigures *figures, PvFunctionId function,
                                PvFunctionId caller, PvTable *table);

/* What the formulas that are usual for a profile give for all of it, PvSummaryFigure; their strings
 * are freed with the array: g_array_unref (). */
GArray *pv_figures_list_usual (const PvProfile *profile);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFigures, pv_figures_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCallFigures, pv_call_figures_free)
