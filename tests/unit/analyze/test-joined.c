/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles that are joined, against each of them alone: every function by every measure, as a tree
 * of that measure and as a column beside another.
 */
#include <string.h>

#include "../cases.h"
#include "core/analyze/compare/joined.h"
#include "core/analyze/tables/measure-sums.h"
#include "folded-profile.h"

enum { N_CASES = 300, MAX_RUNS = 3 };

static PvComparison
join (const PvCompareRun *runs, unsigned n_runs)
{
    PvComparison joined = {0};
    g_assert_true (assert_ok (error, pv_joined_build (runs, n_runs, &joined, NULL, &error)));
    return joined;
}

/* Self and total by "module!name". */
typedef struct {
    uint64_t self, total;
} Amounts;

static GHashTable *
sum_alone (const PvCallTree *tree)
{
    GHashTable *amounts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    for (uint32_t i = 0; i < list->n_rows; i++) {
        g_autofree char *name = reference_name (tree, list->rows[i].function);
        Amounts *sum = g_hash_table_lookup (amounts, name);
        if (sum == NULL) {
            sum = g_new0 (Amounts, 1);
            g_hash_table_insert (amounts, g_strdup (name), sum);
        }
        sum->self += list->rows[i].self;
        sum->total += list->rows[i].total;
    }
    return amounts;
}

static void
check_column (const PvCallTree *tree, const PvMeasureColumn *column, const PvCallTree *alone)
{
    g_autoptr (GHashTable) wanted = sum_alone (alone);
    unsigned n_found = 0;
    g_assert_cmpuint (column->whole, ==, alone->total[0]);
    for (PvFunctionId f = 1; f < tree->symbols->n_functions; f++) {
        g_autofree char *name = reference_name (tree, f);
        const Amounts *sum = g_hash_table_lookup (wanted, name);
        g_assert_cmpuint (column->self[f], ==, sum != NULL ? sum->self : 0);
        g_assert_cmpuint (column->total[f], ==, sum != NULL ? sum->total : 0);
        n_found += sum != NULL && sum->total > 0;
    }
    g_assert_cmpuint (n_found, ==, g_hash_table_size (wanted));
}

/* The joined measure by itself, and as a column beside the one that is shown. */
static void
check_measure (const PvComparison *joined, const PvQuery *query, PvMeasureId shown,
               PvMeasureId measure, const PvCallTree *alone)
{
    g_auto (PvQuery) own;
    g_auto (PvQuery) other;
    pv_query_copy (&own, query);
    pv_query_copy (&other, query);
    own.measure = measure;
    other.measure = shown;
    g_autoptr (PvCallTree) tree = query_tree (joined->profile, joined->symbols, &own);
    g_autoptr (PvCallTree) beside = query_tree (joined->profile, joined->symbols, &other);
    g_autoptr (PvMeasureSums) sums = pv_measure_sums_by_function (tree, &measure, 1, NULL);
    g_autoptr (PvMeasureSums) columns = pv_measure_sums_by_function (beside, &measure, 1, NULL);
    g_assert_cmpuint (tree->total[0], ==, alone->total[0]);
    check_column (tree, &sums->columns[0], alone);
    check_column (beside, &columns->columns[0], alone);
}

/* A query with the transforms that a profile has by default, or with another one, which is ignored.
 */
static void
make_run_query (GRand *random, PvQuery *ret_query)
{
    pv_query_init (ret_query);
    if (g_rand_boolean (random))
        pv_query_add_transform (ret_query, PV_TRANSFORM_HIDE_ALLOCATORS, NULL);
    if (g_rand_int_range (random, 0, 4) == 0)
        pv_query_add_transform (ret_query, PV_TRANSFORM_DROP, "f[25]");
}

TEST (random)
{
    for (unsigned seed = 0; seed < N_CASES; seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        unsigned n_runs = 1 + seed % MAX_RUNS;
        FoldedProfile profiles[MAX_RUNS];
        PvQuery hidden[MAX_RUNS], with_more[MAX_RUNS];
        PvCompareRun runs[MAX_RUNS];
        g_auto (PvQuery) query = new_query ();
        reference_random_transforms (random, &query);
        g_test_message ("case %u", seed);
        for (unsigned r = 0; r < n_runs; r++) {
            g_autofree char *text = folded_random_text (random, 1 + (seed + r) % 20, 8);
            profiles[r] = folded_profile_new_shuffled (text, seed + r);
            make_run_query (random, &hidden[r]);
            pv_query_copy (&with_more[r], &hidden[r]);
            pv_query_add_transform (&with_more[r], PV_TRANSFORM_FOCUS, "f1");
            runs[r] =
                (PvCompareRun){profiles[r].profile, profiles[r].symbols, &with_more[r], "run"};
        }
        g_auto (PvComparison) joined = join (runs, n_runs);
        g_assert_cmpuint (joined.profile->n_joined, ==, n_runs);
        for (unsigned r = 0; r < n_runs; r++) {
            for (uint32_t t = 0; t < query.n_transforms; t++)
                pv_query_add_copy (&hidden[r], &query.transforms[t]);
            g_autoptr (PvCallTree) alone =
                query_tree (profiles[r].profile, profiles[r].symbols, &hidden[r]);
            check_measure (&joined, &query, joined.profile->joined[(r + 1) % n_runs].first_measure,
                           joined.profile->joined[r].first_measure, alone);
        }
        for (unsigned r = 0; r < n_runs; r++) {
            folded_profile_clear (&profiles[r]);
            pv_query_clear (&hidden[r]);
            pv_query_clear (&with_more[r]);
        }
    }
}

