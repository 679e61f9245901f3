/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* Both sides of a comparison with their amounts and the change between them, the scale of the base,
 * the width of boxes, and a button that swaps the sides. Of joined files, the names and measures.
 * Hidden for other documents. Main loop only. */
#define PV_TYPE_COMPARE_BAR (pv_compare_bar_get_type ())
G_DECLARE_FINAL_TYPE (PvCompareBar, pv_compare_bar, PV, COMPARE_BAR, PvView)
