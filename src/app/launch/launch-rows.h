/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "record/plan/plan.h"
#include "record/process/programs.h"

/* Which program is launched, and how: rows of the recording form. The signal "changed" tells of
 * each change of what they say. Activates "record.choose-program". */
#define PV_TYPE_LAUNCH_ROWS (pv_launch_rows_get_type ())
G_DECLARE_FINAL_TYPE (PvLaunchRows, pv_launch_rows, PV, LAUNCH_ROWS, AdwBin)

/* Into a plan that launches. What is missing or wrong, for people, g_free () it; NULL: nothing. */
char *pv_launch_rows_take (PvLaunchRows *rows, PvRecordPlan *plan);
/* From a plan that launches and has a command. */
void pv_launch_rows_fill (PvLaunchRows *rows, const PvRecordPlan *plan);
void pv_launch_rows_set_program (PvLaunchRows *rows, const PvProgram *program);
gboolean pv_launch_rows_has_command (PvLaunchRows *rows);
/* So that what is typed next replaces it. */
void pv_launch_rows_select_command (PvLaunchRows *rows);
/* Takes over what has been typed into numbers. */
void pv_launch_rows_commit (PvLaunchRows *rows);
void pv_launch_rows_focus (PvLaunchRows *rows);
