/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"
#include "render/chart/chart.h"

/*
 * A chart of a document's heap over time, or of the dumps of a series. It asks a worker for the
 * series it shows, and turns pointer and keys into intents: a drag brushes the time range of the
 * document, a click selects the function of a layer. Signals: "hit-changed", another place is
 * looked at, by pointer or cursor; "view-changed", the series or the times that are shown;
 * "menu-requested" (x, y); "activated", to show the selected function in another view.
 */
#define PV_TYPE_CHART_AREA (pv_chart_area_get_type ())
G_DECLARE_FINAL_TYPE (PvChartArea, pv_chart_area, PV, CHART_AREA, GtkWidget)

void pv_chart_area_set_document (PvChartArea *area, PvDocument *document);
/* Of a series all kinds are that of dumps, and of what is none, that one is the first. */
void pv_chart_area_set_kind (PvChartArea *area, PvChartKind kind);
PvChartKind pv_chart_area_get_kind (PvChartArea *area);

/* What is shown; NULL until it is known, and while another kind is built. */
const PvSeries *pv_chart_area_get_series (PvChartArea *area);
const PvChartView *pv_chart_area_get_view (PvChartArea *area);
PvColor pv_chart_area_get_color (PvChartArea *area, uint32_t layer);

/* Selects a function of the series, unless the document has been read again since it was made. */
void pv_chart_area_select (PvChartArea *area, PvFunctionId function);

/* What the pointer or the cursor is at, NULL: neither. */
const PvChartHit *pv_chart_area_get_hit (PvChartArea *area);
/* The points that are seen: [*ret_first, *ret_end). */
void pv_chart_area_get_visible (PvChartArea *area, uint32_t *ret_first, uint32_t *ret_end);

gboolean pv_chart_area_is_zoomed (PvChartArea *area);
void pv_chart_area_reset_zoom (PvChartArea *area);
/* To the range that is brushed. */
void pv_chart_area_zoom_to_range (PvChartArea *area);
/* Asks what was live at the place that is looked at, or last was. */
void pv_chart_area_show_moment (PvChartArea *area);
