/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

#include "app/code/annotation.h"

/* What each line costs, and its number, at the left of a GtkSourceView. Main loop only. */
#define PV_TYPE_COST_GUTTER (pv_cost_gutter_get_type ())
G_DECLARE_FINAL_TYPE (PvCostGutter, pv_cost_gutter, PV, COST_GUTTER, GtkSourceGutterRenderer)

PvCostGutter *pv_cost_gutter_new (void);

/* Takes a reference; NULL: nothing. Its rows are those of the view's buffer. */
void pv_cost_gutter_show (PvCostGutter *gutter, PvAnnotation *annotation);

/* Where the columns end, in pixels from the left: self, total, line. */
enum { PV_COST_SELF, PV_COST_TOTAL, PV_COST_LINE, PV_N_COST_COLUMNS };
void pv_cost_gutter_get_ends (PvCostGutter *gutter, int ret_ends[PV_N_COST_COLUMNS]);
