/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pictures/chart-area.h"
#include "app/work/work.h"

/* What the files of PvChartArea share: chart-area.c has the series and the picture, chart-input.c
 * pointer and keys. */
enum { PV_CHART_N_PLACES = 2 };

enum {
    PV_CHART_HIT_CHANGED,
    PV_CHART_VIEW_CHANGED,
    PV_CHART_MENU_REQUESTED,
    PV_CHART_ACTIVATED,
    PV_CHART_N_SIGNALS
};

struct _PvChartArea {
    GtkWidget parent;

    PvDocument *document;
    gulong changed_handler;
    PvTask *task;
    PvChartKind kind;
    PvSeries *series; /* of kind and of the document's newest tree, or of older ones for a while */
    gboolean is_stale;

    PvChartPainter *painter;
    PvChartView view; /* size, style and selection are set before each use */
    GskRenderNode *base;

    /* What is looked at: by the pointer, or by a cursor while the keys speak. */
    PvChartHit hit;
    gboolean has_hit;
    double pointer_x, pointer_y; /* negative: outside */
    double rest_x, rest_y;       /* where on the window it was last told to be */
    gboolean has_cursor;
    double cursor_x; /* fraction of the plot, or for charts of time: milliseconds */
    uint32_t cursor_layer;
    double last_ms; /* where something was last looked at; negative: never */

    gboolean is_pressed; /* in the plot */
    gboolean is_brushing;
    double press_x;
    double anchor_ms; /* where a range by keys began; negative: none */
    double pinch_scale;

    /* What the keyboard's focus is on, in turns: a screen reader says anew what it moves to. */
    GtkWidget *places[PV_CHART_N_PLACES];
    unsigned current_place;
};

extern guint pv_chart_signals[PV_CHART_N_SIGNALS];

void pv_chart_area_sync_view (PvChartArea *area);
/* What is seen has changed. */
void pv_chart_area_invalidate (PvChartArea *area);
void pv_chart_area_view_changed (PvChartArea *area);
/* Finds what is looked at now. */
void pv_chart_area_update_hit (PvChartArea *area);
void pv_chart_area_forget_cursor (PvChartArea *area);

void pv_chart_area_add_controllers (PvChartArea *area);
