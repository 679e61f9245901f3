/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "export/report/report-table.h"

/* Writes --print=counters: a row for each counter. Fails if the profile has none; then nothing was
 * passed to the sink. */
bool pv_counter_report_write (const PvReport *report, GError **error);
