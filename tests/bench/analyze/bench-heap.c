/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the history of a heap costs: events into the builder, and questions to what comes out.
 *
 *     bench-heap [EVENTS [SITES [STAMPS]]]
 *
 * Makes up a program that allocates and frees all the time at random sites, some much more than
 * others, and keeps some ten thousand blocks. The default is small; 85000000 60000 4900 is as much
 * as a minute of a busy program. Time is in milliseconds that pass and milliseconds of processor
 * time, the best of five where things are done again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../times.h"
#include "core/analyze/series/series-build.h"
#include "core/analyze/tables/functions.h"
#include "core/base/hash.h"
#include "core/model/build/builder.h"

enum { REPEATS = 5, N_BLOCKS = 1 << 14, BATCH = 1 << 16, DEPTH = 12, FUNCTIONS = 900 };

typedef struct {
    double wall_ms;
    double processor_ms; /* all threads */
} Times;

static Times
get_times_since (Times start)
{
    return (Times){bench_get_ms (CLOCK_MONOTONIC) - start.wall_ms,
                   bench_get_ms (CLOCK_PROCESS_CPUTIME_ID) - start.processor_ms};
}

static void
keep_best (Times *best, Times times)
{
    best->wall_ms = MIN (best->wall_ms, times.wall_ms);
    best->processor_ms = MIN (best->processor_ms, times.processor_ms);
}

static void
print_times (const char *what, Times times)
{
    printf ("%-24s %8.1f ms %8.1f ms  ", what, times.wall_ms, times.processor_ms);
}

static const Times zero, forever = {1e18, 1e18};

static uint64_t
next_random (uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    return pv_hash_mix (*state);
}

/* --- events ----------------------------------------------------------------------------------- */

typedef struct {
    uint32_t site;
    uint32_t time_ms;
    uint64_t bytes;
} Block;

typedef struct {
    uint64_t random;
    uint32_t n_sites;
    uint32_t now_ms;
    uint64_t events_per_stamp;
    uint64_t n_made;
    Block blocks[N_BLOCKS]; /* bytes 0: none */
    PvHeapEvent events[BATCH];
} Program;

/* Half of all allocations are at a sixteenth of the sites. */
static uint32_t
random_site (Program *program, uint64_t r)
{
    uint32_t n = r & 1 ? program->n_sites : program->n_sites / 16 + 1;
    return (uint32_t)((r >> 8) % n);
}

static PvHeapEvent
next_event (Program *program)
{
    if (program->n_made++ % program->events_per_stamp == 0) {
        program->now_ms += 10;
        return (PvHeapEvent){.kind = PV_HEAP_EVENT_TIME, .value = program->now_ms};
    }
    uint64_t r = next_random (&program->random);
    /* Some places are used again at once, others after a long time. */
    uint32_t place = (uint32_t)(r >> 40) % ((uint32_t)4 << (r >> 60) % 13);
    Block *block = &program->blocks[place];
    if (block->bytes > 0) {
        PvHeapEvent event = {
            .kind = PV_HEAP_EVENT_FREE,
            .value = block->bytes,
            .site = block->site,
            .age_ms = program->now_ms - block->time_ms,
        };
        block->bytes = 0;
        return event;
    }
    uint32_t site = random_site (program, r);
    *block = (Block){site, program->now_ms, 16 + (r >> 20) % (site % 8 == 0 ? 4000 : 48)};
    return (PvHeapEvent){.kind = PV_HEAP_EVENT_ALLOC, .value = block->bytes, .site = site};
}

static PvHeap *
build_heap (Program *program, uint64_t n_events, const uint32_t *stacks)
{
    PvHeapBuilder *builder = pv_heap_builder_new (true, 0);
    Times sum = zero;
    for (uint64_t done = 0; done < n_events; done += BATCH) {
        for (unsigned i = 0; i < BATCH; i++)
            program->events[i] = next_event (program);
        Times start = get_times_since (zero);
        pv_heap_builder_add (builder, program->events, BATCH);
        Times times = get_times_since (start);
        sum.wall_ms += times.wall_ms;
        sum.processor_ms += times.processor_ms;
    }
    print_times ("events", sum);
    printf ("%.1f ns of processor time each\n", sum.processor_ms * 1e6 / (double)n_events);
    Times start = get_times_since (zero);
    for (unsigned i = 0; i < N_BLOCKS; i++) {
        const Block *block = &program->blocks[i];
        if (block->bytes > 0)
            pv_heap_builder_add_kept (builder, block->site, program->now_ms - block->time_ms);
    }
    PvHeap *heap = pv_heap_builder_finish (builder, stacks, program->n_sites);
    pv_heap_builder_free (builder);
    print_times ("the history", get_times_since (start));
    printf ("%u bins of %u ms, %.2f M rows\n", heap->n_bins, (unsigned)heap->bin_ms,
            (double)heap->n_rows / 1e6);
    return heap;
}

/* --- questions -------------------------------------------------------------------------------- */

