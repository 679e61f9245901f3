/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "record/advice/checks.h"

/* Rows of the record form: options of the recorder in use. Emits "changed", and activates
 * "record.choose-events". */
#define PV_TYPE_RECORDER_ROWS (pv_recorder_rows_get_type ())
G_DECLARE_FINAL_TYPE (PvRecorderRows, pv_recorder_rows, PV, RECORDER_ROWS, AdwBin)

/* The values of all rows, visible or not. */
typedef struct {
    PvCallGraph call_graph;
    int stack_bytes;
    int frequency_hz;
    int buffer_mib; /* 0: automatic */
    int interval_mib;
    gboolean is_privileged;
} PvRecorderChoice;

/* Shows the rows of a recorder; hides itself if the recorder has no rows. */
void pv_recorder_rows_set_kind (PvRecorderRows *rows, PvRecordKind kind);

/* Fills in a plan by its kind, or shows one; rows of other recorders stay as they are. */
void pv_recorder_rows_take (PvRecorderRows *rows, PvRecordPlan *plan);
void pv_recorder_rows_fill (PvRecorderRows *rows, const PvRecordPlan *plan);

PvRecorderChoice pv_recorder_rows_get (PvRecorderRows *rows);
void pv_recorder_rows_set (PvRecorderRows *rows, const PvRecorderChoice *choice);

/* events may be NULL: perf's default. */
void pv_recorder_rows_set_events (PvRecorderRows *rows, const char *const *events);
/* The machine has no hardware counters, so perf's default event is its clock. */
void pv_recorder_rows_set_no_counters (PvRecorderRows *rows);
const char *const *pv_recorder_rows_get_events (PvRecorderRows *rows); /* borrowed */

void pv_recorder_rows_apply (PvRecorderRows *rows, PvFix fix);
/* Applies text typed into spin buttons. */
void pv_recorder_rows_commit (PvRecorderRows *rows);
