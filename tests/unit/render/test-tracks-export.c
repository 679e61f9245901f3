/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <glib/gstdio.h>

#include "../cases.h"
#include "../made.h"
#include "../new-query.h"
#include "core/model/build/builder.h"
#include "picture-files.h"
#include "render/draw/work-kinds.h"
#include "render/export/export.h"
#include "render/tracks/tracks-private.h"
#include "views.h"

/* Heads have a ruler and the row of all. */
enum { MS = 1000000, N_MODULES = 4, HEAD = 56, ROW = 26, NAMES = 170, MARGIN = 16, TITLE = 40 };

static char *folder;

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvCallTree *tree;
    PvTracks *tracks;
} Case;

/* Samples by chance, of modules that are of different kinds: more than pixels, with pauses. */
static PvProfile *
make_profile (unsigned n_threads, unsigned n_samples, PvUnit unit)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (GRand) random = g_rand_new_with_seed (21);
    static const PvModule modules[N_MODULES] = {
        {.path = "/home/test", .name = "test", .kind = PV_MODULE_FILE, .is_main = true},
        {.path = "/usr/lib/libc.so.6", .name = "libc.so.6", .kind = PV_MODULE_FILE},
        {.path = "/opt/own/libown.so", .name = "libown.so", .kind = PV_MODULE_FILE},
        {.path = "[kernel]", .name = "[kernel]", .kind = PV_MODULE_KERNEL, .is_kernel = true},
    };
    PvStackId stacks[N_MODULES];
    pv_profile_builder_add_set (builder, "event", false);
    pv_profile_builder_add_measure (builder, 0, "event <&>", unit, PV_AGGREGATION_SUM);
    for (unsigned m = 0; m < N_MODULES; m++) {
        PvModuleId id = pv_profile_builder_add_module (builder, &modules[m]);
        stacks[m] = made_stack (builder, 0, id, 1);
    }
    PvProcessId process = pv_profile_builder_add_process (builder, 7, "server", 0);
    g_autofree PvThreadId *threads = g_new (PvThreadId, n_threads);
    for (unsigned t = 0; t < n_threads; t++)
        threads[t] = pv_profile_builder_add_thread (builder, process, 7 + (int)t,
                                                    t == 0 ? "<main> & \"co\"" : "worker", 0);
    for (unsigned i = 0; i < n_samples; i++) {
        PvNewSample sample = {.time_ns = 5000 * (uint64_t)MS + i * (uint64_t)MS / 1000,
                              .stack = stacks[g_rand_int_range (random, 0, N_MODULES)],
                              .thread = threads[g_rand_int_range (random, 0, (int)n_threads)]};
        uint64_t weight = (uint64_t)g_rand_int_range (random, 100, 2000);
        if (i / 5000 % 7 != 3)
            pv_profile_builder_add_sample (builder, 0, &sample, &weight);
    }
    return pv_profile_builder_snapshot (builder);
}

static Case
new_case_focused (unsigned n_threads, unsigned n_samples, PvUnit unit, const char *focus)
{
    Case test = {0};
    g_auto (PvQuery) query = new_query ();
    test.profile = make_profile (n_threads, n_samples, unit);
    g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (test.profile);
    for (PvModuleId m = 1; m <= N_MODULES; m++) {
        g_autofree char *name = g_strdup_printf ("work%u", m);
        made_function (names, m, name, m);
    }
    test.symbols = pv_symbol_builder_publish (names, true);
    pv_query_add_transform (&query, PV_TRANSFORM_FOCUS, focus);
    test.tree = pv_call_tree_build_stacks (test.profile, test.symbols, &query, NULL, NULL, NULL);
    g_autoptr (PvWorkKinds) kinds =
        pv_work_kinds_new (test.profile, test.symbols, PV_COLOR_BY_MODULE);
    test.tracks =
        pv_tracks_new (pv_time_index_build (test.tree, PV_TIME_THREADS, kinds->kind_of_function,
                                            kinds->n_kinds, NULL),
                       g_memdup2 (kinds->hue_of_kind, kinds->n_kinds));
    return test;
}

