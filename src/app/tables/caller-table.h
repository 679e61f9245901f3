/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"
#include "app/tables/row-table.h"
#include "core/analyze/columns/column.h"

/*
 * A table of the callers of a function, or of its callees, sorted by any of its columns. A row that
 * is activated selects its function in the document. Main loop only.
 */
#define PV_TYPE_CALLER_TABLE (pv_caller_table_get_type ())
G_DECLARE_FINAL_TYPE (PvCallerTable, pv_caller_table, PV, CALLER_TABLE, GObject)

/* title: of the names, translated. key: where the settings keep the columns. Release it before the
 * view is gone. */
PvCallerTable *pv_caller_table_new (GtkColumnView *view, PvDocument *document, const char *title,
                                    const char *key);
/* Copies n rows, whose functions are those of the tree; shares are of total. Without rows, both may
 * be NULL. */
void pv_caller_table_set (PvCallerTable *table, const PvCallTree *tree, const PvCaller *callers,
                          uint32_t n, uint64_t total);
/* After the search has changed. */
void pv_caller_table_update_marks (PvCallerTable *table);

/* The places of n callers in the order of a column: PV_COLUMN_TOTAL for their weights or changes,
 * PV_COLUMN_CALLS for how many calls there were, or words; those with equal values stay in the
 * order they have. hides_noise: without those. g_free () it. Blocking; any thread. */
uint32_t *pv_callers_sort (const PvCallTree *tree, const PvCaller *callers, uint32_t n,
                           const PvColumn *column, gboolean is_descending, gboolean hides_noise,
                           uint32_t *ret_n);
