/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "export/report/report-table.h"

/* Writes what --print=findings prints: what stands out in the program, highest cost first. False
 * with an error: the query cannot be answered. */
bool pv_findings_report_write (const PvReport *report, GError **error);
