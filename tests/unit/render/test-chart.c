/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../cases.h"
#include "render/chart/chart-private.h"
#include "render/draw/palette.h"
#include "series-maker.h"
#include "views.h"

#define MS UINT64_C (1000000)

static const struct {
    double width;
    double height;
    double scale;
} sizes[] = {{320, 160, 1},  {320, 400, 2},   {619, 240, 1},   {620, 300, 1.5}, {1000, 200, 1},
             {1280, 720, 1}, {1920, 1080, 1}, {3840, 2160, 1}, {1920, 1080, 2}};

static PvChartView
view_of_size (size_t size)
{
    PvChartView view = new_chart_view ();
    view.width = sizes[size].width;
    view.height = sizes[size].height;
    view.device_scale = sizes[size].scale;
    return view;
}

static PvSeries *
make (PvChartKind kind, uint32_t n_points, uint32_t n_layers)
{
    TestSeriesOptions options = {.kind = kind,
                                 .seed = 5,
                                 .n_points = n_points,
                                 .n_layers = kind == PV_CHART_RSS ? 1 : n_layers,
                                 .has_others = kind != PV_CHART_RSS && n_layers > 1};
    return test_series_make (&options);
}

static cairo_surface_t *
draw (PvChartPainter *painter, const PvSeries *series, const PvChartView *view)
{
    cairo_surface_t *image = cairo_image_surface_create (
        CAIRO_FORMAT_RGB24, (int)ceil (view->width * view->device_scale),
        (int)ceil (view->height * view->device_scale));
    cairo_surface_set_device_scale (image, view->device_scale, view->device_scale);
    cairo_t *cr = cairo_create (image);
    pv_chart_draw (painter, cr, series, view);
    g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
    cairo_destroy (cr);
    cairo_surface_flush (image);
    return image;
}

static uint32_t
pixel_at (cairo_surface_t *image, double device_x, double device_y)
{
    const uint8_t *line = cairo_image_surface_get_data (image) +
                          (size_t)device_y * (size_t)cairo_image_surface_get_stride (image);
    uint32_t pixel;
    memcpy (&pixel, line + (size_t)device_x * 4, 4);
    return pixel & 0xffffff;
}

static bool
is_color (uint32_t pixel, PvColor color)
{
    const double channels[3] = {color.red, color.green, color.blue};
    for (int i = 0; i < 3; i++)
        if (fabs ((pixel >> (16 - 8 * i) & 0xff) - channels[i] * 255) > 1.5)
            return false;
    return true;
}

static void
assert_snaps (const PvSeries *series, uint64_t time_ns, uint64_t start_ns, uint64_t end_ns)
{
    uint64_t actual_start_ns, actual_end_ns;
    pv_chart_snap (series, time_ns, &actual_start_ns, &actual_end_ns);
    g_assert_cmpuint (actual_start_ns, ==, start_ns);
    g_assert_cmpuint (actual_end_ns, ==, end_ns);
}

/* Layout */

static void
assert_inside (const PvChartView *view, double x, double y, double width, double height)
{
    g_assert_cmpfloat (x, >=, 0);
    g_assert_cmpfloat (y, >=, 0);
    g_assert_cmpfloat (x + width, <=, view->width + 0.01);
    g_assert_cmpfloat (y + height, <=, view->height + 0.01);
}

/* Labels of an axis: inside the view, and none touches another. */
static void
assert_ticks (PvChartPainter *painter, const PvChartView *view, const PvChartTick *ticks,
              uint32_t n_ticks, bool is_time)
{
    const PvChartLayout *layout = &painter->layout;
    const PvChartTick *previous = NULL;
    uint32_t n_labels = 0;
    for (uint32_t i = 0; i < n_ticks; i++) {
        const PvChartTick *tick = &ticks[i];
        /* Only at the right edge there may be none. */
        g_assert_true (tick->has_label || (is_time && i + 1 == n_ticks));
        if (!tick->has_label)
            continue;
        double width = pv_chart_measure_text (painter, tick->label);
        assert_inside (view, tick->label_x, tick->baseline - layout->text_baseline, width,
                       layout->line_height - 1);
        if (previous != NULL && is_time)
            g_assert_cmpfloat (tick->label_x, >=,
                               previous->label_x +
                                   pv_chart_measure_text (painter, previous->label) + 4);
        else if (previous != NULL)
            g_assert_cmpfloat (tick->baseline, <=, previous->baseline - layout->line_height);
        previous = tick;
        n_labels++;
    }
    g_assert_cmpuint (n_labels, >=, 2);
}

static bool
overlap (cairo_rectangle_t a, cairo_rectangle_t b)
{
    return a.x + a.width > b.x && b.x + b.width > a.x && a.y + a.height > b.y &&
           b.y + b.height > a.y;
}

