/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/array.h"
#include "core/base/pool.h"
#include "core/symbolize/dwarf/dwarf-index.h"

/*
 * Prints the chain of functions and inlined calls at link addresses: those on standard input (hex,
 * one a line), or one in every STEP bytes of what the units cover. One line a frame, innermost
 * first: address, index, name, file, line, declared in, declared at, separated by tabs.
 * compare-inlines.py holds it against eu-addr2line; --time prints what the stages took instead.
 */
static char *debug_path, *alternate_path;
static int n_workers = 1;
static int step;
static gboolean wants_time;

static const GOptionEntry entries[] = {
    {"debug", 0, 0, G_OPTION_ARG_FILENAME, &debug_path, "Separate debug file", "FILE"},
    {"alternate", 0, 0, G_OPTION_ARG_FILENAME, &alternate_path, "Supplementary file", "FILE"},
    {"jobs", 'j', 0, G_OPTION_ARG_INT, &n_workers, "Threads", "N"},
    {"every", 0, 0, G_OPTION_ARG_INT, &step, "Take an address in every STEP bytes", "STEP"},
    {"time", 0, 0, G_OPTION_ARG_NONE, &wants_time, "Print times only", NULL},
    {NULL},
};

typedef struct {
    uint64_t addr;
    uint32_t unit;
} Query;

typedef struct {
    uint32_t unit;
    size_t first, n; /* queries */
} Batch;

typedef struct {
    const PvDwarfUnits *units;
    PV_ARRAY (Query) queries;
    PV_ARRAY (Batch) batches;
    uint64_t *addrs;
    PvFrameChain *chains;
    PvDwarfWorker **workers;
    PvArena **arenas;
} Dump;

