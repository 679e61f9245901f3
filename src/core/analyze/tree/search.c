/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tree/search.h"

#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"
#include "core/base/idmap.h"
#include "core/base/large.h"
#include "core/model/profile/matcher.h"
#include "core/model/profile/package.h"

enum { FUNCTIONS_PER_CHECK = 1 << 10, STACKS_PER_CHECK = 1 << 15 };

void
pv_search_term_copy (PvSearchTerm *ret_copy, const PvSearchTerm *term)
{
    g_assert (ret_copy != NULL && term != NULL && ret_copy != term);
    *ret_copy = *term;
    ret_copy->text = g_strdup (term->text);
}

void
pv_search_term_clear (PvSearchTerm *term)
{
    g_assert (term != NULL);
    g_free (term->text);
    *term = (PvSearchTerm){0};
}

bool
pv_search_term_equal (const PvSearchTerm *a, const PvSearchTerm *b)
{
    g_assert (a != NULL && b != NULL);
    return g_strcmp0 (a->text, b->text) == 0 && a->is_expression == b->is_expression &&
           a->in_full == b->in_full;
}

static PvMatcher *
compile_term (const PvSearchTerm *term, PvSubject *ret_subject, GError **error)
{
    const char *pattern = pv_subject_skip_prefix (term->text, ret_subject);
    if (term->is_expression)
        return pv_matcher_new (pattern, true, error);
    g_autofree char *literal = g_regex_escape_string (pattern, -1);
    return pv_matcher_new (literal, true, error);
}

/* Functions that match, in the tree or not: there are far fewer names than frames of stacks. */

typedef struct {
    const PvSearchTerm *term;
    const PvSymbolTable *symbols;
    PvMatcher *matcher;
    PvSubject subject;
    bool *is_module_match;
    PvIdMap match_of_file; /* by pointer: 0 unknown, 1 no, 2 yes */
} Names;

static bool *
match_modules (const PvProfile *profile, PvMatcher *matcher)
{
    bool *is_match = g_new0 (bool, MAX (profile->n_modules, 1));
    for (PvModuleId m = 1; m < profile->n_modules; m++)
        is_match[m] = pv_matcher_match (matcher, profile->modules[m].name) ||
                      pv_matcher_match (matcher, profile->modules[m].path);
    return is_match;
}

static bool
match_file (Names *names, const char *file)
{
    if (file == NULL)
        return false;
    uint32_t *known = pv_id_map_slot (&names->match_of_file, (uint64_t)(uintptr_t)file);
    if (*known == 0)
        *known = pv_matcher_match (names->matcher, file) ? 2 : 1;
    return *known == 2;
}

static bool
match_name (const Names *names, const PvFunction *function)
{
    return pv_matcher_match (names->matcher, function->short_name) ||
           (function->label != function->short_name &&
            pv_matcher_match (names->matcher, function->label)) ||
           (names->term->in_full && function->name != function->short_name &&
            pv_matcher_match (names->matcher, function->name));
}

/* The name in the base of a comparison counts, too. */
static bool
match_former (const Names *names, PvFunctionId function)
{
    const PvFunction *former = pv_symbol_table_find_former (names->symbols, function);
    return former != NULL && match_name (names, former);
}

static bool
match_package (const Names *names, const PvFunction *function)
{
    size_t len;
    const char *start = pv_function_find_package (function, &len);
    g_autofree char *package = g_strndup (start, len);
    return len > 0 && pv_matcher_match (names->matcher, package);
}

static bool
match_function (Names *names, PvFunctionId f)
{
    const PvFunction *function = &names->symbols->functions[f];
    switch (names->subject) {
    case PV_SUBJECT_FUNCTION:
        return match_name (names, function) || match_former (names, f);
    case PV_SUBJECT_FILE:
        return match_file (names, function->file);
    case PV_SUBJECT_MODULE:
        return names->is_module_match[function->module];
    case PV_SUBJECT_PACKAGE:
        return match_package (names, function);
    default:
        return names->is_module_match[function->module] || match_file (names, function->file);
    }
}

