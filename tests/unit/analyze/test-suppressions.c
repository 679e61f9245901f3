/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <string.h>

#include "../cases.h"
#include "core/analyze/query/suppressions.h"
#include "core/analyze/tree/call-tree.h"
#include "core/model/build/builder.h"
#include "folded-profile.h"

static PvSuppressions *
parse (const char *text)
{
    PvSuppressions *suppressions =
        assert_ok (error, pv_suppressions_parse (text, strlen (text), "my.supp", &error));
    g_assert_nonnull (suppressions);
    return suppressions;
}

/* The innermost frames of the stacks that are suppressed, in the order of the stacks. */
static char *
list_suppressed (const FoldedProfile *folded, const char *text, bool with_defaults)
{
    g_autoptr (PvSuppressions) suppressions = text != NULL ? parse (text) : NULL;
    g_autofree bool *is_suppressed = pv_suppressions_match_stacks (
        suppressions, with_defaults, folded->profile, folded->symbols);
    GString *names = g_string_new (NULL);
    for (PvStackId s = 1; is_suppressed != NULL && s < folded->profile->n_stacks; s++) {
        if (!is_suppressed[s])
            continue;
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (
            folded->symbols, folded->profile->location_of_stack[s], &n_frames);
        const char *name = folded->symbols->functions[frames->function].name;
        g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "", name);
    }
    return g_string_free (names, is_suppressed == NULL);
}

TEST (match)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("main;init>setup;keep;block 1\n"
                                                        "main;lib/libx.so!operator*;grow 2\n"
                                                        "main;other 3\n");
    static const struct {
        const char *text;
        const char *suppressed; /* NULL: none */
    } cases[] = {
        {"leak:keep\n", "keep block"},
        /* An inlined frame, and what it was inlined into. */
        {"leak:init\n", "setup keep block"},
        {"leak:setup\n", "setup keep block"},
        /* A file, a module. */
        {"leak:/src/block.c\n", "block"},
        {"leak:libx.so\n", "operator* grow"},
        {"leak:^lib/libx.so$\n", "operator* grow"},
        {"leak:^libx.so$\n", NULL},
        /* Parts of a name, bound or not. */
        {"leak:lo\n", "block"},
        {"leak:^lo\n", NULL},
        {"leak:^blo\n", "block"},
        {"leak:blo$\n", NULL},
        {"leak:b*k\n", "block"},
        {"leak:^b*k$\n", "block"},
        {"leak:^k*k$\n", NULL},
        {"leak:k*b\n", NULL},
        {"leak:^block$\n", "block"},
        {"leak:^block$*more\n", "block"},
        {"leak:$\n", NULL},
        {"leak:^$\n", NULL},
        {"leak:^loc$\n", NULL},
        {"leak:operator*\n", "operator* grow"},
        {"leak:^other$\nleak:block\n", "block other"},
        {"# leak:block\n\n  \n", NULL},
        {"  leak:other  ", "other"},
        {"leak:grow\r\nleak:other\r\n", "grow other"},
        {"leak:BLOCK\n", NULL},
        {"leak:*\n", "main setup keep block operator* grow other"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        assert_string (list_suppressed (&folded, cases[i].text, false), cases[i].suppressed);
}

TEST (defaults)
{
    g_auto (FoldedProfile) folded =
        folded_profile_new ("main;g_thread_self;g_malloc 1\nmain;mine 2\n");
    assert_string (list_suppressed (&folded, NULL, true), "g_thread_self g_malloc");
    assert_string (list_suppressed (&folded, "leak:mine", true), "g_thread_self g_malloc mine");
    assert_string (list_suppressed (&folded, "leak:mine", false), "mine");
    g_autofree char *none = list_suppressed (&folded, NULL, false);
    g_assert_null (none);

    /* Those of the recording. */
    const char *const lines[] = {"leak:mi*e", "thread:main", "leak:"};
    PvProfile profile = *folded.profile;
    profile.n_suppressions = G_N_ELEMENTS (lines);
    profile.suppressions = lines;
    FoldedProfile recorded = {.profile = &profile, .symbols = folded.symbols};
    assert_string (list_suppressed (&recorded, NULL, true), "g_thread_self g_malloc mine");
    g_autofree char *off = list_suppressed (&recorded, NULL, false);
    g_assert_null (off);
}

/* A function without a name is not matched by the "??" it is shown as. */
TEST (unknown)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("main;mine 2\n");
    g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (folded.profile);
    pv_symbol_table_free (folded.symbols);
    folded.symbols = pv_symbol_builder_publish (builder, true);
    g_autofree char *names = list_suppressed (&folded, "leak:?", true);
    g_assert_null (names);
}

TEST (bad)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"leak:a\nrace:b\n", "my.supp, line 2: “race:b” is not of the form leak:PATTERN"},
        {"\n\nleak:\n", "my.supp, line 3: “leak:” is not of the form leak:PATTERN"},
        {"just words", "my.supp, line 1: “just words” is not of the form leak:PATTERN"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (GError) error = NULL;
        g_assert_null (
            pv_suppressions_parse (cases[i].text, strlen (cases[i].text), "my.supp", &error));
        g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
        g_assert_cmpstr (error->message, ==, cases[i].message);
    }
    g_autoptr (GError) error = NULL;
    g_assert_null (pv_suppressions_load ("/nowhere/my.supp", &error));
    g_assert_true (g_str_has_prefix (error->message, "/nowhere/my.supp: "));
}

