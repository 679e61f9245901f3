/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/plan/plan.h"

/*
 * The program that is recorded: one that we launch, held before its first instruction until it is
 * released, or one that runs already and is only watched. Main context of the caller; pidfds and
 * child watches, no threads.
 *
 * A launched program leads a session, and so a group, of its own. With one exception: if it is
 * given no terminal and we have one, it stays in our session and in our group, as with perf record
 * or a shell's time. Only so can it read from that terminal, be stopped and continued by Ctrl+Z
 * and learn of new window sizes; Ctrl+C then reaches us as well as the program, and recorders
 * must be started in a group of their own.
 *
 * It ends when its first process ends. Daemons and other children may go on.
 */
typedef struct PvTarget PvTarget;

typedef struct {
    bool is_ended;
    bool is_known; /* how it ended: false of those that are not our children */
    int exit_code; /* 0..255 */
    int signal;    /* that killed it; 0: none, exit_code counts */
    bool has_dumped_core;
    int exec_errno; /* launched, but could not be executed; 0: it was */
} PvTargetStatus;

typedef void (*PvTargetEnded) (PvTarget *target, void *user);

typedef struct {
    /* Terminal for the program: the slave's path as ptsname () gives it; NULL: it inherits ours. */
    const char *terminal; /* its controlling one, and its input and output */
    /* More environment, of the recorder: "NAME=VALUE"; wins over the plan's. May be NULL. */
    const char *const *environment;
} PvTargetOptions;

/* Launches plan->argv, held. Found, but not executable, or the folder is missing: G_SPAWN_ERROR or
 * G_IO_ERROR at once, with a sentence that names it. The program's name is looked up in the PATH of
 * plan->environment, if that has one; one with a slash is relative to plan->folder. What only
 * execve () can know comes as its end: exec_errno. The program gets our environment, then the
 * plan's, then the options'. options may be NULL. */
PvTarget *pv_target_launch (const PvRecordPlan *plan, const PvTargetOptions *options,
                            GError **error);
/* Watches plan->pid. G_IO_ERROR_NOT_FOUND if there is none. */
PvTarget *pv_target_attach (pid_t pid, GError **error);

void pv_target_set_ended (PvTarget *target, PvTargetEnded ended, void *user);

pid_t pv_target_get_pid (const PvTarget *target);
bool pv_target_is_launched (const PvTarget *target);
void pv_target_release (PvTarget *target); /* the held program runs */
const PvTargetStatus *pv_target_get_status (const PvTarget *target);

/* Of launched ones, its whole group and what else it has in its session: SIGINT, SIGTERM or
 * SIGKILL, also after its end for what it left. In our own group, where others are too: it and its
 * descendants. Does nothing to attached ones, and to what has rights that we have not. */
void pv_target_signal (PvTarget *target, int signal);

/* Of the process and what it started, since the last call: 1.0 is one CPU; -1: unknown (first
 * call). Reads /proc; at most 200 processes are looked at, for at most 4 ms. ret_n_processes may be
 * NULL. */
double pv_target_measure_cpu (PvTarget *target, unsigned *ret_n_processes);

/* Whether processes of its group go on after its end; known of sessions of its own. May read all of
 * /proc: some ms. */
bool pv_target_has_left (const PvTarget *target);

/* "The program ended with exit status 3.", "The program was killed by SIGSEGV (Segmentation
 * fault).", why it could not be executed; translated. NULL while it runs, or if there is nothing to
 * say (it ended well). */
char *pv_target_describe_end (const PvTarget *target);

/* Stops watching. One that is still held is killed; one that runs is let be, and waited for in the
 * default main context when it ends. May be called from ended (). */
void pv_target_free (PvTarget *target);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTarget, pv_target_free)