/* Stacks over a few functions; ret_stacks gets one for each site. */
static void
make_stacks (PvProfileBuilder *builder, uint32_t n_sites, uint32_t *ret_stacks)
{
    PvModule module = {.path = "/usr/bin/bench", .kind = PV_MODULE_FILE};
    PvModuleId m = pv_profile_builder_add_module (builder, &module);
    uint64_t random = 7;
    PvStackId stacks[DEPTH + 1] = {0};
    for (uint32_t s = 0; s < n_sites; s++) {
        unsigned shared = s == 0 ? 0 : DEPTH - 1 - (unsigned)(next_random (&random) % 4);
        for (unsigned d = shared; d < DEPTH; d++) {
            uint64_t address = next_random (&random) % FUNCTIONS;
            PvLocationId location =
                pv_profile_builder_location (builder, m, address, PV_LOCATION_EXACT);
            stacks[d + 1] = pv_profile_builder_stack (builder, stacks[d], location);
        }
        ret_stacks[s] = stacks[DEPTH];
    }
}

static PvSymbolTable *
name_functions (const PvProfile *profile)
{
    g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (profile);
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        g_autofree char *name = g_strdup_printf ("function_%u", l);
        PvFunction function = {.name = name, .module = 1};
        PvFrame frame = {.function = pv_symbol_builder_function (names, &function)};
        pv_symbol_builder_set_frames (names, l, &frame, 1);
    }
    return pv_symbol_builder_publish (names, true);
}

static void
time_weights (const PvHeap *heap)
{
    g_autofree int64_t *weights = g_new (int64_t, heap->n_sites);
    for (PvHeapMeasure m = PV_HEAP_PEAK; m < PV_N_HEAP_MEASURES; m++) {
        Times best = forever;
        int64_t total = 0;
        for (unsigned i = 0; i < REPEATS; i++) {
            Times start = get_times_since (zero);
            pv_heap_weigh_sites (heap, m, 0, heap->n_bins, weights, &total);
            keep_best (&best, get_times_since (start));
        }
        print_times (pv_heap_measures[m].name, best);
        printf ("in all %" G_GINT64_FORMAT "\n", total);
    }
}

static void
time_trees (const PvProfile *profile, const PvSymbolTable *symbols, const PvCallTree *tree)
{
    for (PvMeasureId m = 0; m < profile->n_measures; m++) {
        Times best = forever;
        for (unsigned i = 0; i < REPEATS; i++) {
            PvQuery query;
            pv_query_init (&query);
            query.measure = m;
            query.no_default_suppressions = true;
            query.start_ns = profile->duration_ns / 3;
            query.end_ns = profile->duration_ns / 3 * 2;
            Times start = get_times_since (zero);
            g_autoptr (PvCallTree) next =
                pv_call_tree_build (profile, symbols, &query, tree, NULL, NULL);
            keep_best (&best, get_times_since (start));
            g_assert (next != NULL);
        }
        g_autofree char *what = g_strdup_printf ("third: %s", profile->measures[m].name);
        print_times (what, best);
        printf ("a tree of a range\n");
    }
    Times start = get_times_since (zero);
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    print_times ("functions", get_times_since (start));
    printf ("%u, with lifetimes\n", list->n_rows);
}

static void
time_charts (const PvCallTree *tree)
{
    for (PvChartKind kind = 0; kind < PV_N_CHARTS; kind++) {
        Times best = forever;
        uint32_t n_points = 0, n_layers = 0;
        for (unsigned i = 0; i < REPEATS; i++) {
            Times start = get_times_since (zero);
            g_autoptr (PvSeries) series =
                pv_series_build (tree, kind, 0, UINT64_MAX, 12, 1000, NULL);
            keep_best (&best, get_times_since (start));
            n_points = series->n_points;
            n_layers = series->n_layers;
        }
        g_autofree char *what = g_strdup_printf ("chart: %s", pv_chart_kind_get_name (kind));
        print_times (what, best);
        printf ("%u points, %u layers\n", n_points, n_layers);
    }
}

int
main (int argc, char **argv)
{
    uint64_t n_events = argc > 1 ? strtoull (argv[1], NULL, 10) : 2000000;
    uint32_t n_sites = argc > 2 ? (uint32_t)strtoul (argv[2], NULL, 10) : 6000;
    uint64_t n_stamps = argc > 3 ? strtoull (argv[3], NULL, 10) : 600;
    Program *program = g_new0 (Program, 1);
    g_autofree uint32_t *stacks = g_new0 (uint32_t, MAX (n_sites, 1));
    program->n_sites = MAX (n_sites, 1);
    program->events_per_stamp = n_events / MAX (n_stamps, 1) + 1;
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    make_stacks (builder, program->n_sites, stacks);
    pv_profile_builder_set_heap (builder, build_heap (program, n_events, stacks));
    g_free (program);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) symbols = name_functions (profile);
    time_weights (profile->heap);
    PvQuery query;
    pv_query_init (&query);
    g_autoptr (PvCallTree) tree = pv_call_tree_build (profile, symbols, &query, NULL, NULL, NULL);
    time_trees (profile, symbols, tree);
    time_charts (tree);
    struct rusage usage;
    getrusage (RUSAGE_SELF, &usage);
    printf ("%-24s %8ld MB\n", "peak memory", usage.ru_maxrss / 1024);
    return 0;
}
