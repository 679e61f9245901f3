/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"
#include "core/write/table.h"
#include "export/options/export-options.h"

/*
 * --print for signed measures. Rows of a comparison have the amounts of both sides and the change;
 * those of a profile with values below zero, or of the change of a series, have net amounts. Rows
 * with the largest changes come first.
 */

/* True if the tree's measure is signed. */
bool pv_compare_report_applies (const PvCallTree *tree);

/* top, tree, callers or callees. The tree has all nodes that are to be printed. False, with nothing
 * passed to the sink, with a GError about --function. */
bool pv_compare_report_write (PvPrint print, const PvExportOptions *options, const PvCallTree *tree,
                              PvFormat format, const PvTextSink *sink, GError **error);

/* Writes what comes before the tables of such a tree: in text what is compared, in tsv the line
 * that
 * --header asks for, in json the first members of an object. */
void pv_compare_report_begin (const PvExportOptions *options, const PvCallTree *tree,
                              PvFormat format, const PvTextSink *sink);

/* --print=summary of a comparison: what changed most, in sentences and a table. */
bool pv_compare_report_write_summary (const PvExportOptions *options, const PvCallTree *tree,
                                      PvFormat format, const PvTextSink *sink);
