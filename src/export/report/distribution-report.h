/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"
#include "core/write/table.h"
#include "export/options/export-options.h"

/*
 * Writes --print=distributions: in text a table for each, else one table of all their buckets and
 * rows. Fails if the profile has none; then nothing was passed to sink.
 */
bool pv_distribution_report_write (const PvExportOptions *options, const PvProfile *profile,
                                   PvFormat format, const PvTextSink *sink, GError **error);
