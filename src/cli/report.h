/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "cli/options.h"
#include "core/analyze/tree/call-tree.h"
#include "core/write/table.h"

/*
 * What --print prints. query must fit the profile. Where that fails, nothing was handed on.
 */
bool pv_report_write (PvPrint print, const PvOptions *options, const PvProfile *profile,
                      const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                      const PvTextSink *sink, GError **error);

/* Writes the tree's stacks to path. Errors are of G_FILE_ERROR. */
bool pv_report_export_folded (const PvCallTree *tree, const char *path, GError **error);
