/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * The protocol between profview-launch and process/launch.c, apart from the arguments.
 */

/* Sent on the control socket if the helper cannot execute the program; then it exits. */
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

/* Prefix of the program's variables in the helper's environment, so that LD_PRELOAD and the like
 * affect the program and not the helper. */
#define PV_LAUNCH_MARK '+'
