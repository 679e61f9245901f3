/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of formulas by node, against the totals of trees built for each measure alone.
 */
#include <math.h>

#include "../cases.h"
#include "core/analyze/compare/node-values.h"
#include "folded-profile.h"

static PvCallTree *
build (const FoldedProfile *folded, PvMeasureId measure, bool is_inverted)
{
    g_auto (PvQuery) query = new_query ();
    query.measure = measure;
    query.is_inverted = is_inverted;
    return query_tree (folded->profile, folded->symbols, &query);
}

/* The total of the same path; 0 if there is none. */
static double
total_of (const PvCallTree *tree, PvNodeId node, const PvCallTree *other)
{
    PvTreePath path;
    bool is_whole;
    pv_call_tree_make_path (tree, node, PV_ANCHOR_KEEP, &path);
    PvNodeId same = pv_call_tree_find_path (other, &path, &is_whole);
    g_free (path.steps);
    return is_whole ? (double)other->total[same] : 0;
}

static void
check (const FoldedProfile *folded, bool is_inverted)
{
    g_autoptr (PvFormula) ratio = pv_formula_new_ratio (folded->profile, 1, 0, "Title");
    g_autoptr (PvCallTree) tree = build (folded, 0, is_inverted);
    g_autoptr (PvCallTree) other = build (folded, 1, is_inverted);
    g_autoptr (PvNodeValues) values = pv_node_values_build (tree, ratio, NULL);
    g_assert_true (values->tree == tree && values->formula == ratio);
    g_assert_cmpfloat (values->whole, ==, (double)other->total[0] / (double)tree->total[0]);
    g_assert_cmpuint (tree->n_nodes, >, 3);
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        double expected = total_of (tree, node, other) / (double)tree->total[node];
        g_assert_cmpfloat_with_epsilon (values->value_of_node[node], expected,
                                        1e-6 * expected + 1e-9);
    }
}

TEST (directions)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B 3/1\nA;C 1/4\nB;A;B 2/8\nC 5/0");
    check (&folded, false);
    check (&folded, true);
}

/* Both halves: of B, its callers and callees. */
TEST (sandwich)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B;C 3/6\nC;B;D 1/9\nA 7/7");
    g_autoptr (PvFormula) ratio = pv_formula_new_ratio (folded.profile, 1, 0, "Title");
    g_autoptr (PvCallTree) tree = build (&folded, 0, false);
    g_autoptr (PvSandwich) sandwich =
        pv_sandwich_build (tree, folded_profile_find (&folded, "B"), NULL, NULL);
    g_autoptr (PvNodeValues) callers = NULL;
    g_autoptr (PvNodeValues) callees = NULL;
    g_assert_true (pv_node_values_build_halves (sandwich, ratio, &callers, &callees, NULL));
    g_assert_true (callers->tree == sandwich->callers && callees->tree == sandwich->callees);
    g_assert_cmpfloat (callers->whole, ==, 2);
    g_assert_cmpfloat (callees->whole, ==, 2);
    g_assert_cmpfloat (callers->value_of_node[1], ==, 15.0f / 4);
    g_assert_cmpfloat (callees->value_of_node[1], ==, 15.0f / 4);
    for (unsigned i = 2; i < 4; i++) {
        bool is_a = callers->tree->function_of_node[i] == folded_profile_find (&folded, "A");
        bool is_c = callees->tree->function_of_node[i] == folded_profile_find (&folded, "C");
        g_assert_cmpfloat (callers->value_of_node[i], ==, is_a ? 2 : 9);
        g_assert_cmpfloat (callees->value_of_node[i], ==, is_c ? 2 : 9);
    }
}

/* A node without any of what is divided by has no value. */
TEST (nothing)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B 3/0\nA;C 4/2");
    g_autoptr (PvFormula) ratio = pv_formula_new_ratio (folded.profile, 0, 1, "Title");
    g_autoptr (PvCallTree) tree = build (&folded, 0, false);
    g_autoptr (PvNodeValues) values = pv_node_values_build (tree, ratio, NULL);
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        bool is_b = tree->function_of_node[node] == folded_profile_find (&folded, "B");
        g_assert_cmpint (isnan (values->value_of_node[node]), ==, is_b);
    }
}

TEST (ratio)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A 3/7");
    const PvMeasure *measures = folded.profile->measures;
    g_autoptr (PvFormula) ratio = pv_formula_new_ratio (folded.profile, 1, 0, "Title");
    g_autoptr (PvFormula) same = pv_formula_new (ratio->definition, folded.profile, NULL);
    double amounts[] = {7, 3};
    g_assert_cmpstr (ratio->name, ==, measures[1].name);
    g_assert_cmpstr (ratio->title, ==, "Title");
    g_assert_nonnull (same);
    g_assert_cmpuint (same->measures[0], ==, 1);
    g_assert_cmpuint (ratio->measures[1], ==, 0);
    g_assert_cmpuint (ratio->base, ==, same->base);
    g_assert_cmpfloat (pv_formula_compute (ratio, amounts), ==, pv_formula_compute (same, amounts));
}

TEST (cancelled)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B 3/1\nA;C 1/4");
    g_autoptr (PvFormula) ratio = pv_formula_new_ratio (folded.profile, 1, 0, "Title");
    g_autoptr (PvCallTree) tree = build (&folded, 0, true);
    g_autoptr (PvJob) job = pv_job_new ();
    pv_job_cancel (job);
    g_autoptr (PvSandwich) sandwich =
        pv_sandwich_build (tree, folded_profile_find (&folded, "B"), NULL, NULL);
    PvNodeValues *callers = NULL, *callees = NULL;
    g_assert_null (pv_node_values_build (tree, ratio, job));
    g_assert_false (pv_node_values_build_halves (sandwich, ratio, &callers, &callees, job));
    g_assert_true (callers == NULL && callees == NULL);
}
