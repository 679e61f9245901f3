/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/machine/code-chains.h"

#include <elf.h>

#include "core/base/array.h"
#include "core/base/pool.h"
#include "core/symbolize/dwarf/dwarf-index.h"
#include "core/symbolize/go/go-pclntab.h"

/* Instructions that are of one unit; their addresses ascend. */
typedef struct {
    uint64_t addr;
    uint32_t unit;
    uint32_t first;
    uint32_t n;
} Run;

/* Runs of one unit, which are read together. */
typedef struct {
    size_t first_run;
    size_t n_runs;
    uint32_t n; /* instructions */
} Task;

typedef struct {
    const PvInstruction *instructions;
    uint32_t n_instructions;
    const PvDwarfUnits *units;
    PvCodeChains *chains;
    PvDwarfWorker **dwarfs; /* by worker */
    PV_ARRAY (Run) runs;
    PV_ARRAY (Task) tasks;
    PvJob *job;
} Finding;

/* --- DWARF --- */

static int
compare_runs (const void *a_, const void *b_)
{
    const Run *a = a_, *b = b_;
    return pv_order (a->unit, b->unit) ?: pv_order (a->addr, b->addr) ?:
           pv_order (a->first, b->first);
}

static void
add_runs (Finding *finding)
{
    const PvInstruction *rows = finding->instructions;
    for (uint32_t first = 0, next; first < finding->n_instructions; first = next) {
        const uint32_t unit = pv_dwarf_units_find (finding->units, rows[first].addr);
        for (next = first + 1; next < finding->n_instructions &&
                               rows[next].addr > rows[next - 1].addr &&
                               pv_dwarf_units_find (finding->units, rows[next].addr) == unit;)
            next++;
        if (unit != UINT32_MAX)
            pv_array_push (&finding->runs, ((Run){rows[first].addr, unit, first, next - first}));
    }
    pv_array_sort (&finding->runs, compare_runs);
}

/* Addresses of a task ascend: where symbols overlap, it ends. */
static void
add_tasks (Finding *finding)
{
    const PvInstruction *rows = finding->instructions;
    for (size_t r = 0; r < finding->runs.len; r++) {
        const Run *run = &finding->runs.data[r];
        const Run *before = r > 0 ? run - 1 : NULL;
        if (before == NULL || before->unit != run->unit ||
            rows[before->first + before->n - 1].addr >= run->addr)
            pv_array_push (&finding->tasks, ((Task){.first_run = r}));
        Task *task = &finding->tasks.data[finding->tasks.len - 1];
        task->n_runs++;
        task->n += run->n;
    }
}

static void
resolve_task (void *data, size_t item, unsigned worker)
{
    Finding *finding = data;
    const Task *task = &finding->tasks.data[item];
    const Run *runs = finding->runs.data + task->first_run;
    g_autofree uint64_t *addrs = g_new (uint64_t, task->n);
    g_autofree PvFrameChain *chains = g_new0 (PvFrameChain, task->n);
    uint32_t n = 0;

    if (finding->dwarfs[worker] == NULL)
        finding->dwarfs[worker] = pv_dwarf_worker_new (finding->units);
    for (size_t r = 0; r < task->n_runs; r++)
        for (uint32_t i = 0; i < runs[r].n; i++)
            addrs[n++] = finding->instructions[runs[r].first + i].addr;
    pv_dwarf_worker_resolve (finding->dwarfs[worker], runs[0].unit, addrs, n, chains,
                             finding->chains->arenas[worker], finding->job);
    n = 0;
    for (size_t r = 0; r < task->n_runs; r++)
        for (uint32_t i = 0; i < runs[r].n; i++)
            finding->chains->chains[runs[r].first + i] = chains[n++];
}

static void
find_in_dwarf (Finding *finding, PvPool *pool)
{
    const unsigned n_workers = pv_pool_get_size (pool);
    finding->dwarfs = g_new0 (PvDwarfWorker *, n_workers);
    pv_pool_run (pool, finding->tasks.len, resolve_task, finding);
    for (unsigned w = 0; w < n_workers; w++)
        pv_dwarf_worker_free (finding->dwarfs[w]);
    g_free (finding->dwarfs);
}

/* --- other tables --- */

static void
find_in_recording (const Finding *finding, const PvCodePlaces *places)
{
    const PvInstruction *rows = finding->instructions;
    PvCodeChains *chains = finding->chains;
    for (uint32_t first = 0, next; first < finding->n_instructions; first = next) {
        for (next = first + 1;
             next < finding->n_instructions && rows[next].addr > rows[next - 1].addr;)
            next++;
        g_autofree uint64_t *addrs = g_new (uint64_t, next - first);
        for (uint32_t i = first; i < next; i++)
            addrs[i - first] = rows[i].addr;
        chains->has_lines |= pv_code_places_find_lines (places, addrs, next - first,
                                                        chains->chains + first, chains->arenas[0]);
    }
}

static void
find_in_go_table (const Finding *finding, const PvCodePlaces *places)
{
    PvCodeChains *chains = finding->chains;
    g_autoptr (PvGoTable) table = pv_go_table_new (places->file->binary, chains->arenas[0]);
    chains->has_lines |= table != NULL;
    for (uint32_t i = 0; table != NULL && i < finding->n_instructions; i++)
        if (!pv_job_is_cancelled (finding->job))
            pv_go_table_find (table, finding->instructions[i].addr, &chains->chains[i]);
}

void
pv_code_chains_find (PvCodeChains *chains, const PvCodePlaces *places,
                     const PvInstruction *instructions, uint32_t n_instructions, PvJob *job)
{
    g_assert (chains != NULL && places != NULL && (instructions != NULL || n_instructions == 0));

    const PvModuleFile *file = places->file;
    Finding finding = {.instructions = instructions,
                       .n_instructions = n_instructions,
                       .chains = chains,
                       .job = job};
    if (file->debug != NULL && pv_elf_image_get_type (file->debug) != ET_REL)
        finding.units = pv_code_files_borrow_units (places->files, file, job);
    if (finding.units != NULL)
        add_runs (&finding);
    add_tasks (&finding);
    g_autoptr (PvPool) pool =
        pv_pool_new (finding.tasks.len > 1 ? pv_code_files_get_n_workers (places->files) : 1);
    *chains =
        (PvCodeChains){.has_lines = finding.units != NULL, .n_arenas = pv_pool_get_size (pool)};
    chains->chains = g_new0 (PvFrameChain, MAX (n_instructions, 1));
    chains->arenas = g_new (PvArena *, chains->n_arenas);
    for (unsigned a = 0; a < chains->n_arenas; a++)
        chains->arenas[a] = pv_arena_new ();
    if (places->named != NULL)
        find_in_recording (&finding, places);
    find_in_dwarf (&finding, pool);
    find_in_go_table (&finding, places);
    pv_code_files_return_units (places->files, finding.units);
    pv_array_clear (&finding.runs);
    pv_array_clear (&finding.tasks);
}

void
pv_code_chains_clear (PvCodeChains *chains)
{
    g_assert (chains != NULL);
    for (unsigned a = 0; a < chains->n_arenas; a++)
        pv_arena_free (chains->arenas[a]);
    g_free (chains->arenas);
    g_free (chains->chains);
    *chains = (PvCodeChains){0};
}
