/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/key-sort.h"
#include "core/analyze/query/stack-filter.h"
#include "core/analyze/tree/tree-shape.h"
#include "core/base/array.h"

/*
 * How a shape grows, level by level: the stacks that stand at a node are asked for their next
 * frames, these are sorted by key, and every run of equal keys is a child. Nothing is looked up in
 * a table of nodes, and memory is walked nearly in order, which for millions of nodes is what
 * counts. Below any node the shape grows on its own, so parts of it can grow at the same time.
 */

/* The data of a location that is read at random, kept together. */
typedef struct {
    uint32_t first_frame;
    uint32_t n_frames;
    uint32_t key; /* of the outermost frame, by function */
} PvOuterFrame;

/* What all parts share; only read while they grow, but for the positions of their own stacks. */
typedef struct {
    PvTreeShape *shape;
    PvStackFilter *filter;
    bool is_identity;
    bool no_inline;
    PvGranularity granularity;
    bool is_plain; /* no transforms, and functions as keys */
    PvOuterFrame *outer_of_location;
    uint32_t *place_of_frame; /* by line: a number for each (function, file, line) */
    /* The part that found where a stack ends. */
    uint8_t *part_of_stack;
} PvGrowRules;

/* A stack on its way: it stands at a node because of the frame numbered n_left of its location's
 * chain (frames are read from the outermost, last one to the innermost, number 0). */
typedef struct {
    uint64_t key;
    PvStackId stack;
    uint32_t state;
    uint32_t n_left;
    uint32_t padding;
} PvGrowItem;

G_STATIC_ASSERT (sizeof (PvGrowItem) == sizeof (PvKeyed));

/* A stack all of whose frames were read at the current node. */
typedef struct {
    PvStackId stack;
    uint32_t state;
} PvEndedStack;

/* Nodes and the stacks that stand at them: those of nodes i are [first_item[i], first_item[i + 1]).
 */
typedef struct {
    PV_ARRAY (PvGrowItem) items;
    PV_ARRAY (size_t) first_item;
} PvGrowLevel;

typedef struct {
    PV_ARRAY (uint32_t) parent;
    PV_ARRAY (PvFunctionId) function;
    PV_ARRAY (PvStackId) stack;
    PV_ARRAY (uint16_t) frame;
    PV_ARRAY (uint32_t) detail; /* empty by function */
} PvGrowColumns;

typedef struct {
    const PvGrowRules *rules;
    uint8_t part;
    uint32_t node; /* the current one */
    PvGrowColumns columns;
    PvGrowLevel next; /* children that were made */
    PV_ARRAY (PvEndedStack) ended;
    PvKeyedArray scratch;
} PvGrow;

/* Frees all but columns. */
void pv_grow_clear (PvGrow *grow);
void pv_grow_columns_clear (PvGrowColumns *columns);

void pv_grow_level_clear (PvGrowLevel *level);

/* Makes the root, with its children in grow->next. */
void pv_grow_root (PvGrow *grow);

/* Appends the children of a node to the columns, and to grow->next, from its items. */
void pv_grow_node (PvGrow *grow, uint32_t node, const PvGrowLevel *level, size_t first_item,
                   size_t end_item);

/* What was gathered becomes the current level; the old arrays are used again. */
void pv_grow_enter_next_level (PvGrow *grow, PvGrowLevel *level);
