/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"

/*
 * Documents that compare two others, or two parts of one, see source-comparison.h. Each is a
 * document of its own: a document that it was made of may be closed. Main loop only.
 */

/* True if it is a comparison, also while that is being made. */
gboolean pv_document_is_comparison (PvDocument *document);
/* True if it can be a side: it is completely loaded, and no comparison itself. */
gboolean pv_document_can_compare (PvDocument *document);

/* True if it was recorded, the recording has ended, and it can be a side of a comparison with a new
 * recording of the same. */
gboolean pv_document_can_record_again (PvDocument *document);

/* Adds what the document shows to the spec of a comparison, as pv_source_spec_add_profile (): the
 * profile and which samples of it count, in all its time, called like the document; or, unless name
 * is NULL, from start_ns to end_ns, called so. */
void pv_document_add_to_comparison (PvDocument *document, PvSourceSpec *comparison, PvSide side,
                                    const char *name, uint64_t start_ns, uint64_t end_ns);
/* The spec of a comparison of two time ranges of what the document shows. */
PvSourceSpec *pv_document_compare_ranges (PvDocument *document, uint64_t base_start_ns,
                                          uint64_t base_end_ns, uint64_t new_start_ns,
                                          uint64_t new_end_ns);
/* While both exist: the comparison is made again when the other has all names of its profile. */
void pv_document_follow_names (PvDocument *comparison, PvDocument *other);

/* The comparison has a run that is live (PvComparedRun), which `recording` records: compares again
 * as that is renewed, one after the other, and at last with all that was recorded. Meanwhile the
 * base is scaled to equal totals, unless the user wants another scale. Before it is loaded. */
void pv_document_follow_recording (PvDocument *comparison, PvDocument *recording);
/* The recording that it follows, until all of that is compared; NULL: it follows no recording. */
PvDocument *pv_document_get_recording (PvDocument *document);

/* For comparisons only. */

void pv_document_swap_sides (PvDocument *comparison);
/* The next three: for comparisons with a list of runs (spec->run_list). */

/* The query's options for each run, as in PvQueryWords; g_strfreev () it. Only while something is
 * shown. */
char **pv_document_list_run_words (PvDocument *comparison);
/* Reads all runs again, and asks them what the query and the scale ask now. */
void pv_document_read_runs (PvDocument *comparison);
/* The spec of a comparison of two of the runs that were read. */
PvSourceSpec *pv_document_compare_runs (PvDocument *comparison, uint32_t base, uint32_t newer);

/* function: as in PvComparisonView. If it cannot be scaled so, a message says why. Before something
 * is shown and afterwards. */
void pv_document_set_scale (PvDocument *comparison, PvScale scale, const char *function);
/* Sets the amount that is the width of boxes: that of a side, or of both together (PV_N_SIDES). */
void pv_document_set_width_side (PvDocument *comparison, PvSide side);
/* Shows a flame graph of each side beside the other, in place of one of both; FALSE: one of both
 * again. */
void pv_document_set_side_by_side (PvDocument *comparison, gboolean is_side_by_side);
/* True if that is shown, or will be as soon as something is. */
gboolean pv_document_is_side_by_side (PvDocument *document);
/* PV_N_SIDES: both; also if the measure is not compared. */
PvSide pv_document_get_width_side (PvDocument *comparison);
