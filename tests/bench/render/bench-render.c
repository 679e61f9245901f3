/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../unit/render/tree-maker.h"
#include "../times.h"
#include "render/flame/flame-graph.h"
#include "render/flame/flame-layout.h"

/*
 * Times of the flame graph into an image surface: bench-render [NODES [ROUNDS]]. Small by default;
 * 10,000,000 nodes and 200 rounds for the figures that count.
 */

static void
report (const char *what, double *ms, size_t n)
{
    qsort (ms, n, sizeof *ms, bench_compare);
    g_print ("%-38s min %7.3f  p50 %7.3f  p90 %7.3f  p99 %7.3f  max %7.3f ms\n", what, ms[0],
             ms[n / 2], ms[n * 9 / 10], ms[n * 99 / 100], ms[n - 1]);
}

typedef struct {
    PvFlamePainter *painter;
    const PvCallTree *tree;
    PvFlameView view;
    GRand *rand;
} Bench;

static void
set_size (Bench *bench, int width, int height)
{
    pv_flame_view_init (&bench->view);
    bench->view.width = width;
    bench->view.height = height;
}

static size_t
count_items (const Bench *bench)
{
    PvFlameLayout layout;
    PvFlameIter iter;
    PvFlameItem item;
    uint32_t first, last;
    size_t n = 0;
    pv_flame_layout_init (&layout, bench->tree, &bench->view,
                          pv_flame_painter_get_row_height (bench->painter));
    if (!pv_flame_layout_visible_levels (&layout, &first, &last))
        return 0;
    for (uint32_t level = first; level <= last; level++) {
        pv_flame_iter_init (&iter, &layout, level, 0);
        while (pv_flame_iter_next (&iter, &item))
            n++;
    }
    return n;
}

static void
zoom_to (Bench *bench, PvNodeId node)
{
    const PvCallTree *tree = bench->tree;
    bench->view.zoom_node = node;
    bench->view.zoom_left = (double)tree->left[node] / (double)tree->total[0];
    bench->view.zoom_right =
        (double)(tree->left[node] + tree->total[node]) / (double)tree->total[0];
}

static void
time_drawing (Bench *bench, const char *name, size_t rounds)
{
    cairo_surface_t *surface = cairo_image_surface_create (
        CAIRO_FORMAT_ARGB32, (int)bench->view.width, (int)bench->view.height);
    cairo_t *cr = cairo_create (surface);
    double *draw = g_new (double, rounds), *hover = g_new (double, rounds);
    double *hit = g_new (double, rounds), *cull = g_new (double, rounds);
    for (size_t i = 0; i < rounds; i++) {
        double start = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
        pv_flame_draw (bench->painter, cr, bench->tree, &bench->view);
        cairo_surface_flush (surface);
        double drawn = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
        PvNodeId node = pv_flame_hit (bench->painter, bench->tree, &bench->view,
                                      g_rand_double_range (bench->rand, 0, bench->view.width),
                                      g_rand_double_range (bench->rand, 0, bench->view.height));
        double found = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
        const PvFlameOutline *outlines;
        size_t n_outlines = pv_flame_get_outlines (bench->painter, bench->tree, &bench->view,
                                                   node != PV_NODE_NONE ? node : 0, &outlines);
        pv_flame_draw_outlines (cr, outlines, n_outlines);
        double hovered = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
        draw[i] = drawn - start;
        hit[i] = found - drawn;
        hover[i] = hovered - found;
    }
    char *text = g_strdup_printf ("%s: draw %zu boxes and runs", name, count_items (bench));
    for (size_t i = 0; i < rounds; i++) {
        double start = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
        count_items (bench);
        cull[i] = bench_get_ms (CLOCK_THREAD_CPUTIME_ID) - start;
    }
    report (text, draw, rounds);
    report ("  of which culling", cull, rounds);
    report ("  hit test", hit, rounds);
    report ("  hover", hover, rounds);
    g_free (text);
    g_free (draw);
    g_free (hover);
    g_free (hit);
    g_free (cull);
    cairo_destroy (cr);
    cairo_surface_destroy (surface);
}

