/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"
#include "core/write/table.h"
#include "export/options/export-options.h"

/*
 * Writes what --print prints. query must be made for this profile. On failure, nothing was passed
 * to sink. remarks, which may be NULL, gets lines for people that only text has a place for.
 */
bool pv_report_write (PvPrint print, const PvExportOptions *options, const PvProfile *profile,
                      const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                      const PvTextSink *sink, GString *remarks, GError **error);

/* Writes the tree's stacks to path, in folded format. False with a G_FILE_ERROR. */
bool pv_report_export_folded (const PvCallTree *tree, const char *path, GError **error);

/* The only function with weight in the tree that --function means. 0 with a GError if none is
 * (G_OPTION_ERROR_FAILED), or several are, which it names (G_OPTION_ERROR_BAD_VALUE). */
PvFunctionId pv_report_find_function (const PvCallTree *tree, const char *expression,
                                      GError **error);
