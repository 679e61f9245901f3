/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "record/plan/plan.h"

/*
 * A child of ours that is set up as the program it will be, and waits before execve () for a word.
 * It gives up if we go away. Waiting for its end is the caller's.
 *
 * It is made by vfork (), in a thread of its own, which alone stands still for as long as the child
 * is held: with a profile of a gigabyte in memory, fork () takes 90 ms, and then every page that we
 * write to must be copied.
 */
typedef enum {
    PV_HELD_CHILD_TERMINAL,
    PV_HELD_CHILD_FOLDER,
    PV_HELD_CHILD_MEMORY,
    PV_HELD_CHILD_EXECUTE,
} PvHeldChildStep;

typedef struct {
    int step; /* PvHeldChildStep */
    int code; /* errno */
} PvHeldChildFailure;

typedef struct {
    pid_t pid;
    int socket_fd;
    bool has_own_session; /* else it is in our session and in our group */
} PvHeldChild;

/* terminal and environment: as in PvTargetOptions, or NULL. */
bool pv_held_child_start (const PvRecordPlan *plan, const char *terminal,
                          const char *const *environment, PvHeldChild *ret_child, GError **error);
void pv_held_child_release (PvHeldChild *child);
/* Once it has ended: whether that was before it became the program, and why. */
bool pv_held_child_find_failure (const PvHeldChild *child, PvHeldChildFailure *ret_failure);
/* One that is still held ends by itself. */
void pv_held_child_clear (PvHeldChild *child);
