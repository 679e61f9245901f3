/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "record/plan/plan.h"

/*
 * The plans of recent recordings, newest first, without their outputs: at most PV_MAX_LAUNCHES, in
 * the user's state folder (a key file, mode 0600, as environments can be secret). Blocking, quick.
 */
enum { PV_MAX_LAUNCHES = 12 };

/* Array of PvRecordPlan; empty if the file is damaged. Free with g_ptr_array_unref (). */
GPtrArray *pv_launches_list (void);
/* Puts plan first and removes an equal one. A running process is stored as its program's path in
 * argv[0], with pid 0, as process ids do not last; if the path is unknown, nothing is stored. */
bool pv_launches_add (const PvRecordPlan *plan, GError **error);
/* The same for one plan, with all that it has, as a message between processes: ASCII; g_free () it.
 * Back again, NULL if the text is damaged; the plan may have faults. */
char *pv_record_plan_to_text (const PvRecordPlan *plan);
PvRecordPlan *pv_record_plan_from_text (const char *text);
/* True if plan has no pid, so that a process that runs argv[0] must be chosen. */
bool pv_record_plan_lacks_process (const PvRecordPlan *plan);

/* True if both record the same thing in the same way; ignores the output. An unset value equals its
 * explicit default. */
bool pv_record_plan_equal (const PvRecordPlan *a, const PvRecordPlan *b);
