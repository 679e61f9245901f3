/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"
#include "core/base/job.h"
#include "core/model/profile/symbols.h"

/*
 * Findings: sentences about the program that stand out in a profile, each with its figures, how
 * sure they are, and the way to see them. They are made by rules, one file each, and say only what
 * was measured. Notes are about the recording; findings never are.
 */
enum { PV_MAX_FINDINGS = 5 };

typedef struct {
    const char *rule; /* word for machines, "allocator"; static */
    char *title;      /* one sentence for people, with figures, without a full stop; translated */
    char *detail;     /* sentences on how to find out more, or what to do; or NULL */
    PvMeasureId measure;
    uint64_t amount; /* in the measure's unit */
    double cost;     /* amount as a share of all that the query keeps of the measure, 0 to 1 */
    /* Standard error of cost, with the bursts of the recording taken into account; 0: it is exact,
     * or nothing is known. */
    double error;
    uint64_t n_samples; /* that amount is estimated from; 0: exact, or not known */
    /* What shows it: options of a query that are added to those of the asked one ("--focus=…",
     * NULL-terminated, maybe none; pv_query_words_add_all () reads them), one of PV_FINDING_PAGES,
     * and what to select there; 0: nothing. */
    char **options;
    const char *page;
    PvFunctionId function;
    PvModuleId module;
} PvFinding;

/* Values of PvFinding.page. */
#define PV_FINDING_SUMMARY   "summary"
#define PV_FINDING_GRAPH     "graph"
#define PV_FINDING_FUNCTIONS "functions"
#define PV_FINDING_TIMELINE  "timeline"

typedef struct {
    unsigned n_findings; /* PV_MAX_FINDINGS at most; highest cost first */
    PvFinding *findings;
} PvFindings;

/*
 * Finds what stands out in the samples that the query keeps: its time range, threads, processes,
 * processors, labels, focus and ignore count; other transforms do not, nor do grouping and
 * inversion. The measure counts where it is one of CPU time, else the profile's first of these.
 * Nothing is below 2 % of its measure, or below twice its standard error. Blocking: for a worker;
 * one pass over stacks, and one over samples. NULL when cancelled or if an expression is invalid.
 */
PvFindings *pv_findings_compute (const PvProfile *profile, const PvSymbolTable *symbols,
                                 const PvQuery *query, PvJob *job);
void pv_findings_free (PvFindings *findings);

/* "1,234 samples: 27.1–29.3 % in 95 of 100 recordings", for people; NULL: the figure is exact, or
 * nothing is known. g_free () it. Any thread. */
char *pv_finding_describe_certainty (const PvFinding *finding);

/* The words of all rules, in the order of the table; NULL-terminated, static strings. g_free () the
 * array. */
const char **pv_findings_list_rules (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFindings, pv_findings_free)
