/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/work.h"
#include "record/advice/checks.h"

/* Looks at what stands in the way of a plan: PvRecordPlan to a GPtrArray of PvAdvice, which is
 * immutable. What the plan's program says of itself is read once. */
PvTask *pv_record_check_task_new (gpointer owner, PvTaskDone done);

/* The first that is a fault; NULL: none. */
const PvAdvice *pv_record_check_find_fault (const GPtrArray *advice);
