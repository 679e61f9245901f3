/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"
#include "core/analyze/tree/tree-shape.h"
#include "core/base/job.h"

/*
 * Reads the stacks that a tree counts, frame by frame, instead of its nodes: in time and memory of
 * the stacks, however many nodes they would need. Frames are those that the query's transforms
 * keep. Any thread, as long as the tree lives.
 */

typedef struct {
    PvFunctionId function;
    PvStackId stack; /* whose location has the frame */
    uint32_t place;  /* the frame's index in the chain of that location */
    uint32_t mark;   /* 0 when entered; for the visitor */
    const PvFrame *frame;
    uint64_t key; /* identifies siblings and sorts them by name: see pv_tree_shape_key () */
    /* While entered, of the stacks seen so far. */
    uint64_t self;
    uint64_t total;
} PvStackFrame;

/* path[0] is the outermost frame, path[depth] the one that is entered or left. */
typedef struct {
    void (*enter) (void *data, PvStackFrame *path, size_t depth);
    /* self and total are final. May be NULL. */
    void (*leave) (void *data, PvStackFrame *path, size_t depth);
    /* Called before the stacks of each group, at least once; the path is empty. group is the node's
     * position among the groups sorted by name; 0 without grouping. May be NULL. */
    void (*start_group) (void *data, uint32_t group);
    /* Called for each stack that is walked to, unless it has no frame; path[depth] is its leaf. May
     * be NULL. */
    void (*count) (void *data, PvStackFrame *path, size_t depth, PvStackId stack);
} PvStackVisitor;

/* Walks over all stacks with weight, from the root. Stacks share the frames of their common stacks,
 * but equal frames of different stacks are visited one by one. False when cancelled. */
bool pv_stack_walk (const PvCallTree *tree, const PvStackVisitor *visitor, void *data, PvJob *job);

/* The same for those stacks only that have a wanted function, and maybe some others. is_wanted has
 * one entry for each function. */
bool pv_stack_walk_through (const PvCallTree *tree, const bool *is_wanted,
                            const PvStackVisitor *visitor, void *data, PvJob *job);

/* The same for these stacks, sorted by id, whatever the tree counts: frames have no weight, and
 * there are no groups. */
bool pv_stack_walk_some (const PvCallTree *tree, const PvStackId *stacks, size_t n_stacks,
                         const PvStackVisitor *visitor, void *data, PvJob *job);

/* Reads single stacks from the leaf to the root. */
typedef struct PvStackReader PvStackReader;

/* NULL when cancelled. Holds the shape. */
PvStackReader *pv_stack_reader_new (const PvCallTree *tree, PvJob *job);
PvStackReader *pv_stack_reader_new_for_shape (PvTreeShape *shape, PvJob *job);
void pv_stack_reader_free (PvStackReader *reader);

/* The innermost frame of a stack; false if it has none. Leaves mark and weights 0. */
bool pv_stack_reader_begin (PvStackReader *reader, PvStackId stack, PvStackFrame *ret_frame);

/* The frame at place in stack, as the others have given it. */
void pv_stack_reader_at (PvStackReader *reader, PvStackId stack, uint32_t place,
                         PvStackFrame *ret_frame);

/* The frame that calls the one at place in stack; false at the root. */
bool pv_stack_reader_next (PvStackReader *reader, PvStackId stack, uint32_t place,
                           PvStackFrame *ret_frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvStackReader, pv_stack_reader_free)