static void
assert_legend (PvChartPainter *painter, const PvSeries *series, const PvChartView *view)
{
    const PvChartLayout *layout = &painter->layout;
    cairo_rectangle_t plot = pv_chart_get_plot_rect (painter, series, view);
    uint32_t n_layers = 0;
    for (uint32_t i = 0; i < layout->n_legend; i++) {
        const PvChartLegendRow *row = &layout->legend[i];
        assert_inside (view, row->rect.x, row->rect.y, row->rect.width, row->rect.height);
        g_assert_false (overlap (row->rect, plot));
        for (uint32_t j = 0; j < i; j++)
            g_assert_false (overlap (row->rect, layout->legend[j].rect));
        if (row->layer == PV_CHART_NONE)
            continue;
        n_layers++;
        /* Enough for a name to be recognized. */
        g_assert_cmpfloat (row->share_x - row->rect.x, >=, 60);
        PvChartHit hit;
        g_assert_true (
            pv_chart_hit (painter, series, view, row->rect.x + 3, row->rect.y + 3, &hit));
        g_assert_true (hit.is_in_legend);
        g_assert_cmpuint (hit.layer, ==, row->layer);
    }
    g_assert_cmpuint (n_layers + layout->n_legend_hidden, ==,
                      series->kind == PV_CHART_RSS ? 0 : series->n_layers);
    if (series->kind != PV_CHART_RSS)
        g_assert_cmpuint (n_layers, >=, 1);
}

static void
assert_layout (PvChartPainter *painter, const PvSeries *series, const PvChartView *view)
{
    const PvChartLayout *layout = &painter->layout;
    cairo_rectangle_t plot = pv_chart_get_plot_rect (painter, series, view);
    assert_inside (view, plot.x, plot.y, plot.width, plot.height);
    g_assert_cmpfloat (plot.width, >=, view->width / 2.5);
    g_assert_cmpfloat (plot.height, >=, view->height / 5);
    assert_ticks (painter, view, layout->plot.ticks, layout->plot.n_ticks, false);
    assert_ticks (painter, view, layout->time_ticks, layout->n_time_ticks, true);
    for (uint32_t i = 0; i < layout->plot.n_ticks; i++)
        g_assert_cmpfloat (layout->plot.ticks[i].label_x +
                               pv_chart_measure_text (painter, layout->plot.ticks[i].label),
                           <=, plot.x - 3);
    if (!pv_chart_panel_is_empty (&layout->bytes))
        assert_ticks (painter, view, layout->bytes.ticks, layout->bytes.n_ticks, false);
    if (layout->has_peak_label) {
        double width = pv_chart_measure_text (painter, layout->peak_label);
        assert_inside (view, layout->peak_label_x, layout->peak_label_top, width,
                       layout->line_height);
        g_assert_cmpfloat (layout->peak_label_top + layout->line_height, <=, plot.y + 0.5);
        double caption = pv_chart_measure_text (painter, painter->caption);
        g_assert_true (layout->peak_label_x >= layout->caption_x + caption ||
                       layout->peak_label_top >= layout->caption_top + layout->line_height);
    }
    /* Columns cover the plot and follow one another. */
    for (size_t i = 0; i < layout->columns.len; i++) {
        const PvChartColumn *column = &layout->columns.data[i];
        g_assert_cmpint (column->left, <, column->right);
        g_assert_cmpuint (column->first, <, column->end);
        g_assert_cmpuint (column->shown - column->first, <, column->end - column->first);
        if (i > 0)
            g_assert_cmpint (column->left, ==, column[-1].right);
        if (i > 0)
            g_assert_cmpuint (column->first, ==, column[-1].end);
    }
}

TEST (layout)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    static const uint32_t counts[] = {2, 37, 1000, 5000};
    for (int kind = 0; kind < PV_N_CHARTS; kind++) {
        for (size_t c = 0; c < G_N_ELEMENTS (counts); c++) {
            g_autoptr (TestSeries) series =
                make ((PvChartKind)kind, kind == PV_CHART_SIZES ? 66 : counts[c], 12);
            for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
                PvChartView view = view_of_size (i);
                assert_layout (painter, series, &view);
                assert_legend (painter, series, &view);
            }
        }
    }
}

/* Everything is still one time after another when zoomed in, at any place. */
TEST (zoomed_layout)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    g_autoptr (TestSeries) series = make (PV_CHART_ALLOCATIONS, 4000, 8);
    g_autoptr (GRand) rand = g_rand_new_with_seed (2);
    for (unsigned i = 0; i < pv_test_rounds (400); i++) {
        PvChartView view = view_of_size (i % G_N_ELEMENTS (sizes));
        view.start_ms = g_rand_double_range (rand, 0, 39900);
        view.end_ms = view.start_ms + exp (g_rand_double_range (rand, 4, 9));
        assert_layout (painter, series, &view);
        const PvChartLayout *layout = &painter->layout;
        g_assert_cmpint (layout->columns.data[0].left, ==, layout->plot.left);
        g_assert_cmpint (layout->columns.data[layout->columns.len - 1].right, ==,
                         layout->plot.right);
    }
}