/* False when cancelled. */
static bool
match_functions (Names *names, bool *is_match, bool *ret_has_match, PvJob *job)
{
    *ret_has_match = false;
    for (PvFunctionId f = 1; f < names->symbols->n_functions; f++) {
        if (f % FUNCTIONS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return false;
        is_match[f] = match_function (names, f);
        *ret_has_match |= is_match[f];
    }
    return true;
}

/* ret_subject: see PvSearchResult. */
static bool
find_names (const PvCallTree *tree, const PvSearchTerm *term, PvMatcher *matcher,
            PvSubject *ret_subject, bool *is_match, PvJob *job)
{
    bool has_prefix = *ret_subject != PV_SUBJECT_ANY, has_match;
    Names names = {
        .term = term,
        .symbols = tree->symbols,
        .matcher = matcher,
        .subject = has_prefix ? *ret_subject : PV_SUBJECT_FUNCTION,
        .is_module_match = match_modules (tree->profile, matcher),
    };
    bool is_done = match_functions (&names, is_match, &has_match, job);
    if (is_done && !has_match && !has_prefix) {
        names.subject = PV_SUBJECT_ANY;
        is_done = match_functions (&names, is_match, &has_match, job);
    }
    *ret_subject = names.subject;
    g_free (names.is_module_match);
    pv_id_map_clear (&names.match_of_file);
    return is_done;
}

/* The cost of matches. No stack is walked from its root: parents have lower ids than their
 * children, so a few passes over all stacks find those with a match. */

typedef struct {
    const PvCallTreeData *source;
    const PvTreeShape *shape;
    PvStackFilter *filter; /* NULL: keeps all frames */
    PvSearchResult *result;
    bool *is_seen;            /* functions that match, in the tree */
    bool *is_location_wanted; /* has a function that matches */
    bool *is_used;            /* stacks that count, and those below them */
    bool *has_match;          /* stacks */
    uint32_t *state_of_stack; /* of the filter after its frames; NULL without */
} Pass;

/* Merged modules are functions that are in no location. */
static void
find_locations (Pass *pass)
{
    const PvSymbolTable *symbols = pass->shape->symbols;
    bool is_merged = false;
    for (PvFunctionId f = pass->shape->base_symbols->n_functions; f < symbols->n_functions; f++)
        is_merged |= pass->result->is_match[f];
    uint32_t n_locations = pass->shape->profile->n_locations;
    pass->is_location_wanted = pv_new0_large (bool, MAX (n_locations, 1));
    for (PvLocationId l = 1; l < n_locations; l++) {
        uint32_t n_frames;
        const PvFrame *chain = pv_symbol_table_frames (symbols, l, &n_frames);
        bool is_wanted = is_merged;
        for (uint32_t i = 0; i < n_frames && !is_wanted; i++)
            is_wanted = pass->result->is_match[chain[i].function];
        pass->is_location_wanted[l] = is_wanted;
    }
}

static void
find_used (Pass *pass)
{
    const PvProfile *profile = pass->shape->profile;
    pass->is_used = pv_new0_large (bool, MAX (profile->n_stacks, 1));
    for (size_t i = 0; i < pass->source->n_counted; i++)
        pass->is_used[pass->source->counted[i].stack] = true;
    for (PvStackId s = profile->n_stacks; s > 1; s--)
        pass->is_used[profile->parent_of_stack[s - 1]] |= pass->is_used[s - 1];
}

/* True if a frame that the filter keeps matches. Reads all frames, to update the filter's state. */
static bool
read_frames (Pass *pass, PvStackId stack)
{
    uint32_t n_frames, state = 0;
    bool has_match = false;
    PvLocationId location = pass->shape->profile->location_of_stack[stack];
    const PvFrame *chain = pv_symbol_table_frames (pass->shape->symbols, location, &n_frames);
    uint32_t stop = pass->shape->query.no_inline && n_frames > 0 ? n_frames - 1 : 0;
    if (pass->filter != NULL)
        state = pass->state_of_stack[pass->shape->profile->parent_of_stack[stack]];
    for (uint32_t i = n_frames; i > stop; i--) {
        PvFunctionId function = chain[i - 1].function;
        if (pass->filter != NULL &&
            !pv_stack_filter_step (pass->filter, &state, &chain[i - 1], &function))
            continue;
        if (pass->result->is_match[function])
            has_match = pass->is_seen[function] = true;
    }
    if (pass->filter != NULL)
        pass->state_of_stack[stack] = state;
    return has_match;
}

/* False when cancelled. */
static bool
find_stacks (Pass *pass, PvJob *job)
{
    const PvProfile *profile = pass->shape->profile;
    pass->has_match = pv_new0_large (bool, MAX (profile->n_stacks, 1));
    if (pass->filter != NULL)
        pass->state_of_stack = pv_new0_large (uint32_t, MAX (profile->n_stacks, 1));
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        bool may_match = pass->is_location_wanted[profile->location_of_stack[s]];
        pass->has_match[s] = pass->has_match[profile->parent_of_stack[s]];
        if (pass->is_used[s] && (may_match || pass->filter != NULL))
            pass->has_match[s] |= read_frames (pass, s);
        if (s % STACKS_PER_CHECK == 1 && pv_job_is_cancelled (job))
            return false;
    }
    return true;
}

