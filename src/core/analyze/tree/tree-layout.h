/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/job.h"
#include "core/base/pool.h"

/*
 * Converts a weighted tree (parents first, siblings adjacent) to drawing order: level by level,
 * siblings adjacent, heaviest first, without nodes of no weight. Siblings of equal weight keep
 * their order.
 */
typedef struct {
    uint32_t n_nodes;
    uint32_t *raw_of_node;
    uint32_t *node_of_raw; /* UINT32_MAX: omitted */
    uint32_t *parent_of_node;
    uint32_t *first_child; /* n_nodes + 1 */
    uint64_t *self;
    uint64_t *total;
    uint64_t *left; /* weight left of the node on its level */
    uint32_t n_levels;
    uint32_t *level_start; /* n_levels + 1 */
} PvTreeLayout;

/* Ignores parent_of_raw[0]; self_of_raw has n_raw entries, at least 1. False when cancelled; then
 * there is nothing to free. The caller owns all arrays (g_free ()). */
bool pv_tree_layout_build (PvTreeLayout *ret_layout, const uint32_t *parent_of_raw,
                           const uint64_t *self_of_raw, uint32_t n_raw, PvPool *pool, PvJob *job,
                           GError **error);
void pv_tree_layout_clear (PvTreeLayout *layout);
