/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/document/document.h"

/*
 * Asks for a formula of measures and saves it among the user's own (app/work/user-formulas.h),
 * which it lists, to be edited and deleted. While it is typed, it says what is wrong, or what the
 * formula gives for the whole profile. The signal "saved" has the name of what was saved. Main loop
 * only.
 */
#define PV_TYPE_FORMULA_DIALOG (pv_formula_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PvFormulaDialog, pv_formula_dialog, PV, FORMULA_DIALOG, AdwWindow)

/* The document has a profile. */
PvFormulaDialog *pv_formula_dialog_new (GtkWindow *parent, PvDocument *document);
