/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/load/load-runs.h"
#include "core/write/table.h"
#include "export/options/export-options.h"

/* Writes --print=runs: a row for each function, with its amounts over the runs; those that move
 * farthest beyond noise come first. Text has only self amounts; tsv and json also have totals. */
void pv_runs_report_write (const PvExportOptions *options, const PvLoadedRuns *loaded,
                           PvFormat format, const PvTextSink *sink);
