/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/code/line-costs.h"
#include "core/write/table.h"
#include "export/options/export-options.h"

/* Writes what the instructions of the first n_functions of functions cost, with their lines where
 * these are known. False with a GError if the code of none is found; then nothing was passed to
 * sink. */
bool pv_machine_report_write (const PvExportOptions *options, const PvCallTree *tree,
                              const PvLineCosts *functions, uint32_t n_functions, PvFormat format,
                              const PvTextSink *sink, GError **error);
