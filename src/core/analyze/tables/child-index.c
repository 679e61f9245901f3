/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/child-index.h"

#include "core/analyze/tree/call-tree-private.h"

void
pv_child_index_fill (PvChildIndex *index, const PvCallTree *tree)
{
    g_assert (index != NULL && index->child.len == 0 && tree != NULL);
    for (PvNodeId node = 1; node < tree->n_nodes; node++) {
        if (pv_call_tree_is_group (tree, node))
            continue;
        uint32_t *step = pv_id_map_slot (&index->step_of_key, pv_call_tree_key (tree, node) + 1);
        if (*step == 0)
            *step = index->step_of_key.len;
        uint64_t key = (uint64_t)tree->parent_of_node[node] << 32 | *step;
        *pv_id_map_slot (&index->child, key) = node;
    }
}

void
pv_child_index_clear (PvChildIndex *index)
{
    pv_id_map_clear (&index->step_of_key);
    pv_id_map_clear (&index->child);
}

PvNodeId
pv_child_index_find (const PvChildIndex *index, PvNodeId parent, uint64_t key)
{
    uint32_t step = pv_id_map_find (&index->step_of_key, key + 1);
    return step != 0 ? pv_id_map_find (&index->child, (uint64_t)parent << 32 | step) : 0;
}
