/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Shown while nothing is open: Open, Record and Fetch buttons, a hint about dropping files, recent
 * launches, recordings and files. */
#define PV_TYPE_START_PAGE (pv_start_page_get_type ())
G_DECLARE_FINAL_TYPE (PvStartPage, pv_start_page, PV, START_PAGE, GtkWidget)
