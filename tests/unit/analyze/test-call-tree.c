/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "../texts.h"
#include "core/analyze/tree/call-tree.h"
#include "core/analyze/tree/search.h"
#include "core/base/error.h"
#include "folded-profile.h"

static PvCallTree *
build (const FoldedProfile *folded, const PvQuery *query, const PvCallTree *previous)
{
    PvCallTree *tree = assert_ok (error, pv_call_tree_build (folded->profile, folded->symbols,
                                                             query, previous, NULL, &error));
    g_assert_nonnull (tree);
    folded_check_tree (tree);
    return tree;
}

static void
assert_dump (const char *text, const PvQuery *query, const char *expected)
{
    g_auto (FoldedProfile) folded = folded_profile_new (text);
    g_autoptr (PvCallTree) tree = build (&folded, query, NULL);
    assert_string (folded_dump_tree (tree), expected);
}

TEST (simple)
{
    PvQuery query = new_query ();
    assert_dump ("main;a;b 3\nmain;a 2\nmain;c 4\nother 1\n", &query,
                 "0 all 0 10\n"
                 "1 main 0 9\n"
                 "2 a 2 5\n"
                 "3 b 3 3\n"
                 "2 c 4 4\n"
                 "1 other 1 1\n");
    /* Equal weights: by name. */
    assert_dump ("z 2\ny 2\nx 2\n", &query, "0 all 0 6\n1 x 2 2\n1 y 2 2\n1 z 2 2\n");
    assert_dump ("", &query, "0 all 0 0\n");
    assert_dump ("a;b 0\n", &query, "0 all 0 0\n");
}

TEST (inline)
{
    PvQuery query = new_query ();
    assert_dump ("main>in1>in2;b 3\nmain>in1 2\nmain 1\n", &query,
                 "0 all 0 6\n1 main 1 6\n2 in1 2 5\n3 in2 0 3\n4 b 3 3\n");
    query.no_inline = true;
    assert_dump ("main>in1>in2;b 3\nmain>in1 2\nmain 1\n", &query,
                 "0 all 0 6\n1 main 3 6\n2 b 3 3\n");
}

TEST (transforms)
{
    const char *text = "main;run;lib!malloc 3\nmain;run;run;work 5\nmain;idle 2\n";
    static const struct {
        PvTransformKind kind;
        const char *expression;
        const char *expected;
    } cases[] = {
        {PV_TRANSFORM_FOCUS, "work", "0 all 0 5\n1 main 0 5\n2 run 0 5\n3 run 0 5\n4 work 5 5\n"},
        {PV_TRANSFORM_IGNORE, "run", "0 all 0 2\n1 main 0 2\n2 idle 2 2\n"},
        {PV_TRANSFORM_HIDE, "malloc|work",
         "0 all 0 10\n1 main 0 10\n2 run 3 8\n3 run 5 5\n2 idle 2 2\n"},
        {PV_TRANSFORM_SHOW, "malloc|idle", "0 all 0 5\n1 malloc 3 3\n1 idle 2 2\n"},
        {PV_TRANSFORM_SHOW_FROM, "run",
         "0 all 0 8\n1 run 0 8\n2 run 0 5\n3 work 5 5\n2 malloc 3 3\n"},
        {PV_TRANSFORM_COLLAPSE_RECURSION, NULL,
         "0 all 0 10\n1 main 0 10\n2 run 0 8\n3 work 5 5\n3 malloc 3 3\n2 idle 2 2\n"},
        {PV_TRANSFORM_HIDE_ALLOCATORS, NULL,
         "0 all 0 10\n1 main 0 10\n2 run 3 8\n3 run 0 5\n4 work 5 5\n2 idle 2 2\n"},
        {PV_TRANSFORM_MERGE_MODULE, "prog", "0 all 0 10\n1 prog 7 10\n2 malloc 3 3\n"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_auto (PvQuery) query = new_query ();
        pv_query_add_transform (&query, cases[i].kind, cases[i].expression);
        assert_dump (text, &query, cases[i].expected);
    }
}

/* The matches of an expression depend on its place in the list. */
TEST (order_of_transforms)
{
    g_auto (PvQuery) query = new_query ();
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE, "b");
    pv_query_add_transform (&query, PV_TRANSFORM_COLLAPSE_RECURSION, NULL);
    assert_dump ("a;b;a 1\n", &query, "0 all 0 1\n1 a 1 1\n");
    pv_query_clear (&query);
    pv_query_add_transform (&query, PV_TRANSFORM_COLLAPSE_RECURSION, NULL);
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE, "b");
    assert_dump ("a;b;a 1\n", &query, "0 all 0 1\n1 a 0 1\n2 a 1 1\n");
}

