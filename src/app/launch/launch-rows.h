/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "record/plan/plan.h"
#include "record/process/programs.h"

/* Rows of the record form: which program to launch, and how. Emits "changed", and activates
 * "record.choose-program". */
#define PV_TYPE_LAUNCH_ROWS (pv_launch_rows_get_type ())
G_DECLARE_FINAL_TYPE (PvLaunchRows, pv_launch_rows, PV, LAUNCH_ROWS, AdwBin)

/* Fills in the launch part of a plan. Returns what is missing or wrong, for the user, or NULL;
 * g_free () it. */
char *pv_launch_rows_take (PvLaunchRows *rows, PvRecordPlan *plan);
/* Two programs have rows of their own: without the command, only what is for both is shown and
 * filled in. */
void pv_launch_rows_set_command_shown (PvLaunchRows *rows, gboolean is_shown);
/* Shows a plan that launches, and has a command or two programs. */
void pv_launch_rows_fill (PvLaunchRows *rows, const PvRecordPlan *plan);
void pv_launch_rows_set_program (PvLaunchRows *rows, const PvProgram *program);
gboolean pv_launch_rows_has_command (PvLaunchRows *rows);
/* Selects the command, so that typing replaces it. */
void pv_launch_rows_select_command (PvLaunchRows *rows);
/* Applies text typed into spin buttons. */
void pv_launch_rows_commit (PvLaunchRows *rows);
void pv_launch_rows_focus (PvLaunchRows *rows);
