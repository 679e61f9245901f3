/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Both halves of a sandwich on random profiles: against lists of names, divided one stack at a
 * time, and against the tables of callers and callees.
 */
#include <string.h>

#include "../cases.h"
#include "../texts.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/sandwich.h"
#include "folded-profile.h"

typedef struct {
    GHashTable *callers; /* of paths from the function outwards */
    GHashTable *callees; /* and inwards */
    uint64_t total;
    uint64_t all;
    bool recurs;
} Expected;

/* Divides every stack at the outermost frame of that name. */
static void
divide (const GPtrArray *stacks, const char *name, Expected *expected)
{
    *expected = (Expected){.callers = new_sums (), .callees = new_sums ()};
    for (guint i = 0; i < stacks->len; i++) {
        const ReferenceStack *stack = stacks->pdata[i];
        guint n = g_strv_length (stack->frames), at = 0;
        expected->all += stack->weight;
        while (at < n && strcmp (stack->frames[at], name) != 0)
            at++;
        if (at == n)
            continue;
        g_autoptr (GString) outwards = g_string_new (NULL);
        g_autoptr (GString) inwards = g_string_new (NULL);
        expected->total += stack->weight;
        for (guint d = at + 1; d-- > 0;) {
            g_string_append_printf (outwards, ";%s", stack->frames[d]);
            add_to_sums (expected->callers, outwards->str, stack->weight);
        }
        for (guint d = at; d < n; d++) {
            g_string_append_printf (inwards, ";%s", stack->frames[d]);
            add_to_sums (expected->callees, inwards->str, stack->weight);
            expected->recurs |= d > at && strcmp (stack->frames[d], name) == 0;
        }
    }
}

static char *
path_of (const PvCallTree *tree, PvNodeId node)
{
    if (node == 0)
        return g_strdup ("");
    g_autofree char *before = path_of (tree, tree->parent_of_node[node]);
    g_autofree char *name = reference_frame_of_node (tree, node);
    return g_strdup_printf ("%s;%s", before, name);
}

static void
check_half (const PvCallTree *tree, GHashTable *sums, const Expected *expected)
{
    folded_check_tree (tree);
    g_assert_cmpuint (tree->total[0], ==, expected->all);
    g_assert_cmpuint (tree->self[0], ==, expected->all - expected->total);
    g_assert_cmpuint (tree->n_nodes, ==, g_hash_table_size (sums) + 1);
    for (PvNodeId node = 1; node < tree->n_nodes; node++) {
        g_autofree char *path = path_of (tree, node);
        g_assert_true (g_hash_table_contains (sums, path));
        g_assert_cmpuint (tree->total[node], ==, get_sum (sums, path));
    }
}

/* The weight of a function among the children of the root's child. */
static uint64_t
weight_of (const PvCallTree *tree, PvFunctionId function)
{
    for (PvNodeId node = tree->first_child[1]; node < tree->first_child[2]; node++)
        if (tree->function_of_node[node] == function)
            return tree->total[node];
    return 0;
}

/* Where no stack has the function twice, boxes are as wide as the tables say. */
static void
check_tables (const PvSandwich *sandwich, const PvCallersCallees *tables, bool recurs)
{
    g_assert_cmpuint (sandwich->callers->total[1], ==, tables->total);
    g_assert_cmpuint (sandwich->callees->total[1], ==, tables->total);
    g_assert_cmpuint (sandwich->callees->self[1], <=, tables->self);
    for (uint32_t i = 0; i < tables->n_callers; i++) {
        PvFunctionId function = tables->callers[i].function;
        uint64_t weight =
            function != 0 ? weight_of (sandwich->callers, function) : sandwich->callers->self[1];
        g_assert_cmpuint (weight, <=, tables->callers[i].weight);
        g_assert_true (recurs || weight == tables->callers[i].weight);
    }
    for (uint32_t i = 0; i < tables->n_callees; i++) {
        uint64_t weight = weight_of (sandwich->callees, tables->callees[i].function);
        g_assert_cmpuint (weight, <=, tables->callees[i].weight);
        g_assert_true (recurs || weight == tables->callees[i].weight);
    }
    g_assert_true (recurs || sandwich->callees->self[1] == tables->self);
}

TEST (random)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (5);
    unsigned n_recursive = 0, n_others = 0;
    for (unsigned round = 0; round < 200; round++) {
        g_autofree char *text = folded_random_text (random, 50, 3 + round % 25);
        g_auto (FoldedProfile) folded = folded_profile_new (text);
        g_auto (PvQuery) query = new_query ();
        reference_random_transforms (random, &query);
        query.no_inline = g_rand_boolean (random);
        query.is_inverted = g_rand_boolean (random);
        query.grouping = (PvGrouping)g_rand_int_range (random, 0, PV_GROUP_THREAD + 1);
        g_autoptr (PvCallTree) tree = query_tree (folded.profile, folded.symbols, &query);
        g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
        g_autoptr (GPtrArray) stacks = reference_stacks (text, &query);
        for (uint32_t i = 0; i < list->n_rows; i++) {
            PvFunctionId function = list->rows[i].function;
            g_autofree char *name = reference_name (tree, function);
            g_autoptr (PvSandwich) sandwich = pv_sandwich_build (tree, function, NULL, NULL);
            g_autoptr (PvCallersCallees) tables = pv_callers_callees_build (tree, function, NULL);
            Expected expected;
            divide (stacks, name, &expected);
            g_assert_cmpuint (sandwich->function, ==, function);
            check_half (sandwich->callers, expected.callers, &expected);
            check_half (sandwich->callees, expected.callees, &expected);
            check_tables (sandwich, tables, expected.recurs);
            n_recursive += expected.recurs;
            n_others += !expected.recurs;
            g_hash_table_unref (expected.callers);
            g_hash_table_unref (expected.callees);
        }
    }
    g_assert_cmpuint (n_recursive, >, 200);
    g_assert_cmpuint (n_others, >, 200);
}

/* A function that no stack has gives only the root. */
TEST (absent)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B 3\nC 4\n");
    g_auto (PvQuery) query = new_query ();
    pv_query_add_transform (&query, PV_TRANSFORM_IGNORE, "C");
    g_autoptr (PvCallTree) tree = query_tree (folded.profile, folded.symbols, &query);
    PvFunctionId function = folded_profile_find (&folded, "C");
    g_autoptr (PvSandwich) sandwich = pv_sandwich_build (tree, function, NULL, NULL);
    g_assert_cmpuint (sandwich->callers->n_nodes, ==, 1);
    g_assert_cmpuint (sandwich->callees->n_nodes, ==, 1);
    g_assert_cmpuint (sandwich->callees->total[0], ==, 3);
}

TEST (cancel)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B 3\nC 4\n");
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvJob) job = pv_job_new ();
    g_autoptr (GError) error = NULL;
    g_autoptr (PvCallTree) tree = query_tree (folded.profile, folded.symbols, &query);
    pv_job_cancel (job);
    g_assert_null (pv_sandwich_build (tree, folded_profile_find (&folded, "A"), job, &error));
    g_assert_nonnull (error);
}