/* Hiding allocators leaves no stack empty, whatever was taken out before. */
TEST (allocators)
{
    const char *text = "malloc;a;calloc>realloc 1\nmalloc;operator new 2\nmain;malloc 4\n";
    g_auto (PvQuery) query = new_query ();
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE_ALLOCATORS, NULL);
    assert_dump (text, &query, "0 all 0 7\n1 main 4 4\n1 malloc 2 3\n2 a 1 1\n");
    query.no_inline = true;
    assert_dump (text, &query, "0 all 0 7\n1 main 4 4\n1 malloc 2 3\n2 a 1 1\n");
    pv_query_clear (&query);
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE, "main");
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE_ALLOCATORS, NULL);
    assert_dump (text, &query, "0 all 0 7\n1 malloc 6 7\n2 a 1 1\n");
    pv_query_clear (&query);
    /* Those after it work on what it leaves. */
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE_ALLOCATORS, NULL);
    pv_query_add_transform (&query, PV_TRANSFORM_FOCUS, "operator|main");
    assert_dump (text, &query, "0 all 0 4\n1 main 4 4\n");
}

static char *
path_of_node (const PvCallTree *tree, PvNodeId node)
{
    GString *path = g_string_new (NULL);
    for (; node != 0; node = tree->parent_of_node[node]) {
        g_autofree char *frame = reference_frame_of_node (tree, node);
        g_string_prepend (path, frame);
        g_string_prepend_c (path, ';');
    }
    return g_string_free (path, FALSE);
}

/* The group of a stack, without looking at any tree: of its sample or of its innermost frame. NULL
 * without grouping. A merged module is named like a function; it has no file and no package. */
static char *
name_reference_group (const ReferenceStack *stack, PvGrouping by)
{
    guint n = g_strv_length (stack->frames);
    const char *leaf = n > 0 ? stack->frames[n - 1] : NULL;
    const char *mark = leaf != NULL ? strchr (leaf, '!') : NULL;
    g_autofree char *module = mark != NULL ? g_strndup (leaf, (gsize)(mark - leaf)) : NULL;
    bool has_function = mark != NULL && strcmp (module, mark + 1) != 0;
    if (by == PV_GROUP_THREAD)
        return g_strdup_printf ("thread%d (%d)", stack->tid, stack->tid);
    if (by == PV_GROUP_PROCESS)
        return g_strdup_printf ("proc%d (%d)", stack->tid / 10, stack->tid / 10);
    if (by == PV_GROUP_CPU)
        return g_strdup_printf ("CPU %u", stack->index % 4);
    if (by == PV_GROUP_MODULE)
        return g_strdup (module != NULL ? module : "(no module)");
    if (by == PV_GROUP_FILE)
        return has_function ? g_strdup_printf ("/src/%s.c", mark + 1) : g_strdup ("(no file)");
    if (by == PV_GROUP_PACKAGE)
        return has_function && strchr (mark, '.') != NULL
                   ? g_strndup (mark + 1, strcspn (mark + 1, "."))
                   : g_strdup ("(no package)");
    return NULL;
}

/* Self and total of every path of the reference, root first or leaf first, under a group's name. */
static void
weigh_reference (const GPtrArray *stacks, const PvQuery *query, GHashTable *self, GHashTable *total)
{
    for (guint i = 0; i < stacks->len; i++) {
        const ReferenceStack *stack = stacks->pdata[i];
        g_autoptr (GString) path = g_string_new (NULL);
        add_to_sums (total, path->str, stack->weight);
        g_autofree char *group = name_reference_group (stack, query->grouping);
        if (group != NULL) {
            g_string_append_printf (path, ";%s", group);
            add_to_sums (total, path->str, stack->weight);
        }
        guint n = g_strv_length (stack->frames);
        for (guint d = 0; d < n; d++) {
            g_string_append_printf (path, ";%s", stack->frames[query->is_inverted ? n - 1 - d : d]);
            add_to_sums (total, path->str, stack->weight);
        }
        add_to_sums (self, path->str, stack->weight);
    }
}

