/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "../cases.h"
#include "../made.h"
#include "../new-query.h"
#include "core/model/build/builder.h"
#include "render/draw/palette.h"
#include "render/tracks/tracks-order.h"
#include "render/tracks/tracks.h"
#include "render/tracks/wake-arrow.h"
#include "views.h"

enum { MS = 1000000, N_MS = 100, RULER = 26, ALL = 30, HEAD = RULER + ALL };

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvCallTree *tree;
    PvTracks *tracks;
} Case;

/* The third thread is blocked from 20 ms on, until the first wakes it, and preempted from 50 to 70
 * ms. At both ends the second has a mark. */
static void
add_waits (PvProfileBuilder *builder, const PvThreadId *threads)
{
    static const struct {
        unsigned start_ms, length_ms;
        char state;
    } waits[] = {{20, 30, 'S'}, {50, 20, 'R'}};
    made_set (builder, "off-cpu", true, PV_UNIT_NS);
    for (size_t i = 0; i < G_N_ELEMENTS (waits); i++) {
        const PvWait wait = {.state = waits[i].state,
                             .waker = waits[i].state == 'S' ? threads[0] : 0};
        PvNewSample sample = {.time_ns = (5000 + waits[i].start_ms) * (uint64_t)MS,
                              .duration_ns = waits[i].length_ms * (uint64_t)MS,
                              .thread = threads[2],
                              .wait = pv_profile_builder_wait (builder, &wait)};
        pv_profile_builder_add_sample (builder, 1, &sample, &sample.duration_ns);
    }
    made_set (builder, "context-switches", false, PV_UNIT_COUNT);
    for (size_t i = 0; i < G_N_ELEMENTS (waits); i++) {
        PvNewSample sample = {.time_ns = (5000 + waits[i].start_ms) * (uint64_t)MS,
                              .thread = threads[1]};
        uint64_t weight = 1;
        pv_profile_builder_add_sample (builder, 2, &sample, &weight);
    }
}

/* Threads that run for a fifth of each millisecond. */
static void
add_busy_threads (PvProfileBuilder *builder, PvProcessId process, PvStackId stack, unsigned n)
{
    for (unsigned t = 0; t < n; t++) {
        PvThreadId thread =
            pv_profile_builder_add_thread (builder, process, 100 + (int)t, "busy", 0);
        for (unsigned i = 0; i < N_MS; i++) {
            PvNewSample sample = {
                .time_ns = 5000 * (uint64_t)MS + i * MS, .stack = stack, .thread = thread};
            uint64_t weight = MS / 5;
            pv_profile_builder_add_sample (builder, 0, &sample, &weight);
        }
    }
}

/* A sample for each millisecond: it has run that long, or half as long on the second thread. */
static PvProfile *
make_profile (bool has_waits, unsigned n_busy)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    made_set (builder, "cpu-clock", false, PV_UNIT_NS);
    PvModuleId id = made_module (builder, "/bin/test");
    PvStackId stack = made_stack (builder, 0, id, 1);
    PvProcessId server = pv_profile_builder_add_process (builder, 7, "server", 0);
    PvProcessId shell = pv_profile_builder_add_process (builder, 9, "sh", 0);
    PvThreadId threads[] = {
        pv_profile_builder_add_thread (builder, server, 7, "main", 0),
        pv_profile_builder_add_thread (builder, server, 8, "worker", 0),
        pv_profile_builder_add_thread (builder, shell, 9, "sh", 0),
    };
    for (unsigned i = 0; i < N_MS; i++)
        for (unsigned t = 0; t < G_N_ELEMENTS (threads) - (i > 0); t++) {
            PvNewSample sample = {
                .time_ns = 5000 * (uint64_t)MS + i * MS, .stack = stack, .thread = threads[t]};
            uint64_t weight = t == 1 ? MS / 2 : MS;
            pv_profile_builder_add_sample (builder, 0, &sample, &weight);
        }
    add_busy_threads (builder, shell, stack, n_busy);
    if (has_waits)
        add_waits (builder, threads);
    return pv_profile_builder_snapshot (builder);
}

