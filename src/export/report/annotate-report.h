/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "export/report/report-table.h"

/* Writes what the lines of the functions cost that --function names, with their source where it is
 * found; by address their instructions. False with a GError if there is no such function, or none
 * of their code; then nothing was passed to the sink. */
bool pv_annotate_report_write (const PvReport *report, GError **error);
