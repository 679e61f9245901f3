/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/*
 * One function between its callers and its callees, all its places added up. Every stack that has
 * the function is divided at its outermost frame, so recursion counts once: what is outside goes
 * into one tree, innermost first, what is inside into the other. In both, the children of the root
 * are the function (several with lines or addresses), and the root has the weight of everything.
 */
typedef struct {
    PvFunctionId function;
    PvCallTree *callers;
    PvCallTree *callees;
} PvSandwich;

/* Levels of the halves that pictures do not show: the root, and the function, which is shown among
 * the callees. */
enum { PV_SANDWICH_HIDDEN_ABOVE = 2, PV_SANDWICH_HIDDEN_BELOW = 1 };

/* From the stacks of a tree of either direction; its grouping is ignored. Where there would be more
 * than 2 million nodes, deeper ones count as their parents. NULL when cancelled. */
PvSandwich *pv_sandwich_build (const PvCallTree *tree, PvFunctionId function, PvJob *job,
                               GError **error);
void pv_sandwich_free (PvSandwich *sandwich);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSandwich, pv_sandwich_free)
