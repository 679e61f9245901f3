/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"
#include "app/summary/summary-rows.h"

/*
 * The section “What Stands Out” of the page Summary: what rules find in the answer of the document,
 * in a worker, and buttons that show it. Main loop only.
 */
typedef struct PvSummaryFindings PvSummaryFindings;

/* page: the widget that the section is on; like the section, it lives longer. */
PvSummaryFindings *pv_summary_findings_new (GtkWidget *page, PvSection *section,
                                            PvDocument *document);
void pv_summary_findings_free (PvSummaryFindings *findings);

/* The document has another answer. Nothing is shown of what is still recorded or named. */
void pv_summary_findings_update (PvSummaryFindings *findings);
