/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tables/measure-sums.h"
#include "core/write/summary.h"

/* What the formulas of a query compute for the rows of a table: two columns for each of them. */
typedef struct PvFigures PvFigures;

/* For the rows of a list that was made of the tree, or, with list NULL, for the nodes of the tree,
 * which may be inverted. NULL if the query has no formulas. Holds nothing of either. */
PvFigures *pv_figures_new (const PvCallTree *tree, const PvFunctionList *list);
void pv_figures_free (PvFigures *figures); /* NULL is accepted, here and below */

/* Appends the PvTableColumn of all; their strings live as long as the figures. */
void pv_figures_add_columns (const PvFigures *figures, GArray *columns);
/* Adds the cells of a row or node, in the same order. */
void pv_figures_add_cells (const PvFigures *figures, uint32_t row, PvFormat format, PvTable *table);

/* What the formulas that are usual for a profile give for all of it, PvSummaryFigure; their strings
 * are freed with the array: g_array_unref (). */
GArray *pv_figures_list_usual (const PvProfile *profile);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFigures, pv_figures_free)
