/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

#include "app/code/code-folds.h"

/* Costs and number of each line, and an arrow if it can show its calls, at the left of a
 * GtkSourceView. A click on the arrow emits "activate". Main loop only. */
#define PV_TYPE_COST_GUTTER (pv_cost_gutter_get_type ())
G_DECLARE_FINAL_TYPE (PvCostGutter, pv_cost_gutter, PV, COST_GUTTER, GtkSourceGutterRenderer)

/* The folds must live as long as the gutter; they have the annotation that it shows. */
PvCostGutter *pv_cost_gutter_new (const PvCodeFolds *folds);
/* Call it after the folds show something else. */
void pv_cost_gutter_update (PvCostGutter *gutter);

/* Ends of columns, in pixels from the left: those of the annotation, then the line numbers. */
guint pv_cost_gutter_get_n_columns (PvCostGutter *gutter);
int pv_cost_gutter_get_end (PvCostGutter *gutter, guint column);
