/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/launcher/launch-failure.h"

/*
 * Starts programs through the helper profview-launch, which sets itself up and executes the
 * program. posix_spawn () starts it, so the size of our memory and our threads do not matter.
 */
enum {
    PV_LAUNCH_MAX_FDS = 4,
    PV_LAUNCH_FIRST_FD = 16, /* for copies, above the program's descriptors */
};

typedef struct {
    const char *helper;             /* from pv_launch_find_helper () */
    const char *path;               /* of the program, for execve () */
    const char *const *argv;        /* not empty */
    const char *const *environment; /* "NAME=VALUE" */

    /* The program's descriptors 0, 1, 2 and so on; it has no others. -1 is /dev/null; fds[i] must
     * be i or at least PV_LAUNCH_FIRST_FD. At most PV_LAUNCH_MAX_FDS. */
    const int *fds;
    unsigned n_fds;

    bool has_own_session;
    int last_signal; /* sent to it when the calling thread ends; 0: none */

    bool is_held;              /* until a byte is sent on the control socket */
    const char *terminal;      /* its controlling terminal; NULL: none */
    const char *folder;        /* working directory; NULL: ours */
    uint64_t max_memory_bytes; /* limit of the address space; 0: none */
} PvLaunch;

/* The helper's path; g_free () it. NULL with a G_SPAWN_ERROR if profview is not completely
 * installed. Any thread. */
char *pv_launch_find_helper (GError **error);

/* 0 or errno. Returns once the helper runs, after about half a millisecond; with has_own_session it
 * leads its session then. The caller reaps it and closes the control socket. Signals that we ignore
 * or block have their defaults in the program, except SIGHUP, which nohup ignores. Any thread. */
int pv_launch (const PvLaunch *launch, pid_t *ret_pid, int *ret_control_fd);

/* True if the helper failed to execute the program, and why. waits: blocks until exec succeeds or
 * fails; otherwise the helper must have ended. Any thread. */
bool pv_launch_find_failure (int control_fd, bool waits, PvLaunchFailure *ret_failure);
