/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/*
 * Finds functions and nodes of one tree in a tree of another profile or other symbols, whose ids
 * are unrelated: a recording read again, with files that were missing before. Matches functions by
 * module and full name, or else by the address they were found at. Matches nodes by the functions
 * around them: stacks that ended early may have new roots, so paths are compared from the node
 * outwards.
 *
 * One thread at a time. Holds both trees.
 */
typedef struct PvTreeJoin PvTreeJoin;

PvTreeJoin *pv_tree_join_new (const PvCallTree *from, const PvCallTree *to);
void pv_tree_join_free (PvTreeJoin *join);

/* The function of `to` that corresponds to one of `from`, or 0. */
PvFunctionId pv_tree_join_function (PvTreeJoin *join, PvFunctionId function);

/* The node of `to` that corresponds best to a node of `from` or else to its nearest ancestor; 0 if
 * nothing corresponds, or if only one of the trees is inverted. The first call for a node takes
 * time linear in the tree; results are cached. */
PvNodeId pv_tree_join_node (PvTreeJoin *join, PvNodeId node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTreeJoin, pv_tree_join_free)
