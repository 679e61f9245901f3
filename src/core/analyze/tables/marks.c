/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/marks.h"

#include <stdlib.h>

#include "core/analyze/query/sample-filter.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/base/array.h"
#include "core/base/idmap.h"

enum { SAMPLES_PER_CHECK = 1 << 14 };

/* The position in the samples of one event. */
typedef struct {
    PvMeasureId measure;
    PvSampleFilter filter;
    uint32_t next;
} Source;

struct PvMarks {
    PvCallTree *tree; /* says which stacks are kept, whatever the measure; NULL: no sources */
    PvJob *job;
    PV_ARRAY (Source) sources;
};

bool
pv_marks_can_build (const PvProfile *profile, PvMeasureId measure)
{
    g_assert (profile != NULL);
    const PvSampleSet *set = pv_profile_has_weights (profile, measure)
                                 ? pv_profile_get_measure_set (profile, measure)
                                 : NULL;
    return set != NULL && set->fields != NULL && profile->measures[measure].column == 0;
}

/* Goes on to the next sample that the query keeps, or to the end when cancelled. */
static void
skip (const PvMarks *marks, Source *source)
{
    const PvCallTreeData *data = pv_call_tree_data (marks->tree);
    const PvSampleFilter *filter = &source->filter;
    while (source->next < filter->last &&
           (pv_sample_filter_weigh (filter, source->next, 0) == 0 ||
            pv_find_position (data->shape, data->focus, filter->set->stack[source->next]) ==
                UINT32_MAX)) {
        source->next++;
        if (source->next % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (marks->job))
            source->next = filter->last;
    }
}

static bool
add_source (PvMarks *marks, const PvProfile *profile, const PvSymbolTable *symbols,
            const PvQuery *query, PvMeasureId measure, GError **error)
{
    g_auto (PvQuery) own = {0};
    pv_query_copy (&own, query);
    own.measure = measure;
    own.is_inverted = false;
    if (marks->tree == NULL)
        marks->tree = pv_call_tree_build_stacks (profile, symbols, &own, NULL, marks->job, error);
    if (marks->tree == NULL)
        return false;
    Source source = {.measure = measure};
    pv_sample_filter_init (&source.filter, &own, profile);
    source.next = source.filter.first;
    skip (marks, &source);
    pv_array_push (&marks->sources, source);
    return pv_job_check (marks->job, error);
}

PvMarks *
pv_marks_new (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
              bool all, PvJob *job, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL);
    g_assert (all || pv_marks_can_build (profile, query->measure));
    g_autoptr (PvMarks) marks = g_new0 (PvMarks, 1);
    marks->job = job;
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if ((all ? pv_marks_can_build (profile, m) : m == query->measure) &&
            pv_profile_get_measure_set (profile, m)->n_samples > 0 &&
            !add_source (marks, profile, symbols, query, m, error))
            return NULL;
    return g_steal_pointer (&marks);
}

void
pv_marks_free (PvMarks *marks)
{
    if (marks == NULL)
        return;
    for (size_t i = 0; i < marks->sources.len; i++)
        pv_sample_filter_clear (&marks->sources.data[i].filter);
    pv_call_tree_free (marks->tree);
    pv_array_clear (&marks->sources);
    g_free (marks);
}

bool
pv_marks_next (PvMarks *marks, PvMark *ret_mark)
{
    g_assert (marks != NULL && ret_mark != NULL);
    Source *earliest = NULL;
    uint64_t earliest_ns = 0;
    for (size_t i = 0; i < marks->sources.len; i++) {
        Source *source = &marks->sources.data[i];
        if (source->next >= source->filter.last)
            continue;
        uint64_t time_ns = pv_sample_set_time_ns (source->filter.set, source->next);
        if (earliest == NULL || time_ns < earliest_ns) {
            earliest = source;
            earliest_ns = time_ns;
        }
    }
    if (earliest == NULL)
        return false;
    *ret_mark = (PvMark){earliest->measure, earliest->filter.set, earliest->next++};
    skip (marks, earliest);
    return true;
}

/* Sums */

static void
add_number (PvMarkSum *sum, uint64_t number)
{
    bool is_less = sum->is_signed ? (int64_t)number < (int64_t)sum->min : number < sum->min;
    bool is_more = sum->is_signed ? (int64_t)number > (int64_t)sum->max : number > sum->max;
    if (is_less || sum->n_marks == 0)
        sum->min = number;
    if (is_more || sum->n_marks == 0)
        sum->max = number;
    sum->n_marks++;
    if (sum->is_signed) {
        int64_t result;
        sum->is_too_large |= __builtin_add_overflow ((int64_t)sum->sum, (int64_t)number, &result);
        sum->sum = (uint64_t)result;
    } else {
        sum->is_too_large |= __builtin_add_overflow (sum->sum, number, &sum->sum);
    }
}

bool
pv_mark_sum_add (PvMarkSum *sum, const PvSampleSet *set, const PvField *field, uint32_t sample)
{
    size_t size;
    uint64_t number;
    const uint8_t *data = pv_sample_set_get_record (set, sample, &size);
    if (data == NULL || !pv_field_is_number (field) ||
        !pv_field_get_number (field, data, size, set->fields->swap, &number))
        return false;
    add_number (sum, number);
    return true;
}

static int
compare_sums (const void *a, const void *b)
{
    const PvMarkSum *x = a, *y = b;
    if (x->measure != y->measure)
        return x->measure < y->measure ? -1 : 1;
    if (x->is_too_large != y->is_too_large)
        return x->is_too_large ? -1 : 1;
    if (x->sum != y->sum) {
        bool is_more = x->is_signed ? (int64_t)x->sum > (int64_t)y->sum : x->sum > y->sum;
        return is_more ? -1 : 1;
    }
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

PvMarkSum *
pv_marks_sum_up (PvMarks *marks, const char *name, uint32_t *ret_n)
{
    g_assert (marks != NULL && name != NULL && ret_n != NULL);
    PvIdMap sum_of_key = {0}; /* plus 1 */
    PV_ARRAY (PvMarkSum) sums = {0};
    PvMark mark;
    while (pv_marks_next (marks, &mark)) {
        const PvField *field = pv_fields_find (mark.set->fields, name);
        PvThreadId thread = pv_sample_set_thread (mark.set, mark.sample);
        PvMarkSum one = {.measure = mark.measure, .thread = thread};
        if (field == NULL || !pv_mark_sum_add (&one, mark.set, field, mark.sample))
            continue;
        uint32_t *slot = pv_id_map_slot (&sum_of_key, (uint64_t)mark.measure << 32 | thread);
        if (*slot == 0) {
            PvMarkSum sum = {.measure = mark.measure,
                             .thread = thread,
                             .is_signed = field->kind == PV_FIELD_SIGNED};
            pv_array_push (&sums, sum);
            *slot = (uint32_t)sums.len;
        }
        pv_mark_sum_add (&sums.data[*slot - 1], mark.set, field, mark.sample);
    }
    pv_id_map_clear (&sum_of_key);
    if (sums.len > 0)
        pv_array_sort (&sums, compare_sums);
    *ret_n = (uint32_t)sums.len;
    return sums.data;
}
