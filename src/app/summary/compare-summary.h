/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"
#include "app/summary/summary-rows.h"

/* Sections of the page Summary for a comparison. Each function adds the rows of an empty section;
 * the document is ready. Main loop only. */

/* The largest changes: sentences that can be activated, whose functions are their data "function".
 * Adds nothing before these are known. */
void pv_compare_summary_add_changes (PvSection *section, PvDocument *document);
/* Amounts, samples and lengths of both sides, and how the base is scaled. */
void pv_compare_summary_add_sides (PvSection *section, PvDocument *document);
/* The amounts of the files that are joined, in all. */
void pv_compare_summary_add_joined (PvSection *section, const PvProfile *profile);
/* Where the sides come from. */
void pv_compare_summary_add_files (PvSection *section, PvDocument *document);
/* Warnings about how the sides were read. */
void pv_compare_summary_add_notes (PvSection *section, PvDocument *document);
