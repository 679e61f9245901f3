/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/tables/tree-rows.h"

/* The order of the rows of a call tree: siblings by a column, children below their parents.
 * Blocking; any thread. */
typedef struct {
    PvColumn column;
    gboolean is_descending;
    gboolean hides_noise; /* rows that are quiet are left out */
} PvTreeOrder;

/* By the total, heaviest first: the order of the keys, unless amounts are net. */
extern const PvTreeOrder pv_tree_order_usual;
gboolean pv_tree_order_is_same (const PvTreeOrder *a, const PvTreeOrder *b);
gboolean pv_tree_order_is_usual (const PvTreeOrder *order);
/* With a reference to the formula; pv_column_clear () its column. */
PvTreeOrder pv_tree_order_copy (const PvTreeOrder *order);

/* The keys of siblings of these rows; those with equal values are heaviest first. g_free () it. */
uint32_t *pv_tree_order_sort (const PvTreeOrder *order, const PvTreeRows *rows,
                              const PvSiblings *siblings, uint32_t *ret_n);
/* The keys of all rows from top to bottom; g_free () it. NULL when cancelled. */
uint32_t *pv_tree_order_list (const PvTreeOrder *order, const PvTreeRows *rows, uint32_t *ret_n,
                              PvJob *job);
