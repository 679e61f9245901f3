/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time lines, flame charts and heat maps of many samples: how long their index takes to build and
 * what it needs, and how long sums for the pixels of a picture take, at several zooms. Threads take
 * turns on the processors, as a scheduler lets them: each for a few milliseconds, sampled 4000
 * times a second.
 *
 *     bench-time [SAMPLES [THREADS [PROCESSORS]]]
 *
 * The default is small; 35000000 200 8 is a large recording. Best of five, in milliseconds of
 * processor time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "../times.h"
#include "core/analyze/time/flame-chart.h"
#include "core/analyze/time/heat-map.h"
#include "core/analyze/time/time-bins.h"
#include "core/analyze/time/time-find.h"
#include "core/base/hash.h"
#include "core/model/build/builder.h"
#include "render/flame/flame-graph.h"
#include "render/tracks/heat-picture.h"

enum {
    N_STACKS = 200000,
    N_FUNCTIONS = 2000,
    N_CLASSES = 5,
    PERIOD_NS = 250000,
    REPEATS = 5,
    N_PIXELS = 1920,
    N_ROWS = 50,
    N_FRAMES = 60,
    N_NEAREST = 1000,
};

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvCallTree *tree;
    PvTimeIndex *index;
} Bench;

static uint64_t
next_random (uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    return pv_hash_mix (*state);
}

static PvStackId *
make_stacks (PvProfileBuilder *builder, uint64_t *random)
{
    PvModule module = {.path = "/usr/bin/bench", .kind = PV_MODULE_FILE};
    PvModuleId m = pv_profile_builder_add_module (builder, &module);
    PvStackId *stacks = g_new (PvStackId, N_STACKS);
    for (unsigned s = 0; s < N_STACKS; s++) {
        uint64_t function = next_random (random) % N_FUNCTIONS;
        PvLocationId location =
            pv_profile_builder_location (builder, m, function, PV_LOCATION_EXACT);
        PvStackId parent = s > 0 ? stacks[next_random (random) % s] : 0;
        stacks[s] = pv_profile_builder_stack (builder, parent, location);
    }
    return stacks;
}

/* What runs on a processor, and for how many samples more. */
typedef struct {
    PvThreadId thread;
    unsigned n_left;
} Processor;

/* From when the thread left until it runs again; the first time it comes from nowhere. */
static void
add_wait (PvProfileBuilder *builder, PvThreadId thread, uint64_t from_ns, uint64_t until_ns,
          PvStackId stack)
{
    const PvNewSample wait = {.time_ns = from_ns,
                              .duration_ns = until_ns - from_ns,
                              .thread = thread,
                              .stack = stack,
                              .stack_end = PV_STACK_END_ROOT};
    const uint64_t weight = wait.duration_ns;
    if (from_ns > 0 && weight > 0)
        pv_profile_builder_add_sample (builder, 1, &wait, &weight);
}

static void
add_samples (PvProfileBuilder *builder, unsigned n_samples, unsigned n_threads, unsigned n_cpus)
{
    uint64_t random = 1;
    g_autofree PvStackId *stacks = make_stacks (builder, &random);
    g_autofree PvThreadId *threads = g_new (PvThreadId, n_threads);
    g_autofree Processor *cpus = g_new0 (Processor, n_cpus);
    g_autofree uint64_t *left_ns = g_new0 (uint64_t, (size_t)n_threads + 1);
    for (unsigned t = 0; t < n_threads; t++) {
        PvProcessId process =
            pv_profile_builder_add_process (builder, (int32_t)(t / 10) + 1, "bench", 0);
        threads[t] = pv_profile_builder_add_thread (builder, process, (int32_t)t + 1, "worker", 0);
    }
    for (unsigned i = 0; i < n_samples; i++) {
        uint64_t r = next_random (&random), time_ns = 1000000 + (uint64_t)i * (PERIOD_NS / n_cpus);
        Processor *cpu = &cpus[i % n_cpus];
        if (cpu->n_left-- == 0) {
            left_ns[cpu->thread] = time_ns;
            *cpu = (Processor){threads[r % n_threads], 4 + (unsigned)(r >> 32) % 40};
            add_wait (builder, cpu->thread, left_ns[cpu->thread], time_ns, stacks[r % N_STACKS]);
        }
        PvNewSample sample = {.time_ns = time_ns,
                              .thread = cpu->thread,
                              .stack = stacks[next_random (&random) % N_STACKS],
                              .cpu = (uint16_t)(i % n_cpus),
                              .stack_end = PV_STACK_END_ROOT};
        uint64_t weight = 900000 + (r >> 40);
        pv_profile_builder_add_sample (builder, 0, &sample, &weight);
    }
}

