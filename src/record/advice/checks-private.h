/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "record/advice/checks.h"

/*
 * The checks depend only on collected facts, which tests can make up: the machine, the target and
 * the output folder.
 */
typedef struct {
    /* For PV_TARGET_LAUNCH. */
    GError *program_error; /* why the program cannot be started; NULL: it can */
    GError *folder_error;  /* why the working directory cannot be used; NULL: it can */
    bool is_setuid;        /* runs with other rights than ours */
    bool preloads_jemalloc;

    /* For PV_TARGET_ATTACH. */
    bool is_there;
    bool is_hidden; /* exists, but /proc does not show it */
    bool is_ours;   /* a process of this user */
    bool is_kernel_thread;
    bool is_traced;       /* by a debugger */
    bool is_replaced;     /* its program file was replaced or removed */
    bool is_in_container; /* in a container: its paths mean other files here */
    bool has_own_root;    /* in a container or chroot */
    bool may_be_counted;
    pid_t thread_of; /* the pid is a thread of this process; 0: it is a process */

    char *output_folder;
    int output_errno;    /* why the output cannot be written; 0: it can */
    uint64_t free_bytes; /* in the output folder; UINT64_MAX: unknown */
} PvCheckedTarget;

void pv_checked_target_find (const PvRecordPlan *plan, PvCheckedTarget *ret_target);
void pv_checked_target_clear (PvCheckedTarget *target);

/* All advice for these facts, sorted by level. */
GPtrArray *pv_record_check_with (const PvRecordPlan *plan, const PvProgramFacts *facts,
                                 const PvRecordMachine *machine, const PvCheckedTarget *target);

/* An empty array of PvAdvice, which it frees. */
GPtrArray *pv_advice_array_new (void);

/* The parts, which add to check->advice */

struct PvCheck {
    const PvRecordPlan *plan;
    const PvProgramFacts *facts;
    const PvRecordMachine *machine;
    const PvCheckedTarget *target;
    GPtrArray *advice;
};

/* For any recorder; each has its own check beside these. */
bool pv_check_sandbox (PvCheck *check); /* true: nothing can be recorded from inside this one */
void pv_check_target (PvCheck *check);
void pv_check_program (PvCheck *check); /* how the program was built */

typedef struct {
    PvAdviceLevel level;
    const char *id;
    const char *title; /* translated, as is the text */
    PvFix fix;
    const char *command;
} PvAdviceHead;

/* Takes text, which was allocated, as by g_strdup_printf (). */
void pv_check_add (PvCheck *check, PvAdviceHead head, char *text);

/* "sudo apt install PACKAGE" with this distribution's command and package name; NULL: unknown.
 * what: "perf", "heaptrack", "gdb" or "pkexec". */
char *pv_check_make_install_command (const char *what);

/* True if more is known about the process: it exists and is neither hidden nor a thread. */
bool pv_check_is_open (const PvCheckedTarget *target);
