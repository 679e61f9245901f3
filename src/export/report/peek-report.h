/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"
#include "core/write/table.h"
#include "export/options/export-options.h"

/*
 * Writes each function of the tree that --function matches between its callers, above it, and its
 * callees, below it; the functions in the order of the table of all. With a signed measure,
 * comparisons have a column for each side, other profiles amounts with signs. False with a GError
 * if there is no such function.
 */
bool pv_peek_report_write (const PvExportOptions *options, const PvCallTree *tree, PvFormat format,
                           const PvTextSink *sink, GError **error);
