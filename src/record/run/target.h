/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/plan/plan.h"

/*
 * The recorded program: either launched, and held before its first instruction until released, or
 * already running and only watched. Uses the caller's main context, pidfds and child watches; no
 * threads.
 *
 * A launched program leads its own session, and so its own process group. Exception: if it gets no
 * terminal but we have one, it stays in our session and group, as under perf record or a shell's
 * time. Only then can it read from that terminal, react to Ctrl+Z and learn of new window sizes;
 * Ctrl+C reaches both of us, and recorders must run in their own group.
 *
 * The target ends when its first process ends. Daemons and other children may continue.
 */
typedef struct PvTarget PvTarget;

typedef struct {
    bool is_ended;
    bool is_known; /* exit_code and signal are valid: only for our children */
    int exit_code; /* 0..255 */
    int signal;    /* that killed it; 0: none, see exit_code */
    bool has_dumped_core;
    int exec_errno; /* why a launched program could not be executed; 0: it was */
} PvTargetStatus;

typedef void (*PvTargetEnded) (PvTarget *target, void *user);

typedef struct {
    /* Controlling terminal of the program, and its input and output: the path from ptsname ().
     * NULL: it inherits ours. */
    const char *terminal;
    /* More environment, from the recorder: "NAME=VALUE"; overrides the plan's. May be NULL. */
    const char *const *environment;
} PvTargetOptions;

/* Launches plan->argv, held. G_SPAWN_ERROR or G_IO_ERROR, with a sentence that names the file, if
 * the program is not found or not executable or the folder is missing; if execve () fails later,
 * the target ends with exec_errno. Looks the program up in plan->environment's PATH, if set; a name
 * with a slash is relative to plan->folder. The environment is ours, overridden by the plan's, then
 * by the options'. options may be NULL. */
PvTarget *pv_target_launch (const PvRecordPlan *plan, const PvTargetOptions *options,
                            GError **error);
/* Watches the process. G_IO_ERROR_NOT_FOUND if it does not exist. */
PvTarget *pv_target_attach (pid_t pid, GError **error);

void pv_target_set_ended (PvTarget *target, PvTargetEnded ended, void *user);

pid_t pv_target_get_pid (const PvTarget *target);
bool pv_target_is_launched (const PvTarget *target);
void pv_target_release (PvTarget *target); /* the held program runs */
const PvTargetStatus *pv_target_get_status (const PvTarget *target);

/* Sends SIGINT, SIGTERM or SIGKILL to a launched target: to its group and the rest of its session,
 * even after its end. If it shares our group: to it and its descendants. Has no effect on attached
 * targets, nor on processes that we may not signal. */
void pv_target_signal (PvTarget *target, int signal);

/* CPU usage of the process and its descendants since the last call: 1.0 is one CPU; -1: unknown
 * (first call). Reads at most 200 processes from /proc, for at most 4 ms of processor time.
 * ret_n_processes may be NULL. */
double pv_target_measure_cpu (PvTarget *target, unsigned *ret_n_processes);

/* True if processes of its group outlive it; false if it shared our group. May read all of /proc:
 * some ms. */
bool pv_target_has_left (const PvTarget *target);

/* "The program ended with exit status 3.", "The program was killed by SIGSEGV (Segmentation
 * fault).", or why it could not be executed; translated. NULL while it runs or if it succeeded. */
char *pv_target_describe_end (const PvTarget *target);

/* Stops watching. Kills a target that is still held; a running one continues and is reaped in the
 * default main context. May be called from ended (). */
void pv_target_free (PvTarget *target);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTarget, pv_target_free)
