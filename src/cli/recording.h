/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options/options.h"
#include "record/advice/checks.h"

/*
 * Recording without a window. Messages go to standard error; the program inherits standard input
 * and output.
 */

typedef enum {
    PV_CLI_RECORDED,
    PV_CLI_INTERRUPTED,      /* by a signal to us */
    PV_CLI_RECORDED_NOTHING, /* the program could not run, or left no sample or allocation */
    PV_CLI_NOT_RECORDED,     /* the recorder failed, or could not start */
} PvCliRecordEnd;

/* Records options->record_plan until the program ends, record_seconds have passed or Ctrl+C is
 * pressed. Returns the exit status: the program's, 128 + N if signal N killed it, 1 if recording
 * failed. *ret_path is the recording, which may exist even after a failure; or NULL. Runs the
 * default main context. */
int pv_cli_record (const PvOptions *options, char **ret_path, PvCliRecordEnd *ret_end);

/* Prints advice: hints only on a terminal. */
void pv_cli_say_advice (const GPtrArray *advice);