static Case
new_case_with (PvTimeRowKind kind, bool has_waits, unsigned n_busy)
{
    Case test = {0};
    g_auto (PvQuery) query = new_query ();
    test.profile = make_profile (has_waits, n_busy);
    g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (test.profile);
    made_function (names, 1, "work", 1);
    test.symbols = pv_symbol_builder_publish (names, true);
    test.tree = pv_call_tree_build_stacks (test.profile, test.symbols, &query, NULL, NULL, NULL);
    PvTimeIndex *index = pv_time_index_build (test.tree, kind, NULL, 1, NULL);
    uint8_t *hues = g_new (uint8_t, 1);
    hues[0] = PV_FAMILY_OWNER * PV_N_SHADES;
    test.tracks = pv_tracks_new (index, hues);
    if (kind == PV_TIME_THREADS) {
        pv_tracks_take_waits (test.tracks, pv_wait_index_build (test.profile, NULL, NULL));
        pv_tracks_take_marks (test.tracks, pv_mark_index_build (test.profile, 0, NULL));
    }
    return test;
}

static Case
new_case (PvTimeRowKind kind)
{
    return new_case_with (kind, false, 0);
}

static void
tear_down (Case *test)
{
    pv_tracks_unref (test->tracks);
    pv_call_tree_free (test->tree);
    pv_symbol_table_free (test->symbols);
    pv_profile_free (test->profile);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, tear_down)

TEST (names)
{
    static const struct {
        const char *name;
        bool is_heading, is_below_heading;
    } expected[] = {
        {"server (7)", true, false},
        {"main (7)", false, true},
        {"worker (8)", false, true},
        {"sh (9)", false, false},
    };
    Case test = new_case (PV_TIME_THREADS);
    g_assert_cmpuint (test.tracks->n_tracks, ==, G_N_ELEMENTS (expected));
    for (uint32_t i = 0; i < test.tracks->n_tracks; i++) {
        const PvTrack *track = &test.tracks->tracks[i];
        g_assert_cmpstr (track->name, ==, expected[i].name);
        g_assert_cmpint (track->row == PV_TRACK_NONE, ==, expected[i].is_heading);
        g_assert_cmpint (track->is_below_heading, ==, expected[i].is_below_heading);
    }
    tear_down (&test);
    test = new_case (PV_TIME_CPUS);
    g_assert_cmpuint (test.tracks->n_tracks, ==, 1);
    tear_down (&test);
}

/* Whatever is done, what is in view is a part of what there is; zooming keeps the moment under the
 * pointer there. */
TEST (zoom)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (17);
    g_auto (Case) test = new_case (PV_TIME_THREADS);
    PvTracksView view = tracks_view_of (test.tracks, 900, 300);
    cairo_rectangle_t plot = pv_tracks_get_plot (test.tracks, &view);
    uint64_t whole = view.end_ns;
    g_assert_cmpuint (whole, >=, (N_MS - 1) * (uint64_t)MS);
    g_assert_false (pv_tracks_is_zoomed (test.tracks, &view));
    for (unsigned i = 0; i < 3000; i++) {
        double x = plot.x + g_rand_double (random) * plot.width;
        uint64_t at = pv_tracks_x_to_time (test.tracks, &view, x);
        if (g_rand_boolean (random)) {
            double factor = exp (g_rand_double_range (random, -1, 1.2));
            pv_tracks_zoom (test.tracks, &view, at, factor);
            if (view.start_ns > 0 && view.end_ns < whole && view.end_ns - view.start_ns > 100000)
                g_assert_cmpfloat_with_epsilon (pv_tracks_time_to_x (test.tracks, &view, at), x, 1);
        } else {
            pv_tracks_pan (test.tracks, &view, g_rand_double_range (random, -500, 500));
        }
        g_assert_cmpuint (view.start_ns, <, view.end_ns);
        g_assert_cmpuint (view.end_ns, <=, whole);
    }
    g_assert_false (pv_tracks_zoom (test.tracks, &view, view.start_ns, 1));
    pv_tracks_fit (test.tracks, &view);
    g_assert_cmpuint (view.end_ns, ==, whole);
    g_assert_false (pv_tracks_pan (test.tracks, &view, 10));
}

