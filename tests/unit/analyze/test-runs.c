/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs in order, against the functions of each run alone; and which lines move beyond noise.
 */
#include <math.h>
#include <string.h>

#include "../cases.h"
#include "core/analyze/compare/run-moves.h"
#include "core/analyze/compare/run-text.h"
#include "core/analyze/tables/functions.h"
#include "folded-profile.h"

enum { N_CASES = 150, MOST_RUNS = 7 };

static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};

/* The first run says which measure it is; the others come in any order. */
static PvRuns *
make_runs (const FoldedProfile *folded, unsigned n_runs, const PvQuery *query)
{
    g_autoptr (PvRunsBuilder) builder = pv_runs_builder_new (names, n_runs);
    for (unsigned i = 0; i < n_runs; i++) {
        unsigned r = i == 0 ? 0 : n_runs - i;
        assert_ok (error, pv_runs_builder_add (builder, r, folded[r].profile, folded[r].symbols,
                                               query, NULL, &error));
    }
    return pv_runs_builder_finish (builder);
}

/* The function that a run calls so; or UINT32_MAX. */
static uint32_t
find_function (const PvRuns *runs, const char *name, const char *module)
{
    for (uint32_t f = 0; f < runs->n_functions; f++)
        if (strcmp (runs->functions[f].name, name) == 0 &&
            strcmp (runs->functions[f].module, module) == 0)
            return f;
    return UINT32_MAX;
}

/* Each run has what its own list has, and nothing else. */
static void
check_run (const PvRuns *runs, uint32_t r, const FoldedProfile *folded, const PvQuery *query)
{
    g_autoptr (PvCallTree) tree = query_tree (folded->profile, folded->symbols, query);
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    g_autofree uint64_t *line = g_new (uint64_t, runs->n_runs);
    uint32_t n_there = 0;
    for (uint32_t i = 0; i < list->n_rows; i++) {
        const PvFunction *function = &tree->symbols->functions[list->rows[i].function];
        const char *module =
            function->module != 0 ? folded->profile->modules[function->module].name : "";
        uint32_t f = find_function (runs, function->name, module);
        g_assert_cmpuint (f, !=, UINT32_MAX);
        pv_runs_get_line (runs, f, true, line);
        g_assert_cmpuint (line[r], ==, list->rows[i].self);
        pv_runs_get_line (runs, f, false, line);
        g_assert_cmpuint (line[r], ==, list->rows[i].total);
    }
    for (uint32_t f = 0; f < runs->n_functions; f++) {
        pv_runs_get_line (runs, f, false, line);
        n_there += line[r] > 0;
    }
    g_assert_cmpuint (n_there, ==, list->n_rows);
    g_assert_cmpuint (runs->runs[r].whole, ==, tree->total[0]);
    g_assert_cmpstr (runs->runs[r].name, ==, names[r]);
}

/* Against a look at all points of the line. */
static void
check_moves (const PvRuns *runs, bool is_self)
{
    g_autoptr (PvRunMoves) moves = pv_run_moves_new (runs, is_self, NULL);
    g_autofree uint64_t *line = g_new (uint64_t, runs->n_runs);
    for (uint32_t f = 0; f < runs->n_functions; f++) {
        const PvRunMove *move = &moves->moves[f];
        uint64_t least = UINT64_MAX, most = 0, step = 0;
        pv_runs_get_line (runs, f, is_self, line);
        for (uint32_t r = 0; r < runs->n_runs; r++) {
            least = MIN (least, line[r]);
            most = MAX (most, line[r]);
            if (r > 0)
                step = MAX (step, (uint64_t)llabs ((int64_t)(line[r] - line[r - 1])));
        }
        g_assert_cmpuint (move->first, ==, line[0]);
        g_assert_cmpuint (move->last, ==, line[runs->n_runs - 1]);
        g_assert_cmpuint (move->least, ==, least);
        g_assert_cmpuint (move->most, ==, most);
        g_assert_cmpuint (llabs (move->step), ==, step);
        g_assert_true ((move->step_run == 0) == (step == 0));
        if (step > 0)
            g_assert_cmpint (move->step, ==,
                             (int64_t)(line[move->step_run] - line[move->step_run - 1]));
        g_assert_cmpuint (move->beyond, <=, most - least);
    }
    for (uint32_t i = 1; i < moves->n_ordered; i++)
        g_assert_cmpuint (moves->moves[moves->ordered[i - 1]].beyond, >=,
                          moves->moves[moves->ordered[i]].beyond);
}

