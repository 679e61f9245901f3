/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call graphs: random ones against sums over lists of names, and what is left out of small ones. */
#include <string.h>

#include "../cases.h"
#include "../texts.h"
#include "core/analyze/compare/comparison.h"
#include "core/analyze/graph/graph-build.h"
#include "core/analyze/graph/graph-text.h"
#include "folded-profile.h"

static PvGraph *
build (const FoldedProfile *folded, const PvQuery *query, const PvGraphLimits *limits)
{
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (folded->profile, folded->symbols, query, NULL, NULL, NULL);
    g_assert_nonnull (tree);
    return pv_graph_build (tree, limits, NULL);
}

static PvGraphLimits
no_limits (void)
{
    PvGraphLimits limits;
    pv_graph_limits_init (&limits);
    limits.n_nodes = 0;
    limits.node_fraction = limits.edge_fraction = 0;
    return limits;
}

/* "A 1/4, A>B 3, A~C 2": nodes with self and total, edges by name, ~ residual; sorted. */
static char *
dump (const PvGraph *graph)
{
    const PvFunction *functions = graph->tree->symbols->functions;
    g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (GPtrArray) edges = g_ptr_array_new_with_free_func (g_free);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        g_ptr_array_add (nodes, g_strdup_printf ("%s %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
                                                 functions[graph->nodes[i].function].name,
                                                 graph->nodes[i].self, graph->nodes[i].total));
    for (uint32_t i = 0; i < graph->n_edges; i++)
        g_ptr_array_add (
            edges, g_strdup_printf ("%s%s%s %" G_GUINT64_FORMAT,
                                    functions[graph->nodes[graph->edges[i].caller].function].name,
                                    graph->edges[i].is_residual ? "~" : ">",
                                    functions[graph->nodes[graph->edges[i].callee].function].name,
                                    graph->edges[i].weight));
    g_ptr_array_sort (nodes, compare_texts);
    g_ptr_array_sort (edges, compare_texts);
    g_ptr_array_add (nodes, NULL);
    g_ptr_array_add (edges, NULL);
    g_autofree char *of_nodes = g_strjoinv (", ", (char **)nodes->pdata);
    g_autofree char *of_edges = g_strjoinv (", ", (char **)edges->pdata);
    return g_strconcat (of_nodes, of_edges[0] != '\0' ? "; " : "", of_edges, NULL);
}

static void
check (const char *text, const PvGraphLimits *limits, const char *expected)
{
    g_auto (FoldedProfile) folded = folded_profile_new (text);
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvGraph) graph = build (&folded, &query, limits);
    assert_string (dump (graph), expected);
}

TEST (sums)
{
    PvGraphLimits limits = no_limits ();
    check ("A;B;C 3\nA;C 2\nA 1\n", &limits, "A 1/6, B 0/3, C 5/5; A>B 3, A>C 2, B>C 3");
    /* Once for each stack, however often it is there; and not from a function to itself. */
    check ("A;B;A;B 3\nB;B 2\n", &limits, "A 0/3, B 5/5; A>B 3, B>A 3");
    /* Inlined functions are functions. */
    check ("A;B>C 4\n", &limits, "A 0/4, B 0/4, C 4/4; A>B 4, B>C 4");
}

TEST (residual)
{
    PvGraphLimits limits = no_limits ();
    limits.node_fraction = 0.4;
    /* B is too light; what it has itself is not that of A. */
    check ("A;B;C 2\nA;B 1\nA;C 7\n", &limits, "A 0/10, C 9/9; A~C 9");
    /* From A to D leads a way with less, so the residual edge is not needed. */
    check ("A;C;D 6\nA;B;D 2\nA;C 2\n", &limits, "A 0/10, C 2/8, D 8/8; A>C 8, C>D 6");
    limits.node_fraction = 0;
    limits.edge_fraction = 0.25;
    check ("A;B 6\nC;B 2\n", &limits, "A 0/6, B 8/8, C 0/2; A>B 6, C>B 2");
    limits.edge_fraction = 0.5;
    check ("A;B 6\nC;B 2\n", &limits, "A 0/6, B 8/8, C 0/2; A>B 6");
}

