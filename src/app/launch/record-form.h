/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/launch/fetch-form.h"
#include "record/advice/checks.h"
#include "record/process/processes.h"
#include "record/process/programs.h"

/*
 * What to record, of which program, and how: the rows of the recording dialog, and the plan that
 * they say. The signal "changed" tells that the plan is another one, "activated" that Return
 * was pressed in the form of a service. Rows that lead to a page of
 * their own activate "record.choose-process", "record.choose-program" and "record.choose-events".
 */
#define PV_TYPE_RECORD_FORM (pv_record_form_get_type ())
G_DECLARE_FINAL_TYPE (PvRecordForm, pv_record_form, PV, RECORD_FORM, AdwBin)

/* Free it. ret_fault: what is missing or wrong, for people, g_free () it; NULL: nothing that the
 * form knows of. */
PvRecordPlan *pv_record_form_make_plan (PvRecordForm *form, char **ret_fault);
/* Takes over what has been typed into numbers: before it is recorded. */
void pv_record_form_commit (PvRecordForm *form);
/* Output is not taken over. */
void pv_record_form_set_plan (PvRecordForm *form, const PvRecordPlan *plan);

/* The program of a plan, for the launch that may be asked for; not if the user has typed one. */
void pv_record_form_propose (PvRecordForm *form, const PvRecordPlan *plan);

/* The form of a service instead of a plan; NULL: something is to be recorded. */
PvFetchForm *pv_record_form_get_fetch_form (PvRecordForm *form);

void pv_record_form_set_process (PvRecordForm *form, const PvRunningProcess *process);
void pv_record_form_set_program (PvRecordForm *form, const PvProgram *program);
/* The machine has no hardware counters, so that the default event is another one. */
void pv_record_form_set_no_counters (PvRecordForm *form);
void pv_record_form_set_events (PvRecordForm *form, const char *const *events);
/* NULL: the default; borrowed. */
const char *const *pv_record_form_get_events (PvRecordForm *form);
void pv_record_form_apply (PvRecordForm *form, PvRemedy remedy);

/* All but the program, which is in the list of launches: environments may be secret. */
void pv_record_form_save (PvRecordForm *form);
void pv_record_form_restore (PvRecordForm *form);
void pv_record_form_focus (PvRecordForm *form);
