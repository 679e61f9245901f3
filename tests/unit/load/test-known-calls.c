/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls as a callgrind file states them, and where they are shown: figures by hand. */
#include <glib/gstdio.h>
#include <string.h>

#include "../cases.h"
#include "../texts.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tables/known-totals.h"
#include "core/analyze/tables/measure-sums.h"
#include "core/model/merge/merge.h"
#include "loaded.h"

/*
 * A run: main () calls a (2), r (3), z () four times, and two functions s () of different files.
 * a (n) calls b (n), which calls a (n - 1), or at last leaf (). r (n) calls r (n - 1).
 *
 *     a (2) 5 + b (2) 3 + a (1) 5 + b (1) 3 + leaf () 7
 *     r (3) 3 + r (2) 3 + r (1) 3
 *
 * So calls from a to b cost 18 and 10, those from r to r 6 and 3. What calls a and b cost that come
 * from elsewhere is 23, which is what both together cost.
 */
static const char run[] =
    "# callgrind format\nevents: Ir Dr\nob=/bin/p\nfl=p.c\n"
    "fn=main\n1 10\ncfn=a\ncalls=1 2\n1 23\ncfn=r\ncalls=1 5\n1 9\ncfn=z\ncalls=4 6\n1 0 8\n"
    "cfi=x.c\ncfn=s\ncalls=1 1\n1 2\ncfi=y.c\ncfn=s\ncalls=3 1\n1 4\n"
    "fn=a\n2 10\ncfn=b\ncalls=2 3\n2 28\n"
    "fn=b\n3 6\ncfn=a\ncalls=1 2\n3 15\ncfn=leaf\ncalls=1 4\n3 7\n"
    "fn=leaf\n4 7\nfn=r\n5 9\ncfn=r\ncalls=2 5\n5 9\nfn=z\n6 0 8\n"
    "fl=x.c\nfn=s\n1 2\nfl=y.c\nfn=s\n1 4\n";

static Loaded
load (const char *text)
{
    g_autofree char *path = g_build_filename (g_get_tmp_dir (), "known-calls-XXXXXX", NULL);
    g_close (g_mkstemp (path), NULL);
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
    Loaded loaded = load_file (path, &(PvLoadOptions){0});
    g_unlink (path);
    return loaded;
}

static const char *
name_of (const Loaded *loaded, PvFunctionId function)
{
    return function != 0 ? loaded->symbols->functions[function].name : "-";
}

static PvQuery
query_of (const Loaded *loaded, const char *measure, const char *hidden)
{
    PvQuery query = new_query ();
    query.measure = pv_profile_find_measure (loaded->profile, measure);
    if (hidden != NULL)
        pv_query_add_transform (&query, PV_TRANSFORM_HIDE, hidden);
    return query;
}

static PvCallTree *
build_tree (const Loaded *loaded, const char *measure, const char *hidden)
{
    g_auto (PvQuery) query = query_of (loaded, measure, hidden);
    PvCallTree *tree = query_tree (loaded->profile, loaded->symbols, &query);
    g_assert_nonnull (tree);
    return tree;
}

/* "main=10/48 ...", by name. */
static char *
spell_list (const Loaded *loaded, const PvFunctionList *list)
{
    g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
    for (uint32_t i = 0; i < list->n_rows; i++) {
        const PvFunctionRow *row = &list->rows[i];
        g_assert_true (row->frame != NULL && row->frame->function == row->function);
        g_ptr_array_add (words,
                         g_strdup_printf ("%s=%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
                                          name_of (loaded, row->function), row->self, row->total));
    }
    g_ptr_array_sort (words, compare_texts);
    g_ptr_array_add (words, NULL);
    return g_strjoinv (" ", (char **)words->pdata);
}

/* The list, made in each of the ways there are. */
static void
assert_list (const Loaded *loaded, const char *measure, const char *hidden, const char *expected)
{
    g_auto (PvQuery) query = query_of (loaded, measure, hidden);
    uint64_t whole;
    g_autoptr (PvCallTree) tree = build_tree (loaded, measure, hidden);
    g_autoptr (PvFunctionList) built = pv_function_list_build (tree, NULL);
    g_autoptr (PvFunctionList) summed = pv_function_list_sum (loaded->profile, loaded->symbols,
                                                              &query, SIZE_MAX, &whole, NULL, NULL);
    g_autoptr (PvMeasureSums) sums = pv_measure_sums_by_function (tree, &query.measure, 1, NULL);
    g_autofree char *of_summed = spell_list (loaded, summed);
    assert_string (spell_list (loaded, built), expected);
    g_assert_cmpstr (of_summed, ==, expected);
    for (uint32_t i = 0; i < built->n_rows; i++)
        g_assert_cmpuint (sums->columns[0].total[built->rows[i].function], ==,
                          built->rows[i].total);
}

static void
spell_side (GString *text, const Loaded *loaded, const PvCaller *callers, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        g_string_append_printf (text, " %s=%" G_GUINT64_FORMAT,
                                name_of (loaded, callers[i].function), callers[i].weight);
        if (callers[i].n_calls != PV_AMOUNT_UNKNOWN)
            g_string_append_printf (text, "*%" G_GUINT64_FORMAT, callers[i].n_calls);
        g_assert_cmpint (callers[i].net, ==, (int64_t)callers[i].weight);
    }
}

