/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "../texts.h"
#include "core/analyze/tables/bottom-up.h"
#include "core/analyze/tables/functions.h"
#include "folded-profile.h"

typedef struct {
    FoldedProfile folded;
    PvQuery query;
    PvCallTree *tree;
    GPtrArray *stacks;
} Fixture;

static void
set_up (Fixture *fixture, const char *text, const PvQuery *query)
{
    fixture->folded = folded_profile_new (text);
    pv_query_copy (&fixture->query, query);
    fixture->tree = query_tree (fixture->folded.profile, fixture->folded.symbols, query);
    fixture->stacks = reference_stacks (text, query);
}

static void
tear_down (Fixture *fixture)
{
    g_ptr_array_unref (fixture->stacks);
    pv_call_tree_free (fixture->tree);
    pv_query_clear (&fixture->query);
    folded_profile_clear (&fixture->folded);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, tear_down)

/* Adds each key once per stack. */
static void
add_once (GHashTable *table, GHashTable *seen, const char *key, uint64_t weight)
{
    if (g_hash_table_add (seen, g_strdup (key)))
        add_to_sums (table, key, weight);
}

static PvQuery
random_query (GRand *random)
{
    PvQuery query = new_query ();
    reference_random_transforms (random, &query);
    query.no_inline = g_rand_boolean (random);
    query.is_inverted = g_rand_boolean (random);
    query.grouping = (PvGrouping)g_rand_int_range (random, 0, PV_GROUP_LABEL);
    return query;
}

static void
check_list (const Fixture *fixture)
{
    g_autoptr (GHashTable) self = new_sums ();
    g_autoptr (GHashTable) total = new_sums ();
    for (guint i = 0; i < fixture->stacks->len; i++) {
        const ReferenceStack *stack = fixture->stacks->pdata[i];
        g_autoptr (GHashTable) seen = new_sums ();
        guint n = g_strv_length (stack->frames);
        for (guint d = 0; d < n; d++)
            add_once (total, seen, stack->frames[d], stack->weight);
        if (n > 0)
            add_to_sums (self, stack->frames[n - 1], stack->weight);
    }
    g_autoptr (PvFunctionList) list = pv_function_list_build (fixture->tree, NULL);
    g_assert_cmpuint (list->n_rows, ==, g_hash_table_size (total));
    for (uint32_t i = 0; i < list->n_rows; i++) {
        const PvFunctionRow *row = &list->rows[i];
        g_autofree char *name = reference_name (fixture->tree, row->function);
        g_assert_cmpuint (row->self, ==, get_sum (self, name));
        g_assert_cmpuint (row->total, ==, get_sum (total, name));
        g_assert_nonnull (row->frame);
        if (i == 0)
            continue;
        const PvFunctionRow *above = &list->rows[i - 1];
        g_assert_true (above->self > row->self ||
                       (above->self == row->self && above->total >= row->total));
    }
}

/* The same list without a tree: same rows in the same order. */
static void
check_sums (const Fixture *fixture)
{
    const FoldedProfile *folded = &fixture->folded;
    if (!pv_function_list_can_sum (folded->profile, &fixture->query))
        return;
    g_autoptr (PvFunctionList) list = pv_function_list_build (fixture->tree, NULL);
    uint64_t total;
    g_autoptr (PvFunctionList) sums = pv_function_list_sum (
        folded->profile, folded->symbols, &fixture->query, SIZE_MAX, &total, NULL, NULL);
    g_assert_cmpuint (total, ==, fixture->tree->total[0]);
    g_assert_cmpuint (sums->n_rows, ==, list->n_rows);
    for (uint32_t i = 0; i < list->n_rows; i++) {
        const PvFunctionRow *row = &sums->rows[i];
        g_assert_cmpuint (row->function, ==, list->rows[i].function);
        g_assert_cmpuint (row->self, ==, list->rows[i].self);
        g_assert_cmpuint (row->total, ==, list->rows[i].total);
        g_assert_cmpuint (row->median_ms, ==, UINT64_MAX);
        g_assert_cmpuint (row->location, !=, 0);
        uint32_t n_frames;
        const PvFrame *chain = pv_symbol_table_frames (folded->symbols, row->location, &n_frames);
        g_assert_true (row->frame >= chain && row->frame < chain + n_frames);
    }
}