TEST (random)
{
    for (unsigned seed = 0; seed < N_CASES; seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        unsigned n_runs = 1 + seed % MOST_RUNS;
        FoldedProfile folded[MOST_RUNS];
        g_auto (PvQuery) query = new_query ();
        reference_random_transforms (random, &query);
        for (unsigned r = 0; r < n_runs; r++) {
            g_autofree char *text = folded_random_text (random, 1 + (seed + r) % 20, 8);
            folded[r] = folded_profile_new_shuffled (text, seed + r);
        }
        g_test_message ("case %u", seed);
        g_autoptr (PvRuns) runs = make_runs (folded, n_runs, &query);
        g_assert_cmpuint (runs->n_runs, ==, n_runs);
        for (unsigned r = 0; r < n_runs; r++)
            check_run (runs, r, &folded[r], &query);
        check_moves (runs, true);
        check_moves (runs, false);
        for (unsigned r = 0; r < n_runs; r++)
            folded_profile_clear (&folded[r]);
    }
}

/* A run without the measure is refused, and is not among the others. */
TEST (left_out)
{
    g_auto (FoldedProfile) one = folded_profile_new ("A;B 3/4"), two = folded_profile_new ("A;B 5");
    g_autoptr (PvRunsBuilder) builder = pv_runs_builder_new (names, 3);
    g_autoptr (GError) error = NULL;
    g_auto (PvQuery) query = new_query ();
    query.measure = 1;
    g_assert_true (
        pv_runs_builder_add (builder, 0, one.profile, one.symbols, &query, NULL, &error));
    query.measure = 0;
    g_assert_false (
        pv_runs_builder_add (builder, 1, two.profile, two.symbols, &query, NULL, &error));
    g_assert_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED);
    g_assert_true (pv_runs_builder_add (builder, 2, one.profile, one.symbols, &query, NULL, NULL));
    g_autoptr (PvRuns) runs = pv_runs_builder_finish (builder);
    g_assert_cmpuint (runs->n_runs, ==, 2);
    g_assert_cmpuint (runs->runs[1].place, ==, 2);
    g_assert_cmpuint (runs->runs[1].whole, ==, 4);
    g_autoptr (PvRunsBuilder) empty = pv_runs_builder_new (names, 2);
    g_assert_null (pv_runs_builder_finish (empty));
}

TEST (scale)
{
    FoldedProfile folded[] = {folded_profile_new ("A;B 30\nA;C 10"),
                              folded_profile_new ("A;B 60\nA;C 40")};
    g_auto (PvQuery) query = new_query ();
    g_autoptr (GError) error = NULL;
    uint64_t line[2];
    uint32_t function;
    g_autoptr (PvRuns) runs = make_runs (folded, 2, &query);
    uint32_t b = find_function (runs, "B", folded[0].profile->modules[1].name);
    g_assert_true (pv_runs_scale (runs, PV_SCALE_TOTAL, NULL, &function, &error));
    pv_runs_get_line (runs, b, true, line);
    g_assert_cmpuint (line[0], ==, 75);
    g_assert_cmpuint (line[1], ==, 60);
    g_assert_true (pv_runs_scale (runs, PV_SCALE_FUNCTION, "^C$", &function, &error));
    g_assert_cmpstr (runs->functions[function].name, ==, "C");
    pv_runs_get_line (runs, b, true, line);
    g_assert_cmpuint (line[0], ==, 120);
    g_assert_false (pv_runs_scale (runs, PV_SCALE_FUNCTION, "^X$", &function, &error));
    g_assert_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED);
    for (unsigned r = 0; r < 2; r++)
        folded_profile_clear (&folded[r]);
}

/* --- noise --- */

