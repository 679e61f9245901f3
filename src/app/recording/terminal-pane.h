/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/document/document.h"

/* The terminal of the program that a document records: what it writes, and what is typed to it.
 * Until there is something to see it is only its title, in the foot. Stays when the program has
 * ended, until it is closed. Invisible where there is no terminal. */
#define PV_TYPE_TERMINAL_PANE (pv_terminal_pane_get_type ())
G_DECLARE_FINAL_TYPE (PvTerminalPane, pv_terminal_pane, PV, TERMINAL_PANE, GtkWidget)

/* Once. foot is the place of the title when the pane is folded away. */
void pv_terminal_pane_set_document (PvTerminalPane *pane, PvDocument *document, AdwBin *foot);
/* Its title can be seen. */
gboolean pv_terminal_pane_is_there (PvTerminalPane *pane);
/* The user types to the program, or would as soon as it says something. */
gboolean pv_terminal_pane_has_focus (PvTerminalPane *pane);
/* Whether such a key belongs to the program, although the window has a use for it, too. */
gboolean pv_terminal_pane_wants_key (PvTerminalPane *pane, guint keyval, GdkModifierType state);
/* Hands it over what a controller got. */
gboolean pv_terminal_pane_forward (PvTerminalPane *pane, GtkEventControllerKey *controller);
/* To be remembered from run to run. */
void pv_terminal_pane_set_height (PvTerminalPane *pane, int height);
