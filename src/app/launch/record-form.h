/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/launch/fetch-form.h"
#include "record/advice/checks.h"
#include "record/process/processes.h"
#include "record/process/programs.h"

/*
 * The rows of the record dialog: what to record, of which program, and how. Signals: "changed" when
 * the plan changes, "activated" when Return was pressed in the form of a service. Rows that open a
 * page activate "record.choose-process", "record.choose-program" and "record.choose-events".
 */
#define PV_TYPE_RECORD_FORM (pv_record_form_get_type ())
G_DECLARE_FINAL_TYPE (PvRecordForm, pv_record_form, PV, RECORD_FORM, AdwBin)

/* Free the result. ret_fault: what is missing or wrong, for the user, or NULL; g_free () it. */
PvRecordPlan *pv_record_form_make_plan (PvRecordForm *form, char **ret_fault);
/* Applies text typed into spin buttons; before recording. */
void pv_record_form_commit (PvRecordForm *form);
/* Ignores the plan's output. */
void pv_record_form_set_plan (PvRecordForm *form, const PvRecordPlan *plan);

/* Proposes a plan's program, unless the user has entered one. */
void pv_record_form_propose (PvRecordForm *form, const PvRecordPlan *plan);

/* The form of a service, if chosen; NULL: the form makes a plan. */
PvFetchForm *pv_record_form_get_fetch_form (PvRecordForm *form);

void pv_record_form_set_process (PvRecordForm *form, const PvRunningProcess *process);
void pv_record_form_set_program (PvRecordForm *form, const PvProgram *program);
/* The machine has no hardware counters, so perf's default event is its clock. */
void pv_record_form_set_no_counters (PvRecordForm *form);
void pv_record_form_set_events (PvRecordForm *form, const char *const *events);
/* Borrowed; NULL: perf's default. */
const char *const *pv_record_form_get_events (PvRecordForm *form);
void pv_record_form_apply (PvRecordForm *form, PvFix fix);

/* Remembers the choices, without the program: its environment may be secret, and launches have a
 * list. */
void pv_record_form_save (PvRecordForm *form);
void pv_record_form_restore (PvRecordForm *form);
void pv_record_form_focus (PvRecordForm *form);
