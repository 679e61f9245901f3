/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/model/profile/program-facts.h"
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
    PV_REMEDY_NONE,
    PV_REMEDY_USE_DWARF, /* plan->call_graph = PV_CALL_GRAPH_DWARF */
    PV_REMEDY_USE_FP,
    PV_REMEDY_USE_LBR,
    PV_REMEDY_USE_JEMALLOC, /* plan->kind = PV_RECORD_JEMALLOC */
    PV_REMEDY_USE_PKEXEC,   /* plan->is_privileged = true */
    PV_REMEDY_COPY,         /* text is a command to be copied */
} PvRemedy;

typedef struct {
    PvAdviceLevel level;
    const char *id; /* "no-perf", "paranoid", ...: for tests and for telling old from new; static */
    char *title;    /* short, translated */
    char *text;     /* a sentence or two, translated */
    PvRemedy remedy;
    char *command; /* of PV_REMEDY_COPY and _USE_PKEXEC: exactly what would be run; or NULL */
} PvAdvice;

/* Of PvAdvice, faults first; empty if all is well. facts: of plan->argv[0] or of the process's
 * program. Free with g_ptr_array_unref (). */
GPtrArray *pv_record_check (const PvRecordPlan *plan, const PvProgramFacts *facts);

/* What this machine has and what it lets us do; looked for at every call, as the user may follow
 * the advice meanwhile, and kept for good. About a millisecond; any thread. */
typedef struct {
    bool has_hardware_counters;   /* cycles */
    bool has_lbr;                 /* as stacks */
    bool may_count;               /* our own processes, as far as they run in user space */
    bool may_count_kernel;        /* the same, in the kernel too */
    bool may_count_system;        /* all processes */
    bool is_filtered;             /* a container's filter forbids it: more rights would not help */
    bool may_trace_all;           /* look into any process: CAP_SYS_PTRACE */
    int paranoid;                 /* kernel.perf_event_paranoid; -1 .. 4 */
    int ptrace_scope;             /* kernel.yama.ptrace_scope; 0 .. 3 */
    unsigned mlock_kib;           /* kernel.perf_event_mlock_kb; 0: unknown */
    unsigned max_frequency_hz;    /* kernel.perf_event_max_sample_rate; 0: unknown */
    bool is_kernel_hidden;        /* kptr_restrict, for us: no names for the kernel's addresses */
    bool lacks_heaptrack_library; /* heaptrack is installed, but not where its library should be */
    const char *perf;             /* path; NULL: not installed. The wrapper that only tells which
                                     package is missing for this kernel counts as not installed */
    const char *missing_perf_option; /* that a plan needs and perf lacks, "--control"; NULL: none,
                                        or not looked for, which pv_record_check () does */
    const char *heaptrack;           /* path of heaptrack's preload library; NULL: not installed */
    const char *gdb;
    const char *pkexec;
} PvRecordMachine;
const PvRecordMachine *pv_record_machine_get (void);