static void
compare_with_reference (const PvCallTree *tree, const char *text)
{
    g_autoptr (GPtrArray) stacks = reference_stacks (text, &tree->query);
    g_autoptr (GHashTable) self = new_sums ();
    g_autoptr (GHashTable) total = new_sums ();
    weigh_reference (stacks, &tree->query, self, total);
    for (PvNodeId n = 0; n < tree->n_nodes; n++) {
        g_autofree char *path = path_of_node (tree, n);
        g_assert_cmpuint (tree->total[n], ==, get_sum (total, path));
        g_assert_cmpuint (tree->self[n], ==, get_sum (self, path));
    }
    guint n_paths = g_hash_table_size (total) - g_hash_table_contains (total, "");
    g_assert_cmpuint (tree->n_nodes, ==, n_paths + 1);
    g_assert_cmpuint (tree->n_kept_samples, ==, stacks->len);
}

static PvQuery
random_query (GRand *random)
{
    PvQuery query = new_query ();
    reference_random_transforms (random, &query);
    query.no_inline = g_rand_boolean (random);
    query.is_inverted = g_rand_int_range (random, 0, 3) == 0;
    query.grouping = (PvGrouping)g_rand_int_range (random, 0, PV_GROUP_LABEL);
    return query;
}

TEST (random)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (1);
    for (unsigned round = 0; round < pv_test_rounds (400); round++) {
        g_autofree char *text = folded_random_text (random, 60, 3 + round % 12);
        g_auto (FoldedProfile) folded = folded_profile_new (text);
        g_auto (PvQuery) query = random_query (random);
        g_autoptr (PvCallTree) tree = build (&folded, &query, NULL);
        compare_with_reference (tree, text);
    }
}

/* The same stacks with functions in packages: "p.f1", "q.f7". */
static char *
add_packages (const char *text)
{
    g_autoptr (GRegex) low = g_regex_new ("\\bf([0-3])", 0, 0, NULL);
    g_autoptr (GRegex) high = g_regex_new ("\\bf([4-7])", 0, 0, NULL);
    g_autofree char *with_low = g_regex_replace (low, text, -1, 0, "p.f\\1", 0, NULL);
    g_autofree char *with_all = g_regex_replace (high, with_low, -1, 0, "q.F\\1", 0, NULL);
    return g_steal_pointer (&with_all);
}

/* Groups add up to the whole, whatever the transforms and the direction. */
TEST (groups)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (16);
    for (unsigned round = 0; round < pv_test_rounds (300); round++) {
        g_autofree char *plain = folded_random_text (random, 40, 3 + round % 9);
        g_autofree char *text = add_packages (plain);
        g_auto (FoldedProfile) folded = folded_profile_new (text);
        g_auto (PvQuery) query = random_query (random);
        query.grouping = (PvGrouping)(PV_GROUP_CPU + round % (PV_GROUP_LABEL - PV_GROUP_CPU));
        g_autoptr (PvCallTree) tree = build (&folded, &query, NULL);
        compare_with_reference (tree, text);
        uint64_t sum = 0;
        for (PvNodeId n = tree->first_child[0]; n < tree->first_child[1]; n++) {
            g_assert_cmpuint (tree->function_of_node[n], ==, 0);
            sum += tree->total[n];
        }
        g_assert_cmpuint (sum, ==, tree->total[0]);
    }
}

/* Enough stacks for several parts, several threads and levels of many nodes. */
TEST (random_large)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (4);
    for (unsigned round = 0; round < 7; round += pv_test_step (2)) {
        g_autofree char *text = folded_random_text (random, 6000, 4 + 2 * round);
        g_auto (FoldedProfile) folded = folded_profile_new (text);
        g_assert_cmpuint (folded.profile->n_stacks, >, 1 << 14);
        g_auto (PvQuery) query = random_query (random);
        query.is_inverted = false; /* paths below a 100,000th are cut then */
        query.grouping = (PvGrouping)(round % PV_GROUP_LABEL);
        g_autoptr (PvCallTree) tree = build (&folded, &query, NULL);
        folded_check_tree (tree);
        compare_with_reference (tree, text);
    }
}

