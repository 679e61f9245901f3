/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "../new-query.h"
#include "core/model/build/builder.h"
#include "render/draw/palette.h"
#include "render/tracks/tracks-order.h"

enum { MS = 1000000 };

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvCallTree *tree;
    PvTracks *whole;
    PvTrackOrder *order;
} Case;

/* Threads by cost: server: beta (8) 40 ms from 3 ms on, alpha (9) 30 ms from 2 ms on, main (7) 20
 * ms from 1 ms on; Shell: sh (4) 50 ms from 0 on; cron: cron (5) 10 ms from 9 ms on. */
static PvProfile *
make_profile (void)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    made_set (builder, "cpu-clock", false, PV_UNIT_NS);
    PvModuleId id = made_module (builder, "/bin/test");
    PvStackId stack = made_stack (builder, 0, id, 1);
    PvProcessId server = pv_profile_builder_add_process (builder, 7, "server", 0);
    PvProcessId shell = pv_profile_builder_add_process (builder, 4, "Shell", 0);
    PvProcessId cron = pv_profile_builder_add_process (builder, 5, "cron", 0);
    const struct {
        PvThreadId thread;
        uint64_t first_ms;
        uint64_t ms;
        uint16_t cpu;
    } threads[] = {
        {pv_profile_builder_add_thread (builder, shell, 4, "sh", 0), 0, 50, 0},
        {pv_profile_builder_add_thread (builder, server, 7, "main", 0), 1, 20, 0},
        {pv_profile_builder_add_thread (builder, server, 9, "alpha", 0), 2, 30, 2},
        {pv_profile_builder_add_thread (builder, server, 8, "beta", 0), 3, 40, 2},
        {pv_profile_builder_add_thread (builder, cron, 5, "cron", 0), 9, 10, 1},
    };
    for (unsigned i = 0; i < 2; i++)
        for (unsigned t = 0; t < G_N_ELEMENTS (threads); t++) {
            PvNewSample sample = {.time_ns = (1000 + threads[t].first_ms + i * 100) * MS,
                                  .stack = stack,
                                  .thread = threads[t].thread,
                                  .cpu = threads[t].cpu};
            uint64_t weight = threads[t].ms * MS / 2;
            pv_profile_builder_add_sample (builder, 0, &sample, &weight);
        }
    return pv_profile_builder_snapshot (builder);
}

static void
set_up (Case *test, gconstpointer kind)
{
    g_auto (PvQuery) query = new_query ();
    test->profile = make_profile ();
    test->symbols = made_no_symbols (test->profile);
    test->tree = pv_call_tree_build_stacks (test->profile, test->symbols, &query, NULL, NULL, NULL);
    PvTimeIndex *index =
        pv_time_index_build (test->tree, (PvTimeRowKind)GPOINTER_TO_UINT (kind), NULL, 1, NULL);
    test->whole = pv_tracks_new (index, g_new0 (uint8_t, 1));
    test->order = pv_track_order_new (index->kind);
}

static void
tear_down (Case *test, gconstpointer kind)
{
    pv_track_order_free (test->order);
    pv_tracks_unref (test->whole);
    pv_call_tree_free (test->tree);
    pv_symbol_table_free (test->symbols);
    pv_profile_free (test->profile);
}

/* Names in one line; "|" after those that are pinned. */
static char *
list (const PvTracks *tracks)
{
    GString *text = g_string_new (NULL);
    for (uint32_t i = 0; i < tracks->n_tracks; i++) {
        g_string_append_printf (text, "%s%s%s", i > 0 ? ", " : "",
                                tracks->tracks[i].is_below_heading ? "-" : "",
                                tracks->tracks[i].name);
        if (i + 1 == tracks->n_pinned)
            g_string_append (text, " |");
    }
    return g_string_free (text, FALSE);
}

static void
check (const Case *test, const char *expected, uint32_t n_hidden)
{
    g_autoptr (PvTracks) shown = pv_track_order_apply (test->order, test->whole);
    assert_string (list (shown), expected);
    g_assert_cmpuint (shown->n_hidden, ==, n_hidden);
}

static uint32_t
find (const PvTracks *shown, const char *name)
{
    for (uint32_t i = 0; i < shown->n_tracks; i++)
        if (strcmp (shown->tracks[i].name, name) == 0)
            return i;
    g_assert_not_reached ();
}

