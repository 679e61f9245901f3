/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What profview-launch and process/launch.c must agree on, beside the arguments.
 */

/* Sent on the control socket if the helper cannot become the program; then it exits. */
typedef enum {
    PV_LAUNCH_TERMINAL,
    PV_LAUNCH_FOLDER,
    PV_LAUNCH_MEMORY,
    PV_LAUNCH_EXECUTE,
} PvLaunchStep;

typedef struct {
    int step; /* PvLaunchStep */
    int code; /* errno */
} PvLaunchFailure;

/* The program's variables stand in the helper's environment behind this mark, so that LD_PRELOAD
 * and the like apply to the program and not to the helper. */
#define PV_LAUNCH_MARK '+'
