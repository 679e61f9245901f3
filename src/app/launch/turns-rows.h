/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "record/plan/plan.h"
#include "record/process/programs.h"

/* Rows of the record form: which two programs to record in turn, and how often. Emits "changed",
 * and activates "record.choose-program". */
#define PV_TYPE_TURNS_ROWS (pv_turns_rows_get_type ())
G_DECLARE_FINAL_TYPE (PvTurnsRows, pv_turns_rows, PV, TURNS_ROWS, AdwBin)

/* Fills in the programs, their arguments and the number of runs. Returns what is missing or wrong,
 * for the user, or NULL; g_free () it. */
char *pv_turns_rows_take (PvTurnsRows *rows, PvRecordPlan *plan);
/* Shows a plan of two programs. */
void pv_turns_rows_fill (PvTurnsRows *rows, const PvRecordPlan *plan);
/* For the program whose button was pressed last. */
void pv_turns_rows_set_program (PvTurnsRows *rows, const PvProgram *program);
gboolean pv_turns_rows_has_programs (PvTurnsRows *rows);
/* Applies text typed into spin buttons. */
void pv_turns_rows_commit (PvTurnsRows *rows);
void pv_turns_rows_focus (PvTurnsRows *rows);
/* Remembers how often, but not the programs, which have the list of launches. */
void pv_turns_rows_save (PvTurnsRows *rows);
void pv_turns_rows_restore (PvTurnsRows *rows);
