/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/formula.h"
#include "core/analyze/tables/measure-sums.h"
#include "core/analyze/tree/call-tree.h"
#include "core/analyze/tree/sandwich.h"

/* What is known of the nodes of a tree besides their weights: the value of each one's totals by a
 * formula, and, where the tree's own measure goes both ways, its sides. Immutable and reference
 * counted; any thread. */
typedef struct {
    int ref_count;          /* atomic */
    const PvCallTree *tree; /* a reference */
    PvFormula *formula;     /* a reference; NULL: only the sides were asked for */
    double whole;           /* of everything that the query keeps; NAN: none */
    float *value_of_node;   /* NAN: none; NULL without a formula */
    const PvPair *pair;     /* that the tree's measure is both sides of; or NULL */
    PvMeasureSums *sides;   /* by node; NULL without a pair */
} PvNodeValues;

/* Whether the tree's measure goes both ways: its values are wanted even without a formula. */
bool pv_node_values_have_sides (const PvCallTree *tree);

/* The tree is as for pv_measure_sums_by_node (), the formula for its profile, or NULL. NULL when
 * cancelled. */
PvNodeValues *pv_node_values_build (const PvCallTree *tree, PvFormula *formula, PvJob *job);

/* The net amount of a node, new - base; of its own or in all. Only with sides. */
int64_t pv_node_values_get_net (const PvNodeValues *values, PvNodeId node, bool is_self);
/* Which way a node's total went: (new - base) / (new + base), from -1 for nothing but less to 1 for
 * nothing but more; NAN if there is nothing. Only with sides. */
double pv_node_values_get_balance (const PvNodeValues *values, PvNodeId node);

/* Of both halves of a sandwich. False when cancelled. */
bool pv_node_values_build_halves (const PvSandwich *sandwich, PvFormula *formula,
                                  PvNodeValues **ret_callers, PvNodeValues **ret_callees,
                                  PvJob *job);

PvNodeValues *pv_node_values_ref (PvNodeValues *values);
void pv_node_values_unref (PvNodeValues *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvNodeValues, pv_node_values_unref)
