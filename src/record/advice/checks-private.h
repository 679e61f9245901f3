/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "record/advice/checks.h"

/*
 * The checks are functions of facts that can be made up: the machine, the target and the place
 * where the recording goes.
 */
typedef struct {
    /* Of PV_TARGET_LAUNCH. */
    GError *program_error; /* why it cannot be started; NULL: it can */
    GError *folder_error;  /* the same of the folder to work in */
    bool is_setuid;        /* would run with other rights than ours */
    bool preloads_jemalloc;

    /* Of PV_TARGET_ATTACH. */
    bool is_there;
    bool is_hidden; /* there, but /proc does not show it */
    bool is_ours;   /* a process of this user */
    bool is_kernel_thread;
    bool is_traced;    /* by a debugger */
    bool is_replaced;  /* the file of its program is not there any more */
    bool is_apart;     /* in a container: its files are not where they are here */
    bool has_own_root; /* the same, or in a root folder (chroot) that is here */
    bool may_be_counted;
    pid_t thread_of; /* the number is a thread's, of this process; 0: it is a process */

    char *output_folder;
    int output_errno;    /* why nothing can be written there; 0: it can */
    uint64_t free_bytes; /* there; UINT64_MAX: unknown */
} PvCheckedTarget;

void pv_checked_target_find (const PvRecordPlan *plan, PvCheckedTarget *ret_target);
void pv_checked_target_clear (PvCheckedTarget *target);

/* All advice for these facts, in the order of its level. */
GPtrArray *pv_record_check_with (const PvRecordPlan *plan, const PvProgramFacts *facts,
                                 const PvRecordMachine *machine, const PvCheckedTarget *target);

/* The parts, each of which adds to advice */

typedef struct {
    const PvRecordPlan *plan;
    const PvProgramFacts *facts;
    const PvRecordMachine *machine;
    const PvCheckedTarget *target;
    GPtrArray *advice;
} PvCheck;

void pv_check_target (PvCheck *check);  /* whatever records it */
void pv_check_perf (PvCheck *check);    /* rights and what the machine can count */
void pv_check_program (PvCheck *check); /* how the program was built */
void pv_check_heap (PvCheck *check);    /* heaptrack and jemalloc */

typedef struct {
    PvAdviceLevel level;
    const char *id;
    const char *title; /* translated; the same for the text */
    PvFix fix;
    const char *command;
} PvAdviceHead;

/* text, which it takes, may be the result of g_strdup_printf (). */
void pv_check_add (PvCheck *check, PvAdviceHead head, char *text);

/* "sudo apt install PACKAGE", with the name the package has in this distribution; NULL: unknown.
 * what: "perf", "heaptrack", "gdb" or "pkexec". */
char *pv_check_make_install_command (const char *what);

/* A process that can be told more about: there, not hidden and not a mere thread. */
bool pv_check_is_open (const PvCheckedTarget *target);

/* What the plan would count: time on the CPU without names of events. */
bool pv_check_is_perf (const PvCheck *check);
