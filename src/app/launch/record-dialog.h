/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/window/window.h"
#include "record/plan/plan.h"

/* Asks what to record and how, says what stands in the way, and records in a tab of the window.
 * What was chosen is there again the next time. */
#define PV_TYPE_RECORD_DIALOG (pv_record_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PvRecordDialog, pv_record_dialog, PV, RECORD_DIALOG, AdwWindow)

/* plan: what to begin with; NULL: what was chosen the last time. */
void pv_record_dialog_show (PvWindow *window, const PvRecordPlan *plan);