/* Only the first rows need be in their order; the others are there too. */
static void
check_first_sums (const Fixture *fixture, size_t n_ordered)
{
    const FoldedProfile *folded = &fixture->folded;
    if (!pv_function_list_can_sum (folded->profile, &fixture->query))
        return;
    uint64_t total, sum = 0;
    g_autoptr (PvFunctionList) list = pv_function_list_build (fixture->tree, NULL);
    g_autoptr (PvFunctionList) sums = pv_function_list_sum (
        folded->profile, folded->symbols, &fixture->query, n_ordered, &total, NULL, NULL);
    g_assert_cmpuint (sums->n_rows, ==, list->n_rows);
    for (uint32_t i = 0; i < list->n_rows; i++) {
        sum += sums->rows[i].total - list->rows[i].total;
        if (i < n_ordered)
            g_assert_cmpuint (sums->rows[i].function, ==, list->rows[i].function);
    }
    g_assert_cmpuint (sum, ==, 0);
}

static void
check_side (const PvCallTree *tree, GHashTable *expected, const PvCaller *callers_callees,
            uint32_t n)
{
    g_assert_cmpuint (n, ==, g_hash_table_size (expected));
    for (uint32_t i = 0; i < n; i++) {
        g_autofree char *name = callers_callees[i].function != 0
                                    ? reference_name (tree, callers_callees[i].function)
                                    : g_strdup ("");
        g_assert_cmpuint (callers_callees[i].weight, ==, get_sum (expected, name));
        g_assert_true (i == 0 || callers_callees[i - 1].weight >= callers_callees[i].weight);
    }
}

static void
check_neighbours (const Fixture *fixture, PvFunctionId function,
                  const PvCallersCallees *callers_callees)
{
    g_autofree char *name = reference_name (fixture->tree, function);
    g_autoptr (GHashTable) callers = new_sums ();
    g_autoptr (GHashTable) callees = new_sums ();
    for (guint i = 0; i < fixture->stacks->len; i++) {
        const ReferenceStack *stack = fixture->stacks->pdata[i];
        g_autoptr (GHashTable) seen_callers = new_sums ();
        g_autoptr (GHashTable) seen_callees = new_sums ();
        for (guint d = 0; stack->frames[d] != NULL; d++) {
            if (strcmp (stack->frames[d], name) != 0)
                continue;
            add_once (callers, seen_callers, d > 0 ? stack->frames[d - 1] : "", stack->weight);
            if (stack->frames[d + 1] != NULL)
                add_once (callees, seen_callees, stack->frames[d + 1], stack->weight);
        }
    }
    check_side (fixture->tree, callers, callers_callees->callers, callers_callees->n_callers);
    check_side (fixture->tree, callees, callers_callees->callees, callers_callees->n_callees);
}

TEST (random)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (11);
    for (unsigned round = 0; round < pv_test_rounds (300); round++) {
        g_autofree char *text = folded_random_text (random, 50, 3 + round % 10);
        g_auto (Fixture) fixture;
        g_auto (PvQuery) query = random_query (random);
        set_up (&fixture, text, &query);
        check_list (&fixture);
        check_sums (&fixture);
        check_first_sums (&fixture, round % 5);
        g_autoptr (PvFunctionList) list = pv_function_list_build (fixture.tree, NULL);
        g_autofree bool *is_wanted = g_new0 (bool, fixture.tree->symbols->n_functions);
        for (uint32_t i = 0; i < list->n_rows; i += 1 + round % 3)
            is_wanted[list->rows[i].function] = true;
        g_autofree PvCallersCallees **all =
            pv_callers_callees_build_all (fixture.tree, is_wanted, NULL);
        for (uint32_t i = 0; i < list->n_rows; i++) {
            PvFunctionId function = list->rows[i].function;
            g_autoptr (PvCallersCallees) one =
                pv_callers_callees_build (fixture.tree, function, NULL);
            g_autoptr (PvCallersCallees) of_all = g_steal_pointer (&all[function]);
            check_neighbours (&fixture, function, one);
            g_assert_cmpuint (one->self, ==, list->rows[i].self);
            g_assert_cmpuint (one->total, ==, list->rows[i].total);
            g_assert_true (is_wanted[function] == (of_all != NULL));
            if (of_all == NULL)
                continue;
            check_neighbours (&fixture, function, of_all);
            g_assert_cmpuint (of_all->self, ==, one->self);
            g_assert_cmpuint (of_all->total, ==, one->total);
        }
    }
}