/* More memory between the frames than fits into a word: states get numbers. */
TEST (many_transforms)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (5);
    for (unsigned round = 0; round < 6; round++) {
        g_autofree char *text = folded_random_text (random, round == 0 ? 5000 : 60, 9);
        g_auto (FoldedProfile) folded = folded_profile_new (text);
        g_auto (PvQuery) query = new_query ();
        for (unsigned i = 0; i < 10; i++)
            pv_query_add_transform (&query, PV_TRANSFORM_COLLAPSE_RECURSION, NULL);
        pv_query_add_transform (&query, PV_TRANSFORM_MERGE_MODULE, "libx");
        pv_query_add_transform (&query, PV_TRANSFORM_SHOW_FROM, "/src/f4|f[12]");
        pv_query_add_transform (&query, PV_TRANSFORM_IGNORE, "f7");
        g_autoptr (PvCallTree) tree = build (&folded, &query, NULL);
        compare_with_reference (tree, text);
    }
}

/* Order and totals do not depend on how functions happen to be numbered. */
TEST (ids_do_not_matter)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (2);
    for (unsigned round = 0; round < 50; round++) {
        g_autofree char *text = folded_random_text (random, 80, 9);
        g_auto (FoldedProfile) straight = folded_profile_new (text);
        g_auto (FoldedProfile) shuffled = folded_profile_new_shuffled (text, round + 1);
        g_auto (PvQuery) query = random_query (random);
        g_autoptr (PvCallTree) a = build (&straight, &query, NULL);
        g_autoptr (PvCallTree) b = build (&shuffled, &query, NULL);
        g_autofree char *dump_b = folded_dump_tree (b);
        assert_string (folded_dump_tree (a), dump_b);
    }
}

static void
assert_same_tree (const PvCallTree *a, const PvCallTree *b)
{
    g_autofree char *dump_b = folded_dump_tree (b);
    assert_string (folded_dump_tree (a), dump_b);
    g_assert_cmpuint (a->n_kept_samples, ==, b->n_kept_samples);
    g_assert_cmpmem (a->end_weights, sizeof a->end_weights, b->end_weights, sizeof b->end_weights);
    g_assert_cmpmem (a->stack_of_node, a->n_nodes * 4, b->stack_of_node, b->n_nodes * 4);
    g_assert_cmpmem (a->location_of_node, a->n_nodes * 4, b->location_of_node, b->n_nodes * 4);
}

TEST (reuse)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (3);
    for (unsigned round = 0; round < 40; round++) {
        g_autofree char *text = folded_random_text (random, 80, 9);
        g_auto (FoldedProfile) folded = folded_profile_new (text);
        PvCallTree *previous = NULL;
        g_auto (PvQuery) query = random_query (random);
        for (unsigned step = 0; step < 12; step++) {
            /* Filters most of the time, sometimes another shape. */
            query.start_ns = (uint64_t)g_rand_int_range (random, 0, 50) * 1000;
            query.end_ns = query.start_ns + (uint64_t)g_rand_int_range (random, 0, 80) * 1000;
            query.is_inverted = g_rand_boolean (random);
            if (step % 4 == 3) {
                pv_query_clear (&query);
                query = random_query (random);
            }
            PvCallTree *reused = build (&folded, &query, previous);
            g_autoptr (PvCallTree) fresh = build (&folded, &query, NULL);
            assert_same_tree (reused, fresh);
            pv_call_tree_free (previous);
            previous = reused;
        }
        pv_call_tree_free (previous);
    }
}

static PvNodeId
find_node (const PvCallTree *tree, const char *name)
{
    for (PvNodeId n = 1; n < tree->n_nodes; n++)
        if (strcmp (pv_call_tree_get_name (tree, n), name) == 0)
            return n;
    return PV_NODE_NONE;
}

