/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "core/model/profile/drop-frames.h"
#include "folded-profile.h"

TEST (simplify)
{
    static const struct {
        const char *name;
        const char *simplified;
    } cases[] = {
        {"malloc", "malloc"},
        {".malloc", "malloc"},
        {"..malloc", ".malloc"},
        {"operator new(unsigned long)", "operator new"},
        {"foo(int)(char)", "foo"},
        {"(anonymous namespace)::f(int)", "(anonymous namespace)::f"},
        {"a::(anonymous namespace)::f", "a::(anonymous namespace)::f"},
        {"A::operator()(int) const", "A::operator()"},
        {"A::operator()", "A::operator()"},
        {"A::operator(", "A::operator"},
        {"main.(*T).M", "main."},
        {"(anonymous)", ""},
        {"(", ""},
        {"", ""},
        {".", ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        assert_string (pv_drop_frames_simplify (cases[i].name), cases[i].simplified);
    }
}

TEST (expression)
{
    static const struct {
        const char *drop;
        const char *keep;
        const char *expression;
        bool is_wrong;
    } cases[] = {
        {NULL, NULL, NULL, false},
        {NULL, "a", NULL, false},
        {"a|b", NULL, "^(?:a|b)$", false},
        {"a|b", "b|c", "^(?!(?:b|c)$)(?:a|b)$", false},
        {"a)(b", NULL, NULL, true},
        {"[", NULL, NULL, true},
        {"a", "(", NULL, true},
        {"(?i)a", "(?P<n>b)", "^(?!(?:(?P<n>b))$)(?:(?i)a)$", false},
        {"\\Qa", NULL, NULL, true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (GError) error = NULL;
        PvProfile profile = {.drop_frames = cases[i].drop, .keep_frames = cases[i].keep};
        assert_string (pv_drop_frames_make_expression (&profile, &error), cases[i].expression);
        g_assert_true ((error != NULL) == cases[i].is_wrong);
    }
}

/* --- what pprof does, location by location, on text --------------------------------------------
 */

/* Where the frames of a location end, counted from the outermost, which is the first. */
static guint
find_match (char **names, GRegex *regex)
{
    guint i = 0;
    while (names[i] != NULL && !g_regex_match (regex, names[i], 0, NULL))
        i++;
    return i;
}

static char *
join_first (char **names, guint n)
{
    g_autoptr (GString) text = g_string_new (NULL);
    for (guint i = 0; i < n; i++)
        g_string_append_printf (text, "%s%s", i > 0 ? ">" : "", names[i]);
    return g_string_free (g_steal_pointer (&text), FALSE);
}

/* One stack, its frames replaced by those that are left. */
static void
prune_stack (GString *out, const char *stack, GRegex *regex)
{
    g_auto (GStrv) locations = g_strsplit_set (stack, ";", -1);
    bool found_user = false;
    for (guint i = 0; locations[i] != NULL; i++) {
        char *mark = strchr (locations[i], '!');
        g_auto (GStrv) names = g_strsplit_set (mark != NULL ? mark + 1 : locations[i], ">", -1);
        guint n = g_strv_length (names), match = find_match (names, regex);
        bool is_pruned = match == 0, is_cut = match > 0 && match < n;
        if (is_pruned && found_user)
            return;
        g_autofree char *left = join_first (names, is_cut ? match : n);
        g_autofree char *module =
            mark != NULL ? g_strndup (locations[i], (gsize)(mark + 1 - locations[i])) : NULL;
        g_string_append_printf (out, "%s%s%s", i > 0 ? ";" : "", module != NULL ? module : "",
                                left);
        if (is_cut && found_user)
            return;
        found_user |= !is_pruned && !is_cut;
    }
}

static char *
prune_text (const char *text, const char *expression)
{
    GString *out = g_string_new (NULL);
    g_autoptr (GRegex) regex = g_regex_new (expression, 0, 0, NULL);
    g_auto (GStrv) lines = g_strsplit_set (text, "\n", -1);
    for (char **line = lines; *line != NULL && **line != '\0'; line++) {
        size_t len = strcspn (*line, "@ ");
        g_autofree char *stack = g_strndup (*line, len);
        prune_stack (out, stack, regex);
        g_string_append_printf (out, "%s\n", *line + len);
    }
    return g_string_free (out, FALSE);
}

static char *
dump (const char *text, const PvQuery *query)
{
    g_auto (FoldedProfile) folded = folded_profile_new (text);
    g_autoptr (PvCallTree) tree = query_tree (folded.profile, folded.symbols, query);
    folded_check_tree (tree);
    return folded_dump_tree (tree);
}

static void
check_drop (const char *text, const char *expression, const char *expected)
{
    g_auto (PvQuery) query = new_query ();
    g_autofree char *pruned = prune_text (text, expression);
    if (expected != NULL)
        g_assert_cmpstr (pruned, ==, expected);
    g_autofree char *reference = dump (pruned, &query);
    pv_query_add_transform (&query, PV_TRANSFORM_DROP, expression);
    assert_string (dump (text, &query), reference);
}

/* With more memory between the frames than fits into a word. */
static void
check_drop_among_many (const char *text, const char *expression)
{
    PvQuery query = new_query ();
    for (unsigned i = 0; i < 20; i++)
        pv_query_add_transform (&query, PV_TRANSFORM_COLLAPSE_RECURSION, NULL);
    g_autofree char *pruned = prune_text (text, expression);
    g_autofree char *reference = dump (pruned, &query);
    pv_query_clear (&query);
    pv_query_add_transform (&query, PV_TRANSFORM_DROP, expression);
    for (unsigned i = 0; i < 20; i++)
        pv_query_add_transform (&query, PV_TRANSFORM_COLLAPSE_RECURSION, NULL);
    assert_string (dump (text, &query), reference);
    pv_query_clear (&query);
}

TEST (cases)
{
    static const struct {
        const char *text;
        const char *left;
    } cases[] = {
        {"main;malloc;sys 1\n", "main 1\n"},
        {"main;a;malloc;b;malloc 1\n", "main;a 1\n"},
        /* Nothing that a user wrote comes before. */
        {"malloc;sys 1\n", "malloc;sys 1\n"},
        {"malloc;malloc;main;malloc;x 1\n", "malloc;malloc;main 1\n"},
        /* Inlined ones. */
        {"main>malloc>x 1\n", "main 1\n"},
        {"main>malloc>x;a;malloc 1\n", "main;a 1\n"},
        {"main;a>b>malloc>c;d 1\n", "main;a>b 1\n"},
        {"main;malloc>a;d 1\n", "main 1\n"},
        {"malloc>a;malloc;b;malloc 1\n", "malloc>a;malloc;b 1\n"},
        {"malloc>a>malloc;b>malloc;malloc 1\n", "malloc>a>malloc;b;malloc 1\n"},
        {"notmalloc;mallocs 1\n", "notmalloc;mallocs 1\n"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        check_drop (cases[i].text, "^(?:malloc)$", cases[i].left);
}

/* A transform before it may have taken the outermost frame of the first location. */
TEST (after_hide)
{
    g_auto (PvQuery) query = new_query ();
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE, "^main$");
    pv_query_add_transform (&query, PV_TRANSFORM_DROP, "^(?:malloc)$");
    assert_string (dump ("main>a;malloc;x 1\n", &query), "0 all 0 1\n1 a 1 1\n");
    assert_string (dump ("main>malloc;malloc;x 1\n", &query),
                   "0 all 0 1\n1 malloc 0 1\n2 malloc 0 1\n3 x 1 1\n");
}

TEST (random)
{
    static const char *const expressions[] = {"^(?:malloc)$", "^(?:f[0-3])$", "^(?:prog)$",
                                              "^(?!(?:f2)$)(?:f.*)$", "^(?:nothing)$"};
    g_autoptr (GRand) random = g_rand_new_with_seed (6);
    for (unsigned round = 0; round < 400; round++) {
        g_autofree char *text = folded_random_text (random, 60, 3 + round % 12);
        check_drop (text, expressions[round % G_N_ELEMENTS (expressions)], NULL);
        if (round < 40)
            check_drop_among_many (text, expressions[round % G_N_ELEMENTS (expressions)]);
    }
}

/* A chip of the file's may not take an hour; what it does not match in time it does not match. */
TEST (slow_expression)
{
    g_autoptr (GString) text = g_string_new ("main;");
    for (unsigned i = 0; i < 500; i++)
        g_string_append_c (text, 'a');
    g_string_append (text, ";b 1\n");
    g_auto (PvQuery) query = new_query ();
    pv_query_add_transform (&query, PV_TRANSFORM_DROP, "^(?:(a*)*(a*)*(a*)*x)$");
    gint64 start = g_get_monotonic_time ();
    g_autofree char *dumped = dump (text->str, &query);
    g_assert_nonnull (strstr (dumped, "3 b 1 1"));
    g_assert_cmpint (g_get_monotonic_time () - start, <, 5 * G_USEC_PER_SEC);
}
