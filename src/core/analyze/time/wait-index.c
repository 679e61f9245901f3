/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/time/wait-index.h"

#include "core/base/ref.h"
#include "core/base/search.h"

enum {
    SAMPLES_PER_CHECK = 1 << 16,
    MAX_SKIPPED = 256, /* waits that no thread ended, before one that a thread did */
};

static const PvSampleSet *
find_set (const PvProfile *profile)
{
    for (uint32_t s = 0; s < profile->n_sets; s++)
        if (profile->sets[s].wait != NULL && profile->sets[s].duration_ns != NULL)
            return &profile->sets[s];
    return NULL;
}

/* Samples are sorted by time, and stay so within each thread. */
static bool
deal_out (PvWaitIndex *index, const bool *is_kept, PvJob *job)
{
    const PvSampleSet *set = index->set;
    uint32_t n_threads = index->profile->n_threads;
    uint32_t *first = index->first_of_thread;
    for (uint32_t i = 0; i < set->n_samples; i++)
        if (is_kept == NULL || is_kept[i])
            first[pv_sample_set_thread (set, i) + 1]++;
    for (uint32_t t = 0; t < n_threads; t++)
        first[t + 1] += first[t];
    g_autofree uint32_t *next = g_memdup2 (first, n_threads * sizeof *first);
    for (uint32_t i = 0; i < set->n_samples; i++) {
        if (i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return false;
        if (is_kept == NULL || is_kept[i])
            index->samples[next[pv_sample_set_thread (set, i)]++] = i;
    }
    for (uint32_t i = 0; i < first[n_threads]; i++)
        index->ns_before[i + 1] = index->ns_before[i] + set->duration_ns[index->samples[i]];
    return true;
}

PvWaitIndex *
pv_wait_index_build (const PvProfile *profile, const bool *is_kept, PvJob *job)
{
    g_assert (profile != NULL);
    const PvSampleSet *set = profile->n_dumps == 0 ? find_set (profile) : NULL;
    if (set == NULL)
        return NULL;
    g_autoptr (PvWaitIndex) index = g_new0 (PvWaitIndex, 1);
    index->ref_count = 1;
    index->profile = pv_profile_ref (profile);
    index->set = set;
    index->first_of_thread = g_new0 (uint32_t, (size_t)profile->n_threads + 1);
    index->samples = g_new (uint32_t, MAX (set->n_samples, 1));
    index->ns_before = g_new0 (uint64_t, (size_t)set->n_samples + 1);
    return deal_out (index, is_kept, job) ? g_steal_pointer (&index) : NULL;
}

PV_DEFINE_REF (pv_wait_index_ref, PvWaitIndex, PvWaitIndex)

void
pv_wait_index_unref (PvWaitIndex *index)
{
    if (!pv_ref_was_last (index))
        return;
    g_free (index->first_of_thread);
    g_free (index->samples);
    g_free (index->ns_before);
    pv_profile_free (index->profile);
    g_free (index);
}

/* The number of waits in [first, end) that start at or before a time in the samples' clock; what is
 * looked for is near the first. */
static uint32_t
count_started (const PvWaitIndex *index, uint32_t first, uint32_t end, uint64_t clock_ns)
{
    return pv_gallop (first, end, i,
                      pv_sample_set_time_ns (index->set, index->samples[i]) <= clock_ns) -
           first;
}

static uint64_t
get_end (const PvSampleSet *set, uint32_t sample)
{
    const uint64_t start_ns = pv_sample_set_time_ns (set, sample);
    return start_ns + MIN (set->duration_ns[sample], UINT64_MAX - start_ns);
}

static bool
lasts_until (const PvWaitIndex *index, uint32_t sample, uint64_t clock_ns)
{
    uint64_t start_ns = pv_sample_set_time_ns (index->set, sample);
    return clock_ns >= start_ns && clock_ns - start_ns < index->set->duration_ns[sample];
}

bool
pv_wait_index_find (const PvWaitIndex *index, PvThreadId thread, uint64_t time_ns,
                    uint32_t *ret_sample)
{
    g_assert (index != NULL && thread < index->profile->n_threads && ret_sample != NULL);
    uint64_t clock_ns = pv_profile_get_clock (index->profile, time_ns);
    uint32_t first = index->first_of_thread[thread];
    uint32_t n = count_started (index, first, index->first_of_thread[thread + 1], clock_ns);
    if (n == 0 || !lasts_until (index, index->samples[first + n - 1], clock_ns))
        return false;
    *ret_sample = index->samples[first + n - 1];
    return true;
}

/* The end of the last of a thread's waits that a thread ended, after one time and by another, in
 * the samples' clock. False if there is none. */
static bool
find_woken (const PvWaitIndex *index, PvThreadId thread, uint64_t after_ns, uint64_t by_ns,
            PvWaitWakerFunc find_waker, void *data, uint64_t *ret_end_ns, PvThreadId *ret_waker)
{
    uint32_t first = index->first_of_thread[thread];
    uint32_t n = count_started (index, first, index->first_of_thread[thread + 1], by_ns);
    for (uint32_t n_skipped = 0; n > 0 && n_skipped < MAX_SKIPPED; n_skipped++) {
        uint32_t sample = index->samples[first + --n];
        *ret_end_ns = get_end (index->set, sample);
        if (*ret_end_ns <= after_ns)
            return false;
        *ret_waker = *ret_end_ns <= by_ns ? find_waker (data, sample) : 0;
        if (*ret_waker != 0)
            return true;
    }
    return false;
}

unsigned
pv_wait_index_follow (const PvWaitIndex *index, uint32_t sample, PvWaitWakerFunc find_waker,
                      void *data, PvWaitStep ret_steps[PV_WAIT_STEPS])
{
    g_assert (index != NULL && sample < index->set->n_samples && find_waker != NULL);
    const uint64_t start_ns = pv_sample_set_time_ns (index->set, sample);
    uint64_t end_ns = get_end (index->set, sample);
    unsigned n = 0;
    for (PvThreadId thread = find_waker (data, sample); thread != 0 && n < PV_WAIT_STEPS; n++) {
        uint64_t from_ns;
        PvThreadId waker;
        if (!find_woken (index, thread, start_ns, end_ns, find_waker, data, &from_ns, &waker)) {
            from_ns = start_ns;
            waker = 0;
        }
        ret_steps[n] = (PvWaitStep){thread, end_ns - from_ns};
        end_ns = from_ns;
        thread = waker;
    }
    return n;
}

/* Total duration of a thread's waits until a time. */
static uint64_t
sum_until (const PvWaitIndex *index, PvThreadId thread, uint64_t time_ns)
{
    uint64_t clock_ns = pv_profile_get_clock (index->profile, time_ns);
    uint32_t first = index->first_of_thread[thread];
    uint32_t n = count_started (index, first, index->first_of_thread[thread + 1], clock_ns);
    if (n == 0)
        return 0;
    uint32_t last = index->samples[first + n - 1];
    uint64_t whole_ns = index->ns_before[first + n - 1] - index->ns_before[first];
    uint64_t last_ns = clock_ns - pv_sample_set_time_ns (index->set, last);
    return whole_ns + MIN (last_ns, index->set->duration_ns[last]);
}

uint64_t
pv_wait_index_sum (const PvWaitIndex *index, PvThreadId thread, uint64_t start_ns, uint64_t end_ns)
{
    g_assert (index != NULL && thread < index->profile->n_threads && start_ns <= end_ns);
    uint64_t end = sum_until (index, thread, end_ns), start = sum_until (index, thread, start_ns);
    return end - MIN (start, end);
}

void
pv_wait_index_sample (const PvWaitIndex *index, PvThreadId thread, uint64_t start_ns,
                      uint64_t end_ns, uint32_t n_bins, uint8_t *ret_kinds)
{
    g_assert (index != NULL && thread < index->profile->n_threads && ret_kinds != NULL);
    g_assert (start_ns <= end_ns);
    uint32_t first = index->first_of_thread[thread], end = index->first_of_thread[thread + 1];
    double bin_ns = (double)(end_ns - start_ns) / MAX (n_bins, 1);
    uint32_t at = first; /* waits before it have started */
    for (uint32_t bin = 0; bin < n_bins; bin++) {
        uint64_t clock_ns =
            pv_profile_get_clock (index->profile, start_ns + (uint64_t)((bin + 0.5) * bin_ns));
        at += count_started (index, at, end, clock_ns);
        ret_kinds[bin] = PV_WAIT_NONE;
        if (at == first || !lasts_until (index, index->samples[at - 1], clock_ns))
            continue;
        uint32_t wait = pv_sample_set_wait (index->set, index->samples[at - 1]);
        char state = wait != 0 ? index->profile->waits[wait].state : 0;
        ret_kinds[bin] = state == 'R' ? PV_WAIT_PREEMPTED : PV_WAIT_BLOCKED;
    }
}
