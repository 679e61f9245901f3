/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pictures/flame-area.h"
#include "app/view/view.h"
#include "core/analyze/time/flame-chart.h"

/*
 * The flame chart of one thread of a document: below a ruler of times, and above a strip that shows
 * all of it while a part is in view. Follows the document only while it is shown; charts and their
 * cuts are made in workers.
 */
#define PV_TYPE_FLAME_CHART_VIEW (pv_flame_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (PvFlameChartView, pv_flame_chart_view, PV, FLAME_CHART_VIEW, PvView)

void pv_flame_chart_view_set_shown (PvFlameChartView *view, gboolean is_shown);
void pv_flame_chart_view_set_flame (PvFlameChartView *view, gboolean is_flame);
/* Colors are those of the area; the map shows them too. */
void pv_flame_chart_view_redraw (PvFlameChartView *view);

/* A widget for a bar: the thread, and its part in view. Owned by the widget it is packed in. */
GtkWidget *pv_flame_chart_view_get_bar (PvFlameChartView *view);
PvFlameArea *pv_flame_chart_view_get_area (PvFlameChartView *view);
/* The chart that is shown; NULL: no chart yet. Valid until the next change. */
const PvFlameChart *pv_flame_chart_view_get_chart (PvFlameChartView *view);
