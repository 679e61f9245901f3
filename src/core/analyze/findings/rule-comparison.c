/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/analyze/compare/changes.h"
#include "core/analyze/compare/compare-text.h"
#include "core/analyze/findings/rules.h"

/* Standard errors between the ends of an interval that has the truth 95 of 100 times. */
#define ERRORS_OF_INTERVAL (2 * 1.96)

static void
add_headline (const PvFindingContext *context, const PvCallTree *tree, const PvChanges *functions,
              const PvChanges *nodes, PvFindingList *list)
{
    const uint64_t base = functions->whole_of_side[PV_SIDE_BASE];
    const uint64_t newer = functions->whole_of_side[PV_SIDE_NEW];
    const double larger = (double)MAX (MAX (base, newer), 1);
    PvFunctionId function = 0;
    g_auto (GStrv) sentences = pv_compare_list_changes (tree, functions, nodes, 1, &function);
    g_autofree char *nameless = pv_compare_describe_nameless (tree, functions);
    g_autofree char *base_text = pv_format_amount (base, functions->unit);
    g_autofree char *new_text = pv_format_amount (newer, functions->unit);
    g_autofree char *percent = pv_compare_format_percent (base, newer);
    g_autofree char *change =
        pv_format_signed_amount (pv_changes_get_whole (functions), functions->unit);
    PvFinding finding = {
        .rule = pv_rule_comparison.word,
        /* Translators: the amounts of base and new, their difference, and the same in percent. */
        .title = g_strdup_printf (_ ("%s before, %s now: %s (%s)"), base_text, new_text, change,
                                  percent),
        .detail = nameless != NULL       ? g_strdup (nameless)
                  : sentences[0] != NULL ? g_strdup_printf (_ ("Largest change: %s."), sentences[0])
                                         : NULL,
        .measure = context->query->measure,
        .amount = pv_change_get_size (pv_changes_get_whole (functions)),
        .page = PV_FINDING_SUMMARY,
        .function = sentences[0] != NULL ? function : 0,
        .options = g_new0 (char *, 1),
    };
    finding.module = context->symbols->functions[finding.function].module;
    finding.cost = fmin ((double)finding.amount / larger, 1);
    if (functions->noise != NULL) {
        const PvInterval interval = pv_changes_find_whole_interval (functions, 1);
        finding.error =
            ((double)interval.high - (double)interval.low) / ERRORS_OF_INTERVAL / larger;
        g_autofree char *low =
            pv_format_signed_amount (pv_round_amount (interval.low), functions->unit);
        g_autofree char *high =
            pv_format_signed_amount (pv_round_amount (interval.high), functions->unit);
        finding.interval =
            g_strdup_printf (_ ("The true change is most likely between %s and %s"), low, high);
    }
    pv_array_push (list, finding);
}

static void
find_comparison (const PvFindingContext *context, PvFindingList *list)
{
    if (context->profile->compared == NULL ||
        pv_profile_get_pair (context->profile, context->query->measure) == NULL)
        return;
    PvQuery query;
    pv_query_copy (&query, context->query);
    query.is_inverted = false;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build (context->profile, context->shown, &query, NULL, context->job, NULL);
    pv_query_clear (&query);
    if (tree == NULL || !pv_changes_can_sum (tree))
        return;
    g_autoptr (PvChanges) functions = pv_changes_by_function (tree, context->job);
    g_autoptr (PvChanges) nodes =
        functions != NULL ? pv_changes_by_node (tree, functions->noise, context->job) : NULL;
    if (nodes != NULL)
        add_headline (context, tree, functions, nodes, list);
}

const PvFindingRule pv_rule_comparison = {
    .word = "comparison",
    .find = find_comparison,
};
