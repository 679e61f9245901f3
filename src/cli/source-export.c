/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/source-export.h"

#include <glib/gi18n.h>

#include "core/analyze/code/source-listing.h"
#include "export/report/annotated-lines.h"
#include "export/report/print-parts.h"
#include "render/export/source-export.h"

enum { MAX_FUNCTIONS = 20 };

static const PvSourceText *
find_source (void *user, const PvFunctionLines *function, const char *file, char **ret_heading)
{
    const PvSourceFile *source = pv_annotated_sources_get (user, function->function, file);
    *ret_heading = pv_annotated_make_heading (source, file);
    return source != NULL ? source->text : NULL;
}

static bool
has_lines (const PvLineCosts *costs)
{
    for (uint32_t f = 0; f < costs->n_functions; f++)
        for (uint32_t i = 0; i < costs->functions[f].n_lines; i++)
            if (costs->functions[f].lines[i].line > 0)
                return true;
    return false;
}

static bool export(const PvOptions *options, const PvCallTree *tree, const PvLineCosts *costs,
                   const char *title, const char *path, GError **error)
{
    PvCostColumns columns;
    PvAnnotatedSources sources;
    g_autofree char *scale = pv_print_describe_scale (&options->out, tree);
    pv_cost_columns_init (&columns, tree->profile, tree->query.measure, NULL);
    pv_cost_columns_add (&columns, costs);
    pv_annotated_sources_init (&sources, &options->out, tree);
    PvSourceListing *listing = pv_source_listing_new (
        tree, costs, &columns, MAX_FUNCTIONS, NULL,
        pv_export_source_count_rows (options->out.height), find_source, &sources);
    for (size_t i = 0; i < listing->rows.len; i++)
        if (listing->rows.data[i].costs != NULL)
            pv_cost_columns_fit (&columns, listing->rows.data[i].costs);
    bool ok = pv_export_source (path, listing, options->out.width, options->out.height, 1, scale,
                                title, error);
    pv_source_listing_free (listing);
    pv_annotated_sources_clear (&sources);
    pv_cost_columns_clear (&columns);
    return ok;
}

bool
pv_cli_export_source (const PvOptions *options, const PvProfile *profile,
                      const PvSymbolTable *symbols, const PvQuery *query, const char *title,
                      const char *path, GError **error)
{
    g_assert (options != NULL && options->out.function != NULL && title != NULL && path != NULL);
    g_autoptr (PvCallTree) tree = pv_annotated_build_tree (profile, symbols, query, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvLineCosts) costs = pv_annotated_find_lines (tree, options->out.function, error);
    if (costs == NULL)
        return false;
    if (query->measure >= profile->n_measures || !has_lines (costs)) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                     _ ("--view=source: there is no line information for “%s”"),
                     options->out.function);
        return false;
    }
    return export(options, tree, costs, title, path, error);
}
