/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/source/source-spec.h"
#include "record/plan/plan.h"

/* Records two programs in turn, and shows which run is on, until all runs are made or the user
 * stops. Modal, as whatever else is done meanwhile disturbs the runs. */
#define PV_TYPE_TURNS_DIALOG (pv_turns_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PvTurnsDialog, pv_turns_dialog, PV, TURNS_DIALOG, AdwWindow)

/* Calls compare with the comparison of what was recorded, unless the user cancels. plan: of two
 * programs; copied. */
void pv_turns_dialog_show (GtkWindow *parent, const PvRecordPlan *plan,
                           void (*compare) (GtkWindow *parent, const PvSourceSpec *comparison));
