/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"
#include "core/base/idmap.h"

/* Finds the child of a node by the key that pv_stack_walk () gives its frame. Initialise with
 * zeros. */
typedef struct {
    PvIdMap step_of_key; /* key + 1 -> a number from 1 */
    PvIdMap child;       /* parent << 32 | number -> node */
} PvChildIndex;

/* Takes all nodes but the root and groups. */
void pv_child_index_fill (PvChildIndex *index, const PvCallTree *tree);
void pv_child_index_clear (PvChildIndex *index);

/* 0: there is no such child. */
PvNodeId pv_child_index_find (const PvChildIndex *index, PvNodeId parent, uint64_t key);
