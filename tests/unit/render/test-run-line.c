/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of runs: where points are, what is under the pointer, and what is drawn of many points.
 */
#include "../cases.h"
#include "render/chart/run-line.h"
#include "views.h"

#include <math.h>

enum { WIDTH = 200, HEIGHT = 24, MOST_POINTS = 100000 };

static const PvRunLineView view = {.width = WIDTH, .height = HEIGHT};

static PvRunLine
make_line (const uint64_t *amounts, uint32_t n)
{
    return (PvRunLine){
        .n_points = n, .amounts = amounts, .step = PV_POINT_NONE, .marked = PV_POINT_NONE};
}

/* On white, or on what is behind it in the dark; what is not white is ink. */
static cairo_surface_t *
draw (const PvRunLine *line, const PvRunLineView *of)
{
    cairo_surface_t *image =
        cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)of->width, (int)of->height);
    cairo_t *cr = cairo_create (image);
    double gray = of->is_dark ? 0x1e / 255.0 : 1;
    cairo_set_source_rgb (cr, gray, gray, gray);
    cairo_paint (cr);
    pv_run_line_draw (line, of, cr);
    g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
    cairo_destroy (cr);
    cairo_surface_flush (image);
    return image;
}

static uint32_t
get_pixel (cairo_surface_t *image, int x, int y)
{
    const unsigned char *data = cairo_image_surface_get_data (image);
    ptrdiff_t stride = cairo_image_surface_get_stride (image);
    return ((const uint32_t *)(const void *)(data + y * stride))[x] & 0xffffff;
}

/* The highest and the lowest place with ink of a column; false: there is none. */
static bool
find_ink (cairo_surface_t *image, int x, int *ret_top, int *ret_bottom)
{
    *ret_top = HEIGHT;
    *ret_bottom = -1;
    for (int y = 0; y < HEIGHT; y++) {
        if (get_pixel (image, x, y) == 0xffffff)
            continue;
        *ret_top = MIN (*ret_top, y);
        *ret_bottom = y;
    }
    return *ret_bottom >= 0;
}

static unsigned
count_ink (const PvRunLine *line, const PvRunLineView *of)
{
    g_autoptr (cairo_surface_t) image = draw (line, of);
    unsigned n = 0;
    for (int y = 0; y < (int)of->height; y++)
        for (int x = 0; x < (int)of->width; x++)
            n += get_pixel (image, x, y) != 0xffffff;
    return n;
}

TEST (points)
{
    static const uint64_t amounts[] = {100, 300, 0, 200};
    PvRunLine line = make_line (amounts, 4);
    double x[4], y[4];
    for (uint32_t p = 0; p < 4; p++)
        pv_run_line_get_point (&line, &view, p, &x[p], &y[p]);
    g_assert_cmpfloat_with_epsilon (x[0], 5, 1e-9);
    g_assert_cmpfloat_with_epsilon (x[3], WIDTH - 5, 1e-9);
    g_assert_cmpfloat_with_epsilon (x[2] - x[1], x[1] - x[0], 1e-9);
    g_assert_cmpfloat_with_epsilon (y[1], 5, 1e-9);          /* the most */
    g_assert_cmpfloat_with_epsilon (y[2], HEIGHT - 5, 1e-9); /* the least */
    g_assert_cmpfloat_with_epsilon (y[0] - y[3], y[3] - y[1], 1e-9);
}

/* A difference of a hundredth does not fill the height. */
TEST (small_range)
{
    static const uint64_t amounts[] = {1000, 1010, 1000}, zeros[] = {0, 0}, one[] = {7};
    PvRunLine line = make_line (amounts, 3);
    double x, low, high, y;
    pv_run_line_get_point (&line, &view, 0, &x, &low);
    pv_run_line_get_point (&line, &view, 1, &x, &high);
    g_assert_cmpfloat (low - high, >, 0.5);
    g_assert_cmpfloat (low - high, <, (HEIGHT - 10) / 8.0);
    line = make_line (zeros, 2);
    pv_run_line_get_point (&line, &view, 1, &x, &y);
    g_assert_cmpfloat_with_epsilon (y, HEIGHT - 5, 1e-9);
    line = make_line (one, 1);
    pv_run_line_get_point (&line, &view, 0, &x, &y);
    g_assert_cmpfloat_with_epsilon (x, WIDTH / 2.0, 1e-9);
    g_assert_cmpfloat_with_epsilon (y, HEIGHT / 2.0, 1e-9);
    g_assert_cmpuint (count_ink (&line, &view), >, 0);
}

