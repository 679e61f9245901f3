/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"
#include "core/write/table.h"
#include "export/options/export-options.h"

/*
 * Writes --print=wakers: the threads that woke waiting threads, and from which functions. query
 * must be made for this profile. On failure, nothing was passed to sink.
 */
bool pv_event_report_write_wakers (const PvExportOptions *options, const PvProfile *profile,
                                   const PvSymbolTable *symbols, const PvQuery *query,
                                   PvFormat format, const PvTextSink *sink, GError **error);

/* Writes --print=marks: the samples of tracepoints with their fields, or, if the options say so,
 * sums of a field. */
bool pv_event_report_write_marks (const PvExportOptions *options, const PvProfile *profile,
                                  const PvSymbolTable *symbols, const PvQuery *query,
                                  PvFormat format, const PvTextSink *sink, GError **error);

/* Writes --print=syscalls: the system calls of each thread. */
bool pv_event_report_write_calls (const PvExportOptions *options, const PvProfile *profile,
                                  const PvSymbolTable *symbols, const PvQuery *query,
                                  PvFormat format, const PvTextSink *sink, GError **error);
