/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places of one tree found again in the tree of a profile that was read again. */
#include <string.h>

#include "../cases.h"
#include "core/analyze/tree/tree-join.h"
#include "folded-profile.h"

static PvCallTree *
build (const FoldedProfile *folded, const PvQuery *query)
{
    PvQuery everything = new_query ();
    g_autoptr (PvJob) job = pv_job_new ();
    PvCallTree *tree = pv_call_tree_build (folded->profile, folded->symbols,
                                           query != NULL ? query : &everything, NULL, job, NULL);
    g_assert_nonnull (tree);
    return tree;
}

/* Names from the node outwards: "c<b<a". */
static char *
path_of_node (const PvCallTree *tree, PvNodeId node)
{
    GString *path = g_string_new (NULL);
    for (PvNodeId n = node; n != 0; n = tree->parent_of_node[n])
        g_string_append_printf (path, "%s%s", n != node ? "<" : "",
                                pv_call_tree_get_name (tree, n));
    return g_string_free (path, FALSE);
}

static PvNodeId
find_path (const PvCallTree *tree, const char *wanted)
{
    for (PvNodeId n = 1; n < tree->n_nodes; n++) {
        g_autofree char *path = path_of_node (tree, n);
        if (strcmp (path, wanted) == 0)
            return n;
    }
    g_error ("no node %s", wanted);
}

typedef struct {
    FoldedProfile before;
    FoldedProfile after;
    PvCallTree *from;
    PvCallTree *to;
    PvTreeJoin *join;
} Fixture;

static Fixture
join_texts (const char *before, const char *after)
{
    Fixture f = {folded_profile_new (before), folded_profile_new_shuffled (after, 7)};
    f.from = build (&f.before, NULL);
    f.to = build (&f.after, NULL);
    f.join = pv_tree_join_new (f.from, f.to);
    return f;
}

static void
clear (Fixture *f)
{
    pv_tree_join_free (f->join);
    pv_call_tree_free (f->from);
    pv_call_tree_free (f->to);
    folded_profile_clear (&f->before);
    folded_profile_clear (&f->after);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, clear)

static void
assert_joined (Fixture *f, const char *from, const char *to)
{
    PvNodeId node = pv_tree_join_node (f->join, find_path (f->from, from));
    assert_string (path_of_node (f->to, node), to);
    /* and it is remembered */
    g_assert_cmpuint (pv_tree_join_node (f->join, find_path (f->from, from)), ==, node);
}

TEST (grown_roots)
{
    g_auto (Fixture) f = join_texts ("work;sort 5\nwork;read 2\nmain;idle 1\nother;sort 9\n",
                                     "main;run;work;sort 5\nmain;run;work;read 2\nmain;idle 1\n"
                                     "main;other;sort 9\nmain;run;sort 20\n");
    assert_joined (&f, "sort<work", "sort<work<run<main");
    assert_joined (&f, "sort<other", "sort<other<main");
    assert_joined (&f, "work", "work<run<main");
    assert_joined (&f, "idle<main", "idle<main");
    assert_joined (&f, "main", "main");
    g_assert_cmpuint (pv_tree_join_node (f.join, 0), ==, 0);
    g_assert_cmpuint (pv_tree_join_node (f.join, PV_NODE_NONE), ==, 0);
    g_assert_cmpuint (pv_tree_join_node (f.join, f.from->n_nodes), ==, 0);
}

/* A function of the same name in another module is another one; the cost of a missing one goes to
 * its caller. */
TEST (modules_and_ancestors)
{
    g_auto (Fixture) f = join_texts ("a!main;b!get;a!put 4\na!main;a!lost;a!leaf 3\n",
                                     "a!main;c!get;a!put 9\na!main;b!get;a!put 2\na!main 1\n");
    assert_joined (&f, "put<get<main", "put<get<main");
    PvNodeId put = pv_tree_join_node (f.join, find_path (f.from, "put<get<main"));
    g_assert_cmpuint (f.to->total[put], ==, 2);
    assert_joined (&f, "leaf<lost<main", "main");
    assert_joined (&f, "lost<main", "main");
    g_assert_cmpuint (pv_tree_join_function (f.join, folded_profile_find (&f.before, "lost")), ==,
                      0);
    PvFunctionId get = pv_tree_join_function (f.join, folded_profile_find (&f.before, "get"));
    g_assert_cmpstr (f.after.symbols->functions[get].name, ==, "get");
    g_assert_cmpstr (f.after.profile->modules[f.after.symbols->functions[get].module].name, ==,
                     "b");
    g_assert_cmpuint (pv_tree_join_function (f.join, 0), ==, 0);
}

