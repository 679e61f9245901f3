/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/* Indexes that depend only on the profile or the names, built once and passed from each call tree
 * to the next. Immutable, reference counted, any thread. */

/* The children of every stack. Entry 0 holds the roots. */
typedef struct {
    PvStackId stack;
    PvLocationId location;
} PvChildStack;

typedef struct {
    int ref_count; /* atomic */
    uint32_t n_stacks;
    uint32_t *first_child; /* n_stacks + 1 entries into child */
    PvChildStack *child;
} PvStackIndex;

/* NULL when cancelled. */
PvStackIndex *pv_stack_index_new (const PvProfile *profile, PvJob *job);
PvStackIndex *pv_stack_index_ref (PvStackIndex *index);
void pv_stack_index_unref (PvStackIndex *index);

/* The order of functions by name, then module; ties do not depend on function ids. */
typedef struct {
    int ref_count; /* atomic */
    uint32_t n_functions;
    uint32_t *rank_of_function; /* 0 for function 0 */
    PvFunctionId *function_of_rank;
} PvNameRanks;

PvNameRanks *pv_name_ranks_new (const PvProfile *profile, const PvSymbolTable *symbols);
PvNameRanks *pv_name_ranks_ref (PvNameRanks *ranks);
void pv_name_ranks_unref (PvNameRanks *ranks);

/* Compares two functions in the same order, without ranks. */
int pv_compare_functions (const PvProfile *profile, const PvSymbolTable *symbols, PvFunctionId a,
                          PvFunctionId b);

/* Comparison for sorting: below 0 if a comes before b, above 0 if after. */
static inline int
pv_name_ranks_compare (const PvNameRanks *ranks, PvFunctionId a, PvFunctionId b)
{
    uint32_t rank_a = ranks->rank_of_function[a], rank_b = ranks->rank_of_function[b];
    return (rank_a > rank_b) - (rank_a < rank_b);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvStackIndex, pv_stack_index_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvNameRanks, pv_name_ranks_unref)
