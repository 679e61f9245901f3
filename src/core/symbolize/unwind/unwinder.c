/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/unwind/unwinder.h"

#include "core/base/pool.h"
#include "core/symbolize/unwind/unwinder-private.h"

/*
 * Stacks are distributed to the pool's workers in runs of consecutive stacks. Each worker has its
 * own cache and memory for results, both kept between calls; module data is shared and immutable
 * once built.
 */
enum {
    STACKS_PER_ITEM = 64,
    FRAMES_PER_BLOCK = 16 * 1024,
    PREFETCH_BYTES = 2048,
    PREFETCH_AHEAD = 4,
};

struct PvUnwinder {
    PvUnwindModules *modules;
    PvPool *pool;
    PvUnwindWorker *workers;
};

PvUnwinder *
pv_unwinder_new (PvModuleFiles *files, unsigned n_workers)
{
    g_assert (files != NULL);

    PvUnwinder *unwinder = g_new0 (PvUnwinder, 1);
    unwinder->modules = pv_unwind_modules_new (files);
    unwinder->pool = pv_pool_new (n_workers);
    unwinder->workers = g_new0 (PvUnwindWorker, pv_pool_get_size (unwinder->pool));
    for (unsigned i = 0; i < pv_pool_get_size (unwinder->pool); i++) {
        PvUnwindWorker *worker = &unwinder->workers[i];
        worker->shared = unwinder->modules;
        worker->steps = g_new0 (PvUnwindStep, PV_STEP_CACHE_SIZE);
        worker->rules = g_new0 (PvRuleSlot, PV_RULE_CACHE_SIZE);
    }
    return unwinder;
}

void
pv_unwinder_free (PvUnwinder *unwinder)
{
    if (unwinder == NULL)
        return;
    for (unsigned i = 0; i < pv_pool_get_size (unwinder->pool); i++) {
        PvUnwindWorker *worker = &unwinder->workers[i];
        for (size_t block = 0; block < worker->n_blocks; block++)
            g_free (worker->blocks[block]);
        g_free (worker->blocks);
        g_free (worker->known);
        g_free (worker->is_known);
        g_free (worker->steps);
        g_free (worker->rules);
    }
    g_free (unwinder->workers);
    pv_pool_free (unwinder->pool);
    pv_unwind_modules_free (unwinder->modules);
    g_free (unwinder);
}

/* Reserves room for the longest stack; the caller then adds what it used to n_used_frames. */
static PvRawFrame *
reserve_frames (PvUnwindWorker *worker)
{
    if (worker->n_used_blocks == 0 ||
        worker->n_used_frames + PV_UNWIND_MAX_FRAMES > FRAMES_PER_BLOCK) {
        if (worker->n_used_blocks == worker->n_blocks) {
            worker->blocks = g_renew (PvRawFrame *, worker->blocks, worker->n_blocks + 1);
            worker->blocks[worker->n_blocks++] = g_new (PvRawFrame, FRAMES_PER_BLOCK);
        }
        worker->n_used_blocks++;
        worker->n_used_frames = 0;
    }
    return worker->blocks[worker->n_used_blocks - 1] + worker->n_used_frames;
}

static void
prefetch_stack (const PvRawStack *raw)
{
    enum { CACHE_LINE = 64 };
    uint32_t size_bytes = MIN (raw->stack_size_bytes, PREFETCH_BYTES);
    __builtin_prefetch (raw->registers);
    for (uint32_t i = 0; i < size_bytes; i += CACHE_LINE)
        __builtin_prefetch (raw->stack + i);
}

typedef struct {
    PvUnwinder *unwinder;
    PvArch arch;
    const PvRawStack *stacks;
    size_t n;
    PvRawResult *results;
    PvJob *job;
} Round;

static void
unwind_item (void *data, size_t item, unsigned worker_index)
{
    const Round *round = data;
    PvUnwindWorker *worker = &round->unwinder->workers[worker_index];
    size_t start = item * STACKS_PER_ITEM;
    size_t end = MIN (start + STACKS_PER_ITEM, round->n);
    for (size_t i = start; i < end && !pv_job_is_cancelled (round->job); i++) {
        if (i + PREFETCH_AHEAD < end)
            prefetch_stack (&round->stacks[i + PREFETCH_AHEAD]);
        pv_unwind_walk (worker, round->arch, &round->stacks[i], reserve_frames (worker),
                        &round->results[i]);
        worker->n_used_frames += round->results[i].n_frames;
    }
}

void
pv_unwinder_unwind (void *unwinder_, PvArch arch, const PvModule *modules, const PvRawStack *stacks,
                    size_t n, PvRawResult *results, PvJob *job)
{
    g_assert (unwinder_ != NULL);
    g_assert (n == 0 || (stacks != NULL && results != NULL));

    PvUnwinder *unwinder = unwinder_;
    for (unsigned i = 0; i < pv_pool_get_size (unwinder->pool); i++) {
        unwinder->workers[i].modules = modules;
        unwinder->workers[i].arch = arch;
        unwinder->workers[i].n_used_blocks = 0;
        unwinder->workers[i].n_used_frames = 0;
    }
    Round round = {unwinder, arch, stacks, n, results, job};
    pv_pool_run (unwinder->pool, (n + STACKS_PER_ITEM - 1) / STACKS_PER_ITEM, unwind_item, &round);
    if (pv_job_is_cancelled (job))
        memset (results, 0, n * sizeof *results);
}
