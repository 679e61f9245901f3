/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pages/tree-model.h"
#include "app/tables/column-set.h"
#include "app/work/work.h"

/* What the columns of the call tree say about its rows. */

/* Of other measures, by node. Immutable; any thread. */
typedef struct {
    PvCallTree *tree;
    PvMeasureSums *sums;
} PvNodeSums;

/* The tree's sums for the measures, an array of PvMeasureId that is taken. */
typedef struct {
    PvCallTree *tree;
    GArray *measures;
} PvNodeSumsInput;

void pv_node_sums_unref (gpointer sums);
/* PvNodeSumsInput, whose tree is a reference, to PvNodeSums. Main loop only. */
PvTask *pv_node_sums_task_new (gpointer owner, PvTaskDone done);

/* False if it is not known: in folded children, in bottom-up trees, or because sums, which may be
 * NULL, are those of another tree or lack the measure. */
gboolean pv_tree_row_get_amount (const PvCallTree *tree, const PvNodeSums *sums,
                                 const PvTreeRow *row, PvFunctionColumn column,
                                 uint64_t *ret_amount, uint64_t *ret_whole);
/* Of a column with a formula; NAN: none, or not known. */
double pv_tree_row_get_value (const PvCallTree *tree, const PvNodeSums *sums, const PvTreeRow *row,
                              PvFunctionColumn column);
/* Of a column with words; g_free () it. NULL: none. */
char *pv_tree_row_make_text (const PvCallTree *tree, const PvTreeRow *row, PvFunctionField field);

/* The text of n rows, which are copied; names are indented as in the tree. sums may be NULL. */
PvTableText *pv_tree_text_new (PvCallTree *tree, PvNodeSums *sums, const PvColumnSet *columns,
                               const PvTreeRow *rows, uint32_t n);