static Case
new_case (unsigned n_threads, unsigned n_samples, PvUnit unit)
{
    return new_case_focused (n_threads, n_samples, unit, ".");
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

static char *
write_picture (const PvTracksPicture *picture, const PvTracksView *view, const char *name)
{
    char *path = g_build_filename (folder, name, NULL);
    assert_ok (error, pv_export_tracks (path, picture, view, "Threads of <a> & \"b\"", &error));
    return path;
}

/* Written, and well-formed. */
static char *
make_svg (const PvTracksPicture *picture, const PvTracksView *view, size_t *ret_len)
{
    static const GMarkupParser parser = {0};
    g_autofree char *path = write_picture (picture, view, "tracks.svg");
    char *svg = read_file (path, ret_len);
    g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, NULL, NULL);
    assert_ok (error, g_markup_parse_context_parse (context, svg, (gssize)*ret_len, &error));
    assert_ok (error, g_markup_parse_context_end_parse (context, &error));
    return svg;
}

/* Made of paths and not of pixels, with a tool tip for each row; not large, however much there is.
 */
TEST (svg)
{
    enum { N = 50 };
    size_t len;
    g_auto (Case) test = new_case (N, 400000, PV_UNIT_COUNT);
    PvTracksView view = tracks_view_of (test.tracks, 1200, 0);
    PvTracksPicture picture = {.tracks = test.tracks, .tree = test.tree};
    g_autofree char *svg = make_svg (&picture, &view, &len);
    g_assert_cmpuint (count (svg, "<image"), ==, 0);
    g_assert_cmpuint (count (svg, "<title>"), ==, N);
    g_assert_cmpuint (count (svg, "<title>&lt;main&gt; &amp; &quot;co&quot; (7)\n"), ==, 1);
    /* Title, ruler, row of all, rows, and below two lines of a legend and the footer. */
    g_assert_nonnull (strstr (svg, "width=\"1200px\" height=\"1456px\""));
    g_test_message ("%zu bytes", len);
    g_assert_cmpuint (len, >, 200000);
    g_assert_cmpuint (len, <, 2000000);
}

/* In a style, or as an attribute by cairo 1.17 and newer. */
static bool
has_veil (const char *svg)
{
    return strstr (svg, "fill-opacity:0.72") != NULL ||
           strstr (svg, "fill-opacity=\"0.72\"") != NULL;
}

/* Only whole rows, as many as fit; a part of the time has the shares of that part. */
TEST (parts)
{
    size_t len;
    g_auto (Case) test = new_case (20, 20000, PV_UNIT_COUNT);
    PvTracksPicture picture = {.tracks = test.tracks, .tree = test.tree};
    PvTracksView view = tracks_view_of (test.tracks, 600, TITLE + HEAD + 5 * ROW + 20 + 60);
    g_autofree char *svg = make_svg (&picture, &view, &len);
    g_assert_cmpuint (count (svg, "<title>"), ==, 5);
    view.height = 1;
    g_autofree char *least = make_svg (&picture, &view, &len);
    g_assert_cmpuint (count (least, "<title>"), <=, 2);
    view.height = 0;
    view.start_ns = 2 * MS;
    view.end_ns = 4 * MS;
    g_autofree char *part = make_svg (&picture, &view, &len);
    uint64_t weight, n_samples, whole;
    pv_time_index_sum (test.tracks->index, 0, view.start_ns, &whole, &n_samples);
    pv_time_index_sum (test.tracks->index, view.start_ns, view.end_ns, &weight, &n_samples);
    g_assert_cmpuint (n_samples, ==, 2000);
    g_assert_cmpuint (count (part, "<title>"), ==, 20);
    /* The rest is veiled, figures are the same. */
    picture.range_start_ns = view.start_ns;
    picture.range_end_ns = view.end_ns;
    pv_tracks_fit (test.tracks, &view);
    g_autofree char *marked = make_svg (&picture, &view, &len);
    g_assert_cmpstr (strstr (marked, "<g fill=\"none\""), ==, strstr (part, "<g fill=\"none\""));
    g_assert_true (has_veil (marked));
    g_assert_false (has_veil (part));
    double percent = 0;
    for (const char *at = part; (at = strstr (at, "<title>")) != NULL; at++)
        percent += g_ascii_strtod (strchr (at, '\n') + 1, NULL);
    g_assert_cmpfloat_with_epsilon (percent, 100, 20 * 0.05);
}