/* Twelve uniform variables have the variance 1. */
static double
draw (GRand *random, double mean)
{
    double sum = -6;
    for (unsigned i = 0; i < 12; i++)
        sum += g_rand_double (random);
    return MAX (mean + sum * sqrt (mean), 1);
}

/* Runs with as many sampled functions as there are letters; from run `first` on, F takes so many
 * times what it took. */
static PvRuns *
make_sampled (GRand *random, unsigned n_runs, unsigned first, double factor)
{
    g_auto (PvQuery) query = new_query ();
    FoldedProfile folded[MOST_RUNS];
    for (unsigned r = 0; r < n_runs; r++) {
        g_autoptr (GString) text = g_string_new (NULL);
        for (unsigned f = 0; f < 20; f++) {
            double mean = 100 + 40.0 * f;
            if (f == 5 && r >= first)
                mean *= factor;
            g_string_append_printf (text, "%sM;%c %u", f > 0 ? "\n" : "", 'A' + f + (f >= 12),
                                    (unsigned)draw (random, mean));
        }
        folded[r] = folded_profile_new (text->str);
    }
    PvRuns *runs = make_runs (folded, n_runs, &query);
    for (unsigned r = 0; r < n_runs; r++) {
        runs->runs[r].n_samples = runs->runs[r].all;
        folded_profile_clear (&folded[r]);
    }
    return runs;
}

/* Runs of the same build seldom name anything; one that became half as slow again is the first. */
TEST (noise)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (7);
    unsigned n_named = 0;
    for (unsigned i = 0; i < 100; i++) {
        g_autoptr (PvRuns) runs = make_sampled (random, 2 + i % 6, 0, 1);
        g_autoptr (PvRunMoves) moves = pv_run_moves_new (runs, true, NULL);
        n_named += moves->n_beyond > 0;
    }
    g_assert_cmpuint (n_named, <=, 10);
    for (unsigned i = 0; i < 50; i++) {
        unsigned n_runs = 2 + i % 6, first = 1 + i % (n_runs - 1);
        g_autoptr (PvRuns) runs = make_sampled (random, n_runs, first, 1.9);
        g_autoptr (PvRunMoves) moves = pv_run_moves_new (runs, true, NULL);
        g_assert_cmpuint (moves->n_beyond, >=, 1);
        g_assert_cmpstr (runs->functions[moves->ordered[0]].name, ==, "F");
        g_assert_cmpuint (moves->moves[moves->ordered[0]].step_run, ==, first);
    }
}

/* Amounts that are exact move by any difference, unless they always differ. */
TEST (exact)
{
    FoldedProfile folded[] = {
        folded_profile_new ("A;B 100\nA;C 500\nA;D 90"),
        folded_profile_new ("A;B 100\nA;C 520\nA;D 90"),
        folded_profile_new ("A;B 101\nA;C 490\nA;D 90"),
        folded_profile_new ("A;B 101\nA;C 515\nA;D 90"),
        folded_profile_new ("A;B 101\nA;C 500\nA;D 90"),
        folded_profile_new ("A;B 101\nA;C 508\nA;D 90"),
        folded_profile_new ("A;B 101\nA;C 490\nA;D 90"),
    };
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvRuns) runs = make_runs (folded, MOST_RUNS, &query);
    for (unsigned r = 0; r < MOST_RUNS; r++)
        runs->runs[r].n_samples = 0;
    g_autoptr (PvRunMoves) moves = pv_run_moves_new (runs, true, NULL);
    g_assert_cmpuint (moves->n_beyond, ==, 1);
    g_assert_cmpstr (runs->functions[moves->ordered[0]].name, ==, "B");
    assert_string (pv_run_move_describe (runs, &moves->moves[moves->ordered[0]]),
                   "from 100 to 101, largest step +1 at run 3, c");
    for (unsigned r = 0; r < MOST_RUNS; r++)
        folded_profile_clear (&folded[r]);
}

TEST (text)
{
    const uint64_t amounts[] = {0, 10, 70, 80};
    g_autofree char *short_line = pv_run_line_format (amounts, 4, 2);
    assert_string (pv_run_line_format (amounts, 4, 10), "▁▂██");
    g_assert_cmpstr (short_line, ==, "▂█");
}
