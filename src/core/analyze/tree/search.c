/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"
#include "core/model/profile/matcher.h"

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

typedef struct {
    PvSearchResult *result;
    PvMatcher *matcher;
    const PvSymbolTable *symbols;
    bool *is_module_match;
    bool *is_seen;    /* functions */
    size_t n_matches; /* on the path */
} Search;

static bool
match_function (const Search *search, const PvFunction *function)
{
    return search->is_module_match[function->module] ||
           pv_matcher_match (search->matcher, function->name) ||
           pv_matcher_match (search->matcher, function->short_name) ||
           pv_matcher_match (search->matcher, function->file);
}

static void
enter_frame (void *data, PvStackFrame *path, size_t depth)
{
    Search *search = data;
    PvSearchResult *result = search->result;
    PvFunctionId f = path[depth].function;
    if (!search->is_seen[f]) {
        search->is_seen[f] = true;
        result->is_match[f] = f != 0 && match_function (search, &search->symbols->functions[f]);
        result->n_functions += result->is_match[f];
    }
    search->n_matches += result->is_match[f];
}

/* Frames below a match add nothing: its total includes their stacks. */
static void
leave_frame (void *data, PvStackFrame *path, size_t depth)
{
    Search *search = data;
    if (search->result->is_match[path[depth].function] && --search->n_matches == 0)
        search->result->weight += path[depth].total;
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
    static const PvStackVisitor visitor = {enter_frame, leave_frame, NULL};
    g_autofree bool *is_module_match = match_modules (tree->profile, matcher);
    g_autofree bool *is_seen = g_new0 (bool, MAX (symbols->n_functions, 1));
    Search search = {result, matcher, symbols, is_module_match, is_seen, 0};
    if (!pv_stack_walk (tree, &visitor, &search, job))
        return result;
    for (PvNodeId n = 1; n < tree->n_nodes; n++)
        result->n_nodes += result->is_match[tree->function_of_node[n]];
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

typedef struct {
    PvFunctionId function;
    uint64_t best;
    PvTreeAnchor anchor;
} FindAnchor;

static void
pass_frame (void *data, PvStackFrame *path, size_t depth)
{
}

static void
compare_frame (void *data, PvStackFrame *path, size_t depth)
{
    FindAnchor *find = data;
    const PvStackFrame *frame = &path[depth];
    if (frame->function != find->function || frame->total <= find->best)
        return;
    find->best = frame->total;
    find->anchor = (PvTreeAnchor){frame->stack, frame->place, PV_ANCHOR_KEEP};
}

bool
pv_call_tree_find_anchor (const PvCallTree *tree, PvFunctionId function, PvJob *job,
                          PvTreeAnchor *ret_anchor)
{
    g_assert (tree != NULL && function != 0 && ret_anchor != NULL);
    static const PvStackVisitor visitor = {pass_frame, compare_frame, NULL};
    FindAnchor find = {.function = function};
    g_autofree bool *is_wanted = g_new0 (bool, tree->symbols->n_functions);
    is_wanted[function] = true;
    if (!pv_stack_walk_through (tree, is_wanted, &visitor, &find, job) || find.best == 0)
        return false;
    *ret_anchor = find.anchor;
    return true;
}
