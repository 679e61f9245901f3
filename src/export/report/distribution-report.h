/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "export/report/report-table.h"

/*
 * Writes --print=distributions: in text a table for each, else one table of all their buckets and
 * rows. Fails if the profile has none; then nothing was passed to the sink.
 */
bool pv_distribution_report_write (const PvReport *report, GError **error);
