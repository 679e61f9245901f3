/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/compare/changes.h"
#include "core/analyze/query/formula.h"
#include "core/analyze/tree/call-tree.h"
#include "core/analyze/tree/sandwich.h"

/* Marks of a node in a comparison; signed measures of a single profile have none. */
typedef enum {
    PV_NODE_IS_NOISE = 1 << 0, /* chance explains the change of its total */
    PV_NODE_IS_NEW = 1 << 1,   /* the base has none of it */
    PV_NODE_IS_GONE = 1 << 2,  /* only the base has some of it */
} PvNodeMarks;

/* Values of the nodes of a tree besides their weights: that of each one's totals by a formula and,
 * where the tree's own measure is a part of a pair, its sides. Immutable and reference counted; any
 * thread. */
typedef struct {
    int ref_count;          /* atomic */
    const PvCallTree *tree; /* a reference */
    PvFormula *formula;     /* a reference; NULL: only the sides were requested */
    double whole;           /* of everything that the query keeps; NAN: none */
    float *value_of_node;   /* NAN: none; NULL without a formula */
    PvChanges *sides;       /* by node; NULL without a pair */
    /* The same nodes with the weights of each side, to be shown side by side, in a comparison whose
     * tree has both sides; else NULL. */
    PvCallTree *tree_of_side[PV_N_SIDES];
    uint8_t *marks_of_node; /* PvNodeMarks; NULL unless profiles are compared */
    float *sure_of_node;    /* the least that its total changed; as the marks */
    /* Largest of these, without nodes that are noise; in a sandwich, of its two halves. */
    uint64_t largest_change;
    bool is_mean; /* whole is the mean of the functions: sizes of a program beside a run */
} PvNodeValues;

/* True if the tree's measure is a part of a pair: its values are wanted even without a formula. */
bool pv_node_values_have_sides (const PvCallTree *tree);

/* True if the values are of this tree's nodes: it is their tree, or one of its sides. */
static inline bool
pv_node_values_are_of (const PvNodeValues *values, const PvCallTree *tree)
{
    return tree != NULL && (values->tree == tree || values->tree_of_side[PV_SIDE_BASE] == tree ||
                            values->tree_of_side[PV_SIDE_NEW] == tree);
}

/* The tree itself, or in a comparison with both sides, the same nodes with the weights of the new
 * side. values may be NULL. */
static inline const PvCallTree *
pv_node_values_find_new (const PvNodeValues *values, const PvCallTree *tree)
{
    bool has_sides = values != NULL && values->tree == tree;
    return has_sides && values->tree_of_side[PV_SIDE_NEW] != NULL
               ? values->tree_of_side[PV_SIDE_NEW]
               : tree;
}

/* The tree is as for pv_measure_sums_by_node (), the formula for its profile, or NULL. NULL when
 * cancelled. */
PvNodeValues *pv_node_values_build (const PvCallTree *tree, PvFormula *formula, PvJob *job);

/* The net amount of a node, new - base; of its own or in all. Only with sides. */
int64_t pv_node_values_get_net (const PvNodeValues *values, PvNodeId node, bool is_self);
/* The sum of the net totals of neighbours on a level. Only with sides. */
int64_t pv_node_values_sum_net (const PvNodeValues *values, PvNodeId first, PvNodeId last);
/* Balance of a node's total: (new - base) / (new + base), from -1 for nothing but less to 1 for
 * nothing but more; NAN if there is nothing. Only with sides. */
double pv_node_values_get_balance (const PvNodeValues *values, PvNodeId node);
/* How far the node's total surely went, a step of hues in four for either way, each a balance of
 * one fourth: by as much as there was, or more: 4; by less than half a percent, or noise: 0. Only
 * with sides. */
int pv_node_values_get_step (const PvNodeValues *values, PvNodeId node);
/* The step from base to newer. */
int pv_change_find_step (double base, double newer);
/* The least that the node's total changed, of intervals that hold the truth 95 of 100 times; 0 if
 * it may not have changed. Only with sides. */
double pv_node_values_get_sure (const PvNodeValues *values, PvNodeId node);
/* The same against the largest: from -1 to 1; 0 if nothing changed. Only with sides. */
double pv_node_values_get_part (const PvNodeValues *values, PvNodeId node);
/* PvNodeMarks; 0 if nothing is known. */
unsigned pv_node_values_get_marks (const PvNodeValues *values, PvNodeId node);

/* Values of both halves of a sandwich. False when cancelled. */
bool pv_node_values_build_halves (const PvSandwich *sandwich, PvFormula *formula,
                                  PvNodeValues **ret_callers, PvNodeValues **ret_callees,
                                  PvJob *job);

PvNodeValues *pv_node_values_ref (PvNodeValues *values);
void pv_node_values_unref (PvNodeValues *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvNodeValues, pv_node_values_unref)
