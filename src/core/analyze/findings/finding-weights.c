/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/finding-weights.h"

#include <math.h>

#include "core/analyze/compare/compare-rows.h"
#include "core/base/large.h"

enum { SAMPLES_PER_CHECK = 1 << 16 };

/* Rows of sums, as pprof has them, say how many samples they are of only in all. */
static void
count_samples (PvFindingWeights *weights, const PvProfile *profile, PvMeasureId measure)
{
    const uint64_t whole = profile->measures[measure].total;
    if (!pv_compare_has_measure (profile, measure) || !pv_compare_is_sampled (profile, measure) ||
        whole == 0)
        return;
    const uint64_t n_whole = pv_compare_count_samples (profile, measure);
    weights->has_rows_of_samples = n_whole == weights->filter.set->n_samples;
    /* Samples of different weights tell less than as many alike. */
    weights->n_samples =
        weights->has_rows_of_samples
            ? (double)weights->total * (double)weights->total / fmax (weights->sum_of_squares, 1)
            : (double)n_whole * ((double)weights->total / (double)whole);
}

bool
pv_finding_weights_init (PvFindingWeights *weights, const PvFindingContext *context,
                         PvMeasureId measure)
{
    g_assert (weights != NULL && context != NULL &&
              pv_profile_has_weights (context->profile, measure));
    PvQuery query;
    *weights = (PvFindingWeights){.is_stack_kept = context->is_stack_kept};
    pv_query_copy (&query, context->query);
    query.measure = measure;
    pv_sample_filter_init (&weights->filter, &query, context->profile);
    pv_query_clear (&query);
    weights->of_stack = pv_new0_large (uint64_t, MAX (context->profile->n_stacks, 1));
    for (uint32_t i = weights->filter.first; i < weights->filter.last; i++) {
        if (i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (context->job))
            return false;
        const uint64_t weight = pv_finding_weights_get (weights, i, weights->total);
        weights->of_stack[weights->filter.set->stack[i]] += weight;
        weights->total += weight;
        weights->n_rows += weight > 0;
        weights->sum_of_squares += (double)weight * (double)weight;
    }
    count_samples (weights, context->profile, measure);
    return true;
}

void
pv_finding_weights_clear (PvFindingWeights *weights)
{
    pv_sample_filter_clear (&weights->filter);
    g_clear_pointer (&weights->of_stack, g_free);
}

void
pv_finding_weights_judge (const PvFindingWeights *weights, PvFinding *finding)
{
    g_assert (weights != NULL && finding != NULL && finding->amount <= weights->total);
    const double share = weights->total > 0 ? (double)finding->amount / (double)weights->total : 0;
    finding->cost = share;
    finding->n_samples = (uint64_t)llround (share * weights->n_samples);
    if (weights->n_samples <= 0 || finding->is_measured)
        return;
    /* A. Agresti and B. A. Coull, The American Statistician 52, 1998: else a few samples that are
     * all alike would be sure. */
    const double n = weights->n_samples + 4;
    const double middle = (share * weights->n_samples + 2) / n;
    finding->error = sqrt (middle * (1 - middle) / n);
}
