/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/work/measure-totals.h"

#include "core/analyze/tables/measure-sums.h"
#include "core/base/format.h"

enum { MAX_MEASURES = 2000 };

void
pv_measure_totals_free (PvMeasureTotals *totals)
{
    if (totals == NULL)
        return;
    g_free (totals->of_measure);
    g_free (totals);
}

char *
pv_measure_totals_format (const PvMeasureTotals *totals, const PvProfile *profile,
                          PvMeasureId measure)
{
    g_assert (totals != NULL && pv_profile_has_weights (profile, measure));
    const PvMeasure *row = &profile->measures[measure];

    if (measure >= totals->n_known)
        return NULL;
    return row->part == PV_PART_BOTH
               ? pv_format_signed_amount (totals->of_measure[measure], row->unit)
               : pv_format_amount ((uint64_t)totals->of_measure[measure], row->unit);
}

/* FALSE when cancelled. */
static gboolean
find_total (const PvCallTree *tree, PvMeasureId measure, int64_t *ret_total, PvJob *job)
{
    const PvProfile *profile = tree->profile;
    const gboolean is_signed = profile->measures[measure].part == PV_PART_BOTH;
    const PvPair *pair = is_signed ? pv_profile_get_pair (profile, measure) : NULL;
    uint64_t whole, base = 0;

    if (!pv_measure_find_whole (tree, pair != NULL ? pair->of_side[PV_SIDE_NEW] : measure, &whole,
                                job) ||
        (pair != NULL && !pv_measure_find_whole (tree, pair->of_side[PV_SIDE_BASE], &base, job)))
        return FALSE;
    *ret_total = (int64_t)(whole - base);
    return TRUE;
}

static gpointer
find_totals (gpointer data, PvJob *job, GError **error)
{
    const PvAnswer *answer = data;
    g_autoptr (PvMeasureTotals) totals = g_new0 (PvMeasureTotals, 1);

    totals->serial = answer->serial;
    totals->n_known = MIN (answer->profile->n_measures, MAX_MEASURES);
    totals->of_measure = g_new0 (int64_t, MAX (totals->n_known, 1));
    for (PvMeasureId m = 0; m < totals->n_known; m++)
        if (!find_total (answer->tree, m, &totals->of_measure[m], job))
            return NULL;
    return g_steal_pointer (&totals);
}

static void
free_answer (gpointer answer)
{
    pv_answer_unref (answer);
}

PvTask *
pv_measure_totals_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, find_totals, free_answer, (GDestroyNotify)pv_measure_totals_free,
                        done);
}
