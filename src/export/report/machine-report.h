/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/code/line-costs.h"
#include "export/report/report-table.h"

/* Writes what the instructions of the first n_functions of functions cost, with their lines where
 * these are known. The report's query is by the measure that stands for both sides. False with a
 * GError if the code of none is found; then nothing was passed to the sink. */
bool pv_machine_report_write (const PvReport *report, const PvCallTree *tree,
                              const PvLineCosts *functions, uint32_t n_functions, GError **error);