TEST (count)
{
    PvGraphLimits limits = no_limits ();
    limits.n_nodes = 4;
    /* A function that only passes on says least, though it has more in all. */
    check ("A;M;B;C 6\nA;M;B;D 4\n", &limits, "A 0/10, B 0/10, C 6/6, D 4/4; A~B 10, B>C 6, B>D 4");
}

static PvGraphLimits
around (const FoldedProfile *folded, const char *name, uint32_t n_callers, uint32_t n_callees)
{
    PvGraphLimits limits = no_limits ();
    limits.around = folded_profile_find (folded, name);
    limits.n_callers = n_callers;
    limits.n_callees = n_callees;
    g_assert_cmpuint (limits.around, !=, 0);
    return limits;
}

static void
check_around (const char *name, uint32_t n_callers, uint32_t n_callees, const char *expected)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B;C;D;E 4\nA;X;C;D 2\nA;B 8\nY;D;E 1\n");
    PvGraphLimits limits = around (&folded, name, n_callers, n_callees);
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvGraph) graph = build (&folded, &query, &limits);
    assert_string (dump (graph), expected);
    g_assert_cmpuint (graph->whole, ==, 15);
}

TEST (around)
{
    check_around ("C", PV_GRAPH_ANY_DISTANCE, PV_GRAPH_ANY_DISTANCE,
                  "A 0/6, B 0/4, C 0/6, D 2/6, E 4/4, X 0/2; A>B 4, A>X 2, B>C 4, C>D 6, D>E 4, "
                  "X>C 2");
    check_around ("C", 1, 1, "B 0/4, C 0/6, D 2/6, X 0/2; B>C 4, C>D 6, X>C 2");
    check_around ("C", 0, 2, "C 0/6, D 2/6, E 4/4; C>D 6, D>E 4");
    check_around ("C", 0, 0, "C 0/6");
}

TEST (sides)
{
    g_auto (FoldedProfile) base = folded_profile_new ("A;B 1\nA;C 7\n");
    g_auto (FoldedProfile) newer = folded_profile_new ("A;B 5\nA;C 3\nA;D 2\n");
    PvGraphLimits limits = no_limits ();
    g_auto (PvQuery) query = new_query ();
    const PvCompareRun runs[] = {{base.profile, base.symbols, &query, "base"},
                                 {newer.profile, newer.symbols, &query, "new"}};
    const PvCompareInput input = {.runs = {&runs[0], &runs[1]}, .n_runs = {1, 1}};
    g_auto (PvComparison) comparison = {0};
    g_assert_true (pv_comparison_build (&input, &comparison, NULL, NULL));
    /* Boxes as wide as the new side: the base is known all the same. */
    for (PvMeasureId measure = 0; measure <= 2; measure += 2) {
        query.measure = measure;
        FoldedProfile joined = {comparison.profile, comparison.symbols};
        g_autoptr (PvGraph) graph = build (&joined, &query, &limits);
        uint32_t a = pv_graph_find (graph, folded_profile_find (&joined, "A"));
        uint32_t b = pv_graph_find (graph, folded_profile_find (&joined, "B"));
        g_assert_true (graph->has_sides);
        g_assert_cmpuint (graph->nodes[a].total_of_side[PV_SIDE_BASE], ==, 8);
        g_assert_cmpuint (graph->nodes[a].total_of_side[PV_SIDE_NEW], ==, 10);
        g_assert_cmpuint (graph->nodes[b].self_of_side[PV_SIDE_BASE], ==, 1);
        assert_string (pv_graph_format_node (graph, a), "0 of +2");
        for (uint32_t i = 0; i < graph->n_edges; i++) {
            g_autofree char *edge = pv_graph_format_edge (graph, i);
            if (graph->edges[i].callee == b)
                g_assert_cmpstr (edge, ==, "+4");
        }
    }
}

/* Against lists of names */

