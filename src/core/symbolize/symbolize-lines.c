/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The second step: functions, inlined frames and lines from DWARF.
 *
 * A task is a compilation unit with all its addresses to look up. Units are processed in rounds,
 * those with most samples first; within a round the largest goes first, so that the workers finish
 * together. After each round the results are merged and may be published, so rounds start small,
 * for an early first result, and grow.
 */
#include <elf.h>
#include <stdlib.h>

#include "core/base/array.h"
#include "core/symbolize/files/file-search.h"
#include "core/symbolize/location-weights.h"
#include "core/symbolize/symbolizer-private.h"

#define FIRST_ROUND_BYTES   (UINT64_C (24) << 20)
#define PUBLISH_INTERVAL_US 250000

/* A unit to index. */
typedef struct {
    PvModuleWork *work;
    uint32_t unit;
    uint32_t *addrs; /* indices in the work's addrs, ascending */
    size_t n_addrs;
    uint64_t size_bytes;
    uint64_t weight;
    PvNamedChains named;
    bool is_done;
} Task;

typedef PV_ARRAY (Task) TaskArray;

/* Weights */

static void
weigh_addresses (PvSymbolizing *s)
{
    const PvProfile *profile = s->profile;
    uint64_t *weight_of_location = g_new0 (uint64_t, profile->n_locations);
    uint64_t *self_of_location = g_new0 (uint64_t, profile->n_locations);

    pv_location_weights_add (profile, weight_of_location, self_of_location);
    for (size_t w = 0; w < s->n_works; w++) {
        PvModuleWork *work = &s->works[w];
        work->weight_of_addr = g_new0 (uint64_t, work->n_addrs);
        for (size_t i = 0; i < work->n_addrs; i++)
            for (uint32_t l = work->first_location[i]; l < work->first_location[i + 1]; l++)
                work->weight_of_addr[i] += weight_of_location[work->locations[l]];
        for (size_t l = 0; l < work->n_locations; l++) {
            work->weight += weight_of_location[work->locations[l]];
            work->self_weight += self_of_location[work->locations[l]];
        }
    }
    g_free (weight_of_location);
    g_free (self_of_location);
}

/* Choosing units */

typedef struct {
    PvSymbolizing *s;
    TaskArray *tasks_of_work;
} Planning;

/* Sorts the work's addresses by unit; each run is a task. */
static void
make_tasks (PvModuleWork *work, TaskArray *tasks)
{
    PV_ARRAY (uint64_t) keys = {0}; /* unit << 32 | index of address */

    for (size_t i = 0; i < work->n_addrs; i++) {
        if (work->has_lines && work->chains[i].n_frames > 0)
            continue; /* named by Go's own table, which lacks the program's C code */
        uint32_t unit = pv_dwarf_units_find (work->units, work->addrs[i]);
        if (unit != UINT32_MAX)
            pv_array_push (&keys, (uint64_t)unit << 32 | i);
    }
    keys.len = pv_sort_numbers (keys.data, keys.len);
    for (size_t first = 0, end; first < keys.len; first = end) {
        uint32_t unit = (uint32_t)(keys.data[first] >> 32);
        Task task = {
            .work = work, .unit = unit, .size_bytes = pv_dwarf_units_get_size (work->units, unit)};
        for (end = first; end < keys.len && keys.data[end] >> 32 == unit; end++)
            task.weight += work->weight_of_addr[(uint32_t)keys.data[end]];
        task.n_addrs = end - first;
        task.addrs = g_new (uint32_t, task.n_addrs);
        for (size_t i = 0; i < task.n_addrs; i++)
            task.addrs[i] = (uint32_t)keys.data[first + i];

        pv_array_push (tasks, task);
    }
    pv_array_clear (&keys);
}

static void
plan_work (void *data, size_t item, unsigned worker)
{
    Planning *planning = data;
    PvModuleWork *work = &planning->s->works[item];
    const PvModuleFile *file = work->file;

    if (pv_job_is_cancelled (planning->s->job) || work->n_addrs == 0 || !work->is_link ||
        file->debug == NULL || !pv_elf_image_has_debug_info (file->debug))
        return;
    if (pv_elf_image_get_type (file->debug) == ET_REL) /* its addresses are not relocated yet */
        return;
    work->units = pv_dwarf_units_new (file, planning->s->job, &work->problem);
    if (work->units != NULL)
        make_tasks (work, &planning->tasks_of_work[item]);
}

/* Hottest first; the rest makes the order deterministic. */
static int
compare_weights (const void *a_, const void *b_)
{
    const Task *a = a_, *b = b_;
    return pv_order (b->weight, a->weight) ?: pv_order (a->work->id, b->work->id) ?:
           pv_order (a->unit, b->unit);
}

static int
compare_sizes (const void *a_, const void *b_)
{
    const Task *a = a_, *b = b_;
    return pv_order (b->size_bytes, a->size_bytes) ?: compare_weights (a, b);
}

static TaskArray
plan (PvSymbolizing *s)
{
    Planning planning = {s, g_new0 (TaskArray, s->n_works)};
    TaskArray tasks = {0};

    pv_pool_run (s->pool, s->n_works, plan_work, &planning);
    for (size_t w = 0; w < s->n_works; w++) {
        pv_array_append (&tasks, planning.tasks_of_work[w].data, planning.tasks_of_work[w].len);
        pv_array_clear (&planning.tasks_of_work[w]);
    }
    g_free (planning.tasks_of_work);
    pv_array_sort (&tasks, compare_weights);
    return tasks;
}

