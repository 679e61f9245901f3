/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/launcher/launch-failure.h"

/*
 * Starts programs by way of profview-launch, a helper program: posix_spawn () makes it, so neither
 * the memory that we have nor our threads matter, and it sets itself up and becomes the program.
 */
enum {
    PV_LAUNCH_MAX_FDS = 4,
    PV_LAUNCH_FIRST_FD = 16, /* of copies, out of the way of the program's descriptors */
};

typedef struct {
    const char *helper;             /* from pv_launch_find_helper () */
    const char *path;               /* of the program, for execve () */
    const char *const *argv;        /* its own, not empty */
    const char *const *environment; /* "NAME=VALUE" */

    /* What the program has open as 0, 1, 2 and so on, and nothing else: -1 is /dev/null; any other
     * must be that same number or at least PV_LAUNCH_FIRST_FD. At most PV_LAUNCH_MAX_FDS. */
    const int *fds;
    unsigned n_fds;

    bool has_own_session;
    int last_signal; /* that it gets when the calling thread ends; 0: none */

    bool is_held;              /* until a byte is sent on the control socket */
    const char *terminal;      /* to be its controlling one; NULL: none */
    const char *folder;        /* to work in; NULL: ours */
    uint64_t max_memory_bytes; /* of address space; 0: no limit */
} PvLaunch;

/* The path of the helper, g_free () it; NULL with a G_SPAWN_ERROR: profview is not completely
 * installed. Any thread. */
char *pv_launch_find_helper (GError **error);

/* 0 or errno. Returns when the helper runs, in about half a millisecond; it leads its session
 * already. The caller waits for its end and closes the control socket. Signals that we ignore or
 * block are not ignored or blocked in the program, except for SIGHUP, which nohup ignores. Any
 * thread. */
int pv_launch (const PvLaunch *launch, pid_t *ret_pid, int *ret_control_fd);

/* Whether the helper could not become the program, and why. With waits, blocks until it has or
 * could not; else it must have ended. Any thread. */
bool pv_launch_find_failure (int control_fd, bool waits, PvLaunchFailure *ret_failure);
