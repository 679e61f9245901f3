/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/write/summary.h"

/* Shared by summary*.c. */
typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    const PvSummaryStacks *stacks; /* NULL for a heap */
    const PvSummaryHeap *heap;     /* NULL otherwise */
    const PvSummaryFigure *figures;
    uint32_t n_figures;
    uint32_t n_processes;
    uint32_t n_threads;
    PV_ARRAY (PvModuleId) modules; /* only those with samples */
} PvSummary;

typedef void (*PvSummaryNoteFunc) (const PvProfile *profile, const PvNote *note, void *user);

const char *pv_summary_symbols_name (PvModuleSymbols state);
const char *pv_summary_severity_name (PvNoteSeverity severity);
const char *pv_summary_module_of_note (const PvProfile *profile, const PvNote *note);
void pv_summary_each_note (const PvProfile *profile, const PvSymbolTable *symbols,
                           PvSummaryNoteFunc func, void *user);
uint64_t pv_summary_peak_bytes (const PvHeap *heap);
uint64_t pv_summary_peak_ns (const PvHeap *heap);
/* Total as in tables: without suppressed leaks, and net for a signed measure. */
int64_t pv_summary_total (const PvSummary *summary, PvMeasureId measure);

void pv_summary_append_json (const PvSummary *summary, GString *out);
