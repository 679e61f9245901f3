/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "core/analyze/tree/call-tree-private.h"
#include "core/model/profile/matcher.h"

enum { NODES_PER_CHECK = 4096 };

static PvMatcher *
compile_search (const char *text)
{
    PvMatcher *matcher = pv_matcher_new (text, true, NULL);
    if (matcher == NULL) {
        g_autofree char *literal = g_regex_escape_string (text, -1);
        matcher = pv_matcher_new (literal, true, NULL);
    }
    return matcher;
}

static bool *
match_modules (const PvProfile *profile, PvMatcher *matcher)
{
    bool *is_match = g_new0 (bool, MAX (profile->n_modules, 1));
    for (PvModuleId m = 1; m < profile->n_modules; m++)
        is_match[m] = pv_matcher_match (matcher, profile->modules[m].name) ||
                      pv_matcher_match (matcher, profile->modules[m].path);
    return is_match;
}

/* Nodes below a match add nothing: its total includes their stacks. */
static uint64_t
weigh_matches (const PvCallTree *tree, const bool *is_match)
{
    g_autofree bool *is_covered = g_new0 (bool, tree->n_nodes);
    uint64_t weight = 0;
    for (PvNodeId n = 1; n < tree->n_nodes; n++) {
        bool is_below = is_covered[tree->parent_of_node[n]];
        is_covered[n] = is_below || is_match[tree->function_of_node[n]];
        if (is_covered[n] && !is_below)
            weight += tree->total[n];
    }
    return weight;
}

PvSearchResult *
pv_search (const PvCallTree *tree, const char *text, PvJob *job)
{
    g_assert (tree != NULL && text != NULL);
    const PvSymbolTable *symbols = tree->symbols;
    PvSearchResult *result = g_new0 (PvSearchResult, 1);
    result->is_match = g_new0 (bool, MAX (symbols->n_functions, 1));
    g_autoptr (PvMatcher) matcher = *text != '\0' ? compile_search (text) : NULL;
    if (matcher == NULL)
        return result;
    g_autofree bool *is_module_match = match_modules (tree->profile, matcher);
    g_autofree bool *is_seen = g_new0 (bool, MAX (symbols->n_functions, 1));
    const PvCallTree *top_down = pv_call_tree_top_down (tree); /* has every function */
    for (PvNodeId n = 1; n < top_down->n_nodes; n++) {
        PvFunctionId f = top_down->function_of_node[n];
        if (n % NODES_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return result;
        if (is_seen[f] || f == 0)
            continue;
        const PvFunction *function = &symbols->functions[f];
        is_seen[f] = true;
        result->is_match[f] = is_module_match[function->module] ||
                              pv_matcher_match (matcher, function->name) ||
                              pv_matcher_match (matcher, function->short_name) ||
                              pv_matcher_match (matcher, function->file);
        result->n_functions += result->is_match[f];
    }
    for (PvNodeId n = 1; n < tree->n_nodes; n++)
        result->n_nodes += result->is_match[tree->function_of_node[n]];
    result->weight = weigh_matches (top_down, result->is_match);
    result->is_incomplete = pv_matcher_gave_up (matcher);
    return result;
}

void
pv_search_result_free (PvSearchResult *result)
{
    if (result == NULL)
        return;
    g_free (result->is_match);
    g_free (result);
}

PvNodeId
pv_call_tree_find_heaviest (const PvCallTree *tree, PvFunctionId function)
{
    g_assert (tree != NULL);
    PvNodeId heaviest = PV_NODE_NONE;
    for (PvNodeId node = 1; node < tree->n_nodes; node++) {
        if (tree->function_of_node[node] == function &&
            (heaviest == PV_NODE_NONE || tree->total[node] > tree->total[heaviest]))
            heaviest = node;
    }
    return heaviest;
}
