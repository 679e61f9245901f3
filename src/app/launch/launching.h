/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/work.h"
#include "record/plan/launches.h"

/* What was recorded before, to be recorded again. */

/* Puts the plan first in the list of launches, in a worker. */
void pv_launching_remember (const PvRecordPlan *plan);

/* Lists them: NULL to a GPtrArray of PvRecordPlan, which is immutable. */
PvTask *pv_launches_task_new (gpointer owner, PvTaskDone done);

/* Looks for the process that a plan of that list is for: PvRecordPlan to the same with its pid,
 * if one process of the user's runs that program now; else its pid is 0. */
PvTask *pv_launching_find_task_new (gpointer owner, PvTaskDone done);

/* For people: "./server --port 80" and "CPU · ~/work". g_free () them. */
char *pv_launching_make_title (const PvRecordPlan *plan);
char *pv_launching_make_subtitle (const PvRecordPlan *plan);
