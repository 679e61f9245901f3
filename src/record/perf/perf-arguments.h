/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "record/plan/machine.h"
#include "record/plan/plan.h"

/*
 * The command line of `perf record` for a plan. perf always attaches to an existing process or the
 * whole system, and starts on command: "-D -1", "--control".
 */
typedef struct {
    const PvRecordPlan *plan;
    const char *perf;   /* path */
    const char *pkexec; /* path; NULL: perf runs with the user's rights */
    pid_t pid;          /* unless the whole system is recorded */
    const char *output; /* path, or "-" */
    /* The default event is cycles; without hardware counters, cpu-clock. */
    bool has_hardware_counters;
    /* Off-CPU samples may be taken at context switches; else only the waiting times are exact. */
    bool may_see_kernel;
    bool may_trace;            /* it may tell who wakes threads, by sched_waking */
    unsigned mmap_pages;       /* of perf's buffer for each CPU; 0: perf's default */
    bool has_mapped_build_ids; /* the kernel and perf can store build-ids in mmap records */
} PvPerfRun;

enum {
    PV_PERF_DEFAULT_PAGES = 128, /* of perf, with the kernel's default of perf_event_mlock_kb */
};

/* The requested size of perf's buffer for each CPU, in MiB. */
unsigned pv_perf_get_buffer_mib (const PvRecordPlan *plan);
/* The pages that the plan asks for, or by default as many as the kernel lets the user lock on the
 * machine; 0: perf's default. */
unsigned pv_perf_choose_pages (const PvRecordPlan *plan, const PvRecordMachine *machine);

/* True if a recording by this plan may tell who wakes threads. */
bool pv_perf_may_trace (const PvRecordPlan *plan, const PvRecordMachine *machine);
/* The options for events and stacks: "--call-graph", "dwarf,16384", "-F", "999", "-e", "cycles";
 * none for the target and the file. Free with g_strfreev (). */
char **pv_perf_make_options (const PvRecordPlan *plan, bool may_trace);
/* As in PvRecorder. */
const char *pv_perf_find_fault (const PvRecordPlan *plan);
void pv_perf_append_command (const PvRecordPlan *plan, GString *command);

/* Free with g_strfreev (). */
char **pv_perf_make_arguments (const PvPerfRun *run);

/* The command that pkexec would run for this plan, shell-quoted, for people to read; a word in
 * capitals stands for the process id, which is not known yet. The machine must have perf and
 * pkexec. g_free () it. */
char *pv_perf_format_privileged_command (const PvRecordPlan *plan, const PvRecordMachine *machine);

/* True if the kernel can record the build-id with every mapping (perf --buildid-mmap). */
bool pv_perf_has_mapped_build_ids (void);
