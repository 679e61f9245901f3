/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pictures/flame-area.h"
#include "app/view/view.h"
#include "core/analyze/tree/sandwich.h"

/*
 * The selected function of a document between its callers, which grow upwards, and its callees; of
 * the hottest one if none is selected. Follows the document only while it is shown. One box is
 * selected in both halves together, at first the function's. Signals: "hover-changed", another box
 * is to be described; "shown", another sandwich or none is shown; "menu-requested" (area, x, y), as
 * that half's.
 */
#define PV_TYPE_SANDWICH_VIEW (pv_sandwich_view_get_type ())
G_DECLARE_FINAL_TYPE (PvSandwichView, pv_sandwich_view, PV, SANDWICH_VIEW, PvView)

void pv_sandwich_view_set_colors (PvSandwichView *view, PvColorScheme colors);
void pv_sandwich_view_set_least_share (PvSandwichView *view, double share);
void pv_sandwich_view_set_shown (PvSandwichView *view, gboolean is_shown);
/* The half with the box to be described, which is hovered or selected. */
PvFlameArea *pv_sandwich_view_get_described (PvSandwichView *view);
gboolean pv_sandwich_view_describes_callers (PvSandwichView *view); /* that half */
/* The half with the selected box. */
PvFlameArea *pv_sandwich_view_get_selected (PvSandwichView *view);
/* The function that is shown, or would be. 0: not known. */
PvFunctionId pv_sandwich_view_find_function (PvSandwichView *view);
/* Values of the callees' nodes, see pv_node_values_build_halves (); NULL: not known. */
const PvNodeValues *pv_sandwich_view_get_values (PvSandwichView *view);
/* The shown sandwich, to be freed, and how its halves are shown; NULL: nothing is shown. */
PvSandwich *pv_sandwich_view_get_shown (PvSandwichView *view, PvFlameView *ret_callers,
                                        PvFlameView *ret_callees);
