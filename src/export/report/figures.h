/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tables/functions.h"
#include "core/analyze/tables/measure-sums.h"
#include "core/write/summary.h"

/* Further columns of a table's rows: two for each file that is joined with the one shown, and two
 * for each formula of the query. */
typedef struct PvFigures PvFigures;

/* For the rows of a list that was made of the tree, or, with list NULL, for the nodes of the tree,
 * which may be inverted. NULL if there is nothing. Both must live as long as the figures. */
PvFigures *pv_figures_new (const PvCallTree *tree, const PvFunctionList *list);
void pv_figures_free (PvFigures *figures); /* NULL is accepted, here and below */

/* Adds the functions that only joined files have to the list that the figures were made for. */
void pv_figures_add_rows (const PvFigures *figures, const PvSymbolTable *symbols,
                          PvFunctionList *list);
/* Appends the PvTableColumn of all; their strings live as long as the figures. */
void pv_figures_add_columns (const PvFigures *figures, GArray *columns);
/* Adds the cells of a row or node, in the same order. */
void pv_figures_add_cells (const PvFigures *figures, uint32_t row, PvFormat format, PvTable *table);

/* The same for calls: a column for each file that is joined with the one shown. NULL: no files.
 * is_wanted: by function, true if its callers or callees are requested. The tree must live as long
 * as the figures. */
typedef struct PvCallFigures PvCallFigures;

PvCallFigures *pv_call_figures_new (const PvCallTree *tree, const bool *is_wanted,
                                    bool wants_callers);
void pv_call_figures_free (PvCallFigures *figures); /* NULL is accepted, here and below */

/* Callers or callees of the function in joined files that are not among these n calls: an array of
 * PvCaller, without weight. g_array_unref () it. */
GArray *pv_call_figures_list_others (const PvCallFigures *figures, PvFunctionId function,
                                     const PvCaller *calls, uint32_t n);
void pv_call_figures_add_columns (const PvCallFigures *figures, GArray *columns);
void pv_call_figures_add_cells (const PvCallFigures *figures, PvFunctionId function,
                                PvFunctionId caller, PvTable *table);

/* Results of the usual formulas for the whole profile: an array of PvSummaryFigure, which owns the
 * strings. g_array_unref () it. */
GArray *pv_figures_list_usual (const PvProfile *profile);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFigures, pv_figures_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCallFigures, pv_call_figures_free)
