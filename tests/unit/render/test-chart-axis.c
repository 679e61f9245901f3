/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "../cases.h"
#include "render/chart/chart-axis.h"
#include "render/chart/chart-colors.h"
#include "render/draw/palette.h"
#include "series-maker.h"

static bool
is_round_decimal (double step)
{
    double factor = step / pow (10, floor (log10 (step) + 1e-9));
    return fabs (factor - 1) < 1e-6 || fabs (factor - 2) < 1e-6 || fabs (factor - 5) < 1e-6 ||
           fabs (factor - 10) < 1e-6;
}

TEST (steps)
{
    g_autoptr (GRand) rand = g_rand_new_with_seed (1);
    for (int i = 0; i < 5000; i++) {
        double highest = exp (g_rand_double_range (rand, -3, 44));
        unsigned most = (unsigned)g_rand_int_range (rand, 1, 13);
        double step = pv_chart_value_step (highest, most, PV_UNIT_COUNT);
        g_assert_true (is_round_decimal (step));
        g_assert_cmpfloat (highest / step, <=, most + 1e-6);
        g_assert_cmpfloat (highest / step, >=, most / 2.6);
        step = pv_chart_value_step (highest, most, PV_UNIT_BYTES);
        g_assert_cmpfloat (step, ==, exp2 (round (log2 (step))));
        g_assert_cmpfloat (step, >=, 1);
        g_assert_cmpfloat (highest / step, <=, most + 1e-6);
        double least = exp (g_rand_double_range (rand, -3, 40));
        step = pv_chart_time_step (least);
        g_assert_cmpfloat (step, >=, least * (1 - 1e-6));
        g_assert_cmpfloat (step, <=, MAX (least * 2.6, 1));
    }
    g_assert_cmpfloat (pv_chart_value_step (0, 5, PV_UNIT_BYTES), >, 0);
    g_assert_cmpfloat (pv_chart_value_step (NAN, 5, PV_UNIT_COUNT), >, 0);
    g_assert_cmpfloat (pv_chart_value_step (-4, 0, PV_UNIT_COUNT), >, 0);
    g_assert_cmpfloat (pv_chart_time_step (INFINITY), >, 0);
    g_assert_cmpfloat (pv_chart_time_step (NAN), >, 0);
}

static void
assert_time (double time_ms, double step_ms, double end_ms, const char *expected)
{
    char label[PV_CHART_LABEL_SIZE];
    pv_chart_format_time (time_ms, step_ms, end_ms, label);
    g_assert_cmpstr (label, ==, expected);
}

static void
assert_amount (double amount, PvUnit unit, const char *tick, const char *value)
{
    char label[PV_CHART_LABEL_SIZE];
    pv_chart_format_tick (amount, amount, unit, label);
    g_assert_cmpstr (label, ==, tick);
    assert_string (pv_chart_format_value (amount, unit), value);
}

/* Numbers along one axis are in one power. */
TEST (common_power)
{
    char label[PV_CHART_LABEL_SIZE];
    pv_chart_format_tick (5e6, 1e7, PV_UNIT_COUNT, label);
    g_assert_cmpstr (label, ==, "5 M");
    pv_chart_format_tick (5e8, 1.5e9, PV_UNIT_COUNT, label);
    g_assert_cmpstr (label, ==, "0.5 G");
    pv_chart_format_tick (0, 1e7, PV_UNIT_COUNT, label);
    g_assert_cmpstr (label, ==, "0");
    pv_chart_format_tick (5e6, 6e6, PV_UNIT_COUNT, label);
    g_assert_cmpstr (label, ==, "5,000,000");
    pv_chart_format_tick (5e8, 2e9, PV_UNIT_NS, label);
    g_assert_cmpstr (label, ==, "0.5 s");
    pv_chart_format_tick (0, 2e9, PV_UNIT_NS, label);
    g_assert_cmpstr (label, ==, "0 s");
}

