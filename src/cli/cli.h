/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "record/plan/plan.h"

/* The headless commands: prints, exports, help and version. Needs no display. */

/* Whether the arguments ask for one of them. */
bool pv_cli_is_headless (int argc, char **argv);

/* Whether they ask for a recording, which needs no display either. */
bool pv_cli_is_recording (int argc, char **argv);

/* For arguments that are not headless: 0 if the window takes them all, else 2, and the reason is on
 * standard error. *ret_request is what the window is asked for, a dictionary a{sv}: "files",
 * "sysroot", "symbol-path" and "map-path" (aay), "no-demangle", "merge" and "series" (b); NULL if
 * the arguments are GApplication's own, as D-Bus uses them. *ret_plan is what is to be recorded, or
 * NULL. Free them with g_variant_unref () and pv_record_plan_free (). */
int pv_cli_parse_for_window (int argc, char **argv, GVariant **ret_request,
                             PvRecordPlan **ret_plan);

/* Runs them. Exit status: 0 all well, 1 a file cannot be read or written, 2 bad usage; errors go to
 * standard error as "profview: FILE: what is wrong". */
int pv_cli_main (int argc, char **argv);