static void
make_profile (Bench *bench, unsigned n_samples, unsigned n_threads, unsigned n_cpus)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    pv_profile_builder_add_set (builder, "cycles", false);
    pv_profile_builder_add_measure (builder, 0, "cycles", PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    pv_profile_builder_add_set (builder, "off-cpu", true);
    pv_profile_builder_add_measure (builder, 1, NULL, PV_UNIT_NS, PV_AGGREGATION_SUM);
    add_samples (builder, n_samples, n_threads, n_cpus);
    bench->profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (bench->profile);
    bench->symbols = pv_symbol_builder_publish (names, true);
}

static void
build_tree (Bench *bench, PvMeasureId measure)
{
    PvQuery query;
    pv_query_init (&query);
    query.measure = measure;
    pv_call_tree_free (bench->tree);
    bench->tree =
        pv_call_tree_build_stacks (bench->profile, bench->symbols, &query, NULL, NULL, NULL);
    pv_query_clear (&query);
}

static void
time_index (Bench *bench, PvTimeRowKind kind, const char *what)
{
    g_autofree uint8_t *classes = g_new (uint8_t, bench->tree->symbols->n_functions);
    for (uint32_t f = 0; f < bench->tree->symbols->n_functions; f++)
        classes[f] = (uint8_t)(f % N_CLASSES);
    double best = 1e18;
    for (unsigned i = 0; i < REPEATS; i++) {
        pv_time_index_unref (bench->index);
        double start = bench_get_ms (CLOCK_PROCESS_CPUTIME_ID);
        bench->index = pv_time_index_build (bench->tree, kind, classes, N_CLASSES, NULL);
        best = MIN (best, bench_get_ms (CLOCK_PROCESS_CPUTIME_ID) - start);
    }
    double n_samples =
        (double)pv_profile_count_samples (bench->profile, bench->tree->query.measure);
    printf ("%-28s %8.2f ms  %u rows, %.2f bytes for each sample\n", what, best,
            bench->index->n_rows, (double)pv_time_index_count_bytes (bench->index) / n_samples);
}

/* The rows are the first ones; the view is the share of the time from its middle on. */
static void
time_view (const Bench *bench, const char *what, double share, uint32_t n_bins, uint32_t n_rows)
{
    uint32_t rows[N_ROWS];
    uint64_t length_ns = bench->index->end_ns - bench->index->start_ns;
    PvTimeView view = {.n_bins = n_bins,
                       .rows = n_rows > 0 ? rows : NULL,
                       .n_rows = MIN (n_rows, bench->index->n_rows)};
    double best = 1e18;
    for (uint32_t i = 0; i < N_ROWS; i++)
        rows[i] = i;
    view.start_ns = bench->index->start_ns + (uint64_t)((double)length_ns * (1 - share) / 2);
    view.end_ns = view.start_ns + (uint64_t)((double)length_ns * share);
    for (unsigned i = 0; i < REPEATS; i++) {
        double start = bench_get_ms (CLOCK_PROCESS_CPUTIME_ID);
        g_autoptr (PvTimeBins) bins = pv_time_bins_build (bench->index, &view, NULL);
        best = MIN (best, bench_get_ms (CLOCK_PROCESS_CPUTIME_ID) - start);
    }
    printf ("%-28s %8.2f ms  %u bins in %u rows\n", what, best, n_bins,
            view.rows != NULL ? view.n_rows : bench->index->n_rows);
}