TEST (rows)
{
    g_auto (Case) test = new_case (PV_TIME_THREADS);
    PvTracksView view = tracks_view_of (test.tracks, 900, HEAD + 60);
    uint32_t first, end;
    pv_tracks_get_visible (test.tracks, &view, &first, &end);
    g_assert_cmpuint (first, ==, 0);
    g_assert_cmpuint (end, ==, 3);
    g_assert_cmpuint (pv_tracks_find (test.tracks, &view, HEAD - 1), ==, PV_TRACK_NONE);
    g_assert_cmpuint (pv_tracks_find (test.tracks, &view, HEAD), ==, 0);
    view.scroll_y = 30;
    pv_tracks_get_visible (test.tracks, &view, &first, &end);
    g_assert_cmpuint (first, ==, 1);
    g_assert_cmpuint (end, ==, 4);
    g_assert_cmpuint (pv_tracks_find (test.tracks, &view, HEAD), ==, 1);
    /* With more room rows are higher, up to a limit. */
    view.scroll_y = 0;
    view.height = HEAD + 4 * 40;
    g_assert_cmpfloat (pv_tracks_get_row_height (test.tracks, &view), ==, 40);
    view.height = 5000;
    g_assert_cmpfloat (pv_tracks_get_row_height (test.tracks, &view), ==, 112);
    g_assert_cmpuint (pv_tracks_find (test.tracks, &view, 3000), ==, PV_TRACK_NONE);
}

/* How many pixels of a column have the color, from the lower end of a track up. */
static unsigned
measure (cairo_surface_t *image, int x, int bottom, PvColor color)
{
    const unsigned char *data = cairo_image_surface_get_data (image);
    unsigned height = 0;
    for (int y = bottom - 1; y >= 0; y--) {
        const unsigned char *pixel = data + y * cairo_image_surface_get_stride (image) + 4 * x;
        if (fabs (pixel[2] - color.red * 255) > 1 || fabs (pixel[1] - color.green * 255) > 1 ||
            fabs (pixel[0] - color.blue * 255) > 1)
            break;
        height++;
    }
    return height;
}

/* A thread that always ran fills its row, one that ran half of the time half of it. */
TEST (picture)
{
    g_auto (Case) test = new_case (PV_TIME_THREADS);
    PvTracksView view = tracks_view_of (test.tracks, 170 + 340, HEAD + 4 * 44);
    g_autoptr (PvTracksPainter) painter = pv_tracks_painter_new (NULL);
    PvPalette palette;
    pv_palette_init (&palette, false, false, false);
    PvColor color = palette.fills[PV_SHADE_NORMAL][PV_FAMILY_OWNER * PV_N_SHADES];
    g_autoptr (PvTrackBins) bins =
        pv_track_bins_build (test.tracks, NULL, 0, 4, 0, 102 * (uint64_t)MS, 34, NULL);
    view.end_ns = 102 * (uint64_t)MS;
    g_autoptr (cairo_surface_t) image = pv_tracks_draw_image (painter, test.tracks, bins, &view);
    for (int x = 170; x < 170 + 330; x++) {
        g_assert_cmpuint (measure (image, x, HEAD + 2 * 44 - 1, color), ==, 40);
        g_assert_cmpuint (measure (image, x, HEAD + 3 * 44 - 1, color), ==, 20);
        /* A millisecond of the first three, then nothing. */
        g_assert_cmpuint (measure (image, x, HEAD + 4 * 44 - 1, color), ==, x < 180 ? 14 : 0);
    }
}

/* The row of all has what the others have together, whichever of them are in view, and is full
 * where that is most. */
TEST (all)
{
    Case test = new_case (PV_TIME_THREADS);
    PvTracksView view = tracks_view_of (test.tracks, 170 + 340, HEAD + 2 * 44);
    cairo_rectangle_t field = pv_tracks_get_field (test.tracks, &view);
    g_assert_cmpstr (pv_tracks_name_all (test.tracks), ==, "All threads");
    g_assert_cmpfloat (field.y, ==, RULER);
    g_assert_cmpfloat (field.height, ==, ALL + 2 * 44);
    view.end_ns = 102 * (uint64_t)MS;
    view.scroll_y = 70;
    g_autoptr (PvTracksPainter) painter = pv_tracks_painter_new (NULL);
    PvPalette palette;
    pv_palette_init (&palette, false, false, false);
    PvColor color = palette.fills[PV_SHADE_NORMAL][PV_FAMILY_OWNER * PV_N_SHADES];
    g_autoptr (PvTrackBins) bins =
        pv_track_bins_build (test.tracks, NULL, 2, 4, 0, 102 * (uint64_t)MS, 102, NULL);
    g_autoptr (cairo_surface_t) image = pv_tracks_draw_image (painter, test.tracks, bins, &view);
    /* Two and a half milliseconds in the first one, then one and a half. */
    for (int x = 170; x < 170 + 330; x++)
        g_assert_cmpuint (measure (image, x, HEAD - 1, color), ==, x < 174 ? 26 : 16);
    for (unsigned ms = 0; ms < 102; ms++) {
        uint64_t weight, bin_ns;
        g_assert_true (pv_track_bins_get_all (bins, ms * (uint64_t)MS + MS / 2, &weight, &bin_ns));
        g_assert_cmpuint (bin_ns, ==, MS);
        g_assert_cmpuint (weight, ==, ms == 0 ? 5 * MS / 2 : ms < 100 ? 3 * MS / 2 : 0);
    }
    tear_down (&test);
    /* A single row is all. */
    test = new_case (PV_TIME_CPUS);
    g_assert_null (pv_tracks_name_all (test.tracks));
    g_assert_cmpfloat (pv_tracks_get_plot (test.tracks, &view).y, ==, RULER);
    tear_down (&test);
}

