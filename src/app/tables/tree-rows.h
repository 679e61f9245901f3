/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/tasks.h"
#include "app/work/work.h"
#include "core/analyze/columns/column.h"
#include "core/analyze/tables/bottom-up.h"

/*
 * The rows of a call tree that have been requested, top down or bottom up, and their values in
 * columns. A row is known by its key. Rows come and go as siblings: all children of a row, or all
 * rows at the top.
 */

/* Immutable and reference counted (g_atomic_rc_box_acquire ()); any thread. */
typedef struct {
    uint32_t first_key; /* the others have the keys after it, heaviest first */
    uint32_t n;
    uint32_t parent; /* key of the parent row, G_MAXUINT32 at the top */
    uint32_t depth;
    uint32_t first;        /* node of the tree, or of the bottom-up tree */
    PvBottomUpNode *nodes; /* bottom up: of each; else NULL */
    PvMeasureSums *sums;   /* bottom up: of other measures */
    PvChanges *changes;    /* bottom up, of a comparison; else NULL */
} PvSiblings;

PvSiblings *pv_siblings_new (const PvCallTree *tree, PvNodeId node, uint32_t first_key,
                             uint32_t parent, uint32_t depth);
/* The n rows with that parent, from node first on, which exist. Their keys are still 0.
 * has_changes: the tree is of a comparison; noise is that of its functions. */
PvSiblings *pv_siblings_new_bottom_up (const PvBottomUp *bottom_up, const PvCallTree *tree,
                                       gboolean has_changes, PvNoise *noise, uint32_t first,
                                       uint32_t n, uint32_t parent, uint32_t depth);
void pv_siblings_unref (gpointer siblings);

/* Sums of other measures, by node of a top-down tree. Immutable, reference counted; any thread. */
typedef struct {
    PvCallTree *tree;
    PvMeasureSums *sums;
    PvChanges *changes; /* of a comparison; else NULL */
    bool *is_quiet;     /* by node: it and all below it are noise; NULL without changes */
} PvNodeSums;

/* Input of a task that sums; owns references to all. */
typedef struct {
    PvCallTree *tree;
    PvNodeSums *old; /* with known noise, if they are of the same tree; or NULL */
    GArray *measures;
} PvNodeSumsInput;

void pv_node_sums_unref (gpointer sums);
/* PvNodeSumsInput to PvNodeSums. Main loop only. */
PvTask *pv_node_sums_task_new (gpointer owner, PvTaskDone done);

/* Changed by its owner only; other threads get copies. */
typedef struct {
    PvCallTree *tree;
    gboolean is_bottom_up;
    GPtrArray *siblings; /* PvSiblings, by their keys; parents come first */
    PvNodeSums *sums;    /* top down; NULL: not known yet */
} PvTreeRows;

PvTreeRows *pv_tree_rows_new (const PvCallTree *tree, gboolean is_bottom_up);
PvTreeRows *pv_tree_rows_copy (const PvTreeRows *rows);
void pv_tree_rows_free (gpointer rows);

typedef struct {
    PvNodeId node;      /* of the top-down tree; PV_NODE_NONE bottom up */
    uint32_t bottom_up; /* node of the bottom-up tree */
    uint32_t parent;    /* key of the parent row, G_MAXUINT32 at the top */
    uint32_t depth;
    PvFunctionId function;
    uint64_t self;
    uint64_t total;
    gboolean has_children;
    gboolean is_folded; /* stands for several small ones */
} PvTreeRow;

/* FALSE: there is no such row. */
gboolean pv_tree_rows_get (const PvTreeRows *rows, uint32_t key, PvTreeRow *ret_row);
/* The siblings that a row is one of, borrowed; NULL: there is no such row. */
PvSiblings *pv_tree_rows_find (const PvTreeRows *rows, uint32_t key);

/* A PvGetRowFunc. */
bool pv_tree_rows_get_row (gconstpointer rows, uint32_t key, PvRow *ret_row);
/* True if chance explains a row of a comparison and, top down, all rows below it as well. Without
 * the sums nothing is noise. */
gboolean pv_tree_rows_is_quiet (const PvTreeRows *rows, uint32_t key);
/* True if rows may be noise: there are changes, and they are not exact. */
gboolean pv_tree_rows_have_noise (const PvTreeRows *rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTreeRows, pv_tree_rows_free)
