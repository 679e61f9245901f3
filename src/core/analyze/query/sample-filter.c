/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/sample-filter.h"

#include <math.h>

#include "core/model/profile/dumps.h"
#include "core/model/profile/labels.h"

/* By thread, process and processor, so that a sample costs one look-up; NULL: all. */
static bool *
allowed_contexts (const PvQuery *query, const PvProfile *profile, const PvSampleSet *set)
{
    if (!pv_query_has_origin (query, PV_ORIGIN_PROCESS) &&
        !pv_query_has_origin (query, PV_ORIGIN_THREAD) &&
        !pv_query_has_origin (query, PV_ORIGIN_CPU))
        return NULL;
    g_autofree bool *is_thread_allowed = g_new (bool, profile->n_threads);
    for (PvThreadId t = 0; t < profile->n_threads; t++)
        is_thread_allowed[t] =
            pv_query_shows (query, PV_ORIGIN_THREAD, t) &&
            pv_query_shows (query, PV_ORIGIN_PROCESS, profile->threads[t].process);
    bool *is_allowed = g_new (bool, MAX (set->n_contexts, 1));
    for (uint32_t c = 0; c < set->n_contexts; c++)
        is_allowed[c] = is_thread_allowed[set->contexts[c].thread] &&
                        pv_query_shows (query, PV_ORIGIN_CPU, set->contexts[c].cpu);
    return is_allowed;
}

static bool
is_label_wanted (const PvLabel *label, void *data)
{
    const PvLabelFilter *filter = data;
    if (filter->expression == NULL)
        return true;
    if (filter->is_range)
        return pv_label_range_has (&filter->range, label);
    g_autofree char *value = pv_label_format (label);
    if (filter->list != NULL)
        return pv_label_list_has (filter->list, value);
    return filter->matcher != NULL && pv_matcher_match (filter->matcher, value);
}

/* A list of values also matches the joined ones, "a, b", of samples that have the label several
 * times; a negated list matches by these alone. */
static void
match_list (bool *is_match, const PvLabelFilter *label, const PvProfile *profile)
{
    const PvLabelList *list = label->list;
    if (list == NULL)
        return;
    g_autoptr (PvLabelValues) values = pv_label_values_new (profile, label->key);
    for (uint32_t s = 0; s < profile->n_label_sets; s++) {
        const char *value = values->names[values->value_of_set[s]];
        bool is_joined_match = value != NULL && pv_label_list_has (list, value);
        is_match[s] = is_joined_match || (is_match[s] && !list->is_negated);
    }
}

bool *
pv_sample_filter_find_label_sets (const PvQuery *query, const PvProfile *profile)
{
    g_assert (query != NULL && profile != NULL);
    bool *is_allowed = NULL;
    profile = pv_profile_get_named (profile);
    for (uint32_t i = 0; i < query->n_labels; i++) {
        PvLabelFilter *label = &query->labels[i];
        g_autofree bool *is_match = pv_labels_match (profile, label->key, is_label_wanted, label);
        match_list (is_match, label, profile);
        for (uint32_t s = 0; s < MAX (profile->n_label_sets, 1); s++)
            is_match[s] ^= label->is_excluding;
        if (is_allowed == NULL) {
            is_allowed = g_steal_pointer (&is_match);
            continue;
        }
        for (uint32_t s = 0; s < MAX (profile->n_label_sets, 1); s++)
            is_allowed[s] &= is_match[s];
    }
    return is_allowed;
}

static void
set_range (PvSampleFilter *filter, const PvQuery *query, const PvProfile *profile)
{
    filter->has_range = query->start_ns > 0 || query->end_ns != UINT64_MAX;
    if (__builtin_add_overflow (profile->start_ns, query->start_ns, &filter->start_ns))
        filter->start_ns = UINT64_MAX;
    if (__builtin_add_overflow (profile->start_ns, query->end_ns, &filter->end_ns))
        filter->end_ns = UINT64_MAX;
    filter->last = filter->set->n_samples;
    if (filter->has_range && filter->set->duration_ns == NULL) {
        /* Points in time, sorted: skip those outside the range. */
        filter->first = pv_sample_set_find (filter->set, filter->start_ns);
        filter->last = pv_sample_set_find (filter->set, filter->end_ns);
    }
}

/* Adds a side's amounts times the factor. What rounding takes from one sample goes to the next, so
 * that sums are right even where most samples count 1. */
