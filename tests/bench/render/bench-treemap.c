/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "../../unit/render/tree-maker.h"
#include "../times.h"
#include "render/treemap/treemap.h"

/*
 * Times that the processor works on a treemap in an image: bench-treemap [NODES [ROUNDS]].
 * 1,000,000 nodes, of many and of few children.
 */

static void
report (const char *what, double *ms, size_t n)
{
    qsort (ms, n, sizeof *ms, bench_compare);
    g_print ("%-38s min %7.3f  p50 %7.3f  max %7.3f ms\n", what, ms[0], ms[n / 2], ms[n - 1]);
}

static void
time_tree (uint32_t n_nodes, uint32_t max_children, double width, double height, size_t rounds)
{
    TestTreeOptions options = {
        .seed = 7, .n_nodes = n_nodes, .max_children = max_children, .total = 1000000000000};
    PvCallTree *tree = test_tree_random (&options);
    PvTreemap *treemap = pv_treemap_new (NULL);
    g_autoptr (GRand) rand = g_rand_new_with_seed (1);
    g_autofree double *place = g_new (double, rounds), *draw = g_new (double, rounds);
    g_autofree double *hit = g_new (double, rounds);
    PvFlameView view;

    pv_flame_view_init (&view);
    view.width = width;
    view.height = height;
    g_print ("%u nodes of up to %u children, %g x %g\n", tree->n_nodes, max_children, width,
             height);
    for (size_t i = 0; i < rounds; i++) {
        pv_treemap_forget (treemap);
        double start = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
        cairo_rectangle_t box;
        pv_treemap_get_box (treemap, tree, &view, 0, &box);
        double placed = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
        cairo_surface_destroy (pv_treemap_draw_image (treemap, tree, &view));
        double drawn = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
        pv_treemap_hit (treemap, tree, &view, g_rand_double_range (rand, 0, width),
                        g_rand_double_range (rand, 0, height));
        place[i] = placed - start;
        draw[i] = drawn - placed;
        hit[i] = bench_get_ms (CLOCK_THREAD_CPUTIME_ID) - drawn;
    }
    report ("  place", place, rounds);
    report ("  draw", draw, rounds);
    report ("  hit test", hit, rounds);
    pv_treemap_free (treemap);
    test_tree_free (tree);
}

int
main (int argc, char **argv)
{
    uint32_t n_nodes = argc > 1 ? (uint32_t)strtoul (argv[1], NULL, 10) : 1000000;
    size_t rounds = MAX (argc > 2 ? strtoul (argv[2], NULL, 10) : 9, 1);

    time_tree (n_nodes, 4, 1920, 1080, rounds);
    time_tree (n_nodes, 1000, 1920, 1080, rounds);
    time_tree (n_nodes, 1000, 3840, 2160, rounds);
    return 0;
}
