/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * The merged tree of all stacks that a query keeps, in level order: node 0 is the root ("all"), the
 * children of a node are the range [first_child[n], first_child[n + 1]), heaviest first, and every
 * level is the range [level_start[l], level_start[l + 1]), ordered from left to right. So a view
 * finds the nodes under a pixel by binary search in one level.
 *
 * Immutable and reference counted; any thread may read. Holds its profile and symbol table.
 */
typedef uint32_t PvNodeId;
#define PV_NODE_NONE UINT32_MAX

typedef struct {
    int ref_count; /* atomic */
    const PvProfile *profile;
    /* The table it was made from; with merged modules a copy that has, at its end, one function
     * more for each of them. */
    const PvSymbolTable *symbols;
    PvQuery query;

    uint32_t n_nodes;
    const PvFunctionId *function_of_node; /* 0: the root, or a group (then see group_of_node) */
    const PvNodeId *parent_of_node;       /* PV_NODE_NONE for the root */
    const PvNodeId *first_child;          /* n_nodes + 1 entries */
    const uint64_t *self;
    const uint64_t *total;
    const uint64_t *left; /* weight to the left of the node on its level: its x in weights */
    /* A representative frame: file, line, inlined; NULL for root and groups. */
    const PvFrame *const *frame_of_node;
    const PvLocationId *location_of_node; /* a representative location; 0 for root and groups */
    /* NULL without grouping; else which process or thread, or which value of the label (see
     * PvLabelValues), it is of level-1 nodes and all below them. */
    const uint32_t *group_of_node;

    uint32_t n_levels;
    const uint32_t *level_start; /* n_levels + 1 entries */

    /* Anchors that survive new symbols: where a node came from. */
    const PvStackId *stack_of_node;
    const PvNodeId *node_of_stack; /* innermost node of each stack; PV_NODE_NONE if not kept */

    uint64_t n_kept_samples; /* that passed the filters */
    uint64_t end_weights[PV_N_STACK_ENDS];
} PvCallTree;

/* Builds the tree. An inverted query gives the bottom-up tree, cut where nodes fall under
 * 1/100,000 of the total: use PvBottomUp for a complete one, level by level. previous may be NULL,
 * or an earlier tree: if it has the same profile, symbols and shape, its structure is used again
 * and only weights are new. NULL when cancelled or when an expression is wrong. */
PvCallTree *pv_call_tree_build (const PvProfile *profile, const PvSymbolTable *symbols,
                                const PvQuery *query, const PvCallTree *previous, PvJob *job,
                                GError **error);
PvCallTree *pv_call_tree_ref (const PvCallTree *tree);
void pv_call_tree_free (PvCallTree *tree); /* drops one reference */

/* The node of other that stands where node stands in tree: same profile, other symbols or query.
 * The nearest kept ancestor if it is gone. Of another profile: what has the same way from the root,
 * by names; PvTreeJoin finds more. */
PvNodeId pv_call_tree_translate (const PvCallTree *tree, PvNodeId node, const PvCallTree *other);

/* The full and short name of any node: function, group, or "all". The label is for lists, see
 * PvFunction. Valid with the tree. */
const char *pv_call_tree_get_name (const PvCallTree *tree, PvNodeId node);
const char *pv_call_tree_get_label (const PvCallTree *tree, PvNodeId node);
const char *pv_call_tree_get_short_name (const PvCallTree *tree, PvNodeId node);
/* The module of a node; 0 for root and groups. */
PvModuleId pv_call_tree_get_module (const PvCallTree *tree, PvNodeId node);

/* The node of the function with the largest total, the first such one; PV_NODE_NONE if the function
 * is not in the tree. One pass over all nodes. */
PvNodeId pv_call_tree_find_heaviest (const PvCallTree *tree, PvFunctionId function);

/* Search: which functions match (a case-insensitive regular expression, or the literal text if it
 * is not a valid one, on name, file or module), and what share of the total has one of them on its
 * stack, each stack counted once. ret_matches gets one bool per function id (g_free ()). */
typedef struct {
    bool *is_match; /* symbols->n_functions entries */
    uint32_t n_functions;
    uint32_t n_nodes;
    uint64_t weight;
} PvSearchResult;

PvSearchResult *pv_search (const PvCallTree *tree, const char *text, PvJob *job);
void pv_search_result_free (PvSearchResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCallTree, pv_call_tree_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSearchResult, pv_search_result_free)
