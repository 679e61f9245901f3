/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pictures/flame-area.h"

/*
 * The selected function of a document between its callers, which grow upwards, and its callees; of
 * the hottest one if none is selected. Follows the document only while it is shown. Signal
 * "hover-changed" (area): what that half describes is new.
 */
#define PV_TYPE_SANDWICH_VIEW (pv_sandwich_view_get_type ())
G_DECLARE_FINAL_TYPE (PvSandwichView, pv_sandwich_view, PV, SANDWICH_VIEW, GtkWidget)

/* Once, before anything else. */
void pv_sandwich_view_set_document (PvSandwichView *view, PvDocument *document);
void pv_sandwich_view_set_colors (PvSandwichView *view, PvColorScheme colors);
void pv_sandwich_view_set_least_share (PvSandwichView *view, double share);
void pv_sandwich_view_set_shown (PvSandwichView *view, gboolean is_shown);
/* The half that was used last. */
PvFlameArea *pv_sandwich_view_get_area (PvSandwichView *view);
gboolean pv_sandwich_view_is_at_callers (PvSandwichView *view); /* of the two halves */
