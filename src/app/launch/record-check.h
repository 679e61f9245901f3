/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/work.h"
#include "record/advice/checks.h"

/* Task that checks what prevents or spoils a recording: PvRecordPlan to an immutable GPtrArray of
 * PvAdvice. A program's file is read once. */
PvTask *pv_record_check_task_new (gpointer owner, PvTaskDone done);

/* The first advice that prevents recording, or NULL. */
const PvAdvice *pv_record_check_find_fault (const GPtrArray *advice);
