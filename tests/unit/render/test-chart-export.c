/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <glib/gstdio.h>

#include "../cases.h"
#include "picture-files.h"
#include "render/export/export.h"
#include "series-maker.h"
#include "views.h"

static char *folder;

static char *export(const PvSeries *series, const PvChartView *view, const char *name)
{
    char *path = g_build_filename (folder, name, NULL);
    assert_ok (error, pv_export_chart (path, series, view, "Heap of <a> & \"b\"", &error));
    return path;
}

static PvSeries *
make (PvChartKind kind)
{
    TestSeriesOptions options = {.kind = kind,
                                 .seed = 1,
                                 .n_points = kind == PV_CHART_SIZES ? 66 : 500,
                                 .n_layers = kind == PV_CHART_RSS ? 1 : 7,
                                 .has_others = kind != PV_CHART_RSS};
    return test_series_make (&options);
}

/* Well-formed, made of paths and not of pixels, a tool tip for each layer and legend row. */
TEST (svg)
{
    for (int kind = 0; kind < PV_N_CHARTS; kind++) {
        g_autoptr (TestSeries) series = make ((PvChartKind)kind);
        PvChartView view = new_chart_view ();
        g_autofree char *path = export(series, &view, "chart.svg");
        size_t len;
        g_autofree char *svg = read_file (path, &len);
        static const GMarkupParser parser = {0};
        g_autoptr (GMarkupParseContext) context =
            g_markup_parse_context_new (&parser, 0, NULL, NULL);
        assert_ok (error, g_markup_parse_context_parse (context, svg, (gssize)len, &error));
        assert_ok (error, g_markup_parse_context_end_parse (context, &error));
        g_assert_cmpuint (count (svg, "<image"), ==, 0);
        g_assert_cmpuint (count (svg, "<title>"), ==, kind == PV_CHART_RSS ? 0 : 14);
        g_assert_nonnull (strstr (svg, "width=\"960px\" height=\"480px\""));
        g_assert_cmpuint (len, <, 600000);
    }
}

/* The page has the chart in it as the window draws it. */
TEST (png)
{
    g_autoptr (TestSeries) series = make (PV_CHART_LIVE);
    g_autoptr (PvChartPainter) painter = pv_chart_painter_new (NULL);
    for (int scale = 1; scale <= 2; scale++) {
        PvChartView view = new_chart_view ();
        view.width = 700;
        view.height = 344;
        view.device_scale = scale;
        g_autofree char *path = export(series, &view, "chart.PNG");
        g_autoptr (cairo_surface_t) png = cairo_image_surface_create_from_png (path);
        g_assert_cmpint (cairo_image_surface_get_width (png), ==, 700 * scale);
        g_assert_cmpint (cairo_image_surface_get_height (png), ==, 344 * scale);
        view.width = 700 - 24;
        view.height = 344 - 32 - 12;
        g_autoptr (cairo_surface_t) expected = pv_chart_draw_image (painter, series, &view);
        for (int y = 0; y < 300 * scale; y++) {
            const uint8_t *a = cairo_image_surface_get_data (expected) +
                               (size_t)y * (size_t)cairo_image_surface_get_stride (expected);
            const uint8_t *b =
                cairo_image_surface_get_data (png) +
                (size_t)(y + 32 * scale) * (size_t)cairo_image_surface_get_stride (png) +
                (size_t)(12 * scale) * 4;
            for (int x = 0; x < 676 * scale * 4; x++)
                if (x % 4 != 3)
                    g_assert_cmpint (a[x], ==, b[x]);
        }
    }
}

TEST (pdf)
{
    for (int kind = 0; kind < PV_N_CHARTS; kind++) {
        g_autoptr (TestSeries) series = make ((PvChartKind)kind);
        PvChartView view = new_chart_view ();
        view.is_dark = true;
        view.brush_start_ms = 100;
        view.brush_end_ms = 2000;
        g_autofree char *path = export(series, &view, "chart.pdf");
        size_t len;
        g_autofree char *pdf = read_file (path, &len);
        g_assert_cmpuint (len, >, 1000);
        g_assert_cmpint (memcmp (pdf, "%PDF-1.", 7), ==, 0);
        g_assert_nonnull (memmem (pdf, len, "%%EOF", 5));
    }
}

/* Nothing in it, and sides that no picture can have. */
TEST (limits)
{
    static const char *const names[] = {"limit.svg", "limit.png", "limit.pdf"};
    TestSeriesOptions options = {.kind = PV_CHART_TEMPORARY};
    g_autoptr (TestSeries) series = test_series_make (&options);
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        PvChartView view = new_chart_view ();
        g_free (export(series, &view, names[i]));
        view.width = 1e9;
        view.height = 1;
        g_free (export(series, &view, names[i]));
        view.width = -4;
        view.device_scale = 1e9;
        g_free (export(series, &view, names[i]));
    }
}

TEST (errors)
{
    g_autoptr (TestSeries) series = make (PV_CHART_LIVE);
    PvChartView view = new_chart_view ();
    GError *error = NULL;
    g_assert_false (pv_export_chart ("chart.gif", series, &view, NULL, &error));
    g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
    g_clear_error (&error);
    g_autofree char *path = g_build_filename (folder, "missing", "chart.svg", NULL);
    g_assert_false (pv_export_chart (path, series, &view, NULL, &error));
    g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
    g_clear_error (&error);
}

TESTS_MAIN (argc, argv)
{
    pv_test_init (argc, argv);
    folder = make_folder ("exported-charts");
    int status = g_test_run ();
    remove_folder (folder);
    return status;
}
