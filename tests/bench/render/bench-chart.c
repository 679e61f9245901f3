/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "../../unit/render/series-maker.h"
#include "../times.h"
#include "render/chart/chart.h"

/*
 * Times of the charts into an image surface: bench-chart [POINTS [ROUNDS]]. 1000 points and 200
 * rounds for the figures that count.
 */
static void
report (const char *what, const char *name, double *ms, size_t n)
{
    qsort (ms, n, sizeof *ms, bench_compare);
    g_print ("%-12s %-10s min %7.3f  p50 %7.3f  p90 %7.3f  max %7.3f ms\n", what, name, ms[0],
             ms[n / 2], ms[n * 9 / 10], ms[n - 1]);
}

static double
since (int64_t start)
{
    return (double)(g_get_monotonic_time () - start) / 1000;
}

static void
time_chart (PvChartPainter *painter, const PvSeries *series, const PvChartView *view, size_t rounds)
{
    cairo_surface_t *surface =
        cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int)view->width, (int)view->height);
    cairo_t *cr = cairo_create (surface);
    double *draw = g_new (double, rounds), *hit_ms = g_new (double, rounds);
    double *hover = g_new (double, rounds);
    for (size_t i = 0; i < rounds; i++) {
        PvChartHit hit;
        double x = view->width * (0.1 + 0.6 * (double)(i % 97) / 97), y = view->height * 0.7;
        int64_t start = g_get_monotonic_time ();
        pv_chart_draw (painter, cr, series, view);
        cairo_surface_flush (surface);
        draw[i] = since (start);
        start = g_get_monotonic_time ();
        pv_chart_hit (painter, series, view, x, y, &hit);
        hit_ms[i] = since (start);
        start = g_get_monotonic_time ();
        cairo_rectangle_t line = pv_chart_get_hover_line (painter, series, view, &hit);
        cairo_rectangle (cr, line.x, line.y, line.width, line.height);
        cairo_fill (cr);
        cairo_surface_flush (surface);
        hover[i] = since (start);
    }
    const char *name = pv_chart_kind_get_name (series->kind);
    report (name, "draw", draw, rounds);
    report ("", "hit", hit_ms, rounds);
    report ("", "hover", hover, rounds);
    g_free (draw);
    g_free (hit_ms);
    g_free (hover);
    cairo_destroy (cr);
    cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
    uint32_t n_points = argc > 1 ? (uint32_t)strtoul (argv[1], NULL, 10) : 1000;
    size_t rounds = argc > 2 ? strtoul (argv[2], NULL, 10) : 5;
    PvChartPainter *painter = pv_chart_painter_new (NULL);
    PvChartView view;
    pv_chart_view_init (&view);
    view.width = 1920;
    view.height = 1080;
    for (int kind = 0; kind < PV_N_CHARTS; kind++) {
        TestSeriesOptions options = {.kind = (PvChartKind)kind,
                                     .seed = 3,
                                     .n_points = kind == PV_CHART_SIZES ? 66 : n_points,
                                     .n_layers = kind == PV_CHART_RSS ? 1 : 12,
                                     .has_others = kind != PV_CHART_RSS};
        PvSeries *series = test_series_make (&options);
        time_chart (painter, series, &view, MAX (rounds, 1));
        test_series_free (series);
    }
    pv_chart_painter_free (painter);
    return 0;
}
