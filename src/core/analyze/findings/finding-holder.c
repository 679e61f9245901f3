/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/finding-holder.h"

#include "core/analyze/tables/wakers.h"
#include "core/base/array.h"

/* Threads that a wait is followed back to: a convoy has no more. */
enum { MAX_STEPS = 64, ITEMS_PER_CHECK = 1 << 16 };

typedef struct {
    uint64_t start_ns, end_ns;
    PvThreadId thread, waker;
} Wait;

typedef struct {
    PV_ARRAY (Wait) waits; /* by thread and time */
    uint32_t *first_of_thread;
    double *of_thread_ns; /* how long others waited for it */
    double total_ns;
} Holders;

/* The thread that woke who waited; 0: it is not known, or an interrupt did. */
static PvThreadId
find_waker (const PvFindingContext *context, uint32_t wait, uint8_t *known)
{
    enum { IS_THREAD = 1, IS_INTERRUPT = 2 };
    const PvWait *row = &context->profile->waits[wait];
    PvFunctionId functions[PV_WAKER_FUNCTIONS];
    if (known[wait] == 0)
        known[wait] = pv_wakers_find_functions (context->profile, context->symbols,
                                                row->waker_stack, functions)
                          ? IS_INTERRUPT
                          : IS_THREAD;
    return known[wait] == IS_INTERRUPT ? 0 : row->waker;
}

static int
compare_waits (const void *a, const void *b)
{
    const Wait *x = a, *y = b;
    return x->thread != y->thread ? pv_order (x->thread, y->thread)
                                  : pv_order (x->end_ns, y->end_ns);
}

static bool
list_waits (Holders *holders, const PvFindingContext *context, const PvFindingWeights *weights,
            const uint64_t *bits_of_stack, uint64_t bit)
{
    const PvSampleFilter *filter = &weights->filter;
    const PvSampleSet *set = filter->set;
    g_autofree uint8_t *known = g_new0 (uint8_t, (size_t)context->profile->n_waits + 1);
    uint64_t so_far = 0;
    for (uint32_t i = filter->first; i < filter->last; i++) {
        if (i % ITEMS_PER_CHECK == 0 && pv_job_is_cancelled (context->job))
            return false;
        const uint64_t weight = pv_finding_weights_get (weights, i, so_far);
        so_far += weight;
        if (weight == 0 || (bits_of_stack[set->stack[i]] & bit) == 0)
            continue;
        const uint64_t start_ns = pv_sample_set_time_ns (set, i);
        const Wait wait = {
            .start_ns = start_ns,
            .end_ns = start_ns + MIN (set->duration_ns[i], UINT64_MAX - start_ns),
            .thread = pv_sample_set_thread (set, i),
            .waker = find_waker (context, pv_sample_set_wait (set, i), known),
        };
        pv_array_push (&holders->waits, wait);
    }
    return true;
}

static void
index_waits (Holders *holders, uint32_t n_threads)
{
    qsort (holders->waits.data, holders->waits.len, sizeof (Wait), compare_waits);
    for (size_t i = 0, thread = 0; thread <= n_threads; thread++) {
        while (i < holders->waits.len && holders->waits.data[i].thread < thread)
            i++;
        holders->first_of_thread[thread] = (uint32_t)i;
    }
}

/* The thread's last wait that ended by then, and after the other time. NULL: there is none. */
static const Wait *
find_last (const Holders *holders, PvThreadId thread, uint64_t after_ns, uint64_t by_ns)
{
    uint32_t low = holders->first_of_thread[thread], high = holders->first_of_thread[thread + 1];
    const uint32_t first = low;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (holders->waits.data[middle].end_ns <= by_ns)
            low = middle + 1;
        else
            high = middle;
    }
    const Wait *last = low > first ? &holders->waits.data[low - 1] : NULL;
    return last != NULL && last->end_ns > after_ns ? last : NULL;
}

/* Goes back from the end of the wait, from each thread to the one that woke it. */
static void
charge (Holders *holders, const Wait *wait)
{
    uint64_t end_ns = wait->end_ns;
    PvThreadId thread = wait->waker;
    for (unsigned n = 0; n < MAX_STEPS && thread != 0; n++) {
        const Wait *before = find_last (holders, thread, wait->start_ns, end_ns);
        const uint64_t from_ns = before != NULL ? before->end_ns : wait->start_ns;
        holders->of_thread_ns[thread] += (double)(end_ns - from_ns);
        if (before == NULL)
            break;
        end_ns = from_ns;
        thread = before->waker;
    }
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
    Holders holders = {.first_of_thread = g_new0 (uint32_t, (size_t)n_threads + 2),
                       .of_thread_ns = g_new0 (double, MAX (n_threads, 1))};
    if (list_waits (&holders, context, weights, bits_of_stack, bit)) {
        index_waits (&holders, n_threads);
        for (size_t i = 0; i < holders.waits.len; i++) {
            holders.total_ns +=
                (double)(holders.waits.data[i].end_ns - holders.waits.data[i].start_ns);
            charge (&holders, &holders.waits.data[i]);
        }
        for (PvThreadId t = 1; t < n_threads; t++)
            if (holders.of_thread_ns[t] > holders.of_thread_ns[most.thread])
                most.thread = t;
        if (most.thread != 0)
            most.share = holders.of_thread_ns[most.thread] / holders.total_ns;
    }
    pv_array_clear (&holders.waits);
    g_free (holders.first_of_thread);
    g_free (holders.of_thread_ns);
    return most;
}
