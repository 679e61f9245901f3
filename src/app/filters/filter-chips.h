/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* The transforms of a document's query as chips, in the order in which they apply. A chip is edited
 * by a click, moved by dragging or with Ctrl and an arrow key, and removed by its button or Delete.
 * Hidden without transforms. */
#define PV_TYPE_FILTER_CHIPS (pv_filter_chips_get_type ())
G_DECLARE_FINAL_TYPE (PvFilterChips, pv_filter_chips, PV, FILTER_CHIPS, PvView)
