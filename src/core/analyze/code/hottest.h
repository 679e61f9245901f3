/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/*
 * The function whose source is worth a look where the user has not chosen one: the hottest of the
 * user's own code (my-code.h), where what a library does counts for the own function that called
 * it. Without own code, it is the function with the highest self of those that have a line; then of
 * all.
 */
typedef struct {
    PvFunctionId function; /* of the tree's symbols; 0: none */
    bool is_own;
} PvHottest;

/* One pass over the stacks that the tree counts, for which one of pv_call_tree_build_stacks () is
 * enough. False when cancelled. Any thread. */
bool pv_hottest_find (const PvCallTree *tree, PvHottest *ret_hottest, PvJob *job);
