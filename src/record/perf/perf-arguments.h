/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "record/plan/machine.h"
#include "record/plan/plan.h"

/*
 * The command line of `perf record` for a plan. perf is always told to watch a process that exists,
 * or the whole system, and begins when it is told to: "-D -1", "--control".
 */
typedef struct {
    const PvRecordPlan *plan;
    const char *perf;   /* path */
    const char *pkexec; /* path; NULL: perf runs with the user's rights */
    pid_t pid;          /* unless the whole system is recorded */
    const char *output; /* path, or "-" */
    /* What is counted where the plan names no events: cycles; else cpu-clock. */
    bool has_hardware_counters;
    /* Without, nothing is known of where a thread waits, only for how long. */
    bool may_see_kernel;
    unsigned mmap_pages;       /* of perf's buffers; 0: as perf likes it */
    bool has_mapped_build_ids; /* perf and the kernel can store build-ids while they record */
} PvPerfRun;

/* Free with g_strfreev (). */
char **pv_perf_make_arguments (const PvPerfRun *run);

/* What pkexec would be asked to run for this plan, quoted for a shell, for people to read: the
 * process is only known later, so a word in capitals stands for it. The machine has perf and
 * pkexec. g_free () it. */
char *pv_perf_format_privileged_command (const PvRecordPlan *plan, const PvRecordMachine *machine);

/* Whether the kernel can tell the build-id with every mapping, which perf then asks for. */
bool pv_perf_has_mapped_build_ids (void);
