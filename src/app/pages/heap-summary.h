/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pages/summary-rows.h"
#include "app/work/work.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree.h"

/*
 * What the page Summary has of a heap: figures of the whole recording, and the functions that weigh
 * most by several measures, as the document's query restricts them. A worker finds them.
 */
enum { PV_HEAP_SUMMARY_N_TOPS = 4, PV_HEAP_SUMMARY_MAX_TOP = 5 };

typedef struct {
    PvMeasureId measure;
    uint64_t total;
    uint32_t n_rows;
    PvFunctionRow rows[PV_HEAP_SUMMARY_MAX_TOP];
} PvHeapTop;

typedef struct {
    PvCallTree *tree; /* that it was made from */
    uint64_t leaked_bytes;
    uint64_t suppressed_bytes;
    PvHeapTop tops[PV_HEAP_SUMMARY_N_TOPS];
} PvHeapSummary;

void pv_heap_summary_free (PvHeapSummary *summary);

/* PvCallTree to PvHeapSummary. */
PvTask *pv_heap_summary_task_new (gpointer owner, PvTaskDone done);

void pv_heap_summary_add_totals (PvSection *section, const PvHeapSummary *summary);

/* Rows of the top with that number; each has its function and measure as the data "function" and
 * "measure". The title of the group and what it says below are set too. */
void pv_heap_summary_add_top (PvSection *section, const PvHeapSummary *summary, unsigned number);
