/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/*
 * Call trees for tests of the renderer, made without a profile behind them: only names, modules and
 * weights are there. Free with test_tree_free ().
 */
typedef struct {
    uint32_t seed;
    uint32_t n_nodes;      /* at most; fewer if weights run out */
    uint32_t max_levels;   /* 0: 60 */
    uint32_t max_children; /* 0: 4 */
    uint64_t total;        /* 0: 1,000,000 */
    double chain; /* share of nodes with one child that has all their weight; 0: realistic */
} TestTreeOptions;

PvCallTree *test_tree_random (const TestTreeOptions *options);

/* Lines of "A;B;C 3"; names may carry "module!" in front: m (the program), l (a library of its
 * own), s (system), k (kernel), u (unknown). "~" before a name: inlined. */
PvCallTree *test_tree_from_text (const char *text);

void test_tree_free (PvCallTree *tree);

/* For g_autoptr (). */
typedef PvCallTree TestTree;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestTree, test_tree_free)
