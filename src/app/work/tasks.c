/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/work/tasks.h"

#include "core/analyze/compare/compare-text.h"
#include "core/analyze/query/stack-filter.h"
#include "core/analyze/series/series-build.h"

enum {
    MAX_FACET_VALUES = 500,
    MAX_SENTENCES = 8,
    FOLD_PARTS = 2 * 7680, /* half a pixel of the widest window */
};

void
pv_functions_unref (PvFunctions *functions)
{
    if (g_atomic_int_dec_and_test (&functions->ref_count)) {
        pv_function_list_free (functions->list);
        pv_call_tree_free (functions->tree);
        g_free (functions);
    }
}

PvFunctions *
pv_functions_ref (PvFunctions *functions)
{
    g_atomic_int_inc (&functions->ref_count);
    return functions;
}

void
pv_compared_sums_unref (PvComparedSums *sums)
{
    if (!g_atomic_int_dec_and_test (&sums->ref_count))
        return;
    pv_changes_free (sums->functions);
    g_strfreev (sums->sentences);
    g_free (sums->function_of_sentence);
    pv_call_tree_free (sums->tree);
    g_free (sums);
}

PvComparedSums *
pv_compared_sums_ref (PvComparedSums *sums)
{
    g_atomic_int_inc (&sums->ref_count);
    return sums;
}

void
pv_comparison_view_copy (PvComparisonView *ret_copy, const PvComparisonView *view)
{
    *ret_copy = *view;
    ret_copy->function = g_strdup (view->function);
}

void
pv_comparison_view_clear (PvComparisonView *view)
{
    g_clear_pointer (&view->function, g_free);
    *view = (PvComparisonView){0};
}

PvTreeInput *
pv_tree_input_copy (const PvTreeInput *input)
{
    PvTreeInput *copy = g_new0 (PvTreeInput, 1);

    pv_query_copy (&copy->query, &input->query);
    pv_comparison_view_copy (&copy->comparison, &input->comparison);
    copy->words = g_strdupv (input->words);
    copy->is_part = input->is_part;
    copy->is_inverted = input->is_inverted;
    return copy;
}

void
pv_tree_input_free (gpointer data)
{
    PvTreeInput *input = data;
    g_clear_pointer (&input->profile, pv_profile_free);
    g_clear_pointer (&input->symbols, pv_symbol_table_free);
    pv_query_clear (&input->query);
    pv_comparison_view_clear (&input->comparison);
    g_strfreev (input->words);
    g_clear_pointer (&input->formula, pv_formula_unref);
    g_clear_pointer (&input->previous, pv_call_tree_free);
    g_clear_pointer (&input->shown, pv_call_tree_free);
    g_clear_pointer (&input->nodes, g_array_unref);
    g_clear_pointer (&input->anchors, g_array_unref);
    g_clear_pointer (&input->paths, g_array_unref);
    g_free (input);
}

void
pv_trees_free (gpointer data)
{
    PvTrees *trees = data;
    g_clear_pointer (&trees->tree, pv_call_tree_free);
    g_clear_pointer (&trees->inverted, pv_call_tree_free);
    g_clear_pointer (&trees->values, pv_node_values_unref);
    g_clear_pointer (&trees->profile, pv_profile_free);
    g_clear_pointer (&trees->symbols, pv_symbol_table_free);
    g_clear_pointer (&trees->functions, pv_functions_unref);
    g_clear_pointer (&trees->join, pv_tree_join_free);
    g_free (trees->scale_text);
    g_free (trees->scale_error);
    g_strfreev (trees->formulas);
    g_clear_error (&trees->words_error);
    g_free (trees);
}

static gpointer
build_functions (gpointer data, PvJob *job, GError **error)
{
    PvCallTree *tree = data;
    PvFunctionList *list = pv_function_list_build (tree, job);
    PvFunctions *functions;

    if (list == NULL)
        return NULL;
    functions = g_new0 (PvFunctions, 1);
    functions->ref_count = 1;
    functions->tree = pv_call_tree_ref (tree);
    functions->list = list;
    return functions;
}

