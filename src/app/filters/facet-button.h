/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* A button with a list of threads, processes and label values and the share of each. Choosing one
 * shows only its samples; or the tree is grouped by them. Hidden if there is nothing to choose. */
#define PV_TYPE_FACET_BUTTON (pv_facet_button_get_type ())
G_DECLARE_FINAL_TYPE (PvFacetButton, pv_facet_button, PV, FACET_BUTTON, PvView)