#define SERVER "server (7), -beta (8), -alpha (9), -main (7)"
#define SHELL  "Shell · sh (4)"
#define CRON   "cron (5)"

static void
test_sort (Case *test, gconstpointer kind)
{
    check (test, SERVER ", " SHELL ", " CRON, 0);
    pv_track_order_set_sort (test->order, PV_ROWS_BY_NAME);
    check (test, CRON ", server (7), -alpha (9), -beta (8), -main (7), " SHELL, 0);
    pv_track_order_set_sort (test->order, PV_ROWS_BY_ID);
    check (test, SHELL ", " CRON ", server (7), -main (7), -beta (8), -alpha (9)", 0);
    pv_track_order_set_sort (test->order, PV_ROWS_BY_FIRST);
    check (test, SHELL ", server (7), -main (7), -alpha (9), -beta (8), " CRON, 0);
    pv_track_order_set_sort (test->order, PV_ROWS_BY_COST);
    check (test, SERVER ", " SHELL ", " CRON, 0);
}

static void
test_cpus (Case *test, gconstpointer kind)
{
    check (test, "CPU 0, CPU 1, CPU 2", 0);
    pv_track_order_set_sort (test->order, PV_ROWS_BY_COST);
    check (test, "CPU 0, CPU 2, CPU 1", 0);
    g_autoptr (PvTracks) shown = pv_track_order_apply (test->order, test->whole);
    g_assert_true (pv_track_order_move (test->order, test->whole, shown, 0, true));
    check (test, "CPU 2, CPU 0, CPU 1", 0);
}

static void
test_hide (Case *test, gconstpointer kind)
{
    g_autoptr (PvTracks) shown = pv_track_order_apply (test->order, test->whole);
    pv_track_order_hide (test->order, shown, find (shown, "beta (8)"));
    check (test, "server (7), -alpha (9), -main (7), " SHELL ", " CRON, 1);
    pv_track_order_hide_process (test->order, shown, find (shown, "alpha (9)"));
    check (test, SHELL ", " CRON, 3);
    pv_track_order_hide (test->order, shown, find (shown, CRON));
    check (test, SHELL, 4);
    pv_track_order_hide (test->order, shown, find (shown, SHELL));
    check (test, "", 5);
    pv_track_order_show_all (test->order);
    check (test, SERVER ", " SHELL ", " CRON, 0);
    pv_track_order_hide (test->order, shown, find (shown, "server (7)"));
    check (test, SHELL ", " CRON, 3);
}

static void
test_search (Case *test, gconstpointer kind)
{
    pv_track_order_set_search (test->order, "ALPHA");
    g_assert_cmpstr (pv_track_order_get_search (test->order), ==, "ALPHA");
    check (test, "server (7), -alpha (9)", 4);
    /* A process; numbers; nothing. */
    pv_track_order_set_search (test->order, "serv");
    check (test, SERVER, 2);
    pv_track_order_set_search (test->order, "(5)");
    check (test, CRON, 4);
    pv_track_order_set_search (test->order, "no such thread");
    check (test, "", 5);
    g_autoptr (PvTracks) all = pv_tracks_ref (test->whole);
    pv_track_order_set_pinned (test->order, all, find (all, CRON), true);
    check (test, CRON " |", 4);
    pv_track_order_show_all (test->order);
    g_assert_cmpstr (pv_track_order_get_search (test->order), ==, "");
    check (test, CRON " |, " SERVER ", " SHELL, 0);
}

static void
test_pin (Case *test, gconstpointer kind)
{
    g_autoptr (PvTracks) shown = pv_track_order_apply (test->order, test->whole);
    pv_track_order_set_pinned (test->order, shown, find (shown, "main (7)"), true);
    pv_track_order_set_pinned (test->order, shown, find (shown, SHELL), true);
    check (test, "server (7) · main (7), " SHELL " |, server (7), -beta (8), -alpha (9), " CRON, 0);
    g_autoptr (PvTracks) pinned = pv_track_order_apply (test->order, test->whole);
    /* Among themselves only. */
    g_assert_false (pv_track_order_move (test->order, test->whole, pinned, 0, false));
    g_assert_false (pv_track_order_move (test->order, test->whole, pinned, 1, true));
    g_assert_true (pv_track_order_move (test->order, test->whole, pinned, 0, true));
    check (test, SHELL ", server (7) · main (7) |, server (7), -beta (8), -alpha (9), " CRON, 0);
    g_assert_cmpint (pv_track_order_get_sort (test->order), ==, PV_ROWS_BY_COST);
    pv_track_order_set_pinned (test->order, pinned, 1, false);
    check (test, "server (7) · main (7) |, server (7), -beta (8), -alpha (9), " SHELL ", " CRON, 0);
}

