/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/*
 * Asks which editor opens source files: one of those that are installed, or a command of the
 * user's. The settings editor and editor-command have the answer. Main loop only.
 */
#define PV_TYPE_EDITOR_DIALOG (pv_editor_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PvEditorDialog, pv_editor_dialog, PV, EDITOR_DIALOG, AdwWindow)

/* The setting editor where the user has a command. */
#define PV_EDITOR_COMMAND "command"

void pv_editor_dialog_show (GtkWindow *parent);
