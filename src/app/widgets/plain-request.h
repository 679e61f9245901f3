/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/*
 * A widget around one whose width is asked for without regard to its height. Of a GtkLabel that
 * breaks its lines GTK 4.8 asks how narrow it can be in such a height, and the label tries one
 * width after another, which takes longer than a frame may. The child is a child in the template.
 */
#define PV_TYPE_PLAIN_REQUEST (pv_plain_request_get_type ())
G_DECLARE_FINAL_TYPE (PvPlainRequest, pv_plain_request, PV, PLAIN_REQUEST, GtkWidget)