/* All measures are there, the query's own first; names of earlier files get a number. */
TEST (names)
{
    g_auto (FoldedProfile) a = folded_profile_new ("A;B 1/2/3\nA;C 4/0/5");
    g_auto (FoldedProfile) b = folded_profile_new ("A;B 6/7\nD 8/9");
    g_auto (PvQuery) first = new_query ();
    g_auto (PvQuery) second = new_query ();
    first.measure = 1;
    PvCompareRun runs[] = {{a.profile, a.symbols, &first, "a"},
                           {b.profile, b.symbols, &second, "b"}};
    g_auto (PvComparison) joined = join (runs, 2);
    const PvProfile *profile = joined.profile;
    g_assert_cmpuint (profile->n_measures, ==, 5);
    g_assert_cmpuint (profile->joined[0].first_measure, ==, 0);
    g_assert_cmpuint (profile->joined[0].n_measures, ==, 3);
    g_assert_cmpuint (profile->joined[1].first_measure, ==, 3);
    g_assert_cmpuint (profile->joined[1].n_measures, ==, 2);
    g_assert_cmpstr (profile->joined[1].name, ==, "b");
    g_assert_true (pv_profile_get_joined_file (profile, 4) == &profile->joined[1]);
    static const uint64_t totals[] = {2, 5, 8, 14, 16};
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        g_assert_cmpuint (profile->measures[m].total, ==, totals[m]);
    for (PvMeasureId m = 0; m < 3; m++)
        g_assert_cmpstr (profile->measures[m].name, ==,
                         a.profile->measures[m == 0   ? 1
                                             : m == 1 ? 0
                                                      : 2]
                             .name);
    for (PvMeasureId m = 0; m < 2; m++) {
        g_autofree char *name = g_strconcat (b.profile->measures[m].name, "-2", NULL);
        g_assert_cmpstr (profile->measures[3 + m].name, ==, name);
    }
    g_assert_false (pv_measure_sums_can_count (profile, PV_MEASURE_SAMPLES));
}

/* A part of a file beside another part of it. */
TEST (parts)
{
    g_auto (FoldedProfile) a = folded_profile_new ("A;B 1\nA;C 2\nA;C 4\nA;B 8");
    g_auto (PvQuery) early = new_query ();
    g_auto (PvQuery) late = new_query ();
    early.end_ns = 1500;
    late.start_ns = 1500;
    PvCompareRun runs[] = {{a.profile, a.symbols, &early, "early"},
                           {a.profile, a.symbols, &late, "late"}};
    g_auto (PvComparison) joined = join (runs, 2);
    g_assert_cmpuint (joined.profile->measures[0].total, ==, 3);
    g_assert_cmpuint (joined.profile->measures[1].total, ==, 12);
    /* Stacks are there once. */
    g_assert_cmpuint (joined.profile->n_stacks, ==, 4);
}

static void
check_tree (const PvComparison *joined, PvMeasureId measure, const char *wanted)
{
    g_auto (PvQuery) query = new_query ();
    query.measure = measure;
    g_autoptr (PvCallTree) tree = query_tree (joined->profile, joined->symbols, &query);
    assert_string (folded_dump_tree (tree), wanted);
}

/* Stacks of both begin at main, or at what a thread runs; what has nothing else stays. */
TEST (start)
{
    g_auto (FoldedProfile) a =
        folded_profile_new ("_start;libc.so.6!__libc_start_main;main;A;clone 1\n"
                            "_start;libc.so.6!__libc_start_main 2\n"
                            "libc.so.6!clone3>start_thread;run 4\n"
                            "_start 8\n"
                            "libc.so.6!clone3>start_thread>inlined 16");
    g_auto (FoldedProfile) b = folded_profile_new ("libc.so.6!__libc_start_call_main;main;A 32\n"
                                                   "B;_start 64");
    g_auto (PvQuery) all = new_query ();
    PvCompareRun runs[] = {{a.profile, a.symbols, &all, "a"}, {b.profile, b.symbols, &all, "b"}};
    g_auto (PvComparison) joined = join (runs, 2);
    g_assert_cmpuint (joined.profile->measures[0].total, ==, 31);
    g_assert_cmpuint (joined.profile->measures[1].total, ==, 96);
    check_tree (&joined, 0,
                "0 all 0 31\n1 inlined 16 16\n1 _start 8 8\n1 run 4 4\n1 __libc_start_main 2 2\n"
                "1 main 0 1\n2 A 0 1\n3 clone 1 1\n");
    check_tree (&joined, 1, "0 all 0 96\n1 B 0 64\n2 _start 64 64\n1 main 0 32\n2 A 32 32\n");
}

/* An invalid expression is an error, not a wrong figure. */
TEST (bad_expression)
{
    g_auto (FoldedProfile) a = folded_profile_new ("A;B 1");
    g_auto (PvQuery) query = new_query ();
    g_autoptr (GError) error = NULL;
    PvComparison joined;
    pv_query_add_transform (&query, PV_TRANSFORM_DROP, "(");
    PvCompareRun run = {a.profile, a.symbols, &query, "a"};
    g_assert_false (pv_joined_build (&run, 1, &joined, NULL, &error));
    g_assert_true (error != NULL && error->domain == G_REGEX_ERROR);
}