TEST (labels)
{
    assert_time (0, 100, 900, "0 ms");
    assert_time (250, 50, 900, "250 ms");
    assert_time (1500, 500, 9000, "1.5 s");
    assert_time (1230, 10, 9000, "1.23 s");
    assert_time (90000, 10000, 100000, "90 s");
    assert_time (90000, 30000, 600000, "1:30 min");
    assert_time (119999.9, 1000, 600000, "2:00 min");
    assert_time (120000, 60000, 600000, "2 min");
    assert_time (61250, 10, 600000, "1:01.25 min");
    assert_time (3900000, 300000, 20000000, "1:05 h");
    assert_time (3905000, 5000, 20000000, "1:05:05 h");
    assert_time (1e15, 1, 1e30, "277777777:46:40.000 h");
    assert_time (-5, 1, 0, "0 ms");
    assert_time (NAN, NAN, NAN, "0 ms");
    assert_amount (0, PV_UNIT_BYTES, "0 B", "0 B");
    assert_amount (1536, PV_UNIT_BYTES, "1.5 KiB", "1.50 KiB");
    assert_amount (1.25 * (1 << 30), PV_UNIT_BYTES, "1.25 GiB", "1.25 GiB");
    assert_amount (0x1p62, PV_UNIT_BYTES, "4 EiB", "4.00 EiB");
    assert_amount (640, PV_UNIT_NS, "640 ns", "640 ns");
    assert_amount (2500, PV_UNIT_NS, "2.5 µs", "2.50 µs");
    assert_amount (34e6, PV_UNIT_NS, "34 ms", "34.0 ms");
    assert_amount (12.34e12, PV_UNIT_NS, "12,340 s", "12,340 s");
    assert_amount (2500, PV_UNIT_COUNT, "2,500", "2,500");
    assert_amount (0.2, PV_UNIT_COUNT, "0.2", "0.2");
    assert_amount (20000000, PV_UNIT_COUNT, "20 M", "20,000,000");
    assert_amount (0x1p62, PV_UNIT_COUNT, "4.6117 E", "4,611,686,018,427,387,904");
    assert_amount (-3, PV_UNIT_COUNT, "0", "0");
}

TEST (contrast)
{
    for (int mode = 0; mode < 4; mode++) {
        PvChartPalette palette;
        pv_chart_palette_init (&palette, mode % 2 == 1, mode >= 2);
        g_assert_cmpfloat (pv_color_contrast (palette.foreground, palette.background), >=, 7);
        g_assert_cmpfloat (pv_color_contrast (palette.faint, palette.background), >=, 4.5);
        g_assert_cmpfloat (pv_color_contrast (palette.outline, palette.background), >=, 3);
        g_assert_cmpfloat (pv_color_contrast (palette.line, palette.background), >=, 3);
        for (unsigned i = 0; i < PV_CHART_N_COLORS; i++) {
            PvColor fills[2] = {palette.fills[i], palette.faded[i]};
            for (int j = 0; j < 2; j++)
                g_assert_cmpfloat (pv_color_contrast (pv_chart_text_color (fills[j]), fills[j]), >=,
                                   4.5);
        }
        /* Degrees of lightness stay apart in all hues: that is what is seen without hue. */
        for (unsigned a = 0; a < PV_CHART_COLORS; a++)
            for (unsigned b = 0; b < a; b++)
                if (a % PV_CHART_TONES != b % PV_CHART_TONES)
                    g_assert_cmpfloat (pv_color_contrast (palette.fills[a], palette.fills[b]), >=,
                                       1.12);
    }
}

TEST (colors)
{
    uint8_t colors[20], other[20];
    TestSeriesOptions twenty = {.seed = 5, .n_points = 10, .n_layers = 20, .has_others = true};
    g_autoptr (TestSeries) series = test_series_make (&twenty);
    pv_chart_colors_assign (series, colors);
    bool is_used[PV_CHART_N_COLORS] = {false};
    g_assert_cmpuint (colors[19], ==, PV_CHART_GREY);
    for (int l = 0; l < 19; l++) {
        g_assert_cmpuint (colors[l], <, PV_CHART_COLORS);
        g_assert_false (is_used[colors[l]]);
        is_used[colors[l]] = true;
        if (l == 0)
            continue;
        g_assert_cmpuint (colors[l] % PV_CHART_TONES, !=, colors[l - 1] % PV_CHART_TONES);
        g_assert_cmpuint (colors[l] / PV_CHART_TONES, !=, colors[l - 1] / PV_CHART_TONES);
    }

    /* Most of a few functions keep their colours when others come and go. */
    unsigned n_same = 0, n = 0;
    for (uint32_t seed = 0; seed < 20; seed++) {
        TestSeriesOptions options = {.seed = seed, .n_points = 3, .n_layers = 5};
        g_autoptr (TestSeries) few = test_series_make (&options);
        options.n_layers = 8;
        g_autoptr (TestSeries) more = test_series_make (&options);
        PvSeriesLayer last = more->layers[7];
        memmove (more->layers + 1, more->layers, 7 * sizeof *more->layers);
        more->layers[0] = last;
        pv_chart_colors_assign (few, colors);
        pv_chart_colors_assign (more, other);
        for (int l = 0; l < 5; l++, n++)
            n_same += colors[l] == other[l + 1];
    }
    g_assert_cmpuint (n_same * 10, >=, n * 5);
}