/* Labels at the right edge have to give way at some widths only. */
TEST (widths)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    TestSeriesOptions options = {.n_points = 180, .n_layers = 3, .point_ms = 1000};
    g_autoptr (TestSeries) series = test_series_make (&options);
    unsigned n_left_out = 0;
    for (unsigned width = 320; width < 1500; width += pv_test_step (7)) {
        PvChartView view = view_of_size (3);
        view.width = width;
        assert_layout (painter, series, &view);
        const PvChartLayout *layout = &painter->layout;
        n_left_out += !layout->time_ticks[layout->n_time_ticks - 1].has_label;
    }
    g_assert_cmpuint (n_left_out, >, 0);
    g_assert_cmpuint (n_left_out, <, 600);
}

/* Every point is in a column; columns of levels show their highest, and columns of amounts begin at
 * the same points wherever the view begins. */
TEST (columns)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    for (int kind = PV_CHART_LIVE; kind <= PV_CHART_RSS; kind++) {
        g_autoptr (TestSeries) series = make ((PvChartKind)kind, 7777, 4);
        const PvChartLayout *layout = &painter->layout;
        g_autofree bool *is_start = g_new0 (bool, series->n_points + 1);
        for (unsigned shift = 0; shift < 40; shift += shift < 2 ? 1 : pv_test_step (5)) {
            PvChartView view = view_of_size (5);
            view.start_ms = shift > 0 ? 7000 + shift * 11.3 : 0;
            view.end_ms = shift > 0 ? 67000 + shift * 11.3 : 0;
            pv_chart_get_plot_rect (painter, series, &view);
            size_t n = layout->columns.len;
            g_assert_cmpuint (n, >, 100);
            for (size_t i = 0; i < n; i++) {
                const PvChartColumn *column = &layout->columns.data[i];
                int64_t highest = 0;
                for (uint32_t p = column->first; p < column->end; p++)
                    highest = MAX (highest, series->totals[p]);
                if (!layout->is_rate)
                    g_assert_cmpfloat (column->total, ==, (double)highest);
                if (shift == 1)
                    is_start[column->first] = true;
                else if (shift > 1 && layout->is_rate && i > 0 && i < n - 20)
                    g_assert_true (is_start[column->first]);
            }
            if (shift == 0)
                g_assert_cmpuint (layout->columns.data[0].first, ==, 0);
            if (shift == 0)
                g_assert_cmpuint (layout->columns.data[n - 1].end, ==, series->n_points);
        }
    }
    /* A last point too short to be seen belongs to the column before. */
    g_autoptr (TestSeries) series = make (PV_CHART_ALLOCATIONS, 9, 2);
    series->start_ms[series->n_points] = series->start_ms[series->n_points - 1];
    PvChartView view = view_of_size (5);
    pv_chart_get_plot_rect (painter, series, &view);
    const PvChartLayout *layout = &painter->layout;
    g_assert_cmpuint (layout->columns.len, ==, 8);
    g_assert_cmpuint (layout->columns.data[7].end, ==, 9);
}

/* So much more than is live. */
static void
add_resident (PvSeries *series, double factor)
{
    series->resident = g_new0 (int64_t, series->n_points + 1);
    for (uint32_t p = 0; p < series->n_points; p++) {
        series->resident[p] = (int64_t)((double)series->totals[p] * factor) + 1000 * p;
        series->highest_resident = MAX (series->highest_resident, series->resident[p]);
    }
}

static uint32_t
count_resident_rows (const PvChartLayout *layout)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < layout->n_legend; i++)
        n += layout->legend[i].layer == PV_CHART_RESIDENT;
    return n;
}

/* One axis has what is live and what is resident: the line is where its value is, in its own color,
 * and has a row in the legend. It is not drawn where it would flatten what is live. */
TEST (resident)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    const PvChartLayout *layout = &painter->layout;
    static const double factors[] = {0.5, 1.3, 8};
    for (size_t i = 0; i < G_N_ELEMENTS (factors) * G_N_ELEMENTS (sizes); i += pv_test_step (2)) {
        g_autoptr (TestSeries) series = make (PV_CHART_LIVE, 900, 6);
        PvChartView view = view_of_size (i % G_N_ELEMENTS (sizes));
        view.hides_names = view.hides_peak = true;
        pv_chart_get_plot_rect (painter, series, &view);
        double highest_live = layout->plot.highest;
        add_resident (series, factors[i / G_N_ELEMENTS (sizes)]);
        g_autoptr (cairo_surface_t) image = draw (painter, series, &view);
        bool is_above = factors[i / G_N_ELEMENTS (sizes)] > 3;
        g_assert_cmpfloat (layout->plot.highest, ==,
                           is_above
                               ? highest_live
                               : 1.02 * (double)MAX (series->highest, series->highest_resident));
        g_assert_cmpuint (count_resident_rows (layout), ==, layout->n_legend > 1 ? 1 : 0);
        unsigned n_seen = 0;
        for (size_t c = 0; c < layout->columns.len; c++) {
            const PvChartColumn *column = &layout->columns.data[c];
            int64_t highest = 0;
            PvChartHit hit;
            for (uint32_t p = column->first; p < column->end; p++)
                highest = MAX (highest, series->resident[p]);
            g_assert_cmpfloat (column->resident, ==, (double)highest);
            int y = pv_chart_panel_y (&layout->plot, column->resident);
            int first = is_above ? layout->plot.top : MIN (y, layout->plot.bottom - 1);
            int end = is_above ? layout->plot.bottom : first + 1;
            for (y = first; y < end; y++)
                n_seen += is_color (pixel_at (image, column->left, y), painter->palette.resident);
            g_assert_true (pv_chart_hit (painter, series, &view,
                                         (column->left + 0.5) / layout->scale,
                                         layout->plot.top / layout->scale + 1, &hit));
            g_auto (PvChartText) text = pv_chart_describe_hit (series, &hit);
            g_autofree char *expected = pv_format_amount ((uint64_t)highest, PV_UNIT_BYTES);
            g_assert_cmpstr (text.resident, ==, highest > 0 ? expected : NULL);
        }
        g_assert_cmpuint (n_seen, ==, is_above ? 0 : layout->columns.len);
        /* Hidden, it is as if there was none. */
        view.hides_resident = true;
        pv_chart_get_plot_rect (painter, series, &view);
        g_assert_cmpfloat (layout->plot.highest, ==, highest_live);
        g_assert_cmpuint (count_resident_rows (layout), ==, 0);
    }
}