/* Adds all the rest that changes with a renewal. */
static gboolean
finish_renewal (PvTrees *trees, const PvTreeInput *input, PvJob *job)
{
    trees->profile = pv_profile_ref (input->profile);
    trees->symbols = pv_symbol_table_ref (input->symbols);
    trees->functions = build_functions (trees->tree, job, NULL);
    trees->join =
        pv_tree_join_new (input->shown, trees->inverted != NULL ? trees->inverted : trees->tree);
    for (unsigned i = 0; i < input->nodes->len && !pv_job_is_cancelled (job); i++)
        pv_tree_join_node (trees->join, g_array_index (input->nodes, PvNodeId, i));
    return trees->functions != NULL;
}

static PvCallTree *
build_tree (const PvTreeInput *input, const PvCallTree *previous, PvJob *job, GError **error)
{
    const PvProfile *profile = input->profile;
    PvTreeDetail detail = {.parts = FOLD_PARTS};

    if (profile->n_stacks < PV_FOLD_MIN_STACKS)
        return pv_call_tree_build (profile, input->symbols, &input->query, previous, job, error);
    if (input->anchors != NULL) {
        detail.n_anchors = input->anchors->len;
        detail.anchors = (const PvTreeAnchor *)(gpointer)input->anchors->data;
        detail.n_paths = input->paths->len;
        detail.paths = (const PvTreePath *)(gpointer)input->paths->data;
    }
    return pv_call_tree_build_folded (profile, input->symbols, &input->query, &detail, previous,
                                      job, error);
}

static gboolean
build_values (PvTrees *trees, const PvTreeInput *input, PvJob *job)
{
    PvCallTree *flame_tree = trees->inverted != NULL ? trees->inverted : trees->tree;

    if (input->formula == NULL && !pv_node_values_have_sides (flame_tree))
        return TRUE;
    trees->values = pv_node_values_build (flame_tree, input->formula, job);
    return trees->values != NULL;
}

/* The tree that is shown, if it is of this query but for what is scaled; else NULL. */
static const PvCallTree *
find_unscaled (const PvTreeInput *input)
{
    const PvCallTree *tree = input->previous;
    g_auto (PvQuery) query;

    pv_query_copy (&query, &input->query);
    if (tree == NULL || tree->profile != input->profile || tree->symbols != input->symbols)
        return NULL;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        query.factor_of_side[side] = tree->query.factor_of_side[side];
    return pv_query_equal (&query, &tree->query) ? tree : NULL;
}

/* The factors are those of what is shown now: another measure, or other functions, have others. */
static void
scale (PvTrees *trees, PvTreeInput *input, PvJob *job)
{
    const PvComparisonView *view = &input->comparison;
    PvQuery *query = &input->query;
    g_autofree char *function = NULL;
    g_autoptr (GError) error = NULL;

    if (input->profile->compared == NULL)
        return;
    query->factor_of_side[PV_SIDE_BASE] = query->factor_of_side[PV_SIDE_NEW] = 0;
    if (pv_profile_get_pair (input->profile, query->measure) == NULL)
        return;
    if (pv_scale_apply (view->scale, view->function, input->profile, input->symbols,
                        find_unscaled (input), query, &function, job, &error))
        trees->scale_text =
            pv_scale_describe (view->scale, query->factor_of_side[PV_SIDE_BASE], function);
    else
        trees->scale_error = g_strdup (error != NULL ? error->message : "");
}

