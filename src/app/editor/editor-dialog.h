/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/*
 * Asks what opens source files: the system's default application, or a command of the user's. The
 * settings editor and editor-command have the answer. Main loop only.
 */
#define PV_TYPE_EDITOR_DIALOG (pv_editor_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PvEditorDialog, pv_editor_dialog, PV, EDITOR_DIALOG, AdwWindow)

void pv_editor_dialog_show (GtkWindow *parent);
