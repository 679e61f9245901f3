/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/source/run-list.h"
#include "core/analyze/compare/run-moves.h"
#include "render/chart/run-line.h"

/*
 * A cell of a table: the line of a function over the runs. The tool tip describes the run
 * under the pointer. The signal "chosen" has the clicked run. Main loop only.
 */
#define PV_TYPE_RUN_LINE_CELL (pv_run_line_cell_get_type ())
G_DECLARE_FINAL_TYPE (PvRunLineCell, pv_run_line_cell, PV, RUN_LINE_CELL, GtkWidget)

GtkWidget *pv_run_line_cell_new (void);
/* marked: the run that the keyboard is at, or PV_POINT_NONE. read NULL: shows nothing. */
void pv_run_line_cell_show (PvRunLineCell *cell, PvReadRuns *read, uint32_t function,
                            gboolean is_self, const PvRunMove *move, uint32_t marked);

/* "nightly-9.data: 7.8 s, +3.9 s (+98 %) from nightly-8.data"; g_free () it. */
char *pv_run_describe_point (const PvRuns *runs, const uint64_t *line, uint32_t run);
