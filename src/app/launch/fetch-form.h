/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* Asks for the address of a service and which profile to fetch. Choices are remembered, passwords
 * are not. Signals: "changed" when an address was entered or removed, "activated" when Return was
 * pressed. */
#define PV_TYPE_FETCH_FORM (pv_fetch_form_get_type ())
G_DECLARE_FINAL_TYPE (PvFetchForm, pv_fetch_form, PV, FETCH_FORM, AdwBin)

gboolean pv_fetch_form_can_start (PvFetchForm *form);
/* Activates "win.fetch" of the window, NULL if it is gone. False if the address is not valid: the
 * form then shows why. */
gboolean pv_fetch_form_start (PvFetchForm *form, GtkWindow *window);
void pv_fetch_form_focus (PvFetchForm *form);