static const uint8_t *
get_line (cairo_surface_t *image, int y)
{
    return cairo_image_surface_get_data (image) +
           (size_t)y * (size_t)cairo_image_surface_get_stride (image);
}

/* The page has the tracks in it as the window draws them. */
TEST (png)
{
    g_auto (Case) test = new_case (5, 30000, PV_UNIT_NS);
    const PvTimeLight light = {.function = 2};
    g_autoptr (PvTimeIndex) lit =
        pv_time_index_build_lit (test.tracks->index, test.tree, &light, NULL);
    g_autoptr (PvTracksPainter) painter = pv_tracks_painter_new (NULL);
    for (unsigned i = 0; i < 4; i++) {
        int scale = 1 + (int)i % 2;
        PvTracksView view = tracks_view_of (test.tracks, 700, 0);
        view.device_scale = scale;
        view.start_ns = 3 * MS;
        PvTracksPicture picture = {.tracks = test.tracks, .tree = test.tree};
        if (i >= 2) {
            picture.lit = lit;
            picture.lit_name = "work2";
        }
        g_autofree char *path = write_picture (&picture, &view, "tracks.PNG");
        g_autoptr (cairo_surface_t) png = cairo_image_surface_create_from_png (path);
        g_assert_cmpint (cairo_image_surface_get_width (png), ==, 700 * scale);
        view.width = 700 - 2 * MARGIN;
        view.height = HEAD + 5 * 96;
        g_autoptr (PvTrackBins) bins =
            pv_track_bins_build (test.tracks, picture.lit, 0, 5, view.start_ns, view.end_ns,
                                 pv_tracks_choose_n_bins (test.tracks, &view), NULL);
        g_autoptr (cairo_surface_t) expected =
            pv_tracks_draw_image (painter, test.tracks, bins, &view);
        int height = cairo_image_surface_get_height (expected);
        g_assert_cmpint (height, ==, (HEAD + 5 * 96) * scale);
        for (int y = 0; y < height; y++) {
            const uint8_t *a = get_line (expected, y);
            const uint8_t *b = get_line (png, y + TITLE * scale) + (size_t)(MARGIN * scale) * 4;
            for (int x = 0; x < cairo_image_surface_get_width (expected) * 4; x++)
                if (x % 4 != 3)
                    g_assert_cmpint (a[x], ==, b[x]);
        }
    }
}

static cairo_surface_t *
draw_paths (const PvTracks *tracks, const PvTrackBins *bins, const PvTracksView *view)
{
    cairo_surface_t *image =
        cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int)view->width, (int)view->height);
    cairo_t *cr = cairo_create (image);
    g_autoptr (PvTracksPainter) painter = pv_tracks_painter_new (NULL);
    painter->is_vector = true;
    cairo_set_source_rgb (cr, 1, 1, 1);
    cairo_paint (cr);
    pv_tracks_draw (painter, cr, tracks, bins, view);
    cairo_destroy (cr);
    cairo_surface_flush (image);
    return image;
}

static bool
is_same (const uint8_t *a, const uint8_t *b)
{
    for (int i = 0; i < 3; i++)
        if (ABS (a[i] - b[i]) > 1)
            return false;
    return true;
}

/* Paths show what pixels do: where a pixel is as those above and below it, they are equal. Of many
 * tracks too, where columns are two pixels wide. */