/* First the plain names of an ELF file, then chains of inlined frames. */
TEST (translate_symbols)
{
    g_auto (FoldedProfile) full =
        folded_profile_new ("main>in1>in2;b>c;d 3\nmain>in1 2\nmain;e 1\n");
    g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (full.profile);
    for (PvLocationId l = 1; l < full.profile->n_locations; l++) {
        uint32_t n;
        const PvFrame *chain = pv_symbol_table_frames (full.symbols, l, &n);
        PvFunction function = full.symbols->functions[chain[n - 1].function];
        PvFrame frame = {.function = pv_symbol_builder_function (builder, &function)};
        pv_symbol_builder_set_frames (builder, l, &frame, 1);
    }
    FoldedProfile plain = {full.profile, pv_symbol_builder_publish (builder, false)};
    PvQuery query = new_query ();
    g_autoptr (PvCallTree) before = build (&plain, &query, NULL);
    g_autoptr (PvCallTree) after = build (&full, &query, before);
    PvNodeId d = pv_call_tree_translate (before, find_node (before, "d"), after);
    g_assert_cmpstr (pv_call_tree_get_name (after, d), ==, "d");
    PvNodeId in2 = pv_call_tree_translate (after, find_node (after, "in2"), before);
    g_assert_cmpstr (pv_call_tree_get_name (before, in2), ==, "main");
    PvNodeId e = pv_call_tree_translate (before, find_node (before, "e"), after);
    g_assert_cmpstr (pv_call_tree_get_name (after, e), ==, "e");
    g_assert_cmpuint (pv_call_tree_translate (before, 0, after), ==, 0);
    pv_symbol_table_free (plain.symbols);
}

TEST (translate_query)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (4);
    for (unsigned round = 0; round < 100; round++) {
        g_autofree char *text = folded_random_text (random, 40, 9);
        g_auto (FoldedProfile) folded = folded_profile_new (text);
        g_auto (PvQuery) from_query = random_query (random), to_query = random_query (random);
        g_autoptr (PvCallTree) from = build (&folded, &from_query, NULL);
        g_autoptr (PvCallTree) to = build (&folded, &to_query, NULL);
        g_autoptr (PvCallTree) again = build (&folded, &from_query, to);
        for (PvNodeId n = 0; n < from->n_nodes; n++) {
            g_assert_cmpuint (pv_call_tree_translate (from, n, to), <, to->n_nodes);
            PvNodeId same = pv_call_tree_translate (from, n, again);
            g_autofree char *same_path = path_of_node (again, same);
            assert_string (path_of_node (from, n), same_path);
        }
    }
}

TEST (granularity)
{
    const char *text = "main:1;work:10 3\nmain:1;work:11 2\nmain:2;work:10 1\n";
    PvQuery query = new_query ();
    assert_dump (text, &query, "0 all 0 6\n1 main 0 6\n2 work 6 6\n");
    query.granularity = PV_BY_LINE;
    assert_dump (text, &query,
                 "0 all 0 6\n1 main 0 5\n2 work 3 3\n2 work 2 2\n1 main 0 1\n2 work 1 1\n");
    query.granularity = PV_BY_ADDRESS;
    assert_dump (text, &query,
                 "0 all 0 6\n1 main 0 5\n2 work 3 3\n2 work 2 2\n1 main 0 1\n2 work 1 1\n");
    query.is_inverted = true;
    query.granularity = PV_BY_LINE;
    assert_dump (text, &query,
                 "0 all 0 6\n1 work 0 4\n2 main 3 3\n2 main 1 1\n1 work 0 2\n2 main 2 2\n");
}

/* A node shows the line that weighs most, not the first one met. */
TEST (representative)
{
    g_auto (FoldedProfile) folded =
        folded_profile_new ("main;work:10 1\nmain;work:20 5\nmain;work:30 2\n");
    PvQuery query = new_query ();
    g_autoptr (PvCallTree) tree = build (&folded, &query, NULL);
    g_assert_cmpuint (tree->frame_of_node[find_node (tree, "work")]->line, ==, 20);
}

