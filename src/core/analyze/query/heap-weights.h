/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * The weight of each heap site by the query's measure, in the query's time range (its other filters
 * do not apply to heaps): n_sites entries, free with g_free (). Negative weights count as 0; by
 * PV_HEAP_DECREASE and PV_HEAP_GROWTH, by their absolute value. is_suppressed, one bool per stack
 * or NULL, excludes stacks from PV_HEAP_LEAKED. ret_total, if not NULL, gets the sum. NULL when
 * cancelled. Any thread.
 */
uint64_t *pv_heap_weigh_query (const PvProfile *profile, const PvQuery *query,
                               const bool *is_suppressed, uint64_t *ret_total, PvJob *job);

/* Sums of block lifetimes. Initialise with zeros. Adding or removing a site takes time linear in
 * its number of classes. */
typedef struct {
    uint64_t n_blocks;
    uint64_t n_of_class[PV_HEAP_N_AGE_CLASSES];
} PvHeapAgeSum;

void pv_heap_age_sum_add (PvHeapAgeSum *sum, const PvHeap *heap, uint32_t site);
/* Removes a site again. */
void pv_heap_age_sum_remove (PvHeapAgeSum *sum, const PvHeap *heap, uint32_t site);
/* The lower bound of the median block's class. n_blocks must not be 0. */
uint64_t pv_heap_age_sum_get_median (const PvHeapAgeSum *sum);
