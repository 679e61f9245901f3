/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/model/profile/program-facts.h"
#include "record/plan/machine.h"
#include "record/plan/plan.h"

/*
 * What stands in the way of a plan, or would make for a poor profile, in words a person
 * understands, before anything is started. Reads /proc and looks for programs in PATH, and opens
 * events to see whether the kernel lets us; it may take some 10 ms, so run it in a worker thread.
 */

typedef enum {
    PV_ADVICE_HINT,    /* the profile would be poorer than need be */
    PV_ADVICE_WARNING, /* it will work, but not as asked (cpu-clock instead of cycles) */
    PV_ADVICE_FAULT,   /* it cannot work */
} PvAdviceLevel;

/* What a button beside the advice can do. */
typedef enum {
    PV_FIX_NONE,
    PV_FIX_USE_DWARF, /* plan->call_graph = PV_CALL_GRAPH_DWARF */
    PV_FIX_USE_FP,
    PV_FIX_USE_LBR,
    PV_FIX_USE_JEMALLOC, /* plan->kind = PV_RECORD_JEMALLOC */
    PV_FIX_USE_PKEXEC,   /* plan->is_privileged = true */
    PV_FIX_COPY,         /* text is a command to be copied */
} PvFix;

typedef struct {
    PvAdviceLevel level;
    const char *id; /* "no-perf", "paranoid", ...: for tests and for telling old from new; static */
    char *title;    /* short, translated */
    char *text;     /* a sentence or two, translated */
    PvFix fix;
    char *command; /* of PV_FIX_COPY and _USE_PKEXEC: exactly what would be run; or NULL */
} PvAdvice;

/* Of PvAdvice, faults first; empty if all is well. facts: of plan->argv[0] or of the process's
 * program. Free with g_ptr_array_unref (). */
GPtrArray *pv_record_check (const PvRecordPlan *plan, const PvProgramFacts *facts);