TEST (search)
{
    g_auto (FoldedProfile) folded =
        folded_profile_new ("main;Parse;parse 3\nmain;eval;lib!x 2\nmain;sort[int 4\n");
    PvQuery query = new_query ();
    g_autoptr (PvCallTree) tree = build (&folded, &query, NULL);
    query.is_inverted = true;
    g_autoptr (PvCallTree) inverted = build (&folded, &query, tree);
    static const struct {
        const char *text;
        bool is_expression;
        uint32_t n_functions;
        uint64_t weight;
    } cases[] = {{"parse", false, 2, 3},
                 {"^lib$", true, 1, 2},
                 {"^lib$", false, 0, 0},
                 {"sort[", false, 1, 4},
                 {"main", false, 1, 9},
                 {"main|PARSE", true, 3, 9},
                 {"/src/eval", false, 1, 2},
                 {"", true, 0, 0},
                 {"sort.int", false, 0, 0},
                 /* Names come before files and modules, unless a prefix says what is meant. */
                 {"l", false, 1, 2},
                 {"file:l", false, 1, 2},
                 {"module:lib", false, 1, 2},
                 {"module:^lib$", true, 1, 2},
                 {"function:lib", false, 0, 0},
                 {"file:", false, 0, 0}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        PvSearchTerm term = {(char *)cases[i].text, cases[i].is_expression, false};
        g_autoptr (PvSearchResult) result = pv_search (tree, &term, NULL, NULL);
        g_assert_cmpuint (result->n_functions, ==, cases[i].n_functions);
        g_assert_cmpuint (result->weight, ==, cases[i].weight);
        g_autoptr (PvSearchResult) other = pv_search (inverted, &term, NULL, NULL);
        g_assert_cmpuint (other->weight, ==, cases[i].weight);
        g_assert_cmpuint (other->n_functions, ==, cases[i].n_functions);
    }
}

/* A fault of an expression is an error, or noted in the answer. */
TEST (search_fails)
{
    g_autofree char *name = g_strnfill (500, 'a');
    g_autofree char *text = g_strdup_printf ("main;%sb 3\n", name);
    g_auto (FoldedProfile) folded = folded_profile_new (text);
    PvQuery query = new_query ();
    g_autoptr (PvCallTree) tree = build (&folded, &query, NULL);
    g_autoptr (GError) error = NULL;
    PvSearchTerm invalid = {(char *)"sort[", true, false};
    g_assert_null (pv_search (tree, &invalid, NULL, &error));
    g_assert_true (error->domain == G_REGEX_ERROR);
    PvSearchTerm slow = {(char *)"(a+)+$", true, false};
    g_autoptr (PvSearchResult) result = pv_search (tree, &slow, NULL, NULL);
    g_assert_true (result->is_incomplete);
    g_autoptr (PvJob) job = pv_job_new ();
    pv_job_cancel (job);
    PvSearchTerm common = {(char *)"a", false, false};
    g_assert_null (pv_search (tree, &common, job, NULL));
}

TEST (errors)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("main;a 3\n");
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvJob) job = pv_job_new ();
    pv_job_cancel (job);
    g_autoptr (GError) error = NULL;
    PvCallTree *tree =
        pv_call_tree_build (folded.profile, folded.symbols, &query, NULL, job, &error);
    g_assert_null (tree);
    g_assert_error (error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);
    g_clear_error (&error);
    pv_query_add_transform (&query, PV_TRANSFORM_FOCUS, "(");
    tree = pv_call_tree_build (folded.profile, folded.symbols, &query, NULL, NULL, &error);
    g_assert_null (tree);
    g_assert_true (error->domain == G_REGEX_ERROR);
}

/* Deeper than any C stack would bear. */
LARGE_TEST (deep)
{
    g_autoptr (GString) text = g_string_new ("f");
    for (unsigned i = 0; i < 300000; i++)
        g_string_append (text, i % 2 != 0 ? ";f" : ";g");
    g_string_append (text, " 7\n");
    g_auto (FoldedProfile) folded = folded_profile_new (text->str);
    PvQuery query = new_query ();
    g_autoptr (PvCallTree) tree = build (&folded, &query, NULL);
    g_assert_cmpuint (tree->n_levels, ==, 300002);
    query.is_inverted = true;
    g_autoptr (PvCallTree) inverted = build (&folded, &query, tree);
    g_assert_cmpuint (inverted->n_levels, ==, 300002);
}
