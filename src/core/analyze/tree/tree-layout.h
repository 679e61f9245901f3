/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/job.h"
#include "core/base/pool.h"

/*
 * From a tree with weights, parents first and siblings side by side, to the order of a picture:
 * level by level, the children of a node side by side, heaviest first, nodes without weight left
 * out. Siblings of equal weight keep the order they had.
 */
typedef struct {
    uint32_t n_nodes;
    uint32_t *raw_of_node;
    uint32_t *node_of_raw; /* UINT32_MAX: left out */
    uint32_t *parent_of_node;
    uint32_t *first_child; /* n_nodes + 1 */
    uint64_t *self;
    uint64_t *total;
    uint64_t *left; /* weight to the left on the node's level */
    uint32_t n_levels;
    uint32_t *level_start; /* n_levels + 1 */
} PvTreeLayout;

/* parent_of_raw[0] is not looked at; self_of_raw has n_raw entries, n_raw at least 1. False when
 * cancelled, then there is nothing to free. All arrays are the caller's (g_free ()). */
bool pv_tree_layout_build (PvTreeLayout *ret_layout, const uint32_t *parent_of_raw,
                           const uint64_t *self_of_raw, uint32_t n_raw, PvPool *pool, PvJob *job,
                           GError **error);
void pv_tree_layout_clear (PvTreeLayout *layout);
