/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"
#include "core/analyze/tree/search.h"
#include "core/base/job.h"

/*
 * Which samples of a tree's query are lit in pictures over time: those of what is selected, and
 * those that a search finds. Does not depend on the time that the query asks for. Any thread.
 */
typedef struct {
    /* Samples with this function in any of their kept frames are lit; 0: none, or ... */
    PvFunctionId function;
    /* ... those below a node: the frames from the root down to it, or in an inverted tree from the
     * leaf up, by the key that identifies siblings, and the id of its group. */
    bool has_node;
    bool is_inverted;
    uint64_t *keys;
    uint32_t n_keys;
    bool has_group;
    uint32_t group;

    PvSearchTerm search; /* text NULL: none */
} PvTimeLight;

/* The classes of an index of what is lit. A match that is selected is of the first. Of stacks, and
 * with groups of samples, there is one more: of those that are a match if they are not selected. */
enum { PV_LIT_SELECTED, PV_LIT_MATCH, PV_LIT_BOTH };

/* Lights the samples that a node of a tree stands for, instead of a function's; none of folded
 * children. The tree may be of another time than the index, and inverted. */
void pv_time_light_set_node (PvTimeLight *light, const PvCallTree *tree, PvNodeId node);
/* Nothing is lit. */
bool pv_time_light_is_empty (const PvTimeLight *light);
bool pv_time_light_equal (const PvTimeLight *a, const PvTimeLight *b);
void pv_time_light_copy (PvTimeLight *ret_copy, const PvTimeLight *light);
void pv_time_light_clear (PvTimeLight *light);

/* For each stack one of the above, or PV_TIME_DROPPED (time-classes.h). Which group a sample is in
 * is not looked at, unless its stack says so. NULL when cancelled. Free with g_free (). */
uint8_t *pv_time_light_classify (const PvTimeLight *light, const PvCallTree *tree, PvJob *job);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvTimeLight, pv_time_light_clear)
