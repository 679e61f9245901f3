/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options.h"

/*
 * Recording without a window: messages go to standard error, the program has our input and output.
 */

/* Records options->record_plan until the program ends, record_seconds are over or somebody presses
 * Ctrl+C. The status to exit with: the program's, 128 + N if signal N ended it, 1 if recording
 * failed. *ret_path is where something was recorded, also after a failure; or NULL. Runs the
 * default main context meanwhile. */
int pv_cli_record (const PvOptions *options, char **ret_path);
