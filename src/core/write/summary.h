#pragma once

#include <glib.h>

#include "core/model/profile.h"
#include "core/model/symbols.h"
#include "core/write/table.h"

/* How far stacks reach, as analyze measured it; in samples of all sets. */
typedef struct {
    uint64_t n_complete;
    uint64_t n_truncated;
    uint64_t n_unknown;
    const char *cause;  /* translated, or NULL */
    const char *advice; /* translated, or NULL */
} PvSummaryStacks;

/* What was recorded and how well, of the whole recording. Text is for people; json has the keys
 * format, measures (name, unit, samples, total), samples, lost, skipped_records, processes, threads
 * (numbers), modules (path, build_id, debug_info), start_ns, duration_ns, stacks, notes; tsv has
 * the same plain facts as rows of key and value. */
void pv_write_summary (const PvProfile *profile, const PvSymbolTable *symbols,
                       const PvSummaryStacks *stacks, PvFormat format, GString *out);

/* The notes of profile and symbols: severity, module, text. */
void pv_write_notes (const PvProfile *profile, const PvSymbolTable *symbols, PvFormat format,
                     GString *out);