/* Compact charts have their times where tracks of the same width have theirs, and no legend; all
 * that is written is in the view. */
TEST (compact)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    const PvChartLayout *layout = &painter->layout;
    for (unsigned i = 0; i < 200; i += pv_test_step (7)) {
        bool has_dumps = i % 3 == 0;
        TestSeriesOptions options = {.kind = has_dumps ? PV_CHART_DUMPS : PV_CHART_LIVE,
                                     .n_points = 1 + i * 7,
                                     .n_layers = 1 + i % 8,
                                     .has_no_times = i % 2 == 0};
        g_autoptr (TestSeries) series = test_series_make (&options);
        PvChartView view = view_of_size (0);
        view.is_compact = true;
        view.width = 300 + i * 8;
        view.height = 52 + i;
        view.device_scale = 1 + i % 2;
        if (!has_dumps && i % 2 == 0)
            add_resident (series, 2);
        g_autoptr (cairo_surface_t) image = draw (painter, series, &view);
        cairo_rectangle_t plot = pv_chart_get_plot_rect (painter, series, &view);
        g_assert_cmpfloat (plot.x, ==, MIN (170, floor (view.width / 3)));
        g_assert_cmpfloat (plot.x + plot.width, ==, view.width);
        g_assert_cmpfloat (plot.y, >=, 26);
        g_assert_cmpfloat (plot.y + plot.height, <=, view.height);
        g_assert_cmpfloat (plot.height, >=, view.height - 31);
        g_assert_cmpuint (layout->n_legend, ==, 0);
        g_assert_false (layout->has_peak_label);
        for (uint32_t t = 0; t < layout->plot.n_ticks; t++) {
            const PvChartTick *tick = &layout->plot.ticks[t];
            double width = pv_chart_measure_text (painter, tick->label);
            if (tick->has_label)
                assert_inside (&view, tick->label_x, tick->baseline - layout->text_baseline, width,
                               layout->line_height - 1);
            g_assert_cmpfloat (layout->caption_x + layout->caption_width, <=, tick->label_x);
        }
        for (uint32_t t = 0; t < layout->n_time_ticks; t++)
            if (layout->time_ticks[t].has_label)
                assert_inside (&view, layout->time_ticks[t].label_x, 0,
                               pv_chart_measure_text (painter, layout->time_ticks[t].label), 26);
    }
}

/* The layers of every column add up to its total, whatever points it is of. */
TEST (sums)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    for (int kind = 0; kind < PV_N_CHARTS; kind++) {
        g_autoptr (TestSeries) series =
            make ((PvChartKind)kind, kind == PV_CHART_SIZES ? 66 : 3000, 9);
        PvChartView view = view_of_size (3);
        pv_chart_get_plot_rect (painter, series, &view);
        const PvChartLayout *layout = &painter->layout;
        double amount = 0, expected = 0;
        for (size_t i = 0; i < layout->columns.len; i++) {
            const PvChartColumn *column = &layout->columns.data[i];
            double sum = 0;
            for (uint32_t l = 0; l < series->n_layers; l++)
                sum += pv_chart_column_get_value (layout, series, column, l);
            g_assert_cmpfloat (fabs (sum - column->total), <=, 1e-6 * MAX (sum, 1));
            amount +=
                layout->is_rate
                    ? column->total * pv_chart_span_ms (series, column->first, column->end) / 1000
                    : column->total;
        }
        for (uint32_t p = 0; p < series->n_points; p++)
            expected += (double)series->totals[p];
        if (layout->is_rate || kind == PV_CHART_SIZES)
            g_assert_cmpfloat (fabs (amount - expected), <=, 1e-6 * expected);
        else
            g_assert_cmpfloat (amount, >, 0);
    }
}

/* Hits */

