/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/widgets/row-model.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree.h"

/*
 * The visible rows of a call tree, top-down or bottom-up, as one flat list. Children of the
 * bottom-up tree are computed in a worker when a row is expanded. Main loop only.
 */
typedef struct {
    PvNodeId node;      /* of the top-down tree; PV_NODE_NONE bottom-up */
    uint32_t bottom_up; /* node of the bottom-up tree */
    uint32_t parent;    /* key of the parent row, G_MAXUINT32 at the top */
    uint32_t depth;
    PvFunctionId function;
    uint64_t self;
    uint64_t total;
    bool has_children;
    bool is_expanded;
} PvTreeRow;

typedef struct PvTreeModel PvTreeModel;

typedef struct {
    /* A row was expanded or collapsed. */
    void (*row_changed) (gpointer user, uint32_t position);
    /* The folded children of a node are wanted, in another tree. */
    void (*open_node) (gpointer user, PvNodeId node);
    /* The end of a hot path, see below. */
    void (*hot_path_found) (gpointer user, uint32_t position);
} PvTreeModelEvents;

/* events must live as long as the model. */
PvTreeModel *pv_tree_model_new (const PvTreeModelEvents *events, gpointer user);
void pv_tree_model_free (PvTreeModel *model);
GListModel *pv_tree_model_get_list (PvTreeModel *model); /* a PvRowModel */

/* References the tree. Top-down, rows that were expanded are expanded again. Bottom-up, the old
 * keys stay in the list until the new rows are known, without rows. */
void pv_tree_model_set_tree (PvTreeModel *model, const PvCallTree *tree, bool is_bottom_up);

/* NULL if the key has no row. Valid until rows are added. */
const PvTreeRow *pv_tree_model_get_row (PvTreeModel *model, uint32_t key);
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
