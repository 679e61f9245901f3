/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/findings/finding-rule.h"
#include "core/analyze/query/sample-filter.h"

/* The part of a measure that the query keeps, by stack. */
typedef struct {
    PvSampleFilter filter;
    const bool *is_stack_kept; /* NULL: all are */
    uint64_t *of_stack;
    uint64_t total;
    uint64_t n_rows;       /* samples with weight */
    double n_samples;      /* behind the total; 0: it is exact, or that is not known. Of different
                              weights: as many as tell as much, if they were alike */
    double sum_of_squares; /* of weights */
    bool has_rows_of_samples;
} PvFindingWeights;

/* False when cancelled; clear it then, too. */
bool pv_finding_weights_init (PvFindingWeights *weights, const PvFindingContext *context,
                              PvMeasureId measure);
void pv_finding_weights_clear (PvFindingWeights *weights);

/* The weight of a sample; so_far is the sum so far. */
static inline uint64_t
pv_finding_weights_get (const PvFindingWeights *weights, uint32_t sample, uint64_t so_far)
{
    if (weights->is_stack_kept != NULL &&
        !weights->is_stack_kept[weights->filter.set->stack[sample]])
        return 0;
    return pv_sample_filter_weigh (&weights->filter, sample, so_far);
}

/* Sets the figures of a finding from its amount: cost, error and samples, as if samples came one by
 * one. */
void pv_finding_weights_judge (const PvFindingWeights *weights, PvFinding *finding);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvFindingWeights, pv_finding_weights_clear)
