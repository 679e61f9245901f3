/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/summary/summary-rows.h"
#include "app/work/work.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree.h"

/*
 * The heap part of the page Summary: totals of the recording, and the top functions by several
 * measures within the document's query. Made in a worker.
 */
enum { PV_HEAP_SUMMARY_N_TOPS = 4, PV_HEAP_SUMMARY_MAX_TOP = 5 };

typedef struct {
    PvMeasureId measure;
    uint64_t total;
    uint32_t n_rows;
    PvFunctionRow rows[PV_HEAP_SUMMARY_MAX_TOP];
} PvHeapTop;

typedef struct {
    PvCallTree *tree; /* it was made from this one */
    uint64_t leaked_bytes;
    uint64_t suppressed_bytes;
    PvHeapTop tops[PV_HEAP_SUMMARY_N_TOPS];
} PvHeapSummary;

void pv_heap_summary_free (PvHeapSummary *summary);

/* The task takes a PvCallTree reference and gives a PvHeapSummary. */
PvTask *pv_heap_summary_task_new (gpointer owner, PvTaskDone done);

void pv_heap_summary_add_totals (PvSection *section, const PvHeapSummary *summary);

/* Adds the rows of tops[number] and sets the title and note of the section. Each row has its
 * function and measure as data "function" and "measure". */
void pv_heap_summary_add_top (PvSection *section, const PvHeapSummary *summary, unsigned number);
