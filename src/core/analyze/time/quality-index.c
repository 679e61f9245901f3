/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/time/quality-index.h"

#include "core/base/search.h"

enum { BLOCK = 1024 }; /* samples between two sums */

typedef struct {
    uint32_t n_samples[PV_N_STACK_CLASSES];
} Counts;

struct PvQualityIndex {
    PvProfile *profile; /* a reference */
    const PvSampleSet *set;
    uint8_t *roots;        /* by stack */
    Counts *before;        /* each block */
    uint64_t *lost_before; /* each loss of the profile; one more */
};

static inline void
count_sample (const PvQualityIndex *index, uint32_t sample, Counts *counts)
{
    const PvSampleSet *set = index->set;
    counts->n_samples[pv_stack_quality_classify (pv_sample_set_stack_end (set, sample),
                                                 (PvStackRoot)index->roots[set->stack[sample]])]++;
}

static void
sum_losses (PvQualityIndex *index)
{
    const PvProfile *profile = index->profile;
    index->lost_before = g_new0 (uint64_t, (size_t)profile->n_losses + 1);
    for (uint32_t i = 0; i < profile->n_losses; i++)
        index->lost_before[i + 1] = index->lost_before[i] + profile->losses[i].n_lost;
}

PvQualityIndex *
pv_quality_index_build (const PvProfile *profile, const PvSymbolTable *symbols, uint32_t set,
                        PvJob *job)
{
    g_assert (profile != NULL && symbols != NULL && set < profile->n_sets);
    g_autoptr (PvQualityIndex) index = g_new0 (PvQualityIndex, 1);
    Counts counts = {0};
    index->profile = pv_profile_ref (profile);
    index->set = &profile->sets[set];
    index->roots = pv_stack_quality_find_roots (profile, symbols);
    index->before = g_new (Counts, index->set->n_samples / BLOCK + 1);
    index->before[0] = counts;
    sum_losses (index);
    for (uint32_t i = 0; i < index->set->n_samples; i++) {
        count_sample (index, i, &counts);
        if ((i + 1) % BLOCK != 0)
            continue;
        index->before[(i + 1) / BLOCK] = counts;
        if (pv_job_is_cancelled (job))
            return NULL;
    }
    return g_steal_pointer (&index);
}

void
pv_quality_index_free (PvQualityIndex *index)
{
    if (index == NULL)
        return;
    g_free (index->roots);
    g_free (index->before);
    g_free (index->lost_before);
    pv_profile_free (index->profile);
    g_free (index);
}

/* Counts of the samples [0, end). */
static Counts
count_until (const PvQualityIndex *index, uint32_t end)
{
    Counts counts = index->before[end / BLOCK];
    for (uint32_t i = end / BLOCK * BLOCK; i < end; i++)
        count_sample (index, i, &counts);
    return counts;
}

bool
pv_quality_index_is_fine (const PvQualityIndex *index)
{
    g_assert (index != NULL);
    Counts all = count_until (index, index->set->n_samples);
    uint64_t n_bad = all.n_samples[PV_STACK_TRUNCATED] + all.n_samples[PV_STACK_BROKEN];
    /* Only perf tells how it found the callers; elsewhere unknown stacks say nothing. */
    if (index->profile->facts.call_graph != NULL)
        n_bad += all.n_samples[PV_STACK_UNKNOWN];
    return n_bad == 0 && index->profile->n_losses == 0;
}

/* Samples that have no time come first: they are before all bins. */
static uint32_t
find_edge (const PvQualityIndex *index, uint64_t time_ns)
{
    return pv_sample_set_find (index->set, MAX (pv_profile_get_clock (index->profile, time_ns), 1));
}

/* Events lost before a time. */
static uint64_t
count_lost (const PvQualityIndex *index, uint64_t time_ns)
{
    const PvProfile *profile = index->profile;
    return index->lost_before[pv_bisect (0, profile->n_losses, i,
                                         profile->losses[i].time_ns - profile->start_ns < time_ns)];
}

uint64_t *
pv_quality_index_count (const PvQualityIndex *index, const PvTimeView *view)
{
    g_assert (index != NULL && view != NULL && view->n_bins > 0);
    uint64_t *counts = g_new (uint64_t, (size_t)view->n_bins * PV_N_QUALITIES);
    uint32_t first = find_edge (index, pv_time_view_get_start (view, 0));
    uint64_t lost = count_lost (index, pv_time_view_get_start (view, 0));
    Counts before = count_until (index, first);
    for (uint32_t bin = 0; bin < view->n_bins; bin++) {
        uint32_t end = find_edge (index, pv_time_view_get_start (view, bin + 1));
        Counts after = end > first ? count_until (index, end) : before;
        uint64_t *its = counts + (size_t)bin * PV_N_QUALITIES;
        for (unsigned class = 0; class < PV_N_STACK_CLASSES; class ++)
            its[class] = after.n_samples[class] - before.n_samples[class];
        uint64_t lost_after = count_lost (index, pv_time_view_get_start (view, bin + 1));
        its[PV_QUALITY_LOST] = lost_after - lost;
        lost = lost_after;
        before = after;
        first = end;
    }
    return counts;
}