/* Functions that match but are not in the tree do not count. */
static void
add_up (Pass *pass)
{
    PvSearchResult *result = pass->result;
    for (size_t i = 0; i < pass->source->n_counted; i++)
        if (pass->has_match[pass->source->counted[i].stack])
            result->weight += pass->source->counted[i].weight;
    for (PvFunctionId f = 0; f < pass->shape->symbols->n_functions; f++) {
        result->is_match[f] &= pass->is_seen[f];
        result->n_functions += result->is_match[f];
    }
}

static bool
add_costs (PvSearchResult *result, const PvCallTree *tree, PvJob *job)
{
    const PvCallTreeData *source = pv_call_tree_data (pv_call_tree_top_down (tree));
    PvStackFilter *filter = source->shape->filter;
    Pass pass = {
        .source = source,
        .shape = source->shape,
        .filter = pv_stack_filter_is_identity (filter) ? NULL : filter,
        .result = result,
        .is_seen = g_new0 (bool, MAX (tree->symbols->n_functions, 1)),
    };
    find_locations (&pass);
    find_used (&pass);
    bool is_done = find_stacks (&pass, job);
    if (is_done)
        add_up (&pass);
    g_free (pass.is_seen);
    g_free (pass.is_location_wanted);
    g_free (pass.is_used);
    g_free (pass.has_match);
    g_free (pass.state_of_stack);
    return is_done;
}

PvSearchResult *
pv_search (const PvCallTree *tree, const PvSearchTerm *term, PvJob *job, GError **error)
{
    g_assert (tree != NULL && term != NULL && term->text != NULL);
    g_autoptr (PvSearchResult) result = g_new0 (PvSearchResult, 1);
    result->is_match = g_new0 (bool, MAX (tree->symbols->n_functions, 1));
    if (*pv_subject_skip_prefix (term->text, &result->subject) == '\0')
        return g_steal_pointer (&result);
    g_autoptr (PvMatcher) matcher = compile_term (term, &result->subject, error);
    if (matcher == NULL ||
        !find_names (tree, term, matcher, &result->subject, result->is_match, job) ||
        !add_costs (result, tree, job))
        return NULL;
    result->is_incomplete = pv_matcher_gave_up (matcher);
    return g_steal_pointer (&result);
}

bool *
pv_search_names (const PvCallTree *tree, const PvSearchTerm *term, PvJob *job)
{
    g_assert (tree != NULL && term != NULL && term->text != NULL);
    g_autofree bool *is_match = g_new0 (bool, MAX (tree->symbols->n_functions, 1));
    PvSubject subject;
    g_autoptr (PvMatcher) matcher = compile_term (term, &subject, NULL);
    if (matcher == NULL || !find_names (tree, term, matcher, &subject, is_match, job))
        return NULL;
    return g_steal_pointer (&is_match);
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