static void
time_nearest (const Bench *bench)
{
    uint64_t random = 3, length_ns = bench->index->end_ns;
    double start = bench_get_ms (CLOCK_PROCESS_CPUTIME_ID);
    for (unsigned i = 0; i < N_NEAREST; i++) {
        uint32_t sample, row = (uint32_t)(next_random (&random) % bench->index->n_rows);
        pv_time_index_find_nearest (bench->index, row, next_random (&random) % length_ns, &sample);
    }
    printf ("%-28s %8.4f ms  each\n", "nearest sample",
            (bench_get_ms (CLOCK_PROCESS_CPUTIME_ID) - start) / N_NEAREST);
}

static void
time_through (const Bench *bench)
{
    const PvTimeLight light = {.function = bench->tree->symbols->n_functions / 2};
    double best = 1e18;
    for (unsigned i = 0; i < REPEATS; i++) {
        double start = bench_get_ms (CLOCK_PROCESS_CPUTIME_ID);
        g_autoptr (PvTimeIndex) through =
            pv_time_index_build_lit (bench->index, bench->tree, &light, NULL);
        best = MIN (best, bench_get_ms (CLOCK_PROCESS_CPUTIME_ID) - start);
    }
    printf ("%-28s %8.2f ms\n", "index of a function", best);
}

/* What the main loop does while a picture moves: each frame begins a pixel further. */
static void
time_frames (const PvCallTree *cut, double share)
{
    PvFlamePainter *painter = pv_flame_painter_new (NULL);
    PvFlameView view;
    double worst = 0, sum = 0;
    pv_flame_view_init (&view);
    view.width = N_PIXELS;
    view.height = 1000;
    for (unsigned i = 0; i < N_FRAMES; i++) {
        double start = bench_get_ms (CLOCK_PROCESS_CPUTIME_ID), ms;
        view.zoom_left = CLAMP (0.5 - share / 2 + i * share / N_PIXELS, 0, 1 - share);
        view.zoom_right = view.zoom_left + share;
        cairo_surface_destroy (pv_flame_draw_image (painter, cut, &view));
        ms = bench_get_ms (CLOCK_PROCESS_CPUTIME_ID) - start;
        sum += ms;
        if (i > 0) /* the first one fills caches */
            worst = MAX (worst, ms);
    }
    printf ("%-28s %8.2f ms  worst %.2f ms\n", "  its frames", sum / N_FRAMES, worst);
    pv_flame_painter_free (painter);
}

/* What the window asks for when it shows a share of the chart: three times as much, for each pixel.
 */
static void
time_cut (const PvFlameChart *chart, const char *what, double share)
{
    double length = (double)(chart->end_ns - chart->start_ns), best = 1e18;
    uint64_t start_ns = chart->start_ns + (uint64_t)(length * MAX (0.5 - 1.5 * share, 0));
    uint64_t end_ns = chart->start_ns + (uint64_t)(length * MIN (0.5 + 1.5 * share, 1));
    uint64_t least_ns = (uint64_t)(length * share / N_PIXELS);
    uint32_t n_boxes = 0;
    for (unsigned i = 0; i < REPEATS; i++) {
        double start = bench_get_ms (CLOCK_PROCESS_CPUTIME_ID);
        g_autoptr (PvCallTree) cut = pv_flame_chart_cut (chart, start_ns, end_ns, least_ns, NULL);
        best = MIN (best, bench_get_ms (CLOCK_PROCESS_CPUTIME_ID) - start);
        n_boxes = cut->n_nodes;
    }
    printf ("%-28s %8.2f ms  %u boxes\n", what, best, n_boxes);
    g_autoptr (PvCallTree) cut = pv_flame_chart_cut (chart, start_ns, end_ns, least_ns, NULL);
    time_frames (cut, share);
}

/* Of the busiest thread; the tree has no nodes, so it is built anew. */
static void
time_flame_chart (const Bench *bench)
{
    double start = bench_get_ms (CLOCK_PROCESS_CPUTIME_ID);
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build (bench->profile, bench->symbols, &bench->tree->query, NULL, NULL, NULL);
    printf ("%-28s %8.2f ms\n", "tree", bench_get_ms (CLOCK_PROCESS_CPUTIME_ID) - start);
    start = bench_get_ms (CLOCK_PROCESS_CPUTIME_ID);
    g_autoptr (PvFlameChart) chart = pv_flame_chart_build (tree, PV_CHART_BUSIEST, NULL);
    printf ("%-28s %8.2f ms  %u samples\n", "flame chart",
            bench_get_ms (CLOCK_PROCESS_CPUTIME_ID) - start, chart->n_samples);
    time_cut (chart, "cut of all", 1);
    time_cut (chart, "cut of a tenth", 0.1);
    time_cut (chart, "cut of a thousandth", 1e-3);
    time_cut (chart, "cut of a millionth", 1e-6);
}

