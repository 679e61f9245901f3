/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/document/document.h"

/* The terminal of a recorded program. Until there is output and room for it, it shows only its
 * title, in a bar of the document view (the foot). It stays after the program has ended, until it
 * is closed. Hidden when there is no terminal. */
#define PV_TYPE_TERMINAL_PANE (pv_terminal_pane_get_type ())
G_DECLARE_FINAL_TYPE (PvTerminalPane, pv_terminal_pane, PV, TERMINAL_PANE, GtkWidget)

/* Call once. foot holds the title while the pane is folded. */
void pv_terminal_pane_set_document (PvTerminalPane *pane, PvDocument *document, AdwBin *foot);
/* The window is so low that pages need all of it. */
void pv_terminal_pane_set_low (PvTerminalPane *pane, gboolean is_low);
/* True if the title is visible. */
gboolean pv_terminal_pane_is_there (PvTerminalPane *pane);
/* True if the terminal or its fold button has the focus. */
gboolean pv_terminal_pane_has_focus (PvTerminalPane *pane);
/* True if a key goes to the program although it is also a shortcut of the window. */
gboolean pv_terminal_pane_wants_key (PvTerminalPane *pane, guint keyval, GdkModifierType state);
/* Forwards the controller's current key. */
gboolean pv_terminal_pane_forward (PvTerminalPane *pane, GtkEventControllerKey *controller);
/* Remembers the height for the next recording. */
void pv_terminal_pane_set_height (PvTerminalPane *pane, int height);
