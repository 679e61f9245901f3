/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/analyze/query/query.h"

/*
 * The sample filters of a query (time, thread, process, processor, labels), prepared so that each
 * sample costs a few look-ups, and the weights of samples, which in a series may be growth. Every
 * sum of samples under a query uses it. Private to analyze; the profile must outlive the filter.
 */
typedef struct {
    const PvSampleSet *set;  /* NULL, with no samples, if the query's measure does not exist */
    const uint64_t *weights; /* NULL: uniform_weight */
    uint64_t uniform_weight;
    bool is_delay;  /* see PvMeasure */
    uint32_t first; /* candidates: samples [first, last) */
    uint32_t last;
    bool has_range;
    uint64_t start_ns; /* in the samples' clock */
    uint64_t end_ns;
    bool *is_context_allowed;   /* NULL: all */
    bool *is_label_set_allowed; /* NULL: all */
    /* For a series, see pv_dumps_weigh (), and for sides that are scaled; then the same as weights.
     */
    uint64_t *own_weights;
} PvSampleFilter;

/* Sums of weights stop here, so that no total and no position in a picture can overflow. */
#define PV_TOTAL_MAX (UINT64_MAX / 4)

void pv_sample_filter_init (PvSampleFilter *filter, const PvQuery *query, const PvProfile *profile);
void pv_sample_filter_clear (PvSampleFilter *filter);

/* One bool per label set of the profile, at least one: it passes the query's label filters. NULL:
 * all do. Free with g_free (). */
bool *pv_sample_filter_find_label_sets (const PvQuery *query, const PvProfile *profile);

/* The part of a sample's weight inside the time range. */
uint64_t pv_sample_filter_clip (const PvSampleFilter *filter, uint32_t sample, uint64_t weight);

static inline bool
pv_sample_filter_allows (const PvSampleFilter *filter, uint32_t sample)
{
    if (filter->is_context_allowed != NULL &&
        !filter->is_context_allowed[pv_sample_set_context (filter->set, sample)])
        return false;
    if (filter->is_label_set_allowed == NULL)
        return true;
    uint32_t labels = filter->set->label_set != NULL ? filter->set->label_set[sample] : 0;
    return filter->is_label_set_allowed[labels];
}

/* The sample's weight under the query; 0 if it is filtered out. so_far is the sum so far. */
static inline uint64_t
pv_sample_filter_weigh (const PvSampleFilter *filter, uint32_t sample, uint64_t so_far)
{
    if (!pv_sample_filter_allows (filter, sample))
        return 0;
    uint64_t weight = filter->weights != NULL ? filter->weights[sample] : filter->uniform_weight;
    if (filter->has_range)
        weight = pv_sample_filter_clip (filter, sample, weight);
    return MIN (weight, PV_TOTAL_MAX - so_far);
}
