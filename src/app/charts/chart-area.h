/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"
#include "render/chart/chart.h"

/*
 * A chart of a document's heap over time, or of the dumps of a series. A worker builds the series
 * that it shows. Pointer and keys become actions on the document: a drag sets its time range, a
 * click selects the function of a layer. The setting resident-shown says whether live bytes have
 * the line of resident memory. Signals: "hit-changed", the pointer or the cursor is on another
 * point; "view-changed", the series or the times that are shown changed; "activated", the user
 * wants the selected function in another view.
 */
#define PV_TYPE_CHART_AREA (pv_chart_area_get_type ())
G_DECLARE_FINAL_TYPE (PvChartArea, pv_chart_area, PV, CHART_AREA, PvView)

/* For little height above other views; it shows the first kind that the profile has. Clicks select
 * only functions, and a double click zooms to the time range, or back. */
void pv_chart_area_set_compact (PvChartArea *area);
/* Gives it a context menu, and its actions as the group "chart" to the widget around it: show (a
 * page's name), copy-name, show-moment, clear-range, zoom-to-range, reset-zoom. Once, with a
 * document.
 */
void pv_chart_area_add_menu (PvChartArea *area, GtkWidget *around);
/* A series of dumps has only the kind PV_CHART_DUMPS and every other profile all but that one; a
 * kind that the profile does not have is replaced by its first. */
void pv_chart_area_set_kind (PvChartArea *area, PvChartKind kind);
PvChartKind pv_chart_area_get_kind (PvChartArea *area);

/* The series that is shown; NULL: not yet. While another kind is built it is the old one. */
const PvSeries *pv_chart_area_get_series (PvChartArea *area);
const PvChartView *pv_chart_area_get_view (PvChartArea *area);
PvColor pv_chart_area_get_color (PvChartArea *area, uint32_t layer);
PvColor pv_chart_area_get_resident_color (PvChartArea *area);

/* Selects a function of the series, unless the document was reloaded after the series was built. */
void pv_chart_area_select (PvChartArea *area, PvFunctionId function);

/* The point of the chart that the pointer or the cursor is on; NULL: nothing. */
const PvChartHit *pv_chart_area_get_hit (PvChartArea *area);
/* The points that are visible: [*ret_first, *ret_end). There is a series. */
void pv_chart_area_get_visible (PvChartArea *area, uint32_t *ret_first, uint32_t *ret_end);

gboolean pv_chart_area_is_zoomed (PvChartArea *area);
void pv_chart_area_reset_zoom (PvChartArea *area);
/* Zooms to the time range of the document. */
void pv_chart_area_zoom_to_range (PvChartArea *area);
/* Shows in the document the memory that was live where the pointer or the cursor is, or was
 * last. */
void pv_chart_area_show_moment (PvChartArea *area);
