/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"
#include "core/write/table.h"
#include "export/options/export-options.h"

/* --print=summary of a profile that is no comparison. False with an error: the query cannot be
 * answered. */
bool pv_summary_report_append (const PvExportOptions *options, const PvProfile *profile,
                               const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                               GString *out, GError **error);
