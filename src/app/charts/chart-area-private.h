/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/charts/chart-area.h"
#include "app/pictures/time-input.h"
#include "app/work/work.h"

/* Declarations that the files of PvChartArea share: chart-area.c has the series and the picture,
 * chart-input.c pointer and keys, chart-menu.c the menu. */
enum { PV_CHART_HIT_CHANGED, PV_CHART_VIEW_CHANGED, PV_CHART_ACTIVATED, PV_CHART_N_SIGNALS };

struct _PvChartArea {
    PvView base;

    PvTask *task;
    PvChartKind kind;
    PvSeries *series; /* of this kind and the newest tree; of older ones until it is built */

    PvChartPainter *painter;
    PvChartView view; /* size, style and selection are set before each use */
    GskRenderNode *picture;

    /* The place of the pointer, or of the cursor, which the keys move. */
    PvTimeInput input;
    PvChartHit hit;
    gboolean has_hit;
    uint32_t cursor_layer;
    double last_ms; /* the time of the last hit; negative: none */

    GActionMap *actions; /* of the widget around it, NULL: it has no menu */
    GtkWidget *menu;     /* made when first shown; or NULL */
};

extern guint pv_chart_signals[PV_CHART_N_SIGNALS];

void pv_chart_area_sync_view (PvChartArea *area);
/* The picture must be drawn again. */
void pv_chart_area_invalidate (PvChartArea *area);
void pv_chart_area_view_changed (PvChartArea *area);
/* Finds the place of the pointer or the cursor again. */
void pv_chart_area_update_hit (PvChartArea *area);

void pv_chart_area_add_input (PvChartArea *area);

/* Opens the menu, if it has one. */
void pv_chart_area_open_menu (PvChartArea *area, double x, double y);
/* Actions that do not apply now are disabled. */
void pv_chart_area_update_actions (PvChartArea *area);