/* The map once for a query; a frame for each step of a drag, with a range. */
static void
time_heat_map (const Bench *bench)
{
    PvHeatPainter *painter = pv_heat_painter_new (NULL);
    PvHeatView view = {.width = N_PIXELS, .height = 1000, .device_scale = 1, .has_range = true};
    cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, N_PIXELS, 1000);
    cairo_t *cr = cairo_create (image);
    double start = bench_get_ms (CLOCK_PROCESS_CPUTIME_ID), worst = 0;
    g_autoptr (PvHeatMap) map = pv_heat_map_build (bench->tree, 0, UINT64_MAX, NULL);
    printf ("%-28s %8.2f ms  %u columns\n", "heat map",
            bench_get_ms (CLOCK_PROCESS_CPUTIME_ID) - start, map->n_columns);
    view.last = pv_heat_map_count_cells (map) / 2;
    for (unsigned i = 0; i < REPEATS; i++) {
        start = bench_get_ms (CLOCK_PROCESS_CPUTIME_ID);
        pv_heat_draw (painter, cr, map, &view);
        worst = MAX (worst, bench_get_ms (CLOCK_PROCESS_CPUTIME_ID) - start);
    }
    printf ("%-28s %8.2f ms\n", "  its worst frame", worst);
    cairo_destroy (cr);
    cairo_surface_destroy (image);
    pv_heat_painter_free (painter);
}

int
main (int argc, char **argv)
{
    unsigned n_samples = argc > 1 ? (unsigned)atoi (argv[1]) : 200000;
    unsigned n_threads = argc > 2 ? (unsigned)atoi (argv[2]) : 60;
    unsigned n_cpus = argc > 3 ? (unsigned)atoi (argv[3]) : 4;
    Bench bench = {0};
    double start = bench_get_ms (CLOCK_PROCESS_CPUTIME_ID);
    make_profile (&bench, n_samples, n_threads, n_cpus);
    printf ("%u samples, %u threads, %u processors, made in %.0f ms\n", n_samples, n_threads,
            n_cpus, bench_get_ms (CLOCK_PROCESS_CPUTIME_ID) - start);
    build_tree (&bench, 0);
    time_index (&bench, PV_TIME_CPUS, "index of processors");
    time_view (&bench, "all of it", 1, N_PIXELS, 0);
    time_index (&bench, PV_TIME_THREADS, "index of threads");
    time_view (&bench, "one row", 1, N_PIXELS, 1);
    time_view (&bench, "fifty rows", 1, N_PIXELS, N_ROWS);
    time_view (&bench, "all rows", 1, N_PIXELS, 0);
    time_view (&bench, "fifty rows, a tenth", 0.1, N_PIXELS, N_ROWS);
    time_view (&bench, "fifty rows, a hundredth", 0.01, N_PIXELS, N_ROWS);
    time_view (&bench, "one bin of all", 0.7, 1, 0);
    time_nearest (&bench);
    time_through (&bench);
    time_flame_chart (&bench);
    time_heat_map (&bench);
    build_tree (&bench, 1);
    time_index (&bench, PV_TIME_THREADS, "index of waits");
    time_view (&bench, "fifty rows", 1, N_PIXELS, N_ROWS);
    time_view (&bench, "all rows", 1, N_PIXELS, 0);
    time_view (&bench, "one bin of all", 0.7, 1, 0);
    struct rusage usage;
    getrusage (RUSAGE_SELF, &usage);
    printf ("%-28s %8ld MB\n", "peak memory", usage.ru_maxrss / 1024);
    pv_time_index_unref (bench.index);
    pv_call_tree_free (bench.tree);
    pv_symbol_table_free (bench.symbols);
    pv_profile_free (bench.profile);
    return 0;
}