/* In little room, the rows that are not in view have one together, at the bottom. */
TEST (rest)
{
    g_auto (Case) test = new_case_with (PV_TIME_THREADS, false, 20);
    PvTracksView view = tracks_view_of (test.tracks, 170 + 340, 0);
    g_assert_cmpuint (test.tracks->n_tracks, ==, 25); /* with two headings */
    g_assert_cmpfloat (pv_tracks_get_rest_height (test.tracks, &view), ==, 0);
    view.is_compact = true;
    view.height = pv_tracks_get_compact_height (test.tracks);
    cairo_rectangle_t plot = pv_tracks_get_plot (test.tracks, &view);
    cairo_rectangle_t field = pv_tracks_get_field (test.tracks, &view);
    g_assert_cmpfloat (plot.height, ==, 12 * 5);
    g_assert_cmpfloat (plot.y + plot.height + 16, ==, view.height);
    g_assert_cmpfloat (field.y + field.height, ==, view.height);
    view.end_ns = 102 * (uint64_t)MS;
    /* In view are a heading and eleven of the busy ones. */
    g_assert_cmpuint (pv_tracks_count_rest (test.tracks, &view), ==, 12);
    g_autofree char *name = pv_tracks_name_rest (test.tracks, &view);
    g_assert_cmpstr (name, ==, "12 more threads");
    g_autoptr (PvTracksPainter) painter = pv_tracks_painter_new (NULL);
    PvPalette palette;
    pv_palette_init (&palette, false, false, false);
    PvColor color = palette.fills[PV_SHADE_NORMAL][PV_FAMILY_OWNER * PV_N_SHADES];
    g_autoptr (PvTrackBins) bins =
        pv_track_bins_build (test.tracks, NULL, 0, 14, 0, 102 * (uint64_t)MS, 102, NULL);
    for (unsigned ms = 0; ms < 102; ms++) {
        uint64_t weight, bin_ns;
        g_assert_true (
            pv_track_bins_get_rest (bins, &view, ms * (uint64_t)MS + MS / 2, &weight, &bin_ns));
        g_assert_cmpuint (weight, ==, ms == 0 ? 43 * MS / 10 : ms < 100 ? 33 * MS / 10 : 0);
    }
    g_autoptr (cairo_surface_t) image = pv_tracks_draw_image (painter, test.tracks, bins, &view);
    for (int x = 174; x < 170 + 330; x++)
        g_assert_cmpuint (measure (image, x, (int)view.height - 1, color), ==, 7);
    /* Those above the view are among them, too. */
    view.scroll_y = 5 * 5;
    g_assert_cmpuint (pv_tracks_count_rest (test.tracks, &view), ==, 11);
}

