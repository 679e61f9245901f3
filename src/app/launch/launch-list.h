/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "record/plan/plan.h"

/* The last launches, one row each; hidden when there are none. Signals, with a const
 * PvRecordPlan that is valid while they are emitted: "launched" to record it again, "edited" to
 * change it first. */
#define PV_TYPE_LAUNCH_LIST (pv_launch_list_get_type ())
G_DECLARE_FINAL_TYPE (PvLaunchList, pv_launch_list, PV, LAUNCH_LIST, AdwBin)

/* Reads the launches in a worker and emits "loaded". */
void pv_launch_list_update (PvLaunchList *list);
/* The newest launch, borrowed; NULL: no launches, or not read yet. */
const PvRecordPlan *pv_launch_list_get_newest (PvLaunchList *list);
