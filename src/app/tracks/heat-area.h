/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pictures/color-legend.h"
#include "app/view/view.h"
#include "render/tracks/heat-picture.h"

/*
 * The heat map of a document: made in a worker while it is seen, of all times. A click on a cell
 * makes its time the range of the document, a drag that of all cells from the first to the last
 * one; so do the keys, from the cell with the cursor on. Signal "hit-changed": another cell, or no
 * cell, is under the pointer or the cursor, or the map is another one.
 */
#define PV_TYPE_HEAT_AREA (pv_heat_area_get_type ())
G_DECLARE_FINAL_TYPE (PvHeatArea, pv_heat_area, PV, HEAT_AREA, PvView)

/* NULL: no map yet. Valid until the next change. */
const PvHeatMap *pv_heat_area_get_map (PvHeatArea *area);
/* The cell to be described, or PV_HEAT_NONE. */
uint32_t pv_heat_area_get_hit (PvHeatArea *area);
/* Shows what some of the colors stand for. */
void pv_heat_area_show_legend (PvHeatArea *area, PvColorLegend *legend);
/* The view that is shown, for an export that looks the same. There is a map. */
const PvHeatView *pv_heat_area_get_view (PvHeatArea *area);