/* "SELF/TOTAL < CALLER=WEIGHT*CALLS ... > CALLEE=WEIGHT*CALLS ..." */
static void
assert_calls (const Loaded *loaded, const char *function, const char *measure, const char *hidden,
              const char *expected)
{
    g_autoptr (GString) text = g_string_new (NULL);
    g_autoptr (PvCallTree) tree = build_tree (loaded, measure, hidden);
    g_autoptr (PvCallersCallees) both =
        pv_callers_callees_build (tree, loaded_find_function (loaded, function), NULL);
    g_string_append_printf (text, "%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT " <", both->self,
                            both->total);
    spell_side (text, loaded, both->callers, both->n_callers);
    g_string_append (text, " >");
    spell_side (text, loaded, both->callees, both->n_callees);
    g_assert_cmpstr (text->str, ==, expected);
    g_assert_true ((pv_known_calls_find (loaded->profile, &tree->query) != NULL) ==
                   (hidden == NULL));
}

/* --- tests --- */

/* The file does not say that b has only 18: 28 less double counts, but no more than 23. */
TEST (totals)
{
    g_auto (Loaded) loaded = load (run);
    assert_list (&loaded, "Ir", NULL, "a=10/23 b=6/23 leaf=7/7 main=10/48 r=9/9 s=6/6");
    assert_list (&loaded, "Dr", NULL, "main=0/8 z=8/8");
    /* Estimates, as b has no a in it. */
    assert_list (&loaded, "Ir", "^main$", "a=10/23 b=6/13 leaf=7/7 r=9/9 s=6/6");
}

TEST (callers_and_callees)
{
    g_auto (Loaded) loaded = load (run);
    assert_calls (&loaded, "main", "Ir", NULL, "10/48 < -=48 > a=23*1 r=9*1 s=6*4 z=0*4");
    assert_calls (&loaded, "main", "Dr", NULL, "0/8 < -=8 > z=8*4 a=0*1 r=0*1 s=0*4");
    assert_calls (&loaded, "a", "Ir", NULL, "10/23 < main=23*1 b=15*1 > b=28*2");
    assert_calls (&loaded, "b", "Ir", NULL, "6/23 < a=28*2 > a=15*1 leaf=7*1");
    assert_calls (&loaded, "leaf", "Ir", NULL, "7/7 < b=7*1 >");
    assert_calls (&loaded, "r", "Ir", NULL, "9/9 < main=9*1 r=9*2 > r=9*2");
    assert_calls (&loaded, "s", "Ir", NULL, "6/6 < main=6*4 >");
}

/* With a filter there are only the stacks that may have been. */
TEST (filtered)
{
    g_auto (Loaded) loaded = load (run);
    assert_calls (&loaded, "a", "Ir", "^leaf$", "10/23 < main=23 > b=13");
    assert_calls (&loaded, "r", "Ir", "^leaf$", "9/9 < main=9 >");
}

TEST (other_queries)
{
    g_auto (Loaded) loaded = load (run);
    for (int i = 0; i < 4; i++) {
        g_auto (PvQuery) query = query_of (&loaded, "Ir", NULL);
        query.is_inverted = i == 1;
        query.granularity = i == 2 ? PV_BY_LINE : PV_BY_FUNCTION;
        query.grouping = i == 3 ? PV_GROUP_MODULE : PV_GROUP_NONE;
        g_autoptr (PvCallTree) tree = query_tree (loaded.profile, loaded.symbols, &query);
        g_autoptr (PvCallersCallees) both =
            pv_callers_callees_build (tree, loaded_find_function (&loaded, "b"), NULL);
        g_assert_true ((pv_known_calls_find (loaded.profile, &tree->query) != NULL) == (i < 2));
        g_assert_cmpuint (both->total, ==, i < 2 ? 23 : 13);
    }
}

/* The file of a function is the one that it is written in, not that of code inlined into it, even
 * if that comes first; in a copy of the profile, too. */
TEST (files)
{
    g_auto (Loaded) loaded =
        load ("# callgrind format\nevents: Ir\nob=/bin/p\nfl=p.c\nfn=main\nfi=list.h\n7 20\n"
              "fe=p.c\n3 5\ncfn=work\ncalls=1 9\n4 8\nfn=work\nfi=sort.h\n70 8\n"
              "fl=q.c\nfn=own\n1 1\n");
    static const char *const files[][2] = {{"main", "p.c"}, {"work", NULL}, {"own", "q.c"}};
    for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
        g_assert_cmpstr (
            loaded.symbols->functions[loaded_find_function (&loaded, files[i][0])].file, ==,
            files[i][1]);
}

/* Calls of several files are no one's. */
TEST (merged)
{
    g_auto (Loaded) loaded = load (run);
    g_assert_nonnull (loaded.profile->known_calls);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMerger) merger = pv_merger_new (builder, false);
    pv_merger_append (merger, loaded.profile, NULL);
    pv_merger_finish (merger, NULL, false);
    g_autoptr (PvProfile) merged = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (merged->measures[0].total, ==, 48);
    g_assert_null (merged->known_calls);
}
