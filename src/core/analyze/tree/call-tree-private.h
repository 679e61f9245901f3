/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/focus.h"
#include "core/analyze/query/sample-filter.h"
#include "core/analyze/tree/call-tree.h"
#include "core/analyze/tree/tree-groups.h"
#include "core/analyze/tree/tree-layout.h"
#include "core/analyze/tree/tree-shape.h"
#include "core/base/idmap.h"

/* The private part of a call tree. */
#define PV_ORIGIN_GROUP UINT32_MAX /* the node is a group */

/* A stack with weight. group is the position of its group among the groups; 0 without any. */
typedef struct {
    PvStackId stack;
    uint32_t group;
    uint64_t weight;
} PvCountedStack;

typedef struct {
    PvCallTree tree;
    PvTreeShape *shape;
    PvFocus *focus;               /* NULL: all stacks count */
    PvCallTree *top_down;         /* of an inverted tree or a half: its source; else NULL */
    PvCallTree *model;            /* of a reweighed tree: owns all but the weights; else NULL */
    bool is_half;                 /* of a sandwich */
    uint32_t *origin_of_node;     /* node of the shape, or PV_ORIGIN_GROUP */
    uint32_t *node_of_shape_node; /* PV_NODE_NONE if not kept; NULL if grouped or inverted */
    uint32_t *samples_of_node;    /* of boxes, see box-tree.h; else NULL */
    char *root_name;              /* of boxes; else NULL */
    uint32_t n_groups;
    uint32_t *groups; /* ids, sorted by name */
    char **group_names;
    PvIdMap place_of_group; /* id + 1 -> index in groups + 1 */
    size_t n_counted;
    PvCountedStack *counted; /* sorted by group, then stack; NULL if inverted */
} PvCallTreeData;

static inline const PvCallTreeData *
pv_call_tree_data (const PvCallTree *tree)
{
    return (const PvCallTreeData *)tree;
}

/* The tree with callers above callees: for an inverted tree, the one it was made from, of which
 * only the stacks matter: all its nodes may be folded. */
static inline const PvCallTree *
pv_call_tree_top_down (const PvCallTree *tree)
{
    const PvCallTree *top_down = pv_call_tree_data (tree)->top_down;
    return top_down != NULL ? top_down : tree;
}

/* True if the node is a group, see tree-groups.h. */
static inline bool
pv_call_tree_is_group (const PvCallTree *tree, PvNodeId node)
{
    return pv_call_tree_data (tree)->origin_of_node[node] == PV_ORIGIN_GROUP;
}

/* The step of a path that stands for a group: ids of files and packages change with the known
 * names, so their text counts. */
static inline uint32_t
pv_call_tree_group_step (const PvCallTreeData *data, uint32_t group)
{
    g_assert (group < data->n_groups);
    return pv_groupings[data->tree.query.grouping].is_of_stacks
               ? g_str_hash (data->group_names[group])
               : data->groups[group];
}

/* True if the node is a function: not the root, a group, or folded children. */
static inline bool
pv_call_tree_is_frame (const PvCallTree *tree, PvNodeId node)
{
    return tree->frame_of_node[node] != NULL;
}

/* The key that identifies siblings and sorts them by name: see pv_tree_shape_key (). Not for root
 * and groups. */
static inline uint64_t
pv_call_tree_key (const PvCallTree *tree, PvNodeId node)
{
    const PvCallTreeData *data = pv_call_tree_data (tree);
    return pv_tree_shape_key (data->shape, data->origin_of_node[node]);
}

/* A tree before layout: parents first, each node with the shape's node it stands for. */
typedef struct {
    uint32_t n_nodes;
    uint32_t *parent;
    uint64_t *self;
    uint32_t *origin;         /* node of the shape; NULL: the same */
    uint32_t *group;          /* ids of the group nodes, which come first; NULL without grouping */
    uint32_t *representative; /* a stack per node, 0: the shape's; or NULL */
    size_t n_counted;         /* see PvCallTreeData */
    PvCountedStack *counted;
} PvRawTree;

void pv_raw_tree_clear (PvRawTree *raw);

/* The shape's node at which a stack counts, or UINT32_MAX if the query drops it. Without a shape,
 * only focus and ignore drop stacks. */
static inline uint32_t
pv_find_position (const PvTreeShape *shape, const PvFocus *focus, PvStackId stack)
{
    uint32_t position = shape != NULL ? shape->position_of_stack[stack] : 0;
    bool is_dropped =
        (position & PV_POSITION_DROPPED) != 0 || (focus != NULL && !focus->is_kept[stack]);
    return is_dropped ? UINT32_MAX : position;
}

/* Sums over the samples that a tree keeps. */
typedef struct {
    uint64_t total;
    uint64_t n_samples;
    uint64_t end_weights[PV_N_STACK_ENDS];
} PvKeptSamples;

/* Returns the weight of one sample and counts it if the tree keeps it; else 0. */
static inline uint64_t
pv_take_sample (const PvSampleFilter *filter, const PvTreeShape *shape, const PvFocus *focus,
                uint32_t sample, PvKeptSamples *kept)
{
    if (pv_find_position (shape, focus, filter->set->stack[sample]) == UINT32_MAX)
        return 0;
    uint64_t weight = pv_sample_filter_weigh (filter, sample, kept->total);
    if (weight == 0)
        return 0;
    kept->total += weight;
    kept->n_samples++;
    kept->end_weights[pv_sample_set_stack_end (filter->set, sample)] += weight;
    return weight;
}

/* The weight of each stack together with all stacks on top of it, before the shape is known; free
 * with g_free (). NULL when cancelled. */
uint64_t *pv_weigh_subtrees (const PvProfile *profile, const PvFocus *focus, const PvQuery *query,
                             PvJob *job, GError **error);

/* Weighs the shape; leaves ret_raw->parent and origin NULL, as nodes are those of the shape. */
bool pv_raw_tree_weigh (PvRawTree *ret_raw, const PvTreeShape *shape, const PvFocus *focus,
                        const PvQuery *query, PvKeptSamples *ret_kept, PvJob *job, GError **error);

/* The weight of each stack; free with g_free (). NULL when cancelled. shape may be NULL: then
 * suppressed leaks and stacks that the transforms leave empty count too. */
uint64_t *pv_weigh_stacks (const PvProfile *profile, const PvTreeShape *shape, const PvFocus *focus,
                           const PvQuery *query, PvKeptSamples *kept, PvJob *job, GError **error);

/* The same with a level of groups below the root. *ret_groups gets the ids in use, sorted by name.
 */
bool pv_raw_tree_weigh_groups (PvRawTree *ret_raw, PvTreeShape *shape, const PvFocus *focus,
                               const PvQuery *query, const PvTreeGroups *groups,
                               PvKeptSamples *ret_kept, uint32_t **ret_groups,
                               uint32_t *ret_n_groups, PvPool *pool, PvJob *job, GError **error);

/* A tree without groups out of nodes that were made from the stacks of another; takes what raw
 * holds. Like an inverted one it has no anchors. NULL when cancelled. */
PvCallTree *pv_call_tree_take_raw (PvCallTree *top_down, PvTreeShape *shape, PvRawTree *raw,
                                   PvJob *job, GError **error);

/* Inverts a top-down tree, see pv_call_tree_build (); detail may be NULL. Returns the shape of the
 * raw tree's nodes, which has no positions of stacks; NULL when cancelled. */
PvTreeShape *pv_raw_tree_invert (PvRawTree *ret_raw, const PvCallTree *top_down,
                                 const PvTreeDetail *detail, PvJob *job, GError **error);
