/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* Asks for the address of a service and which profile to fetch, and activates its parent's
 * "win.fetch". Choices are remembered, passwords are not. */
#define PV_TYPE_FETCH_DIALOG (pv_fetch_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PvFetchDialog, pv_fetch_dialog, PV, FETCH_DIALOG, AdwWindow)

void pv_fetch_dialog_show (GtkWindow *parent);