/* The point under the pointer is the nearest one, also beside the line. */
TEST (find)
{
    g_autofree uint64_t *amounts = g_new0 (uint64_t, 40);
    PvRunLine line = make_line (amounts, 0);
    g_assert_cmpuint (pv_run_line_find (&line, &view, 10), ==, PV_POINT_NONE);
    for (uint32_t n = 1; n <= 40; n++) {
        line = make_line (amounts, n);
        g_assert_cmpuint (pv_run_line_find (&line, &view, -100), ==, 0);
        g_assert_cmpuint (pv_run_line_find (&line, &view, WIDTH + 100), ==, n - 1);
        for (int at = 0; at < WIDTH; at++) {
            uint32_t found = pv_run_line_find (&line, &view, at);
            double x, y, other;
            g_assert_cmpuint (found, <, n);
            pv_run_line_get_point (&line, &view, found, &x, &y);
            for (uint32_t p = 0; p < n; p++) {
                pv_run_line_get_point (&line, &view, p, &other, &y);
                g_assert_cmpfloat (fabs (x - at), <=, fabs (other - at) + 1e-9);
            }
        }
    }
}

/* With far more points than pixels, a single high one is seen at its place, and a low one. */
TEST (many)
{
    g_autofree uint64_t *amounts = g_new (uint64_t, MOST_POINTS);
    for (uint32_t p = 0; p < MOST_POINTS; p++)
        amounts[p] = 500 + p % 2;
    amounts[MOST_POINTS / 4] = 1000;
    amounts[MOST_POINTS / 2 + 1] = 0;
    PvRunLine line = make_line (amounts, MOST_POINTS);
    g_autoptr (cairo_surface_t) image = draw (&line, &view);
    int high = -1, low = -1, top, bottom;
    for (int x = 6; x < WIDTH - 6; x++) {
        g_assert_true (find_ink (image, x, &top, &bottom));
        if (top <= 5 && high < 0)
            high = x;
        if (bottom >= HEIGHT - 6 && low < 0)
            low = x;
    }
    double x, y;
    pv_run_line_get_point (&line, &view, MOST_POINTS / 4, &x, &y);
    g_assert_cmpfloat (fabs (high - x), <=, 2);
    pv_run_line_get_point (&line, &view, MOST_POINTS / 2 + 1, &x, &y);
    g_assert_cmpfloat (fabs (low - x), <=, 2);
}

/* The largest step has a dot, unless it is noise; what is marked has a larger one, of another
 * color. */
TEST (dots)
{
    static const uint64_t amounts[] = {5, 5, 9, 9};
    PvRunLine plain = make_line (amounts, 4), stepped = plain, marked = plain, faint = plain;
    stepped.step = marked.marked = 2;
    g_assert_cmpuint (count_ink (&stepped, &view), >, count_ink (&plain, &view));
    g_assert_cmpuint (count_ink (&marked, &view), >, count_ink (&stepped, &view));
    faint.is_faint = true;
    unsigned n_faint = count_ink (&faint, &view);
    faint.step = 2;
    g_assert_cmpuint (count_ink (&faint, &view), ==, n_faint);
    g_autoptr (cairo_surface_t) image = draw (&marked, &view);
    double x, y;
    pv_run_line_get_point (&marked, &view, 2, &x, &y);
    uint32_t color = get_pixel (image, (int)x, (int)y);
    pv_run_line_get_point (&marked, &view, 0, &x, &y);
    g_assert_cmpuint (color, !=, get_pixel (image, (int)x, (int)y));
}

/* The line can be told from both backgrounds. */
TEST (contrast)
{
    static const uint64_t amounts[] = {7, 7};
    PvRunLine line = make_line (amounts, 2);
    for (unsigned i = 0; i < 8; i++) {
        PvRunLineView of = view;
        of.is_dark = i & 1;
        of.is_high_contrast = i & 2;
        line.is_faint = i & 4;
        g_autoptr (cairo_surface_t) image = draw (&line, &of);
        unsigned gray = get_pixel (image, WIDTH / 2, HEIGHT / 2) & 0xff;
        unsigned background = of.is_dark ? 0x1e : 0xff;
        g_assert_cmpuint (gray > background ? gray - background : background - gray, >, 50);
    }
}

/* Amounts of any size, and views without room. */
TEST (extremes)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (7);
    uint64_t amounts[60];
    for (unsigned i = 0; i < 400; i++) {
        uint32_t n = (uint32_t)g_rand_int_range (random, 0, 61);
        PvRunLineView of = {.width = g_rand_int_range (random, 1, 60),
                            .height = g_rand_int_range (random, 1, 30)};
        for (uint32_t p = 0; p < n; p++)
            amounts[p] = (uint64_t)g_rand_int (random) << g_rand_int_range (random, 0, 33);
        PvRunLine line = make_line (amounts, n);
        line.step = g_rand_int (random) % 70;
        line.marked = g_rand_int (random) % 70;
        line.is_faint = i % 2;
        unsigned n_ink = count_ink (&line, &of);
        g_assert_true (n > 0 || n_ink == 0);
        for (uint32_t p = 0; p < n; p++) {
            double x, y;
            pv_run_line_get_point (&line, &of, p, &x, &y);
            g_assert_true (isfinite (x) && isfinite (y));
        }
    }
}
