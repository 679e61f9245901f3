/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/analyze/tree/call-tree.h"
#include "core/model/calls/known-calls.h"

/*
 * The flat view of a call tree: every function once. Self is the weight of samples whose leaf it
 * is; total counts each stack that contains it once, even with recursion.
 */
typedef struct {
    PvFunctionId function;
    uint64_t self;
    uint64_t total;
    const PvFrame *frame; /* its hottest frame; with lines as granularity, the row's line */
    PvLocationId location;
    uint32_t group_place; /* the group's position among those of the tree; 0 without groups */
    /* For heaps: the median lifetime of blocks allocated by the function itself, over the whole
     * recording, whatever the measure; UINT64_MAX if there are no such blocks or it is unknown. */
    uint64_t median_ms;
    /* The name of the thread, process or label's value; NULL unless the list is by group. Lives as
     * long as the tree. */
    const char *group;
} PvFunctionRow;

typedef struct {
    uint32_t n_rows; /* highest self first, then highest total, then name, then module */
    PvFunctionRow *rows;
} PvFunctionList;

/* NULL when cancelled. An inverted tree gives the same list as its top-down tree. */
PvFunctionList *pv_function_list_build (const PvCallTree *tree, PvJob *job);

/* The same for a tree with groups, with a row for each function of each group, in the same order,
 * then by group. Lifetimes are unknown. Without groups it is the same list. */
PvFunctionList *pv_function_list_build_by_group (const PvCallTree *tree, PvJob *job);

/* The list for a query without building its tree, in a fraction of the time and memory; *ret_total
 * is the total of the tree's root. At least the first n_ordered rows are sorted; the others follow
 * in any order. Not for heap traces, other granularities or merged modules (see
 * pv_function_list_can_sum ()). A row's frame and location are those of one hot stack, not of the
 * hottest node. NULL when cancelled or if an expression is invalid. Uses several threads. */
bool pv_function_list_can_sum (const PvProfile *profile, const PvQuery *query);
PvFunctionList *pv_function_list_sum (const PvProfile *profile, const PvSymbolTable *symbols,
                                      const PvQuery *query, size_t n_ordered, uint64_t *ret_total,
                                      PvJob *job, GError **error);
/* Only the sums, by function: added to self and total, which have an entry for each function of the
 * symbol table; *ret_whole is the total of the tree's root. For the same profiles and queries.
 * False when cancelled or if an expression is invalid. Uses several threads. */
bool pv_function_sums_add (const PvProfile *profile, const PvSymbolTable *symbols,
                           const PvQuery *query, uint64_t *self, uint64_t *total,
                           uint64_t *ret_whole, PvJob *job);
void pv_function_list_free (PvFunctionList *list);

/* Callers and callees of a function. The weight of each caller counts a stack once, unless the file
 * itself states the cost of its calls, which may be 0 and counts calls within calls again
 * (pv_known_calls_find ()); `self` is the function's own. Rows are sorted by weight, then name.
 * Function 0 as a caller means that the function is a root. */
typedef struct {
    PvFunctionId function;
    uint64_t weight;
    int64_t net;   /* new - base of a signed measure, else the weight */
    uint64_t base; /* of a signed measure, else 0 */
    /* See pv_changes_mark_calls (). */
    bool is_noise; /* chance explains the difference */
    bool has_interval;
    int64_t low, high; /* of the difference */
    uint64_t n_calls;  /* PV_AMOUNT_UNKNOWN: not known, see known-calls.h */
} PvCaller;

typedef struct {
    uint64_t self;
    uint64_t total;
    uint32_t n_callers;
    PvCaller *callers;
    uint32_t n_callees;
    PvCaller *callees;
} PvCallersCallees;

/* NULL when cancelled. Accepts inverted trees. */
PvCallersCallees *pv_callers_callees_build (const PvCallTree *tree, PvFunctionId function,
                                            PvJob *job);
/* The same for many functions in one pass over the tree: is_wanted and the result, which is freed
 * with g_free (), have an entry for each function of the symbol table. Those that are not wanted
 * are NULL; the caller frees the others. */
PvCallersCallees **pv_callers_callees_build_all (const PvCallTree *tree, const bool *is_wanted,
                                                 PvJob *job);
/* Fills in the net amounts by the tree's own measure. False when cancelled. */
bool pv_callers_callees_find_net (PvCallersCallees *callers_callees, const PvCallTree *tree,
                                  PvFunctionId function, PvJob *job);
/* Weights by another measure: of the callers, then of the callees. g_free () it; NULL when
 * cancelled. */
uint64_t *pv_callers_callees_weigh (const PvCallersCallees *callers_callees, const PvCallTree *tree,
                                    PvFunctionId function, PvMeasureId measure, PvJob *job);
void pv_callers_callees_free (PvCallersCallees *callers_callees);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFunctionList, pv_function_list_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCallersCallees, pv_callers_callees_free)
