/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stacks are visited as the tree that they are, so that deep ones are read once: where a function
 * is on the path for the first time too often, all that is on top is of deep recursion.
 */
#include <glib/gi18n-lib.h>

#include "core/analyze/findings/finding-weights.h"
#include "core/analyze/findings/rules.h"
#include "core/base/large.h"

enum { DEEP = 100, STACKS_PER_CHECK = 1 << 16 };

#define LEAST 0.05

typedef struct {
    uint64_t weight;        /* with all that is on top */
    PvStackId first_child;  /* 0: none */
    PvStackId next_sibling; /* 0: none */
} Branch;

typedef struct {
    uint64_t deep; /* weight of stacks that have the function too often */
    uint32_t depth, highest;
} Recursion;

static bool
is_any_deep (const PvProfile *profile, const uint64_t *weight_of_stack)
{
    g_autofree uint32_t *depths = pv_new_large (uint32_t, MAX (profile->n_stacks, 1));
    depths[0] = 0;
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        depths[s] = depths[profile->parent_of_stack[s]] + 1;
        if (depths[s] > DEEP && weight_of_stack[s] > 0)
            return true;
    }
    return false;
}

static Branch *
grow_tree (const PvProfile *profile, const uint64_t *weight_of_stack)
{
    Branch *tree = pv_new0_large (Branch, MAX (profile->n_stacks, 1));
    for (PvStackId s = profile->n_stacks - 1; s > 0; s--) {
        tree[s].weight += weight_of_stack[s];
        if (tree[s].weight == 0)
            continue;
        Branch *parent = &tree[profile->parent_of_stack[s]];
        parent->weight += tree[s].weight;
        tree[s].next_sibling = parent->first_child;
        parent->first_child = s;
    }
    return tree;
}

static void
enter (const PvFindingContext *context, Recursion *functions, PvStackId stack, uint64_t weight)
{
    uint32_t n_frames;
    const PvFrame *chain = pv_symbol_table_frames (
        context->symbols, context->profile->location_of_stack[stack], &n_frames);
    for (uint32_t i = 0; i < n_frames; i++) {
        Recursion *function = &functions[chain[i].function];
        if (++function->depth == DEEP + 1)
            function->deep += weight;
        function->highest = MAX (function->highest, function->depth);
    }
}

static void
leave (const PvFindingContext *context, Recursion *functions, PvStackId stack)
{
    uint32_t n_frames;
    const PvFrame *chain = pv_symbol_table_frames (
        context->symbols, context->profile->location_of_stack[stack], &n_frames);
    for (uint32_t i = 0; i < n_frames; i++)
        functions[chain[i].function].depth--;
}

static bool
visit (const PvFindingContext *context, const Branch *tree, Recursion *functions)
{
    PvStackId stack = tree[0].first_child;
    for (uint64_t n_visited = 1; stack != 0; n_visited++) {
        if (n_visited % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (context->job))
            return false;
        enter (context, functions, stack, tree[stack].weight);
        PvStackId next = tree[stack].first_child;
        while (next == 0 && stack != 0) {
            leave (context, functions, stack);
            next = tree[stack].next_sibling;
            stack = context->profile->parent_of_stack[stack];
        }
        stack = next;
    }
    return true;
}

/* Where functions call each other, one of the user's own is told. */
static PvFunctionId
find_deepest (const PvFindingContext *context, const Recursion *functions)
{
    PvFunctionId best = 0;
    bool is_best_own = false;
    for (PvFunctionId f = 1; f < context->symbols->n_functions; f++) {
        if (functions[f].deep == 0 || context->symbols->functions[f].kind != PV_FUNCTION_NAMED)
            continue;
        const bool is_own = (pv_finding_get_traits (context, f) & PV_TRAIT_IS_OWN) != 0;
        const uint64_t deep = functions[f].deep, most = best != 0 ? functions[best].deep : 0;
        if (is_own == is_best_own ? deep > most : is_own ? deep >= most / 2 : deep / 2 > most) {
            best = f;
            is_best_own = is_own;
        }
    }
    return best;
}

static void
find_recursion (const PvFindingContext *context, PvFindingList *list)
{
    g_auto (PvFindingWeights) weights = {0};
    if (context->cpu_measure == UINT32_MAX ||
        !pv_finding_weights_init (&weights, context, context->cpu_measure) ||
        !is_any_deep (context->profile, weights.of_stack))
        return;
    g_autofree Branch *tree = grow_tree (context->profile, weights.of_stack);
    g_autofree Recursion *functions = g_new0 (Recursion, MAX (context->symbols->n_functions, 1));
    if (!visit (context, tree, functions))
        return;
    const PvFunctionId deepest = find_deepest (context, functions);
    if (deepest == 0 || (double)functions[deepest].deep < LEAST * (double)weights.total)
        return;
    g_autofree char *name = pv_finding_format_function (context, deepest);
    g_autofree char *share =
        pv_format_percent ((double)functions[deepest].deep, (double)weights.total);
    g_autofree char *highest = pv_format_count (functions[deepest].highest);
    PvFinding finding = {
        .rule = pv_rule_recursion.word,
        /* Translators: a function, a share, what it is a share of, a number of times. */
        .title = g_strdup_printf (
            _ ("“%s” is on the stack more than 100 times in %s of %s, up to "
               "%s times"),
            name, share, pv_finding_get_measure_title (context->profile, context->cpu_measure),
            highest),
        .detail = g_strdup (_ ("Recursion as deep as that needs much memory for the stack, and may "
                               "overflow it where the input is larger. Collapse Recursion shows "
                               "each function once.")),
        .measure = context->cpu_measure,
        .amount = functions[deepest].deep,
        .page = PV_FINDING_GRAPH,
        .function = deepest,
        .module = context->symbols->functions[deepest].module,
        .options = pv_finding_focus_on (context, deepest),
    };
    pv_finding_weights_judge (&weights, &finding);
    pv_array_push (list, finding);
}

const PvFindingRule pv_rule_recursion = {
    .word = "recursion",
    .find = find_recursion,
};