TEST (load)
{
    g_autofree char *folder = g_dir_make_tmp ("profview-test-XXXXXX", NULL);
    g_autofree char *path = g_build_filename (folder, "my.supp", NULL);
    g_assert_true (g_file_set_contents (path, "leak:a\nleak:b", -1, NULL));
    g_autoptr (PvSuppressions) loaded = assert_ok (error, pv_suppressions_load (path, &error));
    g_autoptr (PvSuppressions) same = parse ("leak:a\n# a remark\nleak:b\n");
    g_assert_true (pv_suppressions_equal (loaded, same));
    g_assert_true (g_file_set_contents (path, "", 0, NULL));
    g_autoptr (PvSuppressions) empty = assert_ok (error, pv_suppressions_load (path, &error));
    g_assert_true (pv_suppressions_equal (empty, NULL));
    g_remove (path);
    g_rmdir (folder);
}

TEST (query)
{
    g_autoptr (PvSuppressions) a = parse ("leak:a\n");
    g_autoptr (PvSuppressions) b = parse ("leak:b\n");
    g_autoptr (PvSuppressions) ab = pv_suppressions_join (a, b);
    g_autoptr (PvSuppressions) again = parse ("leak:a\nleak:b\n");
    g_assert_true (pv_suppressions_equal (ab, again));
    g_assert_false (pv_suppressions_equal (ab, a));

    PvQuery query, copy;
    pv_query_init (&query);
    query.suppressions = pv_suppressions_ref (ab);
    pv_query_copy (&copy, &query);
    g_assert_true (pv_query_equal (&query, &copy));
    pv_suppressions_free (copy.suppressions);
    copy.suppressions = pv_suppressions_ref (again);
    g_assert_true (pv_query_equal (&query, &copy));
    copy.no_default_suppressions = true;
    g_assert_false (pv_query_equal (&query, &copy));
    g_assert_true (pv_query_same_shape (&query, &copy));
    copy.no_default_suppressions = false;
    pv_suppressions_free (copy.suppressions);
    copy.suppressions = pv_suppressions_ref (b);
    g_assert_false (pv_query_equal (&query, &copy));
    g_assert_true (pv_query_same_shape (&query, &copy));
    pv_query_clear (&query);
    pv_query_clear (&copy);
}

/* main;mine 100 bytes, main;g_thread_self;g_malloc 40 bytes, none of them freed. */
static FoldedProfile
make_heap (void)
{
    FoldedProfile folded = folded_profile_new ("main;mine 1\nmain;g_thread_self;g_malloc 1\n");
    g_autoptr (PvHeapBuilder) builder = pv_heap_builder_new (true, 0);
    const PvSampleSet *set = &folded.profile->sets[0];
    const PvHeapEvent events[] = {{.kind = PV_HEAP_EVENT_ALLOC, .value = 100, .site = 0},
                                  {.kind = PV_HEAP_EVENT_ALLOC, .value = 40, .site = 1},
                                  {.kind = PV_HEAP_EVENT_TIME, .value = 5}};
    pv_heap_builder_add (builder, events, G_N_ELEMENTS (events));
    PvProfile *profile = folded.profile;
    static PvMeasure measures[] = {
        {.name = "peak", .heap = PV_HEAP_PEAK, .set = PV_NO_SET, .total = 140},
        {.name = "leaked", .heap = PV_HEAP_LEAKED, .set = PV_NO_SET, .total = 140}};
    profile->heap = pv_heap_builder_finish (builder, set->stack, 2);
    profile->n_measures = profile->n_weights = G_N_ELEMENTS (measures);
    profile->measures = measures;
    profile->n_sets = 0;
    return folded;
}

static void
assert_tree (const FoldedProfile *folded, const PvQuery *query, PvCallTree **tree,
             const char *expected)
{
    PvCallTree *next =
        pv_call_tree_build (folded->profile, folded->symbols, query, *tree, NULL, NULL);
    g_assert_nonnull (next);
    pv_call_tree_free (*tree);
    *tree = next;
    assert_string (folded_dump_tree (next), expected);
}

/* The tree is made again from the one before, which knows what was suppressed for it. */
TEST (tree)
{
    g_auto (FoldedProfile) folded = make_heap ();
    PvCallTree *tree = NULL;
    uint64_t leaked, suppressed;
    g_auto (PvQuery) query = new_query ();
    pv_query_set_defaults (&query, folded.profile);
    const char *all = "0 all 0 140\n1 main 0 140\n2 mine 100 100\n2 g_thread_self 40 40\n";
    assert_tree (&folded, &query, &tree, all);
    query.measure = 1;
    assert_tree (&folded, &query, &tree, "0 all 0 100\n1 main 0 100\n2 mine 100 100\n");
    query.no_default_suppressions = true;
    assert_tree (&folded, &query, &tree, all);
    query.suppressions = parse ("leak:mine");
    assert_tree (&folded, &query, &tree, "0 all 0 40\n1 main 0 40\n2 g_thread_self 40 40\n");
    pv_suppressions_sum_leaks (query.suppressions, false, folded.profile, folded.symbols, &leaked,
                               &suppressed);
    g_assert_cmpuint (leaked, ==, 40);
    g_assert_cmpuint (suppressed, ==, 100);
    query.no_default_suppressions = false;
    assert_tree (&folded, &query, &tree, "0 all 0 0\n");
    /* Another shape, the same suppressions. */
    query.n_transforms = 0;
    assert_tree (&folded, &query, &tree, "0 all 0 0\n");
    query.measure = 0;
    assert_tree (&folded, &query, &tree,
                 "0 all 0 140\n1 main 0 140\n2 mine 100 100\n2 g_thread_self 0 40\n"
                 "3 g_malloc 40 40\n");
    pv_call_tree_free (tree);
    query.n_transforms = 1;
}
