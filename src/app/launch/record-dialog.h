/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "record/plan/plan.h"

/* Asks what to record and how, shows what prevents it, and activates its parent's "win.record" or
 * "win.fetch". Choices are remembered. */
#define PV_TYPE_RECORD_DIALOG (pv_record_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PvRecordDialog, pv_record_dialog, PV, RECORD_DIALOG, AdwWindow)

/* plan: fills the form; NULL: the last choices do. A window has one such dialog at most. */
void pv_record_dialog_show (GtkWindow *parent, const PvRecordPlan *plan);
