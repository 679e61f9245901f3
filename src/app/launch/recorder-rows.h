/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "record/advice/checks.h"

/* How it is recorded: rows of the recording form, those of the recorder that is meant. The signal
 * "changed" tells of each change of what they say. Activates "record.choose-events". */
#define PV_TYPE_RECORDER_ROWS (pv_recorder_rows_get_type ())
G_DECLARE_FINAL_TYPE (PvRecorderRows, pv_recorder_rows, PV, RECORDER_ROWS, AdwBin)

/* What they say, all of them. */
typedef struct {
    PvCallGraph call_graph;
    int stack_bytes;
    int frequency_hz;
    int interval_mib;
    gboolean is_privileged;
} PvRecorderChoice;

/* Whether there is anything to choose is whether they are visible. */
void pv_recorder_rows_set_kind (PvRecorderRows *rows, PvRecordKind kind);

/* Into a plan that has its kind, and from one; the rows of other recorders stay as they are. */
void pv_recorder_rows_take (PvRecorderRows *rows, PvRecordPlan *plan);
void pv_recorder_rows_fill (PvRecorderRows *rows, const PvRecordPlan *plan);

PvRecorderChoice pv_recorder_rows_get (PvRecorderRows *rows);
void pv_recorder_rows_set (PvRecorderRows *rows, const PvRecorderChoice *choice);

/* NULL: the default. */
void pv_recorder_rows_set_events (PvRecorderRows *rows, const char *const *events);
/* The machine has no hardware counters, so that the default event is another one. */
void pv_recorder_rows_set_no_counters (PvRecorderRows *rows);
const char *const *pv_recorder_rows_get_events (PvRecorderRows *rows); /* borrowed */

void pv_recorder_rows_apply (PvRecorderRows *rows, PvRemedy remedy);
/* Takes over what has been typed into numbers. */
void pv_recorder_rows_commit (PvRecorderRows *rows);
