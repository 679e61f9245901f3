/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"
#include "core/write/table.h"

/* How far stacks reach, as analyze measured it; in samples of all sets. */
typedef struct {
    uint64_t n_complete;
    uint64_t n_truncated;
    uint64_t n_unknown;
    const char *cause;  /* translated, or NULL */
    const char *advice; /* translated, or NULL */
} PvSummaryStacks;

/* A function that memory was allocated in; strings are borrowed. */
typedef struct {
    PvMeasureId measure;
    uint64_t weight;
    const char *function;
    const char *label; /* for people, where the function's name is too long */
    const char *module;
} PvSummarySite;

/* What of a heap needs names, as analyze found it out. */
typedef struct {
    uint64_t leaked_bytes; /* without what is suppressed */
    uint64_t suppressed_bytes;
    const PvSummarySite *sites; /* by measure, the heaviest first; for text */
    uint32_t n_sites;
    unsigned max_width; /* of the table of sites, as of pv_table_set_max_width () */
} PvSummaryHeap;

/* What was recorded and how well, of the whole recording. Text is for people; json has the keys
 * format, measures (name, unit, unit_name where it is known, samples, total), samples, lost,
 * skipped_records, processes, threads (numbers), modules (path, build_id, debug_info), start_ns,
 * duration_ns, stacks, profiled_ns, period, comment, doc_url (text or null), dumps (name, time_ns,
 * recorded_at), labels (key, values: how many), notes; tsv has the same plain facts as rows
 * of key and value, the number of dumps, and "label.KEY" with the number of values.
 *
 * The trace of a heap, for which heap is not NULL, has besides allocations, temporary,
 * allocated_bytes, leaked_bytes, suppressed_bytes, peak_bytes, peak_ns, peak_rss_bytes (0: unknown)
 * and the answers is_exact (blocks are known by their addresses) and is_attached (true or false; in
 * tsv 1 or 0). Its samples are the stacks that allocate. Stacks of a heap are not judged: stacks is
 * then not looked at, null in json and not in tsv. Processes and threads are those it tells of. */
void pv_write_summary (const PvProfile *profile, const PvSymbolTable *symbols,
                       const PvSummaryStacks *stacks, const PvSummaryHeap *heap, PvFormat format,
                       GString *out);

/* The notes of profile and symbols: severity, module, text. */
void pv_write_notes (const PvProfile *profile, const PvSymbolTable *symbols, PvFormat format,
                     GString *out);
