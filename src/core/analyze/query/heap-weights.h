/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * The weight of every site of the heap by a heap measure, in the time range of the query (its other
 * filters have no meaning for heaps): n_sites entries, g_free () it. Sites that weigh less than
 * nothing count as nothing. is_suppressed, one bool per stack or NULL, takes stacks out of
 * PV_HEAP_LEAKED. ret_total, if not NULL, gets the sum. NULL when cancelled. Any thread.
 */
uint64_t *pv_heap_weigh_query (const PvProfile *profile, const PvQuery *query,
                               const bool *is_suppressed, uint64_t *ret_total, PvJob *job);

/* Lifetimes of blocks, added up. Initialise with zeros; adding all that was added to a site costs
 * as much as the site has classes, and so does emptying. */
typedef struct {
    uint64_t n_blocks;
    uint64_t n_of_class[PV_HEAP_N_AGE_CLASSES];
} PvHeapAgeSum;

void pv_heap_age_sum_add (PvHeapAgeSum *sum, const PvHeap *heap, uint32_t site);
/* Takes a site out again. */
void pv_heap_age_sum_remove (PvHeapAgeSum *sum, const PvHeap *heap, uint32_t site);
/* The lower end of the class of the block in the middle. n_blocks is not 0. */
uint64_t pv_heap_age_sum_get_median (const PvHeapAgeSum *sum);
