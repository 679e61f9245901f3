#include "core/analyze/query.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/analyze/heap-weights.h"
#include "core/analyze/sample-filter.h"

void
pv_query_init (PvQuery *query)
{
    *query = (PvQuery){.end_ns = UINT64_MAX};
}

void
pv_query_set_defaults (PvQuery *query, const PvProfile *profile)
{
    if (profile->heap == NULL)
        return;
    for (uint32_t i = 0; i < query->n_transforms; i++)
        if (query->transforms[i].kind == PV_TRANSFORM_HIDE_ALLOCATORS)
            return;
    pv_query_add_transform (query, PV_TRANSFORM_HIDE_ALLOCATORS, NULL);
    PvTransform hide = query->transforms[query->n_transforms - 1];
    memmove (query->transforms + 1, query->transforms,
             (query->n_transforms - 1) * sizeof (PvTransform));
    query->transforms[0] = hide;
}

void
pv_query_copy (PvQuery *ret_copy, const PvQuery *query)
{
    PvQuery copy = *query;
    copy.processes = g_memdup2 (query->processes, query->n_processes * sizeof (PvProcessId));
    copy.threads = g_memdup2 (query->threads, query->n_threads * sizeof (PvThreadId));
    copy.cpus = g_memdup2 (query->cpus, query->n_cpus * sizeof (uint16_t));
    copy.transforms = g_memdup2 (query->transforms, query->n_transforms * sizeof (PvTransform));
    for (uint32_t i = 0; i < copy.n_transforms; i++)
        copy.transforms[i].expression = g_strdup (query->transforms[i].expression);
    copy.suppressions = pv_suppressions_ref (query->suppressions);
    *ret_copy = copy;
}

void
pv_query_clear (PvQuery *query)
{
    for (uint32_t i = 0; i < query->n_transforms; i++)
        g_free (query->transforms[i].expression);
    g_free (query->transforms);
    g_free (query->processes);
    g_free (query->threads);
    g_free (query->cpus);
    pv_suppressions_free (query->suppressions);
    pv_query_init (query);
}

static bool
same_array (const void *a, uint32_t n_a, const void *b, uint32_t n_b, size_t element_size)
{
    return n_a == n_b && (n_a == 0 || memcmp (a, b, n_a * element_size) == 0);
}

bool
pv_query_equal (const PvQuery *a, const PvQuery *b)
{
    return pv_query_same_shape (a, b) && a->measure == b->measure && a->start_ns == b->start_ns &&
           a->end_ns == b->end_ns && a->no_default_suppressions == b->no_default_suppressions &&
           pv_suppressions_equal (a->suppressions, b->suppressions) &&
           same_array (a->processes, a->n_processes, b->processes, b->n_processes,
                       sizeof (PvProcessId)) &&
           same_array (a->threads, a->n_threads, b->threads, b->n_threads, sizeof (PvThreadId)) &&
           same_array (a->cpus, a->n_cpus, b->cpus, b->n_cpus, sizeof (uint16_t));
}

bool
pv_query_same_shape (const PvQuery *a, const PvQuery *b)
{
    if (a->granularity != b->granularity || a->grouping != b->grouping ||
        a->is_inverted != b->is_inverted || a->no_inline != b->no_inline ||
        a->n_transforms != b->n_transforms)
        return false;
    for (uint32_t i = 0; i < a->n_transforms; i++) {
        if (a->transforms[i].kind != b->transforms[i].kind ||
            g_strcmp0 (a->transforms[i].expression, b->transforms[i].expression) != 0)
            return false;
    }
    return true;
}

/* 0: there is none like it. */
static PvProcessId
find_process (const PvProfile *profile, const PvProcess *wanted)
{
    for (PvProcessId p = 1; p < profile->n_processes; p++) {
        const PvProcess *process = &profile->processes[p];
        if (process->pid == wanted->pid && process->start_ns == wanted->start_ns)
            return p;
    }
    return 0;
}

static PvThreadId
find_thread (const PvProfile *profile, const PvThread *wanted)
{
    for (PvThreadId t = 1; t < profile->n_threads; t++) {
        const PvThread *thread = &profile->threads[t];
        if (thread->tid == wanted->tid && thread->start_ns == wanted->start_ns)
            return t;
    }
    return 0;
}

void
pv_query_adapt (PvQuery *query, const PvProfile *from, const PvProfile *to)
{
    uint32_t n = 0;

    if (from == to)
        return;
    if (query->measure < from->n_measures)
        query->measure = pv_profile_find_measure (to, from->measures[query->measure].name);
    if (query->measure >= to->n_measures)
        query->measure = 0;
    for (uint32_t i = 0; i < query->n_processes; i++) {
        PvProcessId found = find_process (to, &from->processes[query->processes[i]]);
        if (found != 0)
            query->processes[n++] = found;
    }
    query->n_processes = n;
    n = 0;
    for (uint32_t i = 0; i < query->n_threads; i++) {
        PvThreadId found = find_thread (to, &from->threads[query->threads[i]]);
        if (found != 0)
            query->threads[n++] = found;
    }
    query->n_threads = n;
}

void
pv_query_add_transform (PvQuery *query, PvTransformKind kind, const char *expression)
{
    query->transforms = g_renew (PvTransform, query->transforms, query->n_transforms + 1);
    query->transforms[query->n_transforms++] = (PvTransform){kind, g_strdup (expression)};
}

bool
pv_transform_kind_has_expression (PvTransformKind kind)
{
    return kind != PV_TRANSFORM_COLLAPSE_RECURSION && kind != PV_TRANSFORM_HIDE_ALLOCATORS;
}