/* As GTK's cairo nodes do: recorded first, then played into the image. */
static void
time_recording (Bench *bench, size_t rounds)
{
    cairo_surface_t *surface = cairo_image_surface_create (
        CAIRO_FORMAT_ARGB32, (int)bench->view.width, (int)bench->view.height);
    cairo_surface_t *previous = NULL; /* as GTK keeps the last frame */
    double *ms = g_new (double, rounds);
    for (size_t i = 0; i < rounds; i++) {
        double start = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
        cairo_surface_t *recording =
            cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
        cairo_t *cr = cairo_create (recording);
        pv_flame_draw (bench->painter, cr, bench->tree, &bench->view);
        cairo_destroy (cr);
        cr = cairo_create (surface);
        cairo_set_source_surface (cr, recording, 0, 0);
        cairo_paint (cr);
        cairo_destroy (cr);
        g_clear_pointer (&previous, cairo_surface_destroy);
        previous = recording;
        ms[i] = bench_get_ms (CLOCK_THREAD_CPUTIME_ID) - start;
    }
    report ("  through a recording surface", ms, rounds);
    g_free (ms);
    g_clear_pointer (&previous, cairo_surface_destroy);
    cairo_surface_destroy (surface);
}

/* A node of any weight, over all decades: so that zooms are as deep as users go. */
static PvNodeId
random_node (Bench *bench)
{
    double wanted =
        pow (10, g_rand_double_range (bench->rand, -6, 0)) * (double)bench->tree->total[0];
    PvNodeId node = 0;
    while (bench->tree->first_child[node] < bench->tree->first_child[node + 1] &&
           (double)bench->tree->total[node] > wanted) {
        uint32_t n = bench->tree->first_child[node + 1] - bench->tree->first_child[node];
        node = bench->tree->first_child[node] +
               (PvNodeId)g_rand_int_range (bench->rand, 0, (gint32)MIN (n, 3));
    }
    return node;
}

static void
time_culling (Bench *bench, const char *name, size_t rounds)
{
    double *ms = g_new (double, rounds), *draw = g_new (double, rounds);
    cairo_surface_t *surface = cairo_image_surface_create (
        CAIRO_FORMAT_ARGB32, (int)bench->view.width, (int)bench->view.height);
    cairo_t *cr = cairo_create (surface);
    for (size_t i = 0; i < rounds; i++) {
        zoom_to (bench, random_node (bench));
        double start = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
        count_items (bench);
        double culled = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
        pv_flame_draw (bench->painter, cr, bench->tree, &bench->view);
        ms[i] = culled - start;
        draw[i] = bench_get_ms (CLOCK_THREAD_CPUTIME_ID) - culled;
    }
    char *text = g_strdup_printf ("%s: cull at random zooms", name);
    report (text, ms, rounds);
    report ("  draw at the same", draw, rounds);
    g_free (text);
    g_free (ms);
    g_free (draw);
    cairo_destroy (cr);
    cairo_surface_destroy (surface);
}

/* As many boxes and labels as a screen can hold: no node is narrower than a pixel. */
static PvCallTree *
time_full_screen (Bench *bench, size_t rounds)
{
    TestTreeOptions options = {.seed = 5,
                               .n_nodes = 100000,
                               .max_levels = 60,
                               .max_children = 60,
                               .total = 1900,
                               .chain = 0.66};
    PvCallTree *tree = test_tree_random (&options);
    const PvCallTree *previous = bench->tree;
    bench->tree = tree;
    set_size (bench, 1920, 1080);
    time_drawing (bench, "1080p, full screen", rounds);
    time_recording (bench, rounds);
    bench->tree = previous;
    return tree; /* the painter knows it */
}

int
main (int argc, char **argv)
{
    uint32_t n_nodes = argc > 1 ? (uint32_t)strtoul (argv[1], NULL, 10) : 20000;
    size_t rounds = argc > 2 ? strtoul (argv[2], NULL, 10) : 5;
    TestTreeOptions options = {
        .seed = 7, .n_nodes = n_nodes, .max_levels = 90, .total = 1000000000000};
    PvCallTree *tree = test_tree_random (&options);
    Bench bench = {
        .painter = pv_flame_painter_new (NULL), .tree = tree, .rand = g_rand_new_with_seed (1)};

    g_print ("%u nodes, %u levels\n", tree->n_nodes, tree->n_levels);
    rounds = MAX (rounds, 1);
    PvCallTree *full = time_full_screen (&bench, rounds);
    set_size (&bench, 1920, 1080);
    time_drawing (&bench, "1080p", rounds);
    time_culling (&bench, "1080p", rounds);
    set_size (&bench, 3840, 2160);
    time_drawing (&bench, "2160p", rounds);
    time_culling (&bench, "2160p", rounds);
    pv_flame_painter_free (bench.painter);
    g_rand_free (bench.rand);
    test_tree_free (full);
    test_tree_free (tree);
    return 0;
}
