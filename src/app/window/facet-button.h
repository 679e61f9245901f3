/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* A button whose menu lists threads, processes and the values of labels with how much each has: one
 * of them can be chosen, so that only its samples are shown, or all be grouped by them. Not visible
 * where there is nothing to choose. */
#define PV_TYPE_FACET_BUTTON (pv_facet_button_get_type ())
G_DECLARE_FINAL_TYPE (PvFacetButton, pv_facet_button, PV, FACET_BUTTON, GtkWidget)

void pv_facet_button_set_document (PvFacetButton *button, PvDocument *document);