static void
add_scaled (const PvProfile *profile, PvMeasureId measure, double factor, uint64_t *weights)
{
    const PvSampleSet *set = pv_profile_get_measure_set (profile, measure);
    uint32_t column = profile->measures[measure].column;
    double so_far = 0, rounded = 0;
    for (uint32_t i = 0; i < set->n_samples; i++) {
        so_far += (double)pv_sample_set_weight (set, column, i) * factor;
        double next = MIN (floor (so_far + 0.5), (double)PV_TOTAL_MAX);
        weights[i] += (uint64_t)(next - rounded);
        rounded = next;
    }
}

/* The weights of a part of a comparison under the query's factors; NULL: as they are. */
static uint64_t *
scale_sides (const PvQuery *query, const PvProfile *profile)
{
    const PvPair *pair = pv_profile_get_pair (profile, query->measure);
    const PvMeasure *measure = &profile->measures[query->measure];
    bool is_scaled = false;
    if (pair == NULL || (measure->part != PV_PART_BOTH && measure->part != PV_PART_SIDE))
        return NULL;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        is_scaled |= query->factor_of_side[side] != 0 && query->factor_of_side[side] != 1;
    if (!is_scaled)
        return NULL;
    uint32_t n_samples = pv_profile_get_measure_set (profile, query->measure)->n_samples;
    uint64_t *weights = g_new0 (uint64_t, MAX (n_samples, 1));
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        double factor = query->factor_of_side[side];
        if (measure->part == PV_PART_BOTH || measure->side == side)
            add_scaled (profile, pair->of_side[side], factor != 0 ? factor : 1, weights);
    }
    return weights;
}

void
pv_sample_filter_init (PvSampleFilter *filter, const PvQuery *query, const PvProfile *profile)
{
    g_assert (filter != NULL && query != NULL && profile != NULL);
    *filter = (PvSampleFilter){0};
    if (!pv_profile_has_weights (profile, query->measure))
        return;
    const PvMeasure *measure = &profile->measures[query->measure];
    filter->set = pv_profile_get_measure_set (profile, query->measure);
    if (filter->set == NULL)
        return;
    filter->weights = filter->set->weights[measure->column];
    filter->is_delay = measure->is_delay;
    filter->uniform_weight =
        filter->weights == NULL ? filter->set->uniform_weights[measure->column] : 0;
    filter->is_context_allowed = allowed_contexts (query, profile, filter->set);
    filter->is_label_set_allowed = pv_sample_filter_find_label_sets (query, profile);
    filter->own_weights = pv_dumps_weigh (profile, measure, query->start_ns, query->end_ns,
                                          &filter->first, &filter->last, NULL);
    if (filter->own_weights == NULL) {
        set_range (filter, query, profile);
        filter->own_weights = scale_sides (query, profile);
    }
    if (filter->own_weights != NULL)
        filter->weights = filter->own_weights;
}

void
pv_sample_filter_clear (PvSampleFilter *filter)
{
    g_free (filter->is_context_allowed);
    g_free (filter->is_label_set_allowed);
    g_free (filter->own_weights);
    *filter = (PvSampleFilter){0};
}

/* Rounds both ends of the part down, so that the parts of adjacent ranges add up to the whole. */
uint64_t
pv_sample_filter_clip (const PvSampleFilter *filter, uint32_t sample, uint64_t weight)
{
    uint64_t start_ns = pv_sample_set_time_ns (filter->set, sample);
    uint64_t duration_ns = filter->set->duration_ns != NULL ? filter->set->duration_ns[sample] : 0;
    if (start_ns == 0)
        return 0;
    if (duration_ns == 0)
        return start_ns >= filter->start_ns && start_ns < filter->end_ns ? weight : 0;
    if (filter->is_delay) {
        start_ns += duration_ns - MIN (weight, duration_ns);
        duration_ns = MIN (weight, duration_ns);
    }
    if (duration_ns == 0)
        return 0;
    uint64_t from_ns = start_ns >= filter->start_ns ? 0 : filter->start_ns - start_ns;
    uint64_t to_ns = filter->end_ns <= start_ns ? 0 : filter->end_ns - start_ns;
    from_ns = MIN (from_ns, duration_ns);
    to_ns = MIN (to_ns, duration_ns);
    if (from_ns >= to_ns)
        return 0;
    uint64_t before = (uint64_t)((unsigned __int128)weight * from_ns / duration_ns);
    uint64_t until = (uint64_t)((unsigned __int128)weight * to_ns / duration_ns);
    return until - before;
}
