/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/subprocess.h"
#include "record/launcher/launch-failure.h"

/*
 * Starts programs through the helper profview-launch, for what posix_spawn () cannot do: it makes a
 * child wait, gives it a terminal, a folder, a limit or a signal at our end, and executes the
 * program.
 */
enum {
    PV_LAUNCH_MAX_FDS = 4,
    PV_LAUNCH_FIRST_FD = 16, /* for copies, above the program's descriptors */
};

typedef struct {
    const char *helper; /* from pv_launch_find_helper () */
    /* With path and environment. fds[i] must be -1, i, or at least PV_LAUNCH_FIRST_FD; there may be
     * PV_LAUNCH_MAX_FDS of them. */
    PvSubprocess program;

    int last_signal;           /* sent to it when the calling thread ends; 0: none */
    bool is_held;              /* until a byte is sent on the control socket */
    const char *terminal;      /* its controlling terminal; NULL: none */
    const char *folder;        /* working directory; NULL: ours */
    uint64_t max_memory_bytes; /* limit of the address space; 0: none */
} PvLaunch;

/* The helper's path; g_free () it. NULL with a G_SPAWN_ERROR if profview is not completely
 * installed. Any thread. */
char *pv_launch_find_helper (GError **error);

/* As pv_subprocess_start (), but returns once the helper runs. The caller also closes the control
 * socket. Any thread. */
int pv_launch (const PvLaunch *launch, pid_t *ret_pid, int *ret_control_fd);

/* True if the helper failed to execute the program, and why. waits: blocks until exec succeeds or
 * fails; otherwise the helper must have ended. Any thread. */
bool pv_launch_find_failure (int control_fd, bool waits, PvLaunchFailure *ret_failure);
