/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"
#include "core/analyze/query/stack-filter.h"
#include "core/analyze/query/stack-index.h"
#include "core/analyze/query/stack-states.h"

/*
 * The merged tree of all stacks of a profile, regardless of weight, after a query's transforms
 * (except focus and ignore), granularity and inlining. Weights, grouping and inversion come later
 * (call-tree.c), so changing a filter keeps the shape. Immutable, reference counted.
 *
 * Nodes are in level order, siblings adjacent and ordered by name; node 0 is the root. See
 * tree-grow.h for how it is built.
 */
typedef struct {
    int ref_count; /* atomic */
    const PvProfile *profile;
    const PvSymbolTable *base_symbols; /* as given */
    const PvSymbolTable *symbols;      /* with functions for merged modules; else the same */
    PvQuery query;                     /* only the parts that affect the shape */
    PvStackFilter *filter;             /* of that query */
    uint32_t *place_of_frame;          /* by line: a number for each (function, file, line) */
    PvStackIndex *index;               /* NULL if only stacks were wanted */
    PvNameRanks *ranks;

    uint32_t n_nodes;
    uint32_t *parent_of_node;
    PvFunctionId *function_of_node;
    PvStackId *stack_of_node;    /* the first stack whose location has its frame */
    uint16_t *frame_of_node;     /* index in the chain of that stack's location; see below */
    uint32_t *detail_of_node;    /* by line or address: tells siblings apart; NULL by function */
    uint32_t *position_of_stack; /* see below */
    unsigned n_key_bits;
    bool has_folded; /* was grown with a detail */

    /* The last one requested. */
    pthread_mutex_t suppressed_lock;
    PvSuppressedStacks *suppressed;

    /* The states of the filter; NULL until they are requested. */
    pthread_mutex_t states_lock;
    PvStackStates *states;
} PvTreeShape;

/* Where a stack ends: a node, with PV_POSITION_DROPPED set for stacks that transforms left
 * empty. */
#define PV_POSITION_DROPPED 0x80000000u

/* The frame of a node for all children of its parent that are too light to grow: see tree-detail.h.
 * Its function is 0, its stack_of_node the number of these children. */
#define PV_FRAME_FOLDED 0xffffu

/* An empty shape of the same profile, symbols and order of names. Any thread. */
PvTreeShape *pv_tree_shape_new_similar (PvTreeShape *other);
PvTreeShape *pv_tree_shape_ref (PvTreeShape *shape);
void pv_tree_shape_unref (PvTreeShape *shape);

/* The stacks that the query suppresses as leaks; cached until the suppressions change. A new
 * reference. Any thread. */
PvSuppressedStacks *pv_tree_shape_get_suppressed (const PvTreeShape *shape, const PvQuery *query);

/* The filter's state after each stack; computed once. The shape must have a filter. Any thread;
 * NULL when cancelled. */
const PvStackStates *pv_tree_shape_get_states (PvTreeShape *shape, PvJob *job);

/* The key that sorts and identifies siblings. */
static inline uint64_t
pv_tree_shape_key (const PvTreeShape *shape, uint32_t node)
{
    uint64_t rank = shape->ranks->rank_of_function[shape->function_of_node[node]];
    return shape->detail_of_node != NULL ? rank << 32 | shape->detail_of_node[node] : rank;
}

/* The same key for a frame of a location; function is what the filter makes of it. */
static inline uint64_t
pv_tree_shape_place_key (const PvTreeShape *shape, const PvFrame *frame, PvFunctionId function,
                         PvLocationId location)
{
    uint64_t rank = shape->ranks->rank_of_function[function];
    if (shape->query.granularity == PV_BY_FUNCTION)
        return rank;
    if (function != frame->function) /* a merged module has no lines */
        return rank << 32;
    if (shape->query.granularity == PV_BY_ADDRESS)
        return rank << 32 | location;
    return rank << 32 | shape->place_of_frame[frame - shape->symbols->frames];
}

/* And for a frame of a stack's location. */
static inline uint64_t
pv_tree_shape_frame_key (const PvTreeShape *shape, const PvFrame *frame, PvFunctionId function,
                         PvStackId stack)
{
    return pv_tree_shape_place_key (shape, frame, function,
                                    shape->profile->location_of_stack[stack]);
}

static inline const PvFrame *
pv_tree_shape_frame (const PvTreeShape *shape, uint32_t node)
{
    PvLocationId location = shape->profile->location_of_stack[shape->stack_of_node[node]];
    return &shape->symbols->frames[shape->symbols->first_frame_of_location[location] +
                                   shape->frame_of_node[node]];
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTreeShape, pv_tree_shape_unref)
