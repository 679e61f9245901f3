/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/charts/chart-area.h"

/* The layers of a chart as a list: colour, name, and amount at the point under the pointer or in
 * view. The selection is that of the document. */
#define PV_TYPE_LAYER_LIST (pv_layer_list_get_type ())
G_DECLARE_FINAL_TYPE (PvLayerList, pv_layer_list, PV, LAYER_LIST, PvView)

void pv_layer_list_set_area (PvLayerList *legend, PvDocument *document, PvChartArea *area);
