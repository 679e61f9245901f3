/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/save-rows.h"

#include <stdlib.h>

enum { ROWS_PER_CHECK = 4096 };

static int64_t
weigh (const PvProfile *profile, PvMeasureId measure, const PvSampleRow *row)
{
    const PvPair *pair = pv_profile_get_pair (profile, measure);
    if (pair == NULL || pair->both != measure)
        return (int64_t)row->weights[measure];
    return (int64_t)row->weights[pair->of_side[PV_SIDE_NEW]] -
           (int64_t)row->weights[pair->of_side[PV_SIDE_BASE]];
}

bool
pv_saved_rows_take (PvSavedRows *ret_rows, PvSampleRows *rows, const PvProfile *profile,
                    PvMeasureId measure, PvJob *job, GError **error)
{
    g_assert (ret_rows != NULL && rows != NULL && pv_profile_has_weights (profile, measure));
    PvSampleRow row;
    for (uint64_t n = 0; pv_sample_rows_next (rows, &row); n++) {
        if (n % ROWS_PER_CHECK == 0 && !pv_job_check (job, error))
            return false;
        PvSavedRow kept = {row.thread, row.node, weigh (profile, measure, &row)};
        if (kept.weight != 0)
            pv_array_push (ret_rows, kept);
    }
    return true;
}

static int
compare_rows (const void *a, const void *b)
{
    const PvSavedRow *left = a, *right = b;
    if (left->thread != right->thread)
        return left->thread < right->thread ? -1 : 1;
    return (left->node > right->node) - (left->node < right->node);
}

void
pv_saved_rows_sort (PvSavedRows *rows)
{
    g_assert (rows != NULL);
    if (rows->len > 0)
        pv_array_sort (rows, compare_rows);
}