/* Away from lines that are drawn over the layers? */
static bool
is_plain (const PvChartLayout *layout, double x, double y)
{
    for (uint32_t i = 0; i < layout->plot.n_ticks; i++)
        if (fabs (layout->plot.ticks[i].at - y) < 4)
            return false;
    for (uint32_t i = 0; i < layout->n_time_ticks; i++)
        if (fabs (layout->time_ticks[i].at - x) < 4)
            return false;
    return y < layout->plot.bottom - 2;
}

/* The layer at all places around one, or false. */
static bool
hit_around (PvChartPainter *painter, const PvSeries *series, const PvChartView *view, double x,
            double y, PvChartHit *ret_hit)
{
    const double scale = painter->layout.scale;
    if (!pv_chart_hit (painter, series, view, x / scale, y / scale, ret_hit))
        return false;
    static const int around[4][2] = {{-4, 0}, {4, 0}, {0, -4}, {0, 4}};
    for (int i = 0; i < 4; i++) {
        PvChartHit other;
        if (!pv_chart_hit (painter, series, view, (x + around[i][0]) / scale,
                           (y + around[i][1]) / scale, &other) ||
            other.layer != ret_hit->layer)
            return false;
    }
    return ret_hit->is_in_plot;
}

static void
check_pixels (PvChartPainter *painter, const PvSeries *series, const PvChartView *view)
{
    g_autoptr (GRand) rand = g_rand_new_with_seed (3);
    g_autoptr (cairo_surface_t) image = draw (painter, series, view);
    unsigned n_compared = 0, n_background = 0;
    for (int i = 0; i < 1500; i++) {
        const PvChartLayout *layout = &painter->layout;
        double x = floor (g_rand_double_range (rand, layout->plot.left, layout->plot.right)) + 0.5;
        double y = floor (g_rand_double_range (rand, layout->plot.top, layout->plot.bottom)) + 0.5;
        PvChartHit hit;
        if (!is_plain (layout, x, y) || !hit_around (painter, series, view, x, y, &hit))
            continue;
        uint32_t pixel = pixel_at (image, x, y);
        if (hit.layer == PV_CHART_NONE) {
            n_background++;
            g_assert_true (is_color (pixel, painter->palette.background));
        } else {
            n_compared++;
            g_assert_true (
                is_color (pixel, pv_chart_layer_color (painter, series, view, hit.layer)));
            g_assert_cmpuint (hit.function, ==, series->layers[hit.layer].function);
        }
    }
    g_assert_cmpuint (n_compared, >, 100);
    g_assert_cmpuint (n_background, >, 10);
}

TEST (hits)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    for (int kind = 0; kind < PV_N_CHARTS; kind++) {
        if (kind == PV_CHART_SIZES)
            continue;
        g_autoptr (TestSeries) series = make ((PvChartKind)kind, 60, 6);
        for (unsigned i = 0; i < 6; i += pv_test_step (5)) {
            PvChartView view = view_of_size (3 + i % 3);
            view.is_dark = i % 2 == 1;
            view.hides_names = view.hides_peak = true;
            view.is_high_contrast = i == 4;
            view.selected = i == 5 ? series->layers[0].function : 0;
            check_pixels (painter, series, &view);
        }
    }
}

TEST (hit_values)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    TestSeriesOptions options = {.kind = PV_CHART_ALLOCATIONS, .n_points = 4, .n_layers = 2};
    g_autoptr (TestSeries) series = test_series_make_empty (&options);
    series->layers[0].values[2] = 30;
    series->layers[1].values[2] = 10;
    test_series_finish (series);
    PvChartView view = view_of_size (5);
    cairo_rectangle_t plot = pv_chart_get_plot_rect (painter, series, &view);
    PvChartHit hit;
    double y = plot.y + plot.height;
    g_assert_true (pv_chart_hit (painter, series, &view, plot.x + plot.width * 0.6, y - 2, &hit));
    g_assert_cmpuint (hit.point, ==, 2);
    g_assert_cmpuint (hit.layer, ==, 0);
    g_assert_cmpfloat (fabs (hit.value - 3000), <, 1e-6); /* 30 in 10 ms */
    g_assert_cmpfloat (fabs (hit.total - 4000), <, 1e-6);
    g_assert_cmpfloat (fabs (hit.time_ms - 24), <, 0.5);
    PvChartText text = pv_chart_describe_hit (series, &hit);
    g_assert_cmpstr (text.time, ==, "24 ms");
    g_assert_cmpstr (text.total, ==, "4,000 per second");
    g_assert_cmpstr (text.value, ==, "3,000 per second (75.0 %)");
    g_assert_nonnull (strstr (text.site, "::"));
    pv_chart_text_clear (&text);
    /* Above everything, and where nothing is. */
    g_assert_true (pv_chart_hit (painter, series, &view, plot.x + plot.width * 0.3, y - 2, &hit));
    g_assert_cmpuint (hit.layer, ==, PV_CHART_NONE);
    g_assert_cmpuint (hit.point, ==, 1);
    text = pv_chart_describe_hit (series, &hit);
    g_assert_null (text.site);
    g_assert_cmpstr (text.total, ==, "0 per second");
    pv_chart_text_clear (&text);
    g_assert_false (pv_chart_hit (painter, series, &view, 1, 1, &hit));
    g_assert_cmpuint (hit.point, ==, PV_CHART_NONE);
    g_assert_false (pv_chart_hit (painter, series, &view, plot.x + plot.width + 1, y - 2, &hit));
}

