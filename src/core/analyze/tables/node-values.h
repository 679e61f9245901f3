/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/formula.h"
#include "core/analyze/tree/call-tree.h"
#include "core/analyze/tree/sandwich.h"

/* What a formula says about the nodes of a tree: the value of each one's totals. Immutable and
 * reference counted; any thread. */
typedef struct {
    int ref_count;          /* atomic */
    const PvCallTree *tree; /* a reference */
    PvFormula *formula;     /* a reference */
    double whole;           /* of everything that the query keeps; NAN: none */
    float *value_of_node;   /* NAN: none */
} PvNodeValues;

/* The tree is as for pv_measure_sums_by_node (), the formula for its profile. NULL when cancelled.
 */
PvNodeValues *pv_node_values_build (const PvCallTree *tree, PvFormula *formula, PvJob *job);

/* Of both halves of a sandwich. False when cancelled. */
bool pv_node_values_build_halves (const PvSandwich *sandwich, PvFormula *formula,
                                  PvNodeValues **ret_callers, PvNodeValues **ret_callees,
                                  PvJob *job);

PvNodeValues *pv_node_values_ref (PvNodeValues *values);
void pv_node_values_unref (PvNodeValues *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvNodeValues, pv_node_values_unref)