static GHashTable *
add_stacks (const GPtrArray *stacks)
{
    GHashTable *sums = new_sums ();
    for (guint i = 0; i < stacks->len; i++) {
        const ReferenceStack *stack = stacks->pdata[i];
        g_autoptr (GHashTable) once = new_sums ();
        guint n = g_strv_length (stack->frames);
        for (guint f = 0; f < n; f++) {
            g_hash_table_add (once, g_strconcat ("total ", stack->frames[f], NULL));
            if (f > 0 && strcmp (stack->frames[f - 1], stack->frames[f]) != 0)
                g_hash_table_add (
                    once, g_strconcat (stack->frames[f - 1], " > ", stack->frames[f], NULL));
        }
        if (n > 0)
            g_hash_table_add (once, g_strconcat ("self ", stack->frames[n - 1], NULL));
        GHashTableIter iter;
        gpointer key;
        g_hash_table_iter_init (&iter, once);
        while (g_hash_table_iter_next (&iter, &key, NULL))
            add_to_sums (sums, key, stack->weight);
    }
    return sums;
}

static void
check_sums (const PvGraph *graph, GHashTable *sums)
{
    guint n_found = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        g_autofree char *name = reference_name (graph->tree, graph->nodes[i].function);
        g_autofree char *self = g_strconcat ("self ", name, NULL);
        g_autofree char *total = g_strconcat ("total ", name, NULL);
        g_assert_cmpuint (graph->nodes[i].self, ==, get_sum (sums, self));
        g_assert_cmpuint (graph->nodes[i].total, ==, get_sum (sums, total));
        n_found += 1 + (graph->nodes[i].self > 0);
    }
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const PvGraphEdge *edge = &graph->edges[i];
        g_autofree char *caller = reference_name (graph->tree, graph->nodes[edge->caller].function);
        g_autofree char *callee = reference_name (graph->tree, graph->nodes[edge->callee].function);
        g_autofree char *key = g_strconcat (caller, " > ", callee, NULL);
        g_assert_cmpuint (edge->weight, ==, get_sum (sums, key));
        g_assert_false (edge->is_residual);
        n_found++;
    }
    g_assert_cmpuint (n_found, ==, g_hash_table_size (sums));
}

TEST (random)
{
    for (unsigned seed = 0; seed < 120; seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        g_autofree char *text = folded_random_text (random, 60, 9);
        g_auto (FoldedProfile) folded = folded_profile_new_shuffled (text, seed);
        PvGraphLimits limits = no_limits ();
        g_auto (PvQuery) query = new_query ();
        query.no_inline = seed % 3 == 0;
        query.is_inverted = seed % 5 == 0;
        query.grouping = seed % 7 == 0 ? PV_GROUP_THREAD : PV_GROUP_NONE;
        if (seed % 2 == 0)
            reference_random_transforms (random, &query);
        g_autoptr (PvGraph) graph = build (&folded, &query, &limits);
        g_autoptr (GPtrArray) stacks = reference_stacks (text, &query);
        g_autoptr (GHashTable) sums = add_stacks (stacks);
        check_sums (graph, sums);
    }
}

TEST (texts)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B 3\nA 1\n");
    PvGraphLimits limits = no_limits ();
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvGraph) graph = build (&folded, &query, &limits);
    uint32_t a = pv_graph_find (graph, folded_profile_find (&folded, "A"));
    g_autofree char *edge = pv_graph_describe_edge (graph, 0);
    g_autofree char *extent = pv_graph_format_extent (graph);
    assert_string (pv_graph_format_node (graph, a), "1 (25.0 %)\nof 4 (100.0 %)");
    g_assert_cmpstr (edge, ==, "A → B: 3 (75.0 %)");
    g_assert_cmpstr (extent, ==, "2 functions, 1 call");
    g_assert_cmpuint (pv_graph_find (graph, 0), ==, UINT32_MAX);
}

TEST (cancel)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B 3\n");
    PvGraphLimits limits = no_limits ();
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvJob) job = pv_job_new ();
    g_autoptr (PvCallTree) tree = query_tree (folded.profile, folded.symbols, &query);
    pv_job_cancel (job);
    g_assert_null (pv_graph_build (tree, &limits, job));
}
