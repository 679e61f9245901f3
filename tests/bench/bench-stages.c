/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times the stages of loading a recording, and the peak memory of the process.
 *
 *     bench-stages [--addresses | --first-picture] [--sysroot=DIR] [--jobs=N] [FILE]
 *
 * --addresses stops when stacks are unwound; --first-picture stops when the flame graph with names
 * from ELF symbols is drawn, of the first part of a long file if there is a preview. Without either
 * all stages run to the end. Times are milliseconds since the start of the process, one "name
 * value" pair per line.
 */
#include <cairo.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree.h"
#include "core/load/load.h"
#include "render/flame/flame-graph.h"
#include "times.h"

typedef enum { STOP_NEVER, STOP_AT_ADDRESSES, STOP_AT_PICTURE } Stop;

typedef struct {
    Stop stop;
    double start_ms;
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvJob *job;
    unsigned n_tables;
} Bench;

static void
report (const Bench *bench, const char *name)
{
    printf ("%s %.2f\n", name, bench_get_ms (CLOCK_MONOTONIC) - bench->start_ms);
}

static void
print_memory (void)
{
    struct rusage usage;
    getrusage (RUSAGE_SELF, &usage);
    printf ("peak_mb %.1f\n", (double)usage.ru_maxrss / 1024);
}

/* The same work as the first screen of the window: the tree and one full picture. */
static void
draw_picture (Bench *bench)
{
    PvQuery query;
    pv_query_init (&query);
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build (bench->profile, bench->symbols, &query, NULL, bench->job, NULL);
    pv_query_clear (&query);
    if (tree == NULL)
        return;
    report (bench, "first_tree_ms");

    PvFlameView view;
    pv_flame_view_init (&view);
    view.width = 1920;
    view.height = 1080;
    PvFlamePainter *painter = pv_flame_painter_new (NULL);
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1920, 1080);
    cairo_t *cr = cairo_create (surface);
    pv_flame_draw (painter, cr, tree, &view);
    cairo_destroy (cr);
    cairo_surface_destroy (surface);
    pv_flame_painter_free (painter);
    report (bench, "first_picture_ms");
}

static G_NORETURN void
stop_at_picture (Bench *bench)
{
    draw_picture (bench);
    print_memory ();
    fflush (stdout);
    _exit (0);
}

static void
on_preview (PvProfile *profile, PvSymbolTable *symbols, PvJob *job, void *user)
{
    Bench *bench = user;
    bench->profile = profile;
    bench->symbols = symbols;
    report (bench, "preview_ms");
    stop_at_picture (bench);
}

static void
on_profile (PvProfile *profile, void *user)
{
    Bench *bench = user;
    bench->profile = profile;
    report (bench, "stacks_ms");
    printf ("samples %" G_GUINT64_FORMAT "\nstacks %u\nlocations %u\n", profile->n_samples,
            profile->n_stacks, profile->n_locations);
    if (bench->stop == STOP_AT_ADDRESSES) {
        print_memory ();
        fflush (stdout);
        _exit (0);
    }
}

static void
on_symbols (PvSymbolTable *symbols, void *user)
{
    Bench *bench = user;
    if (bench->symbols != NULL)
        pv_symbol_table_free (bench->symbols);
    bench->symbols = symbols;
    if (bench->n_tables++ > 0)
        return;
    report (bench, "elf_symbols_ms");
    if (bench->stop == STOP_AT_PICTURE)
        stop_at_picture (bench);
}

static void
build_tables (Bench *bench)
{
    PvQuery query;
    pv_query_init (&query);
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build (bench->profile, bench->symbols, &query, NULL, bench->job, NULL);
    if (tree == NULL)
        return;
    report (bench, "tree_ms");
    PvFunctionList *list = pv_function_list_build (tree, bench->job);
    report (bench, "functions_ms");
    printf ("nodes %u\nfunctions %u\n", tree->n_nodes, list->n_rows);
    pv_function_list_free (list);

    double start_ms = bench_get_ms (CLOCK_MONOTONIC);
    query.end_ns = bench->profile->duration_ns / 2;
    g_autoptr (PvCallTree) half =
        pv_call_tree_build (bench->profile, bench->symbols, &query, tree, NULL, NULL);
    printf ("time_filter_took_ms %.2f\n", bench_get_ms (CLOCK_MONOTONIC) - start_ms);
    pv_query_clear (&query);
}

int
main (int argc, char **argv)
{
    Bench bench = {.start_ms = bench_get_ms (CLOCK_MONOTONIC), .job = pv_job_new ()};
    PvLoadOptions options = {0};
    const char *path = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp (argv[i], "--addresses") == 0)
            bench.stop = STOP_AT_ADDRESSES;
        else if (strcmp (argv[i], "--first-picture") == 0)
            bench.stop = STOP_AT_PICTURE;
        else if (g_str_has_prefix (argv[i], "--sysroot="))
            options.symbols.sysroot = argv[i] + strlen ("--sysroot=");
        else if (g_str_has_prefix (argv[i], "--jobs="))
            options.symbols.n_workers = (unsigned)atoi (argv[i] + strlen ("--jobs="));
        else
            path = argv[i];
    }
    if (path == NULL && (path = getenv ("PV_BENCH_INPUT")) == NULL) {
        path = getenv ("PV_BENCH_DEFAULT");
        options.symbols.sysroot = getenv ("PV_BENCH_SYSROOT");
    }
    if (path == NULL) {
        fprintf (stderr, "bench-stages: no file\n");
        return 2;
    }

    PvLoadEvents events = {
        .preview_ready = bench.stop == STOP_AT_PICTURE ? on_preview : NULL,
        .profile_ready = on_profile,
        .symbols_ready = on_symbols,
        .user = &bench,
    };
    GError *error = NULL;
    if (!pv_load (path, &options, &events, bench.job, &error)) {
        fprintf (stderr, "bench-stages: %s: %s\n", path, error->message);
        g_error_free (error);
        return 1;
    }
    report (&bench, "symbols_ms");
    printf ("tables %u\n", bench.n_tables);
    if (bench.symbols != NULL)
        build_tables (&bench);
    print_memory ();

    if (bench.symbols != NULL)
        pv_symbol_table_free (bench.symbols);
    pv_profile_free (bench.profile);
    pv_job_unref (bench.job);
    return 0;
}
