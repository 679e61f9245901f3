/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/model/profile/symbols.h"
#include "core/write/table.h"
#include "export/options/export-options.h"

/* Writes what the lines of the functions cost that --function names, with their source where it is
 * found; by address their instructions. False with a GError if there is no such function, or none
 * of their code; then nothing was passed to sink. */
bool pv_annotate_report_write (const PvExportOptions *options, const PvProfile *profile,
                               const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                               const PvTextSink *sink, GError **error);