TEST (paths)
{
    static const unsigned n_bins[] = {53, 265, 530};
    static const unsigned n_threads[] = {3, 3, 3, 40, 40};
    static const uint8_t white[4] = {255, 255, 255, 255};
    g_autoptr (PvTracksPainter) painter = pv_tracks_painter_new (NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (n_threads); i++) {
        unsigned n = n_threads[i];
        g_auto (Case) test = new_case (n, n * 20000, PV_UNIT_COUNT);
        int bottom = HEAD + (int)n * (n > 3 ? ROW : 60);
        PvTracksView view = tracks_view_of (test.tracks, NAMES + 530, bottom);
        g_autoptr (PvTrackBins) bins =
            pv_track_bins_build (test.tracks, NULL, 0, n, 0, view.end_ns, n_bins[i % 3], NULL);
        g_autoptr (cairo_surface_t) pixels =
            pv_tracks_draw_image (painter, test.tracks, bins, &view);
        g_autoptr (cairo_surface_t) paths = draw_paths (test.tracks, bins, &view);
        unsigned n_equal = 0, n_colored = 0, n_all = 530 * (unsigned)(bottom - HEAD);
        for (int y = HEAD + 1; y < bottom - 1; y++)
            for (int x = NAMES; x < NAMES + 530; x++) {
                const uint8_t *its = get_line (pixels, y) + 4 * x;
                if (!is_same (its, get_line (pixels, y - 1) + 4 * x) ||
                    !is_same (its, get_line (pixels, y + 1) + 4 * x))
                    continue;
                g_assert_true (is_same (its, get_line (paths, y) + 4 * x));
                n_equal++;
                n_colored += !is_same (its, white);
            }
        g_test_message ("%u of %u are equal, %u colored", n_equal, n_all, n_colored);
        g_assert_cmpuint (n_equal, >, n_all / 2);
        g_assert_cmpuint (n_colored, >, n_all / 5);
    }
}

TEST (pdf)
{
    size_t len;
    g_auto (Case) test = new_case (12, 50000, PV_UNIT_NS);
    PvTracksView view = tracks_view_of (test.tracks, 0, 0);
    view.is_dark = true;
    const PvTracksPicture picture = {
        .tracks = test.tracks, .colors = PV_COLOR_BY_MODULE, .tree = test.tree};
    g_autofree char *path = write_picture (&picture, &view, "tracks.pdf");
    g_autofree char *pdf = read_file (path, &len);
    g_assert_cmpuint (len, >, 3000);
    g_assert_cmpint (memcmp (pdf, "%PDF-1.", 7), ==, 0);
    g_assert_nonnull (memmem (pdf, len, "%%EOF", 5));
}

/* Nothing in it, and sides that no picture can have. */
TEST (limits)
{
    static const char *const names[] = {"limit.svg", "limit.png", "limit.pdf"};
    static const char *const focuses[] = {".", "^work3$", "^nothing$"};
    for (size_t f = 0; f < G_N_ELEMENTS (focuses); f++) {
        g_auto (Case) test =
            new_case_focused (pv_test_is_short () ? 400 : 2000, 3000, PV_UNIT_COUNT, focuses[f]);
        g_assert_cmpint (test.tracks->n_tracks == 0, ==, f == 2);
        PvTracksPicture picture = {
            .tracks = test.tracks, .tree = test.tree, .colors = PV_COLOR_BY_PACKAGE};
        for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
            if (pv_test_is_short () && i != f)
                continue;
            PvTracksView view = tracks_view_of (test.tracks, 0, 0);
            g_free (write_picture (&picture, &view, names[i]));
            view.width = 1e9;
            view.height = 1;
            g_free (write_picture (&picture, &view, names[i]));
            view.width = -4;
            view.height = 1e9;
            view.device_scale = 1e9;
            view.start_ns = UINT64_MAX - 2;
            view.end_ns = UINT64_MAX;
            g_free (write_picture (&picture, &view, names[i]));
        }
    }
}

TEST (errors)
{
    g_auto (Case) test = new_case (2, 100, PV_UNIT_COUNT);
    PvTracksView view = tracks_view_of (test.tracks, 0, 0);
    PvTracksPicture picture = {.tracks = test.tracks, .tree = test.tree};
    assert_error (error, pv_export_tracks ("tracks.gif", &picture, &view, NULL, &error),
                  G_FILE_ERROR, G_FILE_ERROR_INVAL);
    g_autofree char *path = g_build_filename (folder, "missing", "tracks.svg", NULL);
    assert_error (error, pv_export_tracks (path, &picture, &view, NULL, &error), G_FILE_ERROR,
                  G_FILE_ERROR_NOENT);
}

TESTS_MAIN (argc, argv)
{
    pv_test_init (argc, argv);
    folder = make_folder ("exported-tracks");
    int status = g_test_run ();
    remove_folder (folder);
    return status;
}
