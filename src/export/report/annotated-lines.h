/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/analyze/code/line-costs.h"
#include "export/options/export-options.h"
#include "export/report/source-cache.h"

/* Contents of --print=annotate and --view=source: lines of the functions that --function names, and
 * the places of their source. */

/* The tree that has their costs; it has no nodes. NULL with an error. */
PvCallTree *pv_annotated_build_tree (const PvProfile *profile, const PvSymbolTable *symbols,
                                     const PvQuery *query, GError **error);

/* Their costs in the query's measure; with sides, of both: the base, then the new one. Functions
 * that cost most, or changed most, come first. NULL with an error, such as that none matches. */
PvLineCosts *pv_annotated_find_lines (const PvCallTree *tree, const char *expression,
                                      GError **error);

/* Source files that were looked for; those that are not here are fetched with --debuginfod. */
typedef struct {
    const PvExportOptions *options;
    const PvCallTree *tree;
    PvSourceCache cache;
    bool are_servers_gone; /* they do not answer */
} PvAnnotatedSources;

void pv_annotated_sources_init (PvAnnotatedSources *sources, const PvExportOptions *options,
                                const PvCallTree *tree);
void pv_annotated_sources_clear (PvAnnotatedSources *sources);
/* The source of a file that the function's module knows; NULL if it is not found. file may be NULL.
 * It is valid until the next call. */
const PvSourceFile *pv_annotated_sources_get (PvAnnotatedSources *sources, PvFunctionId function,
                                              const char *file);
/* Heading above a file's lines: its place, or that it is not found. g_free () it. */
char *pv_annotated_make_heading (const PvSourceFile *source, const char *file);