PvTrees *
pv_trees_build (PvTreeInput *input, PvJob *job, GError **error)
{
    PvTrees *trees = g_new0 (PvTrees, 1);

    g_assert (input->profile != NULL && input->symbols != NULL);
    scale (trees, input, job);
    trees->tree = build_tree (input, input->previous, job, error);
    if (trees->tree != NULL && input->is_inverted) {
        input->query.is_inverted = true;
        trees->inverted = build_tree (input, trees->tree, job, error);
    }
    if (trees->tree == NULL || (input->is_inverted && trees->inverted == NULL) ||
        !build_values (trees, input, job) ||
        (input->is_renewal && !finish_renewal (trees, input, job)))
        g_clear_pointer (&trees, pv_trees_free);
    return trees;
}

static gpointer
build_trees (gpointer data, PvJob *job, GError **error)
{
    return pv_trees_build (data, job, error);
}

static void
search_input_free (gpointer data)
{
    PvSearchInput *input = data;
    pv_call_tree_free (input->tree);
    pv_search_term_clear (&input->term);
    g_free (input);
}

static gpointer
run_search (gpointer data, PvJob *job, GError **error)
{
    PvSearchInput *input = data;
    return pv_search (input->tree, &input->term, job, error);
}

static void
callers_callees_input_free (gpointer data)
{
    PvCallersCalleesInput *input = data;
    g_clear_pointer (&input->sums, pv_compared_sums_unref);
    pv_call_tree_free (input->tree);
    pv_call_tree_free (input->flame_tree);
    g_free (input);
}

void
pv_callers_callees_answer_free (gpointer data)
{
    PvCallersCalleesAnswer *result = data;
    g_clear_pointer (&result->callers_callees, pv_callers_callees_free);
    g_free (result);
}

/* Marks noise in a comparison; does nothing to other profiles. FALSE when cancelled. */
static gboolean
mark_noise (const PvCallersCalleesInput *input, PvCallersCallees *both, PvJob *job)
{
    g_autoptr (PvChanges) functions = NULL;

    if (input->tree->profile->compared == NULL || !pv_changes_can_sum (input->tree))
        return TRUE;
    if (input->sums == NULL)
        functions = pv_changes_by_function (input->tree, job);
    if (input->sums == NULL && functions == NULL)
        return FALSE;
    return pv_changes_mark_calls (
        both, input->tree, input->function,
        input->sums != NULL ? &input->sums->functions->noise : &functions->noise, job);
}

/* Calls are those of both sides of a comparison, also where boxes are as wide as one. NULL when
 * cancelled. */
static PvCallTree *
count_both_sides (const PvCallTree *tree, PvJob *job)
{
    const PvPair *pair = tree->profile->compared != NULL
                             ? pv_profile_get_pair (tree->profile, tree->query.measure)
                             : NULL;

    if (pair == NULL || pair->both == tree->query.measure)
        return pv_call_tree_ref (tree);
    return pv_call_tree_build_measure (tree, pair->both, job, NULL);
}

static PvCallersCallees *
list_calls (const PvCallersCalleesInput *input, PvJob *job)
{
    g_autoptr (PvCallTree) tree = count_both_sides (input->tree, job);
    g_autoptr (PvCallersCallees) both =
        tree != NULL ? pv_callers_callees_build (tree, input->function, job) : NULL;

    if (both == NULL || !pv_callers_callees_find_net (both, tree, input->function, job) ||
        !mark_noise (input, both, job))
        return NULL;
    return g_steal_pointer (&both);
}

static gpointer
find_callers_callees (gpointer data, PvJob *job, GError **error)
{
    PvCallersCalleesInput *input = data;
    PvCallersCalleesAnswer *result = g_new0 (PvCallersCalleesAnswer, 1);

    result->callers_callees = list_calls (input, job);
    result->heaviest = pv_call_tree_find_heaviest (input->flame_tree, input->function);
    if (result->heaviest == PV_NODE_NONE && !input->flame_tree->query.is_inverted &&
        input->flame_tree->has_folded)
        result->is_folded =
            pv_call_tree_find_anchor (input->flame_tree, input->function, job, &result->anchor);
    return result;
}

static void
series_input_free (gpointer data)
{
    PvSeriesInput *input = data;
    pv_call_tree_free (input->tree);
    g_free (input);
}