/* Every path from a leaf up, with what reaches its end. */
static void
weigh_bottom_up (const Fixture *fixture, GHashTable *total, GHashTable *self)
{
    for (guint i = 0; i < fixture->stacks->len; i++) {
        const ReferenceStack *stack = fixture->stacks->pdata[i];
        g_autoptr (GString) path = g_string_new (NULL);
        guint n = g_strv_length (stack->frames);
        for (guint d = n; d > 0; d--) {
            g_string_append_printf (path, ";%s", stack->frames[d - 1]);
            add_to_sums (total, path->str, stack->weight);
        }
        if (n > 0)
            add_to_sums (self, path->str, stack->weight);
    }
}

static guint
check_bottom_up (const Fixture *fixture, PvBottomUp *bottom_up, uint32_t node, const char *prefix,
                 GHashTable *total, GHashTable *self)
{
    uint32_t first;
    uint32_t n = pv_bottom_up_children (bottom_up, node, &first);
    guint count = n;
    uint64_t previous = UINT64_MAX;
    for (uint32_t i = 0; i < n; i++) {
        const PvBottomUpNode *child = pv_bottom_up_get (bottom_up, first + i);
        g_autofree char *name = reference_name (fixture->tree, child->function);
        g_autofree char *path = g_strdup_printf ("%s;%s", prefix, name);
        g_assert_cmpuint (child->total, ==, get_sum (total, path));
        g_assert_cmpuint (child->self, ==, get_sum (self, path));
        g_assert_cmpuint (child->total, <=, previous);
        previous = child->total;
        uint32_t unused;
        g_assert_true (child->has_children == (child->self < child->total));
        g_assert_cmpuint (pv_bottom_up_children (bottom_up, first + i, &unused) > 0, ==,
                          child->has_children);
        count += check_bottom_up (fixture, bottom_up, first + i, path, total, self);
    }
    return count;
}

TEST (bottom_up)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (12);
    for (unsigned round = 0; round < pv_test_rounds (100); round++) {
        g_autofree char *text = folded_random_text (random, 40, 3 + round % 10);
        g_auto (Fixture) fixture;
        g_auto (PvQuery) query = random_query (random);
        query.grouping = PV_GROUP_NONE;
        set_up (&fixture, text, &query);
        g_autoptr (GHashTable) total = new_sums ();
        g_autoptr (GHashTable) self = new_sums ();
        weigh_bottom_up (&fixture, total, self);
        g_autoptr (PvBottomUp) bottom_up = pv_bottom_up_new (fixture.tree, NULL, 0, NULL);
        guint n = check_bottom_up (&fixture, bottom_up, PV_NODE_NONE, "", total, self);
        g_assert_cmpuint (n, ==, g_hash_table_size (total));
    }
}

