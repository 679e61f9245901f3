/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"
#include "core/write/table.h"
#include "export/options/export-options.h"

/* Writes --print=counters: a row for each counter. Fails if the profile has none; then nothing was
 * passed to sink. */
bool pv_counter_report_write (const PvExportOptions *options, const PvProfile *profile,
                              PvFormat format, const PvTextSink *sink, GError **error);
