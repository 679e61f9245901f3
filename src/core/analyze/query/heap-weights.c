/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/heap-weights.h"

#include "core/analyze/query/sample-filter.h"
#include "core/base/large.h"

/* Growth counts both gains and losses of sites, as amounts above 0. */
static uint64_t
weigh (PvHeapMeasure measure, int64_t weight)
{
    if (measure == PV_HEAP_DECREASE || (measure == PV_HEAP_GROWTH && weight < 0))
        weight = -weight;
    return (uint64_t)MAX (weight, 0);
}

uint64_t *
pv_heap_weigh_query (const PvProfile *profile, const PvQuery *query, const bool *is_suppressed,
                     uint64_t *ret_total, PvJob *job)
{
    g_assert (profile->heap != NULL);
    const PvHeap *heap = profile->heap;
    PvHeapMeasure measure = pv_profile_has_weights (profile, query->measure)
                                ? profile->measures[query->measure].heap
                                : 0;
    uint32_t first, end;
    if (pv_job_is_cancelled (job))
        return NULL;
    int64_t *weights = pv_new_large (int64_t, MAX (heap->n_sites, 1));
    pv_heap_get_bins (heap, query->start_ns, query->end_ns, &first, &end);
    pv_heap_weigh_sites (heap, measure, first, end, weights, NULL);
    if (measure != PV_HEAP_LEAKED)
        is_suppressed = NULL;
    uint64_t *counted = (uint64_t *)weights, total = 0;
    for (uint32_t s = 0; s < heap->n_sites; s++) {
        uint64_t weight = weigh (measure, weights[s]);
        if (is_suppressed != NULL && is_suppressed[heap->stack_of_site[s]])
            weight = 0;
        counted[s] = MIN (weight, PV_TOTAL_MAX - total);
        total += counted[s];
    }
    if (ret_total != NULL)
        *ret_total = total;
    return counted;
}

void
pv_heap_age_sum_add (PvHeapAgeSum *sum, const PvHeap *heap, uint32_t site)
{
    for (uint32_t i = heap->first_age_of_site[site]; i < heap->first_age_of_site[site + 1]; i++) {
        sum->n_of_class[heap->class_of_age[i]] += heap->frees_of_age[i];
        sum->n_blocks += heap->frees_of_age[i];
    }
}

void
pv_heap_age_sum_remove (PvHeapAgeSum *sum, const PvHeap *heap, uint32_t site)
{
    for (uint32_t i = heap->first_age_of_site[site]; i < heap->first_age_of_site[site + 1]; i++) {
        sum->n_of_class[heap->class_of_age[i]] -= heap->frees_of_age[i];
        sum->n_blocks -= heap->frees_of_age[i];
    }
}

uint64_t
pv_heap_age_sum_get_median (const PvHeapAgeSum *sum)
{
    g_assert (sum->n_blocks > 0);
    uint64_t left = (sum->n_blocks - 1) / 2;
    unsigned c = 0;
    for (; left >= sum->n_of_class[c]; c++)
        left -= sum->n_of_class[c];
    return pv_heap_age_of_class (c);
}
