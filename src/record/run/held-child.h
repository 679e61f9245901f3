/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "record/plan/plan.h"
#include "record/process/launch.h"

/*
 * A child of ours that is set up as the program it will be and waits to be released before it
 * becomes that. It gives up if we end first. Waiting for its end is the caller's.
 */
typedef struct {
    pid_t pid;
    int control_fd;
    bool has_own_session; /* else it is in our session and in our group */
} PvHeldChild;

/* terminal and environment: as in PvTargetOptions, or NULL. */
bool pv_held_child_start (const PvRecordPlan *plan, const char *terminal,
                          const char *const *environment, PvHeldChild *ret_child, GError **error);
void pv_held_child_release (PvHeldChild *child);
/* Once it has ended: whether that was before it became the program, and why. */
bool pv_held_child_find_failure (const PvHeldChild *child, PvLaunchFailure *ret_failure);
/* One that is still held ends by itself. */
void pv_held_child_clear (PvHeldChild *child);
