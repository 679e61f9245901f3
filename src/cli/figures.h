/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tables/measure-sums.h"
#include "core/write/table.h"

/* What the formulas of a query compute for the rows of a table: two columns for each of them. */
typedef struct PvFigures PvFigures;

/* For functions, or for nodes of a top-down tree. NULL if the query has no formulas. Holds nothing
 * of the tree. */
PvFigures *pv_figures_new (const PvCallTree *tree, bool is_by_node);
void pv_figures_free (PvFigures *figures); /* NULL is accepted, here and below */

/* Appends the PvTableColumn of all; their strings live as long as the figures. */
void pv_figures_add_columns (const PvFigures *figures, GArray *columns);
/* Adds the cells of a function or node, in the same order. */
void pv_figures_add_cells (const PvFigures *figures, uint32_t row, PvFormat format, PvTable *table);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFigures, pv_figures_free)
