/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"
#include "record/advice/checks.h"
#include "record/advice/machine-state.h"
#include "record/plan/turns.h"

/*
 * What makes runs of a program differ though its code does not: advice before several runs, and
 * what happened during each. It is advice only: nothing is changed on the machine.
 */

/* False if what is counted does not depend on speed, as allocations. */
bool pv_run_conditions_matter (const PvRecordPlan *plan);

/* Array of PvAdvice, as of pv_record_check (); empty if the plan counts what does not depend on
 * speed, such as allocations. Blocks for 0.2 s to see what else runs. root: see machine-state.h. */
GPtrArray *pv_run_conditions_foresee (const PvRecordPlan *plan, const char *root);
/* The same of facts; others: the share of all CPUs' time that other programs use, < 0: unknown. */
GPtrArray *pv_run_conditions_foresee_with (const PvMachineState *state, double others);

typedef struct {
    PvSide side;
    unsigned round;       /* from 0 */
    const char *program;  /* as in PvTurn: borrowed from the turns; NULL: there is only one */
    double others;        /* share of all CPUs' time that other programs used; < 0: unknown */
    double stolen;        /* the same of what the host gave to others; < 0: unknown */
    uint64_t n_throttled; /* because of heat, on the CPU that was it most often */
    unsigned mean_khz;    /* mean frequency of the fastest CPU; 0: unknown */
    bool is_on_battery;   /* when it began */
} PvRunConditions;

/* Watches the machine during a run, in a thread that looks at the frequency twice a second. */
typedef struct PvRunWatch PvRunWatch;

/* plan: as recorded; nothing is found of one that counts allocations. root is copied. */
PvRunWatch *pv_run_watch_start (const PvRecordPlan *plan, const char *root);
/* Frees it. The run has ended, and its processes are reaped. */
PvRunConditions pv_run_watch_end (PvRunWatch *watch, const PvTurn *turn);

/* The parts of a run that are known from before and after it. counts_others: what is recorded is a
 * program of ours, not one that runs already. */
void pv_run_conditions_set_ticks (PvRunConditions *run, const PvTicks *before, const PvTicks *after,
                                  bool counts_others);
void pv_run_conditions_set_heat (PvRunConditions *run, const GArray *before, const GArray *after);

/* Finds events during runs that may have made them differ; array of PvAdvice, may be empty. */
GPtrArray *pv_run_conditions_check (const PvRunConditions *runs, unsigned n_runs);
/* The same as sentences, for notes of the comparison; NULL-terminated, g_strfreev () it. */
char **pv_run_conditions_list (const PvRunConditions *runs, unsigned n_runs);
