/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/key-sort.h"
#include "core/analyze/tree/tree-detail.h"
#include "core/analyze/tree/tree-shape.h"
#include "core/base/array.h"

/*
 * Grows a shape level by level: takes the next frame of each stack at a node and sorts them by key;
 * every run of equal keys is a child. No look-ups in a table of nodes and nearly sequential memory
 * access make this fast for millions of nodes. Subtrees are independent, so parts of a shape can
 * grow in parallel.
 */

/* The data of a location that is accessed at random, kept together. */
typedef struct {
    uint32_t first_frame;
    uint32_t n_frames;
    uint32_t key; /* of the outermost frame, by function */
} PvOuterFrame;

/* Limits below which the children of a node are folded. */
typedef struct {
    uint64_t child; /* children with less weight are folded into one node */
    uint64_t below; /* the same for the children's children, and so on */
} PvGrowLimit;

/* Shared by all parts; read-only while they grow, except for the positions of each part's own
 * stacks. */
typedef struct {
    PvTreeShape *shape;
    bool is_identity; /* the filter keeps all frames */
    bool no_inline;
    PvGranularity granularity;
    bool is_plain; /* no transforms, and functions as keys */
    PvOuterFrame *outer_of_location;
    /* The part that found the end of each stack. */
    uint8_t *part_of_stack;
    const PvTreeDetail *detail;      /* NULL: no node is folded */
    const uint64_t *weight_of_stack; /* with all stacks on top of it; with detail */
    bool *is_anchored; /* per stack: is or carries the stack of an anchor; NULL without anchors */
} PvGrowRules;

/* A stack that has reached a node by the frame n_left of its location's chain (frames are read from
 * the outermost, which is last, to the innermost, number 0). */
typedef struct {
    uint64_t key;
    PvStackId stack;
    uint32_t state;
    uint32_t n_left;
    uint32_t padding;
} PvGrowItem;

G_STATIC_ASSERT (sizeof (PvGrowItem) == sizeof (PvKeyed));

/* A stack whose last frame was read at the current node. */
typedef struct {
    PvStackId stack;
    uint32_t state;
} PvEndedStack;

/* The stacks at each node: node i has the items [first_item[i], first_item[i + 1]). */
typedef struct {
    PV_ARRAY (PvGrowItem) items;
    PV_ARRAY (size_t) first_item;
    PV_ARRAY (PvGrowLimit) limit; /* per node; empty without detail */
} PvGrowLevel;

typedef struct {
    PV_ARRAY (uint32_t) parent;
    PV_ARRAY (PvFunctionId) function;
    PV_ARRAY (PvStackId) stack;
    PV_ARRAY (uint16_t) frame;
    PV_ARRAY (uint32_t) detail; /* empty with functions as keys */
} PvGrowColumns;

typedef struct {
    const PvGrowRules *rules;
    uint8_t part;
    uint32_t node;  /* the current one */
    uint32_t shift; /* from indexes in columns to nodes */
    PvGrowColumns columns;
    PvGrowLevel next; /* the children made so far */
    PV_ARRAY (PvEndedStack) ended;
    PvKeyedArray scratch;
} PvGrow;

/* Frees all but columns. */
void pv_grow_clear (PvGrow *grow);
void pv_grow_columns_clear (PvGrowColumns *columns);

void pv_grow_level_clear (PvGrowLevel *level);

/* Makes the root and puts its children into grow->next. */
void pv_grow_root (PvGrow *grow);

/* Appends the children of a node, made from the items of place i in the level, to the columns and
 * to grow->next. */
void pv_grow_node (PvGrow *grow, uint32_t node, const PvGrowLevel *level, size_t i);

/* Makes grow->next the current level; reuses the old arrays. */
void pv_grow_enter_next_level (PvGrow *grow, PvGrowLevel *level);
