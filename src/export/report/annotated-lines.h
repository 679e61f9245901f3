/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/analyze/code/line-costs.h"
#include "export/options/export-options.h"
#include "export/report/kept-sources.h"

/* What --print=annotate and --view=source show: lines of the functions that --function names, and
 * where their source is. */

/* The tree that their costs are of; it has no nodes. NULL with an error. */
PvCallTree *pv_annotated_build_tree (const PvProfile *profile, const PvSymbolTable *symbols,
                                     const PvQuery *query, GError **error);

/* Their costs in the query's measure, of one with sides in both: the base, then what is new. The
 * functions are in order: those that cost most, or have changed most, first. NULL with an error,
 * such as that none matches. */
PvLineCosts *pv_annotated_find_lines (const PvCallTree *tree, const char *expression,
                                      GError **error);

/* Source files that were looked for; those that are not here are fetched with --debuginfod. */
typedef struct {
    const PvExportOptions *options;
    const PvCallTree *tree;
    PvKeptSources kept;
    bool are_servers_gone; /* they do not answer */
} PvAnnotatedSources;

void pv_annotated_sources_init (PvAnnotatedSources *sources, const PvExportOptions *options,
                                const PvCallTree *tree);
void pv_annotated_sources_clear (PvAnnotatedSources *sources);
/* The source of a file that the function's module knows; NULL if it is not found. file may be NULL.
 * It is valid until the next call. */
const PvSourceFile *pv_annotated_sources_get (PvAnnotatedSources *sources, PvFunctionId function,
                                              const char *file);
/* What stands above its lines: where it is, or that it is not found. g_free () it. */
char *pv_annotated_make_heading (const PvSourceFile *source, const char *file);
