/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/work/tasks.h"

#include "core/analyze/compare/compare-text.h"
#include "core/analyze/query/stack-filter.h"
#include "core/analyze/series/series-build.h"
#include "core/base/ref.h"
#include "core/model/profile/owners.h"

enum {
    MAX_FACET_VALUES = 500,
    MAX_SENTENCES = 8,
    FOLD_PARTS = 2 * 7680, /* half a pixel of the widest window */
};

void
pv_functions_unref (PvFunctions *functions)
{
    if (pv_ref_was_last (functions)) {
        pv_function_list_free (functions->list);
        pv_call_tree_free (functions->tree);
        g_free (functions);
    }
}

PV_DEFINE_REF (pv_functions_ref, PvFunctions, PvFunctions)

void
pv_compared_sums_unref (PvComparedSums *sums)
{
    if (!pv_ref_was_last (sums))
        return;
    pv_changes_free (sums->functions);
    g_strfreev (sums->sentences);
    g_free (sums->function_of_sentence);
    pv_call_tree_free (sums->tree);
    g_free (sums);
}

PV_DEFINE_REF (pv_compared_sums_ref, PvComparedSums, PvComparedSums)

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

PvQuestion *
pv_question_copy (const PvQuestion *question)
{
    PvQuestion *copy = g_new0 (PvQuestion, 1);

    pv_query_copy (&copy->query, &question->query);
    pv_comparison_view_copy (&copy->comparison, &question->comparison);
    copy->words = g_strdupv (question->words);
    copy->is_part = question->is_part;
    copy->is_inverted = question->is_inverted;
    copy->previous = pv_answer_ref (&pv_no_answer);
    return copy;
}

void
pv_question_free (gpointer data)
{
    PvQuestion *question = data;
    g_clear_pointer (&question->profile, pv_profile_free);
    g_clear_pointer (&question->symbols, pv_symbol_table_free);
    pv_query_clear (&question->query);
    pv_comparison_view_clear (&question->comparison);
    g_strfreev (question->words);
    g_clear_pointer (&question->formula, pv_formula_unref);
    g_clear_pointer (&question->previous, pv_answer_unref);
    g_clear_pointer (&question->nodes, g_array_unref);
    g_clear_pointer (&question->anchors, g_array_unref);
    g_clear_pointer (&question->paths, g_array_unref);
    g_free (question);
}