/* Threads that are off their CPU have lines at the bottom, higher ones if they were preempted. */
TEST (gaps)
{
    g_auto (Case) test = new_case_with (PV_TIME_THREADS, true, 0);
    PvTracksView view = tracks_view_of (test.tracks, 170 + 340, HEAD + 4 * 44);
    view.end_ns = 102 * (uint64_t)MS;
    g_autoptr (PvTracksPainter) painter = pv_tracks_painter_new (NULL);
    PvPalette palette;
    pv_palette_init (&palette, false, false, false);
    PvColor preempted = pv_color_mix (palette.foreground, palette.background, 0.3);
    PvColor blocked = pv_color_mix (palette.foreground, palette.background, 0.65);
    g_autoptr (PvTrackBins) bins =
        pv_track_bins_build (test.tracks, NULL, 0, 4, 0, view.end_ns, 34, NULL);
    g_assert_nonnull (bins->gaps);
    g_autoptr (cairo_surface_t) image = pv_tracks_draw_image (painter, test.tracks, bins, &view);
    /* The third thread has a sample in the first millisecond: see add_waits () for the rest. */
    for (int x = 170; x < 170 + 340; x++) {
        double ms = (x - 170 + 0.5) * 102 / 340;
        bool is_edge = fabs (ms - 20) < 0.4 || fabs (ms - 50) < 0.4 || fabs (ms - 70) < 0.4;
        bool is_blocked = ms >= 20 && ms < 50, is_preempted = ms >= 50 && ms < 70;
        if (is_edge)
            continue;
        g_assert_cmpuint (measure (image, x, HEAD + 4 * 44 - 1, blocked), ==, is_blocked ? 2 : 0);
        g_assert_cmpuint (measure (image, x, HEAD + 4 * 44 - 1, preempted), ==,
                          is_preempted ? 4 : 0);
        g_assert_cmpuint (measure (image, x, HEAD + 2 * 44 - 1, preempted), ==, 0);
    }
}

/* A line at the top of the row, one pixel wide. */
TEST (ticks)
{
    g_auto (Case) test = new_case_with (PV_TIME_THREADS, true, 0);
    PvTracksView view = tracks_view_of (test.tracks, 170 + 340, HEAD + 4 * 44);
    view.end_ns = 102 * (uint64_t)MS;
    g_autoptr (PvTracksPainter) painter = pv_tracks_painter_new (NULL);
    PvPalette palette;
    pv_palette_init (&palette, false, false, false);
    PvColor color = pv_tracks_get_tick_color (&palette);
    g_autoptr (PvTrackBins) bins =
        pv_track_bins_build (test.tracks, NULL, 0, 4, 0, view.end_ns, 34, NULL);
    g_assert_nonnull (bins->ticks);
    g_autoptr (cairo_surface_t) image = pv_tracks_draw_image (painter, test.tracks, bins, &view);
    unsigned n = 0;
    for (int x = 170; x < 170 + 340; x++) {
        unsigned height = measure (image, x, HEAD + 2 * 44 + 5, color);
        double ms = (x - 170 + 0.5) * 102 / 340;
        n += height > 0;
        g_assert_true (height == 0 || fabs (ms - 20) < 0.5 || fabs (ms - 50) < 0.5);
        g_assert_cmpuint (measure (image, x, HEAD + 1 * 44 + 5, color), ==, 0);
        g_assert_cmpuint (measure (image, x, HEAD + 3 * 44 + 5, color), ==, 0);
    }
    g_assert_cmpuint (n, ==, 2);
    g_assert_true (pv_tracks_is_at_ticks (test.tracks, &view, HEAD + 2 * 44 + 3));
    g_assert_false (pv_tracks_is_at_ticks (test.tracks, &view, HEAD + 2 * 44 + 20));
    g_assert_false (pv_tracks_is_at_ticks (test.tracks, &view, 3));
}

