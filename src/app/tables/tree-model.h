/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/tables/tree-order.h"
#include "app/widgets/row-model.h"

/*
 * The visible rows of a call tree, top down or bottom up, as one flat list in order. What takes
 * long is done in workers: children of the bottom-up tree, sums of other measures, the order of
 * many rows. Main loop only.
 */
typedef struct PvTreeModel PvTreeModel;

typedef struct {
    /* A row was expanded or collapsed. */
    void (*row_changed) (gpointer user, uint32_t position);
    /* The folded children of a node are wanted, in another tree. */
    void (*open_node) (gpointer user, PvNodeId node);
    /* The end of a hot path, see below. */
    void (*hot_path_found) (gpointer user, uint32_t position);
    /* Other measures are known. */
    void (*sums_changed) (gpointer user);
    /* The rows are in another order. */
    void (*reordered) (gpointer user);
} PvTreeModelEvents;

/* events must live as long as the model. */
PvTreeModel *pv_tree_model_new (const PvTreeModelEvents *events, gpointer user);
void pv_tree_model_free (PvTreeModel *model);
GListModel *pv_tree_model_get_list (PvTreeModel *model); /* a PvRowModel */

/* References the tree. Top-down, rows that were expanded are expanded again. Bottom-up, the old
 * keys stay in the list until the new rows are known, without rows. */
void pv_tree_model_set_tree (PvTreeModel *model, const PvCallTree *tree, bool is_bottom_up);

/* The measures, PvMeasureId, that are to be summed besides the tree's own; copied. */
void pv_tree_model_set_measures (PvTreeModel *model, const GArray *measures);
/* Sorts siblings on every level; copied. At first as is usual. */
void pv_tree_model_set_order (PvTreeModel *model, const PvTreeOrder *order);

/* The rows and their values, borrowed until there are others; NULL before the first tree. */
const PvTreeRows *pv_tree_model_get_rows (PvTreeModel *model);
/* FALSE: the key has no row. */
gboolean pv_tree_model_get_row (PvTreeModel *model, uint32_t key, PvTreeRow *ret_row);
gboolean pv_tree_model_is_expanded (PvTreeModel *model, uint32_t key);
uint32_t pv_tree_model_get_key (PvTreeModel *model, uint32_t position);
uint32_t pv_tree_model_find (PvTreeModel *model, uint32_t key); /* G_MAXUINT32: not visible */

void pv_tree_model_expand (PvTreeModel *model, uint32_t position);
void pv_tree_model_collapse (PvTreeModel *model, uint32_t position);

/* Expands a row and then its heaviest child, and so on, down to where the path splits: no child has
 * half of its parent. Tells the end, bottom up not at once. G_MAXUINT32: from the heaviest row of
 * all at the top. */
void pv_tree_model_expand_hot_path (PvTreeModel *model, uint32_t position);

/* Expands the rows above a node of the top-down tree. Returns its position, or G_MAXUINT32. */
uint32_t pv_tree_model_reveal (PvTreeModel *model, PvNodeId node);
