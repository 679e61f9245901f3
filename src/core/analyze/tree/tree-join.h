/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/*
 * Finds what stands in one tree again in a tree of another profile or of other symbols, whose ids
 * mean nothing to each other: a recording that was read again, with files that were missing before.
 * Functions are the same by module and full name, or else by the address they were found at. Nodes
 * are the same by the functions around them: stacks that had ended early may have grown new roots,
 * so ways are compared from the node outwards.
 *
 * One thread at a time. Holds both trees.
 */
typedef struct PvTreeJoin PvTreeJoin;

PvTreeJoin *pv_tree_join_new (const PvCallTree *from, const PvCallTree *to);
void pv_tree_join_free (PvTreeJoin *join);

/* The function of to that is meant by one of from; 0 if it is not there. */
PvFunctionId pv_tree_join_function (PvTreeJoin *join, PvFunctionId function);

/* The node of to that stands most nearly where node stands in from, or where its nearest ancestor
 * that is there stands; 0 if there is none, or the trees grow in opposite directions. Found once in
 * time that grows with the tree, remembered from then on. */
PvNodeId pv_tree_join_node (PvTreeJoin *join, PvNodeId node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTreeJoin, pv_tree_join_free)
