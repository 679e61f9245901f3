/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/source/source-spec.h"
#include "record/plan/turns.h"

/*
 * Records two programs in turn, run after run. Main loop only.
 */
typedef struct PvTurnsRun PvTurnsRun;

typedef enum {
    PV_TURNS_RECORDING,
    PV_TURNS_JUDGING, /* finds out how sure the change is by now */
    PV_TURNS_ENDING,  /* the run that is on is being dropped */
    PV_TURNS_DONE,    /* there are enough, or it was stopped */
    PV_TURNS_FAILED,  /* a run failed, or its program did */
} PvTurnsState;

typedef struct {
    PvTurnsState state;
    PvTurn turn;         /* the run that is on, or was on last */
    unsigned n_done;     /* runs of both */
    bool can_compare;    /* each program has been recorded at least once */
    double percent;      /* to which the change of everything is known; INFINITY: it is not */
    double seconds;      /* of the run that is on; < 0: it is being prepared */
    const char *failure; /* a sentence, valid until the next change; or NULL */
    const char *output;  /* the end of what its program printed; or NULL */
} PvTurnsStatus;

/* Calls changed about four times a second once it is started. It may be freed in that. plan is
 * copied. */
PvTurnsRun *pv_turns_run_new (const PvRecordPlan *plan, gpointer owner,
                              void (*changed) (gpointer owner));
void pv_turns_run_start (PvTurnsRun *run);
/* Drops the run that is on; the recordings that were made stay. */
void pv_turns_run_free (PvTurnsRun *run);

PvTurnsStatus pv_turns_run_get (const PvTurnsRun *run);
/* Drops the run that is on; DONE follows. */
void pv_turns_run_stop (PvTurnsRun *run);
/* The comparison of what was recorded, with what happened meanwhile as remarks; if there is
 * something of each program. Free it. */
PvSourceSpec *pv_turns_run_make_comparison (const PvTurnsRun *run);
