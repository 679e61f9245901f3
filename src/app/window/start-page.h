/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* What is shown while nothing is open: Open, Record, Fetch, a hint that files can be dropped, and
 * what was recorded and opened before. */
#define PV_TYPE_START_PAGE (pv_start_page_get_type ())
G_DECLARE_FINAL_TYPE (PvStartPage, pv_start_page, PV, START_PAGE, GtkWidget)
