/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/known-totals.h"

static bool
has_filters (const PvQuery *query)
{
    for (PvOrigin origin = 0; origin < PV_N_ORIGINS; origin++)
        if (query->only[origin].n_ids > 0 || query->except[origin].n_ids > 0)
            return true;
    return query->start_ns > 0 || query->end_ns < UINT64_MAX || query->n_labels > 0 ||
           query->n_transforms > 0;
}

const PvKnownCalls *
pv_known_calls_find (const PvProfile *profile, const PvQuery *query)
{
    g_assert (profile != NULL && query != NULL);
    bool is_whole = pv_profile_has_weights (profile, query->measure) && !has_filters (query) &&
                    query->granularity == PV_BY_FUNCTION && query->grouping == PV_GROUP_NONE;
    return is_whole ? profile->known_calls : NULL;
}

uint64_t *
pv_known_totals_list (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query)
{
    g_assert (symbols != NULL);
    const PvKnownCalls *calls = pv_known_calls_find (profile, query);
    if (calls == NULL || calls->n_functions == 0)
        return NULL;
    return pv_known_calls_list_totals (calls, &profile->measures[query->measure], symbols);
}
