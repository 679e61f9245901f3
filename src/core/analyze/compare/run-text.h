/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/compare/run-moves.h"

/* Texts about runs, translated. Any thread; they are freed with g_free (). */

/* "6 runs, cycles: 10.2 s → 12.4 s, +2.2 s (+21 %), as recorded". scale_function: the short name of
 * what is made equal; NULL for other scales. */
char *pv_runs_make_heading (const PvRuns *runs, PvScale scale, const char *scale_function);

/* "+0.4 s (+33 %)"; "new", "gone" in place of the percents. */
char *pv_run_move_format_change (const PvRuns *runs, const PvRunMove *move);
/* "+0.3 s at nightly-4.data"; "" if nothing changed. */
char *pv_run_move_format_step (const PvRuns *runs, const PvRunMove *move);
/* "from 1.2 s to 1.6 s, largest step +0.3 s at run 4, nightly-4.data". */
char *pv_run_move_describe (const PvRuns *runs, const PvRunMove *move);

/* The line in at most so many characters, from ▁ for 0 to █ for the most; of several runs that
 * share one, the most. */
char *pv_run_line_format (const uint64_t *amounts, uint32_t n_amounts, uint32_t max_characters);
