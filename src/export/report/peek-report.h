/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "export/report/report-table.h"

/* --print=peek: each function that --function names, between its callers and its callees. The
 * report has a tree. False, with nothing passed to the sink, with a GError about --function. */
bool pv_peek_report_append (const PvReport *report, GError **error);
