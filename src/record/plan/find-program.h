/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "record/plan/plan.h"

/*
 * What execve () is given for a plan's program. One without a slash is looked for in the PATH of
 * plan->environment, else in ours; one with a slash is the file of that name, from plan->folder.
 */

/* The path for execve () from within plan->folder: as it was named if that has a slash.
 * G_SPAWN_ERROR if there is none that may be executed, with a sentence that names it. */
char *pv_find_program (const PvRecordPlan *plan, GError **error);
/* G_IO_ERROR unless plan->folder, if there is one, can be worked in. */
gboolean pv_find_folder (const PvRecordPlan *plan, GError **error);
