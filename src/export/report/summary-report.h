/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "export/report/report-table.h"

/* --print=summary of a profile that is no comparison. False with an error: the query cannot be
 * answered. */
bool pv_summary_report_append (const PvReport *report, GError **error);
