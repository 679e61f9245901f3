/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/work.h"
#include "record/plan/launches.h"

/* The list of recent launches. */

/* Puts a copy of the plan first in the list, in a worker. */
void pv_launching_remember (const PvRecordPlan *plan);

/* Task that lists them: input NULL, result a GPtrArray of PvRecordPlan, which is immutable. */
PvTask *pv_launches_task_new (gpointer owner, PvTaskDone done);

/* Task that finds the process for a plan that lacks one: input and result are PvRecordPlan. The
 * result's pid is 0 unless exactly one process of the user runs that program. */
PvTask *pv_launching_find_task_new (gpointer owner, PvTaskDone done);

/* For the user: "./server --port 80" and "CPU · ~/work". g_free () them. */
char *pv_launching_make_title (const PvRecordPlan *plan);
char *pv_launching_make_subtitle (const PvRecordPlan *plan);
