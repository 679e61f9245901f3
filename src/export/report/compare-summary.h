/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "export/report/report-table.h"

/* Appends the sentences that say what changed most between the sides of a comparison. True if that
 * is all there is to print: in json. */
bool pv_compare_summary_append (const PvReport *report);
