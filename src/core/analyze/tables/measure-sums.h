/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/analyze/query/formula.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree.h"
#include "core/analyze/tree/sandwich.h"

/*
 * Amounts of other measures for the functions or the nodes of a tree: columns beside its own. The
 * query stays the same in all but the measure, so each column is that of a list or a tree built for
 * that measure alone.
 */

/* Counts the samples to which the tree's own measure gives weight. Not a measure of the profile;
 * heaps have no samples. */
#define PV_MEASURE_SAMPLES UINT32_MAX

/* Add a measure, or those of a formula, to an array of PvMeasureId that lacks them: the measures to
 * sum up. */
void pv_measures_add (GArray *measures, PvMeasureId measure);
void pv_measures_add_formula (GArray *measures, const PvFormula *formula);

typedef struct {
    PvMeasureId measure;
    uint64_t whole;  /* of everything that the query keeps */
    uint64_t *self;  /* by row */
    uint64_t *total; /* by row */
} PvMeasureColumn;

typedef struct {
    uint32_t n_rows; /* functions of tree->symbols, rows of a list, or nodes of the tree */
    uint32_t n_columns;
    PvMeasureColumn *columns;
} PvMeasureSums;

/* By function: total counts each stack that contains it once. Walks the stacks once for all
 * measures, and accepts inverted trees. NULL when cancelled. */
PvMeasureSums *pv_measure_sums_by_function (const PvCallTree *tree, const PvMeasureId *measures,
                                            uint32_t n_measures, PvJob *job);
/* By node of a tree, top-down or inverted, but not of half a sandwich. Weight without a node, as
 * the tree has too little of its own measure there, counts in the total of the nearest node on the
 * way to the root. The self of folded children is unknown; a node of an inverted tree whose callers
 * are not followed has all of its total itself. Sizes of a program
 * beside a run, which have no stacks, are those of each node's function, and the whole is that of
 * all functions of the tree; pv_measure_sums_size_nodes () does that (false when cancelled). */
bool pv_measure_sums_size_nodes (PvMeasureColumn *column, const PvCallTree *tree, PvJob *job);
PvMeasureSums *pv_measure_sums_by_node (const PvCallTree *tree, const PvMeasureId *measures,
                                        uint32_t n_measures, PvJob *job);
/* By node of both halves of a sandwich, in the same way. False when cancelled. */
bool pv_measure_sums_by_half (const PvSandwich *sandwich, const PvMeasureId *measures,
                              uint32_t n_measures, PvMeasureSums **ret_callers,
                              PvMeasureSums **ret_callees, PvJob *job);
/* By row of a list that pv_function_list_build () or pv_function_list_build_by_group () made of the
 * tree: for lists of lines, addresses and groups. Measures of the profile only. */
PvMeasureSums *pv_measure_sums_by_row (const PvCallTree *tree, const PvFunctionList *list,
                                       const PvMeasureId *measures, uint32_t n_measures,
                                       PvJob *job);
/* Sums that are all 0, for functions that fill them. */
PvMeasureSums *pv_measure_sums_new (const PvMeasureId *measures, uint32_t n_measures,
                                    uint32_t n_rows);
void pv_measure_sums_free (PvMeasureSums *sums);

/* The weight of each stack of a top-down tree's profile by a measure; *ret_whole: of all that the
 * query keeps. g_free () it. NULL when cancelled. */
uint64_t *pv_measure_weigh_stacks (const PvCallTree *tree, PvMeasureId measure, uint64_t *ret_whole,
                                   PvJob *job);

/* Only what the query keeps of a measure of the profile, without its stacks. False when cancelled.
 */
bool pv_measure_find_whole (const PvCallTree *tree, PvMeasureId measure, uint64_t *ret_whole,
                            PvJob *job);

/* Weights of the stacks by several measures. Clear it also when cancelled (false). */
typedef struct {
    uint32_t n_measures;
    uint64_t *whole;     /* by measure: see above */
    uint64_t **of_stack; /* by measure */
    size_t n_stacks;
    PvStackId *stacks; /* to which any of the measures gives weight, by id */
} PvStackWeights;

bool pv_stack_weights_init (PvStackWeights *weights, const PvCallTree *tree,
                            const PvMeasureId *measures, uint32_t n_measures, PvJob *job);
void pv_stack_weights_clear (PvStackWeights *weights);

/* True if the profile has the measure or, for PV_MEASURE_SAMPLES, samples to count. */
bool pv_measure_sums_can_count (const PvProfile *profile, PvMeasureId measure);
/* NULL if the sums lack the measure. */
const PvMeasureColumn *pv_measure_sums_find (const PvMeasureSums *sums, PvMeasureId measure);

/* The formula's value for a row; NAN: none. The sums must have its measures. */
double pv_measure_sums_compute (const PvMeasureSums *sums, const PvFormula *formula, bool is_self,
                                uint32_t row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvMeasureSums, pv_measure_sums_free)
