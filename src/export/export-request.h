/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"
#include "export/options/export-options.h"

/* One profile to write, and how. All is borrowed. */
typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    const PvQuery *query;
    const PvExportOptions *options;
    const char *name;   /* of the opened files, for people */
    GPtrArray *sources; /* gets the paths of files of which the source code was written; or NULL */
    GString *remarks;   /* gets what a table has no place for, in sentences for people; or NULL */
} PvExportRequest;

/* "perf.data: cycles"; g_free () it. */
char *pv_export_make_title (const PvExportRequest *request);
/* The tree without nodes. NULL with an error; if nothing matches the query, with that. */
PvCallTree *pv_export_build_stacks (const PvExportRequest *request, PvJob *job, GError **error);
/* The error that the query leaves nothing, with the reason and the ways on. */
void pv_export_set_nothing_matches (const PvExportRequest *request, GError **error);
