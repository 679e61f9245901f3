/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "record/plan/plan.h"
#include "record/process/launch.h"

/*
 * A child process, set up for the program it will execute, that waits for its release before exec.
 * It exits if we end first. The caller reaps it.
 */
typedef struct {
    pid_t pid;
    int control_fd;
    bool has_own_session; /* else it is in our session and group */
} PvHeldChild;

/* terminal and environment: as in PvTargetOptions, or NULL. */
bool pv_held_child_start (const PvRecordPlan *plan, const char *terminal,
                          const char *const *environment, PvHeldChild *ret_child, GError **error);
void pv_held_child_release (PvHeldChild *child);
/* Once it has ended: whether that was before exec, and why. */
bool pv_held_child_find_failure (const PvHeldChild *child, PvLaunchFailure *ret_failure);
/* A child that is still held exits by itself. */
void pv_held_child_clear (PvHeldChild *child);
