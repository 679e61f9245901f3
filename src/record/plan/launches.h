/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "record/plan/plan.h"

/*
 * Plans that were recorded before, the newest first, without their outputs: at most
 * PV_MAX_LAUNCHES, in the user's state folder (a key file, 0600, as environments can be secret).
 * Blocking, quick.
 */
enum { PV_MAX_LAUNCHES = 12 };

/* Of PvRecordPlan. A damaged file is none. Free with g_ptr_array_unref (). */
GPtrArray *pv_launches_list (void);
/* Puts it first; an equal one is not kept twice. Of a running process not the number is kept, which
 * would be another's, but its program: argv[0], a path, and pid 0. If that is not known, nothing
 * is. */
bool pv_launches_add (const PvRecordPlan *plan, GError **error);
/* Whether it is one of those, and a process of argv[0] has to be found. */
bool pv_record_plan_lacks_process (const PvRecordPlan *plan);

/* Whether the same is recorded in the same way, wherever it is written to: a default that is left
 * open is equal to one that is named. */
bool pv_record_plan_equal (const PvRecordPlan *a, const PvRecordPlan *b);
