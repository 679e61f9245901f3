/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/compare/noise.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tables/measure-sums.h"

/*
 * Amounts of the two sides of a pair, by row: of functions, of nodes of a tree, of a list, or of
 * half a sandwich. The tree's measure is a part of the pair. Immutable; any thread.
 */
typedef struct {
    uint32_t n_rows;
    PvUnit unit;
    uint64_t whole_of_side[PV_N_SIDES];        /* of everything that the query keeps */
    const uint64_t *self_of_side[PV_N_SIDES];  /* by row */
    const uint64_t *total_of_side[PV_N_SIDES]; /* by row */
    PvNoise *noise;                            /* NULL: the measure is exact */
    const PvMeasureSums *sums;                 /* where the columns are */
    PvMeasureSums *own_sums;                   /* NULL: they are another's */
    const PvFunctionId *function_of_row;       /* of rows that are not functions; else NULL */
    PvFunctionId *own_functions;               /* NULL: they are the tree's */
    const PvPair *pair;
    double run_factor_of_side[PV_N_SIDES];
} PvChanges;

/* True if the tree's measure is signed; in a comparison also if it is only one side, which then
 * gives boxes their widths. */
bool pv_changes_can_sum (const PvCallTree *tree);

/* By function of tree->symbols. NULL when cancelled. */
PvChanges *pv_changes_by_function (const PvCallTree *tree, PvJob *job);
/* The same by node, and by row of a list that was made of the tree, which must outlive them. noise
 * is that of the changes by function; NULL: the measure is exact. */
PvChanges *pv_changes_by_node (const PvCallTree *tree, PvNoise *noise, PvJob *job);
PvChanges *pv_changes_by_row (const PvCallTree *tree, const PvFunctionList *list, PvNoise *noise,
                              PvJob *job);
/* Changes of both halves of a sandwich. False when cancelled. */
bool pv_changes_by_half (const PvSandwich *sandwich, PvNoise *noise, PvChanges **ret_callers,
                         PvChanges **ret_callees, PvJob *job);
/* Adds the measures whose sums changes are made of to an array of PvMeasureId that lacks them. */
void pv_changes_add_measures (const PvPair *pair, GArray *measures);
/* Changes from sums by function, made for the tree, which both must outlive them. NULL if the sums
 * lack a measure, or when cancelled. */
PvChanges *pv_changes_by_function_from_sums (const PvCallTree *tree, const PvMeasureSums *sums,
                                             PvJob *job);
/* The same from sums by node; NULL if they lack a measure. */
PvChanges *pv_changes_by_node_from_sums (const PvCallTree *tree, const PvMeasureSums *sums,
                                         PvNoise *noise);
/* The same from sums of anything, each row of a function. The functions are taken in any case. */
PvChanges *pv_changes_take_functions (const PvCallTree *tree, const PvMeasureSums *sums,
                                      PvFunctionId *function_of_row, PvNoise *noise);
/* Finds the intervals of the calls of the function, and marks those whose difference chance
 * explains; noise is that of the changes by function. False when cancelled. */
bool pv_changes_mark_calls (PvCallersCallees *callers_callees, const PvCallTree *tree,
                            PvFunctionId function, PvNoise *noise, PvJob *job);
/* The sum of some functions as the one row of new changes, which are as sure as the least sure of
 * them. changes: by function. */
PvChanges *pv_changes_sum_functions (const PvChanges *changes, const PvFunctionId *functions,
                                     uint32_t n_functions);
void pv_changes_free (PvChanges *changes);

/* Size of a change, without its sign. */
static inline uint64_t
pv_change_get_size (int64_t change)
{
    return change < 0 ? 0 - (uint64_t)change : (uint64_t)change;
}

/* new - base. */
static inline int64_t
pv_changes_get_self (const PvChanges *changes, uint32_t row)
{
    return (int64_t)(changes->self_of_side[PV_SIDE_NEW][row] -
                     changes->self_of_side[PV_SIDE_BASE][row]);
}

static inline int64_t
pv_changes_get_total (const PvChanges *changes, uint32_t row)
{
    return (int64_t)(changes->total_of_side[PV_SIDE_NEW][row] -
                     changes->total_of_side[PV_SIDE_BASE][row]);
}

static inline int64_t
pv_changes_get_whole (const PvChanges *changes)
{
    return (int64_t)(changes->whole_of_side[PV_SIDE_NEW] - changes->whole_of_side[PV_SIDE_BASE]);
}

/* The interval of the change of the row's self or total, or of newer - factor * base. */
PvInterval pv_changes_find_interval (const PvChanges *changes, uint32_t row, bool is_self,
                                     double factor);
/* The same of everything that the query keeps; only by function. */
PvInterval pv_changes_find_whole_interval (const PvChanges *changes, double factor);
/* True if chance explains the change of the row's self or total; false if there is none. */
bool pv_changes_is_noise (const PvChanges *changes, uint32_t row, bool is_self);
/* True if chance explains both. No change at all counts as explained, unless the measure is
 * exact. */
bool pv_changes_is_row_noise (const PvChanges *changes, uint32_t row);

/* Rows of functions or of a list with the largest change of self first, then of total, then by
 * place; those without any weight are left out. g_free () it. */
uint32_t *pv_changes_sort (const PvChanges *changes, uint32_t *ret_n_rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvChanges, pv_changes_free)