/* Enough stacks for several threads and chunks; few samples of many stacks, and many of few. */
TEST (sums)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (13);
    for (unsigned round = 0; round < 30; round += pv_test_step (2)) {
        g_autofree char *text =
            folded_random_text (random, round % 3 == 0 ? 6000 : 200, 3 + round % 12);
        g_auto (Fixture) fixture;
        g_auto (PvQuery) query = random_query (random);
        query.grouping = PV_GROUP_NONE;
        if (g_rand_boolean (random)) {
            query.start_ns = 1000 * (uint64_t)g_rand_int_range (random, 0, 50);
            query.end_ns = query.start_ns + 1000 * (uint64_t)g_rand_int_range (random, 0, 3000);
        }
        set_up (&fixture, text, &query);
        check_sums (&fixture);
    }
}

/* So many that they are sorted by several threads; names decide about most. */
TEST (many_sums)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (17);
    g_autoptr (GString) text = g_string_new (NULL);
    for (unsigned i = 0; i < 9000; i++)
        g_string_append_printf (text, "main;f%u;m!g%u>h%u %u\n", g_rand_int (random) % 7000,
                                g_rand_int (random) % 7000, i % 1000, 1 + g_rand_int (random) % 3);
    g_auto (PvQuery) query = new_query ();
    g_auto (Fixture) fixture;
    set_up (&fixture, text->str, &query);
    check_sums (&fixture);
}

/* Samples at every depth of a chain, and beside it: so much is shared that each stack is passed
 * only once. Functions recur, with and without others inlined into them. */
TEST (deep_sums)
{
    enum { DEPTH = 400 };
    PvQuery query;
    Fixture fixture;
    g_autoptr (GString) chain = g_string_new ("main"), text = g_string_new ("main 1\n");
    for (int i = 0; i < DEPTH; i++) {
        const char *inlined = i % 3 == 0 ? ">small" : i % 7 == 0 ? ">small>smaller>f5" : "";
        g_string_append_printf (chain, ";f%d%s", i * i % 53, inlined);
        g_string_append_printf (text, "%s %d\n", chain->str, 1 + i % 5);
        if (i % 10 == 0)
            g_string_append_printf (text, "%s;f%d;leaf%d 2\n", chain->str, i % 4, i % 6);
    }
    pv_query_init (&query);
    set_up (&fixture, text->str, &query);
    check_sums (&fixture);
    tear_down (&fixture);
    pv_query_init (&query);
    query.no_inline = true;
    set_up (&fixture, text->str, &query);
    check_sums (&fixture);
    tear_down (&fixture);
}

TEST (sums_fail)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("main;a 1\n");
    g_autoptr (PvJob) job = pv_job_new ();
    uint64_t total;
    PvQuery query = new_query ();
    pv_job_cancel (job);
    g_assert_null (
        pv_function_list_sum (folded.profile, folded.symbols, &query, SIZE_MAX, &total, job, NULL));
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE, "(");
    assert_error (error,
                  pv_function_list_sum (folded.profile, folded.symbols, &query, SIZE_MAX, &total,
                                        NULL, &error),
                  G_REGEX_ERROR, G_REGEX_ERROR_UNMATCHED_PARENTHESIS);
    pv_query_clear (&query);
    pv_query_add_transform (&query, PV_TRANSFORM_MERGE_MODULE, "prog");
    g_assert_false (pv_function_list_can_sum (folded.profile, &query));
    pv_query_clear (&query);
    query.granularity = PV_BY_LINE;
    g_assert_false (pv_function_list_can_sum (folded.profile, &query));
}

TEST (by_line)
{
    PvQuery query = new_query ();
    g_auto (Fixture) fixture;
    query.granularity = PV_BY_LINE;
    set_up (&fixture, "main:1;work:10 3\nmain:2;work:11 2\nmain:1;x:5;work:10 4\n", &query);
    g_autoptr (PvFunctionList) list = pv_function_list_build (fixture.tree, NULL);
    g_assert_cmpuint (list->n_rows, ==, 5);
    g_assert_cmpuint (list->rows[0].frame->line, ==, 10);
    g_assert_cmpuint (list->rows[0].self, ==, 7);
    g_assert_cmpuint (list->rows[1].frame->line, ==, 11);
    g_assert_cmpuint (list->rows[2].total, ==, 7); /* main:1 */
}
