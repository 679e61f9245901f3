/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/window/window.h"

/* Asks for the address of a service and what to get from it, and fetches it in a tab of the window.
 * What was chosen is there again the next time, without passwords. */
#define PV_TYPE_FETCH_DIALOG (pv_fetch_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PvFetchDialog, pv_fetch_dialog, PV, FETCH_DIALOG, AdwWindow)

void pv_fetch_dialog_show (PvWindow *window);