TEST (recursion)
{
    g_auto (Fixture) f =
        join_texts ("main;r;r;r;leaf 3\n", "main;r;r;r;leaf 3\nmain;r;r;r;r;leaf 30\n");
    assert_joined (&f, "leaf<r<r<r<main", "leaf<r<r<r<main");
    assert_joined (&f, "r<r<main", "r<r<main");
}

/* Code without a name gets one: the same addresses are meant. */
TEST (named_since)
{
    g_auto (FoldedProfile) after = folded_profile_new ("main;x!f;x!g;puts 3\nmain;x!g 1\n");
    g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (after.profile);
    for (PvLocationId l = 1; l < after.profile->n_locations; l++) {
        uint32_t n;
        const PvFrame *chain = pv_symbol_table_frames (after.symbols, l, &n);
        PvFunction function = after.symbols->functions[chain[0].function];
        if (strcmp (after.profile->modules[function.module].name, "x") == 0)
            continue; /* stays the module's unknown function */
        PvFrame frame = {.function = pv_symbol_builder_function (builder, &function)};
        pv_symbol_builder_set_frames (builder, l, &frame, 1);
    }
    FoldedProfile before = {after.profile, pv_symbol_builder_publish (builder, true)};
    g_autoptr (PvCallTree) from = build (&before, NULL);
    g_autoptr (PvCallTree) to = build (&after, NULL);
    g_autoptr (PvTreeJoin) join = pv_tree_join_new (from, to);
    PvNodeId puts = 0;
    for (PvNodeId n = 1; n < from->n_nodes; n++)
        if (strcmp (pv_call_tree_get_name (from, n), "puts") == 0)
            puts = n;
    assert_string (path_of_node (to, pv_tree_join_node (join, puts)), "puts<g<f<main");
    assert_string (path_of_node (to, pv_tree_join_node (join, from->parent_of_node[puts])),
                   "g<f<main");
    pv_symbol_table_free (before.symbols);
}

/* The same text, numbered anew, with random questions: every place is found exactly. */
TEST (random)
{
    static const PvGrouping groupings[] = {PV_GROUP_NONE, PV_GROUP_THREAD, PV_GROUP_PROCESS};
    g_autoptr (GRand) random = g_rand_new_with_seed (5);
    for (unsigned round = 0; round < 150; round++) {
        g_autofree char *text = folded_random_text (random, 60, 3 + round % 9);
        g_auto (FoldedProfile) before = folded_profile_new (text);
        g_auto (FoldedProfile) after = folded_profile_new_shuffled (text, round + 1);
        g_auto (PvQuery) query = new_query ();
        query.is_inverted = round % 3 == 1;
        query.no_inline = round % 5 == 1;
        query.grouping = query.is_inverted ? PV_GROUP_NONE : groupings[round % 3];
        g_autoptr (PvCallTree) from = build (&before, &query);
        g_autoptr (PvCallTree) to = build (&after, &query);
        g_autoptr (PvTreeJoin) join = pv_tree_join_new (from, to);
        for (PvNodeId n = 0; n < from->n_nodes; n++) {
            g_autofree char *path = path_of_node (from, n);
            g_autofree char *found = path_of_node (to, pv_tree_join_node (join, n));
            /* Below groups the same way may be found in another of them. */
            if (query.grouping == PV_GROUP_NONE || from->parent_of_node[n] == 0)
                g_assert_cmpstr (path, ==, found);
        }
        query.is_inverted = !query.is_inverted;
        g_autoptr (PvCallTree) opposite = build (&after, &query);
        g_autoptr (PvTreeJoin) crossed = pv_tree_join_new (from, opposite);
        g_assert_cmpuint (pv_tree_join_node (crossed, from->n_nodes - 1), ==, 0);
    }
}