TEST (hit_sizes)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    g_autoptr (TestSeries) series = make (PV_CHART_SIZES, 66, 5);
    PvChartView view = view_of_size (5);
    pv_chart_get_plot_rect (painter, series, &view);
    const PvChartLayout *layout = &painter->layout;
    g_assert_false (pv_chart_panel_is_empty (&layout->bytes));
    for (size_t i = 0; i < layout->columns.len; i++) {
        PvChartColumn column = layout->columns.data[i];
        PvChartHit hit;
        double x = (column.left + column.right) / 2.0;
        g_assert_true (pv_chart_hit (painter, series, &view, x, layout->bytes.bottom - 1, &hit));
        g_assert_cmpuint (hit.point, ==, column.first);
        g_assert_cmpuint (hit.layer, ==, PV_CHART_NONE);
        g_auto (PvChartText) text = pv_chart_describe_hit (series, &hit);
        g_assert_nonnull (strstr (text.time, " each, "));
    }
    /* They are as wide as a millisecond each. */
    assert_snaps (series, 2 * MS + 1, 2 * MS, 3 * MS);
    assert_snaps (series, UINT64_MAX, (series->n_points - 1) * MS, series->n_points * MS);
}

/* Which dump it is, by number and by time where that is known. */
TEST (hit_dumps)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    static const char *const expected[] = {"prog.4711.2.i2.heap (#3 at 10.0 s)",
                                           "prog.4711.2.i2.heap (#3)"};
    for (int has_no_times = 0; has_no_times < 2; has_no_times++) {
        TestSeriesOptions options = {.kind = PV_CHART_DUMPS,
                                     .n_points = 4,
                                     .n_layers = 2,
                                     .point_ms = 5000,
                                     .has_no_times = has_no_times};
        g_autoptr (TestSeries) series = test_series_make_empty (&options);
        series->layers[0].values[2] = 3 << 20;
        series->layers[1].values[2] = 1 << 20;
        test_series_finish (series);
        PvChartView view;
        PvChartHit hit;
        view = view_of_size (5);
        cairo_rectangle_t plot = pv_chart_get_plot_rect (painter, series, &view);
        g_assert_true (pv_chart_hit (painter, series, &view, plot.x + plot.width * 0.6,
                                     plot.y + plot.height - 2, &hit));
        g_assert_cmpuint (hit.dump, ==, 2);
        g_auto (PvChartText) text = pv_chart_describe_hit (series, &hit);
        g_assert_cmpstr (text.time, ==, expected[has_no_times]);
        g_assert_cmpstr (text.total, ==, "4.00 MiB");
        g_assert_cmpstr (text.value, ==, "3.00 MiB (75.0 %)");
        /* The growth from the second to the third. */
        assert_snaps (series, 6000 * MS, 5000 * MS, 10000 * MS);
        assert_snaps (series, 14000 * MS, 10000 * MS, 15000 * MS);
    }
}

/* Numbers of dumps: the first one, and round ones that do not touch one another. */
TEST (numbers)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    static const uint32_t counts[] = {1, 2, 3, 9, 38, 120, 1000, 20000};
    for (size_t c = 0; c < G_N_ELEMENTS (counts); c++) {
        TestSeriesOptions options = {.kind = PV_CHART_DUMPS,
                                     .n_points = counts[c],
                                     .n_layers = 3,
                                     .point_ms = 1000,
                                     .has_no_times = true};
        g_autoptr (TestSeries) series = test_series_make (&options);
        series->first_dump = 6;
        for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
            PvChartView view = view_of_size (i);
            cairo_rectangle_t plot = pv_chart_get_plot_rect (painter, series, &view);
            const PvChartLayout *layout = &painter->layout;
            if (plot.width <= 0)
                continue;
            g_assert_cmpuint (layout->n_time_ticks, >=, MIN (counts[c], 2));
            g_assert_cmpstr (layout->time_ticks[0].label, ==, "#7");
            if (counts[c] > 1)
                assert_ticks (painter, &view, layout->time_ticks, layout->n_time_ticks, true);
            for (uint32_t t = 0; t < layout->n_time_ticks; t++) {
                const PvChartTick *tick = &layout->time_ticks[t];
                double x = pv_chart_time_to_x (painter, series, &view, (tick->value - 6.5) * 1000);
                g_assert_cmpfloat (fabs (x * layout->scale - tick->at), <=, 2 + layout->px_per_ms);
            }
        }
    }
}