bool
pv_query_check (const PvQuery *query, GError **error)
{
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        const PvTransform *transform = &query->transforms[i];
        if (!pv_transform_kind_has_expression (transform->kind))
            continue;
        if (transform->expression == NULL) {
            g_set_error (error, G_REGEX_ERROR, G_REGEX_ERROR_COMPILE,
                         _ ("The filter has no expression"));
            return false;
        }
        g_autoptr (GRegex) regex = g_regex_new (transform->expression, 0, 0, error);
        if (regex == NULL)
            return false;
    }
    return true;
}

static bool
contains_id (const uint32_t *ids, uint32_t n_ids, uint32_t id)
{
    for (uint32_t i = 0; i < n_ids; i++) {
        if (ids[i] == id)
            return true;
    }
    return n_ids == 0;
}

/* One answer for each thread row, so that a sample costs one look-up. */
static bool *
allowed_threads (const PvQuery *query, const PvProfile *profile)
{
    if (query->n_processes == 0 && query->n_threads == 0)
        return NULL;
    bool *is_allowed = g_new (bool, profile->n_threads);
    for (PvThreadId t = 0; t < profile->n_threads; t++)
        is_allowed[t] =
            contains_id (query->threads, query->n_threads, t) &&
            contains_id (query->processes, query->n_processes, profile->threads[t].process);
    return is_allowed;
}

/* The first sample that is not before time_ns. */
static uint32_t
first_sample_at (const PvSampleSet *set, uint64_t time_ns)
{
    uint32_t low = 0, high = set->n_samples;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (set->time_ns[middle] < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void
pv_sample_filter_init (PvSampleFilter *filter, const PvQuery *query, const PvProfile *profile)
{
    *filter = (PvSampleFilter){0};
    if (query->measure >= profile->n_measures)
        return;
    const PvMeasure *measure = &profile->measures[query->measure];
    filter->set = pv_profile_get_measure_set (profile, query->measure);
    if (filter->set == NULL)
        return;
    filter->weights = filter->set->weights[measure->column];
    filter->uniform_weight =
        filter->weights == NULL ? filter->set->uniform_weights[measure->column] : 0;
    filter->is_thread_allowed = allowed_threads (query, profile);
    if (query->n_cpus > 0) {
        filter->is_cpu_allowed = g_new0 (bool, UINT16_MAX + 1);
        for (uint32_t i = 0; i < query->n_cpus; i++)
            filter->is_cpu_allowed[query->cpus[i]] = true;
    }
    filter->has_range = query->start_ns > 0 || query->end_ns != UINT64_MAX;
    if (__builtin_add_overflow (profile->start_ns, query->start_ns, &filter->start_ns))
        filter->start_ns = UINT64_MAX;
    if (__builtin_add_overflow (profile->start_ns, query->end_ns, &filter->end_ns))
        filter->end_ns = UINT64_MAX;
    filter->last = filter->set->n_samples;
    if (filter->has_range && filter->set->duration_ns == NULL) {
        /* Points in order of time: those outside the range need not be looked at. */
        filter->first = first_sample_at (filter->set, filter->start_ns);
        filter->last = first_sample_at (filter->set, filter->end_ns);
    }
}

void
pv_sample_filter_clear (PvSampleFilter *filter)
{
    g_free (filter->is_thread_allowed);
    g_free (filter->is_cpu_allowed);
    *filter = (PvSampleFilter){0};
}

/* Floors of both ends of the part, so that the parts of adjoining ranges add up to the whole. */
uint64_t
pv_sample_filter_clip (const PvSampleFilter *filter, uint32_t sample, uint64_t weight)
{
    uint64_t start_ns = filter->set->time_ns[sample];
    uint64_t duration_ns = filter->set->duration_ns != NULL ? filter->set->duration_ns[sample] : 0;
    if (start_ns == 0)
        return 0;
    if (duration_ns == 0)
        return start_ns >= filter->start_ns && start_ns < filter->end_ns ? weight : 0;
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

static uint64_t *
weigh_heap_stacks (const PvQuery *query, const PvProfile *profile, uint64_t *ret_total,
                   uint64_t ret_end_weights[PV_N_STACK_ENDS])
{
    uint64_t end_weights[PV_N_STACK_ENDS] = {0};
    uint64_t *total = &end_weights[PV_STACK_END_UNKNOWN];
    uint64_t *weight_of_stack = pv_heap_weigh_stacks (profile, query, NULL, total, NULL);
    if (ret_total != NULL)
        *ret_total = *total;
    if (ret_end_weights != NULL)
        memcpy (ret_end_weights, end_weights, sizeof end_weights);
    return weight_of_stack;
}

uint64_t *
pv_query_weigh_stacks (const PvQuery *query, const PvProfile *profile, uint64_t *ret_total,
                       uint64_t ret_end_weights[PV_N_STACK_ENDS])
{
    if (profile->heap != NULL)
        return weigh_heap_stacks (query, profile, ret_total, ret_end_weights);
    PvSampleFilter filter;
    pv_sample_filter_init (&filter, query, profile);
    uint64_t *weight_of_stack = g_new0 (uint64_t, MAX (profile->n_stacks, 1));
    uint64_t end_weights[PV_N_STACK_ENDS] = {0};
    uint64_t total = 0;
    for (uint32_t i = filter.first; i < filter.last; i++) {
        uint64_t weight = pv_sample_filter_weigh (&filter, i, total);
        weight_of_stack[filter.set->stack[i]] += weight;
        end_weights[filter.set->stack_end[i] % PV_N_STACK_ENDS] += weight;
        total += weight;
    }
    pv_sample_filter_clear (&filter);
    if (ret_total != NULL)
        *ret_total = total;
    if (ret_end_weights != NULL)
        memcpy (ret_end_weights, end_weights, sizeof end_weights);
    return weight_of_stack;
}
