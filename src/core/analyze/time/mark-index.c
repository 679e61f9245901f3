/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/time/mark-index.h"

#include <stdlib.h>

#include "core/base/ref.h"
#include "core/base/search.h"

enum { SAMPLES_PER_CHECK = 1 << 16 };

typedef struct {
    uint64_t time_ns;
    uint32_t sample;
    uint16_t set;
} Mark;

static bool
is_context_switches (const char *name)
{
    return g_str_has_prefix (name, "context-switches") || strcmp (name, "cs") == 0 ||
           g_str_has_prefix (name, "cs:");
}

bool
pv_mark_index_takes (const PvSampleSet *set)
{
    g_assert (set != NULL);
    return !set->is_derived &&
           (set->fields != NULL || (set->name != NULL && is_context_switches (set->name)));
}

static bool
has_marks (const PvProfile *profile, uint32_t s, uint32_t except)
{
    return s != except && pv_mark_index_takes (&profile->sets[s]);
}

/* Sets of which there are marks, at most as many as have numbers. */
static uint32_t
count_sets (const PvProfile *profile)
{
    return MIN (profile->n_sets, UINT16_MAX);
}

/* Samples without a time come first. */
static uint32_t
find_first (const PvSampleSet *set)
{
    return pv_sample_set_find (set, 1);
}

/* Counts marks by thread. False: cancelled, no marks, or too many. */
static bool
count_marks (PvMarkIndex *index, PvJob *job)
{
    const PvProfile *profile = index->profile;
    uint64_t n_marks = 0;
    for (uint32_t s = 0; s < count_sets (profile); s++) {
        const PvSampleSet *set = &profile->sets[s];
        if (!has_marks (profile, s, index->except))
            continue;
        for (uint32_t i = find_first (set); i < set->n_samples; i++) {
            if (n_marks == UINT32_MAX || (i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (job)))
                return false;
            index->first_of_thread[pv_sample_set_thread (set, i) + 1]++;
            n_marks++;
        }
        index->has_fields |= set->fields != NULL;
    }
    for (uint32_t t = 0; t < profile->n_threads; t++)
        index->first_of_thread[t + 1] += index->first_of_thread[t];
    return n_marks > 0;
}

static int
compare_marks (const void *a, const void *b)
{
    const Mark *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    return x->sample < y->sample ? -1 : x->sample > y->sample;
}

static void
deal_out (const PvMarkIndex *index, Mark *marks)
{
    const PvProfile *profile = index->profile;
    g_autofree uint32_t *next =
        g_memdup2 (index->first_of_thread, profile->n_threads * sizeof (uint32_t));
    for (uint32_t s = 0; s < count_sets (profile); s++) {
        const PvSampleSet *set = &profile->sets[s];
        if (!has_marks (profile, s, index->except))
            continue;
        for (uint32_t i = find_first (set); i < set->n_samples; i++)
            marks[next[pv_sample_set_thread (set, i)]++] =
                (Mark){pv_sample_set_time_ns (set, i), i, (uint16_t)s};
    }
}

/* Those of a thread are sorted by set and time already. */
static bool
sort (PvMarkIndex *index, PvJob *job)
{
    uint32_t n_threads = index->profile->n_threads;
    uint32_t n_marks = index->first_of_thread[n_threads];
    g_autofree Mark *marks = g_new (Mark, n_marks);
    deal_out (index, marks);
    for (uint32_t t = 0; t < n_threads; t++) {
        uint32_t first = index->first_of_thread[t], end = index->first_of_thread[t + 1];
        if (pv_job_is_cancelled (job))
            return false;
        if (end > first)
            qsort (marks + first, end - first, sizeof *marks, compare_marks);
    }
    index->samples = g_new (uint32_t, n_marks);
    index->sets = g_new (uint16_t, n_marks);
    for (uint32_t i = 0; i < n_marks; i++) {
        index->samples[i] = marks[i].sample;
        index->sets[i] = marks[i].set;
    }
    return true;
}

PvMarkIndex *
pv_mark_index_build (const PvProfile *profile, uint32_t except, PvJob *job)
{
    g_assert (profile != NULL);
    if (profile->n_dumps > 0)
        return NULL;
    g_autoptr (PvMarkIndex) index = g_new0 (PvMarkIndex, 1);
    index->ref_count = 1;
    index->profile = pv_profile_ref (profile);
    index->except = except;
    index->first_of_thread = g_new0 (uint32_t, (size_t)profile->n_threads + 1);
    return count_marks (index, job) && sort (index, job) ? g_steal_pointer (&index) : NULL;
}

PV_DEFINE_REF (pv_mark_index_ref, PvMarkIndex, PvMarkIndex)

void
pv_mark_index_unref (PvMarkIndex *index)
{
    if (!pv_ref_was_last (index))
        return;
    g_free (index->first_of_thread);
    g_free (index->samples);
    g_free (index->sets);
    pv_profile_free (index->profile);
    g_free (index);
}

/* Since profile->start_ns. */
static uint64_t
get_time (const PvMarkIndex *index, uint32_t mark)
{
    const PvSampleSet *set = &index->profile->sets[index->sets[mark]];
    return pv_sample_set_time_ns (set, index->samples[mark]) - index->profile->start_ns;
}

/* The first one in [first, end) at or after a time; what is looked for is near the first. */
static uint32_t
find_from (const PvMarkIndex *index, uint32_t first, uint32_t end, uint64_t time_ns)
{
    return pv_gallop (first, end, i, get_time (index, i) < time_ns);
}

bool
pv_mark_index_find (const PvMarkIndex *index, PvThreadId thread, uint64_t time_ns,
                    uint64_t reach_ns, uint32_t *ret_set, uint32_t *ret_sample)
{
    g_assert (index != NULL && thread < index->profile->n_threads);
    g_assert (ret_set != NULL && ret_sample != NULL);
    uint32_t first = index->first_of_thread[thread], end = index->first_of_thread[thread + 1];
    uint32_t after = find_from (index, first, end, time_ns), nearest = after;
    if (after == end || (after > first &&
                         time_ns - get_time (index, after - 1) < get_time (index, after) - time_ns))
        nearest = after - 1;
    if (first == end)
        return false;
    uint64_t at_ns = get_time (index, nearest);
    *ret_set = index->sets[nearest];
    *ret_sample = index->samples[nearest];
    return (at_ns > time_ns ? at_ns - time_ns : time_ns - at_ns) <= reach_ns;
}

void
pv_mark_index_sample (const PvMarkIndex *index, PvThreadId thread, uint64_t start_ns,
                      uint64_t end_ns, uint32_t n_bins, uint8_t *ret_has_any)
{
    g_assert (index != NULL && thread < index->profile->n_threads && ret_has_any != NULL);
    g_assert (start_ns <= end_ns);
    uint32_t end = index->first_of_thread[thread + 1];
    double bin_ns = (double)(end_ns - start_ns) / MAX (n_bins, 1);
    uint32_t at = find_from (index, index->first_of_thread[thread], end, start_ns);
    for (uint32_t bin = 0; bin < n_bins; bin++) {
        uint64_t until_ns = bin + 1 == n_bins ? end_ns : start_ns + (uint64_t)((bin + 1) * bin_ns);
        uint32_t next = find_from (index, at, end, until_ns);
        ret_has_any[bin] = next > at;
        at = next;
    }
}
