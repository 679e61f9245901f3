/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "record/plan/plan.h"

/* The headless commands: prints, exports, help and version. Needs no display. */

/* True if the arguments request one of them. */
bool pv_cli_is_headless (int argc, char **argv);

/* True if they request a recording, with or without a window. */
bool pv_cli_is_recording (int argc, char **argv);

/* For arguments that are not headless: 0 if the window accepts all of them, else 2 with the reason
 * on standard error. *ret_request is a PvOpenRequest as a dictionary (core/load/open-request.h);
 * NULL if the arguments are GApplication's own, as in D-Bus activation. *ret_plan is what to
 * record, or NULL. Free them with g_variant_unref () and pv_record_plan_free (). */
int pv_cli_parse_for_window (int argc, char **argv, GVariant **ret_request,
                             PvRecordPlan **ret_plan);

/* Runs the headless commands. Exit status: 0 success, 1 a file cannot be read or written, 2 bad
 * usage; of a recording, see pv_cli_record (). Errors go to standard error as "profview: FILE:
 * MESSAGE". */
int pv_cli_main (int argc, char **argv);