/* A round */

/* The state of a pool worker; lives for one round. */
typedef struct {
    PvArena *arena;         /* results of the round */
    PvDemangler *demangler; /* its strings are in the arena */
    PvDwarfWorker **dwarfs; /* one per work; NULL until used */
} Worker;

typedef struct {
    PvSymbolizing *s;
    Task *tasks;
    size_t n_tasks;
    Worker *workers;
} Round;

static void
resolve_task (void *data, size_t item, unsigned worker_index)
{
    Round *round = data;
    PvSymbolizing *s = round->s;
    Task *task = &round->tasks[item];
    PvModuleWork *work = task->work;
    Worker *worker = &round->workers[worker_index];

    if (pv_job_is_cancelled (s->job))
        return;
    if (worker->arena == NULL) {
        worker->arena = pv_arena_new ();
        worker->demangler = pv_demangler_new (worker->arena, s->options->no_demangle);
        worker->dwarfs = g_new0 (PvDwarfWorker *, s->n_works);
    }
    PvDwarfWorker **dwarf = &worker->dwarfs[work - s->works];
    if (*dwarf == NULL)
        *dwarf = pv_dwarf_worker_new (work->units);

    g_autofree uint64_t *link_addrs = g_new (uint64_t, task->n_addrs);
    g_autofree PvFrameChain *chains = g_new0 (PvFrameChain, task->n_addrs);
    for (size_t i = 0; i < task->n_addrs; i++)
        link_addrs[i] = work->addrs[task->addrs[i]];
    pv_dwarf_worker_resolve (*dwarf, task->unit, link_addrs, task->n_addrs, chains, worker->arena,
                             s->job);
    if (pv_job_is_cancelled (s->job))
        return;
    pv_named_chains_build (&task->named, worker->demangler, work->module, chains, NULL,
                           &work->named, task->addrs, task->n_addrs, worker->arena);
    task->is_done = true;
    pv_job_add_done (s->job, task->size_bytes);
}

static void
clear_worker (PvSymbolizing *s, Worker *worker)
{
    for (size_t w = 0; worker->dwarfs != NULL && w < s->n_works; w++)
        pv_dwarf_worker_free (worker->dwarfs[w]);
    g_free (worker->dwarfs);
    pv_demangler_free (worker->demangler);
    pv_arena_free (worker->arena);
    *worker = (Worker){0};
}

static void
run_round (PvSymbolizing *s, Task *tasks, size_t n_tasks)
{
    unsigned n_workers = pv_pool_get_size (s->pool);
    Round round = {s, tasks, n_tasks, g_new0 (Worker, n_workers)};

    qsort (tasks, n_tasks, sizeof *tasks, compare_sizes);
    pv_pool_run (s->pool, n_tasks, resolve_task, &round);
    for (size_t t = 0; t < n_tasks; t++)
        if (tasks[t].is_done)
            pv_symbolizing_set_frames (s, tasks[t].work, &tasks[t].named, tasks[t].addrs);
    for (unsigned w = 0; w < n_workers; w++)
        clear_worker (s, &round.workers[w]);
    g_free (round.workers);
}

static void
publish_if_due (PvSymbolizing *s)
{
    if (g_get_monotonic_time () - s->last_publish_us >= PUBLISH_INTERVAL_US)
        pv_symbolizing_publish (s, false);
}

static void
run_rounds (PvSymbolizing *s, TaskArray *tasks)
{
    uint64_t budget = FIRST_ROUND_BYTES;

    for (size_t first = 0, end; first < tasks->len; first = end) {
        uint64_t size_bytes = 0;
        for (end = first; end < tasks->len && (end == first || size_bytes < budget); end++)
            size_bytes += tasks->data[end].size_bytes;
        run_round (s, tasks->data + first, end - first);
        if (pv_job_is_cancelled (s->job))
            return;
        if (end < tasks->len)
            publish_if_due (s);
        budget *= 2;
    }
}

void
pv_symbolizing_find_lines (PvSymbolizing *s)
{
    weigh_addresses (s);
    TaskArray tasks = plan (s);
    uint64_t total_bytes = 0;

    for (size_t t = 0; t < tasks.len; t++)
        total_bytes += tasks.data[t].size_bytes;
    pv_job_set_stage (s->job, PV_STAGE_DEBUG_INFO, total_bytes);
    run_rounds (s, &tasks);
    for (size_t t = 0; t < tasks.len; t++)
        g_free (tasks.data[t].addrs);
    pv_array_clear (&tasks);

    for (size_t w = 0; w < s->n_works; w++) {
        PvModuleWork *work = &s->works[w];
        if (work->units == NULL)
            continue;
        pv_symbol_builder_set_module (s->builder, work->id, PV_MODULE_SYMBOLS_FULL,
                                      pv_elf_image_get_path (work->file->debug));
        work->n_foreign_units = pv_dwarf_units_get_n_foreign (work->units, &work->n_unread_units);
        g_clear_pointer (&work->units, pv_dwarf_units_free);
    }
}
