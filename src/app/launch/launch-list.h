/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "record/plan/plan.h"

/* What was recorded before, one row each; hidden when there is nothing. Signals, with a const
 * PvRecordPlan that is valid while they are emitted: "launched" to record it as it is, "edited" to
 * change it first. */
#define PV_TYPE_LAUNCH_LIST (pv_launch_list_get_type ())
G_DECLARE_FINAL_TYPE (PvLaunchList, pv_launch_list, PV, LAUNCH_LIST, AdwBin)

/* Reads it, again if it has been read; the signal "loaded" comes later. */
void pv_launch_list_update (PvLaunchList *list);
/* Borrowed; NULL: there is none, or it has not been read. */
const PvRecordPlan *pv_launch_list_get_newest (PvLaunchList *list);
