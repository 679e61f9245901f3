/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "export/report/report-table.h"

/*
 * --print=top, callers and callees: functions, and the calls between them.
 */

/* All functions of the report's tree, heaviest or most changed first. */
void pv_function_report_append (const PvReport *report);
/* The same without a tree, for which pv_function_list_can_sum () must be true. Sets the report's
 * whole. False with an error: the query cannot be answered. */
bool pv_function_report_append_sums (PvReport *report, GError **error);
/* Callers or callees of the functions that --function names. False, with nothing passed to the
 * sink, with a GError about --function. */
bool pv_function_report_append_calls (const PvReport *report, GError **error);
