/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"
#include "core/write/table.h"

typedef struct {
    uint64_t n_complete;
    uint64_t n_truncated;
    uint64_t n_broken;
    uint64_t n_unknown;
} PvSummaryStackCounts;

/* Completeness of stacks, as measured by analyze: samples of all sets, for scripts, and those of
 * one measure, which is what people see of it elsewhere. */
typedef struct {
    PvSummaryStackCounts all, of_measure;
    PvMeasureId measure;
    bool is_known;       /* the format tells how stacks of the measure ended */
    const char *cause;   /* translated sentence, or NULL if all is well */
    const char *advice;  /* what to do about it, translated; or NULL */
    uint64_t n_of_cause; /* samples of all sets for which it is the cause; 0: not known */
} PvSummaryStacks;

/* "12.3 % of the stacks: CAUSE"; the cause alone if it is not known of how many. Free with g_free
 * ().
 */
char *pv_summary_format_cause (const char *cause, uint64_t n_of_cause, uint64_t n_stacks);

/* A function that allocated memory; strings are borrowed. */
typedef struct {
    PvMeasureId measure;
    uint64_t weight;
    const char *function;
    const char *label; /* for text output if the function's name is too long */
    const char *module;
} PvSummarySite;

/* The facts about a heap that need names, as computed by analyze. */
typedef struct {
    uint64_t leaked_bytes; /* without suppressed_bytes */
    uint64_t suppressed_bytes;
    const PvSummarySite *sites; /* by measure, heaviest first; for text */
    uint32_t n_sites;
    unsigned max_width; /* of the table of sites, see pv_table_set_max_width () */
} PvSummaryHeap;

/* Value of a formula of measures for the whole profile, from analyze; strings are borrowed. */
typedef struct {
    const char *name;  /* for scripts */
    const char *title; /* for people, as the value is */
    const char *value;
    const char *plain; /* a number */
} PvSummaryFigure;

/* Writes what was recorded and how well, for the whole recording. Text is for people; json has the
 * keys format, measures (name, unit, unit_name if known, samples, total, which is new - base of a
 * signed one, and then the names of its sides, base and new), derived (the plain figures by their
 * names), samples, lost,
 * skipped_records, processes, threads (numbers), modules (path, build_id, debug_info), start_ns,
 * duration_ns, stacks, profiled_ns, period, comment, doc_url (text or null), dumps (name, time_ns,
 * recorded_at), labels (key, values: their number), notes; tsv has the same scalar facts as rows of
 * key and value, the number of dumps, "label.KEY" with the number of values, "derived.NAME", and
 * recorded_at or, if the file does not say, modified_at of the file. A duration_ns of 0 is unknown.
 *
 * A heap trace, for which heap is not NULL, also has allocations, temporary, allocated_bytes,
 * leaked_bytes, suppressed_bytes, peak_bytes, peak_ns, peak_rss_bytes (0: unknown) and the flags
 * is_exact (blocks are known by their addresses), is_attached, and is_cut (it ends before the
 * program did: leaked and peak are those so far); true or false, in tsv 1 or 0. Its samples are the
 * stacks that allocate. The completeness of its stacks is not measured: stacks is ignored, null in
 * json and missing in tsv. Processes are those that the trace mentions; threads are unknown, null
 * in json and missing in tsv.
 *
 * A profile joined of several files has their names, each measure that of its file, and no numbers
 * of samples, as it has sums of them; stacks is NULL, as it is unknown how complete they are. */
void pv_write_summary (const PvProfile *profile, const PvSymbolTable *symbols,
                       const PvSummaryStacks *stacks, const PvSummaryHeap *heap,
                       const PvSummaryFigure *figures, uint32_t n_figures, PvFormat format,
                       GString *out);

/* The facts of the text alone, for people: a title and its value in turn, NULL-terminated. Free
 * with g_strfreev (). */
char **pv_summary_list_facts (const PvProfile *profile, const PvSymbolTable *symbols,
                              const PvSummaryStacks *stacks, const PvSummaryHeap *heap);

/* The name of a unit in json and tsv: count, ns, bytes or byte_ms. */
const char *pv_summary_unit_name (PvUnit unit);

/* Writes the notes of profile and symbols: severity, module, text. */
void pv_write_notes (const PvProfile *profile, const PvSymbolTable *symbols, PvFormat format,
                     GString *out);
