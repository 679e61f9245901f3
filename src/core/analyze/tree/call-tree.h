/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"
#include "core/analyze/tree/tree-detail.h"
#include "core/base/job.h"

/*
 * The merged tree of all stacks that a query keeps, in level order: node 0 is the root ("all"), the
 * children of node n are [first_child[n], first_child[n + 1]), heaviest first, and level l is
 * [level_start[l], level_start[l + 1]), from left to right. So a view finds the nodes under a pixel
 * by binary search in one level.
 *
 * Immutable and reference counted; any thread. Holds its profile and symbol table.
 */
typedef uint32_t PvNodeId;
#define PV_NODE_NONE UINT32_MAX

typedef struct {
    int ref_count; /* atomic */
    const PvProfile *profile;
    /* The table it was made from, or a copy with one function more at its end for each merged
     * module. */
    const PvSymbolTable *symbols;
    PvQuery query;

    uint32_t n_nodes;
    const PvFunctionId *function_of_node; /* 0: root, groups, folded children */
    const PvNodeId *parent_of_node;       /* PV_NODE_NONE for the root */
    const PvNodeId *first_child;          /* n_nodes + 1 entries */
    const uint64_t *self;
    const uint64_t *total;
    const uint64_t *left; /* weight left of the node on its level: its x position in weights */
    /* A representative frame: file, line, inlined; NULL if the function is 0. */
    const PvFrame *const *frame_of_node;
    const PvLocationId *location_of_node; /* a representative location; 0 if the function is 0 */
    /* NULL without grouping; else the group (see tree-groups.h) of level-1 nodes and all below
     * them. */
    const uint32_t *group_of_node;

    uint32_t n_levels;
    const uint32_t *level_start; /* n_levels + 1 entries */

    /* Where a node came from: anchors that survive new symbols. */
    const PvStackId *stack_of_node;

    bool has_folded;     /* there may be folded children */
    bool has_weightless; /* nodes may have no weight, see pv_call_tree_reweigh () */

    uint64_t n_kept_samples; /* samples that passed the filters */
    uint64_t end_weights[PV_N_STACK_ENDS];
} PvCallTree;

/* Builds the tree. An inverted query gives the bottom-up tree, without nodes below 1/100,000 of the
 * total: use PvBottomUp for a complete one, level by level. previous is an earlier tree or NULL: if
 * it has the same profile, symbols and shape, its structure is reused and only the weights are new.
 * NULL when cancelled or if an expression is invalid. */
PvCallTree *pv_call_tree_build (const PvProfile *profile, const PvSymbolTable *symbols,
                                const PvQuery *query, const PvCallTree *previous, PvJob *job,
                                GError **error);
/* The same with light children folded; an inverted tree has them, but not what is below them.
 * Shares what it can with a previous tree of either kind. */
PvCallTree *pv_call_tree_build_folded (const PvProfile *profile, const PvSymbolTable *symbols,
                                       const PvQuery *query, const PvTreeDetail *detail,
                                       const PvCallTree *previous, PvJob *job, GError **error);
/* The same with all nodes folded: for tables, charts and searches, which read stacks. */
PvCallTree *pv_call_tree_build_stacks (const PvProfile *profile, const PvSymbolTable *symbols,
                                       const PvQuery *query, const PvCallTree *previous, PvJob *job,
                                       GError **error);
/* The same tree by another measure, top-down, with all nodes folded; its functions have the same
 * ids, also those of merged modules. NULL if cancelled, or on error. */
PvCallTree *pv_call_tree_build_measure (const PvCallTree *tree, PvMeasureId measure, PvJob *job,
                                        GError **error);
/* The same nodes, in the same order, with the weights of another measure: nodes that have none of
 * it stay, with a width of 0. self and total are by node, no node has more than its callers, and
 * both are copied. Holds the tree it was made of, which is not one of these. */
PvCallTree *pv_call_tree_reweigh (const PvCallTree *tree, PvMeasureId measure, const uint64_t *self,
                                  const uint64_t *total);
PvCallTree *pv_call_tree_ref (const PvCallTree *tree);
void pv_call_tree_free (PvCallTree *tree); /* drops one reference */

/* The number of its parent's children that a node stands for; 0 if it is an ordinary node. */
uint32_t pv_call_tree_count_folded (const PvCallTree *tree, PvNodeId node);

/* "1,234 small functions" for such a node, else NULL; free with g_free (). */
char *pv_call_tree_format_folded (const PvCallTree *tree, PvNodeId node);
/* The same for any number of nodes that are too small in a picture of the tree: "37 samples" where
 * boxes are of samples (box-tree.h). */
char *pv_call_tree_format_small (const PvCallTree *tree, uint64_t n);

/* Makes the anchor of a node, for later trees of the same profile. False for folded children,
 * groups and inverted trees. */
bool pv_call_tree_make_anchor (const PvCallTree *tree, PvNodeId node, PvAnchorKind kind,
                               PvTreeAnchor *ret_anchor);

/* The path of any node; free steps with g_free (). */
void pv_call_tree_make_path (const PvCallTree *tree, PvNodeId node, PvAnchorKind kind,
                             PvTreePath *ret_path);
/* The node at the end of a path, or as near as the tree has it. ret_is_whole, which may be NULL: it
 * is the end. For trees of the same profile and names. */
PvNodeId pv_call_tree_find_path (const PvCallTree *tree, const PvTreePath *path,
                                 bool *ret_is_whole);

/* Finds the heaviest frame of a function, wherever it is folded, for an anchor of the kind "keep".
 * False if the function has no weight, or when cancelled. */
bool pv_call_tree_find_anchor (const PvCallTree *tree, PvFunctionId function, PvJob *job,
                               PvTreeAnchor *ret_anchor);

/* The node of other that corresponds to a node of tree, for the same profile with other symbols or
 * query; if it is gone, its nearest kept ancestor. For another profile: the node with the same path
 * from the root, by names; PvTreeJoin finds more. */
PvNodeId pv_call_tree_translate (const PvCallTree *tree, PvNodeId node, const PvCallTree *other);

/* The full and short name of any node: function, group, or "all". The label is for lists, see
 * PvFunction. Valid as long as the tree. */
const char *pv_call_tree_get_name (const PvCallTree *tree, PvNodeId node);
const char *pv_call_tree_get_label (const PvCallTree *tree, PvNodeId node);
const char *pv_call_tree_get_short_name (const PvCallTree *tree, PvNodeId node);
/* 0 for the root, 1 for its children, and so on. A binary search. */
uint32_t pv_call_tree_get_level (const PvCallTree *tree, PvNodeId node);
/* The module of a node; 0 for root and groups. */
PvModuleId pv_call_tree_get_module (const PvCallTree *tree, PvNodeId node);

/* The function's first node with the largest total; PV_NODE_NONE if the function is not in the
 * tree. One pass over all nodes. */
PvNodeId pv_call_tree_find_heaviest (const PvCallTree *tree, PvFunctionId function);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCallTree, pv_call_tree_free)
