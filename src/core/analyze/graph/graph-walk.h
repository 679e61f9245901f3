/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/stack-filter.h"
#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"

/*
 * Private to graph/: walks over the stacks that a tree counts, as the trees that they are, so that
 * each stack is entered once. Made once, walked several times.
 */
typedef struct {
    PvStackId first_child;  /* 0: none */
    PvStackId next_sibling; /* 0: none */
} PvGraphBranch;

typedef struct {
    const PvCallTree *tree;
    PvStackFilter *filter; /* NULL: keeps all frames */
    bool no_inline;
    PvGraphBranch *branches; /* by stack: those that count, or have one on top of them that does */
    uint64_t *self;          /* by stack */
    uint64_t *total;         /* by stack: with all stacks on top of it */
} PvGraphStacks;

typedef struct {
    /* A frame on top of all that were entered and not left. weight is that of all stacks with it.
     */
    void (*enter) (void *data, PvFunctionId function, bool is_inlined, uint64_t weight);
    void (*leave) (void *data);
    /* Counts stacks that end in the frame that was entered last. */
    void (*count) (void *data, uint64_t weight);
} PvGraphVisitor;

/* weight_of_stack: what counts in place of the tree's own weights; or NULL. */
void pv_graph_stacks_init (PvGraphStacks *stacks, const PvCallTree *tree,
                           const uint64_t *weight_of_stack);
void pv_graph_stacks_clear (PvGraphStacks *stacks);

/* Leaves only what is counted in stacks with the function. False when cancelled. */
bool pv_graph_stacks_focus (PvGraphStacks *stacks, PvFunctionId function, PvJob *job);

/* Leaves everything at the end, also when cancelled (false). Frames without weight may be left
 * out. */
bool pv_graph_stacks_walk (const PvGraphStacks *stacks, const PvGraphVisitor *visitor, void *data,
                           PvJob *job);