/* The box stays inside the view wherever the pointer is. */
TEST (hover)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    for (int kind = 0; kind < PV_N_CHARTS; kind++) {
        g_autoptr (TestSeries) series =
            make ((PvChartKind)kind, kind == PV_CHART_SIZES ? 66 : 500, 12);
        for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
            PvChartView view = view_of_size (i);
            unsigned n_lines = 0;
            for (double x = 1; x < view.width; x += view.width / 13) {
                for (double y = 1; y < view.height; y += view.height / 11) {
                    PvChartHit hit;
                    bool is_hit = pv_chart_hit (painter, series, &view, x, y, &hit);
                    cairo_rectangle_t line = pv_chart_get_hover_line (painter, series, &view, &hit);
                    g_assert_true (is_hit || line.width == 0);
                    assert_inside (&view, line.x, line.y, line.width, line.height);
                    n_lines += line.width > 0;
                }
            }
            if (kind == PV_CHART_SIZES)
                g_assert_cmpuint (n_lines, ==, 0);
            else
                g_assert_cmpuint (n_lines, >, 40);
        }
    }
}

/* Moving */

TEST (brush)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    g_autoptr (TestSeries) series = make (PV_CHART_LIVE, 100, 4);
    PvChartView view = view_of_size (5);
    cairo_rectangle_t plot = pv_chart_get_plot_rect (painter, series, &view);
    /* Whole points: the start of one is not in the one before, and no time is outside. */
    assert_snaps (series, 204 * MS, 200 * MS, 210 * MS);
    assert_snaps (series, 396 * MS, 390 * MS, 400 * MS);
    assert_snaps (series, 400 * MS - 1, 390 * MS, 400 * MS);
    assert_snaps (series, 400 * MS, 400 * MS, 410 * MS);
    assert_snaps (series, 0, 0, 10 * MS);
    assert_snaps (series, 1000 * MS, 990 * MS, 1000 * MS);
    assert_snaps (series, UINT64_MAX, 990 * MS, 1000 * MS);

    cairo_rectangle_t rect;
    g_assert_false (pv_chart_get_brush_rect (painter, series, &view, &rect));
    view.brush_start_ms = 200;
    view.brush_end_ms = 400;
    g_assert_true (pv_chart_get_brush_rect (painter, series, &view, &rect));
    g_assert_cmpfloat (fabs (rect.x - (plot.x + plot.width * 0.2)), <=, 0.5);
    g_assert_cmpfloat (fabs (rect.width - plot.width * 0.2), <=, 1);

    /* Inside of the brush nothing changes, outside everything is paler. */
    view.hides_names = true;
    g_autoptr (cairo_surface_t) with = draw (painter, series, &view);
    view.brush_end_ms = 0;
    g_autoptr (cairo_surface_t) without = draw (painter, series, &view);
    double y = plot.y + plot.height - 6;
    g_assert_cmpuint (pixel_at (with, plot.x + plot.width * 0.3, y), ==,
                      pixel_at (without, plot.x + plot.width * 0.3, y));
    g_assert_cmpuint (pixel_at (with, plot.x + plot.width * 0.63, y), !=,
                      pixel_at (without, plot.x + plot.width * 0.63, y));
}

TEST (zoom_and_pan)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    g_autoptr (TestSeries) series = make (PV_CHART_LIVE, 1000, 4);
    PvChartView view = view_of_size (5);
    double x = pv_chart_time_to_x (painter, series, &view, 3000);
    g_assert_false (pv_chart_pan (painter, series, &view, 50));
    g_assert_false (pv_chart_zoom (painter, series, &view, x, 0.5));
    g_assert_true (pv_chart_zoom (painter, series, &view, x, 4));
    g_assert_cmpfloat (fabs (view.end_ms - view.start_ms - 2500), <, 1e-6);
    g_assert_cmpfloat (fabs (pv_chart_time_to_x (painter, series, &view, 3000) - x), <, 3);
    g_assert_true (pv_chart_pan (painter, series, &view, 50));
    g_assert_cmpfloat (fabs (view.end_ms - view.start_ms - 2500), <, 1e-6);
    while (pv_chart_pan (painter, series, &view, 1000))
        g_assert_cmpfloat (view.end_ms, <=, 10000);
    g_assert_cmpfloat (view.end_ms, ==, 10000);
    for (int i = 0; i < 100; i++)
        pv_chart_zoom (painter, series, &view, x, 3);
    g_assert_cmpfloat (view.end_ms - view.start_ms, >=, 19.99);
    for (int i = 0; i < 100; i++)
        pv_chart_zoom (painter, series, &view, x, 0.5);
    g_assert_cmpfloat (view.end_ms, ==, view.start_ms); /* all of it */
    g_assert_false (pv_chart_zoom (painter, series, &view, x, 0));
    g_assert_false (pv_chart_zoom (painter, series, &view, x, NAN));
}

/* Drawing */

