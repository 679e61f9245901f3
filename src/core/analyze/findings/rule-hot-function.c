/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One function of the user's own that takes much by itself: without what it calls, but with what
 * compilers inlined of libraries, which is a part of its code.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/analyze/findings/finding-weights.h"
#include "core/analyze/findings/rules.h"

enum { STACKS_PER_CHECK = 1 << 16 };

#define LEAST 0.25

/* True if the lists have other frames than the recording, and so another self of functions. */
static bool
has_other_frames (const PvQuery *query)
{
    for (uint32_t i = 0; i < query->n_transforms; i++)
        if (query->transforms[i].kind != PV_TRANSFORM_FOCUS &&
            query->transforms[i].kind != PV_TRANSFORM_IGNORE)
            return true;
    return query->no_inline;
}

/* The frame of the innermost own function of a location; NULL: none. */
static const PvFrame *
find_own (const PvFindingContext *context, const PvFrame *chain, uint32_t n_frames)
{
    for (uint32_t i = 0; i < n_frames; i++)
        if (pv_finding_get_traits (context, chain[i].function) & PV_TRAIT_IS_OWN)
            return &chain[i];
    return NULL;
}

/* True if another finding tells more: that the function is one that allocates, say, or that it is
 * an interpreter's. */
static bool
is_told (const PvFindingContext *context, const PvFindingList *list, PvFunctionId function,
         uint64_t amount)
{
    for (size_t i = 0; i < list->len; i++)
        if (strcmp (list->data[i].rule, pv_rule_no_frames.word) == 0 &&
            list->data[i].amount >= amount)
            return true;
    return (pv_finding_get_traits (context, function) & PV_TRAIT_IS_TOLD) != 0;
}

static void
find_hot_function (const PvFindingContext *context, PvFindingList *list)
{
    const PvProfile *profile = context->profile;
    const PvMeasureId measure = context->cpu_measure;
    const uint32_t n = MAX (context->symbols->n_functions, 1);
    g_auto (PvFindingWeights) weights = {0};
    if (measure == UINT32_MAX || has_other_frames (context->query) ||
        !pv_finding_weights_init (&weights, context, measure))
        return;
    g_autofree uint64_t *of_function = g_new0 (uint64_t, n);
    g_autofree uint64_t *of_inlined = g_new0 (uint64_t, n); /* the part that libraries have in it */
    g_autofree bool *has_lines = g_new0 (bool, n);
    PvFunctionId hottest = 0;
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        uint32_t n_frames;
        const PvFrame *chain =
            pv_symbol_table_frames (context->symbols, profile->location_of_stack[s], &n_frames);
        if (s % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (context->job))
            return;
        if (weights.of_stack[s] == 0 || n_frames == 0)
            continue;
        const PvFrame *own = find_own (context, chain, n_frames);
        if (own == NULL)
            continue;
        of_function[own->function] += weights.of_stack[s];
        if (own != chain)
            of_inlined[own->function] += weights.of_stack[s];
        has_lines[own->function] |= own->line > 0;
        if (hottest == 0 || of_function[own->function] > of_function[hottest])
            hottest = own->function;
    }
    if (hottest == 0 || (double)of_function[hottest] < LEAST * (double)weights.total ||
        is_told (context, list, hottest, of_function[hottest]))
        return;
    g_autofree char *name = pv_finding_format_function (context, hottest);
    g_autofree char *share =
        pv_format_percent ((double)of_function[hottest], (double)weights.total);
    PvFinding finding = {
        .rule = pv_rule_hot_function.word,
        /* Translators: a function, a share, what it is a share of: "CPU time". */
        .title = g_strdup_printf (_ ("“%s” takes %s of %s by itself"), name, share,
                                  pv_finding_get_measure_title (profile, measure)),
        .detail = g_strjoin (
            " ",
            of_inlined[hottest] > 0
                ? _ ("What it calls is not counted, but what compilers inlined into it is.")
                : _ ("What it calls is not counted."),
            has_lines[hottest] ? _ ("Source shows which of its lines take it.") : NULL, NULL),
        .measure = measure,
        .amount = of_function[hottest],
        .page = has_lines[hottest] ? PV_FINDING_SOURCE : PV_FINDING_FUNCTIONS,
        .function = hottest,
        .module = context->symbols->functions[hottest].module,
        .options = g_new0 (char *, 1),
    };
    pv_finding_weights_judge (&weights, &finding);
    pv_array_push (list, finding);
}

const PvFindingRule pv_rule_hot_function = {
    .word = "hot-function",
    .find = find_hot_function,
};
