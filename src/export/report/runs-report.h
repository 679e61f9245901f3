/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/load/load-runs.h"
#include "core/write/table.h"
#include "export/options/export-options.h"

/* What --print=runs prints: a row for each function, with its line over the runs; those that move
 * farthest beyond noise come first. In text of what functions have themselves; tsv and json also
 * have totals. */
void pv_runs_report_write (const PvExportOptions *options, const PvLoadedRuns *loaded,
                           PvFormat format, const PvTextSink *sink);
