/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/finding-holder.h"

#include "core/analyze/tables/wakers.h"
#include "core/analyze/time/wait-index.h"

enum { ITEMS_PER_CHECK = 1 << 16 };

/* Who woke whom in the waits of a measure, by rows of the profile's table of waits. */
typedef struct {
    const PvFindingContext *context;
    const PvSampleSet *set;
    uint8_t *known;
} Wakers;

/* The thread that woke who waited; 0: it is not known, or an interrupt did. */
static PvThreadId
find_waker (void *data, uint32_t sample)
{
    enum { IS_THREAD = 1, IS_INTERRUPT = 2 };
    const Wakers *self = data;
    const PvProfile *profile = self->context->profile;
    const uint32_t wait = pv_sample_set_wait (self->set, sample);
    PvFunctionId functions[PV_WAKER_FUNCTIONS];
    if (self->known[wait] == 0)
        self->known[wait] = pv_wakers_find_functions (profile, self->context->symbols,
                                                      profile->waits[wait].waker_stack, functions)
                                ? IS_INTERRUPT
                                : IS_THREAD;
    return self->known[wait] == IS_INTERRUPT ? 0 : profile->waits[wait].waker;
}

/* The waits that count; NULL when cancelled. */
static PvWaitIndex *
index_waits (const PvFindingContext *context, const PvFindingWeights *weights,
             const uint64_t *bits_of_stack, uint64_t bit)
{
    const PvSampleFilter *filter = &weights->filter;
    const PvSampleSet *set = filter->set;
    g_autofree bool *is_kept = g_new0 (bool, MAX (set->n_samples, 1));
    uint64_t so_far = 0;
    for (uint32_t i = filter->first; i < filter->last; i++) {
        if (i % ITEMS_PER_CHECK == 0 && pv_job_is_cancelled (context->job))
            return NULL;
        const uint64_t weight = pv_finding_weights_get (weights, i, so_far);
        so_far += weight;
        is_kept[i] = weight > 0 && (bits_of_stack[set->stack[i]] & bit) != 0;
    }
    return pv_wait_index_build (context->profile, is_kept, context->job);
}

PvHolder
pv_finding_find_holder (const PvFindingContext *context, const PvFindingWeights *weights,
                        const uint64_t *bits_of_stack, uint64_t bit)
{
    g_assert (context != NULL && weights != NULL && bits_of_stack != NULL);
    const PvSampleSet *set = weights->filter.set;
    const uint32_t n_threads = context->profile->n_threads;
    PvHolder most = {0};
    if (set->wait == NULL || set->duration_ns == NULL)
        return most;
    g_autoptr (PvWaitIndex) index = index_waits (context, weights, bits_of_stack, bit);
    if (index == NULL || index->set != set)
        return most;
    g_autofree double *of_thread_ns = g_new0 (double, MAX (n_threads, 1));
    g_autofree uint8_t *known = g_new0 (uint8_t, (size_t)context->profile->n_waits + 1);
    Wakers wakers = {context, set, known};
    const uint32_t n_waits = index->first_of_thread[n_threads];
    for (uint32_t i = 0; i < n_waits; i++) {
        PvWaitStep steps[PV_WAIT_STEPS];
        const unsigned n =
            pv_wait_index_follow (index, index->samples[i], find_waker, &wakers, steps);
        for (unsigned s = 0; s < n; s++)
            of_thread_ns[steps[s].thread] += (double)steps[s].ns;
    }
    for (PvThreadId t = 1; t < n_threads; t++)
        if (of_thread_ns[t] > of_thread_ns[most.thread])
            most.thread = t;
    if (most.thread != 0)
        most.share = of_thread_ns[most.thread] / (double)index->ns_before[n_waits];
    return most;
}
