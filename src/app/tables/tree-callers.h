/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/tables/tree-order.h"
#include "app/work/work.h"

/*
 * The rows of a bottom-up tree are made in a worker when they are requested. Requests wait for each
 * other: only one at a time may be at work on the same callers.
 */
typedef struct PvTreeCallers PvTreeCallers;

PvTreeCallers *pv_tree_callers_new (const PvCallTree *tree);
PvTreeCallers *pv_tree_callers_ref (PvTreeCallers *callers);
void pv_tree_callers_unref (gpointer callers);

typedef struct {
    PvTreeCallers *callers; /* a reference, as all below */
    GArray *measures;       /* PvMeasureId, to be summed */
    PvTreeRows *rows;       /* the present ones */
    gboolean has_node;
    uint32_t node;   /* whose children are wanted; PV_NODE_NONE: the roots */
    uint32_t parent; /* key of its row ... */
    uint32_t depth;  /* ... and depth of the children */
    PvTreeOrder order;
    guint order_serial; /* the caller's */
} PvTreeCallersInput;

typedef struct {
    PvSiblings *added; /* NULL: no children were wanted */
    uint32_t *keys;    /* of those added that are shown, in order, less their first key */
    uint32_t n_keys;
    guint order_serial;
    GPtrArray *renewed; /* PvSiblings: the rows that there were, with other sums; or NULL */
} PvTreeCallersAnswer;

void pv_tree_callers_answer_free (gpointer answer);
/* PvTreeCallersInput to PvTreeCallersAnswer. Main loop only. */
PvTask *pv_tree_callers_task_new (gpointer owner, PvTaskDone done);
