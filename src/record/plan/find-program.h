/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "record/plan/plan.h"

/*
 * Resolves a plan's program for execve (). A name without a slash is searched in the PATH of
 * plan->environment, or else in ours; a name with a slash is relative to plan->folder.
 */

/* The path for execve () from within plan->folder; a name with a slash is returned as it is. NULL
 * with a G_SPAWN_ERROR, with a sentence that names the program, if no program can be executed. */
char *pv_find_program (const PvRecordPlan *plan, GError **error);
/* False with a G_IO_ERROR if plan->folder is set but cannot be the working directory. */
gboolean pv_find_folder (const PvRecordPlan *plan, GError **error);