/* Straight into an image, by way of a recording, and as an image of its own: the same picture. */
TEST (targets)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    g_autoptr (TestSeries) series = make (PV_CHART_LIVE, 700, 9);
    for (int scale = 1; scale <= 2; scale++) {
        PvChartView view = new_chart_view ();
        view.width = 640;
        view.height = 360;
        view.device_scale = scale;
        g_autoptr (cairo_surface_t) direct = draw (painter, series, &view);
        g_autoptr (cairo_surface_t) own = pv_chart_draw_image (painter, series, &view);
        cairo_rectangle_t extents = {0, 0, 640, 360};
        g_autoptr (cairo_surface_t) recording =
            cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &extents);
        cairo_t *cr = cairo_create (recording);
        pv_chart_draw (painter, cr, series, &view);
        cairo_destroy (cr);
        /* The painter goes on drawing, as in a window; the recording keeps what it had. */
        PvChartView other = view;
        other.is_dark = true;
        for (int i = 0; i < 3; i++)
            cairo_surface_destroy (pv_chart_draw_image (painter, series, &other));
        g_autoptr (cairo_surface_t) played =
            cairo_image_surface_create (CAIRO_FORMAT_RGB24, 640 * scale, 360 * scale);
        cr = cairo_create (played);
        cairo_scale (cr, scale, scale);
        cairo_set_source_surface (cr, recording, 0, 0);
        cairo_paint (cr);
        cairo_destroy (cr);
        cairo_surface_flush (played);
        g_assert_cmpint (cairo_image_surface_get_width (own), ==, 640 * scale);
        for (int y = 0; y < 360 * scale; y++) {
            for (int x = 0; x < 640 * scale; x++) {
                g_assert_cmpuint (pixel_at (own, x, y), ==, pixel_at (direct, x, y));
                g_assert_cmpuint (pixel_at (played, x, y), ==, pixel_at (direct, x, y));
            }
        }
    }
}

/* Every function on a series, at every size, in every format. */
static void
exercise (PvChartPainter *painter, const PvSeries *series)
{
    const size_t step = pv_test_step (2);
    for (size_t i = step - 1; i < G_N_ELEMENTS (sizes) + 2; i += step) {
        PvChartView view = view_of_size (i % G_N_ELEMENTS (sizes));
        if (i >= G_N_ELEMENTS (sizes))
            view.width = view.height = i == G_N_ELEMENTS (sizes) ? 1 : 45;
        if (view.width * view.device_scale > 2000)
            continue;
        view.brush_start_ms = 3;
        view.brush_end_ms = 1e18;
        view.selected = 2;
        cairo_surface_destroy (draw (painter, series, &view));
        for (double x = -10; x < view.width + 20; x += view.width / 7) {
            PvChartHit hit;
            pv_chart_hit (painter, series, &view, x, view.height * 0.6, &hit);
            PvChartText text = pv_chart_describe_hit (series, &hit);
            pv_chart_text_clear (&text);
            pv_chart_get_hover_line (painter, series, &view, &hit);
            if (series != NULL && series->n_points > 0)
                pv_chart_snap (series, (uint64_t)MAX (x, 0) * MS, &(uint64_t){0}, &(uint64_t){0});
            PvChartView moved = view;
            pv_chart_zoom (painter, series, &moved, x, 1.5);
            pv_chart_pan (painter, series, &moved, 10);
            pv_chart_time_to_x (painter, series, &moved, 5);
            pv_chart_get_color (painter, series, &moved, 3);
        }
    }
}

TEST (degenerate)
{
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    static const uint32_t counts[] = {0, 1, 2, 65536};
    static const int64_t values[] = {0, 1, INT64_C (1) << 62, -5, INT64_MIN};
    for (int kind = 0; kind < PV_N_CHARTS; kind++) {
        for (size_t c = 0; c < G_N_ELEMENTS (counts); c++) {
            for (size_t v = 0; v < G_N_ELEMENTS (values); v++) {
                TestSeriesOptions options = {
                    .kind = (PvChartKind)kind, .n_points = counts[c], .n_layers = 2};
                if (kind == PV_CHART_SIZES && counts[c] > 66)
                    options.n_points = 66;
                if (counts[c] > 66 && (v > 1 || (v == 0 && pv_test_is_short ())))
                    continue;
                g_autoptr (TestSeries) series = test_series_make_empty (&options);
                for (uint32_t p = 0; p < series->n_points; p++) {
                    series->layers[0].values[p] = p % 3 == 0 ? 0 : values[v];
                    series->totals[p] = series->layers[0].values[p];
                }
                series->layers[0].weight = values[v];
                series->has_peak = v % 2 == 0;
                series->peak_ms = v == 4 ? UINT64_MAX : 5;
                series->peak_value = values[v];
                exercise (painter, series);
            }
        }
    }
    exercise (painter, NULL);

    TestSeriesOptions options = {.n_points = 30}; /* no layers at all */
    g_autoptr (TestSeries) series = test_series_make (&options);
    exercise (painter, series);

    /* Points that take no time. */
    options = (TestSeriesOptions){.kind = PV_CHART_ALLOCATIONS, .n_points = 9, .n_layers = 3};
    g_autoptr (TestSeries) timeless = test_series_make (&options);
    for (uint32_t p = 0; p <= timeless->n_points; p++)
        timeless->start_ms[p] = 70;
    exercise (painter, timeless);
}