static gpointer
build_series (gpointer data, PvJob *job, GError **error)
{
    PvSeriesInput *input = data;
    return pv_series_build (input->tree, input->kind, 0, UINT64_MAX, input->max_layers,
                            input->max_points, job);
}

static void
facet_input_free (gpointer data)
{
    PvFacetInput *input = data;
    pv_profile_free (input->profile);
    pv_query_clear (&input->query);
    g_free (input->search);
    g_free (input);
}

static gpointer
find_facet_keys (gpointer data, PvJob *job, GError **error)
{
    return pv_facet_keys_new (data);
}

static gpointer
build_facet (gpointer data, PvJob *job, GError **error)
{
    PvFacetInput *input = data;
    return pv_facet_build (input->profile, &input->query, &input->key, input->search,
                           MAX_FACET_VALUES, job);
}

static gpointer
sum_up_comparison (gpointer data, PvJob *job, GError **error)
{
    PvCallTree *tree = data;
    g_autoptr (PvChanges) functions = pv_changes_by_function (tree, job);
    g_autoptr (PvChanges) nodes =
        functions != NULL ? pv_changes_by_node (tree, &functions->noise, job) : NULL;
    PvComparedSums *sums;

    if (nodes == NULL)
        return NULL;
    sums = g_new0 (PvComparedSums, 1);
    sums->ref_count = 1;
    sums->tree = pv_call_tree_ref (tree);
    sums->function_of_sentence = g_new0 (PvFunctionId, MAX_SENTENCES);
    sums->sentences =
        pv_compare_list_changes (tree, functions, nodes, MAX_SENTENCES, sums->function_of_sentence);
    sums->functions = g_steal_pointer (&functions);
    return sums;
}

static void
match_input_free (gpointer data)
{
    PvMatchInput *input = data;
    pv_profile_free (input->profile);
    pv_symbol_table_free (input->symbols);
    g_free (input->expression);
    g_free (input);
}

static gpointer
count_matches (gpointer data, PvJob *job, GError **error)
{
    PvMatchInput *input = data;
    PvMatchCount *count;
    g_autoptr (PvStackFilter) filter = NULL;
    g_auto (PvQuery) query;

    pv_query_init (&query);
    pv_query_add_transform (&query, input->kind, input->expression);
    filter = pv_stack_filter_new (input->profile, input->symbols, &query, error);
    if (filter == NULL)
        return NULL;
    count = g_new (PvMatchCount, 1);
    count->n_matches = pv_stack_filter_count_matches (filter, 0);
    count->gave_up = pv_transform_gave_up (&query.transforms[0]);
    return count;
}

/* Tasks */

PvTask *
pv_tree_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, build_trees, pv_tree_input_free, pv_trees_free, done);
}

PvTask *
pv_functions_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, build_functions, (GDestroyNotify)pv_call_tree_free,
                        (GDestroyNotify)pv_functions_unref, done);
}

PvTask *
pv_search_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, run_search, search_input_free, (GDestroyNotify)pv_search_result_free,
                        done);
}

PvTask *
pv_callers_callees_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, find_callers_callees, callers_callees_input_free,
                        pv_callers_callees_answer_free, done);
}

PvTask *
pv_series_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, build_series, series_input_free, (GDestroyNotify)pv_series_free,
                        done);
}

PvTask *
pv_facet_keys_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, find_facet_keys, (GDestroyNotify)pv_profile_free,
                        (GDestroyNotify)pv_facet_keys_free, done);
}

PvTask *
pv_facet_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, build_facet, facet_input_free, (GDestroyNotify)pv_facet_free, done);
}

PvTask *
pv_compared_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, sum_up_comparison, (GDestroyNotify)pv_call_tree_free,
                        (GDestroyNotify)pv_compared_sums_unref, done);
}

PvTask *
pv_match_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, count_matches, match_input_free, g_free, done);
}
