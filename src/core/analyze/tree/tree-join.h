/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/*
 * Finds functions and nodes of one tree in a tree of another profile or other symbols, whose ids
 * are unrelated: a recording that was read again, with files that were missing before. Functions
 * are the same by module and full name, or else by the address they were found at. Nodes are the
 * same by the functions around them: stacks that had ended early may have grown new roots, so ways
 * are compared from the node outwards.
 *
 * One thread at a time. Holds both trees.
 */
typedef struct PvTreeJoin PvTreeJoin;

PvTreeJoin *pv_tree_join_new (const PvCallTree *from, const PvCallTree *to);
void pv_tree_join_free (PvTreeJoin *join);

/* The function of `to` that corresponds to one of `from`; 0 if there is none. */
PvFunctionId pv_tree_join_function (PvTreeJoin *join, PvFunctionId function);

/* The node of `to` that corresponds best to a node of `from` or else to its nearest ancestor; 0 if
 * there is none, or if one tree is inverted and the other is not. The first call per node takes
 * time that grows with the tree; the result is kept. */
PvNodeId pv_tree_join_node (PvTreeJoin *join, PvNodeId node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTreeJoin, pv_tree_join_free)