static double
now (void)
{
    struct timespec time;
    clock_gettime (CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static PvElfImage *
open_image (const char *path)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (PvMappedFile) file = path != NULL ? pv_mapped_file_open (path, &error) : NULL;
    PvElfImage *image = file != NULL ? pv_elf_image_new (file, path, &error) : NULL;
    if (error != NULL) {
        fprintf (stderr, "dump-inlines: %s: %s\n", path, error->message);
        exit (1);
    }
    return image;
}

static void
add_query (Dump *dump, uint64_t addr)
{
    pv_array_push (&dump->queries, ((Query){addr, pv_dwarf_units_find (dump->units, addr)}));
}

static void
read_queries (Dump *dump, PvElfImage *binary)
{
    char line[128];
    const PvElfSegment *segments;
    size_t n = pv_elf_image_get_segments (binary, &segments);
    if (step <= 0) {
        while (fgets (line, sizeof line, stdin) != NULL)
            add_query (dump, strtoull (line, NULL, 16));
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (uint64_t at = 0; segments[i].is_executable && at < segments[i].mem_size_bytes;
             at += (unsigned)step)
            add_query (dump, segments[i].link_addr + at);
}

static int
compare_queries (const void *a, const void *b)
{
    const Query *first = a, *second = b;
    if (first->unit != second->unit)
        return first->unit < second->unit ? -1 : 1;
    return first->addr < second->addr ? -1 : first->addr > second->addr;
}

static const Dump *sorted_dump;

static int
compare_batches (const void *a, const void *b)
{
    uint64_t first = pv_dwarf_units_get_size (sorted_dump->units, ((const Batch *)a)->unit);
    uint64_t second = pv_dwarf_units_get_size (sorted_dump->units, ((const Batch *)b)->unit);
    return first > second ? -1 : first < second;
}

static void
make_batches (Dump *dump)
{
    size_t n = dump->queries.len;
    if (n > 0)
        qsort (dump->queries.data, n, sizeof (Query), compare_queries);
    dump->addrs = g_new (uint64_t, n);
    dump->chains = g_new0 (PvFrameChain, n);
    for (size_t i = 0; i < n; i++) {
        const Query *query = &dump->queries.data[i];
        dump->addrs[i] = query->addr;
        if (query->unit == UINT32_MAX)
            continue;
        if (dump->batches.len == 0 || dump->batches.data[dump->batches.len - 1].unit != query->unit)
            pv_array_push (&dump->batches, ((Batch){query->unit, i, 0}));
        dump->batches.data[dump->batches.len - 1].n++;
    }
    sorted_dump = dump;
    if (dump->batches.len > 0)
        qsort (dump->batches.data, dump->batches.len, sizeof (Batch), compare_batches);
}

static void
resolve_batch (void *data, size_t item, unsigned worker)
{
    Dump *dump = data;
    const Batch *batch = &dump->batches.data[item];
    pv_dwarf_worker_resolve (dump->workers[worker], batch->unit, dump->addrs + batch->first,
                             batch->n, dump->chains + batch->first, dump->arenas[worker], NULL);
}

static void
print_chains (const Dump *dump)
{
    for (size_t i = 0; i < dump->queries.len; i++) {
        const PvFrameChain *chain = &dump->chains[i];
        if (chain->n_frames == 0)
            printf ("%" PRIx64 "\t0\t??\t??\t0\t??\t0\n", dump->addrs[i]);
        for (uint32_t k = 0; k < chain->n_frames; k++) {
            const PvChainFrame *frame = &chain->frames[k];
            const char *name = frame->linkage_name != NULL ? frame->linkage_name : frame->name;
            printf ("%" PRIx64 "\t%u\t%s\t%s\t%u\t%s\t%u\n", dump->addrs[i], k,
                    name != NULL ? name : "??", frame->file != NULL ? frame->file : "??",
                    frame->line, frame->decl_file != NULL ? frame->decl_file : "??",
                    frame->decl_line);
        }
    }
}

static void
run (Dump *dump, PvElfImage *binary)
{
    double start = now ();
    read_queries (dump, binary);
    make_batches (dump);
    double sorted = now ();
    g_autoptr (PvPool) pool = pv_pool_new ((unsigned)MAX (n_workers, 1));
    unsigned n = pv_pool_get_size (pool);
    dump->workers = g_new (PvDwarfWorker *, n);
    dump->arenas = g_new (PvArena *, n);
    for (unsigned i = 0; i < n; i++) {
        dump->workers[i] = pv_dwarf_worker_new (dump->units);
        dump->arenas[i] = pv_arena_new ();
    }
    pv_pool_run (pool, dump->batches.len, resolve_batch, dump);
    double resolved = now ();
    size_t n_frames = 0;
    for (size_t i = 0; i < dump->queries.len; i++)
        n_frames += dump->chains[i].n_frames;
    if (wants_time)
        printf ("queries %.1f ms, resolve %.1f ms on %u threads: %zu units, %zu addresses, "
                "%zu frames\n",
                (sorted - start) * 1e3, (resolved - sorted) * 1e3, n, dump->batches.len,
                dump->queries.len, n_frames);
    else
        print_chains (dump);
    for (unsigned i = 0; i < n; i++) {
        pv_dwarf_worker_free (dump->workers[i]);
        pv_arena_free (dump->arenas[i]);
    }
    g_free (dump->workers);
    g_free (dump->arenas);
}

int
main (int argc, char **argv)
{
    g_autoptr (GOptionContext) context = g_option_context_new ("BINARY");
    g_autoptr (GError) error = NULL;
    g_option_context_add_main_entries (context, entries, NULL);
    if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2) {
        fprintf (stderr, "dump-inlines: %s\n", error != NULL ? error->message : "no binary");
        return 2;
    }
    g_autoptr (PvElfImage) binary = open_image (argv[1]);
    g_autoptr (PvElfImage) debug = open_image (debug_path);
    g_autoptr (PvElfImage) alternate = open_image (alternate_path);
    PvModuleFile file = {
        .binary = binary, .debug = debug != NULL ? debug : binary, .alternate = alternate};
    const char *problem = NULL;
    double start = now ();
    g_autoptr (PvDwarfUnits) units = pv_dwarf_units_new (&file, NULL, &problem);
    if (wants_time)
        printf ("unit map %.1f ms\n", (now () - start) * 1e3);
    if (problem != NULL)
        fprintf (stderr, "dump-inlines: %s\n", problem);
    if (units == NULL)
        return 1;
    Dump dump = {.units = units};
    run (&dump, binary);
    pv_array_clear (&dump.queries);
    pv_array_clear (&dump.batches);
    g_free (dump.addrs);
    g_free (dump.chains);
    return 0;
}
