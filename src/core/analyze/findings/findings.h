/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/findings/finding.h"
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

/* The words of all rules, in the order of the table; NULL-terminated, static strings. g_free () the
 * array. */
const char **pv_findings_list_rules (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFindings, pv_findings_free)