/* Moves the track and says whether that could be done. */
static bool
move (Case *test, const char *name, bool is_down)
{
    g_autoptr (PvTracks) shown = pv_track_order_apply (test->order, test->whole);
    return pv_track_order_move (test->order, test->whole, shown, find (shown, name), is_down);
}

static void
test_move (Case *test, gconstpointer kind)
{
    /* A thread stays in its process. */
    g_assert_false (move (test, "beta (8)", false));
    g_assert_false (move (test, "main (7)", true));
    g_assert_true (move (test, "main (7)", false));
    check (test, "server (7), -beta (8), -main (7), -alpha (9), " SHELL ", " CRON, 0);
    g_assert_cmpint (pv_track_order_get_sort (test->order), ==, PV_ROWS_BY_HAND);
    /* A process moves as a whole, and others move past it. */
    g_assert_true (move (test, "server (7)", true));
    check (test, SHELL ", server (7), -beta (8), -main (7), -alpha (9), " CRON, 0);
    g_assert_true (move (test, CRON, false));
    check (test, SHELL ", " CRON ", server (7), -beta (8), -main (7), -alpha (9)", 0);
    g_assert_false (move (test, "server (7)", true));
    g_assert_false (move (test, SHELL, false));
    /* A hidden row keeps its place beside its neighbour. */
    g_autoptr (PvTracks) shown = pv_track_order_apply (test->order, test->whole);
    pv_track_order_hide (test->order, shown, find (shown, "main (7)"));
    g_assert_true (move (test, "alpha (9)", false));
    pv_track_order_show_all (test->order);
    check (test, SHELL ", " CRON ", server (7), -alpha (9), -beta (8), -main (7)", 0);
}

/* Amounts go with their rows. */
static void
test_bins (Case *test, gconstpointer kind)
{
    uint32_t n = test->whole->n_tracks;
    g_autoptr (PvTrackBins) bins =
        pv_track_bins_build (test->whole, NULL, 0, n, 0, 200 * (uint64_t)MS, 4, NULL);
    pv_track_order_set_sort (test->order, PV_ROWS_BY_NAME);
    pv_track_order_hide (test->order, test->whole, find (test->whole, "beta (8)"));
    g_autoptr (PvTracks) shown = pv_track_order_apply (test->order, test->whole);
    pv_track_bins_move (bins, shown);
    g_assert_true (bins->tracks == shown);
    g_assert_cmpuint (bins->end, ==, shown->n_tracks);
    for (uint32_t i = 0; i < shown->n_tracks; i++) {
        uint32_t row = shown->tracks[i].row, place = bins->place_of_track[i];
        uint64_t sum = 0;
        if (row == PV_TRACK_NONE) {
            g_assert_cmpuint (place, ==, PV_TRACK_NONE);
            continue;
        }
        for (uint32_t bin = 0; bin < 4; bin++)
            sum += pv_time_bins_sum (bins->bins, place, bin);
        g_assert_cmpuint (sum, ==, shown->index->rows[row].weight);
    }
}

TESTS_MAIN (argc, argv)
{
    static const struct {
        const char *name;
        PvTimeRowKind kind;
        void (*run) (Case *test, gconstpointer kind);
    } tests[] = {
        {"sort", PV_TIME_THREADS, test_sort}, {"cpus", PV_TIME_CPUS, test_cpus},
        {"hide", PV_TIME_THREADS, test_hide}, {"search", PV_TIME_THREADS, test_search},
        {"pin", PV_TIME_THREADS, test_pin},   {"move", PV_TIME_THREADS, test_move},
        {"bins", PV_TIME_THREADS, test_bins},
    };
    pv_test_init (argc, argv);
    for (size_t i = 0; i < G_N_ELEMENTS (tests); i++) {
        g_autofree char *path = g_strconcat ("/tracks-order/", tests[i].name, NULL);
        g_test_add (path, Case, GUINT_TO_POINTER (tests[i].kind), set_up, tests[i].run, tear_down);
    }
    return g_test_run ();
}
