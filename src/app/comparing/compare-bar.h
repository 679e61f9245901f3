/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* Of a comparison: both sides with their amounts, and the change between them; what the base is
 * scaled by, what boxes are as wide as, and a button that swaps the sides. Of what is joined,
 * the files with their measures. Hidden for other documents. Main loop only. */
#define PV_TYPE_COMPARE_BAR (pv_compare_bar_get_type ())
G_DECLARE_FINAL_TYPE (PvCompareBar, pv_compare_bar, PV, COMPARE_BAR, GtkWidget)

/* Once. */
void pv_compare_bar_set_document (PvCompareBar *bar, PvDocument *document);
