/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/*
 * The line below a picture: details (the first child), and a legend beside them (the second one),
 * which always has the same room, so that it stands still while the details change. Where the line
 * is narrow, details have all of it.
 */
#define PV_TYPE_FOOT (pv_foot_get_type ())
G_DECLARE_FINAL_TYPE (PvFoot, pv_foot, PV, FOOT, GtkWidget)
