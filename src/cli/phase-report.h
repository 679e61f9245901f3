/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options.h"
#include "core/analyze/tree/call-tree.h"
#include "core/write/table.h"

/*
 * What --print=phases prints: stretches of time with like stacks, see phases.h. query must be made
 * for this profile. On failure, nothing was passed to sink.
 */
bool pv_phase_report_write (const PvOptions *options, const PvProfile *profile,
                            const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                            const PvTextSink *sink, GError **error);
