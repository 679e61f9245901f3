/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/*
 * The instructions of the document's selected function, or of another one where none is selected,
 * with their costs. The signal
 * "line-selected" reports that the user has selected an instruction of a line: its file as
 * recorded, and its number. Nothing is read while it is not on screen. Main loop only.
 */
#define PV_TYPE_MACHINE_VIEW (pv_machine_view_get_type ())
G_DECLARE_FINAL_TYPE (PvMachineView, pv_machine_view, PV, MACHINE_VIEW, PvView)

/* Sets the function that is shown while none is selected, by its id in these symbols, of which the
 * view takes a reference. It is forgotten when the document's answer has functions of others. */
void pv_machine_view_set_unselected (PvMachineView *view, PvFunctionId function,
                                     const PvSymbolTable *symbols);

/* Selects all instructions of a line, and scrolls to the first of them. */
void pv_machine_view_select_line (PvMachineView *view, const char *file, guint line);
