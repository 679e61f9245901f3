/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/heap-weights.h"
#include "core/analyze/query/sample-filter.h"

/* Weight per stack by a heap measure: profile->n_stacks entries, g_free () it. */
static inline uint64_t *
weigh_heap_stacks (const PvProfile *profile, const PvQuery *query, const bool *is_suppressed,
                   uint64_t *ret_total)
{
    uint64_t *weight_of_stack = g_new0 (uint64_t, MAX (profile->n_stacks, 1));
    g_autofree uint64_t *weight_of_site =
        pv_heap_weigh_query (profile, query, is_suppressed, ret_total, NULL);
    for (uint32_t s = 0; s < profile->heap->n_sites; s++)
        weight_of_stack[profile->heap->stack_of_site[s]] += weight_of_site[s];
    return weight_of_stack;
}

/* The same of any profile, under the query's sample filters. */
static inline uint64_t *
weigh_stacks (const PvProfile *profile, const PvQuery *query, uint64_t *ret_total)
{
    if (profile->heap != NULL)
        return weigh_heap_stacks (profile, query, NULL, ret_total);
    uint64_t *weight_of_stack = g_new0 (uint64_t, MAX (profile->n_stacks, 1));
    uint64_t total = 0;
    PvSampleFilter filter;
    pv_sample_filter_init (&filter, query, profile);
    for (uint32_t i = filter.first; i < filter.last; i++) {
        uint64_t weight = pv_sample_filter_weigh (&filter, i, total);
        weight_of_stack[filter.set->stack[i]] += weight;
        total += weight;
    }
    pv_sample_filter_clear (&filter);
    if (ret_total != NULL)
        *ret_total = total;
    return weight_of_stack;
}
