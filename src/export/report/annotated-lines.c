/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/annotated-lines.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "core/model/profile/function-match.h"
#include "core/model/profile/matcher.h"

PvCallTree *
pv_annotated_build_tree (const PvProfile *profile, const PvSymbolTable *symbols,
                         const PvQuery *query, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL);
    PvQuery by_line;
    pv_query_copy (&by_line, query);
    by_line.granularity = PV_BY_LINE;
    by_line.is_inverted = false;
    PvCallTree *tree = pv_call_tree_build_stacks (profile, symbols, &by_line, NULL, NULL, error);
    pv_query_clear (&by_line);
    return tree;
}

/* Marks functions by id; free with g_free (). NULL with an error if the expression is bad. */
static bool *
match_functions (const PvSymbolTable *symbols, const char *expression, GError **error)
{
    g_autoptr (PvMatcher) matcher = pv_matcher_new (expression, false, error);
    if (matcher == NULL)
        return NULL;
    bool *is_match = g_new0 (bool, MAX (symbols->n_functions, 1));
    for (uint32_t f = 1; f < symbols->n_functions; f++)
        is_match[f] = pv_function_matches (symbols, f, matcher);
    if (!pv_matcher_gave_up (matcher))
        return is_match;
    pv_matcher_set_slow (expression, error);
    g_free (is_match);
    return NULL;
}

static double
get_change (const PvFunctionLines *function)
{
    return ABS ((double)(int64_t)(function->costs[PV_SIDE_NEW].total -
                                  function->costs[PV_SIDE_BASE].total));
}

/* Most changed first, then by id. */
static int
compare_changes (const void *a, const void *b)
{
    const PvFunctionLines *left = a, *right = b;
    double left_change = get_change (left), right_change = get_change (right);
    if (left_change != right_change)
        return left_change > right_change ? -1 : 1;
    return left->function < right->function ? -1 : 1;
}

PvLineCosts *
pv_annotated_find_lines (const PvCallTree *tree, const char *expression, GError **error)
{
    g_assert (tree != NULL && expression != NULL);
    const PvPair *pair = pv_profile_get_pair (tree->profile, tree->query.measure);
    g_autofree bool *is_wanted = match_functions (tree->symbols, expression, error);
    if (is_wanted == NULL)
        return NULL;
    g_autoptr (PvLineCosts) costs =
        pv_line_costs_build (tree, pair != NULL ? pair->of_side : &tree->query.measure,
                             pair != NULL ? PV_N_SIDES : 1, is_wanted, 0, NULL, error);
    if (costs == NULL)
        return NULL;
    if (costs->n_functions == 0) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("no function matches “%s”"),
                     expression);
        return NULL;
    }
    if (pair != NULL)
        qsort (costs->functions, costs->n_functions, sizeof (PvFunctionLines), compare_changes);
    return g_steal_pointer (&costs);
}

/* Sources */

void
pv_annotated_sources_init (PvAnnotatedSources *sources, const PvExportOptions *options,
                           const PvCallTree *tree)
{
    g_assert (sources != NULL && options != NULL && tree != NULL);
    *sources = (PvAnnotatedSources){.options = options, .tree = tree};
    pv_source_cache_init (&sources->cache);
}

void
pv_annotated_sources_clear (PvAnnotatedSources *sources)
{
    g_assert (sources != NULL);
    pv_source_cache_clear (&sources->cache);
}

/* Fetches it if it is not here and the user wants that. */
static PvSourceFile *
find_source (PvAnnotatedSources *sources, PvModuleId module, const char *binary, const char *file)
{
    const PvProfile *profile = sources->tree->profile;
    const PvExportOptions *options = sources->options;
    PvSourceFile *source =
        pv_source_file_find_of_module (profile, &options->symbols, file, module, binary, NULL);
    if (source == NULL && options->fetch_source != NULL && !sources->are_servers_gone &&
        pv_source_file_can_fetch (profile, file, module, binary) &&
        options->fetch_source (profile, file, module, binary, &sources->are_servers_gone))
        source =
            pv_source_file_find_of_module (profile, &options->symbols, file, module, binary, NULL);
    return source;
}

const PvSourceFile *
pv_annotated_sources_get (PvAnnotatedSources *sources, PvFunctionId function, const char *file)
{
    g_assert (sources != NULL && function < sources->tree->symbols->n_functions);
    const PvSymbolTable *symbols = sources->tree->symbols;
    const PvSourceFile *source;
    if (file == NULL || *file == '\0')
        return NULL;
    if (pv_source_cache_find (&sources->cache, file, &source))
        return source;
    PvModuleId module = symbols->functions[function].module;
    const char *binary = module < symbols->n_modules ? symbols->file_of_module[module] : NULL;
    return pv_source_cache_add (&sources->cache, file, find_source (sources, module, binary, file));
}

char *
pv_annotated_make_heading (const PvSourceFile *source, const char *file)
{
    if (file == NULL || *file == '\0')
        return g_strdup (_ ("File unknown"));
    if (source == NULL)
        return g_strdup_printf (_ ("%s (not found; say where with --map-path or --symbol-path)"),
                                file);
    if (source->is_fetched)
        return g_strdup_printf (_ ("%s (from a debuginfod server)"), file);
    if (source->is_newer)
        return g_strdup_printf (_ ("%s (newer than the program)"), source->path);
    return g_strdup (source->path);
}