void
pv_reply_free (gpointer data)
{
    PvReply *reply = data;
    g_clear_pointer (&reply->answer, pv_answer_unref);
    g_clear_pointer (&reply->functions, pv_functions_unref);
    g_clear_pointer (&reply->facet_keys, pv_facet_keys_free);
    g_clear_pointer (&reply->join, pv_tree_join_free);
    g_free (reply->scale_error);
    g_strfreev (reply->formulas);
    g_clear_error (&reply->words_error);
    g_free (reply);
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

/* Adds what must not be missing once the renewal is shown. */
static gboolean
finish_renewal (PvReply *reply, const PvQuestion *question, PvJob *job)
{
    reply->functions = build_functions (reply->answer->tree, job, NULL);
    if (question->profile != question->previous->profile)
        reply->facet_keys = pv_facet_keys_new (question->profile);
    reply->join = pv_tree_join_new (question->previous->flame_tree, reply->answer->flame_tree);
    for (unsigned i = 0; i < question->nodes->len && !pv_job_is_cancelled (job); i++)
        pv_tree_join_node (reply->join, g_array_index (question->nodes, PvNodeId, i));
    return reply->functions != NULL;
}

static PvCallTree *
build_tree (const PvQuestion *question, const PvCallTree *previous, PvJob *job, GError **error)
{
    const PvProfile *profile = question->profile;
    PvTreeDetail detail = {.parts = FOLD_PARTS};

    if (profile->n_stacks < PV_FOLD_MIN_STACKS)
        return pv_call_tree_build (profile, question->symbols, &question->query, previous, job,
                                   error);
    if (question->anchors != NULL) {
        detail.n_anchors = question->anchors->len;
        detail.anchors = (const PvTreeAnchor *)(gpointer)question->anchors->data;
        detail.n_paths = question->paths->len;
        detail.paths = (const PvTreePath *)(gpointer)question->paths->data;
    }
    return pv_call_tree_build_folded (profile, question->symbols, &question->query, &detail,
                                      previous, job, error);
}

static gboolean
build_values (PvAnswer *answer, const PvQuestion *question, PvJob *job)
{
    if (question->formula == NULL && !pv_node_values_have_sides (answer->flame_tree))
        return TRUE;
    answer->values = pv_node_values_build (answer->flame_tree, question->formula, job);
    return answer->values != NULL;
}

/* The tree that is shown, if it is of this query but for what is scaled; else NULL. */
static const PvCallTree *
find_unscaled (const PvQuestion *question)
{
    const PvCallTree *tree = question->previous->tree;
    g_auto (PvQuery) query;

    pv_query_copy (&query, &question->query);
    if (tree == NULL || tree->profile != question->profile || tree->symbols != question->symbols)
        return NULL;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        query.factor_of_side[side] = tree->query.factor_of_side[side];
    return pv_query_equal (&query, &tree->query) ? tree : NULL;
}

/* The factors are those of what is shown now: another measure, or other functions, have others. */
static void
scale (PvReply *reply, PvQuestion *question, PvJob *job)
{
    const PvComparisonView *view = &question->comparison;
    PvQuery *query = &question->query;
    g_autofree char *function = NULL;
    g_autoptr (GError) error = NULL;

    if (question->profile->compared == NULL)
        return;
    query->factor_of_side[PV_SIDE_BASE] = query->factor_of_side[PV_SIDE_NEW] = 0;
    if (pv_profile_get_pair (question->profile, query->measure) == NULL)
        return;
    if (pv_scale_apply (view->scale, view->function, question->profile, question->symbols,
                        find_unscaled (question), query, &function, job, &error)) {
        reply->answer->scale_text =
            pv_scale_describe (view->scale, query->factor_of_side[PV_SIDE_BASE], function);
        return;
    }
    reply->answer->scale_text = pv_scale_describe (PV_SCALE_NONE, 1, NULL);
    reply->scale_error = g_strdup (error != NULL ? error->message : "");
}

/* Explains an answer without amounts, or without functions. */
static void
explain_emptiness (PvAnswer *answer, PvJob *job)
{
    const PvCallTree *tree = answer->tree;

    if (tree->total[0] == 0 || tree->n_nodes == 1)
        answer->emptiness = pv_emptiness_find (answer->profile, answer->symbols, &tree->query, job);
}

/* Colors of functions follow from their owners: the main loop finds them made. */
static void
seal (PvAnswer *answer, const PvAnswer *previous)
{
    pv_symbol_table_get_owners (answer->symbols, answer->profile);
    pv_symbol_table_get_owners (answer->tree->symbols, answer->profile);
    pv_symbol_table_get_owners (answer->flame_tree->symbols, answer->profile);
    pv_answer_seal (answer, previous);
}

PvReply *
pv_answer_build (PvQuestion *question, PvJob *job, GError **error)
{
    PvReply *reply = g_new0 (PvReply, 1);
    PvAnswer *answer = reply->answer = pv_answer_new (question->profile, question->symbols);

    scale (reply, question, job);
    answer->tree = build_tree (question, question->previous->tree, job, error);
    if (answer->tree != NULL && question->is_inverted) {
        question->query.is_inverted = true;
        answer->flame_tree = build_tree (question, answer->tree, job, error);
    } else if (answer->tree != NULL) {
        answer->flame_tree = pv_call_tree_ref (answer->tree);
    }
    if (answer->tree != NULL)
        explain_emptiness (answer, job);
    if (answer->flame_tree == NULL || !build_values (answer, question, job) ||
        (question->is_renewal && !finish_renewal (reply, question, job)))
        g_clear_pointer (&reply, pv_reply_free);
    else
        seal (answer, question->previous);
    return reply;
}

static gpointer
build_answer (gpointer data, PvJob *job, GError **error)
{
    return pv_answer_build (data, job, error);
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
    pv_answer_unref (input->answer);
    g_free (input);
}

void
pv_callers_callees_result_free (gpointer data)
{
    PvCallersCalleesResult *result = data;
    g_clear_pointer (&result->both, pv_callers_callees_free);
    g_free (result);
}

/* Marks noise in a comparison; does nothing to other profiles. FALSE when cancelled. */
static gboolean
mark_noise (const PvCallersCalleesInput *input, PvCallersCallees *both, PvJob *job)
{
    const PvCallTree *tree = input->answer->tree;
    g_autoptr (PvChanges) functions = NULL;

    if (tree->profile->compared == NULL || !pv_changes_can_sum (tree))
        return TRUE;
    if (input->sums == NULL)
        functions = pv_changes_by_function (tree, job);
    if (input->sums == NULL && functions == NULL)
        return FALSE;
    return pv_changes_mark_calls (
        both, tree, input->function,
        input->sums != NULL ? input->sums->functions->noise : functions->noise, job);
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
    g_autoptr (PvCallTree) tree = count_both_sides (input->answer->tree, job);
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
    const PvCallTree *flame_tree = input->answer->flame_tree;
    PvCallersCalleesResult *result = g_new0 (PvCallersCalleesResult, 1);

    result->both = list_calls (input, job);
    result->heaviest = pv_call_tree_find_heaviest (flame_tree, input->function);
    if (result->heaviest == PV_NODE_NONE && !flame_tree->query.is_inverted &&
        flame_tree->has_folded)
        result->is_folded =
            pv_call_tree_find_anchor (flame_tree, input->function, job, &result->anchor);
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
        functions != NULL ? pv_changes_by_node (tree, functions->noise, job) : NULL;
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
    pv_answer_unref (input->answer);
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
    filter = pv_stack_filter_new (input->answer->profile, input->answer->symbols, &query, error);
    if (filter == NULL)
        return NULL;
    count = g_new (PvMatchCount, 1);
    count->n_matches = pv_stack_filter_count_matches (filter, 0);
    count->gave_up = pv_transform_gave_up (&query.transforms[0]);
    return count;
}

/* Tasks */

PvTask *
pv_answer_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, build_answer, pv_question_free, pv_reply_free, done);
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
                        pv_callers_callees_result_free, done);
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
