/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options/options.h"
#include "record/advice/checks.h"

/*
 * Recording without a window. Messages go to standard error; the program inherits standard input
 * and output.
 */

/* Records options->record_plan until the program ends, record_seconds have passed or Ctrl+C is
 * pressed. Returns the exit status: the program's, 128 + N if signal N killed it, 1 if recording
 * failed. *ret_path is the recording, which may exist even after a failure; or NULL. Runs the
 * default main context. */
int pv_cli_record (const PvOptions *options, char **ret_path, bool *ret_is_interrupted);

/* Prints advice: hints only on a terminal. */
void pv_cli_say_advice (const GPtrArray *advice);
