/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/model/profile/profile.h"

/*
 * How much of a tree to grow. A profile of many distinct stacks would have millions of nodes, most
 * of them too light to be seen. The light children of a node are folded into one node, which has
 * their weight. Anchors are nodes below which more is wanted.
 */
#define PV_FOLD_MIN_STACKS (1u << 20) /* trees of fewer are quickly made and drawn as they are */

typedef enum {
    PV_ANCHOR_KEEP,     /* the node itself is not folded */
    PV_ANCHOR_CHILDREN, /* nor is any of its children */
    PV_ANCHOR_BELOW,    /* nor what is heavy enough for the node's own total, at any depth */
} PvAnchorKind;

typedef struct {
    /* The frame at place in the chain of a stack's location; stack 0: the root. */
    PvStackId stack;
    uint32_t place;
    PvAnchorKind kind;
} PvTreeAnchor;

/* The functions from the first level of a tree to a node; in a grouped tree the first step is the
 * id of the group. As an anchor for inverted trees only. */
typedef struct {
    uint32_t *steps;
    uint32_t n_steps;
    PvAnchorKind kind;
} PvTreePath;

typedef struct {
    uint32_t parts;      /* folds nodes lighter than this part of the total, ... */
    uint64_t min_weight; /* ... or than this, if it is not 0; both 0: all nodes */
    uint32_t n_anchors;
    const PvTreeAnchor *anchors;
    uint32_t n_paths;
    const PvTreePath *paths;
} PvTreeDetail;
