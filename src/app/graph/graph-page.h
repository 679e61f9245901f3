/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* The page Call Graph: functions, their calls and costs. Main loop only. */
#define PV_TYPE_GRAPH_PAGE (pv_graph_page_get_type ())
G_DECLARE_FINAL_TYPE (PvGraphPage, pv_graph_page, PV, GRAPH_PAGE, PvView)
