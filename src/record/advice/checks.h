/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/model/profile/profile.h"
#include "core/model/profile/program-facts.h"
#include "record/plan/machine.h"
#include "record/plan/plan.h"

/*
 * Checks before a recording starts what would prevent it or make a poor profile, and explains it to
 * the user. Reads /proc, searches PATH, and opens events to see whether the kernel permits them.
 * May take some 10 ms, so run it in a worker thread.
 */

typedef enum {
    PV_ADVICE_HINT,    /* the profile could be better */
    PV_ADVICE_WARNING, /* works, but not as requested (cpu-clock instead of cycles) */
    PV_ADVICE_FAULT,   /* cannot work */
} PvAdviceLevel;

/* Action of a button next to the advice. */
typedef enum {
    PV_FIX_NONE,
    PV_FIX_USE_DWARF, /* plan->call_graph = PV_CALL_GRAPH_DWARF */
    PV_FIX_USE_FP,
    PV_FIX_USE_LBR,
    PV_FIX_USE_JEMALLOC, /* plan->kind = PV_RECORD_JEMALLOC */
    PV_FIX_USE_PKEXEC,   /* plan->is_privileged = true */
    PV_FIX_COPY,         /* copies command */
} PvFix;

typedef struct {
    PvAdviceLevel level;
    const char *id; /* "no-perf", "paranoid", ...: identifies the advice; static */
    char *title;    /* short, translated */
    char *text;     /* a sentence or two, translated */
    PvFix fix;
    char *command; /* for PV_FIX_COPY and _USE_PKEXEC: the exact command; or NULL */
} PvAdvice;

/* Array of PvAdvice, faults first; may be empty. facts: of plan->argv[0] or of the process's
 * program. Free with g_ptr_array_unref (). */
GPtrArray *pv_record_check (const PvRecordPlan *plan, const PvProgramFacts *facts);

/* Joins the advice about each of two programs and about the machine (more), faults first: what is
 * the same of both is said once, what is not has the program in its title. Unrefs the arrays. */
GPtrArray *pv_advice_join (GPtrArray *advice_of_side[PV_N_SIDES], const char *const *programs,
                           GPtrArray *more);