/* From the middle of the waker's row to the wait; to the edge where that row is not in view. */
TEST (wakes)
{
    PvWakeArrow arrow;
    uint64_t time_ns;
    g_auto (Case) test = new_case_with (PV_TIME_THREADS, true, 0);
    PvTracksView view = tracks_view_of (test.tracks, 170 + 1000, HEAD + 4 * 44);
    view.end_ns = 100 * (uint64_t)MS;
    double wait_y = HEAD + 4 * 44 - 3;
    g_assert_true (pv_wake_arrow_get_time (test.tracks->waits, 0, &time_ns));
    g_assert_cmpuint (time_ns, ==, 50 * (uint64_t)MS);
    g_assert_true (pv_wake_arrow_find (test.tracks, &view, 0, &arrow));
    g_assert_cmpfloat_with_epsilon (arrow.x, 170 + 500, 1);
    g_assert_cmpfloat_with_epsilon (arrow.from_y, HEAD + 1.5 * 44, 0.1);
    g_assert_cmpfloat_with_epsilon (arrow.to_y, wait_y, 0.1);
    g_assert_false (arrow.is_cut);
    g_assert_true (pv_wake_arrow_has (&arrow, 670, HEAD + 3 * 44));
    g_assert_false (pv_wake_arrow_has (&arrow, 690, HEAD + 3 * 44));
    g_assert_false (pv_wake_arrow_has (&arrow, 670, HEAD + 20));
    g_assert_false (pv_wake_arrow_find (test.tracks, &view, 1, &arrow)); /* preempted */
    view.height = HEAD + 2 * 44;
    view.scroll_y = 2 * 26;
    g_assert_true (pv_wake_arrow_find (test.tracks, &view, 0, &arrow));
    g_assert_true (arrow.is_cut);
    g_assert_cmpfloat (arrow.from_y, ==, HEAD);
    view.scroll_y = 0;
    view.height = HEAD + 4 * 44;
    view.start_ns = 60 * (uint64_t)MS; /* later than the wake-up */
    g_assert_false (pv_wake_arrow_find (test.tracks, &view, 0, &arrow));
    view.start_ns = 0;
    g_autoptr (PvTrackOrder) order = pv_track_order_new (PV_TIME_THREADS);
    pv_track_order_hide (order, test.tracks, 1);
    g_autoptr (PvTracks) shown = pv_track_order_apply (order, test.tracks);
    g_assert_true (pv_wake_arrow_find (shown, &view, 0, &arrow));
    g_assert_true (arrow.is_cut);
    g_assert_cmpfloat (arrow.from_y, ==, HEAD);
    pv_track_order_hide (order, shown, shown->n_tracks - 1);
    g_autoptr (PvTracks) rest = pv_track_order_apply (order, test.tracks);
    g_assert_false (pv_wake_arrow_find (rest, &view, 0, &arrow));
}

/* The function that every sample has is all there is. */
TEST (lit)
{
    g_auto (Case) test = new_case (PV_TIME_THREADS);
    PvFunctionId work = test.symbols->n_functions - 1;
    g_assert_cmpstr (test.symbols->functions[work].name, ==, "work");
    const PvTimeLight light = {.function = work};
    g_autoptr (PvTimeIndex) lit =
        pv_time_index_build_lit (test.tracks->index, test.tree, &light, NULL);
    g_autoptr (PvTrackBins) bins =
        pv_track_bins_build (test.tracks, lit, 1, 3, 0, 100 * (uint64_t)MS, 7, NULL);
    g_assert_cmpuint (bins->bins->n_rows, ==, 2);
    for (uint32_t row = 0; row < 2; row++)
        for (uint32_t bin = 0; bin < 7; bin++)
            g_assert_cmpuint (pv_time_bins_sum (bins->lit, row, bin), ==,
                              pv_time_bins_sum (bins->bins, row, bin));
    for (uint32_t bin = 0; bin < 7; bin++)
        g_assert_cmpuint (pv_time_bins_sum (bins->all_lit, 0, bin), ==,
                          pv_time_bins_sum (bins->all, 0, bin));
}

/* WCAG 2.1, level AA for graphics; in any theme also beside what is lit up, which differs from the
 * others as much. */
TEST (contrast)
{
    g_auto (Case) test = new_case (PV_TIME_THREADS);
    for (unsigned is_dark = 0; is_dark < 2; is_dark++) {
        PvPalette palette;
        pv_palette_init (&palette, is_dark, true, false);
        for (unsigned family = 0; family < PV_FAMILY_VALUE; family++) {
            test.tracks->hue_of_class[0] = (uint8_t)pv_palette_get_middle (family * PV_N_SHADES);
            PvColor color = pv_tracks_get_color (&palette, test.tracks, 0, false);
            g_assert_cmpfloat (pv_color_contrast (color, palette.background), >=, 3);
        }
        for (unsigned is_strong = 0; is_strong < 2; is_strong++)
            for (unsigned family = 0; family < PV_FAMILY_VALUE; family++) {
                pv_palette_init (&palette, is_dark, is_strong, false);
                PvColor other = pv_tracks_get_hue_color (&palette, family * PV_N_SHADES, true);
                PvColor lit = pv_tracks_get_lit_color (&palette, PV_LIT_SELECTED);
                g_assert_cmpfloat (pv_color_contrast (other, palette.background), >=, 3);
                g_assert_cmpfloat (pv_color_contrast (other, lit), >=, 2);
            }
        PvColor lost = pv_tracks_get_quality_color (&palette, PV_QUALITY_LOST);
        PvColor tick = pv_tracks_get_tick_color (&palette);
        g_assert_cmpfloat (pv_color_contrast (lost, palette.background), >=, 3);
        g_assert_cmpfloat (pv_color_contrast (tick, palette.background), >=, 3);
    }
}
