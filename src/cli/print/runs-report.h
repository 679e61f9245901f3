/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options/options.h"
#include "core/load/load-runs.h"
#include "core/write/table.h"

/* What --print=runs prints: a row for each function, with its line over the runs; those that move
 * farthest beyond noise come first. In text of what functions have themselves; tsv and json also
 * have totals. */
void pv_runs_report_write (const PvOptions *options, const PvLoadedRuns *loaded, PvFormat format,
                           const PvTextSink *sink);
